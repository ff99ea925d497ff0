package regex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// flags are the modes that a part of an expression is read in.
type flags struct {
	fold      bool // i
	multiline bool // m: ^ and $ also match at newlines
	dotAll    bool // s
	extended  bool // x
	doubled   bool // xx: blanks and tabs are ignored in classes too
	atEnd     bool // D of PHP: $ does not match before a newline that ends the input
	lazy      bool // U: quantifiers are lazy unless marked
	noCapture bool // n: ( ) does not capture
	ascii     bool // \b is ASCII's
	unicode   bool // \w and the like are Unicode's; for js the flag u
	mixed     bool // Python: a or u was set by a group, and differs from the whole expression
}

// A parser parses one expression into the Regex that it embeds. In its methods, at is the offset in the text of what
// is being read, for messages. A method that reads stops the parser by a panic, which expr.Catch turns into an error:
// by fail at what the engine takes for an error, and by refuse at what is not read here. Methods that read characters
// or classes, or add the other cases of some, note in usesTables and sawWide what they saw, also where their comments
// do not say so.
type parser struct {
	*Regex
	src          []rune         // the symbols of the expression
	at           []int          // the offset in the text of each symbol, and of the end
	index        int            // of the next symbol in src
	depth        int            // of the nesting of groups, or of the recursion at hand
	flags                       // those that hold at the place at hand
	d            *dialect       // the dialect of the Regex, which flags can change
	whole        flags          // Python: the flags of the whole expression
	names        map[string]int // the group of each name, the last of several
	calls        []*node        // of groups, which are resolved when all groups are known
	recalls      []*node        // references, and conditions about groups
	groupCount   int            // of capturing groups so far
	captures     int            // capturing groups of the whole expression, as countCaptures counts them
	hasNames     bool           // groups of the whole expression have names, as findsNames reports
	usesTables   bool           // the language depends on a table of Unicode
	classSets    bool           // js: the flag v, which lets classes contain classes
	sawEndAnchor bool           // \z or \Z was read
	sawWide      bool           // a property, \N{U+41} or a character beyond the alphabet was read
	sawFold      bool           // case is ignored somewhere
	sawBeyond    bool           // a character beyond the alphabet was read
	keeps        []int          // Perl: the offset of each \K, ascending
	joinedParts  int            // Ruby: the parts that joined has put into branches
	uneven       bool           // Ruby: some character has another case of another length in UTF-8
	wides        []wide         // Python: the characters beyond the BMP whose case is ignored
	resets       []reset        // the open groups whose branches number their groups alike, the innermost last
	conditions   int            // PCRE: the lookarounds around the place at hand that are conditions

	choices  int                   // how many choices were begun; numbers them
	branches []branch              // the branches that enclose the place at hand, the outermost first
	namedIn  map[string][][]branch // the branches around each group of a name
	widths   map[int][2]int        // by group: the least and the greatest length of what a call of it matches
}

// maxDepth caps the nesting of groups.
const maxDepth = 1000

// maxCount is the largest number in a quantifier.
const maxCount = 1 << 20

// offset returns the offset in the text of the next symbol.
func (p *parser) offset() int { return p.at[min(p.index, len(p.src))] }

// fail panics with an error at an offset of the text: the engine does not read this either.
func (p *parser) fail(at int, format string, args ...any) {
	panic(expr.Errorf(p.pos(at), format, args...))
}

// refuse panics with a refusal at an offset of the text: the engine may read this, and this package does not.
func (p *parser) refuse(at int, format string, args ...any) {
	panic(expr.Refusef(p.pos(at), format, args...))
}

// parse parses the expression in a literal and sets the fields of r: root, groups, last, sticky, slots, Relies and
// Assumes, and dialect if a flag, (*UTF) or the kind of literal changes it. It panics with an error, which expr.Catch
// returns; r is of no use then. Assumes then has, in this order: what the parser assumes, the engine, what the
// dialect's finish assumes, and the version of Unicode.
func (r *Regex) parse(l *literal) {
	p := &parser{
		Regex: r, d: r.dialect, names: map[string]int{}, namedIn: map[string][][]branch{},
		widths: map[int][2]int{},
	}
	p.last = lastPoint
	if at := invalid(r.Text); at >= 0 {
		p.fail(at, "the expression is not UTF-8")
	}
	if at := invalid(l.pattern); at >= 0 && !l.octets {
		p.fail(l.places[at], "the escapes make an expression that is not UTF-8")
	}
	p.literalFlags(l)
	from := p.d.begin(p, l)
	p.read(l, from)
	p.captures, p.hasNames = p.countCaptures(), p.findsNames() // once, since each goes through the expression
	n := p.alternatives()
	if p.more() {
		p.fail(p.offset(), "unmatched )")
	}
	r.groups = slices.Insert(r.groups, 0, n) // group 0 is the whole expression
	r.root = n
	// Groups may be called before they stand, so the calls are resolved now.
	for _, c := range p.calls {
		if c.name != "" {
			group, ok := p.names[c.name]
			if !ok {
				p.fail(c.at, "there is no group `%s`", c.name)
			}
			c.group = group
		}
		if c.group >= len(r.groups) || r.groups[c.group] == nil {
			p.fail(c.at, "there is no group %d", c.group)
		}
	}
	p.checkCalls()
	p.checkRecalls(n)
	p.checkLookbehinds(n)
	assumed := r.Assumes
	r.Assumes = nil
	p.d.finish(p, n)
	engine := r.Flavor + ": " + r.dialect.engine + "; " + r.dialect.strings
	r.Assumes = slices.Concat(assumed, []string{engine}, r.Assumes)
	if r.Relies = p.usesTables; r.Relies {
		r.Assumes = append(r.Assumes, r.AssumedUnicode())
	}
}

