package semantic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A Rule is a requirement that one of the texts states and its BNF does not.
type Rule struct {
	ID          string   // the text and a name: "1738/ftp-typecode"
	Text        string   // whose prose states it: "1738", "draft06"
	Family      Family   // of the text
	Section     string   // the section, or the heading where the text numbers none
	Line        int      // the line of the text where the sentence begins
	Schemes     []string // the schemes it applies to, nil for every scheme
	Severity    Severity
	Title       string // in one line
	Requirement string // in our own words

	also  twin   // of the other family
	about domain // the URLs that check is called for; the zero value is all of them
	check func(*URL, *report)

	reference func(*Reference, *report) // of RFC 3986, instead of check
}

// A twin is a rule of the other family that checks the same, in the words of its text.
type twin struct {
	id          string
	severity    Severity
	requirement string
}

// on returns a check that calls another for the URLs whose Specific is a T, and does nothing for others.
func on[T Specific](check func(*URL, T, *report)) func(*URL, *report) {
	return func(u *URL, r *report) {
		if s, ok := u.Specific.(T); ok {
			check(u, s, r)
		}
	}
}

// String returns the rule as a few lines: its ID and severity, its title, its requirement, and the place that states it
// with the schemes.
func (r Rule) String() string {
	where := citation.Place{Section: r.Section, Lines: strconv.Itoa(r.Line)}
	if t := textNamed(r.Text); t != nil {
		where.Title = t.title()
	}
	schemes := "every scheme"
	if len(r.Schemes) > 0 {
		schemes = strings.Join(r.Schemes, ", ")
	}
	return fmt.Sprintf("%s (%s)\n  %s\n  %s\n  %s; for %s\n", r.ID, r.Severity, r.Title, r.Requirement, where, schemes)
}

// Severity is the severity of a finding.
type Severity uint8

const (
	Note    Severity = iota + 1 // worth knowing; nothing is wrong
	Warning                     // the RFC advises against it or warns of it, or it does not do what is meant
	Error                       // the RFC forbids it
)

// String returns the severity in lower case.
func (s Severity) String() string { return quote.Name("Severity", s, severities[:]...) }

var severities = [...]string{"Severity(0)", "note", "warning", "error"}

// MarshalText returns the severity as String does.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets the severity to the one that String returns as text. It fails if there is none, and s stays.
func (s *Severity) UnmarshalText(text []byte) error {
	for v := Note; v <= Error; v++ {
		if v.String() == string(text) {
			*s = v
			return nil
		}
	}
	return fmt.Errorf("severity %q is none of note, warning and error", text)
}

// A Finding reports a part of a URL that a rule is about, and what to do about it.
type Finding struct {
	Rule       string // the rule's ID
	Severity   Severity
	Section    string
	Start, End int // the part, in bytes of the URL
	Message    string
}

// String returns the finding as one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s %d..%d %s: %s", f.Severity, f.Start, f.End, f.Rule, f.Message)
}

// Rules returns the rules of all texts: those of RFC 1630 first, each text in its order.
func Rules() []Rule {
	list := slices.Clone(rules)
	for i := range list {
		list[i].Schemes = slices.Clone(list[i].Schemes)
	}
	return list
}

// RuleByID returns the rule with an ID, and reports whether there is one.
func RuleByID(id string) (Rule, bool) {
	for _, r := range rules {
		if r.ID == id {
			r.Schemes = slices.Clone(r.Schemes)
			return r, true
		}
	}
	return Rule{}, false
}

// Findings applies every rule of u's text, and returns the findings in the order of the URL. Of those that begin at
// the same byte, errors come before warnings, and warnings before notes. Each lies inside the URL: 0 <= Start <= End
// <= len(u.Source).
func (u *URL) Findings() []Finding { return everyRule.Findings(u) }

// rules and everyRule are immutable.
var (
	rules     = statedRules(writtenRules())
	everyRule = Select(func(Rule) bool { return true })
)

// writtenRules returns the rules as they are written down: what each checks, without the place that states it. A rule
// with a twin is followed by that, as a rule of its own.
func writtenRules() (list []Rule) {
	for _, r := range slices.Concat(schemeRules, encodingRules, hostRules, portRules, loginRules,
		httpRules, ftpRules, gopherRules, mailtoRules, newsRules, nntpRules,
		telnetRules, waisRules, fileRules, prosperoRules,
		messageIDRules, afsRules, urnRules, referenceRules) {
		list = append(list, r)
		if o := r.also; o.id != "" {
			r.ID, r.Severity, r.Requirement = o.id, o.severity, o.requirement
			list = append(list, r)
		}
	}
	return list
}

// statedRules returns the rules that the sentences state, in their order, each with the section and line of its
// sentence. An ID for which no rule is written is left out.
func statedRules(written []Rule) (list []Rule) {
	for _, s := range sentences {
		stated, _ := s.rules()
		for _, id := range stated {
			if r, ok := ruleFor(written, s, id); ok {
				r.ID, r.Text, r.Family, r.Section, r.Line = id, s.Text, familyNamed(s.Text), s.Section, s.First
				list = append(list, r)
			}
		}
	}
	return list
}

// ruleFor returns the written rule with an ID. If there is none, it returns the rule of the same name of another text,
// preferably of the same family, with the words of s for its requirement; it keeps the ID of its own text. It returns
// false if no text has such a rule.
func ruleFor(written []Rule, s sentence, id string) (Rule, bool) {
	_, name, _ := strings.Cut(id, "/")
	var found *Rule
	for i := range written {
		w := &written[i]
		text, other, _ := strings.Cut(w.ID, "/")
		switch {
		case w.ID == id:
			return *w, true
		case other == name && (found == nil || familyNamed(text) == familyNamed(s.Text)):
			found = w
		}
	}
	if found == nil {
		return Rule{}, false
	}
	r := *found
	r.Requirement = strings.ToUpper(s.Gist[:1]) + s.Gist[1:] + "."
	return r, true
}
