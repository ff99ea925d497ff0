package gopackage

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file makes tables.go, the tables that explain rejections. They are a deterministic automaton whose
// states know the productions that a string is in and what could follow there (package annotated). If a
// production embeds itself, or the automaton is too large, they are the tables of a general parser instead.
//
// The tables are made from the grammar and not from the parser. So each is compared with the automaton of the
// code: a defect in one of the two would show.

// maxAutomatonSteps caps the steps for the automaton that explains rejections.
const maxAutomatonSteps = 1 << 27

// rejectionAutomaton returns the automaton that explains rejections. It fails if a production embeds itself
// or has a scanner, or if the automaton is too large.
func (p *writer) rejectionAutomaton() (*ast.Tables, error) {
	if err := p.scannerError(); err != nil {
		return nil, err
	}
	g := p.bnf.With(p.bnf.Rules)
	g.Budget = g.Budget.Part(maxAutomatonSteps)
	return annotated.Build(g, p.isLexical)
}

// Certified returns the subject of a certificate for the package: the grammar, the PEG if the package is made
// of one, and, as its parser, the automaton that explains rejections. ids has the production that Parse
// derives if src.Start names it; nil stands for all. It fails if the source is wrong, or if there is no
// automaton for a production.
func Certified(src Source) (of certificate.Source, ids []string, err error) {
	defer budget.Catch(&err)
	p, err := newWriter(src)
	if err != nil {
		return of, nil, err
	}
	of, ids = p.certificateSource()
	m, err := p.rejectionAutomaton()
	if err != nil {
		return of, nil, err
	}
	of.Parser = &ast.Grammar{Tables: m, Productions: make([]ast.Production, 1)}
	for _, r := range p.bnf.Rules {
		of.Parser.Productions = append(of.Parser.Productions, ast.Production{ID: r.ID})
	}
	return of, ids, nil
}

// makeTablesFile returns tables.go, with the tables of makeTables. It sets p.needsGeneral, and fails, as makeTables
// does.
func (p *writer) makeTablesFile() ([]byte, error) {
	var b bytes.Buffer
	m, packed, states, err := p.makeTables()
	switch {
	case err != nil:
		return nil, err
	case m == nil:
		why, scanners := "Productions embed themselves.", ""
		if len(p.scanned) > 0 {
			why, scanners = "Productions have scanners.", "Scanners: scanners, "
		}
		p.writeTablesHead(&b, "explaining explains rejections by a parser that knows each production: %d states. "+
			"%s\nvar explaining = ast.General{%sPacked: %s}\n", states, why, scanners, pegtogo.Packed(packed))
		return b.Bytes(), nil
	}
	p.writeTablesHead(&b, "tables holds the automaton that explains rejections: %d states over %d "+
		"classes of bytes.\nvar tables = ast.Tables{", states, m.Width)
	if p.Plain {
		p.writePlainTables(&b, m)
	} else {
		b.WriteString("Packed: " + pegtogo.Packed(annotated.PackTables(m)) + "}\n")
	}
	return b.Bytes(), nil
}

// makeTables returns the automaton m that explains rejections, compared with the automata in p.languages;
// explaining is then "". If there is no automaton, because a production embeds itself or a limit is passed,
// it sets p.needsGeneral, m is nil, and explaining has the packed tables of a general parser. states is the
// number of states of either. makeTables fails if the automaton differs from that of the code, or if the
// tables of the general parser cannot be made.
func (p *writer) makeTables() (m *ast.Tables, explaining string, states int, err error) {
	m, err = p.rejectionAutomaton()
	if err != nil {
		p.needsGeneral = true
		explaining, states, err = interpreter.Explaining(p.bnf)
		return nil, explaining, states, err
	}
	if err := p.compareWithCode(m); err != nil {
		return nil, "", 0, err
	}
	return m, "", len(m.Note), nil
}

// compareWithCode returns an error if the tables derive a production otherwise than the automaton of its code
// does, with a shortest string on which the two differ. Productions without an automaton are skipped.
func (p *writer) compareWithCode(m *ast.Tables) error {
	machine := (&ast.Grammar{Tables: m}).Machine()
	for i, r := range p.bnf.Rules {
		d := p.languages[r.ID]
		if d == nil {
			continue
		}
		if w, differ := firstDifference(machine, m.Starts[i+1], d); differ {
			const format = "the table of `%s` and the automaton of its code differ on %s"
			return expr.Errorf(r.Pos, format, r.Name, quote.Word(w))
		}
	}
	return nil
}

