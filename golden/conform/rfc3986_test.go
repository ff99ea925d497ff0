package conform_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/adapters"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/learn"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
)

// A today is a parser that runs on this machine, checked against RFC 3986.
type today struct {
	peer
	adapter adapters.Adapter // of net/url, what its own package does not say
}

// netURL is Go's net/url, which needs no adapter.
var netURL = adapters.Adapter{
	Name: "go-net-url", Parser: "Go, net/url", Standard: "RFC 3986, in part", From: "the package's documentation",
	Claim:   "This package generally follows RFC 3986, except where it deviates for compatibility reasons.",
	Program: adapters.NetURL,
}

// references returns the strings that the parsers are asked about.
func references(t *testing.T) []string {
	t.Helper()
	return must.Of(conform.Cover([]conform.Judge{conform.References(published.References(), false)}, nil))(t)
}

// installed returns the parsers that run here, and the names of those that do not.
func installed(t *testing.T) (list []today, missing []string) {
	t.Helper()
	list = []today{{peer{goNetURL(), netURL.Parser, runtime.Version()}, netURL}}
	for _, a := range adapters.All() {
		argv, version, err := a.Prepare(t.Context(), t.TempDir())
		if err != nil {
			missing = append(missing, a.Name)
			t.Logf("skipped: %v", err)
			continue
		}
		c := must.Of(conform.NewCommand(a.Name, argv, conform.Options{}))(t)
		t.Cleanup(func() { c.Close() })
		list = append(list, today{peer{c, a.Parser, version}, a})
	}
	return list, missing
}

// TestRFC3986 compares every parser that runs here with RFC 3986, and makes docs/conformance.md where all run.
func TestRFC3986(t *testing.T) {
	longtest.Need(t, "it asks all parsers about thirty thousand strings")
	list, missing := installed(t)
	config := conform.Config{Inputs: references(t), Judges: []conform.Judge{conform.References(published.References(), false), conform.References(published.References(), true)}, Examples: 100}
	for _, p := range list {
		config.Implementations = append(config.Implementations, p)
	}
	r := must.Of(conform.Run(t.Context(), config))(t)
	var other []string
	comparisons := make([]conform.Comparison, len(list)) // with what each parser has a form for
	for i, p := range list {
		comparisons[i] = r.Comparisons[2*i]
		if p.adapter.Absolute {
			comparisons[i] = r.Comparisons[2*i+1]
		}
		t.Run(p.Name(), func(t *testing.T) {
			if o := r.Implementations[i]; o.FaultCount > 0 || o.GaveUp != "" {
				t.Errorf("%+v", o)
			}
			file := "rfc3986/" + p.Name() + ".golden"
			if !goldentest.Update() {
				if was := strings.TrimSuffix(goldentest.Read(t, file, "parser"), "\n"); was != p.header() {
					other = append(other, p.Name())
					t.Skipf("the golden file is that of %q, and here is %q", was, p.header())
				}
			}
			one := *r
			one.Grammars = r.Grammars[:1]
			one.Implementations = r.Implementations[i : i+1]
			one.Comparisons = numbered(comparisons[i : i+1])
			one.Pairs, one.Causes = nil, nil
			var text strings.Builder
			must.Do(t, one.WriteText(&text, 10))
			goldentest.Check(t, file, goldentest.Output("parser", p.header()+"\n"), goldentest.Output("report", text.String()))
		})
	}
	t.Run("document", func(t *testing.T) {
		if len(missing)+len(other) > 0 {
			t.Skipf("not here: %v; in another version: %v", missing, other)
		}
		goldentest.Whole(t, "../../docs/conformance.md", document3986(t, list, r, comparisons))
	})
}

// numbered returns comparisons whose groups are numbered from 1, as they are where a parser is asked alone.
func numbered(list []conform.Comparison) []conform.Comparison {
	list = slices.Clone(list)
	n := 0
	for i := range list {
		list[i].Groups = slices.Clone(list[i].Groups)
		for k := range list[i].Groups {
			n++
			list[i].Groups[k].Number = n
		}
	}
	return list
}

// against names what a parser is checked against.
func against(p today) string {
	if p.adapter.Absolute {
		return "URI"
	}
	return "URI-reference"
}

