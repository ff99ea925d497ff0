package gopackage

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file finds the choice of a production, whose alternatives a program can switch on, names these
// alternatives, and packs the productions for package ast, which decides at run time which one was taken.

// A choice is the choice of a production. The zero choice stands for none.
type choice struct {
	alternatives []*expr.Expr
	count        int
	part         int // of the sequence, if the choice is a part of one
}

// choiceOf returns the choice of a right side: all of it, or the only part of a sequence that is a choice. It returns
// the zero choice if there is none, or if several parts are choices. A range of characters is no choice, though its
// expression may be a choice among the encodings of these.
func choiceOf(e *expr.Expr) (c choice) {
	for i, s := range e.Factors() {
		if s.Op != expr.Alt || s.Chars != "" {
			continue
		}
		if c.count > 0 { // there are two
			return choice{}
		}
		c = choice{s.Sub, len(s.Sub), i}
	}
	return c
}

// packRules returns the productions as the field Rules of [ast.Grammar] holds them. Their printed text is among them
// unless the package is plain.
func (p *writer) packRules() string {
	rules := p.rules()
	var lengths, printed []int
	for _, r := range p.bnf.Rules {
		if !p.Plain {
			lengths = append(lengths, len(r.Printed))
			printed = append(printed, annotated.Numbers([]byte(r.Printed))...)
		}
	}
	return annotated.Pack(annotated.Numbers([]byte(rules.Text)), rules.Counts, rules.Parts, lengths, printed)
}

// alternativeNames returns, by ID, the names of the constants for the alternatives of each node whose production is a
// choice of two or more, with "" for one without a name. A name is that of the type, followed by one for the
// alternative. Alternatives that are one production or one word are named first, in all of the package, so that no
// other takes a name from them; of several that could have one name, the first in the text gets it. The first call
// takes the names in p.identifiers, and keeps the result in p.alternatives.
func (p *writer) alternativeNames() map[string][]string {
	if p.alternatives != nil {
		return p.alternatives
	}
	p.alternatives = map[string][]string{}
	for _, nameOf := range []func(string, int, *expr.Expr) string{p.nameWhole, p.nameByParts} {
		for _, r := range p.bnf.Rules {
			choice := choiceOf(r.Expr)
			if p.isLexical(r.ID) || choice.count < 2 {
				continue
			}
			if p.alternatives[r.ID] == nil {
				p.alternatives[r.ID] = make([]string, choice.count)
			}
			for i, e := range choice.alternatives {
				if p.alternatives[r.ID][i] == "" {
					p.alternatives[r.ID][i] = nameOf(p.typeName(r.ID), i+1, e)
				}
			}
		}
	}
	return p.alternatives
}

// takeIdentifier reports whether a name is still free in the package, and takes it if so.
func (p *writer) takeIdentifier(name string) bool {
	if p.identifiers[name] {
		return false
	}
	p.identifiers[name] = true
	return true
}

// nameWhole returns a name for an alternative that is one production or one word: typeName and the name of that, with
// "Is" between them if the plain one is taken. The name is then taken in p.identifiers. nameWhole returns "" for any
// other alternative, and if neither name is free.
func (p *writer) nameWhole(typeName string, _ int, e *expr.Expr) string {
	name := p.wholeName(e)
	if name == "" {
		return ""
	}
	// A production can have the name that the two make, as value-array next to value and array.
	for _, whole := range []string{typeName + name, typeName + "Is" + name} {
		if p.takeIdentifier(whole) {
			return whole
		}
	}
	return ""
}

// nameByParts returns typeName followed by one of the alternative's partNames, the first that makes a name not taken
// yet. If there is none, the first of them gets the number of the alternative. The name is then taken in
// p.identifiers. nameByParts returns "" if no part has a name, and if the one with the number is taken too.
func (p *writer) nameByParts(typeName string, number int, e *expr.Expr) string {
	names := p.partNames(e)
	if len(names) > 0 {
		names = append(names, names[0]+strconv.Itoa(number))
	}
	for _, name := range names {
		if p.takeIdentifier(typeName + name) {
			return typeName + name
		}
	}
	return ""
}

// wholeName returns the name of the production or the word that an expression is. It returns "" if the expression is
// neither, or a word with signs.
func (p *writer) wholeName(e *expr.Expr) string {
	if word, isWord := quotedWord(e); isWord {
		return asIdentifier(word)
	}
	if e.Op == expr.Ref {
		return p.goNames[e.Name]
	}
	return ""
}

// maxNameParts caps the parts of an alternative that are joined to a name, and the signs of a word.
const maxNameParts = 3

