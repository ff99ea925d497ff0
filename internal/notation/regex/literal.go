package regex

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// People paste an expression as it stands in a program: /a/i, r"a\d", `a`, #a#u. This file finds the
// expression in such a literal, as the lexer of that language does. It maps each byte of it back to the text,
// so that messages and places are about the text that was typed.
//
// A text that has the shape of a literal of its language is read as one. If the same text is as likely to be
// an expression itself, as (ab) is for PHP, neither reading is taken, unless the other is an error or matches
// nothing.

// A literal is an expression as the source text of a program holds it.
type literal struct {
	kind     string // its name in messages
	pattern  string // the expression without delimiters, its escapes resolved as the language does
	places   []int  // where each byte of pattern begins in the text; one more for the end
	added    []byte // what add has added to pattern, until close
	flags    string // after the closing delimiter
	flagsAt  int
	octets   bool // Python's b"...": the symbols of pattern are bytes
	verbatim bool // Perl's m'...': the language replaces no variables in it

	doubtful bool // the whole text may be meant as the expression
	altered  bool // a string of the language would not hold the pattern: it changes what stands between these quotes
	plain    bool // the delimiters are quotes, without a prefix that tells a literal
}

// add appends a byte of the pattern, which the text has at an offset. The pattern has it once close is called.
func (l *literal) add(c byte, at int) {
	l.added = append(l.added, c)
	l.places = append(l.places, at)
}

// close sets the pattern to the bytes that were added. at is the offset of its end in the text.
func (l *literal) close(at int) {
	l.pattern, l.added = string(l.added), nil
	l.places = append(l.places, at)
}

// addText appends the text that an escape at an offset stands for.
func (l *literal) addText(s string, at int) {
	for i := range len(s) {
		l.add(s[i], at)
	}
}

// bare returns the literal of a text without delimiters: all of it is the expression.
func bare(text string) *literal {
	return raw(text, 0, len(text))
}

// raw returns the literal whose pattern is text[from:to], as it is.
func raw(text string, from, to int) *literal {
	l := &literal{pattern: text[from:to]}
	for i := from; i <= to; i++ {
		l.places = append(l.places, i)
	}
	return l
}

// A scanner looks for a literal in the text of r.
type scanner struct {
	regex *Regex
	text  string // up to the last character that is no white space
	from  int    // offset of the first character that is no white space; there is one

	again bool // the text is a proposal of a message, so no more proposals are made
}

// literal returns the literal of the flavor's language that the text is, nil if it does not have the shape of one. It
// panics with an error if the text can only be a literal and is a wrong one.
func (s *scanner) literal() *literal {
	return s.regex.dialect.literal(s)
}

// Read reads an operand: an expression, or a literal of the flavor's language that holds one. If both can be meant, it
// fails with an error that has both spellings. A reading that matches nothing under m is not meant.
func Read(flavor, file, text string, b *budget.Budget, m Match) (r *Regex, err error) {
	return ReadAs(nil, flavor, file, text, b, m)
}

// ReadAs is [Read] for an engine with the tables of a version of Unicode; nil stands for the version that the
// flavor's engine has. It fails for an unknown flavor, for an expression that is wrong or not read here, and for a text
// that may be meant in two ways. Plain quotes always delimit a literal: where the whole text could be meant as well,
// Assumes says so.
func ReadAs(u *runes.Unicode, flavor, file, text string, b *budget.Budget, m Match) (r *Regex, err error) {
	defer budget.Catch(&err)
	made, err := unread(u, flavor, file, text)
	if err != nil {
		return nil, err
	}
	defer expr.Catch(&err)
	lit := made.literal()
	if lit == nil {
		made.parse(bare(text))
		return made, nil
	}
	// Plain quotes always delimit a literal. Of any other doubtful text both readings are tried: made reads the
	// literal, other the whole text. One that is an error is not meant, and neither is the whole text if it matches
	// nothing. A literal that is only refused here may be.
	other := *made
	if !lit.doubtful && !lit.plain {
		made.parse(lit)
		return made, nil
	}
	litErr, wholeErr := made.tryParse(lit), other.tryParse(bare(text))
	if lit.plain {
		if litErr != nil {
			return nil, litErr
		}
		if wholeErr != nil {
			return made, nil
		}
		if all := budget.Must(other.DFA(b, m)); !all.IsEmpty() && !all.Equal(budget.Must(made.DFA(b, m))) {
			made.Assumes = append(made.Assumes,
				fmt.Sprintf("%s: the quotes are those of %s, whose expression is %s; the text with its quotes is %s",
					flavor, lit.kind, shown(lit.pattern), made.spelledWhole()))
		}
		return made, nil
	}
	refused := false // lit is refused only here; the engine may read it
	if e, ok := errors.AsType[*expr.Error](litErr); ok {
		refused = e.Refused
	}
	switch {
	case wholeErr != nil && litErr != nil:
		return nil, wholeErr
	case litErr != nil && !refused:
		return &other, nil
	case litErr == nil && !lit.altered && (wholeErr != nil || budget.Must(other.DFA(b, m)).IsEmpty()):
		return made, nil
	}
	return nil, expr.Errorf(made.pos(0),
		"this can be read in two ways: write %s for the expression inside of %s, and %s for all of the text",
		made.spelled(made.dialect.delimit(lit)), lit.kind, made.spelledWhole())
}

