package page

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/urls/claims"
	"github.com/bnfcheck/bnfcheck/internal/urls/explain"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// Collect collects everything that the report says about the published grammars. The results of other parsers are
// included unless they are nil; they must be such as [CheckConform] finds nothing wrong with, and control characters
// in their names and messages are escaped in results itself. Collect takes seconds, and calls progress as
// [prove.Options] says. Each part that fails, a proof, a comparison or the claims among them, is missing from the
// content, which is never nil; the error joins those of all these parts.
func Collect(results *conform.Report, progress func(done, more int)) (*Content, error) {
	c := &Content{Title: usualTitle, Lead: usualLead, Conform: removeControls(results)}
	c.Expressions, c.ExpressionLead = readExpressions()
	err := runJobs(
		func() (err error) { c.Grammars, err = collectGrammars(progress); return err },
		func() (err error) { c.Today, err = collectReferences(); return err },
		func() (err error) { c.Comparisons, err = collectComparisons(); return err },
		func() (err error) { c.Claims, err = claims.Of(nil); return err },
		func() (err error) { c.History, err = compareHistory(); return err },
	)
	return c, err
}

// runJobs calls all jobs, also after one has failed, several at once, and waits for them. It returns their errors
// joined.
func runJobs(jobs ...func() error) error {
	errs := make([]error, len(jobs))
	budget.InParallel(len(jobs), func(i int) { errs[i] = jobs[i]() })
	return errors.Join(errs...)
}

// CollectPair compares two sides, topic by topic; list must not be empty. The content has one comparison, with the ID
// "difference". If it has one topic, the title, the lead and the names of the sides are of the two productions.
// Otherwise they are of the first topic's grammars, and the lead counts the topics. A comparison without a topic gets
// the spelling of its first side. Documents are described after the comparison, as [CollectFile] returns them. It
// fails, without any content, at the first comparison that cannot be made.
func CollectPair(list []diff.Comparison, documents ...*File) (*Content, error) {
	x := &Comparison{ID: "difference", Title: "The differences"}
	c := &Content{Comparisons: []*Comparison{x}, Documents: documents}
	equal := 0
	for _, pair := range list {
		d, err := pair.Diff(diff.Options{})
		if err != nil {
			return nil, err
		}
		if d.Relation == diff.Equal {
			equal++
		}
		d.Topic = cmp.Or(d.Topic, d.A.Spelling())
		x.Differences = append(x.Differences, d)
	}
	d := x.Differences[0]
	if len(list) == 1 {
		x.A, x.B = d.Names()
		c.Title, c.Lead = d.A.String()+" and "+d.B.String(), d.Sentence()
	} else {
		x.A, x.B = d.A.Title, d.B.Title
		c.Title = x.A + " and " + x.B
		c.Lead = fmt.Sprintf("%s, of which %d find no difference.", layout.Plural(len(list), "comparison"), equal)
	}
	c.Lead += " What is told is complete: each string that only one of the two derives has exactly one of the " +
		"causes that stand here."
	x.Text = "What only the one derives, what both do, and what only the other does: the shortest string of each, " +
		"and how all strings of at most " +
		fmt.Sprint(diff.DefaultMaxLength) + " bytes divide."
	return c, nil
}

// compareHistory compares each text of the history of the syntax with the next. It fails where [catalog.Load] or
// [diff.History] does.
func compareHistory() ([]diff.Step, error) {
	subjects, err := catalog.Load(catalog.Version{}, diff.Texts...)
	if err != nil {
		return nil, err
	}
	return diff.History(subjects, "", diff.Options{})
}

// collectComparisons compares the RFCs of 1994 with each other, and the draft of last call with RFC 1738, which it
// became. It fails, and returns no list, if a single one of the differences cannot be computed.
func collectComparisons() ([]*Comparison, error) {
	list := []*Comparison{
		{
			ID: "rfcs", Title: "The two RFCs side by side", A: "rfc1630", B: "rfc1738",
			Text: "Which strings does each of the two take for a URL, scheme by scheme? Where only one of " +
				"them has a production for a scheme, it is held against what the generic production of the " +
				"other makes of that scheme.",
		},
		{
			ID: "last-call", Title: "What last call changed", A: "draft06", B: "rfc1738",
			Text: "draft-ietf-uri-url-06 was in last call before it became RFC 1738. These are all the strings " +
				"about which the two disagree.",
		},
	}
	for _, c := range list {
		s, err := catalog.Load(catalog.Version{}, c.A, c.B)
		if err != nil {
			return nil, err
		}
		c.A, c.B = s[0].Title, s[1].Title
		for _, pair := range diff.Standard(s[0], s[1]) {
			d, err := pair.Diff(diff.Options{})
			if err != nil {
				return nil, err
			}
			c.Differences = append(c.Differences, d)
		}
	}
	return list, nil
}

