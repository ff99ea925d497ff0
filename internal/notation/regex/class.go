package regex

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// escape reads what follows a "\" outside of a class.
func (p *parser) escape(at int) (n *node, repeatable bool) {
	if !p.more() {
		p.fail(at, "a \\ at the end")
	}
	c := p.src[p.i]
	anchor := func(n *node) (*node, bool) { return n, p.repeatsAnchors() }
	if c < utf8.RuneSelf && strings.ContainsRune(p.d.anchors, c) {
		p.i++
		p.ends = p.ends || p.Flavour == "ruby" && (c == 'z' || c == 'Z')
		switch c {
		case 'A', 'G', '`':
			return anchor(p.caret(false))
		case 'z', '\'':
			return anchor(p.end())
		case 'Z':
			if p.Flavour == "python" {
				return anchor(p.end())
			}
			return anchor(p.dollar(false))
		}
		word := p.types('w')
		if p.Flavour == "go" || p.Flavour == "ruby" {
			f := p.flags
			p.fold, p.unicode = false, p.Flavour == "ruby" && !p.ascii
			if word = p.types('w'); p.unicode { // of Ruby
				word = word.Or(latinNumbers)
			}
			p.flags = f
		}
		if n = boundary(word, c == 'B'); c == '<' || c == '>' {
			n = seq(behind(one(word), c == '<'), ahead(one(word), c == '>'))
		}
		if p.Flavour == "python" { // neither matches in the empty string
			n = seq(alt(behind(one(p.any()), false), ahead(one(p.any()), false)), n)
		}
		return anchor(n)
	}
	switch {
	case c == 'R' && strings.ContainsRune(p.d.types, 'R'):
		p.i++
		if p.Flavour == "pcre" {
			p.assume(`pcre: \R is read as documented; auto-possessification of PCRE2 10.42 errs where \s follows \R?`)
		}
		return &node{op: opAtomic, sub: []*node{alt(seq(one(cr), one(newline)), one(vertical.And(p.any())))}}, true
	case c == 'K' && (p.Flavour == "pcre" || p.Flavour == "ruby"):
		p.i++
		return &node{op: opEmpty}, p.repeatsAnchors()
	case c == 'X' && (p.Flavour == "pcre" || p.Flavour == "ruby"), c == 'C' && (p.Flavour == "pcre" || p.Flavour == "go"):
		p.refuse(at, "\\%c is not supported", c)
	case c == 'g' && (p.Flavour == "pcre" || p.Flavour == "ruby"):
		p.i++
		for _, q := range []string{"<>", "''"} {
			if p.next(q[:1]) {
				return p.callEscape(at, q[1:]), true
			}
		}
		p.refuse(at, "a backreference is not regular")
	case p.Flavour == "java" && strings.ContainsRune("bBNRX", c): // of \b, words changed with Java 19; \R{2} differs from \R\R
		p.refuse(at, "\\%c is not supported", c)
	case c == 'k' && (p.Flavour == "java" || p.Flavour == "pcre" || p.Flavour == "ruby" || p.Flavour == "js" && (p.unicode || p.namedGroups())):
		p.refuse(at, "a backreference is not regular")
	case '1' <= c && c <= '9' && p.Flavour != "go":
		p.backreference(at)
	}
	if p.Flavour == "ruby" && p.fold && (c == 'p' || c == 'P') {
		s, not := p.property()
		return one(p.classFolded(at, p.typeMembers(s, false), not)), true
	}
	if s, ok := p.typeEscape(); ok {
		// Only here, where the escape stands by itself: in a class it does not have these.
		if p.Flavour == "ruby" && p.unicode && c == 'w' {
			s = s.Or(latinNumbers)
		} else if p.Flavour == "ruby" && p.unicode && c == 'W' {
			s = s.And(latinNumbers.Not(p.last))
		}
		return one(s), true
	}
	return p.character(at, p.symbol(at, false)), true
}

// callEscape reads what follows "\g<".
func (p *parser) callEscape(at int, mark string) *node {
	name := p.until(mark, "the call")
	n := &node{op: opCall, name: name, at: at}
	digits := strings.TrimLeft(name, "+-")
	if digits != "" && strings.Trim(digits, "0123456789") == "" && len(digits) < 9 {
		n.name = ""
		for _, c := range digits {
			n.group = 10*n.group + int(c-'0')
		}
		switch name[0] {
		case '+':
			n.group += p.count
		case '-':
			n.group = p.count + 1 - n.group
		}
		if n.group < 0 {
			p.fail(at, "there is no group `%s`", name)
		}
		if p.Flavour == "ruby" && p.namedGroups() && n.group > 0 {
			p.fail(at, "a call by number where groups have names")
		}
	}
	return p.call(n)
}

