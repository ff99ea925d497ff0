package ast

import "slices"

// A Network is a grammar in which productions embed themselves, as generated code writes it: for each production an automaton
// whose edges read a byte or call a production. It explains rejections where there can be no [Tables].
type Network struct {
	// Packed holds all that follows, which is then empty, as package annotated packs it. It is unpacked when first used.
	Packed string

	Start []uint16 // by Kind: the state in which the production begins; 0 is no state
	Kind  []Kind   // by state: the production that it is in
	Final []bool   // by state: the production can end
	Edges [][]NetworkEdge
	Empty []bool // by Kind: the production derives the empty string
}

// A NetworkEdge leads to another state of the same production.
type NetworkEdge struct {
	To   uint32
	Call Kind    // the production that is read, or 0
	Set  ByteSet // the bytes of which one is read; of a call, those that it can begin with
	Term string  // what a message calls it; "" for the call of a production that is no term
}

// How many items an explanation by a network may keep, and look at. An input that takes more is explained by its offset alone.
const (
	nestedItems = 1 << 22
	nestedSteps = 1 << 25
)

// A netItem is a state of a production that began at an offset.
type netItem struct {
	state uint32
	from  int32
}

// explainNested is Explain by the network: J. Earley, "An efficient context-free parsing algorithm", 1970. Every item can
// still become a derivation, since the network has no production that derives nothing; so the first set without an item is
// at the first byte with which no string of the production goes on. If ends, a derivation of src is no answer: the error is
// at the end of src.
func (g *Grammar) explainNested(start Kind, src string, ends bool) *SyntaxError {
	n := unpack(g.Network, g.Network.Packed, (*packedReader).network)
	if int(start) >= len(n.Start) || n.Start[start] == 0 {
		return g.unexplained(start, src)
	}
	sets := [][]netItem{{{uint32(n.Start[start]), 0}}}
	seen := map[netItem]bool{sets[0][0]: true}
	kept, steps := 0, 0
	for at := 0; ; at++ {
		set := sets[at]
		add := func(i netItem) {
			if !seen[i] {
				seen[i] = true
				set = append(set, i)
			}
		}
		for k := 0; k < len(set); k++ {
			i := set[k]
			for _, e := range n.Edges[i.state] {
				if e.Call == 0 {
					continue
				}
				add(netItem{uint32(n.Start[e.Call]), int32(at)})
				if n.Empty[e.Call] {
					add(netItem{e.To, i.from})
				}
			}
			if !n.Final[i.state] || int(i.from) == at {
				continue
			}
			if steps += len(sets[i.from]); steps > nestedSteps {
				break
			}
			for _, up := range sets[i.from] {
				for _, e := range n.Edges[up.state] {
					if e.Call == n.Kind[i.state] {
						add(netItem{e.To, up.from})
					}
				}
			}
		}
		sets[at] = set
		if kept += len(set); kept > nestedItems || steps > nestedSteps {
			return g.unexplained(start, src)
		}
		if at == len(src) {
			for _, i := range set {
				if !ends && i.from == 0 && n.Kind[i.state] == start && n.Final[i.state] {
					return nil
				}
			}
			return g.nestedError(n, start, src, sets)
		}
		clear(seen)
		var next []netItem
		for _, i := range set {
			for _, e := range n.Edges[i.state] {
				if to := (netItem{e.To, i.from}); e.Call == 0 && e.Set.Has(src[at]) && !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		if len(next) == 0 {
			return g.nestedError(n, start, src, sets)
		}
		sets = append(sets, next)
	}
}

// nestedError returns the error at the last of the sets.
func (g *Grammar) nestedError(n *Network, start Kind, src string, sets [][]netItem) *SyntaxError {
	at := len(sets) - 1
	e := &SyntaxError{Grammar: g, Start: start, Explained: start, Input: src, Offset: at}
	root := invocation{start, 0}
	var readers []invocation
	known := map[invocation]bool{}
	ends := false // the input may end here
	for _, i := range sets[at] {
		c := invocation{n.Kind[i.state], i.from}
		ends = ends || c == root && n.Final[i.state]
		if int(i.from) == at && c != root && g.Production(c.kind).Lexical {
			continue // its name stands for it
		}
		reads := false
		for _, x := range n.Edges[i.state] {
			if x.Term == "" {
				continue
			}
			reads = true
			e.expect(x, c.kind)
		}
		if reads && !known[c] {
			known[c] = true
			readers = append(readers, c)
		}
	}
	if ends {
		e.Expected = append(e.Expected, Expectation{Term: EndOfInput})
	}
	e.In = sharedProductions(root, readers, func(c invocation) (list []invocation) {
		for _, up := range sets[c.from] {
			calls := func(x NetworkEdge) bool { return x.Call == c.kind }
			from := invocation{n.Kind[up.state], up.from}
			if slices.ContainsFunc(n.Edges[up.state], calls) && !slices.Contains(list, from) {
				list = append(list, from)
			}
		}
		return list
	})
	e.Section = g.Production(e.In[0]).Section
	return e
}

// expect adds the term of an edge that the production in reads. Of a range of characters, each length of their encodings is
// an edge of its own: those are one expectation.
func (e *SyntaxError) expect(x NetworkEdge, in Kind) {
	k := slices.IndexFunc(e.Expected, func(y Expectation) bool { return y.Term == x.Term })
	if k < 0 {
		k = len(e.Expected)
		e.Expected = append(e.Expected, Expectation{Term: x.Term})
	}
	if !slices.Contains(e.Expected[k].In, in) {
		e.Expected[k].In = append(e.Expected[k].In, in)
	}
	for w, bits := range x.Set {
		e.Expected[k].First[w] |= bits
	}
}