// AssumedUnicode returns the assumption of an expression that relies on the version of Unicode.
func (r *Regex) AssumedUnicode() string {
	text := r.Flavor + ": classes and case are those of Unicode " + r.Unicode.Version
	if r.Unicode.Version == r.dialect.unicode {
		text += ", as " + r.dialect.tables + " has them"
	}
	return text
}

// invalid returns the offset at which a text is not UTF-8, -1 if it is.
func invalid(text string) int {
	for i, c := range text {
		if _, n := utf8.DecodeRuneInString(text[i:]); c == utf8.RuneError && n == 1 {
			return i
		}
	}
	return -1
}

// read splits the pattern, from an offset on, into symbols: characters, UTF-16 units or bytes. They are p.src, and
// p.at has their offsets in the text, and that of the end.
func (p *parser) read(l *literal, from int) {
	put := func(c rune, at int) { p.src, p.at = append(p.src, c), append(p.at, l.places[at]) }
	for i := from; i < len(l.pattern); {
		c, n := utf8.DecodeRuneInString(l.pattern[i:])
		switch {
		case l.octets || p.last == lastByte:
			for j := range n {
				put(rune(l.pattern[i+j]), i+j)
			}
		case p.last == lastUnit && c > lastUnit:
			c -= 0x10000
			put(0xd800+c>>10, i)
			put(0xdc00+c&0x3ff, i)
		default:
			put(c, i)
		}
		i += n
	}
	p.at = append(p.at, l.places[len(l.pattern)])
}

// assume adds a sentence to Assumes, once.
func (p *parser) assume(note string) {
	if !slices.Contains(p.Assumes, note) {
		p.Assumes = append(p.Assumes, note)
	}
}

// more reports whether the expression has another symbol.
func (p *parser) more() bool { return p.index < len(p.src) }

// next reports whether the next symbols are those of s, and goes past them if so.
func (p *parser) next(s string) bool {
	if !p.sees(s) {
		return false
	}
	p.index += len(s)
	return true
}

// sees reports whether the next symbols are those of s. It goes past none.
func (p *parser) sees(s string) bool {
	return len(p.src)-p.index >= len(s) && string(p.src[p.index:p.index+len(s)]) == s
}

// until goes past the next mark, and returns the symbols before it. It fails if there is no mark; what is the text for
// that error.
func (p *parser) until(mark, what string) string {
	at, start := p.offset(), p.index
	for p.more() {
		end := p.index
		if p.next(mark) {
			return string(p.src[start:end])
		}
		p.index++
	}
	p.fail(at, "%s is not closed by %s", what, mark)
	return ""
}

// seesSignedNumber reports whether a decimal digit comes next, perhaps after a sign. It goes past none.
func (p *parser) seesSignedNumber() bool {
	i := p.index
	if p.sees("+") || p.sees("-") {
		i++
	}
	return i < len(p.src) && digit(p.src[i]) < 10
}

// number goes past digits of a base, at most most of them, and returns their value and their number n. A value above
// 1<<26 is cut to that.
func (p *parser) number(base rune, most int) (value rune, n int) {
	for ; p.more() && n < most; n++ {
		v := digit(p.src[p.index])
		if v >= base {
			break
		}
		value = min(value*base+v, 1<<26)
		p.index++
	}
	return value, n
}

// bound goes past a number of a quantifier, and returns it with its length n. n is 0, and nothing is passed, if there
// is no number, or if the flavor reads it as text.
func (p *parser) bound() (value rune, n int) {
	start := p.index
	value, n = p.number(10, 1<<30)
	if n > 1 && p.src[start] == '0' && p.d.has[plainCounts] {
		p.index, n = start, 0
	}
	return value, n
}

// digit returns the value of a hexadecimal digit, and 99, more than any base, for another character.
func digit(c rune) rune {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 99
}

// alternatives reads alternatives up to a ")", which it leaves, or the end. In flavors with strayParen, one outside
// of all groups is a character. Without any "|" it returns the one sequence. It refuses groups that are nested deeper
// than the flavor allows, and stops the parser as skip, term, joined and joinSharps do.
func (p *parser) alternatives() *node {
	if p.depth++; p.depth > p.d.nesting+1 { // the outermost is no group
		p.refuse(p.offset(), "groups are nested more than %d deep", p.d.nesting)
	}
	defer func() { p.depth-- }()
	at := p.offset()
	p.choices++
	p.branches = append(p.branches, branch{choice: p.choices})
	defer func() { p.branches = p.branches[:len(p.branches)-1] }()
	var alts, items []*node
	start := at // offset of the branch
	end := func() {
		if p.d.has[crossFolds] {
			items = p.joined(items)
		}
		if p.d.has[fullFolds] {
			items = p.joinSharps(items)
		}
		n := seq(items...)
		if len(items) == 1 {
			n = items[0]
		}
		if len(items) != 1 {
			n.at, n.end = start, p.offset()
		}
		alts, items = append(alts, n), nil
	}
	for p.skip(); p.more() && (p.src[p.index] != ')' || p.d.has[strayParen] && p.depth == 1); p.skip() {
		if p.src[p.index] == '|' {
			end()
			p.index++
			start = p.offset()
			p.branches[len(p.branches)-1].number++
			p.newBranch()
			continue
		}
		items = append(items, p.term())
	}
	end()
	if len(alts) == 1 {
		return alts[0]
	}
	n := alt(alts...)
	n.at, n.end, n.branched = at, p.offset(), true
	return n
}

