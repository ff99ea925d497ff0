package bnftoregexp

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// A printer writes expressions in one mode of a flavor.
type printer struct {
	*Flavor
	regex.Mode
	*alphabet
	names    map[string]string // by the names of Nodes: the names of groups
	extended bool              // spaces and # get a backslash

	lengths map[expr.Set]int // of the texts of classes: see classLength
}

// How tightly an expression binds.
const (
	bindAlt = iota
	bindSeq
	bindOne
)

// strengthOf returns how strongly e binds, which is no Node. A class is always one unit.
func strengthOf(e *expr.Expr) int {
	switch e.Op {
	case expr.Alt:
		return bindAlt
	case expr.Class:
		return bindOne
	}
	return bindSeq
}

// isWrittenOut reports whether a repetition is written as its body again and again: only a class is, if that is no
// longer than with a count. length is that of the text of the body.
func isWrittenOut(e *expr.Expr, length int) bool {
	return e.Sub[0].Op == expr.Class && e.Min == e.Max && length*e.Min <= length+len(e.Quantifier())
}

// classLength returns the length of the text of a set. It is for a printer with a map of lengths.
func (p *printer) classLength(s expr.Set) int {
	return expr.Memo(p.lengths, s, func() int { return len(p.classText(s)) })
}

// print returns e in writing, as it stands by itself. e has neither literals nor references.
func (p *printer) print(e *expr.Expr) string {
	var b strings.Builder
	p.write(&b, e, bindAlt)
	return b.String()
}

// write writes e, in a group that does not capture if it binds less tightly than bind. A repeated class is
// written out if that is no longer than its count.
func (p *printer) write(b *strings.Builder, e *expr.Expr, bind int) {
	in := func(own int, f func()) {
		if own < bind {
			b.WriteString("(?:")
			defer b.WriteString(")")
		}
		f()
	}
	switch e.Op {
	case expr.Empty:
		in(bindSeq, func() {})
	case expr.Class:
		b.WriteString(p.classText(e.Set))
	case expr.Seq:
		in(bindSeq, func() {
			for _, s := range e.Sub {
				p.write(b, s, bindSeq)
			}
		})
	case expr.Alt:
		in(bindAlt, func() {
			for i, s := range e.Sub {
				if i > 0 {
					b.WriteByte('|')
				}
				p.write(b, s, bindSeq)
			}
		})
	case expr.Repeat:
		if e.Sub[0].Op == expr.Class && e.Min == e.Max {
			if body := p.classText(e.Sub[0].Set); isWrittenOut(e, len(body)) {
				in(bindSeq, func() { b.WriteString(strings.Repeat(body, e.Min)) })
				return
			}
		}
		in(bindSeq, func() {
			p.write(b, e.Sub[0], bindOne)
			b.WriteString(e.Quantifier())
		})
	case expr.Node:
		if name, ok := p.names[e.Name]; ok {
			b.WriteString(p.Group + name + ">")
			p.write(b, e.Sub[0], bindAlt)
			b.WriteString(")")
		} else {
			p.write(b, e.Sub[0], bind)
		}
	}
}

var (
	digits  = expr.Range('0', '9')
	letters = expr.Range('a', 'z').Union(expr.Range('A', 'Z'))
	word    = digits.Union(letters).Union(expr.Bytes("_"))
	hex     = digits.Union(expr.Range('a', 'f')).Union(expr.Range('A', 'F'))
)

// classText returns an expression for one character of the set; for an empty set, one that never matches.
func (p *printer) classText(s expr.Set) string {
	if s.IsEmpty() {
		return p.Never
	}
	// A single character needs no brackets.
	if s.Len() == 1 && (p.octets() || s.Members()[0] < 0x80) {
		return p.characterText(rune(s.Members()[0]), syntaxCharacters+p.Escaped, p.extended)
	}
	long, s := p.takeRuns(s)
	if p.Fold {
		s = s.Minus(expr.Range('A', 'Z'))
		if s.Len() == 1 && len(long) == 0 {
			return p.characterText(rune(s.Members()[0]), syntaxCharacters+p.Escaped, p.extended)
		}
	}
	b, s := p.takeShorthands(s)
	if s.IsEmpty() && len(long) == 0 && len(b) == len(`\d`) { // a single shorthand needs no brackets
		return b
	}
	dash := "" // if "-" is not escaped in classes, it comes last, where it means itself
	for _, r := range append(p.runsOf(s), long...) {
		switch {
		case r.Lo == '-' && r.Hi == '-' && !strings.Contains(p.InClass, "-"):
			dash = "-"
		case isListed(r):
			for x := r.Lo; x <= r.Hi; x++ {
				if x == '-' && !strings.Contains(p.InClass, "-") {
					dash = "-"
				} else {
					b += p.characterText(x, p.InClass, false)
				}
			}
		default:
			b += p.characterText(r.Lo, p.InClass+"-", false) + "-" + p.characterText(r.Hi, p.InClass+"-", false)
		}
	}
	return "[" + b + dash + "]"
}

