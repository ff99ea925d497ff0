package expr

// This file reads quoted strings as the text spells them. "INFO" of ABNF matches info and iNFo too. A string that
// is shown to a person, as an example or as a correction, has the word of the text.

// AsSpelled returns a grammar like g in which each quoted string that matches letters in either case matches only
// its own spelling. It derives some of the strings of g, and at least one for each way to derive any.
func (g *Grammar) AsSpelled() *Grammar { return g.Rewritten(asSpelled) }

// asSpelled returns e with a literal for the parts of each word. If a rewrite has left only some parts of a word,
// a letter keeps the cases that it has in the word. It returns e itself if there is no word in it.
func asSpelled(e *Expr) *Expr {
	// A part of a word that is not in a sequence with the others. Whole words in a sequence are found below. A part
	// that is no class, or that the rewrite has changed to other bytes, stays as it is.
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
		if e.Op == Seq {
			if n, whole := WordOf(e.Sub[at:]); whole {
				out.Sub = append(out.Sub, Lit(e.Sub[at].Word))
				at += n
				changed = true
				continue
			}
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

// WordOf returns how many of the parts of a sequence, from the first on, belong to the quoted string of the first,
// and whether they are all of it. They may be fewer if a grammar was rewritten. It looks at Word, Pos and length
// alone, not at what the parts match. n is 0 if the first belongs to no quoted string. There must be a part.
func WordOf(parts []*Expr) (n int, whole bool) {
	first := parts[0]
	if first.Word == "" {
		return 0, false
	}
	length := 0 // in bytes
	for _, s := range parts {
		// After the last byte of a string the same string may begin again.
		if s.Word != first.Word || s.Pos != first.Pos || length == len(first.Word) {
			break
		}
		length += max(len(s.Lit), 1)
		n++
	}
	return n, length == len(first.Word)
}
