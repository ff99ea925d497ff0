package annotated

import (
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A message names what could stand at a place by the words of the grammar. Two things are lost on the way
// from its text to terminals, and restored here.
//
// A quoted string that matches letters in either case is a sequence of classes, [Nn] [Oo] and so on. A
// message shows the whole word, even if a part of it was read: after NO it expects "NOTICE", but after http:/
// of "http://" only "/". So each part needs its own place in the word, which [wordMarker] gives it: parts
// that are equal share an expression, so the place cannot stand in it.
//
// A class that the text spells out, as in 1*%x30-39, bears the name of another production that is the same
// class, if there is one.
//
// A range of characters, as %x20-10FFFF, is a choice among the lengths of their encodings. Its parts in ASCII
// are classes like any other, which a message would list next to the range: each of them gets the range's
// name.

// A terminal is a place that reads a byte: the byte at off of e, a class or a literal, in a production.
type terminal struct {
	e   *expr.Expr
	off int
	in  string // the ID of the production
}

// A wordMarker copies expressions so that each part of a word is an expression of its own. It remembers the
// copies, so that equal parts of a grammar stay equal.
type wordMarker struct {
	copies map[*expr.Expr]*expr.Expr
	begins map[*expr.Expr]int // by copy: the number of bytes of the word before it

	literal string // the last literal that was asked about
	starts  []int  // the result of wordStarts for it
}

// newWordMarker returns a marker that has copied nothing yet.
func newWordMarker() *wordMarker {
	return &wordMarker{copies: map[*expr.Expr]*expr.Expr{}, begins: map[*expr.Expr]int{}}
}

// markParts returns e with copies in place of the parts of words after the first, and of the classes in a
// choice that is a range of characters: such a copy has the range, abridged, as its Chars. It returns e
// itself if there are none, and the same copy for the same e.
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
		// A later part of the same word.
		if i > 0 && e.Op == expr.Seq && s.Word != "" && s.Word == e.Sub[i-1].Word && s.Pos == e.Sub[i-1].Pos {
			at += width(e.Sub[i-1])
			part := *s
			out.Sub[i] = &part
			w.begins[&part] = at
			changed = true
			continue
		}
		at = 0
		// An ASCII part of a range of characters.
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

// wordAround returns the quoted string that a terminal is part of, and the number of its bytes before the
// terminal. It returns "" for a class that is not part of one.
func (w *wordMarker) wordAround(t terminal) (word string, before int) {
	switch {
	case t.e.Word != "":
		return t.e.Word, w.begins[t.e] + t.off
	case t.e.Op == expr.Literal:
		return t.e.Lit, t.off
	}
	return "", 0
}

// nameTerm returns the name of a terminal of g in messages and, for a part of a word, the number of its bytes that
// were read before. A part of a quoted string is named by the string from its word on, and a class of several bytes
// by the production that is the class, if that is not the one that the terminal is in. All else is named by its own
// text, and so is an expression with Chars, whatever it is part of. names has the productions that are a class, by
// the class.
func (w *wordMarker) nameTerm(t terminal, g *expr.Grammar, names map[expr.Set]*expr.Rule) (term string, read int) {
	word, read := w.wordAround(t)
	switch {
	case t.e.Chars != "": // the notation's text for characters
		return expr.CodePoints(t.e.Chars), 0
	case word != "": // a part of a quoted string: the string from the word on that the part is in
		return literalTerm(word[w.wordStart(word, read):], g.Quote), read
	case t.e.Set.Len() == 1: // a single byte
		return ast.Quote(string(t.e.Set.Members())), 0
	}
	// A class is called like the production that is this class, unless it stands in that production.
	if r := names[t.e.Set]; r != nil && r.ID != t.in {
		return r.Name, 0
	}
	return t.e.Set.String(), 0
}

// wordStart returns where in a literal the word begins that contains the byte at i. It keeps the starts for
// the last literal: its bytes are asked about one after the other, and to compute them each time would take
// the square of its length.
func (w *wordMarker) wordStart(literal string, i int) int {
	if literal != w.literal {
		w.literal, w.starts = literal, wordStarts(literal)
	}
	return w.starts[i]
}

// wordStarts returns, for each byte of a literal, the beginning of the word that contains it: for NOTICE it is 0 for
// each of its letters. A byte that is no letter or digit, such as each "/" of "http://", is its own beginning. Inside
// a word "-" and "_" count as letters, and bytes outside of ASCII always do.
func wordStarts(literal string) []int {
	isJoin := func(b byte) bool { return b == '-' || b == '_' }
	isLetter := func(b byte) bool {
		letter := b | 0x20
		return 'a' <= letter && letter <= 'z' || '0' <= b && b <= '9' || b >= utf8.RuneSelf
	}
	starts := make([]int, len(literal))
	start := -1 // the beginning of the current word; -1 outside of one
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

// classNames returns the productions of g whose whole expression is a class of at least two bytes, as classOf has it,
// by class. Of several that are the same class the first one counts.
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

// classOf returns the bytes that an expression derives if it is a class, a literal of one byte, or a choice of such
// expressions. ok is false for anything else, and if one of the classes spells characters ([expr.Expr.Chars]).
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

// literalTerm returns the name of a literal in explanations. One of more than 60 bytes is its beginning, which does
// not end within a character, and "and so on": each of its bytes has a term, and whole ones would take the square
// of its length. quoted puts a string in quotes.
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

// Terms has the names of the terminals of a grammar in messages.
type Terms struct {
	g     *expr.Grammar
	words *wordMarker
	names map[expr.Set]*expr.Rule // the productions that are a class, by the class
}

// NewTerms returns the terms of g.
func NewTerms(g *expr.Grammar) *Terms {
	return &Terms{g, newWordMarker(), classNames(g)}
}

// Mark returns an expression of g in a form in which each part of a word has a place of its own. Only
// expressions that come from Mark are for [Terms.Of].
func (t *Terms) Mark(e *expr.Expr) *expr.Expr { return t.words.markParts(e) }

// Of returns the name in messages of the byte at offset i of the terminal e in a production.
func (t *Terms) Of(e *expr.Expr, i int, production string) string {
	term, _ := t.words.nameTerm(terminal{e, i, production}, t.g, t.names)
	return term
}
