package prove

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Verdict is the outcome of a proof.
type Verdict string

// The verdicts. If there are faults of several kinds, the verdict is the first of these that one of them leads to.
const (
	// A production, or the rule for it, has no string, so that there is nothing to prove.
	VerdictEmpty      Verdict = "empty"
	VerdictRefuted    Verdict = "refuted"    // a claim that was to be proven is false
	VerdictRefused    Verdict = "refused"    // a grammar has a construct that the model does not cover
	VerdictUndecided  Verdict = "undecided"  // an automaton is too large
	VerdictIncomplete Verdict = "incomplete" // a production has no rule, or a name has no production
	VerdictProven     Verdict = "proven"     // every production that was asked for has a rule, and every rule is proven
)

// verdict returns the verdict that a fault of this kind leads to.
func (k Kind) verdict() Verdict {
	switch k {
	case Unsupported:
		return VerdictRefused
	case Limit:
		return VerdictUndecided
	case Missing, UndefinedName:
		return VerdictIncomplete
	case Empty:
		return VerdictEmpty
	}
	return VerdictRefuted
}

// A missing records the gaps that keep a proof from being complete. It is found before anything is computed. The
// language of a production that uses an undefined name is not known, so neither is whether its rule is right.
type missing struct {
	undefined []Fault
	rules     []Fault
	open      map[string]bool // productions that use an undefined name
	inPlace   []string        // productions without a rule that the caller allows
}

// A site is an occurrence of a name.
type site struct {
	in *expr.Rule
	at expr.Pos
}

// findMissing sets p.missing, with its rules in the order of the BNF.
func (p *proof) findMissing() {
	p.missing = &missing{}
	p.findUndefined()
	p.findWithoutRule()
	slices.SortStableFunc(p.missing.rules, func(a, b Fault) int {
		return p.index[a.Production] - p.index[b.Production]
	})
}

// undefinedName returns the name that e itself, not a part of it, leaves undefined: that of a reference to no
// production, or that of the empty class which a reading has put in place of such a reference. It returns false for
// any other expression. An empty class without a name was written as such, and leaves nothing undefined.
func undefinedName(g *expr.Grammar, e *expr.Expr) (string, bool) {
	switch {
	case e.Op == expr.Ref && g.Rule(e.Name) == nil:
		return e.Name, true
	case e.Op == expr.Class && e.Set.IsEmpty() && e.Name != "": // readings leave such a class: see bnf.Apply
		return e.Name, true
	}
	return "", false
}

// findUndefined records in p.missing, which must be set, a fault for each name that needed productions use and none
// defines, and the productions that depend on such a name. A fault is about the name itself or, for prose, about the
// first production that uses it. It names all places that use the name, however many.
func (p *proof) findUndefined() {
	users := map[string][]site{}
	var names, open []string
	for _, r := range p.pair.BNF.Those(p.needed) {
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if name, ok := undefinedName(p.pair.BNF, e); ok {
				if users[name] == nil {
					names = append(names, name)
				}
				users[name] = append(users[name], site{r, e.Pos})
				open = append(open, r.ID)
			}
			return true
		})
	}
	p.missing.open = p.pair.BNF.Using(open...)
	for _, name := range names {
		var by []string
		for _, u := range users[name] {
			by = append(by, fmt.Sprintf("%s (%s)", u.in.Name, u.at))
		}
		f := Fault{
			Production: name, Kind: UndefinedName, Place: users[name][0].at.String(),
			Message: "no production defines it; used by " + strings.Join(by, ", "),
		}
		define := name
		if strings.HasPrefix(name, "<") { // prose
			f.Production = users[name][0].in.Name // the first user: prose is no name that --define could have
			f.Message = fmt.Sprintf("%q is prose, which says nothing to a program; used by %s", name,
				strings.Join(by, ", "))
			define = f.Production
		}
		if p.pair.Ledger == nil {
			f.Message += "; --define " + define + "=EXPRESSION supplies it"
		}
		p.missing.undefined = append(p.missing.undefined, f)
	}
}

