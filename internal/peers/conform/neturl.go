package conform

import (
	"net/url"
	"strings"
)

// NetURL is Go's net/url, asked in this process.
func NetURL() Implementation { return Func{Title: "net/url", Parse: parseNetURL} }

// parseNetURL returns the answer of Go's net/url, with all components but those it cannot tell from others.
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
