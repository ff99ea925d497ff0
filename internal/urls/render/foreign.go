package render

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/report/layout"
	"github.com/bnfcheck/bnfcheck/internal/report/quote"
	"github.com/bnfcheck/bnfcheck/internal/report/results"
	"github.com/bnfcheck/bnfcheck/internal/urls/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/internal/urls/repair"
)

// A Foreign renders the answers of one production of any grammar, a verdict a line.
type Foreign struct {
	layout.Screen
	Parser *anygrammar.Parser
	Name   string // of the grammar, where there is no parser

	visible []byte // reused from line to line
}

// An Answer is what a parser answers to a line.
type Answer struct {
	Verdict Verdict
	Err     error // why not, unless it is accepted; nil where nobody asked
}

// A Verdict is one of the answers of a parser.
type Verdict int

// The verdicts.
const (
	Accepted Verdict = iota
	Rejected
	TooLong   // longer than the limit
	Undecided // it would take too much memory
	Verdicts  // how many there are
)

// Judge returns the answer of a parser to a line, without the reason if countOnly.
func Judge(p *anygrammar.Parser, l check.Line, limit int, countOnly bool) Answer {
	if l.Length > limit {
		return Answer{TooLong, &ast.TooLongError{Limit: limit, Length: l.Length}}
	}
	switch ok, err := p.Accepts(l.Text); {
	case err != nil:
		return Answer{Undecided, err}
	case ok:
		return Answer{}
	case countOnly:
		return Answer{Verdict: Rejected}
	}
	return Answer{Rejected, p.Explain(l.Text)}
}

// String returns "accepted", "rejected", "too-long" or "undecided".
func (v Verdict) String() string {
	return [...]string{"accepted", "rejected", "too-long", "undecided"}[v]
}

// AppendText appends a line and the verdict on it, with the reason below.
func (f *Foreign) AppendText(b []byte, l check.Line, a Answer) []byte {
	word := a.Verdict.String()
	how := layout.Green
	if a.Verdict != Accepted {
		how = layout.Red
	}
	b = f.Paint(b, how, word)
	b = append(layout.Pad(b, len(word), len("undecided")), cellGap...)
	shown := l.Text[:min(len(l.Text), longestShown)]
	text, end := inline(f.Parser.Grammar, shown, len(shown))
	var columns int
	f.visible, columns = AppendVisible(f.visible[:0], text, end)
	b = append(b, within(f.visible, len("undecided")+len(cellGap), f.Width)...)
	if len(shown) < l.Length {
		b = append(b, "... ("+strconv.Itoa(l.Length)+" bytes)"...)
	}
	b = append(b, '\n')
	if a.Err == nil {
		return b
	}
	limit := f.Width
	if limit == 0 {
		limit = roomy
	}
	if e, ok := errors.AsType[*ast.SyntaxError](a.Err); ok {
		prefix := len("undecided") + len(cellGap)
		text, offset := inline(f.Parser.Grammar, l.Text, e.Offset)
		if prefix+columns+1 <= limit && len(l.Text) <= longestShown {
			_, to := AppendVisible(nil, text, offset)
			b = layout.Pad(b, 0, prefix+to)
		} else {
			text, column := ast.Excerpt(text, offset, min(limit, 100)-Indent)
			b = append(append(layout.Pad(b, 0, Indent), text...), '\n')
			b = layout.Pad(b, 0, Indent+column)
		}
		b = append(f.Paint(b, layout.Caret, "^"), '\n')
	}
	return layout.Wrap(b, place(l)+f.Parser.Message(a.Err), Indent, f.Width)
}

