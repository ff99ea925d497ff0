package semantic

import "github.com/bnfcheck/bnfcheck/ast"

// AFS is a file of the Andrew File System. RFC 1630's BNF keeps afsaddress "as historical note, but is not a url
// production".
type AFS struct {
	Path Part // below the cell, whose name is the URL's host
}

// readAFS sets u.Host, and u.Specific to an [AFS].
func (u *URL) readAFS(n ast.Node) {
	// afsaddress = a f s : / / cellname / path      (RFC 1630, URL BNF)
	u.specificAFS(u.span(n.Start()+len("afs:"), n.End()))
}

// specificAFS is readAFS for p, the text after "afs:".
func (u *URL) specificAFS(p Part) {
	u.Specific = storeIn(&u.reader.afs, AFS{u.readAuthority(p)})
}

func (a *AFS) fields(u *URL, list *fieldList) { list.part("path", a.Path) }

func (a *AFS) canonical(u *URL, e *editor) { e.recode(a.Path, u.component("", "segment")) }

func (a *AFS) access(u *URL, d *dialogue) {
	d.note(Read, "the file "+ast.Quote(a.Path.Decoded())+" of the cell "+ast.Quote(u.Host.Decoded()), "4",
		"BNF for specific URL schemes")
}

var afsRules = []Rule{
	{
		ID: "1630/afs-historical", Schemes: []string{"afs"}, Severity: Note,
		Title: "afs is no URL scheme",
		Requirement: "The production afsaddress is left in as a historical note; it is not one of the productions " +
			"of url.",
		check: func(u *URL, r *report) {
			r.at(u.Scheme, "use another scheme: afs is kept as a historical note")
		},
	},
}
