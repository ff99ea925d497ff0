package semantic

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// A Selection is some of the rules, ready to be applied. It is never changed, and safe for concurrent use.
type Selection struct {
	texts []chosen // by text
}

// chosen are the chosen rules of one text.
type chosen struct {
	all   *lists            // those for every scheme
	named map[string]*lists // by scheme: those, and the scheme's own
	own   [roles]*lists     // the same by the role of the scheme's own production
}

// lists are rules in the order in which they are applied, at most 64.
type lists struct {
	rules []*Rule
	index []int // of each in Rules

	// Sets of places in rules: of those that are applied to every URL, and of those that are applied where there is a
	// certain trait.
	always uint64
	where  [traits]uint64
	about  trait // all that are in where
}

// Select gives the rules that keep chooses.
func Select(keep func(Rule) bool) *Selection {
	s := new(Selection)
	schemes := map[string]bool{}
	var kept []bool // by index in Rules
	for _, r := range Rules() {
		kept = append(kept, keep(r))
		for _, name := range r.Schemes {
			schemes[name] = true
		}
	}
	for _, t := range texts {
		c := chosen{all: choose(kept, t.name, ""), named: map[string]*lists{}}
		for name := range schemes {
			c.named[name] = choose(kept, t.name, name)
		}
		for r, name := range ownScheme {
			c.own[r] = c.named[name]
		}
		s.texts = append(s.texts, c)
	}
	return s
}

// choose gives a text's rules for every scheme, and after them those for one.
func choose(kept []bool, text string, scheme string) *lists {
	l := new(lists)
	for _, own := range []bool{false, true} {
		for i := range rules {
			r := &rules[i]
			if r.Text != text || own != (r.Schemes != nil) || own && !slices.Contains(r.Schemes, scheme) || !kept[i] {
				continue
			}
			bit := uint64(1) << len(l.rules)
			if r.when == 0 {
				l.always |= bit
			}
			for t := range l.where {
				if r.when>>t&1 == 1 {
					l.where[t] |= bit
				}
			}
			l.about |= r.when
			l.rules = append(l.rules, r)
			l.index = append(l.index, i)
		}
	}
	return l
}

// of gives the rules for u.
func (s *Selection) of(u *URL) *lists {
	c := &s.texts[u.text.index]
	if l := c.own[u.own]; l != nil && ownScheme[u.own] == u.name {
		return l
	}
	if l := c.named[u.name]; l != nil {
		return l
	}
	return c.all
}

// Findings is [URL.Findings], by these rules alone.
func (s *Selection) Findings(u *URL) []Finding {
	r := u.report()
	s.apply(u, r)
	found := r.findings
	r.findings = nil
	if r != &u.reader.report {
		reports.Put(r)
	}
	if len(found) > 1 {
		slices.SortStableFunc(found, func(a, b Finding) int {
			if a.Start != b.Start {
				return a.Start - b.Start
			}
			return int(b.Severity) - int(a.Severity)
		})
	}
	return found
}

func (s *Selection) apply(u *URL, r *report) {
	l := s.of(u)
	todo := l.always
	for has := u.traits(l.about); has != 0; has &= has - 1 {
		todo |= l.where[bits.TrailingZeros32(uint32(has))%traits]
	}
	for ; todo != 0; todo &= todo - 1 {
		i := bits.TrailingZeros64(todo)
		r.rule, r.index = l.rules[i], l.index[i]
		r.rule.check(u, r)
	}
}

// A Tally counts what the rules of a selection find. A program that wants only the numbers need not pay for messages. It
// serves one goroutine at a time.
type Tally struct {
	Counts []int // for each of Rules, how often it found something

	selection *Selection
	report    report
}

// Tally gives a new tally of s.
func (s *Selection) Tally() *Tally {
	t := &Tally{Counts: make([]int, len(rules)), selection: s}
	t.report.tally = t
	return t
}

// Add counts what the rules find in u.
func (t *Tally) Add(u *URL) { t.selection.apply(u, &t.report) }

// report collects findings for one rule after the other.
type report struct {
	rule     *Rule
	index    int    // of rule, in Rules
	tally    *Tally // where findings are only to be counted
	findings []Finding
}

// report gives a report to use, since one that is made for the purpose would escape to the rules: the Reader's own, unless several
// goroutines may ask u at the same time.
func (u *URL) report() *report {
	if u.reader.shared {
		return reports.Get().(*report)
	}
	return &u.reader.report
}

var reports = sync.Pool{New: func() any { return new(report) }}

