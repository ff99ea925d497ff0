package peg

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Peggy is the [expr.Grammar.Notation] of a grammar in peggy's notation, and PeggyVersion the version of peggy that the model is
// held against.
const (
	Peggy        = "peggy"
	PeggyVersion = "5.1.0"
)

// This file reads peggy's notation (PEG.js's, for older files):
//
//	Grammar   <- Import* ( "{" Code "}" End )? ( Code End )? Rule+    Code is JavaScript in balanced braces
//	Rule      <- Name String? "=" Choice End
//	Choice    <- Action ( "/" Action )*
//	Action    <- Labeled+ Code?
//	Labeled   <- "@"? ( Name ":" )? Prefixed
//	Prefixed  <- ( "$" / "&" / "!" )? Suffixed
//	Suffixed  <- Primary ( "?" / "*" / "+" / "|" Counts ( "," Choice )? "|" )?
//	Counts    <- Number? ".." Number? / Number
//	Primary   <- String "i"? / Class [iu]* / "." / Name / "(" Choice ")"
//	End       <- ";"+ / the end of the line, or of the file
//
// A rule's language is what the parser accepts that peggy generates, asked to start at that rule. JavaScript's strings are UTF-16,
// the tree is over bytes: the inputs that are well-formed are carried over to UTF-8 ([expr.Grammar.UTF8]). Half of a surrogate pair that is
// written by itself is refused. A class that has all halves, or ".", reads one at a time, and is read as if it took the whole
// character; where that could make a difference, which is outside of a repetition that takes the other half in its next
// round, the rule is refused ([expr.Rule.Refused]) if its own language is asked for.
//
// Two passes of peggy change languages, and are carried out here in the same way: alternatives beside each other that
// are single characters or classes become one class, whose i and u mean other things than those of its parts.

// ReadPeggy reads a whole grammar in peggy's notation, as [Options.Read] reads one in pigeon's.
func (o Options) ReadPeggy(file string, src []byte) (*expr.Grammar, error) {
	p := &peggy{lexer: lexer{file: file, src: string(src), line: 1}, opts: o}
	if i := invalidUTF8(p.src); i >= 0 {
		p.skip(i)
		return nil, p.errorf("not UTF-8: %s", p.found())
	}
	if err := p.grammar(); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	p.mergeClasses()
	g := &expr.Grammar{File: file, Ordered: true, Notation: Peggy, UTF8: true, Supplied: p.supplied, Budget: p.opts.Budget}
	g.Name = file[strings.LastIndexByte(file, '/')+1:]
	if i := strings.LastIndexByte(g.Name, '.'); i > 0 {
		g.Name = g.Name[:i]
	}
	g.Title = g.Name
	for _, r := range p.rules {
		p.assumes = r.rule.Assumes
		e, err := p.compile(r.body)
		if err != nil {
			return nil, err
		}
		r.rule.Expr, r.rule.Assumes = e, p.assumes
		if at := p.inside(r.body, false, map[string]bool{}); at != nil {
			r.rule.Refused = expr.Refusef(r.rule.Pos, "rule %q can stop inside a surrogate pair: what stands at %s matches one unit of UTF-16, "+
				"half of a character above U+FFFF", r.rule.ID, at.pos).(*expr.Error)
		}
		g.Rules = append(g.Rules, r.rule)
	}
	return g, nil
}

// A nodeKind is what a node is.
type nodeKind uint8

const (
	jLiteral nodeKind = iota
	jClass
	jAny
	jRef
	jSequence
	jChoice
	jText // $, whose operand may become a class
	jGroup
	jLabeled
	jAction
	jAnd
	jNot
	jRepeat
)

// A node is an expression as peggy has it, before it is made one over bytes.
type node struct {
	kind nodeKind
	sub  []*node
	pos  expr.Pos

	units   []uint16 // of a literal
	fold    bool     // i
	parts   []part
	invert  bool
	unicode bool // u: the class is of code points
	name    string
	pick    bool // @
	min     int  // of a repetition
	max     int
	delim   *node
	suffix  bool // a repetition by ? * +
}

