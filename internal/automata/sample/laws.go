package sample

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
)

// A Plan says what to try.
type Plan struct {
	Languages []*Language

	// Given are strings that are tried before all others, with every language.
	Given []string

	// Cover is how many words of the transition cover of each language are tried, at equal distances; -1 is all of
	// them.
	Cover int

	// Words is how many words are drawn. They are shared out evenly among the languages, and among their transitions.
	Words int

	// Seed decides what is drawn, whatever the number of cores.
	Seed uint64

	// Vary, if there is one, may write a word in another way before it is tried.
	Vary func(l *Language, w string, rng *rand.Rand) string
}

// A Law should hold for every word. T is the type of the value that a word is read as.
type Law[T any] struct {
	Name string

	// Of reports whether the law is about a word; a nil Of is about all.
	Of func(v T) bool

	// Every is 1 or 0 for a law that is tried on every word, and n for one that is slow and tried on one word of n.
	Every uint64

	// Holds returns an error where the law does not hold. It may be called by several goroutines, and depends on its
	// arguments alone.
	Holds func(v T, rng *rand.Rand) error
}

// A Tally is how often a law was tried.
type Tally struct {
	Law           string
	Tried, Failed int64
}

// A Failure is a word that breaks a law.
type Failure struct {
	Law      string
	Language int    // its place in the plan
	Word     string // the shortest that was found
	Shortest bool   // no shorter one fails: see [Language.Shrink]
	Found    string // the word that was drawn
	Err      error  // of the shortest
}

// A Report is the result of a plan.
type Report struct {
	Words    int
	Accepted int64 // words of the languages
	Laws     []Tally
	Failures []Failure // at most maxFailures of each law; each word once
	Took     time.Duration
}

// maxFailures is how many failures of a law are made short and reported. The others are counted.
const maxFailures = 4

// block is how many words are drawn from one source of random numbers.
const block = 64

// A run carries out a plan.
type run[T any] struct {
	Plan
	read  func(language int, w string) (T, error)
	laws  []Law[T]
	given []task

	accepted      atomic.Int64
	tried, failed []atomic.Int64
	mu            sync.Mutex
	failures      []Failure
}

// A task is a word to try with a language.
type task struct {
	language int
	w        string
}

// Hold tries the laws on the words of a plan. Read makes of a word what the laws are about; its error, like a panic, is
// a broken law. It stops as the budget of a language does where drawing a word passes a limit.
func Hold[T any](p Plan, read func(language int, w string) (T, error), laws []Law[T]) *Report {
	r := &run[T]{Plan: p, read: read, laws: laws}
	r.tried, r.failed = make([]atomic.Int64, len(laws)+1), make([]atomic.Int64, len(laws)+1)
	for i, l := range p.Languages {
		for _, w := range p.Given {
			r.given = append(r.given, task{i, w})
		}
		for _, w := range l.coverWords(p.Cover) {
			r.given = append(r.given, task{i, w})
		}
	}
	begin := time.Now()
	total := len(r.given) + p.Words
	blocks := (total + block - 1) / block
	budget.InParallel(blocks, func(b int) {
		rng := rand.New(rand.NewPCG(p.Seed, uint64(b)))
		for i := b * block; i < min((b+1)*block, total); i++ {
			r.tryLaws(r.taskOf(i, rng), rng)
		}
	})
	report := &Report{Words: total, Accepted: r.accepted.Load(), Failures: r.failures, Took: time.Since(begin)}
	slices.SortFunc(report.Failures, func(a, b Failure) int {
		return cmp.Or(a.Language-b.Language, lang.Compare(a.Word, b.Word), strings.Compare(a.Law, b.Law),
			lang.Compare(a.Found, b.Found))
	})
	report.Failures = slices.CompactFunc(report.Failures, func(a, b Failure) bool {
		return a.Language == b.Language && a.Word == b.Word && a.Law == b.Law
	})
	for i := range r.tried {
		report.Laws = append(report.Laws, Tally{r.lawName(i), r.tried[i].Load(), r.failed[i].Load()})
	}
	return report
}

