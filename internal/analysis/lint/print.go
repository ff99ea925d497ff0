package lint

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A printer writes expressions in the notation of its grammar, as they stand in the file but without its layout.
type printer struct {
	g     *expr.Grammar
	words *spelling
}

// A spelling knows how the text spells its quoted strings: an expression does not tell the case of their letters.
type spelling struct {
	at map[expr.Pos]string
	of map[string]string // by the string in capitals; the first in the text
}

// Text returns an expression in the notation of its grammar.
func Text(g *expr.Grammar, e *expr.Expr) string { return printer{g, spellingOf(g.Rules)}.print(e) }

// quotedString matches a quoted string of ABNF or W3C's EBNF in a line.
var quotedString = regexp.MustCompile(`"[^"\n]*"`)

// spellingOf returns the quoted strings in the printed text of the rules, without their quotes, by the places of
// their opening quotes and in capitals.
func spellingOf(rules []*expr.Rule) *spelling {
	s := &spelling{map[expr.Pos]string{}, map[string]string{}}
	for _, r := range rules {
		pos := r.Pos
		for i, line := range strings.Split(r.Printed, "\n") {
			shift := 0  // from a column of the file to that of the printed line
			if i == 0 { // the place of a rule is that of its name
				shift = len(line) - len(strings.TrimLeft(line, " \t")) - r.Pos.Col + 1
			}
			for _, m := range quotedString.FindAllStringIndex(line, -1) {
				text := line[m[0]+1 : m[1]-1]
				s.at[expr.Pos{File: pos.File, Line: pos.Line + i, Col: m[0] + 1 - shift}] = text
				if key := strings.ToUpper(text); s.of[key] == "" {
					s.of[key] = text
				}
			}
		}
	}
	return s
}

// word returns the spelling of a string, which is given in capitals: that at the place, or else the first one in the
// text, or else the capitals. s may be nil, and has none then.
func (s *spelling) word(pos expr.Pos, text string) string {
	if s == nil {
		return text
	}
	if found := s.at[pos]; strings.EqualFold(found, text) {
		return found
	}
	if found := s.of[text]; found != "" {
		return found
	}
	return text
}

// The binding strengths, weakest first.
const (
	bindAlt = iota
	bindSeq
	bindElement
	bindRepeated
)

// print returns e in the notation of the grammar, cut to 100 characters, with " ..." after a cut.
func (p printer) print(e *expr.Expr) string {
	const room = 100
	s := p.whole(e)
	if short := layout.Cut(s, room); short != s {
		return short + " ..."
	}
	return s
}

// alternative returns an alternative as the text has it, with its anchors, if that is known.
func (p printer) alternative(e *expr.Expr) string {
	if text := p.g.Written[e]; text != "" {
		return text
	}
	return p.print(e)
}

// whole returns e in the notation of the grammar, however long.
func (p printer) whole(e *expr.Expr) string { return p.text(e, bindAlt) }

// text returns e in the notation of the grammar, in parentheses if it binds weaker than bind. Code points stand as the
// text spells them (e.Chars), and an operator that the notation lacks as [expr.Expr.String] prints it.
func (p printer) text(e *expr.Expr, bind int) string {
	// Code points.
	if strings.HasPrefix(e.Chars, "%") || (p.ebnf() || p.regexp()) && e.Chars != "" && e.Op != expr.Class {
		return e.Chars
	}
	if p.regexp() {
		return p.inRegexp(e, bind)
	}
	switch e.Op {
	case expr.Empty:
		return `""`
	case expr.Ref:
		return p.name(e.Name)
	case expr.Class:
		if p.isPiece(e) {
			return p.quoted([]*expr.Expr{e}, bind)
		}
		return p.class(e.Set, bind)
	case expr.Literal:
		return p.quoted([]*expr.Expr{e}, bind)
	case expr.Seq:
		return p.sequence(e, bind)
	case expr.Alt:
		var all []string
		for _, s := range e.Sub {
			all = append(all, p.text(s, bindSeq))
		}
		return group(strings.Join(all, p.or()), bindAlt < bind)
	case expr.Repeat:
		if sign := postfix[[2]int{e.Min, e.Max}]; p.ebnf() && sign != "" {
			return p.text(e.Sub[0], bindRepeated) + sign
		}
		if e.Min == 0 && e.Max == 1 {
			return "[" + p.text(e.Sub[0], bindAlt) + "]"
		}
		// Only under another count or suffix does a count need parentheses: 2(3x).
		return group(count(e)+p.text(e.Sub[0], bindRepeated), bind == bindRepeated)
	}
	return e.String()
}

