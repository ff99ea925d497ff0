// Package peg reads PEG grammars in pigeon's notation (github.com/mna/pigeon v1.3) into the project's expression tree.
//
// The notation, in itself:
//
//	Grammar  <- ( Code End )? Rule+               Code is Go in braces: the initializer, an action, a predicate
//	Rule     <- Name String? ( "<-" | "=" | "←" | "⟵" ) Recovery End
//	Recovery <- Choice ( "//{" Labels "}" Choice )*
//	Choice   <- Action ( "/" Action )*
//	Action   <- Labeled+ Code?
//	Labeled  <- ( Name ":" )? Prefixed / "%{" Name "}"
//	Prefixed <- ( "&" | "!" )? Suffixed
//	Suffixed <- Primary ( "?" | "*" | "+" )?
//	Primary  <- String "i"? | Class "i"? | "." | Name | ( "&" | "!" | "#" ) Code | "(" Recovery ")"
//	End      <- ";" | the end of the line, or of the file
//
// What a rule accepts is what the parser accepts that pigeon generates from it, to the byte. Where that is not a
// matter of the file alone, [Assumptions] lists what it rests on. What the model does not cover refuses its rule
// and those that come to it ([expr.Rule.Refused]), with its position; the other rules of the file are a slice of it
// that is computed with as if it were not there. It is predicates with code (&{...}, !{...}, #{...}), pigeon's
// throw and recovery operators, and a class that matches other characters with -optimize-basic-latin than without.
// An initializer that gives names which the rest of the parser uses to something else refuses every rule. So does
// an action that may do more than return a value refuse its own: an error or a panic fails the whole parse, even
// where the alternative that it belongs to is abandoned, and code can change what the parser does.
// [Options.ActionsSucceed] takes a user's word that it does not. Of actions only the call c.node("ID", v) is kept,
// as an [expr.Node] around the expression it belongs to. [expr.Expr.Drops] marks the expressions whose action does
// not pass on all nodes that are made in them.
//
// A pigeon parser reads runes, the tree is over bytes: "." and the classes become the UTF-8 encodings of what they
// match. A byte that begins no valid encoding is an error as soon as the parser comes to it, so that a rule accepts
// text in UTF-8 alone. With [Options.InvalidUTF8] it counts as U+FFFD, as it does for a parser that was told
// AllowInvalidUTF8(true). A byte of a literal ("\xE9") is U+FFFD to pigeon. Its literals, unlike its classes, take
// the end of the input for U+FFFD as well. A trailing i folds case as pigeon does, by [unicode.ToLower].
//
// What pigeon refuses is refused, but for what it finds out about whole grammars (left recursion: package lang),
// for \p{...} with a name that only a newer Unicode has, and for Go that does not compile. Of that, what is found
// are actions that are not Go, and labels that cannot be the parameters of an action.
package peg

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// maxDepth bounds the nesting of parentheses, so that no input exhausts the stack.
const maxDepth = 1000

// Options are assumptions that a user may vouch for.
type Options struct {
	// ActionsSucceed reads code that may do more than return a value as code that does not. [Assumptions] lists its
	// places.
	ActionsSucceed bool
	// InvalidUTF8 reads a PEG of pigeon as its parser reads it with AllowInvalidUTF8(true): a byte that begins no
	// valid encoding counts as U+FFFD. Without it such a byte is an error wherever it stands, as pigeon has it by
	// default.
	InvalidUTF8 bool
	// Budget caps computing with the grammar.
	Budget *budget.Budget
}

// Read reads a whole grammar. Rules come in the order of the file, their ID is the identifier in front of the
// arrow and their Name the display name, or the identifier where there is none. It fails with an
// [*expr.Error] that has the first place that is not pigeon's notation, or a rule that is defined twice. A
// rule with a name that no rule has, or with something that the model does not cover, is no error: the rule
// is refused, with all that use it ([expr.Rule.Refused]).
func Read(file string, src []byte) (*expr.Grammar, error) { return Options{}.Read(file, src) }

