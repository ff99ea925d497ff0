package semantic

import "strings"

// A domain is what a rule is about: the first half of its condition. A rule is applied to the URLs in its domain only, so
// its check need not ask again. [URL.domains] finds the domains of a URL once, for all rules.
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
	starOrBang
	plus
	dotInFront // a period that may begin a segment of a path

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

var (
	hostDomains      = setOfDomains(hostNumber, singleLabel, oddLabels, rootPeriod, longName, oddHostName)
	characterDomains = setOfDomains(unsafeCharacter, semicolon, starOrBang, plus, dotInFront)
)

// domains returns those of the asked domains that u is in.
func (u *URL) domains(asked domainSet) domainSet {
	in := domainSet(1 << everyURL)
	add := func(d domain, is bool) {
		if is {
			in |= 1 << d
		}
	}
	add(genericOnly, u.Match == MatchGeneric)
	add(unknownScheme, u.Match == MatchUnknown)
	add(upperCaseScheme, u.Scheme.Raw != u.name || u.Match == MatchUnknown && hasUpper(u.name))
	add(experimentalScheme, strings.HasPrefix(u.name, "x-"))
	add(userName, u.Login.User.present)
	add(unusualPort, u.Port.present && u.Port.unusual())
	if u.hasEscape {
		add(graphicEscape, intersect(u.escaped, graphic))
		add(controlEscape, intersect(u.escaped, controls))
		add(nulEscape, intersect(u.escaped, nul))
		add(lowerCaseEscape, u.lowHex)
	}
	if asked&hostDomains != 0 {
		in |= u.domainsOfHost(asked)
	}
	if asked&characterDomains != 0 {
		in |= u.domainsOfCharacters(asked)
	}
	return in & asked
}

func (u *URL) domainsOfHost(asked domainSet) (in domainSet) {
	host := u.Host.Raw
	switch {
	case u.Host.Number:
		return 1 << hostNumber
	case host == "":
		return 0
	}
	if strings.IndexByte(host, '.') < 0 {
		in |= 1 << singleLabel
	}
	if len(host) > maxLabel || !u.text.roles.domainNames && (host[0] == '.' || strings.Contains(host, "..")) {
		in |= 1 << oddLabels
	}
	if len(host) > 1 && host[len(host)-1] == '.' {
		in |= 1 << rootPeriod
	}
	if domainNameLength(host) > maxDomainName {
		in |= 1 << longName
	}
	if asked>>oddHostName&1 != 0 && hasOddHostCharacter(host) {
		in |= 1 << oddHostName
	}
	return in
}

// domainsOfCharacters looks for each character by itself: strings.IndexByte compares many bytes at a time, and several of its
// calls take less time than one loop over the bytes.
func (u *URL) domainsOfCharacters(asked domainSet) (in domainSet) {
	s := u.Source
	if asked>>unsafeCharacter&1 != 0 && u.hasUnsafe() {
		in |= 1 << unsafeCharacter
	}
	if asked>>semicolon&1 != 0 && strings.IndexByte(s, ';') >= 0 {
		in |= 1 << semicolon
	}
	if asked>>starOrBang&1 != 0 && (strings.IndexByte(s, '*') >= 0 || strings.IndexByte(s, '!') >= 0) {
		in |= 1 << starOrBang
	}
	if asked>>plus&1 != 0 && strings.IndexByte(s, '+') >= 0 {
		in |= 1 << plus
	}
	if asked>>dotInFront&1 != 0 && (strings.Contains(s, "/.") || strings.Contains(s, ":.")) {
		in |= 1 << dotInFront
	}
	return in
}

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

func hasOddHostCharacter(host string) bool {
	for i := range len(host) {
		if !inHostName[host[i]] {
			return true
		}
	}
	return false
}

func hasUpper(s string) bool {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

// unusual reports whether p is not the default port, or not written like it. p is present.
func (p Port) unusual() bool {
	n, ok := decimal(p.Raw, maxPort)
	return !ok || n != p.Default || p.Raw[0] == '0'
}