// document3986 writes docs/conformance.md.
func document3986(t *testing.T, list []today, r *conform.Report, comparisons []conform.Comparison) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `<!-- Written by: BNFCHECK_LONG=1 go test ./golden/conform -run TestRFC3986 -update -->

# Today's parsers against RFC 3986

%d parsers of URIs were asked about the same %d strings, and each answer was held against RFC 3986: is the string a reference
(`+"`URI-reference`"+`, or `+"`URI`"+` for a parser that has no form for relative ones), and what are its components? The grammar is decided
exactly, by an automaton that is proven equal to the ABNF of appendix A. So every line below is a fact about the parser and the text, and
not about a third opinion.

The strings are those of `+"`bnfcheck conform --rfc 3986`"+`. They kill every one of the %d mutants of the printed grammar that derive
something else: a parser that agrees on all of them is none of these ([vector-format.md](vector-format.md#mutants)). To them come those that take every
transition outside of scheme and brackets behind "http:", short ones that take a transition to an accepted end, and some that are known to part
parsers. They are made to find differences: the counts say nothing about how often URIs in use meet them.

`, len(list), r.Inputs, mutants(t))
	b.WriteString(lists(list))
	b.WriteString("## How each is shown\n")
	b.WriteString(`
Each has the program that shows it, with what that prints; a test runs those whose parser is here in the version shown. ` + "`bnfcheck conform --rfc 3986 --adapter NAME`" + ` lists all
disagreements of a parser with their numbers, and ` + "`--write-up N`" + ` prints such a text for any of them, and for any parser of your own:

    bnfcheck conform --rfc 3986 -- ./your-adapter
    bnfcheck conform --rfc 3986 --write-up 1 -- ./your-adapter

## The parsers

"More" are accepted by the parser alone, "less" by RFC 3986 alone. Of those that both accept, the others say in how many the parser sees
another host, another port, or any other component that differs by more than its spelling. The last column counts components that are absent
for one and empty for the other (section 5.3 keeps them apart), of a parser that ever tells the two apart.

| name | parser | version | claims | held against | more | less | both | other host | other port | other component | absent or empty |
|---|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|
`)
	for i, p := range list {
		c := comparisons[i]
		rest, blank := 0, 0
		for _, tally := range c.Tallies {
			rest, blank = rest+tally.Different, blank+tally.Blank
		}
		host, port := c.Differing(conform.Host), c.Differing(conform.Port)
		claims := p.adapter.Standard
		if claims == "" {
			claims = "none"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %d | %d | %d | %d | %d | %d | %d |\n", p.Name(), p.parser, p.version, claims, against(p), c.More, c.Less,
			c.Both, host, port, rest-host-port, blank)
	}
	b.WriteString("\nAll places where each parser and the text part, by line of the ABNF, are in golden/conform/rfc3986, one file a parser.\n")
	b.WriteString(claims(t, list))
	b.WriteString(twoHosts(t, list))
	for i, w := range writeUps {
		at := slices.IndexFunc(list, func(p today) bool { return p.Name() == w.parser })
		b.WriteString(w.write(t, i+1, list[at], comparisons[at]))
	}
	b.WriteString(right)
	b.WriteString(models(t, list))
	b.WriteString(sameHost(r))
	b.WriteString("\n## The first RFCs\n\n[conformance-1994.md](conformance-1994.md) holds ten of the parsers against RFC 1630 and RFC 1738.\n")
	return b.String()
}

