package interpreter

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// growing has grammars on which a general parser may be slow: left, right and middle recursion, bounded and unbounded ambiguity, empty
// productions, productions that derive themselves, and the shapes of published grammars.
var growing = []string{
	`e = e "+" e / "a"`,
	`e = e "+" e / e "*" e / "a"`,
	`s = s s / "a"`,
	`s = s s / "a" / ""`,
	`s = s s s / "a"`,
	`s = s s s / s s / "a"`,
	`s = s s / "(" s ")" / "a"`,
	`s = s s "+" / "a"`,
	`s = "a" s s / "a" / ""`,
	`s = *2s / "a"`,
	`s = 2*s "a" / "a"`,
	`e = e "?" e ":" e / "a"`,
	`e = "-" e / e "!" / "a"`,
	`s = "i" s / "i" s "e" s / "a"`,
	"e = e \"+\" t / t\nt = t \"*\" f / f\nf = \"(\" e \")\" / \"a\"",
	"e = t *( \"+\" t )\nt = \"(\" e \")\" / \"a\"",
	`s = s "a" / "a"`,
	`s = "a" s / "a"`,
	`s = [s] "a"`,
	"s = *w s \"a\" / \"b\"\nw = \" \"",
	"s = t / \"a\"\nt = s / \"b\" s",
	"s = s t / t\nt = s \"a\" / \"a\"",
	"a = b a / b\nb = a \"x\" / \"x\"",
	`s = "a" s "a" / "a"`,
	`s = "a" s "a" / "a" s "b" / "b" s "a" / "b" s "b" / ""`,
	"s = \"a\" s \"b\" / s s / \"\"",
	"s = u *\"c\" / *\"a\" v\nu = \"a\" u \"b\" / \"\"\nv = \"b\" v \"c\" / \"\"",
	"s = a s / a\na = \"a\" / \"aa\"",
	"s = *a\na = \"a\" / \"aa\" / \"aaa\"",
	"s = *( p / q )\np = \"a\" / \"ab\"\nq = \"b\" / \"ab\"",
	"s = 1*t\nt = 1*\"a\"",
	"s = t t t t\nt = *\"a\"",
	"s = t t \"x\" / s s\nt = *( t \"a\" )",
	"s = t \"x\" / u \"y\"\nt = \"a\" t / \"a\"\nu = \"a\" u / \"a\"",
	"l = w *( \",\" w )\nw = *\" \" \"a\" *\" \"",
	"d = c \"a\" c \"b\"\nc = *( *f x ) *f\nf = *\" \" 1*\" \"\nx = \"(\" *( *f \"x\" / x ) *f \")\"",
	"x = \"(\" *( [f] ( \"a\" / x ) ) [f] \")\"\nf = 1*\" \"",
	"v = \"[\" [l] \"]\" / \"1\"\nl = l \",\" v / v",
	"v = w \"[\" [ v *( \",\" v ) ] \"]\" w / w \"1\" w\nw = *\" \"",
	"g = d / d g\nd = n / n g n\nn = *\"a\" \"b\" / *\"b\" \"a\"",
}

// A hunted is an input that grows: first n times, middle, last n times.
type hunted struct{ first, middle, last string }

func (h hunted) of(bytes int) string {
	n := max(1, (bytes-len(h.middle))/max(1, len(h.first)+len(h.last)))
	return strings.Repeat(h.first, n) + h.middle + strings.Repeat(h.last, n)
}

func (h hunted) String() string {
	var parts []string
	for _, p := range []struct{ w, n string }{{h.first, "ⁿ"}, {h.middle, ""}, {h.last, "ⁿ"}} {
		if p.w == "" {
			continue
		}
		if len(p.w) > 1 && p.n != "" {
			p.w = "(" + p.w + ")"
		}
		parts = append(parts, strings.ReplaceAll(p.w, " ", "␣")+p.n)
	}
	return strings.Join(parts, " ")
}

// stepsOf returns the steps that an input takes, with its tree.
func (d *Deriver) stepsOf(src string) int {
	run := ast.Run{Limits: ast.Limits{Steps: 1 << 29, Memory: 20 << 24}, Unguided: true}
	d.parser.Within(&run, nil, d.in.start.kind, src, true)
	taken := run.Taken
	return taken
}

// hunt searches for the input on which the steps grow most. It measures all inputs made of words of up to two letters while they are short,
// and in three rounds keeps those that take the most steps as they get longer.
func hunt(d *Deriver, letters string) hunted {
	words := []string{""}
	for i := 0; i < len(words); i++ {
		for _, x := range letters {
			if len(words[i]) < 2 {
				words = append(words, words[i]+string(x))
			}
		}
	}
	type measured struct {
		hunted
		steps float64 // for a byte
	}
	measure := func(h hunted, bytes int) measured {
		src := h.of(bytes)
		return measured{h, float64(d.stepsOf(src)) / float64(len(src))}
	}
	most := func(list []measured, n int) []measured {
		slices.SortStableFunc(list, func(a, b measured) int { return cmp.Compare(b.steps, a.steps) })
		return list[:min(n, len(list))]
	}
	var all []measured
	for _, first := range words[1:] {
		for _, middle := range words {
			for _, last := range words {
				if len(letters) > 3 && len(last) > 1 { // there are too many
					continue
				}
				all = append(all, measure(hunted{first, middle, last}, 16))
			}
		}
	}
	for _, round := range []struct{ keep, bytes int }{{200, 40}, {20, 100}, {5, 200}} {
		all = most(all, round.keep)
		for i := range all {
			all[i] = measure(all[i].hunted, round.bytes)
		}
	}
	return most(all, 1)[0].hunted
}

