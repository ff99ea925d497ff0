package semantic

import (
	"iter"
	"math/bits"
	"slices"
	"sync"
)

// A Selection is a set of rules, ready to be applied. It is immutable, and safe for concurrent use.
type Selection struct {
	rules []Rule
	lists [][]*list          // by text and the number of a scheme
	named []map[string]*list // by text: those of the schemes that have no number

	reference *list // the rules for references of RFC 3986
}

// A list holds the rules for one text and one scheme, by domain.
type list struct {
	about domainSet // those that have rules
	rules [domains][]placed
	size  int // how many rules there are
}

// rulesFor returns the rules for URLs in these domains, by domain and then in their order.
func (l *list) rulesFor(domains domainSet) iter.Seq[*placed] {
	return func(yield func(*placed) bool) {
		for in := domains & l.about; in != 0; in &= in - 1 {
			of := l.rules[bits.TrailingZeros64(uint64(in))]
			for i := range of {
				if !yield(&of[i]) {
					return
				}
			}
		}
	}
}

// A placed rule has its index in [Rules], and its rank among the rules that are applied to the same URL: those for
// every scheme come before the scheme's own. Of findings at the same place, of the same severity, that of the lower
// rank comes first.
type placed struct {
	*Rule
	index, rank int
}

// Select returns the rules for which keep returns true.
func Select(keep func(Rule) bool) *Selection {
	var kept []bool // by index
	for _, r := range Rules() {
		kept = append(kept, keep(r))
	}
	return selectFrom(rules, kept)
}

// selectFrom returns the rules that kept has, by their index in rules, arranged by text, scheme and domain.
func selectFrom(rules []Rule, kept []bool) *Selection {
	s := &Selection{rules: rules, reference: new(list)}
	for i := range rules {
		if kept[i] && rules[i].reference != nil {
			s.reference.add(&rules[i], i)
		}
	}
	for _, t := range texts {
		var byNumber []*list
		for _, scheme := range numbered.names {
			byNumber = append(byNumber, s.list(kept, t.name, scheme))
		}
		byName := map[string]*list{}
		for i := range rules {
			for _, scheme := range rules[i].Schemes {
				if rules[i].Text == t.name && numbered.number(scheme) == 0 {
					byName[scheme] = s.list(kept, t.name, scheme)
				}
			}
		}
		s.lists, s.named = append(s.lists, byNumber), append(s.named, byName)
	}
	return s
}

// list returns the rules of a text for URLs of a scheme, as far as kept has them at their index in s.rules: those for
// every scheme first, then the scheme's own. Rules for references are left out.
func (s *Selection) list(kept []bool, text, scheme string) *list {
	l := new(list)
	for _, own := range []bool{false, true} {
		for i := range s.rules {
			r := &s.rules[i]
			if !kept[i] || r.check == nil || r.Text != text || own != (r.Schemes != nil) || own &&
				!slices.Contains(r.Schemes, scheme) {
				continue
			}
			l.add(r, i)
		}
	}
	return l
}

// add adds a rule with its index.
func (l *list) add(r *Rule, index int) {
	l.about |= 1 << r.about
	l.rules[r.about] = append(l.rules[r.about], placed{r, index, l.size})
	l.size++
}

// Findings is like [URL.Findings], but applies the rules of s only.
func (s *Selection) Findings(u *URL) []Finding {
	r := u.report()
	s.apply(u, r)
	found := r.take()
	if r != &u.reader.report {
		reports.Put(r)
	}
	return found
}

// apply applies the rules of s to u; what they find goes to r.
func (s *Selection) apply(u *URL, r *report) {
	l := s.lists[u.text.index][u.number]
	if u.number == 0 {
		if own, ok := s.named[u.text.index][u.name]; ok {
			l = own
		}
	}
	for rule := range l.rulesFor(u.domains(l.about)) {
		r.rule = rule
		rule.check(u, r)
	}
}

// A Tally counts the findings of a selection without composing their messages. It is not safe for concurrent use.
type Tally struct {
	Counts []int // by index in Rules: how many findings the rule had

	selection *Selection
	report    report
}

// Tally returns a new tally of the findings of s.
func (s *Selection) Tally() *Tally {
	t := &Tally{Counts: make([]int, len(s.rules)), selection: s}
	t.report.tally = t
	return t
}

// Add counts the findings in u.
func (t *Tally) Add(u *URL) { t.selection.apply(u, &t.report) }

// A report collects the findings of one rule after the other.
type report struct {
	rule     *placed // whose check is called
	tally    *Tally  // counts the findings instead, if it is not nil
	findings []Finding
	ranks    []int     // of the rules of findings
	room     []Finding // memory for the findings of later URLs, allocated for several at a time
}

// take returns the findings, sorted as less says, nil if there are none, and empties r. The slice belongs to the
// caller.
func (r *report) take() []Finding {
	n := len(r.findings)
	if n == 0 {
		return nil
	}
	found := r.findings[:n:n]
	for i := 1; i < n; i++ { // there are few, and most are in order
		for k := i; k > 0 && r.less(k, k-1); k-- {
			found[k-1], found[k] = found[k], found[k-1]
			r.ranks[k-1], r.ranks[k] = r.ranks[k], r.ranks[k-1]
		}
	}
	r.findings, r.ranks = nil, r.ranks[:0]
	// The findings begin where room does, unless they outgrew it: they are the caller's now, and free no longer.
	if cap(r.room) >= n && &r.room[:1][0] == &found[0] {
		r.room = r.room[n:]
	}
	return found
}

// less orders findings by their place, those at the same place by their severity, the highest first, and those of one
// severity by their rank.
func (r *report) less(i, j int) bool {
	a, b := &r.findings[i], &r.findings[j]
	switch {
	case a.Start != b.Start:
		return a.Start < b.Start
	case a.Severity != b.Severity:
		return a.Severity > b.Severity
	}
	return r.ranks[i] < r.ranks[j]
}

// report returns the report to use: the Reader's own, unless several goroutines may ask u at the same time. A local
// variable would escape to the rules, and be allocated for each URL.
func (u *URL) report() *report {
	if u.reader.shared {
		return reports.Get().(*report)
	}
	return &u.reader.report
}

var reports = sync.Pool{New: func() any { return new(report) }}

// counted counts a finding of the rule, and reports whether that is all that is asked for.
func (r *report) counted() bool {
	if r.tally == nil {
		return false
	}
	r.tally.Counts[r.rule.index]++
	return true
}

// at reports a finding of r.rule at p. For a tally it only counts it.
func (r *report) at(p Part, message string) {
	if r.counted() {
		return
	}
	if r.findings == nil {
		if len(r.room) == 0 {
			r.room = make([]Finding, 16)
		}
		r.findings = r.room[:0]
	}
	r.findings = append(r.findings, Finding{
		Rule: r.rule.ID, Severity: r.rule.Severity, Section: r.rule.Section,
		Start: p.Start(), End: p.End(), Message: message,
	})
	r.ranks = append(r.ranks, r.rule.rank)
}

// composed reports a finding at p, whose message is composed where it is asked for.
func (r *report) composed(p Part, message func() string) {
	if !r.counted() {
		r.at(p, message())
	}
}

// explained reports a finding whose place and message are found where they are asked for.
func (r *report) explained(explain func() (at Part, message string)) {
	if !r.counted() {
		r.at(explain())
	}
}
