package page

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck"
	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"

	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // its grammars are known by name
)

// collected returns the content of the whole report, with what net/url makes of mailto URLs.
var collected = sync.OnceValues(func() (*Content, error) {
	inputs, err := conform.Cover(conform.Judges(), nil, "mailto")
	if err != nil {
		return nil, err
	}
	results, err := conform.Run(context.Background(), conform.Config{
		Implementations: []conform.Implementation{conform.NetURL()}, Judges: conform.Judges(), Inputs: inputs,
	})
	if err != nil {
		return nil, err
	}
	return Collect(results, nil)
})

func content(t *testing.T) *Content {
	t.Helper()
	return must.Of(collected())(t)
}

// anEngine stands for one that answers: no test here runs it.
var anEngine = &webengine.Engine{Program: []byte("a program"), Glue: "// glue"}

// pages returns the whole page, before it is packed and after.
var pages = sync.OnceValues(func() (whole, packed []byte) {
	c, err := collected()
	if err != nil {
		return nil, nil
	}
	whole, _ = executeTemplate(c, anEngine)
	var b bytes.Buffer
	if WriteHTML(&b, c, anEngine) != nil {
		return whole, nil
	}
	return whole, b.Bytes()
})

// document parses the page as it is when the script has unpacked it, and fails where a parser had to mend it.
func document(t *testing.T) *html.Node {
	t.Helper()
	content(t)
	page, _ := pages()
	balanced(t, page)
	return must.Of(html.Parse(bytes.NewReader(page)))(t)
}

// What the script unpacks, put in its place, is the page.
func TestPacked(t *testing.T) {
	content(t)
	whole, packed := pages()
	balanced(t, packed)
	_, after, _ := bytes.Cut(packed, []byte(`id="packed">`))
	data, _, _ := bytes.Cut(after, []byte("<"))
	binary := must.Of(base64.StdEncoding.DecodeString(string(data)))(t)
	z := must.Of(gzip.NewReader(bytes.NewReader(binary)))(t)
	text := must.Of(io.ReadAll(z))(t)
	page := bytes.Replace(packed, data, []byte(packMark), 1)
	page = bytes.Replace(page, []byte(html.EscapeString(webengine.Policy(packed))), []byte(policyMark), 1)
	page = bytes.Replace(page, []byte(webengine.Policy(packed)), []byte(policyMark), 1)
	for _, part := range bytes.Split(text, []byte{0}) {
		page = bytes.Replace(page, []byte(packBegins+"</div>"), append(append([]byte("<DIV"+packBegins[4:]), part...), packEnds...), 1)
	}
	page = bytes.ReplaceAll(page, []byte("<DIV"), []byte("<div"))
	if !bytes.Equal(page, whole) {
		t.Errorf("unpacked it has %d bytes, and not %d", len(page), len(whole))
	}
}

// Without the checker the page has at most a megabyte.
func TestSize(t *testing.T) {
	content(t)
	_, page := pages()
	const most = 1 << 20
	if n := len(page) - len(webcheck.Markup(anEngine)) - len(webcheck.Script()) - len(webcheck.Style()); n > most {
		t.Errorf("%d bytes, and not at most %d", n, most)
	} else {
		t.Logf("%d bytes", n)
	}
}

// A policy in the page lets its own scripts run, and nothing else.
func TestPolicy(t *testing.T) {
	content(t)
	_, page := pages()
	_, after, _ := bytes.Cut(page, []byte(`<meta http-equiv="Content-Security-Policy" content="`))
	policy, _, _ := bytes.Cut(after, []byte(`"`))
	if strings.Count(string(policy), "'sha256-") != 2 || !strings.HasPrefix(string(policy), "default-src 'none'; ") || strings.Contains(string(policy), "http") {
		t.Errorf("%s", policy)
	}
	for _, script := range [][]byte{[]byte(pageScript), []byte(webcheck.Script())} {
		sum := sha256.Sum256(script)
		if !bytes.Contains(policy, []byte(base64.StdEncoding.EncodeToString(sum[:]))) {
			t.Error("a script of the page is not let run")
		}
	}
}

