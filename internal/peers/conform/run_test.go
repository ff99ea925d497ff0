//go:build unix

package conform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
)

// rfc1738 answers as RFC 1738 does, but for what change makes of it.
func rfc1738(change func(w string, a Answer) Answer) Func {
	j := Judge{Grammar: bnfcheck.RFC1738.Grammar}
	return Func{Title: "planted", Parse: func(w string) Answer {
		return change(w, j.Answer(w))
	}}
}

// anySearch lists the groups of a parser that refuses every search: one for each term that one may hold.
func anySearch() (list []string) {
	for _, s := range strings.Fields(`a ; , . - _ : @ = & + * $`) {
		list = append(list, fmt.Sprintf("accepts-less search %q 10", "http://a/?"+s))
	}
	list = slices.Insert(list, 1, `accepts-less httpurl "http://a/?" 9`)
	return slices.Insert(list, 4, `accepts-less escape "http://a/?%aa" 11`)
}

// asked are the strings that most tests ask about.
var asked = sync.OnceValues(func() ([]string, error) {
	words, err := Cover(Judges(), nil, "http", "ftp")
	return append(words, pegtest.Behind("http://a/", "a0~;%?", 3)...), err
})

// covered are the strings that are asked about by default: about all schemes in the long test.
func covered(t *testing.T) []string {
	if longtest.Enabled() {
		return must.Of(Cover(Judges(), nil))(t)
	}
	return must.Of(asked())(t)
}

func run(t *testing.T, c Config) *Report {
	t.Helper()
	if c.Inputs == nil {
		c.Inputs = must.Of(asked())(t)
	}
	c.Judges = []Judge{{Grammar: bnfcheck.RFC1738.Grammar}}
	return must.Of(Run(t.Context(), c))(t)
}

// TestPlanted plants one deviation from RFC 1738, and finds it where it was planted.
func TestPlanted(t *testing.T) {
	accept := func(a Answer) Answer { a.Verdict = Accepted; return a }
	reject := func(a Answer) Answer { return Answer{Verdict: Rejected, Error: "no"} }
	http := func(w string) bool { return strings.HasPrefix(w, "http://a/") }
	rows := []struct {
		name   string
		change func(w string, a Answer) Answer
		want   []string // kind, production, shortest input, offset
	}{
		{"none", func(_ string, a Answer) Answer { return a }, nil},
		{"takes a ~ in hsegment", func(w string, a Answer) Answer {
			if http(w) && strings.HasSuffix(w, "~") && !strings.ContainsAny(w, "?%") {
				return accept(a)
			}
			return a
		}, []string{`accepts-more hsegment "http://a/~" 9`}},
		{"takes a percent sign alone", func(w string, a Answer) Answer {
			if w == "http://a/%" {
				return accept(a)
			}
			return a
		}, []string{`accepts-more escape "http://a/%" 10`}},
		{"refuses ; in hsegment", func(w string, a Answer) Answer {
			if path, _, _ := strings.Cut(w, "?"); http(w) && strings.Contains(path, ";") {
				return reject(a)
			}
			return a
		}, []string{`accepts-less hsegment "http://a/;" 9`}},
		{"refuses any search", func(w string, a Answer) Answer {
			if http(w) && strings.Contains(w, "?") {
				return reject(a)
			}
			return a
		}, anySearch()},
		{"refuses a URL that ends behind its host", func(w string, a Answer) Answer {
			if rest, ok := strings.CutPrefix(w, "http://"); ok && !strings.ContainsAny(rest, "/:") {
				return reject(a)
			}
			return a
		}, []string{`accepts-less httpurl "http://a" 8`}},
		{"sees no port", func(_ string, a Answer) Answer {
			if a.Components[Port].Said {
				a.Components[Port] = None
			}
			return a
		}, []string{`component digits "ftp://a:0" 8`}},
		{"says nothing of ports", func(_ string, a Answer) Answer { a.Components[Port] = Value{}; return a }, nil},
		{"has a host in capitals", func(_ string, a Answer) Answer {
			a.Components[Host].Text = strings.ToUpper(a.Components[Host].Text)
			return a
		}, nil},
		{"takes the password for the host", func(_ string, a Answer) Answer {
			if p := a.Components[Password]; p.Text != "" && !strings.Contains(p.Text, "a") {
				a.Components[Host] = p
			}
			return a
		}, []string{`component toplabel "ftp://:b@a" 9`, `component toplabel "ftp://d:d%dd@d" 14`}},
		{"is undecided", func(string, Answer) Answer { return Answer{Verdict: Undecided} }, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for _, g := range run(t, Config{Implementations: []Implementation{rfc1738(row.change)}}).Comparisons[0].Groups {
				got = append(got, fmt.Sprintf("%s %s %q %d", g.Kind, g.Production, string(g.Shortest), g.Offset))
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(row.want, "\n"))
			}
		})
	}
}

