package semantic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck"
)

// plainNearest is nearest in the plainest way: it looks at every place for the one to go on from, and tries every byte.
func (w walker) plainNearest(q0 uint16) (best []step, ok bool) {
	const edit = 1 << 16
	type key struct {
		at int
		q  uint16
	}
	type way struct {
		cost int
		from key
		step step
		done bool
	}
	_, index := w.reachable(q0) // gives states their order
	ways := map[key]*way{{0, q0}: {}}
	for {
		var to key
		least := math.MaxInt
		for k, v := range ways {
			if !v.done && (v.cost < least || v.cost == least && (k.at > to.at || k.at == to.at && index[k.q] > index[to.q])) {
				to, least = k, v.cost
			}
		}
		if least == math.MaxInt {
			return nil, false
		}
		here := ways[to]
		here.done = true
		if to.at == len(w.d.text) && w.accepts(to.q) {
			for k := to; k != (key{0, q0}); k = ways[k].from {
				if s := ways[k].step; s.kind != 0 {
					best = append(best, s)
				}
			}
			slices.Reverse(best)
			return best, true
		}
		reach := func(k key, cost int, s step) {
			if v, known := ways[k]; !known || !v.done && cost < v.cost {
				ways[k] = &way{cost: cost, from: to, step: s}
			}
		}
		if to.at < len(w.d.text) {
			if next, kind := w.read(to.q, to.at, to.at < w.authority()); next != 0 {
				cost := here.cost
				if kind == EncodeOctet && reserved(w.d.text[to.at]) {
					cost += 2
				}
				reach(key{to.at + 1, next}, cost, step{kind: kind, at: int32(to.at)})
			}
			reach(key{to.at + 1, to.q}, here.cost+edit, step{kind: Delete, at: int32(to.at)})
		}
		for _, b := range w.symbols() {
			next := w.next(to.q, b)
			if next == 0 {
				continue
			}
			if to.at < len(w.d.text) {
				reach(key{to.at + 1, next}, here.cost+edit+2, step{Substitute, b, int32(to.at)})
			}
			reach(key{to.at, next}, here.cost+edit+1, step{Insert, b, int32(to.at)})
		}
	}
}

// The guess is the one of the plain search, edit by edit, so that what is repaired how does not hang on how fast it is found.
func TestNearestIsThePlainOne(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	heads := []string{"", "", "http://", "ftp://", "wais://h.x/", "news:", "gopher://h/", "mailto:", "a:", "telnet:", "nntp://h/", "file:", "url:http:"}
	const alphabet = "ab1.:@/?-%;= ~\xFF#\x00"
	rounds := 40
	if testing.Short() {
		rounds = 5
	}
	for _, g := range bnfcheck.Grammars() {
		for range rounds {
			text := []byte(heads[random.IntN(len(heads))])
			for range random.IntN(6) {
				text = append(text, alphabet[random.IntN(len(alphabet))])
			}
			w := walker{g.Machine, newDraft(string(text))}
			q := w.start(g.Default)
			got, ok := w.nearest(q)
			want, wantOK := w.plainNearest(q)
			if ok != wantOK || !slices.Equal(got, want) {
				t.Errorf("%s %q: %v, plainly %v", g.Name, text, got, want)
			}
		}
	}
}
