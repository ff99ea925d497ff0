package vectors

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A Method is a way to make a complete suite. All three give the same guarantee, with suites of different sizes.
type Method uint8

// The methods. Write Q for the words that first lead to each state, A for one byte of each class, A^i for i of them.
const (
	// W (Chow 1978): every word of Q A^0 ... Q A^(k+1), followed by every word of a set W that separates any two
	// states.
	W Method = iota
	// Wp (Fujiwara et al. 1991): W after the words of Q A^0 ... Q A^k; after those of Q A^(k+1), which lead to a state
	// s, only words W_s of W that separate s from every other state.
	Wp
	// HSI (Petrenko et al. 1993): as W, but after a word that leads to s only a set H_s, where any two states are
	// separated by a word that is in both their sets.
	HSI
)

var methodNames = [...]string{"W", "Wp", "HSI"}

// String returns the method's name in the literature.
func (m Method) String() string { return quote.Name("Method", m, methodNames[:]...) }

// ParseMethod returns the method with a name, in either case. For any other name it fails, and lists the methods.
func ParseMethod(name string) (Method, error) {
	for m, known := range methodNames {
		if strings.EqualFold(name, known) {
			return Method(m), nil
		}
	}
	return 0, fmt.Errorf("no method %q; there are %s", name, strings.Join(methodNames[:], ", "))
}

// CompleteSuite returns the words of a suite with the guarantee that [Guarantee] states: any automaton with at most
// extra more states than a that agrees with a on all of them accepts exactly what a accepts. The letters are the most
// readable byte of each class or, with everyByte, all 256 bytes, so that nothing is assumed about classes.
//
// The suite is the language of an automaton, so its size is known without making it, and its words come in order. It
// fails if extra is negative, if m is no method, or if the automaton is too large or takes all steps of a's budget;
// the latter errors wrap [lang.ErrTooLarge].
func CompleteSuite(a *lang.DFA, m Method, extra int, everyByte bool) (suite *Words, err error) {
	defer budget.Catch(&err)
	if extra < 0 {
		return nil, fmt.Errorf("%d extra states", extra)
	}
	s := newSeparators(a)
	// The words to append to one of Q A^0 ... Q A^k, and to one of Q A^(k+1), by the state it leads to.
	var inner, outer [][]string
	switch m {
	case W:
		all := s.characterizingSet()
		for range a.States() {
			inner = append(inner, all)
		}
		outer = inner
	case Wp:
		outer = s.identifyingSets()
		all := unionOfWords(outer)
		for range a.States() {
			inner = append(inner, all)
		}
	case HSI:
		inner = s.harmonizedSets()
		outer = inner
	default:
		return nil, fmt.Errorf("no method %s", m)
	}

	n := newNetwork(a.Budget())
	// By state: the state of the new automaton that the words of its set begin at.
	ends := func(sets [][]string) []int32 {
		at := make([]int32, len(sets))
		begun := map[string]int32{}
		for q, set := range sets {
			key := strings.Join(set, "\xFF\x00") // only a key: if two sets shared it, the suite would have more words
			if _, ok := begun[key]; !ok {
				begun[key] = n.addState()
				for _, w := range set {
					n.addWord(begun[key], w)
				}
			}
			at[q] = begun[key]
		}
		return at
	}
	innerEnds, outerEnds := ends(inner), ends(outer)

	// left[d][q]: a word that leads to q, with d letters of A still to come.
	letters := lettersOf(a, everyByte)
	left := make([][]int32, extra+1)
	for d := range left {
		left[d] = make([]int32, a.States())
		for q := range left[d] {
			left[d][q] = n.addState()
			if d == 0 {
				n.Silent(left[d][q], outerEnds[q])
				continue
			}
			n.Silent(left[d][q], innerEnds[q])
			for c, set := range letters {
				n.Read(left[d][q], set, left[d-1][a.NextClass(q, c)])
			}
		}
	}
	for q, at := range n.addAccessTree(a) {
		n.Silent(at, innerEnds[q])
		for c, set := range letters {
			n.Read(at, set, left[extra][a.NextClass(q, c)])
		}
	}
	longestEnd := max(longestLength(unionOfWords(inner)), longestLength(unionOfWords(outer)))
	return n.finish(longestLength(a.AccessWords()) + extra + 1 + longestEnd)
}

// SpareComplete returns the words of a complete suite by HSI without extra states, for callers that can do without
// it. With everyByte the suite is over all 256 bytes. It may take a quarter of the budget, which is not charged. It
// fails beyond that, or if there are more than most words.
func (s *Subject) SpareComplete(most int, everyByte bool) (list []string, err error) {
	defer budget.Catch(&err)
	a := s.DFA
	if b := a.Budget(); b != nil {
		a = a.Charged(b.Part(int64(b.Share(2))))
	}
	words, err := CompleteSuite(a, HSI, 0, everyByte)
	if err != nil {
		return nil, err
	}
	if n, _ := words.Size(); n.Cmp(big.NewInt(int64(most))) > 0 {
		return nil, fmt.Errorf("%w: %v strings, more than %d", budget.ErrTooLarge, n, most)
	}
	return slices.Collect(words.All()), nil
}

// Guarantee returns in words which implementations cannot be wrong if they pass a complete suite for a with so many
// extra states, over one byte of each class or, with everyByte, over all bytes.
func Guarantee(a *lang.DFA, extra int, everyByte bool) string {
	over := "that reads the bytes of one class alike"
	if everyByte {
		over = "over all 256 bytes"
	}
	return fmt.Sprintf("any implementation whose behavior is a deterministic automaton with at most n + k = "+
		"%d + %d = %d states, %s, and that passes every vector, accepts exactly this "+
		"language", a.States(), extra, a.States()+extra, over)
}
