package bnf

import (
	"github.com/alecthomas/participle/v2/lexer"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// RFC 1738's notation; the package comment has its grammar.
type (
	production822 struct {
		Name  string           `parser:"@Name '='"`
		Right *alternatives822 `parser:"@@"`
	}
	alternatives822 struct {
		Alternatives []*alternative822 `parser:"@@ ( '|' @@ )*"`
	}
	alternative822 struct {
		Elements []*repeated822 `parser:"@@+"`
	}
	repeated822 struct {
		Pos     lexer.Position
		Count   string      `parser:"@Count?"`
		Element *element822 `parser:"@@"`
	}
	element822 struct {
		Pos     lexer.Position
		Name    string           `parser:"@Name"`
		Literal string           `parser:"| @Literal"`
		Prose   string           `parser:"| @Prose"`
		Slash   bool             `parser:"| @'/'"`
		Group   *alternatives822 `parser:"| '(' @@ ')'"`
		Option  *alternatives822 `parser:"| '[' @@ ']'"`
	}
)

var (
	syntax822 = newSyntax[production822](
		[]lexer.SimpleRule{
			{Name: "Name", Pattern: `[A-Za-z][0-9A-Za-z+_-]*`},
			{Name: "Literal", Pattern: `<">|"[ !#-~]*"`},
			{Name: "Prose", Pattern: `<[ -=?-~]*>`},
			{Name: "Count", Pattern: `[0-9]*\*[0-9]*|[0-9]+`},
			{Name: "Sign", Pattern: `[=|/()\[\]]`},
			{Name: "comment", Pattern: `;[^\n]*`},
			{Name: "blank", Pattern: `[ \t\n]+`},
		},
		0,
		sample{"x", "a name"}, sample{`"x"`, "a literal"}, sample{"1*x", "a count"}, sample{"(x)", `"("`},
		sample{")", `")"`}, sample{"[x]", `"["`}, sample{"]", `"]"`}, sample{"| x", `"|"`}, sample{"= x", `"="`},
	)
	right822 = rightHandSide[alternatives822](syntax822)
)

// readProduction822 reads one production. Errors that the tree leads to are panics caught here. After an error made
// has at most the name.
func readProduction822(p printed, n reading) (made production, err error) {
	defer made.inError(&err)
	defer expr.Catch(&err)
	p = p.indexed()
	tree, err := syntax822.read(p)
	if err != nil {
		return production{}, err
	}
	made.name = tree.Name
	made.right = reader822{p, n.Notation}.alternatives(tree.Right)
	return made, nil
}

// readRight822 reads a right-hand side without a name.
func readRight822(p printed, n reading) (e *expr.Expr, err error) {
	defer expr.Catch(&err)
	tree, err := right822.read(p)
	if err != nil {
		return nil, err
	}
	return reader822{p, n.Notation}.alternatives(tree), nil
}

// A reader822 gives a production its meaning under one reading of the notation.
type reader822 struct {
	printed
	Notation
}

// alternatives returns the choice of the alternatives of a tree. It panics as repeated does.
func (r reader822) alternatives(t *alternatives822) *expr.Expr {
	var alts []*expr.Expr
	for _, a := range t.Alternatives {
		var seq []*expr.Expr
		for _, rep := range a.Elements {
			seq = append(seq, r.repeated(rep))
		}
		alts = append(alts, expr.Cat(seq...))
	}
	return expr.Or(alts...)
}

// repeated returns the expression of an element with its count, if there is one. Brackets after a count are a group if
// RepeatBracketsGroup is set. It panics as element does, and with the error for a wrong count.
func (r reader822) repeated(t *repeated822) *expr.Expr {
	element := t.Element
	if t.Count != "" && element.Option != nil && r.RepeatBracketsGroup {
		element = &element822{Pos: element.Pos, Group: element.Option}
	}
	e := r.element(element)
	if t.Count == "" {
		return e
	}
	return repeat(e, t.Count, r.at(t.Pos.Offset))
}

// element returns the expression of one element. It panics with a refusal for prose, with the error for a bare slash
// unless BareSlashLiteral is set, and as alternatives does for what stands in brackets.
func (r reader822) element(t *element822) *expr.Expr {
	pos := r.at(t.Pos.Offset)
	switch {
	case t.Name != "":
		return &expr.Expr{Op: expr.Ref, Name: t.Name, Pos: pos}
	case t.Literal == `<">`:
		return &expr.Expr{Op: expr.Literal, Lit: `"`, Pos: pos}
	case t.Literal != "":
		return placed(expr.Lit(t.Literal[1:len(t.Literal)-1]), pos)
	case t.Prose != "":
		panic(proseAt(pos, t.Prose))
	case t.Slash:
		if !r.BareSlashLiteral {
			panic(expr.Errorf(pos,
				`unexpected "/"; expected an element (read as a literal it needs the reading that a bare slash is one)`))
		}
		return &expr.Expr{Op: expr.Literal, Lit: "/", Pos: pos}
	case t.Group != nil:
		return r.alternatives(t.Group)
	default:
		return placed(expr.Opt(r.alternatives(t.Option)), pos)
	}
}
