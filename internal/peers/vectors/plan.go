package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// Part is a part of a collection of vectors.
type Part string

// The parts.
const (
	Boundary    Part = "boundary"    // see [Subject.Boundaries]
	Negative    Part = "negative"    // see [Subject.Negatives]
	Mutants     Part = "mutants"     // see [Subject.MutationSuite]
	Transitions Part = "transitions" // see [lang.DFA.TransitionCover]
	Complete    Part = "complete"    // see [CompleteSuite]
	Sweep       Part = "sweep"       // see [SweepSuite]
	Derivations Part = "derivations" // see [Subject.Derivations]
)

// Parts lists all parts in the order in which their vectors come.
var Parts = []Part{Boundary, Negative, Mutants, Derivations, Transitions, Complete, Sweep}

// usualParts are the parts of a plan for which none are named: a complete suite takes every transition, too.
var usualParts = []Part{Boundary, Negative, Mutants, Complete, Sweep}

// Options choose the contents of a plan.
type Options struct {
	Parts     []Part // nil for all but Transitions, and for a model without Boundary, Negative and Mutants
	Method    Method // of the complete suite
	Extra     int    // for the complete suite: how many more states an implementation may have
	EveryByte bool   // the complete suite over all bytes instead of classes; the sweep is then part of it
	Longest   int    // the longest text among the boundaries, in bytes; 0 for 1024
	Most      int    // caps the words that kill mutants, keeping those that kill the most; 0 for all
	Command   string // the command that makes the vectors, for the header; "" to leave that out

	// AtDepth says that the depth to which the subject is read was asked for, so that no lesser one is tried where a
	// part is too large: such a part is left out, as of a subject that does not nest.
	AtDepth bool

	// Progress, if it is not nil, is called now and then with the number of mutants that have been looked at.
	Progress func(done, total int)

	// Schema is the value of "format" in a file of [SchemaSuite]; "" stands for the name of the subject's own judge.
	Schema string

	// Package and Function are for a Go test file: its package, and the function of that package that it calls. ""
	// stands for "vectors" and "accepts".
	Package, Function string
}

// A Vector is a word with its verdicts and reasons.
type Vector struct {
	Input  string
	Part   Part
	Accept []bool // by each of the subject's judges

	// Components and Productions belong to the subject's own grammar. For a derived word, Productions are the IDs of
	// the nodes of its tree, in pre-order and each once. For any other word they are the productions that were being
	// matched at the place where it cannot be continued, inner before outer, and there are no components.
	Components  []Component
	Productions []string

	// Why tells what the vector tries, if that is more than a transition, and why it is rejected, if it is.
	Why string
}

// A Plan is a collection of vectors that has not been made yet, but whose size is known.
type Plan struct {
	Subject *Subject
	Options Options

	examples map[Part][]Example // for the parts whose words are listed
	words    map[Part]*Words    // for Complete and Sweep; Sweep without the words of Complete
	mutation *Mutation
	derived  *Derivation
	leftOut  []string // the parts that are too large although nobody asked for them by name, and why
}

