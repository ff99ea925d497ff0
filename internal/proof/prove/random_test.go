package prove

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Random pairs of files are proven here: a grammar in ABNF and a PEG that transcribes it, with a fault in most of them. What
// "proven" must mean is found out without any of what the proof uses: on all short words each production derives what its
// rule matches, by interpreters, and nothing is missing. What "refuted" must mean is found out on the word that the fault shows.

var randomPairs = flag.Int("pairs", 300, "how many random pairs of grammars are proven")

// A randomPair is a pair of files with what is known about them.
type randomPair struct {
	*rand.Rand
	names       []string            // of all productions, in order
	uses        map[string][]string // by production that is defined
	ruleOf      map[string]string   // production -> the rule that transcribes it, if one does
	fault       string
	abnf, rules []string // the lines of the files
	how         catalog.FileOptions
	options     Options
	mistake     bool // Files must refuse the pair
}

var aName = regexp.MustCompile(`\br[0-9]\b`)

func newRandomPair(seed uint64) *randomPair {
	p := &randomPair{Rand: rand.New(rand.NewPCG(seed, 11)), uses: map[string][]string{}, ruleOf: map[string]string{}}
	data := fuzztest.Random(p.Rand, 60, false)
	data[0] = byte(1 + p.IntN(3))
	g := fuzztest.New(data)
	kind := p.IntN(14)
	var changes []byte
	if kind > 9 {
		p.fault, changes = "a rule is changed", fuzztest.Random(p.Rand, 20, true)
	}
	lines := func(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }
	p.abnf, p.rules = lines(g.ABNF()), lines(g.PEG(changes))
	for i, line := range p.abnf {
		name, right, _ := strings.Cut(line, " = ")
		p.names = append(p.names, name)
		p.uses[name], p.ruleOf[name] = aName.FindAllString(right, -1), name
		p.abnf[i] = name + " = " + aName.ReplaceAllStringFunc(right, func(s string) string {
			return []string{s, strings.ToUpper(s)}[p.IntN(2)]
		})
	}
	at := p.IntN(len(p.names))
	victim, right := p.names[at], strings.TrimPrefix(p.abnf[at], p.names[at]+" = ")
	everywhere := func(to string) {
		for i, line := range p.rules {
			p.rules[i] = regexp.MustCompile(`\b`+victim+`\b`).ReplaceAllLiteralString(line, to)
		}
	}
	switch kind {
	case 0, 1:
		p.fault = "a rule is dropped"
		body := strings.TrimPrefix(p.rules[at], victim+" <- ")
		p.rules = slices.Delete(p.rules, at, at+1)
		everywhere("( " + body + " )")
		delete(p.ruleOf, victim)
	case 2:
		p.fault, p.mistake = "a production is there twice", true
		p.abnf = append(p.abnf, strings.ToUpper(victim)+` = "another"`)
	case 3, 4, 5:
		p.fault = "a name is undefined"
		p.abnf = slices.Delete(p.abnf, at, at+1)
		if p.IntN(3) == 0 {
			p.how.Define = [][2]string{{victim, right}}
			p.mistake = !slices.ContainsFunc(p.names, func(name string) bool { return slices.Contains(p.uses[name], victim) })
		} else {
			delete(p.uses, victim)
		}
	case 6:
		p.fault = "a rule is called otherwise"
		everywhere(victim + "_other")
		delete(p.ruleOf, victim)
	case 7:
		p.fault = "rules are exchanged"
		a, b := p.names[0], p.names[len(p.names)-1]
		p.ruleOf[a], p.ruleOf[b] = b, a
		p.how.Rules = [][2]string{{strings.ToUpper(a), b}, {b, a}}
	}
	p.Shuffle(len(p.rules), func(i, j int) { p.rules[i], p.rules[j] = p.rules[j], p.rules[i] })
	if name := p.names[p.IntN(len(p.names))]; p.IntN(3) == 0 && p.uses[name] != nil {
		p.options.Productions = []string{name}
	}
	p.options.AllowMissing = p.IntN(3) == 0
	return p
}

// defined reports whether there is a production of a name.
func (p *randomPair) defined(name string) bool {
	_, ok := p.uses[name]
	return ok
}

