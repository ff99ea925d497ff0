package bnfcheck_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
)

// TestConcurrentUse does at the same time what the documentation allows, for the race detector: each goroutine has a Parser of
// its own, all read one tree and its error, and all parse through the package.
func TestConcurrentUse(t *testing.T) {
	shared, err := rfc1738.Parse("ftp://host.dom/etc/motd")
	if err != nil {
		t.Fatal(err)
	}
	_, rejection := rfc1738.Parse("http://x/~a")
	text, message := shared.String(), rejection.Error()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			parser := rfc1738.NewParser()
			for j := range 20 {
				input := fmt.Sprintf("ftp://h%d/%d", i, j)
				tree, err := parser.Parse(input)
				if err != nil || tree.Root().Text() != input {
					t.Errorf("%s: %v", input, err)
				}
				if got := shared.String(); got != text || shared.Root().Alternative() == 0 {
					t.Errorf("the shared tree is %s", got)
				}
				if _, err := rfc1738.Parse("http://x/~a"); err == nil || err.Error() != message {
					t.Errorf("error %v; want %s", err, message)
				}
				if got := rejection.Error(); got != message {
					t.Errorf("the shared error is %s", got)
				}
			}
		})
	}
	group.Wait()
}

// TestParserAfterError wants that an error leaves the parser usable, and that the error keeps its input.
func TestParserAfterError(t *testing.T) {
	parser := rfc1738.NewParser()
	tree, err := parser.Parse("http://x/~a")
	if tree != nil || err == nil {
		t.Fatalf("%v, %v: want no tree, and an error", tree, err)
	}
	message := err.Error()
	for _, input := range []string{"ftp://host/a", "news:*"} {
		tree, err := parser.Parse(input)
		if err != nil || tree.Root().Text() != input {
			t.Errorf("%s after an error: %v", input, err)
		}
	}
	if e, ok := errors.AsType[*ast.SyntaxError](err); !ok || e.Input != "http://x/~a" || e.Error() != message {
		t.Errorf("the error has become %v", err)
	}
}
