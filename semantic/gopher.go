package semantic

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
	"github.com/bnfcheck/bnfcheck/semantic/gopherplus"
)

// Gopher has the parts of a gopher URL besides host and port (RFC 1738 section 3.4; RFC 1630, Gopher). After the type
// RFC 1738 has a selector, a search string and a Gopher+ string, RFC 1630 a command string, which is sent as it is.
type Gopher struct {
	Type       Part // one character; absent where it defaults to "1", a directory
	Command    Part // RFC 1630: the selector and any Gopher+ syntax, as it is sent
	Selector   Part // RFC 1738, as all that follow
	Search     Part // after the first encoded tab
	PlusString Part // after the second: gopher+_string
}

// readGopher sets u's host and port, and u.Specific to a [Gopher].
func (u *URL) readGopher(n ast.Node) {
	u.readLoginOrHostport(n)
	g := Gopher{Type: u.child(n, isGopherType)}
	if u.Family == Family1738 {
		// gopherurl = "gopher://" hostport [ / [ gtype [ selector [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
		g.Selector, g.Search, g.PlusString = u.child(n, isSelector), u.child(n, isSearch), u.child(n, isPlusString)
	} else if g.Type.Present() {
		// gopheraddress = g o p h e r : / / hostport [ / gtype [ gcommand ] ]      (RFC 1630, URL BNF)
		g.Command = u.span(g.Type.End(), n.End())
	}
	u.Specific = storeIn(&u.reader.gopher, g)
}

// readGopherDirectory reads "//" hostport "/" and nothing more, to which RFC 1630's prose gives a meaning and its BNF
// none: "if the encoded command string ... would be void then the gopher type character may be omitted and "1" ... is
// assumed". It then sets u's host and port, and u.Specific to the zero [Gopher]; for any other path it does nothing.
func (u *URL) readGopherDirectory(path Part) {
	host, rest := path.sub(min(len("//"), len(path.Raw)), len(path.Raw)).cut('/')
	if strings.HasPrefix(path.Raw, "//") && rest.Present() && rest.Raw == "" && u.readAuthorityAs("hostport", host) {
		u.Specific = storeIn(&u.reader.gopher, Gopher{})
	}
}

// ItemType returns the gopher type: the one given, or the default "1" (RFC 1738 section 3.4.1).
func (g *Gopher) ItemType() byte {
	if t := g.Type.Decoded(); t != "" {
		return t[0]
	}
	return '1'
}

// Plus returns the Gopher+ string in its parts; its form is [gopherplus.None] where there is none.
func (g *Gopher) Plus() gopherplus.Request {
	if !g.PlusString.Present() {
		return gopherplus.Request{}
	}
	return gopherplus.Parse(g.PlusString.Decoded())
}

// fields lists the parts, the default of an absent type, and the pieces of a Gopher+ string.
func (g *Gopher) fields(u *URL, list *fieldList) {
	list.part("type", g.Type)
	if !g.Type.Present() {
		list.value("type", "1, the default")
	}
	list.part("command", g.Command)
	list.part("selector", g.Selector)
	list.part("search", g.Search)
	list.part("gopher+ string", g.PlusString)
	p := g.Plus()
	if p.Form != gopherplus.None {
		list.value("asks for", p.Form.String())
	}
	if p.Form == gopherplus.Attributes {
		if p.Every {
			list.value("of", "all items of the directory")
		}
		for _, name := range p.Names {
			list.value("attribute", ast.Quote(name))
		}
	}
	if p.Form == gopherplus.AlternateView {
		list.value("view", ast.Quote(p.View))
		list.value("language", ast.Quote(p.Language))
	}
	for _, a := range p.Answers {
		list.value("answer", ast.Quote(a))
	}
}