// A part stands in a class: a character, a range, or \p{...}.
type part struct {
	runeRange
	isRange bool
	table   []runeRange // of \p{...}
	escape  bool
}

type peggyRule struct {
	rule *expr.Rule
	body *node
}

type peggy struct {
	lexer
	opts     Options
	rules    []*peggyRule
	byName   map[string]*peggyRule
	imported map[string]expr.Pos // names bound by import
	supplied []string            // core rules that the file uses and does not define
	assumes  []expr.Assumption
	outer    []expr.Assumption // that every rule makes, for the initializers and imports
	depth    int
	nodes    int
	end      lexer // where the last token of an expression ended
	bar      int   // where a | stands that begins no counts, and why it does not
	barErr   error
}

// maxNodes bounds how many expressions a file has: the passes follow chains of rules.
const maxNodes = 1 << 19

func (p *peggy) node(kind nodeKind, pos expr.Pos, sub ...*node) *node {
	p.nodes++
	return &node{kind: kind, pos: pos, sub: sub}
}

// jsSpace skips white space and comments, and returns the comment lines right above where it stops.
func (p *peggy) jsSpace() (comment string, err error) {
	var lines []string
	newlines := 1
	for !p.eof() {
		switch n := p.jsBlank(); {
		case n > 0:
			if p.peek() == '\n' {
				if newlines++; newlines > 1 {
					lines = lines[:0]
				}
			}
			p.skip(n)
		case p.has("//"):
			start := p.off + 2
			p.jsLine()
			lines = append(lines, strings.TrimRight(p.src[start:p.off], " \t\r"))
			newlines = 0
		case p.has("/*"):
			pos := p.pos()
			n := strings.Index(p.src[p.off+2:], "*/")
			if n < 0 {
				return "", expr.Errorf(pos, "comment not ended")
			}
			p.skip(n + 4)
		default:
			return strings.Join(lines, "\n"), nil
		}
	}
	return strings.Join(lines, "\n"), nil
}

// jsBlank returns the length of the white space or line terminator that stands here, or 0.
func (p *peggy) jsBlank() int {
	r, n := utf8.DecodeRuneInString(p.src[p.off:])
	if n > 0 && (lineEnd(r) || jsWhite(r)) {
		return n
	}
	return 0
}

func jsWhite(r rune) bool {
	return r == '\t' || r == '\v' || r == '\f' || r == '\ufeff' || unicode.Is(unicode.Zs, r)
}

