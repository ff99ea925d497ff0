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

// A proof is the state of one call of [Prove]. newProof and then compile set the fields, group by group, before it is
// worked off row by row. A method needs the groups that are set before the step that calls it.
type proof struct {
	pair   catalog.Pair
	opts   Options
	limits lang.Limits
	rows   []*row          // in the order of the BNF
	byID   map[string]*row // by production

	// What there is to prove, as newProof finds it.
	needed map[string]bool // productions that were asked for, and those they use
	// Productions and rules that matter: the needed ones, and all that the PEG's rules for them use.
	used      map[string]bool
	index     map[string]int          // of each production in the BNF
	missing   *missing                // undefined names, and productions without a rule
	recursive map[string][]*expr.Rule // rules that call themselves

	// Languages, all in one space. These and the automata are set by compile.
	alphabet  *alphabet // of both grammars
	space     *lang.Space
	derives   *lang.BNF  // what productions derive
	matches   *lang.PEG  // what rules match
	depth     *depth     // recursions that are read to a depth
	structure *structure // the proof without automata; nil until it is needed
	facts     *expr.Facts
	culprits  map[*expr.Rule]expr.Pos // the part that makes a rule too large

	// Automata for the analyses beside the languages: see [proof.buildWords].
	words          map[string]*lang.DFA // what productions derive
	skippedForSize int                  // productions whose language is known and whose automaton was not made
	lookaheads     *lookaheads
	ruleOf         map[*expr.Expr]string // the rule of each choice

	// Trees. newProof sets what the ledger chooses, compile the nodes, Prove the makers, and runParsers the samples.
	choose  map[string][]bnf.Clause // by production: the ledger's clauses that choose among derivations
	settled map[string][]string     // by production: the ledger's readings with these clauses
	nodes   map[string]bool         // productions that are nodes
	makers  map[string]maker        // the bracketed words that each production makes as a start
	samples []Sample

	// The search for fixes: see mend.go.
	mendAttempts int                  // wrong rules that a fix was searched for
	stepsBefore  int64                // steps of the budget that were taken before the search
	idents       []string             // see [proof.ruleNames]
	cachedForms  *bnftopeg.Forms      // see [proof.formsInPlace]
	wholeCache   map[string]*lang.PEG // computations of [matchWhole], by the wrong rules that were read as right
}

// newProof prepares a proof: a row for each production that is to be proven and has a rule, the choices of the ledger,
// and the names and rules that are missing. With a ledger the trees of each row begin as Open. It computes no
// automaton. The productions of o must be IDs.
func newProof(pair catalog.Pair, o Options) *proof {
	p := &proof{
		pair: pair, opts: o, limits: o.Limits,
		byID:   map[string]*row{},
		needed: pair.BNF.Reached(o.Productions...), index: map[string]int{},
		recursive: expr.Circles(pair.PEG.Rules, expr.Refs), culprits: map[*expr.Rule]expr.Pos{},
		words: map[string]*lang.DFA{}, ruleOf: map[*expr.Expr]string{},
		nodes: map[string]bool{}, makers: map[string]maker{},
		choose: map[string][]bnf.Clause{}, settled: map[string][]string{},
	}
	for i, r := range pair.BNF.Rules {
		p.index[r.ID] = i
		if len(o.Productions) == 0 {
			p.needed[r.ID] = true
		}
	}
	asked := o.Productions
	if len(asked) == 0 {
		asked = expr.IDs(slices.Concat(pair.BNF.Rules, pair.PEG.Rules))
	}
	p.used = pair.BNF.Reached(asked...)
	maps.Copy(p.used, pair.PEG.Reached(asked...))
	for _, r := range pair.BNF.Rules {
		rule := pair.PEG.Rule(r.ID)
		if rule == nil || !p.needed[r.ID] {
			continue
		}
		row := &row{bnf: r, peg: rule, showWord: pair.BNF.Shown}
		row.Row = Row{
			Production: r.ID,
			Name:       r.Name,
			Part:       r.Part,
			Page:       r.Page,
			Line:       r.Line,
			Place:      r.Pos.String(),
			RulePlace:  rule.Pos.String(),
		}
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

// compile computes what all rows need, in one [lang.Space], where equal languages are the same number: the languages
// of all productions and rules; the comparison of each row; the causes of wrong rules, with fixes for them; the
// automata that later analyses use; the lookaheads; and which productions are nodes of trees. A row that cannot be
// computed gets a fault. It fails only for a grammar as a whole: if that cannot be read to the depth that was asked
// for (see newDepth), or if the BNF is ordered or the PEG is not.
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
		p.compareLanguages(r)
	}
	p.wholeCache = map[string]*lang.PEG{"": p.matches}
	p.findCauses()
	p.wholeCache = nil
	p.buildWords()
	p.lookaheads = newLookaheads(p.alphabet, p.pair.PEG.Those(p.used), p.matches)
	p.lookaheads.reaches = p.pair.PEG.Using(slices.Collect(maps.Keys(p.lookaheads.failed))...)
	for _, r := range p.pair.PEG.Rules {
		choices, _ := listChoices(r.Expr)
		for _, c := range choices {
			p.ruleOf[c] = r.ID
		}
	}
	p.findNodes()
	return nil
}