// ebnf reports whether the notation is that of W3C's specifications: strings are case-sensitive, and repetition is a
// suffix.
func (p printer) ebnf() bool { return p.g.Notation == "ebnf" }

// regexp reports whether the grammar is a regular expression.
func (p printer) regexp() bool { return p.g.Notation == "regexp" }

// inRegexp is text for regular expressions: bind is as there. A choice stands as the text writes it, if that is known.
// A reference is shown as a named group with dots in it. The anchor $ that allows a newline at the end, for which the
// grammar has an option without a text of its own, is shown in words.
func (p printer) inRegexp(e *expr.Expr, bind int) string {
	group := func(s string, needed bool) string {
		if needed {
			return "(?:" + s + ")"
		}
		return s
	}
	var inside int // how the parts must bind
	switch e.Op {
	case expr.Alt:
		inside = bindSeq
	case expr.Seq:
		inside = bindElement
	case expr.Repeat:
		inside = bindRepeated
	}
	var all []string
	for _, s := range e.Sub {
		all = append(all, p.text(s, inside))
	}
	switch text, ok := p.g.Written[e]; {
	case ok && text != "" && e.Op == expr.Alt:
		return group(text, bindAlt < bind)
	case ok && text == "" && e.Max == 1: // an anchor, which is written as no expression
		return "$ before a final newline"
	}
	switch e.Op {
	case expr.Ref:
		return "(?<" + p.name(e.Name) + ">...)"
	case expr.Literal:
		s := ""
		for _, c := range e.Lit {
			s += shownInRegexp(c, `\.+*?()|[]{}^$/`)
		}
		return group(s, utf8.RuneCountInString(e.Lit) > 1 && bind == bindRepeated)
	case expr.Class:
		ranges, s := e.Set.Ranges(), ""
		if len(ranges) == 1 && ranges[0][0] == ranges[0][1] {
			return shownInRegexp(rune(ranges[0][0]), `\.+*?()|[]{}^$/`)
		}
		for _, r := range ranges {
			s += shownInRegexp(rune(r[0]), `\]^-`)
			if r[0] < r[1] {
				s += "-" + shownInRegexp(rune(r[1]), `\]^-`)
			}
		}
		return "[" + s + "]"
	case expr.Repeat:
		return group(all[0]+e.Quantifier(), bind == bindRepeated)
	case expr.Alt:
		return group(strings.Join(all, "|"), bindAlt < bind)
	}
	return group(strings.Join(all, ""), len(all) != 1 && bind == bindRepeated)
}

