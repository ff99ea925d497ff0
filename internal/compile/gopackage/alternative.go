package gopackage

import (
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file finds the choice of a production, whose alternatives a program can switch on, names them, and packs the
// productions for package ast, which decides at run time which one was taken.

// A choice is the choice of a production. The zero choice stands for none.
type choice struct {
	alternatives []*expr.Expr
	count        int
	part         int // of the sequence, if the choice is a part of one
}

// choiceOf returns the choice of a right side: all of it, or the only part of a sequence that is a choice. A range of
// characters is no choice, though it is one among encodings.
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

// packRules returns the productions as the field Rules of [ast.Grammar] holds them.
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

// alternativeName returns the name of the constant of an alternative: that of the type, and the
// name of the production or the word that the alternative is. It is "" for one that is neither, or
// whose name is taken by the same word before. The name is then taken.
func (p *writer) alternativeName(id string, e *expr.Expr) string {
	name := ""
	switch word, isWord := wordOf(e); {
	case e.Op == expr.Ref:
		name = p.goNames[e.Name]
	case isWord:
		name = asIdentifier(word)
	}
	if name == "" {
		return ""
	}
	// A production can have the name that the two make, as value-array beside value and array.
	for _, whole := range []string{p.typeName(id) + name, p.typeName(id) + "Is" + name} {
		if !p.identifiers[whole] {
			p.identifiers[whole] = true
			return whole
		}
	}
	return ""
}

// wordOf returns the quoted string that an expression is.
func wordOf(e *expr.Expr) (word string, ok bool) {
	parts := e.Factors()
	first := parts[0]
	if first.Word == "" {
		return first.Lit, first.Op == expr.Literal && len(parts) == 1
	}
	length := 0
	for _, s := range parts {
		if s.Word != first.Word || s.Pos != first.Pos {
			return "", false
		}
		length += max(len(s.Lit), 1)
	}
	return first.Word, length == len(first.Word)
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

// packageIdentifiers returns the names that a package declares, but for those of alternatives.
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