// skip goes past comments, past all that extended mode ignores and, in flavors with strayQuoteEnd, past a \E. It
// refuses white space beyond ASCII there, where the flavor may ignore it, fails for a (?# that is not closed, and
// stops the parser as comment does.
func (p *parser) skip() {
	for p.more() {
		switch c := p.src[p.index]; {
		case p.sees("(?#") && p.d.groups.has("#"):
			at := p.offset()
			p.comment(of(')', ')'))
			if !p.next(")") {
				p.fail(at, "the comment is not closed by )")
			}
		case p.d.has[strayQuoteEnd] && p.sees(`\E`):
			p.index += 2
		case !p.extended:
			return
		case c == '#':
			p.comment(p.d.newlines)
		case c >= utf8.RuneSelf && !p.d.has[asciiExtended] && unicode.Is(unicode.Pattern_White_Space, c):
			p.refuse(p.offset(), "%U in extended mode is not supported", c)
		case strings.ContainsRune(ignored, c):
			p.index++
		default:
			return
		}
	}
}

// comment goes past a comment up to a symbol that ends it, which it leaves, or up to the end of the expression. It
// refuses a comment with a \ in it, where the engine reads that as an escape. In flavors with pairedComments a \ and
// the symbol after it are one, so that "\)" ends no comment, and there has to be such a symbol.
func (p *parser) comment(ends set) {
	for at := p.offset(); p.more() && !ends.Has(p.src[p.index]); p.index++ {
		if p.src[p.index] != '\\' {
			continue
		}
		if p.d.has[escapedComments] {
			p.refuse(at, "a \\ in a comment is not supported")
		}
		if p.d.has[pairedComments] {
			if p.index++; !p.more() {
				p.fail(p.offset()-1, "a \\ at the end")
			}
		}
	}
}

// ignored are the characters that extended mode ignores, and that which begins a comment.
const ignored = " \t\n\r\f\v#"

// term reads an atom with its quantifiers, or the characters of a whole \Q...\E. There must be a symbol left. What
// repeats possessively is in an opAtomic. It refuses quantifiers that engines take for something else than a
// repetition of the atom. At a quantifier with nothing to repeat, such as a second one in flavors without stacked, it
// stops the parser as failNothingToRepeat does; it also does as atom, skip and quantifier do.
func (p *parser) term() *node {
	at := p.offset()
	if p.d.has[quote] && p.next(`\Q`) {
		return p.quoted(at)
	}
	n, repeatable := p.atom()
	n.place(at, p.offset())
	for p.skip(); p.more(); p.skip() {
		start := p.offset()
		lo, hi, ok := p.quantifier()
		if !ok {
			break
		}
		kind := p.src[p.index-1] // the character that ends the quantifier
		if p.d.has[spacedQuantifiers] {
			p.skip()
		}
		if !repeatable && p.d.has[flagsRepeatPrior] { // it would repeat the part before the flags
			p.refuse(start, "a quantifier behind flags is not supported")
		}
		if !repeatable {
			p.failNothingToRepeat(start, p.d.has[emptyRepeats] && kind == '}')
		}
		if lo > 1 && p.joinsItself(n) {
			p.refuse(start, "a quantifier of characters that together are one in another case")
		}
		if p.d.has[emptyStopsRepeats] && lo > 1 && n.hasLookaround() {
			if least, _ := p.width(n); least == 0 {
				p.refuse(start, "a quantifier of what may be empty, with an anchor or a lookaround, is not supported")
			}
		}
		rep := &node{op: opRepeat, sub: []*node{n}, min: lo, max: hi, lazy: p.lazy, at: at}
		n = rep
		repeatable = p.d.has[stacked]
		exact := kind == '}' && lo == hi
		switch {
		case p.d.has[lazyQuantifiers] && !(exact && p.d.has[countThenOption]) && p.next("?"):
			rep.lazy = !p.lazy
		case p.sees("+") && p.d.possess.has(kind):
			p.index++
			rep.end, rep.lazy = p.offset(), false
			n = &node{op: opAtomic, sub: []*node{rep}, at: at}
		}
		n.end = p.offset()
	}
	return n
}

// quoted reads the characters from after a \Q, which is at an offset, through the next \E or to the end. It refuses a
// quantifier after them, and an empty \Q\E unless the flavor has emptyQuote. Where the empty one is read, the result
// has no parts, and a quantifier after it is left unread.
func (p *parser) quoted(at int) *node {
	n := seq()
	if !p.d.has[emptyQuote] && p.sees(`\E`) {
		p.refuse(at, "an empty \\Q\\E is not supported")
	}
	for p.more() && !p.next(`\E`) {
		from := p.offset()
		c := p.literal(p.src[p.index])
		p.index++
		c.at, c.end = from, p.offset()
		n.sub = append(n.sub, c)
	}
	if len(n.sub) > 0 { // a quantifier would repeat the last character alone
		last := n.sub[len(n.sub)-1]
		if p.skip(); p.more() {
			start := p.offset()
			if _, _, ok := p.quantifier(); ok {
				p.refuse(start, "a quantifier behind \\Q...\\E is not supported, here %s", p.Text[start:p.offset()])
			}
		}
		n.end = last.end
	}
	n.at = at
	return n
}

// quantifier reads a quantifier, without the sign after it that makes it lazy or possessive. hi is -1 for no limit. If
// no quantifier begins here, ok is false and nothing is read. It stops the parser for numbers that the flavor does not
// take or that are above maxCount, and for a "{" that the flavor does not take for text.
func (p *parser) quantifier() (lo, hi int, ok bool) {
	at, start := p.offset(), p.index
	switch {
	case p.next("*"):
		return 0, -1, true
	case p.next("+"):
		return 1, -1, true
	case p.next("?"):
		return 0, 1, true
	case !p.next("{"):
		return 0, 0, false
	}
	low, n := p.bound()
	high, m := low, n
	if p.next(",") {
		if high, m = p.bound(); m == 0 {
			high = -1
		}
		if n == 0 && p.d.has[below] && (m > 0 || p.d.has[belowNothing]) {
			n = 1 // {,m} begins at 0
		}
	}
	if p.d.has[numbersChecked] && int64(max(low, high)) > p.d.repeats {
		p.fail(at, "a number of more than %d after {", p.d.repeats)
	}
	if p.d.has[refusedBelow] && n == 0 && m > 0 && p.sees("}") {
		p.refuse(at, "{,n} is a quantifier in newer versions of the engine only")
	}
	if n == 0 || !p.next("}") {
		// Rust and, in extended mode, Java read it
		if p.d.openBrace == wrong && p.more() && unicode.IsSpace(p.src[p.index]) {
			p.refuse(at, "white space in a quantifier is not supported")
		}
		p.stop(p.d.openBrace, at, "a { that begins no quantifier")
		p.index = start // it is text
		return 0, 0, false
	}
	switch {
	case high >= 0 && high < low: // no flavor reads it
		p.stop(p.d.disorder, at, "the numbers of the quantifier are out of order")
	case int64(max(low, high)) > p.d.repeats:
		p.fail(at, "a quantifier of more than %d", p.d.repeats)
	case max(low, high) > maxCount:
		p.refuse(at, "a quantifier of more than %d", maxCount)
	}
	return int(low), int(high), true
}

