package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// This file takes the text of a grammar apart. Each notation has a list of patterns, and the first
// pattern that matches where the text stands makes the next token. A text of which no pattern
// matches the beginning is refused.

// A tokenKind is what a token is.
type tokenKind string

const (
	endOfRule    tokenKind = "" // behind the last token of a rule
	blank        tokenKind = "blank"
	partLine     tokenKind = "part"    // the line @ part, with which a part of the text begins
	prefixLine   tokenKind = "prefix"  // the line @ ids, which has the prefix of a part's names
	definesName  tokenKind = "defines" // a name and the sign that defines it
	addsToName   tokenKind = "adds"    // a name and =/
	usesName     tokenKind = "name"
	foreign      tokenKind = "foreign"  // it is in the notation, and not read: a rule with it is refused
	anyCase      tokenKind = "any case" // a text that matches in either case
	exactText    tokenKind = "text"
	values       tokenKind = "values" // %x41.42
	valueRange   tokenKind = "range"  // %x41-5A
	count        tokenKind = "count"  // before an element
	or           tokenKind = "or"
	openParen    tokenKind = "("
	closeParen   tokenKind = ")"
	openBracket  tokenKind = "["
	closeBracket tokenKind = "]"

	// of a PEG
	literal   tokenKind = "literal"
	class     tokenKind = "class"     // of characters
	anyChar   tokenKind = "."         // any character
	suffix    tokenKind = "suffix"    // ? * +
	lookahead tokenKind = "lookahead" // & !
	goCode    tokenKind = "code"      // in braces
)

// A token is a token of a part of the grammar.
type token struct {
	kind   tokenKind
	text   string // what counts of it: of a text, what stands between the quotes
	place  string
	part   int
	values []int // of the bytes of a text, or those that it has
}

// A tokenPattern is how tokens of a kind look. What counts of the token is what the last group in
// parentheses has that takes part in the match, or all of it without one.
type tokenPattern struct {
	kind tokenKind
	form *regexp.Regexp
}

// shape makes a tokenPattern. In the form, names in capitals stand for the fragments below.
func shape(kind tokenKind, form string) tokenPattern {
	return tokenPattern{kind, regexp.MustCompile("^(?:" + fragments.Replace(form) + ")")}
}

// fragments are parts of patterns. Of these, only BRACKETED has groups that count.
var fragments = strings.NewReplacer(
	"ABNF_NAME", `[A-Za-z][0-9A-Za-z_-]*`,
	"822_NAME", `[A-Za-z][0-9A-Za-z+_-]*`,
	"1630_NAME", `[A-Za-z][0-9A-Za-z-]*[0-9A-Za-z]`,
	"PEG_NAME", `[^\x00-@\[-^\x60{-\x7f←⟵][^\x00-/:-@\[-^\x60{-\x7f←⟵]*`,
	"BRACKETED", `(?:<([A-Za-z][0-9A-Za-z_-]*)>|([A-Za-z][0-9A-Za-z_-]*))`, // a name of ABNF, in angle brackets or not
	"PEG_TEXT", "(?:\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`)",
	"HEX", `[[:xdigit:]]+`,
	"EMPTY_LINE", `\n[ \t\f\r]*\n[ \t\f\r]*`,
	"COMMENT", pegComment,
)

// pegComment matches a comment in a PEG, where //{ begins none.
const pegComment = `/\*(?s:.*?)\*/|//(?:[^{\n].*|(?m:$))`

// The lines that begin in @ stand in files of grammars beside the rules.
var headLines = []tokenPattern{
	shape(partLine, `(\n@ part .*)`),
	shape(prefixLine, `(\n@ ids [^ \n]* (?:all|shared)(?m:$))`),
	shape(blank, `(\n@ (?:grammar|title|notation|section|page) .*)`),
}

var countForm = shape(count, `\d*\*\d*|\d+`)

