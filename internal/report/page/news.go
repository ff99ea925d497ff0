package page

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
)

// A Surprise is a string about which the texts disagree, and why that matters. What each grammar makes of it is
// computed.
type Surprise struct {
	URL  string
	Says string

	comparison, topic, where string // the group of a difference that it belongs to, by its production
}

// Surprises are the first things that a reader of the report sees.
var Surprises = []Surprise{
	{"ftp://a?@b/", "RFC 1738 has a user name “a?” at the host b. RFC 3986 has the host a, and a query.", "rfcs",
		"ftp", "user"},
	{"http://a/~b", "The tilde of every home page was never legal under RFC 1738. The draft allowed it until last " +
		"call, and RFC 3986 does again.", "last-call", "http", "hsegment"},
	{"HTTP://a/", "The prose of RFC 1738 asks for programs that take upper case for lower case. " +
		"Its grammar rejects it.", "rfcs", "generic", "scheme"},
	{`mailto:"@a`, "A quotation mark alone is a mailbox in RFC 1630, and in no later text.", "rfcs", "mailto", "extra"},
	{"ftp://a./", "A period may end a host name in RFC 1630, and in the draft. RFC 1738 forbids it, and " +
		"RFC 3986 allows it again.", "rfcs", "ftp", "hostname"},
}

// A Judged is a surprise and each grammar's verdict on it.
type Judged struct {
	Surprise
	Link     string // the anchor of its group, or of its topic; "" for none
	Verdicts []Judgment
}

// A Judgment is the verdict of a grammar on a string.
type Judgment struct {
	Title, Verdict, Production string
	Good                       bool
}

// News returns the surprises with links into the differences of c, and the verdicts of all built-in grammars, also of
// those that c lacks. There are none in a report without published grammars.
func (c *Content) News() (list []Judged) {
	if len(c.Grammars) == 0 {
		return nil
	}
	for _, s := range Surprises {
		j := Judged{Surprise: s, Link: c.anchorOf(s)}
		for _, g := range bnfcheck.Grammars() { // not those of c, which may lack some
			v := g.Check(s.URL)
			production, good := g.Production(v.Production).Name, v.Value == bnfcheck.Conforming
			j.Verdicts = append(j.Verdicts, Judgment{g.Title, v.Value.String(), production, good})
		}
		list = append(list, j)
	}
	return list
}

// anchorOf returns the anchor of the group that a surprise is in. If the difference has no such group it is the
// anchor of its topic, and "" if there is no such difference.
func (c *Content) anchorOf(s Surprise) string {
	for _, x := range c.Comparisons {
		for _, d := range x.Differences {
			if x.ID != s.comparison || d.Topic != s.topic {
				continue
			}
			if i := slices.IndexFunc(d.Groups, func(g diff.Group) bool { return g.Where == s.where }); i >= 0 {
				return groupAnchor(x, d, i)
			}
			return anchor(x.ID, d.Topic)
		}
	}
	return ""
}

// groupAnchor returns the anchor of group i of a difference.
func groupAnchor(x *Comparison, d *diff.Difference, i int) string {
	return anchor(x.ID, d.Topic, fmt.Sprint(i+1))
}

// Summary says in a sentence how many productions of c.Grammars are proven, and how many faults there are, of any
// kind. If all are proven without a fault, it says that there is none in any tree. Of no grammars it says that all 0
// are proven.
func (c *Content) Summary() string {
	var equal, productions, faults int
	var titles []string
	for _, g := range c.Grammars {
		s := g.Sums()
		equal += s.Equal
		productions += len(g.Productions)
		faults += len(g.Proof.Faults)
		titles = append(titles, g.Title)
	}
	if equal == productions && faults == 0 {
		return fmt.Sprintf("Proven: all %d productions of %s are matched exactly as their BNF derives them, "+
			"with no fault in any tree.", productions, layout.List(titles, "and"))
	}
	return fmt.Sprintf("%d of %d productions of %s are proven to be matched as their BNF "+
		"derives them, with %s.", equal, productions, layout.List(titles, "and"), layout.Plural(faults, "fault"))
}

// The title and the lead of the report on the published grammars.
const (
	usualTitle = "What the URL grammars accept, exactly"
	usualLead  = "RFC 3986 defines today what a URI is. How much of the two RFCs of 1994 does it still " +
		"accept, what do parsers and published expressions make of it, and where do RFC 1630 and RFC 1738 " +
		"disagree? Computed and not sampled, with the shortest example and the printed lines that it rests on."
)