func (r *report) at(p Part, format string, args ...any) {
	if r.tally != nil {
		r.tally.Counts[r.index]++
		return
	}
	message := format
	if strings.IndexByte(format, '%') >= 0 {
		message = fmt.Sprintf(format, args...)
	}
	r.findings = append(r.findings, Finding{
		Rule: r.rule.ID, Severity: r.rule.Severity, Section: r.rule.Section,
		Start: p.Start(), End: p.End(), Message: message,
	})
}

// A trait is something that few URLs have, and that some rules are about: it is looked for once, and those rules are applied
// only where it is.
type trait uint32

const (
	aUser         trait = 1 << iota
	anUnusualPort       // a port that is not the default, or not written like it
	anOddHostName       // a character of the host name may be none of host names
	aHostNumber
	aSingleLabel    // the host name has no period
	unusualLabels   // the host name has a label that is empty or may be too long
	anUnusualScheme // in upper case, or beginning with "x-"
	genericOnly
	noProduction

	aGraphicEscape   // an escape of 21 to 7E
	aControlEscape   // of 00 to 1F, or 7F
	aLowerCaseEscape // with a digit in lower case

	// These stand somewhere in the source.
	aSemicolon
	aStarOrBang
	aPlus
	aDotAfterSlash
	anUnsafeCharacter // one of the text's own, bare

	traits = 32 // how many there can be
)

// traits gives the traits of u that are asked for.
func (u *URL) traits(asked trait) trait {
	has := u.hostTraits(asked)
	if u.Login.User.present {
		has |= aUser
	}
	if u.Port.present && u.Port.unusual() {
		has |= anUnusualPort
	}
	if len(u.name) > 1 && u.name[1] == '-' || u.name != u.Scheme.Raw {
		has |= anUnusualScheme
	}
	switch u.Match {
	case GenericOnly:
		has |= genericOnly
	case NoProduction:
		has |= noProduction
	}
	if u.hasEscape {
		has |= u.escapeTraits()
	}
	if asked&aSemicolon != 0 && strings.IndexByte(u.Source, ';') >= 0 {
		has |= aSemicolon
	}
	if asked&aStarOrBang != 0 && (strings.IndexByte(u.Source, '*') >= 0 || strings.IndexByte(u.Source, '!') >= 0) {
		has |= aStarOrBang
	}
	if asked&aPlus != 0 && strings.IndexByte(u.Source, '+') >= 0 {
		has |= aPlus
	}
	if asked&aDotAfterSlash != 0 && strings.Contains(u.Source, "/.") {
		has |= aDotAfterSlash
	}
	if asked&anUnsafeCharacter != 0 && u.hasUnsafe() {
		has |= anUnsafeCharacter
	}
	return has & asked
}

func (u *URL) hasUnsafe() bool {
	for i := range len(u.Source) {
		if u.text.unsafe.Has(u.Source[i]) {
			return true
		}
	}
	return false
}

func (p Port) unusual() bool {
	n, ok := decimal(p.Raw, 65535)
	return !ok || n != p.Default || p.Raw[0] == '0'
}

func (u *URL) hostTraits(asked trait) (has trait) {
	host := u.Host.Raw
	switch {
	case u.Host.Number:
		return aHostNumber
	case host == "":
		return 0
	}
	if asked&aSingleLabel != 0 && strings.IndexByte(host, '.') < 0 {
		has |= aSingleLabel
	}
	if asked&(unusualLabels|anOddHostName) == 0 {
		return has
	}
	switch {
	case len(host) > 63:
		has |= unusualLabels | anOddHostName // perhaps
	case u.text.roles.domainNames: // hostname = *[ domainlabel "." ] toplabel
	default:
		has |= hostBytes(host)
	}
	return has
}

// hostBytes gives the traits that take a look at each byte of a host name.
func hostBytes(host string) (has trait) {
	empty := true // the label so far
	for i := range len(host) {
		switch b := host[i]; {
		case b == '.':
			if empty {
				has |= unusualLabels
			}
			empty = true
			continue
		case !inHostName[b]:
			has |= anOddHostName
		}
		empty = false
	}
	if empty {
		has |= unusualLabels
	}
	return has
}

func (u *URL) escapeTraits() (has trait) {
	if intersect(u.escaped, graphic) {
		has |= aGraphicEscape
	}
	if intersect(u.escaped, controls) || u.escaped[0]&1 != 0 {
		has |= aControlEscape
	}
	if u.lowHex {
		has |= aLowerCaseEscape
	}
	return has
}
