package regex

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// People paste an expression as it stands in a program: /a/i, r"a\d", `a`, #a#u. This file finds the expression in such a
// literal, as the lexer of that language does, and maps each byte of it back to the text, so that messages and places are
// those of what was typed.
//
// A text that has the shape of a literal of its language is read as one. Where the same text is as likely to be an
// expression itself, (ab) for PHP, neither reading is taken, unless one is an error or matches nothing.

// A literal is an expression as the source text of a program holds it.
type literal struct {
	kind    string // what the language calls it, for messages
	pattern string // what is left when delimiters are gone and escapes are resolved
	places  []int  // where each byte of pattern begins in the text; one more for the end
	flags   string // behind the closing delimiter
	flagsAt int
	octets  bool // Python's b"...": the symbols of pattern are bytes

	doubtful bool // the text may be meant as the expression itself
	plain    bool // the delimiters are quotes, without a prefix that tells a literal
}

// add appends a byte of the pattern, which the text has at an offset.
func (l *literal) add(c byte, at int) {
	l.pattern += string([]byte{c})
	l.places = append(l.places, at)
}

// addText appends what an escape at an offset stands for.
func (l *literal) addText(s string, at int) {
	for i := range len(s) {
		l.add(s[i], at)
	}
}

// bare is the literal of a text without delimiters.
func bare(text string) *literal {
	return raw(text, 0, len(text))
}

// raw is a literal whose pattern stands in the text as it is.
func raw(text string, from, to int) *literal {
	l := &literal{pattern: text[from:to]}
	for i := from; i <= to; i++ {
		l.places = append(l.places, i)
	}
	return l
}

// A scanner looks for a literal in the text of r.
type scanner struct {
	r    *Regex
	text string // up to the last character that is no white space
	from int    // of the first one

	again bool // the text is one that a message proposes
}

// literal finds the literal of the flavour's language in the text, nil if it does not have the shape of one. It stops with an
// error where the text can only be a literal and is a wrong one.
func (s *scanner) literal() *literal {
	switch s.r.Flavour {
	case "go":
		return s.goString()
	case "java":
		return s.javaString()
	case "js":
		return s.jsLiteral()
	case "pcre":
		return s.phpPattern()
	case "python":
		return s.pythonString()
	case "ruby":
		return s.rubyLiteral()
	}
	return s.quotes(`"'`)
}

// Read reads an operand: an expression, or a literal of the flavour's language that holds one. Where both can be meant, it is an
// error that has both spellings. A reading that matches nothing, under m, is not meant.
func Read(flavour, file, text string, b *budget.Budget, m Match) (r *Regex, err error) {
	return ReadAs(nil, flavour, file, text, b, m)
}

// ReadAs is [Read] for an engine with the tables of a version of Unicode; nil is the version that the flavour's engine has.
func ReadAs(u *runes.Unicode, flavour, file, text string, b *budget.Budget, m Match) (r *Regex, err error) {
	defer budget.Catch(&err)
	made, err := unread(u, flavour, file, text)
	if err != nil {
		return nil, err
	}
	defer expr.Catch(&err)
	lit := made.literal()
	if lit == nil {
		made.parse(bare(text))
		return made, nil
	}
	other := *made
	if !lit.doubtful && !lit.plain {
		made.parse(lit)
		return made, nil
	}
	wrong, whole := made.try(lit), other.try(bare(text))
	if lit.plain {
		if wrong != nil {
			return nil, wrong
		}
		if whole != nil {
			return made, nil
		}
		if all := budget.Must(other.DFA(b, m)); !all.IsEmpty() && !all.Equal(budget.Must(made.DFA(b, m))) {
			made.Assumes = append(made.Assumes, fmt.Sprintf("%s: the quotes are those of %s, whose expression is %s; the text with its quotes is %s",
				flavour, lit.kind, shown(lit.pattern), made.spelled(group(text))))
		}
		return made, nil
	}
	refused := false // the engine may take it
	if e, ok := errors.AsType[*expr.Error](wrong); ok {
		refused = e.Refused
	}
	switch {
	case whole != nil && wrong != nil:
		return nil, whole
	case wrong != nil && !refused:
		return &other, nil
	case wrong == nil && (whole != nil || budget.Must(other.DFA(b, m)).IsEmpty()):
		return made, nil
	}
	return nil, expr.Errorf(made.pos(0), "this can be read in two ways: write %s for the expression inside of %s, and %s for all of the text",
		made.spelled(delimited(flavour, lit)), lit.kind, made.spelled(group(text)))
}

