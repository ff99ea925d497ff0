package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A tableLines is what the lines of a certificate say of a table, read in another way than the checker's.
type tableLines struct {
	accepts map[int]bool
	to      map[int]*[256]int
	starts  map[string][]int
}

func tableOf(t testing.TB, certificate string) tableLines {
	l := tableLines{map[int]bool{}, map[int]*[256]int{}, map[string][]int{}}
	var column [256]int
	for line := range strings.Lines(certificate) {
		words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" :\n", c) })
		number := func(i int) int {
			n, err := strconv.Atoi(words[i])
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			return n
		}
		ends := func(word string, base int) (int, int) {
			low, high, ok := strings.Cut(word, "-")
			if !ok {
				high = low
			}
			a, err1 := strconv.ParseUint(low, base, 32)
			b, err2 := strconv.ParseUint(high, base, 32)
			if err1 != nil || err2 != nil {
				t.Fatalf("%q: %v, %v", line, err1, err2)
			}
			return int(a), int(b)
		}
		switch words[0] {
		case "column":
			for _, part := range strings.Split(words[2], ",") {
				low, high := ends(part, 16)
				for b := low; b <= high; b++ {
					column[b] = number(1)
				}
			}
		case "row":
			q := number(1)
			l.accepts[q], l.to[q] = words[2] == "+", &[256]int{}
			for i := 5; i < len(words); i += 2 {
				low, high := ends(words[i], 10)
				for b, x := range column {
					if low <= x && x <= high {
						l.to[q][b] = number(i + 1)
					}
				}
			}
		case "table":
			l.starts[words[1]] = []int{}
			for i := range words[2:] {
				l.starts[words[1]] = append(l.starts[words[1]], number(i+2))
			}
		}
	}
	return l
}

// The certificate of each grammar that is built in is verified with the table of its parser, for every production; and its lines are
// the table that a program has, at every state and byte.
func TestTables(t *testing.T) {
	for _, built := range builtIn {
		x, _ := published(t, built.name)
		pair := must.Of(catalog.PublishedPair(built.name))(t)
		g := bnfcheck.Grammars()[slices.IndexFunc(bnfcheck.Grammars(), func(g *bnfcheck.Grammar) bool { return g.Name == built.name })]
		var b bytes.Buffer
		s, err := certificate.Write(&b, certificate.Source{BNF: pair.BNF, PEG: pair.PEG, Readings: pair.Ledger.Readings, Parser: g.Grammar})
		if err != nil {
			t.Fatal(err)
		}
		x.certificate = b.String()
		out, err := x.asked(request{})
		want := fmt.Sprintf("accepts exactly what %d of %[1]d productions derive\n", built.rules)
		if err != nil || !strings.Contains(out, want) || len(s.Tabled) != built.rules || len(s.Wrong) > 0 {
			t.Errorf("%s: %v, wrong %q\n%s", built.name, err, s.Wrong, out)
		}
		l, m := tableOf(t, x.certificate), g.Machine()
		for kind, p := range g.Grammar.Productions[1:] {
			var starts []int
			for _, start := range m.Starts(ast.Kind(kind + 1)) {
				starts = append(starts, int(start.State))
			}
			if !slices.Equal(l.starts[p.ID], starts) {
				t.Errorf("%s: %s begins in %d, and in the certificate in %d", built.name, p.ID, starts, l.starts[p.ID])
			}
		}
		for q := 1; q < m.States(); q++ {
			if l.to[q] == nil || l.accepts[q] != m.Accepts(uint16(q)) {
				t.Fatalf("%s: state %d has no row, or is wrong about the empty word", built.name, q)
			}
			for b := range 256 {
				if to := int(m.Step(uint16(q), byte(b))); to != l.to[q][b] {
					t.Fatalf("%s: state %d leads to %d on %02x, and in the certificate to %d", built.name, q, to, b, l.to[q][b])
				}
			}
		}
	}
}

// generated returns what the certificate of a generated package is checked with.
func generated(t testing.TB) texts {
	pair := must.Of(catalog.Files("a.abnf", []byte(hostABNF), "a.peg", []byte(hostPEG), catalog.FileOptions{ActionsSucceed: true}))(t)
	of, ids, err := gopackage.Certified(gopackage.Source{Package: "a", Grammar: pair.BNF, PEG: pair.PEG})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	must.Of(certificate.Write(&b, of, ids...))(t)
	return texts{"a.abnf", hostABNF, "a.peg", hostPEG, b.String()}
}

// A table is refused that is changed in one place or in several, or it accepts the same strings. The proven checker says the same.
func TestMutatedTables(t *testing.T) {
	honest := generated(t)
	judge, asked := proven(t), longtest.Size(40, 2000)
	lines := strings.Split(strings.TrimSuffix(honest.certificate, "\n"), "\n")
	lines = lines[:len(lines)-1]
	var of []int // the lines about the table
	for i, line := range lines {
		if word, _, _ := strings.Cut(line, " "); word == "row" || word == "column" || word == "table" {
			of = append(of, i)
		}
	}
	want := tableOf(t, honest.certificate)
	random, accepted := rand.New(rand.NewPCG(3, 4)), 0
	n := longtest.Size(200, 20000)
	for k := range n {
		text := slices.Clone(lines)
		for range 1 + random.IntN(3) {
			i := of[random.IntN(len(of))]
			if all := mutations(lines[i]); len(all) > 0 {
				text[i] = strings.Join(all[random.IntN(len(all))], "\n")
			}
		}
		text = strings.FieldsFunc(strings.Join(text, "\n"), func(c rune) bool { return c == '\n' }) // lines left out and twice
		x := honest
		x.certificate = fmt.Sprintf("%s\nend %d\n", strings.Join(text, "\n"), len(text))
		_, err := x.verdict()
		if err == nil {
			accepted++
			if got := tableOf(t, x.certificate); !sameLanguages(got, want) {
				t.Fatalf("accepted, and not the same:\n%s", x.certificate)
			}
		}
		if judge != "" && k < asked {
			if _, refused := ask(t, judge, x); refused == nil && err != nil && sameLanguages(tableOf(t, x.certificate), want) {
				continue // certcheck wants what makes no difference: each line once, with nothing doubled
			} else if (refused == nil) != (err == nil) {
				t.Errorf("certcheck: %v, the proven checker: %v\n%s", err, refused, x.certificate)
			}
		}
	}
	t.Logf("%d tables, %d accepted, which accept the same strings", n, accepted)
}