// any returns the set of all symbols.
func (p *parser) any() set { return of(0, p.last) }

// literal returns a node that matches the symbol c, in either case if case is ignored.
func (p *parser) literal(c rune) *node { return one(p.folded(of(c, c))) }

// folded returns s without symbols beyond the alphabet, closed under case if case is ignored. If then the result has
// characters beyond ASCII, it sets p.usesTables: the language depends on Unicode. It sets p.sawFold if case is ignored.
func (p *parser) folded(s set) set {
	if !p.fold {
		return s.And(p.any())
	}
	p.sawFold = true
	how := p.d.fold
	if p.d.has[asciiFolds] && !p.unicode {
		how = runes.FoldASCII
	}
	out := p.Unicode.Fold(how, s).And(p.any())
	p.usesTables = p.usesTables || len(out) > 0 && out[len(out)-1].Hi >= utf8.RuneSelf
	return out
}

// atom reads an atom, and reports whether a quantifier may follow it. There must be a symbol left. atom stops the
// parser at a quantifier, which has nothing to repeat, and as class, group, escape and character do. In flavors with
// strict it fails for a "]", "{" or "}" by itself.
func (p *parser) atom() (n *node, repeatable bool) {
	at, c := p.offset(), p.src[p.index]
	if c == '{' { // a "{" that begins a quantifier has nothing to repeat here
		if _, _, ok := p.quantifier(); ok {
			p.failNothingToRepeat(at, !p.d.has[countNeedsAtom])
		}
	}
	p.index++
	switch c {
	case '.':
		if p.dotAll {
			return one(p.any()), true
		}
		return one(p.d.newlines.Not(p.last)), true
	case '^':
		return p.caret(p.multiline), p.repeatsAnchors()
	case '$':
		if p.atEnd && !p.multiline { // the flag D of PHP has no effect in multiline mode
			return p.end(), p.repeatsAnchors()
		}
		return p.dollar(p.multiline), p.repeatsAnchors()
	case '[':
		return p.class(at), true
	case '(':
		return p.group(at)
	case '\\':
		return p.escape(at)
	case '*', '+', '?':
		p.failNothingToRepeat(at, false)
	case ']', '{', '}':
		if p.d.has[strict] {
			p.fail(at, "`%c` needs a \\ before it", c)
		}
	}
	return p.character(at, c), true
}

// failNothingToRepeat panics at a quantifier that has nothing to repeat: with a refusal if refused is set or the engine
// may read that, and with an error otherwise.
func (p *parser) failNothingToRepeat(at int, refused bool) {
	if refused || !p.d.has[anyNeedsAtom] {
		p.refuse(at, "a quantifier with nothing to repeat")
	}
	p.fail(at, "there is nothing to repeat")
}

// character returns a node for a character that is written in the expression, which matches it in either case if case
// is ignored. Then, in Ruby, the node also has lit, by which joined finds characters that are one together; character
// refuses what foldRuby does, and sets p.uneven as that does. In Perl, where foldsFully holds, it has sharp, for
// joinSharps. The node has no place: at is for the refusal.
func (p *parser) character(at int, c rune) *node {
	n := p.literal(c)
	n.plain = true
	p.noteWide(wide{at: at, lo: c, hi: c})
	if p.d.has[crossFolds] && p.fold {
		p.foldRuby(at, c, n)
	}
	if p.foldsFully() {
		return p.sharpOf(n, c)
	}
	return n
}

// caret returns the anchor ^: the beginning of the input and, in multiline mode, the place after every newline. In
// flavors with lineEnd the end of the input is no such place. In those with crlf no place between CR and LF is, and
// in multiline mode ^ does not match in the empty input at all.
func (p *parser) caret(multiline bool) *node {
	begin := behind(one(p.any()), true)
	if !multiline {
		begin.anchor = '^'
		return begin
	}
	line := behind(one(p.d.newlines), false)
	if p.d.has[crlf] {
		line = alt(behind(one(p.d.newlines.And(cr.Not(p.last))), false),
			seq(behind(one(cr), false), ahead(one(newline), true)))
		begin = seq(begin, ahead(one(p.any()), false))
	}
	if p.d.has[lineEnd] {
		line = seq(line, ahead(one(p.any()), false))
	}
	return alt(begin, line)
}

// dollar returns the anchor $. In multiline mode it matches before every newline and at the end of the input, and
// otherwise at the end and, in flavors with finalNewline, before a newline that ends it. In flavors with crlf, CR LF
// is one newline, and $ does not match between the two.
func (p *parser) dollar(multiline bool) *node {
	// line returns a lookahead for a newline of these parts, the last of the input unless multiline is set.
	line := func(newline ...*node) *node {
		if !multiline {
			newline = append(newline, p.end())
		}
		return ahead(seq(newline...), false)
	}
	lines := []*node{line(one(p.d.newlines))}
	if p.d.has[crlf] { // and not between CR and LF
		lines = []*node{
			line(one(p.d.newlines.And(newline.Not(p.last)))), line(one(cr), one(newline)),
			seq(behind(one(cr), true), line(one(newline))),
		}
	}
	switch end := p.end(); {
	case multiline:
		return alt(append(lines, end)...)
	case p.d.has[finalNewline]:
		end = alt(append(lines, end)...)
		end.anchor = '$'
		return end
	default:
		return end
	}
}

