package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/resultstest"
)

// sample has a result of every outcome, with what is hard to write in some format.
var sample = []Result{
	{Suite: "prove rfc1738", Name: "hsegment", Outcome: Passed, Rule: "prove/language",
		Title: "every rule matches what its production derives",
		RFC:   Cite(rfc1738.Grammar, rfc1738.Grammar.Production(rfc1738.KindHsegment))},
	{Suite: "check rfc1738", Name: "http://a/~", Outcome: Failed, Rule: "check/rejected",
		Title:   "the grammar derives the URL",
		Message: `offset 9: unexpected "~" in hsegment`, Place: Place{File: "my files/urls#1.txt", Line: 7, Column: 3},
		RFC: Cite(rfc1738.Grammar, rfc1738.Grammar.Production(rfc1738.KindHsegment)), Witness: "http://a/~", Shown: true},
	{Suite: "check rfc1738", Name: "]]> <b>&\"'`|*_\\", Outcome: Failed, Rule: "check/rejected",
		Title:   "the grammar derives the URL",
		Message: "\x00\x1b[31m\xff\u202e\ufffe", Detail: "one\ntwo", Witness: "a\xff|``b", Shown: true,
		Place: Place{File: "/tmp/a b", Line: 1}},
	{Suite: "conform curl", Name: "http://a/", Outcome: Broken, Message: "time-out", Rule: "conform/fault", Witness: "",
		Shown: true},
	{Suite: "conform curl", Name: "other", Outcome: Skipped},
	{Suite: "check rfc1738", Name: "http://u@a/, 1738/http-no-user at offset 7", Outcome: Noted, Level: Warning,
		Rule:  "1738/http-no-user",
		Title: "an http URL has no user", Message: "remove the user",
		RFC: Citation{Grammar: "rfc1738", Title: "RFC 1738", Section: "3.3", Line: 468}},
}

// TestGolden shows the sample in every format.
func TestGolden(t *testing.T) {
	var outputs []goldentest.Section
	for _, format := range Formats {
		outputs = append(outputs, goldentest.Output(format, string(write(t, format, sample))))
	}
	goldentest.Check(t, "testdata/sample.golden", outputs...)
}

func write(t *testing.T, format string, results []Result) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, Write(&b, format, results))
	return b.Bytes()
}

// hostile returns results whose every text is made of one byte, or of characters that formats treat apart.
func hostile() []Result {
	var list []Result
	texts := []string{"", "\ufffd", "\ufffe", "\uffff", "\u2028", "]]>", "<![CDATA[", "&lt;", "\U0010ffff", "\xed\xa0\x80", "[a](http://b)", "[[a]](1)"}
	for x := range 256 {
		texts = append(texts, string([]byte{'a', byte(x), 'b'}))
	}
	outcomes := []Outcome{Passed, Noted, Failed, Skipped, Broken}
	for i, s := range texts {
		list = append(list, Result{
			Suite: s, Name: s + strconv.Itoa(i), Outcome: outcomes[i%len(outcomes)], Message: s, Detail: s, Rule: s, Title: s,
			RFC: Citation{Grammar: "rfc1738", Title: "RFC 1738", Line: i}, Place: Place{File: s,
				Line: i}, Witness: s, Shown: true,
		})
	}
	return list
}

// TestSARIF checks the logs against the JSON schema of SARIF 2.1.0, and that no message has a link.
func TestSARIF(t *testing.T) {
	for name, results := range map[string][]Result{"none": nil, "sample": sample, "hostile": hostile()} {
		t.Run(name, func(t *testing.T) {
			text := write(t, "sarif", results)
			if link := regexp.MustCompile(`"text": ".*\]\(`).Find(text); link != nil {
				t.Errorf("a link: %s", link)
			}
			log := must.Of(resultstest.SARIF(text))(t)
			if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != len(results) {
				t.Errorf("version %s, %d runs", log.Version, len(log.Runs))
			}
		})
	}
}

