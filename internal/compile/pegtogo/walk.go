package pegtogo

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// walk takes the file through every transition of every rule's automaton, and compares what it does on each word with
// what the PEG does: whether and where the match ends, and the tree. Its error names the word.
func (p *program) walk(file []byte) error {
	m, err := p.machine(file)
	if err != nil {
		return expr.Errorf(expr.Pos{File: p.grammar.File}, "the generated file is not Go: %v", err)
	}
	for _, r := range p.starts {
		if a := p.automata[r.ID]; a != nil {
			if err := p.holdAutomaton(m, r, a); err != nil {
				return err
			}
		}
	}
	if p.opts.Reference != nil {
		return p.hold(file)
	}
	languages, err := lang.NewPEG(p.grammar, p.limits)
	if err != nil {
		return expr.Errorf(expr.Pos{File: p.grammar.File}, "%s", err.Error())
	}
	for _, r := range p.starts {
		d, err := languages.Whole(expr.To(r.ID))
		switch {
		case errors.Is(err, lang.ErrTooLarge):
			return expr.Errorf(r.Pos, "%s cannot be compared with its parser: its automaton is %v", r.ID, err)
		case err != nil:
			return expr.Errorf(r.Pos, "%s cannot be compared with its parser: %v", r.ID, err)
		}
		for _, w := range d.TransitionCover() {
			if diff := p.compare(m, r, w); diff != "" {
				return &WrongError{IDs: []string{r.ID}, First: expr.Errorf(r.Pos, "the generated parser of %s differs from the grammar on %q: %s", r.ID, w, diff)}
			}
		}
	}
	return nil
}

// machine returns a machine of the file.
func (p *program) machine(file []byte) (*machine, error) {
	m, err := load(file, p.kinds(), p.notExecuted()...)
	if err == nil {
		m.budget = p.grammar.Budget
	}
	return m, err
}

// hold compares the file with the references.
func (p *program) hold(file []byte) error {
	errs := make([]error, len(p.starts))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(p.starts)) {
		all.Go(func() {
			m, err := p.machine(file)
			for i := int(next.Add(1)) - 1; i < len(errs); i = int(next.Add(1)) - 1 {
				r := p.starts[i]
				if errs[i] = err; err == nil {
					errs[i] = p.holdStart(m, r, p.opts.Reference)
				}
			}
		})
	}
	all.Wait()
	wrong := &WrongError{}
	for i, err := range errs {
		if errors.Is(err, budget.ErrTooLarge) {
			return err
		}
		if err != nil {
			wrong.First = cmp.Or(wrong.First, err)
			if errors.Is(err, errSlow) {
				wrong.Slow = append(wrong.Slow, p.starts[i].ID)
			} else {
				wrong.IDs = append(wrong.IDs, p.starts[i].ID)
			}
		}
	}
	if wrong.First != nil {
		return wrong
	}
	return nil
}

// holdStart compares what the file does for one start with its reference.
func (p *program) holdStart(m *machine, r *expr.Rule, id func(string) Reference) (err error) {
	defer budget.Catch(&err)
	m.budget.In(r.Label())
	ref := id(r.ID)
	for _, w := range ref.Words {
		if diff := p.compareTree(m, r, w, ref); diff != "" {
			return expr.Errorf(r.Pos, "the generated parser of %s differs from the grammar on %q: %s", r.ID, w, diff)
		}
	}
	for _, row := range ref.Rows {
		if p.grows(m, r, row) {
			return fmt.Errorf("%s: %w on %q %q... %q", r.Pos, errSlow, row.Head, row.Unit, row.Tail)
		}
	}
	for _, w := range ref.Ends {
		if _, _, err := m.run("build", p.number[r.ID], w); err != nil {
			return expr.Errorf(r.Pos, "the generated parser of %s differs from the grammar on %q: %v", r.ID, w, err)
		}
	}
	return nil
}

// errSlow is the error of a parser whose time grows faster than the input.
var errSlow = errors.New("the time of the generated parser grows faster than the input")

// grows reports whether the time that a start takes for a byte grows with the row. Time is counted in calls and turns of loops:
// for a row of twice the length, four times the steps are too many, and three times are as well.
func (p *program) grows(m *machine, r *expr.Rule, row Row) bool {
	const short = 240
	var steps [2]int
	for i := range steps {
		w := row.Head + strings.Repeat(row.Unit, (i+1)*(1+short/len(row.Unit))) + row.Tail
		if _, _, err := m.run("build", p.number[r.ID], w); err != nil {
			return true
		}
		steps[i] = maxSteps - m.steps
	}
	return steps[1] > 3*steps[0]
}

// compareTree describes how parse and accept differ from the reference on a word. It returns "" if they agree.
func (p *program) compareTree(m *machine, r *expr.Rule, w string, ref Reference) string {
	tree, ok := ref.Tree(w)
	whole, _, err := m.run(p.acceptEntry(), p.number[r.ID], w)
	switch {
	case err != nil:
		return "accept: " + err.Error()
	case (whole == 1) != ok:
		return fmt.Sprintf("accept is %t", whole == 1)
	}
	end, n, err := m.run("build", p.number[r.ID], w)
	switch {
	case err != nil:
		return "what builds its tree stops: " + err.Error()
	case (end == uint(len(w)) && !m.deep) != ok:
		return fmt.Sprintf("what builds its tree ends at %d", int(end))
	case !ok:
		return ""
	}
	want := make([]cell, len(tree))
	for i, x := range tree {
		want[i] = cell{p.number[x.ID], uint(x.From), uint(x.To), uint(x.Next)}
	}
	return p.differTree(m, n, want)
}

// differTree describes how the n nodes that m has made differ from those of a tree.
func (p *program) differTree(m *machine, n uint, tree []cell) string {
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

// kinds lists the constants of the productions.
func (p *program) kinds() []string {
	all := make([]string, len(p.rules))
	for i, r := range p.rules {
		all[i] = p.names[r.ID].kind
	}
	return all
}

// compare describes how the functions of a production differ from its rule on a word. It returns "" if they agree.
func (p *program) compare(m *machine, r *expr.Rule, w string) string {
	end, nodes := peg.Match(p.grammar, expr.To(r.ID), w, 0)
	want := uint(end) // -1 is fail
	if name := p.names[r.ID].accept; m.funcs[name] != nil {
		got, _, err := m.run(name, 0, w)
		if diff := differ(want, got, err); diff != "" {
			return "what accepts it " + diff
		}
	}
	whole, _, err := m.run(p.acceptEntry(), p.number[r.ID], w)
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
	return p.differTree(m, n, p.flatten(nil, nodes))
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
