package semantic

import (
	"fmt"
	"github.com/bnfcheck/bnfcheck/ast"
)

var hostRules = []Rule{
	{
		ID: "1738/host-label", Severity: Error, about: oddLabels,
		Title: "a domain label has at most 63 octets",
		Requirement: "Domain names take the form of RFC 1034 section 3.5 and RFC 1123 section 2.1; labels must be " +
			"63 characters or less.",
		check: checkLabels,
	},
	{
		ID: "1630/host-label", Severity: Warning, about: oddLabels,
		Title: "a domain label has at most 63 octets and is not empty",
		Requirement: "A host name is a name of the domain system (RFC 1034), whose labels have 1 to 63 octets. " +
			"The BNF takes other names, which no host has.",
		check: checkLabels,
	},
	{
		ID: "1630/host-root", Severity: Note, about: rootPeriod,
		Title: "a host name that ends with a period",
		Requirement: "The BNF takes a period at the end of a host name. In the domain system it stands for the " +
			"root, and the name means the same without it; not all software knows.",
		check: func(u *URL, r *report) {
			n := len(u.Host.Raw)
			r.at(u.Host.sub(n-1, n), "this period stands for the root of the domain system, and may be left out")
		},
	},
	{
		ID: "1738/host-length", Severity: Error, about: longName,
		Title: "a domain name has at most 255 octets",
		Requirement: "The total length of a domain name is at most 255 octets, the length octet of each label and " +
			"of the root included (RFC 1034 section 3.1).",
		check: func(u *URL, r *report) {
			r.composed(u.Host.Part, func() string {
				return fmt.Sprintf("shorten the name: it takes %d octets of %d", domainNameLength(u.Host.Raw),
					maxDomainName)
			})
		},
	},
	{
		ID: "1738/host-qualified", Severity: Note, about: singleLabel,
		Title:       "a host name is fully qualified",
		Requirement: "The host is the fully qualified domain name of a network host, or its IP address.",
		check: func(u *URL, r *report) {
			if f, ok := u.Specific.(*File); !ok || !f.Local(u) {
				r.at(u.Host.Part, "write the fully qualified domain name: this one has a single label")
			}
		},
	},
	{
		ID: "1630/host-name", Severity: Warning, about: oddHostName,
		Title: "a host name of characters that host names do not have",
		Requirement: "The BNF makes a host name of any xalphas; names of hosts have letters, digits and hyphens " +
			"between periods (RFC 1034 section 3.5).",
		check: func(u *URL, r *report) {
			for at, octet := range u.Host.octets() {
				switch {
				case !inHosts.Has(octet) && octet != '.':
					r.at(at, "remove this character: host names have letters, digits, \"-\" and \".\"")
					return
				case len(at.Raw) > 1:
					r.composed(at, func() string {
						return fmt.Sprintf("write %s: host names have no escapes", ast.Quote(string(rune(octet))))
					})
					return
				}
			}
		},
	},
	{
		ID: "1738/hostnumber-octet", Severity: Error, about: hostNumber,
		Title:       "the groups of an IP address are at most 255",
		Requirement: "An IP address is a set of four decimal digit groups, each the value of an octet.",
		check:       checkOctets,
	},
	{
		ID: "1630/hostnumber-octet", Severity: Warning, about: hostNumber,
		Title:       "the groups of an internet address are at most 255",
		Requirement: "A host number is an internet address, four octets in decimal digits.",
		check:       checkOctets,
	},
	{
		ID: "1738/hostnumber-zeros", Severity: Note, about: hostNumber,
		Title:       "leading zeros in an IP address",
		Requirement: "The groups are decimal. Programs are known that read one with a leading zero as octal.",
		check: func(u *URL, r *report) {
			for group := range u.Host.Split('.') {
				if len(group.Raw) > 1 && group.Raw[0] == '0' {
					r.at(group, "write the group without leading zeros: it is decimal, though some programs read "+
						"it as octal")
					return
				}
			}
		},
	},
}

// checkLabels reports the first label of the host that is longer than maxLabel octets or empty. An empty one at the end
// is left to the rule host-root.
func checkLabels(u *URL, r *report) {
	for label := range u.Host.Split('.') {
		switch {
		case len(label.Raw) > maxLabel:
			r.composed(label, func() string {
				return fmt.Sprintf("shorten the label: it has %d octets of %d", len(label.Raw), maxLabel)
			})
			return
		case label.Raw == "" && label.Start() == u.Host.End(): // see host-root
		case label.Raw == "":
			r.at(label, "remove the period: a label of the name is empty")
			return
		}
	}
}

// checkOctets reports the first group of the host, a hostnumber, that is above 255.
func checkOctets(u *URL, r *report) {
	for group := range u.Host.Split('.') {
		if _, ok := decimal(group.Raw, 255); !ok {
			r.at(group, "write a number up to 255: it stands for an octet")
			return
		}
	}
}