// The compacted page is the same document.
func TestCompact(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{`<p title="&#34;>&#34;">&#34;a&#34; &lt;b&gt; &amp;amp;&#43;</p>`, `<p title="&#34;>&#34;">"a" &lt;b> &amp;amp;+</p>`},
		{`<script>"&gt;<p>"</script><style>a&gt;b</style>&gt;`, `<script>"&gt;<p>"</script><style>a&gt;b</style>>`},
		{"", ""}, {"a", "a"}, {"<p", "<p"}, {"<script>", "<script>"},
	} {
		if got := string(unescapeText([]byte(c.page))); got != c.want {
			t.Errorf("%s\nbecomes %s\nand not %s", c.page, got, c.want)
		}
	}
}

// The surprises are what they are said to be: each leads to a difference, and the grammars disagree about it.
func TestNews(t *testing.T) {
	for _, j := range content(t).News() {
		if strings.Count(j.Link, "-") < 2 {
			t.Errorf("%s leads to %q, which is no group", j.URL, j.Link)
		}
		good := 0
		for _, v := range j.Verdicts {
			if v.Good {
				good++
			}
		}
		if good == 0 || good == len(j.Verdicts) {
			t.Errorf("%s: the grammars agree", j.URL)
		}
	}
	for url, want := range map[string]string{ // RFC 1630, RFC 1738, the draft, RFC 3986
		"ftp://a?@b/": "rejected conforming conforming conforming", "http://a/~b": "rejected rejected conforming conforming",
		"HTTP://a/": "no-production rejected rejected conforming", `mailto:"@a`: "conforming rejected rejected rejected",
		"ftp://a./": "conforming generic-only conforming conforming",
	} {
		var got []string
		for _, j := range content(t).News() {
			for _, v := range j.Verdicts {
				if j.URL == url {
					got = append(got, v.Verdict)
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v", url, got)
		}
	}
}

// void elements have no end tag, and these may lack theirs: the next cell or row, or the end of the table, ends them.
const (
	void    = " meta link input br wbr hr img "
	lenient = " td th "
)

// balanced fails where an end tag is missing or wrong.
func balanced(t *testing.T, page []byte) {
	t.Helper()
	z := html.NewTokenizer(bytes.NewReader(page))
	var open []string
	for {
		switch z.Next() {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("never ended: %v", open)
			}
			return
		case html.StartTagToken:
			name, _ := z.TagName()
			tag := string(name)
			if strings.Contains(lenient, " "+tag+" ") && len(open) > 0 && strings.Contains(lenient, " "+open[len(open)-1]+" ") {
				open = open[:len(open)-1]
			}
			if !strings.Contains(void, " "+tag+" ") {
				open = append(open, tag)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			tag := string(name)
			for tag == "tr" && len(open) > 0 && strings.Contains(lenient, " "+open[len(open)-1]+" ") {
				open = open[:len(open)-1]
			}
			if len(open) == 0 || open[len(open)-1] != tag {
				t.Fatalf("</%s> ends %v, before %.80q", tag, open[max(0, len(open)-4):], z.Buffered())
			}
			open = open[:len(open)-1]
		}
	}
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// elements returns all elements below n, n included, in the order of the document.
func elements(n *html.Node) (list []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode {
			list = append(list, d)
		}
	}
	return list
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// Every link leads to a place in the page, every place has a name of its own, and what names another element names one.
func TestLinks(t *testing.T) {
	all := elements(document(t))
	ids := map[string]bool{}
	for _, e := range all {
		if id, ok := attribute(e, "id"); ok {
			if ids[id] {
				t.Errorf("two elements are called %q", id)
			}
			if id == "" || strings.ContainsAny(id, " _+%./") {
				t.Errorf("a bad name: %q", id)
			}
			ids[id] = true
		}
	}
	links := 0
	for _, e := range all {
		if to, ok := attribute(e, "href"); ok {
			links++
			if to == project || strings.HasPrefix(to, expressionPage) || e.Data == "link" {
				continue
			}
			if !strings.HasPrefix(to, "#") || !ids[to[1:]] {
				t.Errorf("<%s href=%q> leads nowhere in the page", e.Data, to)
			}
		}
		if to, ok := attribute(e, "aria-labelledby"); ok && !ids[to] {
			t.Errorf("<%s aria-labelledby=%q>: there is no such element", e.Data, to)
		}
	}
	if links < 1000 {
		t.Errorf("only %d links", links)
	}
}

// The page is all there is: nothing in it makes a browser load anything.
func TestLoadsNothing(t *testing.T) {
	for _, e := range elements(document(t)) {
		if e.Data == "link" {
			if to, _ := attribute(e, "href"); !strings.HasPrefix(to, "data:") {
				t.Errorf("<link href=%q>", to)
			}
		}
		switch e.Data {
		case "img", "iframe", "object", "embed", "audio", "video", "source", "base", "image", "use":
			t.Errorf("<%s> in the page", e.Data)
		case "style":
			if s := textOf(e); strings.Contains(s, "url(") || strings.Contains(s, "@import") {
				t.Error("the style loads something")
			}
		}
		for _, a := range e.Attr {
			switch {
			case a.Key == "src", a.Key == "srcset", a.Key == "style", strings.HasPrefix(a.Key, "on"):
				t.Errorf("<%s %s=%q>", e.Data, a.Key, a.Val)
			}
		}
	}
}

// Every production of every grammar has its place, with a railroad diagram, the printed text, the rule, and what is proven.
func TestEveryProduction(t *testing.T) {
	doc := document(t)
	places := map[string]*html.Node{}
	for _, e := range elements(doc) {
		if id, ok := attribute(e, "id"); ok {
			places[id] = e
		}
	}
	for _, g := range bnfcheck.Grammars() {
		for _, p := range g.Productions() {
			place := places[anchor(g.Name, p.ID)]
			if place == nil || place.Data != "details" {
				t.Errorf("%s %s has no place in the page", g.Name, p.ID)
				continue
			}
			found := map[string]int{}
			for _, e := range elements(place) {
				class, _ := attribute(e, "class")
				found[e.Data+" "+class]++
			}
			same := false
			for _, x := range content(t).Grammars {
				if p := x.Production(p.ID); x.Name == g.Name && p != nil {
					same = p.Same != nil
				}
			}
			if same {
				if found["pre bnf"] != 1 || !strings.Contains(textOf(place), "are those of") {
					t.Errorf("%s %s is like another, and does not lead to it", g.Name, p.ID)
				}
				continue
			}
			if n := found["svg railroad"]; n < 1 || n > 2 {
				t.Errorf("%s %s has %d railroad diagrams", g.Name, p.ID, n)
			}
			if found["pre bnf"] != 1 || found["pre peg"] != 1 || !strings.Contains(textOf(place), "the dead one included") {
				t.Errorf("%s %s lacks its text, its rule or its automaton: %v", g.Name, p.ID, found)
			}
			text := textOf(place)
			for _, line := range strings.Split(p.Printed, "\n") {
				if !strings.Contains(text, strings.TrimSpace(line)) {
					t.Errorf("%s %s is not shown as printed: %q", g.Name, p.ID, line)
				}
			}
			if !strings.Contains(text, "equal") {
				t.Errorf("%s %s is not said to be equal", g.Name, p.ID)
			}
		}
	}
}

// What is there for those who do not see the page, or use no mouse: one heading of the first rank and no rank left out,
// landmarks, a way past the contents, headers of columns, names of figures.
func TestAccessible(t *testing.T) {
	count := map[string]int{}
	rank := 0
	all := elements(document(t))
	texts, regions := map[string]string{}, map[string]bool{}
	for _, e := range all {
		if id, ok := attribute(e, "id"); ok && e.Data != "details" && e.Data != "section" && e.Data != "main" {
			texts[id] = textOf(e)
		}
	}
	for _, e := range all {
		if e.Namespace == "" { // a figure may have titles of its own
			count[e.Data]++
		}
		if role, _ := attribute(e, "role"); role == "region" || e.Data == "section" {
			name, _ := attribute(e, "aria-label")
			if by, ok := attribute(e, "aria-labelledby"); ok {
				name = texts[by]
			}
			if name == "" || regions[name] {
				t.Errorf("a region without a name of its own: %q", name)
			}
			regions[name] = true
		}
		switch e.Data {
		case "h1", "h2", "h3", "h4", "h5":
			if n := int(e.Data[1] - '0'); n > rank+1 {
				t.Errorf("<%s> %q comes after a heading of rank %d", e.Data, textOf(e), rank)
			} else {
				rank = n
			}
		case "th":
			if scope, _ := attribute(e, "scope"); scope == "" {
				t.Errorf("<th> %q has no scope", textOf(e))
			}
		case "svg":
			_, label := attribute(e, "aria-label")
			_, hidden := attribute(e, "aria-hidden")
			if !label && !hidden {
				t.Error("a figure without a name")
			}
		case "html":
			if lang, _ := attribute(e, "lang"); lang != "en" {
				t.Error("the page has no language")
			}
		}
	}
	for element, want := range map[string]int{"h1": 1, "main": 1, "nav": 1, "header": 1, "footer": 1, "title": 1} {
		if count[element] != want {
			t.Errorf("%d <%s>, want %d", count[element], element, want)
		}
	}
}

// A string is shown by its bytes, whatever they are, and none of them means anything in the page.
func TestWord(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"http://a", `<code>http://a</code>`},
		{"", `<i class="nothing">the empty string</i>`},
		{`"<b>&'`, `<code>&#34;&lt;b&gt;&amp;&#39;</code>`},
		{"a b", `<code>a<span class="byte">\x20</span>b</code>`},
		{"\x00\n\x7f\xff", `<code><span class="byte">\x00</span><span class="byte">\x0A</span><span ` +
			`class="byte">\x7F</span><span class="byte">\xFF</span></code>`},
		{"\u202e", `<code><span class="byte">\xE2</span><span class="byte">\x80</span><span ` +
			`class="byte">\xAE</span></code>`},
	} {
		if got := string(showWord(quote.Word(c.word))); got != c.want {
			t.Errorf("%q is shown as %s, want %s", c.word, got, c.want)
		}
	}
	const want = `<code>a<span class="byte">U+202E</span><span class="byte">\xFF</span></code>`
	if got := string(showWord(pointed("a\u202e\xff"))); got != want {
		t.Errorf("code points are shown as %s, want %s", got, want)
	}
}

// The code point at which two sides part is marked, and not a byte of it.
func TestPartingAtCodePoint(t *testing.T) {
	var sides []catalog.Language
	for _, src := range []string{"s = *(%x61C / %x620)\n", "s = *%x620\n"} {
		g := must.Of(bnf.ReadABNF("test.abnf", []byte(src)))(t)
		sides = append(sides, catalog.Language{Grammar: g, Production: "s"})
	}
	d, err := diff.Compare(sides[0], sides[1], diff.Options{MaxLength: 4})
	if err != nil || len(d.Causes) == 0 {
		t.Fatal(d, err)
	}
	const want = `<code><mark><span class="byte">U+061C</span></mark></code>`
	if got := string((&view{}).parting(d, &d.Causes[0])); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := string(byteClass(d, &d.Causes[0])); got != "<code>U+061C</code>" {
		t.Errorf("it is at %s", got)
	}
}

// Where the page can check a URL, a string that is one can be clicked, and no other.
func TestTry(t *testing.T) {
	v := &view{Live: live{Markup: "<p>"}}
	for _, c := range []struct {
		word string
		want bool
	}{
		{"http://a/", true}, {`mailto:"@a`, true}, {"", false}, {"hostport", false}, {"http://a/\xff",
			false}, {"http://a/ ", false},
	} {
		got := string(v.try(quote.Word(c.word)))
		if strings.Contains(got, "<button") != c.want {
			t.Errorf("%q: %s", c.word, got)
		}
	}
	if got := string(v.try(quote.Word(`mailto:"@a`))); got != `<button class="try">mailto:&#34;@a</button>` {
		t.Error(got)
	}
	if got := (&view{}).try(quote.Word("http://a/")); strings.Contains(string(got), "<button") {
		t.Error("a string can be clicked, and nothing would happen:", got)
	}
}

// beginPart of the content, small enough to be read.
func excerpt(t *testing.T) *Content {
	all := content(t)
	out := &Content{Title: all.Title, Lead: all.Lead, Conform: all.Conform, History: all.History[:2], Expressions: all.Expressions, ExpressionLead: all.ExpressionLead}
	keep := map[string][]string{"rfc1630": {"uri_path", "url_national"}, "rfc1738": {"gopherurl", "hostport"}, "draft06": {"hex"}}
	for _, g := range all.Grammars {
		short := *g
		short.Productions = nil
		for _, id := range keep[g.Name] {
			short.Productions = append(short.Productions, g.Production(id))
		}
		short.Ledger = nil
		for _, e := range g.Ledger {
			switch e.ID {
			case "1630-addr-spec", "1738-brackets", "1738-gopher-split", "1738-E5118":
				short.Ledger = append(short.Ledger, e)
			}
		}
		out.Grammars = append(out.Grammars, &short)
	}
	for _, x := range all.Comparisons {
		short := *x
		short.Differences = nil
		for _, d := range x.Differences {
			if d.Topic == "mailto" {
				short.Differences = append(short.Differences, d)
			}
		}
		out.Comparisons = append(out.Comparisons, &short)
	}
	for _, r := range all.Today {
		short := Reference{Title: r.Title}
		for _, d := range r.Distances {
			if d.Topic == "mailto" || d.Topic == "http" {
				short.Distances = append(short.Distances, d)
			}
		}
		out.Today = append(out.Today, &short)
	}
	for _, c := range all.Claims {
		switch c.ID {
		case "1630/complete", "1630/white-space", "1738/host-toplabel":
			out.Claims = append(out.Claims, c)
		}
	}
	return out
}

// What the report shows of published expressions is what docs/regular-expressions.md has.
func TestExpressions(t *testing.T) {
	text := string(must.Of(os.ReadFile("../../../docs/regular-expressions.md"))(t))
	rows := strings.Split(strings.TrimSuffix(expressionTable, "\n"), "\n")
	if flat := strings.Join(strings.Fields(text), " "); !strings.Contains(flat, rows[1]) {
		t.Errorf("the page does not have %q", rows[1])
	}
	for _, row := range rows[2:] {
		c := strings.Split(row, "\t")
		_, section, ok := strings.Cut(text, "\n### "+c[1]+"\n")
		section, _, _ = strings.Cut(section, "\n### ")
		if !ok || !strings.Contains(section, "| `"+c[6]+"` |") || !strings.Contains(section, "| "+c[0]+" |") {
			t.Errorf("the page does not have %q of %s as %s", c[6], c[1], c[0])
		}
	}
	for _, x := range content(t).Expressions {
		_, heading, _ := strings.Cut(x.Link, "#")
		found := false
		for _, row := range rows[2:] {
			found = found || headingAnchor(strings.Split(row, "\t")[1]) == heading
		}
		if !found {
			t.Errorf("%s leads nowhere in the page", x.Link)
		}
	}
}

// TestGolden shows an excerpt of the report in every form.
func TestGolden(t *testing.T) {
	c := excerpt(t)
	var narrow, wide, markdown strings.Builder
	err := errors.Join(
		WriteText(&narrow, c, TextOptions{Width: 44, Bold: true}),
		WriteText(&wide, c, TextOptions{Width: 120}),
		WriteMarkdown(&markdown, c),
	)
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, "testdata/excerpt.golden", goldentest.Output("narrow", narrow.String()),
		goldentest.Output("wide", wide.String()), goldentest.Output("markdown", markdown.String()))
}

