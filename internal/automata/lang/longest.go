package lang

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// NewPEGLongest is like [NewPEG], but the rules in longest, by ID, have these languages. Such a rule matches the
// longest word of its language that the rest of the input begins with, and fails if there is none, whatever its
// expression is.
//
// It fails where [Space.PEGLongest] does, and if a language tells bytes apart that no terminal of the grammar or of
// the extra expressions does.
func NewPEGLongest(g *expr.Grammar, longest map[string]*DFA, l Limits, extra ...*expr.Expr) (*PEG, error) {
	s := NewSpace(l, []*expr.Grammar{g}, extra...)
	languages := map[string]Language{}
	for id, a := range longest {
		for c := range a.k {
			if splits(&s.class, a.ClassSet(c)) {
				return nil, fmt.Errorf("%s: the language for `%s` tells bytes apart that no terminal does", g.Name, id)
			}
		}
		err := s.meter.shareFor(g.Rule(id), func() { languages[id] = Language(s.pool.add(a, s.first)) })
		if err != nil {
			return nil, err
		}
	}
	return s.PEGLongest(g, languages)
}

// PEGLongest is like [Space.PEG], but the rules in longest, by ID, match the longest word of a language of s that the
// rest of the input begins with, and fail if there is none. It also fails if a limit is passed.
func (s *Space) PEGLongest(g *expr.Grammar, longest map[string]Language) (*PEG, error) {
	// A rule of longest is never matched by its expression. One byte stands in for it, optional if the rule can match the
	// empty word, so that the analysis of g knows which rules can be empty.
	rules := slices.Clone(g.Rules)
	for i, r := range rules {
		if l, ok := longest[r.ID]; ok {
			form := expr.In(expr.AnyByte)
			if s.pool.accept[l] {
				form = expr.Opt(form)
			}
			rules[i] = &expr.Rule{ID: r.ID, Name: r.Name, Expr: form, Pos: r.Pos}
		}
	}
	p, err := s.PEG(g.With(rules))
	if err != nil {
		return nil, err
	}
	p.longest, p.begun = longest, map[int32]int32{}
	for id, l := range longest {
		err := p.s.meter.shareFor(g.Rule(id), func() { p.summary[id] = p.longestOf(int32(l)) })
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// longestOf returns the relation of a rule that matches the longest word of l that the input begins with: the words
// u#v in which u is in l, and no longer prefix of uv is.
func (p *PEG) longestOf(l int32) int32 {
	b := p.pool.newBatch()
	defer b.release()
	todo := expr.Numbering[int32]{}
	todo.Of(l)
	for i := 0; i < len(todo.List); i++ {
		ends := none
		if p.pool.accept[todo.List[i]] {
			ends = p.pool.apply(difference, all, p.beginningLonger(todo.List[i]))
		}
		q := b.addState(false)
		b.rowOfState(q)[p.s.mark()] = ends
		for c := range p.s.first {
			if to := p.pool.derive(todo.List[i], c); to != none {
				n, _ := todo.Of(to)
				b.rowOfState(q)[c] = local(int32(n))
			}
		}
	}
	return b.intern()[0]
}

// beginningLonger returns the words that begin with a word of l other than the empty one.
func (p *PEG) beginningLonger(l int32) int32 {
	b := p.pool.newBatch()
	defer b.release()
	q := b.addState(false)
	for c := range p.s.first {
		b.rowOfState(q)[c] = p.beginningWith(p.pool.derive(l, c))
	}
	return b.intern()[0]
}

// beginningWith returns the words that begin with a word of l. It keeps its answers in p.begun, unless they are all
// words or none.
func (p *PEG) beginningWith(l int32) int32 {
	if known, ok := p.begun[l]; ok {
		return known
	}
	if p.pool.accept[l] {
		return all
	}
	if l == none {
		return none
	}
	// The states are the languages that bytes lead to from l. Once one of them has the empty word, a word of l has
	// been read, and anything may follow.
	b := p.pool.newBatch()
	defer b.release()
	todo := expr.Numbering[int32]{}
	todo.Of(l)
	for i := 0; i < len(todo.List); i++ {
		q := b.addState(false)
		for c := range p.s.first {
			to := p.pool.derive(todo.List[i], c)
			switch known, ok := p.begun[to]; {
			case p.pool.accept[to]:
				b.rowOfState(q)[c] = all
			case to == none:
				b.rowOfState(q)[c] = none
			case ok:
				b.rowOfState(q)[c] = known
			default:
				n, _ := todo.Of(to)
				b.rowOfState(q)[c] = local(int32(n))
			}
		}
	}
	for i, m := range b.intern() {
		p.begun[todo.List[i]] = m
	}
	return p.begun[l]
}
