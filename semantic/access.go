package semantic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A Verb is the kind of a [Step].
type Verb uint8

const (
	Connect Verb = iota + 1 // open a connection to a host and port
	Send                    // send octets on it
	Ask                     // ask the user, or the server before going on
	Choose                  // decide what the URL leaves open
	Advise                  // tell the user
	Read                    // use something that is at hand without a connection: a file, a body of mail
	Refuse                  // do not go on: it would violate the protocol
	Close                   // close the connection
)

var verbs = [...]string{"", "connect", "send", "ask", "choose", "advise", "read", "refuse", "close"}

// String returns the verb in lower case.
func (v Verb) String() string { return quote.Name("Verb", v, verbs[:]...) }

// A Step is one action of a client that accesses what a URL designates. Steps are a description: nothing is ever
// fetched.
type Step struct {
	Verb Verb
	// what the client connects to, sends, asks ...; for Send the octets without their line end, for people
	Text    string
	Octets  string // for Send: exactly what goes over the connection
	Section string // the section that prescribes it, as it is cited: "RFC 1738 section 3.2.2"

	// Inferred reports whether the section does not name the command that is sent, so that it is the protocol's.
	Inferred bool
}

// Citation returns the section, and whether the step is inferred from it: "RFC 1738 section 3.7, inferred".
func (s Step) Citation() string {
	if s.Inferred {
		return s.Section + ", inferred"
	}
	return s.Section
}

// String returns the step as one line. Octets that are not printable ASCII are written \xHH.
func (s Step) String() string {
	text := s.Text
	if s.Verb == Send {
		text = ast.Quote(s.Octets)
	}
	return fmt.Sprintf("%-8s%s  [%s]", s.Verb, text, s.Citation())
}

// Access returns the steps of a client that accesses what u designates, as u's text prescribes for its scheme. A client
// stops at a [Refuse], so that is always the last step: octets that would reach the protocol as delimiters
// "violate the protocol but could be used to simulate an extra operation" (RFC 1738 section 6).
//
// There is at least one step. The client sends what the parts decode to: the octets of each [Send] are one line that
// ends in CR LF and has no other CR or LF and no NUL, except in gopher, whose commands may have more lines. URLs that
// are equal ([URL.Equal]) have the same steps and send the same octets, except in http, where escapes are sent as
// written; there the octets decode to the same.
func (u *URL) Access() []Step {
	d := &dialogue{text: u.text}
	if _, ok := u.Specific.(*Other); ok && u.Match == MatchGeneric {
		d.note(Refuse, "the "+u.name+" scheme's own production does not derive this URL, so it has no defined meaning",
			"3", "Specific Schemes")
		return d.steps
	}
	u.Specific.access(u, d)
	return d.steps
}

// AccessVia returns the steps of a client that sends the whole URI to a gateway or proxy, an HTTP server at another
// host and port: "the entire URI, whether HTTP or some other scheme, is passed on the HTTP command line", without its
// fragment (RFC 1630, HTTP). The steps are to connect, to send, and for a URL with a fragment that is not empty to keep
// that. gateway is not checked.
func (u *URL) AccessVia(gateway string) []Step {
	d := &dialogue{text: textOf(bnfcheck.RFC1630.Grammar)}
	d.note(Connect, gateway, "", "HTTP")
	whole := u.Source[u.Scheme.Start():]
	if u.Fragment.Present() {
		whole = u.Source[u.Scheme.Start() : u.Fragment.Start()-len("#")]
	}
	d.line("GET "+whole, "", "HTTP")
	d.retainFragment(u)
	return d.steps
}

// A dialogue collects steps. Its methods take the section of RFC 1738's family and the heading of RFC 1630 that
// prescribe the step.
type dialogue struct {
	text    *text
	steps   []Step
	refused bool
}

// cite returns the section or the heading, whichever d's text has, as it is cited.
func (d *dialogue) cite(section, heading string) string {
	if d.text.roles.family == Family1738 {
		return d.text.cite(section)
	}
	return d.text.cite(heading)
}

// add adds a step, unless the client has stopped at a [Refuse] before.
func (d *dialogue) add(s Step) {
	if !d.refused {
		d.steps = append(d.steps, s)
		d.refused = s.Verb == Refuse
	}
}

// note adds a step that sends nothing.
func (d *dialogue) note(v Verb, text, section, heading string) {
	d.add(Step{Verb: v, Text: text, Section: d.cite(section, heading)})
}

// unsafe adds a [Refuse] for safety: encoded delimiters of a protocol are not to be "unencoded before transmission"
// (RFC 1738 section 6, lines 1113 to 1118). RFC 1630 has no such sentence, so under it that of RFC 1738 is cited.
func (d *dialogue) unsafe(why string) {
	t := d.text
	if t.roles.family == Family1630 {
		t = textNamed("1738")
	}
	d.add(Step{Verb: Refuse, Text: "for safety: " + why, Section: t.cite("6")})
}

// connect adds the step that connects to u's host and port, or a [Refuse] if [URL.PortNumber] has no port.
func (d *dialogue) connect(u *URL, section, heading string) {
	port, ok := u.PortNumber()
	if !ok {
		d.note(Refuse, "no port that can be connected to: "+ast.Quote(u.Port.Raw), section, heading)
		return
	}
	d.note(Connect, quote.Visible(u.Host.Decoded())+":"+strconv.Itoa(port), section, heading)
}

// line adds the step that sends text as one line of a protocol whose lines end in CR LF, or a [Refuse] for text with a
// CR, LF or NUL, which would end the line.
func (d *dialogue) line(text, section, heading string) {
	if i := strings.IndexAny(text, "\r\n\x00"); i >= 0 {
		d.unsafe(fmt.Sprintf("%s holds the octet %02X, which would end the command there", ast.Quote(text), text[i]))
		return
	}
	d.add(d.command(Step{Verb: Send, Text: text, Octets: text + "\r\n", Section: d.cite(section, heading)}))
}

// command returns s with Inferred set: whether its text begins with a command that its section does not name.
func (d *dialogue) command(s Step) Step {
	command, _, _ := strings.Cut(s.Text, " ")
	s.Inferred = !slices.Contains(named[s.Section], command)
	return s
}

// named has the commands that a section names, by its citation.
var named = map[string][]string{
	`RFC 1630 section "FTP, Path"`:        {"CWD", "RETR", "TYPE"},
	`RFC 1630 section "FTP, Data type"`:   {"TYPE"},
	`RFC 1630 section "News"`:             {"ARTICLE"},
	"RFC 1738 section 3.2.1":              {"PASS", "USER"},
	"RFC 1738 section 3.2.2":              {"CWD", "NLST", "RETR", "TYPE"},
	"draft-ietf-uri-url-06 section 3.2.2": {"CWD", "NLST", "RETR", "TYPE"},
}

// octets adds the step that sends exactly these octets; text shows them to people.
func (d *dialogue) octets(text, octets, section, heading string) {
	d.add(Step{Verb: Send, Text: text, Octets: octets, Section: d.cite(section, heading)})
}

// retainFragment adds the step that the client keeps u's fragment to itself, if it has one that is not empty.
func (d *dialogue) retainFragment(u *URL) {
	if u.Fragment.Raw != "" {
		d.note(Choose, "fragment "+ast.Quote(u.Fragment.Raw)+" is kept by the client and applied to the whole object",
			"", "Fragment-id")
	}
}
