package regex

import "slices"

// Where Perl ignores case by the rules of Unicode, it compares full case foldings, and among the bytes one character has
// a folding of two: \xdf is "ss". So "ss" in an expression matches \xdf, and \xdf matches "ss", "SS" and so on.
//
// A string of characters that stand side by side in an expression is one node of Perl's program, in which any two that
// are "ss" together can be \xdf in the string. Three of them can be \xdf and s, or s and \xdf. Characters that a
// quantifier, a group that captures, an alternative or an atomic group parts are different nodes, and match by
// themselves. In between there are [s]s and (?:s)s, which Perl joins in some ways and not in others: they are refused.
// So is \xdf in a class, whose other spelling has two characters.

// sharpS is \xdf, the only character of a byte whose full case folding is two characters, and letterS those that
// are one of them.
const sharpS = 0xdf

var letterS = of('S', 'S', 's', 's')

// mostSharps caps the letters s that stand side by side: the ways to take two of them together grow exponentially.
const mostSharps = 10

// foldsFully reports whether case is ignored by full case foldings at the place at hand.
func (p *parser) foldsFully() bool { return p.d.has[fullFolds] && p.fold && p.unicode }

// sharpOf returns the node n of a character c, which is to be compared by its full case folding. It sets n.sharp to the
// number of letters s in that.
func (p *parser) sharpOf(n *node, c rune) *node {
	switch {
	case letterS.Has(c):
		n.sharp = 1
	case c == sharpS:
		n = sharps(2)
	}
	return n
}

// sharps returns a choice of all ways to write k letters s, where \xdf is two of them.
func sharps(k int) *node {
	if k == 1 {
		return &node{op: opSet, set: letterS, sharp: 1}
	}
	both := one(of(sharpS, sharpS))
	n := alt(both, seq(one(letterS), one(letterS)))
	if k > 2 {
		n = alt(seq(both, sharps(k-2)), seq(one(letterS), sharps(k-1)))
	}
	n.sharp = k
	return n
}

// joinSharps returns the parts of a sequence, in which characters that stand side by side and are letters s, or \xdf, are
// one part. It refuses more than mostSharps of them.
func (p *parser) joinSharps(list []*node) (joined []*node) {
	for i := 0; i < len(list); {
		from, k := i, 0
		for ; i < len(list) && list[i].sharp > 0; i++ {
			k += list[i].sharp
		}
		switch {
		case k > mostSharps:
			p.refuse(list[from].at, "more than %d letters s where case is ignored, two of which are also \\xdf", mostSharps)
		case i > from+1:
			n := sharps(k)
			n.place(list[from].at, list[i-1].end)
			joined = append(joined, n)
		case i > from:
			joined = append(joined, list[from])
		default:
			joined = append(joined, list[i])
			i++
		}
	}
	return joined
}

// checkSharps refuses what Perl may take together as "ss" although it does not stand in one string of characters; \xdf
// in a lookbehind; and alternatives that begin with a string of characters up to a letter s: Perl 5.36, which follows such
// strings together, then takes one half of \xdf for the letter, so that (?:s|as) matches it.
func (p *parser) checkSharps(n *node) {
	if !p.unicode || n.sharp > 0 {
		return
	}
	switch {
	case n.op == opBehind && n.look:
		n.walk(func(s *node) {
			if s.sharp > 1 {
				p.refuse(s.at, "\\xdf or ss in a lookbehind where case is ignored is not supported")
			}
		})
	case n.op == opSeq:
		var before *node
		for _, s := range n.sub {
			if isNothing(s) {
				continue
			}
			if before != nil && touchesS(before, true) && touchesS(s, false) {
				p.refuse(s.at, "two letters s that Perl may take together for \\xdf, in a group or a class, are not supported")
			}
			before = s
		}
	case n.op == opAlt:
		for _, branch := range n.sub {
			if last := lastOfString(branch); last != nil && touchesS(last, true) {
				p.refuse(last.at, "an alternative that begins with characters up to an s where case is ignored is not supported, "+
					"since Perl 5.36 takes half of \\xdf for the s")
			}
		}
	}
	for _, s := range n.sub {
		p.checkSharps(s)
	}
}

// lastOfString returns the last of the characters that a part begins with, one after the other, nil if it begins with
// something else.
func lastOfString(n *node) (last *node) {
	parts := []*node{n}
	for len(parts) > 0 {
		part := parts[0]
		parts = parts[1:]
		switch {
		case isNothing(part):
		case part.op == opSeq:
			parts = slices.Concat(part.sub, parts)
		case part.plain || part.sharp > 0 || touchesS(part, true):
			last = part
		default:
			return last
		}
	}
	return last
}

// isNothing reports whether Perl leaves a part out that matches only the empty string.
func isNothing(n *node) bool {
	switch n.op {
	case opEmpty:
		return true
	case opSeq, opAhead:
		return !slices.ContainsFunc(n.sub, func(s *node) bool { return !isNothing(s) })
	}
	return false
}

// touchesS reports whether a part ends with a letter s whose case is ignored, or begins with one, that Perl may join
// with one beside it.
func touchesS(n *node, atEnd bool) bool {
	switch n.op {
	case opSet:
		return slices.Equal(n.set, letterS)
	case opAlt:
		return n.sharp > 0
	case opSeq:
		parts := slices.DeleteFunc(slices.Clone(n.sub), isNothing)
		if len(parts) == 0 {
			return false
		}
		if atEnd {
			return touchesS(parts[len(parts)-1], atEnd)
		}
		return touchesS(parts[0], atEnd)
	}
	return false
}
