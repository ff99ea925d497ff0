package bnf

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// ISO is the notation of ISO/IEC 14977, also called Extended BNF:
//
//	syntax-rule = name "=" definitions ";"
//	definitions = definition *( ( "|" / "/" / "!" ) definition )
//	definition  = term *( "," term )
//	term        = factor [ "-" factor ]                          ; what the first derives and the second does not
//	factor      = [ integer "*" ] primary
//	primary     = "[" definitions "]" / "{" definitions "}"      ; an option, and any number
//	            / "(" definitions ")" / name / literal / "?" special "?" / ""
//	literal     = %x22 1*character %x22 / "'" 1*character "'"    ; exactly as written, without escapes
//
// "(/ /)" and "(: :)" are other spellings of "[ ]" and "{ }", "." of ";", and "(*" begins a comment. "{ x }-" is one
// x or more. Names may have spaces in them, since commas stand between terms.
//
// It is read as people write it, too, as Wirth did and the Go specification does: without commas, without ";" where
// the next line defines a name, with ":", "::=", ":=", an arrow or "<-" for "=", with "*", "+" and "?" after an
// element, with "a" .. "z" for a range, with #x41 for a character, with a class such as [A-Za-z_] where that can be
// no option, with curly quotes, with names in angle brackets, and with comments that begin with "//", "#" or "--"
// and those of C. A special sequence that names characters, ? U+0041 ?, is those; any other is prose. In a document
// that defines with "<-" no "/" is read: there it is the ordered choice of a PEG.
//
// A "|" that begins the line after a defining sign is layout, unless the document has commas: ISO 14977 has an
// empty definition before it, and so has "a = | b" on one line. "ε" and "λ" are the empty sequence where nothing
// defines them.
const ISO = "iso-ebnf"

func init() {
	notations[ISO] = notation{
		production: readProductionISO, right: readRightISO, split: splitISO, codePoints: true, inDocuments: true,
	}
	marksOf[ISO] = []string{"iso-ebnf", "iso14977", "isoebnf", "ebnf-iso"}
}

var (
	classISO  = pattern(`^\[(?:\^((?:\\.|[^\]\\\n])+)|((?:\\.|[^\]\\\s,|"'])+))\]`)
	rangeISO  = pattern(`^\[\^|[^\\]-[^\]]|^\[[0-9]+\]$`)
	primedISO = pattern(`(?m)^[ \t]*[A-Za-z_][0-9A-Za-z_-]*'+[ \t]*(?:::=|:=|=|:|->|→)`)
	hexAt     = pattern(`^#x[0-9A-Fa-f]+`)
	specialAt = pattern(`^(?i:U\+|0x|#x|%x|\\u|\\x)\{?([0-9A-F]+|[0-9a-f]+)\}?$`)
)

// A kindISO is a kind of token. A sign of one character stands for itself, and so do the brackets of two characters for
// those of one.
type kindISO byte

const (
	endISO     kindISO = 0
	wordISO    kindISO = 'w'
	integerISO kindISO = '9'
	stringISO  kindISO = '"'
	specialISO kindISO = 's' // ? ... ?
	classesISO kindISO = 'c' // [a-z]
	rangesISO  kindISO = 'r' // ..
	definesISO kindISO = '='
	angleISO   kindISO = '<' // <a name>
	hexISO     kindISO = 'x' // #x41
	badISO     kindISO = 'b' // what begins no token
)

// A tokenISO is a token, from offset at to end of the text.
type tokenISO struct {
	kind    kindISO
	at, end int
}

// A lexerISO takes a text apart into tokens. What begins a token can depend on the token before it.
type lexerISO struct {
	text string
	at   int
	last kindISO // of the token before

	comment string // the last one in brackets that skip went past since the token before

	primes bool // names end in ' as in expr', which begins no literal after a name

	classEnds markFinder // of "]"
}