// findNodes sets p.nodes. With a ledger these are the productions whose rule makes a node. Without one nothing says
// which productions are nodes: those whose language is known and has a string of more than three bytes count. Others
// are taken for characters, of which an escape such as %41 is the longest.
func (p *proof) findNodes() {
	for _, r := range p.pair.BNF.Rules {
		if p.pair.Ledger != nil {
			rule := p.pair.PEG.Rule(r.ID)
			p.nodes[r.ID] = rule != nil && rule.Expr.Op == expr.Node
		} else if row := p.byID[r.ID]; row != nil && !row.languagesKnown {
			continue // trees in which it could be a node are not compared
		} else if l, err := p.derived(r.ID); err == nil {
			p.nodes[r.ID] = p.space.LongerThan(l, 3)
		}
	}
}

// derived returns the language that a production derives, without the strings that onlyText takes away. It fails with
// errNotAsked if the production was not asked for or uses a name without a production. Otherwise it fails as
// [lang.BNF.Of] does, or if a limit is passed.
func (p *proof) derived(id string) (lang.Language, error) {
	if !p.needed[id] || p.missing.open[id] {
		return lang.NoWord, errNotAsked
	}
	return p.onlyText(p.derives.Of(id))
}

// onlyText returns the strings of l that are valid UTF-8 if the PEG reads characters, and otherwise l. It passes err
// on.
func (p *proof) onlyText(l lang.Language, err error) (lang.Language, error) {
	if err != nil || !p.pair.PEG.UTF8 {
		return l, err
	}
	return p.space.TextOf(l)
}

// errNotAsked is the error of [proof.derived] for a production that was not asked for, or uses an undefined name.
var errNotAsked = errors.New("it is not known what the production derives")

// manyRows is the number of rules above which a rule is first tried without automata (see
// [structure]), so that those of a very large grammar need not all be built.
const manyRows = 256

// compareLanguages decides whether the rule of r matches exactly what its production derives. It sets r.Equal and, if
// automata decide, the languages and the witnesses; where a depth or structure decides, it also sets Depth or
// Structure.
//
// A rule that the reader has refused only gets a fault. One that nests is compared to the depth that was asked for,
// any other by automata. Structure is tried first if there are more than manyRows rules, or if the rule is compared to
// a depth, and otherwise where automata fail. If nothing decides, it records a fault, and r.Equal stays false. For a
// production that uses an undefined name r.Equal stays false, too; there is a fault only if the rule cannot be
// compiled.
func (p *proof) compareLanguages(r *row) {
	if r.peg.Refused != nil {
		p.recordRefusal(r, p.pair.PEG, r.peg.Refused)
		return
	}
	if len(p.rows) > manyRows && p.proveByStructure(r) {
		return
	}
	if p.missing.open[r.Production] {
		// What the production derives is not known, and structure proves none of these. The rule is compiled only to
		// see whether it is at fault itself.
		_, err := p.matches.WholeOf(expr.To(r.Production))
		p.recordRefusal(r, p.pair.PEG, err)
		return
	}
	if p.depth.appliesTo(r.Production) {
		if p.proveByStructure(r) { // this holds at every depth
			return
		}
		p.compareToDepth(r)
		return
	}
	matched, matchErr := p.matches.WholeOf(expr.To(r.Production))
	derived, deriveErr := p.derived(r.Production)
	if (matchErr != nil || deriveErr != nil) && p.proveByStructure(r) {
		return
	}
	p.recordRefusal(r, p.pair.PEG, matchErr)
	p.recordRefusal(r, p.pair.BNF, deriveErr)
	if matchErr != nil || deriveErr != nil {
		return
	}
	r.languagesKnown, r.derivedLanguage, r.matched = true, derived, matched
	if r.Equal = matched == derived; !r.Equal {
		r.bnfOnly, r.pegOnly = p.findWitness(derived, matched), p.findWitness(matched, derived)
	}
}

