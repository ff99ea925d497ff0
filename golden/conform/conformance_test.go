package conform_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/adapters"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/learn"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// A peer is a parser that runs on this machine.
type peer struct {
	conform.Implementation
	parser, version string
}

// header is the section "parser" of a parser's golden file. What a parser does changes with its version, and so a golden file
// holds for one version only.
func (p peer) header() string { return fmt.Sprintf("%s: %s, %s", p.Name(), p.parser, p.version) }

// goNetURL is net/url under a name that a file can have.
func goNetURL() conform.Implementation {
	im := conform.NetURL().(conform.Func)
	im.Title = "go-net-url"
	return im
}

// oldPeers are the parsers that are checked against the first RFCs: nearly all others follow RFC 3986, and what they do with its
// grammar is in the other document.
var oldPeers = []string{
	"node-url", "node-url-parse", "python-urllib", "perl-uri", "java-uri", "java-url", "curl", "uriparser", "ruby-uri",
}

// TestConformance compares ten parsers with RFC 1630 and RFC 1738, and makes docs/conformance-1994.md where all run.
func TestConformance(t *testing.T) {
	longtest.Need(t, "it asks ten parsers about forty thousand strings")
	peers := []peer{{goNetURL(), "Go, net/url", runtime.Version()}}
	var missing []string
	for _, a := range adapters.All() {
		if !slices.Contains(oldPeers, a.Name) {
			continue
		}
		argv, version, err := a.Prepare(t.Context(), t.TempDir())
		if err != nil {
			missing = append(missing, a.Name)
			t.Logf("skipped: %v", err)
			continue
		}
		c := must.Of(conform.NewCommand(a.Name, argv, conform.Options{}))(t)
		defer c.Close()
		peers = append(peers, peer{c, a.Parser, version})
	}
	config := conform.Config{Inputs: inputs(t), Examples: 100}
	for _, p := range peers {
		config.Implementations = append(config.Implementations, p)
	}
	r := must.Of(conform.Run(t.Context(), config))(t)
	var other []string
	for i, p := range peers {
		t.Run(p.Name(), func(t *testing.T) {
			if o := r.Implementations[i]; o.FaultCount > 0 || o.GaveUp != "" {
				t.Errorf("%+v", o)
			}
			name := p.Name()
			if !goldentest.Update() {
				if was := strings.TrimSuffix(goldentest.Read(t, name+".golden", "parser"), "\n"); was != p.header() {
					other = append(other, name)
					t.Skipf("the golden file is that of %q, and here is %q", was, p.header())
				}
			}
			one := *r
			one.Implementations = r.Implementations[i : i+1]
			n := len(r.Grammars)
			one.Comparisons = numbered(r.Comparisons[i*n : (i+1)*n])
			one.Pairs, one.Causes = nil, nil
			var text strings.Builder
			must.Do(t, one.WriteText(&text, 10))
			goldentest.Check(t, name+".golden", goldentest.Output("parser", p.header()+"\n"), goldentest.Output("report", text.String()))
		})
	}
	t.Run("document", func(t *testing.T) {
		if len(missing)+len(other) > 0 {
			t.Skipf("not here: %v; in another version: %v", missing, other)
		}
		goldentest.Whole(t, "../../docs/conformance-1994.md", document(t, peers, r))
	})
}

// near are the bytes that have a meaning near a host in most parsers: two letters, so that there can be two hosts, a digit, and
// delimiters; everNear has all that have ever been a delimiter there.
const (
	near     = "ab1@:/\\?#"
	everNear = near + ";%[].\t"
)

func inputs(t *testing.T) []string {
	t.Helper()
	list := must.Of(conform.Cover(conform.Judges(), nil))(t)
	return slices.Concat(list, pegtest.Behind("http://", everNear, 3), pegtest.Behind("http://", near, 4), pegtest.Behind("ftp://", near, 4))
}

