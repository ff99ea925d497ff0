package results

import (
	"bufio"
	"fmt"
	"io"
)

// partLength caps the results that are kept until they are written. The totals of a part stand in front of it, so that
// memory does not grow with the number of parts.
const partLength = 10_000

// A partWriter writes a document whose totals stand in front of the results. One of at most partLength results is
// written as a whole. A longer one is written in parts.
type partWriter struct {
	out    *bufio.Writer
	most   int      // results of a part
	list   []Result // that are kept
	format partFormat
	parts  int // that have been written
}

// A partFormat writes the pieces of a document. The writer keeps the first error.
type partFormat interface {
	whole(w *bufio.Writer, results []Result)            // the whole document, without parts
	part(w *bufio.Writer, number int, results []Result) // from 0
	end(w *bufio.Writer)                                // after the last part
}

// newParts returns a writer of parts in a format.
func newParts(w io.Writer, format partFormat) *partWriter {
	return &partWriter{out: bufio.NewWriter(w), most: partLength, format: format}
}

// Write keeps results, and writes those that are kept as a part before it keeps one more than most. The error is that
// of the writer below, as soon as it is known.
func (p *partWriter) Write(results []Result) error {
	for _, r := range results {
		if len(p.list) == p.most {
			if err := p.writePart(); err != nil {
				return err
			}
		}
		p.list = append(p.list, r)
	}
	return nil
}

// writePart writes the results that are kept, as a part, and keeps them no longer: the format must not keep the slice.
// It returns the first error of the writer below that is known by now: what is still in the buffer has not been written.
func (p *partWriter) writePart() error {
	p.format.part(p.out, p.parts, p.list)
	p.parts++
	clear(p.list)
	p.list = p.list[:0]
	_, err := p.out.Write(nil) // which returns the error of an earlier write, if there was one
	return err
}

// Close writes a document without a part as a whole; otherwise the last part and the end.
func (p *partWriter) Close() error {
	if p.parts == 0 {
		p.format.whole(p.out, p.list)
	} else {
		_ = p.writePart() // Flush returns the error
		p.format.end(p.out)
	}
	return p.out.Flush()
}

// junitParts writes each part as a suite for each that has results in it, so that suites of one name follow each
// other; those who read the document add up suites in any case. The totals of all, which would come first, are left
// out.
type junitParts struct{ suites int }

// whole is part of partFormat.
func (*junitParts) whole(w *bufio.Writer, results []Result) { writeJUnit(w, results) }

// part writes each suite that has results in it, and before the first part the beginning of the document. Suites are
// numbered through all parts.
func (j *junitParts) part(w *bufio.Writer, number int, results []Result) {
	if number == 0 {
		w.WriteString(junitBegin + ">\n")
	}
	for _, suite := range bySuite(results) {
		writeSuite(w, j.suites, suite)
		j.suites++
	}
}

// end is part of partFormat.
func (*junitParts) end(w *bufio.Writer) { w.WriteString(junitEnd) }

// markdownParts writes each part under a heading of its own, and the totals of all at the end.
type markdownParts struct {
	results int
	suites  []string // in their order
	counts  map[string]counts
}

// whole is part of partFormat.
func (*markdownParts) whole(w *bufio.Writer, results []Result) { writeMarkdown(w, results) }

// part writes results as writeMarkdown does, under a heading with their numbers, and adds them to the totals that end
// writes. There is a blank line before it unless number is 0.
func (m *markdownParts) part(w *bufio.Writer, number int, results []Result) {
	if number > 0 {
		w.WriteByte('\n')
	}
	for _, suite := range bySuite(results) {
		name := suite[0].Suite
		total, ok := m.counts[name]
		if !ok {
			m.suites = append(m.suites, name)
			total = counts{}
			m.counts[name] = total
		}
		total.add(suite)
	}
	fmt.Fprintf(w, "# Results %d to %d\n\n", m.results+1, m.results+len(results))
	m.results += len(results)
	writeMarkdown(w, results)
}

// end is part of partFormat: it writes the totals.
func (m *markdownParts) end(w *bufio.Writer) {
	fmt.Fprintf(w, "\n# All %d results\n\n%s", m.results, countsHead)
	for _, name := range m.suites {
		w.WriteString(m.counts[name].row(name))
	}
}
