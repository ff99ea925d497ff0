package semantic

import (
	"iter"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// HTTP has the parts of an http URL besides host and port (RFC 1738 section 3.3; RFC 1630, HTTP).
type HTTP struct {
	Path   Part // without the "/" that delimits it from the host; absent where that is
	Search Part // what follows "?"
}

// readHTTP sets u's host and port, and u.Specific to an [HTTP].
func (u *URL) readHTTP(n ast.Node) {
	u.readLoginOrHostport(n)
	// httpurl     = "http://" hostport [ "/" hpath [ "?" search ]]      (RFC 1738 section 5)
	// httpaddress = h t t p : / / hostport [ / path ] [ ? search ]      (RFC 1630, URL BNF)
	path, search := u.tail(n).cut('?')
	h := HTTP{Search: search}
	if path.Raw != "" {
		h.Path = path.sub(len("/"), len(path.Raw))
	}
	u.Specific = storeIn(&u.reader.http, h)
}

// Words returns the words of the query: "within the query string, the plus sign is reserved as shorthand notation for
// a space" (RFC 1630, Query strings). RFC 1738 gives "+" no such meaning; under it the search part is one string.
func (h *HTTP) Words() iter.Seq[Part] { return h.Search.Split('+') }

func (h *HTTP) fields(u *URL, list *fieldList) {
	list.part("path", h.Path)
	list.part("search", h.Search)
	if u.Family == Family1630 {
		list.parts("search word", h.Search, '+')
	}
}

// canonical recodes path and search, and under RFC 1738 adds the "/" of an absent path.
func (h *HTTP) canonical(u *URL, e *editor) {
	e.recode(h.Path, u.component("http", "segment"))
	e.recode(h.Search, u.component("http", "search"))
	if u.Family == Family1738 && !h.Path.Present() {
		e.insert(u.End(), "/") // "If neither <path> nor <searchpart> is present, the "/" may also be omitted."
		e.made(u.End(), 0, u.component("http", "segment"))
	}
}

// access adds the steps that connect and send a GET with path and search as they are written, and the one that the
// client keeps a fragment.
func (h *HTTP) access(u *URL, d *dialogue) {
	d.connect(u, "3.3", "HTTP")
	// "The string sent starts with the slash which follows the host details ... The search part, if present, is sent
	// as part of the HTTP command ... No fragmentid part" (RFC 1630, HTTP; RFC 1738 leaves the protocol to other
	// documents). The path "is handled transparently", so escapes go out as they stand.
	selector := "/" + h.Path.Raw
	if h.Search.Present() {
		selector += "?" + h.Search.Raw
	}
	d.line("GET "+selector, "3.3", "HTTP")
	d.retainFragment(u)
}

var httpRules = []Rule{
	{
		ID: "1738/http-no-user", Schemes: []string{"http"}, Severity: Error, about: userName,
		Title:       "an http URL has no user name or password",
		Requirement: "No user name or password is allowed in an http URL.",
		check: func(u *URL, r *report) {
			r.at(u.User, "remove the user name and the \"@\": an http URL allows neither user name nor password")
		},
	},
	{
		ID: "1738/http-reserved", Schemes: []string{"http"}, Severity: Note, about: semicolon,
		Title: "\";\" is reserved in an http path and search part",
		Requirement: "Within path and search part \"/\", \";\" and \"?\" are reserved. For \";\" the RFC states " +
			"no purpose, so one that is data is to be written %3B.",
		check: on(func(u *URL, h *HTTP, r *report) {
			for _, p := range [...]Part{h.Path, h.Search} {
				if i := strings.IndexByte(p.Raw, ';'); i >= 0 {
					r.at(p.sub(i, i+1), "\";\" is reserved here; write %3B if it is data")
				}
			}
		}),
	},
	{
		ID: "1630/query-plus", Severity: Note, about: plus,
		Title: "\"+\" in a query stands for a space",
		Requirement: "Within the query string the plus sign is reserved as shorthand for a space; a real plus " +
			"sign must be encoded.",
		check: func(u *URL, r *report) {
			search := u.search()
			if i := strings.IndexByte(search.Raw, '+'); i >= 0 {
				r.at(search.sub(i, i+1), "this \"+\" is read as a space; write %2B for a real plus sign")
			}
		},
	},
}

// search returns the query string of RFC 1630, what follows "?" in any scheme; absent if there is none.
func (u *URL) search() Part {
	switch s := u.Specific.(type) {
	case *HTTP:
		return s.Search
	case *WAIS:
		return s.Search
	case *Other:
		return s.Search
	}
	return Part{}
}
