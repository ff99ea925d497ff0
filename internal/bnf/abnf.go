package bnf

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// RFC 5234 section 4, with the quoted strings of RFC 7405.
type (
	productionABNF struct {
		Name  string            `parser:"@Name"`
		Adds  bool              `parser:"( @'=/' | '=' )"`
		Right *alternativesABNF `parser:"@@"`
	}
	alternativesABNF struct {
		Alternatives []*alternativeABNF `parser:"@@ ( '/' @@ )*"`
	}
	alternativeABNF struct {
		Elements []*repeatedABNF `parser:"@@+"`
	}
	repeatedABNF struct {
		Pos     lexer.Position
		Count   string       `parser:"@Count?"`
		Element *elementABNF `parser:"@@"`
	}
	elementABNF struct {
		Pos    lexer.Position
		Name   string            `parser:"@Name"`
		Quoted string            `parser:"| @Quoted"`
		Value  string            `parser:"| @Value"`
		Prose  string            `parser:"| @Prose"`
		Group  *alternativesABNF `parser:"| '(' @@ ')'"`
		Option *alternativesABNF `parser:"| '[' @@ ']'"`
	}
)

var (
	syntaxABNF = newSyntax[productionABNF](
		[]lexer.SimpleRule{
			{Name: "Name", Pattern: `[A-Za-z][0-9A-Za-z-]*`},
			{Name: "Quoted", Pattern: `(%[IiSs])?"[ !#-~]*"`},
			{Name: "Value", Pattern: `%[BbDdXx][0-9A-Fa-f]+(-[0-9A-Fa-f]+|(\.[0-9A-Fa-f]+)+)?`},
			{Name: "Prose", Pattern: `<[ -=?-~]*>`},
			{Name: "Count", Pattern: `[0-9]*\*[0-9]*|[0-9]+`},
			{Name: "Sign", Pattern: `=/|[=/()\[\]]`},
			{Name: "comment", Pattern: `;[^\n]*`},
			{Name: "blank", Pattern: `[ \t\n]+`},
		},
		0,
		sample{"x", "a name"}, sample{`"x"`, "a quoted string"}, sample{"%x41", "a value"}, sample{"1*x", "a count"},
		sample{"(x)", `"("`}, sample{")", `")"`}, sample{"[x]", `"["`}, sample{"]", `"]"`},
		sample{"/ x", `"/"`}, sample{"= x", `"="`}, sample{"=/ x", `"=/"`},
	)
	rightABNF = rightHandSide[alternativesABNF](syntaxABNF)
)

func readProductionABNF(p printed, _ Notation) (production, error) {
	tree, err := syntaxABNF.read(p)
	if err != nil {
		return production{}, err
	}
	e, err := readerABNF{p}.alternatives(tree.Right)
	return production{tree.Name, tree.Adds, e}, inProduction(tree.Name, err)
}

// proseAt is the error for a description in angle brackets.
func proseAt(pos expr.Pos, prose string) error {
	return &expr.Error{Pos: pos, Message: fmt.Sprintf("unexpected prose %q, which says nothing to a program", prose), Refused: true, Prose: true}
}

// inProduction names the production that an error refuses.
func inProduction(name string, err error) error {
	if e, ok := errors.AsType[*expr.Error](err); ok && e.Refused {
		e.Production = name
	}
	return err
}

func readRightABNF(p printed, _ Notation) (*expr.Expr, error) {
	tree, err := rightABNF.read(p)
	if err != nil {
		return nil, err
	}
	return readerABNF{p}.alternatives(tree)
}

type readerABNF struct{ printed }

func (r readerABNF) alternatives(t *alternativesABNF) (*expr.Expr, error) {
	var alts []*expr.Expr
	for _, a := range t.Alternatives {
		var seq []*expr.Expr
		for _, rep := range a.Elements {
			e, err := r.element(rep.Element)
			if err == nil && rep.Count != "" {
				e, err = repeat(e, rep.Count, r.at(rep.Pos.Offset))
			}
			if err != nil {
				return nil, err
			}
			seq = append(seq, e)
		}
		alts = append(alts, expr.Cat(seq...))
	}
	return expr.Or(alts...), nil
}

func (r readerABNF) element(t *elementABNF) (*expr.Expr, error) {
	pos := r.at(t.Pos.Offset)
	var e *expr.Expr
	var err error
	switch {
	case t.Name != "":
		e = expr.To(t.Name)
	case t.Quoted != "":
		e = quotedABNF(t.Quoted, pos)
	case t.Value != "":
		e, err = valueABNF(t.Value, pos)
	case t.Prose != "":
		return nil, proseAt(pos, t.Prose)
	case t.Group != nil:
		return r.alternatives(t.Group)
	default:
		if e, err = r.alternatives(t.Option); err == nil {
			e = expr.Opt(e)
		}
	}
	if err != nil {
		return nil, err
	}
	return placed(e, pos), nil
}

// quotedABNF reads a quoted string: either case unless it begins with %s (RFC 7405 section 2.1).
func quotedABNF(quoted string, pos expr.Pos) *expr.Expr {
	kind, text, _ := strings.Cut(quoted, `"`)
	e := placed(expr.Lit(strings.TrimSuffix(text, `"`)), pos)
	if strings.EqualFold(kind, "%s") {
		return e
	}
	return fold(e)
}

// valueABNF reads %x41, %x41-5A and %x41.42 (RFC 5234 sections 2.3 and 3.4).
func valueABNF(value string, pos expr.Pos) (*expr.Expr, error) {
	base := map[byte]int{'b': 2, 'd': 10, 'x': 16}[value[1]|0x20]
	number := func(digits string) (byte, error) {
		n, err := strconv.ParseUint(digits, base, 64)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			return 0, expr.Errorf(pos, "unexpected %q in %q; expected a number to base %d", digits, value, base)
		case n > 255:
			return 0, expr.Refusef(pos, "unexpected value %q; expected one up to 255: terminals are bytes", value)
		}
		return byte(n), nil
	}
	digits := value[2:]
	if first, last, ok := strings.Cut(digits, "-"); ok {
		lo, err := number(first)
		if err != nil {
			return nil, err
		}
		hi, err := number(last)
		if err != nil {
			return nil, err
		}
		if lo > hi {
			return nil, expr.Errorf(pos, "unexpected range %q; expected its first value not to be above its last", value)
		}
		return expr.In(expr.Range(lo, hi)), nil
	}
	var text []byte
	for d := range strings.SplitSeq(digits, ".") {
		b, err := number(d)
		if err != nil {
			return nil, err
		}
		text = append(text, b)
	}
	return expr.Lit(string(text)), nil
}

// isCore reports whether a name is that of a rule in RFC 5234 appendix B.1.
func isCore(name string) bool {
	return slices.ContainsFunc(coreNames.FindAllStringSubmatch(coreABNF, -1), func(m []string) bool { return strings.EqualFold(m[1], name) })
}

var coreNames = regexp.MustCompile(`(?m)^([A-Z]+) +=`)

// coreABNF holds the rules of RFC 5234 appendix B.1.
const coreABNF = `@ part core "RFC 5234 appendix B.1"
ALPHA  = %x41-5A / %x61-7A
BIT    = "0" / "1"
CHAR   = %x01-7F
CR     = %x0D
CRLF   = CR LF
CTL    = %x00-1F / %x7F
DIGIT  = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB   = %x09
LF     = %x0A
LWSP   = *(WSP / CRLF WSP)
OCTET  = %x00-FF
SP     = %x20
VCHAR  = %x21-7E
WSP    = SP / HTAB
`
