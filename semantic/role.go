package semantic

import "github.com/bnfcheck/bnfcheck/ast"

// A role is the part of a production in the typed URL. It follows from the ID of the production, which the texts of a
// family share, and is computed once for each grammar.
type role uint8

const (
	noRole role = iota // none: the typed URL does not use the production

	// Around a URL.
	isFragmentAddress
	isPrefixed
	isChoice // an alternation of other productions

	// The productions of schemes, in the order of RFC 1738.
	isFTP
	isHTTP
	isGopher
	isMailto
	isNews
	isNNTP
	isTelnet
	isWAIS // a database, or a search in it
	isWAISDocument
	isFile
	isProspero
	isMID
	isCID
	isAFS
	isGeneric
	isOther // the production of a scheme that this package does not know

	// Parts.
	isLogin
	isHostport
	isUser
	isPassword
	isHost
	isHostnumber
	isPort
	isFragment
	isFTPType
	isGopherType
	isSelector
	isSearch
	isPlusString
	isGrouppart
	isGroup
	isArticle
	isDigits
	isVersion
	isAttributes
	isSchemepart
	isIPSchemepart

	roles // how many there are
)

// roleOf maps the ID of a production to its role.
var roleOf = map[string]role{
	"uri_fragmentaddress": isFragmentAddress, "prefixedurl": isPrefixed,
	"url": isChoice, "waisurl": isChoice, "waisaddress": isChoice, "prosperoaddress": isChoice, "otherurl": isChoice,
	"ftpurl": isFTP, "ftpaddress": isFTP,
	"httpurl": isHTTP, "httpaddress": isHTTP,
	"gopherurl": isGopher, "gopheraddress": isGopher,
	"mailtourl": isMailto, "mailtoaddress": isMailto,
	"newsurl": isNews, "newsaddress": isNews,
	"nntpurl": isNNTP, "nntpaddress": isNNTP,
	"telneturl": isTelnet, "telnetaddress": isTelnet,
	"waisdatabase": isWAIS, "waisindex": isWAIS, "waisdoc": isWAISDocument,
	"fileurl":     isFile,
	"prosperourl": isProspero, "prosperolink": isProspero,
	"midaddress": isMID, "cidaddress": isCID, "afsaddress": isAFS,
	"genericurl": isGeneric, "uri": isGeneric,
	"login": isLogin, "hostport": isHostport, "user": isUser, "password": isPassword,
	"host": isHost, "hostnumber": isHostnumber, "port": isPort, "uri_fragmentid": isFragment,
	"ftptype": isFTPType, "gtype": isGopherType, "selector": isSelector, "search": isSearch,
	"gopher+_string": isPlusString, "grouppart": isGrouppart, "groupart": isGrouppart,
	"group": isGroup, "article": isArticle, "digits": isDigits,
	"version": isVersion, "attributes": isAttributes, "schemepart": isSchemepart, "ip-schemepart": isIPSchemepart,
}

// ownScheme maps a role to the scheme whose own production has it, "" if there is none.
var ownScheme = [roles]string{
	isFTP: "ftp", isHTTP: "http", isGopher: "gopher", isMailto: "mailto", isNews: "news",
	isNNTP: "nntp", isTelnet: "telnet", isWAIS: "wais", isWAISDocument: "wais",
	isFile: "file", isProspero: "prospero", isMID: "mid", isCID: "cid", isAFS: "afs",
}

// A cast holds the roles of the productions of a grammar.
type cast struct {
	grammar *ast.Grammar
	family  Family     // 0 for a grammar of neither family
	roles   []role     // by kind
	owns    []ast.Kind // by the number of a scheme: its own production, 0 if it has none
	others  bool       // there are schemes without a number

	// domainNames reports whether the grammar makes every hostname a domain name: no label is empty, and there are only
	// letters, digits and hyphens.
	domainNames bool

	// login is the production of the common Internet syntax if only the prose allows it in URLs of other schemes; 0 if
	// the grammar does, by ip-schemepart.
	login ast.Kind
}

