package render_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
)

// A summary is refused, or read as what is written again in the same way.
func FuzzReadSummary(f *testing.F) {
	for _, seed := range []string{
		`{"grammars":["rfc1738"],"urls":1,"skipped":0,"schemes":[{"scheme":"http","verdicts":{"rfc1738":{"conforming":1}}}],"findings":[]}`,
		`{"grammars":[],"urls":-1}`, `{"grammars":["rfc1630","rfc1630"]}`, `[]`, "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tally, err := render.ReadSummary(bytes.NewReader(text))
		if err != nil {
			return
		}
		once := render.AppendSummaryJSON(nil, tally)
		again, err := render.ReadSummary(bytes.NewReader(once))
		if err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", text, once, err)
		}
		if twice := render.AppendSummaryJSON(nil, again); !bytes.Equal(once, twice) {
			t.Errorf("%q is written as %q, then as %q", text, once, twice)
		}
	})
}

// Of several mistakes in a summary, the same one is reported every time.
func TestSummaryWithSeveralErrors(t *testing.T) {
	const text = `{"grammars":["rfc1738"],"schemes":[{"scheme":"http","verdicts":{"rfc1738":` +
		`{"e":1,"d":1,"c":1,"b":1,"a":1,"conforming":-1}}}]}`
	for range 20 {
		_, err := render.ReadSummary(strings.NewReader(text))
		if err == nil || err.Error() != `no verdict "a"` {
			t.Fatalf("have %v", err)
		}
	}
}

// A line and what is found of it in every format: TSV is read back as the line, the verdict and the offset, and JSON
// as the input.
func FuzzFormats(f *testing.F) {
	f.Add("http://a/~b", "x\thttp://a/~b\ty")
	f.Add("\xff\u202e", "\xff\u202e")
	judge := check.NewJudge([]*bnfcheck.Grammar{bnfcheck.RFC1630, bnfcheck.RFC1738}, check.Options{MaxLength: bnfcheck.DefaultMaxLength}, false)
	f.Fuzz(func(t *testing.T, text, row string) {
		if strings.ContainsAny(text+row, "\r\n") || len(text) > 1000 {
			return
		}
		line := check.Line{Text: text, Row: row, Number: 1, Length: len(text), Source: &check.Source{Name: "urls.txt"}}
		judged := judge.Line(line)
		tsv := string(render.AppendTSV(nil, line, judged))
		rest, ok := strings.CutPrefix(tsv, row+"\t")
		fields := strings.Split(strings.TrimSuffix(rest, "\n"), "\t")
		if !ok || len(fields) != 3*len(judged) {
			t.Fatalf("%q has %d fields behind the row: %q", row, len(fields), tsv)
		}
		var object struct {
			Input       *string
			InputBase64 []byte `json:"input_base64"`
			Verdicts    map[string]struct{ Verdict string }
		}
		must.Do(t, json.Unmarshal(render.AppendJSON(nil, line, judged), &object))
		if input := string(object.InputBase64); object.Input != nil && *object.Input != text || object.Input == nil && input != text {
			t.Errorf("%q is read as %q", text, input)
		}
		for i, j := range judged {
			accepted := j.Grammar.Accepts(text)
			verdict, offset := fields[3*i], fields[3*i+2]
			if v := object.Verdicts[j.Grammar.Name].Verdict; v != verdict || j.Answer.Negative(false) == accepted {
				t.Errorf("%q: %q in TSV, %q in JSON; accepted: %t", text, verdict, v, accepted)
			}
			if n, err := strconv.Atoi(offset); (offset == "") != (err != nil) || n < 0 || n > len(text) {
				t.Errorf("%q: the offset is %q", text, offset)
			}
		}
	})
}
