package semantic

import (
	"iter"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// File is a file on a host (RFC 1738 section 3.10; RFC 1630, file). RFC 1630 describes it in its prose only, so a
// file URI of it is parsed by the generic BNF.
type File struct {
	Path Part // without the "/" that delimits it from the host
}

// readFile sets u.Host, and u.Specific to a [File].
func (u *URL) readFile(n ast.Node) {
	// fileurl = "file://" [ host | "localhost" ] "/" fpath      (RFC 1738 section 5)
	rest := u.span(n.Start()+len("file://"), n.End())
	host, path := rest.cut('/')
	u.Host = hostOf(host, u.role(firstChild(u.childNode(n, isHost))) == isHostnumber)
	u.Specific = storeIn(&u.reader.file, File{path})
}

// readFileWithoutHost reads "///" and a path, a file URL by the prose of every text but not by the draft's BNF. It
// reports whether there is one, and sets u.Host, which is empty, and u.Specific only then.
func (u *URL) readFileWithoutHost() bool {
	p := u.specificPart()
	own, ok := u.Grammar.Scheme("file")
	if !ok || !strings.HasPrefix(p.Raw, "///") || !u.Grammar.Accept(own, "file://localhost"+p.Raw[len("//"):]) {
		return false
	}
	u.Host = hostOf(p.sub(len("//"), len("//")), false)
	u.Specific = storeIn(&u.reader.file, File{p.sub(len("///"), len(p.Raw))})
	return true
}

// Local reports whether u is a file URL for "the machine from which the URL is being interpreted": its host is
// empty or "localhost". (Names of hosts are the same in either case, RFC 1034 section 3.1.)
func (f *File) Local(u *URL) bool {
	return u.Host.Raw == "" || strings.EqualFold(u.Host.Raw, "localhost")
}

// mayBeWithoutHost reports whether the BNF has file URLs with an empty host, or no production for them; the prose of
// each family has such URLs.
func (f *File) mayBeWithoutHost(u *URL) bool {
	own, ok := u.Grammar.Scheme("file")
	return !ok || u.Grammar.Accept(own, "file:///")
}

// Directories returns every segment of the path but the last.
func (f *File) Directories() iter.Seq[Part] { return directories(f.Path) }

// Name returns the last segment of the path.
func (f *File) Name() Part { return lastSegment(f.Path) }

// fields lists the directories and the name, after the host if that is this machine.
func (f *File) fields(u *URL, list *fieldList) {
	if f.Local(u) {
		list.value("host", "this machine")
	}
	for d := range f.Directories() {
		list.part("directory", d)
	}
	list.part("name", f.Name())
}

// canonical recodes the path; in a URL that only the generic production derives, the digits of escapes alone change.
func (f *File) canonical(u *URL, e *editor) {
	if u.Match == MatchGeneric {
		e.upperEscapes(f.Path)
		return
	}
	e.recode(f.Path, u.component("file", "segment"))
}

// access adds one step: a [Read] for a file on this machine, and a [Refuse] for one elsewhere or without a path.
func (f *File) access(u *URL, d *dialogue) {
	switch {
	case !f.Path.Present():
		d.note(Refuse, "the URL names no file", "3.10", "file")
	case f.Local(u):
		text := []byte("the file that this machine's conventions call")
		for dir := range f.Directories() {
			text = append(text, " "+ast.Quote(dir.Decoded())+","...)
		}
		d.note(Read, string(text)+" "+ast.Quote(f.Name().Decoded()), "3.10", "file")
	default:
		d.note(Refuse, "the file is on "+ast.Quote(u.Host.Decoded())+", and no access method is specified", "3.10",
			"file")
	}
}

var fileRules = []Rule{
	{
		ID: "1738/file-local", Schemes: []string{"file"}, Severity: Note,
		Title: "a file on whatever machine interprets the URL",
		Requirement: "The host \"localhost\" and the empty host are the machine from which the URL is being " +
			"interpreted.",
		also: twin{"1630/file-local", Note,
			"\"localhost\" says that the file name is to be used on whatever host one is; a void host field is " +
				"equivalent."},
		check: on(checkFileLocal),
	},
	{
		ID: "1738/file-host", Schemes: []string{"file"}, Severity: Warning, about: hostNumber,
		Title: "the host of a file URL is a domain name",
		Requirement: "The host is the fully qualified domain name of the system, or \"localhost\", or empty. The " +
			"BNF takes an IP address as well.",
		check: on(func(u *URL, _ *File, r *report) {
			r.at(u.Host.Part, "write the fully qualified domain name of the system: this is an IP address")
		}),
	},
	{
		ID: "draft06/file-empty-host", Schemes: []string{"file"}, Severity: Warning, about: genericOnly,
		Title: "prose and BNF part on a file URL with an empty host",
		Requirement: "The text lets the host be the empty string, for the machine from which the URL is being " +
			"interpreted; the BNF has no file URL without a host.",
		check: on(func(u *URL, _ *File, r *report) {
			r.at(u.Host.Part, "write localhost, which means the same and which the BNF has")
		}),
	},
	{
		ID: "1738/file-remote", Schemes: []string{"file"}, Severity: Note,
		Title:       "a file URL has no access method",
		Requirement: "The scheme specifies no protocol or access method, so its utility between hosts is limited.",
		check: on(func(u *URL, f *File, r *report) {
			if !f.Local(u) {
				r.at(u.Host.Part, "name a protocol (ftp, http) if others are to reach this file")
			}
		}),
	},
	{
		ID: "1630/file-host", Schemes: []string{"file"}, Severity: Warning,
		Title: "a file URL has a host part",
		Requirement: "By convention even a file URL is provided with a host part, so that a client on another " +
			"system knows that it cannot access the file.",
		check: on(func(u *URL, f *File, r *report) {
			if !u.Host.Present() {
				r.at(f.Path, "write file:// and the host, or file:/// for the local machine")
			}
		}),
	},
	{
		ID: "1630/file-prose", Schemes: []string{"file"}, Severity: Note,
		Title:       "file has no production",
		Requirement: "The text describes the syntax as similar to that of ftp; the BNF has no production for it.",
		check: func(u *URL, r *report) {
			r.at(u.Scheme, "check the rest of this URI by hand: the BNF has no production for its scheme")
		},
	},
}

// checkFileLocal reports the host if it is present, perhaps empty, and means this machine.
func checkFileLocal(u *URL, f *File, r *report) {
	if u.Host.Present() && f.Local(u) {
		r.at(u.Host.Part, "name the host if the file is not meant to be a different one on each machine")
	}
}
