package prove

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/peg"
)

// A Pair is a grammar in a BNF and its transcription as a PEG. [Published] and [Files] make pairs.
type Pair struct {
	BNF *expr.Grammar // unordered
	PEG *expr.Grammar // ordered; a rule for a production has the production's ID

	// Start is the ID of the production that an input is usually parsed as; "" is the first.
	Start string

	// Ledger is the published text with its readings; BNF is its default grammar. Then the PEG is held against the text
	// as well, rule by rule, and what is ambiguous must be settled in the ledger. It is nil for a pair that claims
	// nothing of the kind.
	Ledger *bnf.Source

	// Parsers are made from the PEG and build trees, which are held against the BNF.
	Parsers []Parser
}

// Options says how [Prove] works. The zero value is the default.
type Options struct {
	// Productions are the IDs of those to prove, with all that they use; the whole grammar if there are none.
	Productions []string

	// Words is how many strings of each production are given to each of the parsers, at most; 0 stands for
	// [DefaultWords], and a negative number for no bound. Of more than that a part is drawn, the same every time.
	Words int

	Limits lang.Limits // for the automata
}

// DefaultWords is how many strings each parser is given of each production where nothing else is asked for.
const DefaultWords = 150

// A Report is all that [Prove] finds out about a pair.
type Report struct {
	Grammar string `json:"grammar"`
	Title   string `json:"title"`
	BNF     string `json:"bnf"` // the files
	PEG     string `json:"peg"`
	Start   string `json:"start"`

	// Productions has a row for each production of the BNF that the PEG has a rule for, in the order of the text.
	Productions []Row `json:"productions"`

	// Untranscribed are the productions without a rule, and Unprinted the rules without a production, entries apart. For
	// a published grammar these are faults.
	Untranscribed []string `json:"untranscribed,omitempty"`
	Unprinted     []string `json:"unprinted,omitempty"`

	// Unreached are the productions that Start does not lead to.
	Unreached []string `json:"unreached,omitempty"`

	Hidden      []Hidden    `json:"hidden,omitempty"`
	Ambiguities []Ambiguity `json:"ambiguities,omitempty"`

	// Samples says what each parser was given. What it did wrong is among the faults.
	Samples []Sample `json:"samples,omitempty"`

	// Faults is what was to be proven and does not hold, in the order of the productions.
	Faults []Fault `json:"faults"`
}

// Holds says whether all that was to be proven is.
func (r *Report) Holds() bool { return len(r.Faults) == 0 }

// A Row is what was found out about one production.
type Row struct {
	Production string `json:"production"` // its ID
	Name       string `json:"name"`
	Part       string `json:"part,omitempty"`
	Page       int    `json:"page,omitempty"`
	Line       int    `json:"line,omitempty"`
	Mark       string `json:"mark,omitempty"` // how its rule must be marked

	// Equal says that the rule matches what the production derives and nothing else. Where it does not, BNFOnly is the
	// shortest string that only the production derives, and PEGOnly the shortest one that only the rule matches.
	Equal   bool  `json:"equal"`
	BNFOnly *Word `json:"bnf_only,omitempty"`
	PEGOnly *Word `json:"peg_only,omitempty"`

	// BNFStates and PEGStates are the sizes of the minimal automata, complete and so with a dead state if they need
	// one, and Classes the number of classes of bytes that the production tells apart.
	BNFStates int `json:"bnf_states"`
	PEGStates int `json:"peg_states"`
	Classes   int `json:"classes"`

	// Node says that the production is a node of the tree, and Tree whether its trees are proven to be the derivations
	// that the BNF has and the ledger chooses. Without a ledger nothing is said about trees.
	Node bool  `json:"node,omitempty"`
	Tree Proof `json:"tree,omitempty"`
}

// Proof is how much is known about a claim.
type Proof string

// How much is known.
const (
	Proven  Proof = "proven"
	Refuted Proof = "refuted"
	Open    Proof = "open" // not asked: the languages differ already, or a limit was passed
)

// An Ambiguity is a production with a string that it derives in several ways, as far as the tree would show it.
type Ambiguity struct {
	Production  string   `json:"production"`
	Word        Word     `json:"word"` // the shortest such string
	Derivations []string `json:"derivations"`
	Shown       string   `json:"shown,omitempty"`    // the one that the tree shows
	Readings    []string `json:"readings,omitempty"` // the ledger's entries that choose it
	Chosen      bool     `json:"chosen"`             // for every string they leave one derivation
}