// telling are the disagreements that the document explains.
var telling = []struct {
	input     string
	component conform.Component
	text      string
	every     string // what every parser sees, where the text says so
}{
	{"http://010.0.0.1/", conform.Host, `Both RFCs derive this string with a hostnumber for its host, and RFC 1738 calls its numbers
decimal (section 3.1). Parsers that read it as inet_aton does take a leading zero for octal. So a check of 10.0.0.1 is followed
by a connection to 8.0.0.1.`, ""},
	{"ftp://a?@b/", conform.Host, `In RFC 1738 a user may hold "?" (section 5), and ftp has no search: the user is "a?", and the host is
b. Every parser here ends the host at the "?", wherever it stands. So a program that follows RFC 1738 to the letter and a library
that does not see two different hosts.`, "a"},
	{`http://a\@b/`, conform.Host, `Neither RFC has a backslash. The WHATWG standard takes it for a slash in http, so that the
host ends before it; others take all before the "@" for a user.`, ""},
	{"http://a@b/", conform.Host, `In RFC 1630's URL BNF http has no user, and a hostname is an ialpha, which holds "@" by way of
safe: the host is all of it. In RFC 1738 httpurl has no login; only the catch-all otherurl derives the string. Every parser here
reads it as it reads ftp.`, "b"},
	{"http:///a", conform.Host, `No production for http derives this: there is no host. The WHATWG standard skips the third slash,
and curl does, and they find a host in what others take for the path.`, ""},
	{"http://@@a/", conform.Host, `Which "@" ends the user? Most that accept it say the last one. Both of Java's say that there is
no host.`, ""},
	{"http://%61/", conform.Host, `RFC 1738's hosts hold no escapes, and RFC 1630's do not begin with one. Some parsers decode it, and
see "a"; others keep it.`, ""},
	{"http://a_b/", conform.Host, `RFC 1630's ialpha holds "_", RFC 1738's domainlabel does not. Java's URI keeps such an authority as
"registry-based", as it documents, and says that there is no host, which a program may take for nothing to check.`, ""},
	{"ftp://a/b?c", conform.Path, `In RFC 1738 only http and gopher have a search; in ftp "?" is part of the file's name (fsegment).
Most later parsers cut off a query, and so name another file.`, ""},
	{"http://a/~b", conform.Path, `In both BNFs "~" is a national character, and no production uses these; RFC 1738 calls it unsafe
(section 2.2). Every parser here accepts it.`, "/~b"},
}

// document writes docs/conformance.md.
func document(t *testing.T, peers []peer, r *conform.Report) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<!-- Written by: go test ./golden/conform -update -->

# Today's parsers against the first RFCs

[conformance.md](conformance.md) holds today's parsers against RFC 3986. This page holds ten of them against RFC 1630 and RFC 1738,
which none claims to follow; of urllib the docstring says “urlparse module is based upon the following RFC specifications.”, and
RFC 1738 is one of six. So nothing here contradicts a claim: it is deliberate, or what later texts say. Most versions are Debian
12's, and old ([which is the newest](conformance.md#the-claims)).

All were asked about the same strings: those that ` + "`bnfcheck conform`" + ` asks about, which kill every mutant of all schemes'
productions in RFC 1630 and RFC 1738; all of "http://" with up to three bytes of ` + "`" + strings.ReplaceAll(everNear, "\t", "TAB") + "`" + `; and all of "http://" and of
"ftp://" with up to four of ` + "`" + near + "`" + `. What is measured is how far practice
has moved, and how far apart parsers are that are used side by side. The strings are made to find differences; the counts say
nothing about how often URLs in use meet them.

| name | parser | version |
|---|---|---|
`)
	for _, p := range peers {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.Name(), p.parser, p.version)
	}
	fmt.Fprintf(&b, `
## The matrix

%d strings. "More" are accepted by the parser alone, "less" by the RFC alone. Of those that both accept, the others say in how many
the parser sees another host, or any other component that differs by more than its spelling. A string of a known scheme that only
the RFC's generic production derives counts as rejected by the RFC.

| parser | accepts |`, r.Inputs)
	for _, g := range bnfcheck.RFCs() {
		fmt.Fprintf(&b, " %s: more | less | both | other host | other component |", g.Title)
	}
	b.WriteString("\n|---|--:|" + strings.Repeat("--:|--:|--:|--:|--:|", len(r.Grammars)) + "\n")
	n := len(r.Grammars)
	for i, o := range r.Implementations {
		fmt.Fprintf(&b, "| %s | %d |", o.Name, o.Accepted)
		for _, c := range r.Comparisons[i*n : (i+1)*n] {
			differing := 0
			for _, tally := range c.Tallies {
				differing += tally.Different
			}
			host := c.Differing(conform.Host)
			fmt.Fprintf(&b, " %d | %d | %d | %d | %d |", c.More, c.Less, c.Both, host, differing-host)
		}
		b.WriteByte('\n')
	}
	b.WriteString(`
The places where each parser and each RFC part, by production and transition, are in golden/conform, one file for each parser.

## Ten disagreements
`)
	for i, d := range telling {
		fmt.Fprintf(&b, "\n### %d. %s\n\n%s\n\n| %v | seen by |\n|---|---|\n", i+1, results.Code(d.input), d.text, d.component)
		by := writeViews(t, &b, conform.Judges(), peers, d.input, d.component)
		if d.every != "" && len(by[seen(ast.Quote(d.every))]) < len(peers) {
			t.Errorf("%s: not every parser sees %q", d.input, d.every)
		}
	}
	b.WriteString(learned(t))
	b.WriteString(`
## Who sees which host