// findWithoutRule records in p.missing, which must be set, a fault for each needed production that must have a rule
// and has none. Core rules of ABNF need none unless asked for by name. With Options.AllowMissing others need none
// either, if a production with a rule uses them, also through others without one: they can be written into its rule.
// p.missing.inPlace lists the ones that this option excuses.
func (p *proof) findWithoutRule() {
	m := p.missing
	// Productions without a rule that can be written into another's rule, since that uses them.
	inlinable := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		for _, use := range expr.Refs(p.pair.BNF.Rule(id).Expr) {
			if r := p.pair.BNF.Rule(use); r != nil && !inlinable[use] && p.pair.PEG.Rule(use) == nil {
				inlinable[use] = true
				visit(use)
			}
		}
	}
	for _, r := range p.pair.BNF.Rules {
		if p.needed[r.ID] && p.pair.PEG.Rule(r.ID) != nil {
			visit(r.ID)
		}
	}
	for _, r := range p.pair.BNF.Rules {
		asked := slices.Contains(p.opts.Productions, r.ID)
		if !p.needed[r.ID] || p.pair.PEG.Rule(r.ID) != nil || bnf.IsCore(r) && !asked {
			continue
		}
		switch {
		case p.opts.AllowMissing && inlinable[r.ID] && !asked:
			m.inPlace = append(m.inPlace, r.ID)
			continue
		case p.opts.AllowMissing && asked:
			m.addMissing(r, "%s has no rule for it, and it was asked for by name", p.pair.PEG.File)
		case p.opts.AllowMissing:
			m.addMissing(r, "%s has no rule for it, nor one that it could be written into", p.pair.PEG.File)
		default:
			m.addMissing(r, "%s has no rule for it%s", p.pair.PEG.File, p.suggestRule(r))
		}
	}
}

// addMissing records a fault for a production without a rule. format and args are its message.
func (m *missing) addMissing(r *expr.Rule, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	m.rules = append(m.rules, Fault{Production: r.ID, Kind: Missing, Place: r.Pos.String(), Message: message})
}

// suggestRule names the rule whose name is most like that of r, among those that transcribe no production, as a clause
// with the flag to write; of several equally like it the first in the file. It returns "" if none is close.
func (p *proof) suggestRule(r *expr.Rule) string {
	plain := func(id string) string { return strings.ToLower(peg.Ident(id)) }
	var best *expr.Rule
	least := len(r.ID)/3 + 1
	for _, rule := range p.pair.PEG.Rules {
		a, b := plain(rule.ID), plain(r.ID)
		if p.pair.BNF.Rule(rule.ID) != nil || max(len(a)-len(b), len(b)-len(a)) >= least {
			continue
		}
		if d := levenshtein.ComputeDistance(a, b); d < least {
			best, least = rule, d
		}
	}
	if best == nil {
		return ""
	}
	id := strings.TrimSuffix(best.ID, catalog.NoProduction)
	return fmt.Sprintf("; that of %s is called %s: --map %s=%s", best.Pos, id, r.Name, id)
}

// settleVerdict adds a fault at the end for each row that is not equal, or whose trees are not proven, and that has
// none, unless the production uses an undefined name. Then it counts Asked and Equal, which must be 0 before, and sets
// the verdict.
func (p *proof) settleVerdict(out *Report) {
	equal := map[string]bool{}
	faulty := out.faulty()
	for _, r := range out.Productions {
		equal[r.Production] = r.Equal
		open := p.missing.open[r.Production] || faulty[r.Production]
		if (!r.Equal || r.Tree == Open || r.Tree == Refuted) && !open {
			out.Faults = append(out.Faults, Fault{
				Production: r.Production, Kind: Limit, Place: r.Place,
				Message: "it could not be decided whether the rule is right",
			})
		}
	}
	for _, r := range p.pair.BNF.Rules {
		hasRule := p.pair.PEG.Rule(r.ID) != nil
		if p.needed[r.ID] && (hasRule || !bnf.IsCore(r) || slices.Contains(p.opts.Productions, r.ID)) {
			out.Asked++
		}
		if p.needed[r.ID] && equal[r.ID] {
			out.Equal++
		}
	}
	out.Verdict = VerdictProven
	for _, v := range []Verdict{VerdictIncomplete, VerdictUndecided, VerdictRefused, VerdictRefuted, VerdictEmpty} {
		if slices.ContainsFunc(out.Faults, func(f Fault) bool { return f.Kind.verdict() == v }) {
			out.Verdict = v
		}
	}
	if out.Verdict == VerdictProven && out.Equal+len(out.InPlace) != out.Asked {
		out.Verdict = VerdictUndecided // cannot happen: each of them has a fault above
	}
}