// coverWords returns at most n words of the transition cover, all for -1.
func (l *Language) coverWords(n int) []string {
	if n == 0 {
		return nil
	}
	all := l.DFA.TransitionCover()
	if n < 0 || len(all) <= n {
		return all
	}
	out := make([]string, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out
}

// lawName returns the name of a law; 0 is that of read.
func (r *run[T]) lawName(i int) string {
	if i == 0 {
		return "can be read"
	}
	return r.laws[i-1].Name
}

// taskOf returns the task i: a word that is given, or one that is drawn. One word of three is a near miss.
func (r *run[T]) taskOf(i int, rng *rand.Rand) task {
	if i < len(r.given) {
		return r.given[i]
	}
	i -= len(r.given)
	t := task{language: i % len(r.Languages)}
	l := r.Languages[t.language]
	switch i /= len(r.Languages); {
	case l.Transitions() == 0:
	case i%3 == 0:
		t.w, _ = l.Uniform(rng)
	case i%3 == 1:
		t.w = l.Through(i/3%l.Transitions(), rng)
	default:
		t.w, _ = l.Walk(rng)
	}
	if r.Vary != nil {
		t.w = r.Vary(l, t.w, rng)
	}
	if rng.IntN(3) == 0 {
		t.w = l.Near(t.w, rng)
	}
	return t
}

// tryLaws tries every law on a word.
func (r *run[T]) tryLaws(t task, rng *rand.Rand) {
	if r.Languages[t.language].DFA.Match(t.w) {
		r.accepted.Add(1)
	}
	r.tried[0].Add(1)
	var v T
	if err := r.readInto(&v, t); err != nil {
		r.recordFailure(0, t, 0)
		return
	}
	for i := range r.laws {
		law, seed := &r.laws[i], rng.Uint64()
		if law.Every > 1 && seed%law.Every != 0 || law.Of != nil && !law.Of(v) {
			continue
		}
		r.tried[i+1].Add(1)
		if holds(law, v, seed) != nil {
			r.recordFailure(i+1, t, seed)
		}
	}
}

// readInto reads the word of a task and sets *v to the value. A panic of the reader becomes an error, too.
func (r *run[T]) readInto(v *T, t task) error {
	return recovered(func() (err error) {
		*v, err = r.read(t.language, t.w)
		return err
	})
}

// holds returns the error of a law. The same seed returns the same error.
func holds[T any](law *Law[T], v T, seed uint64) error {
	return recovered(func() error { return law.Holds(v, rand.New(rand.NewPCG(seed, 0))) })
}

// recheck returns the error of one law on one word; 0 is read.
func (r *run[T]) recheck(i int, t task, seed uint64) error {
	var v T
	err := r.readInto(&v, t)
	switch {
	case i == 0:
		return err
	case err != nil || r.laws[i-1].Of != nil && !r.laws[i-1].Of(v):
		return nil
	}
	return holds(&r.laws[i-1], v, seed)
}

// recordFailure counts a failure. The first of each law are made as short as can be.
func (r *run[T]) recordFailure(i int, t task, seed uint64) {
	if r.failed[i].Add(1) > maxFailures {
		return
	}
	f := Failure{Law: r.lawName(i), Language: t.language, Found: t.w}
	f.Word, f.Shortest = r.Languages[t.language].Shrink(t.w, func(w string) bool {
		return r.recheck(i, task{t.language, w}, seed) != nil
	})
	f.Err = r.recheck(i, task{t.language, f.Word}, seed)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, f)
}

// recovered calls f; a panic is an error like any other.
func recovered(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			stack := make([]byte, 4096)
			err = fmt.Errorf("panic: %v\n%s", r, stack[:runtime.Stack(stack, false)])
		}
	}()
	return f()
}
