package gopackage

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// automaton returns the automaton that explains rejections. The error is a production that embeds itself, or one that is too large.
func (p *writer) automaton() (*ast.Tables, error) {
	g := p.bnf.With(p.bnf.Rules)
	g.Budget = g.Budget.Part(1 << 27)
	return annotated.Build(g, p.lexical)
}

// Certified returns what a certificate of the package is about, and which productions: the grammar, the PEG if the package is made of
// one, and the automaton that explains rejections, in the tables of the package.
func Certified(src Source) (of certificate.Source, ids []string, err error) {
	defer budget.Catch(&err)
	p, err := load(src)
	if err != nil {
		return of, nil, err
	}
	of, ids = p.certified()
	m, err := p.automaton()
	if err != nil {
		return of, nil, err
	}
	of.Parser = &ast.Grammar{Tables: m, Productions: make([]ast.Production, 1)}
	for _, r := range p.bnf.Rules {
		of.Parser.Productions = append(of.Parser.Productions, ast.Production{ID: r.ID})
	}
	return of, ids, nil
}

// tables returns the file with the tables of the automaton that explains rejections.
func (p *writer) tables() ([]byte, error) {
	var b bytes.Buffer
	m, err := p.automaton()
	if err != nil { // a production embeds itself, or it is too large
		p.nested = true
		n, err := annotated.Network(p.bnf, p.lexical)
		if err != nil {
			return nil, err
		}
		p.tablesFile(&b, "network holds the automata that explain rejections: %d states. Productions embed themselves.\nvar network = ast.Network{Packed: %s}\n",
			len(n.Kind), pegtogo.Packed(annotated.PackNetwork(n)))
		return b.Bytes(), nil
	}
	machine := (&ast.Grammar{Tables: m}).Machine()
	for i, r := range p.bnf.Rules {
		if d := p.languages[r.ID]; d != nil {
			if w, apart := apart(machine, m.Starts[i+1], d); apart {
				return nil, expr.Errorf(r.Pos, "the table of `%s` and the automaton of its code differ on %s", r.Name, quote.Word(w))
			}
		}
	}
	p.tablesFile(&b, "tables holds the automaton that explains rejections: %d states over %d classes of bytes.\nvar tables = ast.Tables{", len(m.Note), m.Width)
	if !p.Plain {
		b.WriteString("Packed: " + pegtogo.Packed(annotated.PackTables(m)) + "}\n")
		return b.Bytes(), nil
	}
	b.WriteByte('\n')
	b.WriteString("Classes: [256]uint8{\n")
	lines(&b, m.Classes[:])
	fmt.Fprintf(&b, "},\nWidth: %d,\nNext: []uint16{\n", m.Width)
	for q := range m.Note {
		numbers(&b, m.Next[q*m.Width:(q+1)*m.Width])
	}
	b.WriteString("},\nNote: []uint16{\n")
	lines(&b, m.Note)
	b.WriteString("},\nNotes: []ast.TableNote{\n")
	kind := func(k ast.Kind) string { return p.kind(p.bnf.Rules[k-1].ID) }
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
			fmt.Fprintf(&b, "In: %s, ", kinds(n.In))
		}
		if len(n.Expected) > 0 {
			b.WriteString("Expected: []uint16{")
			for i, x := range n.Expected {
				if i > 0 {
					b.WriteString(", ")
				}
				fmt.Fprint(&b, x)
			}
			b.WriteByte('}')
		}
		b.WriteString("},\n")
	}
	b.WriteString("},\nExpectations: []ast.Expectation{\n")
	for _, x := range m.Expectations {
		fmt.Fprintf(&b, "{Term: %q, First: ast.ByteSet{%#x, %#x, %#x, %#x}, In: %s},\n", x.Term, x.First[0], x.First[1], x.First[2], x.First[3], kinds(x.In))
	}
	b.WriteString("},\nStarts: [][]ast.TableStart{\n")
	for k, starts := range m.Starts {
		if k == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s: {", kind(ast.Kind(k)))
		for _, st := range starts {
			fmt.Fprintf(&b, "{Prefix: %q, State: %d, Explained: %s}, ", st.Prefix, st.State, kind(st.Explained))
		}
		b.WriteString("},\n")
	}
	b.WriteString("},\n}\n")
	return b.Bytes(), nil
}

// tablesFile begins the file with a variable and its comment.
func (p *writer) tablesFile(b *bytes.Buffer, format string, args ...any) {
	p.header(b)
	fmt.Fprintf(b, "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n\n// "+format, append([]any{p.Package}, args...)...)
}

// apart returns a shortest string that a table accepts from one of its states and an automaton does not, or the other way, if there
// is one.
func apart(m ast.Machine, starts []ast.TableStart, d *lang.DFA) (w string, differ bool) {
	type place struct {
		states string // of the table, two bytes each
		q      int
	}
	var first []byte // of the bytes that both read alike
	alike := map[[2]int]bool{}
	for x := range 256 {
		if k := [2]int{m.Class(byte(x)), d.ClassOf(byte(x))}; !alike[k] {
			alike[k] = true
			first = append(first, byte(x))
		}
	}
	from := place{"", 0}
	for _, s := range starts {
		from.states += string([]byte{byte(s.State >> 8), byte(s.State)})
	}
	words, todo := map[place]string{from: ""}, []place{from}
	for ; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		accepts := false
		for i := 0; i < len(at.states); i += 2 {
			accepts = accepts || m.Accepts(uint16(at.states[i])<<8|uint16(at.states[i+1]))
		}
		if accepts != d.Accepts(at.q) {
			return words[at], true
		}
		for _, x := range first {
			to := place{"", d.Next(at.q, x)}
			for i := 0; i < len(at.states); i += 2 {
				if q := m.Step(uint16(at.states[i])<<8|uint16(at.states[i+1]), x); q != 0 {
					to.states += string([]byte{byte(q >> 8), byte(q)})
				}
			}
			if _, known := words[to]; !known {
				words[to] = words[at] + string([]byte{x})
				todo = append(todo, to)
			}
		}
	}
	return "", false
}

// lines writes numbers, 32 to a line.
func lines[N uint8 | uint16](b *bytes.Buffer, ns []N) {
	for line := range slices.Chunk(ns, 32) {
		numbers(b, line)
	}
}

func numbers[N uint8 | uint16](b *bytes.Buffer, ns []N) {
	for _, n := range ns {
		fmt.Fprintf(b, "%d, ", n)
	}
	b.WriteByte('\n')
}
