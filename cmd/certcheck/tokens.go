package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// This file splits the text of a grammar into tokens. Each notation has a list of patterns; the
// first that matches at the current offset makes the next token. If none matches, the text is
// refused.

// A tokenKind is the kind of a token.
type tokenKind string

const (
	endOfRule    tokenKind = "" // a sentinel after the last token of a rule
	blank        tokenKind = "blank"
	partLine     tokenKind = "part"    // "@ part ...", which begins a part of the file
	prefixLine   tokenKind = "prefix"  // "@ ids PREFIX all" or "... shared", see [reader.idOf]
	definesName  tokenKind = "defines" // a name with the sign that defines it
	addsToName   tokenKind = "adds"    // a name with =/
	usesName     tokenKind = "name"
	foreign      tokenKind = "foreign"  // valid in the notation, but a rule that has it is refused
	anyCase      tokenKind = "any case" // a quoted text that ignores case
	exactText    tokenKind = "text"     // a quoted text, or a character that stands for itself
	values       tokenKind = "values"   // %x41.42
	valueRange   tokenKind = "range"    // %x41-5A
	count        tokenKind = "count"    // 1*4 before an element
	or           tokenKind = "or"
	openParen    tokenKind = "("
	closeParen   tokenKind = ")"
	openBracket  tokenKind = "["
	closeBracket tokenKind = "]"

	// In a PEG only:
	literal   tokenKind = "literal"
	class     tokenKind = "class" // of characters: [a-z]
	anyChar   tokenKind = "."
	suffix    tokenKind = "suffix"    // ? * +
	lookahead tokenKind = "lookahead" // & !
	goCode    tokenKind = "code"      // a block of Go code in braces
)

// A token is a token of a grammar.
type token struct {
	kind   tokenKind
	text   string // the content: of a quoted text, what stands between the quotes
	place  string // file and line
	part   int    // of the file; -1 in an assumption about a name that the file does not define
	values []int  // of a text, its bytes; of values or a range, the numbers
}

// A tokenPattern describes the tokens of one kind. The text of a token is the last group in
// parentheses that takes part in the match or, if none does, the whole match.
type tokenPattern struct {
	kind tokenKind
	form *regexp.Regexp
}

// pattern compiles a tokenPattern. In form, names in capitals stand for the fragments below.
func pattern(kind tokenKind, form string) tokenPattern {
	return tokenPattern{kind, regexp.MustCompile("^(?:" + fragments.Replace(form) + ")")}
}

// fragments are named parts of patterns. Only BRACKETED contains capturing groups: the name of an
// ABNF production, with or without angle brackets.
var fragments = strings.NewReplacer(
	"822_NAME", `[A-Za-z][0-9A-Za-z+_-]*`,
	"1630_NAME", `[A-Za-z][0-9A-Za-z-]*[0-9A-Za-z]`,
	"PEG_NAME", `[^\x00-@\[-^\x60{-\x7f←⟵][^\x00-/:-@\[-^\x60{-\x7f←⟵]*`,
	"BRACKETED", `(?:<([A-Za-z][0-9A-Za-z_-]*)>|([A-Za-z][0-9A-Za-z_-]*))`,
	"PEG_TEXT", "(?:\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`)",
	"HEX", `[[:xdigit:]]+`,
	"EMPTY_LINE", `\n[ \t\f\r]*\n[ \t\f\r]*`,
	"COMMENT", pegComment,
)

// pegComment matches a comment in a PEG. In pigeon, //{ begins no comment but a recovery
// expression.
const pegComment = `/\*(?s:.*?)\*/|//(?:[^{\n].*|(?m:$))`

// atLines matches the lines in a grammar file that begin with @. They say where its text comes
// from, and how its parts and names are called.
var atLines = []tokenPattern{
	pattern(partLine, `(\n@ part .*)`),
	pattern(prefixLine, `(\n@ ids [^ \n]* (?:all|shared)(?m:$))`),
	pattern(blank, `(\n@ (?:grammar|title|notation|section|page) .*)`),
}

// repeatCount matches the count before an element: 3, 1*, *4, 2*4 or *.
var repeatCount = pattern(count, `\d*\*\d*|\d+`)

