package conform

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/report/layout"
	"github.com/bnfcheck/bnfcheck/internal/report/quote"
)

// A Cause is what groups of several parsers, grammars or productions have in common: the kind of disagreement, and the bytes at
// which they part.
type Cause struct {
	What            string     `json:"what"`
	Groups          []int      `json:"groups"` // their numbers
	Implementations []string   `json:"implementations"`
	Productions     []string   `json:"productions"`
	Count           int        `json:"count"` // of inputs, once for each parser and grammar
	Shortest        quote.Word `json:"shortest"`
}

// causes joins groups that have one cause, those of most groups first. A cause of a single group is that group.
func (r *Report) causes() (list []Cause) {
	at := map[string]int{}
	add := func(to *[]string, s string) {
		if !slices.Contains(*to, s) {
			*to = append(*to, s)
		}
	}
	for _, c := range r.Comparisons {
		for _, g := range c.Groups {
			what := g.what()
			i, ok := at[what]
			if !ok {
				i = len(list)
				at[what] = i
				list = append(list, Cause{What: what, Shortest: g.Shortest})
			}
			x := &list[i]
			x.Groups = append(x.Groups, g.Number)
			x.Count += g.Count
			add(&x.Implementations, c.Implementation)
			add(&x.Productions, g.Production)
			if len(g.Shortest) < len(x.Shortest) {
				x.Shortest = g.Shortest
			}
		}
	}
	list = slices.DeleteFunc(list, func(c Cause) bool { return len(c.Groups) < 2 })
	slices.SortStableFunc(list, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(len(b.Groups), len(a.Groups)), cmp.Compare(b.Count, a.Count))
	})
	return list
}

// what returns what a group has in common with others of its cause.
func (g Group) what() string {
	at := cmp.Or(g.Bytes, g.At)
	switch {
	case g.Kind == AcceptsMore:
		return "takes " + at
	case g.Kind == AcceptsLess && at == g.Term:
		return "refuses the " + at
	case g.Kind == AcceptsLess:
		return "refuses " + at + " as " + g.Term
	case at != "":
		return "another " + g.Component + ": " + g.How + ": at " + at
	}
	return "another " + g.Component + ": " + g.How
}

// Repeat sets the line that repeats each group, in the language of its parser. The function returns "" for a parser that it does not
// know.
func (r *Report) Repeat(line func(implementation, input string) string) {
	for _, c := range r.Comparisons {
		for i := range c.Groups {
			c.Groups[i].Repeat = line(c.Implementation, string(c.Groups[i].Shortest))
		}
	}
}

func (p *printer) causes(list []Cause) {
	if len(list) == 0 {
		return
	}
	p.printf("\nof one cause in several places, %d\n", len(list))
	n := p.shown(len(list))
	for _, c := range list[:n] {
		var numbers []string
		for _, g := range c.Groups {
			numbers = append(numbers, fmt.Sprintf("#%d", g))
		}
		p.printf("  %s: %s in %d groups, %s\n", c.What, layout.Plural(c.Count, "string"), len(c.Groups), some(numbers, " "))
		p.printf("                %s  in %s", inQuotes(string(c.Shortest)), some(c.Productions, ", "))
		if len(c.Implementations) > 1 {
			p.printf("; by %s", some(c.Implementations, ", "))
		}
		p.printf("\n")
	}
	p.rest(n, len(list), "causes")
}

// some joins the first of a list.
func some(list []string, between string) string {
	const most = 6
	if len(list) <= most {
		return strings.Join(list, between)
	}
	return strings.Join(list[:most], between) + fmt.Sprintf(" and %d more", len(list)-most)
}
