package prove

import (
	"flag"
	"fmt"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Random pairs of files are proven here: a grammar in ABNF and a PEG that is made from it, with a fault in most of them. What
// "proven" must mean is found out without any of what the proof uses: on all short words each production derives what its
// rule matches, and nothing is missing. What "refuted" must mean is found out on the word that the fault shows.

var randomPairs = flag.Int("pairs", 600, "how many random pairs of grammars are proven")

// A part is an expression of both grammars.
type part struct {
	op  byte // '"' a letter, '0' the core rule BIT, 'r' a name, 's' sequence, '/' choice, '?' '*' '+' repetitions, '!' not
	to  string
	sub []*part
}

// abnf writes p down in ABNF.
func (p *part) abnf(r *rand.Rand) string {
	var parts []string
	for _, s := range p.sub {
		parts = append(parts, s.abnf(r))
	}
	switch p.op {
	case '"':
		return []string{`%s"` + p.to + `"`, fmt.Sprintf("%%x%X", p.to[0]), fmt.Sprintf("%%d%d", p.to[0])}[r.IntN(3)]
	case '0':
		return []string{"BIT", "bit"}[r.IntN(2)]
	case 'r':
		return []string{p.to, strings.ToUpper(p.to), strings.ToLower(p.to)}[r.IntN(3)]
	case 's':
		return "( " + strings.Join(parts, " ") + " )"
	case '/':
		return "( " + strings.Join(parts, " / ") + " )"
	case '?':
		return "[ " + parts[0] + " ]"
	case '*':
		return "*( " + parts[0] + " )"
	}
	return "1*( " + parts[0] + " )"
}

// peg writes p down for pigeon.
func (p *part) peg() string {
	var parts []string
	for _, s := range p.sub {
		parts = append(parts, s.peg())
	}
	switch p.op {
	case '"':
		return `"` + p.to + `"`
	case '0':
		return "[01]"
	case 'r':
		return strings.ReplaceAll(p.to, "-", "_")
	case 's':
		return "( " + strings.Join(parts, " ") + " )"
	case '/':
		return "( " + strings.Join(parts, " / ") + " )"
	case '!':
		return "!" + parts[0]
	}
	return "( " + parts[0] + " )" + string(p.op)
}

// ends returns where p can end in w if it begins at place i, as bits, by the rules of ABNF.
func (p *part) ends(w string, i int, names map[string]*part) uint32 {
	from := func(p *part, at uint32) (out uint32) {
		for i := 0; i <= len(w); i++ {
			if at>>i&1 != 0 {
				out |= p.ends(w, i, names)
			}
		}
		return out
	}
	at := uint32(1) << i
	switch p.op {
	case '"', '0':
		if i < len(w) && (p.op == '"' && w[i] == p.to[0] || p.op == '0' && (w[i] == '0' || w[i] == '1')) {
			return at << 1
		}
		return 0
	case 'r':
		if names[p.to] == nil {
			return 0
		}
		return names[p.to].ends(w, i, names)
	case 's':
		for _, s := range p.sub {
			at = from(s, at)
		}
		return at
	case '/':
		at = 0
		for _, s := range p.sub {
			at |= s.ends(w, i, names)
		}
		return at
	case '?':
		return at | p.sub[0].ends(w, i, names)
	}
	var all uint32
	if p.op == '*' {
		all = at
	}
	for {
		at = from(p.sub[0], at)
		if at|all == all {
			return all
		}
		all |= at
	}
}

// The ends of a match that there are beside places.
const (
	fails   = -1
	forever = -2
)

// matches returns where p ends in w if it begins at place i, by the rules of a PEG.
func (p *part) matches(w string, i int, rules map[string]*part) int {
	switch p.op {
	case '"', '0':
		if i < len(w) && (p.op == '"' && w[i] == p.to[0] || p.op == '0' && (w[i] == '0' || w[i] == '1')) {
			return i + 1
		}
		return fails
	case 'r':
		return rules[p.to].matches(w, i, rules)
	case 's':
		for _, s := range p.sub {
			if i = s.matches(w, i, rules); i < 0 {
				return i
			}
		}
		return i
	case '/':
		for _, s := range p.sub {
			if end := s.matches(w, i, rules); end != fails {
				return end
			}
		}
		return fails
	case '!':
		switch end := p.sub[0].matches(w, i, rules); {
		case end == forever:
			return forever
		case end == fails:
			return i
		}
		return fails
	}
	for n := 0; ; n++ {
		end := p.sub[0].matches(w, i, rules)
		switch {
		case end == forever || end == i && p.op != '?':
			return forever
		case end == fails && (n > 0 || p.op != '+'):
			return i
		case end == fails:
			return fails
		case p.op == '?':
			return end
		}
		i = end
	}
}

// uses lists the names in p.
func (p *part) uses() (list []string) {
	if p.op == 'r' {
		list = append(list, p.to)
	}
	for _, s := range p.sub {
		list = append(list, s.uses()...)
	}
	return list
}

// with returns a copy of p in which f has replaced what it wants to.
func (p *part) with(f func(*part) *part) *part {
	c := *p
	c.sub = nil
	for _, s := range p.sub {
		c.sub = append(c.sub, s.with(f))
	}
	return f(&c)
}

// A randomPair is a pair of files with what is known about them.
type randomPair struct {
	*rand.Rand
	names       []string // of all productions, in order
	bnf         map[string]*part
	peg         map[string]*part  // by the name of the production; what is written in place is replaced
	ruleOf      map[string]string // production -> identifier of the rule
	fault       string
	abnf, rules string // the files
	how         catalog.FileOptions
	options     Options
	mistake     bool // Files must refuse the pair
}

func newRandomPair(seed uint64) *randomPair {
	p := &randomPair{
		Rand: rand.New(rand.NewPCG(seed, 11)), names: []string{"start", "Mid-x", "low", "end"}[:2+int(seed%3)],
		bnf: map[string]*part{}, peg: map[string]*part{}, ruleOf: map[string]string{},
	}
	for i, name := range p.names {
		p.bnf[name] = p.part(3, p.names[i+1:])
		p.peg[name] = p.bnf[name]
		p.ruleOf[name] = strings.ReplaceAll(name, "-", "_")
		if p.IntN(2) == 0 { // longer alternatives first is what a careful person writes
			p.peg[name] = p.bnf[name].with(func(x *part) *part {
				if x.op == '/' {
					slices.SortStableFunc(x.sub, func(a, b *part) int { return len(b.peg()) - len(a.peg()) })
				}
				return x
			})
		}
	}
	victim := p.names[p.IntN(len(p.names))]
	before, after := "", ""
	skip := ""
	right := func(name string) string { return p.bnf[name].abnf(p.Rand) }
	switch p.IntN(14) {
	case 0, 1:
		p.fault = "a rule is dropped"
		body := p.peg[victim]
		delete(p.peg, victim)
		for name, e := range p.peg {
			p.peg[name] = e.with(func(x *part) *part {
				if x.op == 'r' && x.to == victim {
					return body
				}
				return x
			})
		}
	case 2:
		p.fault, p.mistake = "a production is there twice", true
		after = strings.ToUpper(victim) + " = " + right(p.names[0]) + " \"another\"\n"
	case 3, 4:
		p.fault, skip = "a name is undefined", victim
		if p.IntN(3) == 0 {
			p.how.Define = [][2]string{{victim, right(victim)}}
			used := slices.ContainsFunc(p.names, func(name string) bool { return name != victim && slices.Contains(p.bnf[name].uses(), victim) })
			p.mistake, skip = !used, "supplied "+victim
		}
	case 5, 6, 7, 8:
		p.fault = "a rule is changed"
		p.peg[victim] = p.changed(p.peg[victim])
	case 9:
		p.fault = "a rule is called otherwise"
		p.ruleOf[victim] += "_other"
	case 10:
		p.fault = "rules are exchanged"
		a, b := p.names[0], p.names[len(p.names)-1]
		p.how.Rules = [][2]string{{strings.ToUpper(a), p.ruleOf[b]}, {b, p.ruleOf[a]}}
	}
	for _, name := range p.names {
		if name == skip || "supplied "+name == skip {
			continue
		}
		before += name + " = " + right(name) + "\n"
	}
	p.abnf = before + after
	var rules []string
	for _, name := range p.names {
		if e := p.peg[name]; e != nil {
			e = e.with(func(x *part) *part { return x })
			text := e.with(func(x *part) *part {
				if x.op == 'r' {
					x.to = p.ruleOf[x.to]
				}
				return x
			}).peg()
			rules = append(rules, p.ruleOf[name]+" <- "+text+"\n")
		}
	}
	p.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
	p.rules = strings.Join(rules, "")
	if skip == victim {
		delete(p.bnf, victim)
	}
	if p.IntN(3) == 0 {
		if name := p.names[p.IntN(len(p.names))]; p.bnf[name] != nil {
			p.options.Productions = []string{name}
		}
	}
	p.options.AllowMissing = p.IntN(3) == 0
	return p
}

// part makes an expression that uses these names.
func (p *randomPair) part(depth int, names []string) *part {
	if depth == 0 || p.IntN(5) == 0 {
		switch n := p.IntN(6); {
		case n < 3 && len(names) > 0:
			return &part{op: 'r', to: names[p.IntN(len(names))]}
		case n == 3:
			return &part{op: '0'}
		}
		return &part{op: '"', to: []string{"a", "b"}[p.IntN(2)]}
	}
	switch n := p.IntN(8); {
	case n < 3:
		return &part{op: 's', sub: []*part{p.part(depth-1, names), p.part(depth-1, names)}}
	case n < 5:
		return &part{op: '/', sub: []*part{p.part(depth-1, names), p.part(depth-1, names)}}
	case n == 5:
		return &part{op: '?', sub: []*part{p.part(depth-1, names)}}
	}
	sub := p.part(0, nil) // not empty
	if p.IntN(12) == 0 {
		sub = p.part(depth-1, names)
	}
	return &part{op: "*+"[p.IntN(2)], sub: []*part{sub}}
}

// changed returns e with one part of it changed.
func (p *randomPair) changed(e *part) *part {
	n := 0
	e.with(func(x *part) *part { n++; return x })
	at := p.IntN(n)
	return e.with(func(x *part) *part {
		if at--; at != -1 {
			return x
		}
		switch p.IntN(5) {
		case 0:
			return &part{op: '?', sub: []*part{x}}
		case 1:
			return &part{op: 's', sub: []*part{{op: '!', sub: []*part{{op: '"', to: "a"}}}, x}}
		case 2:
			return &part{op: '/', sub: []*part{{op: '"', to: "b"}, x}}
		case 3:
			if x.op == '*' || x.op == '+' {
				x.op ^= '*' ^ '+'
			}
			slices.Reverse(x.sub)
			return x
		}
		if x.op == '"' {
			return &part{op: '"', to: map[string]string{"a": "b", "b": "a"}[x.to]}
		}
		return &part{op: '"', to: "a"}
	})
}

// rule returns what the rule matches that transcribes a production; nil if there is none.
func (p *randomPair) rule(name string) *part {
	if len(p.how.Rules) > 0 { // two are exchanged
		switch name {
		case p.names[0]:
			name = p.names[len(p.names)-1]
		case p.names[len(p.names)-1]:
			name = p.names[0]
		}
	}
	if strings.HasSuffix(p.ruleOf[name], "_other") {
		return nil
	}
	return p.peg[name]
}

// needed lists the productions that are asked for, and the names without one among them.
func (p *randomPair) needed() map[string]bool {
	out := map[string]bool{}
	todo := p.options.Productions
	if len(todo) == 0 {
		todo = slices.Collect(maps.Keys(p.bnf))
	}
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if !out[name] {
			out[name] = true
			if p.bnf[name] != nil {
				todo = append(todo[:len(todo):len(todo)], p.bnf[name].uses()...)
			}
		}
	}
	return out
}

