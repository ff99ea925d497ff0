package bnf

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Naur is the BNF of the report on Algol 60, as people write it:
//
//	production   = "<" name ">" "::=" alternatives            ; also ":=", "=" and, where nothing else defines, an arrow
//	alternatives = alternative *( "|" alternative )
//	alternative  = *element                                   ; nothing derives the empty word
//	element      = "<" name ">" / literal / word
//	literal      = %x22 1*character %x22 / "'" 1*character "'"        ; exactly as written
//
// Backquotes and curly quotes are read as well. A name may have spaces in it, and where "::=" defines it any signs
// but angle brackets and bars. A document that quotes its terminals may have the special sequences of ISO 14977, "?
// words ?", which are prose, and the brackets and signs of later notations: "[ ]" for an option, "{ }" for any
// number, "( )" for a group, and "*", "+", "?" and "..." after an element; commas between all elements, "/" in
// place of "|", and a point at the end of every production, where the whole document has them so. ";" begins a
// comment there, as "//", "--" and "#" do between blanks. Brackets that hold a range, as in [0-9a-f] or [^"], are a
// class of characters, and so are [01] and the like where the document has such ranges. In a document without
// quotes every word is a terminal, and so are brackets, with a notice where they may hold what can be left out.
//
// A line that begins with "#", ";", "//" or "--" is a comment, as is what stands between "/*" and "*/" and, in a
// document that quotes its terminals, between "(*" and "*)". Where an alternative has nothing but a comment of the
// first of these pairs, the comment says what it derives, and is prose.
const Naur = "plain-bnf"

func init() {
	notations[Naur] = notation{
		production: readProductionNaur, right: readRightNaur, split: splitNaur, codePoints: true,
		inDocuments: true,
	}
	marksOf[Naur] = []string{"bnf", "plain-bnf"}
}

// nameAngle matches a name in angle brackets, oddAngle anything in them, which is a name where "::=" defines it, and
// remark a comment beside elements.
const (
	oddAngle  = `<[ \t]*([^<>\n|]+?)[ \t]*>`
	nameAngle = `<[ \t]*([0-9]*[\p{L}_][^<>\n|]*?)[ \t]*>`
	remark    = `(?:^|[ \t\n])(?://|--|#|;)[^\n]*|\(\*[^\n]*?\*\)|/\*[^\n]*?\*/`
)

// beginsAngle matches the beginning of a production, perhaps with a number before it and a comment of C
// before the sign that defines it; angleName a name in angle brackets; commentAngle the beginning of a line
// that is a comment. quotedAngle matches a terminal in quotes, which shows that a document quotes them.
var (
	beginsAngle = pattern(`(?m)^[ \t]*(?:\[?[0-9]+[\].)]?[ \t]+)?` + oddAngle +
		`[ \t\n]*(?:/\*[^\n]*?\*/[ \t\n]*)?(::==?|:=|=>|=|->|→|⇒)`)
	angleName    = pattern(`^` + nameAngle)
	oddName      = pattern(`^` + oddAngle)
	commentAngle = pattern(`^[ \t]*(?:#|;|//|--)`)
	quotedAngle  = pattern(`(?m)(?:^|[\s|([{=])(?:"[^"\n<>]+"|'[^'\n<>]+'|"[<>]+"|'[<>]+'|"[^"\n]"|'[^'\n]'|\x60[^\x60\n<>]+\x60|“[^”\n<>]+”|‘[^’\n<>]+’)`)
	arrowAngle   = pattern(`^(?:=>|->|→|⇒)$`)
)

// rangeAngle matches brackets after a blank, a bar or a sign that hold a range, or that begin with "^".
// classAngle matches brackets that can be a class in a document that has such brackets: they have neither a
// blank, a quote, a name nor a bar in them, or begin with "^" and have anything after it.
var (
	rangeAngle = pattern(`(?:^|[\s|()*+?])\[(?:\^[^\]\n]|[^\]\n\s"'<>|]*[^\]\n\s"'<>|\\]-[^\]\n\s"'<>|])[^\]\n]*\]`)
	classAngle = pattern(`^\[(?:\^(?:\\.|[^\]\n\\])+|(?:\\.|[^\]\n\\\s"'<>|])+)\]`)
)

// laterSigns matches what later notations write for an option, a repetition or a choice in a group: brackets around
// something, and a sign that follows a closing bracket at once.
var laterSigns = pattern(`\[[^\[\]]*[^\[\]\s|][^\[\]]*\]|\{[^{}]*[^{}\s|][^{}]*\}|` +
	`\([^()]*[^()\s][^()]*\|[^()]*[^()\s][^()]*\)|[>)][*+?](?:$|[\s|)])`)

