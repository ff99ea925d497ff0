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
	lists [][]*lists // by text and scheme: those for every scheme, and the scheme's own
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
	var kept []bool // by index in Rules
	for _, r := range Rules() {
		kept = append(kept, keep(r))
	}
	for _, t := range texts {
		var lists []*lists
		for _, name := range numbered.names {
			lists = append(lists, choose(kept, t.name, name))
		}
		s.lists = append(s.lists, lists)
	}
	return s
}

// choose gives a text's rules for every scheme, and after them those for one.
func choose(kept []bool, text string, scheme string) *lists {
	const most = 64
	l := &lists{rules: make([]*Rule, 0, most), index: make([]int, 0, most)}
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

// Findings is [URL.Findings], by these rules alone.
func (s *Selection) Findings(u *URL) []Finding {
	r := u.report()
	s.apply(u, r)
	found := r.taken()
	if r != &u.reader.report {
		reports.Put(r)
	}
	for i := 1; i < len(found); i++ { // they are few, and mostly in order
		for k := i; k > 0 && found[k].before(&found[k-1]); k-- {
			found[k-1], found[k] = found[k], found[k-1]
		}
	}
	return found
}

// before orders findings by their place, and those at the same place by their severity.
func (f *Finding) before(o *Finding) bool {
	if f.Start != o.Start {
		return f.Start < o.Start
	}
	return f.Severity > o.Severity
}

func (s *Selection) apply(u *URL, r *report) {
	l := s.lists[u.text.index][u.number]
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
	room     []Finding // for findings of later URLs: memory is asked for once for some
}

// taken gives the findings, and begins anew.
func (r *report) taken() []Finding {
	n := len(r.findings)
	if n == 0 {
		return nil
	}
	found := r.findings[:n:n]
	r.findings = nil
	if cap(r.room) >= n && &r.room[:1][0] == &found[0] {
		r.room = r.room[n:]
	}
	return found
}

// report gives a report to use, since one that is made for the purpose would escape to the rules: the Reader's own,
// unless several goroutines may ask u at the same time.
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

	// These stand somewhere in the source: see marks.
	aSemicolon
	aStarOrBang
	aPlus
	aDotInFront
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
	if asked&anUnusualScheme != 0 && (len(u.name) > 1 && u.name[1] == '-' || u.name != u.Scheme.Raw) {
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
	has |= marks(u.Source, asked)
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
	const odd, period = 1, 2
	seen, pairs, before := uint8(0), uint8(0), uint8(period) // as if after a period: a label begins
	for i := range len(host) {
		b := hostByte[host[i]]
		seen |= b
		pairs |= before & b
		before = b
	}
	if seen&odd != 0 {
		has |= anOddHostName
	}
	if (pairs|before)&period != 0 {
		has |= unusualLabels // one is empty
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
