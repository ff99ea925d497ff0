package bnf

import (
	"regexp"
	"strings"
	"testing"
)

// TestEscapesInGBNF: the message about an unknown escape names each escape that is read, and no other.
func TestEscapesInGBNF(t *testing.T) {
	read := func(escape byte) error {
		_, err := ReadDocument("a.gbnf", []byte(`root ::= "\`+string(escape)+`00000041"`+"\n"), GBNF, Usual)
		return err
	}
	err := read('q')
	if err == nil {
		t.Fatal(`\q is read`)
	}
	_, list, _ := strings.Cut(err.Error(), "expected")
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`\\.`).FindAllString(list, -1) {
		named[m[1:]] = true
	}
	for c := byte('!'); c <= '~'; c++ {
		if err := read(c); named[string(c)] != (err == nil) {
			t.Errorf(`\%c: named is %v, and reading it: %v`, c, named[string(c)], err)
		}
	}
}
