package peg

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file decides what the JavaScript in a grammar of peggy can do to a parse. It is no parser
// of JavaScript: it knows a few texts that certainly do no more than return a value, and takes
// every other text for one that may do anything.
//
// The certain texts are the empty one and, in an action,
//
//	return Value ;
//	Value      <- Or ( "?" Value ":" Value )?
//	Or         <- Comparison ( ( "||" / "&&" ) Comparison )* / Comparison ( "??" Comparison )*
//	Comparison <- Unary ( ( "===" / "!==" ) Unary )?
//	Unary      <- "!" Unary / "-"? Number / String / Constant / Label / Call
//	            / "(" Value ")" / "[" Values "]" / "{" Fields "}"
//	Call       <- "text()" / "offset()" / "range()" / Convert "(" ( "text()" / Number / String ) ( "," Number )? ")"
//
// None of them can throw, and none runs code of another's: there is no member access, since null
// has no members and a getter is code; no operator that converts an object; no spread, no
// template, no assignment. A label is a parameter of the function that peggy makes of the action,
// and hides whatever else has its name.
//
// A second question is whether a text is whole: whether its brackets, strings and comments end
// inside of it. Peggy counts braces and nothing else, so that "{ /* }" is a block. A text that is
// not whole becomes part of the code around it, and then it matters to rules that never come to
// it.

// A scriptKind is a kind of token of JavaScript.
type scriptKind uint8

const (
	scriptName scriptKind = iota
	scriptNumber
	scriptString
	scriptTemplate // one piece of its text
	scriptRegexp
	scriptSign
)

// A scriptToken is a token of JavaScript.
type scriptToken struct {
	kind    scriptKind
	text    string // as written; of a name, without its escapes
	escaped bool   // a name is written with an escape
	newLine bool   // a line ends in front of it
}

// is reports whether the token is a sign.
func (t scriptToken) is(sign string) bool { return t.kind == scriptSign && t.text == sign }

// A script is a block of JavaScript as its tokens.
type script struct {
	tokens []scriptToken
	whole  bool // certainly: see above
}

// readScript takes a block apart. What it cannot take apart with certainty it takes apart somehow,
// and the block is not whole.
func readScript(code string) script {
	r := scriptReader{src: code, script: script{whole: true}}
	r.read()
	return r.script
}

// scriptEscapeHere matches [scriptEscape] at the beginning of a text.
var scriptEscapeHere = regexp.MustCompile("^" + scriptEscape.String())

// A scriptReader reads tokens.
type scriptReader struct {
	src string
	off int
	script
	open    []byte // the brackets that are open; condition for the ( of one, '`' for the ${ of a template
	closed  byte   // the bracket that was closed last
	newLine bool   // since the last token
}

// condition marks the bracket after if, while, for or with, which a statement follows.
const condition = 'c'

// scriptSigns are the punctuators of JavaScript that have several characters, the longest first.
var scriptSigns = []string{
	">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
	"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "%=", "&=", "|=", "^=", "<<",
	">>", "**",
}

// read reads all tokens into r.tokens. r.whole becomes false where it is not certain what they are, and if a bracket
// is still open at the end.
func (r *scriptReader) read() {
	for r.off < len(r.src) {
		rest := r.src[r.off:]
		c, n := utf8.DecodeRuneInString(rest)
		switch {
		case strings.HasPrefix(rest, "//"):
			r.lineComment()
		case strings.HasPrefix(rest, "/*"):
			r.blockComment()
		case strings.HasPrefix(rest, "<!--") || strings.HasPrefix(rest, "-->"):
			r.whole = false // a comment in a script, and operators in a module
			r.sign(rest)
		case lineEnd(c):
			r.newLine = true
			r.off += n
		case c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\ufeff' || unicode.Is(unicode.Zs, c):
			r.off += n
		case c == '"' || c == '\'':
			r.quoted(byte(c))
		case c == '`':
			r.off++
			r.template()
		case '0' <= c && c <= '9' || c == '.' && len(rest) > 1 && '0' <= rest[1] && rest[1] <= '9':
			r.number(rest)
		case c == '\\' || c == '_' || c == '$' || c == '#' || c >= utf8.RuneSelf || 'a' <= c && c <= 'z' ||
			'A' <= c && c <= 'Z':
			r.name()
		case c == '/' && r.beginsRegexp():
			r.regexp()
		default:
			r.sign(rest)
		}
	}
	r.whole = r.whole && len(r.open) == 0
}

