package ast

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A Checker checks that trees are derivations. It shares nothing with the parsers: for each node it
// finds whether the production derives the text with exactly the nodes below it. To check every
// tree that a [Parser] makes, set its Check to [Checker.Check]. A Checker is safe for concurrent
// use.
type Checker struct {
	Steps int // caps the steps for one tree; 0 stands for the default for its text: see [LimitsFor]

	rules []checkedRule // by Kind
}

// A checkedRule is the expression of a production, and what is known of the production.
type checkedRule struct {
	*checked
	lexical bool // it is never a node below the root
	circle  bool // it is lexical, and uses itself by way of lexical productions

	// For [Node.Alternative]: the production with each alternative of its choice alone, nil if it
	// has no choice; and whether the child of a node tells the alternative.
	alternatives []*checked
	byChild      bool
}

// checked is an expression. op is the first letter of its operator in the words of [NewChecker] ('e'
// empty, 'b' bytes, 'r' rule, 's' seq, 'a' alt, 't' times, and star too, as times 0 -1), and the
// operands are in the fields that this operator has.
type checked struct {
	op          byte
	set         ByteSet
	a, b        *checked
	kind        Kind
	least, most int
}

// NewChecker returns a checker for a grammar in the words of proof/check, the checker of trees that
// is proven in Rocq: for each production, in the order of its [Kind], a line of "node" or "lexical"
// and an expression. The operators, each before its operands, are empty, bytes SET as in "2d,30-39"
// or "none", rule KIND, seq A B, alt A B, star A, and times LEAST MOST A, where a MOST of -1 is no
// limit. It fails at the first line that is not of this form.
func NewChecker(grammar string) (*Checker, error) {
	return newChecker(grammar, func(int, *checked) []*checked { return nil })
}

// newChecker is [NewChecker] for rules that also tell alternatives ([Node.Alternative]). It calls
// alternatives, which must not be nil, with the index of each production's line, which is one less
// than its [Kind], and its expression e as it was read. The function returns an expression for each
// alternative of the production's choice, or nil if it has none. A line of 16 MiB or more is an
// error, too.
func newChecker(grammar string, alternatives func(i int, e *checked) []*checked) (*Checker, error) {
	c := &Checker{rules: make([]checkedRule, 1)}
	for line := range strings.Lines(grammar) {
		w := &checkedWords{rest: strings.Fields(line), ok: len(line) < 1<<24}
		form := w.next()
		e := w.expression()
		if !w.ok || len(w.rest) > 0 || form != "node" && form != "lexical" {
			return nil, fmt.Errorf("line %d of the grammar of a checker is wrong, before its last %d words",
				len(c.rules), len(w.rest))
		}
		r := checkedRule{checked: e.joinBytes(), lexical: form == "lexical"}
		for _, a := range alternatives(len(c.rules)-1, e) {
			r.alternatives = append(r.alternatives, a.joinBytes())
		}
		c.rules = append(c.rules, r)
	}
	for k := range c.rules {
		r := &c.rules[k]
		r.circle = r.lexical && c.reaches(r.checked, Kind(k), make([]bool, len(c.rules)))
		r.byChild = c.isByChild(r.alternatives)
	}
	return c, nil
}

// reaches reports whether e uses production k, directly or through lexical productions. seen, by
// kind, marks the productions that were followed already, so that each is followed once.
func (c *Checker) reaches(e *checked, k Kind, seen []bool) bool {
	switch {
	case e == nil:
		return false
	case e.op != 'r':
		return c.reaches(e.a, k, seen) || c.reaches(e.b, k, seen)
	case e.kind == k:
		return true
	case int(e.kind) >= len(c.rules) || seen[e.kind]:
		return false
	}
	seen[e.kind] = true
	return c.rules[e.kind].lexical && c.reaches(c.rules[e.kind].checked, k, seen)
}

// checkedWords reads the words of an expression. ok is false once one is missing or wrong; what is
// read then means nothing.
type checkedWords struct {
	rest []string
	ok   bool
}

// next takes the next word. If there is none it returns "" and sets ok to false.
func (w *checkedWords) next() (word string) {
	w.ok = w.ok && len(w.rest) > 0
	if w.ok {
		word, w.rest = w.rest[0], w.rest[1:]
	}
	return word
}

// number returns the value of a word in a base. It sets ok to false if the word is no number, or
// one that does not fit into a signed number of so many bits.
func (w *checkedWords) number(word string, base, bits int) int {
	n, err := strconv.ParseInt(word, base, bits)
	w.ok = w.ok && err == nil
	return int(n)
}