// canonical recodes the parts, or inserts the default of an absent type. In a URL that only the generic production
// derives it changes nothing.
func (g *Gopher) canonical(u *URL, e *editor) {
	if u.Match == MatchGeneric {
		return // with the type it would be of another production
	}
	if !g.Type.Present() {
		// "The entire <gopher-path> may also be empty, in which case the delimiting "/" is also optional and the
		// <gophertype> defaults to "1"."
		if strings.HasSuffix(u.Source[:u.End()], "/") {
			e.insert(u.End(), "1")
		} else {
			e.insert(u.End(), "/1")
		}
		e.made(u.End(), 1, u.component("gopher", "type"))
		rest := "selector"
		if u.Family == Family1630 {
			rest = "command"
		}
		e.made(u.End(), 0, u.component("gopher", rest))
		return
	}
	e.recode(g.Type, u.component("gopher", "type"))
	e.recode(g.Command, u.component("gopher", "command"))
	e.recode(g.Selector, u.component("gopher", "selector"))
	e.recode(g.Search, u.component("gopher", "search"))
	e.recode(g.PlusString, u.component("gopher", "gopher+ string"))
}

// access adds the step that connects, and the octets that are sent: under RFC 1630 the command as it is, under RFC
// 1738 selector, search string and Gopher+ string with tabs between them. An [Advise] tells of a search string that is
// not sent, and an [Ask] has the user fill in a form of Gopher+. It adds a [Refuse] instead if a tab or line end stands
// where it would end the selector, the search string or the command.
func (g *Gopher) access(u *URL, d *dialogue) {
	d.connect(u, "3.4", "Gopher")
	if u.Family == Family1630 {
		// "The command string to be sent to the server immediately follows the gopher type character." It may hold
		// what a URL does not allow, "such a embedded CR LF and HT", encoded.
		command := g.Command.Decoded()
		d.octets(command, command+"\r\n", "", "Gopher")
		return
	}
	selector, search := g.Selector.Decoded(), g.Search.Decoded()
	if i := strings.IndexAny(selector, "\t\r\n"); i >= 0 {
		d.note(Refuse, "a selector cannot hold the octet "+ast.Quote(selector[i:i+1]), "3.4.1", "")
		return
	}
	if i := strings.IndexAny(search, "\t\r\n"); i >= 0 {
		d.unsafe("the search string " + ast.Quote(search) + " holds the octet " + ast.Quote(search[i:i+1]) +
			", at which it would end")
		return
	}
	line := selector
	if g.Search.Present() {
		line += "\t" + search
	}
	if !g.PlusString.Present() {
		section := "3.4.1"
		if g.Search.Present() {
			section = "3.4.2"
		}
		d.octets(line, line+"\r\n", section, "")
		return
	}
	plus := g.Plus()
	if u.text.asks["gopher-plus-by-type"] && g.ItemType() != '7' {
		if search != "" {
			d.note(Advise, "the user that the search string "+ast.Quote(search)+" is not sent: the type is not 7",
				"3.4.3", "")
		}
		// "... the gopher selector string, followed by a tab, followed by the gopher+ commands"
		line, search = selector, ""
	}
	switch plus.Form {
	case gopherplus.FilledForm:
		// What the client sends is printed without a search string, and with one tab fewer than section 3.4.3 has.
		// Where there is a search string, that section has it sent.
		section := "3.4.3"
		if search == "" {
			line, section = selector, "3.4.9"
		}
		command := line + "\t" + g.PlusString.Decoded()
		d.octets(command, command, section, "")
	case gopherplus.FormDefinition:
		d.octets(line+"\t!+ASK", line+"\t!+ASK\r\n", "3.4.5", "")
		d.note(Ask, "the user to fill in the form, then send the answers with the selector", "3.4.5", "")
	default:
		command := g.PlusString.Decoded()
		if i := strings.IndexAny(command, "\t\r\n"); i >= 0 {
			d.unsafe("the Gopher+ command " + ast.Quote(command) + " holds the octet " + ast.Quote(command[i:i+1]) +
				", at which it would end")
			return
		}
		line += "\t" + command
		d.octets(line, line+"\r\n", "3.4.3", "")
	}
}

// The beginning and the end of a filled-in form inside RFC 1630's command string, which gopherplus does not take
// apart. What stands before the form ends in a tab.
const (
	formHeadEncoded = "%09+%091%0D%0A+-1%0D%0A"
	formTailEncoded = "%0D%0A."
)

