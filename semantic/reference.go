package semantic

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen/rfc3986"
	"github.com/bnfcheck/bnfcheck/internal/automata/repair"
)

// A Reference is a URI or a relative reference of RFC 3986 in its components. Nothing is decoded or copied: every
// [Part] is a piece of Source. A component that is absent differs from one that is empty: "//host?" has an empty
// query, "//host" has none (section 5.3).
//
// The functions that take a *URL are about the texts of 1994, which know schemes; those of a Reference hold for every
// scheme.
type Reference struct {
	Source string
	FiveComponents
	Userinfo Part
	Host     Host // with the brackets of an IP literal
	Port     Part // digits, or nothing: "//host:" has an empty port
}

// FiveComponents are the five components of a reference (section 3). The path is always present, though it may be
// empty.
type FiveComponents struct {
	Scheme    Part
	Authority Part
	Path      Part
	Query     Part
	Fragment  Part
}

// ParseReference returns the reference that RFC 3986 derives from s. The error is an [*ast.SyntaxError], or an
// [*ast.TooLongError].
func ParseReference(s string) (*Reference, error) {
	tree, err := bnfcheck.RFC3986.Parse(s)
	if err != nil {
		return nil, err
	}
	return ReferenceOf(tree)
}

// ReferenceOf returns the reference that a tree stands for. The root of the tree is URI-reference, URI, absolute-URI
// or relative-ref; for any other the error is [ErrNotURL], and the reference is zero.
func ReferenceOf(tree *ast.Tree) (*Reference, error) {
	r := new(Reference)
	return r, r.Read(tree)
}

// Read is [ReferenceOf] into r, so that a program with many strings to read need not allocate. After an error r is
// zero.
func (r *Reference) Read(tree *ast.Tree) error {
	*r = Reference{}
	if tree == nil || tree.Grammar == nil || tree.Grammar.Name != rfc3986.Grammar.Name || len(tree.Nodes) == 0 {
		return ErrNotURL
	}
	switch tree.Nodes[0].Kind {
	case rfc3986.KindURIReference, rfc3986.KindURI, rfc3986.KindAbsoluteURI, rfc3986.KindRelativeRef:
		// a whole reference
	default:
		return ErrNotURL
	}
	r.Source = tree.Source
	nodes := tree.Nodes
	for i := 0; i < len(nodes); i++ {
		n := &nodes[i]
		switch n.Kind {
		case rfc3986.KindScheme:
			r.Scheme = r.at(n)
		case rfc3986.KindAuthority:
			r.Authority = r.at(n)
			continue
		case rfc3986.KindUserinfo:
			r.Userinfo = r.at(n)
		case rfc3986.KindHost:
			r.Host.Part = r.at(n)
			continue
		case rfc3986.KindRegName:
			r.Host.Kind = RegName
		case rfc3986.KindIPv4address:
			r.Host.Kind = IPv4
		case rfc3986.KindIPLiteral:
			continue
		case rfc3986.KindIPv6address:
			r.Host.Kind = IPv6
		case rfc3986.KindIPvFuture:
			r.Host.Kind = IPvFuture
		case rfc3986.KindPort:
			r.Port = r.at(n)
		case rfc3986.KindPathAbempty, rfc3986.KindPathAbsolute, rfc3986.KindPathNoscheme, rfc3986.KindPathRootless,
			rfc3986.KindPathEmpty:
			r.Path = r.at(n)
		case rfc3986.KindQuery:
			r.Query = r.at(n)
		case rfc3986.KindFragment:
			r.Fragment = r.at(n)
		default:
			continue
		}
		if next := int(n.Next); next > i {
			i = next - 1 // what is below says nothing more
		}
	}
	return nil
}

// at returns the part of the source that a node stands for; an absent one for a node of no parser.
func (r *Reference) at(n *ast.Raw) Part {
	if n.Start < 0 || n.Start > n.End || int(n.End) > len(r.Source) {
		return Part{}
	}
	return Part{Raw: r.Source[n.Start:n.End], start: n.Start, present: true}
}

// Relative reports whether r is a relative reference: it has no scheme.
func (r *Reference) Relative() bool { return !r.Scheme.present }

// SchemeName returns the scheme in lower case, "" if there is none: "although schemes are case-insensitive, the
// canonical form is lowercase" (section 3.1).
func (r *Reference) SchemeName() string { return strings.ToLower(r.Scheme.Raw) }

