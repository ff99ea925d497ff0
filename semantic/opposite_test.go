package semantic_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// An advice is what a finding asks for, as far as another finding could ask for the opposite.
type advice uint8

const (
	know   advice = iota // nothing in the URL: know or make sure of something, or use another URL
	change               // write something else in its place
	add                  // write more
	remove               // leave something out
	keep                 // leave the escape
	decode               // write the character for its escape
	encode               // write the escape for a character
)

// advices classifies findings by their messages, as what they ask for. The first expression that matches counts.
var advices = []struct {
	advice  advice
	message *regexp.Regexp
}{
	{encode, regexp.MustCompile(`^(";" is reserved here; )?write %[0-9A-F]{2}( if|: ";"|: this character)`)},
	{encode, regexp.MustCompile(`^this "\+" is read as a space; write %2B`)},
	{decode, regexp.MustCompile("^[\"`].*[\"`] may be written for this")},
	{keep, regexp.MustCompile(`^keep this encoded`)},
	{know, regexp.MustCompile(`^this may be written %[0-9A-F]{2}: the digits`)},
	{know, regexp.MustCompile(`^remove the password if it is to be secret`)},
	{know, regexp.MustCompile(`^this sends CWD with a null argument`)},
	{know, regexp.MustCompile(`^(make sure|use|see|do not|check|say|name|only|no article|refuse|this name|where)\b`)},
	{know, regexp.MustCompile(`^write news: if|^this period stands for the root`)},
	{remove, regexp.MustCompile(`^(remove|shorten|write the path without)\b`)},
	{add, regexp.MustCompile(`^(append|complete)\b`)},
	{change, regexp.MustCompile(`^(write|change|make this|begin)\b`)},
}

func adviceOf(f semantic.Finding) (advice, bool) {
	for _, a := range advices {
		if a.message.MatchString(f.Message) {
			return a.advice, true
		}
	}
	return 0, false
}

// opposites reports whether two findings ask for opposite things: whether their spans overlap, and both advices cannot
// be followed. How a character of a password is spelled is no matter if the password is removed, so that to remove
// something is the opposite of spelling the same bytes, and not of spelling some of them.
func opposites(f, o semantic.Finding) bool {
	a, _ := adviceOf(f)
	b, _ := adviceOf(o)
	if a > b {
		a, b = b, a
	}
	switch {
	case !overlap(f, o):
		return false
	case a == add && b == remove, a == keep && b == decode, a == decode && b == encode:
		return true
	case a == remove && (b == keep || b == decode || b == encode):
		return f.Start == o.Start && f.End == o.End
	}
	return false
}

func overlap(a, b semantic.Finding) bool {
	if a.Start == a.End || b.Start == b.End { // a place between bytes
		return a.Start == b.Start || a.Start < b.End && b.Start < a.End
	}
	return a.Start < b.End && b.Start < a.End
}

// contradicting returns which findings of u ask for opposite things on the same bytes, which messages nobody has
// classified, and which advice draws an error or its opposite when it is followed.
func contradicting(g *bnfcheck.Grammar, u *semantic.URL) (list []string) {
	found := u.Findings()
	for i, f := range found {
		a, ok := adviceOf(f)
		if !ok {
			list = append(list, fmt.Sprintf("%v: a message that advices does not have", f))
		}
		for _, o := range found[i+1:] {
			if opposites(f, o) {
				list = append(list, fmt.Sprintf("%v and %v", f, o))
			}
		}
		list = append(list, followed(g, u, f, a)...)
	}
	return list
}

var (
	anEscape    = regexp.MustCompile(`%[0-9A-F]{2}`)
	aCharacter  = regexp.MustCompile("^[\"`](.)[\"`] may be written")
	aBareEscape = regexp.MustCompile(`^%[0-9A-Fa-f]{2}$`)
)

