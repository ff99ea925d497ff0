package bnftoregexp

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

type span = runes.Span // of code points

// An alphabet says what the bytes of expressions stand for while they are simplified. Octets stand for
// themselves. In an expression of characters, so do the bytes below 0x80; each other byte stands for the code
// points that it has here, which the rule does not tell apart.
type alphabet struct {
	octets bool
	points [256][]span
	next   int // the first byte that stands for nothing
}

// symbolsOf returns the bytes that stand for the code points of a span. If a byte stands for several code
// points, the span must have all of them or none.
func (a *alphabet) symbolsOf(s span) (set expr.Set) {
	for x := s.Lo; x <= min(s.Hi, 0x7f); x++ {
		set.Add(byte(x))
	}
	for x := 0x80; x < a.next; x++ {
		if p := a.points[x][0]; s.Lo <= p.Lo && p.Lo <= s.Hi {
			set.Add(byte(x))
		}
	}
	return set
}

// assignSymbols assigns a byte from 0x80 up to each class of code points above U+007F that the sets tell
// apart, and sets next. If there are more than 128 classes it panics with a [lang.ErrTooLarge], which
// [budget.Catch] returns. a.points must be empty.
func (a *alphabet) assignSymbols(sets [][]span) {
	var cuts []rune
	for _, s := range sets {
		for _, p := range s {
			if p.Hi >= 0x80 {
				cuts = append(cuts, max(p.Lo, 0x80), p.Hi+1)
			}
		}
	}
	// No set begins or ends between two neighboring cuts. Parts that are in the same sets get one symbol.
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	a.next = 0x80
	known := map[string]int{}
	for i := 0; i+1 < len(cuts); i++ {
		part := span{Lo: cuts[i], Hi: cuts[i+1] - 1}
		in := make([]byte, len(sets))
		for j, s := range sets {
			if slices.ContainsFunc(s, func(p span) bool { return p.Lo <= part.Lo && part.Hi <= p.Hi }) {
				in[j] = 1
			}
		}
		if !slices.Contains(in, 1) {
			continue
		}
		x, ok := known[string(in)]
		if !ok {
			if a.next > 0xff {
				panic(budget.Stopped(fmt.Errorf("%w: more than 128 sets of code points above U+007F "+
					"that the rule tells apart", lang.ErrTooLarge)))
			}
			x = a.next
			known[string(in)] = x
			a.next++
		}
		a.points[x] = append(a.points[x], part)
	}
}

// hasWideCharacters reports whether some byte stands for characters above U+FFFF.
func (a *alphabet) hasWideCharacters() bool {
	isWide := func(s []span) bool { return len(s) > 0 && s[len(s)-1].Hi > 0xffff }
	return !a.octets && slices.ContainsFunc(a.points[0x80:], isWide)
}

// freeMarkers returns n bytes that stand for nothing in the words of whole, to mark groups with. If there are
// fewer it panics as assignSymbols does.
func (a *alphabet) freeMarkers(n int, whole *lang.DFA) []byte {
	free := expr.AnyByte
	if a.octets {
		for q := range whole.States() {
			if whole.Live(q) {
				free = free.Minus(whole.Viable(q))
			}
		}
	} else {
		free = expr.Set{}
		for x := a.next; x < 256; x++ {
			free.Add(byte(x))
		}
	}
	if free.Len() < n {
		panic(budget.Stopped(fmt.Errorf("%w: no bytes are left to mark %d groups with", lang.ErrTooLarge, n/2)))
	}
	return free.Members()[:n]
}

// eachCharacter calls f for the code points whose UTF-8 leads from state q of a to a live one, in ascending
// order. Neighboring code points that lead to the same state may come as one span, but need not.
func eachCharacter(a *lang.DFA, q int, f func(s span, to int)) {
	for x := range 0x80 {
		if to := a.Next(q, byte(x)); a.Live(to) {
			f(span{Lo: rune(x), Hi: rune(x)}, to)
		}
	}
	// rest goes on from q after a lead byte and perhaps others; value has their bits. n bytes are missing. A
	// character below least would have a shorter encoding.
	var rest func(q int, value rune, n int, least rune)
	rest = func(q int, value rune, n int, least rune) {
		if !a.Live(q) {
			return
		}
		if n > 1 {
			for x := range rune(64) {
				rest(a.Next(q, byte(0x80|x)), value<<6|x, n-1, least)
			}
			return
		}
		value <<= 6
		if value < least || value > 0x10ffff || 0xd800 <= value && value < 0xe000 {
			return
		}
		for x := rune(0); x < 64; {
			to, first := a.Next(q, byte(0x80|x)), x
			for x++; x < 64 && a.Next(q, byte(0x80|x)) == to; x++ {
			}
			if a.Live(to) {
				f(span{Lo: value + first, Hi: value + x - 1}, to)
			}
		}
	}
	for x := rune(0xc2); x < 0xe0; x++ {
		rest(a.Next(q, byte(x)), x&0x1f, 1, 0x80)
	}
	for x := rune(0xe0); x < 0xf0; x++ {
		rest(a.Next(q, byte(x)), x&0xf, 2, 0x800)
	}
	for x := rune(0xf0); x < 0xf5; x++ {
		rest(a.Next(q, byte(x)), x&7, 3, 0x10000)
	}
}

