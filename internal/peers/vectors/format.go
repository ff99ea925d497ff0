package vectors

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"go/token"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Format is a way to write vectors.
type Format string

// The formats.
const (
	Lines     Format = "lines"  // see [Plan.WriteLines]
	JSONLines Format = "jsonl"  // see [Plan.WriteJSONLines]
	CSV       Format = "csv"    // see [Plan.WriteCSV]
	GoTest    Format = "go"     // see [Plan.WriteGoTest]
	JS        Format = "js"     // see [Plan.WriteJS]
	Python    Format = "python" // see [Plan.WritePython]

	SchemaSuite Format = "json-schema-test-suite" // see [Plan.WriteSchemaSuite]
)

// maxGoTest caps the vectors of a Go file, which is formatted as a whole.
const maxGoTest = 1_000_000

// Formats lists all formats.
var Formats = []Format{Lines, JSONLines, CSV, GoTest, JS, Python, SchemaSuite}

// Write writes all vectors in a format. It fails for an unknown format, where the method for the format fails, and if w
// does.
func (p *Plan) Write(w io.Writer, f Format) (err error) {
	write := map[Format]func(*Plan, io.Writer) error{
		Lines: (*Plan).WriteLines, JSONLines: (*Plan).WriteJSONLines, CSV: (*Plan).WriteCSV,
		GoTest: (*Plan).WriteGoTest, JS: (*Plan).WriteJS, Python: (*Plan).WritePython,
		SchemaSuite: (*Plan).WriteSchemaSuite,
	}[f]
	if write == nil {
		return fmt.Errorf("no format %q; there are %v", f, Formats)
	}
	b := bufio.NewWriter(w)
	defer func() { // even the panic of a passed limit leaves whole vectors
		err = cmp.Or(err, b.Flush())
	}()
	return write(p, b)
}

// WriteLines writes one vector a line: for each judge "+" or "-", a space, and the input. In the input a backslash is
// written as two, and a byte that is not printable ASCII as \xHH. Lines of the header begin with "#".
func (p *Plan) WriteLines(w io.Writer) error {
	b := bufio.NewWriter(w)
	writeCommentLines(b, "#", p.Header())
	var verdicts []bool
	for e := range p.inputs() {
		p.Subject.budget().Step(1 + len(e.Word)/8)
		verdicts = p.Subject.verdicts(verdicts[:0], e.Word)
		for _, accept := range verdicts {
			b.WriteByte(signOf(accept))
		}
		b.WriteByte(' ')
		b.WriteString(Escape(e.Word))
		// Check each line: there may be more vectors than anybody can wait for.
		if err := b.WriteByte('\n'); err != nil {
			return err
		}
	}
	return b.Flush()
}

// writeCommentLines writes lines, each after a sign and a space.
func writeCommentLines(w io.Writer, sign string, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, sign, line)
	}
}

// signOf returns '+' for a string to accept, and '-' for one to reject.
func signOf(accept bool) byte {
	if accept {
		return '+'
	}
	return '-'
}

// Escape returns s in the form of a line: with a backslash as two, and a byte that is not printable ASCII as \xHH.
func Escape(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		switch x := s[i]; {
		case x == '\\':
			b.WriteString(`\\`)
		case x < ' ' || x > '~':
			fmt.Fprintf(&b, `\x%02x`, x)
		default:
			b.WriteByte(x)
		}
	}
	return b.String()
}

// isPlain reports whether [Escape] leaves s as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '\\' {
			return false
		}
	}
	return true
}

// Unescape is the inverse of [Escape]. It fails at a backslash that begins neither of the two forms, and names the
// offset.
func Unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\\':
			b.WriteByte(s[i])
		case strings.HasPrefix(s[i:], `\\`):
			b.WriteByte('\\')
			i++
		default:
			hex := s[i:min(i+4, len(s))]
			x, err := strconv.ParseUint(strings.TrimPrefix(hex, `\x`), 16, 8)
			if err != nil || len(hex) < 4 || hex[1] != 'x' {
				return "", fmt.Errorf("offset %d: %q is no escape", i, hex)
			}
			b.WriteByte(byte(x))
			i += 3
		}
	}
	return b.String(), nil
}