// No line is wider than it may be, however narrow that is.
func TestWidth(t *testing.T) {
	for _, width := range []int{20, 33, 60, 80, 200} {
		var b bytes.Buffer
		must.Do(t, WriteText(&b, content(t), TextOptions{Width: width}))
		for l := range strings.Lines(b.String()) {
			if n := len([]rune(strings.TrimRight(l, "\n"))); n > width {
				t.Fatalf("a line of %d columns, and not %d: %s", n, width, l)
			}
		}
	}
}

// The same content is written in the same bytes.
func TestDeterministic(t *testing.T) {
	longtest.Need(t, "it makes the whole page again")
	again := must.Of(Collect(content(t).Conform, nil))(t)
	for name, write := range map[string]func(*bytes.Buffer, *Content) error{
		"html":     func(b *bytes.Buffer, c *Content) error { return WriteHTML(b, c, anEngine) },
		"markdown": func(b *bytes.Buffer, c *Content) error { return WriteMarkdown(b, c) },
	} {
		var a, b bytes.Buffer
		must.Do(t, write(&a, content(t)))
		must.Do(t, write(&b, again))
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two reports on the same grammars differ", name)
		}
	}
}

// Every cause, reading and claim that there is stands in the page.
func TestNothingIsLeftOut(t *testing.T) {
	c := content(t)
	page, _ := pages()
	b := bytes.NewBuffer(page)
	causes := 0
	for _, x := range c.Comparisons {
		for _, d := range x.Differences {
			causes += len(d.Causes)
			grouped := 0
			for _, f := range families(d) {
				grouped += len(f.Causes)
			}
			for i := range d.Groups {
				if !strings.Contains(b.String(), `<li id="`+groupAnchor(x, d, i)+`">`) {
					t.Errorf("%s: group %d is not in the page", d.Topic, i+1)
				}
			}
			if grouped != len(d.Causes) {
				t.Errorf("%s: %d causes in families, and not %d", d.Topic, grouped, len(d.Causes))
			}
		}
	}
	if n := strings.Count(b.String(), "<mark"); n != causes {
		t.Errorf("%d witnesses of causes in the page, and not %d", n, causes)
	}
	for _, g := range c.Grammars {
		for _, e := range g.Ledger {
			if e.ID != diff.AllReadings && !strings.Contains(b.String(), `id="`+anchor("reading", e.ID)+`"`) {
				t.Errorf("the reading %s is not in the page", e.ID)
			}
		}
	}
	for _, claim := range c.Claims {
		if !strings.Contains(b.String(), `id="claim-`+anchor(claim.ID)+`"`) {
			t.Errorf("the claim %s is not in the page", claim.ID)
		}
	}
}