// TestParserOfOneScheme asks parsers of one scheme, which reject all others, about that scheme: they agree.
func TestParserOfOneScheme(t *testing.T) {
	for _, g := range bnfcheck.RFCs() {
		for _, s := range g.Schemes {
			if !longtest.Enabled() && s.Name != "mailto" && s.Name != "ftp" {
				continue
			}
			one := Func{Title: "one", Parse: func(w string) Answer {
				if g.Accept(s.Kind, w) {
					return Answer{Verdict: Accepted}
				}
				return Answer{Verdict: Rejected}
			}}
			inputs := must.Of(Cover(Judges(), nil, s.Name))(t)
			config := Config{Implementations: []Implementation{one}, Inputs: inputs}
			for _, row := range []struct {
				schemes []string
				holds   bool
			}{{[]string{s.Name}, true}, {nil, false}} {
				config.Judges = []Judge{{Grammar: g.Grammar, Schemes: row.schemes}}
				r := must.Of(Run(t.Context(), config))(t)
				if c := r.Comparisons[0]; c.Holds() != row.holds {
					t.Errorf("%s %s, asked about %q: %+v", g.Name, s.Name, row.schemes, c.Groups)
				}
			}
		}
	}
}

// TestUnheard: who decides no string that the grammar derives, or none that it does not, agrees, and that is left open.
func TestUnheard(t *testing.T) {
	words, others := []string{"http://a/", "http://b/"}, []string{"http://~/", "http://|/"}
	for _, row := range []struct {
		decided, inputs []string
		want            string
	}{
		{words, slices.Concat(words, others), `decided none of the strings that RFC 1738 does not derive, the first of them "http://~/"`},
		{others, slices.Concat(words, others), `decided none of the strings that RFC 1738 derives, the first of them "http://a/"`},
		{[]string{words[1], others[1]}, slices.Concat(words, others), ""},
		{words[1:], words, ""}, // there are no others
		{others[:1], others, ""},
	} {
		im := rfc1738(func(w string, a Answer) Answer {
			if !slices.Contains(row.decided, w) {
				return Answer{Verdict: Undecided}
			}
			return a
		})
		r := run(t, Config{Implementations: []Implementation{im}, Inputs: row.inputs})
		if got := strings.Join(r.Undecided, "; "); !r.Comparisons[0].Holds() ||
			got != "" && row.want == "" || !strings.Contains(got, row.want) {
			t.Errorf("of %q, with %q decided: %q, want %q", row.inputs, row.decided, got, row.want)
		}
	}
}

