package semantic

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/urls/hostname"
)

// News is a newsgroup, all of them, or an article (RFC 1738 section 3.6; RFC 1630, News). Exactly one of All, Group and
// Article is set.
type News struct {
	All     bool // "*": all available news groups
	Group   Part
	Article Part // a message-id without its "<" and ">"
}

// readNews sets u.Specific to the [News] of the node n, which is kept in u.reader. Under RFC 1630 an "@" tells an
// article also where the BNF derives a group.
func (u *URL) readNews(n ast.Node) {
	// newsurl     = "news:" grouppart       grouppart = "*" | group | article    (RFC 1738 section 5)
	// newsaddress = n e w s : groupart      groupart  = * | group | article      (RFC 1630, URL BNF)
	what := u.span(n.Start()+len("news:"), n.End())
	var news News
	switch {
	case what.Raw == "*":
		news.All = true
	case u.child(u.childNode(n, isGrouppart), isArticle).Present():
		news.Article = what
	case u.Family == Family1630 && strings.Contains(what.Raw, "@"):
		// "A message identifier may be distinguished from a news group name by the presence of the commercial at "@"
		// character." Its BNF has "@" in the names of groups as well, and derives no article whose host begins with a
		// digit.
		news.Article = what
	default:
		news.Group = what
	}
	u.Specific = storeIn(&u.reader.news, news)
}

// Split returns the two halves of a message-id, <unique>@<full_domain_name>, decoded. They meet at the last "@"; ok is
// false if there is none, as in what is no article.
func (n *News) Split() (unique, domain string, ok bool) { return splitAddress(n.Article.Decoded()) }

// fields lists the newsgroup or the message-id and, if that has an "@", its two halves.
func (n *News) fields(u *URL, list *fieldList) {
	if n.All {
		list.value("designates", "all available news groups")
	}
	list.part("newsgroup", n.Group)
	list.part("message-id", n.Article)
	if unique, domain, ok := n.Split(); ok {
		list.value("unique", ast.Quote(unique))
		list.value("full domain name", ast.Quote(domain))
	}
}

// canonical recodes the newsgroup or the message-id. The case of a message-id's domain stays.
func (n *News) canonical(u *URL, e *editor) {
	// A group of RFC 1630 can hold an "@". What follows it would be a host, were it decoded, and all of it an article.
	e.recodePart(n.Group, u.component("news", "newsgroup"), recoding{keep: strings.IndexByte(n.Group.Raw, '@') >= 0})
	if u.Family == Family1630 {
		e.recode(n.Article, u.component("news", "message-id"))
		return
	}
	// article = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host: the characters after the "@" are those of
	// hosts. No text makes message-ids equal that differ in case.
	unique, domain := n.Article.cut('@')
	e.recode(unique, u.component("news", "message-id"))
	e.recodePart(domain, u.component("", "host"), recoding{})
}

// access adds the choice of a server, since the URL names none, and the command that is sent to it.
func (n *News) access(u *URL, d *dialogue) {
	d.note(Choose, "the user's own news host, or news already received: a news URL names none", "3.6", "News")
	switch {
	case n.All:
		d.line("LIST", "3.6", "News")
	case n.Group.Present():
		d.line("GROUP "+n.Group.Decoded(), "3.6", "News")
	default:
		d.line("ARTICLE <"+n.Article.Decoded()+">", "3.6", "News")
	}
}

var newsRules = []Rule{
	{
		ID: "1738/news-group", Schemes: []string{"news", "nntp"}, Severity: Warning,
		Title:       "a newsgroup name is a hierarchy of names between periods",
		Requirement: "A newsgroup name is a period-delimited hierarchical name; none of its components is empty.",
		check:       checkGroup,
	},
	{
		ID: "1630/news-group", Schemes: []string{"news", "nntp"}, Severity: Warning,
		Title: "a newsgroup name as RFC 1036 has it",
		Requirement: "A news URL refers to newsgroup names as in RFC 1036: components of letters, digits, \"+\", " +
			"\"-\" and \"_\" between periods, none empty. The BNF allows more.",
		check: checkGroup,
	},
	{
		ID: "1738/news-message-id", Schemes: []string{"news"}, Severity: Error,
		Title: "a message-id as in RFC 1036, without its angle brackets",
		Requirement: "A message-id corresponds to that of RFC 1036 section 2.1.5 without \"<\" and \">\"; it has " +
			"the form unique@full_domain_name, of printing characters without \"<\", \">\" and a further \"@\".",
		also: twin{"1630/news-message-id", Error,
			"A message identifier conforms to the rules for a Message-Id of RFC 1036: it has the form " +
				"unique@full_domain_name, of printing characters without \"<\", \">\" and a further \"@\"."},
		check: checkMessageID,
	},
	{
		ID: "1738/news-domain", Schemes: []string{"news"}, Severity: Warning,
		Title: "the domain of a message-id is a full domain name",
		Requirement: "A message-id has the form unique@full_domain_name, so that what follows \"@\" is neither an " +
			"address nor a name of a single label.",
		also: twin{"1630/news-domain", Warning,
			"A message identifier conforms to the rules for a Message-Id of RFC 1036, unique@full_domain_name, so " +
				"that what follows \"@\" is neither an address nor a name of a single label. The BNF takes any " +
				"characters."},
		check: checkMessageDomain,
	},
}

