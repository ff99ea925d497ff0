package regex

import (
	"slices"
	"unicode/utf8"
)

// Where Perl ignores case by the rules of Unicode, it compares full case foldings, and among the bytes one character
// has a folding of two: \xdf is "ss". So "ss" in an expression matches \xdf, and \xdf matches "ss", "SS" and so on.
//
// Characters that stand side by side in an expression are one node of Perl's program. Any two in it that are "ss"
// together match \xdf as well: three letters s match \xdf and s, and s and \xdf. Characters that a quantifier, a group
// that captures, an alternative or an atomic group separates are different nodes, and match by themselves. Between the
// two are [s]s and (?:s)s, which Perl joins in some ways and not in others: they are refused. So is \xdf in a class,
// whose other spelling has two characters.

// sharpS is \xdf, the only character up to \xff whose full case folding is two characters. letterS has the spellings of
// either of these.
const sharpS = 0xdf

var letterS = of('S', 'S', 's', 's')

// mostSharps caps the letters s that stand side by side: the ways to take two of them together grow exponentially.
const mostSharps = 10

// foldsFully reports whether case is ignored by full case foldings at the place at hand.
func (p *parser) foldsFully() bool { return p.d.has[fullFolds] && p.fold && p.unicode }

// sharpOf returns the node for a character c that is compared by its full case folding. That is n, which matches c in
// either case, or for \xdf another one. Its sharp, which is set in n for an s, is the number of letters s in the
// folding, and 0 for characters other than s and \xdf.
func (p *parser) sharpOf(n *node, c rune) *node {
	switch {
	case letterS.Has(c):
		n.sharp = 1
	case c == sharpS:
		n = sharps(2)
	}
	return n
}

// sharps returns a choice of all ways to write k letters s, each in either case, where \xdf is two of them; for k = 1
// it is a set. k must be at least 1, and is the sharp of the node.
func sharps(k int) (n *node) {
	both := one(of(sharpS, sharpS))
	switch k {
	case 1:
		n = one(letterS)
	case 2:
		n = alt(both, seq(one(letterS), one(letterS)))
	default:
		n = alt(seq(both, sharps(k-2)), seq(one(letterS), sharps(k-1)))
	}
	n.sharp = k
	return n
}

