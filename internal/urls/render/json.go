package render

import (
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/extract"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
)

// The objects of lines are written by hand, since a list may have a million lines. Everything else goes through
// [JSON]. All JSON is ASCII, so that no text in it can move a terminal's cursor or turn the rest of a line around.

// AppendJSON appends the object of one line of input, and a line feed:
//
//	{"file":"urls.txt","line":17,"input":"...","verdicts":{"rfc1630":{"verdict":"conforming",...},...}}
//	{"file":"list.txt","line":17,"input":"...","verdict":"rejected","error":{...}}       // of one production
//
// An argument has no "file", and its "line" is its number. An input that is not UTF-8 is "input_base64" instead: see
// [quote.AppendMember]. For a line that is too long, "input" is its beginning, and "length" its number of bytes.
func AppendJSON(b []byte, l check.Line, judged []check.Judgment) []byte {
	b = appendInput(append(b, '{'), l, judged)
	if j := &judged[0]; j.By != nil {
		return append(appendAnswer(append(b, ','), j), "}\n"...)
	}
	b = append(b, `,"verdicts":{`...)
	return append(appendWithCommas(b, judged, appendVerdict), "}}\n"...)
}

// appendWithCommas appends values, each by one, with commas between them. The brackets around them are the caller's.
func appendWithCommas[T any](b []byte, list []T, one func(b []byte, v *T) []byte) []byte {
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, &list[i])
	}
	return b
}

// appendText is [quote.AppendString] for a list.
func appendText(b []byte, s *string) []byte { return quote.AppendString(b, *s) }

// AppendRepairsJSON is [AppendJSON] with a repair for each grammar in place of its verdict. The repair is null if none
// was found, and if none is needed. A string that is accepted but has errors has a repair without edits, which names
// them.
func AppendRepairsJSON(b []byte, l check.Line, judged []check.Judgment) []byte {
	b = append(appendInput(append(b, '{'), l, judged), `,"repairs":{`...)
	b = appendWithCommas(b, judged, func(b []byte, j *check.Judgment) []byte {
		b = append(quote.AppendString(b, j.Grammar.Name), ':')
		if r := j.Repair; r == nil || len(r.Edits) == 0 && len(r.Errors) == 0 {
			return append(b, "null"...)
		}
		return appendRepair(b, j.Repair)
	})
	return append(b, "}}\n"...)
}

// AppendRejection appends, as one line, the object of an input that a grammar rejects: as that of a tree, with an error
// in the place of the tree. If err is no [*ast.SyntaxError], the error has only a message. by is the production that
// judges alone, or nil.
func AppendRejection(b []byte, grammar, input string, err error, by check.Production) []byte {
	b = quote.AppendString(append(b, `{"grammar":`...), grammar)
	b = quote.AppendMember(append(b, ','), "input", input)
	b = append(b, `,"error":`...)
	if e, ok := errors.AsType[*ast.SyntaxError](err); ok {
		b = appendError(b, e, by)
	} else {
		b = append(quote.AppendString(append(b, `{"message":`...), err.Error()), '}')
	}
	return append(b, "}\n"...)
}

// AppendExtracted appends the object of a URL that was found in a text, and a line feed. The members "unhyphenated" and
// "fragment" are there only if the URL has them.
func AppendExtracted(b []byte, x *extract.Found) []byte {
	b = strconv.AppendInt(append(b, `{"start":`...), x.Start, 10)
	b = strconv.AppendInt(append(b, `,"end":`...), x.End, 10)
	b = strconv.AppendInt(append(b, `,"line":`...), int64(x.Line), 10)
	b = quote.AppendMember(append(b, ','), "raw", x.Raw)
	b = quote.AppendMember(append(b, ','), "url", x.URL)
	b = strconv.AppendBool(append(b, `,"prefixed":`...), x.Prefixed)
	if x.Unhyphenated != "" {
		b = quote.AppendMember(append(b, ','), "unhyphenated", x.Unhyphenated)
	}
	b = strconv.AppendBool(append(b, `,"inner_space":`...), x.InnerSpace)
	if f, ok := x.Fragment(); ok {
		b = quote.AppendMember(append(b, ','), "fragment", f)
	}
	return append(b, "}\n"...)
}

