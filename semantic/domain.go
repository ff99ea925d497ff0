package semantic

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
)

// A domain is what a rule is about: the first half of its condition. A rule is applied to the URLs in its domain only,
// so its check need not ask again. [URL.domains] and [Reference.domains] find the domains of a URL once, for all
// rules.
type domain uint8

const (
	everyURL domain = iota // of the rule's schemes

	genericOnly        // the scheme has a production of its own, which does not derive the URL
	unknownScheme      // the text has no production for the scheme
	upperCaseScheme    // the scheme is not written in lower case
	experimentalScheme // the scheme begins with "x-"

	userName
	unusualPort // a port that is not the default, or is not written like it
	hostNumber
	singleLabel // a host name without a period
	oddLabels   // a host name with an empty label before its end, or too long for a single label
	rootPeriod  // a host name that ends with a period
	longName    // a host name longer than the domain system has them
	oddHostName // a host name with a character that host names do not have

	graphicEscape   // an escape of 21 to 7E
	controlEscape   // an escape of 01 to 1F, or 7F
	nulEscape       // an escape of 00
	lowerCaseEscape // an escape with a digit in lower case
	unsafeCharacter // a bare character that the text wants encoded

	semicolon
	starOrBang // after the authority
	plus       // in a query
	dotInFront // a period in front of the host, or after a "/" or ":" that follows it

	// Of references of RFC 3986 alone.
	emptyHost      // the host is absent or empty
	upperCaseHost  // the host has a letter in upper case, in an escape perhaps
	escapedHost    // the host has an escape
	numericName    // a registered name that begins with a digit or has an escape
	doubtfulName   // a registered name with a hyphen, an escape, an odd character or an empty label, or a long one
	futureAddress  // the host is an address of another version
	anyPort        // a port, which may be empty
	emptyPath      // an authority without a path
	unusualSegment // a path with an escape, or with a segment that begins with a period or with the name of a device

	domains // how many there are
)

// A domainSet is a set of domains: bit d stands for domain d.
type domainSet uint64

const _ = uint(64 - domains) // does not compile if there are more domains than bits

func setOfDomains(list ...domain) (s domainSet) {
	for _, d := range list {
		s |= 1 << d
	}
	return s
}

// add adds a domain if a URL is in it.
func (s *domainSet) add(d domain, is bool) {
	if is {
		*s |= 1 << d
	}
}

func (s domainSet) has(d domain) bool { return s>>d&1 != 0 }

var (
	hostDomains      = setOfDomains(hostNumber, singleLabel, oddLabels, rootPeriod, longName, oddHostName)
	characterDomains = setOfDomains(unsafeCharacter, semicolon, starOrBang, plus, dotInFront)
)

// domains returns those of the asked domains that u is in.
func (u *URL) domains(asked domainSet) domainSet {
	in := domainSet(1 << everyURL)
	in.add(genericOnly, u.Match == MatchGeneric)
	in.add(unknownScheme, u.Match == MatchUnknown)
	in.add(upperCaseScheme, u.Scheme.Raw != u.name || u.Match == MatchUnknown && hasUpper(u.name))
	in.add(experimentalScheme, strings.HasPrefix(u.name, "x-"))
	in.add(userName, u.User.present)
	in.add(unusualPort, u.Port.present && u.hasUnusualPort())
	if u.hasEscape {
		in |= u.escaped.domains()
	}
	if asked&hostDomains != 0 {
		in |= u.domainsOfHost()
	}
	if asked&characterDomains != 0 {
		in |= u.domainsOfCharacters(asked)
	}
	return in & asked
}

// domainsOfHost returns those of hostDomains that u's host is in.
func (u *URL) domainsOfHost() (in domainSet) {
	host := u.Host.Raw
	switch {
	case u.Host.Kind == IPv4:
		return 1 << hostNumber
	case host == "":
		return 0
	}
	has := hostClasses(host)
	in.add(singleLabel, has&period == 0)
	in.add(oddLabels, len(host) > maxLabel || has&emptyLabel != 0)
	in.add(rootPeriod, len(host) > 1 && host[len(host)-1] == '.')
	in.add(longName, domainNameLength(host) > maxDomainName)
	in.add(oddHostName, has&(escapeSign|otherCharacter) != 0)
	return in
}

// A hostClass is a set of classes of the characters of hosts.
type hostClass uint8

const (
	plainCharacter hostClass = 0         // a letter in lower case or a digit
	period         hostClass = 1 << iota // where the next class is one bit up
	emptyLabel                           // a period that begins a host or follows another
	upperCase
	hyphen
	escapeSign // "%"
	otherCharacter
)

// hostClassOf maps a byte of a host to its class; emptyLabel is for hostClasses to find.
var hostClassOf = func() (of [256]hostClass) {
	for c := range of {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			// plainCharacter, which is 0
		case 'A' <= c && c <= 'Z':
			of[c] = upperCase
		case c == '.':
			of[c] = period
		case c == '-':
			of[c] = hyphen
		case c == '%':
			of[c] = escapeSign
		default:
			of[c] = otherCharacter
		}
	}
	return of
}()

// hostClasses returns the union of the classes of a host's characters, with emptyLabel if a period begins the host or
// follows another.
func hostClasses(host string) (has hostClass) {
	last := period // so that a period at the beginning is one after a period
	for i := range len(host) {
		class := hostClassOf[host[i]]
		has |= class | class&last<<1&emptyLabel
		last = class
	}
	return has
}

