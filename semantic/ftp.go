package semantic

import (
	"fmt"
	"iter"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// FTP has the parts of an ftp URL besides login, host and port (RFC 1738 section 3.2; RFC 1630, FTP).
type FTP struct {
	Path Part // without the "/" before it and the type after it; absent where the "/" is
	Type Part // RFC 1738: the type code, one of a, i and d; RFC 1630: the data type as in RFC 959 without its spaces
}

// readFTP sets u's login, host and port, and u.Specific to an [FTP]. Its type is without ";type=".
func (u *URL) readFTP(n ast.Node) {
	u.readLoginOrHostport(n)
	// ftpurl     = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]     (RFC 1738 section 5)
	// ftpaddress = f t p : / / login / path [ ftptype ]                 (RFC 1630, URL BNF)
	f := FTP{Type: u.child(n, isFTPType)}
	rest := u.tail(n)
	if f.Type.Present() {
		rest = u.span(rest.Start(), f.Type.Start())
		rest.Raw = strings.TrimSuffix(rest.Raw, ";type=")
	}
	if rest.Raw != "" {
		f.Path = rest.sub(len("/"), len(rest.Raw))
	}
	u.Specific = storeIn(&u.reader.ftp, f)
}

// Directories returns the arguments of the CWD commands in their order: every segment but the last. An empty one is a
// null argument, which is not the same as none.
func (f *FTP) Directories() iter.Seq[Part] { return directories(f.Path) }

// Name returns the last segment, the file's name; it is absent where the URL has no path at all.
func (f *FTP) Name() Part { return lastSegment(f.Path) }

// directories returns every segment but the last.
func directories(path Part) iter.Seq[Part] {
	if i := strings.LastIndexByte(path.Raw, '/'); i >= 0 {
		return path.sub(0, i).Split('/')
	}
	return Part{}.Split('/')
}

// lastSegment returns what follows the last "/" of a path, and is absent if the path is.
func lastSegment(path Part) Part {
	return path.sub(strings.LastIndexByte(path.Raw, '/')+1, len(path.Raw)).orAbsent(path)
}

// orAbsent returns p, as an absent part if whole is absent.
func (p Part) orAbsent(whole Part) Part {
	p.present = whole.present
	return p
}

// Listing reports whether the URL designates a directory listing: by the type code d under RFC 1738, by a slash at the
// end under RFC 1630.
func (f *FTP) Listing(rfc Family) bool {
	if rfc == Family1738 {
		return strings.EqualFold(f.Type.Raw, "d")
	}
	return f.Path.Present() && f.Name().Raw == ""
}

// fields lists the directories, the name and the type, and then what follows from them: that a listing is meant, or
// that the type is to be guessed.
func (f *FTP) fields(u *URL, list *fieldList) {
	for d := range f.Directories() {
		list.part("directory", d)
	}
	list.part("name", f.Name())
	list.part("type", f.Type)
	switch {
	case f.Listing(u.Family):
		list.value("designates", "a directory listing")
	case !f.Type.Present() && f.Name().Raw != "":
		list.value("type", "to be guessed from the name")
	}
}

// canonical recodes the path. Under RFC 1738 it puts the type code in lower case and, in a text that asks for that,
// adds the "/" of an absent path.
func (f *FTP) canonical(u *URL, e *editor) {
	e.recode(f.Path, u.component("ftp", "segment"))
	if u.Family == Family1630 {
		e.keep(f.Type)
	} else {
		e.lower(f.Type) // both cases are in the BNF, and the text names the lower one
		if !f.Path.Present() && u.text.asks["ftp-slash"] {
			e.insert(u.End(), "/") // "The whole url-path may be omitted, including the "/""
			e.made(u.End(), 0, u.component("ftp", "segment"))
		}
	}
}

// access adds the commands of the FTP session: the login, CWD for each directory, TYPE, then NLST or RETR. Where
// the text prescribes no command, as for an empty name without type d, it adds a [Choose] instead. The last step is
// a [Close].
func (f *FTP) access(u *URL, d *dialogue) {
	d.connect(u, "3.2", "FTP")
	if u.User.Present() {
		d.line("USER "+u.User.Decoded(), "3.2.1", "FTP, User name and password")
		if u.Password.Present() {
			d.line("PASS "+u.Password.Decoded(), "3.2.1", "FTP, User name and password")
		} else {
			d.note(Ask, "if the server requests a password, the user for it", "3.2.1", "FTP, User name and password")
		}
	} else {
		d.line("USER anonymous", "3.2.1", "FTP, User name and password")
		d.add(d.command(Step{Verb: Choose, Text: "PASS with the user's Internet mail address",
			Section: d.cite("3.2.1", "FTP, User name and password")}))
	}
	for dir := range f.Directories() {
		d.line("CWD "+dir.Decoded(), "3.2.2", "FTP, Path")
	}
	name := f.Name().Decoded()
	if f.Type.Present() && !(u.Family == Family1738 && f.Listing(u.Family)) {
		d.line("TYPE "+f.typeArgument(), "3.2.2", "FTP, Data type")
	}
	switch {
	case f.Listing(u.Family) && u.Family == Family1738:
		d.line(strings.TrimSuffix("NLST "+name, " "), "3.2.2", "FTP, Path")
	case f.Listing(u.Family):
		d.line("NLST", "3.2.2", "FTP, Data type")
	case name == "" && u.Family == Family1738: // nothing is prescribed, and RETR takes a name
		d.note(Choose, "what to read: the name is empty, and a listing is asked for by ;type=d", "3.2.2", "FTP, Path")
	default:
		if !f.Type.Present() {
			text := "TYPE A or TYPE I, guessed from the name " + ast.Quote(name)
			d.add(d.command(Step{Verb: Choose, Text: text, Section: d.cite("3.2.3", "FTP, Data type")}))
		}
		d.line("RETR "+name, "3.2.2", "FTP, Path")
	}
	// "The only reliable algorithm is to disconnect and reestablish the control connection."
	d.note(Close, "the control connection, before another directory is visited", "3.2.5", "FTP, Path")
}

// typeArgument returns the argument of the TYPE command: the type code of RFC 959, with the space that "is omitted
// from the URL" (RFC 1630, FTP) before its second part.
func (f *FTP) typeArgument() string {
	code := strings.ToUpper(f.Type.Raw)
	if len(code) > 1 {
		return code[:1] + " " + code[1:]
	}
	return code
}

var ftpRules = []Rule{
	{
		ID: "1738/ftp-typecode", Schemes: []string{"ftp"}, Severity: Error, about: genericOnly,
		Title:       "the type code of an ftp URL is a, i or d",
		Requirement: "The type code is one of the characters \"a\", \"i\" and \"d\".",
		check: func(u *URL, r *report) {
			p := u.specificPart()
			i := typeAt(p)
			if i < 0 {
				return
			}
			switch name, code := p.sub(i, i+len(";type=")), p.sub(i+len(";type="), len(p.Raw)); {
			case len(code.Raw) != 1 || !strings.Contains("aidAID", code.Raw):
				r.at(code, "write ;type=a, ;type=i or ;type=d, or leave the type out")
			case name.Raw != ";type=":
				r.at(name, "write ;type= in lower case: the type is not read otherwise")
			}
		},
	},
	{
		ID: "1738/ftp-typecode-case", Schemes: []string{"ftp"}, Severity: Note,
		Title: "the text names the type codes in lower case only",
		Requirement: "The text has \"a\", \"i\" and \"d\"; the BNF has the upper-case letters as well, with the " +
			"same meaning.",
		check: on(func(u *URL, f *FTP, r *report) {
			if f.Type.Present() && f.Type.Raw < "a" {
				r.composed(f.Type, func() string {
					return fmt.Sprintf("write %q: the text names the type codes in lower case",
						strings.ToLower(f.Type.Raw))
				})
			}
		}),
	},
	{
		ID: "1738/ftp-semicolon", Schemes: []string{"ftp"}, Severity: Error, about: genericOnly,
		Title:       "\";\" in an ftp name must be encoded",
		Requirement: "Within a name or CWD component the characters \"/\" and \";\" are reserved and must be encoded.",
		check: func(u *URL, r *report) {
			p := u.specificPart()
			end := len(p.Raw)
			if i := typeAt(p); i >= 0 {
				end = i
			}
			if i := strings.IndexByte(p.Raw[:end], ';'); i >= 0 {
				r.at(p.sub(i, i+1), "write %3B: \";\" is reserved in ftp names")
			}
		},
	},
	{
		ID: "1738/ftp-null-cwd", Schemes: []string{"ftp"}, Severity: Note,
		Title: "an empty directory is a CWD with a null argument",
		Requirement: "Each directory is the argument of a CWD command, an empty one a null argument. Write %2F " +
			"for a directory that begins at the root.",
		check: on(func(u *URL, f *FTP, r *report) {
			if strings.HasPrefix(f.Path.Raw, "/") || strings.Contains(f.Path.Raw, "//") {
				for d := range f.Directories() {
					if d.Raw == "" {
						r.at(d, "this sends CWD with a null argument; write %2F where the root directory is meant")
						return
					}
				}
			}
		}),
	},
	{
		ID: "1738/ftp-empty-name", Schemes: []string{"ftp"}, Severity: Note,
		Title: "a slash at the end does not make an ftp URL a directory",
		Requirement: "The name may be empty. Only the type code d asks for a listing; without it an empty name is " +
			"retrieved. (RFC 1630 reads a slash at the end as a directory.)",
		check: on(func(u *URL, f *FTP, r *report) {
			switch {
			case !f.Path.Present() || f.Name().Raw != "" || f.Listing(Family1738):
				// it has no slash at the end, or asks for a listing
			case f.Type.Present():
				r.at(f.Type, "write d if the listing of the directory is meant: the name is empty")
			default:
				r.at(f.Name(), "append ;type=d if the listing of the directory is meant: the name is empty")
			}
		}),
	},
	{
		ID: "1630/ftp-type", Schemes: []string{"ftp"}, Severity: Note,
		Title: "prose and BNF part on the data type of an ftp URI",
		Requirement: "The text appends \";type=\" and a type code; the BNF appends the bare type code to the " +
			"path, where it cannot be told from it.",
		check: on(func(u *URL, f *FTP, r *report) {
			if f.Type.Present() {
				r.at(f.Type, "only the text, not the BNF, has this suffix")
			}
		}),
	},
}

// typeAt returns the offset in p of the last ";type=", in letters of either case, or -1.
func typeAt(p Part) int { return strings.LastIndex(strings.ToLower(p.Raw), ";type=") }

// specificPart returns the part after the colon of the scheme.
func (u *URL) specificPart() Part { return u.span(u.Scheme.End()+len(":"), u.End()) }

// End returns the offset where the URL without its fragment ends.
func (u *URL) End() int {
	if u.Fragment.Present() {
		return u.Fragment.Start() - len("#")
	}
	return len(u.Source)
}