func lineEnd(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' }

// jsLine skips the rest of the line.
func (p *peggy) jsLine() {
	for !p.eof() {
		r, n := utf8.DecodeRuneInString(p.src[p.off:])
		if lineEnd(r) {
			return
		}
		p.skip(n)
	}
}

// eos skips the end of a rule or of an initializer.
func (p *peggy) eos() error {
	ahead := p.lexer
	semicolon := false
	for {
		try := *p
		try.lexer = ahead
		if _, err := try.jsSpace(); err != nil || try.peek() != ';' {
			break
		}
		try.next()
		ahead, semicolon = try.lexer, true
	}
	if semicolon {
		p.lexer = ahead
		return nil
	}
	try := *p
	for !try.eof() {
		r, n := utf8.DecodeRuneInString(try.src[try.off:])
		switch {
		case r == '\r' && try.has("\r\n"):
			try.skip(2)
			p.lexer = try.lexer
			return nil
		case lineEnd(r):
			try.skip(n)
			p.lexer = try.lexer
			return nil
		case jsWhite(r):
			try.skip(n)
			continue
		case try.has("//"):
			try.jsLine()
			continue
		case try.has("/*"):
			n := strings.Index(try.src[try.off+2:], "*/")
			if n >= 0 && !strings.ContainsFunc(try.src[try.off:try.off+n+4], lineEnd) {
				try.skip(n + 4)
				continue
			}
		}
		break
	}
	try = *p
	if _, err := try.jsSpace(); err != nil {
		return err
	}
	if try.eof() {
		p.lexer = try.lexer
		return nil
	}
	if try.peek() == '|' && try.off == p.bar && p.barErr != nil {
		return p.barErr
	}
	return try.errorf("expected the end of the line or ;, found %s", try.found())
}

func (p *peggy) grammar() error {
	p.imported = map[string]expr.Pos{}
	for p.importDeclaration() {
	}
	if _, err := p.jsSpace(); err != nil {
		return err
	}
	if p.has("{{") {
		ahead := *p
		pos := p.pos()
		ahead.next()
		if code, err := ahead.block(); err == nil && ahead.peek() == '}' {
			ahead.next()
			if ahead.eos() == nil {
				*p = ahead
				if err := p.initializer(code, pos); err != nil {
					return err
				}
				if _, err := p.jsSpace(); err != nil {
					return err
				}
			}
		}
	}
	if p.peek() == '{' {
		pos := p.pos()
		code, err := p.block()
		if err != nil {
			return err
		}
		if err := p.eos(); err != nil {
			return err
		}
		if err := p.initializer(code, pos); err != nil {
			return err
		}
	}
	for {
		comment, err := p.jsSpace()
		if err != nil {
			return err
		}
		if p.eof() {
			break
		}
		r, err := p.readRule()
		if err != nil {
			return err
		}
		r.rule.Comment = comment
		p.rules = append(p.rules, r)
	}
	if len(p.rules) == 0 {
		return p.errorf("no rule")
	}
	return nil
}

func (p *peggy) initializer(code string, pos expr.Pos) error {
	p.outer = append(p.outer, expr.Assumption{Text: assumeScript, Pos: pos})
	switch {
	case ofParser(code):
		return expr.Refusef(pos, "the initializer uses a name of the parser's own, peg$..., with which code can change what is accepted")
	case throws.MatchString(code) && !p.opts.ActionsSucceed:
		return expr.Refusef(pos, "the initializer has code that may call error() or expected(), or throw: that fails the whole parse")
	}
	return nil
}

// ofParser reports whether JavaScript has a name that begins in peg$, as those of the generated parser do and no others, in
// whatever way it is spelled. As for [throws], comments and strings count.
func ofParser(code string) bool {
	plain := scriptEscape.ReplaceAllStringFunc(code, func(s string) string {
		n, err := strconv.ParseUint(strings.Trim(s[2:], "{}"), 16, 32)
		if err != nil {
			return s
		}
		return string(rune(n))
	})
	return strings.Contains(plain, "peg$")
}

var scriptEscape = regexp.MustCompile(`\\u([0-9A-Fa-f]{4}|\{[0-9A-Fa-f]+\})`)

// throws finds JavaScript that makes a parse fail. What comments and strings have counts: code is not read.
var throws = regexp.MustCompile(`(^|[^.\w$])(error|expected)\s*\(|(^|[^.\w$])throw\b`)

// importDeclaration skips a declaration that imports, and reports whether there was one. The names that it binds are kept.
func (p *peggy) importDeclaration() bool {
	try := *p
	bound := map[string]expr.Pos{}
	word := func(w string) bool {
		if _, err := try.jsSpace(); err != nil || !try.has(w) {
			return false
		}
		try.skip(len(w))
		return true
	}
	name := func() bool {
		_, err := try.jsSpace()
		pos := try.pos()
		id, bad := try.name()
		if err != nil || bad != nil || id == "" {
			return false
		}
		bound[id] = pos
		return true
	}
	from := expr.Assumption{}
	module := func() bool {
		_, err := try.jsSpace()
		if err != nil || try.peek() != '"' && try.peek() != '\'' {
			return false
		}
		pos := try.pos()
		name, err := try.quoted()
		from = expr.Assumption{Text: fmt.Sprintf(assumeModule, string(utf16.Decode(name))), Pos: pos}
		return err == nil
	}
	list := func() bool { // behind {
		for !word("}") {
			_, err := try.jsSpace()
			if err != nil {
				return false
			}
			if try.peek() == '"' || try.peek() == '\'' {
				if !module() || !word("as") || !name() {
					return false
				}
			} else if !name() || word("as ") && !name() {
				return false
			}
			if !word(",") {
				return word("}")
			}
		}
		return true
	}
	if !word("import") {
		return false
	}
	ok := module()
	if !ok {
		switch {
		case word("*"):
			ok = word("as") && name()
		case word("{"):
			ok = list()
		default:
			if ok = name(); ok && word(",") {
				if word("*") {
					ok = word("as") && name()
				} else {
					ok = word("{") && list()
				}
			}
		}
		ok = ok && word("from") && module()
	}
	if !ok {
		return false
	}
	word(";")
	p.lexer = try.lexer
	p.outer = append(p.outer, from)
	for id, pos := range bound {
		p.imported[id] = pos
	}
	return true
}

// block skips a block of code, and returns what stands between its braces. Only braces count.
func (p *peggy) block() (string, error) {
	pos, start := p.pos(), p.off+1
	for depth := 0; !p.eof(); p.next() {
		switch p.peek() {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				p.next()
				return p.src[start : p.off-1], nil
			}
		}
	}
	return "", expr.Errorf(pos, "code block not ended")
}

