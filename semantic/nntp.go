package semantic

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// NNTP is an article by its number in a newsgroup (RFC 1738 section 3.7, on the server that the URL names; RFC 1630,
// NNTP, on the reader's own).
type NNTP struct {
	Group   Part
	Article Part // its number; absent where RFC 1738's BNF leaves it out
}

// readNNTP sets u.Specific to an [NNTP] and, under RFC 1738, u's host and port.
func (u *URL) readNNTP(n ast.Node) {
	// nntpurl     = "nntp://" hostport "/" group [ "/" digits ]      (RFC 1738 section 5)
	// nntpaddress = n n t p : group / digits                         (RFC 1630, URL BNF)
	if u.Family == Family1738 {
		u.readLoginOrHostport(n)
	}
	u.Specific = storeIn(&u.reader.nntp, NNTP{u.child(n, isGroup), u.child(n, isDigits)})
}

func (n *NNTP) fields(u *URL, list *fieldList) {
	list.part("newsgroup", n.Group)
	list.part("article number", n.Article)
}

func (n *NNTP) canonical(u *URL, e *editor) {
	e.recode(n.Group, u.component("nntp", "newsgroup"))
	e.number(n.Article)
}

// access adds the step that connects or, under RFC 1630, the choice of a server, and then the commands GROUP and, if
// there is an article, ARTICLE.
func (n *NNTP) access(u *URL, d *dialogue) {
	if u.Family == Family1738 {
		d.connect(u, "3.7", "NNTP")
	} else {
		d.note(Choose, "the local news server: the URL names none, though article numbers differ from server to server",
			"3.7", "NNTP")
	}
	d.line("GROUP "+n.Group.Decoded(), "3.7", "NNTP")
	if n.Article.Present() {
		d.line("ARTICLE "+withoutZeros(n.Article.Raw), "3.7", "NNTP")
	}
}

var nntpRules = []Rule{
	{
		ID: "1738/nntp-article-missing", Schemes: []string{"nntp"}, Severity: Warning,
		Title: "prose and BNF part on an nntp URL without an article",
		Requirement: "The text gives one form of nntp URL, and it has an article number; only the BNF makes the " +
			"number optional.",
		check: on(func(u *URL, n *NNTP, r *report) {
			if !n.Article.Present() {
				r.at(u.span(n.Group.End(), n.Group.End()),
					"append \"/\" and the number of an article, or write news: for the group itself")
			}
		}),
	},
	{
		ID: "1738/nntp-article-number", Schemes: []string{"nntp"}, Severity: Warning,
		Title: "an article number is at least 1",
		Requirement: "The article number is the numeric id of the article in its newsgroup; NNTP (RFC 977) counts " +
			"from 1.",
		also: twin{"1630/nntp-article-number", Warning,
			"The index number of an article in its newsgroup is given; NNTP (RFC 977) counts from 1."},
		check: on(checkArticleNumber),
	},
	{
		ID: "1738/nntp-local", Schemes: []string{"nntp"}, Severity: Note,
		Title: "an nntp URL is not globally accessible",
		Requirement: "Most NNTP servers allow access from local clients only; the news form is preferred as a way " +
			"of identifying articles.",
		check: on(checkNNTPLocal),
	},
	{
		ID: "1630/nntp-local", Schemes: []string{"nntp"}, Severity: Warning,
		Title: "an nntp URL should not be quoted outside its local area",
		Requirement: "This form should not be quoted outside the local area, nor used in articles for wider " +
			"circulation than the one server. Where a server can retrieve by message-id, the news scheme should " +
			"be used.",
		check: on(checkNNTPLocal),
	},
	{
		ID: "1630/nntp-no-server", Schemes: []string{"nntp"}, Severity: Note,
		Title:       "prose and BNF part on the server of an nntp URL",
		Requirement: "The text says that the name of the news server is given; the BNF has no place for it.",
		check: on(func(u *URL, n *NNTP, r *report) {
			r.at(n.Group, "say elsewhere which server this is: the BNF leaves no place for its name")
		}),
	},
}

// checkArticleNumber reports an article of the number 0.
func checkArticleNumber(u *URL, n *NNTP, r *report) {
	if n.Article.Present() && strings.Trim(n.Article.Raw, "0") == "" {
		r.composed(n.Article, func() string {
			return fmt.Sprintf("no article has the number %s: count from 1", ast.Quote(n.Article.Raw))
		})
	}
}

func checkNNTPLocal(u *URL, n *NNTP, r *report) {
	r.at(u.Scheme, "where the message-id is known, write news: and the message-id")
}
