package diff

import (
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Follower follows strings through one language. It is safe for concurrent use.
type Follower struct {
	mu sync.Mutex
	t  *tracker
}

// Follow returns a follower of a language. Errors are those of [Compare].
func Follow(side catalog.Language, limits lang.Limits) (*Follower, error) {
	t, err := newTracker(side, side.Grammar.UTF8, limits)
	if err != nil {
		return nil, err
	}
	return &Follower{t: t}, nil
}

// Break describes where a string that is not in the language breaks off. offset is the length of the longest
// beginning of s that begins some string of the language, and at is the place after it, with the terms that
// could follow. It is all of s if that is only too short. first has, by index in at.Terms, the bytes that a term
// can begin with; the set is empty for the end of the input. If the language is empty, at has no terms, and first
// is nil.
func (f *Follower) Break(s string) (offset int, at Place, first []expr.Set) {
	f.mu.Lock()
	defer f.mu.Unlock()
	q := 0
	if !f.t.isLive(q) { // the language is empty
		return 0, f.t.placeAt([]string{f.t.rule.Name}, nil), nil
	}
	for offset < len(s) {
		next := f.t.step(q, s[offset])
		if !f.t.isLive(next) {
			break
		}
		q = next
		offset++
	}
	at = f.t.placeAt(f.t.fullPath(q), f.t.termsAfter(q).shownNames())
	for _, term := range at.Terms {
		first = append(first, f.t.termsAfter(q).bytes[term])
	}
	return offset, at, first
}