// A witness is the shortest word that is in one of two languages and not in the other. Its word is nil if there is
// none, or if err says why it was not found.
type witness struct {
	word *quote.Word
	err  error
}

// asList returns the word, if there is one, as a list.
func (w witness) asList() []quote.Word {
	if w.word == nil {
		return nil
	}
	return []quote.Word{*w.word}
}

// findWitness returns the shortest word that is in a and not in b; the witness has an error if a limit is passed.
func (p *proof) findWitness(a, b lang.Language) witness {
	l, err := p.space.Minus(a, b)
	if err != nil {
		return witness{err: err}
	}
	return p.shortestWord(l)
}

// shortestWord returns the shortest word of l as a witness, with the error if a limit is passed.
func (p *proof) shortestWord(l lang.Language) (w witness) {
	word, found, err := p.space.Shortest(l)
	if found {
		w.word = new(quote.Word(word))
	}
	w.err = err
	return w
}

// recordRefusal adds a fault for err, which kept the language of a production or of its rule from being computed;
// nothing for nil. g is the grammar that err arose in: if that is the BNF, the fault has the place of the
// production, and otherwise that of the rule. If an automaton was too large, the message names the production or
// rule that makes it so, which can be another one, with the place of the part that is too large.
func (p *proof) recordRefusal(r *row, g *expr.Grammar, err error) {
	if err == nil {
		return
	}
	place := r.RulePlace
	if g == p.pair.BNF {
		place = r.Place
	}
	because := ""
	if e, ok := errors.AsType[*lang.TooLarge](err); ok && e.Rule != nil {
		at := expr.Memo(p.culprits, e.Rule, func() expr.Pos { return placeOfLargest(g, e.Rule) })
		because = fmt.Sprintf("; what makes it so is %s (%s)", e.Rule.Label(), at)
	}
	r.addFault(kindOfError(err), nil, "%v%s", err, because)
	r.faults[len(r.faults)-1].Place = place
}

// Limits of the analyses of hidden alternatives and ambiguity, which are not part of the proof of the languages.
const (
	maxLooked = 1 << 18 // states of all automata together
	maxEach   = 1 << 14 // states of one
)

// buildWords makes the automata of the productions whose languages are known: it sets p.words, which must be an empty
// map, and in the rows words and the sizes. A row whose rule is wrong needs two automata: that of the production is in
// p.words, and that of the rule in the row.
//
// For a pair with a ledger or parsers it makes all automata. Otherwise it first counts the states of each, up to
// maxEach, and 8*maxLooked in all. Then it makes the smallest, as long as they have at most maxLooked states together;
// the two of a wrong rule count as one. p.skippedForSize counts the productions that lack one of theirs, also since a
// limit was passed. The row then has no words, and its sizes are set if they were counted. If the automaton of a wrong
// rule alone fails, that of its production is in p.words all the same.
func (p *proof) buildWords() {
	type kept struct {
		id              string
		l               lang.Language
		states, classes int
	}
	whole := p.pair.Ledger != nil || len(p.pair.Parsers) > 0 // all automata are needed
	left := int64(8 * maxLooked)                             // states that may still be counted
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
		if row != nil && !row.languagesKnown {
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
			p.skippedForSize++
		}
	}
	// The smallest first, so that as many as possible are made.
	slices.SortStableFunc(all, func(a, b kept) int { return a.states - b.states })
	states := 0
	for _, k := range all {
		row := p.byID[k.id]
		a, err := (*lang.DFA)(nil), error(nil)
		if states += k.states; states <= maxLooked {
			a, err = p.space.DFA(k.l)
		}
		if a == nil || err != nil {
			p.skippedForSize++
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
				p.skippedForSize++
				continue
			}
			row.PEGStates = row.words.States()
		}
	}
}

