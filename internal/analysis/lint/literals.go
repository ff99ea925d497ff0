package lint

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A terminal is a literal with letters: quoted, so that it matches them in either case, or exact.
type terminal struct {
	rule   *expr.Rule
	pos    expr.Pos
	pieces []*expr.Expr
	quoted bool
}

// checkLiterals reports letters whose case may surprise: in ABNF a quoted string matches either case, and a value its
// own. In each choice it reports what lettersAmong finds. If the text has letters both in quotes and in values, it
// reports that once, at the first in quotes. It does nothing for other notations.
func (l *linter) checkLiterals() {
	if l.g.Notation != "abnf" {
		return
	}
	var quoted, exact []terminal
	for _, r := range l.own {
		for _, t := range l.terminals(r) {
			if t.quoted {
				quoted = append(quoted, t)
			} else {
				exact = append(exact, t)
			}
		}
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if e.Op == expr.Alt {
				l.lettersAmong(r, e)
			}
			return true
		})
	}
	if len(quoted) == 0 || len(exact) == 0 {
		return
	}
	// One of each is enough to ask whether both are meant.
	q, x := quoted[0], exact[0]
	text := strings.Trim(l.quoted(q.pieces, bindAlt), `"`)
	f := l.found(LetterCase, results.Note, q.pos, q.rule,
		"`%s` matches %s and %s, since letters in quotes match either case",
		l.quoted(q.pieces, bindAlt), strings.ToLower(text), strings.ToUpper(text))
	f.Detail = append(f.Detail,
		"the text also spells letters that match their own case only: `"+l.quoted(x.pieces,
			bindAlt)+"` at "+l.place(x.pos),
		"a quoted string that matches its own case only is written %s"+l.quoted(q.pieces, bindAlt))
}

// terminals lists the literals of r that have letters, in the order of the text. Pieces at one place are one literal: a
// quoted string is a sequence of classes, for letters in either case, and of literals. A letter among alternatives that
// has its other case among them as well is left out.
func (l *linter) terminals(r *expr.Rule) (all []terminal) {
	var at expr.Numbering[expr.Pos]
	var visit func(e *expr.Expr)
	visit = func(e *expr.Expr) {
		switch {
		case l.isPiece(e):
			i, fresh := at.Of(e.Pos)
			if fresh {
				all = append(all, terminal{rule: r, pos: e.Pos})
			}
			all[i].pieces = append(all[i].pieces, e)
			all[i].quoted = all[i].quoted || e.Op == expr.Class
		case e.Op == expr.Alt:
			var bytes expr.Set // of the alternatives that are one byte
			for _, s := range e.Sub {
				bytes = bytes.Union(s.OneByte())
			}
			for _, s := range e.Sub {
				one := s.OneByte()
				if s.Op == expr.Literal && !one.IsEmpty() && caseClosed(one, bytes) {
					continue // next to its other case, "a" / "A", it is meant to match both
				}
				visit(s)
			}
		default:
			for _, s := range e.Sub {
				visit(s)
			}
		}
	}
	visit(r.Expr)
	isASCIILetter := func(c rune) bool { return c < 0x80 && isLetter(byte(c)) }
	hasLetters := func(e *expr.Expr) bool { return e.Op == expr.Class || strings.ContainsFunc(e.Lit, isASCIILetter) }
	return slices.DeleteFunc(all, func(t terminal) bool { return !slices.ContainsFunc(t.pieces, hasLetters) })
}

// caseClosed reports whether, for each letter in s, in has both cases.
func caseClosed(s, in expr.Set) bool {
	return !slices.ContainsFunc(s.Members(), func(c byte) bool { return isLetter(c) && !in.Has(c^0x20) })
}

// lettersAmong reports surprises among the alternatives of e: the first quoted letter that stands next to values with
// letters of one case, and the quoted strings that differ from an earlier one in case at most, in one finding. It
// enters the latter in l.sameLetters.
func (l *linter) lettersAmong(r *expr.Rule, e *expr.Expr) {
	// The bytes that are alternatives by their values, and the first such alternative with a letter in one case only.
	var values expr.Set
	var value *expr.Expr
	for _, s := range e.Sub {
		one := s.OneByte()
		if _, quoted := bothCases(one); quoted {
			continue
		}
		values = values.Union(one)
		if value == nil && !caseClosed(one, one) {
			value = s
		}
	}
	seen := map[string]bool{} // quoted strings in capitals
	var same []*expr.Expr
	for _, s := range e.Sub {
		if _, quoted := bothCases(s.OneByte()); quoted && value != nil && !caseClosed(values, values) {
			l.found(LetterCase, results.Warning, s.Pos, r, "`%s` matches either case, and `%s` beside it does not",
				l.print(s), l.print(value))
			value = nil
		}
		pieces := []*expr.Expr{s}
		if s.Op == expr.Seq {
			pieces = s.Sub
		}
		if slices.ContainsFunc(pieces, func(p *expr.Expr) bool { return !l.isPiece(p) || p.Pos != pieces[0].Pos }) ||
			!slices.ContainsFunc(pieces, func(p *expr.Expr) bool { return p.Op == expr.Class }) {
			continue
		}
		if text := strings.ToUpper(l.quoted(pieces, bindAlt)); seen[text] {
			same = append(same, s)
			l.sameLetters[s.Pos] = true
		} else {
			seen[text] = true
		}
	}
	if len(same) > 0 {
		var names []string
		for _, s := range same {
			names = append(names, l.print(s))
		}
		verb := "matches"
		if len(same) > 1 {
			verb = "match"
		}
		l.found(LetterCase, results.Warning, same[0].Pos, r,
			"%s %s what alternatives before match, since letters in quotes match either case", list(names), verb)
	}
}
