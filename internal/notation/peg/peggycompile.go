package peg

import (
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

const firstHigh, firstLow, lastLow = 0xd800, 0xdc00, 0xdfff // the halves of pairs

var (
	highHalves = runes.Of(firstHigh, firstLow-1)
	lowHalves  = runes.Of(firstLow, lastLow)
)

// byHalves reports whether what n matches of pairs can be told from the first two bytes of a character, and from the
// last two: it has all second halves or none, and of the first ones those of whole blocks of 4,096 characters.
func (n *node) byHalves() bool {
	set := n.members()
	for _, r := range set.And(highHalves) {
		if r.Lo%4 != 0 || r.Hi%4 != 3 { // four first halves are 4,096 characters, and share their first two bytes
			return false
		}
	}
	lows := set.And(lowHalves)
	return len(lows) == 0 || slices.Equal(lows, lowHalves)
}

// partial reports whether n is a class that reads a unit of UTF-16, and matches some halves of pairs and not others.
// No character above U+FFFF is read by such a class alone.
func (n *node) partial() bool {
	if n.kind != jClass || n.unicode {
		return false
	}
	set := n.members()
	halves := runes.Of(firstHigh, lastLow)
	some := set.And(halves)
	return len(some) > 0 && !slices.Equal(some, halves)
}

// matched returns the characters that a class or any character matches. A class of units of UTF-16 that has
// all halves of pairs matches any character above U+FFFF, where [peggy.inside] finds nothing.
func (n *node) matched() runes.Set {
	out := n.members()
	if n.kind == jClass && !n.unicode && out.Has(firstHigh) && !n.partial() {
		out = append(out, runes.Span{Lo: 0x10000, Hi: unicode.MaxRune})
	}
	return out
}

// members returns the units of UTF-16 that a class has or, with the flag u and for any character, the characters. It
// is nil for a class without parts, even if that is inverted.
func (n *node) members() runes.Set {
	if n.kind == jAny {
		return runes.Of(0, unicode.MaxRune)
	}
	if len(n.parts) == 0 { // peggy takes it for a class that never matches, even if it is inverted
		return nil
	}
	top := rune(unicode.MaxRune)
	if !n.unicode {
		top = 0xffff
	}
	var set runes.Set
	for _, p := range n.parts {
		if p.escape {
			set = append(set, p.table...)
		} else {
			set = append(set, p.Span)
		}
	}
	set = set.Clean()
	switch {
	case n.fold && n.unicode:
		set = peggyTables().Fold(runes.FoldSimple, set)
	case n.fold:
		set = peggyTables().Fold(runes.FoldUnits, set)
	}
	if n.invert {
		set = set.Not(unicode.MaxRune)
	}
	var out runes.Set
	for _, r := range set {
		r.Hi = min(r.Hi, top)
		if r.Lo <= r.Hi {
			out = append(out, r)
		}
	}
	return out
}

// wide reports whether n matches either half of any pair, a unit at a time. A reference is not looked into.
func (n *node) wide() bool {
	return (n.kind == jAny || n.kind == jClass && !n.unicode) && !n.partial() && n.members().Has(firstHigh)
}

// compile makes an expression over the bytes of UTF-8. A class that was merged from alternatives is the choice of them
// again, so that each can be asked about, wherever that matches the same. compile adds what the expression assumes to
// p.assumes, and refuses the rule for what JavaScript would read otherwise.
func (p *peggy) compile(n *node) *expr.Expr {
	alts := p.alternativesOf(n)
	if len(alts) == 1 {
		return alts[0]
	}
	return &expr.Expr{Op: expr.Alt, Sub: alts, Pos: n.pos}
}

// alternativesOf returns n as alternatives of a choice: one expression for each alternative that it was merged
// from, or a single one. It adds to p.assumes and refuses as compile does.
func (p *peggy) alternativesOf(n *node) []*expr.Expr {
	e := p.compileNode(n) // first, since its assumptions and refusals count even if its parts take its place
	if alts := p.partsOf(n); alts != nil {
		return alts
	}
	return []*expr.Expr{e}
}

// compileNode is compile for n as it is now, even if it was merged. Of labels, groups, $ and actions nothing is left
// but what they are around. The rule is refused for a class or a literal that peggy writes so that JavaScript reads
// another; an expression is returned for it all the same.
func (p *peggy) compileNode(n *node) *expr.Expr {
	var sub []*expr.Expr
	for _, s := range n.sub {
		if n.kind == jChoice {
			sub = append(sub, p.alternativesOf(s)...)
		} else {
			sub = append(sub, p.compile(s))
		}
	}
	with := func(op expr.Op, sub ...*expr.Expr) *expr.Expr { return &expr.Expr{Op: op, Sub: sub, Pos: n.pos} }
	switch n.kind {
	case jLiteral:
		return p.text(n)
	case jClass, jAny:
		if n.unicode {
			p.differs(n.pos) // there is no flag u, and a character above U+FFFF is two members
		}
		if n.fold && (n.unicode || slices.ContainsFunc(n.parts, func(p part) bool { return p.Hi >= utf8.RuneSelf })) {
			p.assumes = append(p.assumes, expr.Assumption{Text: assumeTables, Pos: n.pos})
		}
		isNUL := func(p part) bool { return p.table == nil && p.Hi == 0 }
		beginsWithDigit := func(p part) bool { return p.table == nil && '0' <= p.Lo && p.Lo <= '9' }
		if slices.ContainsFunc(n.parts, isNUL) && slices.ContainsFunc(n.parts, beginsWithDigit) {
			p.refuse(n.pos,
				"a class with U+0000 and a digit is not supported: peggy writes \\0 and the digit into one escape")
		}
		e := *p.encodedUnits(n)
		e.Pos = n.pos
		return &e
	case jNothing:
		return &expr.Expr{Op: expr.Empty, Pos: n.pos}
	case jRef:
		return &expr.Expr{Op: expr.Ref, Name: n.name, Pos: n.pos}
	case jSequence:
		if len(sub) == 1 {
			return sub[0]
		}
		return with(expr.Seq, sub...)
	case jChoice:
		return with(expr.Alt, sub...)
	case jAnd:
		return with(expr.And, sub...)
	case jNot:
		if n.sub[0].kind == jAny { // some character is there: some byte is
			sub[0] = &expr.Expr{Op: expr.Class, Set: expr.AnyByte, Pos: n.pos}
		}
		return with(expr.Not, sub...)
	case jRepeat:
		if n.max != expr.Unbounded && n.max < n.min {
			return &expr.Expr{Op: expr.Class, Pos: n.pos} // it never matches
		}
		rep := with(expr.Repeat, sub...)
		rep.Min, rep.Max = n.min, n.max
		if n.delim == nil {
			return rep
		}
		// e|min..max, delim| is ( e ( delim e )|min-1..max-1| )?, without the "?" if min is not 0.
		delim := p.compile(n.delim)
		all := sub[0]
		if n.max != 1 { // nor 0, which counts refuses
			next := with(expr.Repeat, expr.Cat(delim, sub[0]))
			next.Min, next.Max = max(0, n.min-1), n.max
			if n.max != expr.Unbounded {
				next.Max--
			}
			all = with(expr.Seq, sub[0], next)
		}
		if n.min > 0 {
			return all
		}
		option := with(expr.Repeat, all)
		option.Max = 1
		return option
	}
	return sub[0]
}

// octal reports whether U+0000 stands before a digit, which peggy writes into one escape that JavaScript refuses.
func octal(units []uint16) bool {
	for i := 1; i < len(units); i++ {
		if units[i-1] == 0 && '0' <= units[i] && units[i] <= '9' {
			return true
		}
	}
	return false
}

// text makes an expression of a literal. With i, peggy compares lower case; for a letter beyond ASCII the rule then
// assumes what the tables of Unicode say. The rule is refused where the comparison depends on neighbors, or on how
// peggy writes the literal; an expression is returned for it all the same.
func (p *peggy) text(n *node) *expr.Expr {
	if octal(n.units) {
		p.refuse(n.pos, "U+0000 before a digit is not supported: peggy writes both into one escape, "+
			"which JavaScript refuses")
	}
	chars := utf16.Decode(n.units)
	if !n.fold || len(chars) == 0 {
		e := expr.Lit(string(chars))
		e.Pos = n.pos
		return e
	}
	var seq []*expr.Expr
	for _, c := range chars {
		low := unicode.ToLower(c)
		switch {
		case c == 'İ':
			p.refuse(n.pos, "peggy compares İ with i as two characters and reads one; write a class")
		case len(chars) > 1 && low == 'σ' || len(chars) > 1 && low == 'ς':
			p.refuse(n.pos, "in JavaScript, the lower case of Σ depends on the characters beside it; write a class")
		}
		if low >= utf8.RuneSelf {
			p.assumes = append(p.assumes, expr.Assumption{Text: assumeTables, Pos: n.pos})
		}
		same := slices.DeleteFunc(lowered(runes.Of(low, low)), func(r runes.Span) bool { return r.Lo == 'İ' })
		seq = append(seq, encoded(same))
	}
	e := *expr.Cat(seq...)
	e.Pos = n.pos
	return &e
}

// encodedUnits returns an expression that matches what a class or "." matches. Where a parser can stop inside of a
// surrogate pair, the first half is the first two bytes of the character in UTF-8, and the second its last two: no
// other expression begins with a byte that continues a character, so that none matches there. A class of code points
// (u) reads whole characters, and a second half whose first is read already, never a first half alone. The halves that
// n has must be as byHalves allows.
func (p *peggy) encodedUnits(n *node) *expr.Expr {
	set := n.matched()
	if !p.halves || len(set.And(runes.Of(firstHigh, lastLow))) == 0 {
		return encoded(set)
	}
	tail := expr.In(expr.Range(0x80, 0xbf))
	second := expr.Cat(tail, tail)
	if n.unicode { // it reads both halves at once, and what it finds where a pair is half read
		if !set.Has(firstLow) {
			return encoded(set)
		}
		return expr.Or(append(set.Encodings(utf8.RuneSelf), second)...)
	}
	parts := append(set.And(runes.Of(0, 0xffff)).Encodings(utf8.RuneSelf), firstHalves(set.And(highHalves))...)
	if set.Has(firstLow) {
		parts = append(parts, second)
	}
	return expr.Or(parts...)
}

// firstHalves returns expressions for the first two bytes of the characters above U+FFFF, of four bytes each, whose
// high surrogates are in a set that [node.byHalves] allows; the last two bytes are for the caller. The two bytes hold
// the upper nine bits of the character, and the half its upper eleven.
func firstHalves(highs runes.Set) (parts []*expr.Expr) {
	for _, r := range highs {
		lo, hi := (r.Lo-firstHigh)/4+0x10, (r.Hi-firstHigh)/4+0x10
		for ; lo <= hi; lo = lo&^0x3f + 0x40 { // one value of the first byte after the other
			end := min(hi, lo|0x3f)
			first := expr.In(expr.Range(byte(0xf0|lo>>6), byte(0xf0|lo>>6)))
			parts = append(parts, expr.Cat(first, expr.In(expr.Range(byte(0x80|lo&0x3f), byte(0x80|end&0x3f)))))
		}
	}
	return parts
}

// encoded returns an expression that matches one character of the ranges.
func encoded(ranges runes.Set) *expr.Expr { return expr.Or(ranges.Encodings(utf8.RuneSelf)...) }

// inside returns the first part of n, or n itself, that can match one half of a surrogate pair and leave the
// other half to what follows, or nil. With repeated set, no half is left: n stands in a predicate, after
// which everything is read again, or at the end of the body of a repetition without a limit, whose next round
// takes the other half. Then only a class that has some halves and not others counts. visited holds the rules
// that were looked into, by name, with "*" after it if repeated was set; inside adds to it.
func (p *peggy) inside(n *node, repeated bool, visited map[string]bool) *node {
	if n.wide() && !repeated || n.partial() {
		return n
	}
	switch n.kind {
	case jRef:
		r, key := p.byName[n.name], n.name
		if repeated {
			key += "*"
		}
		if r == nil || visited[key] { // which is being looked into
			return nil
		}
		visited[key] = true
		return p.inside(r.body, repeated, visited)
	case jRepeat:
		if n.max == expr.Unbounded && n.min <= 1 && n.delim == nil {
			repeated = n.sub[0].atHalf(p, 0) == oneHalf
		} else if n.max != 1 || n.delim != nil {
			repeated = false
		}
		if n.delim != nil {
			if at := p.inside(n.delim, false, visited); at != nil {
				return at
			}
		}
	}
	for i, s := range n.sub {
		last := n.kind != jSequence || i == len(n.sub)-1
		if at := p.inside(s, n.kind == jAnd || n.kind == jNot || repeated && last, visited); at != nil {
			return at
		}
	}
	return nil
}

// A reading says what an expression does at the second half of a pair.
type reading uint8

const (
	noHalf    reading = iota // it fails
	oneHalf                  // it matches this half and nothing more
	otherwise                // neither, or it is not known
)

// atHalf says what n does at the second half of a surrogate pair. A class must have all second halves or none, as
// byHalves tells. A repetition is otherwise, and so is what is nested more than 100 expressions deep, references
// included, which is not followed. For a predicate it says what the operand does.
func (n *node) atHalf(p *peggy, depth int) reading {
	switch {
	case depth > 100:
		return otherwise
	case n.wide():
		return oneHalf
	}
	switch n.kind {
	case jLiteral:
		if len(n.units) == 0 {
			return otherwise
		}
		return noHalf
	case jClass:
		if !n.unicode && n.members().Has(firstLow) {
			return oneHalf
		}
		return noHalf
	case jRef:
		if r := p.byName[n.name]; r != nil {
			return r.body.atHalf(p, depth+1)
		}
		return otherwise
	case jChoice:
		for _, s := range n.sub {
			if got := s.atHalf(p, depth+1); got != noHalf {
				return got
			}
		}
		return noHalf
	case jSequence:
		for i, s := range n.sub {
			got := s.atHalf(p, depth+1)
			if got == otherwise {
				return otherwise
			}
			if s.kind == jAnd || s.kind == jNot {
				holds := (got == oneHalf) == (s.kind == jAnd)
				if !holds {
					return noHalf
				}
				continue // a predicate reads nothing: the next part is at the half
			}
			if got == oneHalf && i < len(n.sub)-1 {
				return otherwise // more has to follow the half
			}
			return got
		}
		return otherwise // it reads nothing
	case jRepeat, jNothing:
		return otherwise
	}
	return n.sub[0].atHalf(p, depth+1) // of a predicate, what its operand does: see jSequence
}