// Read is [Read] under the options o. It fails for a text that is not in the notation.
func (o Options) Read(file string, src []byte) (g *expr.Grammar, err error) {
	p := &reader{lexer: lexer{file: file, src: string(src), line: 1}, opts: o}
	err = caught(func() {
		g = p.grammar()
		g.Name = strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".peg")
		g.Title = g.Name
		checkNames(g)
		refuseUsersOf(g)
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// checkNames panics with an error at a rule that is defined twice, and refuses every rule whose own expression names
// a rule without a definition, unless it is refused already. Pigeon lets both pass.
func checkNames(g *expr.Grammar) {
	seen := make(map[string]expr.Pos, len(g.Rules))
	for _, r := range g.Rules {
		if at, twice := seen[r.ID]; twice {
			panic(expr.Errorf(r.Pos, "rule %q is defined twice, first at %s", r.ID, at))
		}
		seen[r.ID] = r.Pos
	}
	for _, r := range g.Rules {
		for _, e := range g.Undefined(r.Expr) {
			if r.Refused == nil {
				r.Refused = expr.Refusef(e.Pos, "rule %q is not defined", e.Name).(*expr.Error)
			}
		}
	}
}

// refuseUsersOf refuses the rules of g that use a refused one, directly or not, for the same reason; for that of one
// of the nearest, if there are several.
func refuseUsersOf(g *expr.Grammar) {
	reasons := map[string]*expr.Error{}
	for _, r := range g.Rules {
		if r.Refused != nil {
			reasons[r.ID] = r.Refused
		}
	}
	refuseUsers(reasons, expr.IDs(g.Rules), func(id string) []string { return expr.Refs(g.Rule(id).Expr) })
	for _, r := range g.Rules {
		r.Refused = reasons[r.ID]
	}
}

// Ident returns the identifier for the production id in a .peg file: pigeon's are letters, digits and "_", and begin
// with no digit. A "+" becomes "plus", any other sign "_", and "_" stands before a digit at the beginning. Two IDs
// may have one identifier.
func Ident(id string) string {
	var b strings.Builder
	for i, c := range id {
		switch {
		case c == '+':
			b.WriteString("plus")
		case i == 0 && unicode.IsDigit(c):
			b.WriteString("_" + string(c))
		case c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c):
			b.WriteRune(c)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// Rename returns g with each rule's identifier id, and each reference to it, replaced by to[id], where to has one.
// Two rules must not get the same identifier; that is not checked. What is the same is shared.
func Rename(g *expr.Grammar, to map[string]string) *expr.Grammar {
	name := func(id string) string {
		if n, ok := to[id]; ok {
			return n
		}
		return id
	}
	var rules []*expr.Rule
	var rename func(e *expr.Expr) *expr.Expr
	rename = func(e *expr.Expr) *expr.Expr {
		c := e.Map(rename)
		if e.Op == expr.Ref {
			c.Name = name(e.Name)
		}
		return c
	}
	for _, r := range g.Rules {
		c := *r
		c.ID = name(r.ID)
		if slices.ContainsFunc(expr.Refs(r.Expr), func(id string) bool { return name(id) != id }) {
			c.Expr = rename(r.Expr)
		}
		rules = append(rules, &c)
	}
	return g.With(rules)
}

// For returns the rules of g under the IDs of bnf's productions, as a grammar with the name and the title of bnf:
// the rule ip_schemepart becomes ip-schemepart where bnf has a production of that ID. If two productions have one
// [Ident], the rule gets the ID of the later. Rules that transcribe no production keep their identifier. References
// are renamed as well. g is not changed.
func For(bnf, g *expr.Grammar) *expr.Grammar {
	to := make(map[string]string, len(bnf.Rules))
	for _, r := range bnf.Rules {
		to[Ident(r.ID)] = r.ID
	}
	out := Rename(g, to)
	out.Name, out.Title = bnf.Name, bnf.Title
	return out
}

// Load reads the embedded transcription of a published grammar, each time, under the IDs of its productions: see
// [For]. It reads with [Options.ActionsSucceed] and [Options.InvalidUTF8], and without a budget. It fails if there is
// no transcription for the name of bnf.
func Load(bnf *expr.Grammar) (*expr.Grammar, error) {
	file := bnf.Name + ".peg"
	src, err := fs.ReadFile(grammar.Files, file)
	if err != nil {
		return nil, fmt.Errorf("no transcription of %q: %w", bnf.Name, err)
	}
	// The actions are ours, and so are the calls of the parser.
	g, err := Options{ActionsSucceed: true, InvalidUTF8: true}.Read("grammar/"+file, src)
	if err != nil {
		return nil, err
	}
	return For(bnf, g), nil
}

// IsEntry reports whether r is no production but an entry NAME_entry, which matches NAME to the end of the input,
// or EOF.
func IsEntry(r *expr.Rule) bool { return r.ID == "EOF" || strings.HasSuffix(r.ID, "_entry") }

// A reader reads a file in pigeon's notation. Its methods that read pass what they read, and panic with an
// [*expr.Error] at a mistake, which Options.Read returns. They note in p.assumes what the rule at hand assumes, and in
// p.refusal why it is refused.
type reader struct {
	lexer
	opts Options
	// end is where the last token of an expression ended: a rule's source stops there.
	end lexer

	initializer goCode            // the initializer
	unread      *expr.Error       // why every rule is refused, nil if that is not so
	assumes     []expr.Assumption // of the rule that is being read
	refusal     *expr.Error       // why that rule is refused
	ahead       int               // how many lookaheads enclose what is being read
	mentions    []mention         // of the scope that is being read
}

// grammar reads a whole file. It leaves the initializer in p.initializer, and in p.unread an error that concerns all
// of the file, such as a linkname directive: each rule is refused with that. At a mistake, and in a file without a
// rule, it panics with an error.
func (p *reader) grammar() *expr.Grammar {
	p.valid()
	if i := strings.Index(p.src, "//go:linkname"); i >= 0 {
		at := p.lexer // at the beginning of the file
		at.skip(i)
		p.unread = expr.Refusef(at.pos(),
			"a linkname directive is not supported: it can replace what the parser calls").(*expr.Error)
	}
	g := &expr.Grammar{File: p.file, Ordered: true, InvalidUTF8: p.opts.InvalidUTF8, Budget: p.opts.Budget}
	p.space()
	if p.peek() == '{' {
		pos := p.pos()
		code := p.code()
		p.eos()
		var err error
		if p.initializer, err = readGo(code, pos); err != nil && p.unread == nil {
			p.unread = err.(*expr.Error)
		}
	}
	for {
		comment := p.space()
		if p.eof() {
			break
		}
		r := p.rule()
		r.Comment = comment
		g.Rules = append(g.Rules, r)
	}
	if len(g.Rules) == 0 {
		panic(p.errorf("no rule"))
	}
	return g
}

// rule reads a rule, with its end. What the rule assumes, and why it is refused, begins with what holds for all
// rules: p.unread, and the code and the imports of the initializer. At a mistake it panics with an error.
func (p *reader) rule() *expr.Rule {
	r, start := p.ruleHead(p.ident, func(string) string { return p.str() }, p.arrow, "<-")
	p.assumes, p.mentions, p.rare = nil, nil, false
	p.refusal = p.unread
	if at := p.initializer.at; at.Line > 0 {
		p.vouched(assumeCalm, p.initializer.pos, at,
			"code of the initializer that runs before the parser is not supported: it may panic, or change "+
				"what the parser does; %s", vouch)
	}
	p.assumes = append(p.assumes, p.initializer.imports...)
	r.Expr = p.recovery()
	p.leave(nil, true)
	p.lexer = p.end
	r.Assumes, r.Rare, r.Refused, r.Idle = p.assumes, p.rare, p.refusal, idle(p.labels, p.codes)
	r.Printed = strings.TrimSpace(p.src[start:p.off])
	p.eos()
	return r
}

// recovery reads a choice and, for each //{labels} after it, the choice that is matched where one of the labels is
// thrown. It returns the first choice alone: a rule with a //{ is refused. At a mistake it panics with an error.
func (p *reader) recovery() *expr.Expr {
	e := p.choice()
	for p.has("//{") {
		p.refuse(p.pos(), "pigeon's recovery operator //{ is not supported: it makes failure succeed")
		p.skip(len("//{"))
		for p.space(); p.peek() != '}'; p.space() {
			if p.peek() == ',' {
				p.next()
			} else if p.ident() == "" {
				panic(p.errorf("expected a label, found %s", p.found()))
			}
		}
		p.next()
		p.end = p.lexer
		p.choice()
	}
	return e
}

// refuse notes why the rule that is being read is refused: something in it is not modeled, and read as if it
// matched the empty string. Rules that do not come to this one are not concerned.
func (p *reader) refuse(pos expr.Pos, format string, args ...any) {
	if p.refusal == nil {
		p.refusal = expr.Refusef(pos, format, args...).(*expr.Error)
	}
}

// choice reads alternatives, and returns their choice; a single one as it is. Each of several is a scope of labels.
func (p *reader) choice() *expr.Expr {
	pos, outer := p.pos(), p.mentions
	var alts []*expr.Expr
	p.alternatives(func() {
		if len(alts) == 0 {
			pos = p.pos()
		}
		p.mentions = nil
		alts = append(alts, p.action())
		p.leave(outer, len(alts) > 1 || p.peek() == '/' && !p.has("//{"))
	})
	if len(alts) == 1 {
		return alts[0]
	}
	return &expr.Expr{Op: expr.Alt, Sub: alts, Pos: pos}
}

// assume notes what the language of the rule rests on.
func (p *reader) assume(text string, pos expr.Pos) {
	p.assumes = append(p.assumes, expr.Assumption{Text: text, Pos: pos})
}

// action reads a sequence and, if there is one, its code, which it adds to p.codes and, as an action, to p.mentions.
// It judges the code, as judge does: one that returns a node gives an expr.Node, and another drops the nodes of the
// sequence. At an empty sequence it panics with an error.
func (p *reader) action() *expr.Expr {
	var seq []*expr.Expr
	var label string // of the last element
	pos := p.pos()
	for !p.endsSequence() {
		var e *expr.Expr
		label, e = p.labeled()
		p.end = p.lexer
		seq = append(seq, e)
		p.space()
	}
	if len(seq) == 0 {
		panic(p.errorf("expected an expression, found %s", p.found()))
	}
	e := seq[0]
	if len(seq) > 1 {
		e = &expr.Expr{Op: expr.Seq, Sub: seq, Pos: pos}
	}
	if p.peek() == '{' {
		at := p.pos()
		code := p.code()
		p.codes = append(p.codes, code)
		p.end = p.lexer
		node := p.judge(code, at)
		if node.id != "" {
			// The node has the children of node.of alone: unless that is the label of all of seq, some nodes are
			// dropped.
			drops := len(seq) > 1 || label != node.of
			e = &expr.Expr{Op: expr.Node, Name: node.id, Sub: []*expr.Expr{e}, Pos: pos, Drops: drops}
		} else {
			for e.Op == expr.Node { // made by an action in parentheses: this code does not pass it on
				e = e.Sub[0]
			}
			dropping := *e
			dropping.Drops = true
			e = &dropping
		}
		p.mentions = append(p.mentions, mention{pos: at})
		p.space()
	}
	return e
}

// endsSequence reports whether a sequence is over here: at the end of the text, at a sign that closes, separates or
// follows sequences, or at the head of the next rule. Elsewhere an element must follow: what reads it finds the
// mistake if none does. At a word of Go endsSequence panics with an error. It skips nothing.
func (p *reader) endsSequence() (ends bool) {
	switch c := p.peek(); {
	case p.eof(), c == '/', c == ')', c == '{', c == ';':
		return true
	case !p.atName():
		return false
	}
	ahead := *p
	if id := ahead.ident(); Reserved(id) {
		panic(p.errorf("%q is a word of Go, which pigeon reads as no name here; call it %[1]s_, and say so "+
			"with --map %[1]s=%[1]s_", id))
	}
	caught(func() {
		ahead.space()
		if c := ahead.peek(); c == '"' || c == '\'' || c == '`' {
			ahead.str()
			ahead.space()
		}
		ends = ahead.arrow()
	})
	return ends
}

// labeled reads an element of a sequence, with its label, which it adds to p.labels and p.mentions. The label is ""
// where there is none.
func (p *reader) labeled() (label string, e *expr.Expr) {
	if p.atName() {
		ahead := *p
		pos, name := ahead.pos(), ahead.ident()
		if caught(func() { ahead.space() }) == nil && ahead.peek() == ':' {
			ahead.next()
			ahead.space()
			*p = ahead
			label = name
			p.mentions = append(p.mentions, mention{label, pos})
			p.labels = append(p.labels, expr.Label{Name: label, Pos: pos})
		}
	}
	outer := p.mentions
	p.mentions = nil
	own := label != "" || p.peek() == '&' || p.peek() == '!'
	e = p.prefixed()
	p.leave(outer, own)
	return label, e
}

// throw reads %{label}, which in pigeon fails up to the //{label} that names it. It refuses the rule that is being
// read, and returns the empty expression.
func (p *reader) throw() *expr.Expr {
	pos := p.pos()
	p.refuse(pos, "pigeon's throw operator %%{...} is not supported")
	p.skip(len("%{"))
	p.space()
	if p.ident() == "" {
		panic(p.errorf("expected a label, found %s", p.found()))
	}
	if p.space(); p.peek() != '}' {
		panic(p.errorf("expected } after the label, found %s", p.found()))
	}
	p.next()
	return &expr.Expr{Op: expr.Empty, Pos: pos}
}

// prefixed reads %{label}, or an element with a suffix, after & or !, if there is one. A "." after & or ! is read as
// any byte. The caller ends the scope of labels that & or ! opens.
func (p *reader) prefixed() *expr.Expr {
	if p.has("%{") {
		return p.throw()
	}
	c := p.peek()
	if c != '&' && c != '!' || p.predicate() {
		return p.suffixed()
	}
	pos := p.pos()
	p.next()
	p.space()
	p.ahead++
	e := p.suffixed()
	p.ahead--
	op := expr.And
	if c == '!' {
		op = expr.Not
	}
	if p.isAnyRune(e) {
		e = &expr.Expr{Op: expr.Class, Set: expr.AnyByte, Pos: pos} // some character is there exactly if some byte is
	}
	return &expr.Expr{Op: op, Sub: []*expr.Expr{e}, Pos: pos}
}

// predicate reports whether a predicate with code begins here.
func (p *reader) predicate() bool {
	ahead := p.lexer
	ahead.next()
	return caught(func() { ahead.space() }) == nil && ahead.peek() == '{'
}

// suffixed reads a primary and the ?, * or + after it, if there is one. Only with one of these it is a scope of
// labels.
func (p *reader) suffixed() *expr.Expr {
	pos, outer := p.pos(), p.mentions
	p.mentions = nil
	e := p.primary()
	save := p.lexer
	p.space()
	rep := &expr.Expr{Op: expr.Repeat, Sub: []*expr.Expr{e}, Max: expr.Unbounded, Pos: pos}
	switch p.peek() {
	case '?':
		rep.Max = 1
	case '*': // any number, as rep has it
	case '+':
		rep.Min = 1
	default:
		p.lexer = save
		p.leave(outer, false)
		return e
	}
	p.next()
	p.leave(outer, true)
	return rep
}

// primary reads an element without prefix and suffix; where there is none it panics with an error. A predicate with
// code refuses the rule and is read as the empty string; its code is added to p.codes, and counts as an action in
// p.mentions.
func (p *reader) primary() *expr.Expr {
	pos := p.pos()
	switch c := p.peek(); {
	case c == '"' || c == '\'' || c == '`':
		s := p.str()
		return p.literal(s, p.foldFlag(), pos)
	case c == '[':
		return p.class()
	case c == '.':
		p.next()
		p.readsInvalid(pos)
		e := *p.anyRune()
		e.Pos = pos
		return &e
	case c == '(':
		p.next()
		e := p.recovery()
		if p.peek() != ')' {
			panic(p.errorf("expected ) for the ( at %s, found %s", pos, p.found()))
		}
		p.next()
		return e
	case p.atName():
		return &expr.Expr{Op: expr.Ref, Name: p.ident(), Pos: pos}
	case (c == '#' || c == '&' || c == '!') && p.predicate():
		what := "a predicate"
		if c == '#' {
			what = "a state change"
		}
		p.refuse(pos, "%s with code (%c{...}) is not supported: its language cannot be known", what, c)
		p.next()
		p.space()
		p.codes = append(p.codes, p.code())
		p.mentions = append(p.mentions, mention{pos: pos}) // its function has the same parameters as an action's
		return &expr.Expr{Op: expr.Empty, Pos: pos}
	}
	panic(p.errorf("expected an expression, found %s", p.found()))
}
