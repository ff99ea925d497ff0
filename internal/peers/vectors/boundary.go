package vectors

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An Example is a word with the reason why it is there.
type Example struct{ Word, Why string }

// lengths are the lengths that the text of each production is brought to: none, few, and both sides of common sizes
// of buffers and of the limits of the domain name system (RFC 1034, section 3.1: 63 for a label, 255 for a name).
var lengths = []int{0, 1, 2, 3, 63, 64, 255, 256, 1023, 1024}

// times are the numbers of times that a production is repeated, apart from none and one.
var times = []int{2, 3, 16, 128}

// numbers are texts for productions that derive digits alone: the edges of a byte, a port, and a machine's word.
var numbers = []string{"00", "255", "256", "65535", "65536", "4294967296"}

// Boundaries returns words that bring each production that s's own uses to its limits. For each production they begin
// with the shortest word without it. The next ones are made of the shortest word that uses it: once or, if no word
// does, up to seven times, and if none does there are no more. Its text is replaced by the most readable text of each
// of several lengths up to longest bytes, and by the empty word even if it does not derive that. If it derives digits
// alone, numbers that programs have trouble with follow, however long, and at last words that repeat it, in at most
// longest bytes. Each word occurs once, whether it is derived or not. Other lexical productions than s's own are passed
// over, and those that derive at most the empty word inside a recursion.
//
// There are none for a grammar whose words can contain every byte. Boundaries fails where [lang.FromBNF] does,
// and for a model, which has no productions.
func (s *Subject) Boundaries(longest int) ([]Example, error) {
	if s.Model != nil {
		return nil, errNoProductions
	}
	mark, ok := s.unusedByte()
	if !ok {
		return nil, nil
	}
	var list []Example
	seen := map[string]bool{}
	add := func(word, why string, args ...any) {
		if !seen[word] {
			seen[word] = true
			list = append(list, Example{word, fmt.Sprintf(why, args...)})
		}
	}
	for _, r := range s.reportedRules() {
		s.bnf.Budget.In(r.Label())
		text, err := lang.FromBNF(s.bnf, r.ID)
		if err != nil {
			return nil, err
		}
		marked, err := lang.FromBNF(s.bnf.Change(r.ID, expr.In(singleByte(mark))), s.ID())
		if _, nests := errors.AsType[*expr.SelfEmbedding](err); nests {
			// r derives at most the empty word, so a recursion around it reads nothing until r reads a byte instead:
			// a = b *a, b = "". There is no text to bring to a limit.
			continue
		}
		if err != nil {
			return nil, err
		}
		mark := string([]byte{mark})
		use := func(n int) (string, bool) { return marked.Intersect(wordsWithExactly(n, mark[0])).Shortest() }
		if word, ok := use(0); ok && r.ID != s.ID() {
			add(word, "without %s", r.Name)
		}
		word, ok := use(1)
		for n := 2; !ok && n < 8; n++ { // some are needed several times, like the dots of an address
			word, ok = use(n)
		}
		if !ok {
			continue
		}
		for _, n := range lengths {
			if n > longest {
				break
			}
			if v, ok := firstOfLength(text, n); ok || n == 0 {
				add(strings.ReplaceAll(word, mark, v), "%s of %s", r.Name, bytesOf(n))
			}
		}
		for n := 1; n <= 4 && text.Subset(digits); n++ { // an address has four
			for _, v := range numbers {
				if word, ok := use(n); ok && text.Match(v) {
					add(strings.ReplaceAll(word, mark, v), "%s is %s", r.Name, v)
				}
			}
		}
		v, ok := text.ShortestOutside(lang.Epsilon())
		for _, n := range times {
			if word, more := use(n); more && ok && n*len(v) <= longest {
				add(strings.ReplaceAll(word, mark, v), "%s %d times", r.Name, n)
			}
		}
	}
	return list, nil
}

// bytesOf returns "1 byte" or "3 bytes".
func bytesOf(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// SpareBoundaries is [Subject.Boundaries] for callers that can do without the result. It may take a quarter of the
// budget, which is not charged, and fails beyond that. Meanwhile the subject has that part as its budget.
func (s *Subject) SpareBoundaries(longest int) (list []Example, err error) {
	defer budget.Catch(&err)
	if s.Model != nil {
		return nil, errNoProductions
	}
	all := s.bnf.Budget
	defer func() { s.bnf.Budget = all }()
	s.bnf.Budget = all.Part(int64(all.Share(2)))
	return s.Boundaries(longest)
}

var digits = lang.OfSet(expr.Range('0', '9')).Star()

// unusedByte returns the smallest byte that no word of the language contains, or false if there is none.
func (s *Subject) unusedByte() (byte, bool) {
	var used expr.Set
	for q := range s.DFA.States() {
		used = used.Union(s.DFA.Viable(q))
	}
	rest := used.Complement().Members()
	if len(rest) == 0 {
		return 0, false
	}
	return rest[0], true
}

// reportedRules lists the productions that s's own uses, itself included, in the order of the text. Other lexical
// productions and states of automata are left out.
func (s *Subject) reportedRules() []*expr.Rule {
	ids := s.bnf.Reach(s.ID())
	return slices.DeleteFunc(slices.Clone(s.bnf.Rules), func(r *expr.Rule) bool {
		kind, _ := s.Grammar.Kind(r.ID)
		return !slices.Contains(ids, r.ID) || r.ID != s.ID() && (r.State || s.Grammar.Production(kind).Lexical)
	})
}

// wordsWithExactly returns the words with exactly n bytes x, and any number of other bytes. Their automaton has n+2
// states, so no limit is passed.
func wordsWithExactly(n int, x byte) *lang.DFA {
	net := newNetwork(nil)
	from := net.State()
	net.Start = from
	others := singleByte(x).Complement()
	net.Read(from, others, from)
	for range n {
		to := net.State()
		net.Read(from, singleByte(x), to)
		net.Read(to, others, to)
		from = to
	}
	net.Silent(from, net.Final)
	dfa, _ := net.Determinize(lang.Limits{DFA: n + 3})
	return dfa
}

// firstOfLength returns the first word of length n in the order of [lang.Compare], or false if there is none. It
// takes n steps of the budget of a for each state and class, and panics if they are used up.
func firstOfLength(a *lang.DFA, n int) (string, bool) {
	a.Budget().Step(n * a.States() * a.Classes())
	can := make([]states, n+1) // can[i]: the states from which some word of length i is accepted
	for i := range can {
		can[i] = newStates(a.States())
		for q := range a.States() {
			if i == 0 && a.Accepts(q) {
				can[i].add(q)
			}
			for c := 0; i > 0 && c < a.Classes(); c++ {
				if can[i-1].has(a.NextClass(q, c)) {
					can[i].add(q)
				}
			}
		}
	}
	if !can[n].has(0) {
		return "", false
	}
	classes, q := a.Preferred(), 0
	w := make([]byte, 0, n)
	for i := n; i > 0; i-- {
		for _, c := range classes {
			if p := a.NextClass(q, c); can[i-1].has(p) {
				w, q = append(w, a.Readable(c)), p
				break
			}
		}
	}
	return string(w), true
}
