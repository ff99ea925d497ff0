package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/urls/claims"
	"github.com/bnfcheck/bnfcheck/internal/urls/explain"
)

// Content is all that the report says.
type Content struct {
	Title string // the heading
	Lead  string // what is reported, in a few sentences

	Grammars    []*Grammar
	History     []diff.Step
	Comparisons []*Comparison
	Today       []*Reference
	Claims      []claims.Claim
	Conform     *conform.Report // nil where nobody asked other parsers
	Expressions []Expression    // of others; ExpressionLead is said before them
	Documents   []*File         // users' grammars

	ExpressionLead string
}

// A Grammar is a published grammar with its proof and its ledger.
type Grammar struct {
	Name  string // "rfc1738"
	Title string // "RFC 1738"

	Proof       *prove.Report
	Productions []*Production // in the order of the text
	Ledger      []*Entry

	notation string // see [expr.Grammar]
}

// A Production is one production with everything there is to say about it: its description, and what is proven of it.
type Production struct {
	*explain.Production
	Grammar *Grammar

	Row    prove.Row
	Faults []prove.Fault

	// AsRead is the production's meaning with the readings that are on, AsPrinted without them. AsPrinted is
	// nil if the two are the same.
	AsRead, AsPrinted *expr.Expr

	Automaton *lang.DFA
	Shortest  []quote.Word // the first words of the language
	Random    []quote.Word // words of several lengths, the same every time

	// Same is the production of an earlier grammar that has this one's text, rule and language; nil if there is none.
	Same *Production

	Ambiguity *prove.Ambiguity // nil where every word has one derivation
	Hidden    []prove.Hidden   // alternatives of its rule that are never taken, or hidden for some strings
}

// An Entry is an entry of a ledger. Effect says what it changes in the strings that are derived; it is nil for an
// entry that decides between derivations of one string.
type Entry struct {
	bnf.Reading
	Effect *diff.Effect
}

// A Comparison compares two grammars, topic by topic.
type Comparison struct {
	ID          string // "rfcs"
	Title       string
	Text        string // what is compared, and why, in a sentence or two
	A, B        string // the titles of the grammars
	Differences []*diff.Difference
}

// A Reference is a grammar without productions for schemes, that of a later text, and how far the others are from it.
type Reference struct {
	Title     string
	Distances []diff.Distance // by grammar, and then by topic
}

// Of returns the distances of one grammar.
func (r *Reference) Of(g *Grammar) []diff.Distance {
	return slices.DeleteFunc(slices.Clone(r.Distances), func(d diff.Distance) bool { return d.Of.Grammar != g.Name })
}

// Within says how many of the topics of an older text are wholly in r, as a phrase without a full stop: "3 of 5
// topics wholly in RFC 3986", or that no topic is, also for an empty list. list has the distances of these topics,
// as [Reference.Of] returns them.
func (r *Reference) Within(list []diff.Distance) string {
	n := 0
	for i := range list {
		if list[i].In() {
			n++
		}
	}
	if n == 0 {
		return "no topic is wholly in " + r.Title
	}
	return fmt.Sprintf("%d of %s wholly in %s", n, layout.Plural(len(list), "topic"), r.Title)
}

// A Family groups the causes of a difference that are of one region and concern the same productions.
type Family struct {
	Goes, Stops string // which side goes on, and which stops
	In, At      string // the way down to the place where either is
	Region      diff.Region
	Causes      []*diff.Cause
}

