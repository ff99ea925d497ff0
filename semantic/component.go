package semantic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
)

// A Component is a part of the URLs of one scheme in which octets can be encoded.
type Component struct {
	Grammar *ast.Grammar
	Scheme  string // "" for the schemes that the text does not define
	Name    string // as in [Field.Name]; "segment" is one piece of a path between slashes

	// Reserved holds the octets whose meaning depends on whether they are encoded. Some cannot be bare: "/" divides a
	// path into segments, so within a segment it is always encoded. Reserved octets never change their encoding level.
	Reserved ast.ByteSet

	// Bare holds the octets that mean the same bare and encoded: the characters of the component's production without
	// the reserved ones. Only these and Unsafe may change their encoding level.
	Bare ast.ByteSet

	// Unsafe holds the octets that mean the same too, and that the BNF allows bare, but that the text wants encoded.
	Unsafe ast.ByteSet

	// Escapes reports whether all other octets can be encoded. A newsgroup of RFC 1738 or a user of RFC 1630 has no
	// escapes.
	Escapes bool

	// Never holds octets that the component cannot have at all: a gopher selector has no tab, CR or LF.
	Never ast.ByteSet

	production ast.Kind // derives the component, followed by after
	after      string

	// PlusIsSpace is set for the query string of RFC 1630, where "+" is shorthand for a space.
	PlusIsSpace bool

	// Dots is set for path segments of RFC 1630, where "." and ".." alone are reserved.
	Dots bool

	// FoldCase is set for host names, which mean the same in either case.
	FoldCase bool

	taken ast.ByteSet // what the component's production takes as characters
}

// ambiguous holds the reserved octets that the production takes bare: of these both spellings are URLs, and different
// ones.
func (c *Component) ambiguous() ast.ByteSet { return common(c.Reserved, c.taken) }

// An EncodeError reports an octet that a component cannot hold.
type EncodeError struct {
	Component Component
	Octet     byte // or cannot hold it at that place: a newsgroup begins with a letter
	Offset    int
	End       bool // it is the end of the octets that cannot stand at Offset, and there is no Octet
}

// Error names the grammar, the component, the octet that it cannot hold, and the offset.
func (e *EncodeError) Error() string {
	what := "end there"
	if !e.End {
		what = fmt.Sprintf("hold the octet %02X", e.Octet)
	}
	c := e.Component
	return fmt.Sprintf("%s: the %s of %s URLs cannot %s (at offset %d)", c.Grammar.Title, c.Name,
		cmp.Or(c.Scheme, "other"), what, e.Offset)
}

// Encode returns the text of octets in the component: those in Bare as characters, the others as escapes with
// upper-case digits. There are two exceptions: with PlusIsSpace a space between two words is "+", and with Dots "."
// and ".." as a whole are escapes. The error is an *[EncodeError], for an octet in Never, for one that is not in Bare
// if the component has no escapes, and if the production does not derive the text.
//
// Let text be what Encode returns without an error. Decode(text) is octets. The production of the component derives
// text, unless octets is empty. In a URL of the scheme, text in place of the component is one part, or one piece of a
// path or search, and the URL is of the production that it was of.
func (c Component) Encode(octets string) (string, error) {
	b, err := c.append(make([]byte, 0, len(octets)), octets)
	if err != nil {
		return "", err
	}
	text := string(b)
	if whole := text + c.after; text != "" && c.production != 0 && !c.Grammar.Accept(c.production, whole) {
		return "", c.misplaced(octets, text, c.Grammar.Rejection(c.production, whole).Offset)
	}
	return text, nil
}

// misplaced returns the error for octets whose text, in which each is bare or an escape, is not derived beyond an
// offset: it names the octet that stands there, or the end if the offset is after the text.
func (c Component) misplaced(octets, text string, offset int) error {
	at := 0
	for i := range len(octets) {
		at++
		if text[at-1] == '%' {
			at += len("XX")
		}
		if offset < at {
			return &EncodeError{Component: c, Octet: octets[i], Offset: i}
		}
	}
	return &EncodeError{Component: c, Offset: len(octets), End: true}
}