// expression reads one expression: an operator and its operands. It is never nil, and means nothing
// if w.ok is false after it.
func (w *checkedWords) expression() *checked {
	word := w.next()
	e := &checked{op: (word + " ")[0]} // the space is for a word that is missing
	switch word {
	case "empty":
		// nothing follows
	case "bytes":
		for part := range strings.SplitSeq(w.next(), ",") {
			low, high, ok := strings.Cut(part, "-")
			if !ok {
				high = low
			}
			if part != "none" {
				for b, last := w.number(low, 16, 9), w.number(high, 16, 9); w.ok && b <= last; b++ {
					e.set[b>>6&3] |= 1 << (b & 63)
				}
			}
		}
	case "rule":
		k := w.number(w.next(), 10, 17)
		e.kind, w.ok = Kind(k), w.ok && k > 0
	case "star":
		e.op, e.most, e.a = 't', -1, w.expression()
	case "times":
		e.least, e.most, e.a = w.number(w.next(), 10, 32), w.number(w.next(), 10, 32), w.expression()
		w.ok = w.ok && e.least >= 0 && (e.most == -1 || e.most >= e.least)
	case "seq", "alt":
		e.a, e.b = w.expression(), w.expression()
	default:
		w.ok = false
	}
	return e
}

// Check returns an error unless t is a derivation. In a derivation the root spans all of the source, and the children
// of each node lie inside it, in order and without overlap. The expression of a node's production derives its text,
// and in doing so uses productions that are not lexical exactly where the children are. A production that uses itself
// at the end of a node may go on in that node. The error names the first node that fails, or that takes more steps
// than the tree may.
func (c *Checker) Check(t *Tree) error {
	if t == nil || len(t.Nodes) == 0 || int(t.Nodes[0].Next) != len(t.Nodes) ||
		t.Nodes[0].Start != 0 || int(t.Nodes[0].End) != len(t.Source) {
		return fmt.Errorf("the root is not all of the tree")
	}
	most := cmp.Or(c.Steps, LimitsFor(len(t.Source)).Steps)
	m := &checking{rules: c.rules, ends: map[checkedUse][]int32{}, most: most}
	for i, n := range t.Nodes {
		if wrong := m.begin(t, int32(i)); wrong > 0 {
			return fmt.Errorf("node %d does not lie in its place", wrong)
		}
		if n.Kind == 0 || int(n.Kind) >= len(c.rules) || !m.derives() {
			said := "does not derive"
			if m.steps > m.most {
				said = fmt.Sprintf("takes more than %d steps to derive", m.most)
			}
			return fmt.Errorf("%s at %d %s %s with the nodes below it",
				t.Grammar.Production(n.Kind).ID, n.Start, said, Quote(t.Source[n.Start:n.End]))
		}
	}
	return nil
}

// A checking finds whether the production of one node derives the node's signs: its text, with each
// child in place of the child's text. A sign is a byte, or for a child 256 more than its kind.
type checking struct {
	rules       []checkedRule
	kind        Kind
	own         *checked // is tried in place of the expression of the node's production, unless it is nil
	signs       []int32
	uses        []checkedUse           // of productions that use themselves, and that of the node itself
	ends        map[checkedUse][]int32 // by use: the places where it can end, as far as they are known
	asked       bool                   // a result depends on ends, which may still grow: see derives
	steps, most int                    // taken so far, and the limit
}

// A checkedUse is a use of a production that begins before the sign with the index at.
type checkedUse struct {
	kind Kind
	at   int32
}

// begin sets the kind and the signs of m to those of a node. It returns the index of the first
// child that does not lie inside the node and after the child before it, or 0 if all are in their
// places. If it is not 0, the signs are not complete.
func (m *checking) begin(t *Tree, node int32) (wrong int32) {
	n := t.Nodes[node]
	at := n.Start
	m.kind, m.signs, m.asked = n.Kind, m.signs[:0], false
	for j := node + 1; j < n.Next; j = t.Nodes[j].Next {
		child := t.Nodes[j]
		if child.Next <= j || child.Next > n.Next || child.Start < at || child.End < child.Start || child.End > n.End {
			return j
		}
		m.signs = append(m.read(t.Source[at:child.Start]), 256+int32(child.Kind))
		at = child.End
	}
	m.signs = m.read(t.Source[at:n.End])
	return 0
}

// read appends the signs of text to m.signs, and returns them.
func (m *checking) read(text string) []int32 {
	for i := range len(text) {
		m.signs = append(m.signs, int32(text[i]))
	}
	return m.signs
}