// try is parse with an error.
func (r *Regex) try(l *literal) (err error) {
	defer expr.Catch(&err)
	r.parse(l)
	return nil
}

// literal returns the literal that the text is, nil if it does not have the shape of one.
func (r *Regex) literal() *literal {
	s := &scanner{r: r, text: strings.TrimRightFunc(r.Text, unicode.IsSpace)}
	s.from = len(s.text) - len(strings.TrimLeftFunc(s.text, unicode.IsSpace))
	if s.from == len(s.text) {
		return nil
	}
	return s.literal()
}

// fail stops with an error at an offset, and tells how the text itself is spelled as an expression.
func (s *scanner) fail(at int, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	panic(expr.Errorf(s.r.pos(at), "%s; the text as it stands is %s", message, s.r.spelled(group(s.r.Text))))
}

// refuse stops with an error at what the language has and is not read here.
func (s *scanner) refuse(at int, format string, args ...any) {
	panic(expr.Refusef(s.r.pos(at), format, args...))
}

// unclosed stops with the error that a literal has no end.
func (s *scanner) unclosed(kind, mark string) {
	closed := s.text[s.from:] + mark
	if s.again || !isLiteral(s.r.Flavour, closed) {
		s.fail(s.from, "%s is not closed by %s", kind, mark)
	}
	panic(expr.Errorf(s.r.pos(s.from), "%s is not closed by %s: write %s for the expression inside of it, and %s for all of the text",
		kind, mark, s.r.spelled(closed), s.r.spelled(group(s.r.Text))))
}

// isLiteral reports whether a text is a literal that can be read.
func isLiteral(flavour, text string) bool {
	r, err := unread(nil, flavour, flavour, text)
	if err != nil {
		return false
	}
	var l *literal
	err = func() (err error) {
		defer expr.Catch(&err)
		l = (&scanner{r: r, text: text, again: true}).literal()
		return nil
	}()
	return err == nil && l != nil && r.try(l) == nil
}

// group returns an expression that is the text, and no literal.
func group(text string) string { return "(?:" + text + ")" }

// spelled returns an expression as an operand; as the text of a file, if it came from one.
func (r *Regex) spelled(text string) string {
	if r.Flavour == "posix" {
		text = strings.Replace(text, "(?:", "(", 1)
	}
	if r.File == r.Flavour {
		text = r.Flavour + ":" + text
	}
	return shown(text)
}

// mostShown is how much of an expression messages show.
const mostShown = 200

func shown(text string) string {
	if len(text) > mostShown {
		text = strings.ToValidUTF8(text[:mostShown], "") + "..."
	}
	return layout.Printable(text)
}

