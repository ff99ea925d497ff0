package peg

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// decode returns the characters of a string; half of a pair is one by itself.
func decode(units []uint16) (out []rune) {
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if i+1 < len(units) && utf16.IsSurrogate(r) {
			if c := utf16.DecodeRune(r, rune(units[i+1])); c != unicode.ReplacementChar {
				r = c
				i++
			}
		}
		out = append(out, r)
	}
	return out
}

const (
	firstHigh, lastHigh = 0xd800, 0xdbff
	firstLow, lastLow   = 0xdc00, 0xdfff
)

// matched returns what a class or any character matches: the ranges of code points, or of units, halves of pairs among them,
// if it is not of code points.
func (n *node) matched() []runeRange {
	if n.kind == jAny {
		return []runeRange{{0, 0xffff}}
	}
	if len(n.parts) == 0 { // peggy takes it for what never matches, even if it is inverted
		return nil
	}
	top := rune(unicode.MaxRune)
	if !n.unicode {
		top = 0xffff
	}
	var set []runeRange
	for _, p := range n.parts {
		if p.escape {
			set = append(set, p.table...)
		} else {
			set = append(set, p.runeRange)
		}
	}
	set = joined(set)
	switch {
	case n.fold && n.unicode:
		set = folded(set)
	case n.fold:
		set = uppered(set)
	}
	if n.invert {
		set = invert(set)
	}
	return within(set, 0, top)
}

// within returns the part of ranges between two characters.
func within(set []runeRange, lo, hi rune) (out []runeRange) {
	for _, r := range set {
		if r.lo, r.hi = max(r.lo, lo), min(r.hi, hi); r.lo <= r.hi {
			out = append(out, r)
		}
	}
	return out
}

// covers reports whether ranges, sorted and apart, have all between two characters.
func covers(set []runeRange, lo, hi rune) bool {
	return slices.ContainsFunc(set, func(r runeRange) bool { return r.lo <= lo && hi <= r.hi })
}

// folded returns the characters that a regular expression of JavaScript with i and u takes for one in the set.
func folded(set []runeRange) []runeRange {
	out := slices.Clone(set)
	for _, c := range folds() {
		for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
			if hasRune(set, f) {
				out = append(out, runeRange{c, c})
				break
			}
		}
	}
	return joined(out)
}

// folds lists the characters that have others that they fold to.
var folds = sync.OnceValue(func() (list []rune) {
	for c := range rune(unicode.MaxRune + 1) {
		if unicode.SimpleFold(c) != c {
			list = append(list, c)
		}
	}
	return list
})

// uppered returns the units that a regular expression of JavaScript with i and without u takes for one in the set: it compares
// them in upper case, where that is one unit, and no unit of ASCII for another character.
func uppered(set []runeRange) []runeRange {
	table := canonical()
	seen := map[rune]bool{}
	for _, c := range table.changed {
		if hasRune(set, c) {
			seen[table.to[c]] = true
		}
	}
	var out []runeRange
	for _, r := range set { // without those that change
		for _, c := range table.changed {
			if r.lo <= c && c <= r.hi {
				if r.lo < c {
					out = append(out, runeRange{r.lo, c - 1})
				}
				r.lo = c + 1
			}
		}
		if r.lo <= r.hi {
			out = append(out, r)
		}
	}
	for c := range seen {
		out = append(out, runeRange{c, c})
	}
	uppers := joined(out)
	for _, c := range table.changed {
		if hasRune(uppers, table.to[c]) {
			out = append(out, runeRange{c, c})
		}
	}
	return joined(out)
}

type canonicals struct {
	changed []rune // ascending
	to      map[rune]rune
}

var canonical = sync.OnceValue(func() canonicals {
	t := canonicals{to: map[rune]rune{}}
	for c := rune(0); c <= 0xffff; c++ {
		u := unicode.ToUpper(c)
		if u == c || hasRune(longUpper, c) || c >= utf8.RuneSelf && u < utf8.RuneSelf || u > 0xffff {
			continue
		}
		t.changed = append(t.changed, c)
		t.to[c] = u
	}
	return t
})

// longUpper are the characters whose upper case is several (SpecialCasing.txt of Unicode, without conditions).
var longUpper = []runeRange{
	{0xdf, 0xdf}, {0x149, 0x149}, {0x1f0, 0x1f0}, {0x390, 0x390}, {0x3b0, 0x3b0}, {0x587, 0x587}, {0x1e96, 0x1e9a},
	{0x1f50, 0x1f50}, {0x1f52, 0x1f52}, {0x1f54, 0x1f54}, {0x1f56, 0x1f56}, {0x1f80, 0x1faf}, {0x1fb2, 0x1fb4},
	{0x1fb6, 0x1fb7}, {0x1fbc, 0x1fbc}, {0x1fc2, 0x1fc4}, {0x1fc6, 0x1fc7}, {0x1fcc, 0x1fcc}, {0x1fd2, 0x1fd3},
	{0x1fd6, 0x1fd7}, {0x1fe2, 0x1fe4}, {0x1fe6, 0x1fe7}, {0x1ff2, 0x1ff4}, {0x1ff6, 0x1ff7}, {0x1ffc, 0x1ffc},
	{0xfb00, 0xfb06}, {0xfb13, 0xfb17},
}

