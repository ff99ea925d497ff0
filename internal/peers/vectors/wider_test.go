package vectors

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// littleGrammars are grammars of a few lines, as people try a program with.
var littleGrammars = []string{
	`v = 1*DIGIT "." 1*DIGIT`,
	`h = 8HEXDIG`,
	`name = ALPHA *( ALPHA / DIGIT / "-" )`,
	`one = "a"`,
	`color = "#" ( 3HEXDIG / 6HEXDIG )`,
	`list = item *( "," item )` + "\n" + `item = 1*ALPHA`,
	`time = 2DIGIT ":" 2DIGIT [ ":" 2DIGIT ]`,
	`flag = %s"true" / %s"false"`,
	`pair = key "=" value` + "\n" + `key = 1*( %x61-7A / "_" )` + "\n" + `value = *( ALPHA / DIGIT )`,
	`signed = [ "-" ] ( "0" / %x31-39 *DIGIT )`,
	`quoted = DQUOTE *( %x20-21 / %x23-7E ) DQUOTE`,
	bounded,
	boundedTwice,
	`right = "x" [ "," right ]`,
	`left = [ left "," ] "x"`,
	`blank = *WSP "x" *WSP`,
	`text = 1*( %x20-7E / %x80-10FFFF )`,
	`either = "x" ( "a" / "bc" *"d" ) / "y" ( "a" / "c" )`,
}

// The shortest words of these grammars are not those that reach the bounds, and have only bytes of ownBytes.
const (
	bounded      = `label = ld [ *5( ld / "-" ) ld ]` + "\n" + `ld = ALPHA / DIGIT`
	boundedTwice = `two = same "/" same` + "\n" + `same = 1*2DIGIT`
)

var ownBytes = regexp.MustCompile(`^[-0-9A-Za-z/]*$`)

// widenings returns expressions that derive more than e does: those in which one part may stand behind or before an
// extra, or is replaced by it, or may be left out, or stands twice.
func widenings(e *expr.Expr, extra []*expr.Expr) (list []*expr.Expr) {
	if e.Chars != "" { // below it are octets
		return nil
	}
	for i, s := range e.Sub {
		for _, part := range widenings(s, extra) {
			n := -1
			list = append(list, e.Map(func(old *expr.Expr) *expr.Expr {
				if n++; n == i {
					return part
				}
				return old
			}))
		}
	}
	for _, x := range extra {
		list = append(list, expr.Cat(expr.Times(x, 0, 1), e), expr.Cat(e, expr.Times(x, 0, 1)), expr.Or(e, x))
	}
	if e.Op == expr.Literal { // the parts of a literal are its bytes
		for i := 1; i < len(e.Lit); i++ {
			before, after := expr.Lit(e.Lit[:i]), expr.Lit(e.Lit[i:])
			list = append(list, expr.Cat(before, expr.Lit(e.Lit[i-1:])), expr.Cat(expr.Lit(e.Lit[:i-1]), after))
			for _, x := range extra {
				list = append(list, expr.Cat(before, expr.Times(x, 0, 1), after), expr.Cat(expr.Lit(e.Lit[:i-1]), x, after))
			}
		}
	}
	return append(list, expr.Times(e, 0, 1), expr.Cat(e, expr.Times(e, 0, 1)))
}

// extras are what the widenings of a grammar add: each visible character and each control that programs skip, and
// texts that they take for one of these.
func extras() (list []*expr.Expr) {
	for x := range byte(0x80) {
		if ' ' <= x || strings.IndexByte("\x00\t\n\v\f\r", x) >= 0 {
			list = append(list, expr.Lit(string([]byte{x})))
		}
	}
	for _, s := range []string{"\x80", "\r\n", "\u0661", "\u00e9", "\u212a", "\u017f", "\u00a0", "\u2028", "\ufeff",
		"\u00b2", "\uff11", "\uff41", "\u0301", "\u200b", "\u2010", "\u3002", "\U0001f600", "\xed\xa0\x80", "\xc0\xaf",
		"%41", "%31", "0x1"} {
		list = append(list, expr.Lit(s))
	}
	return append(list, expr.In(expr.Range('a', 'z')), expr.In(expr.Range('A', 'Z')), expr.In(expr.Range('0', '9')),
		expr.In(expr.Range(1, 31)), expr.In(expr.Range(0x80, 0xff)))
}