// PortNumber returns the port; if it is absent or empty, the default port of the scheme, if that is known and r has a
// host. It reports false if there is neither, and for a number above 65535; 0 is a number here.
func (r *Reference) PortNumber() (int, bool) {
	if r.Port.Raw == "" {
		n, ok := defaultPorts[r.SchemeName()]
		return n, ok && r.Host.Kind != NoHost
	}
	return decimal(r.Port.Raw, maxPort)
}

// defaultPorts holds the default ports of schemes that use the generic authority, as their registrations have them.
// RFC 3986 itself has that of http (section 6.2.3).
var defaultPorts = map[string]int{
	"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "sftp": 22, "ssh": 22, "telnet": 23,
	"gopher": 70, "nntp": 119, "ldap": 389, "ldaps": 636, "rtsp": 554, "imap": 143, "pop": 110,
	"wais": 210, "prospero": 1525, "git": 9418, "redis": 6379,
}

// Split returns the components of any string, by the regular expression of appendix B: of a string that is no
// reference too.
//
//	^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?
func Split(s string) FiveComponents {
	p := repair.Split(s)
	part := func(q repair.Part) Part { return Part{q.Text, int32(q.Start), q.Present} }
	c := FiveComponents{Scheme: part(p.Scheme), Path: part(p.Path), Query: part(p.Query), Fragment: part(p.Fragment)}
	if p.Host.Present {
		from := p.Host.Start
		if p.User.Present {
			from = p.User.Start
		}
		c.Authority = Part{s[from:p.Path.Start], int32(from), true}
	}
	return c
}

// Recompose returns the string of the components (section 5.3).
func (c FiveComponents) Recompose() string {
	var b []byte
	if c.Scheme.present {
		b = append(append(b, c.Scheme.Raw...), ':')
	}
	if c.Authority.present {
		b = append(append(b, "//"...), c.Authority.Raw...)
	}
	b = append(b, c.Path.Raw...)
	if c.Query.present {
		b = append(append(b, '?'), c.Query.Raw...)
	}
	if c.Fragment.present {
		b = append(append(b, '#'), c.Fragment.Raw...)
	}
	return string(b)
}

// parts returns the components in their order, each with its name.
func (c *FiveComponents) parts() [5]struct {
	name string
	Part
} {
	return [5]struct {
		name string
		Part
	}{{"scheme", c.Scheme}, {"authority", c.Authority}, {"path", c.Path}, {"query", c.Query}, {"fragment", c.Fragment}}
}

// same reports whether two components are the same text, or both absent.
func (p Part) same(q Part) bool { return p.present == q.present && p.Raw == q.Raw }

// Fields returns the parts of r that are present, and the values that follow from them, in the order of the reference.
func (r *Reference) Fields() []Field {
	var list fieldList
	list.part("scheme", r.Scheme)
	list.part("userinfo", r.Userinfo)
	list.part("host", r.Host.Part)
	if r.Host.Kind != NoHost {
		list.value("kind of host", r.Host.Kind.String())
	}
	if a, ok := r.Host.Addr(); ok {
		list.value("address", a.String())
	}
	if version, address, ok := r.Host.Future(); ok {
		list.value("address", address+" of version "+version)
	}
	list.part("port", r.Port)
	if n, ok := r.PortNumber(); ok && r.Port.Raw == "" {
		list.value("port", strconv.Itoa(n)+", the default")
	}
	list.part("path", r.Path)
	list.part("query", r.Query)
	list.part("fragment", r.Fragment)
	return list
}

// production returns the RFC's name of what r is.
func (r *Reference) production() string {
	if r.Relative() {
		return "relative-ref"
	}
	return "URI"
}

// String returns the reference itself, as it is written.
func (r *Reference) String() string { return r.Source }

// Table returns r as lines of text: one with the production, then one for each field with its span, its text and, if
// they differ, its octets.
func (r *Reference) Table() string {
	b := append([]byte(nil), rfc3986.Grammar.Name+": "+r.production()+"\n"...)
	return string(appendFields(b, r.Fields()))
}

// MarshalJSON returns r as an object with the grammar, the reference itself, the scheme if it has one, the production
// and the list of fields, as that of a [URL] has them.
func (r *Reference) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Grammar    string      `json:"grammar"`
		Reference  string      `json:"reference"`
		Scheme     string      `json:"scheme,omitempty"`
		Production string      `json:"production"`
		Fields     []fieldJSON `json:"fields"`
	}{rfc3986.Grammar.Name, r.Source, r.SchemeName(), r.production(), fieldsJSON(r.Fields())})
}
