package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A row collects the findings about one production, beginning with its public Row.
type row struct {
	Row
	bnf, peg *expr.Rule

	// The languages of the production and of the rule, if languagesKnown. For a row that is proven to a depth, see
	// [depth].
	languagesKnown   bool
	derivedLanguage  lang.Language
	matched          lang.Language
	matchedDeeper    lang.Language // inputs on which the rule goes deeper than the depth
	bnfOnly, pegOnly witness       // the shortest strings that only one side has

	// Why the rule is wrong, if it is: it is a cause itself, or it is wrong because of others.
	because    []string // the wrong rules that it uses
	rootCauses []string // the causes that these lead to
	cause      *Cause

	// How strings are matched and derived: buildWords sets words, reportLanguages runs, and analyzeBrackets the
	// others. All of these are nil where the analysis was not made or failed, and after dropAutomata.
	words     *lang.DFA // the words that the rule matches
	runs      *runs     // its successful runs
	maker               // the bracketed words that it makes
	derived   *lang.DFA // the bracketed words of the production
	ambiguous *lang.DFA // the words with several derivations; nil also if there are none

	showWord  func(quote.Word) string
	hidden    []Hidden
	blamed    []option // hidden options that a fault names already
	ambiguity *Ambiguity
	faults    []Fault
	notes     []string
}

// addFault adds a fault at the place of the rule. Among args, a quote.Word is written as messages about the BNF write
// strings; it is replaced in args. w is the string that shows the fault; it may be nil.
func (r *row) addFault(k Kind, w *quote.Word, format string, args ...any) {
	for i, arg := range args {
		if w, ok := arg.(quote.Word); ok {
			args[i] = r.showWord(w)
		}
	}
	r.faults = append(r.faults, Fault{
		Production: r.Production,
		Kind:       k,
		Place:      r.RulePlace,
		Message:    fmt.Sprintf(format, args...),
		Word:       w,
	})
}

// addWrongString adds a fault of kind Language. w is a string that only one side has, and at is the choice to
// blame, or zero. more are further clauses of the message, which format and args begin; empty ones are
// dropped. It overwrites more.
func (r *row) addWrongString(w quote.Word, at expr.Pos, more []string, format string, args ...any) {
	r.addFault(Language, &w, format, args...)
	f := &r.faults[len(r.faults)-1]
	f.at, f.parts = at, append([]string{f.Message}, slices.DeleteFunc(more, func(s string) bool { return s == "" })...)
	f.Message = strings.Join(f.parts, "; ")
}

// recordFailure records that an analysis of how strings are matched failed. For a pair with a ledger it adds a fault,
// since the proof of the trees needs the analysis. For any other it adds a note, which it does not repeat.
func (r *row) recordFailure(p *proof, err error) {
	if p.pair.Ledger != nil {
		r.addFault(kindOfError(err), nil, "%v", err)
		return
	}
	note := fmt.Sprintf("%s: %s: which alternatives are hidden, and what is ambiguous, could not be found out: %v",
		r.RulePlace, r.Production, err)
	if !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}

// reportLanguages sets Mark and Node of the row; without a ledger Node is false. If the languages are known it also
// sets runs, provided that later analyses need them: words of the row and of its production were made, and it is not
// proven to a depth. For a pair with a ledger, a rule that gets runs and calls itself is a fault. Runs that cannot be
// built are recorded as a failure. For a wrong rule it then sets BNFOnly, PEGOnly and Because, and adds the faults
// for the difference between the language of the rule and that of its production; the options that these blame go
// into blamed. Equal, the strings that show a difference, and the causes must be known before.
func (r *row) reportLanguages(p *proof) {
	r.Mark = string(compareText(r.bnf.Expr, r.peg.Expr))
	r.Node = p.pair.Ledger != nil && p.nodes[r.Production]
	if !r.languagesKnown {
		return
	}
	// The analyses of hidden alternatives and trees need the runs, and automata of all words.
	if r.words != nil && p.words[r.Production] != nil && r.Depth == nil {
		if p.pair.Ledger != nil && p.recursive[r.Production] != nil {
			// the derivations that its trees are compared with are flat: see [brackets.derivedWords]
			r.addFault(TreeFault, nil, "the rule calls itself, so that its nodes stand in one another")
		}
		var err error
		if r.runs, err = p.runsOf(r.Production, runOptions{nodes: p.hasTree(r)}); err != nil {
			r.recordFailure(p, err)
		}
	}
	if r.Equal {
		return
	}
	r.BNFOnly, r.PEGOnly = r.bnfOnly.word, r.pegOnly.word
	if r.cause != nil || len(r.rootCauses) > 0 {
		r.reportCause(p)
		if len(r.faults) == 0 {
			r.reportUnshown()
		}
		return
	}
	// Neither a cause nor caused: a row that is proven to a depth, or a cause that could not be traced.
	within := ""
	if r.Depth != nil {
		within = fmt.Sprintf(" within a nesting of %d", *r.Depth)
	}
	if r.BNFOnly != nil {
		why, at := p.blameChoice(r, string(*r.BNFOnly))
		r.addWrongString(*r.BNFOnly, at, []string{why}, "the production derives %s%s, and the rule does not match it",
			*r.BNFOnly, within)
	}
	if r.PEGOnly != nil {
		r.addFault(Language, r.PEGOnly, "the rule matches %s, and the production does not derive it", *r.PEGOnly)
	}
	r.reportUnshown()
}