// lettersOf returns the letters of a grammar that tell its productions apart, in order.
func lettersOf(text string) string {
	var letters []byte
	quoted := regexp.MustCompile(`"([^"]*)"`)
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		letters = append(letters, m[1]...)
	}
	slices.Sort(letters)
	return string(slices.Compact(letters))
}

// growth returns the steps for inputs of some lengths, and the exponent between the last two.
func growth(d *Deriver, h hunted, lengths ...int) (steps []int, exponent float64) {
	for _, n := range lengths {
		steps = append(steps, d.stepsOf(h.of(n)))
	}
	last := len(steps) - 1
	ratio := float64(len(h.of(lengths[last]))) / float64(len(h.of(lengths[last-1])))
	return steps, math.Log(float64(steps[last])/float64(steps[last-1])) / math.Log(ratio)
}

// mostGrowth caps the exponent: time is at most cubic. It is above three, since sorting the items of a place adds a logarithm.
const mostGrowth = 3.1

func deriverOf(t *testing.T, text string) *Deriver {
	t.Helper()
	g := must.Of(bnf.ReadABNF("test.abnf", []byte(text+"\n")))(t)
	return must.Of(New(g, g.Rules[0].ID, all))(t)
}

// The tree of an ambiguous grammar takes cubic time, like accepting. The exponent was 4.9 while the agenda was sorted by insertion and links
// were searched for among all items.
func TestGrowthOfTrees(t *testing.T) {
	for _, c := range []struct {
		grammar string
		input   hunted
		least   float64 // so that something is measured
	}{
		{growing[0], hunted{"a+", "a", ""}, 2.8},
		{growing[2], hunted{"a", "", ""}, 2.8},
		{growing[16], hunted{"a", "", ""}, 0.9},
		{growing[23], hunted{"a", "", ""}, 1.9},
	} {
		steps, exponent := growth(deriverOf(t, c.grammar), c.input, 120, 240)
		if exponent > mostGrowth || exponent < c.least {
			t.Errorf("%s on %s: %d steps, exponent %.2f", c.grammar, c.input, steps, exponent)
		}
	}
}

// Dropping items costs a constant for each item that was made, so that there is no cliff at the length
// where the first are dropped. In RFC 5322, blanks in an address have as many derivations as there are
// ways to part them.
func TestGrowthHasNoCliff(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO is not set: no grammars of others")
	}
	d := zooDeriver(t, folder, "rfc5322.abnf", "address-list")
	before := 0
	for _, n := range []int{600, 850, 900, 1000} {
		src := "a" + strings.Repeat(" ", n) + "<a@b>"
		run := ast.Run{Limits: ast.Limits{Steps: 1 << 29, Memory: 20 << 24}, Unguided: true}
		nodes, ok := d.parser.Within(&run, nil, d.in.start.kind, src, true)
		taken := run.Taken
		if !ok || len(nodes) == 0 {
			t.Fatalf("%d blanks: no tree in %d steps", n, taken)
		}
		if each := taken / (n * n); before > 0 && each > 2*before {
			t.Errorf("%d blanks: %d steps for each square of a byte, after %d", n, each, before)
		}
		before = taken / (n * n)
	}
}

// Of forty grammars, no input that is found by search takes more than cubic time. The page has what was found.
func TestGrowth(t *testing.T) {
	longtest.Need(t, "searches for the inputs of forty grammars that take longest")
	if len(growing) != 40 {
		t.Fatalf("%d grammars", len(growing))
	}
	lines := make([]string, len(growing))
	t.Run("grammars", func(t *testing.T) {
		for i, text := range growing {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				d := deriverOf(t, text)
				h := hunt(d, lettersOf(text))
				steps, exponent := growth(d, h, 100, 200, 400)
				lines[i] = fmt.Sprintf("| `%s` | `%s` | %d | %d | %d | %.2f |\n",
					strings.ReplaceAll(text, "\n", "; "), h, steps[0], steps[1], steps[2], exponent)
				if exponent > mostGrowth {
					t.Errorf("%s on %s: %d steps, exponent %.2f", text, h, steps, exponent)
				}
			})
		}
	})
	const page = "../../../docs/generate.md"
	const head = "| grammar | the input that takes longest | steps for 100 bytes | 200 | 400 | exponent |\n" +
		"|---|---|--:|--:|--:|--:|\n"
	has := string(must.Of(os.ReadFile(page))(t))
	before, after, ok := strings.Cut(has, head)
	if !ok {
		t.Fatal("generate.md has no table of growth")
	}
	end := strings.Index(after, "\n\n")
	goldentest.Whole(t, page, before+head+strings.TrimSuffix(strings.Join(lines, ""), "\n")+after[end:])
}