// A Fault is something that was to be proven and does not hold.
type Fault struct {
	Production string `json:"production"`
	Kind       Kind   `json:"kind"`
	Message    string `json:"message"`
	Word       *Word  `json:"word,omitempty"`
}

// Kind says what a [Fault] is about.
type Kind string

// The kinds of faults.
const (
	Language      Kind = "language"      // the rule does not match what the production derives
	Transcription Kind = "transcription" // the .peg file is not the text's BNF rule by rule, or a mark is wrong
	Derivation    Kind = "derivation"    // an ambiguity that the ledger does not settle, or an entry without one
	TreeFault     Kind = "tree"          // a tree that is not the derivation that the ledger chooses
	Limit         Kind = "limit"         // an automaton that cannot be built
)

// String gives the fault in one line.
func (f Fault) String() string { return f.Production + ": " + f.Message }

// Prove holds the PEG of a pair against its BNF: the languages, the text, the choices that hide alternatives, the
// ambiguities and the trees. What does not hold is in the report; an error is a pair that nothing can be said about,
// because no rule of the PEG has the ID of a production, or Start is none.
func Prove(pair Pair, o Options) (*Report, error) {
	if pair.Start == "" && len(pair.BNF.Rules) > 0 {
		pair.Start = pair.BNF.Rules[0].ID
	}
	if pair.BNF.Rule(pair.Start) == nil {
		return nil, fmt.Errorf("%s has no production %q", pair.BNF.Name, pair.Start)
	}
	for _, id := range o.Productions {
		if pair.BNF.Rule(id) == nil {
			return nil, fmt.Errorf("%s has no production %q", pair.BNF.Name, id)
		}
	}
	p := newProof(pair, o)
	if len(p.rows) == 0 {
		return nil, fmt.Errorf("no rule of %s has the name of a production of %s", pair.PEG.File, pair.BNF.File)
	}
	if err := p.compile(); err != nil {
		return nil, err
	}
	each(len(p.rows), func(i int) { p.rows[i].languages(p) })
	each(len(p.rows), func(i int) { p.rows[i].bracketed(p) })
	for _, r := range p.rows {
		if r.made != nil {
			p.makers[r.Production] = r.maker
		}
	}
	each(len(p.rows), func(i int) { p.rows[i].trees(p) })
	p.sample()
	return p.report(), nil
}

// ProveAll proves several pairs at once, and gives their reports in the order of the pairs.
func ProveAll(pairs []Pair, o Options) ([]*Report, error) {
	reports := make([]*Report, len(pairs))
	errs := make([]error, len(pairs))
	each(len(pairs), func(i int) { reports[i], errs[i] = Prove(pairs[i], o) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return reports, nil
}

// each calls f for 0..n-1, as many at once as there are processors, the last ones first: a text begins with what
// everything else is part of or ends with it, and the biggest should not be left for the end.
func each(n int, f func(i int)) {
	var wait sync.WaitGroup
	jobs := make(chan int)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range jobs {
				f(i)
			}
		})
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
	wait.Wait()
}

