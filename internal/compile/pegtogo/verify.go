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

// verifyFile executes the file. It compares the results with the definition of a PEG, on a transition cover of every
// start's automaton, or with the references, if the options have any. An acceptor made from an automaton is compared
// with that automaton first, in any case. It fails with a [*WrongError] at the first word on which the file differs,
// which the error names; with references it goes on to the other starts, as compareReferences does. It fails with an
// [*expr.Error] if an acceptor differs from its automaton, the machine does not know the file, or a comparison would
// be too large.
func (p *program) verifyFile(file []byte) error {
	m, err := p.newMachine(file)
	if err != nil {
		return expr.Errorf(expr.Pos{File: p.grammar.File}, "the generated file is not Go: %v", err)
	}
	for _, r := range p.starts {
		if a := p.automata[r.ID]; a != nil {
			if err := p.compareAutomaton(m, r, a); err != nil {
				return err
			}
		}
	}
	if p.opts.Reference != nil {
		return p.compareReferences(file)
	}
	// The automata of the definition only supply the words; what is right on a word, peg.Match says.
	languages, err := lang.NewPEG(p.grammar, p.limits)
	budget.Again(err)
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
			if diff := p.compareWithPEG(m, r, w); diff != "" {
				return &WrongError{
					IDs: []string{r.ID},
					First: expr.Errorf(r.Pos, "the generated parser of %s differs from the grammar on %q: %s", r.ID,
						w, diff),
				}
			}
		}
	}
	return nil
}

// newMachine returns a machine that has loaded the file and charges the grammar's budget. It fails as loadFile does.
func (p *program) newMachine(file []byte) (*machine, error) {
	m, err := loadFile(file, p.kindConstants(), p.notExecuted()...)
	if err == nil {
		m.budget = p.grammar.Budget
	}
	return m, err
}

// compareReferences compares the file with the references of all starts, several at once. It fails with a
// [*WrongError] that lists all starts that differ or are slow; if a limit was passed at one, with the error
// of that start instead.
func (p *program) compareReferences(file []byte) error {
	errs := make([]error, len(p.starts))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(p.starts)) {
		all.Go(func() {
			m, err := p.newMachine(file)
			for i := int(next.Add(1)) - 1; i < len(errs); i = int(next.Add(1)) - 1 {
				r := p.starts[i]
				if errs[i] = err; err == nil {
					errs[i] = p.compareStart(m, r, p.opts.Reference)
				}
			}
		})
	}
	all.Wait()
	// In the order of the starts, so that the error does not depend on which comparison was done first.
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

