package semantic

import (
	"errors"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A URL is a URL, or under RFC 1630 a URI with its fragment, in its parts. Nothing is decoded or copied: every [Part]
// is a piece of Source.
type URL struct {
	Grammar    *ast.Grammar
	Family     Family // of Grammar
	Source     string
	Match      Match
	Production string // the RFC's name of the production that matched: "httpurl", "otherurl", "uri"

	Prefix   Part // RFC 1630 prefixedurl: "url:"
	Scheme   Part
	User     Part // absent or empty, as Password may be (RFC 1738 section 3.1)
	Password Part // absent where there is no user name
	Host     Host
	Port     Part // [URL.PortNumber] knows the default
	Fragment Part // RFC 1630: what follows "#"

	// Specific is the part that depends on the scheme: *HTTP, *FTP, *Gopher, *Mailto, *News, *NNTP, *Telnet, *WAIS,
	// *File, *Prospero, *MessageID, *AFS, *URN, or *Other for everything else.
	Specific Specific

	start       ast.Kind // derives the canonical form: the root of the tree, or what is in it without RFC 1630's prefix
	name        string   // the scheme in lower case
	folded      bool     // the scheme was read in lower case, and is not written so
	number      uint8    // of the scheme in numbered
	defaultPort int      // of the scheme, 0 if it has none
	authority   int32    // where its login or hostport ends
	escaped     escapedOctets
	hasEscape   bool    // escaped is not empty
	text        *text   // whose prose says what the URL means
	roles       []role  // of the grammar's productions
	reader      *Reader // has the memory for Specific
}

// A Family is a family of texts: an RFC and the drafts that became it. A typed URL depends on the family of its
// grammar more than on the text.
type Family uint8

const (
	Family1630 Family = iota + 1 // RFC 1630, Universal Resource Identifiers in WWW, June 1994
	// RFC 1738, Uniform Resource Locators, December 1994, and draft-ietf-uri-url-06, which became it
	Family1738
	Family3986 // RFC 3986, Uniform Resource Identifier: Generic Syntax, January 2005: see [Reference]
)

// String returns the number of the family's RFC: "1630", "1738" or "3986".
func (f Family) String() string { return quote.Name("Family", f, families[:]...) }

// FamilyOf returns the family of a grammar, which may be another reading of a published one; 0 for a grammar that
// is of none.
func FamilyOf(g *ast.Grammar) Family { return newCast(g).family }

var families = [...]string{"Family(0)", "1630", "1738", "3986"}

// A Match is the kind of production that derives a URL. It is not the verdict on the URL, a [bnfcheck.Value], which
// also tells which of the kinds a text allows.
type Match uint8

const (
	MatchOwn     Match = iota + 1 // the scheme's own: httpurl, httpaddress
	MatchUnknown                  // the generic one: the text has no other for this scheme
	MatchGeneric                  // the generic one: the text has one for this scheme, which does not derive the URL
)

// String returns "own-production", "no-production" or "generic-only".
func (m Match) String() string { return quote.Name("Match", m, matches[:]...) }

var matches = [...]string{"Match(0)", "own-production", bnfcheck.NoProduction.String(), bnfcheck.GenericOnly.String()}

// PortNumber returns the port to connect to: the port of the URL, or else the default port of its scheme. It reports
// false if there is neither, and if the URL has a number that is no port (0, or above 65535).
func (u *URL) PortNumber() (int, bool) {
	if !u.Port.Present() {
		return u.defaultPort, u.defaultPort != 0
	}
	n, ok := decimal(u.Port.Raw, maxPort)
	return n, ok && n > 0
}

const maxPort = 65535

// decimal returns the value of s. It reports false if s is not a sequence of digits, and if the value is above most.
func decimal(s string, most int) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
		if n > most {
			return 0, false
		}
	}
	return n, s != ""
}

// Specific is the part of a URL that depends on its scheme. The types that implement it are listed at [URL.Specific].
type Specific interface {
	// fields lists the parts and the values that follow from them, in the order of the URL.
	fields(u *URL, list *fieldList)

	// canonical collects the edits that bring the parts to their canonical form.
	canonical(u *URL, e *editor)

	// access collects the steps of a client.
	access(u *URL, d *dialogue)
}

// SchemeName returns the scheme in lower case: "programs interpreting URLs should treat upper case letters as
// equivalent to lower case in scheme names" (RFC 1738 section 2.1). RFC 1630 has no such sentence, and its BNF spells
// each name in lower case: under it HTTP is a scheme that the text does not define, and the name is as written, unless
// [Reader.OfWritten] was told that it was folded.
func (u *URL) SchemeName() string { return u.name }