// add adds a token to r.tokens, and passes n bytes.
func (r *scriptReader) add(kind scriptKind, text string, n int) {
	r.tokens = append(r.tokens, scriptToken{kind: kind, text: text, newLine: r.newLine})
	r.newLine = false
	r.off += n
}

// lineComment skips a comment to the end of the line. If the block ends first, r.whole becomes false: peggy writes the
// brace that closes the function after it.
func (r *scriptReader) lineComment() {
	n := strings.IndexFunc(r.src[r.off:], lineEnd)
	if n < 0 {
		r.whole = false
		n = len(r.src) - r.off
	}
	r.off += n
}

// blockComment skips a comment in /* and */, and notes in r.newLine whether a line ends in it. If the text ends first,
// r.whole becomes false.
func (r *scriptReader) blockComment() {
	comment, _, ended := strings.Cut(r.src[r.off+2:], "*/")
	if !ended {
		r.whole = false
		r.off = len(r.src)
		return
	}
	r.newLine = r.newLine || strings.ContainsFunc(comment, lineEnd)
	r.off += len(comment) + 4
}

// quoted adds a string in quotes to r.tokens. If the line or the text ends before the string, that is the token, and
// r.whole becomes false.
func (r *scriptReader) quoted(quote byte) {
	for i := r.off + 1; i < len(r.src); {
		c, n := utf8.DecodeRuneInString(r.src[i:])
		switch {
		case c == rune(quote):
			r.add(scriptString, r.src[r.off:i+1], i+1-r.off)
			return
		case c == '\n' || c == '\r':
			r.whole = false
			r.add(scriptString, r.src[r.off:i], i-r.off)
			return
		case c == '\\' && i+1 < len(r.src):
			_, n = utf8.DecodeRuneInString(r.src[i+1:])
			if strings.HasPrefix(r.src[i+1:], "\r\n") {
				n = 2
			}
			n++
		}
		i += n
	}
	r.whole = false
	r.add(scriptString, r.src[r.off:], len(r.src)-r.off)
}

// template adds a piece of a template's text to r.tokens, after its ` or the } of an expression in it. A ${ that ends
// the piece is passed, too, and noted in r.open. If the text ends before the template, r.whole becomes false.
func (r *scriptReader) template() {
	for i := r.off; i < len(r.src); i++ {
		switch {
		case r.src[i] == '\\':
			i++
		case r.src[i] == '`':
			r.add(scriptTemplate, r.src[r.off:i], i+1-r.off)
			return
		case strings.HasPrefix(r.src[i:], "${"):
			r.add(scriptTemplate, r.src[r.off:i], i+2-r.off)
			r.open = append(r.open, '`')
			return
		}
	}
	r.whole = false
	r.add(scriptTemplate, r.src[r.off:], len(r.src)-r.off)
}

// number adds the number that rest begins with to r.tokens: letters, digits, "." and "_", and a sign with digits
// after an exponent. That it is a number of JavaScript is not checked.
func (r *scriptReader) number(rest string) {
	n := strings.IndexFunc(rest, func(c rune) bool {
		return c != '.' && c != '_' && (c < '0' || '9' < c) && (c < 'a' || 'z' < c) && (c < 'A' || 'Z' < c)
	})
	if n < 0 {
		n = len(rest)
	}
	exponent := strings.HasSuffix(strings.ToLower(rest[:n]), "e") && !strings.HasPrefix(rest, "0x")
	if exponent && n < len(rest) && (rest[n] == '+' || rest[n] == '-') {
		n++
		for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
			n++
		}
	}
	r.add(scriptNumber, rest[:n], n)
}

// name adds an identifier or a keyword to r.tokens. Any character beyond ASCII is taken for part of one. Escapes in
// it are replaced by their characters. At a \ that begins none it ends, and r.whole becomes false.
func (r *scriptReader) name() {
	var b strings.Builder
	i, escaped := r.off, false
	for i < len(r.src) {
		c, n := utf8.DecodeRuneInString(r.src[i:])
		if c == '\\' {
			escape := scriptEscapeHere.FindString(r.src[i:])
			if escape == "" {
				r.whole = false
				i++ // the backslash belongs to the name, so that read gets on
				break
			}
			v, err := strconv.ParseUint(strings.Trim(escape[2:], "{}"), 16, 32)
			if err != nil || v > unicode.MaxRune {
				v = unicode.ReplacementChar
			}
			b.WriteRune(rune(v))
			escaped = true
			i += len(escape)
			continue
		}
		inName := c == '_' || c == '$' || c == '#' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c &&
			c <= '9' ||
			c >= utf8.RuneSelf && !lineEnd(c) && c != '\ufeff' && !unicode.Is(unicode.Zs, c)
		if !inName {
			break
		}
		b.WriteRune(c)
		i += n
	}
	r.add(scriptName, b.String(), i-r.off)
	r.tokens[len(r.tokens)-1].escaped = escaped
}

