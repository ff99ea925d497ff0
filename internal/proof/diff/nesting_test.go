package diff

import (
	"errors"
	"fmt"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Productions that nest are equal, or differ in a shortest string, or are not known to, up to a length.
func TestNested(t *testing.T) {
	const list = `list = "(" *( %x78 / list ) ")"`
	for _, c := range []struct {
		about, a, b string
		only        string // derived by b alone, or by a if it begins with -; nothing if they are equal
		cause       string
	}{
		{"the same", list, list, "", ""},
		{"by other names", list, `l = %x28 *( x / l ) %x29` + "\n" + `x = %x78`, "", ""},
		{"each other's names", "a = \"(\" [b] \")\"\nb = \"[\" [a] \"]\"", "b = \"(\" [a] \")\"\na = \"[\" [b] \"]\"", "", ""},
		{"with what nests in another order", "s = a b\na = \"(\" [a] \")\"\nb = \"[\" [b] \"]\"", "s = b a\na = \"(\" [a] \")\"\nb = \"[\" [b] \"]\"", "-()[]", `old and new define s differently.`},
		{"an empty list less", list, `list = "(" 1*( %x78 / list ) ")"`, "-()", `old: 1*(%s"x" / list) may be missing in list.`},
		{"another closing bracket at a depth of two", "o = \"(\" [i] \")\"\ni = \"(\" [o] \")\"", "o = \"(\" [i] \")\"\ni = \"(\" [o] \"]\"", "-(())", `old allows ")" in i.`},
		{"left-recursive and ambiguous", `e = e "+" e / "x" / "(" e ")"`, `e = e "+" e / "x" / "(" e ")" / "y"`, "y", `new has the alternative "y" in e.`},
		{"cyclic, and the empty string", "e = e / *e / \"(\" e \")\"", "e = e / 1*e / \"(\" [e] \")\"", "-", `old and new define e differently.`},
		{"equal by its definition, with list as a letter", list, "list = \"(\" m\nm = \")\" / ( %x78 / list ) m", "", ""},
		{"equal, but nothing shows it", list, "list = \"(\" m \")\"\nm = *( %x78 / \"(\" m \")\" )", "unknown", `old and new define list differently, and no other that both have.`},
		{"equal, with what is regular put in for its names", "s = \"(\" [ x / y / s ] \")\"\nx = %x78\ny = 1*%x78", "s = \"(\" [ y / s ] \")\"\nx = %x78\ny = 1*%x78", "", ""},
		{"what nests in one only", `a = "(" [a] ")"`, `b = 1*"(" 1*")"`, "(()", ""},
	} {
		var sides [2]catalog.Language
		for i, text := range []string{c.a, c.b} {
			g := must.Of(bnf.ReadABNF([]string{"old", "new"}[i], []byte(text+"\n")))(t)
			sides[i] = catalog.Language{Grammar: g, Production: g.Rules[0].ID, File: true}
		}
		s, err := Nested(sides[0], sides[1])
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		only := "unknown"
		if s.Word != nil {
			if only = string(*s.Word); s.Region == OnlyA {
				only = "-" + only
			}
			if s.Length+1 != len(*s.Word) {
				t.Errorf("%s: %s is not known to be a shortest string", c.about, s.Word)
			}
		}
		if s.Relation == Equal {
			only = ""
		}
		if (s.Relation == Equal) != (only == "") || only != c.only || s.Sentence != c.cause {
			t.Errorf("%s: %s, only %q, %q; want %q, %q", c.about, s.Relation, only, s.Sentence, c.only, c.cause)
		}
		if only == "unknown" && s.Length < 8 {
			t.Errorf("%s: compared up to %d bytes", c.about, s.Length)
		}
	}
}

// Where the general parser passes a limit on a string, what is known of shorter ones stays.
func TestNestedPastALimit(t *testing.T) {
	var sides [2]catalog.Language
	var rules [2]*expr.Rule
	var judges [2]*interpreter.Deriver
	for i, text := range []string{`list = "(" *( "x" / list ) ")"`, `list = "(" *( "x" / "y" / list ) ")"`} {
		g := must.Of(bnf.ReadABNF([]string{"old", "new"}[i], []byte(text+"\n")))(t)
		sides[i] = catalog.Language{Grammar: g, Production: "list", File: true}
		rules[i] = g.Rule("list")
		judged := g.With(g.Rules)
		judges[i] = must.Of(interpreter.New(judged, "list", func(string) bool { return false }))(t)
		judged.Budget = budget.New(t.Context(), budget.Limits{Steps: 1}) // so that no string can be judged
	}
	s := &Search{Relation: Unknown, Length: -1, Depth: -1, nests: true}
	err := s.compareStrings(sides[0], sides[1], rules, judges, "", nil)
	if err != nil || s.Relation != Unknown || s.Length != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// What an automaton failed at decides how productions are compared without one.
func TestWithoutAutomata(t *testing.T) {
	g := must.Of(bnf.ReadABNF("list", []byte("list = \"(\" *list \")\"\n")))(t)
	side := catalog.Language{Grammar: g, Production: "list", File: true}
	facts := expr.Analyze(g.Rules)
	other := errors.New("no such thing")
	for _, c := range []struct {
		failed error
		nests  bool
	}{
		{facts.SelfEmbedding("list"), true},
		{fmt.Errorf("list: %w", facts.SelfEmbedding("list")), true},
		{lang.TooMany(1, "states"), false},
	} {
		s, err := WithoutAutomata(side, side, c.failed)
		if err != nil || s.Relation != Equal || s.Nests() != c.nests {
			t.Errorf("after %v: %+v, %v", c.failed, s, err)
		}
	}
	if s, err := WithoutAutomata(side, side, other); s != nil || err != other {
		t.Errorf("after another error: %v, %v", s, err)
	}
}