// Production returns the production with this ID, or nil.
func (g *Grammar) Production(id string) *Production {
	for _, p := range g.Productions {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// Sums counts the productions of g whose language is proven, those that are nodes, the nodes whose trees are proven,
// and the readings of the ledger, without the entry for all of them together.
func (g *Grammar) Sums() (s struct{ Equal, Nodes, Trees, Readings int }) {
	for _, p := range g.Productions {
		if p.Row.Equal {
			s.Equal++
		}
		if p.Row.Node {
			s.Nodes++
		}
		if p.Row.Node && p.Row.Tree == prove.Proven {
			s.Trees++
		}
	}
	for _, e := range g.Ledger {
		if e.ID != diff.AllReadings {
			s.Readings++
		}
	}
	return s
}

// ClaimsOf returns the claims of the text of the grammar with this name; nil if there are none. They are those of c
// itself, not copies.
func (c *Content) ClaimsOf(name string) (list []*claims.Claim) {
	for i := range c.Claims {
		if c.Claims[i].Grammar == name {
			list = append(list, &c.Claims[i])
		}
	}
	return list
}

// A Cell says how one parser and one grammar compare.
type Cell struct {
	conform.Comparison
	Outcome   *conform.Outcome
	OtherHost int // the strings that both accept, and in which they see different hosts
}

// Matrix returns the cells of the conformance results in the order of Conform.Comparisons, which is by parser and
// then by grammar. A comparison whose parser is not listed has no cell. Conform must not be nil.
func (c *Content) Matrix() (cells []Cell) {
	for _, x := range c.Conform.Comparisons {
		for i := range c.Conform.Implementations {
			if o := &c.Conform.Implementations[i]; o.Name == x.Implementation {
				cells = append(cells, Cell{x, o, x.Differing(conform.Host)})
			}
		}
	}
	return cells
}

// title returns the title of a grammar by its name, or the name if the report does not have the grammar.
func (c *Content) title(name string) string {
	for _, g := range c.Grammars {
		if g.Name == name {
			return g.Title
		}
	}
	return name
}

// Agreement says in a sentence on how many strings a parser and a grammar agree, or that the parser decided none.
// It is for a cell without groups; it does not look whether the two differ.
func (c Cell) Agreement() string {
	if c.Compared == 0 {
		return "It decided none of the strings."
	}
	return "They agree on all " + layout.Plural(c.Compared, "string") + " that it decided."
}

// describeGroup returns, as a phrase about the parser, how it and the text differ on a group of strings: which of the
// two rejects them or, for a group of any other kind, which component they see differently. The group itself follows,
// after a colon.
func describeGroup(g conform.Group) string {
	switch g.Kind {
	case conform.AcceptsMore:
		return "accepted, and not by the text: " + g.String()
	case conform.AcceptsLess:
		return "rejected, and accepted by the text: " + g.String()
	}
	return "another " + g.Component + ", the text sees " + g.Ours + " and it sees " + g.Theirs + ": " + g.String()
}

// Pairs returns the pairs of parsers that see different hosts. Conform must not be nil.
func (c *Content) Pairs() []conform.Pair {
	return slices.DeleteFunc(slices.Clone(c.Conform.Pairs), func(p conform.Pair) bool { return p.Different == 0 })
}

// Trees says what is known about p's trees; "-" for a production that is no node of a tree.
func (p *Production) Trees() string {
	if !p.Row.Node {
		return "-"
	}
	return string(p.Row.Tree)
}

// OneLine returns p's printed right-hand side in one line, as [bnf.RightSide] does: without its name, the sign after
// that, and comments. More than 90 bytes are cut to 90, less the blanks at their end, with an ellipsis after them; a
// character of several bytes may be cut.
func (p *Production) OneLine() string {
	const longest = 90
	s := bnf.RightSide(p.Grammar.notation, p.Name, p.Printed)
	if len(s) > longest {
		s = strings.TrimRight(s[:longest], " ") + "\u2026"
	}
	return s
}

// Block returns the printed text of p as it stands, less the indentation that all its lines have.
func (p *Production) Block() string { return layout.Unindent(p.Printed) }

// RuleText returns the rule of p as it stands in its file, with the comment above it.
func (p *Production) RuleText() string {
	var b strings.Builder
	for line := range strings.Lines(p.Rule.Comment) {
		b.WriteString("// " + strings.TrimRight(line, "\n") + "\n")
	}
	return b.String() + layout.Unindent(p.Rule.Source)
}

// families groups the causes of d by their region and the productions that meet in them, in the order of the first
// cause of each family. The causes are those of d itself, not copies. Without causes there are no families.
func families(d *diff.Difference) (list []*Family) {
	type key struct {
		region diff.Region
		a, b   string
	}
	known := map[key]*Family{}
	for i := range d.Causes {
		c := &d.Causes[i]
		k := key{c.Region, c.A.String(), c.B.String()}
		f := known[k]
		if f == nil {
			f = &Family{Goes: sideName(d.A, d.B), Stops: sideName(d.B, d.A), In: k.a, At: k.b, Region: c.Region}
			if c.Region == diff.OnlyB { // c.A is a place in A in any case, and here it is A that stops
				f.Goes, f.Stops, f.In, f.At = f.Stops, f.Goes, f.At, f.In
			}
			known[k] = f
			list = append(list, f)
		}
		f.Causes = append(f.Causes, c)
	}
	return list
}

// sideName returns a short name for p next to the other side: the title of its grammar or, if both have the same
// title, the name of its production.
func sideName(p, other diff.Party) string {
	if p.Title != other.Title {
		return p.Title
	}
	return p.Name
}