var idStart = []*unicode.RangeTable{unicode.L, unicode.Nl, unicode.Other_ID_Start}
var idContinue = []*unicode.RangeTable{unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue}

func inPattern(r rune) bool {
	return unicode.In(r, unicode.Pattern_Syntax, unicode.Pattern_White_Space)
}

// atName reports whether an identifier begins here.
func (p *peggy) atName() bool {
	r, _ := utf8.DecodeRuneInString(p.src[p.off:])
	return r == '_' || r == '\\' || unicode.IsOneOf(idStart, r) && !inPattern(r)
}

// name reads an identifier, "" if none begins here.
func (p *peggy) name() (string, error) {
	if !p.atName() {
		return "", nil
	}
	var b strings.Builder
	if p.peek() == '\\' {
		if !p.has(`\u`) {
			return "", p.errorf("invalid escape in a name")
		}
		units, err := p.jsEscape()
		if err != nil {
			return "", err
		}
		b.WriteString(string(utf16.Decode(units)))
	}
	for !p.eof() {
		r, n := utf8.DecodeRuneInString(p.src[p.off:])
		ok := unicode.IsOneOf(idContinue, r) && !inPattern(r) || r == '$'
		if b.Len() == 0 {
			ok = p.atName()
		}
		if !ok {
			break
		}
		b.WriteRune(r)
		p.skip(n)
	}
	return b.String(), nil
}

func (p *peggy) readRule() (*peggyRule, error) {
	r := &expr.Rule{Pos: p.pos()}
	start := p.off
	id, err := p.name()
	if err != nil {
		return nil, err
	}
	if id == "" {
		return nil, p.errorf("expected the name of a rule, found %s", p.found())
	}
	r.ID, r.Name, r.Line = id, id, r.Pos.Line
	if _, err := p.jsSpace(); err != nil {
		return nil, err
	}
	if c := p.peek(); c == '"' || c == '\'' {
		s, err := p.quoted()
		if err != nil {
			return nil, err
		}
		if octal(s) {
			return nil, p.errorf("the name of rule %s has U+0000 before a digit: peggy writes both into one escape, which JavaScript refuses", id)
		}
		r.Name = string(utf16.Decode(s))
		if _, err := p.jsSpace(); err != nil {
			return nil, err
		}
	}
	if p.peek() != '=' {
		return nil, p.errorf("expected = after the name of rule %q, found %s", id, p.found())
	}
	p.next()
	if _, err := p.jsSpace(); err != nil {
		return nil, err
	}
	p.assumes = slices.Clone(p.outer)
	body, err := p.choice()
	if err != nil {
		return nil, err
	}
	p.lexer = p.end
	r.Printed = strings.TrimSpace(p.src[start:p.off])
	r.Assumes = p.assumes
	return &peggyRule{r, body}, p.eos()
}

func (p *peggy) choice() (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.errorf("nested too deeply")
	}
	defer func() { p.depth-- }()
	pos := p.pos()
	var alts []*node
	for {
		a, err := p.action()
		if err != nil {
			return nil, err
		}
		alts = append(alts, a)
		if p.peek() != '/' {
			break
		}
		p.next()
		if _, err := p.jsSpace(); err != nil {
			return nil, err
		}
	}
	if len(alts) == 1 {
		return alts[0], nil
	}
	return p.node(jChoice, pos, alts...), nil
}

