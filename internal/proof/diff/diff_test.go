package diff

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// abnf makes a side of a grammar of one line or more; its start is the first rule.
func abnf(t testing.TB, src string) catalog.Language {
	t.Helper()
	g := must.Of(bnf.ReadABNF("test.abnf", []byte(src+"\n")))(t)
	return catalog.Language{Grammar: g, Production: g.Rules[0].ID}
}

func diff(t testing.TB, a, b catalog.Language) *Difference {
	t.Helper()
	return must.Of(Compare(a, b, Options{MaxLength: 8}))(t)
}

func TestDiff(t *testing.T) {
	for _, tt := range []struct {
		a, b                string
		relation            Relation
		onlyA, both, onlyB  string // shortest; "-" for none
		causes              string // witness:offset:region:at, in order
		countA, countAB, cB string // of lengths 0 to 3
	}{
		{`a = *%s"x"`, `b = "" / 1*%s"x"`, Equal, "-", `""`, "-", "", "0 0 0 0", "1 1 1 1", "0 0 0 0"},
		{`a = *%s"x"`, `b = *%s"xx"`, Contains, "x", `""`, "-", "x:1:only A:end", "0 1 0 1", "1 0 1 0", "0 0 0 0"},
		{`a = %s"x"`, `b = *%s"x"`, ContainedIn, "-", "x", `""`, `"":0:only B:end xx:1:only B:x`, "0 0 0 0", "0 1 0 0",
			"1 0 1 1"},
		{`a = %s"x" / %s"y"`, `b = %s"z"`, Disjoint, "x", "-", "z", "x:0:only A:[xy] z:0:only B:z", "0 2 0 0",
			"0 0 0 0", "0 1 0 0"},
		{`a = %s"xy"`, `b = %s"x" / %s"y"`, Disjoint, "xy", "-", "x", "x:1:only B:end y:0:only B:y xy:1:only A:y",
			"0 0 1 0", "0 0 0 0", "0 2 0 0"},
		{`a = %s"x" nothing` + "\n" + `nothing = %s"x" nothing`, `b = %s"x"`, ContainedIn, "-", "-", "x",
			"x:0:only B:start", "0 0 0 0", "0 0 0 0", "0 1 0 0"},
	} {
		t.Run(tt.a+" "+tt.b, func(t *testing.T) {
			d := diff(t, abnf(t, tt.a), abnf(t, tt.b))
			if d.Relation != tt.relation {
				t.Errorf("relation %q, want %q", d.Relation, tt.relation)
			}
			got := d.OnlyA.First() + " " + d.Both.First() + " " + d.OnlyB.First()
			if want := tt.onlyA + " " + tt.both + " " + tt.onlyB; got != want {
				t.Errorf("shortest %s, want %s", got, want)
			}
			var causes []string
			for _, c := range d.Causes {
				at := string(c.At)
				if c.At == AtByte {
					at = c.Bytes
				}
				if len(at) == 3 && at[0] == '[' {
					at = at[1:2]
				}
				causes = append(causes, fmt.Sprintf("%s:%d:%s:%s", c.Witness, c.Offset, c.Region, at))
			}
			if got := strings.Join(causes, " "); got != tt.causes {
				t.Errorf("causes %s, want %s", got, tt.causes)
			}
			for i, want := range []string{tt.countA, tt.countAB, tt.cB} {
				counts := [][]*big.Int{d.OnlyA.Counts, d.Both.Counts, d.OnlyB.Counts}[i]
				if got := strings.Trim(fmt.Sprint(counts[:4]), "[]"); got != want {
					t.Errorf("counts %s, want %s", got, want)
				}
			}
			if err := checkPartition(d); err != nil {
				t.Error(err)
			}
		})
	}
}

// standard returns the standard comparison of the published grammars.
func standard(t testing.TB, o Options) []*Difference {
	t.Helper()
	s := must.Of(catalog.Load(catalog.Version{}))(t)
	var ds []*Difference
	for _, c := range Standard(s[0], s[1]) {
		ds = append(ds, must.Of(c.Diff(o))(t))
	}
	return ds
}

