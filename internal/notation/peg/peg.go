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
// What a rule accepts is what the parser accepts that pigeon generates from it, to the byte. Where that is not a matter of
// the file alone, [Assumptions] lists what it rests on. What the model does not cover is refused, with its position:
// predicates with code (&{...}, !{...}, #{...}), pigeon's throw and recovery operators, a class that matches other
// characters with -optimize-basic-latin than without, and an initializer that gives names which the rest of the parser uses
// to something else. An action that may do more than return a value refuses its rule and those that come to it
// ([expr.Rule.Refused]): an error or a panic fails the whole parse, even where the alternative that it belongs to is
// abandoned, and code can change what the parser does. [Options.ActionsSucceed] takes a user's word that it does not. Of
// actions only the call c.node("ID", v) is kept, as an [expr.Node] around the expression it belongs to. [expr.Expr.Drops]
// marks the expressions whose action does not pass on all nodes that are made in them.
//
// A pigeon parser reads runes, the tree is over bytes: "." and the classes become the UTF-8 encodings of what they
// match. A byte that begins no valid encoding counts as U+FFFD, as it does for a parser that was told
// AllowInvalidUTF8(true), and so does a byte of a literal ("\xE9"). Pigeon's literals, unlike its classes, take the end of
// the input for U+FFFD as well. A trailing i folds case as pigeon does, by [unicode.ToLower].
//
// What pigeon refuses is refused, but for what it finds out about whole grammars (left recursion: package lang), for
// \p{...} with a name that only a newer Unicode has, and for Go that does not compile. Of that, what is found are actions
// that are not Go, and labels that cannot be the parameters of an action.
package peg

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// maxDepth bounds the nesting of parentheses, so that no input exhausts the stack.
const maxDepth = 1000

// Options are assumptions that a user may vouch for.
type Options struct {
	// ActionsSucceed reads code that may do more than return a value as code that does not. [Assumptions] lists its places.
	ActionsSucceed bool
	// Budget is what computing with the grammar may take.
	Budget *budget.Budget
}

// Read reads a whole grammar. Rules come in the order of the file, their ID is the identifier in front of the arrow and
// their Name the display name, or the identifier where there is none. The error is an [*expr.Error]: the first place that is
// not pigeon's notation, a rule that is defined twice, a name that no rule has, or what the model does not cover.
func Read(file string, src []byte) (*expr.Grammar, error) { return Options{}.Read(file, src) }

