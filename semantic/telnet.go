package semantic

import "github.com/bnfcheck/bnfcheck/ast"

// Telnet is an interactive session (RFC 1738 section 3.8; RFC 1630, Telnet, rlogin, tn3270). All it says stands in the
// URL's login, host and port. Under RFC 1630 the schemes rlogin and tn3270 are read alike, though only its text has
// them.
type Telnet struct {
	Service string // the scheme: telnet, rlogin or tn3270
}

func (u *URL) readTelnet(n ast.Node) {
	// telneturl     = "telnet://" login [ "/" ]     (RFC 1738 section 5)
	// telnetaddress = t e l n e t : / / login       (RFC 1630, URL BNF)
	u.readLoginOrHostport(n)
	u.Specific = storeIn(&u.reader.telnet, Telnet{u.name})
}

func (t *Telnet) fields(u *URL, list *fieldList) {
	list.value("designates", "an interactive service, by "+t.Service)
}

func (t *Telnet) canonical(u *URL, e *editor) {
	if end := u.End(); u.Family == Family1738 && u.Source[end-1] == '/' {
		e.replace(end-1, end, "") // "The final "/" character may be omitted."
	}
}

// access adds the step that connects, and one that tells the user about user name and password, which are not sent. It
// adds a [Refuse] for a URL without a host.
func (t *Telnet) access(u *URL, d *dialogue) {
	if !u.Host.Present() {
		d.note(Refuse, "the URL names no host", "3.8", "Telnet, rlogin, tn3270")
		return
	}
	d.connect(u, "3.8", "Telnet, rlogin, tn3270")
	// "The <user> and <password> supplied are advisory only": never sent.
	if user := u.User; user.Present() {
		text := "the user to log in as " + ast.Quote(user.Decoded())
		if p := u.Password; p.Present() {
			text += " with the password " + ast.Quote(p.Decoded())
		}
		d.note(Advise, text, "3.8", "Telnet, rlogin, tn3270")
	}
}

var telnetRules = []Rule{
	{
		ID: "1738/telnet-login", Schemes: []string{"telnet"}, Severity: Note, about: userName,
		Title:       "the user and password of a telnet URL are advisory",
		Requirement: "User and password are advisory only: a client merely tells the user what they are.",
		check: on(func(u *URL, _ *Telnet, r *report) {
			if u.User.Raw != "" {
				r.at(u.User, "do not count on this: a client only advises its user of it")
			}
		}),
	},
	{
		ID: "1630/telnet-prose", Schemes: []string{"rlogin", "tn3270"}, Severity: Note,
		Title: "rlogin and tn3270 have no production",
		Requirement: "The text describes telnet, rlogin and tn3270 together; the BNF has a " +
			"production for telnet alone.",
		check: func(u *URL, r *report) {
			r.at(u.Scheme, "check the rest of this URI by hand: the BNF has no production for its scheme")
		},
	},
}
