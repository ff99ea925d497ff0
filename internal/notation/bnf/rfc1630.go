package bnf

import (
	"cmp"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// RFC 1630's notation; the package comment has its grammar.
type (
	production1630 struct {
		Name  string            `parser:"@Word"`
		Right *alternatives1630 `parser:"@@?"`
	}
	alternatives1630 struct {
		Alternatives []*alternative1630 `parser:"@@ ( '|' @@ )*"`
	}
	alternative1630 struct {
		Pos      lexer.Position
		Bracket  string         `parser:"@( '[' | ']' ) (?= '|' | EOF )"`
		Elements []*element1630 `parser:"| @@+"`
	}
	element1630 struct {
		Pos       lexer.Position
		Character string            `parser:"@Character"`
		Word      string            `parser:"| @Word"`
		Option    *alternatives1630 `parser:"| '[' @@ ']'"`
	}
)

var (
	syntax1630 = newSyntax[production1630](
		[]lexer.SimpleRule{
			{Name: "Word", Pattern: `[A-Za-z][0-9A-Za-z-]*[0-9A-Za-z]`},
			{Name: "Sign", Pattern: `[\[\]|]`},
			{Name: "Character", Pattern: `[!-~]`},
			{Name: "blank", Pattern: `[ \t\n]+`},
		},
		1, // a bracket is a character if "|" comes next
		sample{"word", "a name"}, sample{"x", "a character"},
		sample{"[ x ]", `"["`}, sample{"]", `"]"`}, sample{"| x", `"|"`},
	)
	right1630 = rightHandSide[alternatives1630](syntax1630)
)

// words1630 are the characters that RFC 1630 spells out.
var words1630 = map[string]string{"space": " ", "vline": "|"}

// readProduction1630 reads one production. One without a right-hand side derives the empty word. After an error the
// result is empty.
func readProduction1630(p printed, _ reading) (production, error) {
	p = p.indexed()
	tree, err := syntax1630.read(p)
	if err != nil {
		return production{}, err
	}
	if tree.Right == nil {
		return production{name: tree.Name, right: &expr.Expr{Op: expr.Empty, Pos: p.at(0)}}, nil
	}
	return production{name: tree.Name, right: tree.Right.expr(p)}, nil
}

// readRight1630 reads a right-hand side without a name.
func readRight1630(p printed, _ reading) (*expr.Expr, error) {
	tree, err := right1630.read(p)
	if err != nil {
		return nil, err
	}
	return tree.expr(p), nil
}

// expr returns the choice of the alternatives of a tree.
func (t *alternatives1630) expr(p printed) *expr.Expr {
	var alts []*expr.Expr
	for _, a := range t.Alternatives {
		alts = append(alts, a.expr(p))
	}
	return expr.Or(alts...)
}

// expr returns the expression of an alternative. Neighboring characters, among them those that words of words1630
// stand for, become one literal. A bracket that stands alone is a literal.
func (t *alternative1630) expr(p printed) *expr.Expr {
	if t.Bracket != "" {
		return &expr.Expr{Op: expr.Literal, Lit: t.Bracket, Pos: p.at(t.Pos.Offset)}
	}
	var seq []*expr.Expr
	var literal strings.Builder // the neighboring characters so far
	var start expr.Pos
	flush := func() {
		if literal.Len() > 0 {
			seq = append(seq, &expr.Expr{Op: expr.Literal, Lit: literal.String(), Pos: start})
			literal.Reset()
		}
	}
	for _, e := range t.Elements {
		pos := p.at(e.Pos.Offset)
		character := cmp.Or(e.Character, words1630[e.Word])
		if character != "" {
			if literal.Len() == 0 {
				start = pos
			}
			literal.WriteString(character)
			continue
		}
		flush()
		if e.Option != nil {
			seq = append(seq, placed(expr.Opt(e.Option.expr(p)), pos))
		} else {
			seq = append(seq, &expr.Expr{Op: expr.Ref, Name: e.Word, Pos: pos})
		}
	}
	flush()
	return expr.Cat(seq...)
}
