package bnftopeg

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestForms(t *testing.T) {
	for _, c := range []struct {
		name, abnf string
		form       Form // of the first production
		has        string
	}{
		{"as printed", "a = \"1\" / \"2\"\n", Printed, "// = a = "},
		{"a shorter alternative first", "a = \"1\" / \"12\"\n", Reordered, "a <- \"12\" / \"1\""},
		{"what follows decides", "a = 1*3DIGIT \"-\" / DIGIT \".\"\n", Printed, ""},
		{"a lookahead", "a = b / *c\nb = \"'\" \"x\" \"'\"\nc = \"x\" / \"'\"\n", Guarded, "a <- b !. / "},
		{"a loop that gives back", "a = *(\"x\" / \"y\") \"x\"\n", Expanded, "a_rest1 <- "},
		{"one in an option at the end", "a = \"x\" [ *(\"x\" / \"y\") \"x\" ]\n", Expanded, "a <- [Xx] a_rest1?\n"},
		{"a word of Go", "string = \"1\"\n", Printed, "--map string=string_"},
		{"a cycle", "a = \"x\" b / \"y\"\nb = \"z\" a / \"w\"\n", Printed, "// = b = "},
		{"a cycle with another order", "a = \"1\" / \"12\" b\nb = \"z\" a / \"w\"\n", Reordered, "// = b = "},
		{"nesting", "a = \"(\" [ a ] \")\"\n", Unproven, "// ? a = "},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := must.Of(bnf.ReadABNF("x.abnf", []byte(c.abnf)))(t)
			r := must.Of(PEG(g, g.Rules[0].ID, "x"))(t)
			if r.Rules[0].Form != c.form || !strings.Contains(string(r.Text), c.has) {
				t.Errorf("form %d (%s), want %d with %q:\n%s", r.Rules[0].Form, r.Rules[0].Why, c.form, c.has, r.Text)
			}
		})
	}
}

// The grammar that people use is proven as a PEG, rule by rule.
func TestZoo(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO is not set: no grammars of others")
	}
	for file, start := range map[string]string{"rfc3986": "URI-reference", "bcp47": "Language-Tag", "rfc3339": "date-time", "csv": "csv"} {
		text := must.Of(os.ReadFile(filepath.Join(folder, "abnf", file+".abnf")))(t)
		g := must.Of(bnf.ReadABNF(file+".abnf", text))(t)
		r := must.Of(PEG(g, start, file))(t)
		for _, rule := range r.Rules {
			if rule.Form == Unproven {
				t.Errorf("%s: %s: %s", rule.Pos, rule.Production, rule.Why)
			}
		}
	}
}

// Lookaheads stand in parentheses where an operator applies to them.
func TestLookaheadsAreParenthesized(t *testing.T) {
	a := expr.Lit("a")
	not := &expr.Expr{Op: expr.Not, Sub: []*expr.Expr{a}}
	and := &expr.Expr{Op: expr.And, Sub: []*expr.Expr{a}}
	w := &writer{g: &expr.Grammar{}}
	for _, c := range []struct {
		e    *expr.Expr
		want string
	}{
		{not, `!"a"`},
		{and, `&"a"`},
		{&expr.Expr{Op: expr.Not, Sub: []*expr.Expr{not}}, `!( !"a" )`},
		{&expr.Expr{Op: expr.Repeat, Max: 1, Sub: []*expr.Expr{and}}, `( &"a" )?`},
		{&expr.Expr{Op: expr.Not, Sub: []*expr.Expr{{Op: expr.Repeat, Max: 1, Sub: []*expr.Expr{a}}}}, `!"a"?`},
		{&expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{not, a}}, `!"a" "a"`},
		{&expr.Expr{Op: expr.Alt, Sub: []*expr.Expr{not, a}}, `!"a" / "a"`},
		{&expr.Expr{Op: expr.Not, Sub: []*expr.Expr{{Op: expr.Seq, Sub: []*expr.Expr{a, a}}}}, `!( "a" "a" )`},
	} {
		if got := w.exprText(c.e, loosest); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A rule that matches less than its production is not said to fail in every order: only the first form was tried on
// the string.
func TestWhyNotEqualIsAboutOneForm(t *testing.T) {
	g := must.Of(bnf.ReadABNF("x.abnf", []byte("a = \"12\" / \"1\"\nb = \"1\"\n")))(t)
	g.Ordered = true
	l := must.Of(lang.NewPEG(g, lang.Limits{}))(t)
	want, got := must.Of(l.Whole(expr.To("a")))(t), must.Of(l.Whole(expr.To("b")))(t)
	if why := whyNotEqual(want, got, nil); why != "it derives 12, and the rule does not match it" {
		t.Error(why)
	}
}

// A count that is too large to be written out is not written out to find that its form is too large.
func TestFormsOfLargeCounts(t *testing.T) {
	g := must.Of(bnf.ReadABNF("x.abnf", []byte("a = 100000\"x\"\nb = 3\"x\"\n")))(t)
	f := NewForms(g, map[string]string{"a": "a", "b": "b"}, nil)
	if len(f.Of("b")) == 0 {
		t.Error("b has no form")
	}
	var forms [][][2]string
	if allocated := testing.AllocsPerRun(1, func() { forms = f.Of("a") }); len(forms) > 0 || allocated > 1000 {
		t.Errorf("a: %d forms, %.0f allocations", len(forms), allocated)
	}
}
