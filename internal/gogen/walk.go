package gogen

import (
	"errors"
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/peg"
)

// walk takes the file through every transition of every rule's automaton, and compares what it does on each word with
// what the PEG does: whether and where the match ends, and the tree. Its error names the word.
func (p *program) walk(file []byte) error {
	m, err := load(file, p.kinds())
	if err != nil {
		return expr.Errorf(expr.Pos{File: p.grammar.File}, "the generated file is not Go: %v", err)
	}
	languages, err := lang.NewPEG(p.grammar, p.limits)
	if err != nil {
		return expr.Errorf(expr.Pos{File: p.grammar.File}, "%s", err.Error())
	}
	for _, r := range p.rules {
		d, err := languages.Whole(expr.To(r.ID))
		switch {
		case errors.Is(err, lang.ErrTooLarge):
			return expr.Errorf(r.Pos, "%s cannot be compared with its parser: its automaton is %v", r.ID, err)
		case err != nil:
			return expr.Errorf(r.Pos, "%s cannot be compared with its parser: %v", r.ID, err)
		}
		for _, w := range d.TransitionCover() {
			if diff := p.compare(m, r, w); diff != "" {
				return expr.Errorf(r.Pos, "the generated parser of %s is wrong on %q: %s", r.ID, w, diff)
			}
		}
	}
	return nil
}

// kinds lists the constants of the productions.
func (p *program) kinds() []string {
	all := make([]string, len(p.rules))
	for i, r := range p.rules {
		all[i] = p.names[r.ID].title
	}
	return all
}

// compare describes how the functions of a production differ from its rule on a word. It returns "" if they agree.
func (p *program) compare(m *machine, r *expr.Rule, w string) string {
	end, nodes := peg.Match(p.grammar, expr.To(r.ID), w, 0)
	want := place(end)
	got, _, err := m.run(p.acceptName(r.ID), 0, w)
	if diff := differ(want, got, err); diff != "" {
		return "what accepts it " + diff
	}
	whole, _, err := m.run("accept", p.number[r.ID], w)
	switch {
	case err != nil:
		return "accept: " + err.Error()
	case (whole == 1) != (end == len(w)):
		return fmt.Sprintf("accept is %t", whole == 1)
	}
	if p.opts.Lexical(r.ID) {
		nodes = []*peg.Node{{Name: r.ID, End: end}}
	}
	got, n, err := m.run("build", p.number[r.ID], w)
	if diff := differ(want, got, err); diff != "" {
		return "what builds its tree " + diff
	}
	if end < 0 {
		return ""
	}
	tree := p.flatten(nil, nodes)
	if n != uint(len(tree)) || len(m.nodes) < len(tree) {
		return fmt.Sprintf("the tree has %d nodes, not %d", n, len(tree))
	}
	for i, c := range tree {
		if m.nodes[i] != c {
			return fmt.Sprintf("node %d is %s, not %s", i, p.show(m.nodes[i]), p.show(c))
		}
	}
	return ""
}

// place returns an end as the generated functions have it.
func place(end int) uint {
	if end < 0 {
		return ^uint(0)
	}
	return uint(end)
}

func differ(want, got uint, err error) string {
	end := func(n uint) string {
		if n == ^uint(0) {
			return "fails"
		}
		return fmt.Sprintf("ends at %d", n)
	}
	switch {
	case err != nil:
		return "stops: " + err.Error()
	case want != got:
		return fmt.Sprintf("%s, where the PEG %s", end(got), end(want))
	}
	return ""
}

// flatten appends the nodes in pre-order, as a parser stores them.
func (p *program) flatten(to []cell, nodes []*peg.Node) []cell {
	for _, n := range nodes {
		at := len(to)
		to = append(to, cell{})
		to = p.flatten(to, n.Children)
		to[at] = cell{p.number[n.Name], uint(n.Start), uint(n.End), uint(len(to))}
	}
	return to
}

func (p *program) show(c cell) string {
	name := "of no kind"
	if 0 < c.kind && c.kind <= uint(len(p.rules)) {
		name = p.rules[c.kind-1].ID
	}
	return fmt.Sprintf("%s %d..%d (next %d)", name, c.from, c.to, c.next)
}