// lists returns the titles of the write-ups, list by list.
func lists(list []today) string {
	var b strings.Builder
	for _, l := range standings {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", l.heading, l.text)
		for i, w := range writeUps {
			if w.list == l.standing {
				p := list[slices.IndexFunc(list, func(p today) bool { return p.Name() == w.parser })]
				fmt.Fprintf(&b, "- [%d. %s](#%s)\n", i+1, w.title(p), anchor(fmt.Sprintf("%d. %s", i+1, w.title(p))))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// claims returns the table of what the parsers say of themselves.
func claims(t *testing.T, list []today) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`
## The claims

What each says of itself, in whole sentences, and whether the version that was asked is the newest that the registries had on
` + lookedUp + `. Where nothing is claimed, or the WHATWG standard, a difference is no mistake; it is still a risk where two
parsers are used side by side.

| parser | version | which is | claim | from |
|---|---|---|---|---|
`)
	for _, p := range list {
		fmt.Fprintf(&b, "| %s | %s | %s | “%s” | %s |\n", p.Name(), p.version, age(t, p), p.adapter.Claim, p.adapter.From)
	}
	return b.String()
}

// twoHosts returns what each parser sees in the two strings that the README shows.
func twoHosts(t *testing.T, list []today) string {
	t.Helper()
	peers := make([]peer, len(list))
	for i, p := range list {
		peers[i] = p.peer
	}
	var b strings.Builder
	b.WriteString("\n## Two strings, and the host that each sees\n")
	for _, input := range []string{"ftp://a?@b/", "http://010.0.0.1/"} {
		fmt.Fprintf(&b, "\n| host of %s | seen by |\n|---|---|\n", conform.Shown(input))
		writeViews(t, &b, []conform.Judge{{Grammar: bnfcheck.RFC1738.Grammar}, conform.References(published.References(), false)}, peers, input, conform.Host)
	}
	return b.String() + "\n"
}

// mutants returns how many mutants of the grammar the strings kill.
func mutants(t *testing.T) int {
	t.Helper()
	s := must.Of(vectors.NewSubject(bnfcheck.RFC3986.Grammar, bnfcheck.RFC3986.Production(bnfcheck.RFC3986.Default).ID))(t)
	m, err := s.MutationSuite(nil)
	if err != nil || m.Unmade != nil || len(m.Living) > 0 || m.Unseen > 0 {
		t.Fatal(err, m)
	}
	return m.Mutants
}

// anchor returns the anchor that renderers of Markdown make of a heading.
func anchor(heading string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(heading) {
		switch {
		case c == ' ':
			b.WriteByte('-')
		case c == '-' || c == '_' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b.WriteRune(c)
		}
	}
	return b.String()
}

// A chosen is a disagreement that the document explains.
type chosen struct {
	parser, input string
	component     string // in which they differ; "" where one rejects what the other accepts
	list          standing
	why           string   // it stands in the list
	note          string   // what a maintainer needs beside the facts
	also          []string // other strings in which to see it

	// Of a string that is rejected: the production that is refused, the term of it, and the offset of what it reads. One string by itself
	// does not tell these.
	production, term string
	offset           int
}

// find returns the group that the input is in, as if the input were its shortest.
func (w chosen) find(t *testing.T, p today, c conform.Comparison) (conform.Judge, conform.Comparison, conform.Group) {
	t.Helper()
	j := conform.References(published.References(), p.adapter.Absolute)
	r, err := conform.Run(t.Context(), conform.Config{Implementations: []conform.Implementation{p}, Judges: []conform.Judge{j}, Inputs: []string{w.input}})
	if err != nil {
		t.Fatal(err)
	}
	groups := r.Comparisons[0].Groups
	at := slices.IndexFunc(groups, func(g conform.Group) bool { return g.Component == w.component })
	if at < 0 {
		t.Fatalf("%s agrees about %q: %+v", w.parser, w.input, groups)
	}
	g := groups[at]
	if g.Kind == conform.AcceptsLess {
		k := must.Of(j.Grammar.Lookup(w.production))(t)
		production := j.Grammar.Production(k)
		g.Production, g.Section, g.Line, g.Printed = production.Name, production.Section, production.Line, production.Printed
		g.Term, g.Offset = w.term, w.offset
	}
	return j, c, g
}

func (w chosen) title(p today) string {
	what := "accepts what is no reference"
	switch {
	case w.component != "":
		what = "sees another " + w.component
	case bnfcheck.RFC3986.Accept(bnfcheck.RFC3986.Default, w.input):
		what = "rejects a valid reference"
	}
	return p.parser + ", " + what + ": " + conform.Shown(w.input)
}

func (w chosen) write(t *testing.T, number int, p today, c conform.Comparison) string {
	t.Helper()
	j, c, g := w.find(t, p, c)
	g.Count = 1
	about := conform.About{
		Parser: p.parser, Version: p.version, Claim: p.adapter.Claim, From: p.adapter.From,
		Language: p.adapter.Program.Language, Program: p.adapter.Program.For(w.input),
	}
	dir := t.TempDir()
	out, err := p.adapter.Try(t.Context(), dir, w.input)
	if err != nil && out == "" {
		t.Fatalf("%s: %v", w.parser, err)
	}
	if about.Language == "go" { // that would be a block of Go for the tests of the pages, which want an example
		about.Language = "golang"
	}
	about.Output = shortened(strings.ReplaceAll(out, dir, ""))
	u := must.Of(conform.NewWriteUp(t.Context(), p, j, c, g, about))(t)
	return fmt.Sprintf("## %d. %s\n\n%s%s\n%s\n%s\n", number, w.title(p), w.opening(t, p), u.Body(), folded(w.note), w.others(t, p))
}

// shortened returns the beginning of what a program prints, and its end; of a trace of calls, the end.
func shortened(out string) string {
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	if strings.HasPrefix(out, "Traceback ") {
		return lines[len(lines)-1]
	}
	if len(lines) <= 16 {
		return strings.Join(lines, "\n")
	}
	return strings.Join(append(append(slices.Clone(lines[:8]), "..."), lines[len(lines)-4:]...), "\n")
}

// models learns what some of the parsers accept, and writes how that stands to RFC 3986.
func models(t *testing.T, list []today) string {
	t.Helper()
	reference := must.Of(vectors.NewSubject(bnfcheck.RFC3986.Grammar, "URI-reference"))(t)
	var b strings.Builder
	fmt.Fprintf(&b, `
## What they accept, exactly

The learner behind `+"`bnfcheck learn`"+` asks a parser until it has the automaton of all that it accepts. The minimal automaton of RFC 3986's `+"`URI-reference`"+` has %d states
over %d classes of bytes. A model is exact if the parser is itself an automaton with at most as many states as the model has. "Places" are the
productions and bytes at which the two part in a string that takes a transition of either automaton.

| parser | states | classes of bytes | questions | and RFC 3986 | places | shortest of the parser alone | shortest of RFC 3986 alone |
|---|--:|--:|--:|---|--:|---|---|
`, reference.DFA.States(), reference.DFA.Classes())
	places := ""
	for _, name := range learned3986 {
		p := list[slices.IndexFunc(list, func(p today) bool { return p.Name() == name })]
		of := learn.Against("references", reference, catalog.Language{})
		o := must.Of(of.Options())(t)
		result, err := learn.Learn(t.Context(), of.Oracle(p), o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		model := result.DFA
		shortest := func(a *lang.DFA) string {
			if w, ok := a.Shortest(); ok {
				return conform.Shown(w)
			}
			return "none"
		}
		more, less := model.Minus(reference.DFA), reference.DFA.Minus(model)
		relation := map[[2]bool]string{{true, true}: "equal", {true, false}: "accepts less", {false, true}: "accepts more", {false, false}: "accepts more and less"}
		r := must.Of(conform.Run(t.Context(), conform.Config{
			Implementations: []conform.Implementation{p}, Judges: []conform.Judge{conform.References(published.References(), false)},
			Inputs: append(model.TransitionCover(), reference.DFA.TransitionCover()...),
		}))(t)
		n := 0
		for _, g := range r.Comparisons[0].Groups {
			if g.Kind == conform.OtherComponent {
				continue
			}
			if n++; n <= 5 {
				places += fmt.Sprintf("| %s | `%s`, line %d | %s%s |\n", name, g.Production, g.Line, kind[g.Kind], conform.Shown(string(g.Shortest)))
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s | %d | %s | %s |\n", name, model.States(), model.Classes(), result.Queries,
			relation[[2]bool{more.IsEmpty(), less.IsEmpty()}], n, shortest(more), shortest(less))
	}
	b.WriteString("\nThe first of these places, up to five a parser; `bnfcheck conform --rfc 3986` lists all.\n\n| parser | production of appendix A | it |\n|---|---|---|\n")
	b.WriteString(places)
	return b.String()
}

var kind = map[conform.Kind]string{conform.AcceptsMore: "accepts ", conform.AcceptsLess: "rejects "}

// sameHost returns the matrix of how often two parsers see different hosts in a string that both accept.
func sameHost(r *conform.Report) string {
	var b strings.Builder
	b.WriteString(`
## Who sees which host

In how many of the strings that both accept two parsers see different hosts, which is what a filter in front of another parser rests on. A dot is
none.

|   |`)
	names := make([]string, len(r.Implementations))
	count := map[[2]string]int{}
	for i, o := range r.Implementations {
		names[i] = o.Name
		fmt.Fprintf(&b, " %d |", i+1)
	}
	for _, p := range r.Pairs {
		count[[2]string{p.A, p.B}], count[[2]string{p.B, p.A}] = p.Different, p.Different
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(names)) + "\n")
	for i, a := range names {
		fmt.Fprintf(&b, "| %d. %s |", i+1, a)
		for _, other := range names {
			if n := count[[2]string{a, other}]; n > 0 {
				fmt.Fprintf(&b, " %d |", n)
			} else {
				b.WriteString(" . |")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// learned3986 are the parsers of which the document has models.
var learned3986 = []string{"uriparser", "haskell-network-uri", "go-net-url"}
