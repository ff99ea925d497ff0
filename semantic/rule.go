package semantic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Rule is a requirement that one of the RFCs states and its BNF does not.
type Rule struct {
	ID          string // the family and a name: "1738/ftp-typecode"
	RFC         RFC
	Section     string   // the section, or the heading where the text numbers none
	Line        int      // the line of the text where the sentence begins
	Schemes     []string // what it applies to; nil: every scheme
	Severity    Severity
	Title       string // in one line
	Requirement string // in our own words

	when  trait // what a URL must have for check to be worth calling; 0: check is always called
	check func(*URL, *report)
}

// String gives the rule as a text of a few lines: what it is, what it requires, where that stands.
func (r Rule) String() string {
	where := "RFC " + r.RFC.String() + ", " + r.Section
	if r.Section != "" && digits.Has(r.Section[0]) {
		where = "RFC " + r.RFC.String() + " section " + r.Section
	}
	schemes := "every scheme"
	if len(r.Schemes) > 0 {
		schemes = strings.Join(r.Schemes, ", ")
	}
	return fmt.Sprintf("%s (%s)\n  %s\n  %s\n  %s, line %d; for %s\n", r.ID, r.Severity, r.Title, r.Requirement, where, r.Line, schemes)
}

// Severity says how much a finding weighs.
type Severity uint8

const (
	Note    Severity = iota + 1 // worth knowing; nothing is wrong
	Warning                     // the RFC advises against it, or warns of it
	Error                       // the RFC forbids it
)

// String gives the severity in lower case.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return "Severity(" + strconv.Itoa(int(s)) + ")"
}

// ParseSeverity is the inverse of [Severity.String].
func ParseSeverity(s string) (Severity, error) {
	for v := Note; v <= Error; v++ {
		if v.String() == s {
			return v, nil
		}
	}
	return 0, fmt.Errorf("severity %q is none of note, warning and error", s)
}

// Finding says that a rule has something to say about a part of a URL, and what is to be done.
type Finding struct {
	Rule       string // the rule's ID
	Severity   Severity
	Section    string
	Start, End int // the part, in bytes of the URL
	Message    string
}

// String gives the finding as one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s %d..%d %s: %s", f.Severity, f.Start, f.End, f.Rule, f.Message)
}

// Rules lists every rule of both RFCs: RFC 1630's first, each family in the order of its text.
func Rules() []Rule {
	list := make([]Rule, len(rules))
	copy(list, rules)
	for i := range list {
		list[i].Schemes = slices.Clone(list[i].Schemes)
	}
	return list
}

// RuleByID gives the rule with an ID, and false where there is none.
func RuleByID(id string) (Rule, bool) {
	for i := range rules {
		if rules[i].ID == id {
			r := rules[i]
			r.Schemes = slices.Clone(r.Schemes)
			return r, true
		}
	}
	return Rule{}, false
}

// Findings applies every rule of u's RFC, and gives what they find in the order of the URL, errors before warnings before
// notes where they begin at the same byte.
func (u *URL) Findings() []Finding { return everyRule.Findings(u) }

// rules and everyRule are made once and never changed.
var (
	rules = inTextOrder(schemeRules, encodingRules, hostRules, portRules, loginRules,
		httpRules, ftpRules, gopherRules, mailtoRules, newsRules, nntpRules, telnetRules, waisRules, fileRules, prosperoRules,
		messageIDRules, afsRules, urnRules)
	everyRule = Select(func(Rule) bool { return true })
)

func inTextOrder(groups ...[]Rule) []Rule {
	list := slices.Concat(groups...)
	slices.SortStableFunc(list, func(a, b Rule) int {
		if a.RFC != b.RFC {
			return int(a.RFC) - int(b.RFC)
		}
		return a.Line - b.Line
	})
	return list
}