// compile makes an expression over the bytes of UTF-8.
func (p *peggy) compile(n *node) (*expr.Expr, error) {
	var sub []*expr.Expr
	for _, s := range n.sub {
		e, err := p.compile(s)
		if err != nil {
			return nil, err
		}
		sub = append(sub, e)
	}
	with := func(op expr.Op, sub ...*expr.Expr) *expr.Expr { return &expr.Expr{Op: op, Sub: sub, Pos: n.pos} }
	switch n.kind {
	case jLiteral:
		return p.text(n)
	case jClass, jAny:
		if n.fold && (n.unicode || slices.ContainsFunc(n.parts, func(p part) bool { return p.hi >= utf8.RuneSelf })) {
			p.assumes = append(p.assumes, expr.Assumption{Text: assumeTables, Pos: n.pos})
		}
		for i := range n.parts {
			if n.unicode && i > 0 && within([]runeRange{{n.parts[i-1].hi, n.parts[i-1].hi}}, firstHigh, lastHigh) != nil &&
				within([]runeRange{{n.parts[i].lo, n.parts[i].lo}}, firstLow, lastLow) != nil {
				return nil, expr.Refusef(n.pos, "the halves of a pair stand beside each other in a class of code points, which is not supported: JavaScript takes them for the pair")
			}
		}
		nul := slices.ContainsFunc(n.parts, func(p part) bool { return p.table == nil && p.hi == 0 })
		if nul && slices.ContainsFunc(n.parts, func(p part) bool { return p.table == nil && '0' <= p.lo && p.lo <= '9' }) {
			return nil, expr.Refusef(n.pos, "a class with U+0000 and a digit is not supported: peggy writes \\0 and the digit into one escape")
		}
		e := *encoded(n.matched(), n.unicode)
		e.Pos = n.pos
		return &e, nil
	case jRef:
		return &expr.Expr{Op: expr.Ref, Name: n.name, Pos: n.pos}, nil
	case jSequence:
		if len(sub) == 1 {
			return sub[0], nil
		}
		return with(expr.Seq, sub...), nil
	case jChoice:
		return with(expr.Alt, sub...), nil
	case jAnd:
		return with(expr.And, sub...), nil
	case jNot:
		if n.sub[0].kind == jAny { // some character is there: some byte is
			sub[0] = &expr.Expr{Op: expr.Class, Set: expr.AnyByte, Pos: n.pos}
		}
		return with(expr.Not, sub...), nil
	case jRepeat:
		if n.max != expr.Unbounded && n.max < n.min {
			return &expr.Expr{Op: expr.Class, Pos: n.pos}, nil // it never matches
		}
		rep := with(expr.Repeat, sub...)
		rep.Min, rep.Max = n.min, n.max
		if n.delim == nil {
			return rep, nil
		}
		delim, err := p.compile(n.delim)
		if err != nil {
			return nil, err
		}
		all := sub[0]
		if n.max != 1 {
			next := with(expr.Repeat, expr.Cat(delim, sub[0]))
			next.Min, next.Max = max(0, n.min-1), n.max
			if n.max != expr.Unbounded {
				next.Max--
			}
			all = with(expr.Seq, sub[0], next)
		}
		if n.min > 0 {
			return all, nil
		}
		option := with(expr.Repeat, all)
		option.Max = 1
		return option, nil
	}
	return sub[0], nil
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

// text makes an expression of a literal. With i, peggy compares lower case.
func (p *peggy) text(n *node) (*expr.Expr, error) {
	if octal(n.units) {
		return nil, expr.Refusef(n.pos, "U+0000 before a digit is not supported: peggy writes both into one escape, which JavaScript refuses")
	}
	chars := decode(n.units)
	if len(chars) == 0 {
		return &expr.Expr{Op: expr.Empty, Pos: n.pos}, nil
	}
	var seq []*expr.Expr
	run := ""
	flush := func() {
		if run != "" {
			seq = append(seq, &expr.Expr{Op: expr.Literal, Lit: run, Pos: n.pos})
			run = ""
		}
	}
	for _, c := range chars {
		low := unicode.ToLower(c)
		switch {
		case !n.fold:
			if utf16.IsSurrogate(c) {
				flush()
				seq = append(seq, encoded([]runeRange{{c, c}}, false))
			} else {
				run += string(c)
			}
			continue
		case c == 'İ':
			return nil, expr.Refusef(n.pos, "peggy compares İ with i as two characters and reads one; write a class")
		case len(chars) > 1 && low == 'σ' || len(chars) > 1 && low == 'ς':
			return nil, expr.Refusef(n.pos, "in JavaScript, the lower case of Σ depends on the characters beside it; write a class")
		}
		if low >= utf8.RuneSelf {
			p.assumes = append(p.assumes, expr.Assumption{Text: assumeTables, Pos: n.pos})
		}
		same := slices.DeleteFunc(lowered([]runeRange{{low, low}}), func(r runeRange) bool { return r.lo == 'İ' })
		seq = append(seq, encoded(same, low > 0xffff))
	}
	flush()
	e := *expr.Cat(seq...)
	e.Pos = n.pos
	return &e, nil
}

// encoded returns an expression that matches one character of the ranges or, of those that are not of code points, half of one. Between
// the halves of a character are two of its four bytes: the first half is its first two bytes, before a third that has the rest
// of its bits; the second half is the last two bytes. The alternatives exclude each other, so their order does not matter.
func encoded(set []runeRange, codePoints bool) *expr.Expr {
	set = joined(set)
	var ascii expr.Set
	var alts []*expr.Expr
	for _, r := range set {
		for c := r.lo; c <= r.hi && c < utf8.RuneSelf; c++ {
			ascii.Add(byte(c))
		}
		if r.hi >= utf8.RuneSelf {
			alts = append(alts, encodings(max(r.lo, utf8.RuneSelf), r.hi)...)
		}
	}
	if !ascii.IsEmpty() {
		alts = append([]*expr.Expr{expr.In(ascii)}, alts...)
	}
	cont := expr.Range(0x80, 0xbf)
	if high := within(set, firstHigh, lastHigh); len(high) > 0 && !codePoints {
		half := expr.Cat(expr.In(expr.Range(0xf0, 0xf4)), expr.In(cont))
		if !covers(high, firstHigh, lastHigh) {
			var whole []*expr.Expr
			for _, r := range high {
				whole = append(whole, encodings(0x10000+(r.lo-firstHigh)<<10, 0x10000+(r.hi-firstHigh)<<10+0x3ff)...)
			}
			half = expr.Cat(expr.Lookahead(expr.Or(whole...), false), half)
		}
		alts = append(alts, half)
	}
	for _, r := range within(set, firstLow, lastLow) {
		if r.lo == firstLow && r.hi == lastLow {
			alts = append(alts, expr.Cat(expr.In(cont), expr.In(cont)))
			continue
		}
		for lo := r.lo - firstLow; lo <= r.hi-firstLow; lo = lo&^0x3f + 0x40 {
			hi := min(lo|0x3f, r.hi-firstLow)
			var third expr.Set
			for top := rune(0); top < 4; top++ {
				third.Add(byte(0x80 | top<<4 | lo>>6))
			}
			alts = append(alts, expr.Cat(expr.In(third), expr.In(expr.Range(byte(0x80|lo&0x3f), byte(0x80|hi&0x3f)))))
		}
	}
	if len(alts) == 0 {
		return expr.In(expr.Set{})
	}
	return expr.Or(alts...)
}

// A places is a set of places in a text: before a character of one unit of UTF-16, or at the end; before one of two; inside such
// a one; and that nothing is matched.
type places uint8

const (
	beforeOne places = 1 << iota
	beforeTwo
	inside
	nowhere
	outside = beforeOne | beforeTwo
)

// stops finds the rules that can stop inside a surrogate pair, having begun outside. What is found is too much rather than too
// little: of what stands at a place only its kind is known.
func (p *peggy) stops() []bool {
	index := make(map[string]int, len(p.rules))
	for i, r := range p.rules {
		index[r.rule.ID] = i
	}
	users := make([][]int, len(p.rules))
	for i, r := range p.rules {
		for _, ref := range refs(r.body) {
			if j, ok := index[ref.name]; ok {
				users[j] = append(users[j], i)
			}
		}
	}
	ends := make([][3]places, len(p.rules)) // from beforeOne, beforeTwo, inside
	slot := map[places]int{beforeOne: 0, beforeTwo: 1, inside: 2}
	each := func(set places, f func(places)) {
		for _, at := range [...]places{beforeOne, beforeTwo, inside} {
			if set&at != 0 {
				f(at)
			}
		}
	}
	memo := map[*node][3]places{} // of terminals
	terminal := func(n *node, at places) places {
		if known, ok := memo[n]; ok {
			return known[slot[at]]
		}
		var to [3]places
		set := n.matched()
		bmp := len(within(set, 0, firstHigh-1))+len(within(set, lastLow+1, 0xffff)) > 0
		to[0] = nowhere // at the end, at least
		if bmp {
			to[0] |= outside
		}
		two, after := within(set, firstHigh, lastHigh), inside
		all := covers(set, firstHigh, lastHigh)
		if n.unicode {
			two, after = within(set, 0x10000, unicode.MaxRune), outside
			all = covers(set, 0x10000, unicode.MaxRune)
		}
		if len(two) > 0 {
			to[1] = after
		}
		if !all {
			to[1] |= nowhere
		}
		if len(within(set, firstLow, lastLow)) > 0 {
			to[2] = outside
		}
		if !covers(set, firstLow, lastLow) {
			to[2] |= nowhere
		}
		memo[n] = to
		return to[slot[at]]
	}
	var from func(n *node, at places) places
	sequence := func(sub []*node, at places) (to places) {
		cur := at
		for _, s := range sub {
			var next places
			each(cur, func(at places) { next |= from(s, at) })
			to |= next & nowhere
			if cur = next &^ nowhere; cur == 0 {
				break
			}
		}
		return to | cur
	}
	from = func(n *node, at places) (to places) {
		switch n.kind {
		case jLiteral:
			if len(n.units) == 0 {
				return at
			}
			first, last := rune(n.units[0]), rune(n.units[len(n.units)-1])
			begins := beforeOne
			switch {
			case firstHigh <= first && first <= lastHigh:
				begins = beforeTwo
			case firstLow <= first && first <= lastLow:
				begins = inside
			}
			switch {
			case begins != at:
				return nowhere
			case firstHigh <= last && last <= lastHigh:
				return inside | nowhere
			}
			return outside | nowhere
		case jClass, jAny:
			return terminal(n, at)
		case jRef:
			if i, ok := index[n.name]; ok {
				return ends[i][slot[at]]
			}
			return outside | nowhere
		case jSequence:
			return sequence(n.sub, at)
		case jChoice:
			for _, s := range n.sub {
				got := from(s, at)
				to |= got &^ nowhere
				if got&nowhere == 0 {
					return to
				}
			}
			return to | nowhere
		case jAnd, jNot:
			got := from(n.sub[0], at)
			matches, fails := got&^nowhere != 0, got&nowhere != 0
			if n.kind == jNot {
				matches, fails = fails, matches
			}
			if matches {
				to |= at
			}
			if fails {
				to |= nowhere
			}
			return to
		case jRepeat:
			round := n.sub
			if n.delim != nil {
				round = []*node{n.delim, n.sub[0]}
			}
			cur, seen := at, places(0)
			for i := 0; cur != 0; i++ {
				if n.max != expr.Unbounded && i >= n.max {
					return to | cur
				}
				if i > 64 && (i >= n.min || i > 1<<10) { // the places repeat
					if n.max != expr.Unbounded || i < n.min {
						to |= seen | cur
					}
					break
				}
				seen |= cur
				body := round
				if i == 0 {
					body = n.sub
				}
				var next places
				each(cur, func(at places) {
					got := sequence(body, at)
					next |= got &^ nowhere
					switch {
					case got&nowhere == 0:
					case i >= n.min:
						to |= at
					default:
						to |= nowhere
					}
				})
				cur = next
			}
			return to
		}
		return from(n.sub[0], at)
	}
	queue := make([]int, len(p.rules))
	queued := make([]bool, len(p.rules))
	for i := range queue {
		queue[i], queued[i] = len(p.rules)-1-i, true
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		queued[i] = false
		var now [3]places
		each(outside|inside, func(at places) { now[slot[at]] = from(p.rules[i].body, at) })
		if now == ends[i] {
			continue
		}
		ends[i] = now
		for _, j := range users[i] {
			if !queued[j] {
				queue, queued[j] = append(queue, j), true
			}
		}
	}
	stops := make([]bool, len(p.rules))
	for i := range p.rules {
		stops[i] = (ends[i][0]|ends[i][1])&inside != 0
	}
	return stops
}

// half returns the place of what a rule, or one that it uses, can match half of a character with.
func (p *peggy) half(r *peggyRule) expr.Pos {
	seen := map[*peggyRule]bool{r: true}
	for queue := []*peggyRule{r}; len(queue) > 0; queue = queue[1:] {
		var at *expr.Pos
		queue[0].body.walk(func(n *node) {
			switch {
			case at != nil:
			case (n.kind == jAny || n.kind == jClass) && !n.unicode && len(within(n.matched(), firstHigh, lastHigh)) > 0,
				n.kind == jLiteral && slices.ContainsFunc(decode(n.units), utf16.IsSurrogate):
				at = &n.pos
			case n.kind == jRef && p.byName[n.name] != nil && !seen[p.byName[n.name]]:
				seen[p.byName[n.name]] = true
				queue = append(queue, p.byName[n.name])
			}
		})
		if at != nil {
			return *at
		}
	}
	return r.rule.Pos
}