// joinSharps returns the parts of a sequence with each run of letters s and \xdf joined to one part. It refuses a run
// of more than mostSharps letters s, of which \xdf is two.
func (p *parser) joinSharps(list []*node) (joined []*node) {
	for i := 0; i < len(list); {
		from, k := i, 0
		for ; i < len(list) && list[i].sharp > 0; i++ {
			k += list[i].sharp
		}
		switch {
		case k > mostSharps:
			p.refuse(list[from].at, "more than %d letters s where case is ignored, two of which are also \\xdf",
				mostSharps)
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

// checkSharps refuses the parts of n in which Perl treats \xdf and "ss" in ways that are not read here. Unless the
// rules of Unicode hold, these are alternatives alone, and there are none if case is never ignored. It does not look
// into a node with sharp: that is one string of characters, all of whose spellings sharps has.
func (p *parser) checkSharps(n *node) {
	if !p.unicode && !p.sawFold || n.sharp > 0 {
		return
	}
	switch {
	case n.op == opAlt:
		p.checkSharpsInBranches(n)
	case !p.unicode:
	case n.op == opBehind && n.look:
		p.checkSharpsBehind(n)
	case n.op == opSeq:
		p.checkSharpsApart(n)
	}
	for _, s := range n.sub {
		p.checkSharps(s)
	}
}

// checkSharpsBehind refuses a lookbehind with \xdf or "ss".
func (p *parser) checkSharpsBehind(look *node) {
	look.walk(func(s *node) {
		if s.sharp > 1 {
			p.refuse(s.at, "\\xdf or ss in a lookbehind where case is ignored is not supported")
		}
	})
}

// checkSharpsApart refuses two letters s that follow each other in a sequence and are not one string of characters, as
// in [s]s: Perl may take them together.
func (p *parser) checkSharpsApart(sequence *node) {
	var before *node
	for _, s := range sequence.sub {
		if isNothing(s) {
			continue
		}
		if before != nil && touchesS(before, true) && touchesS(s, false) {
			p.refuse(s.at,
				"two letters s that Perl may take together for \\xdf, in a group or a class, are not supported")
		}
		before = s
	}
}

// checkSharpsInBranches refuses a choice with a branch for which wordInS finds something. Perl 5.36 follows the
// strings that all branches begin with together, as one tree, and then takes one half of \xdf for a letter s that
// ends a word: (?:s|as) matches it, and (?:us-|no) matches u\xdf-. It does so even without the rules of Unicode, by
// which \xdf is two letters.
func (p *parser) checkSharpsInBranches(choice *node) {
	for _, branch := range choice.sub {
		if last := wordInS(branch); last != nil {
			p.refuse(last.at,
				"an alternative that begins with characters up to an s where case is ignored is not supported, "+
					"since Perl 5.36 takes half of \\xdf for the s")
		}
	}
}

// checkBeyond refuses a choice with a written character from \x80 to \xff anywhere in it, if the expression has a
// character above \xff. Perl 5.36 then has the expression in UTF-8, and misses such a character after what the
// branches begin with alike: (?:a_|a\xe9)\x{100}? does not match a\xe9. It passes over the spellings of \xdf that
// sharps has.
func (p *parser) checkBeyond(n *node) {
	if !p.sawBeyond {
		return
	}
	n.walk(func(choice *node) {
		if choice.op != opAlt || choice.sharp > 0 {
			return
		}
		choice.walk(func(s *node) {
			if s.plain && len(s.set.And(of(utf8.RuneSelf, lastByte))) > 0 {
				p.refuse(s.at, "a character above \\x7f in an alternative is not supported in an expression with one above "+
					"\\xff, since Perl 5.36 may not match it")
			}
		})
	})
}

// wordInS returns the last character of the first word that ends in a letter s, of the string that a part begins
// with. A word is a run of letters of ASCII in either case: Perl has a node for each. The string ends before anything
// that is neither a written character nor a letter s in any case. Parts that isNothing reports do not end it. wordInS
// returns nil if there is no such word.
func wordInS(n *node) (last *node) {
	parts := []*node{n}
	for len(parts) > 0 {
		part := parts[0]
		parts = parts[1:]
		switch {
		case isNothing(part):
		case part.op == opSeq:
			parts = slices.Concat(part.sub, parts)
		case last != nil && !isLetter(part):
			return last
		case touchesS(part, true):
			last = part
		case part.plain || part.sharp > 0:
			last = nil
		default:
			return nil
		}
	}
	return last
}

// isLetter reports whether a part of a string is a letter of ASCII that is written and matches in either case, or is
// made of letters s.
func isLetter(n *node) bool {
	folded := n.plain && len(n.set) > 1 && len(n.set.And(asciiLetters.Not(lastByte))) == 0
	return folded || n.sharp > 0 || touchesS(n, false)
}

// asciiLetters are the letters of ASCII.
var asciiLetters = of('A', 'Z', 'a', 'z')

// isNothing reports whether a part has no characters and no node in Perl's program, as a comment or (?=), so that its
// neighbors follow each other.
func isNothing(n *node) bool {
	switch n.op {
	case opEmpty:
		return true
	case opSeq, opAhead:
		return !slices.ContainsFunc(n.sub, func(s *node) bool { return !isNothing(s) })
	}
	return false
}

// touchesS reports whether a part has a letter s that Perl may join with a neighbor: at its end or, if atEnd is not
// set, at its beginning. The part is an s in either case, written or as a class, a string of them and \xdf, or a
// sequence with such a part there. Any other part has none, such as a class with more members, a capturing group or a
// repetition.
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
