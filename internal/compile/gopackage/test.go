package gopackage

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

//go:embed generated_test.go.txt
var testText string

// maxTestWord caps the length of a word in the generated test.
const maxTestWord = 200

// makeTestFile returns generated_test.go. The tests are the same in every package. Three things differ:
// generatedWords, which leaves out words longer than maxTestWord; generatedChecker, which is nil unless
// p.usesGeneral is set; and ExampleParse, which is missing if no short word is found for it. makeTestFile
// uses p.usesGeneral and p.generalWords, so makeParserFile must have run. The error is always nil.
func (p *writer) makeTestFile() ([]byte, error) {
	var b bytes.Buffer
	p.writeHeader(&b)
	fmt.Fprintf(&b, "package %s\n\n%s", p.Package, testText)
	if p.usesGeneral {
		b.WriteString("\n// generatedChecker finds whether a tree is a derivation.\nvar " +
			"generatedChecker, _ = NewChecker()\n")
	} else {
		b.WriteString("\n// generatedChecker is nil: no production is left to the general parser.\nvar " +
			"generatedChecker *ast.Checker\n")
	}
	b.WriteString("\n// generatedWords has a short string of each production that derives one, and some of each " +
		"that the general parser derives.\n" +
		"var generatedWords = map[ast.Kind][]string{\n")
	words := p.testWords()
	for _, r := range p.bnf.Rules {
		for i, w := range words[r.ID] {
			if i == 0 {
				b.WriteString(p.kindName(r.ID) + ": {")
			}
			fmt.Fprintf(&b, "%q, ", w)
		}
		if len(words[r.ID]) > 0 {
			b.WriteString("},\n")
		}
	}
	b.WriteString("}\n")
	if w, ok := p.exampleWord(shortWords(p.withoutScanned())); ok && len(w) <= maxTestWord {
		fmt.Fprintf(&b, `
func ExampleParse() {
	tree, err := Parse(%q)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%%s derives %%q\n", tree.Root().Name(), tree.Root().Text())
	// Output: %s derives %[1]q
}
`, w, p.start.Name)
	}
	return b.Bytes(), nil
}

// exampleDepth caps how deep productions are followed for the word of the example.
const exampleDepth = 4

// exampleWord returns a string that the start derives and that tells a reader something: it has the optional parts,
// made of letters where letters can stand, and of each choice the first alternative that gives a word. Productions
// that are used more than exampleDepth deep contribute their words in shortest. It returns false if the start has a
// scanner, or if no word is found: wordOf has the limits.
func (p *writer) exampleWord(shortest map[string]string) (string, bool) {
	e := &exampleFinder{p: p, shortest: shortest, known: map[use]*string{}}
	if p.isScanner(p.start.ID) {
		return "", false
	}
	return e.wordOf(p.start.Expr, exampleDepth)
}

// A use is a production, and the depth to which it may still be followed.
type use struct {
	id    string
	depth int
}

// An exampleFinder finds the word of the example. known holds the word of each use, nil if it has none.
type exampleFinder struct {
	p        *writer
	shortest map[string]string // by production, but for those with scanners
	known    map[use]*string
}

// wordOf returns a string that e derives, following productions down to a depth: of a choice from the first
// alternative that has one; of a repetition that may be absent, one round if that has a word. It returns false if it
// finds none. A sequence or a repetition of more than maxShortWord bytes counts as none; a literal may have any
// length.
func (f *exampleFinder) wordOf(e *expr.Expr, depth int) (w string, ok bool) {
	switch e.Op {
	case expr.Empty:
		return "", true
	case expr.Class:
		// Letters first, then digits, then what can be printed.
		for _, r := range [][2]byte{{'a', 'z'}, {'0', '9'}, {'A', 'Z'}, {'!', '~'}, {0, 255}} {
			m := e.Set.Intersect(expr.Range(r[0], r[1])).Members()
			if len(m) > 0 {
				return string([]byte{m[0]}), true
			}
		}
	case expr.Literal:
		return e.Lit, true
	case expr.Ref:
		return f.wordOfRef(e.Name, depth)
	case expr.Repeat:
		w, ok = f.wordOf(e.Sub[0], depth)
		if e.Min == 0 && (!ok || e.Max == 0) {
			return "", true
		}
		if n := max(e.Min, 1); ok && len(w)*n <= maxShortWord {
			return strings.Repeat(w, n), true
		}
	case expr.Seq:
		for _, s := range e.Sub {
			more, ok := f.wordOf(s, depth)
			w += more
			if !ok || len(w) > maxShortWord {
				return "", false
			}
		}
		return w, true
	case expr.Alt:
		for _, s := range e.Sub {
			if w, ok = f.wordOf(s, depth); ok {
				return w, true
			}
		}
	}
	return "", false
}

// wordOfRef is wordOf for a reference to a production, and keeps the result in f.known. At a depth of 0 the word is
// that in f.shortest. A production with a scanner has no word: ok is then false.
func (f *exampleFinder) wordOfRef(id string, depth int) (w string, ok bool) {
	key := use{id, depth}
	known, done := f.known[key]
	if !done {
		if depth == 0 {
			w, ok = f.shortest[id]
		} else if !f.p.isScanner(id) {
			w, ok = f.wordOf(f.p.bnf.Rule(id).Expr, depth-1)
		}
		if ok {
			known = &w
		}
		f.known[key] = known
	}
	if known == nil {
		return "", false
	}
	return *known, true
}
