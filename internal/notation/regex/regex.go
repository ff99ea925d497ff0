// Package regex reads the regular expressions of several engines, each in its own flavor, and computes exactly which
// strings they match. What is not regular is refused, with its place.
//
// An expression is parsed to one small tree for all flavors. A program is made of it, and the program becomes an
// automaton: over code points, over UTF-16 code units or over bytes, and then over the bytes that spell them.
//
// Where a budget is used up, functions here panic with a *budget.Exceeded, which [Read], [ReadAs], [Regex.DFA] and
// [Regex.Grammar] return as an error; a comment says so only where something else comes back.
package regex

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// A Match says which strings count as matched.
type Match int

const (
	Search Match = iota // strings in which the flavor's usual test, which is not anchored, finds a match
	Full                // strings that are a match from their first symbol to their last
)

// A Regex is an expression of a flavor.
type Regex struct {
	Flavor  string
	Text    string         // as it was given
	File    string         // the file of the text, for messages; the flavor if it came from none
	Unicode *runes.Unicode // the tables of the engine

	Notices []Notice // what [Regex.Grammar] has noticed
	Assumes []string // what the language rests on besides the text, each a sentence without a full stop

	// Relies reports whether the language depends on the version of Unicode.
	Relies bool

	dialect *dialect
	root    *node
	groups  []*node // by number
	sticky  bool    // a match begins at the beginning of the input
	slots   int     // the number of groups that are remembered
	last    rune    // the last symbol of the alphabet
}

// A Notice is something in an expression that may not be meant.
type Notice struct {
	Pos     expr.Pos
	Message string
}

// Parse reads an expression. The flavors are those of [Flavors]. The text has its flags inside, as in (?i); for js it
// may also be delimited, as in /a/i. It fails with an [*expr.Error] that has the place, or with another error for an
// unknown flavor. For texts that a person writes see [Read].
func Parse(flavor, text string) (*Regex, error) { return ParseFile(flavor, flavor, text) }

// ParseFile is [Parse] for a text that stands in a file, whose name messages use. It fails where Parse does. A text
// that may be a literal or all of an expression is read as the expression.
func ParseFile(flavor, file, text string) (r *Regex, err error) {
	made, err := unread(nil, flavor, file, text)
	if err != nil {
		return nil, err
	}
	defer expr.Catch(&err)
	lit := bare(text)
	if made.dialect.has[delimited] {
		if l := made.literal(); l != nil && !l.doubtful {
			lit = l
		}
	}
	made.parse(lit)
	return made, nil
}

// unread returns a Regex that is not parsed yet. If u is nil, it has the tables of Unicode that its engine has. It
// fails for an unknown flavor, and if there are no such tables.
func unread(u *runes.Unicode, flavor, file, text string) (*Regex, error) {
	d := dialectOf(flavor)
	if d == nil {
		return nil, fmt.Errorf("%q is no flavor of regular expressions: %s", flavor, strings.Join(Flavors(), ", "))
	}
	if u == nil {
		var err error
		if u, err = runes.UnicodeOf(d.unicode); err != nil {
			return nil, err
		}
	}
	return &Regex{Flavor: flavor, Text: text, File: file, Unicode: u, dialect: d}, nil
}

// pos returns the place of the byte at an offset of the text.
func (r *Regex) pos(offset int) expr.Pos {
	before := r.Text[:offset]
	return expr.Pos{
		File: r.File, Line: 1 + strings.Count(before, "\n"), Col: offset - strings.LastIndexByte(before, '\n'),
	}
}

// placeOf returns the place and the beginning of a part, for messages.
func (r *Regex) placeOf(n *node) string {
	text := r.Text[n.at:max(n.at, n.end)]
	if len(text) > 40 {
		text = text[:40] + "..."
	}
	return fmt.Sprintf("%s: %s", r.pos(n.at), strings.ToValidUTF8(text, "?"))
}

// SizeOfMatch returns the number of states of the automaton of the matches themselves. The automaton of the
// strings in which a match is found can have exponentially more: if nothing anchors the beginning, it has to
// follow every match that may have begun. ok is false if the automaton of the matches is too large as well.
func (r *Regex) SizeOfMatch(b *budget.Budget) (states int, ok bool) {
	a, err := r.DFA(b, Full)
	if err != nil {
		return 0, false
	}
	return a.States(), true
}

// DFA returns the language of the strings of bytes that are matched; characters are in UTF-8. It fails if a limit is
// passed.
func (r *Regex) DFA(b *budget.Budget, m Match) (a *lang.DFA, err error) {
	defer budget.Catch(&err)
	c, start := r.compile(b)
	b.In(r.placeOf(r.root))
	p := partition(c.sets, r.last)
	mc := &machine{
		budget: b, classCount: p.count, prog: c.prog, lazy: c.lazy, looks: c.looks, ids: map[string]int32{},
		steps:    map[[2]int32]int32{},
		closures: map[[2]int32][]thread{}, states: map[string]int32{},
	}
	for _, s := range c.sets {
		mc.classesIn = append(mc.classesIn, p.classesIn(s))
	}
	limits := lang.Limits{Budget: b}
	mc.langs = lang.NewLanguages(p.count, limits)
	var next []int32
	var accept []bool
	err = mc.langs.Within(func() {
		scope := c.scope()
		again := start
		if m == Full || r.sticky {
			again = -1
		}
		l := mc.explore(mc.begin(scope), again, m == Full, []thread{{start, all}})
		next, accept = mc.langs.Table(l)
	})
	if err != nil {
		return nil, err
	}
	s := &speller{budget: b, bad: -1, classCount: p.count, next: next, dead: -1}
	s.trie, s.kinds = r.spelling(p)
	if r.dialect.has[brokenUTF8] {
		s.bad = int(p.classOf('\ufffd'))
	}
	// The speller leaves out everything that leads to the dead state. There is at most one such state: next
	// is minimal.
	for q := range accept {
		dead := !accept[q]
		for c := range p.count {
			dead = dead && next[q*p.count+c] == int32(q)
		}
		if dead {
			s.dead = int32(q)
		}
	}
	return s.spell(accept, limits)
}
