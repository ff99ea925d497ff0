package conform

import (
	"net/netip"
	"strconv"
	"strings"
)

// Likeness is how two parsers' values of a component stand to each other.
type Likeness uint8

// The likenesses.
const (
	Unknown   Likeness = iota // one of them does not say
	Same                      // the same text; an absent component is the same as an empty one, since many parsers cannot tell
	Respelled                 // another spelling of the same: see [Compare]
	Blank                     // absent for one of them and empty for the other, which only a [Judge] tells apart
	Different
)

// Compare returns how two values of component c, in a URL of this scheme, stand to each other. Respelled are:
//
//   - scheme and host in another case, and an IP address that is written in another way;
//   - a port with other leading zeros, or left out where it is the scheme's default;
//   - a path of "/" for none;
//   - another percent-encoding of any component but the host. A host that one parser decodes and another does not is
//     looked up under two names, and so different.
func Compare(c Component, scheme string, a, b Value) Likeness {
	switch {
	case !a.Said || !b.Said:
		return Unknown
	case a.Text == b.Text:
		return Same
	}
	equal := false
	switch c {
	case Scheme, Host:
		x, err1 := netip.ParseAddr(a.Text)
		y, err2 := netip.ParseAddr(b.Text)
		return likenessIf(strings.EqualFold(a.Text, b.Text) && isASCII(a.Text+b.Text) || err1 == nil && err2 == nil && x == y)
	case Port:
		return likenessIf(normalizePort(scheme, a.Text) == normalizePort(scheme, b.Text))
	case Path:
		equal = pathOrSlash(a.Text) == pathOrSlash(b.Text)
	}
	return likenessIf(equal || unescape(a.Text) == unescape(b.Text))
}

// compare returns how a parser's value of component c stands to those that j sees in a string. RFC 3986 tells an
// absent component from an empty one, so that one is not the other where the parser tells them apart as well; a path
// of "/" is no path only after an authority; and a host is looked up under one name however it is percent-encoded
// (section 3.2.2).
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
		return likenessIf(a == b || strings.EqualFold(a, b) && isASCII(a+b))
	default:
		return like
	}
}

// canTell returns the components that answers have both absent and empty: those where the parser can tell.
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

// likenessIf returns Respelled for what is equal in the end, and else Different.
func likenessIf(equal bool) Likeness {
	if equal {
		return Respelled
	}
	return Different
}

// isASCII reports whether s is ASCII. Case is folded only in such texts, so that U+212A is not
// taken for "k".
func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

// defaults are the default ports that RFC 1738 gives, with https, which every parser knows.
var defaults = map[string]string{
	"ftp": "21", "http": "80", "https": "443", "gopher": "70", "nntp": "119", "telnet": "23", "wais": "210", "prospero": "1525",
}

// normalizePort returns a port without leading zeros, or the default one in the place of none.
func normalizePort(scheme, port string) string {
	if port == "" {
		return defaults[strings.ToLower(scheme)]
	}
	if short := strings.TrimLeft(port, "0"); short != "" {
		return short
	}
	return "0"
}

// pathOrSlash returns a path, "/" for an empty one.
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