// end returns the anchor for the end of the input.
func (p *parser) end() *node {
	n := ahead(one(p.any()), true)
	n.anchor = '$'
	return n
}

// boundary returns the anchor \b, or \B if not is set, for words of these symbols.
func boundary(word set, not bool) *node {
	before := func(not bool) *node { return behind(one(word), not) }
	after := func(not bool) *node { return ahead(one(word), not) }
	return alt(seq(before(false), after(!not)), seq(before(true), after(not)))
}

// group reads a group, from after its "(", which is at an offset, through its ")", and reports whether a quantifier
// may follow it. One without a "?" captures, except under the flag n and in Ruby where groups have names. The flags
// that change inside of the group end with it; those of (?i) itself hold on, and no quantifier may follow that. In
// flavors with isolatedFlags group then also reads all that they hold for, up to the ")" of the group around, which
// it leaves. It stops the parser for a group that is not closed, for a kind that the flavor does not have, and for
// whatever is wrong in the group.
func (p *parser) group(at int) (n *node, repeatable bool) {
	outer := p.flags
	restore := func() { p.flags = outer }
	// body reads alternatives through the ")" of the group, and puts back the flags that hold outside.
	body := func() *node {
		n := p.alternatives()
		if !p.next(")") {
			p.fail(at, "the group is not closed")
		}
		restore()
		return n
	}
	if p.sees("*") && p.d.has[verbs] {
		p.refuse(at, "(*...) is not supported here")
	}
	if p.d.has[spacedGroups] && p.extended && p.more() && strings.ContainsRune(ignored, p.src[p.index]) {
		p.refuse(p.offset(), "what is ignored behind a ( is not supported")
	}
	if p.d.groups == noWords || !p.next("?") {
		if p.noCapture || p.d.has[namesAlone] && p.hasNames {
			return body(), true
		}
		return p.capture(at, "", body), true
	}
	kind := p.offset()
	switch {
	case p.d.groups.has(":") && p.next(":"):
		if n = body(); n.lit != 0 || n.sharp != 0 { // so that it forms no ligature with a neighbor of the group
			n = seq(n)
		}
		return n, true
	case p.d.groups.has("|") && p.next("|"):
		return p.branchReset(body), true
	case p.d.groups.has("=") && p.next("="):
		return written(ahead(body(), false)), p.repeatsLook(false)
	case p.d.groups.has("!") && p.next("!"):
		return written(ahead(body(), true)), p.repeatsLook(false)
	case p.d.groups.has("<=") && p.next("<="):
		return p.lookbehind(at, body, false), p.repeatsLook(true)
	case p.d.groups.has("<!") && p.next("<!"):
		return p.lookbehind(at, body, true), p.repeatsLook(true)
	case p.d.groups.has(">") && p.next(">"):
		return &node{op: opAtomic, sub: []*node{body()}}, true
	case p.d.has[verbs] && p.sees("<*"): // a lookbehind that is not atomic
		p.refuse(kind, "this kind of group is not supported")
	case p.d.groups.has("P<n") && p.next("P<"), p.d.groups.has("<n") && p.next("<"):
		return p.capture(at, p.name(">"), body), true
	case p.d.groups.has("'n") && p.next("'"):
		return p.capture(at, p.name("'"), body), true
	case p.d.groups.has("P=") && p.next("P="):
		return p.referNamed(at, ")"), true
	case p.d.groups.has("P>") && p.next("P>"), p.d.groups.has("&") && p.next("&"):
		return p.recordCall(&node{op: opCall, name: p.until(")", "the call"), at: at}), true
	case p.d.groups.has("R") && p.next("R)"):
		return p.recordCall(&node{op: opCall, at: at}), true
	case p.d.groups.has("&") && p.seesSignedNumber():
		sign := p.src[p.index]
		if sign == '+' || sign == '-' {
			p.index++
		}
		v, _ := p.number(10, 9)
		if !p.next(")") {
			p.fail(at, "the call is not closed by )")
		}
		return p.recordCall(&node{op: opCall, group: p.groupFrom(at, sign, int(v)), at: at}), true
	case (p.d.groups.has("(") || p.d.groups.has("(n")) && p.next("("):
		return p.conditional(at, body), true
	case p.d.groups.has("f"):
		set, whole := p.inlineFlags(at)
		switch {
		case whole && p.d.has[isolatedFlags]: // (?i) holds up to the end of the group, in all further branches
			p.flags = set
			n := seq(p.alternatives())
			restore()
			return n, false
		case whole:
			p.flags = set
			return &node{op: opEmpty}, false
		}
		p.flags = set
		if n = body(); p.d.has[wholeFlagGroups] || n.sharp != 0 {
			n = seq(n)
		}
		return n, true
	}
	p.refuse(kind, "this kind of group is not supported")
	return nil, false
}

