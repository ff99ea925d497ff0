package results

import (
	"bufio"
	"fmt"
	"io"
)

// partLength is how many results are kept until they are written. The totals of a part stand in front of it, so that memory does not
// grow with the number of parts.
const partLength = 10_000

// A partWriter writes a document whose totals stand in front of the results. One of at most partLength results is written as a whole.
// A longer one is written in parts.
type partWriter struct {
	out    *bufio.Writer
	most   int // results of a part
	list   []Result
	format partFormat
	parts  int
}

// A partFormat writes the pieces of a document.
type partFormat interface {
	whole(w io.Writer, results []Result) error
	part(w io.Writer, number int, results []Result) error // from 0
	end(w io.Writer) error                                // behind the last part
}

func newParts(w io.Writer, format partFormat) *partWriter {
	return &partWriter{out: bufio.NewWriter(w), most: partLength, format: format}
}

// Write writes results.
func (p *partWriter) Write(results []Result) error {
	for _, r := range results {
		if len(p.list) == p.most {
			if err := p.flush(); err != nil {
				return err
			}
		}
		p.list = append(p.list, r)
	}
	return nil
}

func (p *partWriter) flush() error {
	err := p.format.part(p.out, p.parts, p.list)
	p.parts++
	clear(p.list)
	p.list = p.list[:0]
	return err
}

// Close writes what is left, and the end.
func (p *partWriter) Close() error {
	if p.parts == 0 {
		if err := p.format.whole(p.out, p.list); err != nil {
			return err
		}
		return p.out.Flush()
	}
	if err := p.flush(); err != nil {
		return err
	}
	if err := p.format.end(p.out); err != nil {
		return err
	}
	return p.out.Flush()
}

// junitParts writes each part as a suite for each that has results in it, so that suites of one name follow each other; those who
// read the document add up suites in any case. The totals of all, which would come first, are left out.
type junitParts struct{ suites int }

func (*junitParts) whole(w io.Writer, results []Result) error { return WriteJUnit(w, results) }

func (j *junitParts) part(w io.Writer, number int, results []Result) error {
	if number == 0 {
		if _, err := io.WriteString(w, junitBegin); err != nil {
			return err
		}
	}
	for _, suite := range bySuite(results) {
		if err := writeSuite(w, junitSuite(j.suites, suite)); err != nil {
			return err
		}
		j.suites++
	}
	return nil
}

func (*junitParts) end(w io.Writer) error {
	_, err := io.WriteString(w, junitEnd)
	return err
}

// markdownParts writes each part under a heading of its own, and the totals of all at the end.
type markdownParts struct {
	results int
	suites  []string // in their order
	counts  map[string]counts
}

func (*markdownParts) whole(w io.Writer, results []Result) error { return WriteMarkdown(w, results) }

func (m *markdownParts) part(w io.Writer, number int, results []Result) error {
	if number > 0 {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
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
	if _, err := fmt.Fprintf(w, "# Results %d to %d\n\n", m.results+1, m.results+len(results)); err != nil {
		return err
	}
	m.results += len(results)
	return WriteMarkdown(w, results)
}

func (m *markdownParts) end(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "\n# All %d results\n\n%s", m.results, countsHead); err != nil {
		return err
	}
	for _, name := range m.suites {
		if _, err := io.WriteString(w, m.counts[name].row(name)); err != nil {
			return err
		}
	}
	return nil
}
