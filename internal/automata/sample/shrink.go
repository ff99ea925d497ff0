package sample

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// readable are the bytes in the order of [lang.Compare].
var readable = lang.InOrder(expr.AnyByte)

// Shrink returns a word that fails as w does and is as small as can be: it no longer fails if any part is
// left out, or if a byte is replaced, in one place or in all, by one that is earlier in the order of
// [lang.Compare].
func Shrink(w string, fails func(w string) bool) string {
	for {
		v := shorter(w, fails)
		if v == w {
			v = simpler(w, fails)
		}
		if v == w {
			return w
		}
		w = v
	}
}

// shorter leaves out bytes, many at once where that goes.
func shorter(w string, fails func(w string) bool) string {
	for n := len(w); n > 0; n-- {
		for i := 0; i+n <= len(w); i++ {
			if v := w[:i] + w[i+n:]; fails(v) {
				w = v
				n = min(n, len(w)) + 1
				break
			}
		}
	}
	return w
}

// simpler writes an earlier byte in one place, or wherever the same byte stands.
func simpler(w string, fails func(w string) bool) string {
	for i := range len(w) {
		for _, x := range readable {
			if x == w[i] {
				break
			}
			old, new := string(w[i:i+1]), string([]byte{x})
			for _, v := range []string{w[:i] + new + w[i+1:], strings.ReplaceAll(w, old, new)} {
				if fails(v) {
					return v
				}
			}
		}
	}
	return w
}

// maxTries bounds the words that [Language.Shrink] tries beyond those of [Shrink].
const maxTries = 20_000

// Shrink is the function Shrink, followed by a search for words that are shorter still, and not made of w: all strings
// that begin as words of the language do, of which only the last byte may be wrong, over one byte of each class, in the
// order of [lang.Compare]. It reports whether the search came to its end: then no shorter one of these fails. Where
// they are too many, the transition cover follows.
func (l *Language) Shrink(w string, fails func(w string) bool) (short string, shortest bool) {
	w = Shrink(w, fails)
	v, complete := l.firstFailing(len(w), fails)
	if v == "" && !complete {
		for _, u := range l.DFA.TransitionCover() {
			if len(u) >= len(w) {
				break
			}
			if fails(u) {
				return Shrink(u, fails), false
			}
		}
	}
	if v != "" {
		w = Shrink(v, fails)
	}
	return w, complete
}

// firstFailing returns the first of the strings shorter than n that fails, "" if there is none. It is not complete if
// there are too many of them; then it stops. The empty string is left to [Shrink], which has tried it.
func (l *Language) firstFailing(n int, fails func(w string) bool) (w string, complete bool) {
	type prefix struct {
		w string
		q int
	}
	bytes := l.DFA.Letters() // one of each class
	tries := 0
	level := []prefix{{"", 0}}
	for length := 1; length < n; length++ {
		var next []prefix
		for _, p := range level {
			if l.DFA.Dead(p.q) {
				continue
			}
			for _, x := range bytes {
				if tries++; tries > maxTries {
					return "", false
				}
				v := p.w + string([]byte{x})
				if fails(v) {
					return v, true
				}
				next = append(next, prefix{v, l.DFA.Next(p.q, x)})
			}
		}
		level = next
	}
	return "", true
}
