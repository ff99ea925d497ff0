package semantic

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
)

// This file makes references out of octets, and octets out of references. What a component can hold bare is what its
// production in RFC 3986 derives; every other octet is encoded.

// A Builder has the components of a reference as octets, with nothing encoded. Each is encoded as its production wants
// it, so a "/" in a segment of the path, or a "&" in a value of the query, is that character and no delimiter.
//
//	r, err := semantic.Builder{
//		Scheme: "https", Host: "example.com", Path: []string{"a b", "c/d"}, Query: [][2]string{{"q", "1&2"}},
//	}.Reference() // https://example.com/a%20b/c%2Fd?q=1%262
type Builder struct {
	Scheme   string // "" for a relative reference
	Userinfo string // "" for none
	Host     string // a name, or an IP address without brackets; "" for no authority
	Port     int    // 0 for none

	// Path has the segments. Behind a host each has a "/" before it; without one, an empty first segment makes the
	// path begin with a slash. A segment "." or ".." is an error, since the RFC reads those in every spelling as
	// steps.
	Path []string

	// Query has names and values in their order, which are joined by "=" and "&" as forms have them; nil is no query.
	Query [][2]string

	Fragment string // "" for none
}

// Reference returns the reference of the components. It fails for a user or a port without a host, a port that is
// none, a segment "." or "..", and components that no reference has or that would be read as others: the error wraps
// [ErrComponents].
func (b Builder) Reference() (*Reference, error) {
	var c FiveComponents
	if b.Scheme != "" {
		c.Scheme = Part{}.as(b.Scheme)
	}
	if b.Host != "" {
		c.Authority = Part{}.as(b.authority())
	} else if b.Userinfo != "" || b.Port != 0 {
		return nil, fmt.Errorf("%w: user or port, and no host", ErrComponents)
	}
	if b.Port < 0 || b.Port > maxPort {
		return nil, fmt.Errorf("%w: port %d", ErrComponents, b.Port)
	}
	path, err := b.path()
	if err != nil {
		return nil, err
	}
	c.Path = Part{}.as(path)
	if b.Query != nil {
		c.Query = Part{}.as(joinPairs(b.Query))
	}
	if b.Fragment != "" {
		c.Fragment = Part{}.as(percent.EncodeExcept(b.Fragment, pchars+"/?"))
	}
	r, err := parseComponents(c)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrComponents, err)
	}
	return r, nil
}

// authority returns the authority with userinfo and host encoded, and with an IPv6 address in brackets; an empty
// Userinfo and port 0 are absent. b.Host must not be empty.
//
// authority = [ userinfo "@" ] host [ ":" port ]   (RFC 3986 section 3.2)
func (b Builder) authority() string {
	var out strings.Builder
	if b.Userinfo != "" {
		out.WriteString(percent.EncodeExcept(b.Userinfo, subDelims+":") + "@")
	}
	if a, err := netip.ParseAddr(b.Host); err == nil && a.Is6() && a.Zone() == "" {
		out.WriteString("[" + b.Host + "]")
	} else {
		out.WriteString(percent.EncodeExcept(b.Host, subDelims))
	}
	if b.Port != 0 {
		out.WriteString(":" + strconv.Itoa(b.Port))
	}
	return out.String()
}

// path returns the segments, encoded, with slashes between them and, with a host, before the first. In a segment that
// begins the reference ":" is encoded. The error wraps [ErrComponents]: a segment is "." or "..".
func (b Builder) path() (string, error) {
	var list []string
	if b.Host != "" && len(b.Path) > 0 {
		list = append(list, "")
	}
	for i, s := range b.Path {
		if s == "." || s == ".." {
			return "", fmt.Errorf("%w: the segment %q is a step, and no name", ErrComponents, s)
		}
		bare := pchars
		if i == 0 && b.Scheme == "" && b.Host == "" { // what is before a ":" would be a scheme
			bare = strings.ReplaceAll(bare, ":", "")
		}
		list = append(list, percent.EncodeExcept(s, bare))
	}
	return strings.Join(list, "/"), nil
}

