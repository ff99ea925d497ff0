package conform

import (
	"net/url"
	"strings"
)

// NetURL is Go's net/url, asked in this process.
func NetURL() Implementation { return Func{Title: "net/url", Parse: parseNetURL} }

// parseNetURL returns the answer of Go's net/url. It says all components. A port or fragment that is empty is absent,
// since net/url does not tell these apart. A path is always there; if the URL is opaque, it is all after the scheme,
// up to a query or fragment. User, password and host are decoded, the others are not.
func parseNetURL(w string) Answer {
	u, err := url.Parse(w)
	if err != nil {
		return Answer{Verdict: Rejected, Error: err.Error()}
	}
	a := Answer{Verdict: Accepted}
	for c := range a.Components {
		a.Components[c] = None
	}
	a.Components[UserInfo] = Value{} // set by deriveUserInfo, from user and password
	rest := w
	if u.Scheme != "" {
		a.Components[Scheme] = Is(u.Scheme)
		rest = w[len(u.Scheme)+1:]
	}
	a.Components[Path] = Is(u.EscapedPath())
	if u.Opaque != "" {
		a.Components[Path] = Is(u.Opaque)
	}
	if u.User != nil {
		a.Components[User] = Is(u.User.Username())
		if password, set := u.User.Password(); set {
			a.Components[Password] = Is(password)
		}
	}
	if u.Host != "" || strings.HasPrefix(rest, "//") {
		a.Components[Host] = Is(u.Hostname())
		if port := u.Port(); port != "" {
			a.Components[Port] = Is(port)
		}
	}
	if u.RawQuery != "" || u.ForceQuery {
		a.Components[Search] = Is(u.RawQuery)
	}
	if u.Fragment != "" {
		a.Components[Fragment] = Is(u.EscapedFragment())
	}
	a.Components.deriveUserInfo()
	return a
}