func (p *peggy) action() (*node, error) {
	pos := p.pos()
	var seq []*node
	for {
		ends, err := p.ends()
		if err != nil {
			return nil, err
		}
		if ends {
			break
		}
		e, err := p.labeled()
		if err != nil {
			return nil, err
		}
		if p.nodes > maxNodes {
			return nil, p.errorf("more than %d expressions", maxNodes)
		}
		p.end = p.lexer
		seq = append(seq, e)
		if _, err := p.jsSpace(); err != nil {
			return nil, err
		}
	}
	if len(seq) == 0 {
		return nil, p.errorf("expected an expression, found %s", p.found())
	}
	e := seq[0]
	if len(seq) > 1 || e.kind == jLabeled && e.pick {
		e = p.node(jSequence, pos, seq...)
	}
	if p.peek() != '{' {
		return e, nil
	}
	at := p.pos()
	code, err := p.block()
	if err != nil {
		return nil, err
	}
	for _, s := range seq {
		if s.kind == jLabeled && s.pick {
			return nil, expr.Errorf(s.pos, "@ stands in a sequence with an action")
		}
	}
	switch {
	case ofParser(code):
		return nil, expr.Refusef(at, "an action that uses a name of the parser's own, peg$..., is not supported: it may fail, or change what is accepted")
	case !throws.MatchString(code):
		p.assumes = append(p.assumes, expr.Assumption{Text: assumeScript, Pos: at})
	case p.opts.ActionsSucceed:
		p.assumes = append(p.assumes, expr.Assumption{Text: assumeSuccess, Pos: at})
	default:
		return nil, expr.Refusef(at, "an action that may call error() or expected(), or throw, is not supported: that fails the whole parse")
	}
	p.end = p.lexer
	_, err = p.jsSpace()
	return p.node(jAction, pos, e), err
}

// ends reports whether no further element of a sequence can begin here.
func (p *peggy) ends() (bool, error) {
	switch c := p.peek(); {
	case p.eof() || strings.IndexByte("/){;|,", c) >= 0:
		return true, nil
	case !p.atName():
		return false, nil
	}
	ahead := *p
	if _, err := ahead.name(); err != nil {
		return false, err
	}
	if _, err := ahead.jsSpace(); err != nil {
		return false, err
	}
	if c := ahead.peek(); c == '"' || c == '\'' {
		if _, err := ahead.quoted(); err != nil {
			return false, nil
		}
		if _, err := ahead.jsSpace(); err != nil {
			return false, err
		}
	}
	return ahead.peek() == '=', nil
}

func (p *peggy) labeled() (*node, error) {
	pos := p.pos()
	pick := p.peek() == '@'
	if pick {
		p.next()
	}
	label := ""
	if p.atName() {
		ahead := *p
		id, err := ahead.name()
		if err != nil {
			return nil, err
		}
		if _, err := ahead.jsSpace(); err != nil {
			return nil, err
		}
		if ahead.peek() == ':' {
			if slices.Contains(scriptWords, id) {
				return nil, p.errorf("label %q is a word of JavaScript", id)
			}
			ahead.next()
			if _, err := ahead.jsSpace(); err != nil {
				return nil, err
			}
			p.lexer = ahead.lexer
			label = id
		}
	}
	e, err := p.prefixed()
	if err != nil || !pick && label == "" {
		return e, err
	}
	n := p.node(jLabeled, pos, e)
	n.name, n.pick = label, pick
	return n, nil
}

// scriptWords are the words that cannot be labels.
var scriptWords = strings.Fields(`break case catch class const continue debugger default delete do else export extends finally
	for function if import in instanceof new return super switch this throw try typeof var void while with null true false
	enum implements interface let package private protected public static yield await arguments eval`)