// tryParse parses l like parse, and returns the error instead of panicking with it.
func (r *Regex) tryParse(l *literal) (err error) {
	defer expr.Catch(&err)
	r.parse(l)
	return nil
}

// literal returns the literal, or the call with one, that the text is. It is nil if the text is blank or does not have
// the shape of one, and panics like [scanner.literal], [scanner.call] and [scanner.refuseStatement].
func (r *Regex) literal() *literal {
	s := &scanner{regex: r, text: strings.TrimRightFunc(r.Text, unicode.IsSpace)}
	s.from = len(s.text) - len(strings.TrimLeftFunc(s.text, unicode.IsSpace))
	if s.from == len(s.text) {
		return nil
	}
	if l := s.call(); l != nil {
		return l
	}
	l := s.literal()
	if l == nil {
		s.refuseStatement()
	}
	return l
}

// refuseStatement panics with an error if the text, which is no literal, is one without an assignment before it and
// semicolons after it. The error proposes how to spell both. What may well be meant as an expression passes: an
// assignment of plain quotes, as in charset="utf-8", and brackets or quotes that are doubtful by themselves. So does
// any text of a proposal.
func (s *scanner) refuseStatement() {
	text := s.text[s.from:]
	value := text
	if end := assignment.FindStringIndex(text); end != nil {
		value = text[end[1]:]
	}
	isAssigned := value != text
	value = strings.TrimRight(value, "; \t\r\n")
	if value == "" || value == text || s.again {
		return
	}
	l := s.regex.readLiteral(value)
	if l == nil || l.plain && isAssigned || l.doubtful && isPunctuation(value[0]) {
		return
	}
	if l.doubtful {
		value = s.regex.dialect.delimit(l)
	}
	panic(expr.Errorf(s.regex.pos(s.from),
		"this can be read in two ways: write %s for the expression inside of the statement, and %s for all of the text",
		s.regex.spelled(value), s.regex.spelledWhole()))
}

// fail panics with the error at an offset, and proposes how to spell the text itself as an expression.
func (s *scanner) fail(at int, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	panic(expr.Errorf(s.regex.pos(at), "%s; the text as it stands is %s", message, s.regex.spelledWhole()))
}

// refuse panics with the error for something that the language has and that is not read here.
func (s *scanner) refuse(at int, format string, args ...any) {
	panic(expr.Refusef(s.regex.pos(at), format, args...))
}

// unclosed panics with the error that a literal, called kind, has no end, which would be mark. It proposes how to
// spell the text itself as an expression and, if that can be read, the literal with the mark.
func (s *scanner) unclosed(kind, mark string) {
	closed := s.text[s.from:] + mark
	if s.again || !s.regex.isLiteral(closed) {
		s.fail(s.from, "%s is not closed by %s", kind, mark)
	}
	panic(expr.Errorf(s.regex.pos(s.from),
		"%s is not closed by %s: write %s for the expression inside of it, and %s for all of the text",
		kind, mark, s.regex.spelled(closed), s.regex.spelledWhole()))
}

// isLiteral reports whether another text is a literal of the flavor of r that can be read.
func (r *Regex) isLiteral(text string) bool { return r.readLiteral(text) != nil }

// readLiteral returns the literal of the flavor of r that another text is, or nil if it is none that can be read.
func (r *Regex) readLiteral(text string) (l *literal) {
	r = &Regex{Flavor: r.Flavor, Text: text, File: r.Flavor, Unicode: r.Unicode, dialect: r.dialect}
	err := func() (err error) {
		defer expr.Catch(&err)
		l = (&scanner{regex: r, text: text, again: true}).literal()
		return nil
	}()
	if err != nil || l == nil || r.tryParse(l) != nil {
		return nil
	}
	return l
}

// Group returns an expression of a flavor that is read. It matches what text matches, and cannot be taken for a
// literal.
func Group(flavor, text string) string { return dialectOf(flavor).group(text) }

// group is [Group] for a dialect.
func (d *dialect) group(text string) string {
	if d.groups == noWords { // there are capturing groups alone
		return "(" + text + ")"
	}
	return "(?:" + text + ")"
}

// spelled returns an expression as a person would type it: with the flavor before it as an operand of a command, or as
// the text of a file if it came from one.
func (r *Regex) spelled(text string) string {
	if r.File == r.Flavor {
		text = r.Flavor + ":" + text
	}
	return shown(text)
}

// spelledWhole returns an expression for all of the text of r, which a literal may be in, as [Regex.spelled] does.
func (r *Regex) spelledWhole() string { return r.spelled(r.dialect.group(r.Text)) }

// mostShown caps the bytes of an expression that messages show.
const mostShown = 200

