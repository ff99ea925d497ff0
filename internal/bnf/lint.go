package bnf

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// A Check is a kind of mistake that a grammar can have.
type Check string

// The checks.
const (
	Undefined     Check = "undefined"      // a name is used, or given as a start, that no production has
	AddedFirst    Check = "added-first"    // a production is added to, with =/, before it is defined
	Unreachable   Check = "unreachable"    // no start can use it
	EmptyRepeated Check = "empty-repeated" // a repetition of something that can be empty: every count of it is
	SelfEmbedding Check = "self-embedding" // a production stands inside itself with something on both sides: not regular
)

// A Finding is one mistake.
type Finding struct {
	Pos     expr.Pos
	Rule    string // the ID of the production it stands in
	Check   Check
	Message string
}

// String returns "file:line:col: message (check)".
func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.Pos, f.Message, f.Check) }

// Lint finds mistakes in a grammar, in the order of its productions. Starts are the productions that are used from
// outside, by ID or, where that is unique, by name; without any, nothing counts as unreachable.
//
// A PEG can be checked too. There, what can match without consuming anything counts as empty, and embedding is a matter of
// how the rules are written: a rule can use itself in the middle of itself and still match regular input only.
func Lint(g *expr.Grammar, starts ...string) []Finding {
	l := &linter{g: g, facts: expr.Analyze(g.Rules)}
	reached := l.reach(starts)
	embedding := l.embeddings()
	for _, r := range g.Rules {
		if g.Notation == "abnf" && r.Printed != "" && beginsAddition.MatchString(r.Printed) {
			l.found(r.Pos, r, AddedFirst, "`%s` is added to before it is defined", r.Name)
		}
		if len(starts) > 0 && !reached[r.ID] {
			l.found(r.Pos, r, Unreachable, "`%s` cannot be reached from %s", r.Name, strings.Join(starts, ", "))
		}
		l.undefined(r)
		l.emptyRepeated(r)
		if e := embedding[r]; e != nil {
			l.found(r.Pos, r, SelfEmbedding, "%s", e.Message())
		}
	}
	return l.findings
}

// beginsAddition matches the beginning of a rule that is written with =/; a comment may stand before the sign.
var beginsAddition = regexp.MustCompile(`^[ \t]*[0-9A-Za-z-]+(?:[ \t\r\n]|;[^\n]*\n)*=/`)

type linter struct {
	g        *expr.Grammar
	facts    *expr.Facts
	findings []Finding
}

func (l *linter) found(pos expr.Pos, r *expr.Rule, check Check, format string, args ...any) {
	l.findings = append(l.findings, Finding{Pos: pos, Rule: r.ID, Check: check, Message: fmt.Sprintf(format, args...)})
}

// reach returns the IDs that the starts use. A start that does not exist is a finding.
func (l *linter) reach(starts []string) map[string]bool {
	var ids []string
	for _, s := range starts {
		r, err := l.g.Lookup(s)
		if err != nil {
			l.findings = append(l.findings, Finding{Pos: expr.Pos{File: l.g.File}, Rule: s, Check: Undefined, Message: "start: " + err.Error()})
			continue
		}
		ids = append(ids, r.ID)
	}
	reached := map[string]bool{}
	for _, id := range l.g.Reach(ids...) {
		reached[id] = true
	}
	return reached
}

// embeddings returns, for the first production of every group that embed themselves through each other, how it does.
func (l *linter) embeddings() map[*expr.Rule]*expr.SelfEmbedding {
	found := map[*expr.Rule]*expr.SelfEmbedding{}
	covered := map[string]bool{}
	for _, r := range l.g.Rules {
		if covered[r.ID] {
			continue
		}
		if e := l.facts.SelfEmbedding(r.ID); e != nil {
			found[r] = e
			for other := range l.facts.Used(r.Expr) {
				covered[other] = covered[other] || l.facts.Used(l.g.Rule(other).Expr)[r.ID]
			}
		}
	}
	return found
}

func (l *linter) undefined(r *expr.Rule) {
	for _, e := range l.g.Undefined(r.Expr) {
		l.found(e.Pos, r, Undefined, "`%s` is not defined", e.Name)
	}
}

func (l *linter) emptyRepeated(r *expr.Rule) {
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		if e.Op == expr.Repeat && (e.Max == expr.Unbounded || e.Max > 1) && l.facts.Nullable(e.Sub[0]) {
			l.found(e.Pos, r, EmptyRepeated, "`%s` repeats what can be empty", e)
		}
		return true
	})
}
