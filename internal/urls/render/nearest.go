package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/repair"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
)

// An Edit is one edit of a string.
type Edit struct {
	Kind     string // "delete", "substitute", "insert"
	Offset   int
	Old, New string
}

// Nearest returns the edits that turn a line into the nearest string that an automaton accepts: see
// [repair.NearestPlain]. If spelled is not nil, added letters are spelled as in it: see [repair.Spell]. With
// codePoints, the edits are of whole code points. ok is false if there is no such string, if the line is too long to be
// searched, and for one of more than limit bytes, which Nearest does not look at. If the line is accepted there are no
// edits, and ok is true.
func Nearest(a, spelled repair.Automaton, l check.Line, limit int, codePoints bool) (edits []Edit, ok bool) {
	if l.Length > limit {
		return nil, false
	}
	steps, ok := repair.NearestPlain(a, l.Text)
	if spelled != nil {
		steps = repair.Spell(a, spelled, l.Text, steps)
	}
	return editsOf(steps, l, codePoints), ok
}

// NearestSingle is [Nearest] without an automaton, for one edit of a byte: see [repair.NearestSingle]. fault is the
// offset of the error in the line. ok is also false if no single edit is known to do.
func NearestSingle(
	accepts func(s string) bool, fault int, l check.Line, limit int, codePoints bool,
) (edits []Edit, ok bool) {
	if l.Length > limit {
		return nil, false
	}
	steps, ok := repair.NearestSingle(accepts, fault, l.Text)
	return editsOf(steps, l, codePoints), ok
}

// editsOf returns the steps that edit a line. Steps of one kind at neighboring bytes become one edit. With
// codePoints, the edits are then widened to whole code points.
func editsOf(steps []repair.Step, l check.Line, codePoints bool) (edits []Edit) {
	var text []byte // the new text of the last edit
	next := 0       // the offset in the line where the last edit ends
	end := func() {
		if n := len(edits); n > 0 {
			e := &edits[n-1]
			e.Old, e.New = l.Text[e.Offset:next], string(text)
		}
	}
	for _, s := range steps {
		e := Edit{Offset: int(s.Offset)}
		switch s.Kind {
		case repair.Delete:
			e.Kind, e.Old = "delete", l.Text[s.Offset:s.Offset+1]
		case repair.Substitute:
			e.Kind, e.Old, e.New = "substitute", l.Text[s.Offset:s.Offset+1], string([]byte{s.Byte})
		case repair.Insert:
			e.Kind, e.New = "insert", string([]byte{s.Byte})
		}
		if n := len(edits); n > 0 && edits[n-1].Kind == e.Kind && next == e.Offset { // one edit of several bytes
			text = append(text, e.New...)
		} else {
			end()
			edits, text = append(edits, e), append(text[:0], e.New...)
		}
		next = e.Offset + len(e.Old)
	}
	end()
	if codePoints {
		edits = inCodePoints(l.Text, edits)
	}
	return edits
}

// inCodePoints returns edits of bytes of s as edits of whole code points; a byte that is not UTF-8 stands alone. The
// edits must be in order. Those inside the same code points become one substitution, insertion or deletion.
func inCodePoints(s string, edits []Edit) (out []Edit) {
	var starts []int
	for i := range s {
		starts = append(starts, i)
	}
	starts = append(starts, len(s))
	for len(edits) > 0 {
		// The first n edits are within the code points up to to: the first one, and as many as begin before the end of
		// those before.
		n, to := 0, 0
		for ; n == 0 || n < len(edits) && edits[n].Offset < to; n++ {
			i, _ := slices.BinarySearch(starts, edits[n].Offset+len(edits[n].Old))
			to = starts[i]
		}
		i, found := slices.BinarySearch(starts, edits[0].Offset)
		if !found { // inside of the code point before
			i--
		}
		e := Edit{"substitute", starts[i], s[starts[i]:to], applyEdits(s, starts[i], to, edits[:n])}
		if e.New == "" {
			e.Kind = "delete"
		} else if e.Old == "" {
			e.Kind = "insert"
		}
		out, edits = append(out, e), edits[n:]
	}
	return out
}

// describe describes the edit, as in "offset 3: delete X"; quote returns the edited text as it is shown.
func (d Edit) describe(quote func(string) string) string {
	at := fmt.Sprintf("offset %d: ", d.Offset)
	switch d.Kind {
	case "delete":
		return at + "delete " + quote(d.Old)
	case "insert":
		return at + "insert " + quote(d.New)
	}
	return at + "substitute " + quote(d.New) + " for " + quote(d.Old)
}

