package peg

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// Peggy is the [expr.Grammar.Notation] of a grammar in peggy's notation, and PeggyVersion the version that the
// model is checked against. OlderPeggy is a version that reads the same wherever [Assumptions] does not say otherwise.
const (
	Peggy        = "peggy"
	PeggyVersion = "5.1.0"
	OlderPeggy   = "4.2.0"
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
// A rule's language is what the parser accepts that peggy generates, asked to start at that rule. JavaScript's
// strings are UTF-16, the tree is over bytes: the inputs that are well-formed are carried over to UTF-8
// ([expr.Grammar.UTF8]). Half of a surrogate pair that is written by itself is refused, and so are classes that tell
// such halves apart: [\ud800-\udbff] and [\udc00-\udfff], which have all halves of one kind, are read. A class that
// has all halves, or ".", reads one at a time. Most such parts stand in a repetition, which takes the other half in its
// next round, and are read as if they took the whole character. If a file has others, its wide classes read either
// half by itself: the first two bytes of the four that a character has in UTF-8, or the last two.
//
// What is not modeled refuses its rule and those that come to it, as in pigeon's notation: predicates with code,
// counts that JavaScript computes, rules of other modules. An initializer that may do more than define names
// refuses every rule.
//
// Two passes of peggy change languages, and are carried out here in the same way: adjacent alternatives that
// are single characters or classes become one class, whose i and u mean other things than those of its parts.

// ReadPeggy reads a whole grammar in peggy's notation, as [Options.Read] reads one in pigeon's.
func (o Options) ReadPeggy(file string, src []byte) (g *expr.Grammar, err error) {
	err = caught(func() { g = o.readPeggy(file, src) })
	return g, err
}

// readPeggy reads a whole file in peggy's notation. A rule that is not certain to match as it is read is refused,
// with those that use it. At a mistake it panics with an error.
func (o Options) readPeggy(file string, src []byte) *expr.Grammar {
	p := &peggy{lexer: lexer{file: file, src: string(src), line: 1, script: true}, opts: o}
	p.refused = map[string]*expr.Error{}
	p.valid()
	p.grammar()
	p.check()
	for _, r := range p.rules {
		p.judge(r, r.body, map[string]bool{})
	}
	if p.unread != nil {
		for _, r := range p.rules {
			if p.refused[r.rule.ID] == nil {
				p.refused[r.rule.ID] = p.unread
			}
		}
	}
	uses := p.uses() // before classes that rules consist of take the places of their uses
	p.cutSurrogates()
	p.mergeClasses()
	p.halves = slices.ContainsFunc(p.rules, func(r *peggyRule) bool {
		return p.inside(r.body, false, map[string]bool{}) != nil
	})
	g := &expr.Grammar{
		File: file, Ordered: true, Notation: Peggy, UTF8: true, Supplied: p.supplied, Budget: p.opts.Budget,
	}
	g.Name = file[strings.LastIndexByte(file, '/')+1:]
	if i := strings.LastIndexByte(g.Name, '.'); i > 0 {
		g.Name = g.Name[:i]
	}
	g.Title = g.Name
	for _, r := range p.rules {
		p.assumes, p.refusal = r.rule.Assumes, nil
		r.rule.Expr = p.compile(r.body)
		r.rule.Assumes = slices.Concat(p.outer, p.assumes)
		if p.refusal != nil && p.refused[r.rule.ID] == nil {
			p.refused[r.rule.ID] = p.refusal
		}
	}
	refuseUsers(p.refused, slices.Sorted(maps.Keys(uses)), func(id string) []string { return uses[id] })
	for _, r := range p.rules {
		if why := p.refused[r.rule.ID]; why != nil {
			r.rule.Refused = why
		}
		g.Rules = append(g.Rules, r.rule)
	}
	checkProgress(g)
	return g
}

// A nodeKind is a kind of node.
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
	jNothing // something that is not modeled, in a rule that is refused
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
	code    *peggyCode // of an action
	pick    bool       // @
	min     int        // of a repetition
	max     int
	delim   *node
	suffix  bool // a repetition by ? * +

	// merged are the classes of which peggy makes this one, or this character: see [peggy.mergeClasses]. nil where n
	// is what was written.
	merged []*node
}

// A part stands in a class: a character, a range, or \p{...}.
type part struct {
	runes.Span
	isRange bool
	table   runes.Set // of \p{...}
	escape  bool
}