// A decoder reads a grammar of octets as one of characters, whose UTF-8 the octets spell.
type decoder struct {
	g      *expr.Grammar
	facts  *expr.Facts
	plain  map[string]bool       // rules without octets above 0x7F
	length map[string]int        // by production: the length of its longest word, up to 5
	single map[*expr.Expr][]span // the characters that an expression derives; nil if it derives anything else
}

// isASCII reports whether e has no octets above 0x7F.
func (d *decoder) isASCII(e *expr.Expr) bool {
	ok := true
	expr.Walk(e, func(e *expr.Expr) bool {
		switch e.Op {
		case expr.Class:
			ok = ok && e.Set.Intersect(expr.Range(0x80, 0xff)).IsEmpty()
		case expr.Literal:
			ok = ok && !slices.ContainsFunc([]byte(e.Lit), func(x byte) bool { return x >= 0x80 })
		case expr.Ref:
			if _, known := d.plain[e.Name]; !known {
				d.plain[e.Name] = true // assumed inside a recursion
				if r := d.g.Rule(e.Name); r != nil {
					d.plain[e.Name] = d.isASCII(r.Expr)
				}
			}
			ok = ok && d.plain[e.Name]
		}
		return ok
	})
	return ok
}

// charactersOf returns the characters that e derives. ok is false if e derives anything else, or nothing, and
// if that cannot be computed. The answer is kept; the slice must not be changed.
func (d *decoder) charactersOf(e *expr.Expr) (spans []span, ok bool) {
	if s, known := d.single[e]; known {
		return s, s != nil
	}
	d.single[e] = nil                    // until it is known
	if d.g.Longest(e, 5, d.length) > 4 { // longer than the UTF-8 of any character
		return nil, false
	}
	a, err := lang.FromExpr(d.g, e)
	if err != nil || a.IsEmpty() {
		return nil, false
	}
	// e derives characters alone if it derives as many words as characters.
	words, points := int64(0), int64(0)
	for _, n := range a.Counts(4) {
		words += n.Int64()
	}
	eachCharacter(a, 0, func(s span, to int) {
		if a.Accepts(to) {
			spans = append(spans, s)
			points += int64(s.Hi-s.Lo) + 1
		}
	})
	if words != points { // some are not the UTF-8 of one character
		return nil, false
	}
	d.single[e] = runes.Set(spans).Clean()
	return d.single[e], true
}

// eachCharacterSet calls f for each part of e that derives single characters, with these characters. Parts
// that are ASCII are left out. ok is false if the octets of a character are spread over several parts of e,
// or if a recursive production has characters beyond ASCII; f has then been called for some parts.
func (d *decoder) eachCharacterSet(e *expr.Expr, f func([]span)) (ok bool) {
	if d.isASCII(e) || !d.facts.Derives(e) {
		return true
	}
	if s, ok := d.charactersOf(e); ok {
		f(s)
		return true
	}
	switch e.Op {
	case expr.Ref:
		return !d.facts.Component(e.Name).Recursive && d.eachCharacterSet(d.g.Rule(e.Name).Expr, f)
	case expr.Literal:
		for _, r := range e.Lit {
			f(runes.Of(r, r))
		}
		return utf8.ValidString(e.Lit)
	case expr.Class:
		return false
	}
	return !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !d.eachCharacterSet(s, f) })
}

// eachCharacterEdge calls f for each two states of a, reached from its start at the ends of characters,
// between which a single character leads; spans has all such characters, sorted. The states come breadth
// first.
func eachCharacterEdge(a *lang.DFA, f func(from, to int, spans []span)) {
	seen := map[int]bool{0: true}
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] {
		q := todo[0]
		by := map[int][]span{}
		var order []int
		eachCharacter(a, q, func(s span, to int) {
			if by[to] == nil {
				order = append(order, to)
			}
			by[to] = append(by[to], s)
		})
		for _, to := range order {
			f(q, to, runes.Set(by[to]).Clean())
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
}
