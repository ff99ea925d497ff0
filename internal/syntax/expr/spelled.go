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

// WordOf returns how many of these parts of a sequence, from the first on, are of the quoted string of the first, and
// whether they are all of it. They may be less where a grammar was rewritten. n is 0 if the first is of no quoted string.
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
