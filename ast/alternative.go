package ast

import "slices"

// This file finds the alternative of its production that derived a node. A tree does not store
// that, since most programs never ask: it follows from the text of the node and the nodes below it.
// Where each alternative is one production that is a node, the kind of the child decides. Otherwise
// the alternatives are tried in their order, as a [Checker] tries a production; that takes time
// linear in the text of the node for most productions, and at most the steps of [LimitsFor].

// An Alternative is the number of an alternative of a production, in the order of the text, from 1.
// Generated packages name those of each production. 0 stands for none.
type Alternative uint16

// Alternative returns the alternative of n's production that derived n, as a value to switch on:
//
//	switch value.Alternative() {
//	case json.ValueArray:
//
// The alternatives are those of the whole right side, a / b / c, or of the only choice in a sequence, x ( a / b ) y.
// If several derive the text of n with the same nodes below it, it is the first. A production without a choice, or
// with several in a sequence, has one alternative, 1. The result is 0 for the zero Node, where the grammar has no
// rules ([Grammar.Rules]), and where no alternative is found to derive n within the steps of [LimitsFor].
func (n Node) Alternative() Alternative {
	if n.tree == nil || n.tree.Grammar == nil {
		return 0
	}
	c := &n.tree.Grammar.rules().Checker
	k := int(n.Kind())
	if k == 0 || k >= len(c.rules) {
		return 0
	}
	r := &c.rules[k]
	switch {
	case len(r.alternatives) == 0:
		return 1
	case r.byChild:
		for child := range n.Children() { // the first child decides
			i := slices.IndexFunc(r.alternatives, func(e *checked) bool { return e.kind == child.Kind() })
			return Alternative(i + 1)
		}
	}
	t := n.tree
	m := &checking{rules: c.rules, ends: map[checkedUse][]int32{}, most: LimitsFor(len(t.Source)).Steps}
	if m.begin(t, n.i) > 0 {
		return 0
	}
	for i, e := range r.alternatives {
		m.own = e
		if m.derives() {
			return Alternative(i + 1)
		}
	}
	return 0
}

// alternativesOf splits an expression e with a choice: it returns, for each alternative, e with
// that alternative in place of the choice. The choice is element number part of the sequence e,
// from 0, or e itself if e is no sequence. Choices are nested to the right, alt A (alt B C), so
// count, the number of alternatives, tells where this choice ends and a last alternative that is a
// choice begins. If the table is damaged the result is too short: nil if the sequence has no such
// element.
func alternativesOf(e *checked, part, count int) (list []*checked) {
	if part > 0 {
		if e.op != 's' {
			return nil
		}
		for _, rest := range alternativesOf(e.b, part-1, count) {
			list = append(list, &checked{op: 's', a: e.a, b: rest})
		}
		return list
	}
	choice, rest := e, (*checked)(nil)
	if e.op == 's' && e.a.op == 'a' {
		choice, rest = e.a, e.b
	}
	for ; count > 1 && choice.op == 'a'; count-- {
		list = append(list, choice.a)
		choice = choice.b
	}
	list = append(list, choice)
	if rest == nil {
		return list
	}
	for i, a := range list {
		list[i] = &checked{op: 's', a: a, b: rest}
	}
	return list
}

// isByChild reports whether each alternative is one production that is a node, and no two are the
// same one, so that the child of a node tells its alternative. It is false if there are none.
func (c *Checker) isByChild(alternatives []*checked) bool {
	seen := map[Kind]bool{}
	for _, e := range alternatives {
		if e.op != 'r' || int(e.kind) >= len(c.rules) || c.rules[e.kind].lexical || seen[e.kind] {
			return false
		}
		seen[e.kind] = true
	}
	return len(alternatives) > 0
}

// joinBytes returns e with choices among single bytes replaced by one set of bytes, which is matched
// in one step. e itself is not changed, since the result may share parts with it.
func (e *checked) joinBytes() *checked {
	if e == nil || e.a == nil && e.b == nil {
		return e
	}
	out := *e
	out.a, out.b = e.a.joinBytes(), e.b.joinBytes()
	if out.op == 'a' && out.a.op == 'b' && out.b.op == 'b' {
		set := out.a.set
		for i := range set {
			set[i] |= out.b.set[i]
		}
		return &checked{op: 'b', set: set}
	}
	return &out
}
