package bnf

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	quoting "github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file writes productions as ABNF: as the text prints them, with other names where that is
// needed ([Rename]), or from their expressions ([Write]). What either writes is read again by its
// caller and compared ([SameMeaning]), so nothing here has to foresee every way to print a rule.

// Rename returns a printed production of ABNF with each name replaced by name(it). Text in quotes, values, comments and
// prose stay as they are.
func Rename(printed string, name func(string) string) string {
	var out strings.Builder
	for at := 0; at < len(printed); {
		rest := printed[at:]
		n := 1
		switch c := rest[0]; {
		case isLetter(c):
			n = span(rest, isNameByte)
			out.WriteString(name(rest[:n]))
			at += n
			continue
		case isDigit(c): // a name can begin at once after a count: 2DIGIT
			n = span(rest, isDigit)
		case c == '"':
			n = max(quotedLength(rest), 1)
		case c == '\'', c == '`':
			n = max(singleQuoted(rest), 1)
		case c == '%':
			_, n = percentToken(rest)
			n = max(n, 1)
		case c == '<':
			n = max(proseLength(rest), 1)
		case c == ';':
			n = len(rest)
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				n = end
			}
		}
		out.WriteString(rest[:n])
		at += n
	}
	return out.String()
}

// Write returns e as the right-hand side of a production of ABNF. name returns the name to write for the ID of a
// production. codePoints reports that values will be code points where the text is read, and not octets. It fails for
// an expression that ABNF has no text for, such as an octet above 127 among code points that is no part of a
// character; the text is of no use then.
func Write(e *expr.Expr, name func(id string) string, codePoints bool) (string, error) {
	w := &writerABNF{name: name, codePoints: codePoints}
	text := w.alternatives(e)
	return text, w.err
}

// A writerABNF writes expressions. It goes on after an error, and keeps the first.
type writerABNF struct {
	name       func(id string) string
	codePoints bool
	err        error
}

// fail keeps the error if it is the first, and returns the text of the empty word, for writing to go on with.
func (w *writerABNF) fail(format string, args ...any) string {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
	return `""`
}

// alternatives returns the text of e for where alternatives can stand. If ABNF has no text for a part of it, the
// error is in w.err.
func (w *writerABNF) alternatives(e *expr.Expr) string {
	if e.Op != expr.Alt || w.asCharacters(e) != "" {
		return w.concatenation(e)
	}
	list := make([]string, len(e.Sub))
	for i, s := range e.Sub {
		list[i] = w.concatenation(s)
		if s.Op == expr.Alt && w.asCharacters(s) == "" {
			list[i] = w.alternatives(s)
		}
	}
	return strings.Join(list, " / ")
}

// concatenation returns the text of e for where a sequence can stand: alternatives are put in parentheses. Neighbors
// that are letters in either case, or literals without letters, are written as one quoted string. If ABNF has no text
// for a part of e, the error is in w.err.
func (w *writerABNF) concatenation(e *expr.Expr) string {
	if e.Op != expr.Seq || w.asCharacters(e) != "" {
		return w.element(e)
	}
	var list []string
	for i := 0; i < len(e.Sub); {
		n, quoted := 0, ""
		for i+n < len(e.Sub) {
			text, ok := foldedText(e.Sub[i+n])
			if !ok {
				break
			}
			quoted += text
			n++
		}
		if n == 0 {
			list = append(list, w.element(e.Sub[i]))
			i++
			continue
		}
		list = append(list, `"`+quoted+`"`)
		i += n
	}
	return strings.Join(list, " ")
}

// foldedText returns the text of a literal of ASCII that has no letter and can stand in quotation marks or, for a
// class of one letter in both cases, that letter in lower case. ok is false for anything else, and for an expression
// of characters with a name ([expr.Expr.Chars]); text means nothing then.
func foldedText(e *expr.Expr) (text string, ok bool) {
	switch {
	case e.Chars != "":
	case e.Op == expr.Literal:
		text = e.Lit
		ok = !strings.ContainsFunc(text, func(r rune) bool {
			return r >= utf8.RuneSelf || isLetter(byte(r)) ||
				!isQuotable(byte(r))
		})
	case e.Op == expr.Class && e.Set.Len() == 2:
		lower := e.Set.Members()[1]
		if 'a' <= lower && lower <= 'z' && e.Set.Has(lower-'a'+'A') {
			return string(rune(lower)), true
		}
	}
	return text, ok
}

// valueText matches the text of one value or range of ABNF.
var valueText = regexp.MustCompile(`^%[xX][0-9A-Fa-f]+(-[0-9A-Fa-f]+)?$`)

// asCharacters returns the value that e's characters are printed as; "" if e must be written as octets, or holds no
// characters.
func (w *writerABNF) asCharacters(e *expr.Expr) string {
	if w.codePoints && valueText.MatchString(e.Chars) {
		return e.Chars
	}
	return ""
}

// element writes e where an element with its count can stand; what is longer is put in parentheses. What ABNF has no
// text for is an error, in w.err.
func (w *writerABNF) element(e *expr.Expr) string {
	if text := w.asCharacters(e); text != "" {
		return text
	}
	switch e.Op {
	case expr.Empty:
		return `""`
	case expr.Class:
		return w.class(e)
	case expr.Literal:
		return w.literal(e.Lit)
	case expr.Ref:
		return w.name(e.Name)
	case expr.Seq, expr.Alt:
		return "(" + w.alternatives(e) + ")"
	case expr.Repeat:
		return w.repetition(e)
	}
	return w.fail("ABNF has no %s", e.Op)
}