// sameLanguages reports whether a table accepts what another does, as each production that it has.
func sameLanguages(a, b tableLines) bool {
	type both struct{ a, b string }
	for production, starts := range a.starts {
		seen := map[both]bool{}
		var visit func(p, q []int) bool
		visit = func(p, q []int) bool {
			key := both{fmt.Sprint(p), fmt.Sprint(q)}
			if seen[key] {
				return true
			}
			seen[key] = true
			any := func(l tableLines, states []int) bool {
				return slices.ContainsFunc(states, func(q int) bool { return l.accepts[q] })
			}
			next := func(l tableLines, states []int, x int) (to []int) {
				for _, q := range states {
					if l.to[q] != nil && l.to[q][x] != 0 {
						to = append(to, l.to[q][x])
					}
				}
				slices.Sort(to)
				return slices.Compact(to)
			}
			if any(a, p) != any(b, q) {
				return false
			}
			for x := range 256 {
				if !visit(next(a, p, x), next(b, q, x)) {
					return false
				}
			}
			return true
		}
		if !visit(starts, b.starts[production]) {
			return false
		}
	}
	return true
}

// randomPair returns a grammar and a PEG that transcribes it, with changes now and then.
func randomPair(random *rand.Rand) (bnf, peg string) {
	g := fuzztest.New(fuzztest.Random(random, 60, random.IntN(3) == 0))
	return g.ABNF(), g.PEG(fuzztest.Random(random, 20*random.IntN(2), true))
}

// forged returns a certificate that states more than an honest one, or something else: that what differs is equal, with languages
// exchanged, and lines changed, left out or taken from a certificate of other grammars.
func forged(random *rand.Rand, honest, other string) string {
	lines := strings.Split(strings.TrimSuffix(honest, "\n"), "\n")
	lines = lines[:len(lines)-1]
	for i, line := range lines {
		if words := strings.Fields(line); words[0] == "differ" && random.IntN(3) > 0 {
			first, _, _ := strings.Cut(words[5+2*random.IntN(2)], "-")
			lines[i] = fmt.Sprintf("equal %s %s %s", words[1], words[2], first)
		} else if words[0] == "open" && random.IntN(3) > 0 {
			lines[i] = fmt.Sprintf("equal %s %s %d", words[1], words[2], random.IntN(8))
		}
	}
	foreign := strings.Split(other, "\n")
	for range random.IntN(4) {
		i := random.IntN(len(lines))
		switch all := mutations(lines[i]); random.IntN(4) {
		case 0:
			lines[i] = foreign[random.IntN(len(foreign)-1)]
		case 1: // the result of another line of its kind
			j := random.IntN(len(lines))
			a, b := strings.LastIndex(lines[i], " is "), strings.LastIndex(lines[j], " is ")
			if a > 0 && b > 0 {
				lines[i] = lines[i][:a] + lines[j][b:]
			}
		default:
			if len(all) > 0 {
				lines[i] = strings.Join(all[random.IntN(len(all))], "\n")
			}
		}
	}
	lines = strings.FieldsFunc(strings.Join(lines, "\n"), func(c rune) bool { return c == '\n' })
	return fmt.Sprintf("%s\nend %d\n", strings.Join(lines, "\n"), len(lines))
}

// What certcheck takes of a forged certificate for random grammars is true: the honest one of the same grammars states it as well; and
// the proven checker says the same of each production.
func TestRandomForgeries(t *testing.T) {
	judge, random, taken := proven(t), rand.New(rand.NewPCG(7, 8)), 0
	n := longtest.Size(100, 30000)
	var before texts
	for range n {
		bnf, peg := randomPair(random)
		x, _, err := certify("a.abnf", bnf, "a.peg", peg)
		if err != nil {
			continue // left recursion, most often
		}
		honest := statements(x.certificate)
		if before.certificate == "" {
			before = x
		}
		if random.IntN(6) == 0 { // that of other grammars
			x.certificate, before = before.certificate, x
		} else {
			x.certificate = forged(random, x.certificate, before.certificate)
		}
		if _, err := x.verdict(); err != nil {
			continue
		}
		taken++
		for _, s := range statements(x.certificate) {
			if strings.HasPrefix(s, "open ") || slices.Contains(honest, s) {
				continue
			}
			// The honest one has a production and the rule of another name where it is asked for them.
			words := strings.Fields(s)
			other, _, err := certify("a.abnf", bnf, "a.peg", peg, [2]string{words[1], words[2]})
			if err != nil || !slices.Contains(statements(other.certificate), s) {
				t.Fatalf("certcheck takes %q\n%s%s%s", s, bnf, peg, x.certificate)
			}
		}
		if judge != "" {
			alike(t, judge, x)
		}
	}
	if taken < n/20 {
		t.Errorf("of %d certificates, both are asked about %d", n, taken)
	}
	t.Logf("%d certificates, %d taken, which state what is so", n, taken)
}
