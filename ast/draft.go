package ast

import (
	"errors"
	"fmt"
	"math"
)

// Draft is a node before its tree is flat: what the actions of a pigeon grammar return, bottom up.
type Draft struct {
	Kind       Kind
	Start, End int
	Children   []*Draft
}

// Derived gives the draft of a node of kind k whose text begins at start. Its children are the drafts found
// in v, in order: v is what pigeon hands to an action, a draft, a []any of such values at any depth, or what
// lexical rules and literals leave there (byte slices and nil), which is passed over.
func Derived(k Kind, start int, text []byte, v any) *Draft {
	return &Draft{Kind: k, Start: start, End: start + len(text), Children: appendDrafts(nil, v)}
}

// appendDrafts recurses as deep as the parentheses and lexical rules of one right-hand side are nested: a
// repetition is one []any, however long.
func appendDrafts(to []*Draft, v any) []*Draft {
	switch v := v.(type) {
	case *Draft:
		if v != nil {
			to = append(to, v)
		}
	case []any:
		for _, e := range v {
			to = appendDrafts(to, e)
		}
	}
	return to
}

// Flatten gives the tree of src whose root is d. It fails where d does not describe such a tree; see
// [Check].
func Flatten(g *Grammar, src string, d *Draft) (*Tree, error) {
	if d == nil {
		return nil, errors.New("ast: no draft to flatten")
	}
	type frame struct {
		children []*Draft // still to be placed
		node     int32
	}
	t := &Tree{Grammar: g, Source: src}
	var open []frame
	place := func(d *Draft) error {
		switch {
		case d.Start < 0 || d.Start > d.End || d.End > len(src) || d.End > math.MaxInt32:
			return fmt.Errorf("ast: node %d: span %d..%d in a source of %d bytes", len(t.Nodes), d.Start, d.End, len(src))
		case len(t.Nodes) == math.MaxInt32:
			return errors.New("ast: more nodes than an int32 can count")
		}
		open = append(open, frame{d.Children, int32(len(t.Nodes))})
		t.Nodes = append(t.Nodes, Raw{Kind: d.Kind, Start: int32(d.Start), End: int32(d.End)})
		return nil
	}
	if err := place(d); err != nil {
		return nil, err
	}
	for len(open) > 0 {
		top := &open[len(open)-1]
		if len(top.children) == 0 {
			t.Nodes[top.node].Next = int32(len(t.Nodes))
			open = open[:len(open)-1]
			continue
		}
		child := top.children[0]
		top.children = top.children[1:]
		if child == nil {
			continue
		}
		if err := place(child); err != nil {
			return nil, err
		}
	}
	if err := Check(t); err != nil {
		return nil, err
	}
	return t, nil
}
