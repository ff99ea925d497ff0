package pegtogo

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Names of the generated file. The names of a production are made from its constant, those of any other rule
// from its identifier. No two things get the same name, whatever the rules are called.

// reserved has the names that every generated package declares, and those of Go that it uses.
var reserved = []string{
	"ast", "math", "strings", "fail", "builder", "class", "accepted", "parse", "accept", "machine", "automaton",
	"general", "engineOf", // top level
	"Grammar", "Parse", "ParsePrefix", "ParseAs", "Accepts", "AcceptsAs", "Parser", "NewParser", "NewChecker",
	"DefaultMaxLength",
	"TestGenerated", "FuzzGenerated", "ExampleParse", "generatedWrong", "generatedCover", "generatedWords",
	"generatedChecker", "tables", "explaining",
	"put", "build", "nodes", "left", "deep", "stop", "within", derivesName, // of builder
	"append", "bool", "byte", "cap", "int32", "len", "make", "string", "true", "false", "uint", "uint8", "uint16",
	"uint32", "uint64",
}

// A naming has the names of a rule in the generated file: the constant of a production
// ("KindHostport"), its title without "Kind", which other names are made of, the functions that
// build and accept it, and the acceptor made of its automaton.
type naming struct{ kind, title, build, accept, accepts string }

// nameRules sets p.names, and with it p.rules, p.number, p.starts, p.start and p.automata. It refuses a
// constant that is not an exported identifier or is taken, and a grammar without a production.
func (p *program) nameRules() {
	for _, n := range append(slices.Clone(reserved), p.opts.Parse, p.opts.Accept, p.opts.Within) {
		p.taken[n] = true
	}
	for _, r := range p.grammar.Rules {
		p.names[r.ID] = &naming{}
		kind := p.opts.Kind(r.ID)
		if kind == "" {
			continue
		}
		if !token.IsIdentifier(kind) || !token.IsExported(kind) || p.taken[kind] {
			refuse(r.Pos, "%s cannot have the constant %q", r.ID, kind)
		}
		p.rules = append(p.rules, r)
		p.number[r.ID] = uint(len(p.rules))
		p.names[r.ID].kind = p.takeName(kind)
		if p.opts.Start == nil || p.opts.Start(r.ID) {
			p.starts = append(p.starts, r)
			p.start[r.ID] = true
			if p.opts.Automaton != nil {
				p.automata[r.ID] = p.opts.Automaton(r.ID)
			}
		}
	}
	for _, r := range p.rules {
		// Other names are made from the title, without "Kind", unless the rest would be no name or is taken.
		n := p.names[r.ID]
		n.title = strings.TrimPrefix(n.kind, "Kind")
		if n.title != n.kind && token.IsExported(n.title) {
			n.title = p.takeName(n.title)
		} else {
			n.title = n.kind
		}
	}
	if len(p.starts) == 0 {
		refuse(expr.Pos{File: p.grammar.File}, "no production")
	}
	for _, r := range p.grammar.Rules {
		n := p.names[r.ID]
		if n.title == "" {
			n.title = p.takeName(exportedName(r.ID))
		}
		n.build = lowerFirst(n.title)
		if token.IsKeyword(n.build) || p.taken[n.build] {
			n.build += "_"
		}
		n.build = p.takeName(n.build)
		n.accept = p.takeName("accept" + n.title)
		if p.automata[r.ID] != nil {
			n.accepts = p.takeName("accepts" + n.title)
		}
	}
}

// Reserved returns the names that every generated package declares, and those of Go that it uses.
func Reserved() []string { return slices.Clone(reserved) }

// Titles returns a Go name for each production, by ID: IpSchemepart for ip-schemepart. No two of these names, nor any
// with "Kind" or "As" in front, are equal, and none is a name that every generated package has: of several IDs with
// one name the later ones get a number, and so does a name that is taken.
func Titles(ids []string) map[string]string {
	taken := map[string]bool{}
	for _, n := range reserved {
		taken[n] = true
	}
	all := map[string]string{}
	for _, id := range ids {
		if all[id] != "" {
			continue
		}
		base := exportedName(peg.Ident(id))
		name := base
		for k := 2; taken[name] || taken["Kind"+name] || taken["As"+name]; k++ {
			name = fmt.Sprint(base, k)
		}
		all[id] = name
		taken[name], taken["Kind"+name], taken["As"+name] = true, true, true
	}
	return all
}

// Constants returns the constant of each production, by ID: KindIpSchemepart for ip-schemepart. See
// [Titles].
func Constants(ids []string) map[string]string {
	all := Titles(ids)
	for id, title := range all {
		all[id] = "Kind" + title
	}
	return all
}

// takeName returns base, with a number if it is taken, and enters the result in p.taken.
func (p *program) takeName(base string) string {
	name := base
	for k := 2; p.taken[name]; k++ {
		name = fmt.Sprint(base, k)
	}
	p.taken[name] = true
	return name
}

// exportedName turns an identifier into an exported Go name: IpPart for ip_part. One that does not begin with an
// upper-case letter then gets an X in front.
func exportedName(id string) string {
	var b strings.Builder
	isBetween := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(id, isBetween) {
		r, n := utf8.DecodeRuneInString(word)
		b.WriteString(string(unicode.ToUpper(r)) + word[n:])
	}
	name := b.String()
	if !token.IsExported(name) {
		name = "X" + name
	}
	return name
}
