package vectors

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
)

// A Component is a part of a URL that parsers report under much the same name.
type Component struct{ Name, Value string }

// ComponentNames lists the components in their order.
var ComponentNames = []string{"scheme", "user", "password", "host", "port", "path", "search", "fragment"}

// URIComponents holds, by the name of a production of RFC 3986, the component that it is. They are called what they are
// there: userinfo is user and password in one, and query is what RFC 1738 calls search.
var URIComponents = map[string]string{
	"scheme": "scheme", "userinfo": "userinfo", "host": "host", "port": "port", "path-abempty": "path", "path-absolute": "path",
	"path-noscheme": "path", "path-rootless": "path", "path-empty": "path", "query": "query", "fragment": "fragment",
}

// uriNames lists the components of RFC 3986 in their order.
var uriNames = []string{"scheme", "userinfo", "host", "port", "path", "query", "fragment"}

// uriComponents takes a tree of RFC 3986 apart: each component is the first node of a production that is it, a host
// without the brackets of an address.
func uriComponents(t *ast.Tree) []Component {
	at := map[string]string{}
	for _, n := range t.Root().All() {
		name, ok := URIComponents[n.Name()]
		if _, found := at[name]; !ok || found {
			continue
		}
		text := n.Text()
		if name == "host" && strings.HasPrefix(text, "[") {
			text = strings.TrimSuffix(text[1:], "]")
		}
		at[name] = text
	}
	var list []Component
	for _, name := range uriNames {
		if text, ok := at[name]; ok {
			list = append(list, Component{name, text})
		}
	}
	return list
}

// Components takes a tree apart in the terms that most parsers share, so that theirs can be compared with it. A part that
// is absent is left out; one that is there may be empty.
//
//   - scheme: what stands before the colon, without the wrapper of a prefixedurl.
//   - user, password, host, port: the nodes of that name in the part after "//". What an article or a mail address says
//     of hosts is in the path. A fileurl without a host has an empty one.
//   - path: all between host and port, or the scheme's colon, and the search or fragment; with its first "/", and with
//     what a scheme sets off by ";".
//   - search, fragment: the nodes of that name.
//
// The tree of a production that has no scheme gives no path either. A tree of RFC 3986 has the components that this RFC
// names ([URIComponents]).
func Components(t *ast.Tree) []Component {
	if t.Grammar == bnfcheck.RFC3986.Grammar {
		return uriComponents(t)
	}
	at := map[string]span{}
	set := func(name string, n ast.Node) {
		if _, ok := at[name]; !ok {
			at[name] = span{n.Start(), n.End()}
		}
	}
	authority := span{-1, -1}
	for _, n := range t.Root().All() {
		switch name := n.Name(); name {
		case "login", "hostport", "host":
			if authority.from < 0 && (n == t.Root() || strings.HasSuffix(t.Source[:n.Start()], "//")) {
				authority = span{n.Start(), n.End()}
			}
			if name == "host" && authority.holds(n) {
				set("host", n)
			}
		case "user", "password", "port":
			if authority.holds(n) {
				set(name, n)
			}
		case "scheme", "search":
			set(name, n)
		case "fragmentid":
			set("fragment", n)
		default:
			if slices.ContainsFunc(t.Grammar.Schemes, func(s ast.Scheme) bool { return s.Kind == n.Kind() }) {
				colon := n.Start() + strings.IndexByte(n.Text(), ':')
				at["scheme"] = span{n.Start(), colon}
				if empty := "file://"; authority.from < 0 && strings.HasPrefix(n.Text(), empty+"/") {
					authority = span{n.Start() + len(empty), n.Start() + len(empty)}
					at["host"] = authority
				}
			}
		}
	}
	if scheme, ok := at["scheme"]; ok {
		at["path"] = path(t.Source, scheme, authority, at)
	}
	var list []Component
	for _, name := range ComponentNames {
		if s, ok := at[name]; ok {
			list = append(list, Component{name, t.Source[s.from:s.to]})
		}
	}
	return list
}

// NamedComponents returns the components of a tree that are the first nodes of some productions, by their names. A
// production without a node is absent.
func NamedComponents(t *ast.Tree, named []ast.Kind) (list []Component) {
	for _, k := range named {
		if n, ok := t.Root().Find(k); ok {
			list = append(list, Component{t.Grammar.Production(k).Name, n.Text()})
		}
	}
	return list
}

// components returns the components of a tree of the subject's own grammar.
func (s *Subject) components(t *ast.Tree) []Component {
	if s.Named != nil {
		return NamedComponents(t, s.Named)
	}
	return Components(t)
}

// ComponentNames returns the names of the subject's components in their order.
func (s *Subject) ComponentNames() []string {
	if s.Named == nil {
		return ComponentNames
	}
	var names []string
	for _, k := range s.Named {
		names = append(names, s.Grammar.Production(k).Name)
	}
	return names
}

// path finds the path: from behind the scheme, and the authority if there is one, to the first delimiter after it.
func path(source string, scheme, authority span, at map[string]span) span {
	p := span{scheme.to + len(":"), len(source)}
	if authority.from >= 0 {
		p.from = authority.to
	}
	for _, name := range []string{"fragment", "search"} {
		if s, ok := at[name]; ok {
			p.to = s.from - len("?")                                       // or "#"
			if rest, ok := strings.CutSuffix(source[:s.from], "%09"); ok { // in a gopherurl
				p.to = len(rest)
			}
		}
	}
	return p
}

// span is a part of the source.
type span struct{ from, to int }

func (s span) holds(n ast.Node) bool { return s.from <= n.Start() && n.End() <= s.to }