// assembleReport collects the results of all rows into a Report and settles the verdict. It is called once, at the
// end. It also completes the rows. With a ledger it compares the transcription, whose differences become faults, and
// sets Mark. It clears Equal where there is a fault of kind Empty, and sets Decided. If productions were asked for, it
// leaves out Unreached, and the faults of the transcription that no row is about. Hidden alternatives that a fault
// names are marked (said).
func (p *proof) assembleReport() *Report {
	out := &Report{
		Grammar:     p.pair.BNF.Name,
		Title:       p.pair.BNF.Title,
		BNF:         p.pair.BNF.File,
		PEG:         p.pair.PEG.File,
		Start:       p.pair.Start,
		codePoints:  p.pair.BNF.CodePoints,
		Assumptions: p.assumptions(),
		InPlace:     p.missing.inPlace,
		Defined:     p.pair.Defined,
		Productions: []Row{},
		Samples:     p.samples,
		Faults:      append([]Fault{}, p.missing.undefined...),
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
				out.Notes = append(out.Notes, fmt.Sprintf("%s: rule %s transcribes no production", r.Pos,
					strings.TrimSuffix(r.ID, catalog.NoProduction)))
			}
		}
	}
	out.Lint = p.lintForm()
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
	if p.skippedForSize > 0 {
		out.Notes = append(out.Notes,
			fmt.Sprintf("which alternatives are hidden, and what is ambiguous, was not looked for in %s: the "+
				"automata take more than %d states, more than %d together, or more than the budget has left",
				layout.Plural(p.skippedForSize, "production"), maxEach, maxLooked))
	}
	text := map[string][]Fault{} // faults of the transcription, by production
	if p.pair.Ledger != nil {
		t := &transcription{ledger: p.pair.Ledger, rules: p.pair.PEG, report: func(id, format string, args ...any) {
			message := fmt.Sprintf(format, args...)
			text[id] = append(text[id], Fault{
				Production: id, Kind: Transcription, Place: p.placeOf(id), Message: message,
			})
		}}
		t.check()
		for _, r := range p.rows {
			r.Mark = t.requiredMark(r.bnf, r.peg)
		}
	}
	for _, r := range p.rows {
		empty := p.emptyFaults(r)
		r.Equal = r.Equal && len(empty) == 0
		r.Decided = r.equalOrOpen()
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
	// Faults of the transcription that no row is about: rules that transcribe nothing, misplaced ones.
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
	because := map[string][]string{}
	for _, r := range p.rows {
		because[r.Production] = r.rootCauses
	}
	for i := range out.Faults {
		out.Faults[i].Because = because[out.Faults[i].Production]
	}
	// Faults of rules that are wrong by themselves come first, and among them those that decide the verdict.
	before := map[Verdict]int{VerdictEmpty: -2, VerdictRefuted: -1}
	slices.SortStableFunc(out.Faults, func(a, b Fault) int {
		return cmp.Or(min(1, len(a.Because))-min(1, len(b.Because)), before[a.Kind.verdict()]-before[b.Kind.verdict()])
	})
	out.Hidden = sortHidden(out.Hidden)
	for i, h := range out.Hidden { // a fault says so already, so it is not listed again
		out.Hidden[i].said = slices.ContainsFunc(p.rows, func(r *row) bool {
			return slices.ContainsFunc(r.blamed, func(o option) bool {
				return o.e.Pos == h.Pos && o.describe() == h.Alternative
			})
		})
	}
	if len(p.opts.Productions) == 0 {
		out.Unreached = p.listUnreached()
	}
	p.settleVerdict(out)
	return out
}

// placeOf returns the place of the rule of a production, of the production if it has none, or else
// the name of the PEG.
func (p *proof) placeOf(id string) string {
	for _, g := range []*expr.Grammar{p.pair.PEG, p.pair.BNF} {
		if r := g.Rule(id); r != nil {
			return r.Pos.String()
		}
	}
	return p.pair.PEG.File
}

// lintForm lists two oddities of the needed productions that are not wrong, in the order of the text: repetitions of
// expressions that can be empty, and additions (=/) that stand before the definition they add to. A PEG that repeats
// an expression that can be empty would not end, and is refused elsewhere.
func (p *proof) lintForm() (list []string) {
	for _, f := range lint.Form(p.pair.BNF) {
		if (f.Code == lint.EmptyRepetition || f.Code == lint.AddedFirst) && p.needed[f.ID] {
			list = append(list, f.String())
		}
	}
	return list
}

// nameInText returns the name of a production as the text of the BNF writes it. A node that belongs to no production
// keeps its ID.
func (p *proof) nameInText(id string) string {
	if r := p.pair.BNF.Rule(id); r != nil {
		return r.Name
	}
	return id
}

// isEntry reports whether a rule is an entry, which the .peg files of published grammars have
// in addition to the rules of productions: see [peg.IsEntry].
func (p *proof) isEntry(id string) bool {
	return p.pair.Ledger != nil && peg.IsEntry(&expr.Rule{ID: id})
}

// listUnreached lists the IDs of the productions that the start does not lead to, in the order of the BNF.
func (p *proof) listUnreached() []string {
	reached := p.pair.BNF.Reached(p.pair.Start)
	var out []string
	for _, r := range p.pair.BNF.Rules {
		if !reached[r.ID] {
			out = append(out, r.ID)
		}
	}
	return out
}