// specialAngle matches a special sequence, as ISO 14977 has it: words between question marks.
var specialAngle = pattern(`^\?[ \t]+[\p{L}\x60][^?\n|<>]*(?:<[^<>\n]*>[^?\n|<>]*)*[ \t]\?`)

// definesBare matches the beginning of a production whose name has no angle brackets, at the beginning of a line.
var definesBare = pattern(`(?m)^[ \t]*[\p{L}_][\p{L}\d_.-]*[ \t]*::=`)

// commentOfC matches a comment of C that begins a line. A comment after a sign can be all that an alternative
// has, and is left to the reader.
var commentOfC = pattern(`(?ms)^[ \t]*/\*.*?\*/`)

// commentOfISO matches a comment of ISO 14977 that begins a line.
var commentOfISO = pattern(`(?ms)^[ \t]*\(\*.*?\*\)`)

// saysEmpty matches the words of a comment that stand for the empty word alone, as in "| /* empty */". Any more of
// them, as in "any character, null excepted", describe something else.
var saysEmpty = pattern(`(?i)^(?:the )?(?:empty|nothing|nil|null|epsilon|none|lambda|[ελ])(?: (?:string|word|sequence|production|alternative|rule|list))?[.!]?$`)

// splitNaur takes a document apart into its productions. It sets in n.state, if there is one, whether the text quotes
// its terminals, whether it has classes of characters, and its style. It notices and fails as splitAngles does.
func splitNaur(file string, lines []string, n reading) (*outline, error) {
	l, text, err := splitAngles(file, lines, Naur, n)
	if err == nil && n.state != nil {
		n.state.quotes = quotedAngle().MatchString(text)
		n.state.classes = n.state.quotes && rangeAngle().MatchString(text)
		n.state.naur = l.styleNaur(text, n.state.quotes)
		n.state.naur.odd = l.oddNames()
	}
	return l, err
}

// oddNames returns the names that a document defines and that do not look like names: <`list>, <+>.
func (l *outline) oddNames() map[string]bool {
	odd := map[string]bool{}
	for _, p := range l.productions {
		if m := oddName().FindStringSubmatch(p.text); m != nil && !angleName().MatchString(p.text) {
			odd[strings.Join(strings.Fields(m[1]), " ")] = true
		}
	}
	return odd
}

// A styleNaur tells which signs of later notations a document has that quotes its terminals.
type styleNaur struct {
	commas  bool // stand between elements, wherever two follow each other
	slashes bool // stand between alternatives, and no "|" does
	points  bool // end the productions

	odd map[string]bool // names that it defines and that do not look like names
}

// Signs that an element can end with, and begin with, and a point at the end of a production, with comments
// after it.
const (
	elementEnds   = `[>)\]}"'\x60”’*+?]`
	elementBegins = `[<(\[{"'\x60“‘]`
	finalPoint    = `\.(?:\s|` + remark + `)*$`
)

// What stands between elements: a comma, blanks alone, or a slash. Quotation marks with blanks between them do not tell
// blanks between literals from those in one.
var (
	commaAngle    = pattern(elementEnds + `[ \t\n]*,[ \t\n]*` + elementBegins)
	adjacentAngle = pattern(elementEnds + `[ \t\n]+<|[>)\]}*+?][ \t\n]+[(\[{"'\x60“‘]`)
	slashAngle    = pattern(elementEnds + `[ \t\n]+/[ \t\n]+` + elementBegins)
	remarkAngle   = pattern(remark)
)

// pointAngle finds the point at the end of a production, and atPointAngle tells whether a text begins with it. The
// second is anchored, so that each of many points is passed without a look at all that follows.
var (
	pointAngle   = pattern(finalPoint)
	atPointAngle = pattern(`^` + finalPoint)
)

// styleNaur returns the style of a document, but for odd, which the caller sets. quotes says that the document quotes
// its terminals; if not, the style is the zero one. text is all of its text without the comments that have lines of
// their own. Every production must begin as beginsAngle has it.
func (l *outline) styleNaur(text string, quotes bool) (s styleNaur) {
	if !quotes {
		return s
	}
	s.slashes = slashAngle().MatchString(text) && !strings.Contains(text, "|")
	s.points = len(l.productions) > 0
	var bodies strings.Builder
	for _, p := range l.productions {
		s.points = s.points && pointAngle().MatchString(p.text)
		body := p.text[beginsAngle().FindStringIndex(p.text)[1]:]
		// between bars, elements do not follow each other
		bodies.WriteString("|" + remarkAngle().ReplaceAllString(body, " "))
	}
	s.commas = commaAngle().MatchString(bodies.String()) && !adjacentAngle().MatchString(bodies.String())
	return s
}