func (p *peggy) prefixed() (*node, error) {
	c := p.peek()
	if p.eof() || strings.IndexByte("$&!", c) < 0 {
		return p.suffixed()
	}
	pos := p.pos()
	p.next()
	if _, err := p.jsSpace(); err != nil {
		return nil, err
	}
	if c != '$' && p.peek() == '{' {
		return nil, expr.Refusef(pos, "a predicate with code (%c{...}) is not supported: its language cannot be known", c)
	}
	e, err := p.suffixed()
	if err != nil {
		return nil, err
	}
	kind := map[byte]nodeKind{'$': jText, '&': jAnd, '!': jNot}[c]
	return p.node(kind, pos, e), nil
}

func (p *peggy) suffixed() (*node, error) {
	pos := p.pos()
	e, err := p.primary()
	if err != nil {
		return nil, err
	}
	save := p.lexer
	if _, err := p.jsSpace(); err != nil {
		return nil, err
	}
	rep := p.node(jRepeat, pos, e)
	rep.max, rep.suffix = expr.Unbounded, true
	switch p.peek() {
	case '?':
		rep.max = 1
	case '*':
	case '+':
		rep.min = 1
	case '|':
		bar := p.lexer
		err := p.counts(rep)
		if e, ok := err.(*expr.Error); !ok || e.Refused {
			return rep, err
		}
		p.lexer, p.bar, p.barErr = save, bar.off, err // a delimiter ends here, or it is an error
		return e, nil
	default:
		p.lexer = save
		return e, nil
	}
	p.next()
	return rep, nil
}

// counts reads |min..max, delimiter|.
func (p *peggy) counts(rep *node) error {
	rep.suffix = false
	bar := p.pos()
	p.next()
	space := func() error { _, err := p.jsSpace(); return err }
	number := func() (n int, ok bool, err error) {
		at := p.pos()
		start := p.off
		for '0' <= p.peek() && p.peek() <= '9' {
			p.next()
		}
		switch {
		case p.off > start:
			n, err = strconv.Atoi(p.src[start:p.off])
			if err != nil || n > 1<<30 {
				return 0, false, expr.Refusef(at, "a count of more than %d", 1<<30)
			}
			return n, true, space()
		case p.atName() || p.peek() == '{':
			return 0, false, expr.Refusef(at, "a count that JavaScript computes is not supported: its language cannot be known")
		}
		return 0, false, space()
	}
	if err := space(); err != nil {
		return err
	}
	min, hasMin, err := number()
	if err != nil {
		return err
	}
	max, hasMax := min, hasMin
	at := p.pos()
	if p.has("..") {
		p.skip(2)
		if err := space(); err != nil {
			return err
		}
		if max, hasMax, err = number(); err != nil {
			return err
		}
	} else if !hasMin {
		return p.errorf("expected a count, found %s", p.found())
	}
	rep.min, rep.max = min, expr.Unbounded
	if hasMax {
		if rep.max = max; max == 0 {
			return expr.Errorf(at, "the maximum of a count must be more than 0")
		}
	}
	if p.peek() == ',' {
		p.next()
		if err := space(); err != nil {
			return err
		}
		if rep.delim, err = p.choice(); err != nil {
			return err
		}
	}
	if p.peek() != '|' {
		return p.errorf("expected | for the | at %s, found %s", bar, p.found())
	}
	p.next()
	return nil
}

func (p *peggy) primary() (*node, error) {
	pos := p.pos()
	switch c := p.peek(); {
	case c == '"' || c == '\'':
		units, err := p.quoted()
		if err != nil {
			return nil, err
		}
		n := p.node(jLiteral, pos)
		n.units, n.fold = units, p.foldFlag()
		return n, nil
	case c == '[':
		return p.class()
	case c == '.':
		p.next()
		return p.node(jAny, pos), nil
	case c == '(':
		p.next()
		if _, err := p.jsSpace(); err != nil {
			return nil, err
		}
		e, err := p.choice()
		if err != nil {
			return nil, err
		}
		if p.peek() != ')' {
			return nil, p.errorf("expected ) for the ( at %s, found %s", pos, p.found())
		}
		p.next()
		if e.kind == jLabeled || e.kind == jSequence {
			e = p.node(jGroup, pos, e)
		}
		return e, nil
	case p.atName():
		id, err := p.name()
		if err != nil {
			return nil, err
		}
		if p.peek() == '.' {
			ahead := *p
			ahead.next()
			if other, err := ahead.name(); err == nil && other != "" {
				return nil, expr.Refusef(pos, "rule %s.%s is another module's, which is not read", id, other)
			}
		}
		n := p.node(jRef, pos)
		n.name = id
		return n, nil
	case (c == '&' || c == '!'):
		return nil, expr.Refusef(pos, "a predicate with code (%c{...}) is not supported: its language cannot be known", c)
	}
	return nil, p.errorf("expected an expression, found %s", p.found())
}

