package semantic

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// A Loss is a component of a reference that a [url.URL] cannot hold as it is.
type Loss struct {
	Component   string // "scheme", "authority", "path", "query", "fragment", "host", "port"
	Has, Leaves string // what the reference has, and what would be left of it; "" for an absent one too
}

// A LossError reports what would be lost if a program went on with a [url.URL].
type LossError struct {
	Reference string
	Losses    []Loss // what would be lost; empty if net/url refuses the reference
	Err       error  // why net/url refuses it, or nil
}

// Error returns what would be lost in one line.
func (e *LossError) Error() string {
	if e.Err != nil {
		return "net/url refuses " + ast.Quote(e.Reference) + ": " + e.Err.Error()
	}
	var list []string
	for _, l := range e.Losses {
		list = append(list, fmt.Sprintf("the %s %s would become %s", l.Component, ast.Quote(l.Has),
			ast.Quote(l.Leaves)))
	}
	return "net/url loses something of " + ast.Quote(e.Reference) + ": " + strings.Join(list, ", ")
}

// Unwrap returns the error of net/url.
func (e *LossError) Unwrap() error { return e.Err }

// URL returns r as a [url.URL], whose String method returns r.Source again, but for the case of the scheme. If there
// is none that does, the error is a [*LossError]. So a program can validate strictly and go on with what it has.
func (r *Reference) URL() (*url.URL, error) {
	u, err := url.Parse(r.Source)
	if err != nil {
		return nil, &LossError{Reference: r.Source, Err: err}
	}
	var losses []Loss
	had, left := r.parts(), Split(u.String())
	for i, p := range left.parts() {
		switch h := had[i]; {
		case h.same(p.Part), p.name == "scheme" && strings.EqualFold(h.Raw, p.Raw):
			// nothing is lost
		case h.present != p.present && h.Raw == p.Raw:
			// One is empty and the other is absent: only the delimiter tells them apart.
			losses = append(losses, Loss{h.name, delimited(h.name, h.Part), delimited(h.name, p.Part)})
		default:
			losses = append(losses, Loss{h.name, h.Raw, p.Raw})
		}
	}
	if host := strings.Trim(r.Host.Raw, "[]"); u.Hostname() != host {
		losses = append(losses, Loss{"host", host, u.Hostname()})
	}
	if u.Port() != r.Port.Raw {
		losses = append(losses, Loss{"port", r.Port.Raw, u.Port()})
	}
	if len(losses) > 0 {
		return nil, &LossError{Reference: r.Source, Losses: losses}
	}
	return u, nil
}

// delimited returns a component with the delimiter that tells an empty one from an absent one; "" for an absent one.
func delimited(name string, p Part) string {
	if !p.present {
		return ""
	}
	return map[string]string{"authority": "//", "query": "?", "fragment": "#"}[name] + p.Raw
}
