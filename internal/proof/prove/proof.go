package prove

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/proof/bnftopeg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A proof is one at work.
type proof struct {
	looked int   // for how many rules mend was called
	began  int64 // steps taken before
	pair   catalog.Pair
	opts   Options
	limits lang.Limits
	rows   []*row

	facts      *expr.Facts // of the BNF
	alphabet   *alphabet
	lookaheads *lookaheads
	used       map[string]bool // productions and rules that matter
	needed     map[string]bool // productions that were asked for, and those that they use
	index      map[string]int  // of each production in the BNF
	missing    *missing
	recursive  map[string][]*expr.Rule // rules that call themselves
	space      *lang.Space             // all languages below
	derives    *lang.BNF               // what productions derive
	matches    *lang.PEG               // what rules match
	depth      *depth                  // where recursions are read to a depth
	structure  *structure              // what needs no automata; nil until it is needed
	words      map[string]*lang.DFA    // of each production of the BNF that is not too large to be looked at further
	failed     map[string]error        // productions whose words cannot be computed
	tooMany    int                     // productions whose words are known and not in words
	culprits   map[*expr.Rule]expr.Pos
	nodes      map[string]bool
	ruleOf     map[*expr.Expr]string // the rule that a choice stands in
	choose     map[string][]bnf.Clause
	settled    map[string][]string // production -> the readings that choose its derivations
	byID       map[string]*row
	idents     []string // of the PEG's rules, once they are needed
	makers     map[string]maker
	samples    []Sample
	former     *bnftopeg.Forms      // see [proof.forms]
	mending    map[string]*lang.PEG // by the wrong rules that are read as right
}