var gopherRules = []Rule{
	{
		ID: "1738/gopher-selector", Schemes: []string{"gopher"}, Severity: Error, about: controlEscape,
		Title:       "a gopher selector holds no tab, CR or LF",
		Requirement: "A selector may contain any octets except 09 (tab), 0A (LF) and 0D (CR).",
		check:       on(checkSelector),
	},
	{
		ID: "1630/gopher-command", Schemes: []string{"gopher"}, Severity: Warning, about: controlEscape,
		Title: "a line end inside a gopher command string",
		Requirement: "Characters of the command string that a URL does not allow, embedded CR LF and tab among " +
			"them, are encoded; the command string is sent as it is. A server without Gopher+ reads the first " +
			"line alone, and a server of another protocol reads each line as a command.",
		check: on(func(u *URL, g *Gopher, r *report) {
			form := strings.ToUpper(g.Command.Raw)
			if strings.Contains(form, formHeadEncoded) &&
				strings.HasSuffix(strings.TrimSuffix(form, "%0D%0A"), formTailEncoded) {
				return // a filled-in form has several lines
			}
			for i, octet := range percent.All(g.Command.Raw) {
				if octet == '\n' || octet == '\r' {
					r.at(g.Command.sub(i, i+3), "make sure that the server expects several lines: the command is "+
						"sent as it is")
					return
				}
			}
		}),
	},
	{
		ID: "1630/gopher-type", Schemes: []string{"gopher"}, Severity: Warning, about: genericOnly,
		Title: "prose and BNF part on a gopher URI with a slash and no type",
		Requirement: "The text lets the type be omitted where the command is void, and has it omitted alone; in " +
			"the BNF the slash goes with the type.",
		check: on(func(u *URL, _ *Gopher, r *report) {
			p := u.specificPart()
			r.at(p.sub(len(p.Raw)-1, len(p.Raw)), "append the type 1, which is meant, or remove the \"/\"")
		}),
	},
	{
		ID: "1738/gopher-plus", Schemes: []string{"gopher"}, Severity: Warning,
		Title: "a Gopher+ string of no described form",
		Requirement: "A Gopher+ string is \"+\", \"?\", begins with \"!\" or \"$\" and names attributes, is \"+\" " +
			"with a view and a language, or a filled-in form (sections 3.4.4 to 3.4.9).",
		check: on(func(u *URL, g *Gopher, r *report) {
			if g.Plus().Form == gopherplus.Unknown {
				r.at(g.PlusString, "begin the Gopher+ string with \"+\", \"!\" or \"$\", or make it \"?\"; a "+
					"filled-in form ends with a line that is a dot")
			}
		}),
	},
	{
		ID: "1738/gopher-view-language", Schemes: []string{"gopher"}, Severity: Note,
		Title:       "an alternate view names its language",
		Requirement: "The Gopher+ string of an alternate view is \"+\", the view, an encoded space and the language.",
		check: on(func(u *URL, g *Gopher, r *report) {
			if p := g.Plus(); p.Form == gopherplus.AlternateView && p.Language == "" {
				r.at(g.PlusString, "append %20 and the language of the view")
			}
		}),
	},
}

// checkSelector reports the first escape of a tab, CR or LF in the selector. A tab before a bare "/" or "?" may be
// meant to begin a search string, and is reported as such.
func checkSelector(u *URL, g *Gopher, r *report) {
	for i, octet := range percent.All(g.Selector.Raw) {
		switch at := g.Selector.sub(i, i+3); {
		case octet == '\t' && strings.ContainsAny(g.Selector.Raw[i:], "/?"):
			r.at(at, "write %2F for \"/\" and %3F for \"?\" after this tab if a search string follows it: a "+
				"selector holds no tab")
			return
		case octet == '\t' || octet == '\n' || octet == '\r':
			r.at(at, "remove this octet: in the gopher protocol it ends the selector")
			return
		}
	}
}
