package editor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The language of a production is told from its minimal automaton: the shortest strings, the lengths of strings, the
// bytes that they begin with. A production that nests has no automaton; the rest follows from its form.

// hoverFraction divides the budget of a command, to give that of a hover.
const hoverFraction = 64

// aboutLanguage returns sentences, in Markdown, about the language of a production, or one on why it is not known: it
// was refused, needs a name that is not defined, nests, or has an automaton that is too large. It returns nil for any
// other failure. The document of the call must have a grammar.
func (c *call) aboutLanguage(rule *expr.Rule) []string {
	r := c.snapshot.reading()
	g := c.grammar(hoverFraction)
	a, err := automatonOf(g, rule)
	switch {
	case err == nil:
		return []string{describeLanguage(g, a)}
	case rule.Refused != nil:
		return []string{"Its language is not computed: " + escapeProse(rule.Refused.Message) + "."}
	case len(bnf.Missing(g, rule.ID)) > 0 && !g.Ordered: // a rule of a PEG that needs a missing one is refused
		for _, m := range bnf.Missing(g, rule.ID) {
			if r.lost[r.outline.Key(m.Name)] {
				return []string{"It needs " + escapeProse(m.Name) + ", whose production cannot be read."}
			}
		}
		return []string{"It needs " + missingNames(g, rule) + ", which no production defines."}
	case r.opened.Nests(rule.ID) != "":
		return []string{describeNested(g, rule)}
	case errors.Is(err, budget.ErrTooLarge):
		return []string{"Its automaton is too large to be looked at here."}
	}
	return nil
}

// missingNames lists, in Markdown, the first five names that a production needs and that no production defines, and
// says how many more there are.
func missingNames(g *expr.Grammar, rule *expr.Rule) string {
	var names []string
	for _, m := range bnf.Missing(g, rule.ID) {
		names = append(names, escapeProse(m.Name))
	}
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// automatonOf returns the minimal automaton of a production, or of a rule of a PEG. It fails if there is none, because
// it nests, was refused, or needs a name without a production, and with a *budget.Exceeded if a limit is passed.
func automatonOf(g *expr.Grammar, rule *expr.Rule) (a *lang.DFA, err error) {
	defer budget.Catch(&err)
	if g.Ordered {
		return lang.FromPEG(g, rule.ID)
	}
	if len(bnf.Missing(g, rule.ID)) > 0 {
		return nil, errors.New("names without a production")
	}
	return lang.FromBNF(g, rule.ID)
}

// shown caps the strings that are shown.
const shown = 3

// describeLanguage returns sentences, in Markdown, about the language of an automaton: the lengths of its words, their
// number, first bytes, and up to shown of the shortest ones, which have at most two bytes more than the shortest. If
// there are no words, or only the empty one, it says that alone.
func describeLanguage(g *expr.Grammar, a *lang.DFA) string {
	word, ok := a.Shortest()
	if !ok {
		return "**Accepts nothing.**"
	}
	var b strings.Builder
	longest, finite := longestOf(a)
	switch {
	case finite && longest == 0:
		return "Accepts the empty string alone."
	case !finite && word == "":
		b.WriteString("Accepts the empty string, and longer ones without limit")
	case finite && longest == len(word):
		fmt.Fprintf(&b, "Accepts strings of %s", bytesOf(longest))
	case finite:
		fmt.Fprintf(&b, "Accepts strings of %d to %s", len(word), bytesOf(longest))
	default:
		fmt.Fprintf(&b, "Accepts strings of %s and more, without limit", bytesOf(len(word)))
	}
	if count := countOf(a, longest, finite); count != "" {
		fmt.Fprintf(&b, ", %s in all", count)
	}
	b.WriteString(".")
	if first := a.Viable(0); first != (expr.Set{}) {
		fmt.Fprintf(&b, " The first byte is %s.", codeSpan(lint.Text(g, expr.In(first))))
	}
	var words []string
	limit := len(word) + 2
	if finite { // no word is longer
		limit = min(limit, longest)
	}
	for w := range a.Enumerate(limit) {
		words = append(words, codeSpan(quote.Bounded(g.Quote(w))))
		if len(words) == shown {
			break
		}
	}
	fmt.Fprintf(&b, " Shortest: %s.", strings.Join(words, ", "))
	return b.String()
}

// codeSpan returns a text as inline code of Markdown. The text must not be empty, and must not begin and end with a
// blank: Markdown would take one from each end, as it does with the two that keep backquotes apart from the fence.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// bytesOf returns "1 byte" or "3 bytes".
func bytesOf(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// longestOf returns the length of the longest word. finite is false, and longest 0, if words are of any length. The
// automaton must be minimal, and its language not empty.
func longestOf(a *lang.DFA) (longest int, finite bool) {
	// The search is depth first, without recursion, since a chain of states may be long. A state that is met while it
	// is open is on a cycle. The dead state is never met, since no edge leads to it.
	const open, done = 1, 2
	state := make([]byte, a.States())
	most := make([]int, a.States())
	type frame struct{ q, edge int }
	edges := make([][]lang.Edge, a.States())
	edges[0] = a.Edges(0)
	stack := []frame{{0, 0}}
	state[0] = open
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.edge == len(edges[top.q]) {
			state[top.q] = done
			q := top.q
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				p := stack[len(stack)-1].q
				most[p] = max(most[p], most[q]+1)
			}
			continue
		}
		to := int(edges[top.q][top.edge].To)
		top.edge++
		switch state[to] {
		case open:
			return 0, false
		case done:
			most[top.q] = max(most[top.q], most[to]+1)
		default:
			state[to] = open
			edges[to] = a.Edges(to)
			stack = append(stack, frame{to, 0})
		}
	}
	return most[0], true
}

