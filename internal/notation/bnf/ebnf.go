package bnf

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// EBNF is the notation of the specifications of the World Wide Web Consortium (Extensible Markup Language 1.0,
// section 6):
//
//	production   = name "::=" alternatives
//	alternatives = alternative *( "|" alternative )
//	alternative  = 1*item / item "-" item              ; what the first derives and the second does not
//	item         = element [ "?" / "*" / "+" ]
//	element      = name / literal / "#x" 1*HEXDIG / class / "(" alternatives ")"
//	literal      = %x22 *character %x22 / "'" *character "'"       ; exactly as written
//	class        = "[" [ "^" ] 1*( character [ "-" character ] ) "]"
//
// Values are code points. A class that begins with "^" holds the other characters of the production Char, where the
// document has one that derives single characters, as XML does, and otherwise all other code points. "/*" begins a
// comment, "[ wfc:" and "[ vc:" a remark; a number in brackets may stand before a production. Of a page of HTML the
// text is read.
const EBNF = "ebnf"

func init() { // readers call each other through the table
	notations[EBNF] = notation{
		production: readProductionEBNF, right: readRightEBNF, split: splitEBNF, codePoints: true,
		inDocuments: true,
	}
	marksOf[EBNF] = []string{"ebnf", "w3c-ebnf", "xml-ebnf"}
}

// HasEBNF reports whether a document has a production of [EBNF] in it.
func HasEBNF(src []byte) bool { return beginsEBNF().Match(src) }

var (
	beginsEBNF  = pattern(`(?:^|[\s\x{a0}])(?:\[[0-9]+[a-z]?\][\s\x{a0}]*)?([A-Za-z_][0-9A-Za-z_-]*)[\s\x{a0}]*::=`)
	commentEBNF = pattern(`(?s)(?:^|[^'"])(/\*.*?\*/)`)
	remarkEBNF  = pattern(`^\[\s*(?i:wfc|vc|ns[cw]|gc)\s*:[^]]*\]`)
	// The beginning of a line that defines a name in another notation.
	definesOtherwise = pattern(`(?m)^[ \t]*((?:<[^<>\n]+>|[A-Za-z_][\w-]*)[ \t\n]*(?::=|=>?|->|→|⇒)|<[^<>\n]+>[ \t]*:)`)

	directiveEBNF = pattern(`^\s*@(?:terminals|pass)\b`) // of the tool that W3C's editors use
)