// TestJUnit checks the files against the schema of JUnit XML.
func TestJUnit(t *testing.T) {
	for name, results := range map[string][]Result{"none": nil, "sample": sample, "hostile": hostile()} {
		t.Run(name, func(t *testing.T) {
			data := write(t, "junit", results)
			if n := bytes.Count(data, []byte("<testcase ")); n != len(results) {
				t.Errorf("%d testcases of %d results", n, len(results))
			}
			if err := resultstest.JUnit(t.Context(), data); errors.Is(err, resultstest.ErrNoXMLLint) {
				t.Skip(err)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSchemasBite checks that what is wrong in a report is found.
func TestSchemasBite(t *testing.T) {
	good := write(t, "sarif", sample)
	changes := [][2]string{{`"ruleIndex": 1`, `"ruleIndex": 0`}, {`"level": "none"`, `"level": "error"`}}
	if resultstest.Validates {
		changes = append(changes, [][2]string{
			{`"kind": "fail"`, `"kind": "worse"`}, {`"startLine": 7`, `"startLine": 0`}, {`"version": "2.1.0"`, `"version": "2"`},
		}...)
	}
	for _, change := range changes {
		if _, err := resultstest.SARIF(replaced(t, good, change)); err == nil {
			t.Errorf("%s is not found", change[1])
		}
	}
	good = write(t, "junit", sample)
	for _, change := range [][2]string{
		{`failures="2"`, `failures="1"`}, {`<testcase name=`, `<testcase nom=`}, {`<failure `,
			`<failed `}, {`</failure>`, ``},
		{`time="0"`, `time="soon"`}, {`time="0"`, `time="0" host="h"`}, {`id="1"`, `id="0"`}, {`errors="1"`,
			`errors="1" skipped="1"`},
		{`</failure>`, `</failure><skipped></skipped>`}, {` message="time-out"`, ``},
	} {
		if err := resultstest.JUnit(t.Context(), replaced(t, good, change)); errors.Is(err, resultstest.ErrNoXMLLint) {
			t.Skip(err)
		} else if err == nil {
			t.Errorf("%s is not found", change[1])
		}
	}
}

func replaced(t *testing.T, data []byte, change [2]string) []byte {
	t.Helper()
	if !bytes.Contains(data, []byte(change[0])) {
		t.Fatalf("no %s", change[0])
	}
	return bytes.Replace(data, []byte(change[0]), []byte(change[1]), 1)
}

// TestJSON checks that nothing is lost.
func TestJSON(t *testing.T) {
	var got struct {
		Summary map[Outcome]int
		Results []struct {
			Name    string
			Outcome Outcome
			Witness *string
			Base64  []byte `json:"witness_base64"`
		}
	}
	list := hostile()
	must.Do(t, json.Unmarshal(write(t, "json", list), &got))
	total := 0
	for _, n := range got.Summary {
		total += n
	}
	if total != len(list) || len(got.Results) != len(list) {
		t.Fatalf("%d and %d of %d", total, len(got.Results), len(list))
	}
	for i, r := range got.Results {
		witness := string(r.Base64)
		if r.Witness != nil {
			witness = *r.Witness
		}
		if witness != list[i].Witness || r.Outcome != list[i].Outcome {
			t.Errorf("%q became %q", list[i].Witness, witness)
		}
	}
}

// TestMarkdown checks that no text breaks a table: every row has its cells.
func TestMarkdown(t *testing.T) {
	for line := range strings.Lines(string(write(t, "markdown", hostile()))) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		bare := strings.NewReplacer(`\\`, "", `\|`, "").Replace(line)
		if n := strings.Count(bare, "|"); n != 6 && n != 7 {
			t.Errorf("%d bars in %q", n, line)
		}
	}
}

// TestMarkdownOfAFile checks that a result about a file as a whole has the file alone, without a line.
func TestMarkdownOfAFile(t *testing.T) {
	text := string(write(t, "markdown", []Result{
		{Suite: "s", Name: "whole", Outcome: Failed, Place: Place{File: "a.peg"}},
		{Suite: "s", Name: "line", Outcome: Failed, Place: Place{File: "a.peg", Line: 3}},
	}))
	for _, want := range []string{`| a.peg\: whole |`, `| a.peg\:3\: line |`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestEveryCitationHasALine checks that what Cite cites can be found in the text of its RFC.
func TestEveryCitationHasALine(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		for _, p := range g.Productions() {
			if p.Part == "core" { // RFC 5234, whose text is not among ours
				continue
			}
			if c := Cite(g.Grammar, p); c.Line == 0 || c.Section == "" || !strings.HasPrefix(c.String(), g.Title+" section ") && !strings.HasPrefix(c.String(), g.Title+" appendix ") {
				t.Errorf("%s: %s", p.ID, c)
			}
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := Write(io.Discard, "pdf", sample); err == nil || slices.Contains(Formats, "pdf") {
		t.Error("no error")
	}
}

// The name of a file is a path in SARIF, and never a scheme.
func TestFileNames(t *testing.T) {
	for file, want := range map[string]string{
		"a.abnf": "a.abnf", "./a.abnf": "a.abnf", "dir/a:b": "dir/a:b", "a:b.abnf": "./a:b.abnf", "./a:b": "./a:b", "/tmp/a b": "file:///tmp/a%20b",
	} {
		if got := uriReference(file); got != want {
			t.Errorf("%s is written %s, want %s", file, got, want)
		}
	}
}
