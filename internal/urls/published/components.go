package published

import (
	"iter"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// uriComponentOf maps the name of a production of RFC 3986 to the component that it is. The names are those
// of RFC 3986, where userinfo is user and password in one, and query is what RFC 1738 calls search.
var uriComponentOf = map[string]string{
	"scheme":        "scheme",
	"userinfo":      "userinfo",
	"host":          "host",
	"port":          "port",
	"path-abempty":  "path",
	"path-absolute": "path",
	"path-noscheme": "path",
	"path-rootless": "path",
	"path-empty":    "path",
	"query":         "query",
	"fragment":      "fragment",
}

// uriNames lists the components of RFC 3986 in their order.
var uriNames = []string{"scheme", "userinfo", "host", "port", "path", "query", "fragment"}

// uriComponents takes a tree of RFC 3986 apart: each component is the first node of a production that is it, a host
// without the brackets of an address.
func uriComponents(t *ast.Tree) iter.Seq2[string, string] {
	at := map[string]string{}
	for _, n := range t.Root().All() {
		name, ok := uriComponentOf[n.Name()]
		if _, found := at[name]; !ok || found {
			continue
		}
		text := n.Text()
		if name == "host" && strings.HasPrefix(text, "[") {
			text = strings.TrimSuffix(text[1:], "]")
		}
		at[name] = text
	}
	return func(yield func(name, value string) bool) {
		for _, name := range uriNames {
			if text, ok := at[name]; ok && !yield(name, text) {
				return
			}
		}
	}
}

// urlNames lists the components of the URLs of RFC 1630 and RFC 1738 in their order.
var urlNames = []string{"scheme", "user", "password", "host", "port", "path", "search", "fragment"}

// urlComponents takes the tree of a grammar with productions for schemes apart, in the terms that most parsers share:
//
//   - scheme: what stands before the colon, without the wrapper of a prefixedurl.
//   - user, password, host, port: the nodes of that name in the part after "//". What an article or a mail address says
//     of hosts is in the path. A fileurl without a host has an empty one.
//   - path: all between host and port, or the scheme's colon, and the search or fragment; with its first "/", and with
//     what a scheme sets off by ";".
//   - search, fragment: the nodes of that name.
//
// The tree of a production that has no scheme gives no path either.
func urlComponents(t *ast.Tree) iter.Seq2[string, string] {
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
	return func(yield func(name, value string) bool) {
		for _, name := range urlNames {
			if s, ok := at[name]; ok && !yield(name, t.Source[s.from:s.to]) {
				return
			}
		}
	}
}

// path finds the path: it begins after the scheme, and after the authority if there is one, and ends at the
// delimiter of the search, else at that of the fragment, else at the end. A negative begin means no
// authority. at has the spans of search and fragment.
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

// span is a part of the source, between two offsets.
type span struct{ from, to int }

// holds reports whether a node lies in s.
func (s span) holds(n ast.Node) bool { return s.from <= n.Start() && n.End() <= s.to }
