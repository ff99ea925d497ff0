package gopackage

import (
	"bytes"
	_ "embed"
	"fmt"
)

//go:embed generated_test.go.txt
var testText string

// testFile returns the file with the test. It is the same in every package, but for the words.
func (p *writer) testFile() ([]byte, error) {
	var b bytes.Buffer
	p.header(&b)
	fmt.Fprintf(&b, "package %s\n\n%s", p.Package, testText)
	b.WriteString("\n// generatedWords has a short string of each production that derives one.\nvar generatedWords = map[ast.Kind]string{\n")
	words := shortest(p.bnf)
	for _, r := range p.bnf.Rules {
		if w, ok := words[r.ID]; ok && !p.unparsed[r.ID] && len(w) <= 200 {
			fmt.Fprintf(&b, "%s: %q,\n", p.kind(r.ID), w)
		}
	}
	b.WriteString("}\n")
	return b.Bytes(), nil
}