// group returns the newsgroup of u, absent if it names none.
func (u *URL) group() Part {
	switch s := u.Specific.(type) {
	case *News:
		return s.Group
	case *NNTP:
		return s.Group
	}
	return Part{}
}

// checkGroup reports the first empty component of the name of a newsgroup, or the first character that such names do
// not have, whichever comes first.
func checkGroup(u *URL, r *report) {
	g := u.group()
	for component := range g.Split('.') {
		if component.Raw == "" {
			at := max(component.Start()-1, g.Start()) - g.Start() // the period before it, or the first byte
			r.at(g.sub(at, at+1), "remove the period: a component of the newsgroup name is empty")
			return
		}
		for at, octet := range component.octets() {
			if !inGroupNames(octet) {
				r.at(at, "remove this character: newsgroup names have letters, digits, \"+\", \"-\" and \"_\"")
				return
			}
		}
	}
}

// inGroupNames reports whether components of newsgroup names have an octet.
func inGroupNames(octet byte) bool {
	return alphanumeric.Has(octet) || strings.IndexByte("+-_", octet) >= 0
}

// messageID returns the message identifier of u, a URL of the scheme news, or an absent part if there is none. If the
// generic production alone derives u, the whole specific part is the identifier if it has an "@", as a newsgroup has
// not.
func (u *URL) messageID() Part {
	if n, ok := u.Specific.(*News); ok {
		return n.Article
	}
	if p := u.specificPart(); u.Match == MatchGeneric && strings.Contains(p.Decoded(), "@") {
		return p
	}
	return Part{}
}

// checkMessageID reports the first character that a message-id does not have or, if there is none, that it is not
// unique@full_domain_name. It reports nothing where u has no message-id.
func checkMessageID(u *URL, r *report) {
	id := u.messageID()
	if !id.Present() {
		return
	}
	text := id.Decoded()
	at := strings.LastIndexByte(text, '@')
	i := 0
	for p, octet := range id.octets() {
		switch {
		case octet == '<' || octet == '>':
			r.at(p, "remove the angle brackets: they are not part of the URL")
			return
		case octet <= ' ' || octet >= 0x7F:
			r.at(p, "remove this: a message-id has printing characters alone")
			return
		case octet == '@' && i < at:
			r.at(p, "write a unique part without \"@\": the domain follows the only one")
			return
		}
		i++
	}
	if at <= 0 || at == len(text)-1 {
		r.at(id, "complete the message-id: it has the form unique@full_domain_name")
	}
}

// checkMessageDomain reports, at the whole message-id, that the text after its "@" is no full domain name. It leaves a
// message-id without a domain, or one that is written with its brackets, to checkMessageID.
func checkMessageDomain(u *URL, r *report) {
	id := u.messageID()
	_, domain, ok := splitAddress(id.Decoded())
	if !ok || domain == "" || domain[len(domain)-1] == '>' { // checkMessageID reports that
		return
	}
	if why := fullDomainName(domain); why != "" {
		r.composed(id, func() string {
			return fmt.Sprintf("write the full domain name of a host after \"@\": %s", why)
		})
	}
}

// fullDomainName returns the reason why s is not the full name of a host in the domain system (RFC 1034 section 3.5,
// RFC 1123 section 2.1), and "" if it is one. An address is none.
func fullDomainName(s string) string {
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if len(label) > maxLabel {
			return "a label has more than 63 octets"
		}
		if why := hostname.OddLabel(label); why != "" {
			return why
		}
	}
	switch last := labels[len(labels)-1]; {
	case len(labels) == 1:
		return "this one has a single label"
	case digits.Has(last[0]):
		return "this is an address, or its last label begins with a digit"
	case domainNameLength(s) > maxDomainName:
		return "this one has more than 255 octets"
	}
	return ""
}