// A peggyRule is a rule whose expression is not compiled yet: body has it.
type peggyRule struct {
	rule *expr.Rule
	body *node
}

// peggyCode is the code of an action.
type peggyCode struct {
	pos  expr.Pos // of its brace
	text string
	script
}

// A peggy reads a file in peggy's notation. The methods that read pass what they read, and panic with an error at a
// mistake.
type peggy struct {
	lexer
	opts     Options
	rules    []*peggyRule
	byName   map[string]*peggyRule // set by check; the passes after it need it
	imported map[string]expr.Pos   // names bound by import
	supplied []string              // core rules that the file uses and does not define
	assumes  []expr.Assumption
	outer    []expr.Assumption      // that every rule makes, for the initializers and imports
	refused  map[string]*expr.Error // rule -> why it cannot be computed with, nor what uses it
	refusal  *expr.Error            // that of the rule that is being read
	unread   *expr.Error            // why every rule is refused; nil if that is not so
	halves   bool                   // what reads a unit of UTF-16 is compiled to read half of a character, too
	nodes    int
	end      lexer // where the last token of an expression ended
	bar      int   // where a | stands that begins no counts, and why it does not
	barErr   error
}

// maxNodes bounds how many expressions a file has: the passes follow chains of rules.
const maxNodes = 1 << 19

// node returns a new node, and counts it in p.nodes: see maxNodes.
func (p *peggy) node(kind nodeKind, pos expr.Pos, sub ...*node) *node {
	p.nodes++
	return &node{kind: kind, pos: pos, sub: sub}
}

// eos is [lexer.eos]. If it fails at a | that begins no counts, the error says why it begins none.
func (p *peggy) eos() {
	behind := p.lexer
	if err := caught(p.lexer.eos); err != nil {
		if caught(func() { behind.space() }) == nil && behind.peek() == '|' && behind.off == p.bar && p.barErr != nil {
			err = p.barErr
		}
		panic(err)
	}
}

// grammar reads the imports, the initializers and the rules into p.imported and p.rules, and judges the initializers.
// At a mistake, and in a file without a rule, it panics with an error.
func (p *peggy) grammar() {
	p.imported = map[string]expr.Pos{}
	for p.importDeclaration() {
	}
	p.space()
	if p.has("{{") { // an initializer in one brace, too, can begin like this: then it is read below
		ahead := *p
		pos := p.pos()
		ahead.next()
		code := ""
		if caught(func() { code = ahead.block() }) == nil && ahead.peek() == '}' {
			ahead.next()
			if caught(ahead.eos) == nil {
				*p = ahead
				p.initializer(code, pos, true)
				p.space()
			}
		}
	}
	if p.peek() == '{' {
		pos := p.pos()
		code := p.block()
		p.eos()
		p.initializer(code, pos, false)
	}
	for {
		comment := p.space()
		if p.eof() {
			break
		}
		r := p.readRule()
		r.rule.Comment = comment
		p.rules = append(p.rules, r)
	}
	if len(p.rules) == 0 {
		panic(p.errorf("no rule"))
	}
}

// initializer judges an initializer, which runs before each parse or, with once, in two braces, one time. All code
// sees the names that it declares. An initializer without code does nothing. Any other refuses all rules, in p.unread.
// With Options.ActionsSucceed all rules assume it instead, in p.outer. But nobody can vouch for one that uses a name
// in peg$, or, unless it is run once, input, error or expected as script.misuses tells: that refuses all rules all the
// same.
func (p *peggy) initializer(code string, pos expr.Pos, once bool) {
	s := readScript(code)
	if s.whole && len(s.tokens) == 0 {
		return
	}
	if namesParser(code) {
		p.refuseAll(pos,
			"the initializer uses a name of the parser's own, peg$..., with which code can change what is accepted")
	}
	if name := s.misuses(nil); name != "" && !once {
		p.refuseAll(pos,
			"the initializer uses %s as a value or gives the name to something else, which can "+
				"change what is accepted", name)
	}
	p.everywhere(pos, "an initializer with code is not supported: it may fail, or change what the parser does")
}

// uses returns, for each rule, the names that its body refers to, one for each reference. A rule that refers to none
// has an entry, too.
func (p *peggy) uses() map[string][]string {
	uses := map[string][]string{}
	for _, r := range p.rules {
		uses[r.rule.ID] = nil
		for _, ref := range refs(r.body) {
			uses[r.rule.ID] = append(uses[r.rule.ID], ref.name)
		}
	}
	return uses
}

