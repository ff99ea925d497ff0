package diff

import (
	"cmp"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// editInOnePlace compares the definitions of r, of the side that stops, and of its namesake other, from the outside
// in. If they differ in one place only, it returns the edit that tells what other has there. Its whole is the
// definition of other, and its uses the productions that this needs and the side that stops lacks. Its rank is -1.
//
// ok is false if they differ in several places, or if other has nothing more. It is also false where another kind of
// edit tells it better: a definition that only gains words or is replaced as a whole, parts that are neither one nor
// words and are replaced by others, and code points. Then whole and uses are not set, and e.change may be.
//
// Each round compares x, a part of r, with y, its counterpart in other. It either narrows both to the parts that
// differ and goes on, or sets e.change and ok and ends.
func editInOnePlace(goes, stops *tracker, r, other *expr.Rule) (e edit, ok bool) {
	e = edit{rule: r, other: other, rank: -1}
	x, y := r.Expr, other.Expr
	text := func(t *tracker) func(*expr.Expr) string {
		return func(e *expr.Expr) string { t.budget.Step(e.Size()); return t.lowerNames(e).String() }
	}
	textX, textY := text(stops), text(goes)
	same := func(x, y *expr.Expr) bool { return textX(x) == textY(y) }
	for whole := true; ; whole = false { // whole: x and y are still the definitions as wholes
		switch {
		case x.Chars != "" || y.Chars != "": // characters are not taken apart
			return e, false
		case stops.isOneByte(x) && goes.isOneByte(y):
			set := goes.singleBytes(y).Minus(stops.singleBytes(x))
			e.change = allowsChange{reading: reading{set: set}}
			ok = !set.IsEmpty()
		case sameBody(x, y, same):
			f, g := asRepetition(x), asRepetition(y)
			e.change = repeatsChange{run: g.Sub, goes: g, old: f}
			fewer := g.Min < f.Min
			more := f.Max != expr.Unbounded && (g.Max == expr.Unbounded || g.Max > f.Max)
			ok = fewer || more
			if g.Min == 0 && f.Min == 1 && f.Max == g.Max { // other only makes it optional
				e.change = omitsChange{run: x.Factors()}
			}
		case x.Op == expr.Alt || y.Op == expr.Alt:
			xs, ys := partsApart(alternativesOf(x), alternativesOf(y), textX, textY)
			switch {
			case len(ys) == 0:
				return e, false
			case len(xs) == 0:
				// Not ok: a definition that only gains words.
				e.change = hasChange{run: []*expr.Expr{expr.Or(ys...)}}
				ok = !whole || slices.ContainsFunc(ys, func(e *expr.Expr) bool { return !isWord(e.Factors()) })
			case len(xs) == 1 && len(ys) == 1:
				x, y = xs[0], ys[0]
				continue
			default:
				return e, false
			}
		case x.Op == expr.Repeat && y.Op == expr.Repeat && x.Min == y.Min && x.Max == y.Max:
			x, y = x.Sub[0], y.Sub[0]
			continue
		default:
			// Sequences: drop what both begin with, and what both end with.
			xs, ys := x.Factors(), y.Factors()
			all := len(xs)
			for len(xs) > 0 && len(ys) > 0 && same(xs[0], ys[0]) {
				xs, ys = xs[1:], ys[1:]
			}
			for len(xs) > 0 && len(ys) > 0 && same(xs[len(xs)-1], ys[len(ys)-1]) {
				xs, ys = xs[:len(xs)-1], ys[:len(ys)-1]
			}
			switch {
			case len(ys) == 0:
				e.change = omitsChange{run: xs}
				ok = len(xs) > 0
			case len(xs) == 0:
				e.change = addsChange{run: ys}
				ok = true
			case len(xs) == 1 && len(ys) == 1 && all > 1, sameBody(expr.Cat(xs...), expr.Cat(ys...), same):
				x, y = expr.Cat(xs...), expr.Cat(ys...)
				continue
			default:
				e.change = replacesChange{run: ys, instead: expr.Cat(xs...)}
				inPart := !whole || len(xs) < all
				onePart := len(xs) == 1 && len(ys) == 1
				less, more := partsApart(xs, ys, textX, textY)
				reordered := len(less)+len(more) == 0
				ok = inPart && (onePart || isWord(xs) && isWord(ys) || reordered)
			}
		}
		break
	}
	if c, omits := e.change.(omitsChange); ok && omits && textX(expr.Cat(c.run...)) == stops.definitionText(r) {
		e.change = omitsChange{} // all of it may be missing
	}
	if ok {
		e.whole, e.uses = goes.definitionFor(stops, other)
	}
	return e, ok
}

// isWord reports whether each part is a literal, or a class of at most two bytes, as a letter in either case is.
func isWord(parts []*expr.Expr) bool {
	other := func(e *expr.Expr) bool { return e.Op != expr.Literal && (e.Op != expr.Class || e.Set.Len() > 2) }
	return !slices.ContainsFunc(parts, other)
}

// onlyOtherText returns the one production of stops that both sides have with different texts, so that every
// difference between the sides is in it or in a production that it uses. It returns nil if there are several or none,
// or if texts do not decide.
func onlyOtherText(goes, stops *tracker) (one *expr.Rule) {
	if goes.derivesMore() || stops.derivesMore() || goes.side.Model || stops.namesake(goes.rule) != stops.rule {
		return nil
	}
	for _, id := range goes.side.Grammar.Reach(goes.rule.ID) {
		r := goes.side.Grammar.Rule(id)
		if r == nil {
			continue
		}
		if same := stops.namesake(r); same != nil && stops.definitionText(same) != goes.definitionText(r) {
			if one != nil {
				return nil
			}
			one = same
		}
	}
	return one
}

// partingBytes returns the bytes at which strings of a region part. The causes must have been made.
func (w *walk) partingBytes(region Region) (set expr.Set) {
	for i, g := range w.groups {
		for _, bytes := range w.causeClasses[i] {
			if g.region == region {
				set = set.Union(bytes)
			}
		}
	}
	return set
}

// definitionFor returns the definition of r, a production of t, in the names of another grammar: with references to
// the productions that it has too, and copies of all others, whose names begin with "+". A name without a production
// stays as it is.
func (t *tracker) definitionFor(to *tracker, r *expr.Rule) (whole *expr.Expr, copies []*expr.Rule) {
	known := map[string]*expr.Expr{}
	var lent func(e *expr.Expr) *expr.Expr
	lent = func(e *expr.Expr) *expr.Expr {
		if e.Op != expr.Ref {
			return e.Map(lent)
		}
		used := t.side.Grammar.Rule(e.Name)
		if known[e.Name] == nil && used != nil {
			if same := to.namesake(used); same != nil {
				known[e.Name] = expr.To(same.ID)
				return known[e.Name]
			}
			c := *used
			c.ID = "+" + r.ID + " " + used.ID
			known[e.Name] = expr.To(c.ID)
			c.Expr = lent(used.Expr)
			copies = append(copies, &c)
		}
		return cmp.Or(known[e.Name], e)
	}
	return lent(r.Expr), copies
}

// partsApart returns the parts of xs that do not occur in ys (less), and those of ys that do not occur in xs (more),
// compared by their texts: those of xs by textX, those of ys by textY.
func partsApart(xs, ys []*expr.Expr, textX, textY func(*expr.Expr) string) (less, more []*expr.Expr) {
	without := func(xs, ys []*expr.Expr, textX, textY func(*expr.Expr) string) []*expr.Expr {
		has := map[string]bool{}
		for _, y := range ys {
			has[textY(y)] = true
		}
		return slices.DeleteFunc(slices.Clone(xs), func(x *expr.Expr) bool { return has[textX(x)] })
	}
	return without(xs, ys, textX, textY), without(ys, xs, textY, textX)
}

// isOneByte reports whether e is one byte by its form: a class, a byte, alternatives of such, or a lexical production
// that is one. It is false for any sequence or repetition, and for a production that is not lexical.
func (t *tracker) isOneByte(e *expr.Expr) bool {
	return e.IsByteChoice(func(id string) bool {
		r := t.side.Grammar.Rule(id)
		return r != nil && t.lexical(id) && t.isOneByte(r.Expr)
	})
}

// alternativesOf returns the alternatives of e, or e alone.
func alternativesOf(e *expr.Expr) []*expr.Expr {
	if e.Op == expr.Alt {
		return e.Sub
	}
	return []*expr.Expr{e}
}

// asRepetition returns e if it is a repetition, and else a repetition of e exactly once.
func asRepetition(e *expr.Expr) *expr.Expr {
	if e.Op == expr.Repeat {
		return e
	}
	return &expr.Expr{Op: expr.Repeat, Sub: []*expr.Expr{e}, Min: 1, Max: 1}
}

// sameBody reports whether at least one of x and y is a repetition, and both repeat the same
// expression.
func sameBody(x, y *expr.Expr, same func(x, y *expr.Expr) bool) bool {
	return (x.Op == expr.Repeat || y.Op == expr.Repeat) && same(asRepetition(x).Sub[0], asRepetition(y).Sub[0])
}
