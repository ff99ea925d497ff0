package samehost_test

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/semantic/samehost"
)

// A check of the host by one parser says nothing about an access by another, unless both see the same host.
func ExampleCompare() {
	naive := func(s string) (string, error) {
		_, rest, _ := strings.Cut(s, "://")
		host, _, _ := strings.Cut(rest[strings.LastIndexByte(rest, '@')+1:], "/")
		return host, nil
	}
	for _, s := range []string{"http://EXAMPLE.com/", "http://trusted.example?@evil.example/"} {
		c := samehost.Compare(s, naive, samehost.NetURL)
		fmt.Println(s, "-", c.Agreement, c.A.Normal, c.B.Normal)
	}
	// Output:
	// http://EXAMPLE.com/ - the same host example.com example.com
	// http://trusted.example?@evil.example/ - different hosts evil.example trusted.example
}