// AppendJSON appends the object of one line:
//
//	{"file":"list.txt","line":17,"input":"...","verdict":"rejected","error":{...}}
func (f *Foreign) AppendJSON(b []byte, l check.Line, a Answer) []byte {
	b = append(b, '{')
	if l.Source.Name != "" {
		b = append(quote.AppendString(append(b, `"file":`...), l.Source.Name), ',')
	}
	b = strconv.AppendInt(append(b, `"line":`...), int64(l.Number), 10)
	if a.Verdict != TooLong {
		b = quote.AppendMember(append(b, ','), "input", l.Text)
	} else {
		b = quote.AppendMember(append(b, ','), "input", wholeRunes(l.Text))
		b = strconv.AppendInt(append(b, `,"length":`...), int64(l.Length), 10)
	}
	b = quote.AppendString(append(b, `,"verdict":`...), a.Verdict.String())
	if a.Err != nil {
		b = f.appendError(append(b, `,"error":`...), a.Err)
	}
	return append(b, "}\n"...)
}

// AppendRejection appends the object of an input that is rejected: that of a tree, with an error in the tree's place.
func (f *Foreign) AppendRejection(b []byte, input string, err error) []byte {
	b = quote.AppendString(append(b, `{"grammar":`...), f.Parser.Grammar.Name)
	b = quote.AppendMember(append(b, ','), "input", input)
	b = f.appendError(append(b, `,"error":`...), err)
	return append(b, "}\n"...)
}

// appendError appends an error as an object, as appendError does, with the place of the production in the user's file instead of a section.
func (f *Foreign) appendError(b []byte, err error) []byte {
	e, ok := errors.AsType[*ast.SyntaxError](err)
	if !ok {
		return append(quote.AppendString(append(b, `{"message":`...), err.Error()), '}')
	}
	b = strconv.AppendInt(append(b, `{"offset":`...), int64(e.Offset), 10)
	b = quote.AppendString(append(b, `,"unexpected":`...), e.Unexpected())
	if len(e.In) > 0 {
		b = quote.AppendString(append(b, `,"in":`...), f.Parser.Grammar.Production(e.In[0]).ID)
	}
	b = append(b, `,"expected":[`...)
	for i, term := range e.Terms() {
		if i > 0 {
			b = append(b, ',')
		}
		b = quote.AppendString(b, term)
	}
	b = append(b, ']')
	if where := f.Parser.Where(e); where != "" {
		b = quote.AppendString(append(b, `,"source":`...), where)
	} else {
		b = quote.AppendString(append(b, `,"section":`...), e.Section)
	}
	b = quote.AppendString(append(b, `,"message":`...), f.Parser.Message(e))
	return append(b, '}')
}

// AppendResult appends the verdict on a line.
func (f *Foreign) AppendResult(list []results.Result, l check.Line, a Answer) []results.Result {
	g := f.Parser.Grammar
	name := g.Production(f.Parser.Start).Name
	r := results.Result{
		Suite: "check " + g.Name, Name: titleOf(l), Outcome: results.Passed,
		Rule: "check/" + a.Verdict.String(), Title: name + " derives it", Witness: l.Text, Shown: a.Verdict != TooLong, CodePoints: g.CodePoints,
		Place: resultPlace(l, -1),
	}
	e, _ := errors.AsType[*ast.SyntaxError](a.Err)
	switch a.Verdict {
	case Rejected:
		r.Outcome, r.Title = results.Failed, name+" does not derive it"
	case TooLong, Undecided:
		r.Outcome, r.Title = results.Broken, "it could not be decided"
	}
	if e != nil {
		r.Place = resultPlace(l, e.Offset)
	}
	if a.Err != nil {
		r.Message = f.Parser.Message(a.Err)
	}
	r.RFC = f.Parser.Cite(e)
	return append(list, r)
}

// An Edit is one edit of a string.
type Edit struct {
	Kind     string // "delete", "substitute", "insert"
	Offset   int
	Old, New string
}

// Nearest returns the edits that make the nearest string that an automaton accepts of a line: see [repair.NearestPlain]. It is
// not ok if there is none, or the line is too long.
func Nearest(a repair.Automaton, l check.Line, limit int) (edits []Edit, ok bool) {
	if l.Length > limit {
		return nil, false
	}
	steps, ok := repair.NearestPlain(a, l.Text)
	var text []byte // of the last edit
	next := 0       // where it ends
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
	return edits, ok
}