// A proof is one at work.
type proof struct {
	pair   Pair
	opts   Options
	limits lang.Limits
	rows   []*row

	alphabet   *alphabet
	lookaheads *lookaheads
	used       []string             // IDs of the productions and rules that matter
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

// A row is a production at work.
type row struct {
	Row
	bnf, peg *expr.Rule

	words *lang.DFA // what the rule matches
	runs  *runs
	maker
	derived   *lang.DFA // the bracketed words of the BNF
	ambiguous *lang.DFA // the words with several derivations; nil if there are none

	hidden    []Hidden
	ambiguity *Ambiguity
	faults    []Fault
}

func (r *row) fault(k Kind, w *Word, format string, args ...any) {
	r.faults = append(r.faults, Fault{r.Production, k, fmt.Sprintf(format, args...), w})
}

func newProof(pair Pair, o Options) *proof {
	p := &proof{
		pair: pair, opts: o, limits: o.Limits,
		recursive: map[string]bool{}, words: map[string]*lang.DFA{}, failed: map[string]error{}, nodes: map[string]bool{},
		ruleOf: map[*expr.Expr]string{}, choose: map[string][]bnf.Clause{}, settled: map[string][]string{},
		byID: map[string]*row{}, makers: map[string]maker{},
	}
	if len(o.Productions) == 0 {
		for _, r := range slices.Concat(pair.BNF.Rules, pair.PEG.Rules) {
			o.Productions = append(o.Productions, r.ID)
		}
	}
	p.used = append(called(pair.BNF, o.Productions...), called(pair.PEG, o.Productions...)...)
	for _, r := range pair.BNF.Rules {
		rule := pair.PEG.Rule(r.ID)
		if rule == nil || !slices.Contains(p.used, r.ID) {
			continue
		}
		for _, id := range expr.Refs(rule.Expr) {
			if slices.Contains(called(pair.PEG, id), r.ID) {
				p.recursive[r.ID] = true
			}
		}
		row := &row{bnf: r, peg: rule}
		row.Row = Row{Production: r.ID, Name: r.Name, Part: r.Part, Page: r.Page, Line: r.Line}
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
	return p
}

// compile makes what all rows need: the words of every production, and what the PEG looks ahead for.
func (p *proof) compile() error {
	p.alphabet = newAlphabet(p.pair.BNF, p.pair.PEG)
	var wait sync.WaitGroup
	wait.Go(func() {
		for _, r := range p.pair.BNF.Rules {
			if !slices.Contains(p.used, r.ID) {
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

// longerThan says whether a has words of more than n bytes. Without a tree to say which productions are nodes, those that
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

func (p *proof) compilePEG() error {
	l, err := lang.NewPEG(p.pair.PEG, p.limits)
	if err != nil {
		return err
	}
	for _, r := range p.rows {
		if r.words, err = l.Whole(expr.To(r.Production)); err != nil {
			r.fault(Limit, nil, "%v", err)
		}
	}
	var rules []*expr.Rule
	for _, r := range p.pair.PEG.Rules {
		if slices.Contains(p.used, r.ID) {
			rules = append(rules, r)
		}
	}
	p.lookaheads, err = newLookaheads(p.alphabet, rules, l)
	return err
}

// languages compares what the rule matches with what the production derives.
func (r *row) languages(p *proof) {
	r.Mark = string(compareText(r.bnf.Expr, r.peg.Expr))
	r.Node = p.pair.Ledger != nil && p.nodes[r.Production]
	words := p.words[r.Production]
	if err := p.failed[r.Production]; err != nil {
		r.fault(Limit, nil, "%v", err)
	}
	if r.words == nil || words == nil {
		return
	}
	r.BNFStates, r.PEGStates, r.Classes = words.States(), r.words.States(), words.Classes()
	var err error
	if r.runs, err = newRuns(p.pair.PEG, p.lookaheads, expr.To(r.Production), runOptions{nodes: p.hasTree(r)}, p.limits); err != nil {
		r.fault(Limit, nil, "%v", err)
	}
	if r.Equal = r.words.Equal(words); r.Equal {
		return
	}
	if w, ok := words.Minus(r.words).Shortest(); ok {
		r.BNFOnly = word(w)
		r.fault(Language, r.BNFOnly, "the production derives %s, and the rule does not match it%s", *r.BNFOnly, p.blame(r, w))
	}
	if w, ok := r.words.Minus(words).Shortest(); ok {
		r.PEGOnly = word(w)
		r.fault(Language, r.PEGOnly, "the rule matches %s, and the production does not derive it", *r.PEGOnly)
	}
}

// hasTree says whether the trees of a rule are a matter of the proof. Those of a rule that calls itself, or one that does,
// are not flat, and wrong already.
func (p *proof) hasTree(r *row) bool {
	if p.pair.Ledger == nil {
		return false
	}
	if p.recursive[r.Production] {
		r.fault(TreeFault, nil, "the rule calls itself, so that its nodes stand in one another")
	}
	return !slices.ContainsFunc(called(p.pair.PEG, r.Production), func(id string) bool { return p.recursive[id] })
}

// called lists the rules of g that are used when some of them are, these included.
func called(g *expr.Grammar, ids ...string) []string {
	out := slices.Clone(ids)
	seen := map[string]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	for i := 0; i < len(out); i++ {
		r := g.Rule(out[i])
		if r == nil {
			continue
		}
		for _, id := range expr.Refs(r.Expr) {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// blame says which choice loses w, if it is one.
func (p *proof) blame(r *row, w string) string {
	all, err := newRuns(p.pair.PEG, p.lookaheads, expr.To(r.Production), runOptions{relaxed: func(option) bool { return true }}, p.limits)
	if err != nil {
		return ""
	}
	dev, ok := all.deviations(w)
	if !ok || len(dev) == 0 {
		return ""
	}
	d := dev[0]
	return fmt.Sprintf(": at offset %d %s hides %s in %s (%s)", d.offset, d.instead.name(), d.name(), p.ruleOf[d.e], d.e.Pos)
}

// bracketed compares what the rule makes with the production's derivations, and finds what is ambiguous and what is
// hidden.
func (r *row) bracketed(p *proof) {
	if r.runs == nil {
		return
	}
	if err := r.findHidden(p); err != nil {
		r.fault(Limit, nil, "%v", err)
	}
	inner := r.peg.Expr
	if inner.Op == expr.Node {
		inner = inner.Sub[0]
	}
	err := func() (err error) {
		kinds := childKinds(r.bnf.Expr, func(id string) bool { return p.nodes[id] })
		r.brackets, err = newBrackets(p.alphabet, append(kinds, madeKinds(p.pair.PEG, inner)...)...)
		if err != nil {
			return err
		}
		node := func(id string) bool { return p.nodes[id] }
		words := func(id string) *lang.DFA {
			if w := p.words[id]; w != nil {
				return w
			}
			return lang.Empty()
		}
		if r.derived, err = r.brackets.derived(r.bnf, node, words, p.limits); err != nil {
			return err
		}
		if r.runs.how.nodes {
			r.made, err = r.brackets.made(r.runs, r.peg, p.limits)
		}
		return err
	}()
	if err == nil {
		err = r.findAmbiguity(p)
	}
	if err != nil {
		r.fault(Limit, nil, "%v", err)
	}
}

// findHidden looks for alternatives that are never taken when the rule is the start, or lose strings, and for the start
// of the whole grammar for those in all rules that it leads to.
func (r *row) findHidden(p *proof) error {
	own, _ := options(r.peg.Expr)
	taken := r.runs.taken()
	for _, o := range neverTaken(own, taken) {
		r.hidden = append(r.hidden, o.hidden(r.Production, r.Production))
	}
	lost, err := p.losses(r.Production, own, r.words, p.ruleOf)
	if err != nil {
		return err
	}
	r.hidden = append(r.hidden, lost...)
	if err := r.hiddenAhead(p, r.peg.Expr); err != nil {
		return err
	}
	if r.Production != p.pair.Start {
		return nil
	}
	var all []*expr.Expr
	for _, rule := range p.pair.PEG.Rules {
		if rule.ID != r.Production {
			choices, _ := options(rule.Expr)
			all = append(all, choices...)
		}
	}
	for _, o := range neverTaken(all, taken) {
		r.hidden = append(r.hidden, o.hidden(p.ruleOf[o.e], r.Production))
	}
	lost, err = p.losses(r.Production, all, r.words, p.ruleOf)
	r.hidden = append(r.hidden, lost...)
	return err
}

// hiddenAhead looks for alternatives that are never taken in the lookaheads of e, whatever is to come.
func (r *row) hiddenAhead(p *proof, e *expr.Expr) error {
	_, ahead := options(e)
	for _, operand := range ahead {
		runs, err := newRuns(p.pair.PEG, p.lookaheads, operand, runOptions{prefix: true}, p.limits)
		if err != nil {
			return err
		}
		choices, _ := options(operand)
		for _, o := range neverTaken(choices, runs.taken()) {
			h := o.hidden(r.Production, r.Production)
			h.Lookahead = true
			r.hidden = append(r.hidden, h)
		}
		if err := r.hiddenAhead(p, operand); err != nil {
			return err
		}
	}
	return nil
}

// maxDerivations is how many derivations of one string are looked at.
const maxDerivations = 1000

// findAmbiguity looks for strings with several derivations, and holds the ledger against what it finds.
func (r *row) findAmbiguity(p *proof) error {
	amb, err := r.brackets.ambiguous(r.derived, p.limits)
	if err != nil {
		return err
	}
	settled := p.settled[r.Production]
	w, ok := amb.Shortest()
	if !ok {
		if len(settled) > 0 {
			r.fault(Derivation, nil, "%s chooses among derivations, and there is one of every string", settled[0])
		}
		return nil
	}
	r.ambiguous = amb
	name := func(id string) string { return p.pair.BNF.Rule(id).Name }
	all := r.derivations(r.derived, w, maxDerivations)
	a := &Ambiguity{Production: r.Production, Word: Word(w), Readings: settled}
	for _, d := range all {
		a.Derivations = append(a.Derivations, d.show(w, name))
	}
	r.ambiguity = a
	if p.pair.Ledger == nil {
		return nil
	}
	if len(settled) == 0 {
		r.fault(Derivation, word(w), "%s has several derivations, %s and %s, and no reading chooses one", Word(w), a.Derivations[0], a.Derivations[1])
	} else if best := chosen(all, p.choose[r.Production]); len(best) != 1 {
		r.fault(Derivation, word(w), "%s has several derivations, and %d are left by %s", Word(w), len(best), settled)
	}
	return nil
}

// trees proves that the rule makes the trees that it should.
func (r *row) trees(p *proof) {
	if p.pair.Ledger == nil || r.made == nil || !r.Equal || len(r.faults) > 0 {
		return
	}
	name := func(id string) string { return p.pair.BNF.Rule(id).Name }
	show := func(w string) string {
		if made := r.derivations(r.made, w, 1); len(made) == 1 {
			return made[0].show(w, name)
		}
		return w
	}
	r.Tree = Refuted
	err := func() error {
		if wrong := r.made.Minus(r.derived); !wrong.IsEmpty() {
			words, err := r.plain(wrong, p.limits)
			if err != nil {
				return err
			}
			w, _ := words.Shortest()
			r.fault(TreeFault, word(w), "the tree of %s is no derivation: %s", Word(w), show(w))
			return nil
		}
		if r.ambiguous != nil {
			wrong, err := r.notChosen(r.made, r.derived, p.choose[r.Production], p.limits)
			if err != nil {
				return err
			}
			if wrong != nil {
				w, _ := wrong.Shortest()
				best := chosen(r.derivations(r.derived, w, maxDerivations), p.choose[r.Production])
				var want []string
				for _, d := range best {
					want = append(want, d.show(w, name))
				}
				r.fault(TreeFault, word(w), "the tree of %s shows %s, and %s leaves %s", Word(w), show(w), p.settled[r.Production], want)
				return nil
			}
			r.ambiguity.Chosen = true
			r.ambiguity.Shown = show(string(r.ambiguity.Word))
		}
		wrong, err := madeOtherwise(r.runs, r.peg.Expr.Op == expr.Node, p.makers, p.limits)
		if err != nil {
			return err
		}
		if wrong != nil {
			w, _ := wrong.Shortest()
			r.fault(TreeFault, word(w), "in the tree of %s there is a node that its production does not make of the same text as a start", Word(w))
			return nil
		}
		r.Tree = Proven
		return nil
	}()
	if err != nil {
		r.Tree = Open
		r.fault(Limit, nil, "%v", err)
	}
}

// report puts everything together.
func (p *proof) report() *Report {
	out := &Report{
		Grammar: p.pair.BNF.Name, Title: p.pair.BNF.Title, BNF: p.pair.BNF.File, PEG: p.pair.PEG.File,
		Start: p.pair.Start, Samples: p.samples, Faults: []Fault{},
	}
	for _, r := range p.pair.BNF.Rules {
		if p.pair.PEG.Rule(r.ID) == nil && slices.Contains(p.used, r.ID) {
			out.Untranscribed = append(out.Untranscribed, r.ID)
		}
	}
	for _, r := range p.pair.PEG.Rules {
		if p.pair.BNF.Rule(r.ID) == nil && !p.isEntry(r.ID) && slices.Contains(p.used, r.ID) {
			out.Unprinted = append(out.Unprinted, r.ID)
		}
	}
	text := map[string][]Fault{}
	if p.pair.Ledger != nil {
		t := &transcription{ledger: p.pair.Ledger, rules: p.pair.PEG, report: func(id, format string, args ...any) {
			text[id] = append(text[id], Fault{id, Transcription, fmt.Sprintf(format, args...), nil})
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
	return out
}

// isEntry says whether a rule is one that a .peg file has beside the productions: see [peg.IsEntry].
func (p *proof) isEntry(id string) bool {
	return p.pair.Ledger != nil && peg.IsEntry(&expr.Rule{ID: id})
}

// unreached lists the productions that the start does not lead to.
func (p *proof) unreached() []string {
	reached := called(p.pair.BNF, p.pair.Start)
	var out []string
	for _, r := range p.pair.BNF.Rules {
		if !slices.Contains(reached, r.ID) {
			out = append(out, r.ID)
		}
	}
	return out
}
