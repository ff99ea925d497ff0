package semantic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Rule is a requirement that one of the texts states and its BNF does not.
type Rule struct {
	ID          string   // the text and a name: "1738/ftp-typecode"
	Text        string   // whose prose states it: "1738", "draft06"
	RFC         RFC      // the family of the text
	Section     string   // the section, or the heading where the text numbers none
	Line        int      // the line of the text where the sentence begins
	Schemes     []string // what it applies to; nil: every scheme
	Severity    Severity
	Title       string // in one line
	Requirement string // in our own words

	about domain // the URLs that check is called for; the zero value is all of them
	check func(*URL, *report)
}

// on returns a check that calls another for the URLs whose Specific is a T.
func on[T Specific](check func(*URL, T, *report)) func(*URL, *report) {
	return func(u *URL, r *report) {
		if s, ok := u.Specific.(T); ok {
			check(u, s, r)
		}
	}
}

// String gives the rule as a text of a few lines: what it is, what it requires, where that stands.
func (r Rule) String() string {
	where := r.Section
	if t := textNamed(r.Text); t != nil {
		where = t.cite(r.Section)
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
	Warning                     // the RFC advises against it or warns of it, or it will not do what is meant
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

// Rules lists every rule of every text: RFC 1630's first, each in the order of its text.
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

// Findings applies every rule of u's text, and gives what they find in the order of the URL, errors before warnings before
// notes where they begin at the same byte. Each lies inside the URL: 0 <= Start <= End <= len(u.Source).
func (u *URL) Findings() []Finding { return everyRule.Findings(u) }

// rules and everyRule are made once and never changed.
var (
	rules = inTextOrder(schemeRules, encodingRules, hostRules, portRules, loginRules,
		httpRules, ftpRules, gopherRules, mailtoRules, newsRules, nntpRules, telnetRules, waisRules, fileRules, prosperoRules,
		messageIDRules, afsRules, urnRules)
	everyRule = Select(func(Rule) bool { return true })
)

// inTextOrder gives the rules of all texts. Those of the RFCs are written down with what they check; a draft has those
// that its sentences name, with what they check and, in the draft's own words, what they require.
func inTextOrder(groups ...[]Rule) []Rule {
	written := slices.Concat(groups...)
	at := map[string]int{} // in list, by ID
	var list []Rule
	for _, r := range written {
		r.Text, _, _ = strings.Cut(r.ID, "/")
		at[r.ID] = len(list)
		list = append(list, r)
	}
	for _, s := range sentences {
		for _, id := range s.Rules() {
			if _, ok := at[id]; ok {
				continue
			}
			if r, ok := restated(written, s, id); ok {
				at[id] = len(list)
				list = append(list, r)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Rule) int {
		if a.Text != b.Text {
			return textNamed(a.Text).index - textNamed(b.Text).index
		}
		return a.Line - b.Line
	})
	return list
}

// restated gives the rule that a sentence states in the words of another text: that of the same name, of its own family
// where both have one.
func restated(written []Rule, s Sentence, id string) (Rule, bool) {
	_, name, _ := strings.Cut(id, "/")
	t := textNamed(s.Text)
	if t == nil {
		return Rule{}, false
	}
	var found *Rule
	for i := range written {
		if _, n, _ := strings.Cut(written[i].ID, "/"); n == name && (found == nil || written[i].RFC == t.roles.family) {
			found = &written[i]
		}
	}
	if found == nil {
		return Rule{}, false
	}
	r := *found
	r.ID, r.Text, r.RFC, r.Section, r.Line = id, s.Text, t.roles.family, s.Section, s.First
	r.Requirement = strings.ToUpper(s.Gist[:1]) + s.Gist[1:] + "."
	return r, true
}