// delimited returns the spelling of a literal that has one reading alone.
func delimited(flavour string, l *literal) string {
	marks := "/"
	switch flavour {
	case "posix":
		return l.pattern
	case "pcre":
		marks = phpDelimiters
	}
	for _, mark := range marks {
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

// closing returns where the text has a delimiter that no \ precedes, from an offset on. Delimiters nest where another
// character opens them. It is -1 if there is none.
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

// quotes finds a text in quotes in a language whose expressions do not stand in strings, so that the quotes may be meant.
func (s *scanner) quotes(marks string) *literal {
	if s.from > 0 || len(s.text) < len(s.r.Text) {
		return nil
	}
	mark := s.text[0]
	end := s.closing(1, mark, mark)
	if !strings.ContainsRune(marks, rune(mark)) || end != len(s.text)-1 {
		return nil
	}
	l := &literal{kind: "the quotes", doubtful: true}
	for i := 1; i < end; i++ {
		if next := s.text[i+1]; s.text[i] == '\\' && (next == '\\' || next == mark) {
			i++
		}
		l.add(s.text[i], i)
	}
	l.places = append(l.places, end)
	return l
}

// jsLiteral finds /.../flags. ECMAScript 2024, section 12.9.5: a / in a class does not close it.
func (s *scanner) jsLiteral() *literal {
	text := s.text
	if text[s.from] != '/' {
		return s.quotes("\"'`")
	}
	class := false
	for i := s.from + 1; i < len(text); i++ {
		switch c, n := utf8.DecodeRuneInString(text[i:]); {
		case c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029':
			s.fail(i, "a newline inside of /.../")
		case c == '\\' && i+1 < len(text) && !strings.HasPrefix(text[i+1:], "\n") && !strings.HasPrefix(text[i+1:], "\r"):
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class && i == s.from+1:
			s.fail(s.from, "// begins a comment")
		case c == '*' && i == s.from+1:
			s.fail(s.from, "/* begins a comment")
		case c == '/' && !class:
			return s.flagged("/.../", i, raw(text, s.from+1, i))
		default:
			i += n - 1
		}
	}
	s.unclosed("/.../", "/")
	return nil
}

// flagged returns a literal that closes at an offset of the text, with the flags behind it.
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

// phpDelimiters are those that begin hardly any expression, but those of PHP's functions.
const phpDelimiters = "/~#"

// phpPattern finds what PHP's functions take: a delimiter, the expression, the delimiter again or the bracket that closes it, and
// flags. A \ before the delimiter stays, and a class does not hide one.
func (s *scanner) phpPattern() *literal {
	mark := s.text[s.from]
	if !isPunctuation(mark) || mark == '\\' {
		return nil
	}
	closes := mark
	if other := brackets[mark]; other != 0 {
		closes = other
	}
	end := s.closing(s.from+1, mark, closes)
	kind := string(mark) + "..." + string(closes)
	certain := strings.IndexByte(phpDelimiters, mark) >= 0
	switch {
	case end < 0 && mark == '/':
		s.unclosed(kind, string(closes))
	case end < 0:
		return nil
	case mark == '/':
	case !isLetters(s.text[end+1:]) && certain && isLetters(s.text[strings.LastIndexByte(s.text, mark)+1:]):
		// It closes by the same character again: one in between needs a \, as flagged says.
	case !isLetters(s.text[end+1:]):
		return nil
	case !certain && strings.Trim(s.text[end+1:], phpFlags) != "":
		return nil
	}
	l := s.flagged(kind, end, raw(s.text, s.from+1, end))
	l.doubtful = !certain
	return l
}

// rubyLiteral finds /.../flags and %r{...}flags.
func (s *scanner) rubyLiteral() *literal {
	text, from := s.text, s.from
	kind, mark := "/.../", text[from]
	if rest := text[from:]; len(rest) > 2 && rest[:2] == "%r" && isPunctuation(rest[2]) {
		from += 2
		mark = text[from]
	} else if mark != '/' {
		return s.quotes(`"'`)
	}
	closes := mark
	if other := brackets[mark]; other != 0 {
		closes = other
	}
	if from > s.from {
		kind = "%r" + string(mark) + "..." + string(closes)
	}
	end := s.closing(from+1, mark, closes)
	if end < 0 {
		s.unclosed(kind, string(closes))
	}
	l := &literal{}
	for i := from + 1; i < end; i++ {
		c, next := text[i], byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case c == '\\' && next == '\n': // the line goes on
			i++
			continue
		case c == '\\' && next == closes && !strings.ContainsRune("$*+.?^|)]}>", rune(next)): // the lexer keeps the \ before these
			i++
		case c == '\\':
			l.add(c, i)
			i++
		case c == '#' && interpolates(text[i+1:]):
			s.refuse(i, "what #%c inserts is not known", next)
		}
		l.add(text[i], i)
	}
	l.places = append(l.places, end)
	return s.flagged(kind, end, l)
}

// interpolates reports whether what stands behind a # makes Ruby insert a value: #{...}, #@a, #@@a, #$a or #$1.
func interpolates(behind string) bool {
	if behind == "" {
		return false
	}
	rest := behind[1:]
	switch behind[0] {
	case '{':
		return true
	case '@':
		rest = strings.TrimPrefix(rest, "@")
		return rest != "" && (isWordByte(rest[0]) || rest[0] >= utf8.RuneSelf)
	case '$':
		return rest != "" && (isWordByte(rest[0]) || rest[0] >= utf8.RuneSelf || strings.IndexByte("-~*$?!@/\\;,.=:<>\"&`'+", rest[0]) >= 0)
	}
	return false
}

// goString finds `...` and "...". The Go Programming Language Specification, String literals.
func (s *scanner) goString() *literal {
	text, from := s.text, s.from
	switch text[from] {
	case '`':
		end := strings.IndexByte(text[from+1:], '`')
		if end < 0 {
			s.unclosed("`...`", "`")
		}
		if end += from + 1; end < len(text)-1 {
			s.fail(end+1, "there is more behind `...`")
		}
		l := &literal{kind: "Go's raw string"}
		for i := from + 1; i < end; i++ {
			if text[i] != '\r' { // discarded
				l.add(text[i], i)
			}
		}
		l.places = append(l.places, end)
		return l
	case '"':
		end := s.quoted(`"`)
		if end < 0 {
			return nil
		}
		l := &literal{kind: "Go's string", plain: true}
		for i := from + 1; i < end; {
			if text[i] == '\n' {
				s.fail(i, "a newline inside of \"...\"")
			}
			c, multibyte, rest, err := strconv.UnquoteChar(text[i:end], '"')
			if err != nil {
				s.fail(i, "no escape of Go's strings")
			}
			if multibyte {
				l.addText(string(c), i)
			} else {
				l.add(byte(c), i)
			}
			i = end - len(rest)
		}
		l.places = append(l.places, end)
		return l
	}
	return nil
}

// quoted returns where the string ends that the text begins with, -1 if the text goes on behind it, so that it is no literal.
func (s *scanner) quoted(mark string) int {
	end := s.closing(s.from+1, mark[0], mark[0])
	switch {
	case end < 0:
		s.unclosed(mark+"..."+mark, mark)
	case end < len(s.text)-1:
		if rest := strings.TrimLeftFunc(s.text[end+1:], unicode.IsSpace); len(rest) > 1 && strings.ContainsAny(rest[:1], `"'+`) && strings.HasSuffix(rest, mark) {
			s.fail(end+1, "two strings, one behind the other, are not supported")
		}
		return -1
	}
	return end
}

// javaString finds "...". The Java Language Specification 17, sections 3.3 and 3.10.7.
func (s *scanner) javaString() *literal {
	if s.text[s.from] != '"' {
		return nil
	}
	if strings.HasPrefix(s.text[s.from:], `"""`) {
		s.refuse(s.from, "a text block is not supported")
	}
	end := s.quoted(`"`)
	if end < 0 {
		return nil
	}
	units := s.javaUnits(s.from+1, end)
	l := &literal{kind: "Java's string", plain: true}
	for i := 0; i < len(units); i++ {
		c, at := units[i].r, units[i].at
		switch {
		case c == '"' || c == '\n' || c == '\r':
			s.fail(at, "%q inside of \"...\"", c)
		case c != '\\':
			l.addText(string(c), at)
			continue
		}
		i++
		var next rune
		if i < len(units) {
			next = units[i].r
		}
		if plain := strings.IndexRune(`btnfrs"'\`, next); next != 0 && plain >= 0 {
			l.add("\b\t\n\f\r \"'\\"[plain], at)
			continue
		}
		most := 2
		if next >= '0' && next <= '3' {
			most = 3
		}
		value, n := rune(0), 0
		for ; n < most && i+n < len(units) && digit(units[i+n].r) < 8; n++ {
			value = 8*value + digit(units[i+n].r)
		}
		if n == 0 {
			s.fail(at, "no escape of Java's strings")
		}
		l.addText(string(value), at)
		i += n - 1
	}
	l.places = append(l.places, end)
	return l
}

// A unit is a character of a source text, and where it stands.
type unit struct {
	r  rune
	at int
}

// javaUnits returns the characters of a part of the text, in which \u0041 is the letter A unless a \ stands before it that is none
// itself. This comes before all else that Java's lexer does.
func (s *scanner) javaUnits(from, to int) (list []unit) {
	high := rune(0) // half of a pair
	add := func(r rune, at int) {
		pair := 0x10000 + (high-0xd800)<<10 + (r - 0xdc00)
		switch low := r >= 0xdc00 && r < 0xe000; {
		case high != 0 && low:
			list[len(list)-1].r, high = pair, 0
			return
		case high != 0 || low:
			s.refuse(at, "half of a surrogate pair is not supported")
		}
		if r >= 0xd800 && r < 0xdc00 {
			high = r
		}
		list = append(list, unit{r, at})
	}
	for i := from; i < to; {
		c, n := utf8.DecodeRuneInString(s.text[i:to])
		at := i
		i += n
		if c != '\\' {
			add(c, at)
			continue
		}
		hex := strings.TrimLeft(s.text[i:to], "u")
		switch {
		case len(hex) < to-i:
			if len(hex) < 4 {
				s.fail(at, "no escape of Java's strings")
			}
			v, err := strconv.ParseUint(hex[:4], 16, 32)
			if err != nil {
				s.fail(at, "no escape of Java's strings")
			}
			if v == '\\' { // whether it begins an escape is for a reader of the specification
				s.refuse(at, "\\u005c is not supported")
			}
			add(rune(v), at)
			i = to - len(hex) + 4
		case i < to:
			add(c, at)
			c, n := utf8.DecodeRuneInString(s.text[i:to])
			add(c, i)
			i += n
		}
	}
	if high != 0 {
		s.refuse(to, "half of a surrogate pair is not supported")
	}
	return list
}

// pythonString finds a string, with a prefix or without. The Python Language Reference 3.11, section 2.4.1.
func (s *scanner) pythonString() *literal {
	text := s.text
	at := s.from
	for at < len(text) && at < s.from+3 && strings.IndexByte("rRbBuUfF", text[at]) >= 0 {
		at++
	}
	prefix := strings.ToLower(text[s.from:at])
	if at == len(text) || text[at] != '"' && text[at] != '\'' || !slices.Contains([]string{"", "r", "b", "br", "rb", "u", "f", "fr", "rf"}, prefix) {
		return nil
	}
	mark := text[at : at+1]
	if triple := strings.Repeat(mark, 3); strings.HasPrefix(text[at:], triple) {
		mark = triple
	}
	from := at + len(mark)
	end := -1
	for i := from; i < len(text) && end < 0; i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], mark):
			end = i
		}
	}
	kind := prefix + mark + "..." + mark
	behind := ""
	if end >= 0 {
		behind = text[end+len(mark):]
	}
	next := strings.TrimLeft(behind, " \t\r\n\\rRbBuUfF")
	switch {
	case end < 0:
		s.unclosed(kind, mark)
	case behind != "" && next != "" && (next[0] == '"' || next[0] == '\'') && len(next) > 1 && next[len(next)-1] == next[0]:
		s.fail(end+len(mark), "two strings, one behind the other, are not supported")
	case behind != "" && prefix == "" && len(mark) == 1:
		return nil // the quotes are part of an expression
	case behind != "":
		s.fail(end+len(mark), "there is more behind %s", kind)
	case strings.Contains(prefix, "f"):
		s.refuse(s.from, "a string that is formatted is not supported")
	}
	l := &literal{kind: "Python's string", octets: strings.Contains(prefix, "b"), plain: prefix == "" && len(mark) == 1}
	for i := from; i < end; {
		c := text[i]
		switch {
		case len(mark) == 1 && (c == '\n' || c == '\r'):
			s.fail(i, "a newline inside of %s", kind)
		case l.octets && c >= utf8.RuneSelf:
			s.fail(i, "b%s...%s holds ASCII characters alone", mark, mark)
		case c == '\r': // a line ends with one LF
			l.add('\n', i)
			if i++; i < end && text[i] == '\n' {
				i++
			}
		case c != '\\':
			l.add(c, i)
			i++
		case strings.Contains(prefix, "r"):
			l.add(c, i)
			if i++; text[i] != '\r' {
				l.add(text[i], i)
				i++
			}
		default:
			i = s.pythonEscape(l, i, end)
		}
	}
	l.places = append(l.places, end)
	return l
}

// pythonEscape appends what an escape stands for, and returns where the text goes on.
func (s *scanner) pythonEscape(l *literal, at, end int) int {
	text := s.text[:end]
	next := text[at+1]
	number := func(from, n, base int) rune {
		if from+n > end {
			s.fail(at, "no escape of Python's strings")
		}
		v, err := strconv.ParseUint(text[from:from+n], base, 32)
		if err != nil || v > unicode.MaxRune {
			s.fail(at, "no escape of Python's strings")
		}
		return rune(v)
	}
	put := func(c rune) {
		switch {
		case l.octets:
			l.add(byte(c), at)
		case c >= 0xd800 && c < 0xe000:
			s.refuse(at, "half of a surrogate pair is not supported")
		default:
			l.addText(string(c), at)
		}
	}
	if plain := strings.IndexByte("\\'\"abfnrtv", next); plain >= 0 {
		l.add("\\'\"\a\b\f\n\r\t\v"[plain], at)
		return at + 2
	}
	switch {
	case next == '\n': // the line goes on
		return at + 2
	case next == '\r':
		if at+2 < end && text[at+2] == '\n' {
			return at + 3
		}
		return at + 2
	case next == 'x':
		put(number(at+2, 2, 16))
		return at + 4
	case next >= '0' && next <= '7':
		n := 1
		for n < 3 && at+1+n < end && text[at+1+n] >= '0' && text[at+1+n] <= '7' {
			n++
		}
		v := number(at+1, n, 8)
		if v > 0xff {
			s.refuse(at, "an octal number above 377")
		}
		put(v)
		return at + 1 + n
	case next == 'N' && !l.octets:
		s.refuse(at, "\\N{...} is not supported")
	case next == 'u' && !l.octets:
		put(number(at+2, 4, 16))
		return at + 6
	case next == 'U' && !l.octets:
		put(number(at+2, 8, 16))
		return at + 10
	}
	l.add('\\', at) // which stays before all else
	return at + 1
}

// phpFlags are those of PHP 8.2: pattern modifiers. e is none since PHP 7.3.
const phpFlags = "imsxADSUXJun"

// literalFlags sets the flags behind a literal.
func (p *parser) literalFlags(l *literal) {
	for i, c := range l.flags {
		at := l.flagsAt + i
		known := true
		switch p.Flavour {
		case "js":
			if strings.ContainsRune(l.flags[:i], c) {
				p.fail(at, "the flag %c is there twice", c)
			}
			known = p.jsFlag(c, at)
		case "pcre":
			known = p.phpFlag(c, at)
		case "ruby":
			known = p.rubyFlag(c, at)
		}
		if !known {
			p.fail(at, "there is no flag %c; the text as it stands is %s", c, p.spelled(group(p.Text)))
		}
	}
	if p.sets && strings.ContainsRune(l.flags, 'u') {
		p.fail(l.flagsAt, "there are both of the flags u and v")
	}
}

// jsFlag sets a flag of ECMAScript.
func (p *parser) jsFlag(c rune, at int) bool {
	switch c {
	case 'i', 'm', 's':
		p.flag(&p.flags, c, true, at)
	case 'u':
		p.unicode = true
	case 'y':
		p.sticky = true
	case 'v':
		p.unicode, p.sets = true, true
	case 'g', 'd': // where the next search begins, and what a match says of its groups
	default:
		return false
	}
	return true
}

// phpFlag sets a modifier of PHP.
func (p *parser) phpFlag(c rune, at int) bool {
	switch c {
	case 'i', 'm', 's', 'U', 'n':
		p.flag(&p.flags, c, true, at)
	case 'x': // twice is as once
		p.extended = true
	case 'A':
		p.sticky = true
	case 'D':
		p.atEnd = true
	case 'u':
		p.utf8()
		p.unicode = true // \w and the like, too
	case 'S', 'J', 'X': // speed; names that are there twice; what is no escape is an error here at any rate
	default:
		return false
	}
	return true
}

// rubyFlag sets a flag of Ruby.
func (p *parser) rubyFlag(c rune, at int) bool {
	switch c {
	case 'i', 'm', 'x':
		p.flag(&p.flags, c, true, at)
	case 'o', 'u': // what is inserted is computed once; strings are UTF-8 at any rate
	case 'n', 'e', 's':
		p.refuse(at, "the flag %c, for another encoding, is not supported", c)
	default:
		return false
	}
	return true
}

// utf8 has an expression of PCRE2 read over characters.
func (p *parser) utf8() {
	p.last = lastPoint
	d := *p.dialect
	d.fold, d.strings = runes.FoldSimple, "strings are UTF-8"
	p.d, p.dialect = &d, &d
}

// octets has an expression of Python read over bytes.
func (p *parser) octets() {
	p.last, p.unicode = lastByte, false
	d := *p.dialect
	d.strings, d.flags = "strings are bytes", "aimsx"
	p.d, p.dialect = &d, &d
}
