// Package tests is a module of its own that tests two parsers and two expressions against a grammar. Two of the four tests fail.
package tests

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/grammartest"
)

// right takes what the grammar derives.
func right(s string) bool {
	parts := strings.Split(s, ".")
	for _, p := range parts {
		if p == "" || len(p) > 1 && p[0] == '0' || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return len(parts) == 2 || len(parts) == 3
}

// wrong leaves the numbers to strconv, which takes a sign and leading zeros.
func wrong(s string) bool {
	parts := strings.Split(s, ".")
	for _, p := range parts {
		if _, err := strconv.Atoi(p); err != nil {
			return false
		}
	}
	return len(parts) == 2 || len(parts) == 3
}

func TestRight(t *testing.T) {
	grammartest.Load(t, "version.abnf#version").Conform(t, right)
}

func TestWrong(t *testing.T) {
	grammartest.Load(t, "version.abnf#version").Conform(t, wrong)
}

func TestEqual(t *testing.T) {
	g := grammartest.Load(t, "version.abnf#version")
	g.EqualRegexp(t, regexp.MustCompile(`\A(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){1,2}\z`))
}

func TestNotEqual(t *testing.T) {
	g := grammartest.Load(t, "version.abnf#version")
	g.EqualRegexp(t, regexp.MustCompile(`^\d+\.\d+(\.\d+)?$`))
}
