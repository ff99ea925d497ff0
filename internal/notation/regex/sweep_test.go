package regex

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A sweep holds what single symbols and classes of a flavor match against its engine, for all code points. Its engine is the one
// whose version the flavor's row names: another version is an error, since the tables would be compared with others'.
type sweep struct {
	flavor  string
	command []string // nil is Go's regexp in this process
	version string   // what the engine says
	before  []string // what an expression begins with, a mode each; case is ignored in every second one
	after   []string // what it ends with in each mode
	last    []rune   // the last code point of each mode
	grouped bool     // the engine is quicker with one expression of many alternatives than with many of one symbol
}

var sweeps = []sweep{
	{"go", nil, runtime.Version(), []string{"", "(?i)"}, []string{"", ""}, []rune{lastPoint, lastPoint}, false},
	{"python", []string{"python3", "testdata/sweep.py"}, "3.11 14.0.0", []string{"", "(?i)", "(?a)", "(?ai)"}, make([]string, 4), slices.Repeat([]rune{lastPoint}, 4), false},
	{"python3.12", []string{"node", "testdata/python.js", "312", "sweep.py"}, "3.12 15.0.0", []string{"", "(?i)", "(?a)", "(?ai)"}, make([]string, 4), slices.Repeat([]rune{lastPoint}, 4), false},
	{"python3.13", []string{"node", "testdata/python.js", "313", "sweep.py"}, "3.13 15.1.0", []string{"", "(?i)", "(?a)", "(?ai)"}, make([]string, 4), slices.Repeat([]rune{lastPoint}, 4), false},
	{"python3.14", []string{"node", "testdata/python.js", "314", "sweep.py"}, "3.14 16.0.0", []string{"", "(?i)", "(?a)", "(?ai)"}, make([]string, 4), slices.Repeat([]rune{lastPoint}, 4), false},
	{"ruby", []string{"ruby", "testdata/sweep.rb"}, "3.1 13.0.0", []string{"", "(?i)", "(?u)", "(?ui)"}, make([]string, 4), slices.Repeat([]rune{lastPoint}, 4), true},
	{
		"pcre", []string{"php", "-d", "pcre.jit=0", "testdata/sweep.php"}, "10.42", []string{"(*UTF)", "(*UTF)(?i)", "(*UTF)(*UCP)", "(*UTF)(*UCP)(?i)", "", "(?i)"},
		make([]string, 6), []rune{lastPoint, lastPoint, lastPoint, lastPoint, lastByte, lastByte}, false,
	},
	{
		"js", []string{"node", "testdata/sweep.js"}, "20.20 17.0", slices.Repeat([]string{"/"}, 6), []string{"/", "/i", "/u", "/iu", "/v", "/iv"},
		[]rune{lastUnit, lastUnit, lastPoint, lastPoint, lastPoint, lastPoint}, false,
	},
	{"perl", []string{"perl", "testdata/sweep.pl"}, "5.36 14.0.0", []string{"", "(?i)", `\p{Any}{0}`, `(?i)\p{Any}{0}`}, make([]string, 4), slices.Repeat([]rune{lastByte}, 4), false},
	{"rust", []string{"python3", "testdata/rust.py", "sweep"}, "1.7.1", []string{"", "(?i)"}, []string{"", ""}, []rune{lastPoint, lastPoint}, true},
	{
		"js2025", []string{"node26", "testdata/sweep.js"}, "26.10 17.0", slices.Repeat([]string{"/"}, 6), []string{"/", "/i", "/u", "/iu", "/v", "/iv"},
		[]rune{lastUnit, lastUnit, lastPoint, lastPoint, lastPoint, lastPoint}, false,
	},
	{"java", []string{"java", "-XX:TieredStopAtLevel=1", "testdata/Sweep.java"}, "17", []string{"", "(?i)"}, []string{"", ""}, []rune{lastPoint, lastPoint}, false},
}

// scalars are the code points that text has.
var scalars = of(0, 0xd7ff, 0xe000, lastPoint)

