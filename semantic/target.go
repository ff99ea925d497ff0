package semantic

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
)

// ErrRelativeBase reports a base that is a relative reference.
var ErrRelativeBase = errors.New("the base is a relative reference: it has no scheme")

// ErrComponents reports components that no reference has: those of the target of [Reference.Resolve], of
// [Reference.JoinPath], or of a [Builder].
var ErrComponents = errors.New("no reference has these components")

// Resolve returns the target of ref in the context of the base r, by the algorithm of section 5.2. The base's fragment
// is left out (section 5.1). The result is derived by the production URI, and its components are those that the
// algorithm returns.
//
// The error wraps [ErrRelativeBase], or [ErrComponents] where the algorithm returns a path that begins with two slashes
// and no authority: ".//b" in the context of "a:/" has the path "//b", and "a://b" would be read as an authority.
func (r *Reference) Resolve(ref *Reference) (*Reference, error) {
	return r.resolve(ref, true)
}

// ResolveNonStrict is [Reference.Resolve] as the parsers before RFC 3986 did it: a scheme in ref that is the base's is
// ignored. "Its use should be avoided but is allowed for backward compatibility" (section 5.4.2).
func (r *Reference) ResolveNonStrict(ref *Reference) (*Reference, error) {
	return r.resolve(ref, false)
}

// resolve returns the target of ref in the context of r, strictly or not: see [Reference.ResolveNonStrict]. It fails
// with [ErrRelativeBase] if r is relative, and with [ErrComponents] if the target, written and read again, is not what
// was meant.
func (r *Reference) resolve(ref *Reference, strict bool) (*Reference, error) {
	if r.Relative() {
		return nil, fmt.Errorf("%w: %s", ErrRelativeBase, ast.Quote(r.Source))
	}
	t := transform(r.FiveComponents, ref.FiveComponents, strict)
	s := t.Recompose()
	p := bnfcheck.RFC3986.Parser()
	p.MaxLength = len(s) + 1
	tree, err := p.Parse(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrComponents, ast.Quote(s))
	}
	target, err := ReferenceOf(tree)
	if err != nil {
		return nil, err
	}
	got, want := target.parts(), t.parts()
	for i := range got {
		if !got[i].same(want[i].Part) {
			return nil, fmt.Errorf("%w: the %s is %s, and in %s it would be %s", ErrComponents, want[i].name,
				ast.Quote(want[i].Raw), ast.Quote(s), ast.Quote(got[i].Raw))
		}
	}
	return target, nil
}

// transform returns the components of the target of r in the context of base: it is the pseudocode of section 5.2.2,
// line by line.
func transform(base, r FiveComponents, strict bool) (t FiveComponents) {
	if !strict && r.Scheme.present && strings.EqualFold(r.Scheme.Raw, base.Scheme.Raw) {
		r.Scheme = Part{}
	}
	switch {
	case r.Scheme.present:
		t.Scheme, t.Authority, t.Path, t.Query = r.Scheme, r.Authority, r.Path.as(removeDotSegments(r.Path.Raw)),
			r.Query
	case r.Authority.present:
		t.Scheme, t.Authority, t.Path, t.Query = base.Scheme, r.Authority, r.Path.as(removeDotSegments(r.Path.Raw)),
			r.Query
	case r.Path.Raw == "":
		t.Scheme, t.Authority, t.Path, t.Query = base.Scheme, base.Authority, base.Path, base.Query
		if r.Query.present {
			t.Query = r.Query
		}
	case r.Path.Raw[0] == '/':
		t.Scheme, t.Authority, t.Path, t.Query = base.Scheme, base.Authority, r.Path.as(removeDotSegments(r.Path.Raw)),
			r.Query
	default:
		t.Scheme, t.Authority, t.Path, t.Query = base.Scheme, base.Authority,
			r.Path.as(removeDotSegments(merge(base, r.Path.Raw))), r.Query
	}
	t.Fragment = r.Fragment
	return t
}

// as returns a part with the given text; it is present, at no place, and has nothing of p.
func (p Part) as(text string) Part { return Part{Raw: text, present: true} }

// merge returns a relative path in the place of the last segment of base's path, by the routine of section 5.2.3.
func merge(base FiveComponents, path string) string {
	if base.Authority.present && base.Path.Raw == "" {
		return "/" + path
	}
	return base.Path.Raw[:strings.LastIndexByte(base.Path.Raw, '/')+1] + path
}

// removeDotSegments returns a path without the segments "." and "..", by the routine of section 5.2.4; the letters are
// those of its steps.
func removeDotSegments(in string) string {
	if !strings.Contains(in, "/.") && !strings.HasPrefix(in, ".") {
		return in
	}
	out := make([]byte, 0, len(in))
	up := func() { out = out[:max(0, bytes.LastIndexByte(out, '/'))] }
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"): // A
			in = in[len("../"):]
		case strings.HasPrefix(in, "./"):
			in = in[len("./"):]
		case strings.HasPrefix(in, "/./"): // B
			in = in[len("/."):]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"): // C
			in = in[len("/.."):]
			up()
		case in == "/..":
			in = "/"
			up()
		case in == ".", in == "..": // D
			in = ""
		default: // E
			n := strings.IndexByte(in[1:], '/') + 1
			if n == 0 {
				n = len(in)
			}
			out, in = append(out, in[:n]...), in[n:]
		}
	}
	return string(out)
}