func newProof(pair catalog.Pair, o Options) *proof {
	p := &proof{
		pair: pair, opts: o, limits: o.Limits,
		recursive: expr.Circles(pair.PEG.Rules, expr.Refs), words: map[string]*lang.DFA{}, failed: map[string]error{}, nodes: map[string]bool{},
		ruleOf: map[*expr.Expr]string{}, choose: map[string][]bnf.Clause{}, settled: map[string][]string{},
		byID: map[string]*row{}, makers: map[string]maker{},
		needed: pair.BNF.Reached(o.Productions...), index: map[string]int{}, culprits: map[*expr.Rule]expr.Pos{},
	}
	for i, r := range pair.BNF.Rules {
		p.index[r.ID] = i
		if len(o.Productions) == 0 {
			p.needed[r.ID] = true
		}
	}
	if len(o.Productions) == 0 {
		o.Productions = expr.IDs(slices.Concat(pair.BNF.Rules, pair.PEG.Rules))
	}
	p.used = pair.BNF.Reached(o.Productions...)
	maps.Copy(p.used, pair.PEG.Reached(o.Productions...))
	for _, r := range pair.BNF.Rules {
		rule := pair.PEG.Rule(r.ID)
		if rule == nil || !p.needed[r.ID] {
			continue
		}
		row := &row{bnf: r, peg: rule, shown: pair.BNF.Shown}
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

// compile makes what all rows need: what every production derives and every rule matches, in one space, where the two are
// equal if they are the same number; where they differ, the words; and what the PEG looks ahead for.
func (p *proof) compile() error {
	p.alphabet = newAlphabet(p.pair.BNF, p.pair.PEG)
	p.space = lang.NewSpace(p.limits, []*expr.Grammar{p.pair.BNF, p.pair.PEG})
	var err error
	if p.derives, err = p.space.BNF(p.pair.BNF); err != nil {
		return err
	}
	if p.matches, err = p.space.PEG(p.pair.PEG); err != nil {
		return err
	}
	if p.depth, err = p.newDepth(); err != nil {
		return err
	}
	for _, r := range p.rows {
		p.compare(r)
	}
	p.mending = map[string]*lang.PEG{"": p.matches}
	p.findCauses()
	p.mending = nil
	p.keepWords()
	p.lookaheads = newLookaheads(p.alphabet, p.pair.PEG.Those(p.used), p.matches)
	p.lookaheads.reaches = p.pair.PEG.Using(slices.Collect(maps.Keys(p.lookaheads.failed))...)
	for _, r := range p.pair.PEG.Rules {
		choices, _ := options(r.Expr)
		for _, c := range choices {
			p.ruleOf[c] = r.ID
		}
	}
	for _, r := range p.pair.BNF.Rules {
		if p.pair.Ledger != nil {
			rule := p.pair.PEG.Rule(r.ID)
			p.nodes[r.ID] = rule != nil && rule.Expr.Op == expr.Node
		} else if row := p.byID[r.ID]; row != nil && !row.known {
			continue // nothing is looked at in which it could be a node
		} else if l, err := p.derived(r.ID); err == nil {
			p.nodes[r.ID] = p.space.LongerThan(l, 3) // others are taken for characters: an escape such as %41 is the longest
		}
	}
	return nil
}

// derived returns what a production derives.
func (p *proof) derived(id string) (lang.Language, error) {
	if !p.needed[id] || p.missing.open[id] {
		return lang.NoWord, errNotAsked
	}
	return p.text(p.derives.Of(id))
}

// text leaves what is well-formed text, if the PEG is about that.
func (p *proof) text(l lang.Language, err error) (lang.Language, error) {
	if err != nil || !p.pair.PEG.UTF8 {
		return l, err
	}
	return p.space.TextOf(l)
}

var errNotAsked = errors.New("it is not known what the production derives")

// manyRows is from how many rules on the automata of those are not built that are proven without: see [structure].
const manyRows = 256

// compare compares what a rule matches with what its production derives.
func (p *proof) compare(r *row) {
	if r.peg.Refused != nil {
		p.refuse(r, p.pair.PEG, r.peg.Refused)
		return
	}
	if len(p.rows) > manyRows && p.structured(r) {
		return
	}
	if p.missing.open[r.Production] {
		_, err := p.matches.WholeOf(expr.To(r.Production))
		p.refuse(r, p.pair.PEG, err)
		return
	}
	if p.depth.needed(r.Production) {
		if p.structured(r) { // at every depth
			return
		}
		p.compareToDepth(r)
		return
	}
	matched, matchErr := p.matches.WholeOf(expr.To(r.Production))
	derived, deriveErr := p.derived(r.Production)
	if (matchErr != nil || deriveErr != nil) && p.structured(r) {
		return
	}
	p.refuse(r, p.pair.PEG, matchErr)
	p.refuse(r, p.pair.BNF, deriveErr)
	if matchErr != nil || deriveErr != nil {
		return
	}
	r.known, r.derivedLanguage, r.matched = true, derived, matched
	if r.Equal = matched == derived; !r.Equal {
		r.bnfOnly, r.pegOnly = p.witness(derived, matched), p.witness(matched, derived)
	}
}

// A witness is a word that one of two languages has, nil if there is none or it is too large to be found.
type witness struct {
	word *quote.Word
	err  error
}

// words returns the word, if there is one.
func (w witness) words() []quote.Word {
	if w.word == nil {
		return nil
	}
	return []quote.Word{*w.word}
}

func (p *proof) witness(a, b lang.Language) witness {
	l, err := p.space.Minus(a, b)
	if err != nil {
		return witness{err: err}
	}
	return p.shortest(l)
}

func (p *proof) shortest(l lang.Language) (w witness) {
	word, found, err := p.space.Shortest(l)
	if found {
		w.word = new(quote.Word(word))
	}
	w.err = err
	return w
}

// refuse records why the words of a production or a rule are not known.
func (p *proof) refuse(r *row, g *expr.Grammar, err error) {
	if err == nil {
		return
	}
	place := r.RulePlace
	if g == p.pair.BNF {
		place = r.Place
	}
	because := ""
	if e, ok := errors.AsType[*lang.TooLarge](err); ok && e.Rule != nil {
		at := expr.Memo(p.culprits, e.Rule, func() expr.Pos { return largest(g, e.Rule) })
		because = fmt.Sprintf("; what makes it so is %s (%s)", e.Rule.Label(), at)
	}
	r.fault(failure(err), nil, "%v%s", err, because)
	r.faults[len(r.faults)-1].Place = place
}

// maxLooked is how many states the automata may have, together, that are looked at beside the proof of languages: for what
// is hidden, and what is ambiguous.
const (
	maxLooked = 1 << 18
	maxEach   = 1 << 14 // the states of one
)

// keepWords makes automata of the words of productions and rules, and counts their states, as long as they are not too many
// together. For a grammar with trees, and for parsers, all are needed.
func (p *proof) keepWords() {
	type kept struct {
		id              string
		l               lang.Language
		states, classes int
	}
	whole := p.pair.Ledger != nil || len(p.pair.Parsers) > 0
	left := int64(8 * maxLooked) // of the work to count them
	measure := func(id string, l lang.Language) (k kept, ok bool) {
		k = kept{id: id, l: l}
		if !whole {
			k.states, k.classes, ok = p.space.States(l, int(min(left, maxEach)))
			left -= int64(max(k.states, 1))
			if !ok {
				left -= min(left, maxEach)
			}
		}
		return k, ok || whole
	}
	var all []kept
	for _, r := range p.pair.BNF.Rules {
		row := p.byID[r.ID]
		if row != nil && !row.known {
			continue
		}
		l, err := p.derived(r.ID)
		if row != nil {
			l, err = row.derivedLanguage, nil
		}
		if err != nil {
			continue
		}
		k, ok := measure(r.ID, l)
		if row != nil {
			row.BNFStates, row.Classes = k.states, k.classes
			row.PEGStates = k.states
			if !row.Equal && ok {
				var matched kept
				matched, ok = measure(r.ID, row.matched)
				row.PEGStates = matched.states
				k.states += matched.states
			}
		}
		if ok {
			all = append(all, k)
		} else {
			p.tooMany++
		}
	}
	slices.SortStableFunc(all, func(a, b kept) int { return a.states - b.states })
	states := 0
	for _, k := range all {
		row := p.byID[k.id]
		a, err := (*lang.DFA)(nil), error(nil)
		if states += k.states; states <= maxLooked {
			a, err = p.space.DFA(k.l)
		}
		if a == nil || err != nil {
			p.tooMany++
			continue
		}
		p.words[k.id] = a
		if row == nil {
			continue
		}
		row.BNFStates, row.PEGStates, row.Classes, row.words = a.States(), a.States(), a.Classes(), a
		if !row.Equal {
			if row.words, err = p.space.DFA(row.matched); err != nil {
				row.words = nil
				p.tooMany++
				continue
			}
			row.PEGStates = row.words.States()
		}
	}
}

// report puts everything together.
func (p *proof) report() *Report {
	out := &Report{
		Grammar: p.pair.BNF.Name, Title: p.pair.BNF.Title, BNF: p.pair.BNF.File, PEG: p.pair.PEG.File,
		codePoints: p.pair.BNF.CodePoints, Start: p.pair.Start, Samples: p.samples, Productions: []Row{}, Faults: append([]Fault{}, p.missing.undefined...),
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
		if p.pair.BNF.Rule(r.ID) == nil && !p.isEntry(r.ID) && p.used[r.ID] {
			out.Unprinted = append(out.Unprinted, r.ID)
			if p.pair.Ledger == nil {
				out.Notes = append(out.Notes, fmt.Sprintf("%s: rule %s transcribes no production", r.Pos, strings.TrimSuffix(r.ID, catalog.NoProduction)))
			}
		}
	}
	out.Lint = p.lint()
	for _, n := range p.pair.Notices {
		if n.Taken != "" {
			out.Notes = append(out.Notes, n.String())
		} else {
			out.Lint = append(out.Lint, n.String())
		}
	}
	if blocks := p.pair.Blocks; len(blocks) > 1 {
		for _, b := range blocks {
			out.Read = append(out.Read, b.String())
		}
	}
	out.Notes = append(out.Notes, p.depth.notes()...)
	if p.tooMany > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("which alternatives are hidden, and what is ambiguous, was not looked for in %s: the automata take more than %d states, more than %d together, or more than the budget has left", layout.Plural(p.tooMany, "production"), maxEach, maxLooked))
	}
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
		empty := p.nothing(r)
		r.Equal = r.Equal && len(empty) == 0
		r.Decided = r.decided()
		out.Productions = append(out.Productions, r.Row)
		out.Hidden = append(out.Hidden, r.hidden...)
		if r.ambiguity != nil {
			out.Ambiguities = append(out.Ambiguities, *r.ambiguity)
		}
		out.Faults = append(out.Faults, empty...)
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
	for _, r := range p.rows {
		if r.cause != nil && r.cause.Production == r.Production {
			out.Causes = append(out.Causes, *r.cause)
		}
	}
	later := map[string][]string{}
	for _, r := range p.rows {
		later[r.Production] = r.root
	}
	for i := range out.Faults {
		out.Faults[i].Because = later[out.Faults[i].Production]
	}
	before := map[Verdict]int{VerdictEmpty: -2, VerdictRefuted: -1}
	slices.SortStableFunc(out.Faults, func(a, b Fault) int {
		return cmp.Or(min(1, len(a.Because))-min(1, len(b.Because)), before[a.Kind.verdict()]-before[b.Kind.verdict()])
	})
	out.Hidden = inOrder(out.Hidden)
	for i, h := range out.Hidden {
		out.Hidden[i].said = slices.ContainsFunc(p.rows, func(r *row) bool {
			return slices.ContainsFunc(r.blamed, func(o option) bool { return o.e.Pos == h.Pos && o.name() == h.Alternative })
		})
	}
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
	for _, f := range lint.Form(p.pair.BNF) {
		if (f.Code == lint.EmptyRepetition || f.Code == lint.AddedFirst) && p.needed[f.ID] {
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
	reached := p.pair.BNF.Reached(p.pair.Start)
	var out []string
	for _, r := range p.pair.BNF.Rules {
		if !reached[r.ID] {
			out = append(out, r.ID)
		}
	}
	return out
}
