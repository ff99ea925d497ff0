package lang

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// NewPEGLongest is like [NewPEG], but the rules in longest, by ID, have these languages. Such a rule matches the
// longest word of its language that the rest of the input begins with, and fails if there is none, whatever its
// expression is.
//
// It fails where [NewPEG] does, and if a language tells bytes apart that no terminal of the grammar or of the extra
// expressions does. A language that no compiled rule comes to costs nothing.
func NewPEGLongest(g *expr.Grammar, longest map[string]*DFA, l Limits, extra ...*expr.Expr) (p *PEG, err error) {
	defer budget.Catch(&err)
	s := NewSpace(l, []*expr.Grammar{g}, extra...)
	languages := map[string]longLanguage{}
	for _, id := range slices.Sorted(maps.Keys(longest)) {
		a := longest[id]
		for c := range a.k {
			if splits(&s.class, a.ClassSet(c)) {
				return nil, fmt.Errorf("%s: the language for `%s` tells bytes apart that no terminal does", g.Name, id)
			}
		}
		languages[id] = longLanguage{a.accept[0], func() Language { return Language(s.pool.add(a, s.first)) }}
	}
	return s.pegLongest(g, languages)
}

// PEGLongest is like [Space.PEG], but the rules in longest, by ID, match the longest word of a language of s that the
// rest of the input begins with, and fail if there is none.
func (s *Space) PEGLongest(g *expr.Grammar, longest map[string]Language) (*PEG, error) {
	languages := map[string]longLanguage{}
	for id, l := range longest {
		languages[id] = longLanguage{s.pool.accept[l], func() Language { return l }}
	}
	return s.pegLongest(g, languages)
}

// A longLanguage is the language of a rule that matches its longest word, and whether the empty word is in it. The
// function computes the language when the rule is first used: most of those that lint reads so are used by none.
type longLanguage struct {
	nullable bool
	language func() Language
}

// pegLongest is [Space.PEGLongest] with languages that may not be in s yet.
func (s *Space) pegLongest(g *expr.Grammar, longest map[string]longLanguage) (*PEG, error) {
	// A rule of longest is never matched by its expression. One byte stands in for it, optional if the rule can match the
	// empty word, so that the analysis of g knows which rules can be empty.
	rules := slices.Clone(g.Rules)
	for i, r := range rules {
		if l, ok := longest[r.ID]; ok {
			form := expr.In(expr.AnyByte)
			if l.nullable {
				form = expr.Opt(form)
			}
			rules[i] = &expr.Rule{ID: r.ID, Name: r.Name, Expr: form, Pos: r.Pos}
		}
	}
	p, err := s.PEG(g.With(rules))
	if err != nil {
		return nil, err
	}
	p.longest, p.unbegun = map[string]func() Language{}, map[int32]int32{}
	for id, l := range longest {
		p.longest[id] = l.language
	}
	return p, nil
}

// longestOf returns the relation of a rule that matches the longest word of l that the input begins with: the words
// u#v in which u is in l, and no longer prefix of uv is.
func (p *PEG) longestOf(l int32) int32 {
	b := p.pool.newBatch()
	b.distinct = true // from the relation of a language one can read the language: the words before #
	defer b.release()
	todo := expr.Numbering[int32]{}
	todo.Of(l)
	for i := 0; i < len(todo.List); i++ {
		ends := none
		if p.pool.accept[todo.List[i]] {
			ends = p.withoutLonger(todo.List[i])
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

// withoutLonger returns the words that do not begin with a word of l other than the empty one.
func (p *PEG) withoutLonger(l int32) int32 {
	row := make([]int32, p.pool.k)
	for c := range p.s.first {
		row[c] = p.withoutBegin(p.pool.derive(l, c))
	}
	return p.pool.rowState(row, true)
}

// withoutBegin returns the words that do not begin with a word of l. It keeps its answers in p.unbegun, unless they are
// all words or none.
func (p *PEG) withoutBegin(l int32) int32 {
	if known, ok := p.unbegun[l]; ok {
		return known
	}
	if p.pool.accept[l] {
		return none
	}
	if l == none {
		return all
	}
	// The states are the languages that bytes lead to from l. Once one of them has the empty word, a word of l has
	// been read, whatever follows.
	b := p.pool.newBatch()
	defer b.release()
	todo := expr.Numbering[int32]{}
	todo.Of(l)
	for i := 0; i < len(todo.List); i++ {
		q := b.addState(true)
		for c := range p.s.first {
			to := p.pool.derive(todo.List[i], c)
			switch known, ok := p.unbegun[to]; {
			case p.pool.accept[to]:
				b.rowOfState(q)[c] = none
			case to == none:
				b.rowOfState(q)[c] = all
			case ok:
				b.rowOfState(q)[c] = known
			default:
				n, _ := todo.Of(to)
				b.rowOfState(q)[c] = local(int32(n))
			}
		}
	}
	for i, m := range b.intern() {
		p.unbegun[todo.List[i]] = m
	}
	return p.unbegun[l]
}