// reportUnshown adds one fault of kind Language if no string is known that shows the rule of r to be wrong, and an
// error kept it from being found. r.BNFOnly and r.PEGOnly must have been set. It adds none for a row with a depth.
func (r *row) reportUnshown() {
	if r.BNFOnly != nil || r.PEGOnly != nil || r.Depth != nil {
		return
	}
	if err := cmp.Or(r.bnfOnly.err, r.pegOnly.err); err != nil {
		r.addFault(Language, nil,
			"the rule does not match what the production derives; which string shows it was not found: %v", err)
	}
}

// reportCause sets Because, and adds the faults of a wrong rule whose cause is known. If the rule is itself the cause,
// or one of a cycle, there is one for each side that has strings. That of strings that are not matched names the
// choice to blame, which goes into r.blamed. The first of the two also has the cycle, how the rule would remain wrong,
// and the proposal. All but the first rule of a cycle show one string a side. If the rule is wrong because of others,
// one fault names the causes, with the shortest string. There is none if no string was found.
func (r *row) reportCause(p *proof) {
	r.Because = r.rootCauses
	if r.cause == nil {
		because := "; wrong because of " + strings.Join(r.rootCauses, ", ")
		switch {
		case r.BNFOnly != nil:
			r.addFault(Language, r.BNFOnly, "the production derives %s, and the rule does not match it%s", *r.BNFOnly,
				because)
		case r.PEGOnly != nil:
			r.addFault(Language, r.PEGOnly, "the rule matches %s, and the production does not derive it%s",
				*r.PEGOnly, because)
		}
		return
	}
	c := r.cause
	// also lists the other strings: the first is shown in the fault's own sentence.
	also := func(words []quote.Word, first quote.Word) string {
		var list []string
		for _, w := range words {
			if w != first {
				list = append(list, r.showWord(w))
			}
		}
		if len(list) == 0 {
			return ""
		}
		return ", nor " + strings.Join(list, ", ")
	}
	more := []string{"", c.Even, ""} // cycle, what remains wrong, proposal: in this order, the empty ones are left out
	if len(c.Cycle) > 0 {
		more[0] = "none of " + strings.Join(c.Cycle, ", ") + " is wrong by itself: they use each other"
	}
	if c.Mend != "" {
		more[2] = "to mend it, " + c.Mend
	}
	bnfOnly, pegOnly := c.BNFOnly, c.PEGOnly
	if c.Production != r.Production { // these are the strings of the first rule of the cycle
		bnfOnly, pegOnly = r.bnfOnly.asList(), r.pegOnly.asList()
	}
	if len(bnfOnly) > 0 {
		w := bnfOnly[0]
		why, at := p.blameChoice(r, string(w))
		r.addWrongString(w, at, append([]string{why}, more...),
			"the production derives %s, and the rule does not match it%s", w, also(bnfOnly, w))
		more = nil
	}
	if len(pegOnly) > 0 {
		w := pegOnly[0]
		r.addWrongString(w, expr.Pos{}, more, "the rule matches %s, and the production does not derive it%s", w,
			also(pegOnly, w))
	}
}

// sideLimits returns the limits for the analyses of hidden alternatives and ambiguity. For a pair with a ledger they
// are those of the proof. For any other, limits of states that were not given are set: the rules share 1<<20 states,
// and each gets 1<<10 to 1<<16 of them.
func (p *proof) sideLimits() lang.Limits {
	l := p.limits
	if p.pair.Ledger != nil {
		return l
	}
	most := min(1<<20/max(1, len(p.rows)), 1<<16)
	most = max(most, 1<<10)
	for _, limit := range []*int{&l.NFA, &l.DFA} {
		*limit = cmp.Or(*limit, most)
	}
	return l
}

