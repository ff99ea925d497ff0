package semantic

import (
	"iter"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
)

// WAIS is a database, a search in it, or a document of it (RFC 1738 section 3.9; RFC 1630, WAIS).
type WAIS struct {
	Database Part
	Search   Part // absent unless a particular search is designated
	Type     Part // absent unless a document is
	Path     Part // the document-id; under RFC 1738 opaque to all but its server
}

// readWAIS sets u's host and port, and u.Specific to a [WAIS].
func (u *URL) readWAIS(n ast.Node) {
	// waisdatabase = "wais://" hostport "/" database                        (RFC 1738 section 5)
	// waisindex    = "wais://" hostport "/" database "?" search
	// waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
	//
	// RFC 1630's waisindex makes the search optional and so is the first two; its wpath has numbered fields.
	u.readLoginOrHostport(n)
	var w WAIS
	rest := u.tail(n)
	w.Database, w.Search = rest.sub(len("/"), len(rest.Raw)).cut('?')
	if u.role(n) == isWAISDocument {
		w.Database, w.Type = w.Database.cut('/')
		w.Type, w.Path = w.Type.cut('/')
	}
	u.Specific = storeIn(&u.reader.wais, w)
}

// IdentifierFields returns the fields that RFC 1630 encodes in the path, in the order of the WAIS identifier: the
// number of each, which is the digits before "=", and its content up to ";". A piece without "=" is none. Under
// RFC 1738 the path is opaque, and the result means nothing.
func (w *WAIS) IdentifierFields() iter.Seq2[Part, Part] {
	return func(yield func(number, content Part) bool) {
		for field := range w.Path.Split(';') {
			if number, content := field.cut('='); content.Present() && !yield(number, content) {
				return
			}
		}
	}
}

// fields lists the parts; under RFC 1630 also the words of the search and, in place of the document-id, its fields.
func (w *WAIS) fields(u *URL, list *fieldList) {
	list.part("database", w.Database)
	list.part("search", w.Search)
	list.part("type", w.Type)
	if u.Family != Family1630 {
		list.part("document-id", w.Path)
		return
	}
	list.parts("search word", w.Search, '+')
	for number, content := range w.IdentifierFields() {
		list.part("field "+number.Raw, content)
	}
}

// canonical recodes the parts; under RFC 1630 the contents of the document-id's fields, each by itself.
func (w *WAIS) canonical(u *URL, e *editor) {
	e.recode(w.Database, u.component("wais", "database"))
	e.recode(w.Search, u.component("wais", "search"))
	e.recode(w.Type, u.component("wais", "type"))
	if u.Family == Family1738 {
		e.recode(w.Path, u.component("wais", "document-id"))
		return
	}
	for _, content := range w.IdentifierFields() {
		e.recode(content, u.component("wais", "document-id"))
	}
}

// access adds the step that connects, and an [Ask]: the server for the document or the search, or the user what to
// search for.
func (w *WAIS) access(u *URL, d *dialogue) {
	d.connect(u, "3.9", "WAIS")
	database := ast.Quote(w.Database.Decoded())
	switch {
	case w.Type.Present():
		text := []byte("the server to retrieve the document")
		if u.Family == Family1630 { // a ";" or "=" in the contents of a field is encoded, so the fields are found first
			for number, content := range w.IdentifierFields() {
				text = append(text, " "+number.Raw+"="+ast.Quote(content.Decoded())...)
			}
		} else {
			text = append(text, " "+ast.Quote(w.Path.Decoded())...)
		}
		text = append(text, " of type "+ast.Quote(w.Type.Decoded())+" from the database "+database...)
		d.note(Ask, string(text), "3.9", "WAIS")
	case w.Search.Present():
		d.note(Ask, "the server to search the database "+database+" for "+ast.Quote(u.words(w.Search)), "3.9", "WAIS")
	default:
		d.note(Ask, "the user what to search the database "+database+" for", "3.9", "WAIS")
	}
}

// words returns a search string decoded; under RFC 1630 "+" is a space.
func (u *URL) words(search Part) string {
	if u.Family == Family1630 {
		return percent.Decode(strings.ReplaceAll(search.Raw, "+", " "))
	}
	return search.Decoded()
}

var waisRules = []Rule{
	{
		ID: "1738/wais-database", Schemes: []string{"wais"}, Severity: Warning,
		Title:       "a WAIS database has a name",
		Requirement: "The database is the name of the WAIS database being queried. The BNF lets it be empty.",
		check: on(func(u *URL, w *WAIS, r *report) {
			if w.Database.Raw == "" {
				r.at(w.Database, "write the name of the database after the \"/\"")
			}
		}),
	},
	{
		ID: "1738/wais-type", Schemes: []string{"wais"}, Severity: Warning,
		Title: "a WAIS document has a type",
		Requirement: "The type is in the URL so that the client can retrieve the document; many implementations " +
			"need it. The BNF lets it be empty.",
		check: on(func(u *URL, w *WAIS, r *report) {
			if w.Type.Present() && w.Type.Raw == "" {
				r.at(w.Type, "write the type of the document between the slashes")
			}
		}),
	},
}