// collectReferences returns, for each grammar with a parser and without productions for schemes, the distances to it
// of all grammars that have such productions, both in the order of [catalog.Load]. A grammar without a parser is not
// compared with, although catalog calls it a reference. This takes much of the time, so the grammars are compared
// concurrently. It fails, and returns no list, where catalog.Load or a comparison does.
func collectReferences() (list []*Reference, err error) {
	subjects, err := catalog.Load(catalog.Version{})
	if err != nil {
		return nil, err
	}
	published := slices.DeleteFunc(slices.Clone(subjects), func(s *catalog.Subject) bool { return len(s.Schemes) == 0 })
	for _, to := range subjects {
		if to.Reference() || len(to.Schemes) > 0 { // what has no parser is no Reference of this package
			continue
		}
		found := make([][]diff.Distance, len(published))
		var jobs []func() error
		for i := range published {
			jobs = append(jobs, func() (err error) {
				found[i], err = diff.Distances(published[i:i+1], to, diff.Options{})
				return err
			})
		}
		if err := runJobs(jobs...); err != nil {
			return nil, err
		}
		list = append(list, &Reference{to.Title, slices.Concat(found...)})
	}
	return list, nil
}

// collectGrammars proves the published grammars, makes their certificates, but keeps only a summary of these, and
// collects what there is to say about each grammar. It fails, and returns no list, at the first of these steps that
// does: reading a grammar, the proof, a certificate, the effects of a ledger, or the productions. A fault in a
// grammar is no failure.
func collectGrammars(progress func(done, more int)) (list []*Grammar, err error) {
	var pairs []catalog.Pair
	for _, g := range bnfcheck.Grammars() {
		pair, err := catalog.PublishedPair(g.Name)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair)
	}
	reports, err := prove.ProveAll(pairs, prove.Options{Progress: progress})
	if err != nil {
		return nil, err
	}
	for i, g := range bnfcheck.Grammars() {
		// The certificate itself is not kept: Certify sets what the report says of it.
		if err := reports[i].Certify(io.Discard, pairs[i], lang.Limits{}); err != nil {
			return nil, err
		}
		out := &Grammar{Name: g.Name, Title: g.Title, Proof: reports[i], notation: pairs[i].Ledger.Printed.Notation}
		src := pairs[i].Ledger
		if err := out.collectLedger(src); err != nil {
			return nil, err
		}
		if err := out.collectProductions(src); err != nil {
			return nil, err
		}
		for _, p := range out.Productions {
			p.Same = sameAsEarlier(list, p)
		}
		list = append(list, out)
	}
	return list, nil
}

// sameAsEarlier returns the first production of list that has p's ID, text, rule and language, both as it is read and
// as it is printed, and that is itself not the same as an earlier one. It returns nil if there is none.
func sameAsEarlier(list []*Grammar, p *Production) *Production {
	for _, g := range list {
		if q := g.Production(p.ID); q != nil && q.Same == nil && q.isSame(p) {
			return q
		}
	}
	return nil
}

// isSame reports whether p and q have the same text and rule but for white space, the same meaning as they are read
// and as they are printed, and the same language. Their IDs do not count.
func (p *Production) isSame(q *Production) bool {
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	sameText := words(p.Printed) == words(q.Printed) && words(p.Rule.Source) == words(q.Rule.Source)
	if !sameText || p.AsRead.String() != q.AsRead.String() {
		return false
	}
	sameAsPrinted := p.AsPrinted == q.AsPrinted
	if p.AsPrinted != nil && q.AsPrinted != nil {
		sameAsPrinted = p.AsPrinted.String() == q.AsPrinted.String()
	}
	return sameAsPrinted && p.Automaton.Equal(q.Automaton)
}

// collectLedger adds to g.Ledger each reading, with the effect it has on the strings that are accepted, and then the
// effect of all readings together. It fails, and adds nothing, where [diff.ReadingEffects] does.
func (g *Grammar) collectLedger(src *bnf.Source) error {
	effects, err := diff.ReadingEffects(g.Name, diff.Options{})
	if err != nil {
		return err
	}
	for _, r := range src.Readings {
		e := &Entry{Reading: r}
		for i := range effects {
			if effects[i].Reading == r.ID {
				e.Effect = &effects[i]
			}
		}
		g.Ledger = append(g.Ledger, e)
	}
	for i := range effects {
		if e := &effects[i]; e.Reading == diff.AllReadings {
			all := bnf.Reading{ID: e.Reading, Kind: bnf.Strings, On: true, ReadAs: e.ReadAs}
			g.Ledger = append(g.Ledger, &Entry{Reading: all, Effect: e})
		}
	}
	return nil
}

