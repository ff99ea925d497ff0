// Package bnftogbnf writes a grammar in GBNF, the notation that llama.cpp uses to hold the output of a model
// to a grammar, and proves the result.
//
// Each production is written as it stands, with its octets as characters. The result is read back, and each
// production is compared. A word that no text in UTF-8 has stands for each name that it uses; then its
// right-hand side and the one that was read are regular, and their automata must be equal. So both grammars
// derive the same strings, whatever nests.
//
// Things that llama.cpp cannot do are refused: left recursion, repetition without end of something that may
// be empty, and octets that are not UTF-8.
package bnftogbnf

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// Write returns the production with the ID start, and all that it uses, in GBNF. It fails with an
// [*expr.Error] if GBNF cannot express one of them, if a limit is passed, and if the result is not read back
// as the same grammar.
func Write(g *expr.Grammar, start string) (text string, err error) {
	defer budget.Catch(&err)
	defer expr.Catch(&err)
	part := g.Part(start)
	w := &writer{grammar: part, facts: expr.Analyze(part.Rules), names: map[string]string{}}
	w.refuseLeftRecursion()
	w.giveNames(start)
	var b strings.Builder
	if w.names[start] != bnf.RootGBNF {
		fmt.Fprintf(&b, "%s ::= %s\n", bnf.RootGBNF, w.names[start])
	}
	for _, r := range part.Rules {
		w.rule = r
		fmt.Fprintf(&b, "%s ::= %s\n", w.names[r.ID], w.exprText(r.Expr, alternatives))
	}
	return b.String(), w.prove(b.String())
}

// A writer writes one grammar. Its methods panic with an [*expr.Error] at what GBNF cannot have.
type writer struct {
	grammar *expr.Grammar
	facts   *expr.Facts
	names   map[string]string // by ID: the names of the productions in GBNF
	rule    *expr.Rule        // the rule being written
}

// refuse panics with an error about the production that is being written. It does not return.
func (w *writer) refuse(pos expr.Pos, format string, args ...any) {
	panic(expr.Refusef(pos, "`%s`: %s", w.rule.Label(), fmt.Sprintf(format, args...)))
}

// refuseLeftRecursion panics with an error about the first production that uses itself before anything is
// read.
func (w *writer) refuseLeftRecursion() {
	circles := expr.Circles(w.grammar.Rules, w.facts.Leftmost)
	for _, r := range w.grammar.Rules {
		if w.rule = r; circles[r.ID] != nil {
			w.refuse(r.Pos, "it uses itself before anything is read, which llama.cpp refuses")
		}
	}
}

// giveNames sets w.names: a name of letters, digits and hyphens for each production, with a number where two
// would be equal. Only the start may be called root, and only if that is its name in the grammar.
func (w *writer) giveNames(start string) {
	taken := map[string]bool{bnf.RootGBNF: true}
	for _, r := range w.grammar.Rules {
		name := strings.Map(func(c rune) rune {
			if c < utf8.RuneSelf && (c == '-' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z') {
				return c
			}
			return '-'
		}, r.ID)
		if r.ID == start && name == bnf.RootGBNF {
			w.names[r.ID] = name
			continue
		}
		unique := name
		for n := 2; taken[unique]; n++ {
			unique = fmt.Sprintf("%s-%d", name, n)
		}
		taken[unique] = true
		w.names[r.ID] = unique
	}
}

// How tightly operators bind, the loosest first.
const (
	alternatives = iota
	sequence
	repeated
)

// exprText returns an expression in GBNF, in parentheses if its operator binds less tightly than bind. An
// expression for a set of characters becomes a class, however the grammar derives it.
func (w *writer) exprText(e *expr.Expr, bind int) string {
	group := func(s string, strength int) string {
		if strength < bind {
			return "(" + s + ")"
		}
		return s
	}
	// A literal of one character stays a literal. Octets that are characters only together, as a lead byte
	// and those after it, have no text by themselves.
	if e.Op != expr.Literal {
		if set, ok := charactersOf(e); ok && len(set) > 0 {
			return classText(set)
		}
	}
	switch e.Op {
	case expr.Empty:
		return `""`
	case expr.Ref:
		if w.names[e.Name] == "" {
			w.refuse(e.Pos, "`%s` has no production", e.Name)
		}
		return w.names[e.Name]
	case expr.Literal:
		if !utf8.ValidString(e.Lit) {
			w.refuse(e.Pos, "it has octets that are no UTF-8, and GBNF has characters alone; "+
				"--values code-points reads values as characters")
		}
		return literalText(e.Lit)
	case expr.Class:
		w.refuse(e.Pos, "it has octets that are no UTF-8, or a class of nothing; "+
			"--values code-points reads values as characters")
	case expr.Seq, expr.Alt:
		between, strength := " ", sequence
		if e.Op == expr.Alt {
			between, strength = " | ", alternatives
		}
		var all []string
		for _, s := range e.Sub {
			all = append(all, w.exprText(s, strength+1))
		}
		return group(strings.Join(all, between), strength)
	case expr.Repeat:
		if e.Max == expr.Unbounded && w.facts.RepeatsEmpty(e) {
			w.refuse(e.Pos, "it repeats without end what may be empty, which llama.cpp refuses")
		}
		return w.exprText(e.Sub[0], repeated+1) + e.Quantifier()
	}
	w.refuse(e.Pos, "%s has no counterpart in GBNF", e)
	return ""
}