// appendInput appends the members that identify the line, with a comma between them and none after the last: "file",
// "line" and "input". If judged says that the line is too long, "length" follows. judged may be nil. The beginning of a
// line that is too long is cut to whole characters.
func appendInput(b []byte, l check.Line, judged []check.Judgment) []byte {
	if l.Source.Name != "" {
		b = append(quote.AppendString(append(b, `"file":`...), l.Source.Name), ',')
	}
	b = append(strconv.AppendInt(append(b, `"line":`...), int64(l.Number), 10), ',')
	switch {
	case judged == nil && l.Length > len(l.Text):
		return quote.AppendMember(b, "input", wholeRunes(l.Text))
	case judged == nil || judged[0].Answer != check.TooLong:
		return quote.AppendMember(b, "input", l.Text)
	}
	b = append(quote.AppendMember(b, "input", wholeRunes(l.Text)), `,"length":`...)
	return strconv.AppendInt(b, int64(l.Length), 10)
}

// appendVerdict appends the member of one grammar.
func appendVerdict(b []byte, j *check.Judgment) []byte {
	return append(appendAnswer(append(quote.AppendString(b, j.Grammar.Name), ":{"...), j), '}')
}

// appendAnswer appends the answer of one grammar, as members: verdict, production, scheme, error, findings
// and suggestion, as far as there are any.
func appendAnswer(b []byte, j *check.Judgment) []byte {
	g, name := j.Grammar, j.Grammar.Name+": "
	if j.By != nil {
		name = ""
	}
	b = quote.AppendString(append(b, `"verdict":`...), j.Answer.String())
	if j.Production != 0 {
		b = quote.AppendString(append(b, `,"production":`...), g.Production(j.Production).ID)
	}
	if j.Scheme != "" {
		b = quote.AppendString(append(b, `,"scheme":`...), j.Scheme)
	}
	switch {
	case j.Cause != nil:
		b = appendError(append(b, `,"error":`...), j.Cause, j.By)
	case j.Message != "":
		b = append(b, `,"error":{`...)
		if j.Offset >= 0 {
			b = strconv.AppendInt(append(b, `"offset":`...), int64(j.Offset), 10)
			b = append(b, ',')
		}
		b = quote.AppendString(append(b, `"message":`...), name+j.Message)
		b = append(b, '}')
	}
	return appendFindingsJSON(b, j)
}

// appendError appends a syntax error as an object. If by is a parser of a user's file, the message is the parser's, and
// the object has the member "source", the place in that file, instead of "section". It has no "in" if the error is in
// no production.
func appendError(b []byte, err *ast.SyntaxError, by check.Production) []byte {
	where, message := "", err.Error()
	if p := parserOf(by); p != nil {
		where, message = p.Where(err), p.Message(err)
	}
	b = strconv.AppendInt(append(b, `{"offset":`...), int64(err.Offset), 10)
	b = quote.AppendString(append(b, `,"unexpected":`...), err.Unexpected())
	if len(err.In) > 0 {
		b = quote.AppendString(append(b, `,"in":`...), err.Grammar.Production(err.In[0]).ID)
	}
	b = appendWithCommas(append(b, `,"expected":[`...), err.Terms(), appendText)
	if where != "" {
		b = quote.AppendString(append(b, `],"source":`...), where)
	} else {
		b = quote.AppendString(append(b, `],"section":`...), err.Section)
	}
	b = quote.AppendString(append(b, `,"message":`...), message)
	return append(b, '}')
}

// parserOf returns the parser that judges alone; nil if grammars judge, or something other than a parser
// does.
func parserOf(by check.Production) *anygrammar.Parser {
	p, _ := by.(*anygrammar.Parser)
	return p
}