// Results from a file are those of a run, or refused.
func TestCheckConform(t *testing.T) {
	good := *content(t).Conform
	if err := CheckConform(&good); err != nil {
		t.Error(err)
	}
	for what, spoil := range map[string]func(r *conform.Report){
		"nothing":            func(r *conform.Report) { *r = conform.Report{} },
		"too few":            func(r *conform.Report) { r.Comparisons = r.Comparisons[1:] },
		"another order":      func(r *conform.Report) { r.Grammars = []string{"rfc1738", "rfc1630"} },
		"an unknown grammar": func(r *conform.Report) { r.Grammars = []string{"rfc1630", "rfc1808"} },
		"a short name":       func(r *conform.Report) { r.Grammars = []string{"1630", "rfc1738"} },
		"another parser":     func(r *conform.Report) { r.Implementations = []conform.Outcome{{Name: "x"}} },
		"an empty fault": func(r *conform.Report) {
			r.Implementations = []conform.Outcome{{Name: "go-net-url", Faults: []*conform.Fault{nil}}}
		},
		"the same twice": func(r *conform.Report) {
			r.Implementations = append(r.Implementations[:1:1], r.Implementations[0])
			r.Comparisons = append(r.Comparisons[:2:2], r.Comparisons...)
		},
	} {
		r := good
		spoil(&r)
		if err := CheckConform(&r); err == nil {
			t.Errorf("%s is taken for the results of a run", what)
		}
	}
}