// collectProductions adds to g.Productions those of the text, in its order, with all their fields but Same. g.Proof
// must be there. It fails where [explain.Productions] or [lang.FromBNF] does; the productions before that one stay.
func (g *Grammar) collectProductions(src *bnf.Source) error {
	described, err := explain.Productions(src)
	if err != nil {
		return err
	}
	for _, p := range described {
		out := &Production{Production: p, Grammar: g, AsRead: src.Default.Rule(p.ID).Expr}
		if printed := src.Printed.Rule(p.ID).Expr; printed.String() != out.AsRead.String() {
			out.AsPrinted = printed
		}
		if err := out.collectWords(src.Default); err != nil {
			return err
		}
		out.collectProof(g.Proof)
		g.Productions = append(g.Productions, out)
	}
	return nil
}

// collectProof copies what the report of the grammar says about p to p. It must not be called twice: Faults and Hidden
// are appended. Hidden are those of p's rule, whatever production the parser starts with. Where the report has no row
// or no ambiguity for p, p.Row or p.Ambiguity stays as it is. p.Ambiguity is the report's own, not a copy.
func (p *Production) collectProof(r *prove.Report) {
	for _, row := range r.Productions {
		if row.Production == p.ID {
			p.Row = row
		}
	}
	for _, f := range r.Faults {
		if f.Production == p.ID {
			p.Faults = append(p.Faults, f)
		}
	}
	for i := range r.Ambiguities {
		if r.Ambiguities[i].Production == p.ID {
			p.Ambiguity = &r.Ambiguities[i]
		}
	}
	for _, h := range r.Hidden {
		if h.Rule == p.ID {
			p.Hidden = append(p.Hidden, h)
		}
	}
}

// How many words of a production are shown, and how long the random ones are at most.
const (
	shortestWords = 4
	randomWords   = 4
	randomLength  = 28
)

// collectWords sets the automaton of p and its sample words, none if p derives nothing: up to shortestWords of the
// shortest, at most two bytes longer than the first, and random ones longer than the first, of at most randomLength
// bytes. These are not among the shortest, which must be empty before. It fails, and sets nothing, where
// [lang.FromBNF] does.
func (p *Production) collectWords(g *expr.Grammar) error {
	a, err := lang.FromBNF(g, p.ID)
	if err != nil {
		return err
	}
	p.Automaton = a
	first, ok := a.Shortest()
	if !ok {
		return nil
	}
	for w := range a.Enumerate(len(first) + 2) {
		p.Shortest = append(p.Shortest, quote.Word(w))
		if len(p.Shortest) == shortestWords {
			break
		}
	}
	var lengths []int // lengths of words beyond the first ones
	for n, count := range a.Counts(randomLength) {
		if count.Sign() > 0 && n > len(first) {
			lengths = append(lengths, n)
		}
	}
	if len(lengths) > 0 {
		p.collectRandom(lengths)
	}
	return nil
}

// collectRandom sets p.Random, which must be empty: at most randomWords random words of p.Automaton, sorted, that
// p.Shortest does not have. There may be fewer, or none. Their lengths are spread over the given ones, which must not
// be empty, and at most randomLength. They are the same every time.
func (p *Production) collectRandom(lengths []int) {
	random := rand.New(rand.NewPCG(1994, uint64(len(p.ID)))) // any numbers that stay the same
	sampler := p.Automaton.Sampler(randomLength)
	for i := range 3 * randomWords { // a word that is there already may come again
		// The last length of each quarter of the list, again and again.
		n := lengths[max(0, (i%randomWords+1)*len(lengths)/randomWords-1)]
		w, ok := sampler.Sample(random, n)
		if ok && !slices.Contains(p.Random, quote.Word(w)) && !slices.Contains(p.Shortest, quote.Word(w)) {
			p.Random = append(p.Random, quote.Word(w))
		}
		if len(p.Random) == randomWords {
			break
		}
	}
	slices.SortFunc(p.Random, func(v, w quote.Word) int { return lang.Compare(string(v), string(w)) })
}

// anchor is where a production, a reading or a topic stands in the page: the parts, with hyphens between them. A
// "+" becomes "plus", and each space and each of "_./" a hyphen; other characters stay. Two lists of parts can have
// one result.
func anchor(parts ...string) string {
	return strings.NewReplacer("+", "plus", "_", "-", " ", "-", ".", "-", "/", "-").Replace(strings.Join(parts, "-"))
}
