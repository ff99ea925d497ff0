package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A comment can say what a production accepts:
//
//	; bnfcheck:accepts "a.b" "a"
//	; bnfcheck:rejects "a..b"
//
// It is about the production of its line or, in a line of its own, about the next one, as a comment that ignores
// findings is. Strings are written as in Go: "\r\n", "\x00", "\u00e9".

// An Example is a string that a comment says a production accepts or rejects.
type Example struct {
	Pos     expr.Pos   // of the string
	Rule    *expr.Rule // nil if there is none, which Wrong says then
	Accepts bool
	Word    string
	Wrong   string // the mistake in the comment, or that it is about no production; "" for none
}

// Examples lists the examples in the text of a grammar, in their order. A production from another file has none.
func Examples(g *expr.Grammar, text []byte) []Example {
	l := newLinter(g, Options{Text: text})
	return l.examples()
}

// examples lists the examples of the text, and then those of the files that it includes. A comment with a mistake,
// such as one without strings, adds an Example with Wrong set, after those before the mistake; its Word means nothing.
// In one that is about no production, all have Wrong.
func (l *linter) examples() (list []Example) {
	for _, d := range l.directives() {
		if d.verb != "accepts" && d.verb != "rejects" {
			continue
		}
		e := Example{Rule: d.rule, Accepts: d.verb == "accepts", Wrong: d.missing}
		rest, at := d.rest, d.at.Col // the strings that are not read yet, and the column where they begin
		found := 0
		for {
			blanks := len(rest) - len(strings.TrimLeft(rest, " \t,"))
			rest, at = rest[blanks:], at+blanks
			e.Pos = expr.Pos{File: d.at.File, Line: d.at.Line, Col: at}
			if rest == "" {
				break
			}
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil || quoted[0] != '"' {
				e.Wrong = "expected a string in double quotes, as in Go"
				list = append(list, e)
				found++
				break
			}
			e.Word, _ = strconv.Unquote(quoted)
			list = append(list, e)
			found++
			rest, at = rest[len(quoted):], at+len(quoted)
		}
		if found == 0 {
			e.Wrong = "expected a string in double quotes"
			list = append(list, e)
		}
	}
	return list
}

// exampleSteps caps the steps that one example takes.
const exampleSteps = 1 << 24

// Holds reports whether the comment is true in g. ok is false if that cannot be decided within limits; see decides. It
// takes nothing of the budget of g. The example must have a rule, and no mistake.
func (e Example) Holds(g *expr.Grammar) (holds, ok bool) {
	apart := g.With(g.Rules)
	apart.Budget = g.Budget.Part(exampleSteps)
	accepts, ok := decides(apart, e.Rule.ID, e.Word)
	return accepts == e.Accepts, ok
}

// decides reports whether a production accepts a string from its first byte to the last. ok is false if that is not
// decided: a limit is passed, or for a PEG the string has more than 16 KiB, or a rule that it uses may not end,
// because of left recursion or a repetition of an expression that can be empty.
func decides(g *expr.Grammar, id, word string) (accepts, ok bool) {
	if !g.Ordered {
		return interpreter.Derives(g, id, word)
	}
	facts := expr.Analyze(g.Rules)
	circles := expr.Circles(g.Rules, facts.Leftmost)
	for _, reached := range g.Reach(id) {
		r := g.Rule(reached)
		if circles[reached] != nil || r != nil && expr.Find(r.Expr, facts.RepeatsEmpty) != nil {
			return false, false
		}
	}
	const most = 1 << 14 // bytes: the interpreter remembers each rule at each of them
	if len(word) > most {
		return false, false
	}
	accepts, err := peg.Accepts(g, id, word)
	return accepts, err == nil
}

// decideExamples reports the examples that do not hold, cannot be read or have no production, as errors, and those that
// are not decided, as notes. A production with an undecided example is left open, so that the report is not taken for a
// complete one. The examples of one that is refused, or uses a name without a production, are not tried, since it is
// open already.
func (l *linter) decideExamples() {
	for _, e := range l.examples() {
		verb, not := "accepts", "rejects"
		if !e.Accepts {
			verb, not = not, verb
		}
		switch {
		case e.Wrong != "":
			l.found(WrongExample, results.Error, e.Pos, l.ruleOr(e.Rule), "bnfcheck:%s: %s", verb, e.Wrong)
			continue
		case l.lacksName[e.Rule.ID] || e.Rule.Refused != nil:
			l.found(WrongExample, results.Note, e.Pos, e.Rule,
				"whether `%s` %s %s is not decided: it uses what has no production", e.Rule.Name, verb,
				l.g.Quote(e.Word))
			continue
		}
		switch holds, ok := e.Holds(l.g); {
		case !ok:
			l.leaveOpen(e.Rule, fmt.Errorf("whether it %s %s", verb, l.g.Quote(e.Word)))
			l.found(WrongExample, results.Note, e.Pos, e.Rule, "whether `%s` %s %s is not decided", e.Rule.Name, verb,
				l.g.Quote(e.Word))
		case !holds:
			f := l.found(WrongExample, results.Error, e.Pos, e.Rule, "`%s` %s %s, and the comment says that it %s it",
				e.Rule.Name, not, l.g.Quote(e.Word), verb)
			f.Word = new(quote.Word(e.Word))
		}
	}
}

// ruleOr returns r or, for nil, a production without a name.
func (l *linter) ruleOr(r *expr.Rule) *expr.Rule {
	if r == nil {
		return &expr.Rule{}
	}
	return r
}