// Whatever stands in a file of results, the report shows it and does nothing that it says.
func TestHostileResults(t *testing.T) {
	const bad = "\x1b[2J</td><script>\u202e|`\xff\n# x"
	r := *content(t).Conform
	r.Implementations = []conform.Outcome{{Name: bad, GaveUp: bad, FaultCount: 1, Faults: []*conform.Fault{{Kind: bad, Input: bad, Detail: bad}}}}
	r.Grammars = r.Grammars[:1]
	r.Comparisons = []conform.Comparison{{Implementation: bad, Grammar: r.Grammars[0], Groups: []conform.Group{
		{Kind: conform.OtherComponent, Component: bad, Production: bad, At: bad, How: bad, Shortest: bad, Ours: bad,
			Theirs: bad, Error: bad},
		{Kind: conform.AcceptsMore, Production: bad, At: bad, Bytes: bad, Expected: []string{bad}, Shortest: bad},
		{Kind: conform.AcceptsLess, Production: bad, At: bad, Term: bad, Shortest: bad},
	}}}
	r.Pairs = []conform.Pair{{A: bad, B: bad, Different: 1, Compared: 1, Shortest: []conform.Sight{{Input: bad, A: bad, B: bad}}}}
	must.Do(t, CheckConform(&r))
	c := &Content{Conform: removeControls(&r)}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"html":     func(b *bytes.Buffer) error { return WriteHTML(b, c, anEngine) },
		"text":     func(b *bytes.Buffer) error { return WriteText(b, c, TextOptions{}) },
		"markdown": func(b *bytes.Buffer) error { return WriteMarkdown(b, c) },
	} {
		var b bytes.Buffer
		must.Do(t, write(&b))
		if strings.ContainsAny(b.String(), "\x1b\u202e") || strings.Contains(b.String(), "\xff") {
			t.Errorf("%s holds what moves text", name)
		}
		if name == "html" {
			balanced(t, b.Bytes())
			if n := strings.Count(b.String(), "<script>"); n != 1 && n != 2 {
				t.Errorf("%d scripts in the page", n)
			}
		}
	}
}