// repetition returns the text of e, an [expr.Repeat], with its count, or in brackets if it is optional. A repetition
// in it that has a count gets parentheses. If ABNF has no text for a part of e, the error is in w.err.
func (w *writerABNF) repetition(e *expr.Expr) string {
	body := e.Sub[0]
	if e.Min == 0 && e.Max == 1 {
		return "[" + w.alternatives(body) + "]"
	}
	text := w.element(body)
	if body.Op == expr.Repeat && text[0] != '[' { // two counts in a row need parentheses
		text = "(" + text + ")"
	}
	switch {
	case e.Max == expr.Unbounded && e.Min == 0:
		return "*" + text
	case e.Max == expr.Unbounded:
		return fmt.Sprintf("%d*%s", e.Min, text)
	case e.Min == e.Max:
		return fmt.Sprintf("%d%s", e.Min, text)
	}
	return fmt.Sprintf("%d*%d%s", e.Min, e.Max, text)
}

// class writes e, an [expr.Class], as values of octets, or a letter in either case as quoted text. A class without
// octets, or among code points with one above 127, is an error, in w.err.
func (w *writerABNF) class(e *expr.Expr) string {
	if text, ok := foldedText(e); ok {
		return `"` + text + `"`
	}
	var list []string
	for _, r := range e.Set.Ranges() {
		if w.codePoints && r[1] >= utf8.RuneSelf {
			return w.fail("among code points there is no octet %%x%X", r[1])
		}
		if r[0] == r[1] {
			list = append(list, fmt.Sprintf("%%x%X", r[0]))
		} else {
			list = append(list, fmt.Sprintf("%%x%X-%X", r[0], r[1]))
		}
	}
	switch len(list) {
	case 0:
		return w.fail("ABNF has no class without octets")
	case 1:
		return list[0]
	}
	return "(" + strings.Join(list, " / ") + ")"
}

// literal writes octets, exactly: as a quoted string if they are printable and no quotation mark is among them, with %s
// before it if there are letters, and otherwise as values, %x41.42. Among code points these are the characters, and
// octets that are not UTF-8 are an error, in w.err.
func (w *writerABNF) literal(s string) string {
	letters, quotable := false, true
	for i := range len(s) {
		letters = letters || isLetter(s[i])
		quotable = quotable && isQuotable(s[i])
	}
	switch {
	case quotable && letters:
		return `%s"` + s + `"`
	case quotable:
		return `"` + s + `"`
	}
	var values []string
	if w.codePoints {
		if !utf8.ValidString(s) {
			return w.fail("among code points there are no octets %s", quoting.Quote(s))
		}
		for _, r := range s {
			values = append(values, fmt.Sprintf("%X", r))
		}
	} else {
		for i := range len(s) {
			values = append(values, fmt.Sprintf("%X", s[i]))
		}
	}
	return "%x" + strings.Join(values, ".")
}

// SameMeaning reports whether two expressions differ at most in the way that characters are
// written, and in groups that change nothing. key maps the names in a to those in b.
func SameMeaning(a, b *expr.Expr, key func(name string) string) bool {
	return plain(a, key).String() == plain(b, func(name string) string { return name }).String()
}

// plain returns e with each terminal as a sequence of classes of octets, without [expr.Expr.Chars], with neighboring
// classes of alternatives in one, and with names as key maps them. e is not changed.
func plain(e *expr.Expr, key func(name string) string) *expr.Expr {
	switch e.Op {
	case expr.Literal:
		var seq []*expr.Expr
		for i := range len(e.Lit) {
			seq = append(seq, expr.In(expr.Bytes(e.Lit[i:i+1])))
		}
		return expr.Cat(seq...)
	case expr.Class:
		return expr.In(e.Set)
	case expr.Ref:
		return expr.To(key(e.Name))
	case expr.Empty:
		return expr.Cat()
	}
	var sub []*expr.Expr
	for _, s := range e.Sub {
		sub = append(sub, plain(s, key))
	}
	switch e.Op {
	case expr.Seq:
		return expr.Cat(sub...)
	case expr.Alt:
		return expr.Or(joinClasses(expr.Or(sub...).Sub)...)
	}
	p := *e // a repetition
	p.Sub, p.Chars = sub, ""
	return &p
}

// joinClasses returns alternatives with each run of classes as one class.
func joinClasses(alts []*expr.Expr) []*expr.Expr {
	var out []*expr.Expr
	for _, e := range alts {
		last := len(out) - 1
		if e.Op == expr.Class && last >= 0 && out[last].Op == expr.Class {
			out[last] = expr.In(out[last].Set.Union(e.Set))
			continue
		}
		out = append(out, e)
	}
	return slices.Clip(out)
}

// IsWhite reports whether r is the white space of lists, which is supplied to a document with lists
// and whose name means nothing in one without.
func IsWhite(r *expr.Rule) bool { return IsCore(r) && !IsCoreName(r.Name) }

// SourceTitle returns the title of the standard that a production was taken from, such as
// "RFC 3986"; "" if it was taken from none.
func SourceTitle(r *expr.Rule) string {
	s := standardWith(func(s *standard) bool { return s.grammar.File == r.Pos.File })
	if s == nil || IsCore(r) {
		return ""
	}
	return s.grammar.Title
}