// compareStart compares the file's results for the start r with its reference; reference must not be nil, and that of
// the options does not count. It fails at the first difference or execution that fails, with errSlow if the time grows
// too fast, and if a limit is passed.
func (p *program) compareStart(m *machine, r *expr.Rule, reference func(id string) Reference) (err error) {
	defer budget.Catch(&err)
	m.budget.In(r.Label())
	ref := reference(r.ID)
	for _, w := range ref.Words {
		if diff := p.compareWithReference(m, r, w, ref); diff != "" {
			return expr.Errorf(r.Pos, "the generated parser of %s differs from the grammar on %q: %s", r.ID, w, diff)
		}
	}
	for _, row := range ref.Rows {
		if p.growsTooFast(m, r, row) {
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

// errSlow is wrapped by the error of a parser whose time grows faster than the input.
var errSlow = errors.New("the time of the generated parser grows faster than the input")

// growsTooFast reports whether the time for a start grows faster than the input on strings of a row, whose unit must
// not be empty, or an execution fails, as it does after maxSteps steps. Time is counted in calls and rounds of loops.
// For twice the length, linear time takes about twice the steps and quadratic time four times as many; more than three
// times is too fast.
func (p *program) growsTooFast(m *machine, r *expr.Rule, row Row) bool {
	const short = 240
	var steps [2]int
	for i := range steps {
		// About short bytes, and then twice as many.
		w := row.Head + strings.Repeat(row.Unit, (i+1)*(1+short/len(row.Unit))) + row.Tail
		if _, _, err := m.run("build", p.number[r.ID], w); err != nil {
			return true
		}
		steps[i] = maxSteps - m.steps
	}
	return steps[1] > 3*steps[0]
}

// compareWithReference describes how build and, unless the file is small, accept differ from the reference on a
// word; it returns "" if they agree. An execution that fails is a difference.
func (p *program) compareWithReference(m *machine, r *expr.Rule, w string, ref Reference) string {
	tree, ok := ref.Tree(w)
	if diff := p.compareAccept(m, r, w, ok); diff != "" {
		return diff
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
	return p.compareNodes(m, n, want)
}

// compareAccept describes how accept differs from derived, which tells whether r derives w. An execution that fails
// is a difference. It returns "" if they agree, and always for a small file: to accept, it builds the tree.
func (p *program) compareAccept(m *machine, r *expr.Rule, w string, derived bool) string {
	if p.opts.Small {
		return ""
	}
	whole, _, err := m.run(p.acceptEntry(), p.number[r.ID], w)
	switch {
	case err != nil:
		return "accept: " + err.Error()
	case (whole == 1) != derived:
		return fmt.Sprintf("accept is %t", whole == 1)
	}
	return ""
}

// compareNodes describes the first difference between the n nodes that m has stored and a tree; "" if there is none.
func (p *program) compareNodes(m *machine, n uint, tree []cell) string {
	if n != uint(len(tree)) || len(m.nodes) < len(tree) {
		return fmt.Sprintf("the tree has %d nodes, not %d", n, len(tree))
	}
	for i, c := range tree {
		if m.nodes[i] != c {
			return fmt.Sprintf("node %d is %s, not %s", i, p.describeCell(m.nodes[i]), p.describeCell(c))
		}
	}
	return ""
}

// kindConstants lists the constants of the productions.
func (p *program) kindConstants() []string {
	all := make([]string, len(p.rules))
	for i, r := range p.rules {
		all[i] = p.names[r.ID].kind
	}
	return all
}

// compareWithPEG describes how the functions of the production r differ from its rule on a word, of which the rule
// may match the beginning alone; it returns "" if they agree. An execution that fails is a difference.
func (p *program) compareWithPEG(m *machine, r *expr.Rule, w string) string {
	end, nodes := peg.Match(p.grammar, expr.To(r.ID), w, 0)
	want := uint(end) // -1 is fail
	if name := p.names[r.ID].accept; m.funcs[name] != nil {
		got, _, err := m.run(name, 0, w)
		if diff := describeDifference(want, got, err); diff != "" {
			return "what accepts it " + diff
		}
	}
	if diff := p.compareAccept(m, r, w, end == len(w)); diff != "" {
		return diff
	}
	if p.opts.Lexical(r.ID) {
		nodes = []*peg.Node{{Name: r.ID, End: end}}
	}
	got, n, err := m.run("build", p.number[r.ID], w)
	if diff := describeDifference(want, got, err); diff != "" {
		return "what builds its tree " + diff
	}
	if end < 0 {
		return ""
	}
	return p.compareNodes(m, n, p.cellsOf(nil, nodes))
}

// describeDifference describes how a function that returned got, or stopped with err, differs from
// a PEG that ends at want; "" if it does not.
func describeDifference(want, got uint, err error) string {
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

// cellsOf appends to cells those of nodes and of all nodes below them, in pre-order, as a generated parser stores them.
// next of each is an index of the result.
func (p *program) cellsOf(cells []cell, nodes []*peg.Node) []cell {
	for _, n := range nodes {
		at := len(cells)
		cells = append(cells, cell{})
		cells = p.cellsOf(cells, n.Children)
		cells[at] = cell{p.number[n.Name], uint(n.Start), uint(n.End), uint(len(cells))}
	}
	return cells
}

// describeCell returns a node as messages write it.
func (p *program) describeCell(c cell) string {
	name := "of no kind"
	if 0 < c.kind && c.kind <= uint(len(p.rules)) {
		name = p.rules[c.kind-1].ID
	}
	return fmt.Sprintf("%s %d..%d (next %d)", name, c.from, c.to, c.next)
}
