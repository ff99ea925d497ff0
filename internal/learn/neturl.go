package learn

import (
	"net/url"
	"strings"
)

// NetURL gives Go's net/url, restricted to a scheme: a word is accepted if [url.Parse] parses it, and finds this scheme
// and the name of a host, so that there is something to connect to. (Parse alone accepts nearly everything, as relative
// or opaque.)
//
// On a host in square brackets it does not decide. Those are RFC 2732's, five years younger than RFC 1738, and the syntax
// of an IPv6 address alone takes many times the states of all the rest.
func NetURL(scheme string) Func {
	return func(word string) (accepted, decided bool) {
		u, err := url.Parse(word)
		if err != nil || u.Scheme != scheme || u.Hostname() == "" {
			return false, true
		}
		return true, !strings.HasPrefix(u.Host, "[")
	}
}