// splitEBNF takes a document apart into its productions. It finds them by their "::=": each ends where the next
// begins, at a directive, at a form feed or, on a page of HTML, at a boundary (see textOfHTML). What looks like a
// production between a proseEBNF and the next tableEBNF is prose, and passed over, and so is all that stands before
// the first. The lines that n.Lines excludes are blanked first, unless n has from, and comments are not searched.
// n.state.names is set to all names before a "::=", those in prose as well. splitEBNF fails for a text that has no
// "::=" and is not blank.
//
// If n.Tokens is set, the expressions of @pass come last, or n.Pass in their place, and @terminals, or else the
// heading of a page, sets terminals of the outline. Otherwise each directive is noticed. Except on a page, a
// definition in another notation before the first production is noticed, too.
func splitEBNF(file string, lines []string, n reading) (*outline, error) {
	if lines = slices.Clone(lines); n.from == nil {
		lines = n.Lines.Of(lines)
	}
	// The directives first. Each is replaced by a boundary, at which the production above it ends.
	terminals, passes := 0, []printed(nil)
	for i, line := range lines {
		at := expr.Pos{File: file, Line: i + 1, Col: 1}
		switch m := directivePass().FindString(line); {
		case !directiveEBNF().MatchString(line):
			continue
		case !n.Tokens:
			n.note().addf(n.from.place(at), "%s is not read without --tokens", quote(strings.TrimSpace(line)))
		case m == "":
			terminals = n.from.place(at).Line
		case n.Pass == "":
			at.Col = len(m) + 1
			passes = append(passes, printed{text: line[len(m):], pos: at, from: n.from})
		}
		lines[i] = tableEBNF
	}
	if n.Tokens && n.Pass != "" {
		passes = []printed{{text: n.Pass, pos: expr.Pos{File: "--pass", Line: 1, Col: 1}}}
	}
	text := strings.Join(lines, "\n")
	from, isPage := n.from, IsPage(file, []byte(text))
	if from == nil && isPage {
		page := newFileText(file, text)
		var origin []origin
		lines, origin = textOfHTML(page).lines(page, len(text))
		text, from = strings.Join(lines, "\n"), &origins{lines: origin, main: page}
	}
	l := &outline{notation: EBNF, parts: []*part{{}}, terminals: terminals}
	if n.state != nil {
		n.state.names = map[string]bool{}
	}
	if m := headingTerminals().FindStringIndex(text); m != nil && n.Tokens && terminals == 0 {
		l.terminals = printed{text: text, pos: expr.Pos{File: file, Line: 1, Col: 1}, from: from}.at(m[1] - 1).Line
	}
	plain := []byte(text) // the text with its comments blanked, so that none of them looks like a production
	for _, m := range commentEBNF().FindAllStringSubmatchIndex(text, -1) {
		copy(plain[m[2]:], blanked(text[m[2]:m[3]]))
	}
	whole := printed{text: text, pos: expr.Pos{File: file, Line: 1, Col: 1}, from: from}.indexed()
	begins := beginsEBNF().FindAllSubmatchIndex(plain, -1)
	if at := strings.TrimSpace(string(plain)); len(begins) == 0 && at != "" {
		return nil, expr.Errorf(expr.Pos{File: file, Line: 1, Col: 1},
			`expected productions such as "name ::= expression"`)
	}
	if len(begins) > 0 && !isPage { // on a page prose stands before the productions, and in a text lines of other kinds
		if m := definesOtherwise().FindSubmatchIndex(plain[:begins[0][0]]); m != nil {
			n.note().leaveOut(whole.at(m[2]), "what stands here is not read: no \"::=\" defines a name in it")
		}
	}
	looked, inProse := 0, false // by the last boundary of the text that was looked at, what follows is prose
	for i, m := range begins {
		if n.state != nil {
			n.state.names[text[m[2]:m[3]]] = true
		}
		end := len(text)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		if k := strings.IndexAny(text[m[1]:end], tableEBNF+proseEBNF); k >= 0 {
			end = m[1] + k
		}
		if k := strings.LastIndexAny(text[looked:m[2]], tableEBNF+proseEBNF); k >= 0 {
			inProse = text[looked+k:looked+k+1] == proseEBNF
		}
		if looked = m[2]; inProse {
			continue // prose that looks like a production
		}
		p := printed{
			part: l.parts[0], text: strings.TrimRight(text[m[2]:end], " \t\n\u00a0"), pos: whole.inText(m[2]),
			from: from,
		}
		l.productions = append(l.productions, p.indexed())
	}
	l.blocks = blocksOf(l.productions)
	for _, p := range passes {
		p.part, p.pass = l.parts[0], true
		l.productions = append(l.productions, p.indexed())
	}
	return l, nil
}

// A readerEBNF reads one production, or one right-hand side.
type readerEBNF struct{ descent }

// readProductionEBNF reads one production, a name, "::=" and alternatives; p must begin with the first two. The
// right-hand side of "@pass" has no name in the text, and gets passName. After an error made has at most the name.
func readProductionEBNF(p printed, n reading) (made production, err error) {
	defer made.inError(&err)
	defer expr.Catch(&err)
	r := &readerEBNF{descent{reading: n, printed: p}}
	if p.pass {
		return production{name: passName, right: r.whole()}, nil
	}
	made.name = p.text[:span(p.text, isNameByte)]
	r.offset = strings.Index(p.text, "::=") + len("::=")
	made.right = r.whole()
	return made, nil
}

// readRightEBNF reads a right-hand side without a name.
func readRightEBNF(p printed, n reading) (e *expr.Expr, err error) {
	defer expr.Catch(&err)
	return (&readerEBNF{descent{reading: n, printed: p}}).whole(), nil
}

// whole reads alternatives up to the end of the text, and panics with the error if something else follows.
func (r *readerEBNF) whole() *expr.Expr {
	e := r.alternatives()
	if r.offset < len(r.text) {
		panic(r.unexpected(`a name, a literal, a character, a class, "(", "|" or the end of the production`))
	}
	return e
}

