package semantic

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// News is a newsgroup, all of them, or an article (RFC 1738 section 3.6; RFC 1630, News). Exactly one of All, Group and
// Article is there.
type News struct {
	All     bool // "*": all available news groups
	Group   Part
	Article Part // a message-id without its "<" and ">"
}

func (u *URL) readNews(n ast.Node) {
	// newsurl     = "news:" grouppart       grouppart = "*" | group | article    (RFC 1738 section 5)
	// newsaddress = n e w s : groupart      groupart  = * | group | article      (RFC 1630, URL BNF)
	what := u.span(n.Start()+len("news:"), n.End())
	news := fresh(&u.reader.news)
	switch {
	case what.Raw == "*":
		news.All = true
	case u.child(u.childNode(n, isGrouppart), isArticle).Present():
		news.Article = what
	default:
		news.Group = what
	}
	u.Specific = news
}

// Split gives the two halves of a message-id, <unique>@<full_domain_name>, decoded.
func (n *News) Split() (unique, domain string, ok bool) { return splitAddress(n.Article.Decoded()) }

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

func (n *News) canonical(u *URL, e *editor) {
	e.recode(n.Group, u.component("news", "newsgroup"))
	e.recode(n.Article, u.component("news", "message-id"))
}

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
		ID: "1738/news-group", RFC: RFC1738, Section: "3.6", Line: 689, Schemes: []string{"news", "nntp"}, Severity: Warning,
		Title:       "a newsgroup name is a hierarchy of names between periods",
		Requirement: "A newsgroup name is a period-delimited hierarchical name; none of its components is empty.",
		check:       checkGroup,
	},
	{
		ID: "1630/news-group", RFC: RFC1630, Section: "News", Line: 911, Schemes: []string{"news", "nntp"}, Severity: Warning,
		Title:       "a newsgroup name as RFC 1036 has it",
		Requirement: "A news URL refers to newsgroup names as in RFC 1036: components of letters, digits, \"+\", \"-\" and \"_\" between periods, none empty. The BNF allows more.",
		check:       checkGroup,
	},
	{
		ID: "1738/news-message-id", RFC: RFC1738, Section: "3.6", Line: 690, Schemes: []string{"news"}, Severity: Error,
		Title:       "a message-id as in RFC 1036, without its angle brackets",
		Requirement: "A message-id corresponds to that of RFC 1036 section 2.1.5 without \"<\" and \">\"; it has the form unique@full_domain_name, and holds no white space.",
		check:       checkMessageID,
	},
	{
		ID: "1630/news-message-id", RFC: RFC1630, Section: "News", Line: 911, Schemes: []string{"news", "mid"}, Severity: Error,
		Title:       "a message-id as in RFC 1036, without its angle brackets",
		Requirement: "A message identifier conforms to the rules for a Message-Id of RFC 1036; after \"mid:\" it is the msg-id of RFC 822 with its constant wrapper removed.",
		check:       checkMessageID,
	},
	{
		ID: "1738/news-domain", RFC: RFC1738, Section: "3.6", Line: 692, Schemes: []string{"news"}, Severity: Warning,
		Title:       "the domain of a message-id is a full domain name",
		Requirement: "A message-id has the form unique@full_domain_name.",
		check: func(u *URL, r *report) {
			if n, ok := u.Specific.(*News); ok && n.Article.Present() {
				if _, domain, _ := n.Split(); !strings.Contains(domain, ".") {
					r.at(n.Article, "complete the domain name after \"@\": it has a single label")
				}
			}
		},
	},
}

func (u *URL) group() Part {
	switch s := u.Specific.(type) {
	case *News:
		return s.Group
	case *NNTP:
		return s.Group
	}
	return Part{}
}

func checkGroup(u *URL, r *report) {
	g := u.group()
	for component := range g.Split('.') {
		if component.Raw == "" {
			r.at(g, "remove the period: a component of the newsgroup name is empty")
			return
		}
		for i := range len(component.Raw) {
			if b := component.Raw[i]; !alphanumeric.Has(b) && strings.IndexByte("+-_", b) < 0 {
				r.at(component.sub(i, i+1), "remove this character: newsgroup names have letters, digits, \"+\", \"-\" and \"_\"")
				return
			}
		}
	}
}

func checkMessageID(u *URL, r *report) {
	var id Part
	switch s := u.Specific.(type) {
	case *News:
		id = s.Article
	case *MessageID:
		id = s.Address
	default:
		if u.Match == GenericOnly && strings.Contains(decode(u.specificPart().Raw), "@") {
			id = u.specificPart()
		}
	}
	if !id.Present() {
		return
	}
	text := id.Decoded()
	unique, domain, _ := splitAddress(text)
	switch {
	case strings.HasPrefix(text, "<") || strings.HasSuffix(text, ">"):
		r.at(id, "remove the angle brackets: they are not part of the URL")
	case strings.ContainsAny(text, " \t\r\n<>"):
		r.at(id, "remove white space and angle brackets: a message-id has none")
	case unique == "" || domain == "":
		r.at(id, "complete the message-id: it has the form unique@full_domain_name")
	}
}