// backreference refuses one, or returns if the digits to come are the number of a character.
func (p *parser) backreference(at int) {
	start := p.i
	v, n := p.number(10, 9)
	p.i = start
	groups := p.captures()
	octal := func(most int) bool {
		defer func() { p.i = start }()
		_, n := p.number(8, most)
		return n == most
	}
	switch {
	case p.Flavour == "js" && !p.unicode && int(v) > groups:
		return
	case p.Flavour == "python" && n >= 3 && octal(3):
		return
	case p.Flavour == "python", p.Flavour == "js":
		if int(v) > groups {
			p.fail(at, "there is no group %d", v)
		}
	}
	p.refuse(at, "a backreference is not regular")
}

// captures counts the groups of the whole expression.
func (p *parser) captures() (n int) {
	class := false
	for i := 0; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '(' && !class:
			if i+1 >= len(p.src) || p.src[i+1] != '?' || i+3 < len(p.src) && (p.src[i+2] == 'P' && p.src[i+3] == '<' || p.src[i+2] == '<' && p.src[i+3] != '=' && p.src[i+3] != '!') {
				n++
			}
		}
	}
	return n
}

// typeEscape reads an escape for a class, behind its "\".
func (p *parser) typeEscape() (s set, ok bool) {
	c := p.src[p.i]
	switch {
	case (c == 'p' || c == 'P') && p.d.props && (p.Flavour != "js" || p.unicode):
		start := p.i
		s, not := p.property()
		if p.Flavour == "go" && p.Unicode.Version == runes.OfGo {
			return p.goProperty(`\` + string(p.src[start:p.i])), true
		}
		return p.typed(s, not), true
	case c == 'N' && p.Flavour == "pcre":
		if p.i++; p.sees("{") {
			p.refuse(p.offset(), "\\N{...} is not supported")
		}
		return newline.Not(p.last), true
	case c < utf8.RuneSelf && strings.ContainsRune(p.d.types, c) && c != 'R':
		p.i++
		return p.types(c), true
	}
	return nil, false
}

var (
	digits     = of('0', '9')
	word       = of('0', '9', 'A', 'Z', '_', '_', 'a', 'z')
	xdigits    = of('0', '9', 'A', 'F', 'a', 'f')
	horizontal = of(9, 9, ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000)
	vertical   = of(0x0a, 0x0d, 0x85, 0x85, 0x2028, 0x2029)
)

// latinNumbers are superscripts and fractions that Ruby 3.1 takes for letters or digits in \b, and in \w by itself under the flag
// u; neither in a class nor in [[:word:]].
var latinNumbers = of(0xb2, 0xb3, 0xb9, 0xb9, 0xbc, 0xbe)

// twins are the characters that have one full case mapping with another, and no simple one. Ruby takes the two for the same
// where they stand alone, and not in a class.
var twins = of(0x390, 0x390, 0x3b0, 0x3b0, 0x1fd3, 0x1fd3, 0x1fe3, 0x1fe3, 0xfb05, 0xfb06)

// micro has the micro sign and the letters that are the same where case is ignored.
var micro = of(0xb5, 0xb5, 0x39c, 0x39c, 0x3bc, 0x3bc)

// types returns the class of an escape, \d say.
func (p *parser) types(c rune) (s set) {
	if p.mixed { // re._compiler compiles what a match may begin with by the flags of the whole expression
		p.refuse(p.at[max(p.i-2, 0)], "\\%c in a group with the flag a or u: Python 3.11 looks for it without that flag where a match begins", c)
	}
	wide := p.unicode && p.Flavour != "js"
	switch unicode.ToLower(c) {
	case 'd':
		s = digits
		if wide {
			s = p.Unicode.Table("Nd")
		}
	case 'w':
		s = word
		if wide {
			s = p.Unicode.Table("L", "N").Or(word)
			if p.Flavour == "ruby" {
				s = p.Unicode.Table("L", "M", "Nd", "Nl", "Pc", "Other_Alphabetic")
			}
		}
		if p.strict() && p.fold {
			s = p.folded(s)
		}
	case 's':
		s = p.d.space
		if p.d.spaceTable != "" {
			s = s.Or(p.Unicode.Table(p.d.spaceTable))
		}
		switch {
		case p.Flavour == "python" && !p.unicode:
			s = chars("\t\n\v\f\r ")
		case p.Flavour == "pcre" && wide:
			s = horizontal.Or(vertical, p.Unicode.Table("Z"))
		case p.Flavour == "ruby" && wide:
			s = p.Unicode.Table("White_Space")
		}
	case 'h':
		s = horizontal
		if p.Flavour == "ruby" {
			s = xdigits
		}
	case 'v':
		s = vertical
	}
	p.tables = p.tables || len(s) > 0 && s[len(s)-1].Hi >= utf8.RuneSelf
	return p.typed(s, unicode.IsUpper(c))
}

// typed returns the class of an escape as it is, or what is not in it.
func (p *parser) typed(s set, not bool) set {
	if p.d.foldTypes == foldBefore {
		s = p.folded(s)
	}
	if s = s.And(p.any()); not {
		s = s.Not(p.last)
	}
	if p.d.foldTypes == foldAfter {
		s = p.folded(s)
	}
	return s
}

// property reads \p{...}, behind the "\", and reports whether it is negated.
func (p *parser) property() (s set, not bool) {
	at := p.offset() - 1
	not = p.src[p.i] == 'P'
	p.i++
	if p.ascii && p.Flavour == "ruby" {
		p.refuse(at, "a property under the flag a is not supported")
	}
	name := ""
	switch {
	case p.next("{"):
		name = p.until("}", "the property")
	case p.more() && (p.Flavour == "go" || p.Flavour == "pcre" || p.Flavour == "java"):
		name = string(p.src[p.i])
		p.i++
	default:
		if p.Flavour == "ruby" {
			p.refuse(at, "\\%c without { is not supported", p.src[p.i-1])
		}
		p.fail(at, "a property needs { and }")
	}
	p.tables = true
	if p.Flavour == "go" {
		if _, err := syntax.Parse(p.Text[at:p.offset()], syntax.Perl); err != nil {
			p.fail(at, "%v", err)
		}
	}
	full := name
	if (p.Flavour == "go" || p.Flavour == "pcre" || p.Flavour == "ruby") && strings.HasPrefix(name, "^") {
		not, name = !not, name[1:]
	}
	s, ok := p.propertySet(name)
	if !ok {
		p.refuse(at, "the property `%s` is not supported", full)
	}
	if not && p.Flavour == "js" && p.sets && p.fold && !strings.Contains(name, "=") {
		// ECMAScript folds a property and then negates it. V8 11.3 does otherwise for some that are yes or no (Lowercase,
		// ASCII, Math and more), so that no reading of these is right in every engine. It agrees on general categories.
		if _, general := p.Unicode.Category(name); !general {
			p.refuse(at, "\\P{%s} with the flags i and v is not supported: engines differ", full)
		}
	}
	return s, not
}

// goProperty returns what Go's own parser makes of \p{...}. Where case is ignored it adds what package unicode has for the name in
// FoldCategory and FoldScript, which is less than all that is the same: nothing for \p{LC}.
func (p *parser) goProperty(text string) set {
	f := syntax.Perl
	if p.fold {
		f |= syntax.FoldCase
	}
	re, err := syntax.Parse(text, f)
	switch {
	case err != nil: // which property has excluded
		return nil
	case re.Op == syntax.OpLiteral: // of a property of one character, \p{Zl}
		return p.folded(of(re.Rune[0], re.Rune[0]))
	case re.Op == syntax.OpAnyChar:
		return p.any()
	}
	return of(re.Rune...)
}

func (p *parser) propertySet(name string) (set, bool) {
	switch p.Flavour {
	case "go":
		if name == "Any" {
			return p.any(), true
		}
		if s, ok := p.Unicode.Category(name); ok {
			return s, true
		}
		return p.Unicode.Script(name)
	case "pcre":
		switch name {
		case "Any":
			return p.any(), true
		case "L&":
			return p.Unicode.Table("Lu", "Ll", "Lt"), true
		case "Xan":
			return p.Unicode.Table("L", "N"), true
		case "Xwd":
			return p.Unicode.Table("L", "N").Or(chars("_")), true
		case "Xsp", "Xps":
			return horizontal.Or(vertical, p.Unicode.Table("Z")), true
		}
		if len(name) > 2 {
			return nil, false
		}
		return p.Unicode.Category(name)
	case "java":
		if p.fold && slices.Contains([]string{"Lower", "Upper", "Ll", "Lt", "Lu", "IsLl", "IsLt", "IsLu"}, name) {
			return nil, false
		}
		if slices.Contains(strings.Fields("ASCII Alnum Alpha Blank Cntrl Digit Graph Lower Print Punct Space Upper XDigit"), name) {
			return p.posixSet(strings.ToLower(name))
		}
		name, is := strings.CutPrefix(name, "Is")
		if s, ok := p.Unicode.Script(name); is && ok {
			return s, true
		}
		if len(name) > 2 {
			return nil, false
		}
		return p.Unicode.Category(name)
	case "ruby":
		if strings.EqualFold(name, "punct") { // [[:punct:]] has signs of ASCII besides
			return p.Unicode.Table("P"), true
		}
		if s, ok := p.posixSet(strings.ToLower(name)); ok {
			return s, true
		}
		if strings.EqualFold(name, "any") {
			return p.any(), true
		}
		for _, script := range p.Unicode.Scripts() {
			if strings.EqualFold(script, name) {
				return p.Unicode.Script(script)
			}
		}
		if len(name) == 2 {
			name = strings.ToUpper(name[:1]) + strings.ToLower(name[1:])
		}
		return p.Unicode.Category(name)
	}
	return p.Unicode.Property(name)
}

// posixSet returns the class with a POSIX name.
func (p *parser) posixSet(name string) (s set, ok bool) {
	if p.Flavour == "ruby" {
		alpha := p.Unicode.Table("L", "Nl", "Other_Alphabetic")
		graph := p.Unicode.Table("White_Space", "Cc", "Cs", "Cn").Not(p.last)
		s, ok = map[string]set{
			"alpha": alpha, "alnum": alpha.Or(p.Unicode.Table("Nd")), "digit": p.Unicode.Table("Nd"), "xdigit": xdigits, "cntrl": p.Unicode.Table("Cc"),
			"upper": p.Unicode.Table("Lu", "Other_Uppercase"), "lower": p.Unicode.Table("Ll", "Other_Lowercase"), "ascii": of(0, 0x7f),
			"space": p.Unicode.Table("White_Space"), "blank": p.Unicode.Table("Zs").Or(chars("\t")), "punct": p.Unicode.Table("P").Or(chars("$+<=>^`|~")),
			"word": alpha.Or(p.Unicode.Table("M", "Nd", "Pc")), "graph": graph, "print": graph.Or(p.Unicode.Table("Zs")),
		}[name]
		p.tables = p.tables || ok
		return s, ok
	}
	s, ok = map[string]set{
		"alpha": of('A', 'Z', 'a', 'z'), "alnum": of('0', '9', 'A', 'Z', 'a', 'z'), "digit": digits, "xdigit": xdigits, "cntrl": of(0, 0x1f, 0x7f, 0x7f),
		"upper": of('A', 'Z'), "lower": of('a', 'z'), "ascii": of(0, 0x7f), "space": chars("\t\n\v\f\r "), "blank": chars("\t "),
		"punct": of('!', '/', ':', '@', '[', '`', '{', '~'), "word": word, "graph": of('!', '~'), "print": of(' ', '~'),
	}[name]
	return s, ok
}

// symbol reads the escape of one symbol, behind its "\".
func (p *parser) symbol(at int, class bool) rune {
	c := p.src[p.i]
	p.i++
	if p.Flavour == "posix" {
		return c
	}
	if i := strings.IndexRune("abefnrtv", c); i >= 0 && strings.ContainsRune(p.d.controls, c) || c == 'b' && class && p.Flavour != "go" && p.Flavour != "java" {
		return rune("\a\b\x1b\f\n\r\t\v"[i])
	}
	hex := func(least, most int) rune {
		start := p.i
		v, n := p.number(16, most)
		if n < least {
			if p.Flavour == "js" && !p.unicode {
				p.i = start
				return c
			}
			p.fail(at, "\\%c needs %d hexadecimal digits", c, least)
		}
		return p.value(at, v)
	}
	braces := func(base rune) rune {
		v, n := p.number(base, 1<<30)
		if n == 0 || !p.next("}") {
			p.refuse(at, "one number was expected in the braces")
		}
		return p.value(at, v)
	}
	if c == 'k' && class && p.Flavour == "js" && p.namedGroups() {
		p.fail(at, "\\k in a class of an expression in which groups have names")
	}
	letter := func() bool { return p.more() && unicode.IsLetter(p.src[p.i]) && p.src[p.i] < utf8.RuneSelf }
	switch {
	case c == 'x' && (p.Flavour == "go" || p.Flavour == "pcre" || p.Flavour == "java") && p.next("{"):
		return braces(16)
	case c == 'x' && (p.Flavour == "pcre" || p.Flavour == "ruby"):
		least := 1
		if p.Flavour == "pcre" {
			least = 0
		}
		v := hex(least, 2)
		if p.Flavour == "ruby" && v >= utf8.RuneSelf {
			p.refuse(at, "a byte of a character is not supported")
		}
		return v
	case c == 'x':
		return hex(2, 2)
	case c == 'u' && p.Flavour == "python" && p.last != lastByte:
		return hex(4, 4)
	case c == 'U' && p.Flavour == "python" && p.last != lastByte:
		return hex(8, 8)
	case c == 'u' && (p.Flavour == "ruby" || p.strict()) && p.next("{"):
		return braces(16)
	case c == 'u' && (p.Flavour == "js" || p.Flavour == "ruby" || p.Flavour == "java"):
		v := hex(4, 4)
		if start := p.i; p.last == lastPoint && p.Flavour != "ruby" && v >= 0xd800 && v < 0xdc00 && p.next(`\u`) {
			if low, n := p.number(16, 4); n == 4 && low >= 0xdc00 && low < 0xe000 {
				return 0x10000 + (v-0xd800)<<10 + low - 0xdc00
			}
			p.i = start
		}
		if p.Flavour == "java" {
			return p.value(at, v)
		}
		return v
	case c == 'o' && p.Flavour == "pcre" && p.next("{"):
		return braces(8)
	case c == 'c' && p.Flavour == "js":
		if letter() || class && !p.unicode && p.more() && word.Has(p.src[p.i]) {
			p.i++
			return p.src[p.i-1] & 0x1f
		}
		if p.unicode {
			p.fail(at, "\\c needs a letter")
		}
		p.i--
		return '\\'
	case c == 'c' && p.Flavour == "java" && p.more() && p.src[p.i] < 0x7f && p.src[p.i] != '\\': // \Q is found before anything else
		p.i++
		return p.src[p.i-1] ^ 0x40
	case c == 'c' && p.Flavour == "pcre" && p.more() && p.src[p.i] > ' ' && p.src[p.i] < 0x7f:
		p.i++
		return unicode.ToUpper(p.src[p.i-1]) ^ 0x40
	case c == 'c' && p.Flavour == "ruby" && letter():
		p.i++
		return p.src[p.i-1] & 0x1f
	case c == 'c' && p.Flavour != "python" && p.Flavour != "go", (c == 'C' || c == 'M') && p.Flavour == "ruby":
		p.refuse(at, "this \\%c is not supported", c)
	case c >= '0' && c <= '9':
		return p.octal(at)
	}
	switch alnum := word.Has(c) && c != '_'; {
	case p.strict():
		if !strings.ContainsRune(`^$\.*+?()[]{}|/`, c) && !(c == '-' && class) {
			p.fail(at, "\\%c is no escape", c)
		}
	case c == 'N' && p.Flavour == "python" && p.sees("{"):
		p.refuse(at, "\\N{...} is not supported")
	case alnum && (p.Flavour == "python" || p.Flavour == "pcre" || p.Flavour == "java"):
		p.fail(at, "\\%c is no escape", c)
	case c >= utf8.RuneSelf && p.Flavour == "pcre" && p.last == lastByte:
		p.refuse(at, "a \\ before a character that is no byte")
	}
	return c
}

// octal reads \012, whose first digit was passed.
func (p *parser) octal(at int) rune {
	p.i--
	c := p.src[p.i]
	most := 3
	switch {
	case p.Flavour == "js" && p.unicode:
		if p.i++; c != '0' || p.more() && digit(p.src[p.i]) < 10 {
			p.fail(at, "\\%c is no escape", c)
		}
		return 0
	case p.Flavour == "js" && c > '3':
		most = 2
	case p.Flavour == "java": // behind a 0
		if p.i++; c != '0' || !p.more() || digit(p.src[p.i]) >= 8 {
			p.fail(at, "\\%c is no escape", c)
		}
		if p.src[p.i] > '3' {
			most = 2
		}
	}
	if c >= '8' {
		if p.Flavour == "js" {
			p.i++
			return c
		}
		p.refuse(at, "\\%c is not supported here", c)
	}
	v, _ := p.number(8, most)
	if v > 0o377 {
		if p.Flavour == "go" {
			return v
		}
		p.refuse(at, "an octal number above 377")
	}
	if p.Flavour == "ruby" && v >= utf8.RuneSelf {
		p.refuse(at, "a byte of a character is not supported")
	}
	return v
}

// value checks the number of a symbol.
func (p *parser) value(at int, v rune) rune {
	half := v >= 0xd800 && v <= 0xdfff && p.last == lastPoint
	if half && (p.Flavour == "java" || p.Flavour == "go") {
		p.refuse(at, "half of a surrogate pair is not supported")
	}
	if v > p.last || half && p.Flavour != "js" && p.Flavour != "python" {
		p.fail(at, "%X is the number of no character", v)
	}
	return v
}

// class reads a class behind its "[", which is at an offset.
func (p *parser) class(at int) *node {
	if p.Flavour == "pcre" && (p.sees(":") || p.sees(".") || p.sees("=")) && p.posixSyntax() {
		p.fail(at, "[%c...%c] stands in a class only, as in [[%c...%c]]", p.src[p.i], p.src[p.i], p.src[p.i], p.src[p.i])
	}
	if p.sets {
		negated := p.sees("^")
		n := one(p.setClass(at))
		n.once = negated
		n.at, n.end = at, p.offset()
		return n
	}
	m, not := p.classMembers(at)
	var n *node
	if c := m.all; p.Flavour == "ruby" && !not && len(c) == 1 && c[0].Lo == c[0].Hi { // it is read as the character
		n = p.character(at, c[0].Lo)
		n.alone = true
	} else {
		n = one(p.classFolded(at, m, not))
	}
	n.at, n.end = at, p.offset()
	return n
}

// setClass reads a class of the flag v behind its "[": what is joined, or operands between && or between --.
func (p *parser) setClass(at int) (s set) {
	if p.depth++; p.depth > maxDepth {
		p.refuse(at, "classes are nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	not := p.next("^")
	if not && p.sees("]") { // of V8 11.3, [^]{2} matches one character
		p.refuse(at, "[^] with the flag v is not supported")
	}
	between, ranges := "", false
	for n := 0; !p.next("]"); n++ {
		from, sign := p.offset(), ""
		for _, o := range []string{"&&", "--"} {
			if p.next(o) {
				sign = o
			}
		}
		if n == 1 {
			between = sign
		}
		t, isRange := p.setOperand(at)
		if ranges = ranges || isRange; sign != between || ranges && between != "" {
			p.fail(from, "the parts of a class are joined, or stand between && or --, and these are no ranges")
		}
		switch sign {
		case "&&":
			s = s.And(t)
		case "--":
			if p.fold { // V8 11.3 has there what ECMAScript takes away
				p.refuse(from, "-- where case is ignored is not supported")
			}
			s = s.And(t.Not(p.last))
		default:
			s = s.Or(t)
		}
	}
	if not {
		s = s.Not(p.last)
	}
	return s
}

// setOperand reads a part of a class of the flag v, and reports whether it is a range.
func (p *parser) setOperand(class int) (s set, isRange bool) {
	from := p.offset()
	symbol := func() rune {
		if !p.more() {
			p.fail(class, "the class is not closed by ]")
		}
		const double = "&!#$%*+,.:;<=>?@^`~"
		c := p.src[p.i]
		switch p.i++; {
		case c == '\\' && p.sees("q{"):
			p.refuse(from, "\\q{...} is not supported")
		case c == '\\' && p.more() && strings.ContainsRune("&-!#%,:;<=>@`~", p.src[p.i]):
			p.i++
			return p.src[p.i-1]
		case c == '\\' && p.more():
			return p.symbol(from, true)
		case strings.ContainsRune(`()[]{}/-\|`, c), strings.ContainsRune(double, c) && p.sees(string(c)):
			p.fail(from, "`%c` needs a \\ before it", c)
		}
		return c
	}
	if p.next("[") {
		return p.setClass(from), false
	}
	if p.sees(`\`) && p.i+1 < len(p.src) {
		p.i++
		if s, ok := p.typeEscape(); ok {
			if len(s) == 0 { // of V8 11.3, [\P{Any}] ends the process
				p.refuse(from, "a property that no character has is not supported in a class with the flag v")
			}
			return s, false
		}
		p.i--
	}
	lo := symbol()
	hi := lo
	if p.sees("-") && !p.sees("--") {
		p.i++
		if hi = symbol(); hi < lo {
			p.fail(from, "a range from %U to %U", lo, hi)
		}
		isRange = true
	}
	return p.folded(of(lo, hi)), isRange
}

// Members are what stands in a class, before case is ignored. Ruby lets some have another case beyond ASCII.
type members struct{ all, cross set }

func (m members) or(n members) members { return members{m.all.Or(n.all), m.cross.Or(n.cross)} }

// classFolded returns the set of a class, in which case may be ignored.
func (p *parser) classFolded(at int, m members, not bool) set {
	s := m.all
	if p.Flavour == "ruby" && p.fold {
		ascii := of(0, 0x7f)
		rest := ascii.Not(p.last)
		more := p.folded(s.And(ascii)).And(ascii).Or(p.folded(s.And(rest)).And(rest), p.folded(s.And(m.cross)))
		s = s.Or(more.And(of(0x80, 0xff).Not(p.last))) // which Ruby adds to those of one byte, and so never reads
		if !not && len(s.And(folded)) > 0 || len(s.And(twins)) > 0 {
			p.refuse(at, "a class with a character that is several in another case")
		}
	}
	if not {
		s = s.Not(p.last)
	}
	return s
}

// classMembers reads a class behind its "[", and reports whether it is negated.
func (p *parser) classMembers(at int) (m members, not bool) {
	if p.depth++; p.depth > maxDepth {
		p.refuse(at, "classes are nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	not = p.next("^")
	single := set{} // symbols and ranges, whose case may be ignored
	var types, both members
	meets := false // both has what stands before &&
	all := func() members {
		s := single.Clean()
		m := types.or(members{s, s})
		if p.Flavour != "ruby" {
			m = members{all: p.folded(s).Or(types.all)}
		}
		if meets {
			m = members{m.all.And(both.all), m.cross.And(both.cross)}
		}
		return m
	}
	first := true
	for ; ; first = false {
		if !p.more() {
			p.fail(at, "the class is not closed by ]")
		}
		from := p.offset()
		switch {
		case p.Flavour == "posix" && !first && p.sees("-") && !p.sees("-]"):
			p.fail(from, "a - that is not at the beginning or the end of a class")
		case p.sees("]") && first && p.Flavour == "ruby":
			p.refuse(from, "a ] at the beginning of a class")
		case p.sees("]") && (!first || p.d.emptySet):
			p.i++
			return all(), not
		case p.d.nested && p.next("&&"):
			if p.Flavour == "java" && (first || meets || p.sees("&") || p.sees("]")) {
				p.refuse(from, "this use of && in a class is not supported")
			}
			both, single, types, meets = all(), nil, members{}, true
			continue
		case p.Flavour == "java" && p.extended && strings.ContainsRune(ignored, p.src[p.i]):
			p.refuse(from, "what is ignored in a class is not supported")
		}
		lo, t, isType := p.classAtom(from)
		if isType {
			types = types.or(t)
			if p.sees("-") && !p.sees("-]") {
				switch {
				case p.strict(), p.Flavour == "python", p.Flavour == "pcre":
					p.fail(from, "a class cannot begin a range")
				case p.Flavour == "ruby", p.Flavour == "java" && p.src[p.i-1] == 'v':
					p.refuse(from, "a - behind a class")
				case p.Flavour == "js":
					single = append(single, span{Lo: '-', Hi: '-'})
					p.i++
					if p.more() {
						if lo, t, isType := p.classAtom(p.offset()); isType {
							types = types.or(t)
						} else {
							single = append(single, span{Lo: lo, Hi: lo})
						}
					}
				}
			}
			continue
		}
		hi := lo
		if p.Flavour == "ruby" && p.sees("-[") {
			p.refuse(p.offset(), "a - before [ in a class is not supported")
		}
		if p.Flavour == "java" && p.sees("-&&") { // Java reads a range to the first & there
			p.refuse(p.offset(), "a - before && in a class is not supported")
		}
		if p.sees("-") && !p.sees("-]") && p.i+1 < len(p.src) && !(p.d.nested && (p.sees("-[") || p.sees("-&&"))) {
			if p.i++; p.Flavour == "java" && p.extended && strings.ContainsRune(ignored, p.src[p.i]) {
				p.refuse(p.offset(), "what is ignored in a class is not supported")
			}
			hi, t, isType = p.classAtom(p.offset())
			if isType {
				if p.Flavour != "js" || p.unicode {
					if p.Flavour == "ruby" || p.Flavour == "java" && p.src[p.i-1] == 'v' {
						p.refuse(from, "a class at the end of a range")
					}
					p.fail(from, "a class cannot end a range")
				}
				types = types.or(t)
				single = append(single, span{Lo: lo, Hi: lo}, span{Lo: '-', Hi: '-'})
				continue
			}
			if hi < lo {
				p.fail(from, "a range from %U to %U", lo, hi)
			}
		}
		single = append(single, span{Lo: lo, Hi: hi})
	}
}

// classAtom reads a symbol of a class, or a class in it.
func (p *parser) classAtom(at int) (c rune, m members, isType bool) {
	c = p.src[p.i]
	p.i++
	switch {
	case c == '[' && p.d.posix && p.sees(":"):
		if p.Flavour == "pcre" && !p.posixSyntax() {
			break
		}
		if end := strings.Index(string(p.src[p.i:min(len(p.src), p.i+20)]), ":]"); end > 0 {
			p.i++
			name := p.until(":]", "the class")
			not := strings.HasPrefix(name, "^")
			s, ok := p.posixSet(strings.TrimPrefix(name, "^"))
			if p.Flavour == "posix" && (not || name == "ascii" || name == "word") {
				p.fail(at, "there is no class [:%s:]", name)
			}
			if !ok || p.ascii || p.unicode && p.Flavour == "pcre" || p.Flavour == "pcre" && p.fold && (strings.HasSuffix(name, "upper") || strings.HasSuffix(name, "lower")) {
				p.refuse(at, "the class [:%s:] is not supported", name)
			}
			return 0, p.typeMembers(p.typed(s, not), strings.HasSuffix(name, "word") || strings.HasSuffix(name, "ascii")), true
		}
		if p.Flavour != "go" {
			p.refuse(at, "[: in a class")
		}
	case c == '[' && (p.Flavour == "pcre" || p.Flavour == "posix") && (p.sees(".") || p.sees("=")):
		if p.Flavour == "pcre" && !p.posixSyntax() {
			break
		}
		p.refuse(at, "this kind of class is not supported")
	case c == '[' && p.d.nested:
		m, not := p.classMembers(at)
		if not {
			m = members{m.all.Not(p.last), m.cross.Not(p.last)}
		}
		return 0, m, true
	case c == '\\' && p.Flavour != "posix":
		if !p.more() {
			p.fail(at, "a \\ at the end")
		}
		if p.Flavour == "pcre" && (p.sees("Q") || p.sees("E") || p.sees("g") || p.sees("N{")) || p.Flavour == "ruby" && (p.sees("R") || p.sees("X")) || p.Flavour == "java" && (p.sees("Q") || p.sees("N")) {
			p.refuse(at, "\\%c in a class is not supported", p.src[p.i])
		}
		if p.Flavour == "pcre" && (p.sees("B") || p.sees("R") || p.sees("X") || p.sees("N")) {
			p.fail(at, "\\%c in a class", p.src[p.i])
		}
		if p.Flavour == "python" && p.src[p.i] >= '8' && p.src[p.i] <= '9' {
			p.fail(at, "\\%c is no escape", p.src[p.i])
		}
		c := p.src[p.i]
		if s, ok := p.typeEscape(); ok {
			return 0, p.typeMembers(s, c == 'w' || c == 'W'), true
		}
		return p.symbol(at, true), members{}, false
	}
	return c, members{}, false
}

// posixSyntax reports whether [: or [. or [=, whose "[" was passed, has its end, as PCRE2 looks for it (check_posix_syntax): before
// another such beginning, and before a ] that no \ precedes.
func (p *parser) posixSyntax() bool {
	mark := p.src[p.i]
	for i := p.i + 1; i+1 < len(p.src); i++ {
		switch c, next := p.src[i], p.src[i+1]; {
		case c == '\\' && (next == ']' || next == '\\'):
			i++
		case c == '[' && next == mark, c == ']':
			return false
		case c == mark && next == ']':
			return true
		}
	}
	return false
}

// typeMembers returns the members of an escape or a class with a name; of words and of ASCII Ruby lets none cross.
func (p *parser) typeMembers(s set, words bool) members {
	if ascii := of(0, 0x7f); words || slices.Equal(s, ascii) || slices.Equal(s, ascii.Not(p.last)) {
		return members{all: s}
	}
	return members{s, s}
}