// skip goes past blanks, no-break spaces among them, comments that are closed, and remarks in brackets, as remarkEBNF
// has them.
func (r *readerEBNF) skip() {
	for r.offset < len(r.text) {
		rest := r.text[r.offset:]
		switch {
		case strings.IndexByte(" \t\n\r\v\f", rest[0]) >= 0:
			r.offset++
		case strings.HasPrefix(rest, "\u00a0"):
			r.offset += len("\u00a0")
		case strings.HasPrefix(rest, "/*") && strings.Contains(rest[2:], "*/"): // "/*/" only begins a comment
			r.offset += len("/*") + strings.Index(rest[2:], "*/") + len("*/")
		case rest[0] == '[' && remarkEBNF().MatchString(rest):
			r.offset += len(remarkEBNF().FindString(rest))
		default:
			return
		}
	}
}

// next goes past blanks, comments and remarks, and returns the byte that follows, 0 at the end. It does not consume it.
func (r *readerEBNF) next() byte {
	if r.skip(); r.offset < len(r.text) {
		return r.text[r.offset]
	}
	return 0
}

// unexpected returns the error of [descent.unexpected], except before an unclosed comment: that is named.
func (r *readerEBNF) unexpected(expected string) error {
	if strings.HasPrefix(r.rest(), "/*") {
		return expr.Errorf(r.here(), "unexpected unclosed comment; expected %s", expected)
	}
	return r.descent.unexpected(expected)
}

// alternatives reads one or more alternatives with "|" between them, up to ")" or the end. It panics as alternative
// does.
func (r *readerEBNF) alternatives() *expr.Expr {
	var alts []*expr.Expr
	for {
		e := r.alternative()
		if alts = append(alts, e); r.next() != '|' {
			return expr.Or(alts...)
		}
		r.offset++
	}
}

// alternative reads a sequence up to "|", ")" or the end, or an exclusion A - B. The exclusion becomes a reference
// named minus with both sides as its Sub, which exclude replaces when all rules are known. It panics with the error
// where other elements stand next to an exclusion without parentheses, and as item does, which wants an element.
func (r *readerEBNF) alternative() *expr.Expr {
	var seq []*expr.Expr
	r.skip()
	from := r.offset
	for {
		e := r.item()
		seq = append(seq, e)
		switch c := r.next(); {
		case c == 0 || c == '|' || c == ')':
			return expr.Cat(seq...)
		case c == '-' && len(seq) > 1:
			panic(expr.Errorf(r.at(r.offset),
				`unexpected "-" behind several elements; write what excludes and what is excluded in parentheses`))
		case c == '-':
			pos := r.at(from)
			r.offset++
			not := r.item()
			if c := r.next(); c != 0 && c != '|' && c != ')' {
				panic(r.unexpected(`"|", ")" or the end of the production behind an exclusion, which has parentheses beside other elements`))
			}
			text := inOneLine(EBNF, r.text[from:r.offset]) // for messages
			return &expr.Expr{Op: expr.Ref, Name: minus, Lit: text, Sub: []*expr.Expr{e, not}, Pos: pos}
		}
	}
}

// item reads an element and any number of the quantifiers ?, + and * after it. It panics as element does.
func (r *readerEBNF) item() *expr.Expr {
	e := r.element()
	for {
		least, most := 0, expr.Unbounded
		switch r.next() {
		case '?':
			most = 1
		case '+':
			least = 1
		case '*':
		default:
			return e
		}
		e = placed(expr.Times(e, least, most), e.Pos)
		r.offset++
	}
}

// element goes past blanks and reads a group, a quoted string, as keyword has it, a character such as #x41, a class
// or a name. It panics with the error for anything else or if nothing follows, and as enter, quoted, character and
// class do.
func (r *readerEBNF) element() *expr.Expr {
	c := r.next()
	pos, rest := r.at(r.offset), r.text[r.offset:]
	switch {
	case c == '(':
		r.enter(1)
		e := r.alternatives()
		if r.next() != ')' {
			panic(r.unexpected(`")", which closes the bracket at ` + pos.String()))
		}
		r.leave(1)
		return e
	case c == '\'' || c == '"':
		return r.keyword(c, r.quoted())
	case c == '#' && !strings.HasPrefix(rest, "#x"):
		panic(expr.Errorf(pos, "unexpected %s; expected hexadecimal digits behind #x", quote(firstWord(rest))))
	case c == '#':
		x := r.character()
		return r.set(runes.Of(x, x), rest[:len(rest)-len(r.text[r.offset:])], pos)
	case c == '[':
		return r.class()
	case isNameByte(c) && c != '-' && !isDigit(c):
		n := span(rest, isNameByte)
		r.offset += n
		return placed(expr.To(rest[:n]), pos)
	}
	panic(r.unexpected(`a name, a literal, a character such as #x41, a class or "("`))
}