// applyEdits returns the part of s between two offsets with the edits carried out, which lie in it and are in
// order.
func applyEdits(s string, from, to int, edits []Edit) string {
	var b strings.Builder
	for _, e := range edits {
		b.WriteString(s[from:e.Offset] + e.New)
		from = e.Offset + len(e.Old)
	}
	return b.String() + s[from:to]
}

// Why there is no repair: see [Text.AppendNearest].
const (
	NoRepair       = "nothing is accepted, or the string is too long"
	NoSingleRepair = "no edit of one byte is known to make it one that is accepted"
	NotDecided     = "it is not decided whether the string is accepted"
)

// AppendNearest appends a line and, below it, the nearest string that is accepted, with the edits that make it. Without
// edits it appends that there is nothing to repair. If ok is false, it appends why instead, the reason that there is no
// nearest string. g gives the name in front, and must not be nil; its code points are shown as such.
func (t *Text) AppendNearest(b []byte, l check.Line, g *ast.Grammar, edits []Edit, ok bool, why string) []byte {
	show := func(s string) string {
		text, _ := withCodePoints(g, s, 0)
		out, _ := AppendVisible(nil, text, 0)
		return string(out)
	}
	shown, cut := shownPart(l)
	b = append(append(b, show(shown)...), cut...)
	b = append(layout.Pad(append(b, '\n'), 0, Indent), place(l)+g.Name+": "...)
	switch {
	case !ok:
		return append(b, "no repair: "+why+"\n"...)
	case len(edits) == 0:
		return append(b, "nothing to repair\n"...)
	}
	b = append(b, "a guess: "...)
	b = append(t.Paint(b, layout.Bold, show(applyEdits(l.Text, 0, len(l.Text), edits))), '\n')
	quoted := ast.Quote
	if g.CodePoints {
		quoted = quote.CodePoints
	}
	for _, e := range edits {
		b = layout.Wrap(b, e.describe(quoted), 2*Indent, t.Width)
	}
	return b
}

// AppendNearestJSON appends the object of one line of input, and a line feed:
//
//	{"line":1,"input":"...","accepted":false,"nearest":"...","edits":[{"edit":"delete","offset":3,"old":"x","new":""}]}
//
// If ok is false, "nearest" is null, and "accepted" and "edits" are missing.
func AppendNearestJSON(b []byte, l check.Line, edits []Edit, ok bool) []byte {
	b = appendInput(append(b, '{'), l, nil)
	if !ok {
		return append(b, ",\"nearest\":null}\n"...)
	}
	b = strconv.AppendBool(append(b, `,"accepted":`...), len(edits) == 0)
	b = quote.AppendMember(append(b, ','), "nearest", applyEdits(l.Text, 0, len(l.Text), edits))
	b = append(b, `,"edits":[`...)
	b = appendWithCommas(b, edits, func(b []byte, e *Edit) []byte {
		b = quote.AppendString(append(b, `{"edit":`...), e.Kind)
		b = strconv.AppendInt(append(b, `,"offset":`...), int64(e.Offset), 10)
		b = quote.AppendMember(append(b, ','), "old", e.Old)
		return append(quote.AppendMember(append(b, ','), "new", e.New), '}')
	})
	return append(b, "]}\n"...)
}

// AppendForeignSummary appends one line: how many strings there were, how many have which answer of one production,
// and how many lines were skipped. Answers that no string has are left out, except accepted and rejected.
func AppendForeignSummary(b []byte, t *check.Tally) []byte {
	text := ""
	for _, a := range check.OfOne {
		if n := t.Total().Counts[0][a]; n > 0 || a == check.Accepted || a == check.Answer(bnfcheck.Rejected) {
			text += fmt.Sprintf(", %d %s", n, a)
		}
	}
	b = append(b, layout.Plural(t.Lines, "string")+": "+text[2:]...)
	if t.Skipped > 0 {
		b = append(b, "; "+layout.Plural(t.Skipped, "line")+" skipped"...)
	}
	return append(b, '\n')
}

// AppendForeignSummaryJSON appends the numbers of [AppendForeignSummary] as an object, with a member for every answer,
// and a line feed.
func AppendForeignSummaryJSON(b []byte, t *check.Tally) []byte {
	b = strconv.AppendInt(append(b, `{"lines":`...), int64(t.Lines), 10)
	b = strconv.AppendInt(append(b, `,"skipped":`...), int64(t.Skipped), 10)
	for _, a := range check.OfOne {
		b = quote.AppendString(append(b, ','), a.String())
		b = strconv.AppendInt(append(b, ':'), int64(t.Total().Counts[0][a]), 10)
	}
	return append(b, "}\n"...)
}