// equalOrOpen returns whether the rule is equal to its production, or nil if that is open: neither proven nor refuted.
func (r *row) equalOrOpen() *bool {
	refuted := slices.ContainsFunc(r.faults, func(f Fault) bool { return f.Kind == Language })
	if !r.Equal && !refuted && r.BNFOnly == nil && r.PEGOnly == nil {
		return nil
	}
	equal := r.Equal // a pointer into r would keep all its automata alive with the report
	return &equal
}

// dropAutomata frees the automata that only the proof of trees and the samples of parsers use.
func (r *row) dropAutomata() {
	r.words, r.runs, r.maker, r.derived, r.ambiguous = nil, nil, maker{}, nil, nil
}

// runsOf builds the runs of a rule as a start. It fails if a rule that it reaches is one of p.lookaheads.failed, since
// a choice of it depends on something whose language is not known, and where newRuns does.
func (p *proof) runsOf(id string, how runOptions) (*runs, error) {
	if p.lookaheads.reaches[id] {
		ids := []string{id}
		if p.lookaheads.failed[id] == nil {
			ids = p.pair.PEG.Reach(id)
		}
		for _, id := range ids {
			if err := p.lookaheads.failed[id]; err != nil {
				return nil, fmt.Errorf("rule %q: %w", id, err)
			}
		}
	}
	return newRuns(p.pair.PEG, p.lookaheads, expr.To(id), how, p.sideLimits())
}

// hasTree reports whether the trees of a rule are part of the proof, which takes a ledger. They are not if the rule,
// or one that it reaches, calls itself.
func (p *proof) hasTree(r *row) bool {
	return p.pair.Ledger != nil && !slices.ContainsFunc(p.pair.PEG.Reach(r.Production),
		func(id string) bool { return p.recursive[id] != nil })
}

// blameChoice explains why the rule of r does not match w, a string that its production derives: it names the
// alternative that the parser commits to, the place, and what that hides. It returns the place of that choice, too,
// and appends the hidden option to r.blamed. why is "" if no choice is to blame, a limit was passed, or there are no
// runs (see runsOf); r.blamed then stays as it is.
func (p *proof) blameChoice(r *row, w string) (why string, at expr.Pos) {
	// With no choice committing, w has a run. Where that run leaves what the parser would do, a choice loses w.
	all, err := p.runsOf(r.Production, runOptions{relaxed: func(option) bool { return true }})
	if err != nil {
		return "", at
	}
	dev, ok := all.deviations(w)
	if !ok || len(dev) == 0 {
		return "", at
	}
	d := dev[0] // the first choice that goes wrong; later ones may be its consequence
	r.blamed = append(r.blamed, d.option)
	text := func(e *expr.Expr) string { return spellAsWritten(p.pair.PEG.Rule(p.ruleOf[d.e]), e) }
	does := fmt.Sprintf("%s hides %s", d.instead.describeWith(text), d.describeWith(text))
	switch {
	case d.e.Op == expr.Repeat && d.e.Max == 1:
		does = d.instead.describeWith(text) + " is taken, and what follows it fails"
	case d.e.Op == expr.Repeat:
		does = text(d.e) + " goes on, and what follows it fails"
	}
	return fmt.Sprintf("at offset %d %s, in %s (%s)", d.offset, does, p.ruleOf[d.e], d.e.Pos), d.e.Pos
}

// analyzeBrackets sets hidden, brackets, derived, made, ambiguous and ambiguity of the row: what its choices hide, and
// the bracketed words (see [brackets]) of its derivations and of its rule. With a ledger, an ambiguity can be a fault:
// see findAmbiguity. It does nothing if the runs are not known.
//
// A limit that is passed is recorded (see [row.recordFailure]). One that is passed on the way to hidden leaves what
// was found before, and changes nothing else; after any other, the fields from there on stay nil.
func (r *row) analyzeBrackets(p *proof) {
	if r.runs == nil {
		return
	}
	if err := r.findHidden(p); err != nil {
		r.recordFailure(p, err)
	}
	err := r.findBracketedWords(p)
	if err == nil {
		err = r.findAmbiguity(p)
	}
	if err != nil {
		r.recordFailure(p, err)
	}
}

// findBracketedWords sets brackets, derived and, if the runs show nodes, made of the row, whose runs must be set. It
// fails if a limit is passed, or if an automaton of a used production is missing (see [usedWords]); what was set
// before stays.
func (r *row) findBracketedWords(p *proof) (err error) {
	inner := r.peg.Expr
	if inner.Op == expr.Node {
		inner = inner.Sub[0]
	}
	isNode := func(id string) bool { return p.nodes[id] }
	kinds := slices.DeleteFunc(expr.Refs(r.bnf.Expr), func(id string) bool { return !isNode(id) })
	r.brackets, err = newBrackets(p.alphabet, append(kinds, madeKinds(p.pair.PEG, inner)...)...)
	if err != nil {
		return err
	}
	uses := &usedWords{proof: p, user: r.Production}
	derived, err := r.brackets.derivedWords(r.bnf, isNode, uses.of, p.sideLimits())
	if err = cmp.Or(uses.err, err); err != nil {
		return err
	}
	r.derived = derived
	if r.runs.how.nodes {
		r.made, err = r.brackets.madeWords(r.runs, r.peg, p.sideLimits())
	}
	return err
}

