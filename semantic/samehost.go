package semantic

import (
	"net/netip"
	"net/url"
	"strings"
)

// A HostReader returns the host that a parser sees in a string, with or without the brackets of an IP literal, or the
// error with which it refuses the string. A string without a host has the host "".
type HostReader func(s string) (host string, err error)

// HostRFC3986 is the host that RFC 3986 sees.
func HostRFC3986(s string) (string, error) {
	r, err := ParseReference(s)
	if err != nil {
		return "", err
	}
	return r.Host.Raw, nil
}

// HostNetURL is the host that net/url sees.
func HostNetURL(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil {
		return "", err
	}
	return u.Hostname(), nil
}

// A HostAgreement is what two parsers make of one string.
type HostAgreement uint8

const (
	SameHost       HostAgreement = iota // both see this host, or none
	DifferentHosts                      // each sees a host that the other does not: a check by one says nothing of the other
	OneRefuses                          // one sees a host, or none, where the other refuses the string
	BothRefuse                          // neither takes the string
)

var agreements = [...]string{"the same host", "different hosts", "one refuses", "both refuse"}

// String returns the agreement in words.
func (a HostAgreement) String() string {
	if int(a) < len(agreements) {
		return agreements[a]
	}
	return "?"
}

// A HostComparison is the answer to whether two parsers see the same host.
type HostComparison struct {
	Agreement HostAgreement
	A, B      HostView
	RFC3986   HostView // for comparison: what the text says
}

// A HostView is what one parser sees. Normal is the host as it is compared: without brackets, in lower case, with the
// escapes of unreserved characters decoded, and an address in one spelling.
type HostView struct {
	Host, Normal string
	Err          error
}

// CompareHosts reports whether two parsers see the same host in s. A program that checks the host of a URL with one
// parser, and gives the URL to another that accesses it, is safe only if they do.
func CompareHosts(s string, a, b HostReader) HostComparison {
	c := HostComparison{A: viewHost(s, a), B: viewHost(s, b), RFC3986: viewHost(s, HostRFC3986)}
	switch {
	case c.A.Err != nil && c.B.Err != nil:
		c.Agreement = BothRefuse
	case c.A.Err != nil || c.B.Err != nil:
		c.Agreement = OneRefuses
	case c.A.Normal != c.B.Normal:
		c.Agreement = DifferentHosts
	}
	return c
}

// viewHost returns what a parser sees in s.
func viewHost(s string, read HostReader) HostView {
	host, err := read(s)
	if err != nil {
		return HostView{Err: err}
	}
	return HostView{Host: host, Normal: normalHost(host)}
}

// normalHost returns a host as it is compared: see [HostView].
func normalHost(host string) string {
	if n := len(host); n > 1 && host[0] == '[' && host[n-1] == ']' {
		host = host[1 : n-1]
	}
	host = rewrite(rewrite(host, true, true), true, false)
	if a, err := netip.ParseAddr(host); err == nil && !strings.Contains(host, "%") {
		return a.String()
	}
	return host
}