// ErrNotURL reports a tree that is not that of a URL, for [Of], or of a URI or a relative reference, for
// [ReferenceOf]: its root is a production such as hostport or fpath.
var ErrNotURL = errors.New("semantic: not the tree of a URL or reference")

// Parse returns the typed URL that g derives from s. The error is that of [bnfcheck.Grammar.Parse]: an
// [*ast.SyntaxError], or an [*ast.TooLongError]. RFC 3986 has no typed URLs, and is an error too: see [ParseReference].
//
// A program that has options, or many URLs to read, calls a [bnfcheck.Parser] and a [Reader].
func Parse(g *bnfcheck.Grammar, s string) (*URL, error) {
	tree, err := g.Parse(s)
	if err != nil {
		return nil, err
	}
	return Of(tree)
}

// Of returns the typed URL that a tree stands for. The root of the tree may be any production that derives a scheme
// and what follows it: url, fragmentaddress, uri, genericurl, httpurl ... For any other the error is [ErrNotURL]. It
// also fails for a grammar that is of neither family of URLs.
//
// A tree of a generic production, whose string the scheme's own production derives as well, is read as the scheme's
// own.
//
// Every [Part] p of the result lies in its Source: Source[p.Start():p.End()] is p.Raw.
func Of(tree *ast.Tree) (*URL, error) {
	r := &Reader{shared: true}
	return r.Of(tree)
}

// unwrap descends from the root through alternations (url, waisurl, prosperoaddress) and productions that add
// something to a URL (fragmentaddress, prefixedurl). It sets u.Fragment and u.Prefix to what they add, and returns the
// node below.
func (u *URL) unwrap(tree *ast.Tree) ast.Node {
	nodes := tree.Nodes // those of a tree that no parser made may have a Next beyond their end
	i := 0
	for {
		switch u.roleOf(nodes[i].Kind) {
		case isFragmentAddress: // fragmentaddress = uri [ # fragmentid ]
			if f := next(nodes, min(i+1, len(nodes)-1)); f < min(int(nodes[i].Next), len(nodes)) &&
				u.roleOf(nodes[f].Kind) == isFragment {
				u.Fragment = partOf(tree.Node(f))
			} else if u.Source != "" && u.Source[len(u.Source)-1] == '#' { // the reading 1630-void-fragment
				u.Fragment = u.span(len(u.Source), len(u.Source))
			}
		case isPrefixed: // prefixedurl = u r l : url
			start := int(nodes[i].Start)
			u.Prefix = u.span(start, start+len("url:"))
		case isChoice:
			// it adds nothing
		default:
			return tree.Node(i)
		}
		if i+1 >= min(int(nodes[i].Next), len(nodes)) {
			return tree.Node(i)
		}
		i++ // the first child
	}
}

// readScheme sets u's scheme, and its name and number, to the name before the first colon of n, which is a
// production of this role. It reports whether there is one. u.name and u.number must be those of one scheme, as the
// URL before left them, or zero.
func (u *URL) readScheme(n ast.Node, is role) bool {
	at := n.Start()
	if name := ownScheme[is]; name != "" && strings.HasPrefix(u.Source[at:], name) {
		// Its production begins with the name and a colon.
		u.Scheme, u.name, u.number = u.span(at, at+len(name)), name, ownNumber[is]
		return true
	}
	if known := len(u.name); known > 0 && at+known < len(u.Source) && u.Source[at+known] == ':' &&
		u.Source[at:at+known] == u.name {
		// It is that of the URL before, as in a list it often is.
		u.Scheme = u.span(at, at+known)
		u.name = u.Scheme.Raw
		return true
	}
	colon, fold := at, false
	for ; colon < len(u.Source) && u.Source[colon] != ':'; colon++ {
		b := u.Source[colon]
		// b-'A' wraps around below 'A': the middle term is true for upper-case letters alone.
		fold = fold || b < '+' || b-'A' <= 'Z'-'A' || b > 'z'
	}
	if colon == at || colon == len(u.Source) {
		return false
	}
	u.Scheme = u.span(at, colon)
	u.name = u.Scheme.Raw
	if fold && u.Family == Family1738 {
		u.name = strings.ToLower(u.name)
	}
	u.number = numbered.number(u.name)
	return true
}

// readers read the productions of schemes, by their roles.
var readers = [roles]func(*URL, ast.Node){
	isHTTP: (*URL).readHTTP, isFTP: (*URL).readFTP, isGopher: (*URL).readGopher, isMailto: (*URL).readMailto,
	isNews: (*URL).readNews,
	isNNTP: (*URL).readNNTP, isTelnet: (*URL).readTelnet, isWAIS: (*URL).readWAIS, isWAISDocument: (*URL).readWAIS,
	isFile: (*URL).readFile, isProspero: (*URL).readProspero, isMID: (*URL).readMessageID, isCID: (*URL).readMessageID,
	isAFS: (*URL).readAFS, isOther: (*URL).readOther,
}