// refuseAll notes why all rules are refused.
func (p *peggy) refuseAll(pos expr.Pos, format string, args ...any) {
	if p.unread == nil {
		p.unread = expr.Refusef(pos, format, args...).(*expr.Error)
	}
}

// everywhere notes code at pos that all rules rest on, or that refuses them all.
func (p *peggy) everywhere(pos expr.Pos, why string) {
	if !p.opts.ActionsSucceed {
		p.refuseAll(pos, "%s; %s", why, vouch)
		return
	}
	p.outer = append(p.outer, expr.Assumption{Text: assumeScript, Pos: pos})
}

// vouch says what allows code that is not certain to do nothing.
const vouch = "vouch for it with --assume-actions-succeed"

// judge decides what the code in n, of the rule r, does to a parse: nothing, or judgeAction refuses r or notes what
// it assumes. The labels in scope are the parameters of an action: those of its own sequence, and of the sequences
// that it stands in. judge adds those of n to scope where what follows n is in their scope too.
func (p *peggy) judge(r *peggyRule, n *node, scope map[string]bool) {
	switch n.kind {
	case jSequence:
		for _, s := range n.sub {
			p.judge(r, s, scope)
		}
	case jLabeled:
		p.judge(r, n.sub[0], maps.Clone(scope))
		scope[n.name] = true
	case jAction:
		own := maps.Clone(scope)
		p.judge(r, n.sub[0], own)
		p.judgeAction(r, n.code, slices.Collect(maps.Keys(own)))
	default:
		for _, s := range n.sub {
			p.judge(r, s, maps.Clone(scope))
		}
		if n.delim != nil {
			p.judge(r, n.delim, maps.Clone(scope))
		}
	}
}

// judgeAction decides what an action in r, which has been read, does to the parse. labels are its parameters. One
// that may do more than return a value is noted in r.rule.Assumes with Options.ActionsSucceed, and else refuses r, in
// p.refused, unless r is refused already. No option vouches for a use of the parser's own names: that refuses r. An
// action that may not end where it seems to counts for all rules, as everywhere has it.
func (p *peggy) judgeAction(r *peggyRule, c *peggyCode, labels []string) {
	if c.returns(labels) {
		return
	}
	refuse := func(format string, args ...any) {
		if p.refused[r.rule.ID] == nil {
			p.refused[r.rule.ID] = expr.Refusef(c.pos, format, args...).(*expr.Error)
		}
	}
	name := c.misuses(labels)
	switch {
	case namesParser(c.text):
		refuse("an action that uses a name of the parser's own, peg$..., is not supported: it may fail, or " +
			"change what is accepted")
	case name != "":
		refuse("an action that uses %s as a value or gives the name to something else is not supported: "+
			"it may fail, or change what is accepted", name)
	case !c.whole:
		p.everywhere(c.pos, "an action is not supported whose strings, comments and brackets may end outside of it")
	case p.opts.ActionsSucceed:
		r.rule.Assumes = append(r.rule.Assumes, expr.Assumption{Text: assumeScript, Pos: c.pos})
	case c.fails():
		refuse("an action that may call error() or expected(), or throw, is not supported: that "+
			"fails the whole parse; %s", vouch)
	default:
		refuse("an action that may do more than return a value is not supported: it may fail, or change "+
			"what the parser does; %s", vouch)
	}
}

// namesParser reports whether "peg$" stands anywhere in JavaScript, in whatever way it is spelled: the names of the
// generated parser begin so, and no others are likely to have it. What comments and strings have counts.
func namesParser(code string) bool {
	plain := scriptEscape.ReplaceAllStringFunc(code, func(s string) string {
		n, err := strconv.ParseUint(strings.Trim(s[2:], "{}"), 16, 32)
		if err != nil {
			return s
		}
		return string(rune(n))
	})
	return strings.Contains(plain, "peg$")
}

// scriptEscape matches an escape in a name of JavaScript.
var scriptEscape = regexp.MustCompile(`\\u([0-9A-Fa-f]{4}|\{[0-9A-Fa-f]+\})`)

