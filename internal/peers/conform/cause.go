package conform

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Cause is something that groups of several parsers, grammars or productions share: the kind of
// disagreement together with the bytes at which they differ, or a production inside which a parser accepts
// nearly everything.
type Cause struct {
	What            string     `json:"what"`
	Groups          []int      `json:"groups"` // their Group.Number
	Implementations []string   `json:"implementations"`
	Productions     []string   `json:"productions"`
	Count           int        `json:"count"`           // of inputs, once for each parser and grammar
	Asked           int        `json:"asked,omitempty"` // of the inputs that go wrong in the production
	Shortest        quote.Word `json:"shortest"`
	Repeat          string     `json:"repeat,omitempty"` // the line of the group with Shortest

	by string // the implementation that was asked about Shortest
}

// joinCauses returns the causes that at least two groups share, those of most groups first. The cause of a group is
// its loose production if it has one, and otherwise its symptom. The groups must have their numbers; they are not
// changed.
func (r *Report) joinCauses() (list []Cause) {
	var at expr.Numbering[string]
	add := func(to *[]string, s string) {
		if !slices.Contains(*to, s) {
			*to = append(*to, s)
		}
	}
	for _, c := range r.Comparisons {
		loose := map[string]bool{}
		for _, g := range c.Groups {
			what, count, asked := g.symptom(), g.Count, 0
			if g.loose != nil {
				what, count = "takes what goes wrong in "+g.loose.production, 0
				// The production's counts stand for those of all its groups, so they are added once. Strings of
				// these groups may go wrong elsewhere as well, so that their own counts would be too large.
				if !loose[what] {
					loose[what] = true
					count, asked = g.loose.taken, g.loose.asked
				}
			}
			i, fresh := at.Of(what)
			if fresh {
				list = append(list, Cause{What: what, Shortest: g.Shortest, by: c.Implementation})
			}
			x := &list[i]
			x.Groups = append(x.Groups, g.Number)
			x.Count += count
			x.Asked += asked
			add(&x.Implementations, c.Implementation)
			add(&x.Productions, g.Production)
			if len(g.Shortest) < len(x.Shortest) {
				x.Shortest, x.by = g.Shortest, c.Implementation
			}
		}
	}
	list = slices.DeleteFunc(list, func(c Cause) bool { return len(c.Groups) < 2 })
	slices.SortStableFunc(list, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(len(b.Groups), len(a.Groups)), cmp.Compare(b.Count, a.Count))
	})
	return list
}

// symptom describes the disagreement so that groups of one cause get the same text.
func (g Group) symptom() string {
	at := g.At // not g.Bytes: other parsers may not have been asked about all of them
	switch {
	case g.Kind == AcceptsMore:
		return "takes " + at
	case g.Kind == AcceptsLess && at == "":
		return "refuses a string in which it stands"
	case g.Kind == AcceptsLess && at == g.Term:
		return "refuses the " + at
	case g.Kind == AcceptsLess:
		return "refuses " + at + " as " + g.Term
	case at != "" && g.How != elsewhere && g.How != rewritten:
		return "another " + g.Component + ": " + g.How + ": at " + at
	}
	return "another " + g.Component + ": " + g.How
}

// Repeat sets, in each group and each cause, the line that repeats the disagreement: what line returns for
// the implementation and the shortest input. line may return "" for a parser that it does not know.
func (r *Report) Repeat(line func(implementation, input string) string) {
	for _, c := range r.Comparisons {
		for i := range c.Groups {
			c.Groups[i].Repeat = line(c.Implementation, string(c.Groups[i].Shortest))
		}
	}
	for i, c := range r.Causes {
		r.Causes[i].Repeat = line(c.by, string(c.Shortest))
	}
}

// writeCauses writes the causes, at most p.most, each with its shortest string and the numbers of its first groups.
// It writes nothing if there are none.
func (p *printer) writeCauses(list []Cause) {
	if len(list) == 0 {
		return
	}
	p.printf("\nof one cause in several places, %d\n", len(list))
	n := p.countShown(len(list))
	for _, c := range list[:n] {
		var numbers []string
		for _, g := range c.Groups {
			numbers = append(numbers, fmt.Sprintf("#%d", g))
		}
		count := layout.Plural(c.Count, "string")
		if c.Asked > 0 {
			count = fmt.Sprintf("%d of %s", c.Count, layout.Plural(c.Asked, "string"))
		}
		p.printf("  %s: %s in %d groups, %s\n", c.What, count, len(c.Groups), layout.Some(numbers, 6, " "))
		p.printf("                %s  in %s", inQuotes(string(c.Shortest)), layout.Some(c.Productions, 6, ", "))
		if len(c.Implementations) > 1 {
			p.printf("; by %s", layout.Some(c.Implementations, 6, ", "))
		}
		if c.Repeat != "" {
			p.printf("\n                %s%s", layout.Whole, c.Repeat)
		}
		p.printf("\n")
	}
	p.writeRest(n, len(list), "causes")
}