// splitAngles takes a document apart that defines names in angle brackets: before "::=" they may hold anything, and
// an arrow defines a name only where no other sign does. The lines that n.Lines excludes are blanked first, unless n
// has from. A production ends before the next, before a name that is defined without brackets, or at an empty line,
// as paragraphsOf has it. Such a name, and text after such an empty line, is left out, which is noticed. Before the
// first production only such a name is noticed; other text there is passed over. splitAngles fails if there is text
// but no production; blank lines and comments alone give an outline without productions. text is that of all lines,
// without the comments that begin a line.
func splitAngles(file string, lines []string, notation string, n reading) (l *outline, text string, err error) {
	if n.from == nil {
		lines = n.Lines.Of(lines)
	}
	var plain []string // the lines without comments
	for _, line := range lines {
		if commentAngle().MatchString(line) {
			line = ""
		}
		plain = append(plain, line)
	}
	text = commentOfC().ReplaceAllStringFunc(strings.Join(plain, "\n"), blanked)
	if quotedAngle().MatchString(text) {
		text = commentOfISO().ReplaceAllStringFunc(text, blanked)
	}
	whole := printed{text: text, pos: expr.Pos{File: file, Line: 1, Col: 1}, from: n.from}.indexed()
	l = &outline{notation: notation, parts: []*part{{}}}
	begins := beginsAngle().FindAllStringSubmatchIndex(text, -1)
	// Anything in angle brackets is a name before "::=", and a name as others are before any sign.
	nameOf := func(m []int) string { return text[m[2]:m[3]] }
	signOf := func(m []int) string { return text[m[4]:m[5]] }
	begins = slices.DeleteFunc(begins, func(m []int) bool {
		return !strings.HasPrefix(signOf(m), "::") && !angleName().MatchString("<"+nameOf(m)+">")
	})
	// An arrow defines names only where no other sign does: elsewhere it may be a terminal at the beginning of a line.
	isArrow := func(m []int) bool { return arrowAngle().MatchString(signOf(m)) }
	if slices.ContainsFunc(begins, func(m []int) bool { return !isArrow(m) }) {
		begins = slices.DeleteFunc(begins, isArrow)
	}
	if first := strings.TrimLeft(text, " \t\n"); len(begins) == 0 && first != "" {
		return nil, "", expr.Errorf(whole.at(len(text)-len(first)),
			`unexpected %s; expected a production such as "<name> ::= ..."`, quote(firstWord(first)))
	}
	noteBare := func(at int) {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\n"))
		n.note().leaveOut(whole.at(at), "what begins here is not read: the name %s is defined without angle brackets",
			quote(firstWord(text[at:])))
	}
	if len(begins) > 0 {
		if bare := definesBare().FindStringIndex(text[:begins[0][0]]); bare != nil {
			noteBare(bare[0])
		}
	}
	for i, m := range begins {
		from, end := strings.LastIndexByte(text[:m[2]], '<'), len(text)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		body := text[from:end]
		kept := paragraphsOf(body)
		if bare := definesBare().FindStringIndex(body[:kept]); bare != nil {
			noteBare(from + bare[0])
			kept = bare[0]
			body = body[:kept]
		}
		if rest := strings.TrimSpace(body[kept:]); rest != "" {
			at := kept + strings.Index(body[kept:], firstWord(rest))
			n.note().leaveOut(whole.at(from+at),
				"what stands here is not read: it is behind an empty line, and defines no name")
		}
		p := printed{
			part: l.parts[0], text: strings.TrimRight(body[:kept], " \t\n"), pos: whole.inText(from),
			from: n.from,
		}
		l.productions = append(l.productions, p.indexed())
	}
	l.blocks = blocksOf(l.productions)
	return l, text, nil
}

// blanked returns text with a blank for each of its bytes but the ends of lines, so that the places after it
// stay.
func blanked(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}

// emptyLine matches empty lines and the first character after them.
var emptyLine = pattern(`\n[ \t]*\n\s*(\S)`)