// wholeRunes returns s without the bytes at its end, three at most, that make no character of UTF-8, so that a cut
// string ends in a whole one. If there are more of them, or nothing else, it returns s.
func wholeRunes(s string) string {
	for cut := range min(len(s), utf8.UTFMax) {
		if r, n := utf8.DecodeLastRuneInString(s[:len(s)-cut]); r != utf8.RuneError || n > 1 {
			return s[:len(s)-cut]
		}
	}
	return s
}

// appendFindingsJSON appends the members "findings" and "suggestion" of a verdict, if it has such, with a comma before
// each.
func appendFindingsJSON(b []byte, j *check.Judgment) []byte {
	if len(j.Findings) > 0 {
		b = append(appendWithCommas(append(b, `,"findings":[`...), j.Findings, appendFinding), ']')
	}
	if j.Repair != nil {
		b = appendRepair(append(b, `,"suggestion":`...), j.Repair)
	}
	return b
}

// appendFinding appends a finding as an object: all that it tells, with its span in the input.
func appendFinding(b []byte, f *semantic.Finding) []byte {
	b = quote.AppendString(append(b, `{"rule":`...), f.Rule)
	b = quote.AppendString(append(b, `,"severity":`...), f.Severity.String())
	b = strconv.AppendInt(append(b, `,"start":`...), int64(f.Start), 10)
	b = strconv.AppendInt(append(b, `,"end":`...), int64(f.End), 10)
	b = quote.AppendString(append(b, `,"section":`...), f.Section)
	b = quote.AppendString(append(b, `,"message":`...), f.Message)
	return append(b, '}')
}

// appendRepair appends a repair as an object. An edit that is too long to be quoted, or is many in one, has its "end"
// in the input and the number of "octets" edited, and neither "old" nor "new".
func appendRepair(b []byte, r *fix.Repair) []byte {
	b = quote.AppendString(append(b, `{"url":`...), r.URL)
	b = strconv.AppendBool(append(b, `,"guess":`...), r.Guess)
	b = strconv.AppendBool(append(b, `,"certain":`...), r.Certain())
	b = appendWithCommas(append(b, `,"differs":[`...), r.Differs.Names(), appendText)
	b = appendWithCommas(append(b, `],"errors":[`...), r.Errors, appendFinding)
	b = appendWithCommas(append(b, `],"edits":[`...), r.Edits, func(b []byte, e *fix.Edit) []byte {
		b = quote.AppendString(append(b, `{"edit":`...), e.Kind.String())
		b = strconv.AppendInt(append(b, `,"offset":`...), int64(e.Offset), 10)
		if e.Summarized() {
			b = strconv.AppendInt(append(b, `,"end":`...), int64(e.Offset+len(e.Old)), 10)
			b = strconv.AppendInt(append(b, `,"octets":`...), int64(e.Octets), 10)
		} else {
			b = quote.AppendMember(append(b, ','), "old", e.Old)
			b = quote.AppendString(append(b, `,"new":`...), e.New)
		}
		b = strconv.AppendBool(append(b, `,"changes_meaning":`...), e.Changes)
		return append(quote.AppendString(append(b, `,"why":`...), e.Why), '}')
	})
	return append(b, "]}"...)
}

// TreeJSON returns a tree as JSON, and a line feed. [JSON] would give the error of encoding/json for one that is 5,000
// nodes deep.
func TreeJSON(t *ast.Tree) []byte {
	text, _ := t.MarshalJSON() // which does not fail
	return append(text, '\n')
}

// JSON appends v and a line feed. v must be something that encoding/json can encode; otherwise JSON appends an object
// with the error instead.
func JSON(b []byte, v any) []byte {
	text, err := quote.AppendJSON(b, v)
	if err != nil {
		text = append(quote.AppendString(append(b, `{"error":`...), err.Error()), '}')
	}
	return append(text, '\n')
}