// String describes the edit.
func (d Edit) String() string {
	at := fmt.Sprintf("offset %d: ", d.Offset)
	switch d.Kind {
	case "delete":
		return at + "delete " + ast.Quote(d.Old)
	case "insert":
		return at + "insert " + ast.Quote(d.New)
	}
	return at + "substitute " + ast.Quote(d.New) + " for " + ast.Quote(d.Old)
}

// edited returns a line with its edits carried out.
func edited(l check.Line, edits []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(l.Text[at:e.Offset] + e.New)
		at = e.Offset + len(e.Old)
	}
	return b.String() + l.Text[at:]
}

// AppendNearest appends a line and the nearest string that is accepted, with the edits that make it.
func (f *Foreign) AppendNearest(b []byte, l check.Line, edits []Edit, ok bool) []byte {
	b, _ = AppendVisible(b, l.Text[:min(len(l.Text), longestShown)], 0)
	b = append(layout.Pad(append(b, '\n'), 0, Indent), place(l)+f.Name+": "...)
	switch {
	case !ok:
		return append(b, "no repair: nothing is accepted, or the string is too long\n"...)
	case len(edits) == 0:
		return append(b, "nothing to repair\n"...)
	}
	b = append(b, "a guess: "...)
	text, _ := AppendVisible(nil, edited(l, edits), 0)
	b = append(f.Paint(b, layout.Bold, string(text)), '\n')
	for _, e := range edits {
		b = layout.Wrap(b, e.String(), 2*Indent, f.Width)
	}
	return b
}

// AppendNearestJSON appends the object of one line:
//
//	{"line":1,"input":"...","accepted":false,"nearest":"...","edits":[{"edit":"delete","offset":3,"old":"x","new":""}]}
//
// Without a nearest string "nearest" is null.
func (f *Foreign) AppendNearestJSON(b []byte, l check.Line, edits []Edit, ok bool) []byte {
	b = append(b, '{')
	if l.Source.Name != "" {
		b = append(quote.AppendString(append(b, `"file":`...), l.Source.Name), ',')
	}
	b = strconv.AppendInt(append(b, `"line":`...), int64(l.Number), 10)
	b = quote.AppendMember(append(b, ','), "input", wholeRunes(l.Text))
	if !ok {
		return append(b, ",\"nearest\":null}\n"...)
	}
	b = strconv.AppendBool(append(b, `,"accepted":`...), len(edits) == 0)
	b = quote.AppendMember(append(b, ','), "nearest", edited(l, edits))
	b = append(b, `,"edits":[`...)
	for i, e := range edits {
		if i > 0 {
			b = append(b, ',')
		}
		b = quote.AppendString(append(b, `{"edit":`...), e.Kind)
		b = strconv.AppendInt(append(b, `,"offset":`...), int64(e.Offset), 10)
		b = quote.AppendMember(append(b, ','), "old", e.Old)
		b = quote.AppendMember(append(b, ','), "new", e.New)
		b = append(b, '}')
	}
	return append(b, "]}\n"...)
}

// AppendForeignSummary appends how many lines have which verdict.
func AppendForeignSummary(b []byte, counts [Verdicts]int, skipped int) []byte {
	total := 0
	text := ""
	for v, n := range counts {
		total += n
		if n > 0 || v <= int(Rejected) {
			text += fmt.Sprintf(", %d %s", n, Verdict(v))
		}
	}
	b = append(b, layout.Plural(total, "string")+": "+text[2:]...)
	if skipped > 0 {
		b = append(b, "; "+layout.Plural(skipped, "line")+" skipped"...)
	}
	return append(b, '\n')
}

// AppendForeignSummaryJSON appends the same as an object.
func AppendForeignSummaryJSON(b []byte, counts [Verdicts]int, skipped int) []byte {
	total := 0
	for _, n := range counts {
		total += n
	}
	b = strconv.AppendInt(append(b, `{"lines":`...), int64(total), 10)
	b = strconv.AppendInt(append(b, `,"skipped":`...), int64(skipped), 10)
	for v, n := range counts {
		b = quote.AppendString(append(b, ','), Verdict(v).String())
		b = strconv.AppendInt(append(b, ':'), int64(n), 10)
	}
	return append(b, "}\n"...)
}
