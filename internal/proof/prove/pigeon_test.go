package prove

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestWhatIsProvenIsWhatRuns checks the PEG that the proof is about against the rule table that pigeon generated, rule by
// rule and node by node.
func TestWhatIsProvenIsWhatRuns(t *testing.T) {
	for _, name := range names() {
		t.Run(name, func(t *testing.T) {
			pair := must.Of(catalog.PublishedPair(name))(t)
			g := readTable(t, filepath.Join("..", "..", "..", "gen", name, "pigeon", "parser.go"))
			if len(g.rules) != len(pair.PEG.Rules) {
				t.Fatalf("the table has %d rules, the .peg file %d", len(g.rules), len(pair.PEG.Rules))
			}
			generated := peg.For(pair.BNF, &expr.Grammar{Rules: g.rules, Ordered: true})
			for i, want := range pair.PEG.Rules {
				got := generated.Rules[i]
				if got.ID != want.ID || got.Name != want.Name {
					t.Errorf("rule %d is %s %q, not %s %q", i, got.ID, got.Name, want.ID, want.Name)
				}
				if got, want := dump(got.Expr), dump(want.Expr); got != want {
					t.Errorf("%s is\n%s\nnot\n%s", pair.PEG.Rules[i].ID, got, want)
				}
			}
		})
	}
}

// dump prints an expression as it is, nodes and all.
func dump(e *expr.Expr) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s(", e.Op)
	switch e.Op {
	case expr.Class:
		b.WriteString(e.Set.String())
	case expr.Literal:
		b.WriteString(strconv.Quote(e.Lit))
	case expr.Ref, expr.Node:
		b.WriteString(e.Name + ";")
	case expr.Repeat:
		fmt.Fprintf(&b, "%d,%d;", e.Min, e.Max)
	}
	for _, s := range e.Sub {
		b.WriteString(" " + dump(s))
	}
	return b.String() + ")"
}

// A ruleTable is the rule table in the Go source that pigeon writes.
type ruleTable struct {
	t     *testing.T
	nodes map[string]string // the method that an action runs -> the production of the node that it makes
	rules []*expr.Rule
}

func readTable(t *testing.T, file string) *ruleTable {
	t.Helper()
	source := must.Of(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
	g := &ruleTable{t: t, nodes: map[string]string{}}
	var rules ast.Expr
	for _, d := range source.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.action(d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && v.Names[0].Name == "g" {
					rules = fields(v.Values[0])["rules"]
				}
			}
		}
	}
	if rules == nil {
		t.Fatalf("%s has no rule table", file)
	}
	for _, e := range rules.(*ast.CompositeLit).Elts {
		f := fields(e)
		r := &expr.Rule{ID: text(f["name"]), Expr: g.expr(f["expr"])}
		r.Name = r.ID
		if f["displayName"] != nil {
			r.Name = must.Of(strconv.Unquote(text(f["displayName"])))(t)
		}
		g.rules = append(g.rules, r)
	}
	return g
}

// action notes what an action does: func (c *current) onNAME(v any) (any, error) { return c.node("ID", v) }.
func (g *ruleTable) action(f *ast.FuncDecl) {
	if !strings.HasPrefix(f.Name.Name, "on") || len(f.Body.List) != 1 {
		return
	}
	r, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return
	}
	call, ok := r.Results[0].(*ast.CallExpr)
	if !ok {
		return
	}
	if fun, ok := call.Fun.(*ast.SelectorExpr); ok && fun.Sel.Name == "node" && len(call.Args) == 2 {
		g.nodes["call"+f.Name.Name] = text(call.Args[0])
	}
}

