package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/sebdah/goldie/v2"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
)

// sample has a result of every outcome, with what is hard to write in some format.
var sample = []Result{
	{Suite: "prove rfc1738", Name: "hsegment", Outcome: Passed, Rule: "prove/language", Title: "every rule matches what its production derives",
		RFC: Cite(rfc1738.Grammar, rfc1738.Grammar.Production(rfc1738.Hsegment))},
	{Suite: "check rfc1738", Name: "http://a/~", Outcome: Failed, Rule: "check/rejected", Title: "the grammar derives the URL",
		Message: `offset 9: unexpected "~" in hsegment`, Place: Place{File: "my files/urls#1.txt", Line: 7, Column: 3},
		RFC: Cite(rfc1738.Grammar, rfc1738.Grammar.Production(rfc1738.Hsegment)), Witness: "http://a/~", Shown: true},
	{Suite: "check rfc1738", Name: "]]> <b>&\"'`|*_\\", Outcome: Failed, Rule: "check/rejected", Title: "the grammar derives the URL",
		Message: "\x00\x1b[31m\xff\u202e\ufffe", Detail: "one\ntwo", Witness: "a\xff|``b", Shown: true, Place: Place{File: "/tmp/a b", Line: 1}},
	{Suite: "conform curl", Name: "http://a/", Outcome: Broken, Message: "time-out", Rule: "conform/fault", Witness: "", Shown: true},
	{Suite: "conform curl", Name: "other", Outcome: Skipped},
}

// TestGolden shows the sample in every format.
func TestGolden(t *testing.T) {
	for _, format := range Formats {
		t.Run(format, func(t *testing.T) {
			goldie.New(t, goldie.WithFixtureDir("testdata")).Assert(t, format, write(t, format, sample))
		})
	}
}

func write(t *testing.T, format string, results []Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, results); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hostile gives results whose every text is made of one byte, or of characters that formats treat apart.
func hostile() []Result {
	var list []Result
	texts := []string{"", "\ufffd", "\ufffe", "\uffff", "\u2028", "]]>", "<![CDATA[", "&lt;", "\U0010ffff", "\xed\xa0\x80"}
	for x := range 256 {
		texts = append(texts, string([]byte{'a', byte(x), 'b'}))
	}
	outcomes := []Outcome{Passed, Failed, Skipped, Broken}
	for i, s := range texts {
		list = append(list, Result{
			Suite: s, Name: s + strconv.Itoa(i), Outcome: outcomes[i%len(outcomes)], Message: s, Detail: s, Rule: s, Title: s,
			RFC: Citation{Grammar: "rfc1738", Title: "RFC 1738", Line: i}, Place: Place{File: s, Line: i}, Witness: s, Shown: true,
		})
	}
	return list
}

// TestSARIF holds the logs against the JSON schema of SARIF 2.1.0 by OASIS, which comes with the module that writes them.
func TestSARIF(t *testing.T) {
	for name, results := range map[string][]Result{"none": nil, "sample": sample, "hostile": hostile()} {
		t.Run(name, func(t *testing.T) {
			data := write(t, "sarif", results)
			log, err := sarif.FromBytes(data)
			if err != nil {
				t.Fatal(err)
			}
			if err := log.Validate(); err != nil {
				t.Error(err)
			}
			if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != len(results) {
				t.Errorf("version %s, %d runs", log.Version, len(log.Runs))
			}
			for i, r := range log.Runs[0].Results {
				rule := log.Runs[0].Tool.Driver.Rules[r.RuleIndex]
				if *rule.ID != *r.RuleID {
					t.Errorf("result %d is of rule %q, and points to %q", i, *r.RuleID, *rule.ID)
				}
				if r.Level != "none" && r.Kind != "fail" {
					t.Errorf("result %d: kind %s with level %s (section 3.27.10)", i, r.Kind, r.Level)
				}
			}
		})
	}
}

// TestSchemaBites says that the validation of TestSARIF finds what is wrong.
func TestSchemaBites(t *testing.T) {
	data := write(t, "sarif", sample)
	for _, change := range [][2]string{{`"kind": "fail"`, `"kind": "worse"`}, {`"startLine": 7`, `"startLine": 0`}, {`"version": "2.1.0"`, `"version": "2"`}} {
		if !bytes.Contains(data, []byte(change[0])) {
			t.Fatalf("no %s", change[0])
		}
		log, err := sarif.FromBytes(bytes.Replace(data, []byte(change[0]), []byte(change[1]), 1))
		if err == nil {
			err = log.Validate()
		}
		if err == nil {
			t.Errorf("%s is not found", change[1])
		}
	}
}