// The surprises need the grammars, the history of the syntax does not: each is shown without the other, in every form.
func TestNewsWithoutHistory(t *testing.T) {
	const surprise, history = "The tilde of every home page", "what each text made legal"
	all := content(t)
	for _, c := range []*Content{
		{Grammars: all.Grammars[:1]},
		{History: all.History},
		{Comparisons: all.Comparisons},
	} {
		var text, markdown strings.Builder
		must.Do(t, errors.Join(WriteText(&text, c, TextOptions{Width: 200}), WriteMarkdown(&markdown, c)))
		page := string(must.Of(executeTemplate(c, anEngine))(t))
		for form, shown := range map[string]string{"text": text.String(), "Markdown": markdown.String(), "page": page} {
			if got, want := strings.Contains(shown, surprise), len(c.Grammars) > 0; got != want {
				t.Errorf("%s of %d grammars has surprises: %t", form, len(c.Grammars), got)
			}
			got := strings.Contains(strings.ToLower(shown), history)
			if want := len(c.History) > 0; got != want {
				t.Errorf("%s of %d steps has a history: %t", form, len(c.History), got)
			}
		}
	}
}

// An alternative is said to be never taken only where that is so, in every form.
func TestHidden(t *testing.T) {
	word := quote.Word("<a")
	never := prove.Hidden{Rule: "hex", Start: "hex", Choice: `"a" / "b"`, Alternative: `"b"`}
	ahead, fromURL, losing := never, never, never
	ahead.Lookahead = true
	fromURL.Start = "url"
	losing.Word, losing.Shadow, losing.Offset = &word, `"a"`, 1
	for says, h := range map[string]prove.Hidden{
		"Never taken: `\"b\"` of `\"a\" / \"b\"`":                  never,
		"Never taken in a lookahead: `\"b\"` of `\"a\" / \"b\"`":   ahead,
		"Never taken when parsing url: `\"b\"` of `\"a\" / \"b\"`": fromURL,
		"Hidden for some strings: `\"b\"` of `\"a\" / \"b\"`, since `\"a\"` is taken at offset 1; " +
			"hex rejects `<a`": losing,
	} {
		g := *content(t).Grammars[0]
		p := *g.Productions[0]
		p.Hidden = []prove.Hidden{h}
		g.Productions = []*Production{&p}
		c := &Content{Grammars: []*Grammar{&g}}
		var text, markdown strings.Builder
		must.Do(t, errors.Join(WriteText(&text, c, TextOptions{Width: 200}), WriteMarkdown(&markdown, c)))
		page := string(must.Of(executeTemplate(c, anEngine))(t))
		if !strings.Contains(text.String(), strings.ReplaceAll(says, "`", "")) {
			t.Errorf("the text does not say %s", says)
		}
		if !strings.Contains(markdown.String(), strings.ReplaceAll(says, ":", `\:`)) {
			t.Errorf("the Markdown does not say %s", says)
		}
		html := strings.ReplaceAll(says, "<", "&lt;")
		for i := 0; strings.Contains(html, "`"); i++ {
			html = strings.Replace(html, "`", []string{"<code>", "</code>"}[i%2], 1)
		}
		if !strings.Contains(page, `<p class="note">`+html+`</p>`) {
			t.Errorf("the page does not say %s", html)
		}
	}
}

