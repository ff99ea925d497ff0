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

// Names of the generated file. A production's names come from its constant; those of a rule that is no production come
// from its identifier. No two things have one name, whatever the rules are called.

// reserved are the names that a generated package has whatever its grammar is, and those of Go that it uses.
var reserved = []string{
	"ast", "math", "strings", "fail", "builder", "class", "accepted", "parse", "accept", "machine", "automaton", "general", "checked", // top level
	"Grammar", "Parse", "ParseAs", "Accepts", "AcceptsAs", "Parser", "NewParser", "NewChecker", "DefaultMaxLength",
	"TestGenerated", "FuzzGenerated", "ExampleParse", "generatedWrong", "generatedCover", "generatedWords", "generatedChecker", "tables", "network",
	"put", "build", "nodes", "left", "deep", "stop", "within", derivesName, // of builder
	"append", "bool", "byte", "cap", "int32", "len", "make", "string", "true", "false", "uint", "uint8", "uint16", "uint32", "uint64",
}

// A naming is what a rule is called in the generated file. A production has a constant; its title is that without "Kind".
type naming struct{ kind, title, build, accept, accepts string }

// nameRules returns all rules their names. Its error is a constant that cannot be one.
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
		p.names[r.ID].kind = p.unique(kind)
		if p.opts.Start == nil || p.opts.Start(r.ID) {
			p.starts = append(p.starts, r)
			p.start[r.ID] = true
			if p.opts.Automaton != nil {
				p.automata[r.ID] = p.opts.Automaton(r.ID)
			}
		}
	}
	for _, r := range p.rules {
		n := p.names[r.ID]
		if n.title = strings.TrimPrefix(n.kind, "Kind"); n.title != n.kind && token.IsExported(n.title) {
			n.title = p.unique(n.title)
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
			n.title = p.unique(title(r.ID))
		}
		n.build = lower(n.title)
		if token.IsKeyword(n.build) || p.taken[n.build] {
			n.build += "_"
		}
		n.build = p.unique(n.build)
		n.accept = p.unique("accept" + n.title)
		if p.automata[r.ID] != nil {
			n.accepts = p.unique("accepts" + n.title)
		}
	}
}

// Titles returns a Go name for each production: IpSchemepart for ip-schemepart. Of these names, and of what they are with
// "Kind" or "As" in front, no two are the same, and none is a name that a generated package has already.
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
		base := title(peg.Ident(id))
		name := base
		for k := 2; taken[name] || taken["Kind"+name] || taken["As"+name]; k++ {
			name = fmt.Sprint(base, k)
		}
		all[id] = name
		taken[name], taken["Kind"+name], taken["As"+name] = true, true, true
	}
	return all
}

// Constants returns the constant of each production: KindIpSchemepart for ip-schemepart. See [Titles].
func Constants(ids []string) map[string]string {
	all := Titles(ids)
	for id, title := range all {
		all[id] = "Kind" + title
	}
	return all
}

// unique returns a name that nothing else has: base, or base with a number.
func (p *program) unique(base string) string {
	name := base
	for k := 2; p.taken[name]; k++ {
		name = fmt.Sprint(base, k)
	}
	p.taken[name] = true
	return name
}

// title turns an identifier into the exported Go name of its own: IpPart for ip_part.
func title(id string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(id, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		r, n := utf8.DecodeRuneInString(word)
		b.WriteString(string(unicode.ToUpper(r)) + word[n:])
	}
	name := b.String()
	if !token.IsExported(name) {
		name = "X" + name
	}
	return name
}