// TestJUnit holds the files against what the readers of JUnit XML require. There is no one schema: these are the rules
// that Ant's, Surefire's and Jenkins' have in common.
func TestJUnit(t *testing.T) {
	for name, results := range map[string][]Result{"none": nil, "sample": sample, "hostile": hostile()} {
		t.Run(name, func(t *testing.T) {
			data := write(t, "junit", results)
			if err := validJUnit(data); err != nil {
				t.Error(err)
			}
			if n := bytes.Count(data, []byte("<testcase ")); n != len(results) {
				t.Errorf("%d testcases of %d results", n, len(results))
			}
			if _, err := exec.LookPath("xmllint"); err != nil {
				t.Skip("xmllint is not here to read the file as well")
			}
			cmd := exec.Command("xmllint", "--noout", "-")
			cmd.Stdin = bytes.NewReader(data)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	good := string(write(t, "junit", sample))
	for _, change := range [][2]string{
		{`failures="2"`, `failures="1"`}, {`<testcase name=`, `<testcase nom=`}, {`<failure `, `<failed `}, {`</failed>`, ``},
		{`time="0"`, `time="soon"`},
	} {
		if err := validJUnit([]byte(strings.Replace(good, change[0], change[1], 1))); err == nil && strings.Contains(good, change[0]) {
			t.Errorf("%s is not found", change[1])
		}
	}
}

// validJUnit checks elements, the attributes that they must have, and that the counts are right.
func validJUnit(data []byte) error {
	parents := map[string]string{
		"testsuites": "", "testsuite": "testsuites", "testcase": "testsuite",
		"failure": "testcase", "error": "testcase", "skipped": "testcase", "system-out": "testcase",
	}
	required := map[string][]string{
		"testsuite": {"name", "tests", "failures", "errors", "time"}, "testcase": {"name", "classname", "time"},
		"failure": {"message"}, "error": {"message"},
	}
	numbers := []string{"tests", "failures", "errors", "skipped", "time"}
	counted := map[string]string{"testcase": "tests", "failure": "failures", "error": "errors", "skipped": "skipped"}
	type element struct {
		name       string
		attributes map[string]string
		counts     map[string]int
	}
	var open []element
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch x := token.(type) {
		case xml.StartElement:
			name, parent := x.Name.Local, ""
			if len(open) > 0 {
				parent = open[len(open)-1].name
			}
			if want, known := parents[name]; !known || parent != want {
				return fmt.Errorf("<%s> in <%s>", name, parent)
			}
			e := element{name, map[string]string{}, map[string]int{}}
			for _, a := range x.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			for _, a := range required[name] {
				if _, ok := e.attributes[a]; !ok {
					return fmt.Errorf("<%s> without %s", name, a)
				}
			}
			for _, a := range numbers {
				if text, ok := e.attributes[a]; ok {
					if _, err := strconv.ParseFloat(text, 64); err != nil {
						return fmt.Errorf("<%s> with %s=%q", name, a, text)
					}
				}
			}
			for _, outer := range open {
				outer.counts[counted[name]]++
			}
			open = append(open, e)
		case xml.EndElement:
			e := open[len(open)-1]
			open = open[:len(open)-1]
			if e.name == "testcase" && e.counts["failures"]+e.counts["errors"]+e.counts["skipped"] > 1 {
				return errors.New("a testcase with two outcomes")
			}
			if e.name == "testcase" || parents[e.name] == "testcase" {
				continue
			}
			for _, a := range counted {
				if text := cmp.Or(e.attributes[a], "0"); text != strconv.Itoa(e.counts[a]) {
					return fmt.Errorf("<%s> with %s=%q: it has %d", e.name, a, text, e.counts[a])
				}
			}
		}
	}
	return nil
}

// TestJSON says that nothing is lost.
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
	if err := json.Unmarshal(write(t, "json", list), &got); err != nil {
		t.Fatal(err)
	}
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

// TestMarkdown says that no text breaks a table: every row has its cells.
func TestMarkdown(t *testing.T) {
	for line := range strings.Lines(string(write(t, "markdown", hostile()))) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		bare := strings.NewReplacer(`\\`, "", `\|`, "").Replace(line)
		if n := strings.Count(bare, "|"); n != 6 {
			t.Errorf("%d bars in %q", n, line)
		}
	}
}

// TestEveryCitationHasALine says that what Cite cites can be found in the text of its RFC.
func TestEveryCitationHasALine(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		for _, p := range g.Productions() {
			if c := Cite(g.Grammar, p); c.Line == 0 || c.Section == "" || !strings.HasPrefix(c.String(), g.Title+", section ") {
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
