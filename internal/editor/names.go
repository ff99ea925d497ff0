package editor

import (
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// names are the names in a text: their definitions and their places.
type names struct {
	definitions map[string][]int // by key, the indices of productions
	uses        map[string][]int // by key, the indices of tokens, those of definitions included
}

// namesOf finds the names of an outline. A text in angle brackets counts only if a production has that name.
func namesOf(o *outline.Outline) *names {
	n := &names{definitions: o.Definitions(), uses: map[string][]int{}}
	for i, t := range o.Tokens {
		name := o.NameOf(i)
		if name == "" {
			continue
		}
		key := o.Key(name)
		if t.Kind == outline.Prose && n.definitions[key] == nil {
			continue
		}
		n.uses[key] = append(n.uses[key], i)
	}
	return n
}

// names returns the names of the text, which the first call finds. The caller must not change them.
func (r *reading) names() *names {
	r.once.Do(func() { r.found = namesOf(r.outline) })
	return r.found
}

// lazily holds the names of an outline, once they were asked for.
type lazily struct {
	once  sync.Once
	found *names
}

// A pointed is the name that a position is in.
type pointed struct {
	token int          // the index of its token in the outline
	name  string       // as it is written
	key   string       // the same for all spellings of the name: see [outline.Outline.Key]
	span  outline.Span // of the name, without brackets around it
}

// nameAt returns the name at a position; ok is false if there is none.
func (n *snapshot) nameAt(p protocol.Position) (at pointed, ok bool) {
	o := n.reading().outline
	i := o.At(n.lines.offset(p))
	if i < 0 || o.NameOf(i) == "" {
		return at, false
	}
	at = pointed{token: i, name: o.NameOf(i), span: o.NameSpan(i)}
	at.key = o.Key(at.name)
	return at, true
}

// ruleNamed returns the production of the grammar with a name, also one that it takes from elsewhere, or nil if
// there is none.
func (n *snapshot) ruleNamed(name string) *expr.Rule {
	r := n.reading()
	if r.opened == nil {
		return nil
	}
	if rule, err := r.opened.Grammar.Lookup(name); err == nil {
		return rule
	}
	if r.opened.Grammar.Ordered {
		if rule, err := r.opened.Lookup(name); err == nil {
			return rule
		}
	}
	return nil
}

// definitionsOf returns the places where a name is defined: in the text or, if it is taken from another file, the place
// where its first definition begins there, an empty range whose column is in bytes. There are none for a core rule, and
// for a production of a grammar that is built in. key is that of the name. For another file it has the effects of
// exists, and takes the same locks.
func (n *snapshot) definitionsOf(key, name string) (list []protocol.Location) {
	r := n.reading()
	for _, i := range r.names().definitions[key] {
		list = append(list, protocol.Location{
			URI: n.uri, Range: n.lines.rangeOf(r.outline.NameSpan(r.outline.Rules[i].Name)),
		})
	}
	if len(list) > 0 {
		return list
	}
	rule := n.ruleNamed(name)
	if rule == nil || bnf.IsCore(rule) {
		return nil
	}
	uri, ok := n.uriOfFile(rule.Pos.File)
	if !ok {
		return nil
	}
	at := protocol.Position{Line: uint32(max(rule.Pos.Line-1, 0)), Character: uint32(max(rule.Pos.Col-1, 0))}
	return []protocol.Location{{URI: uri, Range: protocol.Range{Start: at, End: at}}}
}
