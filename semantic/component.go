package semantic

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
)

// Component is a part of a URL of one scheme that octets can be encoded in.
type Component struct {
	RFC    RFC
	Scheme string // "" for the schemes that the RFC does not define
	Name   string // as in [Field.Name]; "segment" is one piece of a path between slashes

	// Bare holds the octets that mean the same bare and encoded: those that the component's production takes as characters,
	// without the ones that have a reserved meaning there. Only these may change their encoding level.
	Bare ast.ByteSet

	// Escapes says that all other octets can be encoded. A newsgroup of RFC 1738 or a user of RFC 1630 has no escapes.
	Escapes bool

	// Never holds octets that the component cannot have at all: a gopher selector has no tab, CR or LF.
	Never ast.ByteSet

	// PlusIsSpace is set for the query string of RFC 1630, where "+" is shorthand for a space.
	PlusIsSpace bool

	// Dots is set for path segments of RFC 1630, where "." and ".." alone are reserved.
	Dots bool

	// FoldCase is set for host names, which mean the same in either case.
	FoldCase bool
}

// EncodeError says that a component cannot hold an octet.
type EncodeError struct {
	Component Component
	Octet     byte
	Offset    int
}

func (e *EncodeError) Error() string {
	return fmt.Sprintf("RFC %s: the %s of %s URLs cannot hold the octet %02X (at offset %d)",
		e.Component.RFC, e.Component.Name, e.Component.schemeName(), e.Octet, e.Offset)
}

func (c Component) schemeName() string {
	if c.Scheme == "" {
		return "other"
	}
	return c.Scheme
}

// Encode writes octets so that they can stand in the component: those in Bare as characters, the others as escapes with upper-case
// digits. Decode gives them back. The error is an *[EncodeError].
func (c Component) Encode(octets string) (string, error) {
	b, err := c.append(make([]byte, 0, len(octets)), octets)
	if err != nil {
		return "", err
	}
	return string(b), nil
}

func (c Component) append(dst []byte, octets string) ([]byte, error) {
	dots := c.Dots && (octets == "." || octets == "..")
	for i := range len(octets) {
		octet := octets[i]
		switch {
		case c.Never.Has(octet):
			return nil, &EncodeError{c, octet, i}
		case c.Bare.Has(octet) && !dots:
			dst = append(dst, octet)
		case octet == ' ' && c.PlusIsSpace && i > 0 && i < len(octets)-1 && octets[i-1] != ' ':
			// Between two words only: the generic BNF has no empty ones (search = xalphas [ + search ]).
			dst = append(dst, '+')
		case !c.Escapes:
			return nil, &EncodeError{c, octet, i}
		default:
			dst = appendEscape(dst, octet)
		}
	}
	return dst, nil
}

// Decode gives the octets that a text in the component stands for.
func (c Component) Decode(text string) string {
	if !c.PlusIsSpace {
		return decode(text)
	}
	b := []byte(text)
	for i := range b {
		if b[i] == '+' {
			b[i] = ' '
		}
	}
	return string(appendDecoded(nil, string(b)))
}

// Components lists the components of both RFCs' schemes.
func Components() []Component { return slices.Clone(components) }

// ComponentOf gives the component of a scheme with a name, and false where there is none. Schemes that the RFC does not
// define share the scheme "".
func ComponentOf(rfc RFC, scheme, name string) (Component, bool) {
	if c := componentOf(rfc, scheme, name); c != nil {
		return *c, true
	}
	return Component{}, false
}

func componentOf(rfc RFC, scheme, name string) *Component {
	for i := range components {
		if c := &components[i]; c.RFC == rfc && c.Scheme == scheme && c.Name == name {
			return c
		}
	}
	return nil
}

// setOf gives the set of the bytes of s.
func setOf(s string) (set ast.ByteSet) {
	for i := range len(s) {
		set[s[i]>>6] |= 1 << (s[i] & 63)
	}
	return set
}

func union(a, b ast.ByteSet) ast.ByteSet {
	return ast.ByteSet{a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]}
}