// emptyFaults returns the faults of a row for which there is nothing to compare: neither the production nor its rule
// has a string, or one of them has none and the production was asked for. There is one fault for each side without a
// string. In other cases a rule that matches nothing is refuted like any other wrong rule. It is nil for productions
// that use an undefined name. The first call computes p.facts.
func (p *proof) emptyFaults(r *row) (faults []Fault) {
	if p.missing.open[r.Production] {
		return nil
	}
	if p.facts == nil {
		p.facts = expr.Analyze(p.pair.BNF.Rules)
	}
	// An equal rule matches what the production derives. Of a rule that is not known to be equal and whose language is
	// not known either, nothing is claimed: it counts as one that matches.
	derives := p.facts.Derives(r.bnf.Expr) && !(r.languagesKnown && r.derivedLanguage == lang.NoWord)
	matches := derives && r.Equal || r.languagesKnown && r.matched != lang.NoWord || !r.languagesKnown && !r.Equal
	if derives && matches || (derives || matches) && !p.isAsked(r) {
		return nil
	}
	fault := func(g *expr.Grammar, rule *expr.Rule, what, does string) {
		why, err := lang.FindNothing(g, rule.ID, p.limits)
		if why == nil {
			why = &lang.Nothing{Pos: rule.Pos, Why: "there is none that is UTF-8"}
		}
		if err != nil {
			why.Why = err.Error()
		}
		faults = append(faults, Fault{Production: r.Production, Kind: Empty, Place: why.Pos.String(),
			Message: fmt.Sprintf("the %s %s no string: %s", what, does, why.Why)})
	}
	if !derives {
		fault(p.pair.BNF, r.bnf, "production", "derives")
	}
	if !matches {
		fault(p.pair.PEG, r.peg, "rule", "matches")
	}
	return faults
}

// isAsked reports whether the production of a row was asked for by name; if none was, whether it is
// the start.
func (p *proof) isAsked(r *row) bool {
	if len(p.opts.Productions) > 0 {
		return slices.Contains(p.opts.Productions, r.Production)
	}
	return r.Production == cmp.Or(p.pair.Start, p.pair.BNF.Rules[0].ID)
}

// kindOfError returns the kind of fault for an error of package lang: Limit if one was passed, otherwise Unsupported.
func kindOfError(err error) Kind {
	if errors.Is(err, lang.ErrTooLarge) {
		return Limit
	}
	return Unsupported
}

// placeOfLargest returns the place of the innermost proper part of a rule's expression that would take more states
// than any automaton may have. If there is none, or it has no place, that of the part around it; for the expression
// as a whole, which is not estimated, its own place or else that of the rule.
func placeOfLargest(g *expr.Grammar, r *expr.Rule) expr.Pos {
	at := r.Pos
	if r.Expr.Pos.Line > 0 { // it has a place
		at = r.Expr.Pos
	}
	for e, down := r.Expr, true; down; {
		down = false
		for _, s := range e.Sub {
			if estimateStates(g, s, 0) > maxEstimate {
				e, down = s, true
				if s.Pos.Line > 0 {
					at = s.Pos
				}
				break
			}
		}
	}
	return at
}

// maxEstimate is about the number of states above which an NFA is too large: see [lang.Limits].
const maxEstimate = 1 << 18

// estimateStates estimates the number of states of an NFA for e. It is maxEstimate+1 for all that is above
// [maxEstimate]. It follows references to a depth of 64, counted from depth: with depth 64 none is followed.
func estimateStates(g *expr.Grammar, e *expr.Expr, depth int) int {
	n := 1
	switch e.Op {
	case expr.Literal:
		n = len(e.Lit)
	case expr.Ref:
		if r := g.Rule(e.Name); r != nil && depth < 64 {
			return estimateStates(g, r.Expr, depth+1)
		}
	}
	for _, s := range e.Sub {
		if n += estimateStates(g, s, depth); n > maxEstimate {
			break
		}
	}
	if e.Op == expr.Repeat {
		n *= max(1, e.Min, e.Max)
	}
	return min(n, maxEstimate+1)
}