// capture reads the body of a capturing group, and gives the group its number and its name, "" for none. It enters the
// name in p.names and p.namedIn before it reads the body. The group itself is entered in p.groups after that, unless
// one with its number is there: so a group that is not closed is not found. at is the offset of the "("; body reads up
// to and past the ")". It stops the parser for a name that the flavor does not let repeat, or that repeats too often.
func (p *parser) capture(at int, name string, body func() *node) *node {
	n := &node{op: opGroup, name: name, at: at}
	p.groupCount++
	n.group = p.groupCount
	for len(p.groups) < p.groupCount {
		p.groups = append(p.groups, nil)
	}
	if name != "" {
		if _, ok := p.names[name]; ok {
			outcome := p.d.sameName
			if len(p.namedIn[name]) >= mostAlike {
				p.refuse(at, "more than %d groups `%s`", mostAlike, name)
			}
			if outcome == apart && slices.ContainsFunc(p.namedIn[name], p.canMatchTogether) {
				outcome = wrong
			}
			p.stop(outcome, at, "there are two groups `%s`", name)
		}
		p.names[name] = n.group
		p.namedIn[name] = append(p.namedIn[name], slices.Clone(p.branches))
	}
	n.sub = []*node{body()}
	n.end = p.offset()
	if p.groups[n.group-1] == nil {
		p.groups[n.group-1] = n
	}
	return n
}

// mostAlike caps the groups of one name, each of which is compared with all before it.
const mostAlike = 1000

// A branch is one alternative of a choice: the number of the choice, and that of the alternative in it.
type branch struct{ choice, number int }

// canMatchTogether reports whether a part that stands in these branches, the outermost first, can take part in the same
// match as the part that is read now. It cannot if the two are in different branches of one choice.
func (p *parser) canMatchTogether(others []branch) bool {
	for i := range min(len(others), len(p.branches)) {
		if others[i].choice != p.branches[i].choice { // from here on, different choices, which both can take part
			return true
		}
		if others[i].number != p.branches[i].number {
			return false
		}
	}
	return true
}

// branchReset reads the rest of (?|...) with one call of body, which reads alternatives through the ")" of the group.
// Meanwhile an entry of p.resets has newBranch number the groups of each branch from the same number on. Afterward
// p.groupCount is that of the branch with the most groups.
func (p *parser) branchReset(body func() *node) *node {
	first := p.groupCount
	p.resets = append(p.resets, reset{p.depth + 1, first, first})
	n := body()
	r := p.resets[len(p.resets)-1]
	p.resets = p.resets[:len(p.resets)-1]
	p.groupCount = max(p.groupCount, r.most)
	return n
}

// A reset is a (?|...) that is being read: the p.depth of its branches, the p.groupCount before it, and the largest one
// that a branch before the one at hand has reached.
type reset struct{ depth, first, most int }

// newBranch must be called at each "|". Directly in a (?|...) it sets p.groupCount back to what it was before that, and
// keeps the most that a branch has reached.
func (p *parser) newBranch() {
	if n := len(p.resets); n > 0 && p.resets[n-1].depth == p.depth {
		r := &p.resets[n-1]
		r.most = max(r.most, p.groupCount)
		p.groupCount = r.first
	}
}

// name reads the name of a group up to and past a mark. It fails for an empty name and without a mark, and treats a
// name with a character that dialect.isName does not allow as dialect.otherName says. What it returns is the name as
// groupName has it.
func (p *parser) name(mark string) string {
	at := p.offset()
	name := p.groupName(mark, "the name")
	for i, c := range name {
		if !p.d.isName(p.Unicode, c, i == 0) {
			p.stop(p.d.otherName, at, "`%s` is no name for a group", name)
		}
	}
	if name == "" {
		p.fail(at, "the name of the group is empty")
	}
	return name
}

// groupName is until for the name of a group: it returns the name that the symbols stand for.
func (p *parser) groupName(mark, what string) string {
	start := p.index
	p.until(mark, what)
	return string(p.d.plainName(p.src[start : p.index-len(mark)]))
}

// findsNames reports whether the expression has a named group anywhere, so that in Ruby groups without a name do not
// capture. It looks for the signs "(?<" and "(?'" alone: it finds them in classes and comments too, and does not find
// "(?P<".
func (p *parser) findsNames() bool {
	for i := range p.src {
		if p.src[i] == '(' && i+3 < len(p.src) && p.src[i+1] == '?' &&
			(p.src[i+2] == '\'' || p.src[i+2] == '<' && p.src[i+3] != '=' && p.src[i+3] != '!') {
			return true
		}
	}
	return false
}

// recordCall completes n, the call of a group, and keeps it in p.calls, to be resolved when all groups are known.
func (p *parser) recordCall(n *node) *node {
	n.end = p.offset()
	p.calls = append(p.calls, n)
	return n
}

// repeatsLook reports whether the flavor lets a lookbehind be repeated, or unless behind is set a lookahead.
func (p *parser) repeatsLook(behind bool) bool {
	if behind {
		return p.d.has[lookbehindRepeats]
	}
	return p.d.has[lookaheadRepeats]
}

// repeatsAnchors reports whether the flavor lets an anchor be repeated.
func (p *parser) repeatsAnchors() bool {
	return p.d.has[anchorsRepeat]
}

// lookbehind reads a lookbehind, from after its "(?<=" or, if not is set, "(?<!" through its ")", and sets its place.
// at is the offset of the "(", body as in capture. The flavor must have lookbehinds. Whether the engine reads a body of
// this length is checked later, by checkLookbehinds.
func (p *parser) lookbehind(at int, body func() *node, not bool) *node {
	start := p.offset()
	inner := body()
	if p.d.has[groupsFixed] && inner.op == opAlt && !(inner.branched && inner.at == start) {
		// The choice is a group or a condition inside, whose branches must have one length: fixedBranches looks at a
		// choice at the top.
		inner = seq(inner)
	}
	n := written(behind(inner, not))
	n.at, n.end = at, p.offset()
	return n
}

