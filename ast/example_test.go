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

// Nodes are found by kind. Generated packages have a constant for each.
func ExampleNode_Find() {
	port, ok := pairTree().Root().Find(Port)
	fmt.Println(ok, port.Text(), port.Start(), port.End())
	_, ok = pairTree().Root().Find(Mail)
	fmt.Println(ok)
	// Output:
	// true 80 5 7
	// false
}

// A program can use the parts of an error instead of its message.
func ExampleSyntaxError() {
	err := tiny.Explain(Address, "host:8o")
	fmt.Println(err.Input[:err.Offset], "can be continued by", err.Terms(), "and not by", err.Unexpected())
	// Output: host:8 can be continued by [digit end of input] and not by "o"
}