// TestCausesPartitionTheDifference: every string that one side alone accepts has exactly one cause, and one class.
func TestCausesPartitionTheDifference(t *testing.T) {
	for _, d := range standard(t, Options{}) {
		t.Run(d.Topic, func(t *testing.T) {
			if err := checkPartition(d); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkCounts holds the counts of the causes, and those of all ways by which strings part, against those of the regions.
func checkCounts(d *Difference) error {
	max := len(d.Both.Counts) - 1
	sums, ways := map[Region]Counts{OnlyA: zeros(max), OnlyB: zeros(max)}, map[Region]Counts{OnlyA: zeros(max), OnlyB: zeros(max)}
	for _, c := range d.Causes {
		for n, k := range c.Counts {
			sums[c.Region][n].Add(sums[c.Region][n], k)
		}
	}
	d.walk.countClasses(func(k classKey) Counts { return ways[d.walk.groups[k.group].region] })
	for r, part := range map[Region]Part{OnlyA: d.OnlyA, OnlyB: d.OnlyB} {
		for n, want := range part.Counts {
			if ways[r][n].Cmp(want) != 0 {
				return fmt.Errorf("%s: %d strings of length %d part, and there are %d", r, ways[r][n], n, want)
			}
			if sums[r][n].Cmp(want) != 0 {
				return fmt.Errorf("%s: the causes have %d strings of length %d, and there are %d", r, sums[r][n], n, want)
			}
		}
	}
	return nil
}

// checkPartition builds the automaton of all that d's walk says: its steps, its exits, and after an exit what the side
// that goes on accepts. Read as words it must be the symmetric difference. And it must be unambiguous, so that no word
// has two causes: no word may lead to two states of it from which some word in common is accepted, which is seen on its
// square.
func checkPartition(d *Difference) error {
	w := d.walk
	n := &lang.NFA{States: make([]lang.NFAState, len(w.pairs))}
	state := func() int32 {
		n.States = append(n.States, lang.NFAState{})
		return int32(len(n.States) - 1)
	}
	n.Final = state()
	rest := map[*lang.DFA]int32{}
	for _, a := range []*lang.DFA{w.a.dfa, w.b.dfa} {
		rest[a] = int32(len(n.States))
		for range a.States() {
			state()
		}
		for q := range a.States() {
			from := &n.States[rest[a]+int32(q)]
			for c := range a.Classes() {
				if to := a.NextClass(q, c); a.Live(to) {
					from.Edges = append(from.Edges, lang.Edge{Set: a.ClassSet(c), To: rest[a] + int32(to)})
				}
			}
			if a.Accepts(q) {
				from.Epsilon = append(from.Epsilon, n.Final)
			}
		}
	}
	for i, p := range w.pairs {
		from := &n.States[i]
		for _, c := range w.classes {
			if to, ok := w.index[[2]int{w.a.step(p.a, c.first), w.b.step(p.b, c.first)}]; ok {
				from.Edges = append(from.Edges, lang.Edge{Set: c.bytes, To: int32(to)})
			}
		}
		for _, x := range p.exits {
			g := w.groups[x.group]
			goes, _ := w.sidesOf(g.region)
			to := rest[goes.dfa] + int32(x.to)
			switch g.at {
			case AtByte:
				from.Edges = append(from.Edges, lang.Edge{Set: x.bytes, To: to})
			case AtEnd:
				from.Epsilon = append(from.Epsilon, n.Final)
			case AtStart:
				from.Epsilon = append(from.Epsilon, to)
			}
		}
	}
	all, err := n.Determinize(lang.Limits{})
	if err != nil {
		return err
	}
	want := w.a.dfa.SymmetricDifference(w.b.dfa)
	if missing, ok := want.Minus(all).Shortest(); ok {
		return fmt.Errorf("%q is in the difference and has no cause", missing)
	}
	if extra, ok := all.Minus(want).Shortest(); ok {
		return fmt.Errorf("%q has a cause and is not in the difference", extra)
	}
	if word, ok := ambiguous(n); ok {
		return fmt.Errorf("%q parts twice", word)
	}
	return checkCounts(d)
}

// ambiguous returns a word that n accepts in two ways; ok is false if there is none. All its epsilon edges but those of the start
// lead to the final state, so two ways differ in the states where they read a byte, or in how they end.
func ambiguous(n *lang.NFA) (word string, ok bool) {
	type square struct{ p, q int32 }
	words := map[square]string{}
	var todo []square
	enter := func(p, q int32, w string) {
		if p > q {
			p, q = q, p
		}
		s := square{p, q}
		if _, ok := words[s]; !ok {
			words[s] = w
			todo = append(todo, s)
		}
	}
	starts := append([]int32{n.Start}, n.States[n.Start].Epsilon...)
	for i, p := range starts {
		for _, q := range starts[i:] {
			enter(p, q, "")
		}
	}
	ends := func(q int32) (ways int) {
		for _, to := range n.States[q].Epsilon {
			if to == n.Final {
				ways++
			}
		}
		return ways
	}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		if k := ends(s.p) * ends(s.q); s.p == s.q && k > 1 || s.p != s.q && k > 0 {
			return words[s], true
		}
		for i, e := range n.States[s.p].Edges {
			for j, f := range n.States[s.q].Edges {
				common := e.Set.Intersect(f.Set)
				if common.IsEmpty() || s.p == s.q && j < i {
					continue
				}
				if s.p == s.q && i != j && e.To == f.To {
					return words[s] + string(common.Members()[:1]), true // the beginning of one, at least
				}
				enter(e.To, f.To, words[s]+string(common.Members()[:1]))
			}
		}
	}
	return "", false
}

// TestPartitionCheckComplains: what is broken on purpose is found.
func TestPartitionCheckComplains(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(w *walk)
	}{
		{"an exit left out", func(w *walk) { w.pairs[3].exits = w.pairs[3].exits[1:] }},
		{"an exit twice", func(w *walk) { w.pairs[3].exits = append(w.pairs[3].exits, w.pairs[3].exits[0]) }},
		{"a byte too many", func(w *walk) { w.pairs[3].exits[0].bytes.Add('a') }},
		{"a wrong state", func(w *walk) { w.pairs[3].exits[0].to = 0 }},
	} {
		a, b := abnf(t, `a = *(%s"xy" / %s"z") [%s"q"]`), abnf(t, `b = *%s"x" *(%s"y" / %s"zz") *%s"p"`)
		d := diff(t, a, b)
		must.Do(t, checkPartition(d))
		if len(d.walk.pairs) < 4 || len(d.walk.pairs[3].exits) == 0 || d.walk.groups[d.walk.pairs[3].exits[0].group].at != AtByte {
			t.Fatalf("the example has no exit to break")
		}
		tt.spoil(d.walk)
		if checkPartition(d) == nil {
			t.Errorf("%s: not found", tt.name)
		}
	}
}

// TestCausesOnWords holds causes against the definition, word by word: the first prefix after which exactly one language
// has words left, or the end.
func TestCausesOnWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const letters = "xyz"
	for range 300 {
		d := diff(t, randomSide(t, rng, letters), randomSide(t, rng, letters))
		a, b := d.walk.a.dfa, d.walk.b.dfa
		total := map[string][]*big.Int{}
		for word := range lang.OfSet(expr.Bytes(letters)).Star().Enumerate(6) {
			c, ok := d.Cause(word)
			if ok != (a.Match(word) != b.Match(word)) {
				t.Fatalf("%s\n%q: has a cause: %v", show(d), word, ok)
			}
			if !ok {
				continue
			}
			region, at, offset := partingPoint(a, b, word)
			if c.Region != region || c.At != at {
				t.Fatalf("%s\n%q: parts %s %s, want %s %s", show(d), word, c.Region, c.At, region, at)
			}
			if at == AtByte && !strings.Contains(strings.ReplaceAll(c.Bytes, "x-z", "xyz"), word[offset:offset+1]) {
				t.Fatalf("%s\n%q: parts at %q, which is not in %s", show(d), word, word[offset], c.Bytes)
			}
			if lang.Compare(word, string(c.Witness)) < 0 {
				t.Fatalf("%s\n%q: comes before the witness %q", show(d), word, c.Witness)
			}
			key := string(c.Witness)
			if total[key] == nil {
				total[key] = zeros(8)
			}
			total[key][len(word)].Add(total[key][len(word)], big.NewInt(1))
		}
		for _, c := range d.Causes {
			for n := range 7 {
				counted := new(big.Int)
				if total[string(c.Witness)] != nil {
					counted = total[string(c.Witness)][n]
				}
				if c.Counts[n].Cmp(counted) != 0 {
					t.Fatalf("%s\n%q: %d strings of length %d, want %d", show(d), c.Witness, c.Counts[n], n, counted)
				}
			}
		}
	}
}

// partingPoint is the definition.
func partingPoint(a, b *lang.DFA, word string) (Region, At, int) {
	region := OnlyA
	if b.Match(word) {
		region = OnlyB
	}
	for n := 0; n <= len(word); n++ {
		if a.Live(a.Run(0, word[:n])) != b.Live(b.Run(0, word[:n])) {
			if n == 0 {
				return region, AtStart, 0
			}
			return region, AtByte, n - 1
		}
	}
	return region, AtEnd, len(word)
}

func show(d *Difference) string {
	return d.A.Production + " = " + d.walk.a.rule.Expr.String() + "\n" + d.B.Production + " = " + d.walk.b.rule.Expr.String()
}

// randomSide returns a grammar of three rules over the letters.
func randomSide(t testing.TB, rng *rand.Rand, letters string) catalog.Language {
	var random func(depth, rule int) string
	random = func(depth, rule int) string {
		switch k := rng.IntN(7); {
		case k == 0 && rule < 2:
			return fmt.Sprintf("r%d", rule+1)
		case depth == 0 || k <= 1:
			return fmt.Sprintf(`%%s"%c"`, letters[rng.IntN(len(letters))])
		case k == 2:
			return "*(" + random(depth-1, rule) + ")"
		case k == 3:
			return "[" + random(depth-1, rule) + "]"
		case k == 4:
			return "(" + random(depth-1, rule) + " / " + random(depth-1, rule) + ")"
		}
		return "(" + random(depth-1, rule) + " " + random(depth-1, rule) + ")"
	}
	var src strings.Builder
	for rule := range 3 {
		fmt.Fprintf(&src, "r%d = %s\n", rule, random(3, rule))
	}
	return abnf(t, src.String())
}

// TestWitnessesThroughTheParsers: the parsers that users get accept every witness on its side, and on no other.
func TestWitnessesThroughTheParsers(t *testing.T) {
	accepts := func(p Party, w quote.Word) bool {
		g := must.Of(bnfcheck.Find(p.Grammar))(t)
		k, _ := g.Kind(p.Production)
		return g.Accept(k, string(w))
	}
	for _, d := range standard(t, Options{MaxLength: 1}) {
		check := func(r Region, w quote.Word) {
			if a, b := accepts(d.A, w), accepts(d.B, w); a != (r != OnlyB) || b != (r != OnlyA) {
				t.Errorf("%s: %s: accepted by %s: %v, by %s: %v, and it is in the region %s", d.Topic, w, d.A, a, d.B, b, r)
			}
		}
		for r, p := range map[Region]Part{OnlyA: d.OnlyA, Both: d.Both, OnlyB: d.OnlyB} {
			if p.Shortest != nil {
				check(r, *p.Shortest)
			}
		}
		for _, c := range d.Causes {
			check(c.Region, c.Witness)
			for _, class := range c.Classes {
				check(c.Region, class.Witness)
			}
		}
	}
}

// TestURLsLeaveRFC1738ByTheQuoteMark: otherurl derives every URL of RFC 1630's URL BNF but those with the one character
// that is in the extra of that RFC and among the unsafe ones of the later.
func TestURLsLeaveRFC1738ByTheQuoteMark(t *testing.T) {
	ds := standard(t, Options{MaxLength: 1})
	d := ds[len(ds)-1]
	quoted := lang.All().Concat(lang.OfString(`"`)).Concat(lang.All())
	old := d.walk.a.dfa
	if d.Topic != "url" || !old.Minus(d.walk.b.dfa).Equal(old.Intersect(quoted)) {
		t.Errorf("%s: the strings of RFC 1630 alone are not those with a quote mark", d.Topic)
	}
}

// TestUnknownReadings: of several readings that no ledger has, the error is always about the same one.
func TestUnknownReadings(t *testing.T) {
	set := map[string]bool{}
	for _, id := range strings.Fields("1-h 1-g 1-f 1-e 1-d 1-c 1-b 1-a") {
		set[id] = true
	}
	for range 20 {
		_, err := catalog.Load(catalog.Version{Set: set})
		if err == nil || err.Error() != `none of the grammars has a reading "1-a"` {
			t.Fatalf("%v", err)
		}
	}
}

func TestVersions(t *testing.T) {
	for _, tt := range []struct {
		v       catalog.Version
		reading string // of RFC 1630
		mid     string // shortest midaddress
		err     string
	}{
		{catalog.Version{}, "", "mid:a@a", ""},
		{catalog.Version{AsPrinted: true}, "as printed", "-", ""},
		{catalog.Version{Set: map[string]bool{"1630-addr-spec": false}}, "1630-addr-spec off", "-", ""},
		{catalog.Version{AsPrinted: true, Set: map[string]bool{"1630-addr-spec": true}},
			"as printed, 1630-addr-spec on", "mid:a@a", ""},
		{catalog.Version{Set: map[string]bool{"1738-scheme-case": true}}, "", "mid:a@a", ""},
		{catalog.Version{Set: map[string]bool{"1630-nothing": true}}, "", "",
			`none of the grammars has a reading "1630-nothing"`},
		{catalog.Version{AsPrinted: true, Set: map[string]bool{"1630-login": true}}, "", "",
			`chooses a derivation and changes no strings`},
	} {
		s, err := catalog.Load(tt.v)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%v: error %v, want %s", tt.v, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", tt.v, err)
			continue
		}
		d := diff(t, s[0].Language("midaddress"), s[0].Language("midaddress"))
		if s[0].Reading != tt.reading || d.Both.First() != tt.mid {
			t.Errorf("%v: %q, midaddress begins with %s; want %q, %s", tt.v, s[0].Reading, d.Both.First(), tt.reading, tt.mid)
		}
	}
}