// The characters that stand bare in components besides the unreserved ones (RFC 3986 section 2.2 and appendix A).
const (
	subDelims = "!$&'()*+,;="
	pchars    = subDelims + ":@"
)

// joinPairs returns the query of names and values, encoded and joined by "=" and "&". A pair without a value has the
// "=" too.
func joinPairs(pairs [][2]string) string {
	// "+" would be read as a space by forms, and "=", "&" and ";" as delimiters.
	bare := strings.NewReplacer("&", "", "=", "", "+", "", ";", "").Replace(pchars) + "/?"
	list := make([]string, len(pairs))
	for i, p := range pairs {
		list[i] = percent.EncodeExcept(p[0], bare) + "=" + percent.EncodeExcept(p[1], bare)
	}
	return strings.Join(list, "&")
}

// QueryPairs returns the names and values of the query, decoded, as [Builder.Query] has them. A name without "=" has
// the value "". "+" is no space: RFC 3986 knows none. Empty pairs are left out: "a&&b" has two. The result is nil if
// there is no query, or none but empty pairs.
func (r *Reference) QueryPairs() (pairs [][2]string) {
	for p := range r.Query.Split('&') {
		if p.Raw == "" {
			continue
		}
		name, value, _ := strings.Cut(p.Raw, "=")
		pairs = append(pairs, [2]string{Part{}.as(name).Decoded(), Part{}.as(value).Decoded()})
	}
	return pairs
}

// PathSegments returns the segments of the path, decoded, as [Builder.Path] has them: without the empty one before the
// first slash where there is an authority. nil is an empty path.
func (r *Reference) PathSegments() (list []string) {
	if r.Path.Raw == "" {
		return nil
	}
	for p := range r.Path.Split('/') {
		list = append(list, p.Decoded())
	}
	if r.Authority.present {
		list = list[1:]
	}
	return list
}

// Hostname returns the host, decoded, without the brackets of an IP literal; "" if there is none. [Reference.Host]
// tells what kind it is.
func (r *Reference) Hostname() string {
	if r.Host.Kind == IPv6 || r.Host.Kind == IPvFuture {
		return strings.Trim(r.Host.Raw, "[]")
	}
	return r.Host.Decoded()
}

// JoinPath returns r with elements added to its path, and without dot segments, as net/url has it. The elements are
// octets: each "/" in them begins a segment, a segment ".." is a step up, and what a segment cannot hold bare is
// encoded, "%" too. An element that is empty, or only slashes, adds nothing; a "/" at the end of the last one ends the
// path. Query and fragment stay. The error wraps [ErrComponents].
func (r *Reference) JoinPath(elements ...string) (*Reference, error) {
	path := r.Path.Raw
	if len(elements) > 0 {
		path = strings.TrimSuffix(path, "/")
	}
	for _, e := range elements {
		if strings.Trim(e, "/") == "" {
			continue
		}
		for s := range strings.SplitSeq(strings.Trim(e, "/"), "/") {
			path += "/" + percent.EncodeExcept(s, pchars)
		}
	}
	if len(elements) > 0 && strings.HasSuffix(elements[len(elements)-1], "/") {
		path += "/"
	}
	if r.Path.Raw == "" && !r.Authority.present {
		path = strings.TrimPrefix(path, "/")
	}
	c := r.FiveComponents
	c.Path = Part{}.as(removeDotSegments(path))
	joined, err := parseComponents(c)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrComponents, err)
	}
	return joined, nil
}

// parseComponents returns the reference of components. It fails if no reference has exactly these; the caller wraps
// the error in [ErrComponents].
func parseComponents(c FiveComponents) (*Reference, error) {
	s := c.Recompose()
	r, err := ParseReference(s)
	if err != nil {
		return nil, err
	}
	got, want := r.parts(), c.parts()
	for i := range want {
		if !got[i].same(want[i].Part) {
			return nil, fmt.Errorf("the %s is %s, and in %s it would be %s",
				want[i].name, ast.Quote(want[i].Raw), ast.Quote(s), ast.Quote(got[i].Raw))
		}
	}
	return r, nil
}
