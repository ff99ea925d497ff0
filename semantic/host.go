package semantic

import (
	"net/netip"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A Host is the host of a URL or a reference.
type Host struct {
	Part
	Kind HostKind
}

// A HostKind is what a host is (RFC 3986 section 3.2.2). The texts of 1994 know names and IPv4 addresses.
type HostKind uint8

const (
	NoHost    HostKind = iota // there is no authority
	RegName                   // a registered name, which may be empty; hostname in the texts of 1994
	IPv4                      // an IPv4 address in dotted-decimal form; hostnumber in the texts of 1994
	IPv6                      // an IPv6 address in brackets
	IPvFuture                 // an address of another version in brackets
)

var hostKinds = [...]string{"no host", "registered name", "IPv4 address", "IPv6 address", "address of a future version"}

// String returns the kind in words.
func (k HostKind) String() string { return quote.Name("HostKind", k, hostKinds[:]...) }

// hostOf returns the host of a URL of 1994: a hostnumber, or a name.
func hostOf(p Part, number bool) Host {
	if number {
		return Host{p, IPv4}
	}
	return Host{p, RegName}
}

// Addr returns the address of a host of the kinds [IPv4] and [IPv6]. It reports false for the others, and for a
// hostnumber that is no address, as one with an octet above 255. Leading zeros do not make an octet octal here: a
// hostnumber has "decimal digit groups".
func (h Host) Addr() (netip.Addr, bool) {
	switch h.Kind {
	case IPv4:
		return h.addr4()
	case IPv6:
		a, err := netip.ParseAddr(strings.Trim(h.Raw, "[]"))
		return a, err == nil
	}
	return netip.Addr{}, false
}

// addr4 returns the address of four groups of decimal digits, and reports whether they are one.
func (h Host) addr4() (netip.Addr, bool) {
	var octets [4]byte
	i := 0
	for group := range h.Split('.') {
		n, ok := decimal(group.Raw, 255)
		if !ok || i == len(octets) {
			return netip.Addr{}, false
		}
		octets[i] = byte(n)
		i++
	}
	return netip.AddrFrom4(octets), i == len(octets)
}

// Future returns the version and the address of a host of the kind [IPvFuture]: "1F" and "x:y" of [v1F.x:y]. It
// reports false for the others.
func (h Host) Future() (version, address string, ok bool) {
	if h.Kind != IPvFuture {
		return "", "", false
	}
	version, address, _ = strings.Cut(strings.Trim(h.Raw, "[]"), ".")
	return version[1:], address, true
}