// TestStandardNeedsNoCode: what is compared follows from the grammars' schemes.
func TestStandardNeedsNoCode(t *testing.T) {
	s := must.Of(catalog.Load(catalog.Version{}, "1738", "1630"))(t)
	var got []string
	for _, c := range Standard(s[0], s[1]) {
		got = append(got, c.Topic+":"+c.A.Production+":"+c.B.Production)
	}
	want := "http:httpurl:httpaddress ftp:ftpurl:ftpaddress news:newsurl:newsaddress nntp:nntpurl:nntpaddress " +
		"telnet:telneturl:telnetaddress gopher:gopherurl:gopheraddress wais:waisurl:waisaddress " +
		"mailto:mailtourl:mailtoaddress prospero:prosperourl:prosperoaddress file:fileurl:uri " +
		"mid:genericurl:midaddress cid:genericurl:cidaddress generic:genericurl:uri url:url:url"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

func TestDiffErrors(t *testing.T) {
	good := abnf(t, `a = "x"`)
	for _, tt := range []struct {
		side catalog.Language
		want string
	}{
		{catalog.Language{Grammar: good.Grammar, Production: "b"}, `has no production "b"`},
		{abnf(t, `a = "(" [a] ")"`), "embeds itself"},
	} {
		for _, sides := range [][2]catalog.Language{{tt.side, good}, {good, tt.side}} {
			if _, err := Compare(sides[0], sides[1], Options{}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		}
	}
}

// TestShareOfCounts: only what is all is 100%, and only what is nothing is 0%.
func TestShareOfCounts(t *testing.T) {
	big10 := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	for _, c := range []struct {
		n, all *big.Int
		want   string
	}{
		{big.NewInt(0), big.NewInt(0), ""},
		{big.NewInt(0), big.NewInt(3), "0%"},
		{big.NewInt(1), big.NewInt(3), "33.3%"},
		{big.NewInt(3), big.NewInt(3), "100%"},
		{big.NewInt(1), big10, "<0.1%"},
		{new(big.Int).Sub(big10, big.NewInt(1)), big10, ">99.9%"},
	} {
		if got := layout.Share(c.n, c.all); got != c.want {
			t.Errorf("%d of %d is %s, want %s", c.n, c.all, got, c.want)
		}
	}
}

// TestOtherProductionsTakeNothing: two productions are compared by themselves and what they use, however many others
// their files have, which may all differ too.
func TestOtherProductionsTakeNothing(t *testing.T) {
	allocated := func(others int) (explained string, allocations float64) {
		var sides [2]catalog.Language
		for i, letter := range []string{"b", "c"} {
			src := "s = %s\"x\" t\nt = %s\"" + letter + "y\"\n"
			for n := range others {
				src += fmt.Sprintf("r%d = %%s\"%s\" / %%s\"%d\"\n", n, letter, n)
			}
			sides[i] = abnf(t, src)
		}
		allocations = testing.AllocsPerRun(1, func() {
			explained = diff(t, sides[0], sides[1]).Groups[0].Sentence
		})
		return explained, allocations
	}
	few, least := allocated(1)
	if many, most := allocated(1000); many != few || most > 2*least {
		t.Errorf("%q takes %.0f allocations, %q with 1,000 other productions %.0f", few, least, many, most)
	}
}

// TestDeeperUnknown: a side that was read to a depth is not said to reject a string of the other where nobody knows.
func TestDeeperUnknown(t *testing.T) {
	a, b := abnf(t, `a = %s"x" / %s"xx"`), abnf(t, `b = %s"x"`)
	b.Reading = "to a nesting of 1"
	for answer, want := range map[[2]bool]string{
		{true, true}:   "test derives xx too, but not to a nesting of 1.",
		{false, true}:  "",
		{false, false}: "test does not derive xx to a nesting of 1; whether it does deeper takes too much to find out.",
	} {
		b.Deeper = func(string) (yes, known bool) { return answer[0], answer[1] }
		d := diff(t, a, b)
		var text strings.Builder
		d.writeDeeper(&text)
		got := strings.TrimSuffix(text.String(), "\n")
		if answer[1] && d.OnlyA.Deeper != answer[0] || d.OnlyA.DeeperUnknown == answer[1] || !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%v: %q, want %q", answer, got, want)
		}
	}
}