// RefusedReport returns a report for two files that are in their notations but cannot be computed with. err is the
// error of [catalog.Files]; the report has a fault for each error that it joins. RefusedReport returns nil unless
// err, or each of those that it joins, is an [expr.Error] that is Refused.
func RefusedReport(bnfFile, pegFile string, err error) *Report {
	all := []error{err}
	if joined, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok {
		all = joined.Unwrap()
	}
	r := &Report{
		Grammar: bnfFile, Title: bnfFile, BNF: bnfFile, PEG: pegFile, Productions: []Row{},
		Verdict: VerdictRefused,
	}
	for _, err := range all {
		e, ok := errors.AsType[*expr.Error](err)
		if !ok || !e.Refused {
			return nil
		}
		f := Fault{Production: e.Production, Kind: Unsupported, Place: e.Pos.String(), Message: e.Message}
		if e.Prose {
			f.Message += "; --define " + e.Production + "=EXPRESSION supplies what is meant"
		}
		r.Faults = append(r.Faults, f)
	}
	return r
}

// assumptions lists the assumptions behind the result, those about the parser generator first. With a ledger these are
// all. Without one it adds the depth to which recursions were read, Options.FoldCase, what the input may be, and how
// ambiguous places of the notation were read, each of these with the first place that it concerns.
func (p *proof) assumptions() []string {
	var list []string
	for _, a := range peg.Assumptions(p.pair.PEG, expr.IDs(p.pair.PEG.Those(p.used))...) {
		list = append(list, a.String())
	}
	if p.pair.Ledger != nil {
		return list // the ledger's entries settle the rest
	}
	if a := p.depth.assumption(); a != "" {
		list = append(list, a)
	}
	if p.opts.FoldCase {
		list = append(list, "letters of ASCII match in either case, in both grammars (--fold-case)")
	}
	if p.pair.PEG.UTF8 {
		list = append(list, "strings that are not UTF-8 are set aside")
	} else {
		list = append(list,
			"the input ends where the rule does; pigeon accepts an input of which a beginning matches, unless the "+
				"rule that is its entry ends in !.")
	}
	// The first places of: a value above 127, a count before brackets, a slash outside quotes, a letter in a literal.
	var high, count, slash, letters *expr.Pos
	note := func(to **expr.Pos, at expr.Pos) {
		if *to == nil {
			*to = &at
		}
	}
	isHigh := func(r rune) bool { return r >= 0x80 }
	isLetter := func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }
	for _, r := range p.pair.BNF.Those(p.needed) {
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			switch {
			case e.Op == expr.Class && !e.Set.Intersect(expr.Range(0x80, 0xff)).IsEmpty():
				note(&high, e.Pos)
			case e.Op == expr.Literal:
				if strings.ContainsFunc(e.Lit, isHigh) {
					note(&high, e.Pos)
				}
				if strings.ContainsFunc(e.Lit, isLetter) {
					note(&letters, e.Pos)
				}
			}
			return true
		})
		unquoted := quotedOrComment.ReplaceAllString(r.Printed, "")
		if countedBrackets.MatchString(unquoted) {
			note(&count, r.Pos)
		}
		if strings.Contains(unquoted, "/") {
			note(&slash, r.Pos)
		}
	}
	say := func(at *expr.Pos, text string) {
		if at != nil {
			list = append(list, fmt.Sprintf("%s (%s)", text, at))
		}
	}
	if p.pair.BNF.CodePoints {
		say(high, "a value above 127 is a code point, which the input has in UTF-8")
	} else {
		say(high, "a value above 127 is one byte of the input")
	}
	if p.pair.BNF.Notation == "rfc822" {
		say(letters, "a quoted literal matches exactly as printed, in its case")
		say(count, "brackets behind a repeat count group, and make nothing optional")
		say(slash, `a slash without quotes is the literal "/"`)
	}
	return list
}

var (
	quotedOrComment = regexp.MustCompile(`<">|"[^"\n]*"|;[^\n]*`)
	countedBrackets = regexp.MustCompile(`[0-9*][ \t\n]*\[`)
)
