package conform

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
)

// Config says what to run.
type Config struct {
	Implementations []Implementation
	Judges          []Judge // nil for those of the RFCs: see [Judges]
	Inputs          []string
	Mutants         *Mutants // the mutants that the inputs were made to kill; nil if that is not known
	Cut             string   // a sentence that says which strings are not among the inputs; "" if none were left out
	Examples        int      // how many strings to keep for a pair of implementations, and faults for each; default 10

	// Progress is called now and then, from any goroutine, with the number of inputs that an implementation
	// has answered: before the first, after the first, after each thousand, and after the last. It may be
	// nil.
	Progress func(implementation string, done, total int)
}

// Run asks every implementation about every input, one implementation after the other, and reports where they
// differ. The inputs are sorted and duplicates dropped first. Failures of a child are in the report; Run
// itself fails only with ctx's error.
func Run(ctx context.Context, c Config) (*Report, error) {
	if c.Judges == nil {
		c.Judges = Judges()
	}
	if c.Examples <= 0 {
		c.Examples = 10
	}
	// In this order the first input of a group, and the first of a pair, is the shortest.
	inputs := slices.Clone(c.Inputs)
	slices.SortFunc(inputs, lang.Compare)
	inputs = slices.Compact(inputs)
	r := &Report{Inputs: len(inputs), Mutants: c.Mutants, cut: c.Cut}
	for _, j := range c.Judges {
		r.Grammars = append(r.Grammars, j.Grammar.Name)
	}
	var seen [][]Value // the hosts that each implementation so far sees in the inputs
	for _, im := range c.Implementations {
		answers, outcome, err := askAllInputs(ctx, im, inputs, c)
		if err != nil {
			return nil, err
		}
		r.Implementations = append(r.Implementations, outcome)
		for _, j := range c.Judges {
			r.Comparisons = append(r.Comparisons, compareAnswers(im.Name(), j, inputs, answers))
		}
		hosts := make([]Value, len(answers))
		for i, a := range answers {
			if a.Verdict == Accepted {
				hosts[i] = a.Components[Host]
			}
		}
		for i, other := range r.Implementations[:len(seen)] {
			r.Pairs = append(r.Pairs, comparePair(other.Name, im.Name(), inputs, seen[i], hosts, c.Examples))
		}
		seen = append(seen, hosts)
	}
	number := 0
	for i := range r.Comparisons {
		for k := range r.Comparisons[i].Groups {
			number++
			r.Comparisons[i].Groups[k].Number = number
		}
	}
	for _, gap := range r.Gaps() {
		if !r.Differs() {
			r.Undecided = append(r.Undecided, gap.Reason)
		}
	}
	r.Causes = r.joinCauses()
	return r, nil
}

// judgeURLs reports whether all judges judge URLs.
func (c Config) judgeURLs() bool {
	return !slices.ContainsFunc(c.Judges, func(j Judge) bool { return !j.judgesURLs() })
}

// A batcher is an implementation that is best asked about several inputs at a time.
type batcher interface {
	Together() int
	AskAll(ctx context.Context, words []string) ([]Answer, error)
}

// AskAll asks im about all words, with as many goroutines as it has workers, and calls take with the index of
// each word and its answer, from several of these goroutines at a time. They have all ended when it returns. If
// asking fails, it stops and returns that error, and take is not called for some words. It also returns ctx's error
// if ctx ends after the last answer.
func AskAll(ctx context.Context, im Implementation, words []string, take func(i int, a Answer)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// The workers take the next words from one counter. The first error ends all, by the context that they ask in.
	many := 1
	all, together := im.(batcher)
	if together {
		many = all.Together()
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range max(im.Workers(), 1) {
		wait.Go(func() {
			for {
				i := int(next.Add(int64(many))) - many
				if i >= len(words) {
					return
				}
				some := make([]Answer, 1)
				var err error
				if together {
					some, err = all.AskAll(ctx, words[i:min(i+many, len(words))])
				} else {
					some[0], err = im.Ask(ctx, words[i])
				}
				if err != nil {
					cancel(err)
					return
				}
				for k, a := range some {
					take(i+k, a)
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// askAllInputs asks im about all inputs and counts its answers, which it returns in the order of the inputs.
// Each answer is kept as shortened and, if all judges judge URLs, requireScheme leave it. If im gives up,
// Outcome.GaveUp says so, and the missing answers have the verdict NoAnswer. askAllInputs fails only with
// ctx's error.
func askAllInputs(ctx context.Context, im Implementation, inputs []string, c Config) ([]Answer, Outcome, error) {
	answers := make([]Answer, len(inputs))
	out := Outcome{Name: im.Name()}
	progress := func(done int) {
		if c.Progress != nil {
			c.Progress(im.Name(), done, len(inputs))
		}
	}
	progress(0)
	// The answers come from several goroutines, each to its own place.
	var done atomic.Int64
	err := AskAll(ctx, im, inputs, func(i int, a Answer) {
		if c.judgeURLs() {
			a = a.requireScheme()
		}
		answers[i] = a.shortened(inputs[i])
		if n := int(done.Add(1)); n == 1 || n%1000 == 0 || n == len(inputs) {
			progress(n)
		}
	})
	if err != nil {
		var gaveUp *GaveUpError
		if !errors.As(err, &gaveUp) {
			return nil, out, err
		}
		out.GaveUp = gaveUp.Error()
	}
	for _, a := range answers {
		switch a.Verdict {
		case Accepted:
			out.Accepted++
		case Rejected:
			out.Rejected++
		case Undecided:
			out.Undecided++
		default:
			out.NoAnswer++
		}
		if a.Fault != nil {
			out.FaultCount++
			if len(out.Faults) < c.Examples {
				out.Faults = append(out.Faults, a.Fault)
			}
		}
	}
	return answers, out, nil
}