// perhapsNames are words that are names or not, and wordsWithValues are no names and have values:
// after these a slash divides.
var (
	perhapsNames    = strings.Fields("of let yield await static async")
	wordsWithValues = strings.Fields("this super null true false arguments eval")
)

// beginsRegexp reports whether a slash here begins a regular expression. After a brace, ++, -- and some words that may
// be names, that is not certain: then it is taken for a division, and r.whole becomes false.
func (r *scriptReader) beginsRegexp() bool {
	if len(r.tokens) == 0 {
		return true
	}
	switch last := r.tokens[len(r.tokens)-1]; last.kind {
	case scriptNumber, scriptString, scriptTemplate, scriptRegexp:
		return false
	case scriptName:
		if last.escaped || slices.Contains(perhapsNames, last.text) {
			r.whole = false
			return false
		}
		if !slices.Contains(scriptWords, last.text) || slices.Contains(wordsWithValues, last.text) {
			return false
		}
		if n := len(r.tokens); n > 1 && (r.tokens[n-2].is(".") || r.tokens[n-2].is("?.")) { // x.return / 2
			return false
		}
		return true
	default:
		switch last.text {
		case "]":
			return false
		case ")":
			return r.closed == condition
		case "}", "++", "--":
			r.whole = false
			return false
		}
		return true
	}
}

// regexp adds a regular expression with its flags to r.tokens. If the line or the text ends before it, that is the
// token, and r.whole becomes false.
func (r *scriptReader) regexp() {
	inClass := false
	for i := r.off + 1; i < len(r.src); i++ {
		switch c := r.src[i]; {
		case c == '\n' || c == '\r':
			r.whole = false
			r.add(scriptRegexp, r.src[r.off:i], i-r.off)
			return
		case c == '\\':
			i++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			for i++; i < len(r.src) && 'a' <= r.src[i] && r.src[i] <= 'z'; {
				i++
			}
			r.add(scriptRegexp, r.src[r.off:i], i-r.off)
			return
		}
	}
	r.whole = false
	r.add(scriptRegexp, r.src[r.off:], len(r.src)-r.off)
}

// sign adds the longest sign that rest begins with to r.tokens, and keeps account of the brackets in r.open and
// r.closed. A } that closes the ${ of a template is no sign: the text of the template goes on after it. At a bracket
// that closes none of its kind, and at an @ or a NUL, r.whole becomes false.
func (r *scriptReader) sign(rest string) {
	// A "?." before a digit is a "?" and a number: a?.5:b.
	text := rest[:1]
	for _, s := range scriptSigns {
		if strings.HasPrefix(rest, s) && !(s == "?." && len(rest) > 2 && '0' <= rest[2] && rest[2] <= '9') {
			text = s
			break
		}
	}
	switch text {
	case "(":
		r.open = append(r.open, r.parenthesis())
	case "[", "{":
		r.open = append(r.open, text[0])
	case ")", "]", "}":
		r.closed = 0
		if len(r.open) > 0 {
			r.closed = r.open[len(r.open)-1]
			r.open = r.open[:len(r.open)-1]
		}
		if text == "}" && r.closed == '`' {
			r.off++
			r.template()
			return
		}
		if !slices.Contains(closedBy[text], r.closed) {
			r.whole = false
		}
	case "@", "\x00":
		r.whole = false
	}
	r.add(scriptSign, text, len(text))
}

// closedBy has what each bracket closes.
var closedBy = map[string][]byte{")": {'(', condition}, "]": {'['}, "}": {'{'}}

// parenthesis returns the entry of r.open for a ( here: condition after if, while, for or with, unless that
// is the name of a member, and else '('.
func (r *scriptReader) parenthesis() byte {
	n := len(r.tokens)
	if n == 0 || r.tokens[n-1].kind != scriptName ||
		!slices.Contains([]string{"if", "while", "for", "with"}, r.tokens[n-1].text) {
		return '('
	}
	if n > 1 && (r.tokens[n-2].is(".") || r.tokens[n-2].is("?.")) { // a method of that name
		return '('
	}
	return condition
}