// WriteJSONLines writes one JSON object a line. The first is {"header": [...]}; the others have the members, in this
// order,
//
//	input        the input, if it is UTF-8
//	base64       the input in base64, if it is not
//	accept       an object: the name of each judge's grammar, and whether its production derives the input; of a
//	             model, the parser's name, and whether the model accepts the input
//	components   an object, if the subject's own grammar derives the input and finds any; see [Components]
//	productions  the IDs that [Vector] describes
//	part         the part that the vector belongs to
//	why          as in [Vector]; left out if empty
func (p *Plan) WriteJSONLines(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString(`{"header":`)
	writeJSON(b, p.Header())
	b.WriteString("}\n")
	for v := range p.Vectors() {
		p.Subject.writeObject(b, v)
		if err := b.WriteByte('\n'); err != nil {
			return err
		}
	}
	return b.Flush()
}

// writeObject writes a vector as a JSON object in one line, without the line end. Input that is not UTF-8 is written
// in base64.
func (s *Subject) writeObject(b *bufio.Writer, v Vector) {
	// The members are written one by one, since a map would lose their order.
	if text, base64 := quote.Split(v.Input); text != nil {
		b.WriteString(`{"input":`)
		writeJSON(b, *text)
	} else {
		b.WriteString(`{"base64":`)
		writeJSON(b, base64)
	}
	b.WriteString(`,"accept":{`)
	for i, accept := range v.Accept {
		if i > 0 {
			b.WriteByte(',')
		}
		writeJSON(b, s.Judges[i].Name())
		fmt.Fprintf(b, ":%t", accept)
	}
	b.WriteByte('}')
	if len(v.Components) > 0 {
		b.WriteString(`,"components":{`)
		for i, c := range v.Components {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, c.Name)
			b.WriteByte(':')
			writeJSON(b, c.Value)
		}
		b.WriteByte('}')
	}
	b.WriteString(`,"productions":`)
	writeJSON(b, v.Productions)
	fmt.Fprintf(b, `,"part":"%s"`, v.Part)
	if v.Why != "" {
		b.WriteString(`,"why":`)
		writeJSON(b, v.Why)
	}
	b.WriteByte('}')
}

// WriteSweep writes the sweep in few lines, whatever parts the plan has. A line has "+" or "-" for the subject's own
// production and, after tabs, the text before the byte, a class of bytes in brackets (all of them are [\x00-\xff]),
// and the text after it. A line stands for as many vectors as its class has bytes. Text is written as in
// [Plan.WriteLines]; the class is one of Perl's and most others' regular expressions. Lines of the header begin with
// "#". The subject must have an automaton.
func (p *Plan) WriteSweep(w io.Writer) error {
	b := bufio.NewWriter(w)
	writeCommentLines(b, "#", p.Header())
	for _, r := range SweepRows(p.Subject.DFA) {
		fmt.Fprintf(b, "%c\t%s\t%s\t%s\n", signOf(r.Accept), Escape(r.Before), bracketedClass(r.Bytes), Escape(r.After))
	}
	return b.Flush()
}

// bracketedClass returns a class in brackets. For all bytes it does not return ".", which matches no line end in most
// regular expressions.
func bracketedClass(s expr.Set) string {
	if s == expr.AnyByte {
		return `[\x00-\xff]`
	}
	return s.String()
}

// writeJSON writes a string, bytes or a list of strings as JSON. That cannot fail for these.
func writeJSON(b *bufio.Writer, v any) {
	text, _ := quote.AppendJSON(b.AvailableBuffer(), v)
	b.Write(text)
}