// conditional reads a condition and its branches, from after "(?(" through the ")" that ends the group, which body
// reads. at is the offset of the "(", body as in capture. A test of a group is entered in p.recalls; a lookaround
// becomes a choice; (?(DEFINE) is a repetition of zero times, and fails with more than one branch. The others fail
// with more than two. Other conditions, a test of a group that does not end before it, and lookarounds that nest as
// conditions of conditions more than mostConditions deep, are refused.
func (p *parser) conditional(at int, body func() *node) *node {
	switch {
	case !p.d.groups.has("("): // the engine has no other condition than that of groupPassed, below
	case p.next("DEFINE)"):
		start := p.offset()
		n := body()
		if n.branched && n.at == start {
			p.fail(at, "the definition has more than one branch")
		}
		return &node{op: opRepeat, sub: []*node{n}}
	case p.sees("?=") || p.sees("?!") || p.sees("?<=") || p.sees("?<!"):
		if p.conditions++; p.conditions > mostConditions {
			p.refuse(at, "conditions in conditions are nested more than %d deep", mostConditions)
		}
		look, _ := p.group(p.offset())
		p.conditions--
		yes, no := p.branchesOf(at, body)
		other := *look
		other.not = !look.not
		return alt(seq(look, yes), seq(&other, no))
	}
	group, ok := p.groupPassed()
	if !ok {
		p.refuse(at, "a condition other than that a group before it has matched is not supported")
	}
	yes, no := p.branchesOf(at, body)
	n := &node{op: opTest, group: group, sub: []*node{yes, no}, at: at}
	p.recalls = append(p.recalls, n)
	return n
}

// mostConditions caps how deep lookarounds nest that are conditions. The tree has each of them twice, so its size
// doubles with each level. At this depth it passes mostCompiled.
const mostConditions = 12

// branchesOf reads the branches of a condition with one call of body, which reads alternatives through the ")" of the
// group. The second branch is empty if there is only one; more than two are an error.
func (p *parser) branchesOf(at int, body func() *node) (yes, no *node) {
	start := p.offset()
	n := body()
	yes, no = n, &node{op: opEmpty}
	// Other nodes are choices, too: an anchor, or a condition. The choice of a group that is the only branch begins
	// after start.
	if n.branched && n.at == start {
		if len(n.sub) > 2 {
			p.fail(at, "the condition has more than two branches")
		}
		yes, no = n.sub[0], n.sub[1]
	}
	return yes, no
}

// inlineFlags reads the flags of (?i) or (?i: through the ")" or ":", and returns the flags of the moment changed by
// them, which it does not set in p. whole reports that it is (?i), without a ":". It fails if neither sign comes. At
// (?i) itself it stops the parser in flavors with scopedFlags or flagsFirst; those at the beginning are read by
// pythonFlags. It stops the parser for a flag that the flavor does not have, for a flag or a "-" that it does not let
// stand there, and treats (?) as dialect.bareFlags says.
func (p *parser) inlineFlags(at int) (f flags, whole bool) {
	f = p.flags
	on := true
	switched := map[rune]bool{} // the flags so far; true for one that was switched on
	reset := p.d.has[resetFlags] && p.next("^")
	if reset {
		f.fold, f.multiline, f.dotAll, f.extended, f.doubled, f.noCapture = false, false, false, false, false, false
	}
	for p.more() {
		c := p.src[p.index]
		p.index++
		switch {
		case c == ')':
			if p.d.has[flagsFirst] && p.extended { // the extended mode lets it stand after blanks
				p.refuse(at, "flags for the whole expression behind the flag x are not supported")
			}
			p.checkMinus(at)
			if p.d.has[scopedFlags] {
				p.fail(at, "flags are those of a group, as in (?i:a)")
			}
			if p.src[p.index-2] == '?' {
				p.stop(p.d.bareFlags, at, "(?) has no flag")
			}
			if p.d.has[flagsFirst] {
				p.fail(at, "flags for the whole expression stand at its beginning only")
			}
			return f, true
		case c == ':':
			p.checkMinus(at)
			if p.d.has[scopedFlags] && len(switched) == 0 {
				p.fail(at, "(?-: has no flag")
			}
			return f, false
		case c == '-' && reset:
			p.fail(at, "a - after (?^, which has switched off all flags")
		case c == '-' && on:
			on = false
			continue
		case !p.d.flags.has(c) && p.d.has[scopedFlags]:
			p.fail(at, "there is no flag %c of a group", c)
		case !p.d.flags.has(c):
			p.refuse(at, "this kind of group is not supported")
		}
		if _, seen := switched[c]; seen && p.d.has[flagsOnce] {
			p.fail(at, "the flag %c is there twice", c)
		}
		if p.d.has[strictFlags] {
			p.checkFlag(switched, c, on, at)
		}
		again := on && switched[c]
		switched[c] = on
		p.setFlag(&f, c, on, at)
		if c == 'x' { // to PCRE2 the two must stand side by side; a class with a blank is refused for others, too
			f.doubled = again && p.d.has[doubleX]
		}
		f.mixed = f.mixed || p.d.has[doubtfulAscii] && (c == 'a' || c == 'u') &&
			(f.ascii != p.whole.ascii || f.unicode != p.whole.unicode)
	}
	p.fail(at, "the group is not closed")
	return f, false
}

// checkMinus fails if a "-" has no flag after it, where that is an error. It is called once the sign after the flags
// is read.
func (p *parser) checkMinus(at int) {
	strictly := p.d.has[strictFlags] || p.d.has[flagsOnce] && !p.d.has[scopedFlags]
	if strictly && p.src[p.index-2] == '-' {
		p.fail(at, "no flag is switched off after the -")
	}
}

// setFlag switches the flag c in f on or off; what it means depends on the flavor. a and u put an end to each other.
// A letter without a meaning changes nothing. It fails where a or u is switched off. It does not set f.doubled.
func (p *parser) setFlag(f *flags, c rune, on bool, at int) {
	switch c {
	case 'i':
		f.fold = on
	case 'm':
		if p.d.has[dotAllIsM] {
			f.dotAll = on
		} else {
			f.multiline = on
		}
	case 's':
		f.dotAll = on
	case 'x':
		f.extended = on
	case 'U':
		f.lazy = on
	case 'n':
		f.noCapture = on
	case 'a', 'u':
		if !on {
			p.fail(at, "the flag %c cannot be switched off", c)
		}
		f.unicode, f.ascii = c == 'u', c == 'a'
	}
}