// takeRuns returns the runs of s that are written as ranges, whatever is in them: those beyond ASCII, and those that
// have characters of several kinds. rest has the other characters of s, which are ASCII.
func (p *printer) takeRuns(s expr.Set) (runs []span, rest expr.Set) {
	for _, r := range p.runsOf(s) {
		if r.Hi < 0x80 && countKinds(r) == 1 {
			continue
		}
		runs = append(runs, r)
		last := r.Hi
		if !p.octets() {
			last = min(last, 0x7f)
		}
		for x := r.Lo; x <= last; x++ {
			s = s.Minus(expr.Bytes(string([]byte{byte(x)})))
		}
	}
	return runs, s.Intersect(expr.Range(0, 0x7f))
}

// takeShorthands returns, in writing, the shorthands that s has all characters of, and the rest of s without them.
func (p *printer) takeShorthands(s expr.Set) (text string, rest expr.Set) {
	take := func(t expr.Set, as string) {
		if p.Fold { // s has no upper-case letters
			t = t.Minus(expr.Range('A', 'Z'))
		}
		if s.Intersect(t) == t {
			s, text = s.Minus(t), text+as
		}
	}
	if p.Short {
		take(word, `\w`)
	}
	if p.Hex && s.Intersect(letters).Minus(hex).IsEmpty() { // not if other letters have to be listed anyway
		take(hex, `\h`)
	}
	if p.Short {
		take(digits, `\d`)
	}
	return text, s
}

// isListed reports whether a class lists the characters of a span rather than giving a range: one or two
// characters, or up to nine ASCII signs, whose order few people know.
func isListed(s span) bool {
	n := s.Hi - s.Lo + 1
	signs := countKinds(s) == 1 && kindOf(s.Lo) == 0 && 0x20 < s.Lo && s.Hi < 0x7f
	return n <= 2 || n <= 9 && signs
}

// octets reports whether the bytes of expressions stand for octets, and not for characters.
func (p *printer) octets() bool { return p.alphabet.octets }

// runsOf returns a set as runs of characters, or of octets. A run within ASCII that has at most nine signs is
// split where digits, upper-case letters, lower-case letters and signs meet.
func (p *printer) runsOf(s expr.Set) (list []span) {
	var all runes.Set
	for _, r := range s.Ranges() {
		lo, hi := rune(r[0]), rune(r[1])
		if p.octets() {
			all = append(all, span{Lo: lo, Hi: hi})
			continue
		}
		if lo < 0x80 {
			all = append(all, span{Lo: lo, Hi: min(hi, 0x7f)})
		}
		for x := max(lo, 0x80); x <= hi; x++ {
			all = append(all, p.points[x]...)
		}
	}
	// Few know what "0-Z" has: it becomes "0-9", the signs between, and "A-Z". A run with many signs, such as
	// "!-~", stays whole.
	for _, r := range all.Clean() {
		parts := []span{}
		odd := 0 // signs, that is, neither letters nor digits
		for x := r.Lo; x <= min(r.Hi, 0x7f); {
			end := x
			for end < min(r.Hi, 0x7f) && kindOf(end+1) == kindOf(x) {
				end++
			}
			if kindOf(x) == 0 {
				odd += int(end-x) + 1
			}
			parts = append(parts, span{Lo: x, Hi: end})
			x = end + 1
		}
		if odd > 9 || r.Hi > 0x7f {
			parts = []span{r}
		}
		list = append(list, parts...)
	}
	return list
}

// kindOf returns 1 for an ASCII digit, 2 for an upper-case letter, 3 for a lower-case letter, and 0 for any
// other character.
func kindOf(r rune) int {
	switch {
	case '0' <= r && r <= '9':
		return 1
	case 'A' <= r && r <= 'Z':
		return 2
	case 'a' <= r && r <= 'z':
		return 3
	}
	return 0
}

// countKinds returns how often the kind of character changes within a span, plus one.
func countKinds(s span) int {
	n := 1
	for x := s.Lo; x < min(s.Hi, 0x7f); x++ {
		if kindOf(x) != kindOf(x+1) {
			n++
		}
	}
	return n
}

// characterText returns a character in writing. It has a backslash if it is one of special or, with extended,
// a space or #. It is written by its number if the flavor or the eye needs that.
func (p *printer) characterText(r rune, special string, extended bool) string {
	switch {
	case r == '\t':
		return `\t`
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r < 0x20 || r >= 0x7f:
		return p.Point(r)
	case strings.ContainsRune(p.ByNumber, r):
		return p.Point(r)
	case strings.ContainsRune(special, r), extended && (r == ' ' || r == '#'):
		return `\` + string(r)
	}
	return string(r)
}

const syntaxCharacters = `^$\.*+?()[]{}|`