// needed lists the productions that are asked for, and what they use.
func (p *randomPair) needed() (list []string) {
	list = slices.Clone(p.options.Productions)
	if len(list) == 0 {
		list = slices.DeleteFunc(slices.Clone(p.names), func(name string) bool { return !p.defined(name) })
	}
	for i := 0; i < len(list); i++ {
		for _, name := range p.uses[list[i]] {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// incomplete returns what is missing, "" if nothing is.
func (p *randomPair) incomplete() string {
	held := map[string]bool{}      // by the rule of a production that uses it, which has it in its place
	for _, name := range p.names { // each uses later ones
		if slices.Contains(p.needed(), name) && (p.ruleOf[name] != "" || held[name]) {
			for _, use := range p.uses[name] {
				held[use] = true
			}
		}
	}
	for _, name := range p.needed() {
		switch {
		case !p.defined(name):
			return name + " is not defined"
		case p.ruleOf[name] != "":
		case !p.options.AllowMissing || !held[name] || slices.Contains(p.options.Productions, name):
			return name + " has no rule"
		}
	}
	return ""
}

func TestRandomPairs(t *testing.T) {
	verdicts := map[string]int{}
	compared := 0
	for seed := range uint64(*randomPairs) {
		p := newRandomPair(seed)
		abnf, rules := strings.Join(p.abnf, "\n")+"\n", strings.Join(p.rules, "\n")+"\n"
		failf := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d, %s, %+v, %+v: %s\n%s\n%s", seed, p.fault, p.how, p.options, fmt.Sprintf(format, args...), abnf, rules)
		}
		pair, err := catalog.Files("x.abnf", []byte(abnf), "x.peg", []byte(rules), p.how)
		if (err != nil) != p.mistake {
			failf("the error is %v", err)
		}
		if err != nil {
			verdicts[p.fault+": error"]++
			continue
		}
		r, err := Prove(pair, p.options)
		if err != nil {
			failf("%v", err)
		}
		verdicts[p.fault+": "+string(r.Verdict)]++
		parts := func(name, w string) bool {
			end, _ := peg.Match(pair.PEG, expr.To(name), w, 0)
			return pegtest.Derives(pair.BNF, name, w) != (end == len(w))
		}
		missing, differs, loops := p.incomplete(), "", false
		languages := must.Of(lang.NewPEG(pair.PEG, lang.Limits{}))(t)
		for _, name := range p.needed() {
			if p.ruleOf[name] == "" || !p.defined(name) {
				continue
			}
			loops = loops || languages.WellFormed(name) != nil
			for _, w := range fuzztest.Words[:40] { // of up to three letters
				compared++
				if parts(name, w) {
					differs = fmt.Sprintf("%s and its rule part on %q", name, w)
				}
			}
		}
		switch {
		case r.Verdict == VerdictProven && (missing != "" || differs != "" || loops):
			failf("proven, but %s %s (for ever: %t)", missing, differs, loops)
		case r.Verdict == VerdictIncomplete && missing == "":
			failf("incomplete, and nothing is missing: %v", r.Faults)
		case r.Verdict == VerdictRefused && !loops:
			failf("refused, and nothing is repeated for ever: %v", r.Faults)
		case r.Verdict == VerdictUndecided:
			failf("undecided: %v", r.Faults)
		}
		if r.Verdict == VerdictProven && r.Equal+len(r.InPlace) != r.Asked {
			failf("%s: %d of %d, in place %v", r.Verdict, r.Equal, r.Asked, r.InPlace)
		}
		for _, f := range r.Faults {
			if !strings.HasPrefix(f.Place, "x.abnf:") && !strings.HasPrefix(f.Place, "x.peg:") && !strings.HasPrefix(f.Place, "--define ") {
				failf("a fault without a place: %v", f)
			}
			if f.Kind == Language && !parts(f.Production, string(*f.Word)) {
				failf("%v: not so", f)
			}
		}
	}
	t.Logf("%d words compared; %v", compared, verdicts)
	if *randomPairs >= 300 {
		for _, want := range []string{
			": proven", ": refuted", ": refused", "a rule is dropped: incomplete", "a rule is dropped: proven", "a production is there twice: error",
			"a name is undefined: error", "a name is undefined: incomplete", "a rule is changed: refuted", "a rule is changed: proven",
			"a rule is called otherwise: incomplete", "rules are exchanged: refuted",
		} {
			if verdicts[want] == 0 {
				t.Errorf("no pair ends with %q", want)
			}
		}
	}
}
