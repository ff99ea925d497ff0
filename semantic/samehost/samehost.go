// Package samehost tells whether two parsers see the same host in a string. A program that checks the host of a URL
// with one parser, and gives the URL to another that accesses it, is safe only if they do.
//
//	c := samehost.Compare(s, samehost.NetURL, samehost.RFC3986) // or any func(string) (host string, err error)
//	if c.Agreement != samehost.Same {
//		return fmt.Errorf("%s: %s: %q and %q", s, c.Agreement, c.A.Host, c.B.Host)
//	}
package samehost

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/percent"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// A Reader returns the host that a parser sees in a string, with or without the brackets of an IP literal, or the
// error with which it refuses the string. A string without a host has the host "".
type Reader func(s string) (host string, err error)

// RFC3986 is a [Reader]: it returns the host by the grammar of RFC 3986.
func RFC3986(s string) (string, error) {
	r, err := semantic.ParseReference(s)
	if err != nil {
		return "", err
	}
	return r.Host.Raw, nil
}

// NetURL is a [Reader]: it returns the host by Go's net/url, without its port.
func NetURL(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil {
		return "", err
	}
	return u.Hostname(), nil
}

// An Agreement is what two parsers make of one string.
type Agreement uint8

const (
	Same       Agreement = iota // both see this host, or none
	Different                   // each sees another host, or one sees none: a check by one says nothing of the other
	OneRefuses                  // one sees a host, or none, and the other refuses the string
	BothRefuse                  // neither takes the string
)

var agreements = [...]string{"the same host", "different hosts", "one refuses", "both refuse"}

// String returns the agreement in words.
func (a Agreement) String() string { return quote.Name("Agreement", a, agreements[:]...) }

// A Comparison is the answer of [Compare].
type Comparison struct {
	Agreement Agreement
	A, B      View // of the two parsers
	RFC3986   View // of the text, to tell who of the two is right; it is no part of Agreement
}

// A View is what one parser sees. Normal is the host as it is compared: without brackets, in lower case, with the
// escapes of unreserved characters decoded, and an address in one spelling.
type View struct {
	Host, Normal string
	Err          error
}

// Compare returns the hosts that two parsers see in s, and whether they are the same one in its normal form.
func Compare(s string, a, b Reader) Comparison {
	c := Comparison{A: viewHost(s, a), B: viewHost(s, b), RFC3986: viewHost(s, RFC3986)}
	switch {
	case c.A.Err != nil && c.B.Err != nil:
		c.Agreement = BothRefuse
	case c.A.Err != nil || c.B.Err != nil:
		c.Agreement = OneRefuses
	case c.A.Normal != c.B.Normal:
		c.Agreement = Different
	}
	return c
}

// viewHost returns what a parser sees in s.
func viewHost(s string, read Reader) View {
	host, err := read(s)
	if err != nil {
		return View{Err: err}
	}
	return View{Host: host, Normal: normalHost(host)}
}

// normalHost returns a host as it is compared: see [View].
func normalHost(host string) string {
	if n := len(host); n > 1 && host[0] == '[' && host[n-1] == ']' {
		host = host[1 : n-1]
	}
	// Digits that the first call decodes can make an escape with a "%" before them, as in "%%36%63", which is "%6c"
	// then; the second call writes it in upper case, as it is written if the host has it from the beginning.
	host = percent.Normalize(host, percent.Changes{Fold: true, Decode: true})
	host = percent.Normalize(host, percent.Changes{Fold: true})
	if a, err := netip.ParseAddr(host); err == nil && !strings.Contains(host, "%") {
		return a.String()
	}
	return host
}