// In RFC 1738 unreserved = alpha | digit | safe | extra, and each component adds the characters of its production that the text does
// not reserve there. In RFC 1630 xalpha takes safe ("@" only where it delimits nothing) and extra without "*" and "!",
// which are reserved.
var (
	digits       = setOf("0123456789")
	alphanumeric = setOf("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
	unreserved   = union(alphanumeric, setOf("$-_.+!*'(),"))
	xalpha       = union(alphanumeric, setOf("$-_.&\"'(),"))
	lineEnds     = setOf("\t\r\n")
)

func plus(set ast.ByteSet, more string) ast.ByteSet { return union(set, setOf(more)) }

var components = []Component{
	// In user and password ":", "@" and "/" must be encoded (section 3.1).
	{RFC: RFC1738, Scheme: "ftp", Name: "user", Bare: plus(unreserved, ";?&="), Escapes: true},
	{RFC: RFC1738, Scheme: "ftp", Name: "password", Bare: plus(unreserved, ";?&="), Escapes: true},
	{RFC: RFC1738, Scheme: "telnet", Name: "user", Bare: plus(unreserved, ";?&="), Escapes: true},
	{RFC: RFC1738, Scheme: "telnet", Name: "password", Bare: plus(unreserved, ";?&="), Escapes: true},
	{RFC: RFC1738, Scheme: "", Name: "user", Bare: plus(unreserved, ";?&="), Escapes: true},
	{RFC: RFC1738, Scheme: "", Name: "password", Bare: plus(unreserved, ";?&="), Escapes: true},
	// fsegment; "/" and ";" are reserved (3.2.2), for file by its BNF.
	{RFC: RFC1738, Scheme: "ftp", Name: "segment", Bare: plus(unreserved, "?:@&="), Escapes: true},
	{RFC: RFC1738, Scheme: "file", Name: "segment", Bare: plus(unreserved, "?:@&="), Escapes: true},
	// hsegment, search; "/", ";" and "?" are reserved (3.3).
	{RFC: RFC1738, Scheme: "http", Name: "segment", Bare: plus(unreserved, ":@&="), Escapes: true},
	{RFC: RFC1738, Scheme: "http", Name: "search", Bare: plus(unreserved, ":@&="), Escapes: true},
	// "Within the <gopher-path>, no characters are reserved" (3.4.1). The BNF's search takes neither "/" nor "?".
	{RFC: RFC1738, Scheme: "gopher", Name: "type", Bare: plus(unreserved, ";/?:@&="), Escapes: true},
	{RFC: RFC1738, Scheme: "gopher", Name: "selector", Bare: plus(unreserved, ";/?:@&="), Escapes: true, Never: lineEnds},
	{RFC: RFC1738, Scheme: "gopher", Name: "search", Bare: plus(unreserved, ";:@&="), Escapes: true, Never: lineEnds},
	{RFC: RFC1738, Scheme: "gopher", Name: "gopher+ string", Bare: plus(unreserved, ";/?:@&="), Escapes: true},
	// "Within mailto URLs, there are no reserved characters" (3.5).
	{RFC: RFC1738, Scheme: "mailto", Name: "addr-spec", Bare: plus(unreserved, ";/?:@&="), Escapes: true},
	// article; "@" tells it from a newsgroup, "no additional characters are reserved" (3.6).
	{RFC: RFC1738, Scheme: "news", Name: "message-id", Bare: plus(unreserved, ";/?:&="), Escapes: true},
	{RFC: RFC1738, Scheme: "news", Name: "newsgroup", Bare: plus(alphanumeric, "-.+_")},
	{RFC: RFC1738, Scheme: "nntp", Name: "newsgroup", Bare: plus(alphanumeric, "-.+_")},
	// uchar; of search the text says nothing (3.9), so what may be reserved stays.
	{RFC: RFC1738, Scheme: "wais", Name: "database", Bare: unreserved, Escapes: true},
	{RFC: RFC1738, Scheme: "wais", Name: "search", Bare: unreserved, Escapes: true},
	{RFC: RFC1738, Scheme: "wais", Name: "type", Bare: unreserved, Escapes: true},
	{RFC: RFC1738, Scheme: "wais", Name: "document-id", Bare: unreserved, Escapes: true},
	// ppath; ";" is reserved, of "/" "no significance may be assumed" (3.11).
	{RFC: RFC1738, Scheme: "prospero", Name: "hsoname", Bare: plus(unreserved, "/?:@&="), Escapes: true},
	{RFC: RFC1738, Scheme: "prospero", Name: "field", Bare: plus(unreserved, "?:@&"), Escapes: true},
	{RFC: RFC1738, Scheme: "prospero", Name: "value", Bare: plus(unreserved, "?:@&"), Escapes: true},
	// What another scheme reserves is not known; it may reserve any of ";/?:@=&", and nothing else (2.2).
	{RFC: RFC1738, Scheme: "", Name: "segment", Bare: unreserved, Escapes: true},

	{RFC: RFC1630, Scheme: "ftp", Name: "user", Bare: plus(alphanumeric, "-_.+")},
	{RFC: RFC1630, Scheme: "ftp", Name: "password", Bare: plus(alphanumeric, "-_.+")},
	{RFC: RFC1630, Scheme: "telnet", Name: "user", Bare: plus(alphanumeric, "-_.+")},
	{RFC: RFC1630, Scheme: "telnet", Name: "password", Bare: plus(alphanumeric, "-_.+")},
	{RFC: RFC1630, Scheme: "", Name: "host", Bare: plus(alphanumeric, "-"), Escapes: true, FoldCase: true},
	{RFC: RFC1630, Scheme: "ftp", Name: "segment", Bare: plus(xalpha, "@+"), Escapes: true, Dots: true},
	{RFC: RFC1630, Scheme: "file", Name: "segment", Bare: plus(xalpha, "@+"), Escapes: true, Dots: true},
	{RFC: RFC1630, Scheme: "http", Name: "segment", Bare: plus(xalpha, "@+"), Escapes: true, Dots: true},
	{RFC: RFC1630, Scheme: "http", Name: "search", Bare: plus(xalpha, "@"), Escapes: true, PlusIsSpace: true},
	{RFC: RFC1630, Scheme: "gopher", Name: "type", Bare: plus(xalpha, "@+"), Escapes: true},
	{RFC: RFC1630, Scheme: "gopher", Name: "selector", Bare: plus(xalpha, "@+"), Escapes: true, Dots: true, Never: lineEnds},
	{RFC: RFC1630, Scheme: "gopher", Name: "search", Bare: plus(xalpha, "@+"), Escapes: true, Never: lineEnds},
	{RFC: RFC1630, Scheme: "gopher", Name: "gopher+ string", Bare: plus(xalpha, "@+"), Escapes: true},
	{RFC: RFC1630, Scheme: "mailto", Name: "addr-spec", Bare: plus(xalpha, "+"), Escapes: true},
	{RFC: RFC1630, Scheme: "mid", Name: "message-id", Bare: plus(xalpha, "+"), Escapes: true},
	{RFC: RFC1630, Scheme: "news", Name: "message-id", Bare: plus(xalpha, "+"), Escapes: true},
	{RFC: RFC1630, Scheme: "news", Name: "newsgroup", Bare: plus(alphanumeric, "-_+$&\"'(),"), Escapes: true},
	{RFC: RFC1630, Scheme: "nntp", Name: "newsgroup", Bare: plus(alphanumeric, "-_+$&\"'(),"), Escapes: true},
	{RFC: RFC1630, Scheme: "wais", Name: "database", Bare: plus(xalpha, "@+"), Escapes: true},
	{RFC: RFC1630, Scheme: "wais", Name: "search", Bare: plus(xalpha, "@"), Escapes: true, PlusIsSpace: true},
	{RFC: RFC1630, Scheme: "wais", Name: "type", Bare: plus(xalpha, "@+"), Escapes: true},
	{RFC: RFC1630, Scheme: "wais", Name: "document-id", Bare: plus(xalpha, "@+"), Escapes: true, Dots: true},
	{RFC: RFC1630, Scheme: "prospero", Name: "hsoname", Bare: plus(xalpha, "@+"), Escapes: true, Dots: true},
	{RFC: RFC1630, Scheme: "", Name: "segment", Bare: plus(xalpha, "+"), Escapes: true, Dots: true},
	{RFC: RFC1630, Scheme: "", Name: "search", Bare: plus(xalpha, "@"), Escapes: true, PlusIsSpace: true},
	{RFC: RFC1630, Scheme: "", Name: "fragment", Bare: plus(xalpha, "@"), Escapes: true},
}
