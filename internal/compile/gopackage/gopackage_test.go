package gopackage

import (
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What a grammar lacks for a parser to be made of it is said with its place.
func TestSourceRefuses(t *testing.T) {
	for _, c := range []struct{ name, bnf, peg, want string }{
		{"a production without a rule", "a = b\nb = \"x\"\n", `a <- "x"`,
			"x.bnf:7:1: x.peg has no rule for the production b"},
		{"two productions of one identifier", "a-b = \"x\"\na_b = \"y\"\n", `a_b <- "x"`,
			"x.bnf:7:1: the productions a-b and a_b have one identifier in a .peg file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := read(t, c.bnf, c.peg); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got error %v, want %s", err, c.want)
			}
		})
	}
}

// read reads a grammar and its transcription.
func read(t *testing.T, text, rules string) (*writer, error) {
	t.Helper()
	g := must.Of(bnf.ReadWith("x.bnf", []byte("@ grammar x\n@ title X\n@ notation rfc822\n@ section 1\n\n"+text), bnf.Usual))(t)
	p := must.Of(peg.Read("x.peg", []byte(rules)))(t)
	return newWriter(Source{Package: "x", Grammar: g, PEG: p})
}

// No production is special by its name: Parse begins with the choice among schemes, or with what
// nothing else uses.
func TestStartAndSchemes(t *testing.T) {
	for _, c := range []struct{ name, bnf, peg, want string }{
		{"no schemes", "tag = word\nword = \"x\"\n", "tag <- word\nword <- \"x\"", "tag:"},
		{"the start is not the first", "word = \"x\"\ntag = word\n", "tag <- word\nword <- \"x\"", "tag:"},
		{"a recursion has no start", "a = \"x\" [ a ]\n", "a <- \"x\"+", "a:"},
		{"a choice among schemes", "x = \"a:\"\nu = x | y\ny = \"b:\"\n", "u <- x / y\nx <- \"a:\"\ny <- \"b:\"",
			"u: a:x b:y"},
		{"a choice around another", "w = u | z\nx = \"a:\"\nu = x | y\ny = \"b:\"\nz = \"c\"\n",
			"w <- u / z\nz <- \"c\"\nu <- x / y\nx <- \"a:\"\ny <- \"b:\"", "w: a:x b:y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := must.Of(read(t, c.bnf, c.peg))(t)
			got := s.defaultStart().ID + ":"
			for _, v := range s.schemeProductions() {
				got += " " + v.Prefix + v.Explained
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Where no byte decides how deep a string nests, the general parser derives it, whatever the depth
// that is asked for: that some depths look as if a byte decided makes no code.
func TestNestingThatNothingDecides(t *testing.T) {
	for _, text := range []string{
		"pal = \"a\" pal \"a\" / \"b\" pal \"b\" / \"a\" / \"b\"\n",
		"even = [ \"a\" even \"a\" / \"b\" even \"b\" ]\n",
		"cut = \"a\" cut \"a\" / \"a\"\n",
	} {
		g := must.Of(bnf.ReadABNF("nest.abnf", []byte(text)))(t)
		for _, depth := range []int{0, 1, 2, 6} {
			files, err := Make(Source{Package: "nest", Grammar: g, Start: g.Rules[0].ID, Nesting: depth})
			if err != nil || !slices.ContainsFunc(files, func(f File) bool { return strings.Contains(string(f.Text), "var general = ast.General{") }) {
				t.Errorf("depth %d: %v of %s", depth, err, text)
			}
		}
	}
}

// A choice that several pairs of alternatives are open in has an entry for each in the lock file,
// which is read again.
func TestLockFileOfOneChoiceWithSeveralPairs(t *testing.T) {
	g := must.Of(bnf.ReadABNF("pairs.abnf", []byte("a = x / y / z\nx = \"1\" / \"2\"\ny = \"2\" / \"3\"\nz = \"1\" / \"3\" / \"4\"\n")))(t)
	src := Source{Package: "pairs", Grammar: g, Start: "a", Nodes: []string{"a", "x", "y", "z"}, LockFile: LockName}
	lock := func() string {
		t.Helper()
		files := must.Of(Make(src))(t)
		for _, f := range files {
			if f.Name == LockName {
				return string(f.Text)
			}
		}
		return ""
	}
	first := lock()
	if n := strings.Count(first, "\nid: "); n != 3 {
		t.Errorf("%d entries\n%s", n, first)
	}
	src.Lock = []byte(first)
	if again := lock(); again != first {
		t.Errorf("made again, it is\n%s\nand not\n%s", again, first)
	}
}

// The table of a grammar and the automaton of another differ on the shortest string that one of
// them derives; a choice among schemes begins in several states of the table.
func TestApart(t *testing.T) {
	for _, c := range []struct{ table, automaton, w string }{
		{"a = 1*( \"x\" / \"y\" )\n", "a = 1*( \"y\" / \"x\" )\n", ""},
		{"a = 1*( \"x\" / \"y\" )\n", "a = 1*\"x\"\n", "y"},
		{"a = 1*\"x\"\n", "a = \"x\" [ \"x\" [ \"x\" ] ]\n", "xxxx"},
		{"a = \"x\"\n", "a = [ \"x\" ]\n", ""},
		{"a = b / c\nb = \"p:x\"\nc = \"q:\" *\"y\"\n", "a = \"p:x\" / \"q:\" *\"y\"\n", ""},
		{"a = b / c\nb = \"p:x\"\nc = \"q:\" *\"y\"\n", "a = \"p:x\" / \"q:\" 1*\"y\"\n", "q:"},
	} {
		of := must.Of(bnf.ReadABNF("a.abnf", []byte(c.table)))(t)
		other := must.Of(bnf.ReadABNF("b.abnf", []byte(c.automaton)))(t)
		src, _, err := Certified(Source{Package: "a", Grammar: of, Start: "a"})
		if err != nil {
			t.Fatal(err)
		}
		d := languageOf(t, other)
		m := src.Parser.Machine()
		w, differ := firstDifference(m, m.Starts(1), d)
		if want := !d.Equal(languageOf(t, of)); differ != want || strings.ToLower(w) != c.w {
			t.Errorf("%q and %q: %q, %t", c.table, c.automaton, w, differ)
		}
	}
}

func languageOf(t *testing.T, g *expr.Grammar) *lang.DFA {
	t.Helper()
	return must.Of(lang.FromBNF(g, "a"))(t)
}
