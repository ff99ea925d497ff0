package prove

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A transcription compares a .peg file with the text of the RFC: it must have the same productions
// in the same order, above each the line as printed, and before that line the mark that says how
// the rule differs from it.
type transcription struct {
	ledger *bnf.Source
	rules  *expr.Grammar
	report func(production, format string, args ...any) // is called for each difference
}

// check reports the differences. Of the rules that stand out of order it reports the first, and of a rule with a
// comment that is not the printed line only that. It does not report productions without a rule: see [missing].
func (t *transcription) check() {
	t.checkRules()
	for _, r := range t.ledger.Default.Rules {
		if rule := t.rules.Rule(r.ID); rule != nil {
			t.checkRule(r, rule)
		}
	}
}

// checkRules reports rules that transcribe no production; productions whose entry, the rule NAME_entry that matches
// NAME to the end of the input, is missing or says something else; entries of no production, but for a rule EOF that
// matches the end of the input; and the first rule that stands out of order. No rule may stand twice in the file.
// Productions without a rule are not its concern: see [missing].
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
			continue // the proof itself reports missing rules
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

// endOfInput is !. in a PEG.
var endOfInput = expr.Lookahead(expr.In(expr.AnyByte), true)

// marks matches the first line of a comment: the mark, and what is printed.
var marks = regexp.MustCompile(`^(\*[~!]?|[=~!])\s+(.*)$`)

// checkRule compares the name of a rule and the comment above it with the production, the mark with the rule, and
// the readings that the comment names with the ledger. Every mark but "=" needs a reason in the comment. If the
// comment does not begin with a mark and the printed lines, that is reported, and nothing else about the comment.
func (t *transcription) checkRule(r, rule *expr.Rule) {
	if rule.Name != r.Name {
		t.report(r.ID, "the rule is called %q where the text prints %q", rule.Name, r.Name)
	}
	mark, reasons, ok := t.splitComment(r, rule)
	if !ok {
		return
	}
	if want := t.requiredMark(r, rule); mark != want {
		t.report(r.ID, "the mark is %q, and should be %q", mark, want)
	}
	if mark != "=" && reasons == "" { // only an identical rule needs none
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
	for _, reading := range t.readingsOfLine(r.ID) {
		if !named[reading.ID] {
			t.report(r.ID, "the comment does not name %s, by which the line is read", reading.ID)
		}
	}
}

// splitComment splits the comment above a rule into the mark and the reasons, without the printed lines between
// them. The first printed line ends with its place in the text; white space does not count. If the comment does not
// begin with a mark and the printed lines, splitComment reports the first difference and returns false.
func (t *transcription) splitComment(r, rule *expr.Rule) (mark, reasons string, ok bool) {
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
		if got, want = collapseSpaces(got), collapseSpaces(want); got != want {
			t.report(r.ID, "the comment has %q where the text has %q", got, want)
			return "", "", false
		}
	}
	// The last printed line is not blank, so the comment has as many lines.
	return mark, strings.TrimSpace(strings.Join(lines[len(printed):], "\n")), true
}

// collapseSpaces replaces each run of white space by one space.
func collapseSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// requiredMark returns the mark that a rule must have: how its text is like that of its production r. If there are
// readings of the lines of r, it is "*" and that, and "*" alone for the same text. Without readings it is the mark of
// [compareText], also for the same text.
func (t *transcription) requiredMark(r, rule *expr.Rule) string {
	like := compareText(r.Expr, rule.Expr)
	if len(t.readingsOfLine(r.ID)) == 0 {
		return string(like)
	}
	if like == identical {
		return "*"
	}
	return "*" + string(like)
}

// readingsOfLine returns the readings that are on and change the meaning of this production's line. Readings that hold
// wherever the notation is used, such as that of brackets, are not among them.
func (t *transcription) readingsOfLine(id string) []bnf.Reading {
	var out []bnf.Reading
	for _, r := range t.ledger.Readings {
		if r.On && (r.Option == bnf.BareSlashLiteral && slices.Contains(r.Productions, id) ||
			slices.ContainsFunc(r.Replace, func(x bnf.Replacement) bool { return x.Production == id })) {
			out = append(out, r)
		}
	}
	return out
}

// readingsIn returns the words of a comment that look like IDs of this ledger: "1738-url" where the grammar is
// rfc1738, "draft06-url" where it is draft06. They need not be in the ledger, and one can be there twice.
func (t *transcription) readingsIn(reasons string) []string {
	name := t.ledger.Default.Name
	id := `\b(?:` + regexp.QuoteMeta(name) + `|` + regexp.QuoteMeta(strings.TrimPrefix(name, "rfc")) + `)`
	return regexp.MustCompile(id+`-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*`).FindAllString(reasons, -1)
}
