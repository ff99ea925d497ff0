package bnf

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file gives names without a production, and prose, a stand-in: any text in one line. With it
// a grammar derives at least what the text means wherever that is itself text in one line, and the
// rest of the grammar can be used before someone has found out what is missing.

// StandIn says in words what stands for a missing production.
const StandIn = "any text in one line"

// standIn returns the expression that stands in for a missing production: any number of tabs, spaces
// and printed characters. Octets above 127 are the letters of any encoding.
func standIn(codePoints bool) *expr.Expr {
	first := expr.Or(expr.In(expr.Bytes("\t")), expr.In(expr.Range(' ', '~')))
	if codePoints {
		others := encodings(expr.Encodings(0xA0, 0x10FFFF), "%xA0-10FFFF", expr.Pos{})
		return expr.Times(expr.Or(first, others), 0, expr.Unbounded)
	}
	return expr.Times(expr.Or(first, expr.In(expr.Range(0x80, 0xFF))), 0, expr.Unbounded)
}

// FileStandIn is the name of the file in the positions of stand-ins.
const FileStandIn = "--define-missing any"

// supplyMissing appends to the grammar a stand-in for each name that the document uses and nothing defines, has the
// references name it, and replaces the expression of each production that is nothing but prose or could not be read.
// Each such rule has StandIn set, and an assumption that names it: that its stand-in is right.
func (c *collector) supplyMissing() {
	byRef := map[string]string{} // the ID of the stand-in, by the name of the reference
	for _, m := range Missing(c.grammar) {
		assumed := func(what string) []expr.Assumption {
			text := fmt.Sprintf("`%s`, %s, is %s", strings.Trim(m.label(), "<>"), what, StandIn)
			return []expr.Assumption{{Text: text, Pos: m.Pos}}
		}
		if m.In != "" {
			for _, r := range c.grammar.Rules {
				if r.Name == m.In && onlyProse(r) {
					r.Expr = placed(standIn(c.grammar.CodePoints), r.Pos)
					r.StandIn, r.Assumes = true, assumed("which is prose in the text")
				}
			}
			continue
		}
		// Its ID can differ from the name, so the references are changed below.
		r := &expr.Rule{
			ID: c.freeID(m.Name), Name: refName(m.Name), Part: partSupplied, Expr: standIn(c.grammar.CodePoints),
			Printed: m.Name + " = " + StandIn, Pos: expr.Pos{File: FileStandIn},
			StandIn: true, Assumes: assumed("which has no production"),
		}
		if isProse(m.Name) {
			r.Assumes = assumed("which is prose in the text")
		}
		byRef[c.scope.key(m.Name)] = r.ID
		c.grammar.Rules = append(c.grammar.Rules, r)
		c.scope.add(r)
	}
	for _, r := range c.grammar.Rules {
		r.Expr = rewrite(r.Expr, func(e *expr.Expr) *expr.Expr {
			if id := byRef[c.scope.key(e.Name)]; e.Op == expr.Ref && id != "" && c.grammar.Rule(e.Name) == nil {
				return placed(expr.To(id), e.Pos)
			}
			return e
		})
	}
}

// label returns the name of the production that is missing, or the prose.
func (m *MissingName) label() string {
	if m.In != "" {
		return m.In
	}
	return m.Name
}

// longestID caps the length of the ID that is made of prose.
const longestID = 40

// freeID returns an ID that no rule has, for a missing name: the name, or the words of the prose with hyphens between
// them, cut to longestID bytes. After that, "prose-" is put before an ID that is empty or does not begin with a
// letter, and -2, -3 and so on after one that is taken. freeID enters the ID in the scope.
func (c *collector) freeID(name string) string {
	words := strings.FieldsFunc(refName(name), func(r rune) bool {
		return r >= 0x80 || !isNameByte(byte(r))
	})
	id := strings.Join(words, "-")
	if len(id) > longestID {
		id = strings.TrimRight(id[:longestID], "-")
	}
	if id == "" || !isLetter(id[0]) {
		id = "prose-" + id
	}
	free := id
	for n := 2; c.scope.ids[c.scope.key(free)]; n++ {
		free = fmt.Sprintf("%s-%d", id, n)
	}
	c.scope.ids[c.scope.key(free)] = true
	return free
}

// IsSupplied reports whether a rule stands in no text, but was supplied by --define or --define-missing.
func IsSupplied(r *expr.Rule) bool { return r.Part == partSupplied }
