package ast_test

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

func ExampleNode_All() {
	for depth, n := range pairTree().Root().All() {
		fmt.Println(depth, n.Name(), n.Text())
	}
	// Output:
	// 0 address host:80
	// 1 pair host:80
	// 2 host host
	// 2 port 80
}

func ExampleExcerpt() {
	err := tiny.Explain(Address, strings.Repeat("a", 40)+"\x1b[31m:80")
	text, column := ast.Excerpt(err.Input, err.Offset, 30)
	fmt.Printf("%s\n%*s^\n", text, column, "")
	fmt.Println(err)
	// Output:
	// ...aaaaaaaaaaaaa\x1B[31m:80
	//                 ^
	// tiny: offset 40: unexpected "\x1B" in host; expected alphadigit, ":" or end of input (section 5)
}
