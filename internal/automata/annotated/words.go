package annotated

import (
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A message names what could stand at a place by the words of the grammar. Two things are lost on the way from its
// text to terminals, and restored here.
//
// A quoted string that matches letters in either case is a sequence of classes, [Nn] [Oo] and so on. A message shows
// the whole word, even if a part of it was read: after NO it expects "NOTICE", but after http:/ of "http://" only
// "/". So each part needs its own place in the word, which [wordMarker] gives it: parts that are equal share an
// expression, so the place cannot stand in it.
//
// A class that the text spells out, as in 1*%x30-39, bears the name of another production that is the same class, if
// there is one.
//
// A range of characters, as %x20-10FFFF, is a choice among the lengths of their encodings. Its parts in ASCII are
// classes like any other, which a message would list beside the range: each of them is called what the range is.

// A terminal names what reads a byte: e is a class or a literal, of which the byte at off is read, in a production.
type terminal struct {
	e   *expr.Expr
	off int
	in  string // the ID of the production
}

// A wordMarker copies expressions so that each part of a word is an expression of its own. It remembers the copies,
// so that equal parts of a grammar stay equal.
type wordMarker struct {
	copies map[*expr.Expr]*expr.Expr
	begins map[*expr.Expr]int // by copy: the number of bytes of the word before it

	literal string // the last literal that was asked about
	starts  []int  // of it: see wordStarts
}

// newWordMarker returns a marker that has copied nothing yet.
func newWordMarker() *wordMarker {
	return &wordMarker{copies: map[*expr.Expr]*expr.Expr{}, begins: map[*expr.Expr]int{}}
}

// markParts returns e with the parts of words replaced by copies. It returns e itself if there are none.
func (w *wordMarker) markParts(e *expr.Expr) *expr.Expr {
	if len(e.Sub) == 0 {
		return e // a word of one part begins with it
	}
	if known := w.copies[e]; known != nil {
		return known
	}
	out := *e
	out.Sub = make([]*expr.Expr, len(e.Sub))
	changed := false
	at := 0 // bytes of the word so far
	for i, s := range e.Sub {
		if i > 0 && e.Op == expr.Seq && s.Word != "" && s.Word == e.Sub[i-1].Word && s.Pos == e.Sub[i-1].Pos {
			at += width(e.Sub[i-1])
			part := *s
			out.Sub[i] = &part
			w.begins[&part] = at
			changed = true
			continue
		}
		at = 0
		if e.Op == expr.Alt && e.Chars != "" && s.Op == expr.Class && s.Chars == "" {
			part := *s
			part.Chars = expr.Abridged(e.Chars)
			out.Sub[i] = &part
			changed = true
			continue
		}
		out.Sub[i] = w.markParts(s)
		changed = changed || out.Sub[i] != s
	}
	w.copies[e] = e
	if changed {
		w.copies[e] = &out
	}
	return w.copies[e]
}

// width returns the number of bytes that a class or a literal reads.
func width(e *expr.Expr) int {
	if e.Op == expr.Literal {
		return len(e.Lit)
	}
	return 1
}

// wordAround returns the quoted string that a terminal is a part of, and how many of its bytes come before. It is ""
// for a class that is no part of one.
func (w *wordMarker) wordAround(t terminal) (word string, before int) {
	switch {
	case t.e.Word != "":
		return t.e.Word, w.begins[t.e] + t.off
	case t.e.Op == expr.Literal:
		return t.e.Lit, t.off
	}
	return "", 0
}

// nameTerm returns what a message calls a terminal of g and, for a part of a word, how many of its bytes were read
// before.
func (w *wordMarker) nameTerm(t terminal, g *expr.Grammar, names map[expr.Set]*expr.Rule) (term string, read int) {
	word, read := w.wordAround(t)
	switch {
	case t.e.Chars != "":
		return expr.CodePoints(t.e.Chars), 0
	case word != "":
		return literalTerm(word[w.wordStart(word, read):], g.Quote), read
	case t.e.Set.Len() == 1:
		return ast.Quote(string(t.e.Set.Members())), 0
	}
	if r := names[t.e.Set]; r != nil && r.ID != t.in {
		return r.Name, 0
	}
	return t.e.Set.String(), 0
}

// wordStart returns where in a literal the word begins that has the byte at i. It knows the starts of the last literal:
// the bytes of one are asked about one after the other, and to look for each anew takes the square of its length.
func (w *wordMarker) wordStart(literal string, i int) int {
	if literal != w.literal {
		w.literal, w.starts = literal, wordStarts(literal)
	}
	return w.starts[i]
}

// wordStarts returns for each byte of a literal where the word begins that it is in: that of NOTICE is at 0 for each
// of its letters. A byte that is no letter or digit, as each "/" of "http://", begins at its own place. In the middle
// of a word "-" and "_" are letters.
func wordStarts(literal string) []int {
	isJoin := func(b byte) bool { return b == '-' || b == '_' }
	isLetter := func(b byte) bool {
		letter := b | 0x20
		return 'a' <= letter && letter <= 'z' || '0' <= b && b <= '9' || b >= utf8.RuneSelf
	}
	starts := make([]int, len(literal))
	start := -1 // of the word that goes on; -1 before its first letter
	for i := range len(literal) {
		b := literal[i]
		switch {
		case isLetter(b) && start < 0:
			start = i
		case !isLetter(b) && !isJoin(b):
			start = -1
		}
		starts[i] = i
		if start >= 0 {
			starts[i] = start
		}
	}
	return starts
}

// classNames returns the productions of g that are a class of bytes and nothing else, by class. Of several that are the
// same class the first one counts.
func classNames(g *expr.Grammar) map[expr.Set]*expr.Rule {
	names := map[expr.Set]*expr.Rule{}
	for _, r := range g.Rules {
		set, ok := classOf(r.Expr)
		if ok && set.Len() > 1 && names[set] == nil {
			names[set] = r
		}
	}
	return names
}

// classOf returns the bytes that an expression derives if it is a class, or a choice of classes and single bytes.
func classOf(e *expr.Expr) (set expr.Set, ok bool) {
	switch e.Op {
	case expr.Class:
		return e.Set, e.Chars == ""
	case expr.Literal:
		return expr.Bytes(e.Lit[:1]), len(e.Lit) == 1
	case expr.Alt:
		for _, s := range e.Sub {
			in, ok := classOf(s)
			if !ok {
				return expr.Set{}, false
			}
			set = set.Union(in)
		}
		return set, true
	}
	return expr.Set{}, false
}

// literalTerm returns what an explanation calls a literal. Of a long one it is the beginning, since each of its bytes
// has a term.
func literalTerm(lit string, quoted func(s string) string) string {
	const most = 60
	if len(lit) <= most {
		return quoted(lit)
	}
	end := most
	for !utf8.RuneStart(lit[end]) && end > most-utf8.UTFMax {
		end--
	}
	return quoted(lit[:end]) + " and so on"
}

// Terms knows what a message calls each terminal of a grammar.
type Terms struct {
	g     *expr.Grammar
	words *wordMarker
	names map[expr.Set]*expr.Rule // the productions that are a class, by the class
}

// NewTerms returns the terms of g.
func NewTerms(g *expr.Grammar) *Terms {
	return &Terms{g, newWordMarker(), classNames(g)}
}

// Mark returns an expression of g in which each part of a word has a place of its own. [Terms.Of] knows the terminals
// of marked expressions.
func (t *Terms) Mark(e *expr.Expr) *expr.Expr { return t.words.markParts(e) }

// Of returns what a message calls the byte at offset i of the terminal e in a production.
func (t *Terms) Of(e *expr.Expr, i int, production string) string {
	term, _ := t.words.nameTerm(terminal{e, i, production}, t.g, t.names)
	return term
}