// derives reports whether the node's production derives its signs, as far as m.most steps allow.
//
// Productions that use themselves are not followed into themselves: where match meets such a use,
// it takes the ends that are known so far, and the use joins the list. derives computes the ends of
// all uses on the list again and again, until none grows: the least fixed point. It goes through the
// list forwards and backwards in turn, since a use may depend on those before and after it.
func (m *checking) derives() bool {
	clear(m.ends)
	whole := checkedUse{m.kind, 0}
	m.uses, m.ends[whole] = append(m.uses[:0], whole), nil
	for grown := true; grown; slices.Reverse(m.uses) {
		grown = false
		for i := 0; i < len(m.uses); i++ { // match may append to uses
			u := m.uses[i]
			e := m.rules[u.kind].checked
			if u == whole && m.own != nil {
				e = m.own
			}
			ends := m.match(e, []int32{u.at})
			grown = grown || m.asked && len(ends) > len(m.ends[u])
			m.ends[u] = ends
		}
	}
	return slices.Contains(m.ends[whole], int32(len(m.signs))) && m.steps <= m.most
}

// match returns the places at which e can end if it begins at any of the places in from, with the
// ends of uses that are known so far. Both lists ascend, and the result may be from itself. Beyond
// m.most steps it returns nil, and derives will be false.
func (m *checking) match(e *checked, from []int32) (out []int32) {
	m.steps += 1 + len(from)
	if len(from) == 0 || m.steps > m.most {
		return nil
	}
	switch e.op {
	case 'e':
		return from
	case 'b':
		for _, p := range from {
			if int(p) < len(m.signs) && m.signs[p] < 256 && e.set.Has(byte(m.signs[p])) {
				out = append(out, p+1)
			}
		}
	case 's':
		return m.match(e.b, m.match(e.a, from))
	case 'a':
		// The first result may be from itself, in whose memory the second must not be appended: the
		// union with nothing clips it.
		first := union(nil, m.match(e.a, from))
		return union(first, m.match(e.b, from))
	case 't':
		for n := 0; n < e.least && len(from) > 0; n++ {
			from = m.match(e.a, from)
		}
		// from has the places after n iterations, and out those after all allowed numbers up to n.
		for n := e.least; len(from) > 0; n++ {
			// Places that an earlier iteration reached lead nowhere new: so a star ends.
			from = slices.DeleteFunc(slices.Clone(from), func(p int32) bool {
				_, known := slices.BinarySearch(out, p)
				return known
			})
			out = union(out, from)
			if n == e.most {
				break
			}
			from = m.match(e.a, from)
		}
	case 'r':
		if int(e.kind) < len(m.rules) {
			return m.use(e.kind, from)
		}
	}
	return out
}

// use is match for production k. If k is a node, it takes the next sign; if not, it matches the
// expression of k. The node's own production may also go on to the end of the node, without a node
// of its own. The expression of the node's own production, and of a lexical one that uses itself, is
// not matched here: use takes the ends that are known so far, and sets m.asked.
func (m *checking) use(k Kind, from []int32) (out []int32) {
	r, whole := m.rules[k], int32(len(m.signs))
	if r.lexical && !r.circle {
		return m.match(r.checked, from)
	}
	for _, p := range from {
		if !r.lexical && p < whole && m.signs[p] == 256+int32(k) {
			out = union(out, []int32{p + 1})
		}
		// A use without a node is only that of the node's own production, and not at the beginning, where it would be
		// the node itself again, unless the node is empty.
		if !r.lexical && (k != m.kind || p == 0 && p < whole) {
			continue
		}
		u := checkedUse{k, p}
		ends, known := m.ends[u]
		m.asked = true
		if !known {
			m.ends[u], m.uses = nil, append(m.uses, u)
		}
		if !r.lexical { // the node's own production in itself: only what goes on to the end of the node
			ends = ends[sort.Search(len(ends), func(i int) bool { return ends[i] >= whole }):]
		}
		out = union(out, ends)
	}
	return out
}

// union returns the places of two lists, ascending and each once, as both lists have theirs. It may overwrite the
// memory of a, and never that of b. If one list is empty the result shares the memory of the other; it is
// clipped if that is b.
func union(a, b []int32) []int32 {
	if len(a) == 0 {
		return slices.Clip(b)
	} else if len(b) == 0 {
		return a
	}
	a = append(a, b...)
	if i := len(a) - len(b); a[i-1] >= b[0] {
		slices.Sort(a)
		a = slices.Compact(a)
	}
	return a
}