const halfPair = "half of a surrogate pair by itself is not supported: write the character, or a class of code points"

// quoted reads a string in quotes, in units of UTF-16.
func (p *peggy) quoted() ([]uint16, error) {
	pos, quote := p.pos(), p.peek()
	p.next()
	var units []uint16
	for !p.eof() {
		r, n := utf8.DecodeRuneInString(p.src[p.off:])
		switch {
		case r == rune(quote):
			p.next()
			if slices.ContainsFunc(decode(units), utf16.IsSurrogate) {
				return nil, expr.Refusef(pos, halfPair)
			}
			return units, nil
		case lineEnd(r):
			return nil, expr.Errorf(pos, "string not ended")
		case r == '\\':
			u, err := p.jsEscape()
			if err != nil {
				return nil, err
			}
			units = append(units, u...)
		default:
			units = utf16.AppendRune(units, r)
			p.skip(n)
		}
	}
	return nil, expr.Errorf(pos, "string not ended")
}

// jsEscape reads an escape, or a backslash at the end of a line, which stands for nothing.
func (p *peggy) jsEscape() ([]uint16, error) {
	at := p.pos()
	invalid := func() ([]uint16, error) { return nil, expr.Errorf(at, "invalid escape") }
	p.next()
	if p.eof() {
		return invalid()
	}
	r, n := utf8.DecodeRuneInString(p.src[p.off:])
	hex := func(digits int) (rune, bool) {
		if p.off+digits > len(p.src) {
			return 0, false
		}
		v, err := strconv.ParseUint(p.src[p.off:p.off+digits], 16, 32)
		p.skip(digits)
		return rune(v), err == nil && !strings.ContainsAny(p.src[p.off-digits:p.off], "_+-\n")
	}
	switch {
	case p.has("\r\n"):
		p.skip(2)
		return nil, nil
	case lineEnd(r):
		p.skip(n)
		return nil, nil
	case r == '0':
		p.next()
		if c := p.peek(); '0' <= c && c <= '9' && !p.eof() {
			return invalid()
		}
		return []uint16{0}, nil
	case '1' <= r && r <= '9' || r == 'p':
		return invalid()
	case r == 'x':
		p.next()
		v, ok := hex(2)
		if !ok {
			return invalid()
		}
		return []uint16{uint16(v)}, nil
	case r == 'u':
		p.next()
		if p.peek() == '{' {
			p.next()
			n := strings.IndexByte(p.src[p.off:], '}')
			if n <= 0 {
				return invalid()
			}
			for _, c := range p.src[p.off : p.off+n] {
				if !strings.ContainsRune("0123456789abcdefABCDEF", c) {
					return invalid()
				}
			}
			digits := strings.TrimLeft(p.src[p.off:p.off+n], "0")
			v, err := strconv.ParseUint("0"+digits, 16, 32)
			if err != nil || v > unicode.MaxRune {
				return nil, expr.Errorf(at, "the code point of an escape is above U+10FFFF")
			}
			p.skip(n + 1)
			return units(rune(v)), nil
		}
		v, ok := hex(4)
		if !ok {
			return invalid()
		}
		return []uint16{uint16(v)}, nil
	}
	p.skip(n)
	if i := strings.IndexRune("bfnrtv", r); i >= 0 {
		r = rune("\b\f\n\r\t\v"[i])
	}
	return units(r), nil
}