// fails reports whether the block has words that make a parse fail: throw, or error or expected with a parenthesis
// after it. As members of something else, after a dot, they do not count; as keys of an object they do.
func (s script) fails() bool {
	for i, t := range s.tokens {
		if t.kind != scriptName || i > 0 && (s.tokens[i-1].is(".") || s.tokens[i-1].is("?.")) {
			continue
		}
		isCalled := i+1 < len(s.tokens) && s.tokens[i+1].is("(")
		if t.text == "throw" || isCalled && (t.text == "error" || t.text == "expected") {
			return true
		}
	}
	return false
}

// misuses returns a name of the parser that the block uses in a way that nobody can vouch for, or
// "". Input may be read from, and error and expected may be called. As values they can be assigned
// to, or go by another name. Labels are the names that mean something else in the block.
func (s script) misuses(labels []string) string {
	for i, t := range s.tokens {
		if t.kind != scriptName || slices.Contains(labels, t.text) {
			continue
		}
		var before, behind scriptToken
		if i > 0 {
			before = s.tokens[i-1]
		}
		if i+1 < len(s.tokens) {
			behind = s.tokens[i+1]
		}
		// As a member of something else, or the key of an object, the name is no variable.
		member := before.is(".") || before.is("?.")
		key := (before.is("{") || before.is(",")) && behind.is(":")
		if member || key {
			continue
		}
		switch t.text {
		case "input":
			if !behind.is(".") && !behind.is("?.") && !behind.is("[") {
				return t.text
			}
		case "error", "expected":
			declares := before.kind == scriptName && before.text == "function"
			if !behind.is("(") || declares {
				return t.text
			}
		}
	}
	return ""
}

// returns reports whether the block certainly does no more than return a value: see the beginning
// of the file. The labels are the parameters of its function.
func (s script) returns(labels []string) bool {
	if len(s.tokens) == 0 {
		return s.whole
	}
	v := scriptValue{tokens: s.tokens, labels: labels}
	if !s.whole || !v.word("return") {
		return false
	}
	if v.atEnd() || v.sign(";") {
		return v.atEnd()
	}
	if v.tokens[0].newLine { // JavaScript returns nothing then, and goes on with a statement
		return false
	}
	if !v.value() {
		return false
	}
	v.sign(";")
	return v.atEnd()
}

// scriptValue reads a value by the grammar at the beginning of the file. Each method reports
// whether it has read what it is called for; after false, nothing more is asked.
type scriptValue struct {
	tokens []scriptToken // that are left
	labels []string
	depth  int
}

// maxScriptDepth bounds the nesting of values that are looked into.
const maxScriptDepth = 200

// atEnd reports whether all tokens are read.
func (v *scriptValue) atEnd() bool { return len(v.tokens) == 0 }

// sign skips a sign and reports true if it stands here; otherwise nothing is skipped.
func (v *scriptValue) sign(text string) bool {
	if v.atEnd() || !v.tokens[0].is(text) {
		return false
	}
	v.tokens = v.tokens[1:]
	return true
}

// word skips a word, written without escapes, and reports true if it stands here; otherwise nothing is skipped.
func (v *scriptValue) word(text string) bool {
	if v.atEnd() || v.tokens[0].kind != scriptName || v.tokens[0].escaped || v.tokens[0].text != text {
		return false
	}
	v.tokens = v.tokens[1:]
	return true
}

// value reads a value, which may be a conditional a ? b : c, and reports whether one stands here that certainly does
// nothing else. It reports false, too, for one nested deeper than maxScriptDepth.
func (v *scriptValue) value() bool {
	if v.depth++; v.depth > maxScriptDepth {
		return false
	}
	defer func() { v.depth-- }()
	if !v.logical() {
		return false
	}
	if v.sign("?") {
		return v.value() && v.sign(":") && v.value()
	}
	return true
}

// logical reads comparisons with || and && between them, or with ??, which JavaScript does not let stand side by
// side. It reports whether they could be read.
func (v *scriptValue) logical() bool {
	if !v.comparison() {
		return false
	}
	if v.sign("??") {
		for {
			if !v.comparison() {
				return false
			}
			if !v.sign("??") {
				return !v.at("||") && !v.at("&&")
			}
		}
	}
	for v.sign("||") || v.sign("&&") {
		if !v.comparison() {
			return false
		}
	}
	return !v.at("??")
}

// at reports whether a sign stands here. It skips nothing.
func (v *scriptValue) at(sign string) bool { return !v.atEnd() && v.tokens[0].is(sign) }

// comparison reads an operand, or two with === or !== between them. Like every method here, it only passes over them,
// and reports whether they could be read; it compares nothing.
func (v *scriptValue) comparison() bool {
	if !v.unary() {
		return false
	}
	if v.sign("===") || v.sign("!==") {
		return v.unary()
	}
	return true
}