// paragraphsOf returns the number of bytes of body that belong to the production at its beginning: those before the
// first empty line, or all. An empty line does not count before "|", nor after a "|" or "=".
func paragraphsOf(body string) int {
	for at := 0; ; {
		m := emptyLine().FindStringSubmatchIndex(body[at:])
		if m == nil {
			return len(body)
		}
		before := strings.TrimRight(body[:at+m[0]], " \t\n")
		if body[at+m[2]] != '|' && !strings.HasSuffix(before, "|") && !strings.HasSuffix(before, "=") {
			return at + m[0]
		}
		at += m[2]
	}
}

// A readerNaur reads one production, or one right-hand side.
type readerNaur struct {
	descent
	quotes  bool // the document quotes its terminals, so that brackets are no terminals
	classes bool // the document has classes of characters in brackets
	style   styleNaur
	comment string // the last one of C that next went past

	comments, classEnds, backquotes markFinder // of "*/", "]" and "`"
}

// newReaderNaur returns a reader for p. For a text outside a document, terminals are taken to be quoted.
func newReaderNaur(p printed, n reading) *readerNaur {
	r := &readerNaur{descent: descent{reading: n, printed: p}, quotes: n.state == nil || n.state.quotes}
	if n.state != nil {
		r.classes, r.style = n.state.classes, n.state.naur
	}
	return r
}

// readProductionNaur reads one production: a name in angle brackets, a sign that defines it, and alternatives. If the
// document quotes no terminals, signs of later notations are terminals, and each is noticed. After an error made has
// at most the name.
func readProductionNaur(p printed, n reading) (made production, err error) {
	defer made.inError(&err)
	defer expr.Catch(&err)
	r := newReaderNaur(p, n)
	m := beginsAngle().FindStringSubmatchIndex(p.text)
	if m == nil {
		return made, expr.Errorf(p.at(0), `unexpected %s; expected a production such as "<name> ::= ..."`,
			quote(firstWord(p.text)))
	}
	made.name = strings.Join(strings.Fields(p.text[m[2]:m[3]]), " ")
	r.offset = m[1]
	if !r.quotes {
		for _, at := range laterSigns().FindAllStringIndex(r.rest(), -1) {
			r.note().addChoice(r.at(r.offset+at[0]),
				"%s is read as terminals, since nothing in the document has quotes; "+
					"elsewhere such signs hold what may be left out or repeated",
				strings.Join(strings.Fields(r.rest()[at[0]:at[1]]), " "))
		}
	}
	if made.right = r.proseOrSigns(); made.right == nil {
		made.right = r.whole()
	}
	return made, nil
}

// proseOrSigns returns the right-hand sides that are read as a whole: a comment of the standard for SQL, "!! see the
// rules", as prose, and nothing but signs, as in <left paren> ::= (, as a terminal, with a notice if the document
// quotes its terminals. It returns nil for any other. In each case the reader goes past blanks and comments, of SQL
// as well, and no further.
func (r *readerNaur) proseOrSigns() *expr.Expr {
	rest := strings.TrimSpace(r.rest())
	r.next()
	pos := r.here()
	if comment, ok := strings.CutPrefix(rest, "!!"); ok {
		return placed(expr.To(prose+strings.Join(strings.Fields(comment), " ")+">"), pos)
	}
	if !isSigns(rest) {
		return nil
	}
	if r.quotes {
		r.note().addChoice(pos, "%s has no quotes, and is read as a terminal", quote(rest))
	}
	return r.literal(rest, pos)
}

// isSigns reports whether a text is one to three signs of ASCII, and neither a string in quotes nor one without
// characters.
func isSigns(text string) bool {
	isNoSign := func(c rune) bool { return c <= ' ' || c >= 0x7f || unicode.IsLetter(c) || unicode.IsDigit(c) }
	if text == "" || len(text) > 3 || strings.ContainsFunc(text, isNoSign) {
		return false
	}
	first, last := text[0], text[len(text)-1]
	return len(text) == 1 || first != last || first != '"' && first != '\''
}

// readRightNaur reads a right-hand side without a name.
func readRightNaur(p printed, n reading) (e *expr.Expr, err error) {
	defer expr.Catch(&err)
	return newReaderNaur(p, n).whole(), nil
}

// whole reads alternatives up to the end of the text, and panics with the error if something else follows.
func (r *readerNaur) whole() *expr.Expr {
	e := r.alternatives()
	if r.next() != 0 {
		panic(r.unexpected(`a name, a literal, "|" or the end of the production`))
	}
	return e
}