// skip goes past blanks, comments in brackets, (* *) or /* */, and those that end with their line; ok is false before
// one that is not closed. It sets l.comment to the last comment in brackets that it went past, "" if there was none.
func (l *lexerISO) skip() (ok bool) {
	l.comment = ""
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case strings.IndexByte(" \t\n\r\f\v", rest[0]) >= 0:
			l.at++
		case strings.HasPrefix(rest, "\u00a0"):
			l.at += len("\u00a0")
		case strings.HasPrefix(rest, "(*") && !strings.HasPrefix(rest, "(*)"): // "(*)" begins no comment
			n := commentLengthISO(rest)
			if n == 0 {
				return false
			}
			l.comment = rest[:n]
			l.at += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/") // "/*/" only begins a comment
			if n < 0 {
				return false
			}
			n += len("/*") + len("*/")
			l.at += n
			l.comment = rest[:n]
		case strings.HasPrefix(rest, "//"), l.beginsLineComment(rest):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				l.at += n
			} else {
				l.at = len(l.text)
			}
		default:
			return true
		}
	}
	return true
}

// commentWords returns the words of l.comment, without its brackets of two characters each; "" if there is none.
func (l *lexerISO) commentWords() string {
	if l.comment == "" {
		return ""
	}
	return strings.Join(strings.Fields(l.comment[2:len(l.comment)-2]), " ")
}

// beginsLineComment reports whether "#" or "--" at the beginning of rest, which the lexer has come to, begins
// a comment up to the end of the line. Both do so only at the beginning of a line or after a blank; #x41 is a
// character, and "--" is followed by a blank.
func (l *lexerISO) beginsLineComment(rest string) bool {
	return standsAlone(l.text, l.at, "--") || rest[0] == '#' && followsBlank(l.text, l.at) && !hexAt().MatchString(rest)
}

// commentLengthISO returns the length of the comment that s begins with, including those nested in it; 0 if it is not
// closed. s must begin with "(*".
func commentLengthISO(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "(*":
			depth++
			i++
		case "*)":
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		}
	}
	return 0
}

// next returns the next token and goes past it, and keeps its kind in l.last; at the end its kind is endISO. A text
// that begins no token is badISO, and so is the whole rest of the text after a comment that is not closed.
func (l *lexerISO) next() tokenISO {
	if !l.skip() {
		t := tokenISO{badISO, l.at, len(l.text)}
		l.at = len(l.text)
		return t
	}
	t := tokenISO{at: l.at}
	rest := l.text[l.at:]
	if rest == "" {
		t.end = t.at
		return t
	}
	size := 1
	t.kind, size = l.scan(rest)
	l.at += size
	t.end, l.last = l.at, t.kind
	return t
}

// scan returns the kind and the length of the token that rest begins with; badISO and 1 if it begins with none. rest
// is the text from l.at on, and not empty. It consumes nothing. After a token that ends an element (l.last) "?"
// begins no special sequence.
func (l *lexerISO) scan(rest string) (kindISO, int) {
	c := rest[0]
	switch {
	case isLetter(c) || c == '_' || c >= utf8.RuneSelf && isLetterISO(rest):
		n := wordLengthISO(rest)
		if l.primes {
			n += span(rest[n:], func(c byte) bool { return c == '\'' })
		}
		return wordISO, n
	case isDigit(c):
		return integerISO, span(rest, isDigit)
	case c == '"' || c == '\'' || c == '`':
		if n := strings.IndexByte(rest[1:], c); n >= 0 && !strings.Contains(rest[1:1+n], "\n") {
			return stringISO, n + 2
		}
		return badISO, 1
	case c == '?': // a special sequence, unless it makes the element before it optional
		if n := strings.IndexByte(rest[1:], '?'); n >= 0 && !endsElement(l.last) {
			return specialISO, n + 2
		}
		return kindISO(c), 1
	case c == '[': // a class has a range or "^" in it; [abc] is an option
		if l.classEnds.find(l.text, "]", len(l.text)-len(rest)+1) < 0 { // the patterns would search the whole text
			return kindISO(c), 1
		}
		if class := classISO().FindString(rest); class != "" && rangeISO().MatchString(class) {
			return classesISO, len(class)
		}
		return kindISO(c), 1
	case strings.HasPrefix(rest, "…"):
		return rangesISO, len("…")
	case c == '<':
		if name := angleName().FindString(rest); name != "" {
			return angleISO, len(name)
		}
	case c == '#':
		if x := hexAt().FindString(rest); x != "" {
			return hexISO, len(x)
		}
	}
	if n := curlyLength(rest); n > 0 {
		return stringISO, n
	}
	for _, sign := range signsISO {
		if strings.HasPrefix(rest, sign.text) {
			return sign.kind, len(sign.text)
		}
	}
	if strings.IndexByte("=;.,|!/-*+(){}[]:", c) >= 0 {
		return kindISO(c), 1
	}
	return badISO, 1
}