// expr reads one entry of the table.
func (g *ruleTable) expr(e ast.Expr) *expr.Expr {
	g.t.Helper()
	f := fields(e)
	repeat := func(min, max int) *expr.Expr { return expr.Times(g.expr(f["expr"]), min, max) }
	switch kind := typeName(e); kind {
	case "actionExpr":
		method := f["run"].(*ast.SelectorExpr).Sel.Name
		id, ok := g.nodes[method]
		if !ok {
			g.t.Fatalf("the action %s makes no node", method)
		}
		labeled := f["expr"]
		if typeName(labeled) != "labeledExpr" || text(fields(labeled)["label"]) != "v" {
			g.t.Fatalf("the action %s is not given the whole of what matched, as v", method)
		}
		return &expr.Expr{Op: expr.Node, Name: id, Sub: []*expr.Expr{g.expr(fields(labeled)["expr"])}}
	case "seqExpr":
		return &expr.Expr{Op: expr.Seq, Sub: g.list(f["exprs"])}
	case "choiceExpr":
		return &expr.Expr{Op: expr.Alt, Sub: g.list(f["alternatives"])}
	case "zeroOrMoreExpr":
		return repeat(0, expr.Unbounded)
	case "oneOrMoreExpr":
		return repeat(1, expr.Unbounded)
	case "zeroOrOneExpr":
		return repeat(0, 1)
	case "andExpr", "notExpr":
		if typeName(f["expr"]) == "anyMatcher" { // some character is there: some byte is
			return expr.Lookahead(expr.In(expr.AnyByte), kind == "notExpr")
		}
		return expr.Lookahead(g.expr(f["expr"]), kind == "notExpr")
	case "ruleRefExpr":
		return expr.To(text(f["name"]))
	case "litMatcher":
		if text(f["ignoreCase"]) != "false" {
			g.t.Fatalf("the literal %s ignores case", text(f["val"]))
		}
		return expr.Lit(text(f["val"]))
	case "charClassMatcher":
		return expr.In(g.class(f))
	default:
		g.t.Fatalf("the table has a %s", kind)
		return nil
	}
}

func (g *ruleTable) list(e ast.Expr) []*expr.Expr {
	var out []*expr.Expr
	for _, x := range e.(*ast.CompositeLit).Elts {
		out = append(out, g.expr(x))
	}
	return out
}

// class reads a character class; the table that -optimize-basic-latin adds must say the same.
func (g *ruleTable) class(f map[string]ast.Expr) expr.Set {
	if text(f["ignoreCase"]) != "false" || text(f["inverted"]) != "false" || f["classes"] != nil {
		g.t.Fatalf("the class %s is more than its characters", text(f["val"]))
	}
	var set, latin expr.Set
	if f["chars"] != nil {
		for _, c := range f["chars"].(*ast.CompositeLit).Elts {
			set.Add(char(g.t, c))
		}
	}
	if f["ranges"] != nil {
		ends := f["ranges"].(*ast.CompositeLit).Elts
		for i := 0; i < len(ends); i += 2 {
			set = set.Union(expr.Range(char(g.t, ends[i]), char(g.t, ends[i+1])))
		}
	}
	for b, has := range f["basicLatinChars"].(*ast.CompositeLit).Elts {
		if text(has) == "true" {
			latin.Add(byte(b))
		}
	}
	if set != latin {
		g.t.Errorf("the class %s has the characters %s, and %s in its table", text(f["val"]), set, latin)
	}
	return set
}

func char(t *testing.T, e ast.Expr) byte {
	r, _, _, err := strconv.UnquoteChar(strings.Trim(e.(*ast.BasicLit).Value, "'"), '\'')
	if e.(*ast.BasicLit).Value == `'\''` {
		r, err = '\'', nil
	}
	if err != nil || r >= 0x80 {
		t.Fatalf("the character %s: %v", e.(*ast.BasicLit).Value, err)
	}
	return byte(r)
}

// typeName returns T for &T{...} and T{...}.
func typeName(e ast.Expr) string {
	if a, ok := e.(*ast.UnaryExpr); ok {
		e = a.X
	}
	c, ok := e.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	if id, ok := c.Type.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// fields returns the fields of a composite literal.
func fields(e ast.Expr) map[string]ast.Expr {
	if a, ok := e.(*ast.UnaryExpr); ok {
		e = a.X
	}
	out := map[string]ast.Expr{}
	if c, ok := e.(*ast.CompositeLit); ok {
		for _, x := range c.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				out[kv.Key.(*ast.Ident).Name] = kv.Value
			}
		}
	}
	return out
}

// text returns the string of a literal, or the name.
func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		if err != nil {
			return e.Value
		}
		return s
	case *ast.Ident:
		return e.Name
	}
	return ""
}