// countOf returns the number of words, given what longestOf returns. It returns "" if they are not finitely many,
// cost too much to count, or are a number of more than 15 digits.
func countOf(a *lang.DFA, longest int, finite bool) string {
	const most = 1 << 16
	if !finite || (longest+1)*a.States() > most {
		return ""
	}
	total := a.Counts(longest)
	sum := total[0]
	for _, n := range total[1:] {
		sum = sum.Add(sum, n)
	}
	const digits = 15
	if text := sum.String(); len(text) <= digits {
		return text
	}
	return ""
}

// describeNested returns sentences, in Markdown, on what follows from the form of a production that nests or uses
// one that does; of one that derives nothing, that alone. Of a PEG it says only that there is no automaton. If a limit
// is passed it says what was found by then.
func describeNested(g *expr.Grammar, rule *expr.Rule) (text string) {
	var err error // unused: text keeps what was found before the limit
	defer budget.Catch(&err)
	text = "It uses productions that nest, so that no automaton accepts what it derives."
	if g.Nesting().Nests(rule.ID) {
		text = "It nests, so that no automaton accepts what it derives."
	}
	if g.Ordered {
		return text
	}
	facts := expr.Analyze(g.Rules)
	if !facts.Derives(rule.Expr) {
		return "**Accepts nothing.**"
	}
	if first := facts.First(g.Rules).Of(rule.Expr); first != (expr.Set{}) {
		unless := ""
		if facts.Nullable(rule.Expr) {
			unless = ", if it is not empty"
		}
		text += fmt.Sprintf(" The first byte is %s%s.", codeSpan(lint.Text(g, expr.In(first))), unless)
	}
	const longest = 200
	short := g.ShortWords(longest, func(members []byte) byte { return members[0] }, func(string) { g.Budget.Step(1) })
	if w, ok := short.Words[rule.ID]; ok {
		text += fmt.Sprintf(" A short string: %s.", codeSpan(quote.Bounded(g.Quote(w))))
	}
	return text
}