// signsISO lists the signs that are longer than a character.
var signsISO = []struct {
	text string
	kind kindISO
}{
	{"::==", definesISO}, {"::=", definesISO}, {":=", definesISO}, {"=>", definesISO}, {"⇒", definesISO},
	{"...", rangesISO}, {"..", rangesISO},
	{"(/", '['}, {"/)", ']'}, {"(:", '{'}, {":)", '}'},
	{"->", definesISO}, {"→", definesISO}, {"<-", definesISO}, {"←", definesISO},
}

// curlyQuotes has the marks that may close a literal, by the curly quotation mark that opens it. People also open and
// close with the same one.
var curlyQuotes = map[string]string{"‘": "’‘", "’": "’", "“": "”“", "”": "”"}

// curlyLength returns the length of the literal in curly quotes that s begins with, 0 if it begins with none that is
// closed on its line.
func curlyLength(s string) int {
	const size = len("‘") // of each of these marks
	if len(s) < size || curlyQuotes[s[:size]] == "" {
		return 0
	}
	n := strings.IndexAny(s[size:], curlyQuotes[s[:size]]+"\n")
	if n < 0 || s[size+n] == '\n' {
		return 0
	}
	return size + n + size
}

// insideQuotes returns the text between the quotation marks of a literal, and whether they are curly. literal
// must be one that the lexer found.
func insideQuotes(literal string) (inner string, curly bool) {
	if n := curlyLength(literal); n > 0 {
		return literal[len("‘") : n-len("’")], true
	}
	return literal[1 : len(literal)-1], false
}

// endsElement reports whether an element may end with a token, so that "?" after it makes it optional.
func endsElement(k kindISO) bool {
	switch k {
	case wordISO, angleISO, hexISO, stringISO, classesISO, ')', ']', '}':
		return true
	}
	return false
}