// The rest of a line that is too wide for a block is indented by two columns more than the line.
func TestBlock(t *testing.T) {
	x := &text{width: 20}
	x.block("a = bbb ccc ddd eee fff ggg hhh iii\nj = kkk\n")
	if got, want := x.String(), "  a = bbb ccc ddd\n    eee fff ggg hhh\n    iii\n  j = kkk\n"; got != want {
		t.Errorf("%q, and not %q", got, want)
	}
}

// Of one there is no plural.
func TestOneFault(t *testing.T) {
	g := *content(t).Grammars[0]
	proof := *g.Proof
	proof.Faults = []prove.Fault{{Message: "it is wrong"}}
	g.Proof = &proof
	says := (&Content{Grammars: []*Grammar{&g}}).Summary()
	if !strings.HasSuffix(says, " derives them, with 1 fault.") {
		t.Error(says)
	}
	proof.Samples = []prove.Sample{{Parser: "fast", Words: 1, Trees: 1}}
	r := *content(t).Conform
	r.Implementations = slices.Clone(r.Implementations)
	r.Implementations[0].FaultCount, r.Implementations[0].GaveUp = 1, "It gave up."
	r.Pairs = []conform.Pair{{A: "a", B: "b", Different: 1, Compared: 1}}
	c := &Content{Grammars: []*Grammar{&g}, Conform: &r}
	var text strings.Builder
	must.Do(t, WriteText(&text, c, TextOptions{Width: 200}))
	page := string(must.Of(executeTemplate(c, anEngine))(t))
	for _, shown := range []string{text.String(), page} {
		for _, one := range []string{
			"failed to answer 1 time. ", "see different hosts in 1 of 1 string",
			"The fast parser was given 1 string, and 1 tree was held against the BNF: nothing wrong.",
		} {
			if !strings.Contains(shown, one) {
				t.Errorf("it does not say %q", one)
			}
		}
	}
}

// A column of the chart for each length of which there are strings, as high as its share.
func TestChart(t *testing.T) {
	part := func(n ...int64) (p diff.Part) {
		for _, x := range n {
			p.Counts = append(p.Counts, big.NewInt(x))
		}
		return p
	}
	d := &diff.Difference{OnlyA: part(0, 0, 1, 1), Both: part(0, 0, 3, 0), OnlyB: part(0, 0, 0, 1)}
	svg := string(drawLengths(d))
	for class, want := range map[string]string{
		"only-a": "M47 112.0h17v30.0h-17zM71 82.0h17v60.0h-17z",
		"both":   "M47 22.0h17v90.0h-17z",
		"only-b": "M71 22.0h17v60.0h-17z",
	} {
		if !strings.Contains(svg, `<path class="`+class+`" d="`+want+`"/>`) {
			t.Errorf("%s is not drawn as %s in %s", class, want, svg)
		}
	}
}
