package semantic

import (
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/percent"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/urls/hostname"
)

// referenceRules are the rules of RFC 3986.
var referenceRules = []Rule{
	{
		ID: "3986/escape-case", Severity: Note, about: lowerCaseEscape,
		Title:       "an escape with digits in lower case",
		Requirement: "Producers and normalizers should write the digits of escapes in upper case.",
		reference: func(ref *Reference, r *report) {
			ref.eachEscape(func(_ string, p Part, octet byte) {
				if p.Raw != percent.Of(octet) {
					r.composed(p, func() string { return fmt.Sprintf("write %s", percent.Of(octet)) })
				}
			})
		},
	},
	{
		ID: "3986/escaped-unreserved", Severity: Note, about: graphicEscape,
		Title: "an escape of a character that is allowed everywhere",
		Requirement: "Escapes of letters, digits, hyphens, periods, underscores and tildes should not be created, " +
			"and are decoded when they are found.",
		reference: func(ref *Reference, r *report) {
			ref.eachEscape(func(_ string, p Part, octet byte) {
				if percent.Unreserved(octet) {
					r.composed(p, func() string { return fmt.Sprintf("write %c", octet) })
				}
			})
		},
	},
	{
		ID: "3986/scheme-case", Severity: Note, about: upperCaseScheme,
		Title:       "a scheme with letters in upper case",
		Requirement: "A scheme in upper case is the same, but only lower case should be produced.",
		reference: func(ref *Reference, r *report) {
			if hasUpper(ref.Scheme.Raw) {
				r.composed(ref.Scheme, func() string { return fmt.Sprintf("write %s", ref.SchemeName()) })
			}
		},
	},
	{
		ID: "3986/password", Severity: Warning, about: userName,
		Title: "a password",
		Requirement: "The form user:password is deprecated; what follows the colon should not be shown, and may " +
			"be ignored or rejected.",
		reference: func(ref *Reference, r *report) {
			if _, password := ref.Userinfo.cut(':'); password.Raw != "" {
				r.at(password, "leave the password out: URIs are shown, stored and logged")
			}
		},
	},
	{
		ID: "3986/host-case", Severity: Note, about: upperCaseHost,
		Title: "a host with letters in upper case",
		Requirement: "The host is case-insensitive, but producers should use lower case for registered names and " +
			"hexadecimal addresses.",
		reference: func(ref *Reference, r *report) {
			written := percent.Normalize(ref.Host.Raw, percent.Changes{}) // another rule is about digits of escapes
			if lower := percent.Normalize(ref.Host.Raw, percent.Changes{Fold: true}); lower != written {
				r.composed(ref.Host.Part, func() string { return fmt.Sprintf("write %s", lower) })
			}
		},
	},
	{
		ID: "3986/version-flag", Severity: Error, about: futureAddress,
		Title:       "an address of a known version with a version flag",
		Requirement: "The version flag must not be provided for addresses of IPv4 and IPv6.",
		reference: func(ref *Reference, r *report) {
			if _, address, ok := ref.Host.Future(); ok {
				if a, err := netip.ParseAddr(address); err == nil {
					form := a.String()
					if a.Is6() {
						form = "[" + form + "]"
					}
					r.composed(ref.Host.Part, func() string {
						return fmt.Sprintf("write %s: this address needs no "+
							"version flag", form)
					})
				}
			}
		},
	},
	{
		ID: "3986/unknown-version", Severity: Warning, about: futureAddress,
		Title:       "an address of a version that is not defined",
		Requirement: "An application that does not know the meaning of the version flag should return an error.",
		reference: func(ref *Reference, r *report) {
			if version, address, ok := ref.Host.Future(); ok {
				if _, err := netip.ParseAddr(address); err != nil {
					r.composed(ref.Host.Part, func() string {
						return fmt.Sprintf("no application knows addresses "+
							"of version %s", version)
					})
				}
			}
		},
	},
	{
		ID: "3986/dns-name", Severity: Note, about: doubtfulName,
		Title: "a host name that the domain system cannot have",
		Requirement: "A name for the domain system consists of labels of letters, digits and hyphens, which begin " +
			"and end with a letter or digit; producers should use such names, of at most 255 characters.",
		reference: func(ref *Reference, r *report) {
			if ref.Host.Kind == RegName && ref.Host.Raw != "" && strings.IndexByte(ref.Host.Raw, '%') < 0 &&
				!isDNSName(ref.Host.Raw) {
				r.composed(ref.Host.Part, func() string {
					return fmt.Sprintf("use a name of labels of letters, digits and hyphens, of at most %d characters",
						maxDomainName)
				})
			}
		},
	},
	{
		ID: "3986/empty-host", Severity: Error, about: emptyHost, Schemes: []string{"http", "https"},
		Title:       "an http URI without a host",
		Requirement: "The http scheme considers a missing authority or an empty host invalid.",
		reference: func(ref *Reference, r *report) {
			if name := ref.SchemeName(); (name == "http" || name == "https") && ref.Host.Raw == "" {
				at := ref.Scheme
				if ref.Host.present {
					at = ref.Host.Part
				}
				r.composed(at, func() string { return fmt.Sprintf("name a host: an %s URI has one", name) })
			}
		},
	},
	{
		ID: "3986/host-utf8", Severity: Error, about: escapedHost,
		Title:       "escapes in a host that are no UTF-8",
		Requirement: "Escapes in a host must represent characters in UTF-8.",
		reference: func(ref *Reference, r *report) {
			if ref.Host.Kind == RegName && strings.IndexByte(ref.Host.Raw, '%') >= 0 &&
				!utf8.ValidString(ref.Host.Decoded()) {
				r.at(ref.Host.Part, "encode characters of host names in UTF-8")
			}
		},
	},
	{
		ID: "3986/idna", Severity: Note, about: escapedHost,
		Title:       "a host name that is not ASCII, in escapes",
		Requirement: "An internationalized domain name should be provided in the IDNA encoding rather than in escapes.",
		reference: func(ref *Reference, r *report) {
			if d := ref.Host.Decoded(); ref.Host.Kind == RegName && utf8.ValidString(d) &&
				strings.IndexFunc(d, func(c rune) bool { return c >= utf8.RuneSelf }) >= 0 {
				r.at(ref.Host.Part, "write a domain name in the IDNA encoding (xn--...): old resolvers know no other")
			}
		},
	},
	{
		ID: "3986/port-omitted", Severity: Note, about: anyPort,
		Title:       "a port that is empty or the default",
		Requirement: "The port and its colon should be omitted if it is empty or the default of the scheme.",
		reference: func(ref *Reference, r *report) {
			if n, ok := ref.PortNumber(); ref.Port.present &&
				(ref.Port.Raw == "" || ok && n == defaultPorts[ref.SchemeName()]) {
				r.composed(Part{Raw: ":" + ref.Port.Raw, start: ref.Port.start - 1, present: true},
					func() string {
						return fmt.Sprintf("leave out %q: nothing is different without it", ":"+ref.Port.Raw)
					})
			}
		},
	},
	{
		ID: "3986/dot-segments", Severity: Note, about: unusualSegment,
		Title: "dot segments in a URI",
		Requirement: "The segments \".\" and \"..\" are for relative references; normalizers should remove them " +
			"from the path of a URI.",
		reference: func(ref *Reference, r *report) {
			path := percent.Normalize(ref.Path.Raw, percent.Changes{Decode: true})
			if !ref.Relative() && removeDotSegments(path) != path {
				r.composed(ref.Path, func() string {
					return fmt.Sprintf("write %s: some programs forget to remove the dots", removeDotSegments(path))
				})
			}
		},
	},
	{
		ID: "3986/empty-path", Severity: Note, about: emptyPath,
		Title:       "an authority without a path",
		Requirement: "A URI with an authority and an empty path should be normalized to the path \"/\".",
		reference: func(ref *Reference, r *report) {
			if !ref.Relative() && ref.Authority.present && ref.Path.Raw == "" {
				r.at(ref.Path, `write "/" here: it means the same`)
			}
		},
	},
	{
		ID: "3986/well-known-port", Severity: Warning, about: anyPort,
		Title: "the port of another protocol",
		Requirement: "Applications should not dereference a URI with a port below 1024 that is not that of its " +
			"protocol: it may be a message to another service.",
		reference: func(ref *Reference, r *report) {
			n, ok := ref.PortNumber()
			own, known := defaultPorts[ref.SchemeName()]
			if ok && ref.Port.Raw != "" && n < 1024 && known && n != own {
				r.composed(ref.Port, func() string {
					return fmt.Sprintf("do not access this without asking: ports below 1024 are reserved, and %d "+
						"is not that of %s", n, ref.SchemeName())
				})
			}
		},
	},
	{
		ID: "3986/port-range", Severity: Warning, about: anyPort,
		Title:       "a port that no transport protocol has",
		Requirement: "The type of port is defined by the scheme: TCP, UDP and SCTP have ports up to 65535.",
		reference: func(ref *Reference, r *report) {
			if _, ok := decimal(ref.Port.Raw, maxPort); ref.Port.Raw != "" && !ok {
				r.composed(ref.Port, func() string { return fmt.Sprintf("use a port up to %d", maxPort) })
			}
		},
	},
	{
		ID: "3986/encoded-line-end", Severity: Warning, about: controlEscape,
		Title: "escapes of CR and LF",
		Requirement: "Escapes of the delimiters of a protocol, such as CR and LF, must not be decoded before " +
			"transmission.",
		reference: func(ref *Reference, r *report) {
			ref.eachEscape(func(_ string, p Part, octet byte) {
				if octet == '\r' || octet == '\n' {
					r.at(p, "do not decode this on the way to a server: it may begin another command there")
				}
			})
		},
	},
	{
		ID: "3986/encoded-nul", Severity: Warning, about: nulEscape,
		Title:       "an escape of NUL",
		Requirement: "%00 may require special handling, and should be rejected where raw data are not expected.",
		reference: func(ref *Reference, r *report) {
			ref.eachEscape(func(_ string, p Part, octet byte) {
				if octet == 0 {
					r.at(p, "reject this unless raw data are expected: many programs end a string here")
				}
			})
		},
	},
	{
		ID: "3986/file-name", Severity: Warning, about: unusualSegment,
		Title: "what a file system takes for something else",
		Requirement: "Care should be taken where a path leads to a file system: it assigns meanings to characters " +
			"such as / and \\, and to names such as .., aux and lpt.",
		reference: func(ref *Reference, r *report) {
			for segment := range ref.Path.Split('/') {
				d := segment.Decoded()
				switch {
				case strings.ContainsAny(d, `/\`):
					r.at(segment, "do not use this as the name of a file: decoded, it is a path")
				case beginsWithDevice(d) || d == "...":
					r.at(segment, "do not use this as the name of a file: on some systems it is a device")
				case (d == "." || d == "..") && segment.Raw != d:
					r.composed(segment, func() string {
						return fmt.Sprintf("do not use this as the name of a "+
							"file: decoded, it is %s", d)
					})
				}
			}
		},
	},
	{
		ID: "3986/rare-ipv4", Severity: Warning, about: numericName,
		Title: "a name that some programs take for an IPv4 address",
		Requirement: "Forms of IPv4 addresses other than four decimal octets are not allowed; platforms read them " +
			"nevertheless, so filters should compare numbers.",
		reference: func(ref *Reference, r *report) {
			if a, ok := ref.Host.RareIPv4(); ok {
				r.composed(ref.Host.Part, func() string {
					return fmt.Sprintf("write %s if that is meant: this is a name, and platforms disagree about it", a)
				})
			}
		},
	},
	{
		ID: "3986/misleading-user", Severity: Warning, about: userName,
		Title:       "a user name that looks like a host",
		Requirement: "User information can mislead people by appearing to identify a trusted authority.",
		reference: func(ref *Reference, r *report) {
			name := ref.Userinfo.Raw
			if i := strings.IndexAny(name, ":&;=,!$'()*+"); i >= 0 {
				name = name[:i]
			}
			if ref.Userinfo.present && hostname.IsHost(percent.Decode(name)) {
				r.composed(ref.Userinfo, func() string {
					return fmt.Sprintf("mind that the host is %s, and not what stands in front of it",
						quote.Visible(ref.Host.Raw))
				})
			}
		},
	},
}

// eachEscape calls f for each escape, in the order of r, with the name of its component and the octet it stands for.
func (r *Reference) eachEscape(f func(component string, p Part, octet byte)) {
	if strings.IndexByte(r.Source, '%') < 0 {
		return
	}
	for _, c := range r.parts() {
		for i, octet := range percent.All(c.Raw) {
			f(c.name, c.sub(i, i+3), octet)
		}
	}
}

// isDNSName reports whether a name has at most maxDomainName characters and consists of labels as RFC 1034 section 3.5
// and RFC 1123 section 2.1 have them. A period may follow the last, and is not counted.
func isDNSName(name string) bool {
	name = strings.TrimSuffix(name, ".")
	if len(name) > maxDomainName {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if len(label) > maxLabel || hostname.OddLabel(label) != "" {
			return false
		}
	}
	return true
}

// RareIPv4 returns the address that platforms with inet_aton take a registered name for (section 7.4): one to four
// numbers, decimal, octal or hexadecimal as in C, of which the last fills the rest of the address. It reports false
// for every other host.
func (h Host) RareIPv4() (netip.Addr, bool) {
	if h.Kind != RegName {
		return netip.Addr{}, false
	}
	name := strings.TrimSuffix(h.Decoded(), ".")
	numbers := strings.Split(name, ".")
	if len(numbers) > 4 {
		return netip.Addr{}, false
	}
	var address uint64
	for i, text := range numbers {
		n, ok := numberInC(text)
		room := 8
		if i == len(numbers)-1 {
			room = 8 * (4 - i)
		}
		if !ok || n >= 1<<room {
			return netip.Addr{}, false
		}
		address = address<<room | n
	}
	return netip.AddrFrom4([4]byte{byte(address >> 24), byte(address >> 16), byte(address >> 8), byte(address)}), true
}

// numberInC returns the value of a number of at most 32 bits, written as in C: 0x7f, 017, 15. It reports false if text
// is none.
func numberInC(text string) (uint64, bool) {
	base := 10
	switch {
	case len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'x':
		text, base = cmp.Or(text[2:], "0"), 16 // 0x is 0 on several platforms
	case len(text) > 1 && text[0] == '0':
		text, base = text[1:], 8
	}
	if text == "" || text[0] == '+' || text[0] == '-' || strings.Contains(text, "_") {
		return 0, false
	}
	text = strings.TrimLeft(text[:len(text)-1], "0") + text[len(text)-1:]
	n, err := strconv.ParseUint(text, base, 32)
	return n, err == nil
}

// Findings applies every rule of RFC 3986, and returns the findings in the order of the reference. Those of the same
// place are in the order of [URL.Findings].
func (r *Reference) Findings() []Finding { return everyRule.ReferenceFindings(r) }

// ReferenceFindings is like [Reference.Findings], but applies the rules of s only.
func (s *Selection) ReferenceFindings(ref *Reference) []Finding {
	r := reports.Get().(*report)
	defer reports.Put(r)
	s.applyTo(ref, r)
	return r.take()
}

// applyTo applies the rules of s to ref; what they find goes to r.
func (s *Selection) applyTo(ref *Reference, r *report) {
	for rule := range s.reference.rulesFor(ref.domains()) {
		r.rule = rule
		rule.reference(ref, r)
	}
}

// AddReference counts the findings in a reference.
func (t *Tally) AddReference(r *Reference) { t.selection.applyTo(r, &t.report) }