// isLetterISO reports whether s begins with a letter of any script.
func isLetterISO(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// wordLengthISO returns the length of the word at the beginning of s, which must begin with a letter or "_". A hyphen
// belongs to it only before a letter or a digit; any other excludes.
func wordLengthISO(s string) int {
	for i, r := range s {
		dash := r == '-' && i+1 < len(s) && (isLetter(s[i+1]) || isDigit(s[i+1])) // not what excludes
		if r != '_' && !dash && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(s)
}

// splitISO takes a document apart into its productions, and keeps its style in n.state, for the readers. Outside of
// brackets a production ends at ";" or, in a document without any, at ".", or before a line that defines a name; an
// unclosed bracket takes the rest of the document. The lines that n.Lines excludes are blanked first, unless n has
// from. It fails where a production should begin and no name is defined. A text of blanks and comments alone gives an
// outline without productions.
func splitISO(file string, lines []string, n reading) (*outline, error) {
	if n.from == nil {
		lines = n.Lines.Of(lines)
	}
	text := strings.Join(lines, "\n")
	whole := printed{text: text, pos: expr.Pos{File: file, Line: 1, Col: 1}, from: n.from}.indexed()
	l := &outline{notation: ISO, parts: []*part{{}}}
	primes := primedISO().MatchString(text)
	all := tokensISO(&lexerISO{text: text, primes: primes})
	// Without any ";", "." ends a production.
	points := !slices.ContainsFunc(all, func(t tokenISO) bool { return t.kind == ';' })
	style := &styleISO{names: map[string]bool{}, primes: primes}
	for i := 0; all[i].kind != endISO; {
		size := nameTokens(all[i:])
		if size == 0 {
			return nil, expr.Errorf(whole.at(all[i].at),
				"unexpected %s; expected a production such as \"name = definition ;\"",
				quote(firstWord(text[all[i].at:])))
		}
		name := joinedISO(text, all[i:i+size])
		style.names[name] = style.names[name] || strings.Contains(name, " ")
		style.longest = max(style.longest, size)
		if sign := all[i+size]; text[sign.at:sign.end] == "<-" || text[sign.at:sign.end] == "←" {
			style.leftArrow = true
		}
		last := i + size // the last token of the production; all[i+size] is the sign that defines the name
		for depth := 0; ; last++ {
			t := all[last+1]
			if t.kind == ',' {
				style.commas = true
			}
			if depth == 0 && (t.kind == endISO || t.kind == ';' || points && t.kind == '.' ||
				beginsProductionISO(text, all[last+1:])) {
				break
			}
			if t.kind == endISO {
				break
			}
			switch t.kind {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth = max(0, depth-1)
			}
		}
		end := all[last].end
		if next := all[last+1]; next.kind == ';' || points && next.kind == '.' {
			switch all[last].kind {
			case definesISO, ':', '|': // a comment after it says what is derived
				end = len(strings.TrimRight(text[:next.at], " \t\r\n"))
			}
		}
		p := printed{part: l.parts[0], text: text[all[i].at:end], pos: whole.inText(all[i].at), from: n.from}
		l.productions = append(l.productions, p.indexed())
		i = last + 1
		if all[i].kind == ';' || points && all[i].kind == '.' { // the sign that ends the production
			i++
		}
	}
	if n.state != nil {
		n.state.iso = style
	}
	l.blocks = blocksOf(l.productions)
	return l, nil
}

// tokensISO returns the tokens of a text. Where it does not begin with a name that is defined, as prose does not, these
// are only the first ones, without an end: splitISO fails at the first of them, and a text can be long.
func tokensISO(x *lexerISO) (all []tokenISO) {
	for begun := false; ; {
		t := x.next()
		all = append(all, t)
		if t.kind == endISO {
			return all
		}
		if !begun && t.kind != wordISO && t.kind != integerISO { // what follows the words that may be a name
			if begun = true; nameTokens(all) == 0 {
				return all
			}
		}
	}
}

// A styleISO is how a document is written.
type styleISO struct {
	commas    bool            // stand between terms, so that words without one between them are a name
	primes    bool            // end names, as in expr'
	leftArrow bool            // "<-" defines a name, as in PEGs
	names     map[string]bool // that are defined; true for those with spaces
	longest   int             // the most words that one of them has
}

// nameTokens returns the number of leading tokens that make up a name being defined, since a defining sign or ":"
// follows them; 0 if there are none. Integers after the first word belong to the name. The list must end with a token
// that is neither a word nor an integer.
func nameTokens(list []tokenISO) int {
	n := 0
	for list[n].kind == wordISO || n > 0 && list[n].kind == integerISO {
		n++
	}
	if n > 0 && (list[n].kind == definesISO || list[n].kind == ':') {
		return n
	}
	return 0
}

// beginsProductionISO reports whether the first token of list begins a line that defines a name. The name must stand
// on that line as a whole, with the sign that defines it. list must end as it must for nameTokens.
func beginsProductionISO(text string, list []tokenISO) bool {
	n := nameTokens(list)
	if n == 0 {
		return false
	}
	at := list[0].at
	before := text[strings.LastIndexByte(text[:at], '\n')+1 : at] // what stands before the name on its line
	return strings.TrimLeft(before, " \t\u00a0") == "" && !strings.Contains(text[at:list[n].at], "\n")
}

// joinedISO returns the name that consists of these words, with single spaces.
func joinedISO(text string, words []tokenISO) string {
	var list []string
	for _, t := range words {
		list = append(list, text[t.at:t.end])
	}
	return strings.Join(list, " ")
}

// defines reports whether the document defines a name.
func (s *styleISO) defines(name string) bool {
	_, ok := s.names[name]
	return ok
}

// A readerISO reads one production, or one right-hand side.
type readerISO struct {
	descent
	lexer lexerISO
	token tokenISO // the one at hand
	style *styleISO
}

// newReaderISO returns a reader with the first token at hand. It takes the style of the whole document from n.state,
// where that is known.
func newReaderISO(p printed, n reading) *readerISO {
	r := &readerISO{descent: descent{reading: n, printed: p}, lexer: lexerISO{text: p.text}, style: &styleISO{}}
	if n.state != nil && n.state.iso != nil {
		r.style = n.state.iso
		r.lexer.primes = r.style.primes
	}
	r.advance()
	return r
}

// advance goes to the next token.
func (r *readerISO) advance() {
	r.token = r.lexer.next()
	r.offset = r.token.at
}

// tokenText returns the text of the token at hand.
func (r *readerISO) tokenText() string { return r.text[r.token.at:r.token.end] }

// readProductionISO reads one production, whose name may be several words, and notices a "|" after the sign as
// skipLayoutBar does. After an error made has at most the name. A mistake in p is an error, never a panic.
func readProductionISO(p printed, n reading) (made production, err error) {
	defer made.inError(&err)
	defer expr.Catch(&err)
	r := newReaderISO(p, n)
	var words []string
	for r.token.kind == wordISO || r.token.kind == integerISO {
		words = append(words, r.tokenText())
		r.advance()
	}
	made.name = strings.Join(words, " ")
	if len(words) == 0 || r.token.kind != definesISO && r.token.kind != ':' {
		panic(r.unexpected(`a name and "="`))
	}
	r.advance()
	r.skipLayoutBar()
	made.right = r.whole()
	return made, nil
}

// skipLayoutBar notices a "|" that is the token at hand, right after the defining sign. If the "|" begins a line it is
// layout, and skipLayoutBar goes past it, unless the document has commas: then its author knows the standard. Otherwise
// the "|" is left, and an empty alternative stands before it, as in the standard.
func (r *readerISO) skipLayoutBar() {
	if r.token.kind != '|' {
		return
	}
	if sign := strings.TrimRight(r.text[:r.token.at], " \t\r"); r.style.commas || !strings.HasSuffix(sign, "\n") {
		r.note().add(emptyFirstNotice, r.here(), "|")
		return
	}
	r.note().add(layoutBarNotice, r.here(), "|")
	r.advance()
}

// readRightISO reads a right-hand side without a name.
func readRightISO(p printed, n reading) (e *expr.Expr, err error) {
	defer expr.Catch(&err)
	return newReaderISO(p, n).whole(), nil
}

// whole reads alternatives, and the ";" or "." that may end them. Anything after is an error, by a panic.
func (r *readerISO) whole() *expr.Expr {
	e := r.definitions()
	if r.token.kind == ';' || r.token.kind == '.' {
		r.advance()
	}
	if r.token.kind != endISO {
		panic(r.unexpected(`a name, a literal, an opening bracket, ",", "|" or ";"`))
	}
	return e
}

// definitions reads alternatives with "|", "/" or "!" between them, up to another token, which it leaves. At a "/" in
// a document that defines with "<-" it panics with the error. It panics as definition does, too.
func (r *readerISO) definitions() *expr.Expr {
	var alts []*expr.Expr
	for {
		alts = append(alts, r.definition())
		switch r.token.kind {
		case '|', '!':
		case '/':
			if r.style.leftArrow {
				panic(expr.Errorf(r.here(),
					`unexpected "/", the ordered choice of a PEG, which is read in files that end in .peg; expected "|" between alternatives`))
			}
		default:
			return expr.Or(alts...)
		}
		r.advance()
	}
}

// definition reads terms up to a token that begins none. Commas between them are skipped, and may be missing. Without
// any term it is the empty word or, where a comment stands in their place, the prose in it, unless that says "empty".
// It panics as term does.
func (r *readerISO) definition() *expr.Expr {
	pos := r.here()
	var seq []*expr.Expr
	for {
		switch r.token.kind {
		case ',':
			r.advance()
		case wordISO, angleISO, hexISO, integerISO, stringISO, specialISO, classesISO, '(', '[', '{':
			seq = append(seq, r.term())
		default:
			said := r.lexer.commentWords()
			if len(seq) == 0 && said != "" && !saysEmpty().MatchString(said) {
				return placed(expr.To(prose+said+">"), pos)
			}
			return placed(expr.Cat(seq...), pos)
		}
	}
}

// term reads a factor, and what is excluded from it. With nothing after the "-" it excludes the empty sequence, and
// of { x }- makes one x or more. Any other exclusion becomes a reference named minus, which exclude replaces. Of
// several exclusions from one term all count, each but the first with a notice. It panics as factor does.
func (r *readerISO) term() *expr.Expr {
	from := r.token.at
	e := r.factor()
	if r.token.kind != '-' {
		return e
	}
	pos := r.at(from)
	r.advance()
	switch r.token.kind {
	case wordISO, angleISO, hexISO, integerISO, stringISO, specialISO, classesISO, '(', '[', '{':
	default: // the empty sequence is excluded
		if e.Op == expr.Repeat && e.Min == 0 && e.Max == expr.Unbounded {
			return placed(expr.Times(e.Sub[0], 1, expr.Unbounded), e.Pos)
		}
		return &expr.Expr{
			Op: expr.Ref, Name: minus, Lit: r.written(from), Sub: []*expr.Expr{e, {Op: expr.Empty, Pos: pos}},
			Pos: pos,
		}
	}
	not := r.factor()
	for r.token.kind == '-' {
		r.note().addf(r.at(r.token.at),
			"a second exclusion from one term is read like the first; ISO 14977 has one, with "+
				"alternatives in parentheses")
		r.advance()
		not = placed(expr.Or(not, r.factor()), pos)
	}
	return &expr.Expr{Op: expr.Ref, Name: minus, Lit: r.written(from), Sub: []*expr.Expr{e, not}, Pos: pos}
}

// written returns the text from an offset to the token at hand in one line, for messages.
func (r *readerISO) written(from int) string { return inOneLine(ISO, r.text[from:r.token.at]) }

// factor reads integer "*" primary, or a primary with the signs *, + and ? after it. A count of 0 is the empty word.
// It panics with the error if no "*" follows the integer, with a refusal for an integer above maxCount, and as
// primary does.
func (r *readerISO) factor() *expr.Expr {
	if r.token.kind != integerISO {
		return r.repeated(r.primary())
	}
	count, pos := r.tokenText(), r.here()
	r.advance()
	if r.token.kind != '*' {
		panic(r.unexpected(`"*" behind a count`))
	}
	r.advance()
	n, err := strconv.Atoi(count)
	if err != nil || n > maxCount {
		panic(expr.Refusef(pos, "unexpected count %s; expected a number up to %d", quote(count), maxCount))
	}
	e := r.primary()
	if n == 0 {
		return &expr.Expr{Op: expr.Empty, Pos: pos}
	}
	return placed(expr.Times(e, n, n), pos)
}

// repeated reads any number of the signs *, + and ? after e, which the standard does not have, and returns e with
// them. { x }+ is one x or more.
func (r *readerISO) repeated(e *expr.Expr) *expr.Expr {
	for {
		least, most := 0, expr.Unbounded
		switch r.token.kind {
		case '?':
			most = 1
		case '+':
			least = 1
		case '*':
		default:
			return e
		}
		if e.Op == expr.Repeat && least == 1 && e.Min == 0 && e.Max == expr.Unbounded { // { x }+
			e = e.Sub[0]
		}
		e = placed(expr.Times(e, least, most), e.Pos)
		r.advance()
	}
}

// primary reads a group, a name, a literal, a character #x41, a special sequence or a class, the last with a notice.
// It panics with the error for anything else, and as bracket, string, hex and class do. ε and λ are the empty word
// where nothing defines them. A name in angle brackets is the name without them if the document defines that, and
// prose otherwise.
func (r *readerISO) primary() *expr.Expr {
	pos := r.here()
	switch k := r.token.kind; k {
	case '(', '[', '{':
		return r.bracket(k)
	case wordISO:
		name := r.name()
		if (name == "ε" || name == "λ") && !r.style.defines(name) {
			return &expr.Expr{Op: expr.Empty, Pos: pos}
		}
		return placed(expr.To(name), pos)
	case angleISO:
		name := r.tokenText()
		r.advance()
		if inner := strings.TrimSpace(name[1 : len(name)-1]); r.style.defines(inner) {
			name = inner
		}
		return placed(expr.To(name), pos)
	case hexISO:
		return r.hex()
	case stringISO:
		return r.string()
	case classesISO:
		text := r.tokenText()
		r.note().addChoice(pos,
			"%s is read as a class of characters; in ISO 14977 brackets hold what may be left out", text)
		r.advance()
		return r.class(text, pos)
	case specialISO:
		return r.special()
	}
	panic(r.unexpected(`a name, a literal or an opening bracket`))
}

// bracket reads a group ( ), an option [ ] or a repetition { }, from open, the token at hand, past its closing
// bracket. It panics with the error if that is missing, and as enter and definitions do.
func (r *readerISO) bracket(open kindISO) *expr.Expr {
	pos := r.here()
	r.enter(0)
	r.advance()
	e := r.definitions()
	shut := map[kindISO]kindISO{'(': ')', '[': ']', '{': '}'}[open]
	if r.token.kind != shut {
		panic(r.unexpected(`"` + string(rune(shut)) + `", which closes the bracket at ` + pos.String()))
	}
	r.leave(0)
	r.advance()
	switch open {
	case '[':
		return placed(expr.Opt(e), pos)
	case '{':
		return placed(expr.Times(e, 0, expr.Unbounded), pos)
	}
	return e
}

// name reads a name: all words and integers that follow if commas stand between terms, and otherwise the longest run
// of them that is a defined name, or the first word if none is. A word must be at hand.
func (r *readerISO) name() string {
	words := []string{r.tokenText()}
	lexer, token := r.lexer, r.token
	longest := 0
	ends := []lexerISO{lexer}
	for r.style.commas || len(words) < r.style.longest {
		token = lexer.next()
		if token.kind != wordISO && token.kind != integerISO {
			break
		}
		words = append(words, r.text[token.at:token.end])
		ends = append(ends, lexer)
		if r.style.commas || r.style.names[strings.Join(words, " ")] {
			longest = len(words) - 1
		}
	}
	r.lexer = ends[longest]
	r.advance()
	return strings.Join(words[:longest+1], " ")
}

// string reads a literal, or the range that begins with it: "a" .. "z". It notices a backslash that is not all of the
// literal, since there are no escapes here, curly quotation marks, and a literal right after it that may be meant as
// one with a quotation mark inside. It panics with the error for a range whose ends are not two characters in order.
func (r *readerISO) string() *expr.Expr {
	pos, from := r.here(), r.token.at
	text := r.tokenText()
	inner, curly := insideQuotes(text)
	if curly {
		r.note().add(curlyNotice, pos, text)
	}
	r.advance()
	if r.token.kind == rangesISO { // "a" .. "z", between quotation marks of any kind
		r.advance()
		if r.token.kind != stringISO {
			panic(r.unexpected("the last character of a range"))
		}
		lo, one := onlyRune(inner)
		last, _ := insideQuotes(r.tokenText())
		hi, other := onlyRune(last)
		if !one || !other || lo > hi {
			panic(expr.Errorf(pos, "unexpected range %s; expected two characters, the first not above the second",
				quote(r.text[from:r.token.end])))
		}
		text = r.text[from:r.token.end]
		r.advance()
		return r.set(runes.Of(lo, hi), text, pos)
	}
	// Many languages double a quotation mark to have it in a literal. The next literal stays the token at hand.
	if next := r.token; !curly && next.kind == stringISO && next.at == from+len(text) && r.text[next.at] == text[0] {
		r.note().addChoice(pos, "%s is read as two literals, and not as one with a quotation mark in it",
			r.text[from:next.end])
	}
	if at := strings.IndexByte(inner, '\\'); at >= 0 && len(inner) > 1 {
		r.note().addChoice(pos, "%s is read as it is written: a literal of ISO 14977 has no escapes", text)
	}
	return r.literal(inner, pos)
}

// hex reads a character that is written #x41. It panics with a refusal for a value beyond the last character.
func (r *readerISO) hex() *expr.Expr {
	pos, text := r.here(), r.tokenText()
	n, err := strconv.ParseUint(text[len("#x"):], 16, 32)
	if err != nil || n > uint64(r.last()) {
		panic(expr.Refusef(pos, "unexpected value %s; expected one up to #x%X", quote(text), r.last()))
	}
	r.advance()
	return r.set(runes.Of(rune(n), rune(n)), text, pos)
}

// onlyRune returns the one character that text is; ok is false for any other text.
func onlyRune(text string) (r rune, ok bool) {
	r, size := utf8.DecodeRuneInString(text)
	return r, size == len(text) && size > 0 && (r != utf8.RuneError || size > 1)
}

// namedCharacters are special sequences that people write.
var namedCharacters = map[string]string{
	"space": " ", "blank": " ",
	"tab": "\t", "horizontal tab": "\t", "horizontal tabulation": "\t",
	"newline": "\n", "new line": "\n", "line feed": "\n", "linefeed": "\n", "lf": "\n",
	"carriage return": "\r", "cr": "\r",
	"form feed": "\f", "vertical tab": "\v",
}

// special reads a special sequence, the token at hand, which is always complete: "? ... ?". It returns the
// characters that the sequence names, or else prose. It knows namedCharacters, code points (see point), and ranges of
// these, with "..", "-" or "to" between them. "any character", in any of five wordings, becomes a reference to
// anyCharacter, which is noticed.
func (r *readerISO) special() *expr.Expr {
	pos, text := r.here(), r.tokenText()
	inner := strings.Join(strings.Fields(text[1:len(text)-1]), " ")
	r.advance()
	switch lower := strings.ToLower(inner); {
	case namedCharacters[lower] != "":
		return r.literal(namedCharacters[lower], pos)
	case slices.Contains([]string{"any character", "any unicode character", "all characters", "any char", "any"},
		lower):
		r.note().add(describedNotice, pos, text)
		return &expr.Expr{Op: expr.Ref, Name: anyCharacter, Pos: pos}
	}
	if c, ok := r.point(text[1 : len(text)-1]); ok { // a tab in quotes is one
		return r.set(runes.Of(c, c), text, pos)
	}
	for _, between := range []string{"..", "-", " to "} {
		first, last, ok := strings.Cut(inner, between)
		if !ok {
			continue
		}
		lo, isFirst := r.point(first)
		hi, isLast := r.point(last)
		if isFirst && isLast && lo <= hi {
			return r.set(runes.Of(lo, hi), text, pos)
		}
	}
	return placed(expr.To(prose+inner+">"), pos)
}

// point returns the code point that text names, as in U+0041 or 'A'. It returns false if text names none, or one that
// the values of the grammar cannot have; the code point means nothing then.
func (r *readerISO) point(text string) (rune, bool) {
	quoted := []rune(strings.TrimSpace(text))
	if len(quoted) == 3 && quoted[0] == quoted[2] && strings.ContainsRune(`'"`, quoted[0]) {
		return quoted[1], quoted[1] <= r.last()
	}
	m := specialAt().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseUint(m[1], 16, 32)
	return rune(n), err == nil && n <= uint64(r.last())
}
