// Package hostname tells names of hosts, as the domain system has them, from other strings. The BNF of the texts about
// URLs derives more; their prose asks for these (RFC 1034 section 3.5, RFC 1123 section 2.1).
package hostname

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// OddLabel returns the reason why s is no label of the name of a host, whatever its length, and "" if it is one.
func OddLabel(s string) string {
	switch {
	case s == "":
		return "a label is empty"
	case s[0] == '-' || s[len(s)-1] == '-':
		return "a label begins or ends with \"-\""
	}
	for i := range len(s) {
		if b := s[i]; !isDigit(b) && b != '-' && (b|0x20 < 'a' || 'z' < b|0x20) {
			return ast.Quote(s[i:i+1]) + " is in no host name"
		}
	}
	return ""
}

// IsHost reports whether s is a domain name of several labels, four numbers as an IPv4 address has them, or
// "localhost". Letters may be in either case.
func IsHost(s string) bool {
	if len(s) == len("localhost") && strings.EqualFold(s, "localhost") { // EqualFold also takes "ſ" for an "s"
		return true
	}
	labels := strings.Split(s, ".")
	if slices.ContainsFunc(labels, func(l string) bool { return OddLabel(l) != "" }) {
		return false
	}
	if isDigit(labels[len(labels)-1][0]) {
		return len(labels) == 4 && strings.Trim(s, "0123456789.") == ""
	}
	return len(labels) > 1
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