// followed follows the advice of a finding where it says what to write for one character, and says what is then wrong:
// that there is an error which there was not before, or that another finding asks to undo it.
func followed(g *bnfcheck.Grammar, u *semantic.URL, f semantic.Finding, a advice) (list []string) {
	at, text := u.Source[f.Start:f.End], ""
	switch m := aCharacter.FindStringSubmatch(f.Message); {
	case a == decode && m != nil:
		text = m[1]
	case a == encode && len(at) == 1 || strings.HasPrefix(f.Message, "this may be written") && aBareEscape.MatchString(at):
		text = anEscape.FindString(f.Message)
	default:
		return nil
	}
	written := u.Source[:f.Start] + text + u.Source[f.End:]
	tree, err := g.Parse(written)
	if err != nil {
		return []string{fmt.Sprintf("%v: what it asks for is rejected: %v", f, err)}
	}
	v, err := semantic.Of(tree)
	if err != nil {
		return []string{fmt.Sprintf("%v: %v", f, err)}
	}
	for _, o := range v.Findings() {
		b, _ := adviceOf(o)
		if o.Start == f.Start && (a == decode && b == encode || a == encode && b == decode) {
			list = append(list, fmt.Sprintf("%v: then %v", f, o))
		}
	}
	return append(list, newErrors(u, v)...)
}

// newErrors lists the errors of v that are of no rule which u has an error of. It is for whatever makes a URL of a
// URL: nothing that is meant to be better may draw an error. What becomes a URL of its scheme only by an edit has
// neither host nor port before that, and nobody could know their faults.
func newErrors(u, v *semantic.URL) (list []string) {
	if !u.Host.Present() && v.Host.Present() {
		return nil
	}
	for _, f := range v.Findings() {
		if f.Severity == semantic.Error && !slices.ContainsFunc(u.Findings(), func(o semantic.Finding) bool { return o.Rule == f.Rule }) {
			list = append(list, fmt.Sprintf("%s becomes %s: %v", u.Source, v.Source, f))
		}
	}
	return list
}

// lawAgree: what the findings ask for can be followed, and the canonical form, which is meant to be better, draws no
// error that was not there.
func lawAgree(w *word, _ *rand.Rand) error {
	if w.fold {
		return nil // it is the same as of the folded string
	}
	if list := append(contradicting(w.g, w.u), newErrors(w.u, w.c)...); len(list) > 0 {
		return errors.New(strings.Join(list, "; "))
	}
	return nil
}

// Every message of a rule is classified: the cases of the rules show them all.
func TestAdviceOfEveryRule(t *testing.T) {
	for _, c := range allRuleCases() {
		r, _ := semantic.RuleByID(c.rule)
		for _, s := range []string{c.triggers, c.misses} {
			if s == "" {
				continue
			}
			for _, f := range folded(t, r.Text, s).Findings() {
				if _, ok := adviceOf(f); !ok {
					t.Errorf("%s: %v: a message that advices does not have", s, f)
				}
			}
		}
	}
}

func TestOpposite(t *testing.T) {
	at := func(rule string, start, end int, message string) semantic.Finding {
		return semantic.Finding{Rule: rule, Start: start, End: end, Message: message}
	}
	for _, c := range []struct {
		a, b semantic.Finding
		want bool
	}{
		{at("a", 3, 6, "keep this encoded: x"), at("b", 3, 6, `":" may be written for this: it means the same`), true},
		{at("a", 3, 6, "keep this encoded: x"), at("b", 6, 9, `":" may be written for this: it means the same`), false},
		{at("a", 3, 4, "write %2A if this is data"), at("b", 3, 4, "remove this character: x"), true},
		{at("a", 3, 3, "append x"), at("b", 2, 4, "remove this"), true},
		{at("a", 3, 4, "write %2A if this is data"), at("b", 2, 9, "remove the password if it is to be secret"), false},
		{at("a", 3, 3, "append x"), at("b", 2, 3, "remove this"), false},
		{at("a", 3, 6, "keep this encoded: x"), at("b", 3, 6, "this may be written %2F: the digits mean the same"),
			false},
	} {
		_, ok1 := adviceOf(c.a)
		_, ok2 := adviceOf(c.b)
		if got := opposites(c.a, c.b); !ok1 || !ok2 || got != c.want || got != opposites(c.b, c.a) {
			t.Errorf("%v and %v: opposite %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
