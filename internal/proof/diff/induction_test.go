package diff

import (
	"context"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Productions whose automata are too large are compared production by production.
func TestLarge(t *testing.T) {
	const large = "big = *any \"a\" 24any\nany = %x00-FF\n" // 2^24 states
	for _, c := range []struct {
		about, a, b string
		relation    Relation
		word        string // that only one of them derives
		local       string // the productions that differ
	}{
		{"one text", "s = big date\ndate = 4DIGIT\nDIGIT = %x30-39\n" + large, "s = big date\ndate = 4DIGIT\nDIGIT = %x30-39\n" + large, Equal, "", ""},
		{"names in another case, and alternatives in another order", "s = big e\ne = \"x\" / \"yz\"\n" + large, "S = BIG E\nE = \"yz\" / \"x\"\n" + large, Equal, "", ""},
		{"a production more", "s = big e\ne = \"x\" / \"yz\"\n" + large, "s = big e\ne = \"x\" / f\nf = \"yz\"\n" + large, Equal, "", ""},
		{"other texts of one language", "s = \"<\" e \">\" big\ne = *\"x\"\n" + large, "s = \"<\" e \">\" big\ne = [ 1*\"x\" ]\n" + large, Equal, "", ""},
		{"other texts of one language, in which a production differs", "s = \"<\" e \">\" big\ne = f / \"y\"\nf = \"x\"\n" + large, "s = \"<\" e \">\" big\ne = f\nf = \"x\" / \"y\"\n" + large, Equal, "", ""},
		{"a digit more", "s = \"<\" date \">\" big\ndate = 4%x30\n" + large, "s = \"<\" date \">\" big\ndate = 5%x30\n" + large, Different, "<0000>aaaaaaaaaaaaaaaaaaaaaaaaa", "date"},
		{"hidden by what follows", "s = date big\ndate = 4%x30\n" + large, "s = date big\ndate = 5%x30\n" + large, Different, "0000aaaaaaaaaaaaaaaaaaaaaaaaa", "date"},
		{"seen nowhere", "s = 1*any / date big\ndate = \"x\"\n" + large, "s = 1*any / date big\ndate = \"x\" / \"yy\"\n" + large, Unknown, "", "date"},
		{"in a production that is not needed", "s = big\nf = \"x\"\n" + large, "s = big\nf = \"y\"\n" + large, Equal, "", ""},
		{"what nests differs, and what is regular in it", "s = big / \"(\" t \")\"\nt = [ x / y / s ]\nx = \"x\"\ny = 1*x\n" + large, "s = big / \"(\" t \")\"\nt = [ y / s ]\nx = \"z\"\ny = 1*x\n" + large, Different, "(x)", "x, t"},
		{"recursive", "s = big / \"(\" s \")\" / date\ndate = \"1\"\n" + large, "s = big / \"(\" s \")\" / date\ndate = \"2\"\n" + large, Different, "1", "date"},
	} {
		var sides [2]catalog.Language
		for i, text := range []string{c.a, c.b} {
			g := must.Of(bnf.ReadABNF([]string{"old", "new"}[i], []byte(text)))(t)
			sides[i] = catalog.Language{Grammar: g, Production: g.Rules[0].ID, File: true}
		}
		s, err := Large(sides[0], sides[1])
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		word, local := "", ""
		if s.Word != nil {
			word = string(*s.Word)
		}
		for i, l := range s.Local {
			if i > 0 {
				local += ", "
			}
			local += l.Production
		}
		if s.Relation != c.relation || word != c.word || local != c.local {
			t.Errorf("%s: %s, %q, in %q; want %s, %q, in %q", c.about, s.Relation, word, local, c.relation, c.word, c.local)
		}
		if same := SameText(sides[0], sides[1]); same && s.Relation != Equal {
			t.Errorf("%s: the same text, and %s", c.about, s.Relation)
		}
	}
}

// Of productions whose definitions differ and that may derive the same, the text shows both definitions.
func TestLocalText(t *testing.T) {
	old := must.Of(bnf.ReadABNF("old", []byte("s = \"[\" list \"]\"\nlist = \"(\" *( \"x\" / list ) \")\"\n")))(t)
	changed := must.Of(bnf.ReadABNF("new", []byte("s = \"[\" list \"]\"\nlist = \"(\" m \")\"\nm = *( \"x\" / \"(\" m \")\" )\n")))(t)
	s, err := Nested(catalog.Language{Grammar: old, Production: "s", File: true},
		catalog.Language{Grammar: changed, Production: "s", File: true})
	must.Do(t, err)
	text := string(s.AppendText(nil, &layout.Screen{}, false))
	for _, has := range []string{
		"undecided: old s and new s define `list` differently; whether that is seen from `s` is not decided\n",
		"No string is known that only one of the two `list` derives.\n",
		"list = \"(\" *( \"x\" / list ) \")\"\n",
		"list = \"(\" m \")\"\n",
	} {
		if !strings.Contains(text, has) {
			t.Errorf("no %q in\n%s", has, text)
		}
	}
}

// TestDefinitionOverBudget: two definitions that cannot be compared within the budget are not the same. They were where
// the limit was passed before a language was made of either.
func TestDefinitionOverBudget(t *testing.T) {
	for steps := int64(1); steps < 1<<14; steps *= 2 {
		a := must.Of(bnf.ReadABNF("old", []byte("s = \"a\" / \"bc\"\n")))(t)
		b := must.Of(bnf.ReadABNF("new", []byte("s = \"a\" / \"bd\"\n")))(t)
		a.Budget = budget.New(context.Background(), budget.Limits{Steps: steps})
		if NewInduction(a, b, [2]string{"s", "s"}).sameDefinition("s") {
			t.Errorf("within %d steps, other definitions are the same", steps)
		}
	}
}
