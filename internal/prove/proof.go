package prove

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/peg"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

// A proof is one at work.
type proof struct {
	pair   subject.Pair
	opts   Options
	limits lang.Limits
	rows   []*row

	alphabet   *alphabet
	lookaheads *lookaheads
	used       []string        // IDs of the productions and rules that matter
	needed     map[string]bool // productions that were asked for, and those that they use
	index      map[string]int  // of each production in the BNF
	missing    *missing
	recursive  map[string]bool      // rules that call themselves
	words      map[string]*lang.DFA // of each production of the BNF
	failed     map[string]error     // productions whose words cannot be computed
	nodes      map[string]bool
	ruleOf     map[*expr.Expr]string // the rule that a choice stands in
	choose     map[string][]bnf.Clause
	settled    map[string][]string // production -> the readings that choose its derivations
	byID       map[string]*row
	makers     map[string]maker
	samples    []Sample
	pegErr     error
}

func newProof(pair subject.Pair, o Options) *proof {
	p := &proof{
		pair: pair, opts: o, limits: o.Limits,
		recursive: map[string]bool{}, words: map[string]*lang.DFA{}, failed: map[string]error{}, nodes: map[string]bool{},
		ruleOf: map[*expr.Expr]string{}, choose: map[string][]bnf.Clause{}, settled: map[string][]string{},
		byID: map[string]*row{}, makers: map[string]maker{},
		needed: map[string]bool{}, index: map[string]int{},
	}
	for i, r := range pair.BNF.Rules {
		p.index[r.ID] = i
		if len(o.Productions) == 0 {
			p.needed[r.ID] = true
		}
	}
	for _, id := range pair.BNF.Reach(o.Productions...) {
		p.needed[id] = true
	}
	if len(o.Productions) == 0 {
		for _, r := range slices.Concat(pair.BNF.Rules, pair.PEG.Rules) {
			o.Productions = append(o.Productions, r.ID)
		}
	}
	p.used = append(pair.BNF.Reach(o.Productions...), pair.PEG.Reach(o.Productions...)...)
	for _, r := range pair.BNF.Rules {
		rule := pair.PEG.Rule(r.ID)
		if rule == nil || !p.needed[r.ID] {
			continue
		}
		p.recursive[r.ID] = pair.PEG.Path(r.ID, r.ID, expr.Refs) != nil
		row := &row{bnf: r, peg: rule}
		row.Row = Row{Production: r.ID, Name: r.Name, Part: r.Part, Page: r.Page, Line: r.Line, Place: r.Pos.String(), RulePlace: rule.Pos.String()}
		if pair.Ledger != nil {
			row.Tree = Open
		}
		p.rows = append(p.rows, row)
		p.byID[r.ID] = row
	}
	if pair.Ledger != nil {
		for _, reading := range pair.Ledger.Readings {
			for _, c := range reading.Choose {
				p.choose[c.Production] = append(p.choose[c.Production], c.Clauses...)
				p.settled[c.Production] = append(p.settled[c.Production], reading.ID)
			}
		}
	}
	p.findMissing()
	return p
}

// compile makes what all rows need: the words of every production, and what the PEG looks ahead for.
func (p *proof) compile() error {
	p.alphabet = newAlphabet(p.pair.BNF, p.pair.PEG)
	var wait sync.WaitGroup
	wait.Go(func() {
		for _, r := range p.pair.BNF.Rules {
			if !p.needed[r.ID] || p.missing.open[r.ID] {
				continue
			}
			n, err := lang.BuildNFA(p.pair.BNF, r.ID, lang.Options{Limits: p.limits})
			if err == nil {
				p.words[r.ID], err = n.Determinize(p.limits)
			}
			if err != nil {
				p.failed[r.ID] = err
			}
		}
	})
	wait.Go(func() { p.pegErr = p.compilePEG() })
	wait.Wait()
	if p.pegErr != nil {
		return p.pegErr
	}
	for _, r := range p.pair.PEG.Rules {
		choices, _ := options(r.Expr)
		for _, c := range choices {
			p.ruleOf[c] = r.ID
		}
	}
	for _, r := range p.pair.BNF.Rules {
		switch rule := p.pair.PEG.Rule(r.ID); {
		case p.pair.Ledger != nil:
			p.nodes[r.ID] = rule != nil && rule.Expr.Op == expr.Node
		case p.words[r.ID] != nil:
			p.nodes[r.ID] = longerThan(p.words[r.ID], 3)
		}
	}
	return nil
}

func (p *proof) compilePEG() error {
	l, err := lang.NewPEG(p.pair.PEG, p.limits)
	if err != nil {
		return err
	}
	for _, r := range p.rows {
		if r.words, err = l.Whole(expr.To(r.Production)); err != nil {
			because := ""
			if failure(err) == Limit {
				because = tooLargeBecause(p.pair.PEG, r.Production, func(id string) bool {
					_, err := l.Whole(expr.To(id))
					return err != nil
				})
			}
			r.fault(failure(err), nil, "%v%s", err, because)
		}
	}
	var rules []*expr.Rule
	for _, r := range p.pair.PEG.Rules {
		if slices.Contains(p.used, r.ID) {
			rules = append(rules, r)
		}
	}
	p.lookaheads = newLookaheads(p.alphabet, rules, l)
	return nil
}