// read sets u's parts from the production n of the scheme, which is of this role. It reports whether productions of
// this role are URLs; if not, it sets nothing.
func (u *URL) read(n ast.Node, is role) bool {
	if is == isGeneric {
		return u.readGeneric(n)
	}
	read := readers[is]
	if read != nil {
		read(u, n)
	}
	return read != nil
}

// readGeneric reads a URL by the scheme's own production, if that derives it, and by the generic one otherwise. It
// sets u.Production, u.Match and u's parts, and returns false only for a tree that no parser made.
func (u *URL) readGeneric(n ast.Node) bool {
	// RFC 1738 has two names for the generic form: as a part of a url, below the root, it is an otherurl.
	u.Production = u.nameOf(n)
	if u.Family == Family1738 && n.Index() > 0 {
		u.Production = "otherurl"
	}
	u.Match = MatchUnknown
	if own := u.text.roles.own(u); own != 0 {
		u.Match = MatchGeneric // unless the scheme's own production derives the source as well
		if len(n.Text()) == len(u.Source) && u.Grammar.Accept(own, u.Source) {
			return u.readOwn(own)
		}
	}
	u.readOther(n)
	return true
}

// readOwn reads the source by start, the scheme's own production. It sets u.Production and u.Match, and u's parts as
// read does. It returns false if start does not derive the source, or if read does.
func (u *URL) readOwn(start ast.Kind) bool {
	nodes, ok := u.Grammar.Parse(nil, start, u.Source)
	if !ok {
		return false
	}
	tree := &ast.Tree{Grammar: u.Grammar, Source: u.Source, Nodes: nodes}
	n := u.unwrap(tree)
	u.Production, u.Match = u.nameOf(n), MatchOwn
	return u.read(n, u.role(n))
}

// nameOf returns the RFC's name of n's production, or "" if the grammar has no such production.
func (u *URL) nameOf(n ast.Node) string {
	if k := int(n.Kind()); k < len(u.Grammar.Productions) {
		return u.Grammar.Productions[k].Name
	}
	return ""
}

// tail returns the rest of n after its login or hostport. readLoginOrHostport must have read n before: tail begins at
// u.authority.
func (u *URL) tail(n ast.Node) Part { return u.span(int(u.authority), n.End()) }

// span returns the part of the source between two offsets; it is present even if it is empty.
func (u *URL) span(from, to int) Part {
	return Part{Raw: u.Source[from:to], start: int32(from), present: true}
}

// readLoginOrHostport reads the login or hostport below n, whatever stands around it, in one pass over the nodes. It
// sets u.User, u.Password, u.Host and u.Port as far as there are such nodes, and u.authority to the end, for tail.
// Parts without a node stay as they are.
//
//	login    = [ user [ ":" password ] "@" ] hostport
//	hostport = host [ ":" port ]
//	host     = hostname | hostnumber
func (u *URL) readLoginOrHostport(n ast.Node) {
	tree := n.Tree()
	nodes := tree.Nodes
	end := min(next(nodes, n.Index()), len(nodes))
	for i := n.Index() + 1; i < end; i++ {
		switch u.roleOf(nodes[i].Kind) {
		case isLogin, isHostport:
			u.authority = nodes[i].End
			end = min(end, next(nodes, i)) // nothing after it belongs to it
		case isUser:
			u.User = u.at(&nodes[i])
		case isPassword:
			u.Password = u.at(&nodes[i])
		case isHost:
			u.Host = hostOf(u.at(&nodes[i]), i+1 < end && u.roleOf(nodes[i+1].Kind) == isHostnumber)
			i = next(nodes, i) - 1
		case isPort:
			u.Port = u.at(&nodes[i])
		}
	}
}

// next returns the index after the subtree of nodes[i]; it is more than i even in a tree that no parser made.
func next(nodes []ast.Raw, i int) int { return max(i+1, int(nodes[i].Next)) }

// portsOf1994 holds the ports of the protocols of schemes, by family. RFC 1738 states each with its scheme (sections
// 3.2 to 3.11). RFC 1630 names 80 and "the FTP default"; the others are those that IANA had assigned to the protocols
// by then. Its nntp has no host to connect to.
var portsOf1994 = [...]map[string]int{
	Family1630: {"ftp": 21, "telnet": 23, "tn3270": 23, "gopher": 70, "http": 80, "wais": 210, "rlogin": 513,
		"prospero": 1525},
	Family1738: {"ftp": 21, "telnet": 23, "gopher": 70, "http": 80, "nntp": 119, "wais": 210, "prospero": 1525},
}
