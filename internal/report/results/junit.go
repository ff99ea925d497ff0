package results

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// WriteJUnit writes JUnit XML: a testsuite for each suite, a testcase for each result, with the time left at 0, so that the
// same results give the same file. The error is that of w.
func WriteJUnit(w io.Writer, results []Result) error {
	all := junit.Testsuites{Name: "bnfcheck"}
	for id, suite := range bySuite(results) {
		all.AddSuite(junitSuite(id, suite))
	}
	all.Skipped = 0 // Jenkins' schema has this attribute on each suite alone
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return all.WriteXML(w)
}

// What stands around the suites of a document without totals.
const (
	junitBegin = xml.Header + "<testsuites name=\"bnfcheck\">\n"
	junitEnd   = "</testsuites>\n"
)

// writeSuite writes a suite as it stands in a document.
func writeSuite(w io.Writer, s junit.Testsuite) error {
	e := xml.NewEncoder(w)
	e.Indent("\t", "\t")
	if err := e.EncodeElement(s, xml.StartElement{Name: xml.Name{Local: "testsuite"}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitSuite returns the suite of the results of one.
func junitSuite(id int, results []Result) junit.Testsuite {
	s := junit.Testsuite{Name: Visible(results[0].Suite), ID: id, Time: "0"}
	for _, r := range results {
		c := junit.Testcase{Name: Visible(r.Name), Classname: Visible(r.Suite), Time: "0"}
		said := &junit.Result{Message: Visible(r.Message), Type: Visible(r.Rule), Data: Visible(r.text())}
		switch r.Outcome {
		case Failed:
			c.Failure = said
		case Broken:
			c.Error = said
		case Skipped:
			c.Skipped = said
		default:
			if text := r.text(); text != "" {
				c.SystemOut = &junit.Output{Data: Visible(text)}
			}
		}
		s.AddTestcase(c)
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
