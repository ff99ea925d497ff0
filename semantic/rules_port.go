package semantic

import (
	"fmt"
	"strings"
)

var portRules = []Rule{
	{
		ID: "1738/port-number", Severity: Error, about: unusualPort,
		Title:       "a port is a number from 1 to 65535",
		Requirement: "The port is the number of the port to connect to.",
		also: twin{"1630/port-number", Warning,
			"The port is the number of the port that the server listens at."},
		check: checkPort,
	},
	{
		ID: "1738/port-zeros", Severity: Note, about: unusualPort,
		Title:       "leading zeros in a port",
		Requirement: "A port number is supplied in decimal.",
		check: func(u *URL, r *report) {
			if len(u.Port.Raw) > 1 && u.Port.Raw[0] == '0' {
				r.at(u.Port, "write the number without leading zeros")
			}
		},
	},
	{
		ID: "1738/port-not-default", Severity: Note, about: unusualPort,
		Title: "a port that is not the scheme's default",
		Requirement: "Caution should be used with any URL that specifies a port number other than the default for " +
			"the protocol: another protocol may be spoken there.",
		check: func(u *URL, r *report) {
			if n, ok := u.otherPort(); ok && n >= 1024 {
				r.composed(u.Port, func() string {
					return fmt.Sprintf("make sure that %s is spoken at this port; its own is %d", u.name,
						u.defaultPort)
				})
			}
		},
	},
	{
		ID: "1738/port-reserved", Severity: Warning, about: unusualPort,
		Title: "a port that is reserved for another protocol",
		Requirement: "Caution should be used especially where the port number is within the reserved space, below " +
			"1024: gopher URLs have been made to send messages through an SMTP server.",
		check: func(u *URL, r *report) {
			if n, ok := u.otherPort(); ok && n < 1024 {
				r.composed(u.Port, func() string {
					return fmt.Sprintf("do not access this without asking: ports below 1024 are reserved, and %d "+
						"is not that of %s", n, u.name)
				})
			}
		},
	},
}

func checkPort(u *URL, r *report) {
	if _, ok := u.PortNumber(); !ok {
		r.composed(u.Port, func() string { return fmt.Sprintf("write a number from 1 to %d", maxPort) })
	}
}

// otherPort returns the port, and whether it is a valid one that differs from the default of a scheme that has one.
func (u *URL) otherPort() (int, bool) {
	n, ok := u.PortNumber()
	return n, ok && u.defaultPort != 0 && n != u.defaultPort
}

// withoutZeros returns digits without leading zeros.
func withoutZeros(digits string) string {
	if s := strings.TrimLeft(digits, "0"); s != "" {
		return s
	}
	return "0"
}