// Plan plans vectors. If o.Parts is nil it chooses the parts that the subject can have. Of these, all but the mutants
// are then left out where they are too large, unless the subject is a model, has no automaton (Large), or is read to a
// depth and o.AtDepth is not set. A word that several parts list stays in the first. Plan fails for an impossible
// option, a part that the subject cannot have, an automaton that becomes too large, and a budget that is used up.
func (s *Subject) Plan(o Options) (p *Plan, err error) {
	defer budget.Catch(&err)
	canSpare := false // whether parts that are too large are left out
	switch {
	case o.Parts == nil && s.Model != nil:
		o.Parts = []Part{Complete, Sweep}
	case s.Large != nil && o.Parts == nil:
		o.Parts = []Part{Derivations}
	case s.Large != nil && slices.ContainsFunc(o.Parts, func(p Part) bool { return p != Derivations }):
		return nil, s.Large
	case o.Parts == nil && s.ReadTo != "": // derivations go beyond the depth that the automaton is read to
		o.Parts, canSpare = append(slices.Clone(usualParts), Derivations), o.AtDepth
	case o.Parts == nil: // with ReadTo, what is too large is read to a lesser depth, and not left out
		o.Parts, canSpare = usualParts, true
	case s.Model != nil && slices.ContainsFunc(o.Parts, needsProductions):
		return nil, errNoProductions
	}
	o.Longest = cmp.Or(o.Longest, 1024)
	p = &Plan{Subject: s, Options: o, examples: map[Part][]Example{}, words: map[Part]*Words{}}
	order := slices.Clone(o.Parts)
	slices.SortFunc(order, func(a, b Part) int { // the sweep needs the complete suite, which comes before it in Parts
		return slices.Index(Parts, a) - slices.Index(Parts, b)
	})
	if canSpare { // the mutants come first, so that the others leave them the steps
		order = append([]Part{Mutants}, withoutPart(order, Mutants)...)
	}
	for _, part := range order {
		if !canSpare || part == Mutants {
			err = p.add(part)
		} else if err = s.tryPart(func() error { return p.addInText(part) }); budget.IsTooLarge(err) {
			p.leaveOut(part, err)
			err = nil
		}
		if err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	for _, part := range Parts {
		p.examples[part] = slices.DeleteFunc(p.examples[part], func(e Example) bool {
			defer func() { seen[e.Word] = true }()
			return seen[e.Word]
		})
	}
	return p, nil
}

// add makes a part, and keeps it in the plan. The sweep must come after the complete suite, since it leaves out that
// suite's words. add fails if the part is too large, or is none of Parts.
func (p *Plan) add(part Part) (err error) {
	s, o := p.Subject, &p.Options
	// A part is a list of examples or, where there may be very many words, an automaton in p.words. words are examples
	// about which there is nothing more to say.
	var words []string
	switch part {
	case Boundary:
		p.examples[part], err = s.Boundaries(o.Longest)
	case Negative:
		p.examples[part] = s.Negatives()
	case Mutants:
		if p.mutation, err = s.MutationSuite(o.Progress); err == nil {
			words = s.limitWords(p.mutation.All(), o.Most)
			slices.SortFunc(words, lang.Compare)
		}
	case Derivations:
		if p.derived, err = s.Derivations(); err == nil {
			p.examples[part] = p.derived.Words
		}
	case Transitions:
		words = s.DFA.TransitionCover()
	case Complete:
		p.words[part], err = CompleteSuite(s.DFA, o.Method, o.Extra, o.EveryByte)
	case Sweep:
		p.words[part], err = SweepSuite(s.DFA)
		if complete := p.words[Complete]; complete != nil && err == nil {
			p.words[part].dfa = p.words[part].dfa.Minus(complete.dfa)
		}
	default:
		err = fmt.Errorf("no part %q", part)
	}
	for _, w := range words {
		p.examples[part] = append(p.examples[part], Example{Word: w})
	}
	return err
}

// tryPart calls add, which may take half of the steps that are left. It returns the error of the limit that add
// passed, if it passed one, and otherwise the error of add.
func (s *Subject) tryPart(add func() error) (err error) {
	passed := s.DFA.Budget().Fraction(2, func() { err = add() })
	return cmp.Or(passed, err)
}

// addInText is add for a part that may be left out: it also fails if the part has too much text to be written,
// unless the user asks for more states or for every byte, and so for such a text. The part is in the plan then, until
// leaveOut takes it out.
func (p *Plan) addInText(part Part) error {
	if err := p.add(part); err != nil || p.Options.Extra > 0 || p.Options.EveryByte {
		return err
	}
	return p.checkText()
}

// checkText fails if the words of the parts that are automata have more bytes than a file of vectors may, half as many
// as there are steps: a suite of few states can have gigabytes of words, which each take a step to be written.
func (p *Plan) checkText() error {
	all, most := new(big.Int), int64(p.Subject.budget().Share(0)/2)
	for _, words := range p.words {
		_, bytes := words.Size()
		all.Add(all, bytes)
	}
	if all.Cmp(big.NewInt(most)) > 0 {
		const message = "%w: its words have too much text, and all such parts may have %d bytes;" +
			" --limit-steps raises the limit"
		return fmt.Errorf(message, budget.ErrTooLarge, most)
	}
	return nil
}

// leaveOut takes a part out of the plan, for a reason.
func (p *Plan) leaveOut(part Part, why error) {
	p.Options.Parts = withoutPart(p.Options.Parts, part)
	delete(p.examples, part)
	delete(p.words, part)
	p.leftOut = append(p.leftOut, fmt.Sprintf("the part %s is left out: %v", part, why))
}

// withoutPart returns a copy of list that lacks a part.
func withoutPart(list []Part, part Part) []Part {
	return slices.DeleteFunc(slices.Clone(list), func(other Part) bool { return other == part })
}

// limitWords returns at most n of words, or all if n is 0: the first ones that are rejected and the first ones that
// are accepted, half of each as far as there are so many. The rejected words come first, unless all fit.
func (s *Subject) limitWords(words []string, n int) []string {
	if n == 0 || n >= len(words) {
		return slices.Clone(words)
	}
	var sides [2][]string
	for _, w := range words {
		side := 0
		if s.DFA.Match(w) {
			side = 1
		}
		sides[side] = append(sides[side], w)
	}
	accepted := min(n/2, len(sides[1]))
	rejected := min(n-accepted, len(sides[0]))
	return slices.Concat(sides[0][:rejected], sides[1][:min(n-rejected, len(sides[1]))])
}

// A Size is the number of vectors of a part, and of the bytes of their inputs.
type Size struct {
	Part           Part
	Vectors, Bytes *big.Int
}

// Sizes returns the exact size of each part without making the vectors. A word that is in several parts counts for
// the first.
func (p *Plan) Sizes() []Size {
	var sizes []Size
	var before []Example
	for _, part := range Parts {
		if !slices.Contains(p.Options.Parts, part) {
			continue
		}
		n, bytes := big.NewInt(int64(len(p.examples[part]))), new(big.Int)
		for _, e := range p.examples[part] {
			bytes.Add(bytes, big.NewInt(int64(len(e.Word))))
		}
		before = append(before, p.examples[part]...)
		if w := p.words[part]; w != nil {
			n, bytes = w.Size()
			for _, e := range before {
				if w.Has(e.Word) {
					n.Sub(n, big.NewInt(1))
					bytes.Sub(bytes, big.NewInt(int64(len(e.Word))))
				}
			}
		}
		sizes = append(sizes, Size{part, n, bytes})
	}
	return sizes
}

// Undecided returns the reasons why the vectors may not kill every mutant that they should, or lack a part. There are
// none about mutants if the plan has neither mutants nor derivations.
func (p *Plan) Undecided() (reasons []string) {
	if p.mutation != nil {
		reasons = p.mutation.Undecided()
	}
	if p.derived != nil {
		reasons = append(reasons, p.derived.Undecided()...)
	}
	return append(reasons, p.leftOut...)
}

// Header returns the lines that tell what the vectors are and what they guarantee. They begin with the reasons why
// that may be less than it should be. Each living mutant has a line of its own, and so has each production with mutants
// that were not looked at.
func (p *Plan) Header() []string {
	s, a := p.Subject, p.Subject.DFA
	judge, others := s.Judges[s.ownJudge()].String(), ""
	for i, j := range s.Judges {
		if i != s.ownJudge() {
			others += " and " + j.String()
		}
	}
	if others != "" {
		judge += "; beside its verdict stands that of" + strings.TrimPrefix(others, " and")
	}
	var lines []string
	for _, reason := range p.Undecided() { // first, so that nobody overlooks them
		lines = append(lines, "undecided: "+reason)
	}
	if p.Options.Command != "" {
		lines = append(lines, "generated by: "+p.Options.Command)
	}
	about := ""
	if s.Model != nil {
		about = s.Model.About
	} else {
		about = s.ID() + " of " + s.Grammar.Title
	}
	lines = append(lines, fmt.Sprintf("vectors for %s, judged by %s", about, judge))
	if s.Model != nil {
		lines = append(lines, s.Model.Bound...)
	}
	if s.ReadTo != "" {
		lines = append(lines,
			"read "+s.ReadTo+": the automaton accepts what nests no deeper, and the guarantees are about such strings;",
			"  the verdicts are those of the grammar itself, at whatever depth")
	}
	lines = append(lines, p.automatonLines()...)
	for _, size := range p.Sizes() {
		what := ""
		switch size.Part {
		case Boundary:
			what = "productions at their limits, present and absent, repeated"
		case Negative:
			what = "one edit away from a derived word, by the production that breaks"
		case Mutants:
			what = p.mutation.Guarantee()
			if all := len(p.mutation.All()); p.Options.Most > 0 && p.Options.Most < all {
				killed := "all"
				if len(p.Undecided()) > 0 {
					killed = strconv.Itoa(p.mutation.Mutants - len(p.mutation.Living))
				}
				what = fmt.Sprintf("of the %d that kill %s mutants, those which kill the most", all, killed)
			}
		case Derivations:
			what = p.derived.Guarantee()
		case Transitions:
			what = "every transition of the automaton, and the same on the way to an accepted end"
		case Complete:
			what = fmt.Sprintf("a complete suite by the method %s, k = %d: %s",
				p.Options.Method, p.Options.Extra, Guarantee(a, p.Options.Extra, p.Options.EveryByte))
		case Sweep:
			what = "every byte after every state: " + SweepGuarantee(a)
			if p.Options.EveryByte && slices.ContainsFunc(p.Sizes(), func(s Size) bool { return s.Part == Complete }) {
				what += "; the complete suite over all bytes guarantees that as well"
			}
		}
		lines = append(lines, fmt.Sprintf("%s: %v vectors, %v bytes; %s", size.Part, size.Vectors, size.Bytes, what))
		for i := 0; size.Part == Mutants && i < len(p.mutation.Living); i++ {
			lines = append(lines, "  not known to be killed: "+p.mutation.Living[i])
		}
		for i := 0; size.Part == Mutants && i < len(p.mutation.Left); i++ {
			lines = append(lines, "  not looked at: "+p.mutation.Left[i])
		}
		if size.Part == Derivations && len(p.derived.Lost) > 0 {
			lines = append(lines, "  not in any string: "+layout.Some(p.derived.Lost, mostLost, ", "))
		}
	}
	return lines
}

// mostLost caps the productions that the header lists as being in no string.
const mostLost = 8

// automatonLines describes the automaton and its classes of bytes. There are no lines if the subject has no
// automaton.
func (p *Plan) automatonLines() []string {
	a := p.Subject.DFA
	if a == nil {
		return nil
	}
	lines := []string{
		fmt.Sprintf("its minimal automaton has n = %d states, the dead one included, "+
			"over %d classes of bytes:", a.States(), a.Classes()),
	}
	for _, c := range a.Preferred() {
		lines = append(lines, fmt.Sprintf("  %s for %s", ast.Quote(string([]byte{a.Readable(c)})), a.ClassSet(c)))
	}
	return lines
}

// Vectors yields the vectors part by part, each input once. They are the same every time.
func (p *Plan) Vectors() iter.Seq[Vector] {
	return func(yield func(Vector) bool) {
		for e, part := range p.inputs() {
			if !yield(p.Subject.judgeWord(e.Word, part, e.Why)) {
				return
			}
		}
	}
}

// inputs yields the inputs of the vectors in their order, each with its part.
func (p *Plan) inputs() iter.Seq2[Example, Part] {
	return func(yield func(Example, Part) bool) {
		given := map[string]bool{}
		for _, part := range Parts {
			for _, e := range p.examples[part] {
				given[e.Word] = true
				if !yield(e, part) {
					return
				}
			}
			if words := p.words[part]; words != nil {
				for w := range words.All() {
					if !given[w] && !yield(Example{Word: w}, part) {
						return
					}
				}
			}
		}
	}
}

// budget returns the budget for the work on the subject.
func (s *Subject) budget() *budget.Budget {
	if s.DFA == nil {
		return s.bnf.Budget
	}
	return s.DFA.Budget()
}

// appendVerdicts appends the verdict of each judge on w to a list; derived is that of s's own production.
func (s *Subject) appendVerdicts(list []bool, w string, derived bool) []bool {
	for _, j := range s.Judges {
		own := j.Model == nil && j.Grammar == s.Grammar && j.Production == s.Production
		list = append(list, own && derived || !own && j.Accepts(w))
	}
	return list
}

// verdicts appends the verdicts on w, as in [Vector.Accept], to a list. Unlike judgeWord it does not explain them. It
// panics as isDerived does if the grammar does not decide w within its limits.
func (s *Subject) verdicts(list []bool, w string) []bool {
	if s.Model != nil {
		return append(list, s.modelVector(w, "").Accept...)
	}
	if s.Grammar.Within == nil { // without limits, everything that is accepted has a tree
		return s.appendVerdicts(list, w, s.Grammar.Accept(s.Production, w))
	}
	_, err := s.Grammar.Derive(s.Production, w)
	return s.appendVerdicts(list, w, isDerived(err))
}

// isDerived reports whether a string is derived by the error of [ast.Grammar.Derive]. If that is not decided, since a
// limit was passed, it panics so that [budget.Catch] sets the error: undecided is not rejected.
func isDerived(err error) bool {
	if _, rejected := errors.AsType[*ast.SyntaxError](err); err != nil && !rejected {
		panic(budget.Stopped(err))
	}
	return err == nil
}

// judgeWord returns the vector for a word of a part, with its verdicts and explanations. why tells what the vector
// tries; the reason of a rejection is appended to it. The vector of a model ignores why. judgeWord panics as verdicts
// does.
func (s *Subject) judgeWord(w string, part Part, why string) Vector {
	if s.Model != nil {
		return s.modelVector(w, part)
	}
	v := Vector{Input: w, Part: part, Why: why}
	tree, err := s.Grammar.Derive(s.Production, w)
	v.Accept = s.appendVerdicts(nil, w, isDerived(err))
	if err == nil {
		v.Components = s.componentsOf(tree)
		for _, n := range tree.Root().All() {
			if id := n.ID(); !slices.Contains(v.Productions, id) {
				v.Productions = append(v.Productions, id)
			}
		}
		return v
	}
	if e, ok := errors.AsType[*ast.SyntaxError](err); ok {
		s.budget().Step(32 * len(e.Expected))
	}
	_, _, v.Productions = s.brokenByError(err)
	if v.Why != "" {
		v.Why += "; "
	}
	v.Why += strings.TrimPrefix(err.Error(), s.Grammar.Name+": ")
	return v
}
