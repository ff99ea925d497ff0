package semantic

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Other is a URL of a scheme that its RFC does not define, or of one whose own production does not derive it; or of
// one that only a grammar from elsewhere defines.
type Other struct {
	// RFC 1738: the url-path of the common Internet syntax, or all that follows the scheme; RFC 1630: the path
	Path   Part
	Search Part // RFC 1630: what follows "?"
}

// readOther reads a URL that no production of a known scheme derives. It sets u.Specific, to an [Other] unless the
// prose describes the scheme, and u's login, host and port where the prose has them.
func (u *URL) readOther(n ast.Node) {
	if u.Family == Family1738 {
		u.readOther1738(n)
	} else {
		u.readOther1630()
	}
}

// readOther1738 is readOther for a URL that genericurl derives, n. Of a file URL with an empty host it makes a [File].
func (u *URL) readOther1738(n ast.Node) {
	// genericurl    = scheme ":" schemepart
	// schemepart    = *xchar | ip-schemepart
	// ip-schemepart = "//" login [ "/" urlpath ]
	if u.name == "file" && u.readFileWithoutHost() {
		return
	}
	ip := u.childNode(u.childNode(n, isSchemepart), isIPSchemepart)
	var o Other
	switch {
	case !ip.IsZero():
		u.readLoginOrHostport(ip)
		if rest := u.tail(ip); rest.Raw != "" {
			o.Path = rest.sub(len("/"), len(rest.Raw))
		}
	case u.readLogin():
		_, o.Path = u.specificPart().sub(len("//"), len(u.specificPart().Raw)).cut('/')
	default:
		o.Path = u.specificPart()
	}
	u.Specific = storeIn(&u.reader.other, o)
}

// readLogin reads the common Internet syntax, "//" login [ "/" url-path ], of other schemes where only the prose
// allows it. If the production login derives the text up to the "/", it sets u's login, host and port and reports
// true; otherwise it sets nothing.
func (u *URL) readLogin() bool {
	p := u.specificPart()
	if u.text.roles.login == 0 || !strings.HasPrefix(p.Raw, "//") {
		return false
	}
	login, _ := p.sub(len("//"), len(p.Raw)).cut('/')
	return u.readAuthorityAs("login", login)
}

// readAuthorityAs parses a part of the source as the production login or hostport. If the production derives it, it
// sets u's login, host and port as readLoginOrHostport does and reports true; otherwise it sets nothing.
func (u *URL) readAuthorityAs(production string, p Part) bool {
	start, ok := u.Grammar.Kind(production)
	if !ok {
		return false
	}
	nodes, ok := u.Grammar.Parse(nil, start, p.Raw)
	if !ok {
		return false
	}
	for i := range nodes {
		nodes[i].Start += int32(p.Start())
		nodes[i].End += int32(p.Start())
	}
	tree := &ast.Tree{Grammar: u.Grammar, Source: u.Source, Nodes: nodes}
	u.readLoginOrHostport(tree.Root())
	return true
}

// readOther1630 is readOther for a URI that the generic BNF derives: uri = scheme : path [ ? search ]. Without a
// search, the schemes that the text describes without a production are read as the prose describes them.
func (u *URL) readOther1630() {
	path, search := u.specificPart().cut('?')
	if known := u.Match != MatchGeneric; !search.Present() {
		switch {
		case u.name == "gopher":
			u.readGopherDirectory(path)
		case u.name == "file" && known:
			u.Specific = storeIn(&u.reader.file, File{u.readAuthority(path)})
		case u.name == "afs" && known:
			u.specificAFS(path)
		case (u.name == "rlogin" || u.name == "tn3270") && known:
			if rest := u.readAuthority(path); rest.Raw == "" && u.Host.Present() {
				u.Specific = storeIn(&u.reader.telnet, Telnet{u.name})
			}
		case u.name == "urn":
			u.Specific = storeIn(&u.reader.urn, URN{path})
		}
	}
	if u.Specific == nil {
		u.Specific = storeIn(&u.reader.other, Other{path, search})
	}
}

// readAuthority reads "//" [ user "@" ] host by hand into u.User and u.Host, where no production has done so.
// Neither is taken apart further: a password stays in the user, a port in the host. A URL of afs has no user. It
// returns the part after the next "/", absent if there is none. Without "//" it reads nothing, and returns path
// without a "/" at its beginning.
func (u *URL) readAuthority(path Part) Part {
	if !strings.HasPrefix(path.Raw, "//") {
		return Part{Raw: strings.TrimPrefix(path.Raw, "/"),
			start: int32(path.End() - len(strings.TrimPrefix(path.Raw, "/"))), present: true}
	}
	login, rest := path.sub(len("//"), len(path.Raw)).cut('/')
	if i := strings.LastIndexByte(login.Raw, '@'); i >= 0 && u.name != "afs" {
		u.User = login.sub(0, i)
		login = login.sub(i+1, len(login.Raw))
	}
	number := false
	if login.Raw != "" && digits.Has(login.Raw[0]) {
		hostnumber, ok := u.Grammar.Kind("hostnumber")
		number = ok && u.Grammar.Accept(hostnumber, login.Raw)
	}
	u.Host = hostOf(login, number)
	return rest
}

func (o *Other) fields(u *URL, list *fieldList) {
	list.part("path", o.Path)
	list.part("search", o.Search)
	if u.Family == Family1630 {
		list.parts("search word", o.Search, '+')
	}
}

// canonical recodes path and search. In a URL that only the generic production derives, the digits of escapes alone
// change, and under RFC 1738 also in a path that begins with "//" where there is no host.
func (o *Other) canonical(u *URL, e *editor) {
	if u.Match == MatchGeneric {
		// What an escape hides is unknown where the scheme's own production has not found the parts.
		e.upperEscapes(o.Path)
		e.upperEscapes(o.Search)
		return
	}
	// What begins with "//" and is no login could be one, were it decoded.
	hidden := u.Family == Family1738 && !u.Host.Present() && strings.HasPrefix(o.Path.Raw, "//")
	e.recodePart(o.Path, u.component("", "segment"), recoding{keep: hidden})
	e.recode(o.Search, u.component("", "search"))
}

// access adds one step: a [Connect] if the URL has a host, and otherwise a [Refuse].
func (o *Other) access(u *URL, d *dialogue) {
	if u.Host.Present() {
		host := quote.Visible(u.Host.Decoded())
		if u.Port.Present() {
			host += ":" + u.Port.Raw
		}
		d.note(Connect, host+", by the protocol of the scheme, which the text does not define", "3.1",
			"Specific Schemes")
		return
	}
	d.note(Refuse, "the text defines no way to access URLs of the scheme "+quote.Visible(u.Scheme.Raw), "4",
		"Specific Schemes")
}