// candidates returns the code points that have another case in some version of Unicode.
func candidates() (list []rune) {
	for _, version := range runes.Versions() {
		u, _ := runes.UnicodeOf(version)
		for r := range rune(utf8.MaxRune + 1) {
			if u.Lower(r) != r || u.Upper(r) != r || folded.Has(r) {
				list = append(list, r, u.Lower(r), u.Upper(r))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// withCase are the blocks of letters that have another case.
var withCase = of(0, 0x2fff, 0xa600, 0xabff, 0xfb00, 0xfb4f, 0xff00, 0xffff, 0x10400, 0x105ff, 0x10c80, 0x10dff, 0x118a0, 0x118ff, 0x16e40, 0x16eff, 0x1e900, 0x1e95f)

var (
	stride  = flag.Int("stride", 1, "of the blocks of code points without case, a sweep asks of every nth")
	oneMode = flag.Int("mode", -1, "the only mode of a flavor that is swept")
)

// asked reports whether the sweep asks of the 256 code points from lo on.
func asked(lo rune) bool {
	return int(lo>>8)%*stride == 0 || len(withCase.And(of(lo, lo+255))) > 0
}

// signs are the characters that are escaped outside of a class.
const signs = `^$\.*+?()[]{}|/`

// escaped writes a code point in an expression.
func escaped(r rune, more string) string {
	switch {
	case r < 2:
		return fmt.Sprintf(`\x%02x`, r)
	case strings.ContainsRune(signs+more, r):
		return `\` + string(r)
	}
	return string(r)
}

// atoms lists escapes and properties: those that a flavor may have, whether they are read or not.
func atoms(flavor string) (list []string) {
	for c := 'a'; c <= 'z'; c++ {
		list = append(list, `\`+string(c), `\`+strings.ToUpper(string(c)))
	}
	list = append(list, ".")
	for _, c := range strings.Fields("alpha alnum ascii blank cntrl digit graph lower print punct space upper word xdigit") {
		list = append(list, "[[:"+c+":]]", "[[:^"+c+":]]", `\p{`+c+"}", `\p{`+strings.ToUpper(c[:1])+c[1:]+"}")
	}
	u, _ := runes.UnicodeOf(dialectOf(flavor).unicode)
	names := slices.Concat(u.Scripts(), slices.Collect(maps.Keys(unicode.Categories)), slices.Collect(maps.Keys(unicode.CategoryAliases)),
		slices.Collect(maps.Keys(unicode.Properties)), strings.Fields("Any any L& Xan Xwd Xsp Xps XDigit ASCII Assigned Alphabetic Lowercase Uppercase Math ID_Start ID_Continue "+
			"Alpha Lower Upper AHex Hex Dia Ideo QMark Pat_Syn Pat_WS IDS IDC XID_Start XID_Continue Cased Emoji Hyphen"))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		list = append(list, `\p{`+name+"}", `\P{`+name+"}", `\p{^`+name+"}", `\p{Is`+name+"}", `\p{sc=`+name+"}", `\p{gc=`+name+"}", `\p{In`+name+"}")
		if len(name) == 1 {
			list = append(list, `\p`+name)
		}
	}
	return list
}

// single returns the symbols that an expression of one symbol matches; ok is false if it is not read, or more than one symbol.
func single(flavor, text string) (s set, ok bool, err error) {
	r, err := Parse(flavor, text)
	if err != nil {
		return nil, false, err
	}
	n := r.root
	for n.op == opSeq {
		var parts []*node
		for _, s := range n.sub {
			if s.op != opEmpty && !(s.op == opRepeat && s.max == 0) {
				parts = append(parts, s)
			}
		}
		if len(parts) != 1 {
			return nil, false, nil
		}
		n = parts[0]
	}
	return n.set, n.op == opSet, nil
}

// A question is a line to an engine, and what it is to answer.
type question struct {
	line, text string
	check      func(answer []string) string // "" if the answer is right; answer is one line, or those up to "."
}

// TestSweep asks every engine of all code points: what escapes and properties match, alone and in classes; what classes of 256 code
// points match; and what each code point matches as itself.
func TestSweep(t *testing.T) {
	longtest.Need(t, "all code points in all engines")
	cased := candidates()
	for _, s := range sweeps {
		t.Run(s.flavor, func(t *testing.T) { s.run(t, cased) })
	}
}

// A symbol is an expression of one symbol in a mode, with the code points that it matches here.
type symbol struct {
	before, form, after string
	set                 set
}

// questions returns what is asked of symbols. Of all that match the same here, the first is asked of all code points, which takes
// an engine its time. The others are asked of the points where some set of these symbols begins, or the next code point after its
// end. Two sets that differ anywhere differ at such a point: where the engine takes a second spelling for any other of the sets,
// it shows.
func questions(symbols []symbol, all set) (list []question) {
	var bounds set
	for _, s := range symbols {
		for _, span := range s.set {
			bounds = append(bounds, of(span.Lo, span.Lo, span.Hi+1, span.Hi+1)...)
		}
	}
	bounds = append(bounds, of(0, 0)...).Clean().And(all)
	points := question{line: "C"}
	for _, span := range bounds {
		for r := span.Lo; r <= span.Hi; r++ {
			points.line += fmt.Sprintf(" %x", r)
		}
	}
	list = append(list, points)
	asked := map[string]bool{}
	for _, s := range symbols {
		text := s.before + s.form + s.after
		first := !asked[fmt.Sprint(s.set)]
		asked[fmt.Sprint(s.set)] = true
		if first || all[len(all)-1].Hi == lastByte {
			list = append(list, question{"E " + hexadecimal(s.before+s.form+"+"+s.after), text, ranges(s.set, all)})
		} else {
			list = append(list, question{fmt.Sprintf("S %s 1 0", hexadecimal(text)), text, ranges(s.set.And(bounds), bounds)})
		}
	}
	return list
}

func (s *sweep) run(t *testing.T, cased []rune) {
	var list []question
	var read, refused, classes, points int
	for i, before := range s.before {
		if *oneMode >= 0 && i != *oneMode {
			continue
		}
		after := s.after[i]
		all := scalars.And(of(0, s.last[i]))
		var symbols []symbol
		for _, atom := range atoms(s.flavor) {
			forms := []string{atom, "[" + atom + "]", "[^" + atom + "]"}
			switch {
			case strings.HasPrefix(atom, "["):
				forms = []string{atom, "[^" + atom[1:]}
			case len(atom) > len(`\p{^Lu}`): // one property in a class is as good as another
				forms = forms[:1]
			}
			for _, form := range forms {
				want, ok, _ := single(s.flavor, before+form+after)
				if !ok {
					refused++
					continue
				}
				symbols = append(symbols, symbol{before, form, after, want.And(all)})
			}
		}
		read += len(symbols)
		list = append(list, questions(symbols, all)...)
		if s.last[i] == lastByte {
			continue
		}
		seen := slices.Clone(cased)
		seen = slices.DeleteFunc(seen, func(r rune) bool { return r > s.last[i] })
		var candidates strings.Builder
		for _, r := range seen {
			fmt.Fprintf(&candidates, " %x", r)
		}
		list = append(list, question{line: "C" + candidates.String()})
		for lo := rune(0); lo < s.last[i]; lo += 256 {
			if !asked(lo) {
				continue
			}
			batch := of(lo, lo+255)
			if batch.And(all); len(batch.And(all)) == 0 {
				continue
			}
			var members strings.Builder
			for r := lo; r < lo+256; r++ {
				members.WriteString(escaped(r, "-"))
			}
			among := batch.And(all)
			for _, r := range seen {
				among = append(among, span{Lo: r, Hi: r})
			}
			among = among.Clean()
			for _, class := range []string{"[" + members.String() + "]", "[^" + members.String() + "]", "[" + escaped(lo, "-") + "-" + escaped(lo+255, "-") + "]"} {
				want, ok, _ := single(s.flavor, before+class+after)
				if !ok {
					refused++
					continue
				}
				classes++
				list = append(list, question{fmt.Sprintf("S %s %x %x", hexadecimal(before+class+after), lo, lo+255), fmt.Sprintf("%s[%x-%x]%s", before, lo, lo+255, after), ranges(want.And(among), among)})
			}
		}
		folds := i%2 == 1 && before != "(?ai)"
		points += s.literals(&list, before, after, seen, s.last[i], folds)
		points += s.literals(&list, before+"[", "]"+after, seen, s.last[i], false)
	}
	wrong := 0
	s.ask(t, list, func(q *question, answer []string) {
		if q.check == nil {
			return
		}
		if message := q.check(answer); message != "" {
			t.Errorf("%.100s: %.400s", q.text, message)
			if wrong++; wrong > 30 {
				t.FailNow()
			}
		}
	})
	t.Logf("%s: %d escapes and properties read, %d not; %d classes of 256 code points; %d single code points", s.version, read, refused, classes, points)
}

// literals adds the question what each code point matches, and returns how many are asked of: all, or those of the blocks with
// letters that have another case.
func (s *sweep) literals(list *[]question, before, after string, seen []rune, last rune, everywhere bool) (points int) {
	blocks := withCase.And(of(0, last))
	if everywhere {
		blocks = nil
		for lo := rune(0); lo < last; lo += 256 {
			if asked(lo) && scalars.Has(lo) { // surrogates are whole blocks
				blocks = append(blocks, span{Lo: lo, Hi: lo + 255})
			}
		}
	}
	for _, block := range blocks {
		want := map[rune]string{} // "" is refused here
		for r := block.Lo; r <= block.Hi; r++ {
			s, ok, _ := single(s.flavor, before+escaped(r, "")+after)
			switch {
			case !ok:
				want[r] = ""
				continue
			case len(s) == 1 && s[0] == (span{Lo: r, Hi: r}):
				points++
				continue
			}
			points++
			line := fmt.Sprintf("%x", r)
			for _, c := range seen {
				if s.Has(c) {
					line += fmt.Sprintf(" %x", c)
				}
			}
			want[r] = line
		}
		if own := ownSymbols(want, block); s.grouped && own != "" && len(of(block.Lo, block.Hi).And(withCase)) == 0 {
			among := of(block.Lo, block.Hi)
			for _, r := range seen {
				among = append(among, span{Lo: r, Hi: r})
			}
			among = among.Clean()
			*list = append(*list, question{
				fmt.Sprintf("S %s %x %x", hexadecimal(before+own+after), block.Lo, block.Hi),
				fmt.Sprintf("%s each of [%x-%x]%s", before, block.Lo, block.Hi, after), ranges(of(block.Lo, block.Hi), among),
			})
			continue
		}
		*list = append(*list, question{fmt.Sprintf("L %s %s %x %x", hexadecimal(before), hexadecimal(after), block.Lo, block.Hi), before + "..." + after, func(answer []string) string {
			got := map[rune]string{}
			for _, line := range answer {
				point, _, _ := strings.Cut(line, " ")
				r, _ := strconv.ParseInt(point, 16, 32)
				got[rune(r)] = line
			}
			var wrong []string
			for r, line := range want {
				if line != "" && got[r] != line {
					wrong = append(wrong, fmt.Sprintf("%s, the engine: %q", line, got[r]))
				}
			}
			for r, line := range got {
				if _, known := want[r]; !known {
					wrong = append(wrong, "the engine alone: "+line)
				}
			}
			slices.Sort(wrong)
			return strings.Join(wrong, "; ")
		}})
	}
	return points
}

// ownSymbols returns the alternatives of a block, each in brackets, which keep Onigmo from joining them. It returns ""
// if one of them is refused here, or matches anything but itself.
func ownSymbols(want map[rune]string, block span) string {
	if len(want) > 0 {
		return ""
	}
	var list []string
	for r := block.Lo; r <= block.Hi; r++ {
		list = append(list, "(?:"+escaped(r, "")+")")
	}
	return strings.Join(list, "|")
}

func hexadecimal(text string) string { return hex.EncodeToString([]byte(text)) }

// ranges checks that a line has the ranges of a set, among all that were asked of.
func ranges(want, all set) func(answer []string) string {
	return func(answer []string) string {
		if answer[0] == "error" || strings.HasPrefix(answer[0], "gave up") {
			return answer[0]
		}
		var got set
		for _, f := range strings.Fields(answer[0]) {
			lo, hi, _ := strings.Cut(f, "-")
			l, _ := strconv.ParseInt(lo, 16, 32)
			h, _ := strconv.ParseInt(hi, 16, 32)
			got = append(got, span{Lo: rune(l), Hi: rune(h)})
		}
		got = got.Clean().And(all)
		if slices.Equal(got, want) {
			return ""
		}
		return fmt.Sprintf("here alone: %x; in the engine alone: %x", want.And(got.Not(lastPoint)), got.And(want.Not(lastPoint)))
	}
}

// ask hands on the lines of each answer as they come: together they are too many to be kept.
func (s *sweep) ask(t *testing.T, list []question, hand func(q *question, answer []string)) {
	if s.command == nil {
		if !strings.HasPrefix(s.version, "go1.26") || unicode.Version != "15.0.0" {
			t.Fatalf("this is %s with Unicode %s, and the flavor go is that of go1.26 with 15.0.0", s.version, unicode.Version)
		}
		for i, q := range list {
			hand(&list[i], askGo(q.line))
		}
		return
	}
	NeedEngine(t, s.command)
	var in bytes.Buffer
	in.WriteString("V\n")
	for _, q := range list {
		in.WriteString(q.line + "\n")
	}
	c := exec.CommandContext(t.Context(), s.command[0], s.command[1:]...)
	c.Stdin, c.Stderr = &in, os.Stderr
	out := must.Of(c.StdoutPipe())(t)
	must.Do(t, c.Start())
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<26)
	lines.Scan()
	if got := lines.Text(); got != s.version {
		t.Fatalf("this engine is %q, and the flavor %s is that of %q", got, s.flavor, s.version)
	}
	for i, q := range list {
		var answer []string
		switch q.line[0] {
		case 'C':
			continue
		case 'L':
			for lines.Scan() && lines.Text() != "." {
				answer = append(answer, lines.Text())
			}
		default:
			if !lines.Scan() {
				t.Fatalf("no answer to %.100s: %v", q.text, lines.Err())
			}
			answer = append(answer, lines.Text())
		}
		hand(&list[i], answer)
	}
	must.Do(t, c.Wait())
}

var (
	goCandidates string
	everything   = func() string {
		var b strings.Builder
		for _, s := range scalars {
			for r := s.Lo; r <= s.Hi; r++ {
				b.WriteRune(r)
			}
		}
		return b.String()
	}()
)

// askGo answers a question as testdata/sweep.py describes.
func askGo(line string) (answer []string) {
	f := strings.Split(line, " ")
	text := func(i int) string {
		b, _ := hex.DecodeString(f[i])
		return string(b)
	}
	point := func(i int) rune {
		v, _ := strconv.ParseInt(f[i], 16, 32)
		return rune(v)
	}
	find := func(e, in string) (found []string) {
		re, err := regexp.Compile(e)
		if err != nil {
			return []string{"error"}
		}
		for _, m := range re.FindAllString(in, -1) {
			first, _ := utf8.DecodeRuneInString(m)
			last, _ := utf8.DecodeLastRuneInString(m)
			found = append(found, fmt.Sprintf("%x-%x", first, last))
		}
		return found
	}
	switch f[0] {
	case "C":
		goCandidates = ""
		for i := range f[1:] {
			goCandidates += string(point(i + 1))
		}
	case "E":
		return []string{strings.Join(find(text(1), everything), " ")}
	case "S":
		in := goCandidates
		for r := point(2); r <= point(3); r++ {
			in += string(r)
		}
		return []string{strings.Join(find(text(1), in), " ")}
	case "L":
		for r := point(3); r <= point(4); r++ {
			var found []rune
			re, err := regexp.Compile(text(1) + escaped(r, "") + text(2))
			if err != nil {
				answer = append(answer, fmt.Sprintf("%x error", r))
				continue
			}
			for _, m := range re.FindAllString(goCandidates+string(r), -1) {
				found = append(found, []rune(m)...)
			}
			slices.Sort(found)
			if found = slices.Compact(found); len(found) != 1 || found[0] != r {
				line := fmt.Sprintf("%x", r)
				for _, c := range found {
					line += fmt.Sprintf(" %x", c)
				}
				answer = append(answer, line)
			}
		}
	}
	return answer
}
