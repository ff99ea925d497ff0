package conform

import (
	"net/netip"
	"strconv"
	"strings"
)

// Likeness tells how two parsers' values of a component compare.
type Likeness uint8

// The likenesses.
const (
	Unknown   Likeness = iota // one of them does not say
	Same                      // equal text, or absent and empty, which many parsers cannot tell apart
	Respelled                 // another spelling of the same value: see [Compare]
	Blank                     // absent for one of them and empty for the other; only a [Judge] tells these apart
	Different
)

// Compare returns how two values of component c, in a URL of this scheme, stand to each other. An absent value is
// like an empty one, so the result is never [Blank]. Respelled are:
//
//   - scheme and host in another case, and an IP address that is written in another way;
//   - a port with other leading zeros, or left out where it is the scheme's default;
//   - a path of "/" for none;
//   - another percent-encoding in user information, path, search or fragment, even of a delimiter ("%2F" for "/").
//     A host that one parser decodes and another does not is looked up under two names, and so different.
func Compare(c Component, scheme string, a, b Value) Likeness {
	switch {
	case !a.Said || !b.Said:
		return Unknown
	case a.Text == b.Text:
		return Same
	}
	equal := false
	switch c {
	case Scheme, Host: // a scheme is never an address
		x, err1 := netip.ParseAddr(a.Text)
		y, err2 := netip.ParseAddr(b.Text)
		sameAddress := err1 == nil && err2 == nil && x == y
		return likenessIf(equalFoldASCII(a.Text, b.Text) || sameAddress)
	case Port:
		return likenessIf(normalizePort(scheme, a.Text) == normalizePort(scheme, b.Text))
	case Path:
		equal = pathOrSlash(a.Text) == pathOrSlash(b.Text)
	}
	return likenessIf(equal || unescape(a.Text) == unescape(b.Text))
}

// compare compares a parser's value of component c with the one that j sees; ours are all components that j
// sees in the string, and tells is set if the parser tells an absent component from an empty one. It is [Compare],
// but for a grammar of references it follows RFC 3986. An absent component is not an empty one if the parser tells
// them apart: then they are [Blank]. A path of "/" equals no path only after an authority. And a host is looked up
// under one name however it is percent-encoded (section 3.2.2), so that another encoding is [Respelled].
func (j Judge) compare(c Component, ours Components, theirs Value, tells bool) Likeness {
	v := ours[c]
	if !j.judgesReferences() {
		return Compare(c, ours[Scheme].Text, v, theirs)
	}
	switch like := Compare(c, ours[Scheme].Text, v, theirs); {
	case like == Same && tells && v.Present != theirs.Present:
		return Blank
	case like == Respelled && c == Path && !ours[Host].Present && unescape(v.Text) != unescape(theirs.Text):
		return Different
	case like == Different && c == Host:
		a, b := unescape(v.Text), unescape(theirs.Text)
		return likenessIf(a == b || equalFoldASCII(a, b))
	default:
		return like
	}
}

// canTell reports, for each component, whether the accepting answers have it both absent and empty: the
// parser can then tell these apart.
func canTell(answers []Answer) (both [components]bool) {
	var absent, empty [components]bool
	for _, a := range answers {
		for c, v := range a.Components {
			if a.Verdict == Accepted && v.Said && v.Text == "" {
				absent[c] = absent[c] || !v.Present
				empty[c] = empty[c] || v.Present
			}
		}
	}
	for c := range both {
		both[c] = absent[c] && empty[c]
	}
	return both
}

// likenessIf returns Respelled if two values are equal after normalization, and Different if not.
func likenessIf(equal bool) Likeness {
	if equal {
		return Respelled
	}
	return Different
}

// equalFoldASCII reports whether a and b are ASCII and equal but for case. It is false for all other texts, since
// strings.EqualFold takes U+212A for "k".
func equalFoldASCII(a, b string) bool {
	isASCII := strings.IndexFunc(a+b, func(r rune) bool { return r >= 0x80 }) < 0
	return isASCII && strings.EqualFold(a, b)
}

// defaults are the default ports of RFC 1738's schemes, and that of https, which every parser knows.
var defaults = map[string]string{
	"ftp": "21", "http": "80", "https": "443", "gopher": "70", "nntp": "119", "telnet": "23", "wais": "210",
	"prospero": "1525",
}

// normalizePort returns a port without leading zeros, or the scheme's default if port is empty; "" if it has
// none.
func normalizePort(scheme, port string) string {
	if port == "" {
		return defaults[strings.ToLower(scheme)]
	}
	if short := strings.TrimLeft(port, "0"); short != "" {
		return short
	}
	return "0"
}

// pathOrSlash returns the path, or "/" if it is empty.
func pathOrSlash(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

// unescape undoes percent-encoding. A "%" that begins no escape stays.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if x, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(x))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
