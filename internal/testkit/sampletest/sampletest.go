// Package sampletest holds laws on samples of languages in tests. It has the flags -words and -seed.
package sampletest

import (
	"flag"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
)

var (
	words = flag.Int("words", 0,
		"how many words of each grammar a test of laws draws, besides those that take every transition; 0 "+
			"is the test's own number")
	seed = flag.Uint64("seed", 1, "the seed of what is drawn")
)

// Words returns the value of -words, or few where there is none.
func Words(few int) int {
	if *words > 0 {
		return *words
	}
	return few
}

// Seed returns the value of -seed.
func Seed() uint64 { return *seed }

// Hold tries laws on the words of a plan, with the seed of the flag. Each failure is an error of the test, with the
// shortest word.
func Hold[T any](t testing.TB, p sample.Plan, read func(language int, w string) (T, error),
	laws []sample.Law[T]) *sample.Report {
	t.Helper()
	p.Seed = *seed
	r := sample.Hold(p, read, laws)
	for _, f := range r.Failures {
		shortest := ""
		if f.Shortest {
			shortest = ", and of no shorter one"
		}
		t.Errorf("not true of %q%s: %s: %v\n(found as %q in language %d; -words %d -seed %d)", f.Word, shortest,
			f.Law, f.Err, f.Found, f.Language, p.Words, p.Seed)
	}
	t.Logf("-seed %d: %d words, %d of them accepted, in %.1f s", p.Seed, r.Words, r.Accepted, r.Took.Seconds())
	for _, l := range r.Laws {
		t.Logf("  %9d tried, %7d failed: %s", l.Tried, l.Failed, l.Law)
	}
	return r
}