// append appends the text of octets to dst, with each octet bare or encoded as [Component.Encode] says. The error is an
// *[EncodeError] for an octet in Never, or for one that would need an escape and cannot have one; the result is then
// nil. Whether the whole is derived, Encode checks.
func (c Component) append(dst []byte, octets string) ([]byte, error) {
	dots := c.Dots && (octets == "." || octets == "..")
	for i := range len(octets) {
		octet := octets[i]
		switch {
		case c.Never.Has(octet):
			return nil, &EncodeError{Component: c, Octet: octet, Offset: i}
		case c.Bare.Has(octet) && !dots:
			dst = append(dst, octet)
		case octet == ' ' && c.PlusIsSpace && i > 0 && i < len(octets)-1 && octets[i-1] != ' ':
			// Between two words only: the generic BNF has no empty ones (search = xalphas [ + search ]).
			dst = append(dst, '+')
		case !c.Escapes:
			return nil, &EncodeError{Component: c, Octet: octet, Offset: i}
		default:
			dst = percent.Append(dst, octet)
		}
	}
	return dst, nil
}

// Decode returns the octets that a text in the component stands for: Decode(Encode(x)) is x for every x that Encode
// takes.
func (c Component) Decode(text string) string {
	if !c.PlusIsSpace {
		return percent.Decode(text)
	}
	return percent.Decode(strings.ReplaceAll(text, "+", " "))
}

// Components returns the components of the schemes of a grammar, none for one of no family of URLs.
func Components(g *bnfcheck.Grammar) []Component {
	if t := textOf(g.Grammar); t != nil {
		return slices.Clone(t.components().list)
	}
	return nil
}

// ComponentOf returns the component of a scheme with a name, and reports whether there is one. Schemes that the text
// does not define share the scheme "".
func ComponentOf(g *bnfcheck.Grammar, scheme, name string) (Component, bool) {
	if t := textOf(g.Grammar); t != nil {
		if c := t.component(scheme, name); c != nil {
			return *c, true
		}
	}
	return Component{}, false
}

// component returns the component of a scheme with a name in u's text, nil if there is none: see [ComponentOf].
func (u *URL) component(scheme, name string) *Component { return u.text.component(scheme, name) }

// component is [ComponentOf] in t, nil if there is none. The result is shared.
func (t *text) component(scheme, name string) *Component {
	return t.components().of[componentName{scheme, name}]
}

// A componentName identifies a component of a grammar.
type componentName struct{ scheme, name string }

// componentTable has the components of a grammar in the order of the slots, and by their names.
type componentTable struct {
	list []Component
	of   map[componentName]*Component
}

func union(a, b ast.ByteSet) ast.ByteSet {
	return ast.ByteSet{a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]}
}

func without(a, b ast.ByteSet) ast.ByteSet {
	return ast.ByteSet{a[0] &^ b[0], a[1] &^ b[1], a[2] &^ b[2], a[3] &^ b[3]}
}

func common(a, b ast.ByteSet) ast.ByteSet {
	return ast.ByteSet{a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]}
}