// units returns the code units of a code point, which may be a surrogate.
func units(r rune) []uint16 {
	if r <= 0xffff {
		return []uint16{uint16(r)}
	}
	return utf16.AppendRune(nil, r)
}

func (p *peggy) class() (*node, error) {
	n := p.node(jClass, p.pos())
	p.next() // [
	if p.peek() == '^' {
		n.invert = true
		p.next()
	}
	char := func() (r rune, some bool, err error) {
		if p.eof() {
			return 0, false, expr.Errorf(n.pos, "character class not ended")
		}
		c, size := utf8.DecodeRuneInString(p.src[p.off:])
		switch {
		case lineEnd(c):
			return 0, false, expr.Errorf(n.pos, "character class not ended")
		case c != '\\':
			p.skip(size)
			return c, true, nil
		}
		at := p.pos()
		u, err := p.jsEscape()
		switch {
		case err != nil || len(u) == 0:
			return 0, false, err
		case len(u) == 1 && utf16.IsSurrogate(rune(u[0])):
			return 0, false, expr.Refusef(at, halfPair)
		case len(u) == 2:
			return utf16.DecodeRune(rune(u[0]), rune(u[1])), true, nil
		}
		return rune(u[0]), true, nil
	}
	none := true // no part, not even the end of a line
	for p.peek() != ']' || p.eof() {
		if p.has(`\p`) || p.has(`\P`) {
			ok, err := p.property(n)
			if err != nil {
				return nil, err
			}
			if ok {
				none = false
				continue
			}
		}
		at := p.pos()
		lo, some, err := char()
		if err != nil {
			return nil, err
		}
		none = false
		hi, isRange := lo, false
		if p.peek() == '-' && !p.eof() && p.off+1 < len(p.src) && p.src[p.off+1] != ']' {
			if p.off+2 < len(p.src) && p.src[p.off+1] == '\\' && (p.src[p.off+2] == 'p') {
				// "-" is a character by itself
			} else {
				p.next()
				last, more, err := char()
				if err != nil {
					return nil, err
				}
				if !some || !more {
					return nil, expr.Refusef(at, "a range that a line's end is an end of is not supported")
				}
				if last < lo {
					return nil, expr.Errorf(at, "range out of order: %q to %q", lo, last)
				}
				hi, isRange = last, true
			}
		}
		if some {
			n.parts = append(n.parts, part{runeRange: runeRange{lo, hi}, isRange: isRange})
		}
	}
	p.next() // ]
	flagU := false
	for {
		switch c := p.peek(); {
		case !p.eof() && c == 'i' && !n.fold:
			n.fold = true
		case !p.eof() && c == 'u' && !flagU:
			flagU = true
		case !p.eof() && (c == 'i' || c == 'u'):
			return nil, p.errorf("flag %c stands here twice", c)
		default:
			n.unicode = flagU || slices.ContainsFunc(n.parts, func(r part) bool { return r.escape || r.hi > 0xffff })
			if n.invert && none {
				if !flagU {
					n.kind = jAny
					return n, nil
				}
				n.parts = []part{{runeRange: runeRange{firstHigh, lastLow}, isRange: true}}
			}
			return n, nil
		}
		p.next()
	}
}

// property reads \p{...}; ok is false where that is no property but a character.
func (p *peggy) property(n *node) (ok bool, err error) {
	form := propertyForm.FindStringSubmatch(p.src[p.off:])
	if form == nil {
		if p.has(`\p`) {
			return false, p.errorf("invalid escape")
		}
		return false, nil
	}
	at := p.pos()
	table, ok := propertyTable(form[2])
	if !ok {
		return false, expr.Refusef(at, "the Unicode property %s is not known here", form[2])
	}
	if form[1] == "P" {
		table = invert(normal(table))
	}
	n.parts = append(n.parts, part{table: table, escape: true})
	p.assumes = append(p.assumes, expr.Assumption{Text: assumeTables, Pos: at})
	p.skip(len(form[0]))
	return true, nil
}

var propertyForm = regexp.MustCompile(`^\\([pP])\{([A-Za-z_]+=[A-Za-z0-9_]+|[A-Za-z0-9_]+)\}`)