// writePlainTables writes the fields of tables as readable Go, and the brace that closes them.
func (p *writer) writePlainTables(b *bytes.Buffer, m *ast.Tables) {
	b.WriteByte('\n')
	b.WriteString("Classes: [256]uint8{\n")
	writeLists(b, m.Classes[:])
	fmt.Fprintf(b, "},\nWidth: %d,\nNext: []uint16{\n", m.Width)
	for q := range m.Note {
		writeList(b, m.Next[q*m.Width:(q+1)*m.Width])
	}
	b.WriteString("},\nNote: []uint16{\n")
	writeLists(b, m.Note)
	b.WriteString("},\nNotes: []ast.TableNote{\n")
	kind := func(k ast.Kind) string { return p.kindName(p.bnf.Rules[k-1].ID) }
	kinds := func(ks []ast.Kind) string {
		names := make([]string, len(ks))
		for i, k := range ks {
			names[i] = kind(k)
		}
		return "[]ast.Kind{" + strings.Join(names, ", ") + "}"
	}
	for _, n := range m.Notes {
		b.WriteByte('{')
		if n.Accept {
			b.WriteString("Accept: true, ")
		}
		if len(n.In) > 0 {
			fmt.Fprintf(b, "In: %s, ", kinds(n.In))
		}
		if len(n.Expected) > 0 {
			b.WriteString("Expected: []uint16{")
			for i, x := range n.Expected {
				if i > 0 {
					b.WriteString(", ")
				}
				fmt.Fprint(b, x)
			}
			b.WriteByte('}')
		}
		b.WriteString("},\n")
	}
	b.WriteString("},\nExpectations: []ast.Expectation{\n")
	for _, x := range m.Expectations {
		fmt.Fprintf(b, "{Term: %q, First: ast.ByteSet{%#x, %#x, %#x, %#x}, In: %s},\n",
			x.Term, x.First[0], x.First[1], x.First[2], x.First[3], kinds(x.In))
	}
	b.WriteString("},\nStarts: [][]ast.TableStart{\n")
	for k, starts := range m.Starts {
		if k == 0 { // kinds count from 1
			continue
		}
		fmt.Fprintf(b, "%s: {", kind(ast.Kind(k)))
		for _, st := range starts {
			fmt.Fprintf(b, "{Prefix: %q, State: %d, Explained: %s}, ",
				st.Prefix, st.State, kind(st.Explained))
		}
		b.WriteString("},\n")
	}
	b.WriteString("},\n}\n")
}

// writeTablesHead writes the beginning of tables.go: the header, the import, and a variable with its comment.
// format and args begin with the text of the comment.
func (p *writer) writeTablesHead(b *bytes.Buffer, format string, args ...any) {
	p.writeHeader(b)
	fmt.Fprintf(b, "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n\n// ", p.Package)
	fmt.Fprintf(b, format, args...)
}

// firstDifference returns a shortest string that the table accepts and the automaton does not, or the other way round.
// The table accepts a string if it does so from any of the starts; their prefixes do not matter. differ is false if
// there is no such string. firstDifference walks both sides at once, breadth-first; on the side of the table that takes
// a list of states, one for each start.
func firstDifference(m ast.Machine, starts []ast.TableStart, d *lang.DFA) (w string, differ bool) {
	type place struct {
		states string // of the table, packed as by packStates
		q      int    // of the automaton
	}
	// One byte stands for all that both sides read alike.
	var first []byte
	seen := map[[2]int]bool{}
	for x := range 256 {
		classes := [2]int{m.Class(byte(x)), d.ClassOf(byte(x))}
		if !seen[classes] {
			seen[classes] = true
			first = append(first, byte(x))
		}
	}
	var states []uint16
	for _, s := range starts {
		states = append(states, s.State)
	}
	from := place{packStates(states), 0}
	words := map[place]string{from: ""} // a shortest string to each place
	for queue := []place{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		states := unpackStates(at.states)
		if slices.ContainsFunc(states, m.Accepts) != d.Accepts(at.q) {
			return words[at], true
		}
		for _, x := range first {
			var next []uint16
			for _, q := range states {
				if q := m.Step(q, x); q != 0 { // 0 leads nowhere
					next = append(next, q)
				}
			}
			to := place{packStates(next), d.Next(at.q, x)}
			if _, known := words[to]; !known {
				words[to] = words[at] + string([]byte{x})
				queue = append(queue, to)
			}
		}
	}
	return "", false
}

// packStates returns states as a string, two bytes each, so that they can be part of a map's key.
func packStates(states []uint16) string {
	b := make([]byte, 0, 2*len(states))
	for _, q := range states {
		b = append(b, byte(q>>8), byte(q))
	}
	return string(b)
}

// unpackStates is the inverse of packStates.
func unpackStates(packed string) []uint16 {
	var states []uint16
	for i := 0; i < len(packed); i += 2 {
		states = append(states, uint16(packed[i])<<8|uint16(packed[i+1]))
	}
	return states
}

// writeLists writes numbers, 32 to a line.
func writeLists[N uint8 | uint16](b *bytes.Buffer, ns []N) {
	for line := range slices.Chunk(ns, 32) {
		writeList(b, line)
	}
}

// writeList writes numbers in one line, each with a comma after it.
func writeList[N uint8 | uint16](b *bytes.Buffer, ns []N) {
	for _, n := range ns {
		fmt.Fprintf(b, "%d, ", n)
	}
	b.WriteByte('\n')
}
