package bnftogo

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A choice is a place in a grammar at which the ambiguity rule decides: an alternation, a repetition or an option.
type place struct {
	name       string
	production string
	pos        expr.Pos
	printed    *expr.Expr
	order      []int // by the number of an alternative as it is tried: its number as it is printed
	preferred  bool
}

// alternatives returns what may be chosen, in the order in which it is printed.
func (p *place) alternatives() (texts []string) {
	if p.printed.Op == expr.Repeat {
		text := p.printed.Sub[0].String()
		return []string{"one more " + text, "no further " + text}
	}
	for _, s := range p.printed.Sub {
		texts = append(texts, s.String())
	}
	return texts
}

// A preferring copies a grammar, with the choices of the user in front of the others.
type preferring struct {
	places map[*expr.Expr]*place // of the copy
	prefer map[string]int
	used   map[string]bool
	rule   *expr.Rule
	count  int
	extra  []*expr.Rule
}

// preferred returns a copy of g in which the printed order of the alternatives is the order of preference, and its choices.
func preferred(g *expr.Grammar, prefer []Preference) (*expr.Grammar, map[*expr.Expr]*place, error) {
	p := &preferring{places: map[*expr.Expr]*place{}, prefer: map[string]int{}, used: map[string]bool{}}
	for _, x := range prefer {
		if _, ok := p.prefer[x.Choice]; ok {
			return nil, nil, fmt.Errorf("%s: the choice %s is settled twice", g.File, x.Choice)
		}
		p.prefer[x.Choice] = x.Alternative
	}
	var rules []*expr.Rule
	for _, r := range g.Rules {
		c := *r
		p.rule, p.count = r, 0
		var err error
		if c.Expr, err = p.copy(r.Expr); err != nil {
			return nil, nil, err
		}
		rules = append(rules, &c)
	}
	for _, x := range prefer {
		if !p.used[x.Choice] {
			return nil, nil, fmt.Errorf("%s has no choice %s", g.File, x.Choice)
		}
	}
	return g.With(append(rules, p.extra...)), p.places, nil
}

func (p *preferring) copy(e *expr.Expr) (*expr.Expr, error) {
	var at *place
	if e.Op == expr.Alt || e.Op == expr.Repeat && e.Min != e.Max {
		p.count++
		at = &place{name: fmt.Sprintf("%s#%d", p.rule.ID, p.count), production: p.rule.ID, pos: e.Pos, printed: e, order: []int{0, 1}}
		if at.pos.Line == 0 {
			at.pos = p.rule.Pos
		}
		if e.Op == expr.Alt {
			at.order = make([]int, len(e.Sub))
			for i := range e.Sub {
				at.order[i] = i
			}
		}
	}
	var failed error
	c := *e
	if len(e.Sub) > 0 {
		c = *e.Map(func(s *expr.Expr) *expr.Expr {
			x, err := p.copy(s)
			if err != nil {
				failed = err
			}
			return x
		})
	}
	if failed != nil || at == nil {
		return &c, failed
	}
	out := &c
	if first, ok := p.prefer[at.name]; ok {
		if first < 0 || first >= len(at.order) {
			return nil, expr.Errorf(at.pos, "the choice %s has %d alternatives, numbered from 0", at.name, len(at.order))
		}
		p.used[at.name] = true
		at.preferred = true
		out = p.first(out, first, at)
	}
	p.places[out] = at
	return out, nil
}

// first returns e with the alternative of this number first.
func (p *preferring) first(e *expr.Expr, first int, at *place) *expr.Expr {
	if first == 0 {
		return e
	}
	if e.Op == expr.Alt {
		out := *e
		out.Sub, at.order = []*expr.Expr{e.Sub[first]}, []int{first}
		for i, s := range e.Sub {
			if i != first {
				out.Sub, at.order = append(out.Sub, s), append(at.order, i)
			}
		}
		return &out
	}
	// No further iteration is tried before one more.
	at.order = []int{1, 0}
	body, nothing := e.Sub[0], &expr.Expr{Op: expr.Empty, Pos: e.Pos}
	var rest *expr.Expr
	if e.Max == expr.Unbounded {
		again := &expr.Expr{Op: expr.Ref, Name: at.name, Pos: e.Pos}
		rest = &expr.Expr{Op: expr.Alt, Sub: []*expr.Expr{nothing, {Op: expr.Seq, Sub: []*expr.Expr{body, again}, Pos: e.Pos}}, Pos: e.Pos}
		p.extra = append(p.extra, &expr.Rule{ID: at.name, Name: at.name, Pos: e.Pos, Expr: rest})
		p.places[rest] = at
		rest = again
	} else {
		rest = nothing
		for range e.Max - e.Min {
			more := body
			if rest != nothing {
				more = &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{body, rest}, Pos: e.Pos}
			}
			rest = &expr.Expr{Op: expr.Alt, Sub: []*expr.Expr{nothing, more}, Pos: e.Pos}
			p.places[rest] = at
		}
	}
	if e.Min == 0 {
		return rest
	}
	least := &expr.Expr{Op: expr.Repeat, Sub: []*expr.Expr{body}, Min: e.Min, Max: e.Min, Pos: e.Pos}
	return &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{least, rest}, Pos: e.Pos}
}