// Read is [Read] under the options o.
func (o Options) Read(file string, src []byte) (g *expr.Grammar, err error) {
	p := &reader{lexer: lexer{file: file, src: string(src), line: 1}, opts: o}
	err = caught(func() {
		g = p.grammar()
		g.Name = strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".peg")
		g.Title = g.Name
		names(g)
		refuseUsersOf(g)
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// names refuses what pigeon lets pass: a rule defined twice and a reference to none.
func names(g *expr.Grammar) {
	seen := make(map[string]expr.Pos, len(g.Rules))
	for _, r := range g.Rules {
		if at, twice := seen[r.ID]; twice {
			panic(expr.Errorf(r.Pos, "rule %q is defined twice, first at %s", r.ID, at))
		}
		seen[r.ID] = r.Pos
	}
	for _, r := range g.Rules {
		for _, e := range g.Undefined(r.Expr) {
			panic(expr.Errorf(e.Pos, "rule %q is not defined", e.Name))
		}
	}
}

// refuseUsersOf refuses what comes to a rule of g that is refused.
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

// Ident returns the identifier for the production id in a .peg file: pigeon's have no "-" and no "+".
func Ident(id string) string {
	return strings.NewReplacer("-", "_", "+", "plus").Replace(id)
}

// Rename returns g with each rule's identifier id replaced by to[id], where to has one. What is the same is shared.
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

// For returns the rules of g under the IDs of bnf's productions: the rule ip_schemepart becomes ip-schemepart where bnf
// has a production of that ID. Rules that transcribe no production keep their identifier.
func For(bnf, g *expr.Grammar) *expr.Grammar {
	to := make(map[string]string, len(bnf.Rules))
	for _, r := range bnf.Rules {
		to[Ident(r.ID)] = r.ID
	}
	out := Rename(g, to)
	out.Name, out.Title = bnf.Name, bnf.Title
	return out
}

// Load reads the embedded transcription of a published grammar, each time, under the IDs of its productions: see [For].
func Load(bnf *expr.Grammar) (*expr.Grammar, error) {
	file := bnf.Name + ".peg"
	src, err := fs.ReadFile(grammar.Files, file)
	if err != nil {
		return nil, fmt.Errorf("no transcription of %q: %w", bnf.Name, err)
	}
	g, err := Options{ActionsSucceed: true}.Read("grammar/"+file, src) // they are ours
	if err != nil {
		return nil, err
	}
	return For(bnf, g), nil
}

// IsEntry reports whether r is no production but an entry NAME_entry, which matches NAME to the end of the input, or EOF.
func IsEntry(r *expr.Rule) bool { return r.ID == "EOF" || strings.HasSuffix(r.ID, "_entry") }

type reader struct {
	lexer
	opts  Options
	depth int
	// end is where the last token of an expression ended: a rule's source stops there.
	end lexer

	initializer goCode            // the initializer
	assumes     []expr.Assumption // of the rule that is being read
	refusal     *expr.Error       // why that rule is refused
	ahead       int               // how many lookaheads enclose what is being read
	mentions    []mention         // of the scope that is being read
}

func (p *reader) grammar() *expr.Grammar {
	p.valid()
	if i := strings.Index(p.src, "//go:linkname"); i >= 0 {
		p.skip(i)
		panic(expr.Refusef(p.pos(), "a linkname directive is not supported: it can replace what the parser calls"))
	}
	g := &expr.Grammar{File: p.file, Ordered: true, Budget: p.opts.Budget}
	p.space()
	if p.peek() == '{' {
		pos := p.pos()
		code := p.code()
		p.eos()
		var err error
		if p.initializer, err = readGo(code, pos); err != nil {
			panic(err)
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

func (p *reader) rule() *expr.Rule {
	r := &expr.Rule{Pos: p.pos()}
	start := p.off
	id := p.ident()
	if id == "" {
		panic(p.errorf("expected the name of a rule, found %s", p.found()))
	}
	r.ID, r.Name, r.Line = id, id, r.Pos.Line
	p.space()
	if c := p.peek(); c == '"' || c == '\'' || c == '`' {
		r.Name = p.str()
		p.space()
	}
	if !p.arrow() {
		panic(p.errorf("expected <- after the name of rule %q, found %s", id, p.found()))
	}
	p.assumes, p.mentions, p.rare = nil, nil, false
	p.refusal = nil
	if at := p.initializer.at; at.Line > 0 {
		p.vouched(assumeCalm, p.initializer.pos, at, "code of the initializer that runs before the parser is not supported: it may panic, or change what the parser does; %s", vouch)
	}
	p.assumes = append(p.assumes, p.initializer.imports...)
	r.Expr = p.choice()
	p.leave(nil, true)
	p.lexer = p.end
	r.Assumes, r.Rare, r.Refused = p.assumes, p.rare, p.refusal
	r.Printed = strings.TrimSpace(p.src[start:p.off])
	p.eos()
	return r
}

func (p *reader) choice() *expr.Expr {
	if p.depth++; p.depth > maxDepth {
		panic(p.errorf("nested too deeply"))
	}
	defer func() { p.depth-- }()
	p.space()
	var alts []*expr.Expr
	pos, outer := p.pos(), p.mentions
	for {
		p.mentions = nil
		alts = append(alts, p.action())
		p.leave(outer, len(alts) > 1 || p.peek() == '/')
		if p.has("//{") {
			panic(expr.Refusef(p.pos(), "pigeon's recovery operator //{ is not supported: it makes failure succeed"))
		}
		if p.peek() != '/' {
			break
		}
		p.next()
		p.space()
	}
	if len(alts) == 1 {
		return alts[0]
	}
	return &expr.Expr{Op: expr.Alt, Sub: alts, Pos: pos}
}

// assume notes what the language of the rule rests on.
func (p *reader) assume(text string, pos expr.Pos) {
	p.assumes = append(p.assumes, expr.Assumption{Text: text, Pos: pos})
}

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
		p.end = p.lexer
		node := p.judge(code, at)
		if node.id != "" {
			e = &expr.Expr{Op: expr.Node, Name: node.id, Sub: []*expr.Expr{e}, Pos: pos, Drops: len(seq) > 1 || label != node.of}
		} else {
			for e.Op == expr.Node { // this one is dropped
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

// endsSequence reports whether no further element of a sequence can begin here: at the end, at what closes or separates sequences,
// and at the name of the next rule, with an arrow behind it. A word of Go is refused.
func (p *reader) endsSequence() (ends bool) {
	switch c := p.peek(); {
	case p.eof(), c == '/', c == ')', c == '{', c == ';':
		return true
	case !p.atName():
		return false
	}
	ahead := *p
	if id := ahead.ident(); Reserved(id) {
		panic(p.errorf("%q is a word of Go, which pigeon reads as no name here", id))
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

// labeled reads an element of a sequence. The label is "" where there is none.
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
		}
	}
	outer := p.mentions
	p.mentions = nil
	own := label != "" || p.peek() == '&' || p.peek() == '!'
	e = p.prefixed()
	p.leave(outer, own)
	return label, e
}

func (p *reader) prefixed() *expr.Expr {
	if p.has("%{") {
		panic(expr.Refusef(p.pos(), "pigeon's throw operator %%{...} is not supported"))
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
	if e == anyRune {
		e = &expr.Expr{Op: expr.Class, Set: expr.AnyByte, Pos: pos} // some character is there: some byte is
	}
	return &expr.Expr{Op: op, Sub: []*expr.Expr{e}, Pos: pos}
}

// predicate reports whether a predicate with code begins here.
func (p *reader) predicate() bool {
	ahead := p.lexer
	ahead.next()
	return caught(func() { ahead.space() }) == nil && ahead.peek() == '{'
}

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
	case '*':
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
		return anyRune
	case c == '(':
		p.next()
		e := p.choice()
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
		panic(expr.Refusef(pos, "%s with code (%c{...}) is not supported: its language cannot be known", what, c))
	}
	panic(p.errorf("expected an expression, found %s", p.found()))
}