// character reads "#x41", or the character itself. It panics with a refusal for a value above r.last(), which is 255
// or the last code point, and with an error for a character above it, for "#x" without digits, for a byte that is not
// UTF-8 and at the end of the text.
func (r *readerEBNF) character() rune {
	rest := r.text[r.offset:]
	if strings.HasPrefix(rest, "#x") {
		n := span(rest[2:], isHexDigit)
		x, err := strconv.ParseUint(rest[2:2+n], 16, 32)
		switch most := uint64(r.last()); {
		case n == 0:
			panic(expr.Errorf(r.at(r.offset), "unexpected %s; expected hexadecimal digits behind #x",
				quote(firstWord(rest))))
		case err != nil || x > most:
			panic(expr.Refusef(r.at(r.offset), "unexpected value %s; expected one up to #x%X", quote(rest[:2+n]), most))
		}
		r.offset += 2 + n
		return rune(x)
	}
	x, size := utf8.DecodeRuneInString(rest)
	if x == utf8.RuneError && size < 2 || x > r.last() {
		panic(r.unexpected("a character, or its value such as #x41"))
	}
	r.offset += size
	return x
}

// quotedEBNF matches a literal among the words in brackets.
var quotedEBNF = pattern(`"[^"\n]+"|'[^'\n]+'`)

// holdsElements reports whether the brackets of a class are likely to hold elements that may be left out, as in other
// notations. They are if they have words besides quoted literals, and the document defines all of these as names.
// They also are if a character stands there twice, which no class needs, and neither a range nor #x does. text is the
// class with its brackets; ranges are its ranges in the order of the text.
func (r *readerEBNF) holdsElements(text string, ranges runes.Set) bool {
	words := strings.FieldsFunc(quotedEBNF().ReplaceAllString(text[1:len(text)-1], " "),
		func(c rune) bool { return strings.ContainsRune(" \t|", c) })
	isUndefined := func(w string) bool { return !r.state.names[w] }
	if r.state != nil && len(words) > 0 && !slices.ContainsFunc(words, isUndefined) {
		return true
	}
	seen := map[rune]bool{}
	twice := false
	for _, s := range ranges {
		if s.Lo != s.Hi {
			return false
		}
		twice = twice || seen[s.Lo]
		seen[s.Lo] = true
	}
	return twice && !strings.Contains(text, "#x")
}

// class reads a class such as [a-z] or [^"], from the bracket at the offset past the closing one. It panics with the
// error if the class is not closed on its line, if a range ends below its beginning, and as character does. A "]"
// that comes first is a character. The result of [^"] is a difference, as allBut returns it. Brackets without "^"
// that more likely hold elements are noticed.
func (r *readerEBNF) class() *expr.Expr {
	from, pos := r.offset, r.at(r.offset)
	r.offset++
	not := strings.HasPrefix(r.text[r.offset:], "^")
	if not {
		r.offset++
	}
	var ranges runes.Set
	for {
		rest := r.text[r.offset:]
		switch {
		case rest == "" || rest[0] == '\n':
			panic(expr.Errorf(pos, "unclosed %s; a class ends on its line, with a ]", quote(r.text[from:r.offset])))
		case rest[0] == ']' && len(ranges) > 0: // before any range, a "]" is a character
			r.offset++
			text := r.text[from:r.offset]
			if !not && r.holdsElements(text, ranges) { // before set puts them in order
				r.note().add(optionNotice, pos, text)
			}
			e := r.set(ranges, text, pos)
			if not {
				e = r.allBut(e, text, pos)
			}
			return e
		}
		lo := r.character()
		hi := lo
		if rest := r.text[r.offset:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			r.offset++
			at := r.at(r.offset)
			hi = r.character()
			if hi < lo {
				panic(expr.Errorf(at, "unexpected end of a range below its beginning"))
			}
		}
		ranges = append(ranges, runes.Span{Lo: lo, Hi: hi})
	}
}