// hasURLs reports whether typed URLs are made of the grammar's trees.
func (c *cast) hasURLs() bool { return c.family == Family1630 || c.family == Family1738 }

// own returns the scheme's own production for u, 0 if the grammar has none.
func (c *cast) own(u *URL) ast.Kind {
	if u.number == 0 && c.others {
		own, _ := c.grammar.Scheme(u.name)
		return own
	}
	return c.owns[u.number]
}

// newCast returns the cast of a grammar. Its family follows from a production that no other family has:
// uri_fragmentaddress, otherurl or URI-reference; it is 0 without one. A grammar without a production for the generic
// form has otherurl for it.
func newCast(g *ast.Grammar) *cast {
	c := &cast{grammar: g, roles: make([]role, len(g.Productions)), owns: make([]ast.Kind, len(numbered.names))}
	for _, s := range g.Schemes {
		if n := numbered.number(s.Name); n != 0 {
			c.owns[n] = s.Kind
		} else {
			c.others = true
		}
	}
	other, generic, ip := 0, false, false
	for i := range g.Productions {
		id := g.Productions[i].ID
		c.roles[i] = roleOf[id]
		switch id {
		case "uri_fragmentaddress":
			c.family = Family1630
		case "otherurl":
			c.family, other = Family1738, i
		case "URI-reference":
			c.family = Family3986
		case "toplabel":
			c.domainNames = true
		case "login":
			c.login = ast.Kind(i)
		}
		ip = ip || c.roles[i] == isIPSchemepart
		generic = generic || c.roles[i] == isGeneric
	}
	if !generic {
		c.roles[other] = isGeneric // Productions[0], no production, where there is no otherurl: it is in no tree
	}
	for _, s := range g.Schemes {
		if int(s.Kind) < len(c.roles) && c.roles[s.Kind] == noRole {
			c.roles[s.Kind] = isOther
		}
	}
	if ip {
		c.login = 0
	}
	return c
}

// role returns the role of n's production.
func (u *URL) role(n ast.Node) role { return u.roleOf(n.Kind()) }

// roleOf returns the role of a production, noRole for a kind that the grammar does not have.
func (u *URL) roleOf(k ast.Kind) role {
	if int(k) < len(u.roles) {
		return u.roles[k]
	}
	return noRole
}

// childNode returns the first child of n whose production has a role, or the zero Node.
func (u *URL) childNode(n ast.Node, want role) ast.Node {
	tree := n.Tree()
	if tree == nil {
		return ast.Node{}
	}
	nodes := tree.Nodes
	end := min(next(nodes, n.Index()), len(nodes))
	for i := n.Index() + 1; i < end; i = next(nodes, i) {
		if u.roleOf(nodes[i].Kind) == want {
			return tree.Node(i)
		}
	}
	return ast.Node{}
}

// child returns the text of the first child of n whose production has a role; without one it is absent.
func (u *URL) child(n ast.Node, want role) Part { return partOf(u.childNode(n, want)) }

// partOf returns the text of a node as a part, absent for the zero Node.
func partOf(n ast.Node) Part {
	if n.IsZero() {
		return Part{}
	}
	return Part{Raw: n.Text(), start: int32(n.Start()), present: true}
}

// at is like partOf, for a node as it is stored. If the node does not lie in the source, the part is empty.
func (u *URL) at(n *ast.Raw) Part {
	if n.Start < 0 || n.Start > n.End || int(n.End) > len(u.Source) {
		return Part{start: n.Start, present: true} // in a tree of no parser
	}
	return Part{Raw: u.Source[n.Start:n.End], start: n.Start, present: true}
}

// firstChild returns n's first child, or the zero Node.
func firstChild(n ast.Node) ast.Node {
	if t := n.Tree(); t != nil && n.Index()+1 < min(int(t.Nodes[n.Index()].Next), len(t.Nodes)) {
		return t.Node(n.Index() + 1)
	}
	return ast.Node{}
}