// checkCalls refuses recursion: a group that calls itself, directly or through others. The groups of all calls have
// to be known.
func (p *parser) checkCalls() {
	// A depth-first search: a call that leads to a group that is being visited is a circle.
	state := make([]int, len(p.groups)) // 1 while the group is being visited, 2 after that
	var visit func(n *node)
	enter := func(g int, at int) {
		if state[g] == 1 {
			p.refuse(at, "a recursion is not regular")
		}
		if state[g] == 0 {
			state[g] = 1
			visit(p.groups[g])
			state[g] = 2
		}
	}
	visit = func(n *node) {
		switch n.op {
		case opCall:
			enter(n.group, n.at)
			return
		case opGroup: // one that enter visits already, or that only shares its number with another, is looked through
			if state[n.group] == 0 && p.groups[n.group] == n {
				enter(n.group, n.at)
				return
			}
		}
		for _, s := range n.sub {
			visit(s)
		}
	}
	for g, n := range p.groups {
		if n != nil {
			enter(g, n.at)
		}
	}
}

// width returns the least and the largest number of symbols that n matches, as the engine computes them for a
// lookbehind; hi is -1 for no limit. A lookaround has 0. A repetition whose number varies, such as a+, counts as 0 to
// no limit, and so does {0} of a part whose length varies; in Java and Perl only a repetition without a largest length
// does, and in Python the numbers are taken as they are. A reference counts so whose texts are not known yet and, in
// Perl, any reference. No length is counted beyond 1<<30. No call in n may be recursive: checkCalls looks at that.
// p.widths keeps the widths of the groups that are called.
func (p *parser) width(n *node) (lo, hi int) {
	add := func(a, b int) int {
		if a < 0 || b < 0 {
			return -1
		}
		return min(a+b, 1<<30)
	}
	switch n.op {
	case opSet:
		return 1, 1
	case opCall:
		w, ok := p.widths[n.group]
		if !ok {
			w[0], w[1] = p.width(p.groups[n.group])
			p.widths[n.group] = w
		}
		return w[0], w[1]
	case opSeq:
		for _, s := range n.sub {
			l, h := p.width(s)
			lo, hi = min(lo+l, 1<<30), add(hi, h)
		}
	case opAlt:
		lo, hi = p.width(n.sub[0])
		for _, s := range n.sub[1:] {
			l, h := p.width(s)
			if lo = min(lo, l); hi >= 0 {
				if hi = max(hi, h); h < 0 {
					hi = -1
				}
			}
		}
	case opGroup, opAtomic:
		return p.width(n.sub[0])
	case opRef:
		// the texts of the group are not known yet, or not looked at
		if len(n.sub) == 0 || p.d.lookbehind == shortLength {
			return 0, -1
		}
		return p.width(n.sub[0])
	case opTest:
		return p.width(alt(n.sub...))
	case opRepeat:
		l, h := p.width(n.sub[0])
		limited := p.d.lookbehind == boundedLength || p.d.lookbehind == shortLength
		bounds := p.d.lookbehind == fixedLength || limited
		if limited && (n.max < 0 || h < 0) {
			return 0, -1
		}
		if n.max == 0 && (l == h || bounds) { // other engines want a fixed length even of a part that is left out
			return 0, 0
		}
		if n.max == 0 || n.min != n.max && !bounds {
			return 0, -1
		}
		lo = min(l*n.min, 1<<30)
		if n.max < 0 && h != 0 || h < 0 {
			return lo, -1
		}
		hi = min(h*max(n.max, 0), 1<<30)
	}
	return lo, hi
}

// checkLookbehinds refuses the lookbehinds in n that the engine does not read, because of the length of their bodies,
// or because of a part that it does not read there. In flavors with simpleLookbehinds it fails at a group that
// captures in a negated one. Where any length will do, or there are no lookbehinds, it checks nothing.
func (p *parser) checkLookbehinds(n *node) {
	if p.d.lookbehind == anyLength || p.d.lookbehind == noLookbehind {
		return
	}
	checkLength := func(n *node) {
		switch lo, hi := p.width(n); {
		case p.d.lookbehind == boundedLength && hi < 0:
			p.refuse(n.at, "a lookbehind whose length has no limit")
		case p.d.lookbehind == shortLength && (hi < 0 || hi > mostBehind):
			p.refuse(n.at, "a lookbehind that may be longer than %d", mostBehind)
		case (p.d.lookbehind == fixedLength || p.d.lookbehind == fixedBranches) && lo != hi:
			p.refuse(n.at, "a lookbehind whose length is not fixed")
		}
	}
	n.walk(func(n *node) {
		if n.op != opBehind {
			return
		}
		if p.d.lookbehind == boundedLength {
			// Java, whose lookbehinds are bounded: how it measures these parts is not modeled.
			n.walk(func(s *node) {
				if s.op == opAtomic || s.op == opRepeat && s.sub[0].op != opSet {
					p.refuse(s.at, "this is not supported in a lookbehind")
				}
			})
		}
		if p.d.has[simpleLookbehinds] {
			n.walk(func(s *node) {
				if s.op == opAtomic || s.op == opAhead || s.op == opBehind && s != n {
					p.refuse(n.at, "this is not supported in a lookbehind")
				}
				if s.op == opGroup && n.not {
					p.fail(s.at, "a group that captures in a lookbehind that is negated")
				}
			})
		}
		// Each branch is checked by itself, unless all must have one length.
		if body := n.sub[0]; body.op == opAlt && p.d.lookbehind != fixedLength {
			for _, s := range body.sub {
				checkLength(s)
			}
		} else {
			checkLength(body)
		}
	})
}