// notations has the patterns of each notation, in the order in which they are tried. "peg" is pigeon's.
var notations = map[string][]tokenPattern{
	// RFC 5234 and RFC 7405, with the bar for the slash.
	"abnf": slices.Concat(headLines, []tokenPattern{
		shape(blank, `\s|;.*`),
		shape(anyCase, `(?:%[iI])?"([^"\n]*)"`),
		shape(exactText, `%[sS]"([^"\n]*)"|<(")>`),
		shape(addsToName, `BRACKETED\s*=/`),
		shape(definesName, `BRACKETED\s*=`),
		shape(usesName, `BRACKETED`),
		shape(foreign, `".*|<[^>\n]*>|#`),
		shape(valueRange, `%[bBdDxX]HEX-HEX`),
		shape(values, `%[bBdDxX]HEX(?:\.HEX)*`),
		countForm,
		shape(or, `[/|]`),
		shape(openParen, `\(`),
		shape(closeParen, `\)`),
		shape(openBracket, `\[`),
		shape(closeBracket, `\]`),
	}),

	// The BNF of RFC 1738, which is that of RFC 822 with a bar: there a slash is the character.
	"rfc822": slices.Concat(headLines, []tokenPattern{
		shape(blank, `\s|;.*`),
		shape(exactText, `"([^"\n]*)"|<(")>|/`),
		shape(definesName, `(822_NAME)\s*=`),
		shape(usesName, `822_NAME`),
		shape(foreign, `".*|<[^>\n]*>|#`),
		countForm,
		shape(or, `\|`),
		shape(openParen, `\(`),
		shape(closeParen, `\)`),
		shape(openBracket, `\[`),
		shape(closeBracket, `\]`),
	}),

	// The BNF of RFC 1630: a production begins behind an empty line, with its name, and characters stand for themselves.
	"rfc1630": slices.Concat([]tokenPattern{
		shape(definesName, `EMPTY_LINE(1630_NAME)(?:[ \t\f\r]|(?m:$))`),
		shape(foreign, `EMPTY_LINE(?:1630_NAME|[!-?A-~])`),
	}, headLines, []tokenPattern{
		shape(foreign, `\n@`),
		shape(blank, `\s`),
		shape(usesName, `1630_NAME`),
		shape(or, `\|`),
		shape(openBracket, `\[`),
		shape(closeBracket, `\]`),
		shape(exactText, `[!-~]`),
	}),

	"peg": {
		shape(goCode, `\{`),                        // the length of the block is that of [codeLength]
		shape(blank, `[\s;]|COMMENT|PEG_NAME\s*:`), // a label means nothing here
		shape(definesName, `(PEG_NAME)\s*PEG_TEXT?\s*(?:<-|=|←|⟵)`),
		shape(usesName, `PEG_NAME`),
		shape(literal, `PEG_TEXTi?`),
		shape(class, `\[(?:[^\]\\\n]|\\.)*\]i?`),
		shape(anyChar, `\.`),
		shape(suffix, `[?*+]`),
		shape(lookahead, `[&!]`),
		shape(or, `/`),
		shape(openParen, `\(`),
		shape(closeParen, `\)`),
		shape(foreign, `[#%]`),
	},
}

// scan returns the token that a text begins with, and its length, which is 0 if no pattern matches.
func scan(notation, text string) (t token, length int) {
	for _, p := range notations[notation] {
		m := p.form.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		t.kind, length = p.kind, m[1]
		for i := 0; i < len(m); i += 2 {
			if m[i] >= 0 {
				t.text = text[m[i]:m[i+1]]
			}
		}
		return t, length
	}
	return t, 0
}

// lex takes a text of a part of the grammar apart. The text begins on this line of a file, which is for places.
func (r *reader) lex(file, text string, line, part int) (list []token) {
	for text != "" {
		r.place = fmt.Sprintf("%s:%d", file, line)
		t, length := scan(r.notation, text)
		r.must(length > 0, "unexpected %q", text[:1])
		t.place, t.part = r.place, part
		switch t.kind {
		case goCode:
			length = codeLength(text)
			r.must(length > 0, "unexpected %q", t.text)
		case anyCase, exactText:
			for _, c := range []byte(t.text) {
				t.values = append(t.values, int(c))
			}
		case values, valueRange:
			t.values = r.numbers(t.text)
		}
		list = append(list, t)
		line += strings.Count(text[:length], "\n")
		text = text[length:]
		if strings.HasPrefix(t.text, "\n@ ") { // such a line is as good as an empty one
			text = "\n" + text
			line--
		}
	}
	return slices.DeleteFunc(list, func(t token) bool { return t.kind == blank })
}

// numbers reads the numbers of a value of ABNF: %x41.42 or %d10-13.
func (r *reader) numbers(text string) (list []int) {
	base := 10
	switch text[1] | 0x20 { // in lower case
	case 'b':
		base = 2
	case 'x':
		base = 16
	}
	for _, s := range strings.FieldsFunc(text[2:], unicode.IsPunct) {
		n, err := strconv.ParseUint(s, base, 31)
		r.must(err == nil, "the value %s", text)
		list = append(list, int(n))
	}
	return list
}

// opaque matches Comment and CodeStringLiteral of pigeon's own grammar, in which braces do not count. Pigeon does not read Go:
// a sign that nothing ends is one like others.
var opaque = regexp.MustCompile("^(?:" + strings.Join([]string{
	pegComment,
	`'(?:\\['\\]|\\?[^'\\][^']*)'`,
	"`[^`]*`",
	`"(?:[^"\\\r\n]|\\[^\r\n])*"`,
}, "|") + ")")

// codeLength returns the length of the Go code in braces that a text begins with, or 0 if no brace
// ends it.
func codeLength(text string) int {
	depth := 0
	for n := 0; n < len(text); {
		switch text[n] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return n + 1
		}
		n += max(1, len(opaque.FindString(text[n:])))
	}
	return 0
}
