package diff

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A schemeChange says that the side that goes on also has schemes, of URLs.
type schemeChange struct {
	statement
	words []string // some of the schemes
}

func (schemeChange) feature() Feature { return Scheme }

func (schemeChange) key(e *edit) string { return e.rule.ID }

func (c schemeChange) join(other change) change {
	c.words = joinWords(c.words, other.(schemeChange).words)
	return c
}

func (c schemeChange) judge() func(s string) bool {
	return func(s string) bool { return slices.Contains(c.words, schemeOf(s)) }
}

// decide returns the classes whose strings all have a scheme that the side that stops does not have, and tells the
// first of these schemes.
func (c schemeChange) decide(s *partings, region Region, es edits) ([]bool, *machine, edits) {
	e := es[0]
	of := s.classesOfSchemes(region)
	c.words = s.schemesOnlyHere(region)
	e.change = c
	return of, nil, edits{e}
}

// tell lists the additional schemes.
func (c schemeChange) tell(e *edit, t telling) sentence {
	claim := t.claim(e)
	claim.Text = listSome(c.words, func(s string) string { return "`" + s + ":`" })
	text := " also has the scheme " + claim.Text
	if len(c.words) > 1 {
		some := strings.Replace(claim.Text, " and others", ", ...", 1)
		text = fmt.Sprintf(" also has other schemes (%s)", some)
	}
	return sentence{Claim: claim, text: text}
}

// schemeOnlyHere returns the scheme of the witness if the side that stops has schemes, but no string with this one. ok
// is false otherwise, and also if the two part after the colon, if neither grammar is about URLs, or if the side that
// stops reads any name as a scheme.
func (x *explainer) schemeOnlyHere() (scheme string, ok bool) {
	scheme = schemeOf(x.goes.s)
	first, _ := x.stops.endings(x.stops.state[0])
	if scheme == "" || x.at > len(scheme) || schemeOf(first) == "" || !x.goes.isAboutURLs() && !x.stops.isAboutURLs() {
		return "", false
	}
	for _, spelling := range []string{strings.ToLower(scheme), strings.ToUpper(scheme)} {
		if x.stops.isLive(x.stops.subsetAfter(spelling + ":")) {
			return "", false
		}
	}
	for _, q := range x.stops.before[0] { // a side that reads any scheme has another kind of difference
		for _, span := range x.stops.spansFrom(q) {
			if r := x.stops.ruleUsed(span); r != nil && strings.EqualFold(r.Label(), "scheme") {
				return "", false
			}
		}
	}
	return scheme, true
}

// isAboutURLs reports whether a production is named after URLs, URIs or schemes. In other grammars
// the text before a colon is no scheme.
func (t *tracker) isAboutURLs() bool {
	return slices.ContainsFunc(t.side.Grammar.Rules, func(r *expr.Rule) bool {
		name := strings.ToLower(r.Label())
		return strings.Contains(name, "scheme") || strings.Contains(name, "url") || strings.Contains(name, "uri")
	})
}

// schemeOf returns the text before the first colon of s, if it consists of the characters of schemes; else "".
func schemeOf(s string) string {
	before, _, ok := strings.Cut(s, ":")
	if !ok || strings.ContainsFunc(before, func(r rune) bool {
		return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune("+-.", r))
	}) {
		return ""
	}
	return before
}

// classesOfSchemes returns the classes without a group, by number, whose strings all part inside their scheme, or at
// the colon after it. It judges each pair by the first word that leads there.
func (s *partings) classesOfSchemes(region Region) []bool {
	goes, _ := s.walk.sidesOf(region)
	of := make([]bool, len(s.list))
	for i := range of {
		of[i] = s.isFree(int32(i), region)
	}
	var colonMust []bool // see colonFollows; nil as long as no class has needed it
	for pair := range s.walk.pairs {
		on, _ := s.subsetsOf(region, pair)
		before := s.walk.firstWord(&s.walk.pairs[pair])
		for c := 0; c < s.columns; c++ {
			class := s.class[pair*s.columns+c]
			if class < 0 || !of[class] {
				continue
			}
			if c == s.columns-1 || strings.Contains(before, ":") || before != "" && schemeOf(before+":") == "" {
				of[class] = false
				continue
			}
			if colonMust == nil {
				colonMust = colonFollows(goes.dfa, s.walk.explainBudget.Step)
			}
			for _, x := range s.walk.classes[c].bytes.Members() {
				of[class] = of[class] && schemeOrColon.Has(x) && (x == ':' || colonMust[goes.state[goes.step(on, x)]])
			}
		}
	}
	return of
}

// schemeOrColon has the characters of schemes, and the colon.
var schemeOrColon = expr.Range('a', 'z').Union(expr.Range('A', 'Z')).Union(expr.Range('0', '9')).
	Union(expr.Bytes("+-.:"))

// colonFollows reports, by state of a, whether a colon must follow, after nothing but characters of schemes. For the
// dead state, after which there is no string, it is true. It calls step for what each state costs.
func colonFollows(a *lang.DFA, step func(n int)) []bool {
	// A state is first taken for one, and then found not to be. Those from which it is reached without a colon follow.
	follows := make([]bool, a.States())
	before := make([][]int, a.States()) // by state: those that lead to it otherwise than by a colon
	var todo []int                      // found not to be, but those before them not yet
	for q := range follows {
		step(8)
		follows[q] = !a.Accepts(q)
		for _, e := range a.Edges(q) {
			follows[q] = follows[q] && e.Set.Minus(schemeOrColon).IsEmpty()
			if e.Set != expr.Bytes(":") {
				before[e.To] = append(before[e.To], q)
			}
		}
		if !follows[q] {
			todo = append(todo, q)
		}
	}
	for len(todo) > 0 {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range before[q] {
			if follows[p] {
				follows[p] = false
				todo = append(todo, p)
			}
		}
	}
	return follows
}

// schemesOnlyHere returns the first schemes, in lower case, that only the side that goes on has, at most maxSchemes.
// It may miss some: of beginnings that differ in case alone it follows one, and it stops looking when some 4,000 wait
// to be continued.
func (s *partings) schemesOnlyHere(region Region) (names []string) {
	goes, stops := s.walk.sidesOf(region)
	type begin struct {
		on, off int
		word    string
	}
	seen := map[string]bool{}
	for todo := []begin{{}}; len(todo) > 0 && len(todo) < 1<<12 && len(names) < maxSchemes; todo = todo[1:] {
		n := todo[0]
		s.walk.explainBudget.Step(64)
		for _, x := range lang.InOrder(expr.Range(0, utf8.RuneSelf-1)) {
			next := begin{goes.dfa.Next(n.on, x), stops.dfa.Next(n.off, x), n.word + strings.ToLower(string([]byte{x}))}
			switch {
			case !goes.dfa.Live(next.on):
			case x == ':':
				if n.word != "" && !stops.dfa.Live(next.off) && len(names) < maxSchemes {
					names = append(names, n.word)
				}
			case schemeOf(string([]byte{x})+":") != "" && !seen[next.word]:
				seen[next.word] = true
				todo = append(todo, next)
			}
		}
	}
	return names
}

// maxSchemes caps the schemes that one sentence has to choose from.
const maxSchemes = 5