// characterText returns a character as it is written in a literal or a class. One of special has a meaning
// there, and gets a backslash.
func characterText(c rune, special string) string {
	switch {
	case c == '\n':
		return `\n`
	case c == '\r':
		return `\r`
	case c == '\t':
		return `\t`
	case strings.ContainsRune(special, c):
		return `\` + string(c)
	case c < ' ' || 0x7f <= c && c < 0x100:
		return fmt.Sprintf(`\x%02X`, c)
	case c > 0xffff:
		return fmt.Sprintf(`\U%08X`, c)
	case c >= 0x100:
		return fmt.Sprintf(`\u%04X`, c)
	}
	return string(c)
}

// literalText returns a text as a literal.
func literalText(text string) string {
	var b strings.Builder
	for _, c := range text {
		b.WriteString(characterText(c, `"\`))
	}
	return `"` + b.String() + `"`
}

// classText returns a set of characters as a class. A hyphen and a caret are written by their values.
func classText(set runes.Set) string {
	var b strings.Builder
	write := func(c rune) {
		if c == '-' || c == '^' {
			fmt.Fprintf(&b, `\x%02X`, c)
		} else {
			b.WriteString(characterText(c, `[]\"`))
		}
	}
	for _, s := range set {
		if write(s.Lo); s.Hi > s.Lo {
			b.WriteByte('-')
			write(s.Hi)
		}
	}
	return "[" + b.String() + "]"
}

// charactersOf returns the set of characters whose UTF-8 an expression derives. ok is false if it derives
// anything else, or is neither a class, a sequence of classes nor a choice of these.
func charactersOf(e *expr.Expr) (set runes.Set, ok bool) {
	switch e.Op {
	case expr.Class:
		return charactersOfSets([]expr.Set{e.Set})
	case expr.Alt:
		for _, s := range e.Sub {
			some, ok := charactersOf(s)
			if !ok {
				return nil, false
			}
			set = append(set, some...)
		}
		return set.Clean(), true
	case expr.Seq:
		var octets []expr.Set
		for _, s := range e.Sub {
			if s.Op != expr.Class {
				return nil, false
			}
			octets = append(octets, s.Set)
		}
		return charactersOfSets(octets)
	}
	return nil, false
}

// charactersOfSets returns the characters whose UTF-8 has an octet of each set, in this order. ok is false if
// some choice of octets is not an encoding.
func charactersOfSets(octets []expr.Set) (set runes.Set, ok bool) {
	if len(octets) > utf8.UTFMax {
		return nil, false
	}
	full := expr.Range(0x80, 0xBF) // all octets that continue a character
	// add adds the characters that begin with the octets before and go on with one of each set of rest. It
	// reports whether all choices are encodings.
	var add func(before []byte, rest []expr.Set) bool
	add = func(before []byte, rest []expr.Set) bool {
		last := !slices.ContainsFunc(rest[1:], func(s expr.Set) bool { return s != full })
		for _, r := range rest[0].Ranges() {
			if !last { // one octet at a time, since the characters after each do not follow one another
				for c := int(r[0]); c <= int(r[1]); c++ {
					if !add(append(slices.Clone(before), byte(c)), rest[1:]) {
						return false
					}
				}
				continue
			}
			lo, hi := append(slices.Clone(before), r[0]), append(slices.Clone(before), r[1])
			for range rest[1:] {
				lo, hi = append(lo, 0x80), append(hi, 0xBF)
			}
			from, n := utf8.DecodeRune(lo)
			to, m := utf8.DecodeRune(hi)
			if n != len(lo) || m != len(hi) || from == utf8.RuneError && n == 1 || to == utf8.RuneError && m == 1 {
				return false
			}
			set = append(set, runes.Span{Lo: from, Hi: to})
		}
		return true
	}
	if !add(nil, octets) {
		return nil, false
	}
	return set.Clean(), true
}

// prove reads the text back, and compares each production with the grammar's. It fails with an error that
// names one that differs.
func (w *writer) prove(text string) error {
	d, err := bnf.ReadDocument("written.gbnf", []byte(text), bnf.GBNF, bnf.Usual)
	if err != nil {
		return fmt.Errorf("what was written is not read back: %w", err)
	}
	place := map[string]int{} // by name in the text: the number of the production
	for i, r := range w.grammar.Rules {
		place[w.names[r.ID]] = i
	}
	for _, r := range w.grammar.Rules {
		again := d.Grammar.Rule(w.names[r.ID])
		if again == nil {
			return fmt.Errorf("what was written lacks `%s`", r.Label())
		}
		a, err := w.withWords(r.Expr, func(id string) int { return place[w.names[id]] })
		if err != nil {
			return err
		}
		b, err := w.withWords(again.Expr, func(id string) int { return place[id] })
		if err != nil {
			return err
		}
		if !a.Equal(b) {
			return fmt.Errorf("what was written for `%s` is read back as something else", r.Label())
		}
	}
	return nil
}

// withWords returns the automaton of an expression with a word in place of each production that it uses: an
// octet that UTF-8 never has, and three with the production's number, which place returns.
func (w *writer) withWords(e *expr.Expr, place func(id string) int) (*lang.DFA, error) {
	var replace func(e *expr.Expr) *expr.Expr
	replace = func(e *expr.Expr) *expr.Expr {
		switch {
		case e.Op == expr.Ref:
			n := place(e.Name)
			return expr.Lit(string([]byte{0xFF, byte(n >> 16), byte(n >> 8), byte(n)}))
		case len(e.Sub) == 0:
			return e
		}
		return e.Map(replace)
	}
	return lang.FromExpr(w.grammar, replace(e))
}
