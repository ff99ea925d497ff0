package results

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands around the suites of a document. Totals are left out where they are 0, and of a document in parts.
const (
	junitBegin = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<testsuites name="bnfcheck"`
	junitEnd   = "</testsuites>\n"
)

// writeJUnit writes JUnit XML: a testsuite for each suite, a testcase for each result, with the time left at 0, so
// that the same results give the same file.
func writeJUnit(w *bufio.Writer, results []Result) {
	all := counts{}
	all.add(results)
	w.WriteString(junitBegin)
	writeTotal(w, "tests", len(results))
	writeTotal(w, "errors", all[Broken])
	writeTotal(w, "failures", all[Failed])
	w.WriteByte('>')
	for id, suite := range bySuite(results) {
		if id == 0 {
			w.WriteByte('\n')
		}
		writeSuite(w, id, suite)
	}
	w.WriteString(junitEnd)
}

// writeTotal writes a count as an attribute, unless it is 0.
func writeTotal(w *bufio.Writer, name string, n int) {
	if n > 0 {
		fmt.Fprintf(w, ` %s="%d"`, name, n)
	}
}

// writeSuite writes one suite, which has the number id in its document. All results belong to it, and there must be at
// least one.
func writeSuite(w *bufio.Writer, id int, results []Result) {
	n := counts{}
	n.add(results)
	suite := escapeAttribute(results[0].Suite)
	fmt.Fprintf(w, "\t"+`<testsuite name="%s" tests="%d" failures="%d" errors="%d" id="%d"`,
		suite, len(results), n[Failed], n[Broken], id)
	writeTotal(w, "skipped", n[Skipped])
	w.WriteString(" time=\"0\">\n")
	for _, r := range results {
		fmt.Fprintf(w, "\t\t"+`<testcase name="%s" classname="%s" time="0">`, escapeAttribute(r.Name), suite)
		text := Visible(r.textLines())
		if text != "" {
			text = "<![CDATA[" + strings.ReplaceAll(text, "]]>", "]]]]><![CDATA[>") + "]]>"
		}
		switch said := map[Outcome]string{Failed: "failure", Broken: "error", Skipped: "skipped"}[r.Outcome]; {
		case said != "":
			fmt.Fprintf(w, "\n\t\t\t"+`<%s message="%s"`, said, escapeAttribute(r.Message))
			if r.Rule != "" {
				fmt.Fprintf(w, ` type="%s"`, escapeAttribute(r.Rule))
			}
			fmt.Fprintf(w, ">%s</%s>\n\t\t", text, said)
		case text != "":
			fmt.Fprintf(w, "\n\t\t\t<system-out>%s</system-out>\n\t\t", text)
		}
		w.WriteString("</testcase>\n")
	}
	w.WriteString("\t</testsuite>\n")
}

// inAttribute escapes what has a meaning in an attribute, and what XML would read as spaces.
var inAttribute = strings.NewReplacer(
	`"`, "&#34;", "'", "&#39;", "&", "&amp;", "<", "&lt;", ">", "&gt;", "\t", "&#x9;", "\n", "&#xA;")

// escapeAttribute returns s as the value of an attribute, without the quotation marks.
func escapeAttribute(s string) string { return inAttribute.Replace(Visible(s)) }

// Visible returns s with every character escaped that XML cannot hold or that cannot be seen, as \xHH, \uXXXX or
// \UXXXXXXXX, and bytes that are not UTF-8 as \xHH. Newlines and tabs stay, and so do backslashes: the result is to be
// read, and may stand for several texts.
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
