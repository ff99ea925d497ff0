package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestDirectives reads comments in all signs. The productions of a text are where "NAME =" stands, with a name of one
// letter; what is wanted of each comment is "LINE:COLUMN VERB REST -> NAME", or why it is about none.
func TestDirectives(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"a = b ; bnfcheck:ignore unused why\nb = c", []string{"1:9 ignore unused why -> a"}},
		{"; bnfcheck:ignore unused why\r\na = b", []string{"1:3 ignore unused why -> a"}},
		{";; bnfcheck:ignore unused\na = b\n## bnfcheck:ignore x\nb = c", []string{"1:4 ignore unused -> a", "3:4 ignore x -> b"}},
		{"/* bnfcheck:ignore unused x */ a = b\nb = c", []string{"1:4 ignore unused x -> a"}},
		{"/** bnfcheck:ignore x **/\na = b\n(** bnfcheck:ignore y *)\nb = c", []string{"1:5 ignore x -> a", "3:5 ignore y -> b"}},
		{"a = c ; b = c ; /* bnfcheck:ignore x */ c = d", []string{"1:20 ignore x -> b"}},
		{"a = c\n/* bnfcheck:ignore x */ | d\nb = c", []string{"2:4 ignore x -> a"}},
		{"(*\n * bnfcheck:ignore x y *)\na = b", []string{"2:4 ignore x y -> a"}},
		{"(*\n   bnfcheck:ignore x\n*)\na = b", []string{"2:4 ignore x -> a"}},
		{"(* bnfcheck:ignore x *) (* bnfcheck:accepts \"\" *)\na = b", []string{"1:4 ignore x -> a", "1:28 accepts \"\" -> a"}},
		{"a = b // bnfcheck:ignore x why ; bnfcheck:accepts \"*/\"", []string{"1:10 ignore x why -> a", "1:34 accepts \"*/\" -> a"}},
		{"a = b -- bnfcheck:ignore x\n!! bnfcheck:ignore y", []string{"1:10 ignore x -> a", "2:4 ignore y -> no production follows"}},
		{"; all ; bnfcheck: ignore x\na = b", []string{"1:9 ignore x -> no production stands before it"}},
		{"; bnfcheck:ignored x\na = b ; bnfcheck:start a", []string{"1:3 ignored x -> a", "2:9 start a -> a"}},
		{"; bnfcheck: the text was checked\nbnfcheck:generate writes it; of bnfcheck:ignore\n; bnfcheck:\na = b", nil},
	} {
		g := &expr.Grammar{Name: "g", File: "g"}
		for i, line := range strings.Split(test.text, "\n") {
			for at := range len(line) {
				if at+2 < len(line) && line[at+1:at+3] == " =" {
					g.Rules = append(g.Rules, &expr.Rule{
						ID: line[at : at+1], Name: line[at : at+1], Pos: expr.Pos{File: "g", Line: i + 1, Col: at + 1}, Expr: expr.Lit("x"),
					})
				}
			}
		}
		var got []string
		for _, d := range newLinter(g, Options{Text: []byte(test.text)}).directives() {
			about := d.missing
			if d.rule != nil {
				about = d.rule.Name
			}
			got = append(got, fmt.Sprintf("%d:%d %s %s -> %s", d.pos.Line, d.pos.Col, d.verb, d.rest, about))
			if line := strings.Split(test.text, "\n")[d.at.Line-1]; !strings.HasPrefix(line[d.at.Col-1:], d.rest) {
				t.Errorf("%q: what %s says does not stand at column %d", test.text, d.verb, d.at.Col)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q:\n have %q\n want %q", test.text, got, test.want)
		}
	}
}

// A finding that comments of two productions ignore, the one that it names and the one in which it stands, counts for
// both. Here the second part of a stands after b.
func TestFindingOfTwoComments(t *testing.T) {
	text := "a = \"x\" ; bnfcheck:ignore added-alone why\nb = \"y\"\na =/ \"z\" ; bnfcheck:ignore added-alone why\n"
	g := must.Of(bnf.ReadABNF("x.abnf", []byte(text)))(t)
	noticed := []Finding{{Code: AddedAlone, Pos: expr.Pos{File: "x.abnf", Line: 3, Col: 1}, ID: "a", Production: "a"}}
	r := must.Of(Lint(g, Options{Text: []byte(text), Noticed: noticed}))(t)
	for _, f := range r.Findings {
		if f.Code == Ignore {
			t.Error(f)
		}
	}
	if r.Ignored != 1 {
		t.Errorf("%d findings are ignored", r.Ignored)
	}
}