// incomplete returns what is missing, "" if nothing is.
func (p *randomPair) incomplete() string {
	needed := p.needed()
	held := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for name := range needed {
			if p.bnf[name] != nil && (p.rule(name) != nil || held[name]) {
				for _, use := range p.bnf[name].uses() {
					changed = changed || !held[use]
					held[use] = true
				}
			}
		}
	}
	for name := range needed {
		switch {
		case p.bnf[name] == nil:
			return name + " is not defined"
		case p.rule(name) != nil:
		case !p.options.AllowMissing || !held[name] || slices.Contains(p.options.Productions, name):
			return name + " has no rule"
		}
	}
	return ""
}

func TestRandomPairs(t *testing.T) {
	words := []string{""}
	for from, n := 0, 0; n < 4; n++ {
		to := len(words)
		for _, w := range words[from:to] {
			words = append(words, w+"a", w+"b", w+"0")
		}
		from = to
	}
	verdicts := map[string]int{}
	compared := 0
	for seed := range uint64(*randomPairs) {
		p := newRandomPair(seed)
		failf := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d, %s, %+v, %+v: %s\n%s\n%s", seed, p.fault, p.how, p.options, fmt.Sprintf(format, args...), p.abnf, p.rules)
		}
		pair, err := catalog.Files("x.abnf", []byte(p.abnf), "x.peg", []byte(p.rules), p.how)
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
		missing := p.incomplete()
		differs, loops := "", false
		for name := range p.needed() {
			rule := p.rule(name)
			if rule == nil || p.bnf[name] == nil {
				continue
			}
			for _, w := range words {
				compared++
				end := rule.matches(w, 0, p.peg)
				loops = loops || end == forever
				if derives := p.bnf[name].ends(w, 0, p.bnf)>>len(w)&1 != 0; derives != (end == len(w)) {
					differs = fmt.Sprintf("%s derives %q: %t, its rule ends at %d", name, w, derives, end)
				}
			}
		}
		switch {
		case r.Verdict == VerdictProven && (missing != "" || differs != "" || loops):
			failf("proven, but %s %s (for ever: %t)", missing, differs, loops)
		case r.Verdict == VerdictIncomplete && missing == "":
			failf("incomplete, and nothing is missing: %v", r.Faults)
		case r.Verdict == VerdictRefused && !strings.ContainsAny(p.rules, "*+"):
			failf("refused, and nothing is repeated: %v", r.Faults)
		case r.Verdict == VerdictUndecided:
			failf("undecided: %v", r.Faults)
		}
		if (r.Verdict == VerdictProven) != r.Holds() || r.Holds() && r.Equal+len(r.InPlace) != r.Asked {
			failf("%s: %d of %d, in place %v", r.Verdict, r.Equal, r.Asked, r.InPlace)
		}
		for _, f := range r.Faults {
			if !strings.HasPrefix(f.Place, "x.abnf:") && !strings.HasPrefix(f.Place, "x.peg:") && !strings.HasPrefix(f.Place, "--define ") {
				failf("a fault without a place: %v", f)
			}
			if f.Kind != Language {
				continue
			}
			w := string(*f.Word)
			derives := len(w) < 32 && p.bnf[f.Production].ends(w, 0, p.bnf)>>len(w)&1 != 0
			if end := p.rule(f.Production).matches(w, 0, p.peg); len(w) < 32 && derives == (end == len(w)) {
				failf("%v: not so", f)
			}
		}
	}
	t.Logf("%d words compared; %v", compared, verdicts)
	if *randomPairs >= 600 {
		for _, want := range []string{
			": proven", ": refuted", ": refused", "a rule is dropped: incomplete", "a rule is dropped: proven",
			"a production is there twice: error",
			"a name is undefined: incomplete", "a rule is changed: refuted", "a rule is changed: proven",
			"a rule is called otherwise: incomplete",
			"rules are exchanged: refuted",
		} {
			if verdicts[want] == 0 {
				t.Errorf("no pair ends with %q", want)
			}
		}
	}
}