// shownInRegexp returns a character as a regular expression writes it; those in special get a backslash. The character
// must be at most U+00FF: others stand as the text spells them.
func shownInRegexp(c rune, special string) string {
	switch {
	case c < ' ' || c >= 0x7f:
		return fmt.Sprintf(`\x%02X`, c)
	case strings.ContainsRune(special, c):
		return `\` + string(c)
	}
	return string(c)
}

// postfix has the suffix of a repetition in W3C's EBNF, by its bounds.
var postfix = map[[2]int]string{{0, 1}: "?", {0, expr.Unbounded}: "*", {1, expr.Unbounded}: "+"}

// or returns the sign between alternatives.
func (p printer) or() string {
	if p.g.Notation == "abnf" {
		return " / "
	}
	return " | "
}

// name returns the name of a production as the text has it.
func (p printer) name(id string) string {
	if r := p.g.Rule(id); r != nil && r.Name != "" {
		return r.Name
	}
	return id
}

// group returns s, in parentheses if needed.
func group(s string, needed bool) string {
	if needed {
		return "(" + s + ")"
	}
	return s
}

// count returns the count that ABNF writes before a repeated element: also "1" for exactly one, and "*1" for an
// option.
func count(e *expr.Expr) string {
	switch {
	case e.Min == e.Max:
		return fmt.Sprint(e.Min)
	case e.Min == 0 && e.Max == expr.Unbounded:
		return "*"
	case e.Max == expr.Unbounded:
		return fmt.Sprintf("%d*", e.Min)
	case e.Min == 0:
		return fmt.Sprintf("*%d", e.Max)
	}
	return fmt.Sprintf("%d*%d", e.Min, e.Max)
}

// sequence returns a sequence as text, as [printer.text] does. Neighbors at one place are the pieces of one quoted
// string.
func (p printer) sequence(e *expr.Expr, bind int) string {
	var all []string
	for i := 0; i < len(e.Sub); {
		j := i
		for j < len(e.Sub) && p.isPiece(e.Sub[j]) && e.Sub[j].Pos == e.Sub[i].Pos {
			j++
		}
		if j > i {
			all = append(all, p.quoted(e.Sub[i:j], bindElement))
			i = j
		} else {
			all = append(all, p.text(e.Sub[i], bindElement))
			i++
		}
	}
	return group(strings.Join(all, " "), len(all) > 1 && bindSeq < bind)
}

// isPiece reports whether e can be a part of a quoted string.
func (p printer) isPiece(e *expr.Expr) bool {
	if e.Op == expr.Class {
		_, ok := bothCases(e.Set)
		return ok && !p.ebnf()
	}
	return e.Op == expr.Literal
}

// bothCases returns the letter of a set that holds one letter in either case, the capital, and nothing else. It returns
// false for any other set.
func bothCases(s expr.Set) (letter byte, ok bool) {
	if s.Len() != 2 {
		return 0, false
	}
	m := s.Members()
	return m[0], 'A' <= m[0] && m[0] <= 'Z' && m[1] == m[0]+'a'-'A'
}

// isLetter reports whether c is a letter of ASCII.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// quoted returns the text of the pieces, literals and letters in either case, as one quoted string: in ABNF after %s
// if its letters are exact. Where a character cannot stand in quotes, W3C EBNF has quoted runs and numbers in a row,
// in parentheses if that binds weaker than bind, and other notations the values of all the characters; of a letter in
// either case that is the capital alone.
func (p printer) quoted(pieces []*expr.Expr, bind int) string {
	var text []byte
	folded, exact, visible := false, false, true
	for _, e := range pieces {
		if e.Op == expr.Class {
			c, _ := bothCases(e.Set)
			text, folded = append(text, c), true
			continue
		}
		text = append(text, e.Lit...)
		for i := range len(e.Lit) {
			exact = exact || isLetter(e.Lit[i])
			visible = visible && e.Lit[i] >= ' ' && e.Lit[i] < 0x7f && e.Lit[i] != '"'
		}
	}
	switch {
	case !visible && p.ebnf(): // visible runs in quotes, other characters by their numbers
		var all []string
		from := 0
		for i, r := range string(text) {
			if r < ' ' || r >= 0x7f || r == '"' {
				if from < i {
					all = append(all, `"`+string(text[from:i])+`"`)
				}
				all = append(all, fmt.Sprintf("#x%02X", r))
				from = i + utf8.RuneLen(r)
			}
		}
		if from < len(text) {
			all = append(all, `"`+string(text[from:])+`"`)
		}
		return group(strings.Join(all, " "), len(all) > 1 && bindElement < bind)
	case !visible:
		s := ""
		for len(text) > 0 {
			r, size := rune(text[0]), 1
			if p.g.CodePoints {
				r, size = utf8.DecodeRune(text)
			}
			s, text = s+fmt.Sprintf(".%02X", r), text[size:]
		}
		return "%x" + s[1:]
	case exact && !folded && p.g.Notation == "abnf":
		return `%s"` + string(text) + `"`
	}
	if folded {
		return `"` + p.words.word(pieces[0].Pos, string(text)) + `"`
	}
	return `"` + string(text) + `"`
}

// place returns a place for a reader of the grammar: without the name of the file if it is in that.
func (p printer) place(pos expr.Pos) string {
	if pos.File == p.g.File {
		return fmt.Sprintf("line %d, column %d", pos.Line, pos.Col)
	}
	return pos.String()
}

// class returns a set of bytes as values or, in W3C EBNF, as a class, or as quoted does if it is one byte;
// "(nothing)" for the empty set. Several values stand in parentheses if a choice binds weaker than bind.
func (p printer) class(s expr.Set, bind int) string {
	var all []string
	for _, r := range s.Ranges() {
		if p.ebnf() {
			all = append(all, fmt.Sprintf("#x%02X-#x%02X", r[0], r[1]))
		} else if r[0] == r[1] {
			all = append(all, fmt.Sprintf("%%x%02X", r[0]))
		} else {
			all = append(all, fmt.Sprintf("%%x%02X-%02X", r[0], r[1]))
		}
	}
	switch {
	case len(all) == 0:
		return "(nothing)"
	case p.ebnf() && s.Len() == 1:
		return p.quoted([]*expr.Expr{expr.Lit(string(s.Members()))}, bind)
	case p.ebnf():
		return "[" + strings.Join(all, "") + "]"
	}
	return group(strings.Join(all, p.or()), len(all) > 1 && bindAlt < bind)
}