// longerThan reports whether a has words of more than n bytes. Without a tree that shows which productions are nodes, those that
// derive nothing longer than an escape such as %41 are taken for characters.
func longerThan(a *lang.DFA, n int) bool {
	states := map[int]bool{0: true}
	for range n + 1 {
		next := map[int]bool{}
		for q := range states {
			for c := range a.Classes() {
				if to := a.NextClass(q, c); a.Live(to) {
					next[to] = true
				}
			}
		}
		states = next
	}
	return len(states) > 0
}

// report puts everything together.
func (p *proof) report() *Report {
	out := &Report{
		Grammar: p.pair.BNF.Name, Title: p.pair.BNF.Title, BNF: p.pair.BNF.File, PEG: p.pair.PEG.File,
		Start: p.pair.Start, Samples: p.samples, Productions: []Row{}, Faults: append([]Fault{}, p.missing.undefined...),
		Assumptions: p.assumptions(), InPlace: p.missing.inPlace, Defined: p.pair.Defined,
	}
	for _, f := range p.missing.undefined {
		out.Undefined = append(out.Undefined, f.Production)
	}
	for _, f := range p.missing.rules {
		out.Untranscribed = append(out.Untranscribed, f.Production)
	}
	out.Faults = append(out.Faults, p.missing.rules...)
	for _, r := range p.pair.PEG.Rules {
		if p.pair.BNF.Rule(r.ID) == nil && !p.isEntry(r.ID) && slices.Contains(p.used, r.ID) {
			out.Unprinted = append(out.Unprinted, r.ID)
			if p.pair.Ledger == nil {
				out.Notes = append(out.Notes, fmt.Sprintf("%s: rule %s transcribes no production", r.Pos, strings.TrimSuffix(r.ID, subject.NoProduction)))
			}
		}
	}
	out.Lint = p.lint()
	text := map[string][]Fault{}
	if p.pair.Ledger != nil {
		t := &transcription{ledger: p.pair.Ledger, rules: p.pair.PEG, report: func(id, format string, args ...any) {
			text[id] = append(text[id], Fault{Production: id, Kind: Transcription, Place: p.placeOf(id), Message: fmt.Sprintf(format, args...)})
		}}
		t.check()
		for _, r := range p.rows {
			r.Mark = t.mark(r.bnf, r.peg)
		}
	}
	for _, r := range p.rows {
		out.Productions = append(out.Productions, r.Row)
		out.Hidden = append(out.Hidden, r.hidden...)
		if r.ambiguity != nil {
			out.Ambiguities = append(out.Ambiguities, *r.ambiguity)
		}
		out.Faults = append(out.Faults, r.faults...)
		out.Notes = append(out.Notes, r.notes...)
		out.Faults = append(out.Faults, text[r.Production]...)
		delete(text, r.Production)
	}
	if len(p.opts.Productions) == 0 {
		for _, id := range slices.Sorted(maps.Keys(text)) {
			out.Faults = append(out.Faults, text[id]...)
		}
	}
	out.Hidden = inOrder(out.Hidden)
	if len(p.opts.Productions) == 0 {
		out.Unreached = p.unreached()
	}
	p.settle(out)
	return out
}

// placeOf returns the place of a rule, or of a production without one.
func (p *proof) placeOf(id string) string {
	for _, g := range []*expr.Grammar{p.pair.PEG, p.pair.BNF} {
		if r := g.Rule(id); r != nil {
			return r.Pos.String()
		}
	}
	return p.pair.PEG.File
}

// lint lists the BNF's repetitions of what can be empty, and additions before what they add to. A PEG that repeats what can
// be empty would do so for ever, and is refused.
func (p *proof) lint() (list []string) {
	for _, f := range bnf.Lint(p.pair.BNF) {
		if (f.Check == bnf.EmptyRepeated || f.Check == bnf.AddedFirst) && p.needed[f.Rule] {
			list = append(list, f.String())
		}
	}
	return list
}

// name returns a production's name in the text. A node that is made for no production keeps its ID.
func (p *proof) name(id string) string {
	if r := p.pair.BNF.Rule(id); r != nil {
		return r.Name
	}
	return id
}

// isEntry reports whether a rule is one that a .peg file has beside the productions: see [peg.IsEntry].
func (p *proof) isEntry(id string) bool {
	return p.pair.Ledger != nil && peg.IsEntry(&expr.Rule{ID: id})
}

// unreached lists the productions that the start does not lead to.
func (p *proof) unreached() []string {
	reached := p.pair.BNF.Reach(p.pair.Start)
	var out []string
	for _, r := range p.pair.BNF.Rules {
		if !slices.Contains(reached, r.ID) {
			out = append(out, r.ID)
		}
	}
	return out
}