// unary reads a primary or a negative number, after any number of !, and reports whether one stands here.
func (v *scriptValue) unary() bool {
	for v.sign("!") {
	}
	if v.sign("-") {
		return v.number()
	}
	return v.primary()
}

// primary reads a literal, an array, an object, a label, a value in parentheses, or a call of a function that
// certainly only returns a value. It reports whether one of these stands here.
func (v *scriptValue) primary() bool {
	switch {
	case v.atEnd():
		return false
	case v.sign("("):
		return v.value() && v.sign(")")
	case v.sign("["):
		return v.list("]", v.value)
	case v.sign("{"):
		return v.list("}", v.field)
	case v.number(), v.string():
		return true
	}
	t := v.tokens[0]
	if t.kind != scriptName || t.escaped {
		return false
	}
	v.tokens = v.tokens[1:]
	if slices.Contains(v.labels, t.text) { // first, since a label hides the names below
		return true
	}
	switch t.text {
	case "true", "false", "null", "undefined", "NaN", "Infinity":
		return true
	case "text", "offset", "range":
		return v.sign("(") && v.sign(")")
	case "parseInt", "parseFloat", "Number", "String", "Boolean":
		if !v.sign("(") || !v.plain() {
			return false
		}
		if v.sign(",") && !v.number() {
			return false
		}
		return v.sign(")")
	}
	return false
}

// plain reads text(), a number or a string, which are converted without running code, and reports whether one stands
// here. A label named text is no text().
func (v *scriptValue) plain() bool {
	if !slices.Contains(v.labels, "text") && v.word("text") {
		return v.sign("(") && v.sign(")")
	}
	return v.number() || v.string()
}

// list reads elements, separated by commas, to the closing sign, and reports whether it could. There may be none, and
// a comma may stand before the closing sign. element reads one.
func (v *scriptValue) list(closing string, element func() bool) bool {
	for !v.sign(closing) {
		if !element() {
			return false
		}
		if !v.sign(",") {
			return v.sign(closing)
		}
	}
	return true
}

// field reads a field of an object, a label alone included, and reports whether one stands here that certainly does
// nothing. The key __proto__ is no field, nor is a string as a key with "_" or a backslash in it.
func (v *scriptValue) field() bool {
	if v.depth++; v.depth > maxScriptDepth || v.atEnd() {
		return false
	}
	defer func() { v.depth-- }()
	switch t := v.tokens[0]; {
	case t.kind == scriptName && (t.escaped || t.text == "__proto__" || strings.HasPrefix(t.text, "#")):
		return false
	case t.kind == scriptName:
		v.tokens = v.tokens[1:]
		if !v.at(":") {
			return slices.Contains(v.labels, t.text)
		}
	case t.kind == scriptString && strings.ContainsAny(t.text, `_\\`):
		return false
	case !v.string() && !v.number():
		return false
	}
	return v.sign(":") && v.value()
}

// number skips a number that [plainNumber] takes and reports true if one stands here; otherwise nothing is skipped.
func (v *scriptValue) number() bool {
	if v.atEnd() || v.tokens[0].kind != scriptNumber || !plainNumber(v.tokens[0].text) {
		return false
	}
	v.tokens = v.tokens[1:]
	return true
}

// plainNumber reports whether a number is decimal, or hexadecimal after 0x, and neither an old octal (017) nor a
// bigint (1n). A number that is too large for a float64 counts, too.
func plainNumber(s string) bool {
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		return hex != "" && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
	}
	if strings.Trim(s, "0123456789.eE+-") != "" || len(s) > 1 && s[0] == '0' && s[1] != '.' && s[1] != 'e' &&
		s[1] != 'E' {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil || strings.Contains(err.Error(), "out of range")
}

// string skips a string whose escapes are those that every JavaScript takes and reports true if one stands here;
// otherwise nothing is skipped.
func (v *scriptValue) string() bool {
	if v.atEnd() || v.tokens[0].kind != scriptString {
		return false
	}
	s := v.tokens[0].text // ends with its closing quote, so that a character follows each backslash
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		i++
		digits := 0
		switch s[i] {
		case 'x':
			digits = 2
		case 'u':
			digits = 4
		case '\\', '\'', '"', '/', 'b', 'f', 'n', 'r', 't', 'v':
		default:
			return false
		}
		if i+digits >= len(s) || strings.Trim(s[i+1:i+1+digits], "0123456789abcdefABCDEF") != "" {
			return false
		}
	}
	v.tokens = v.tokens[1:]
	return true
}