var (
	digits       = ast.ByteSetOf("0123456789")
	alphanumeric = ast.ByteSetOf("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
	inHosts      = union(alphanumeric, ast.ByteSetOf("-"))
	lineEnds     = ast.ByteSetOf("\t\r\n")
)

// A slot describes the components of one name in some schemes of a family. The grammar determines their characters;
// the meaning of the characters is in the prose only, and is listed here.
type slot struct {
	family        Family
	schemes       []string // "" for those that the text does not define
	name          string
	production    string      // takes the characters
	before, after string      // text that production needs around a single character
	reserved      ast.ByteSet // see [Component.Reserved]
	prescribed    ast.ByteSet // characters that are safe here, since the text itself uses them
	never         ast.ByteSet // see [Component.Never]
	is            slotOptions // for the rest of [Component]
}

// slotOptions is a set of the options of a [slot].
type slotOptions uint8

const (
	plusIsSpace slotOptions = 1 << iota // see [Component.PlusIsSpace]
	dots                                // see [Component.Dots]
	// the name of a host, which means the same in either case and has few characters
	ofHosts
)

// Characters that are reserved in several slots.
var (
	// mayBeReserved are the only characters that a scheme of RFC 1738's family may reserve (section 2.2, lines 180 to
	// 183). Where the text does not say which of them a component reserves, none changes its level.
	mayBeReserved = ast.ByteSetOf(";/?:@=&")

	// Everywhere under RFC 1630 "%" is the escape character (line 315), "#" begins a fragment (352), and "*" and "!"
	// are reserved for schemes (375). In a path "/" delimits segments (321), and "?" ends it (357).
	in1630      = ast.ByteSetOf("%#*!")
	inPath1630  = ast.ByteSetOf("%#*!/?")
	inQuery1630 = ast.ByteSetOf("%#*!+") // "within the query string, the plus sign is reserved" (363)
)

// slots lists the components of both families, with their reserved characters.
var slots = []slot{
	{family: Family1738, schemes: []string{""}, name: "host", production: "hostname", before: "a", after: "a",
		is: ofHosts},
	// Within user and password ":", "@" and "/" must be encoded (section 3.1, lines 276 to 277).
	{family: Family1738, schemes: []string{"ftp", "telnet", ""}, name: "user", production: "user",
		reserved: ast.ByteSetOf(":@/")},
	{family: Family1738, schemes: []string{"ftp", "telnet", ""}, name: "password", production: "password",
		reserved: ast.ByteSetOf(":@/")},
	// "Within a name or CWD component, the characters "/" and ";" are reserved" (3.2.2, 386).
	{family: Family1738, schemes: []string{"ftp"}, name: "segment", production: "fsegment",
		reserved: ast.ByteSetOf("/;")},
	// The path is "<directory>/<directory>/.../<name>" (3.10, 808).
	{family: Family1738, schemes: []string{"file"}, name: "segment", production: "fsegment",
		reserved: ast.ByteSetOf("/")},
	// "Within the <path> and <searchpart> components, "/", ";", "?" are reserved" (3.3, 474).
	{family: Family1738, schemes: []string{"http"}, name: "segment", production: "hsegment",
		reserved: ast.ByteSetOf("/;?")},
	{family: Family1738, schemes: []string{"http"}, name: "search", production: "search",
		reserved: ast.ByteSetOf("/;?")},
	// "Within the <gopher-path>, no characters are reserved" (3.4.1, 525). The BNF's search takes neither "/" nor "?".
	{family: Family1738, schemes: []string{"gopher"}, name: "type", production: "gtype"},
	{family: Family1738, schemes: []string{"gopher"}, name: "selector", production: "selector", never: lineEnds},
	{family: Family1738, schemes: []string{"gopher"}, name: "search", production: "search", never: lineEnds},
	{family: Family1738, schemes: []string{"gopher"}, name: "gopher+ string", production: "gopher+_string",
		prescribed: ast.ByteSetOf("!")},
	// "Within mailto URLs, there are no reserved characters" (3.5, 659).
	{family: Family1738, schemes: []string{"mailto"}, name: "addr-spec", production: "encoded822addr"},
	// "@" tells an article from a newsgroup, "no additional characters are reserved" (3.6, 692 to 695).
	{family: Family1738, schemes: []string{"news"}, name: "message-id", production: "article", after: "@a",
		reserved: ast.ByteSetOf("@")},
	{family: Family1738, schemes: []string{"news", "nntp"}, name: "newsgroup", production: "group", before: "a"},
	// The text reserves no characters here (3.9).
	{family: Family1738, schemes: []string{"wais"}, name: "database", production: "database", reserved: mayBeReserved},
	{family: Family1738, schemes: []string{"wais"}, name: "search", production: "search", reserved: mayBeReserved},
	{family: Family1738, schemes: []string{"wais"}, name: "type", production: "wtype", reserved: mayBeReserved},
	{family: Family1738, schemes: []string{"wais"}, name: "document-id", production: "wpath", reserved: mayBeReserved},
	// ";" is reserved, of "/" "no significance may be assumed"; a field ends at "=" (3.11, 851 to 874).
	{family: Family1738, schemes: []string{"prospero"}, name: "hsoname", production: "ppath",
		reserved: ast.ByteSetOf(";")},
	{family: Family1738, schemes: []string{"prospero"}, name: "field", production: "fieldname",
		reserved: ast.ByteSetOf(";=")},
	{family: Family1738, schemes: []string{"prospero"}, name: "value", production: "fieldvalue",
		reserved: ast.ByteSetOf(";=")},
	{family: Family1738, schemes: []string{""}, name: "segment", production: "schemepart", reserved: mayBeReserved},

	{family: Family1630, schemes: []string{""}, name: "host", production: "hostname", before: "a", after: "a",
		is: ofHosts},
	{family: Family1630, schemes: []string{"ftp", "telnet"}, name: "user", production: "user"},
	{family: Family1630, schemes: []string{"ftp", "telnet"}, name: "password", production: "password"},
	{family: Family1630, schemes: []string{"ftp", "file", "http"}, name: "segment", production: "segment",
		reserved: inPath1630, is: dots},
	{family: Family1630, schemes: []string{"http", "wais"}, name: "search", production: "url_search",
		reserved: inQuery1630, is: plusIsSpace},
	{family: Family1630, schemes: []string{"gopher"}, name: "type", production: "gtype", reserved: in1630},
	{family: Family1630, schemes: []string{"gopher"}, name: "command", production: "segment", reserved: inPath1630,
		is: dots},
	// "@" tells a message identifier from a newsgroup (913), and divides an addr-spec.
	{family: Family1630, schemes: []string{"mailto"}, name: "addr-spec", production: "url_xalphas",
		reserved: union(in1630, ast.ByteSetOf("@"))},
	{family: Family1630, schemes: []string{"mid", "news"}, name: "message-id", production: "url_xalphas",
		reserved: union(in1630, ast.ByteSetOf("@"))},
	{family: Family1630, schemes: []string{"news", "nntp"}, name: "newsgroup", production: "group", before: "a",
		reserved: union(in1630, ast.ByteSetOf("@."))},
	{family: Family1630, schemes: []string{"wais"}, name: "database", production: "database", reserved: inPath1630},
	{family: Family1630, schemes: []string{"wais"}, name: "type", production: "wtype", reserved: inPath1630},
	// The contents of a field follow "=", and end at ";" (1017 to 1019).
	{family: Family1630, schemes: []string{"wais"}, name: "document-id", production: "segment",
		reserved: union(inPath1630, ast.ByteSetOf("=;")), is: dots},
	// "%00" begins the version.
	{family: Family1630, schemes: []string{"prospero"}, name: "hsoname", production: "segment", reserved: inPath1630,
		never: nul, is: dots},
	{family: Family1630, schemes: []string{""}, name: "segment", production: "uri_xpalphas",
		reserved: union(inPath1630, ast.ByteSetOf("@")), is: dots},
	{family: Family1630, schemes: []string{""}, name: "search", production: "uri_search", reserved: inQuery1630,
		is: plusIsSpace},
	{family: Family1630, schemes: []string{""}, name: "fragment", production: "uri_fragmentid", reserved: in1630},
}

// componentsOf returns the components of a text, in the order of the slots, with the characters that its grammar allows
// in them. A slot of several schemes is a component of each.
func componentsOf(t *text) *componentTable {
	var list []Component
	g := t.roles.grammar
	for _, p := range slots {
		if p.family != t.roles.family {
			continue
		}
		c := Component{
			Grammar: g, Name: p.name, Reserved: p.reserved, Never: p.never,
			taken:       characters(g, p.production, p.before, p.after),
			PlusIsSpace: p.is&plusIsSpace != 0, Dots: p.is&dots != 0, FoldCase: p.is&ofHosts != 0,
		}
		taken := without(c.taken, p.reserved)
		if p.is&ofHosts != 0 {
			c.Bare = common(taken, inHosts)
		} else {
			c.Unsafe = common(taken, without(t.unsafe, p.prescribed))
			c.Bare = without(taken, c.Unsafe)
		}
		c.production, _ = g.Kind(p.production)
		if p.before == "" {
			c.after = p.after
		}
		c.Escapes = g.Accept(c.production, p.before+"%41"+p.after)
		for _, scheme := range p.schemes {
			c.Scheme = scheme
			list = append(list, c)
		}
	}
	table := &componentTable{list, make(map[componentName]*Component, len(list))}
	for i := range list {
		table.of[componentName{list[i].Scheme, list[i].Name}] = &list[i]
	}
	return table
}

// unsafeCharacters returns the characters that the BNF of a text allows bare and that its prose wants encoded
// nevertheless: "only alphanumerics, reserved characters used for their reserved purposes, "$", "-", "_", ".", and "+"
// are safe".
func unsafeCharacters(g *ast.Grammar) ast.ByteSet {
	safe := union(alphanumeric, union(characters(g, "safe", "", ""), characters(g, "reserved", "", "")))
	return without(characters(g, "unreserved", "", ""), safe)
}

// characters returns the graphic characters of ASCII each of which a production derives, alone between two texts. It
// returns none for a production that g does not have.
func characters(g *ast.Grammar, production, before, after string) (set ast.ByteSet) {
	start, _ := g.Kind(production)
	for b := byte('!'); b <= '~'; b++ {
		if g.Accept(start, before+string(rune(b))+after) {
			set[b>>6] |= 1 << (b & 63)
		}
	}
	return set
}
