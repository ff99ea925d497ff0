package interpreter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/report/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An Explanation is why a string is not derived. Offset is exact: a string that is derived begins with the bytes before it,
// and none with one byte more.
type Explanation struct {
	Offset int

	// Path leads down to the innermost production that all which could be read has in common, as [annotated.Place] finds it; the
	// steps are IDs.
	Path []string

	// Expected is all that could be read at Offset; EndOfInput reports that the input could end there.
	Expected   []Expectation
	EndOfInput bool
}

// An Expectation is a terminal or a lexical production that could be read.
type Expectation struct {
	Term  string   // the name of a lexical production, or a terminal
	First expr.Set // the bytes that it can begin with
	In    []string // the IDs of the productions that read it

	depth int // the most productions around it
}

// An Explainer explains why strings are not derived. It is safe for concurrent use.
type Explainer struct {
	in      *grammar
	lexical func(id string) bool
}

// NewExplainer returns an explainer for the production start of g. A production for which lexical returns true is a term of its
// own. The error is that of [New].
func NewExplainer(g *expr.Grammar, start string, lexical func(id string) bool) (*Explainer, error) {
	in, err := newGrammar(g, start, func(id string) bool { return !lexical(id) })
	return &Explainer{in, lexical}, err
}

// Explain returns why src is not derived. The error is an [ErrTooLarge].
func (by *Explainer) Explain(src string) (e *Explanation, err error) {
	defer budget.Catch(&err)
	c := &chart{grammar: by.in, explain: true}
	whole, err := c.fill(src)
	if err != nil {
		return nil, err
	}
	e = &Explanation{}
	for _, end := range whole.ends {
		e.Offset = max(e.Offset, end)
	}
	for _, k := range c.tried {
		e.Offset = max(e.Offset, k.at+k.read)
	}
	e.EndOfInput = whole.has[e.Offset]
	x := &explaining{chart: c, offset: e.Offset, lexical: by.lexical, terms: map[string]int{}, to: e}
	var terminals []cellKey
	for _, k := range c.tried {
		if k.at+k.read == e.Offset {
			terminals = append(terminals, k.cellKey)
		}
	}
	slices.SortStableFunc(terminals, func(a, b cellKey) int { // in the order of the text
		if a.e.Pos.Line != b.e.Pos.Line {
			return a.e.Pos.Line - b.e.Pos.Line
		}
		if a.e.Pos.Col != b.e.Pos.Col {
			return a.e.Pos.Col - b.e.Pos.Col
		}
		if a.at != b.at {
			return b.at - a.at
		}
		return strings.Compare(a.e.Lit+string(a.e.Set.Members()), b.e.Lit+string(b.e.Set.Members())) // the parts of a code point
	})
	for _, k := range terminals {
		x.terminal(k)
	}
	slices.SortStableFunc(e.Expected, func(a, b Expectation) int { return b.depth - a.depth }) // inner before outer
	if len(x.readings) > 0 {
		for _, step := range annotated.Place(x.readings) {
			if by.in.rules[step] != nil {
				e.Path = append(e.Path, step)
			}
		}
	}
	return e, nil
}

// explaining collects what could be read at an offset.
type explaining struct {
	*chart
	offset   int
	lexical  func(id string) bool
	terms    map[string]int // in to.Expected
	readings []annotated.Reading
	to       *Explanation
}

// maxWays bounds the ways up from a terminal that are looked at. With more, the productions further out have names that are
// left out of the path, and nothing else changes.
const maxWays = 256

// terminal adds a terminal that is tried at k and could be read on at the offset.
func (x *explaining) terminal(k cellKey) {
	set, name := k.e.Set, ""
	if k.e.Op == expr.Literal {
		rest := k.e.Lit[x.offset-k.at:]
		set, name = expr.Bytes(rest[:1]), fmt.Sprintf("%q", rest)
		if x.CodePoints {
			name = quote.CodePoints(rest)
		}
	} else if k.e.Chars != "" {
		name = expr.CodePoints(k.e.Chars)
	} else if name = k.e.Set.String(); k.e.Set.Len() == 1 {
		name = fmt.Sprintf("%q", string(k.e.Set.Members()))
	}
	ways := 0
	seen := map[wayKey]bool{}
	// up goes on from a cell to all that asked for it. The term is the outermost lexical production that begins at the offset.
	var up func(k cellKey, term string, named bool, inside []string, begins bool)
	up = func(k cellKey, term string, named bool, inside []string, begins bool) {
		if ways++; ways > maxWays {
			return
		}
		if k.e == x.start.Expr && k.n == 0 && k.at == 0 {
			x.add(term, set, append(slices.Clone(inside), x.start.ID), begins && (x.offset == 0 || len(inside) > 0))
		}
		for _, by := range x.from[k] {
			if by.e.Op == expr.Ref {
				id := by.e.Name
				switch {
				case x.rules[id].kind != 0:
					w := wayKey{by, id, term}
					if seen[w] {
						continue
					}
					seen[w] = true
					first := begins
					if len(inside) == 0 {
						first = by.at == x.offset
					}
					up(by, term, true, append(slices.Clone(inside), id), first)
					continue
				case !named && by.at == x.offset && x.lexical(id):
					up(by, x.rules[id].Name, false, inside, begins)
					continue
				}
			}
			w := wayKey{by, "", term}
			if seen[w] && len(inside) > 0 {
				continue
			}
			seen[w] = true
			up(by, term, named, inside, begins)
		}
	}
	up(k, name, false, nil, k.at == x.offset)
}

type wayKey struct {
	cellKey
	rule, term string
}

// add adds a term that is read inside productions, the innermost first.
func (x *explaining) add(term string, set expr.Set, inside []string, begins bool) {
	at, ok := x.terms[term]
	if !ok {
		at = len(x.to.Expected)
		x.terms[term] = at
		x.to.Expected = append(x.to.Expected, Expectation{Term: term})
	}
	e := &x.to.Expected[at]
	e.First, e.depth = e.First.Union(set), max(e.depth, len(inside))
	if !slices.Contains(e.In, inside[0]) {
		e.In = append(e.In, inside[0])
	}
	path := slices.Clone(inside)
	slices.Reverse(path)
	x.readings = append(x.readings, annotated.Reading{Path: path, Begins: begins})
}