// TestUnheardOfOneScheme: a rejection of a URL of another scheme decides nothing, of whichever sort.
func TestUnheardOfOneScheme(t *testing.T) {
	verdicts := map[string]Verdict{"ftp://a/": Rejected, "http://a/": Accepted, "http://|/": Undecided}
	im := Func{Title: "one", Parse: func(w string) Answer { return Answer{Verdict: verdicts[w]} }}
	judge := Judge{Grammar: bnfcheck.RFC3986.Grammar, Schemes: []string{"http"}}
	inputs := []string{"ftp://a/", "http://a/", "http://|/"}
	r := must.Of(Run(t.Context(), Config{Implementations: []Implementation{im}, Judges: []Judge{judge}, Inputs: inputs}))(t)
	const want = `one decided none of the strings that RFC 3986 URI-reference does not derive, the first of them "http://|/"`
	if !slices.Contains(r.Undecided, want) {
		t.Errorf("%q: %+v", r.Undecided, r.Comparisons)
	}
}

// TestAgreement checks the words for how far two agree: an implementation that decides nothing agrees with none.
func TestAgreement(t *testing.T) {
	same := func(_ string, a Answer) Answer { return a }
	decides := func(some ...string) func(string, Answer) Answer {
		return func(w string, a Answer) Answer {
			if !slices.Contains(some, w) {
				return Answer{Verdict: Undecided}
			}
			return a
		}
	}
	crashes := Func{Title: "crashes", Parse: func(w string) Answer { panic(w) }}
	three := []string{"http://a/", "http://b/", "http://~/"}
	rows := []struct {
		im     Implementation
		inputs []string
		holds  bool
		want   string
	}{
		{rfc1738(same), three, true, "agree on all 3 strings"},
		{rfc1738(same), three[:1], true, "agree on the one string"},
		{rfc1738(decides(three[0])), three, true, "agree on the 1 string that was decided; 2 were not"},
		{rfc1738(decides(three[:2]...)), three, true, "agree on the 2 strings that were decided; 1 was not"},
		{rfc1738(decides()), three, false, "nothing to compare: it decided none of 3 strings"},
		{rfc1738(decides()), three[:1], false, "nothing to compare: it decided none of 1 string"},
		{crashes, three, false, "nothing to compare: it decided none of 3 strings"},
		{newChild(t, "exits at once", Options{}), three, false, "nothing to compare: it decided none of 3 strings"},
		{rfc1738(same), []string{}, false, "nothing was asked"},
	}
	for _, row := range rows {
		r := run(t, Config{Implementations: []Implementation{row.im}, Inputs: row.inputs})
		var text strings.Builder
		must.Do(t, r.WriteText(&text, 10))
		c := r.Comparisons[0]
		if !strings.Contains(text.String(), "and RFC 1738\n  "+row.want+"\n") || c.Holds() != row.holds {
			t.Errorf("%s: holds %t; want %q in\n%s", row.im.Name(), c.Holds(), row.want, &text)
		}
		list := r.Results()
		last := list[len(list)-1]
		if (last.Outcome == results.Passed) != row.holds || last.Outcome == results.Failed || last.Message != row.want || last.RFC.Line == 0 {
			t.Errorf("result %+v", last)
		}
	}
}

