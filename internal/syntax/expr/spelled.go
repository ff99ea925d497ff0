package expr

// This file reads quoted strings as the text spells them. "INFO" of ABNF matches info and iNFo too; a string that is
// shown to a person, as an example or as a correction, has the word of the text.

// AsSpelled returns a grammar like g in which each quoted string that matches letters in either case matches its own
// spelling alone. It derives some of the strings of g, one at least for each way to derive any.
func (g *Grammar) AsSpelled() *Grammar { return g.Rewritten(asSpelled) }

// asSpelled returns e with a literal for the parts of each word. Where a rewrite has left only some parts of a word, a
// letter keeps the cases in which it stands in the word. It returns e itself if there is no word in it.
func asSpelled(e *Expr) *Expr {
	if e.Word != "" && len(e.Sub) == 0 {
		if len(e.Word) == 1 {
			return Lit(e.Word)
		}
		if own := e.Set.Intersect(Bytes(e.Word)); e.Op == Class && !own.IsEmpty() {
			c := *e
			c.Set = own
			return &c
		}
	}
	out := *e
	out.Sub = nil
	changed := false
	for at := 0; at < len(e.Sub); {
		n, word := wordAt(e, at)
		if n > 0 {
			out.Sub = append(out.Sub, Lit(word))
			at += n
			changed = true
			continue
		}
		s := asSpelled(e.Sub[at])
		changed = changed || s != e.Sub[at]
		out.Sub = append(out.Sub, s)
		at++
	}
	if !changed {
		return e
	}
	return &out
}

// wordAt returns how many parts of a sequence, from the one at a place on, are all of one word, and the word. n is 0 if
// there are none.
func wordAt(e *Expr, at int) (n int, word string) {
	first := e.Sub[at]
	if e.Op != Seq || first.Word == "" {
		return 0, ""
	}
	length := 0
	for _, s := range e.Sub[at:] {
		if s.Word != first.Word || s.Pos != first.Pos || length == len(first.Word) {
			break
		}
		length += max(len(s.Lit), 1)
		n++
	}
	if length != len(first.Word) { // a part of a word, as it may be left where a grammar is rewritten
		return 0, ""
	}
	return n, first.Word
}