// next goes past blanks and comments, and returns the byte that follows, 0 at the end. It does not consume it. "!!"
// and "/*" begin a comment in every document, the other signs only in one that quotes its terminals. next sets
// r.comment to the last comment of C that it went past, and leaves it if there was none. A point that ends the
// production is passed, too, if the style has it.
func (r *readerNaur) next() byte {
	for r.offset < len(r.text) {
		switch c := r.text[r.offset]; {
		case strings.IndexByte(" \t\n\r\f\v", c) >= 0:
			r.offset++
		case strings.HasPrefix(r.rest(), "\u00a0"):
			r.offset += len("\u00a0")
		case c == ';' && r.quotes, strings.HasPrefix(r.rest(), "!!"), r.quotes && r.atLineComment():
			line, _, _ := strings.Cut(r.rest(), "\n")
			r.offset += len(line)
		case c == '(' && r.quotes && strings.HasPrefix(r.rest(), "(*") && commentLengthISO(r.rest()) > 0:
			r.offset += commentLengthISO(r.rest())
		case c == '.' && r.style.points && atPointAngle().MatchString(r.rest()):
			r.offset = len(r.text)
		case c == '/' && r.commentLength() > 0:
			n := r.commentLength()
			r.comment = r.rest()[:n]
			r.offset += n
		default:
			return c
		}
	}
	return 0
}

// atLineComment reports whether what follows is "//", "--" or "#" between blanks, which begins a comment.
func (r *readerNaur) atLineComment() bool {
	alone := func(sign string) bool { return standsAlone(r.text, r.offset, sign) }
	return alone("//") || alone("--") || alone("#")
}

// commentLength returns the length of the comment of C that follows and ends on its line, 0 if none does. One that does
// not end there is the terminal "/*", which grammars of languages with such comments have. The reader is not moved.
func (r *readerNaur) commentLength() int {
	if !strings.HasPrefix(r.rest(), "/*") {
		return 0
	}
	if end := r.comments.find(r.text, "*/", r.offset+len("/*")); end >= 0 {
		return end + len("*/") - r.offset
	}
	return 0
}

// alternatives reads one or more alternatives with "|" between them, or "/" if the style of the document has it, up
// to anything else. It panics as alternative does.
func (r *readerNaur) alternatives() *expr.Expr {
	var alts []*expr.Expr
	for {
		if alts = append(alts, r.alternative()); !r.separates(r.next()) {
			return expr.Or(alts...)
		}
		r.offset++
	}
}

// separates reports whether a character that follows separates alternatives.
func (r *readerNaur) separates(c byte) bool { return c == '|' || c == '/' && r.style.slashes }

// alternative reads elements up to what separates alternatives, a closing bracket if the document quotes its
// terminals, or the end. It passes over commas after elements if the style has them. Without any element it is the
// empty word, or where a comment stands in their place the prose in it; a comment that says "empty" is no more than a
// remark. It panics as element does.
func (r *readerNaur) alternative() *expr.Expr {
	var seq []*expr.Expr
	r.comment = ""
	r.next() // so that pos is that of the first element
	pos := r.here()
	for {
		c := r.next()
		if c == 0 || r.separates(c) || r.quotes && (c == ')' || c == ']' || c == '}') {
			if said := r.commentWords(); len(seq) == 0 && said != "" && !saysEmpty().MatchString(said) {
				return placed(expr.To(prose+said+">"), pos)
			}
			return placed(expr.Cat(seq...), pos)
		}
		if c == ',' && r.style.commas && len(seq) > 0 {
			r.offset++
			continue
		}
		e := r.element(c)
		if r.quotes {
			e = r.repeated(e)
		}
		seq = append(seq, e)
	}
}

// commentWords returns the words of the comment of C that next went past last in the alternative at hand, "" if it went
// past none.
func (r *readerNaur) commentWords() string {
	return strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimPrefix(r.comment, "/*"), "*/")), " ")
}

// repeated reads any number of the signs "*", "+", "?" and "..." after e, and returns e with them. A "?" that begins a
// special sequence is no such sign.
func (r *readerNaur) repeated(e *expr.Expr) *expr.Expr {
	for {
		least, most, size := 0, expr.Unbounded, 1
		switch c := r.next(); {
		case c == '?' && specialAngle().MatchString(r.rest()):
			return e
		case c == '?':
			most = 1
		case c == '+':
			least = 1
		case strings.HasPrefix(r.rest(), "..."):
			least, size = 1, len("...")
		case c != '*':
			return e
		}
		e = placed(expr.Times(e, least, most), e.Pos)
		r.offset += size
	}
}

