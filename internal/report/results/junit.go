package results

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// writeJUnit writes JUnit XML: a testsuite for each suite, a testcase for each result, with the time left at 0, so that the
// same results give the same file.
func writeJUnit(w *bufio.Writer, results []Result) {
	all := testsuites{Name: "bnfcheck"}
	for id, suite := range bySuite(results) {
		s := junitSuite(id, suite)
		all.Suites = append(all.Suites, s)
		all.Tests += s.Tests
		all.Errors += s.Errors
		all.Failures += s.Failures
	}
	w.WriteString(xml.Header)
	e := xml.NewEncoder(w)
	e.Indent("", "\t")
	_ = e.Encode(all) // the error is that of w
	w.WriteByte('\n')
}

// The elements of JUnit XML, as the schema of Jenkins has them.
type (
	testsuites struct {
		XMLName  xml.Name    `xml:"testsuites"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr,omitempty"`
		Errors   int         `xml:"errors,attr,omitempty"`
		Failures int         `xml:"failures,attr,omitempty"`
		Suites   []testsuite `xml:"testsuite"`
	}
	testsuite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		ID       int        `xml:"id,attr"`
		Skipped  int        `xml:"skipped,attr,omitempty"`
		Time     string     `xml:"time,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	testcase struct {
		Name      string   `xml:"name,attr"`
		Classname string   `xml:"classname,attr"`
		Time      string   `xml:"time,attr"`
		Skipped   *outcome `xml:"skipped"`
		Error     *outcome `xml:"error"`
		Failure   *outcome `xml:"failure"`
		SystemOut *output  `xml:"system-out"`
	}
	outcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Data    string `xml:",cdata"`
	}
	output struct {
		Data string `xml:",cdata"`
	}
)

// What stands around the suites of a document without totals.
const (
	junitBegin = xml.Header + "<testsuites name=\"bnfcheck\">\n"
	junitEnd   = "</testsuites>\n"
)

// writeSuite writes a suite as it stands in a document.
func writeSuite(w *bufio.Writer, s testsuite) {
	e := xml.NewEncoder(w)
	e.Indent("\t", "\t")
	_ = e.EncodeElement(s, xml.StartElement{Name: xml.Name{Local: "testsuite"}}) // the error is that of w
	w.WriteByte('\n')
}

// junitSuite returns the suite of the results of one.
func junitSuite(id int, results []Result) testsuite {
	s := testsuite{Name: Visible(results[0].Suite), ID: id, Time: "0"}
	for _, r := range results {
		c := testcase{Name: Visible(r.Name), Classname: Visible(r.Suite), Time: "0"}
		said := &outcome{Message: Visible(r.Message), Type: Visible(r.Rule), Data: Visible(r.text())}
		switch r.Outcome {
		case Failed:
			c.Failure = said
			s.Failures++
		case Broken:
			c.Error = said
			s.Errors++
		case Skipped:
			c.Skipped = said
			s.Skipped++
		default:
			if text := r.text(); text != "" {
				c.SystemOut = &output{Data: Visible(text)}
			}
		}
		s.Tests++
		s.Cases = append(s.Cases, c)
	}
	return s
}

// Visible returns s with every character that XML cannot hold, not even escaped, or that cannot be seen, as \xHH, \uXXXX or
// \UXXXXXXXX, and bytes that are not UTF-8 as \xHH.
func Visible(s string) string {
	var b []byte
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			b = fmt.Appendf(b, `\x%02X`, s[i])
		case r == '\n' || r == '\t' || unicode.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r < 0x80:
			b = fmt.Appendf(b, `\x%02X`, r)
		case r < 0x10000:
			b = fmt.Appendf(b, `\u%04X`, r)
		default:
			b = fmt.Appendf(b, `\U%08X`, r)
		}
	}
	return string(b)
}