// TestByProduction judges strings by one production: a parser of that production alone is checked against it.
func TestByProduction(t *testing.T) {
	judges, inputs, err := ByProduction("hostport", nil, published.Texts(bnfcheck.RFCs())...)
	if err != nil || len(judges) != 2 {
		t.Fatalf("%v, %v", judges, err)
	}
	own := judges[1]
	exact := Func{Title: "exact", Parse: own.Answer}
	noPort := Func{Title: "no port", Parse: func(w string) Answer {
		a := own.Answer(w)
		if strings.Contains(w, ":") {
			return Answer{Verdict: Rejected}
		}
		return a
	}}
	takesEmpty := Func{Title: "takes the empty string", Parse: func(w string) Answer {
		if w == "" {
			return Answer{Verdict: Accepted}
		}
		return own.Answer(w)
	}}
	r, err := Run(t.Context(), Config{Implementations: []Implementation{exact, noPort, takesEmpty}, Judges: judges[1:], Inputs: append(inputs, "")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Comparisons {
		if c.Production != "hostport" || c.Both == 0 {
			t.Errorf("%+v", c)
		}
		for _, g := range c.Groups {
			got = append(got, fmt.Sprintf("%s: %s %s %q %d", c.Implementation, g.Kind, g.Production, string(g.Shortest), g.Offset))
		}
	}
	want := []string{
		`no port: accepts-less hostport "a:0" 1`,
		`takes the empty string: accepts-more host "" 0`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !r.Comparisons[0].Holds() {
		t.Errorf("%+v", r.Comparisons[0])
	}
	if a := own.Answer("a:0"); a.Components[Host] != Is("a") || a.Components[Port] != Is("0") || a.Components[Path].Said {
		t.Errorf("components %v", a.Components)
	}
	if judges, _, err := ByProduction("httpurl", nil, published.Texts(bnfcheck.RFCs())...); err != nil || len(judges) != 2 || judges[0].productionID() != "httpaddress" {
		t.Errorf("httpurl: %v, %v", judges, err)
	}
	if judges, _, err := ByProduction("gopher+_string", nil, published.Texts(bnfcheck.RFCs())...); err != nil || len(judges) != 1 {
		t.Errorf("gopher+_string: %v, %v", judges, err)
	}
	if judges, _, err := ByProduction("nope", nil, published.Texts(bnfcheck.RFCs())...); err == nil {
		t.Errorf("nope: %v", judges)
	}
}

// TestPathIsExplain checks that the transitions of a word are those that the grammar explains it by.
func TestPathIsExplain(t *testing.T) {
	for _, g := range bnfcheck.RFCs() {
		for _, w := range covered(t) {
			start := g.Default
			if scheme, rest, ok := strings.Cut(w, "://"); ok && len(w)%2 == 0 { // half of them as what follows the slashes
				kind := must.Of(g.Lookup(map[bool]string{true: "hostport", false: "login"}[scheme == "http"]))(t)
				start, w = kind, rest
			}
			why := g.Explain(start, w)
			taken, _ := transitionsOf(g.Grammar, start, w)
			switch {
			case why != nil && len(taken) != why.Offset+1:
				t.Fatalf("%s: %q: %d transitions, rejected at %d", g.Name, w, len(taken), why.Offset)
			case why == nil && len(taken) != len(w)+1:
				t.Fatalf("%s: %q: %d transitions", g.Name, w, len(taken))
			}
		}
	}
}

// TestEveryInputIsCounted checks that counts add up, and that each input in which two differ is in one group of its kind.
func TestEveryInputIsCounted(t *testing.T) {
	r := must.Of(Run(t.Context(), Config{Implementations: []Implementation{NetURL()}, Inputs: covered(t)}))(t)
	for _, c := range r.Comparisons {
		counts := map[Kind]int{}
		for _, g := range c.Groups {
			counts[g.Kind] += g.Count
			if g.Production == "" || g.Section == "" || g.Line == 0 || g.Printed == "" {
				t.Errorf("%s: a group without its place: %+v", c.Grammar, g)
			}
		}
		different := 0
		for _, tally := range c.Tallies {
			different += tally.Different
		}
		if counts[AcceptsMore] != c.More || counts[AcceptsLess] != c.Less || counts[OtherComponent] != different {
			t.Errorf("%s: groups hold %v of %d, %d and %d", c.Grammar, counts, c.More, c.Less, different)
		}
	}
}

func TestCompare(t *testing.T) {
	none, silent := None, Value{}
	rows := []struct {
		component Component
		scheme    string
		a, b      Value
		want      Likeness
	}{
		{Host, "", silent, Is("h"), Unknown},
		{Host, "", none, Is(""), Same},
		{Host, "", none, Is("h"), Different},
		{Host, "", Is("H.dom"), Is("h.DOM"), Respelled},
		{Host, "", Is("\u212a"), Is("k"), Different}, // the Kelvin sign
		{Host, "", Is("h%6Fst"), Is("host"), Different},
		{Scheme, "", Is("HTTP"), Is("http"), Respelled},
		{Port, "http", Is("0080"), none, Respelled},
		{Port, "ftp", Is("80"), none, Different},
		{Port, "x", Is("00"), Is("0"), Respelled},
		{Path, "", Is("/"), none, Respelled},
		{Path, "", Is("/a%2Fb"), Is("/a/b"), Respelled},
		{Path, "", Is("/a"), Is("/A"), Different},
		{Search, "", Is("%zz%4"), Is("%zz%4"), Same},
		{User, "", Is("%+1"), Is("\x01"), Different},
	}
	for _, row := range rows {
		for range 2 {
			if got := Compare(row.component, row.scheme, row.a, row.b); got != row.want {
				t.Errorf("%v of %q: %v and %v: %d, want %d", row.component, row.scheme, row.a, row.b, got, row.want)
			}
			row.a, row.b = row.b, row.a
		}
	}
}

// TestPair checks that the shortest strings are found, and none in which a shorter one is hidden.
func TestPair(t *testing.T) {
	host := func(f func(authority string) string) Func {
		return Func{Title: "f", Parse: func(w string) Answer {
			a := Answer{Verdict: Accepted}
			a.Components[Host] = Is(f(strings.TrimPrefix(w, "http://")))
			return a
		}}
	}
	first := host(func(s string) string { return s[strings.IndexByte(s, '@')+1:] })
	last := host(func(s string) string { return s[strings.LastIndexByte(s, '@')+1:] })
	r := run(t, Config{Implementations: []Implementation{first, last}, Inputs: pegtest.Behind("http://", "ab@", 4)})
	var got []string
	for _, s := range r.Pairs[0].Shortest {
		got = append(got, fmt.Sprint(string(s.Input), " ", s.A, " ", s.B))
	}
	want := []string{`http://@@ "@" ""`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRunSurvives checks that a run goes on past everything that a child does, names the inputs that it did it on, and goes
// on to the next implementation when one is given up.
func TestRunSurvives(t *testing.T) {
	child := newChild(t, "well", Options{})
	hopeless := newChild(t, "exits at once", Options{})
	panics := Func{Title: "panics", Parse: func(w string) Answer { panic("at " + w) }}
	r := run(t, Config{
		Implementations: []Implementation{hopeless, child, panics},
		Inputs:          []string{"http://a/", "http://b/", "!garbage", "!exit", "!wrong id", "\xff"},
	})
	if o := r.Implementations[0]; o.NoAnswer != 6 || o.GaveUp == "" {
		t.Errorf("%+v", o)
	}
	o := r.Implementations[1]
	if o.Accepted != 3 || o.NoAnswer != 3 || o.FaultCount != 3 {
		t.Errorf("%+v", o)
	}
	for _, f := range o.Faults {
		if !f.Repeated || f.Input[0] != '!' {
			t.Errorf("%v", f)
		}
	}
	if o := r.Implementations[2]; o.NoAnswer != 6 || o.FaultCount != 6 {
		t.Errorf("%+v", o)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	var text strings.Builder
	if err := r.WriteText(&text, 2); err != nil || !strings.Contains(text.String(), `crash on "!exit": exit status 3, saying "out of luck"`) {
		t.Errorf("%v\n%s", err, &text)
	}
}

// TestTalkative checks that of an answer which is far too long a run keeps little, and that it is reported all the same.
func TestTalkative(t *testing.T) {
	const size = 1 << 16
	talks := rfc1738(func(w string, a Answer) Answer {
		a.Components[Host] = Is(strings.Repeat("h", size))
		a.Error = strings.Repeat("e", size)
		if w == "http://b/" {
			a.Verdict = Rejected
		}
		return a
	})
	inputs := append(pegtest.Behind("http://a/", "abcdefghij", 3), "http://b/")
	r := run(t, Config{Implementations: []Implementation{talks}, Inputs: inputs})
	var text strings.Builder
	must.Do(t, r.WriteText(&text, 2))
	for _, want := range []string{"another host: 1111 strings", `hhh... (65536 bytes)"`, "eee"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	if text.Len() > 4000 {
		t.Errorf("%d bytes of text", text.Len())
	}
	long := Answer{Error: strings.Repeat("e", size)}
	for c := range long.Components {
		long.Components[c] = Is(strings.Repeat("x", size))
	}
	kept := long.shortened("http://a/")
	for _, v := range append(kept.Components[:], Is(kept.Error)) {
		if len(v.Text) > 200 || !strings.HasSuffix(v.Text, "... (65536 bytes)") {
			t.Errorf("kept %d bytes", len(v.Text))
		}
	}
	w := strings.Repeat("w", size) // of a long string, an equally long component is no wonder
	if kept := long.shortened(w); kept.Components[Path] != long.Components[Path] {
		t.Error("a path as long as its string was cut")
	}
}

// TestRunEnds checks that the end of the context ends a run.
func TestRunEnds(t *testing.T) {
	child := newChild(t, "well", Options{Workers: 2})
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Run(ctx, Config{
		Implementations: []Implementation{child},
		Inputs:          pegtest.Behind("http://", "abcdefgh", 4),
		Progress:        func(string, int, int) { cancel() },
	})
	if r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v %v", r, err)
	}
}

// TestParting checks where two values of a component part.
func TestParting(t *testing.T) {
	rows := []struct {
		ours, theirs, how string
		at                int
	}{
		{"a@b", "b", "it begins later, behind this", 1},
		{"a@a", "a", "it begins later, behind this", 1},
		{"/a?b", "/a", "it ends sooner", 2},
		{"a", "a;b", "it ends later", 1},
		{"a", "", "it sees none", -1},
		{"", "a", "it sees one, the grammar none", -1},
		{"0.0.0.00", "0.0.0.0", "it is rewritten", 7},
		{"010.0.0.1", "8.0.0.1", "it is rewritten", 0},
		{"a", "u", "it stands elsewhere", 0},
	}
	for _, row := range rows {
		if how, at := partingOf(Is(row.ours), Is(row.theirs), "http://u@"+row.ours+"/"); how != row.how || at != row.at {
			t.Errorf("%q and %q: %s at %d, want %s at %d", row.ours, row.theirs, how, at, row.how, row.at)
		}
	}
}

// TestResults checks that a run's results can be written in every format, with the line of the RFC that each rests on.
func TestResults(t *testing.T) {
	child := newChild(t, "well", Options{})
	same := rfc1738(func(_ string, a Answer) Answer { return a })
	list := run(t, Config{Implementations: []Implementation{NetURL(), same, child}, Inputs: []string{"http://a/~", "ftp://a/b?c", "!exit", "\xff"}}).Results()
	count := map[results.Outcome]int{}
	for _, r := range list {
		count[r.Outcome]++
		if r.Outcome == results.Failed && (r.RFC.Line == 0 || !r.Shown || r.Rule == "" || r.Title == "") {
			t.Errorf("%+v", r)
		}
	}
	if count[results.Passed] != 1 || count[results.Broken] != 1 || count[results.Failed] < 4 {
		t.Errorf("%v", count)
	}
	for _, format := range results.Formats {
		var b strings.Builder
		if err := results.Write(&b, format, list); err != nil || !strings.Contains(b.String(), "hsegment") {
			t.Errorf("%s: %v\n%s", format, err, &b)
		}
	}
}

// TestReportIsStable checks that the same answers give the same report.
func TestReportIsStable(t *testing.T) {
	var first []byte
	for range 3 {
		data, err := json.Marshal(run(t, Config{Implementations: []Implementation{NetURL(), rfc1738(func(_ string, a Answer) Answer { return a })}}))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		} else if string(first) != string(data) {
			t.Fatal("two runs differ")
		}
	}
}