// WriteCSV writes a table as in RFC 4180, with a row of names in place of the header. The columns are input and
// base64, one of which is filled (base64 if the input is not printable ASCII, so that no reader's idea of line ends
// matters); each judge's grammar, with true or false; the names of the components that are there, separated by
// spaces; the components; the productions, separated by spaces; the part; the reason.
func (p *Plan) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"input", "base64"}
	for _, j := range p.Subject.Judges {
		head = append(head, j.Name())
	}
	c.Write(slices.Concat(head, []string{"components"}, p.Subject.ComponentNames(),
		[]string{"productions", "part", "why"}))
	for v := range p.Vectors() {
		row := []string{v.Input, ""}
		if Escape(v.Input) != strings.ReplaceAll(v.Input, `\`, `\\`) {
			row = []string{"", base64.StdEncoding.EncodeToString([]byte(v.Input))}
		}
		for _, accept := range v.Accept {
			row = append(row, strconv.FormatBool(accept))
		}
		names, values := []string{}, make([]string, len(p.Subject.ComponentNames()))
		for _, c := range v.Components {
			names = append(names, c.Name)
			values[slices.Index(p.Subject.ComponentNames(), c.Name)] = c.Value
		}
		row = append(append(row, strings.Join(names, " ")), values...)
		if err := c.Write(append(row, strings.Join(v.Productions, " "), string(v.Part), v.Why)); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// WriteGoTest writes a Go test file of [Options.Package]. It holds a test that calls the function [Options.Function] of
// that package,
//
//	func accepts(s string) bool
//
// for every vector, and expects what the subject's own production or model says. The file is made in memory, and users
// compile it, so more than maxGoTest vectors are an error. So is a name that is no identifier. Nothing is written
// then.
func (p *Plan) WriteGoTest(w io.Writer) error {
	pkg, function := cmp.Or(p.Options.Package, "vectors"), cmp.Or(p.Options.Function, "accepts")
	for _, name := range []string{pkg, function} {
		if !token.IsIdentifier(name) || name == "_" {
			return fmt.Errorf("%q is no identifier of Go", name)
		}
	}
	// The sizes are known before the vectors are made, and there may be more than fit anywhere.
	total := new(big.Int)
	for _, size := range p.Sizes() {
		total.Add(total, size.Vectors)
	}
	if total.Cmp(big.NewInt(maxGoTest)) > 0 {
		return fmt.Errorf("too large: %s vectors, and a Go file can have %d: choose another format", total, maxGoTest)
	}
	s := p.Subject
	own := s.ownJudge()
	var b bytes.Buffer
	b.WriteString("// Code generated by bnfcheck vectors. DO NOT EDIT.\n\n")
	fmt.Fprintf(&b, "package %s\n\nimport \"testing\"\n\n", pkg)
	name := ""
	if s.Model != nil {
		name = goIdentifier(s.Model.Name)
	} else {
		name = goIdentifier(s.Grammar.Name + "_" + s.ID())
	}
	writeCommentLines(&b, "//", p.Header())
	fmt.Fprintf(&b, "\nfunc Test_%[1]s(t *testing.T) {\n\tfor _, v := range vectors_%[1]s {\n\t\tif got := "+
		"%[2]s(v.input); got != v.accept {\n"+
		"\t\t\tt.Errorf(\"%[2]s(%%q) = %%t\", v.input, got)\n\t\t}\n\t}\n}\n\n", name, function)
	fmt.Fprintf(&b, "var vectors_%s = []struct {\n\tinput  string\n\taccept bool\n}{\n", name)
	for v := range p.Vectors() {
		fmt.Fprintf(&b, "\t{%s, %t},\n", strconv.QuoteToASCII(v.Input), v.Accept[own])
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// goIdentifier returns a name in a form that can end a Go identifier: "+" becomes "plus", and any other sign but "_"
// becomes that. Several names can have one form.
func goIdentifier(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, strings.ReplaceAll(name, "+", "plus"))
}
