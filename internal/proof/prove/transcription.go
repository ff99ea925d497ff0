package prove

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A transcription holds the rules of a .peg file against the text of the RFC: the same productions in the same order,
// the printed line above each, and a mark in front of it for how the rule differs from the line.
type transcription struct {
	ledger *bnf.Source
	rules  *expr.Grammar
	report func(production, what string, args ...any)
}

// check reports everything in which the two differ.
func (t *transcription) check() {
	t.checkRules()
	for _, r := range t.ledger.Default.Rules {
		if rule := t.rules.Rule(r.ID); rule != nil {
			t.checkRule(r, rule)
		}
	}
}

// checkRules looks for missing, invented and misplaced rules.
func (t *transcription) checkRules() {
	var inText, inFile []string
	entries := map[string]*expr.Rule{}
	for _, r := range t.rules.Rules {
		switch {
		case t.ledger.Default.Rule(r.ID) != nil:
			inFile = append(inFile, r.ID)
		case peg.IsEntry(r):
			entries[r.ID] = r
		default:
			t.report(r.ID, "the rule transcribes no production")
		}
	}
	for _, r := range t.ledger.Default.Rules {
		if t.rules.Rule(r.ID) == nil {
			continue // the proof reports what is missing
		}
		inText = append(inText, r.ID)
		name := peg.Ident(r.ID) + "_entry"
		if e := entries[name]; e == nil {
			t.report(r.ID, "there is no %s", name)
		} else if want := expr.Cat(expr.To(r.ID), endOfInput); e.Expr.String() != want.String() {
			t.report(r.ID, "%s is %s, not %s", name, e.Expr, want)
		}
		delete(entries, name)
	}
	for i, id := range inFile {
		if inText[i] != id {
			t.report(id, "the rule stands where the text has %s", inText[i])
			break
		}
	}
	for _, r := range t.rules.Rules {
		if e := entries[r.ID]; e != nil && (r.ID != "EOF" || e.Expr.String() != endOfInput.String()) {
			t.report(r.ID, "the rule %s is neither a production nor the entry of one", e.Expr)
		}
	}
}

var endOfInput = expr.Lookahead(expr.In(expr.AnyByte), true)

var marks = regexp.MustCompile(`^(\*[~!]?|[=~!])\s+(.*)$`)

// checkRule checks the comment above a rule against the production, and the mark against the rule.
func (t *transcription) checkRule(r, rule *expr.Rule) {
	if rule.Name != r.Name {
		t.report(r.ID, "the rule is called %q where the text prints %q", rule.Name, r.Name)
	}
	mark, reasons, ok := t.comment(r, rule)
	if !ok {
		return
	}
	if want := t.mark(r, rule); mark != want {
		t.report(r.ID, "the mark is %q, and should be %q", mark, want)
	}
	if mark != "=" && reasons == "" {
		t.report(r.ID, "the mark is %q, and no reason is given", mark)
	}
	named := map[string]bool{}
	for _, id := range t.readingsIn(reasons) {
		named[id] = true
		reading, ok := t.ledger.Reading(id)
		switch {
		case !ok:
			t.report(r.ID, "the comment names %s, which is not in the ledger", id)
		case !slices.Contains(reading.Productions, r.ID):
			t.report(r.ID, "the comment names %s, which is not about this production", id)
		case !reading.On:
			t.report(r.ID, "the comment names %s, which is off", id)
		}
	}
	for _, reading := range t.ofLine(r.ID) {
		if !named[reading.ID] {
			t.report(r.ID, "the comment does not name %s, by which the line is read", reading.ID)
		}
	}
}

// comment takes the comment above a rule apart: its mark, the printed line or lines, and the reasons. ok is false, and that is
// reported, if the printed line is not there.
func (t *transcription) comment(r, rule *expr.Rule) (mark, reasons string, ok bool) {
	lines := strings.Split(strings.TrimSpace(rule.Comment), "\n")
	printed := strings.Split(r.Printed, "\n")
	printed[0] += " " + r.Place(t.ledger.Default.Title)
	for i, want := range printed {
		got := ""
		if i < len(lines) {
			got = strings.TrimSpace(lines[i])
		}
		if i == 0 {
			m := marks.FindStringSubmatch(got)
			if m == nil {
				t.report(r.ID, "the comment begins with no mark: %q", got)
				return "", "", false
			}
			mark, got = m[1], m[2]
		}
		if got, want = squeeze(got), squeeze(want); got != want {
			t.report(r.ID, "the comment has %q where the text has %q", got, want)
			return "", "", false
		}
	}
	return mark, strings.TrimSpace(strings.Join(lines[len(printed):], "\n")), true
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// mark returns the mark that a rule must have.
func (t *transcription) mark(r, rule *expr.Rule) string {
	like := compareText(r.Expr, rule.Expr)
	if len(t.ofLine(r.ID)) == 0 {
		return string(like)
	}
	if like == identical {
		return "*"
	}
	return "*" + string(like)
}

// ofLine lists the readings by which the line of this one production is read as something other than what is printed. Readings
// that hold wherever the notation is used, as that of brackets, do not count.
func (t *transcription) ofLine(id string) []bnf.Reading {
	var out []bnf.Reading
	for _, r := range t.ledger.Readings {
		if r.On && (r.Option == bnf.BareSlashLiteral && slices.Contains(r.Productions, id) ||
			slices.ContainsFunc(r.Replace, func(x bnf.Replacement) bool { return x.Production == id })) {
			out = append(out, r)
		}
	}
	return out
}

// readingsIn lists the words of a comment that look like the IDs of this ledger: "1738-url" where the grammar is
// rfc1738, "draft06-url" where it is draft06.
func (t *transcription) readingsIn(reasons string) []string {
	name := t.ledger.Default.Name
	id := `\b(?:` + regexp.QuoteMeta(name) + `|` + regexp.QuoteMeta(strings.TrimPrefix(name, "rfc")) + `)`
	return regexp.MustCompile(id+`-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*`).FindAllString(reasons, -1)
}