// nameAt returns the name in angle brackets that a text begins with, with single blanks, and the length of all of it;
// 0 if there is none. What does not look like a name is one only if the document defines it.
func (r *readerNaur) nameAt(text string) (name string, length int) {
	m := angleName().FindStringSubmatch(text)
	if m == nil && len(r.style.odd) > 0 && strings.HasPrefix(text, "<") {
		m = oddName().FindStringSubmatch(text)
		if m != nil && !r.style.odd[strings.Join(strings.Fields(m[1]), " ")] {
			m = nil
		}
	}
	if m == nil {
		return "", 0
	}
	return strings.Join(strings.Fields(m[1]), " "), len(m[0])
}

// brackets are those of later notations.
var brackets = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// element reads a name in angle brackets, as nameAt finds it, a terminal or the empty word (ε, λ). If the document
// quotes its terminals, it also reads a quoted string, a special sequence, which is prose, or a bracketed group, and
// a class such as [0-9] if the document has any (r.classes, which only such a document sets). Backquotes, curly
// quotes, classes and words without quotes are noticed then. c is what next returned, and not 0: the byte at
// r.offset, which is not yet passed. element panics with the error for a bracket, a string or a class that is wrong,
// and as enter and alternatives do.
func (r *readerNaur) element(c byte) *expr.Expr {
	pos := r.here()
	if name, length := r.nameAt(r.rest()); length > 0 {
		r.offset += length
		return placed(expr.To(name), pos)
	}
	switch {
	case r.quotes && c == '?' && specialAngle().MatchString(r.rest()):
		text := specialAngle().FindString(r.rest())
		r.offset += len(text)
		return placed(expr.To(prose+strings.Join(strings.Fields(strings.Trim(text, "?")), " ")+">"), pos)
	case r.quotes && c == '`' && r.backquotes.find(r.text, "`", r.offset+1) >= 0:
		e := r.quoted()
		r.note().add(curlyNotice, pos, "`"+e.Lit+"`")
		return e
	case r.quotes && (c == '"' || c == '\''):
		return r.quoted()
	case r.quotes && curlyLength(r.rest()) > 0:
		text := r.rest()[:curlyLength(r.rest())]
		r.note().add(curlyNotice, pos, text)
		r.offset += len(text)
		inner, _ := insideQuotes(text)
		return r.literal(inner, pos)
	case c == '[' && r.classes && r.classEnds.find(r.text, "]", r.offset+1) >= 0 && classAngle().MatchString(r.rest()):
		text := classAngle().FindString(r.rest())
		r.note().addChoice(pos,
			"%s is read as a class of characters; elsewhere here brackets hold what may be left out", text)
		r.offset += len(text)
		return r.class(text, pos)
	case r.quotes && brackets[c] != 0:
		r.enter(1)
		e := r.alternatives()
		if r.next() != brackets[c] {
			panic(r.unexpected(`"` + string(brackets[c]) + `", which closes the bracket at ` + pos.String()))
		}
		r.leave(1)
		switch c {
		case '[':
			e = placed(expr.Opt(e), pos)
		case '{':
			e = placed(expr.Times(e, 0, expr.Unbounded), pos)
		}
		return e
	}
	word := r.peekWord()
	r.offset += len(word)
	switch word {
	case "ε", "λ": // how textbooks write the empty word
		return &expr.Expr{Op: expr.Empty, Pos: pos}
	}
	if r.quotes {
		r.note().addChoice(pos, "%s has no quotes, and is read as a terminal", quote(word))
	}
	return r.literal(word, pos)
}

// beginsName reports whether a text begins with a name in angle brackets.
func (r *readerNaur) beginsName(text string) bool {
	_, length := r.nameAt(text)
	return length > 0
}

// peekWord returns the terminal that follows, without consuming it: the text before a blank, a bar or a name, and if
// terminals are quoted before a bracket, a quotation mark or one of *+?;. Its first character is never looked at, so
// that the word is not empty unless the text is.
func (r *readerNaur) peekWord() string {
	rest := r.rest()
	for i, c := range rest {
		switch {
		case i == 0:
		case c <= ' ', c == '|', c == '<' && r.beginsName(rest[i:]), r.quotes &&
			strings.ContainsRune("()[]{}\"'“‘*+?;", c):
			return rest[:i]
		}
	}
	return rest
}