// domainsOfCharacters returns those of the asked characterDomains that u is in. Characters that count only after the
// authority are looked for from u.authority on. It looks for each character by itself: strings.IndexByte compares many
// bytes at a time, and several of its calls take less time than one loop over the bytes.
func (u *URL) domainsOfCharacters(asked domainSet) (in domainSet) {
	s := u.Source
	rest := s[min(max(int(u.authority), 0), len(s)):]
	in.add(unsafeCharacter, asked.has(unsafeCharacter) && u.hasUnsafe())
	in.add(semicolon, asked.has(semicolon) && strings.IndexByte(s, ';') >= 0)
	in.add(starOrBang, asked.has(starOrBang) &&
		(strings.IndexByte(rest, '*') >= 0 || strings.IndexByte(rest, '!') >= 0))
	in.add(plus, asked.has(plus) && strings.IndexByte(u.search().Raw, '+') >= 0)
	in.add(dotInFront, asked.has(dotInFront) && (strings.HasPrefix(u.Host.Raw, ".") || hasDotInFront(rest)))
	return in
}

// hasDotInFront reports whether s has a period after a "/" or ":".
func hasDotInFront(s string) bool {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '.')
		if i < 0 {
			return false
		}
		from += i
		if from > 0 && (s[from-1] == '/' || s[from-1] == ':') {
			return true
		}
		from++
	}
}

// hasUnsafe reports whether u has a bare character that its text wants encoded.
func (u *URL) hasUnsafe() bool {
	for i := range len(u.Source) {
		if u.text.unsafe.Has(u.Source[i]) {
			return true
		}
	}
	return false
}

// The limits of the domain system (RFC 1034 section 3.1).
const (
	maxLabel      = 63
	maxDomainName = 255
)

// domainNameLength returns the octets that a name takes in the domain system: one more for each label and for the root.
func domainNameLength(name string) int { return len(name) + 2 }

// hasUpper reports whether s has an upper-case letter of ASCII.
func hasUpper(s string) bool {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

// hasUnusualPort reports whether u's port, which is present, is not the default, or not written like it.
func (u *URL) hasUnusualPort() bool {
	n, ok := decimal(u.Port.Raw, maxPort)
	return !ok || n != u.defaultPort || u.Port.Raw[0] == '0'
}

// escapedOctets are the octets that stand as escapes in a string.
type escapedOctets struct {
	set    ast.ByteSet
	lowHex bool // an escape has a digit in lower case
}

// add adds the escapes in s.
func (e *escapedOctets) add(s string) {
	for i, octet := range percent.All(s) {
		e.set[octet>>6] |= 1 << (octet & 63)
		e.lowHex = e.lowHex || s[i+1] >= 'a' || s[i+2] >= 'a'
	}
}

// domains returns the domains of URLs with these escapes.
func (e *escapedOctets) domains() (in domainSet) {
	in.add(graphicEscape, intersect(e.set, graphic))
	in.add(controlEscape, intersect(e.set, controls))
	in.add(nulEscape, intersect(e.set, nul))
	in.add(lowerCaseEscape, e.lowHex)
	return in
}

// domains returns the domains that r is in: some of the domains of URLs, and all of those of references.
func (r *Reference) domains() domainSet {
	in := domainSet(1 << everyURL)
	escaped := strings.IndexByte(r.Source, '%') >= 0
	if escaped {
		var e escapedOctets
		e.add(r.Source)
		in |= e.domains()
	}
	in.add(upperCaseScheme, hasUpper(r.Scheme.Raw))
	in.add(userName, r.Userinfo.present)
	in.add(anyPort, r.Port.present)
	if r.Path.Raw == "" {
		in.add(emptyPath, r.Authority.present)
	} else if escaped && strings.IndexByte(r.Path.Raw, '%') >= 0 || hasUnusualSegment(r.Path.Raw) {
		in |= 1 << unusualSegment
	}
	host := r.Host.Raw
	if host == "" {
		return in | 1<<emptyHost
	}
	has := hostClasses(host)
	in.add(upperCaseHost, has&upperCase != 0)
	in.add(escapedHost, has&escapeSign != 0)
	switch r.Host.Kind {
	case IPvFuture:
		in |= 1 << futureAddress
	case RegName:
		in.add(numericName, has&escapeSign != 0 || '0' <= host[0] && host[0] <= '9')
		in.add(doubtfulName, has&(otherCharacter|escapeSign|hyphen|emptyLabel) != 0 || len(host) > maxLabel)
	}
	return in
}

// hasUnusualSegment reports whether a segment of a path begins with a period or with the name of a device.
func hasUnusualSegment(path string) bool {
	for {
		if path != "" && (path[0] == '.' || beginsWithDevice(path)) {
			return true
		}
		i := strings.IndexByte(path, '/')
		if i < 0 {
			return false
		}
		path = path[i+1:]
	}
}

// beginsWithDevice reports whether a path begins with the name of a device on some systems, in letters of either case
// and perhaps with an extension: aux, con, nul, prn, com, lpt, and the last two with a digit other than 0.
func beginsWithDevice(path string) bool {
	n := len("aux")
	if len(path) < n {
		return false
	}
	switch [...]byte{path[0] | 0x20, path[1] | 0x20, path[2] | 0x20} {
	case [...]byte{'a', 'u', 'x'}, [...]byte{'c', 'o', 'n'}, [...]byte{'n', 'u', 'l'}, [...]byte{'p', 'r', 'n'}:
		// a device without a number
	case [...]byte{'c', 'o', 'm'}, [...]byte{'l', 'p', 't'}:
		if len(path) > n && '1' <= path[n] && path[n] <= '9' {
			n++
		}
	default:
		return false
	}
	return len(path) == n || path[n] == '/' || path[n] == '.'
}
