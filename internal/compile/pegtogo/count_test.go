package pegtogo

import (
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Counts are executed as they are written, whatever is counted and wherever it stands; each count that is off by one is
// noticed.
func TestCounts(t *testing.T) {
	words := pegtest.Words("xb+", 7)
	count := regexp.MustCompile(`( [<>]=? |\+)[2-4]( |,)`)
	x, b := expr.In(expr.Bytes("xy")), expr.To("b")
	for _, e := range []*expr.Expr{
		expr.Times(x, 2, 4), expr.Times(x, 0, 3), expr.Times(x, 3, 3), expr.Times(x, 3, expr.Unbounded),
		expr.Times(b, 2, 4), expr.Times(b, 0, 3), expr.Times(b, 3, 3), expr.Times(b, 3, expr.Unbounded),
		expr.Times(expr.Or(b, expr.Lit("++")), 1, 3), expr.Times(expr.Cat(x, expr.Times(expr.Lit("+"), 0, 2)), 2, 2),
	} {
		for _, e := range []*expr.Expr{
			e, expr.Cat(e, expr.Lit("+")), expr.Or(expr.Cat(e, expr.Lit("+")), b), expr.Times(expr.Cat(expr.Lit("+"), e), 0, expr.Unbounded),
		} {
			g := must.Of(peg.Options{ActionsSucceed: true}.Read("test.peg", []byte(node("a", `"a"`)+node("b", `"b" "x"?`))))(t)
			g = g.Change("a", &expr.Expr{Op: expr.Node, Name: "a", Sub: []*expr.Expr{e}})
			o := Options{Package: "test", Kind: exportedName, Lexical: func(string) bool { return false }, Reference: func(string) Reference { return Reference{} }}
			p := must.Of(newProgram(g, o))(t)
			file := string(must.Of(p.makeSource())(t))
			differ := func(file string) string {
				m := must.Of(loadFile([]byte(file), p.kindConstants(), "parse"))(t)
				for _, w := range words {
					if diff := p.compareWithPEG(m, p.starts[0], w); diff != "" {
						return w + ": " + diff
					}
				}
				return ""
			}
			if diff := differ(file); diff != "" {
				t.Errorf("%s: %s\n%s", e, diff, file)
			}
			places := count.FindAllStringIndex(file, -1)
			for _, at := range places {
				other := file[:at[1]-2] + string(file[at[1]-2]+1) + file[at[1]-1:]
				if differ(other) == "" {
					t.Errorf("%s: %s in another place is not noticed\n%s", e, file[at[0]:at[1]], file)
				}
			}
			if len(places) == 0 {
				t.Errorf("%s: no count\n%s", e, file)
			}
		}
	}
}

// A lastRound that is a round of a repetition ends that repetition where it does not match, and not a loop of its own.
func TestLastRoundInRepetition(t *testing.T) {
	text := node("a", `"a"`) + node("label", `[ab] [ab]*`) + node("top", `[a] [ab]*`)
	g := must.Of(peg.Options{ActionsSucceed: true}.Read("test.peg", []byte(text)))(t)
	host := expr.Cat(expr.Times(expr.Cat(expr.To("label"), expr.Lit(".")), 0, expr.Unbounded), expr.To("top"))
	rounds := expr.Times(expr.Cat(expr.Times(host, 1, 1), expr.Lit("/")), 0, expr.Unbounded)
	g = g.Change("a", &expr.Expr{Op: expr.Node, Name: "a", Sub: []*expr.Expr{rounds}})
	p := must.Of(newProgram(g, Options{Package: "test", Kind: exportedName, Lexical: func(string) bool { return false }}))(t)
	file := must.Of(p.makeSource())(t)
	m := must.Of(loadFile(file, p.kindConstants(), "parse"))(t)
	for _, w := range pegtest.Words("ab./", 5) {
		if diff := p.compareWithPEG(m, p.starts[0], w); diff != "" {
			t.Fatalf("%s: %s\n%s", w, diff, file)
		}
	}
}

// A count is refused without a reference, and beyond what an execution can take also with one; each refusal has its
// own reason.
func TestCountsRefused(t *testing.T) {
	of := func(string) Reference { return Reference{} }
	for _, c := range []struct {
		max  int
		of   func(string) Reference
		want string
	}{
		{3, nil, "is a repetition other than ?, * and +"},
		{3, of, ""},
		{maxSteps + 1, of, "counts to more than 1048576"},
	} {
		g := must.Of(peg.Options{ActionsSucceed: true}.Read("test.peg", []byte(node("a", `"a"`))))(t)
		e := expr.Times(expr.Lit("x"), 0, c.max)
		g = g.Change("a", &expr.Expr{Op: expr.Node, Name: "a", Sub: []*expr.Expr{e}})
		err := func() (err error) {
			defer budget.Catch(&err)
			_, err = newProgram(g, Options{Package: "test", Kind: exportedName, Lexical: func(string) bool { return false }, Reference: c.of})
			return err
		}()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("up to %d: %v, want %q", c.max, err, c.want)
		}
	}
}