// TestNoWiderParserPasses takes small grammars in which one place is wider, at each place and for each extra, and holds
// the suites against them. So does it take the parser that also accepts the empty string.
func TestNoWiderParserPasses(t *testing.T) {
	nth := 11
	if longtest.Enabled() {
		nth = 1
	}
	tried, wider, n := 0, 0, 0
	for _, text := range littleGrammars {
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text+"\n")))(t)
		s := ofGrammar(t, g, g)
		m := must.Of(s.MutationSuite(nil))(t)
		all := m.All()
		suite := newNetwork(nil)
		suite.Start = suite.State()
		for _, w := range all {
			suite.addWord(suite.Start, w)
		}
		words := must.Of(suite.finish(longestLength(all)))(t)
		if m.Wider.Kinds[ofPlaces] != len(kinds) || len(all) > fewWider+len(m.Words) {
			t.Errorf("%s: %d words, with %d kinds of %d", text, len(all), m.Wider.Kinds[ofPlaces], len(kinds))
		}
		if !words.Has("") {
			t.Errorf("%s: the empty word is missing", text)
		}
		test := func(what string, e *expr.Expr, mutant *expr.Grammar) {
			if n++; n%nth != 0 {
				return
			}
			tried++
			a, err := lang.FromBNF(mutant, s.ID())
			if err != nil {
				return // it is not regular
			}
			d := s.DFA.SymmetricDifference(a)
			w, ok := d.Shortest()
			if !ok {
				return
			}
			// One of the letters at a place that takes all, and so takes one too many: a mutant of the bound does that.
			if (text == bounded || text == boundedTwice) && ownBytes.MatchString(w) {
				return
			}
			if wider++; d.Disjoint(words.dfa) {
				t.Errorf("%s\n  a parser passes that has %s = %s, and so takes %q", text, what, e, w)
			}
		}
		g = closure(g, s.ID())
		ways(g, s.ID(), nil, nil, func(r *expr.Rule, w way) {
			for _, e := range widenings(r.Expr, extras()) {
				test(fmt.Sprintf("%s at %v", r.ID, w), e, at(g, s.ID(), w, e))
			}
		})
	}
	t.Logf("%d widenings of %d grammars tried, %d of another language", tried, len(littleGrammars), wider)
	if want := 55_000 / nth; wider < want {
		t.Errorf("only %d", wider)
	}
}

// TestLargeNumbers: where any number of digits may stand, some words of the language have numbers there that are too
// large for an integer of each size.
func TestLargeNumbers(t *testing.T) {
	number := regexp.MustCompile(`[0-9]+`)
	for _, text := range []string{
		`v = 1*DIGIT`, `time = 2DIGIT ":" 2DIGIT [ "." 1*DIGIT ] "Z"`, `quoted = DQUOTE *( %x20-21 / %x23-7E ) DQUOTE`,
		`range = "bytes=" 1*DIGIT "-" *DIGIT`,
	} {
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text+"\n")))(t)
		s := ofGrammar(t, g, g)
		words := must.Of(s.MutationSuite(nil))(t).Wider.Words
		for _, bits := range []int{8, 16, 31, 32, 63, 64} {
			hasLarger := func(w string) bool {
				return s.DFA.Match(w) && slices.ContainsFunc(number.FindAllString(w, -1), func(n string) bool {
					_, err := strconv.ParseUint(n, 10, bits)
					return err != nil
				})
			}
			if !slices.ContainsFunc(words, hasLarger) {
				t.Errorf("%s: no number needs more than %d bits", text, bits)
			}
		}
	}
}

// Where words are left out because they have too many bytes together, nothing is said of what they would have told.
func TestWiderWordsPromiseWhatIsThere(t *testing.T) {
	for _, test := range []struct {
		letters int
		told    bool
	}{{700, true}, {780, false}} {
		g := must.Of(bnf.ReadABNF("g.abnf", fmt.Appendf(nil, "s = %q\n", strings.Repeat("ab", test.letters/2))))(t)
		s := ofGrammar(t, g, g)
		m := must.Of(newMarked(withDistinctParts(g, s.ID()), s.ID(), s.DFA))(t)
		wider, size := widerWords(s.DFA, m), 0
		for _, w := range wider.Words {
			size += len(w)
		}
		if told := wider.Guarantee() != ""; told != test.told || told == (size >= maxWiderBytes) {
			t.Errorf("%d letters: %d bytes, kinds %v, %q", test.letters, size, wider.Kinds, wider.Guarantee())
		}
	}
}