For every two parsers, in how many strings that both accept they see different hosts, and the shortest of http: those in
which no other one with as many slashes is hidden (as a subsequence, where a letter stands for any byte and a digit for any
digit). "None" is no host, or an empty one. Over the bytes given above all strings were asked, so that over them there is no
shorter one.

| | | strings | shortest, with what each sees |
|---|---|--:|---|
`)
	for _, p := range r.Pairs {
		var shortest []string
		for _, s := range p.Shortest {
			if !strings.HasPrefix(string(s.Input), "http:") {
				continue
			}
			shortest = append(shortest, fmt.Sprintf("%s %s, %s", code(string(s.Input)), seen(s.A), seen(s.B)))
		}
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %s |\n", p.A, p.B, p.Different, p.Compared, strings.Join(shortest, "<br>"))
	}
	return b.String()
}

// learned returns the section about the models of net/url, and compares the drawings that it shows.
func learned(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`
## What net/url accepts, exactly

` + "`bnfcheck learn`" + ` asks a parser until it has the automaton of all that it accepts, and of that and RFC 1738 it computes the whole
difference, as between the two RFCs. Here is that for Go's net/url, and hosts without brackets. In http it accepts all that
RFC 1738 does. In ftp all that it does not accept has a "?" before the "@", where it ends the host and finds none, or a port that
is no number; and where it does accept such a string, it sees another host than the RFC, as above.

| scheme | states | classes of bytes | and the RFC | places where they part | shortest of net/url alone | of both | of RFC 1738 alone |
|---|--:|--:|---|--:|---|---|---|
`)
	var drawings strings.Builder
	for _, name := range []string{"http", "ftp"} {
		scheme := must.Of(learn.NewScheme(name, bnfcheck.RFC1738.Grammar))(t)
		o := must.Of(scheme.Options())(t)
		o.Extra = 1
		r := must.Of(learn.Learn(t.Context(), scheme.Oracle(conform.NetURL()), o))(t)
		report := learn.NewReport("net/url", scheme, r)
		must.Do(t, report.Compare())
		d := report.Differences[0]
		first := func(p diff.Part) string {
			if p.Shortest == nil {
				return "none"
			}
			return code(string(*p.Shortest))
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %d | %s | %s | %s |\n", name, r.DFA.States(), r.DFA.Classes(),
			d.Relation, len(d.Causes),
			first(d.OnlyA), first(d.Both), first(d.OnlyB))
		fmt.Fprintf(&drawings, "\n![The automaton of what net/url accepts of %s](net-url-%s.svg)\n", name, name)
	}
	b.WriteString(`
The commands

    bnfcheck learn --rfc 1738 ftp --builtin net/url
    bnfcheck learn --rfc 1738 ftp --builtin net/url --format dot | dot -Tsvg

print the difference place by place, with up to where the model is exact, and draw the model.
`)
	return b.String() + drawings.String()
}

// writeViews writes a row for each value that is seen, and returns who sees it.
func writeViews(
	t *testing.T, b *strings.Builder, judges []conform.Judge, peers []peer, input string, component conform.Component,
) map[string][]string {
	t.Helper()
	var values []string
	by := map[string][]string{}
	add := func(value, name string) {
		if by[value] == nil {
			values = append(values, value)
		}
		by[value] = append(by[value], name)
	}
	view := func(verdict conform.Verdict, v conform.Value) string {
		if verdict != conform.Accepted {
			return "(" + verdict.String() + ")"
		}
		return seen(v.String())
	}
	for _, j := range judges {
		a := j.Answer(input)
		add(view(a.Verdict, a.Components[component]), "**"+j.Grammar.Title+"**")
	}
	for _, p := range peers {
		a, err := p.Ask(t.Context(), input)
		if err != nil || a.Fault != nil {
			t.Fatalf("%s: %v %v", p.Name(), err, a.Fault)
		}
		add(view(a.Verdict, a.Components[component]), p.Name())
	}
	if len(values) < 2 {
		t.Errorf("nobody disagrees about %q", input)
	}
	slices.SortStableFunc(values, func(a, b string) int { return len(by[b]) - len(by[a]) })
	for _, v := range values {
		fmt.Fprintf(b, "| %s | %s |\n", v, strings.Join(by[v], ", "))
	}
	return by
}

// code formats an input for a table: in quotes where it has characters that cannot be seen.
func code(input string) string {
	if strings.ContainsFunc(input, func(r rune) bool { return !unicode.IsPrint(r) }) {
		input = ast.Quote(input)
	}
	return results.Code(input)
}

// seen formats the value of a component for a table.
func seen(value string) string {
	switch value {
	case "none", `""`:
		return "none"
	}
	if strings.HasPrefix(value, "(") {
		return value
	}
	return results.Code(value)
}
