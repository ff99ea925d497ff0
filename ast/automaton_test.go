package ast

import (
	"bytes"
	"compress/flate"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
)

// packed holds the tables of s = 1*( p / q ), p = "a" 1*"x" "b", q = "a" / "x", of which s and p
// are nodes with the kinds 1 and 2. No bounded number of bytes tells a p from a q.
const packed = `:QZ_%!IPlZ~Py&82USPxavkB.jd@H{^9x$/OePyGnf)arNQg[9/IGetb!X[^dp^:b9^(CQl*^[PIS7dE~DJq>U@<q1F<Y5.K'ob]b!!!`

// packedGeneral holds the tables that explain a = "(" a ")" / b, b = *"x".
const packedGeneral = `*Q^U/QWh|Zk+VA@4vq(9i4CD8w8Celev;)iQyCQ-vC_(Q'YbyP>;#~0>&zegz;p=u;A9[zb.b#I)&.[XpB3]OogKh3PoF7{vPhWTjM~4&nEY$q2'+8BF*<Yj(=++#2>Ti+!!`

// What an automaton accepts, and its trees, however long the input is.
func TestAutomaton(t *testing.T) {
	a := &Automaton{Packed: packed}
	for _, c := range []struct {
		w    string
		tree []Raw
	}{
		{"a", []Raw{{1, 0, 1, 1}}},
		{"axxb", []Raw{{1, 0, 4, 2}, {2, 0, 4, 2}}},
		{"axxaxb", []Raw{{1, 0, 6, 2}, {2, 3, 6, 2}}},
		{"a" + strings.Repeat("x", 5000) + "b", []Raw{{1, 0, 5002, 2}, {2, 0, 5002, 2}}},
		{strings.Repeat("ax", 5000), []Raw{{1, 0, 10000, 1}}},
		{"", nil},
		{"ab", nil},
		{strings.Repeat("ax", 5000) + "?", nil},
	} {
		before := []Raw{{Kind: 9}}
		nodes, ok := a.Parse(before, 1, c.w)
		if ok != (c.tree != nil) || a.Accept(1, c.w) != ok || !slices.Equal(nodes[1:], c.tree) || nodes[0].Kind != 9 {
			t.Errorf("%.20q: %t, %v", c.w, ok, nodes)
		}
		if a.Accept(0, c.w) || a.Accept(77, c.w) {
			t.Errorf("%.20q: accepted as no production", c.w)
		}
	}
}

// A parser that has seen an input reads it again without allocating; not so under the race
// detector, where pools lose what they have.
func TestAutomatonAllocates(t *testing.T) {
	a := &Automaton{Packed: packed}
	room := make([]Raw, 0, 8)
	for _, w := range []string{"axxaxb", strings.Repeat("ax", 400) + "b"} {
		if n := testing.AllocsPerRun(100, func() { a.Parse(room, 1, w); a.Accept(1, w) }); n != 0 {
			t.Errorf("%.20q: %v allocations", w, n)
		}
	}
}

// Damaged tables accept nothing, whatever is damaged, and nothing panics.
func TestAutomatonDamaged(t *testing.T) {
	for i, of := range slices.Repeat([]string{packed, packedGeneral}, 250) {
		for _, v := range []byte{0, 1, 2, 7, 0x7f, 0x80, 0xff} {
			b := must.Of(io.ReadAll(newPackedReader(of).rest))(t)
			b[i%len(b)] = v
			if i >= len(b) {
				b = b[:i%len(b)]
			}
			var out bytes.Buffer
			w, _ := flate.NewWriter(&out, 1)
			w.Write(b)
			if i%4 < 2 {
				w.Close()
			}
			a := &Automaton{Packed: dense(out.Bytes())}
			for _, w := range []string{"", "a", "aab", "b", "abx", "((xx)", strings.Repeat("a", 600) + "b"} {
				for k := range Kind(4) {
					a.Accept(k, w)
					a.Parse(nil, k, w)
					(&Grammar{Explaining: &General{Packed: a.Packed}}).Explain(k, w)
					(&General{Packed: a.Packed}).Parse(nil, k, w)
				}
			}
		}
	}
	for _, p := range []string{"", "%", "AAAA"} {
		a := &Automaton{Packed: p}
		if a.Accept(1, "") || a.Accept(0, "a") {
			t.Errorf("tables %q accept", p)
		}
		if nodes, ok := a.Parse([]Raw{{Kind: 7}}, 1, "a"); ok || len(nodes) != 1 {
			t.Errorf("tables %q derive", p)
		}
	}
}

// An Automaton can be used by several goroutines at once, from its first use on.
func TestAutomatonConcurrent(t *testing.T) {
	a := &Automaton{Packed: packed}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			a.Accept(1, "aab")
			a.Parse(nil, 1, "aab")
		})
	}
	all.Wait()
}

// dense writes bytes as a denseReader reads them.
func dense(data []byte) (text string) {
	const digits = "!#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~"
	bits, held := 0, 0
	for i, b := range data {
		bits |= int(b) << held
		held += 8
		for held >= 13 || held > 0 && i == len(data)-1 {
			text += string([]byte{digits[bits&8191%91], digits[bits&8191/91]})
			bits, held = bits>>13, held-13
		}
	}
	return text
}
