package literals_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/examples/literals"
)

// A literal says how many bytes it has. Here it has a bracket and a line end in it, which end nothing.
func Example() {
	tree, err := literals.Parse("* 7 FETCH (UID 12 BODY {14}\r\nHello ;-)\r\nyou FLAGS (\"seen\" {0}\r\n))\r\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	for fetch := range literals.AsResponses(tree.Root()).Fetch() {
		fmt.Println("message", fetch.Number().Text())
		for item := range fetch.Item() {
			fmt.Printf("%s = %q\n", item.Name().Text(), content(item.Value()))
		}
	}
	// Output:
	// message 7
	// UID = "12"
	// BODY = "Hello ;-)\r\nyou"
	// FLAGS = "(\"seen\" {0}\r\n)"
}

// content returns a value without what is around it.
func content(v literals.Value) string {
	switch v.Alternative() {
	case literals.ValueQuoted:
		return strings.Trim(v.Text(), `"`)
	case literals.ValueLiteral:
		_, text, _ := strings.Cut(v.Text(), "\r\n")
		return text
	}
	return v.Text()
}

// A program that reads from a connection waits for more where the input is only the beginning of responses. That is so inside
// a literal as well: its scanner knows how many bytes are still to come.
func Example_incomplete() {
	for _, buffered := range []string{
		"* 7 FETCH (BODY {50}\r\nHello",
		"* 7 FETCH (BODY {x}\r\n",
		"* 7 FETCH (BODY {5}\r\nHello, you)\r\n",
	} {
		_, err := literals.Parse(buffered)
		fmt.Printf("wait: %t: %v\n", errors.Is(err, ast.ErrIncomplete), err)
	}
	// Output:
	// wait: true: literals: line 2, column 6 (offset 27): unexpected end of input in literal; expected the rest of literal (as its scanner reads it) (literals.abnf:11)
	// wait: false: literals: offset 16: unexpected "{" in value; expected literal (as its scanner reads it), DIGIT, DQUOTE or "(" (literals.abnf:7)
	// wait: false: literals: line 2, column 6 (offset 26): unexpected "," in fetch; expected SP or ")" (literals.abnf:4)
}
