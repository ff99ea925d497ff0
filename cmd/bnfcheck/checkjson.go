package main

import (
	"strconv"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// appendJSON appends the object of one line. It is written by hand, since a list may have a million lines:
//
//	{"file":"urls.txt","line":17,"input":"...","verdicts":{"rfc1630":{"verdict":"conforming",...},...}}
//
// Of an argument there is no "file", and "line" is its number. Of a line that is too long "input" is the beginning, and
// "length" how long it is.
func (w *worker) appendJSON(b []byte, s string, l check.Line) []byte {
	b = w.appendInput(append(b, '{'), s, l)
	b = append(b, `,"verdicts":{`...)
	for i := range w.Judged {
		if i > 0 {
			b = append(b, ',')
		}
		b = w.appendVerdict(b, i)
	}
	return append(b, "}}\n"...)
}

// appendInput appends the members that say what the line is.
func (w *worker) appendInput(b []byte, s string, l check.Line) []byte {
	if l.Source.Name != "" {
		b = append(octets.AppendString(append(b, `"file":`...), l.Source.Name), ',')
	}
	b = append(b, `"line":`...)
	b = strconv.AppendInt(b, int64(l.Number), 10)
	b = append(b, ',')
	if l.Length <= w.MaxLength {
		b = octets.AppendMember(b, "input", s)
	} else {
		b = octets.AppendMember(b, "input", wholeRunes(s))
		b = append(b, `,"length":`...)
		b = strconv.AppendInt(b, int64(l.Length), 10)
	}
	return b
}

// appendVerdict appends the member of the i-th grammar.
func (w *worker) appendVerdict(b []byte, i int) []byte {
	g, j := (*w.rfcs)[i], &w.Judged[i]
	b = append(octets.AppendString(b, g.Name), `:{"verdict":`...)
	b = octets.AppendString(b, j.Answer.String())
	if j.Production != 0 {
		b = octets.AppendString(append(b, `,"production":`...), g.Production(j.Production).ID)
	}
	if j.Scheme != "" {
		b = octets.AppendString(append(b, `,"scheme":`...), j.Scheme)
	}
	switch {
	case j.Cause != nil:
		b = appendError(append(b, `,"error":`...), j.Cause)
	case j.Message != "":
		b = append(b, `,"error":{`...)
		if j.Offset >= 0 {
			b = strconv.AppendInt(append(b, `"offset":`...), int64(j.Offset), 10)
			b = append(b, ',')
		}
		b = octets.AppendString(append(b, `"message":`...), g.Name+": "+j.Message)
		b = append(b, '}')
	}
	b = appendFindingsJSON(b, j)
	return append(b, '}')
}

// appendError appends what says why a grammar, or the production of the scheme, does not derive a string.
func appendError(b []byte, err *ast.SyntaxError) []byte {
	b = strconv.AppendInt(append(b, `{"offset":`...), int64(err.Offset), 10)
	b = octets.AppendString(append(b, `,"unexpected":`...), err.Unexpected())
	if len(err.In) > 0 {
		b = octets.AppendString(append(b, `,"in":`...), err.Grammar.Production(err.In[0]).ID)
	}
	b = append(b, `,"expected":[`...)
	for i, term := range err.Terms() {
		if i > 0 {
			b = append(b, ',')
		}
		b = octets.AppendString(b, term)
	}
	b = octets.AppendString(append(b, `],"section":`...), err.Section)
	b = octets.AppendString(append(b, `,"message":`...), err.Error())
	return append(b, '}')
}

// wholeRunes gives s without the beginning of a character at its end.
func wholeRunes(s string) string {
	for cut := range min(len(s), utf8.UTFMax) {
		if r, n := utf8.DecodeLastRuneInString(s[:len(s)-cut]); r != utf8.RuneError || n > 1 {
			return s[:len(s)-cut]
		}
	}
	return s
}