// partNames returns names for an alternative of several parts, or of a sign, the best first: the name of its
// first part with a name, that joined with the next, and so on. So "BODY" SP body is BODY or, if that is
// taken, BODYBody. Signs and lexical productions, such as SP, are in the names that come last.
func (p *writer) partNames(e *expr.Expr) (names []string) {
	for _, named := range []func(*expr.Expr) string{p.tellingPart, p.anyPart} {
		joined, parts := "", 0
		for _, part := range partsOf(e) {
			name := named(part)
			if name == "" {
				continue
			}
			joined += name
			if parts++; parts > maxNameParts {
				break
			}
			names = append(names, joined)
		}
	}
	return names
}

// partsOf returns the parts of a sequence in their order. The classes and literals that make one word are one part.
func partsOf(e *expr.Expr) (parts []*expr.Expr) {
	factors := e.Factors()
	for len(factors) > 0 {
		n, _ := expr.WordOf(factors)
		part := factors[0]
		if n > 1 {
			part = &expr.Expr{Op: expr.Seq, Sub: factors[:n]}
		}
		parts = append(parts, part)
		factors = factors[max(n, 1):]
	}
	return parts
}

// tellingPart returns the name of a part that cannot be absent and is a word or a production with nodes, also repeated;
// "" for any other.
func (p *writer) tellingPart(e *expr.Expr) string {
	if e.Op == expr.Repeat && e.Min > 0 {
		e = e.Sub[0]
	}
	if e.Op == expr.Ref && p.isLexical(e.Name) {
		return ""
	}
	return p.wholeName(e)
}

// anyPart returns the name of a part that is a production, a word, or a string with signs of at most maxNameParts
// bytes; it may be repeated or absent. Bytes that are no letters, digits or signs of ASCII contribute nothing. anyPart
// returns "" for any other part.
func (p *writer) anyPart(e *expr.Expr) string {
	if e.Op == expr.Repeat {
		e = e.Sub[0]
	}
	if name := p.wholeName(e); name != "" {
		return name
	}
	word, isWord := quotedWord(e)
	if !isWord || len(word) > maxNameParts {
		return ""
	}
	var b strings.Builder
	for _, c := range []byte(word) {
		b.WriteString(cmp.Or(signNames[c], asIdentifier(string(rune(c)))))
	}
	return b.String()
}

// signNames are the names of the signs of ASCII in identifiers.
var signNames = map[byte]string{
	' ': "Space", '!': "Exclamation", '"': "Quote", '#': "Hash", '$': "Dollar", '%': "Percent", '&': "Ampersand",
	'\'': "Apostrophe", '(': "LeftParen", ')': "RightParen", '*': "Star", '+': "Plus", ',': "Comma", '-': "Minus",
	'.': "Dot", '/': "Slash", ':': "Colon", ';': "Semicolon", '<': "Less", '=': "Equal", '>': "Greater",
	'?': "Question", '@': "At", '[': "LeftBracket", '\\': "Backslash", ']': "RightBracket", '^': "Caret",
	'_': "Underscore", '`': "Backquote", '{': "LeftBrace", '|': "Bar", '}': "RightBrace", '~': "Tilde",
}

// quotedWord returns the quoted string that an expression is. ok is false if e is not exactly one quoted string. A
// string that is read in either case is a sequence of classes and literals, whose Word is the string as the text has
// it; any other string is one literal.
func quotedWord(e *expr.Expr) (word string, ok bool) {
	parts := e.Factors()
	first := parts[0]
	if first.Word == "" {
		return first.Lit, first.Op == expr.Literal && len(parts) == 1
	}
	n, whole := expr.WordOf(parts)
	return first.Word, whole && n == len(parts)
}

// asIdentifier returns a word as part of a name in Go: "content-type" as ContentType. It is "" if
// the word has characters other than letters, digits, "-", "_" and ".".
func asIdentifier(word string) string {
	var b strings.Builder
	upper := true
	for _, c := range []byte(word) {
		letter := c | 0x20
		switch {
		case c == '-' || c == '_' || c == '.':
			upper = true
			continue
		case c >= utf8.RuneSelf, (letter < 'a' || letter > 'z') && (c < '0' || c > '9'):
			return ""
		case upper && c >= 'a':
			c -= 'a' - 'A'
		}
		upper = false
		b.WriteByte(c)
	}
	return b.String()
}

// packageIdentifiers returns the names that a package declares, except those of alternatives.
func (p *writer) packageIdentifiers() map[string]bool {
	taken := map[string]bool{}
	for _, r := range p.bnf.Rules {
		taken[p.kindName(r.ID)] = true
		taken[p.typeName(r.ID)] = true
		taken["As"+p.typeName(r.ID)] = true
	}
	for _, name := range pegtogo.Reserved() {
		taken[name] = true
	}
	return taken
}