// notations has the patterns of each notation, in the order in which they are tried. The notation
// of "peg" is pigeon's.
var notations = map[string][]tokenPattern{
	// RFC 5234 and RFC 7405; a bar may stand for the slash.
	"abnf": slices.Concat(atLines, []tokenPattern{
		pattern(blank, `\s|;.*`),
		pattern(anyCase, `(?:%[iI])?"([^"\n]*)"`),
		pattern(exactText, `%[sS]"([^"\n]*)"|<(")>`),
		pattern(addsToName, `BRACKETED\s*=/`),
		pattern(definesName, `BRACKETED\s*=`),
		pattern(usesName, `BRACKETED`),
		pattern(foreign, `".*|<[^>\n]*>|#`),
		pattern(valueRange, `%[bBdDxX]HEX-HEX`),
		pattern(values, `%[bBdDxX]HEX(?:\.HEX)*`),
		repeatCount,
		pattern(or, `[/|]`),
		pattern(openParen, `\(`),
		pattern(closeParen, `\)`),
		pattern(openBracket, `\[`),
		pattern(closeBracket, `\]`),
	}),

	// The BNF of RFC 1738: that of RFC 822, but alternatives are separated by a bar, and a slash is a
	// literal.
	"rfc822": slices.Concat(atLines, []tokenPattern{
		pattern(blank, `\s|;.*`),
		pattern(exactText, `"([^"\n]*)"|<(")>|/`),
		pattern(definesName, `(822_NAME)\s*=`),
		pattern(usesName, `822_NAME`),
		pattern(foreign, `".*|<[^>\n]*>|#`),
		repeatCount,
		pattern(or, `\|`),
		pattern(openParen, `\(`),
		pattern(closeParen, `\)`),
		pattern(openBracket, `\[`),
		pattern(closeBracket, `\]`),
	}),

	// The BNF of RFC 1630: a production begins after an empty line, with its name and no sign that
	// defines it. Most characters stand for themselves.
	"rfc1630": slices.Concat([]tokenPattern{
		pattern(definesName, `EMPTY_LINE(1630_NAME)(?:[ \t\f\r]|(?m:$))`),
		pattern(foreign, `EMPTY_LINE(?:1630_NAME|[!-?A-~])`),
	}, atLines, []tokenPattern{
		pattern(foreign, `\n@`),
		pattern(blank, `\s`),
		pattern(usesName, `1630_NAME`),
		pattern(or, `\|`),
		pattern(openBracket, `\[`),
		pattern(closeBracket, `\]`),
		pattern(exactText, `[!-~]`),
	}),

	"peg": {
		pattern(goCode, `\{`),                        // the block is as long as [codeLength] says
		pattern(blank, `[\s;]|COMMENT|PEG_NAME\s*:`), // a label has no effect on matching
		pattern(definesName, `(PEG_NAME)\s*PEG_TEXT?\s*(?:<-|=|←|⟵)`),
		pattern(usesName, `PEG_NAME`),
		pattern(literal, `PEG_TEXTi?`),
		pattern(class, `\[(?:[^\]\\\n]|\\.)*\]i?`),
		pattern(anyChar, `\.`),
		pattern(suffix, `[?*+]`),
		pattern(lookahead, `[&!]`),
		pattern(or, `/`),
		pattern(openParen, `\(`),
		pattern(closeParen, `\)`),
		pattern(foreign, `[#%]`),
	},
}

// scan matches the token at the beginning of a text, by the first pattern that fits. It returns the
// token, with only its kind and text set, and the length of the match, which is 0 if no pattern
// matches. Of a block of Go code it matches the opening brace alone: codeLength finds its end.
func scan(notation, text string) (t token, length int) {
	for _, p := range notations[notation] {
		m := p.form.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		t.kind, length = p.kind, m[1]
		// The pairs in m are the ends of the whole match and of each group, or -1.
		for i := 0; i < len(m); i += 2 {
			if m[i] >= 0 {
				t.text = text[m[i]:m[i+1]]
			}
		}
		return t, length
	}
	return t, 0
}

// lex splits a text into tokens, and drops blanks. The text begins at the given line of a file. The
// tokens get the given part. It sets r.place, and fails where no token begins, at Go code that is not
// closed, and at a value that is too large.
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
			t.values = r.parseValues(t.text)
		}
		list = append(list, t)
		line += strings.Count(text[:length], "\n")
		text = text[length:]
		// A line with @ separates rules, as an empty line does: put a line feed in its place. The one
		// at its beginning, which was counted, is read again.
		if strings.HasPrefix(t.text, "\n@ ") {
			text = "\n" + text
			line--
		}
	}
	return slices.DeleteFunc(list, func(t token) bool { return t.kind == blank })
}

// parseValues returns the numbers in a value or range of ABNF, such as %x41.42 or %d10-13. It fails
// for a number of 1<<31 or more.
func (r *reader) parseValues(text string) (list []int) {
	base := 10
	switch strings.ToLower(text[1:2]) {
	case "b":
		base = 2
	case "x":
		base = 16
	}
	for _, s := range strings.FieldsFunc(text[2:], unicode.IsPunct) {
		n, err := strconv.ParseUint(s, base, 31)
		r.must(err == nil, "the value %s", text)
		list = append(list, int(n))
	}
	return list
}

// commentOrString matches Comment and CodeStringLiteral of pigeon's own grammar, in which braces do
// not count. Pigeon does not parse Go: a quote that is never closed is a character like any other.
var commentOrString = regexp.MustCompile("^(?:" + strings.Join([]string{
	pegComment,
	`'(?:\\['\\]|\\?[^'\\][^']*)'`,
	"`[^`]*`",
	`"(?:[^"\\\r\n]|\\[^\r\n])*"`,
}, "|") + ")")

// codeLength returns the length of the block of Go code that a text begins with, both braces
// included, or 0 if the block is never closed.
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
		n += max(1, len(commentOrString.FindString(text[n:])))
	}
	return 0
}
