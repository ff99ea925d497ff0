// Command work says how much work the parsers have with strings. It is built with an overlay in which every loop and every
// function of what is measured counts in ast.Work; without it, it does not compile.
//
// It reads inputs as JSON, one after the other, and writes for each the counts at both its lengths.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
)

// An input is head, unit as often as it takes to have so many bytes, and tail.
type input struct {
	Grammar          string
	Start            ast.Kind
	Head, Unit, Tail []byte
	Lengths          [2]int
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "work:", err)
		os.Exit(1)
	}
}

func run(from io.Reader, to io.Writer) error {
	nodes := make([]ast.Raw, 0, 1<<21)
	out := bufio.NewWriter(to)
	in, counts := json.NewDecoder(bufio.NewReader(from)), json.NewEncoder(out)
	for {
		var i input
		if err := in.Decode(&i); errors.Is(err, io.EOF) {
			return out.Flush()
		} else if err != nil {
			return err
		}
		g, err := bnfcheck.Find(i.Grammar)
		if err != nil {
			return err
		}
		var all [2][]uint64
		for k, n := range i.Lengths {
			s := string(i.Head) + string(bytes.Repeat(i.Unit, n/len(i.Unit))) + string(i.Tail)
			for _, entry := range []func(){
				func() { g.Accept(i.Start, s) },
				func() { g.Grammar.Parse(nodes, i.Start, s) },
				func() { g.Derive(i.Start, s) },
				func() { g.Rejection(i.Start, s) },
			} {
				ast.Work = 0
				entry()
				all[k] = append(all[k], ast.Work)
			}
		}
		if err := counts.Encode(all); err != nil {
			return err
		}
	}
}
