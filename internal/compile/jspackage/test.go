package jspackage

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	unicode "unicode/utf8"
)

//go:embed generated.test.js.txt
var testText string

// writeTest returns the test for node --test. The tests are the same in every package; what differs
// is the words, in pairs since a production may be called __proto__.
func (m *module) writeTest() []byte {
	var b bytes.Buffer
	m.writeHeader(&b)
	fmt.Fprintf(&b, "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n\n"+
		"import * as grammar from './%s';\n\n%s\n", ModuleName(m.Source.Package), strings.TrimSpace(testText))
	b.WriteString("\n// Of each production that derives one, a short string, and some more of those that nest.\n" +
		"const words = [\n")
	for _, r := range m.Grammar.Rules {
		if list := m.Words[r.ID]; len(list) > 0 {
			fmt.Fprintf(&b, "  [%s, [", literal(r.ID))
			for i, w := range list {
				if i > 0 {
					b.WriteString(", ")
				}
				b.WriteString(inputLiteral(m.encoding, w))
			}
			b.WriteString("]],\n")
		}
	}
	b.WriteString("];\n")
	return b.Bytes()
}

// inputLiteral returns bytes as an input in JavaScript: a string, if a module that reads strings in this way reads one
// as these bytes, and otherwise a Uint8Array.
func inputLiteral(reads encoding, word string) string {
	switch {
	case reads == latin1:
		var b strings.Builder
		for _, c := range []byte(word) {
			b.WriteRune(rune(c))
		}
		return literal(b.String())
	case unicode.ValidString(word):
		return literal(word)
	}
	numbers := make([]string, len(word))
	for i, c := range []byte(word) {
		numbers[i] = fmt.Sprint(c)
	}
	return "Uint8Array.of(" + strings.Join(numbers, ", ") + ")"
}