// A usedWords hands out the automata of the productions that one production uses. The automaton of that production's
// bracketed words embeds each of them, so it is an error if one was too large to be made, or all together are too
// large.
type usedWords struct {
	*proof
	user string // the ID of the production that uses them
	size int    // the states handed out so far
	err  error  // the first error
}

// of returns the automaton of a production, or an empty one in its place if u.err is set, then or before. It adds the
// states of each to u.size, also of one that was asked for before. It sets u.err where they are too many, or where the
// automaton of a known language was not made. It returns an empty one without an error for a production whose language
// is not known at all.
func (u *usedWords) of(id string) *lang.DFA {
	w := u.words[id]
	if w == nil {
		_, unknown := u.derived(id)
		if unknown == nil && u.err == nil {
			u.err = fmt.Errorf("%w: the words of %s", lang.ErrTooLarge, u.nameInText(id))
		}
		return lang.Empty()
	}
	if u.size += w.States(); u.size > maxLooked && u.err == nil {
		u.err = fmt.Errorf("%w: the words of what %s uses", lang.ErrTooLarge, u.nameInText(u.user))
	}
	if u.err != nil {
		return lang.Empty()
	}
	return w
}

// proveTrees sets r.Tree: Proven if each tree of the rule is the derivation that the ledger chooses, and otherwise
// Refuted, with a fault that shows a string. If a limit is passed it is Open, with a fault that says so. The three
// steps are explained in tree.go. Step 2 also sets Chosen and Decided of r.ambiguity, and Shown if the tree is the one
// that is chosen. proveTrees does nothing without a ledger, for rules that are wrong or have no bracketed words, and
// for those that already have a fault. The makers of all productions must be known.
func (r *row) proveTrees(p *proof) {
	if p.pair.Ledger == nil || r.made == nil || !r.Equal || len(r.faults) > 0 {
		return
	}
	show := func(w string) string {
		if made := r.listDerivations(r.made, w, 1); len(made) == 1 {
			return made[0].show(w, p.nameInText)
		}
		return w
	}
	r.Tree = Refuted
	err := func() error {
		// Step 1: what the rule makes is a derivation.
		if wrong := r.made.Minus(r.derived); !wrong.IsEmpty() {
			words, err := r.stripBrackets(wrong, p.limits)
			if err != nil {
				return err
			}
			w, _ := words.Shortest()
			r.addFault(TreeFault, new(quote.Word(w)), "the tree of %s is no derivation: %s", quote.Word(w), show(w))
			return nil
		}
		// Step 2: it is the derivation that the ledger chooses.
		if r.ambiguous != nil {
			wrong, err := r.wordsNotBest(r.made, r.derived, p.choose[r.Production], p.limits)
			if err != nil {
				return err
			}
			leavesOne := wrong == nil
			r.ambiguity.Chosen, r.ambiguity.Decided = leavesOne, &leavesOne
			if wrong != nil {
				w, _ := wrong.Shortest()
				best := applyClauses(r.listDerivations(r.derived, w, maxDerivations), p.choose[r.Production])
				var want []string
				for _, d := range best {
					want = append(want, d.show(w, p.nameInText))
				}
				r.addFault(TreeFault, new(quote.Word(w)), "the tree of %s shows %s, and %s leaves %s",
					quote.Word(w), show(w), strings.Join(p.settled[r.Production], " with "),
					strings.Join(want, " and "))
				return nil
			}
			r.ambiguity.Shown = show(string(r.ambiguity.Word))
		}
		// Step 3: nodes inside hold what their productions make as a start.
		wrong, err := wordsMadeOtherwise(r.runs, r.peg.Expr.Op == expr.Node, p.makers, p.limits)
		if err != nil {
			return err
		}
		if wrong != nil {
			w, _ := wrong.Shortest()
			r.addFault(TreeFault, new(quote.Word(w)),
				"in the tree of %s there is a node that its production does not make of the same text as a start",
				quote.Word(w))
			return nil
		}
		r.Tree = Proven
		return nil
	}()
	if err != nil {
		r.Tree = Open
		r.recordFailure(p, err)
	}
}