// shown returns a text as messages show it: cut at mostShown, and printable.
func shown(text string) string {
	if len(text) > mostShown {
		text = strings.ToValidUTF8(text[:mostShown], "") + "..."
	}
	return layout.Printable(text)
}

// delimit returns l as a literal of the language that cannot be read in another way: between the first of d.delimiters
// that is not in the pattern, or else between slashes, with a \ before each in it. It is the pattern alone, without
// its flags, if the language has no literals.
func (d *dialect) delimit(l *literal) string {
	if d.delimiters == noLetters {
		return l.pattern
	}
	for _, mark := range d.delimiters {
		if !strings.ContainsRune(l.pattern, mark) {
			return string(mark) + l.pattern + string(mark) + l.flags
		}
	}
	var b strings.Builder
	for i := 0; i < len(l.pattern); i++ {
		if c := l.pattern[i]; c == '\\' && i+1 < len(l.pattern) {
			b.WriteByte(c)
			i++
		} else if c == '/' {
			b.WriteByte('\\')
		}
		b.WriteByte(l.pattern[i])
	}
	return "/" + b.String() + "/" + l.flags
}

// closing returns the offset, from an offset on, of the delimiter that closes a literal, or -1. A delimiter after a \
// does not count. If opens differs from closes, the two nest.
func (s *scanner) closing(from int, opens, closes byte) int {
	depth := 1
	for i := from; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\':
			i++
		case c == closes:
			if depth--; depth == 0 {
				return i
			}
		case c == opens:
			depth++
		}
	}
	return -1
}

// brackets are the delimiters that close with another character.
var brackets = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// isPunctuation reports whether c is an ASCII character that may delimit: no letter, digit, space or control.
func isPunctuation(c byte) bool { return c > ' ' && c < 0x7f && !isWordByte(c) || c == '_' }

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// isLetters reports whether a text is ASCII letters alone.
func isLetters(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// quotes returns the literal that a text in one of these quotation marks is, marked as doubtful; nil if it is none,
// or if white space or anything else stands around it. It serves languages whose expressions do not stand in strings,
// so that the quotes may be meant. Between the marks that are not in verbatim, strings of the language have escapes.
// There the literal is altered by a "\" before anything but itself and the mark, and by one of inserts: texts, with
// spaces between them, that put in the value of something.
func (s *scanner) quotes(marks, verbatim, inserts string) *literal {
	if s.from > 0 || len(s.text) < len(s.regex.Text) {
		return nil
	}
	mark := s.text[0]
	end := s.closing(1, mark, mark)
	if !strings.ContainsRune(marks, rune(mark)) || end != len(s.text)-1 {
		return nil
	}
	l := &literal{kind: "the quotes", doubtful: true}
	var changed []string // what begins a text that the language changes between these marks
	if !strings.ContainsRune(verbatim, rune(mark)) {
		changed = append(strings.Fields(inserts), `\`)
	}
	for i := 1; i < end; i++ {
		begins := func(text string) bool { return strings.HasPrefix(s.text[i:], text) }
		switch next := s.text[i+1]; {
		case s.text[i] == '\\' && (next == '\\' || next == mark):
			i++
		case slices.ContainsFunc(changed, begins):
			l.altered = true
		}
		l.add(s.text[i], i)
	}
	l.close(end)
	return l
}

// flagged completes l, a literal of the form kind that closes at the offset end of the text: it sets its kind and the
// flags that follow. It returns l, and panics with an error for flags that are not letters.
func (s *scanner) flagged(kind string, end int, l *literal) *literal {
	l.kind, l.flagsAt = kind, end+1
	if l.flags = s.text[end+1:]; !isLetters(l.flags) {
		mark := s.text[end]
		if strings.IndexByte(l.flags, mark) >= 0 && brackets[s.text[s.from]] == 0 {
			s.fail(end, "a %c inside of %s needs a \\ before it", mark, kind)
		}
		s.fail(end+1, "`%s` is no flags of %s", shown(l.flags), kind)
	}
	return l
}

// quoted returns the offset of the mark that closes the string that the text begins with. It is -1 if the text goes on
// after that, so that it is no literal. A string without an end is an error, by a panic, and so are two strings.
func (s *scanner) quoted(mark string) int {
	end := s.closing(s.from+1, mark[0], mark[0])
	switch {
	case end < 0:
		s.unclosed(mark+"..."+mark, mark)
	case end < len(s.text)-1:
		if rest := strings.TrimLeftFunc(s.text[end+1:], unicode.IsSpace); len(rest) > 1 &&
			strings.ContainsAny(rest[:1], `"'+`) && strings.HasSuffix(rest, mark) {
			s.fail(end+1, "two strings, one behind the other, are not supported")
		}
		return -1
	}
	return end
}

// literalFlags sets the flags that stand after a literal. It fails for one that the flavor does not have, and stops
// the parser as dialect.flag does.
func (p *parser) literalFlags(l *literal) {
	for i, c := range l.flags {
		at := l.flagsAt + i
		if !p.d.flag(p, c, at) {
			p.fail(at, "there is no flag %c; the text as it stands is %s", c, p.spelledWhole())
		}
	}
}