// importDeclaration skips an import declaration and reports whether there was one. If not, nothing is skipped. All
// names in it, those before "as" too, are added to p.imported. Since the module's code may do anything, all rules are
// refused; with Options.ActionsSucceed they assume that it leaves the parser alone.
func (p *peggy) importDeclaration() (ok bool) {
	try := *p
	bound := map[string]expr.Pos{}
	word := func(w string) bool {
		try.space()
		has := try.has(w)
		if has {
			try.skip(len(w))
		}
		return has
	}
	name := func() bool {
		try.space()
		pos := try.pos()
		id := try.name()
		bound[id] = pos
		return id != ""
	}
	from := expr.Assumption{} // set by each call of module, of which the last is that after "from"
	module := func() bool {
		try.space()
		if try.peek() != '"' && try.peek() != '\'' {
			return false
		}
		pos := try.pos()
		from = expr.Assumption{Text: fmt.Sprintf(assumeModule, string(utf16.Decode(try.quoted()))), Pos: pos}
		return true
	}
	list := func() bool { // after {
		for !word("}") {
			try.space()
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
	caught(func() {
		switch {
		case !word("import"):
			return
		case module():
			ok = true
			return
		case word("*"):
			ok = word("as") && name()
		case word("{"):
			ok = list()
		case name():
			switch {
			case !word(","):
				ok = true
			case word("*"):
				ok = word("as") && name()
			default:
				ok = word("{") && list()
			}
		}
		ok = ok && word("from") && module()
	})
	if !ok {
		return false
	}
	caught(func() { word(";") })
	p.lexer = try.lexer
	if p.opts.ActionsSucceed {
		p.outer = append(p.outer, from)
	} else {
		p.refuseAll(from.Pos,
			"an import is not supported: the code of the module may fail, or change what the parser does; %s", vouch)
	}
	for id, pos := range bound {
		p.imported[id] = pos
	}
	return true
}

// block skips a block of code, and returns the text between its braces. Only braces count, those in strings and
// comments too. At a block that does not end it panics with an error.
func (p *peggy) block() string {
	pos, start := p.pos(), p.off+1
	for depth := 0; !p.eof(); p.next() {
		switch p.peek() {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				p.next()
				return p.src[start : p.off-1]
			}
		}
	}
	panic(expr.Errorf(pos, "code block not ended"))
}

// idStart and idContinue have the characters with which an identifier of peggy begins and goes on.
var idStart = []*unicode.RangeTable{unicode.L, unicode.Nl, unicode.Other_ID_Start}
var idContinue = []*unicode.RangeTable{
	unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc,
	unicode.Other_ID_Continue,
}

// inPattern reports whether Unicode reserves a character for the syntax of patterns, so that no identifier has it.
func inPattern(r rune) bool {
	return unicode.In(r, unicode.Pattern_Syntax, unicode.Pattern_White_Space)
}

// atName reports whether an identifier begins here.
func (p *peggy) atName() bool {
	r, _ := utf8.DecodeRuneInString(p.src[p.off:])
	return r == '_' || r == '\\' || unicode.IsOneOf(idStart, r) && !inPattern(r)
}

// name reads an identifier, "" if none begins here. An escape is read at its beginning only, and replaced by its
// character. At a backslash that begins none it panics with an error.
func (p *peggy) name() string {
	if !p.atName() {
		return ""
	}
	var b strings.Builder
	if p.peek() == '\\' {
		if !p.has(`\u`) {
			panic(p.errorf("invalid escape in a name"))
		}
		units := p.jsEscape()
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
	return b.String()
}

// readRule reads a rule, with its end. If the rule is refused, p.refused says why. At a mistake it panics with an
// error, as all methods that read do.
func (p *peggy) readRule() *peggyRule {
	r, start := p.ruleHead(p.name, p.displayName, p.equals, "=")
	p.assumes, p.refusal = nil, nil
	body := p.choice()
	p.lexer = p.end
	r.Printed = strings.TrimSpace(p.src[start:p.off])
	r.Assumes, r.Idle = p.assumes, idle(p.labels, p.codes)
	if p.refusal != nil {
		p.refused[r.ID] = p.refusal
	}
	p.eos()
	return &peggyRule{r, body}
}

// displayName reads the display name of the rule with this ID. It panics with an error at a string that peggy writes so
// that JavaScript does not read it.
func (p *peggy) displayName(id string) string {
	s := p.quoted()
	if octal(s) {
		panic(p.errorf("the name of rule %s has U+0000 before a digit: peggy writes both into one escape, "+
			"which JavaScript refuses", id))
	}
	return string(utf16.Decode(s))
}

// equals skips the sign between the name of a rule and its expression, and reports whether it is there.
func (p *peggy) equals() bool {
	if p.peek() != '=' {
		return false
	}
	p.next()
	return true
}

// refuse notes why the rule that is being read is refused: something in it is not modeled, and read as if it
// matched the empty string. Rules that do not come to this one are not concerned.
func (p *peggy) refuse(pos expr.Pos, format string, args ...any) {
	if p.refusal == nil {
		p.refusal = expr.Refusef(pos, format, args...).(*expr.Error)
	}
}

// choice reads alternatives, and returns their choice; a single one as it is.
func (p *peggy) choice() *node {
	pos := p.pos()
	var alts []*node
	p.alternatives(func() { alts = append(alts, p.action()) })
	if len(alts) == 1 {
		return alts[0]
	}
	return p.node(jChoice, pos, alts...)
}

// action reads a sequence, and the code after it if there is some, which it adds to p.codes and does not judge. At an
// empty sequence, at an @ in one with code, and after more than maxNodes expressions it panics with an error.
func (p *peggy) action() *node {
	pos := p.pos()
	var seq []*node
	for !p.ends() {
		e := p.labeled()
		if p.nodes > maxNodes {
			panic(p.errorf("more than %d expressions", maxNodes))
		}
		p.end = p.lexer
		seq = append(seq, e)
		p.space()
	}
	if len(seq) == 0 {
		panic(p.errorf("expected an expression, found %s", p.found()))
	}
	e := seq[0]
	if len(seq) > 1 || e.kind == jLabeled && e.pick { // an @ belongs to a sequence, even if that has nothing else
		e = p.node(jSequence, pos, seq...)
	}
	if p.peek() != '{' {
		return e
	}
	at := p.pos()
	code := p.block()
	p.codes = append(p.codes, code)
	for _, s := range seq {
		if s.kind == jLabeled && s.pick {
			panic(expr.Errorf(s.pos, "@ stands in a sequence with an action"))
		}
	}
	p.end = p.lexer
	p.space()
	n := p.node(jAction, pos, e)
	n.code = &peggyCode{pos: at, text: code, script: readScript(code)}
	return n
}

// ends reports whether a sequence is over here: at the end of the text, at a sign that closes, separates or follows
// sequences, or at the head of the next rule. Elsewhere an element must follow: what reads it finds the mistake if
// none does. It skips nothing. At a wrong escape in a name, or a comment that does not end, it panics with an error.
func (p *peggy) ends() bool {
	switch c := p.peek(); {
	case p.eof() || strings.IndexByte("/){;|,", c) >= 0:
		return true
	case !p.atName():
		return false
	}
	ahead := *p
	ahead.name()
	ahead.space()
	if c := ahead.peek(); c == '"' || c == '\'' {
		if caught(func() { ahead.quoted() }) != nil { // the element that is read next fails in its own words
			return false
		}
		ahead.space()
	}
	return ahead.peek() == '='
}

// labeled reads an element of a sequence, with its @ and its label, if it has them. A label without @ is added to
// p.labels. At a label that is a word of JavaScript it panics with an error.
func (p *peggy) labeled() *node {
	pos := p.pos()
	pick := p.peek() == '@'
	if pick {
		p.next()
	}
	label := ""
	if p.atName() {
		ahead := *p
		id := ahead.name()
		ahead.space()
		if ahead.peek() == ':' {
			if slices.Contains(scriptWords, id) {
				panic(p.errorf("label %q is a word of JavaScript", id))
			}
			ahead.next()
			ahead.space()
			p.lexer = ahead.lexer
			label = id
			if !pick { // with an @ it is the value of the sequence, and so it is read
				p.labels = append(p.labels, expr.Label{Name: id, Pos: pos})
			}
		}
	}
	e := p.prefixed()
	if !pick && label == "" {
		return e
	}
	n := p.node(jLabeled, pos, e)
	n.name, n.pick = label, pick
	return n
}

// scriptWords are the words that cannot be labels.
var scriptWords = strings.Fields(`break case catch class const continue debugger default delete do else export extends finally
	for function if import in instanceof new return super switch this throw try typeof var void while with null true false
	enum implements interface let package private protected public static yield await arguments eval`)

// predicate reads the code of a predicate, whose sign was passed. The rule is refused, and the node matches nothing.
func (p *peggy) predicate(pos expr.Pos, sign byte) *node {
	p.refuse(pos, "a predicate with code (%c{...}) is not supported: its language cannot be known", sign)
	p.codes = append(p.codes, p.block())
	return p.node(jNothing, pos)
}

// prefixed reads an element and its suffix, if it has one, after $, & or !, if one of these stands here; or a
// predicate with code.
func (p *peggy) prefixed() *node {
	c := p.peek()
	if p.eof() || strings.IndexByte("$&!", c) < 0 {
		return p.suffixed()
	}
	pos := p.pos()
	p.next()
	p.space()
	if c != '$' && p.peek() == '{' {
		return p.predicate(pos, c)
	}
	e := p.suffixed()
	kind := map[byte]nodeKind{'$': jText, '&': jAnd, '!': jNot}[c]
	return p.node(kind, pos, e)
}

// suffixed reads a primary with its ?, *, + or |counts|. A | that begins no counts is left: it may end the counts
// that this is the delimiter of. Where it stands and why it begins none is kept in p.bar and p.barErr, for eos.
func (p *peggy) suffixed() *node {
	pos := p.pos()
	e := p.primary()
	save := p.lexer
	p.space()
	rep := p.node(jRepeat, pos, e)
	rep.max, rep.suffix = expr.Unbounded, true
	switch p.peek() {
	case '?':
		rep.max = 1
	case '*': // any number, as rep has it
	case '+':
		rep.min = 1
	case '|':
		bar, refusal := p.lexer, p.refusal
		err := caught(func() { p.counts(rep) })
		if err == nil {
			return rep
		}
		// A delimiter ends here, or it is an error.
		p.lexer, p.bar, p.barErr, p.refusal = save, bar.off, err, refusal
		return e
	default:
		p.lexer = save
		return e
	}
	p.next()
	return rep
}

// counts reads |min..max, delimiter| into rep. The rule is refused for a count that is too large, and for one that
// JavaScript computes, whose code is added to p.codes. A minimum above the maximum passes. At a maximum of 0, and at
// anything that is no counts, it panics with an error; then rep and p are to be set back.
func (p *peggy) counts(rep *node) {
	rep.suffix = false
	bar := p.pos()
	p.next()
	number := func() (n int, ok bool) {
		at, start := p.pos(), p.off
		for '0' <= p.peek() && p.peek() <= '9' {
			p.next()
		}
		if ok = p.off > start; ok {
			var err error
			if n, err = strconv.Atoi(p.src[start:p.off]); err != nil || n > 1<<30 {
				n = 1
				p.refuse(at, "a count of more than %d", 1<<30)
			}
		} else if p.atName() || p.peek() == '{' { // what follows decides whether it is a count
			ok, n = true, 1
			if p.peek() == '{' {
				p.codes = append(p.codes, p.block())
			} else {
				p.codes = append(p.codes, p.name())
			}
			p.refuse(at, "a count that JavaScript computes is not supported: its language cannot be known")
		}
		p.space()
		return n, ok
	}
	p.space()
	min, hasMin := number()
	max, hasMax := min, hasMin
	at := p.pos()
	if p.has("..") {
		p.skip(2)
		p.space()
		max, hasMax = number()
	} else if !hasMin {
		panic(p.errorf("expected a count, found %s", p.found()))
	}
	rep.min, rep.max = min, expr.Unbounded
	if hasMax {
		rep.max = max
		if max == 0 {
			panic(expr.Errorf(at, "the maximum of a count must be more than 0"))
		}
	}
	if p.peek() == ',' {
		p.next()
		p.space()
		rep.delim = p.choice()
	}
	if p.peek() != '|' {
		panic(p.errorf("expected | for the | at %s, found %s", bar, p.found()))
	}
	p.next()
}

// primary reads an element without prefix and suffix; where there is none it panics with an error. Parentheses stay, as
// a jGroup, only around a sequence or a label. A rule of another module refuses the rule.
func (p *peggy) primary() *node {
	pos := p.pos()
	switch c := p.peek(); {
	case c == '"' || c == '\'':
		units := p.quoted()
		n := p.node(jLiteral, pos)
		n.units, n.fold = units, p.foldFlag()
		return n
	case c == '[':
		return p.class()
	case c == '.':
		p.next()
		return p.node(jAny, pos)
	case c == '(':
		p.next()
		p.space()
		e := p.choice()
		if p.peek() != ')' {
			panic(p.errorf("expected ) for the ( at %s, found %s", pos, p.found()))
		}
		p.next()
		if e.kind == jLabeled || e.kind == jSequence { // the scope of the labels in it ends here
			e = p.node(jGroup, pos, e)
		}
		return e
	case p.atName():
		id := p.name()
		if p.peek() == '.' {
			ahead := *p
			ahead.next()
			other := ""
			caught(func() { other = ahead.name() })
			if other != "" {
				p.lexer = ahead.lexer
				p.refuse(pos, "rule %s.%s is another module's, which is not read", id, other)
				return p.node(jNothing, pos)
			}
		}
		n := p.node(jRef, pos)
		n.name = id
		return n
	}
	panic(p.errorf("expected an expression, found %s", p.found()))
}

// halfPair says why a rule is refused that has half of a surrogate pair.
const halfPair = "half of a surrogate pair by itself is not supported, but in classes with all second halves or " +
	"none: write the character, or a class of code points"

// quoted reads a string in quotes, in units of UTF-16. If half of a surrogate pair stands in it by itself, the rule
// that is being read is refused, and the result is nil, as for the empty string. At a string that does not end on its
// line, and at a wrong escape, it panics with an error.
func (p *peggy) quoted() []uint16 {
	pos, quote := p.pos(), p.peek()
	p.next()
	var units []uint16
	for !p.eof() {
		r, n := utf8.DecodeRuneInString(p.src[p.off:])
		switch {
		case r == rune(quote):
			p.next()
			if !slices.Equal(utf16.Encode(utf16.Decode(units)), units) {
				p.refuse(pos, halfPair)
				return nil
			}
			return units
		case lineEnd(r):
			panic(expr.Errorf(pos, "string not ended"))
		case r == '\\':
			units = append(units, p.jsEscape()...)
		default:
			units = utf16.AppendRune(units, r)
			p.skip(n)
		}
	}
	panic(expr.Errorf(pos, "string not ended"))
}

// jsEscape reads an escape, from its backslash on, and returns its code units. A backslash at the end of a line
// stands for nothing: the result is nil. A \u{...} is noted by p.differs, since an older peggy reads it otherwise.
// At an escape that JavaScript does not have it panics with an error.
func (p *peggy) jsEscape() []uint16 {
	at := p.pos()
	valid := func(is bool) {
		if !is {
			panic(expr.Errorf(at, "invalid escape"))
		}
	}
	p.next()
	valid(!p.eof())
	r, n := utf8.DecodeRuneInString(p.src[p.off:])
	// hex reads one code unit of so many digits.
	hex := func(digits int) []uint16 {
		valid(p.off+digits <= len(p.src))
		v, err := strconv.ParseUint(p.src[p.off:p.off+digits], 16, 32)
		p.skip(digits)
		valid(err == nil && !strings.ContainsAny(p.src[p.off-digits:p.off], "_+-\n"))
		return []uint16{uint16(v)}
	}
	switch {
	case p.has("\r\n"):
		p.skip(2)
		return nil
	case lineEnd(r):
		p.skip(n)
		return nil
	case r == '0':
		p.next()
		c := p.peek()
		valid(p.eof() || c < '0' || '9' < c)
		return []uint16{0}
	case '1' <= r && r <= '9' || r == 'p': // octal, and a property, which only a class has
		valid(false)
	case r == 'x':
		p.next()
		return hex(2)
	case r == 'u':
		p.next()
		if p.peek() == '{' {
			p.differs(at)
			p.next()
			n := strings.IndexByte(p.src[p.off:], '}')
			valid(n > 0)
			for _, c := range p.src[p.off : p.off+n] {
				valid(strings.ContainsRune("0123456789abcdefABCDEF", c))
			}
			digits := strings.TrimLeft(p.src[p.off:p.off+n], "0")
			v, err := strconv.ParseUint("0"+digits, 16, 32)
			if err != nil || v > unicode.MaxRune {
				panic(expr.Errorf(at, "the code point of an escape is above U+10FFFF"))
			}
			p.skip(n + 1)
			return units(rune(v))
		}
		return hex(4)
	}
	p.skip(n)
	if i := strings.IndexRune("bfnrtv", r); i >= 0 {
		r = rune("\b\f\n\r\t\v"[i])
	}
	return units(r)
}

// units returns the code units of a code point, which may be a surrogate.
func units(r rune) []uint16 {
	if r <= 0xffff {
		return []uint16{uint16(r)}
	}
	return utf16.AppendRune(nil, r)
}

// class reads a class and its flags i and u. The end of a line, written with a backslash, is no member. As in peggy,
// [^] is any unit of UTF-16, or with the flag u any code point. The rule is refused for half of a surrogate pair that
// is written by itself, unless byHalves allows the class and it is one of units, and for a range from or to the end
// of a line. At a class that does not end, a wrong escape, a range out of order or a flag that is there twice, class
// panics with an error.
func (p *peggy) class() *node {
	n := p.node(jClass, p.pos())
	p.next() // [
	if p.peek() == '^' {
		n.invert = true
		p.next()
	}
	var halves []expr.Pos // of pairs that are written
	char := func() (r rune, some bool) {
		c, size := utf8.DecodeRuneInString(p.src[p.off:])
		switch {
		case p.eof() || lineEnd(c):
			panic(expr.Errorf(n.pos, "character class not ended"))
		case c != '\\':
			p.skip(size)
			return c, true
		}
		at := p.pos()
		u := p.jsEscape()
		switch {
		case len(u) == 0:
			return 0, false
		case len(u) == 1 && utf16.IsSurrogate(rune(u[0])):
			halves = append(halves, at)
		case len(u) == 2:
			return utf16.DecodeRune(rune(u[0]), rune(u[1])), true
		}
		return rune(u[0]), true
	}
	none := true // no part, not even the end of a line
	for p.peek() != ']' || p.eof() {
		if p.has(`\p`) || p.has(`\P`) {
			if p.property(n) {
				none = false
				continue
			}
		}
		at := p.pos()
		lo, some := char()
		none = false
		hi, isRange := lo, false
		if p.peek() == '-' && !p.eof() && p.off+1 < len(p.src) && p.src[p.off+1] != ']' {
			if p.off+2 < len(p.src) && p.src[p.off+1] == '\\' && (p.src[p.off+2] == 'p') {
				// "-" is a character by itself
			} else {
				p.next()
				last, more := char()
				if !some || !more {
					p.refuse(at, "a range that a line's end is an end of is not supported")
					continue
				}
				if last < lo {
					panic(expr.Errorf(at, "range out of order: %q to %q", lo, last))
				}
				hi, isRange = last, true
			}
		}
		if some {
			n.parts = append(n.parts, part{Span: runes.Span{Lo: lo, Hi: hi}, isRange: isRange})
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
			panic(p.errorf("flag %c stands here twice", c))
		default:
			n.unicode = flagU || slices.ContainsFunc(n.parts, func(r part) bool { return r.escape || r.Hi > 0xffff })
			if len(halves) > 0 && (n.unicode || !n.byHalves()) {
				p.refuse(halves[0], halfPair)
			}
			if n.invert && none {
				p.differs(n.pos)
				if !flagU {
					n.kind = jAny
					return n
				}
				n.parts = []part{{Span: runes.Span{Lo: firstHigh, Hi: lastLow}, isRange: true}}
			}
			return n
		}
		p.next()
	}
}

// differs notes a place that an older peggy refuses or reads otherwise.
func (p *peggy) differs(at expr.Pos) {
	p.assumes = append(p.assumes, expr.Assumption{Text: assumeFive, Pos: at})
}

// property reads \p{...} into n.parts, and notes that the rule assumes what the tables of Unicode say. It reports
// whether it is a property: another \P is a character, and another \p an error, with which it panics. A property that
// is not known here refuses the rule.
func (p *peggy) property(n *node) (ok bool) {
	form := propertyForm.FindStringSubmatch(p.src[p.off:])
	if form == nil {
		if p.has(`\p`) {
			panic(p.errorf("invalid escape"))
		}
		return false
	}
	at := p.pos()
	table, ok := peggyTables().Property(form[2])
	if !ok {
		p.refuse(at, "the Unicode property %s is not known here", form[2])
	}
	if form[1] == "P" {
		table = table.Not(unicode.MaxRune)
	}
	n.parts = append(n.parts, part{table: table, escape: true})
	p.assumes = append(p.assumes, expr.Assumption{Text: assumeTables, Pos: at})
	p.skip(len(form[0]))
	return true
}

// propertyForm matches \p{...} or \P{...}: the letter, and the property.
var propertyForm = regexp.MustCompile(`^\\([pP])\{([A-Za-z_]+=[A-Za-z0-9_]+|[A-Za-z0-9_]+)\}`)
