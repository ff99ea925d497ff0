package semantic

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// samples has strings that every rule is about, and the corpus where it is.
func samples(t *testing.T) []string {
	list := []string{
		"http://a.b/", "http://a/", "http://1.2.3.4/", "http://01.2.3.400:0080/", "http://a.b:8080/;x?y;z",
		"http://a.b:25/*!", "http://a.b:0/",
		"http://a..b/", "http://.a/", "http://a./x+y?b+c", "http://a.b/../c", "http://a.b/x/./c", "http://u@a.b/",
		"http://@a/",
		"HTTP://a.b/", "x-a:b", "X-a:b", "urn:a/b", "afs://cell/p", "file:///a", "file://localhost/a", "file://h/a",
		"file://1.2.3.4/a", "file:a",
		"ftp://@h/a", "ftp://u:p@h.x/a;type=x", "ftp://h.x//a;b;type=a", "ftp://h.x/a/;type=D", "telnet://u:p@h.x:23/",
		"gopher://h.x/1a%09b%0Ac", "gopher://h.x/1a%0Ab", "gopher://h.x/1s%09s%09+", "gopher://h.x/1s%09s%09x",
		"gopher://h.x/1s%09s%09+v", "gopher://h.x/",
		"mailto:a", "mailto:a@b", "mailto:a@b?c", "news:a..b", "news:a@b", "news:*", "news:@", "nntp://h.x/g/0",
		"nntp:g/1", "nntp:g/0", "nntp://h.x/g", "mailto:a..b@c.d", "mid:a..b@c.d", "ftp://h.x/a/", "ftp://h.x//a",
		"mid:a@b", "cid:a@b",
		"wais://h.x/", "wais://h.x/d//p", "prospero://h.x/p;=v", "prospero://u@h.x/p", "rlogin://h", "tn3270://h",
		"z39.50:x", "nfs:x",
		"http://a.b/%7e%2F%00%0a%41?%3b", "foo:%7E%2f", "http://" + strings.Repeat("a", 64) + ".b/",
		"http://" + strings.Repeat("a.", 130) + "b/",
	}
	r := rand.New(rand.NewPCG(1, 2))
	const alphabet = "ab.:/@;?*!+%2F%0A%7e=x-1"
	for range 20000 {
		head := list[r.IntN(len(list))]
		b := []byte(head[:strings.IndexByte(head, ':')+1])
		if r.IntN(2) == 0 {
			b = append(b, "//"...)
		}
		for range r.IntN(16) {
			b = append(b, alphabet[r.IntN(len(alphabet))])
		}
		list = append(list, string(b))
	}
	if dir := os.Getenv("BNFCHECK_CORPUS"); dir == "" {
		t.Log("BNFCHECK_CORPUS is not set: without the corpus")
	} else if text, err := os.ReadFile(filepath.Join(dir, "era.tsv")); err != nil {
		t.Logf("without era.tsv: %v", err)
	} else {
		for line := range strings.Lines(string(text)) {
			url, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			list = append(list, url)
		}
	}
	return list
}

// typedGrammars returns the published grammars that typed URLs are made of.
func typedGrammars() (list []*bnfcheck.Grammar) {
	for _, g := range bnfcheck.Grammars() {
		if textOf(g.Grammar) != nil {
			list = append(list, g)
		}
	}
	return list
}

// eachSample calls f with the typed URL of every sample under every grammar that accepts it.
func eachSample(t *testing.T, f func(*bnfcheck.Grammar, *URL)) {
	var r Reader
	list := samples(t)
	for _, g := range typedGrammars() {
		p := g.Parser()
		p.FoldScheme = true
		for _, s := range list {
			tree, err := p.Parse(s)
			if err != nil {
				continue
			}
			u, err := r.OfWritten(tree, s)
			if err != nil {
				t.Fatalf("%s %q: %v", g.Name, s, err)
			}
			f(g, u)
		}
	}
}

// plainly has the domains defined in the plainest way.
var plainly = map[domain]func(*URL) bool{
	genericOnly:        func(u *URL) bool { return u.Match.String() == "generic-only" },
	unknownScheme:      func(u *URL) bool { return u.Match.String() == "no-production" },
	upperCaseScheme:    func(u *URL) bool { return strings.ToLower(u.Scheme.Raw) != u.Scheme.Raw },
	experimentalScheme: func(u *URL) bool { return match(`^x-`, u.SchemeName()) },

	userName: func(u *URL) bool { return u.User.Present() },
	unusualPort: func(u *URL) bool {
		return u.Port.Present() && (u.Port.Raw != strconv.Itoa(u.defaultPort) || u.defaultPort == 0)
	},
	hostNumber:  func(u *URL) bool { return u.Host.Kind == IPv4 },
	singleLabel: func(u *URL) bool { return match(`^[^.]+$`, hostName(u)) },
	oddLabels: func(u *URL) bool {
		name := hostName(u)
		labels := strings.Split(name, ".")
		return name != "" && (len(name) > 63 || slices.Contains(labels[:len(labels)-1], ""))
	},
	rootPeriod:  func(u *URL) bool { return match(`.\.$`, hostName(u)) },
	longName:    func(u *URL) bool { return len(hostName(u)) > 253 },
	oddHostName: func(u *URL) bool { return match(`[^A-Za-z0-9.-]`, hostName(u)) },

	graphicEscape:   func(u *URL) bool { return match(`%(2[1-9A-Fa-f]|[3-6].|7[0-9A-Ea-e])`, u.Source) },
	controlEscape:   func(u *URL) bool { return match(`%(0[^0]|1.|7[Ff])`, u.Source) },
	nulEscape:       func(u *URL) bool { return strings.Contains(u.Source, "%00") },
	lowerCaseEscape: func(u *URL) bool { return match(`%([a-f].|.[a-f])`, u.Source) },
	unsafeCharacter: func(u *URL) bool {
		return strings.IndexFunc(u.Source, func(c rune) bool { return u.text.unsafe.Has(byte(c)) }) >= 0
	},

	semicolon:  func(u *URL) bool { return strings.Contains(u.Source, ";") },
	starOrBang: func(u *URL) bool { return strings.ContainsAny(u.Source[u.authority:], "*!") },
	plus: func(u *URL) bool {
		return slices.ContainsFunc(u.Fields(), func(f Field) bool { return f.Name == "search" && strings.Contains(f.Part.Raw, "+") })
	},
	dotInFront: func(u *URL) bool { return match(`^\.`, u.Host.Raw) || match(`[/:]\.`, u.Source[u.authority:]) },
}

// ofReferences has the domains of references defined in the plainest way.
var ofReferences = map[domain]func(*Reference) bool{
	graphicEscape:   func(r *Reference) bool { return match(`%(2[1-9A-Fa-f]|[3-6].|7[0-9A-Ea-e])`, r.Source) },
	controlEscape:   func(r *Reference) bool { return match(`%(0[^0]|1.|7[Ff])`, r.Source) },
	nulEscape:       func(r *Reference) bool { return strings.Contains(r.Source, "%00") },
	lowerCaseEscape: func(r *Reference) bool { return match(`%([a-f].|.[a-f])`, r.Source) },

	upperCaseScheme: func(r *Reference) bool { return r.Scheme.Raw != r.SchemeName() },
	userName:        func(r *Reference) bool { return r.Userinfo.Present() },
	anyPort:         func(r *Reference) bool { return r.Port.Present() },
	emptyHost:       func(r *Reference) bool { return r.Host.Raw == "" },
	upperCaseHost:   func(r *Reference) bool { return match(`[A-Z]`, r.Host.Raw) },
	escapedHost:     func(r *Reference) bool { return match(`%`, r.Host.Raw) },
	numericName:     func(r *Reference) bool { return r.Host.Kind == RegName && match(`^[0-9]|%`, r.Host.Raw) },
	doubtfulName: func(r *Reference) bool {
		return r.Host.Kind == RegName && match(`[^A-Za-z0-9.]|^\.|\.\.|.{64}`, r.Host.Raw)
	},
	futureAddress: func(r *Reference) bool { return match(`^\[[Vv]`, r.Host.Raw) },
	emptyPath:     func(r *Reference) bool { return r.Authority.Present() && r.Path.Raw == "" },
	unusualSegment: func(r *Reference) bool {
		return match(`%|(^|/)(\.|(?i:aux|con|nul|prn|(com|lpt)[1-9]?)(\.|/|$))`, r.Path.Raw)
	},
}

var compiled = map[string]*regexp.Regexp{}

func match(pattern, s string) bool {
	if compiled[pattern] == nil {
		compiled[pattern] = regexp.MustCompile(pattern)
	}
	return compiled[pattern].MatchString(s)
}

func hostName(u *URL) string {
	if u.Host.Kind == IPv4 {
		return ""
	}
	return u.Host.Raw
}

// Each domain is what its name says, and some URL is in it and another is not.
func TestDomains(t *testing.T) {
	for d := range domains {
		if d != everyURL && plainly[d] == nil && ofReferences[d] == nil {
			t.Fatalf("domain %d is not defined", d)
		}
	}
	var in, out [domains]bool
	eachSample(t, func(g *bnfcheck.Grammar, u *URL) {
		all := u.domains(^domainSet(0))
		for d, is := range plainly {
			want := is(u)
			if got := all>>d&1 == 1; got != want {
				t.Errorf("%s %q: in domain %d: %t, want %t", g.Name, u.Source, d, got, want)
			}
			if alone := u.domains(1 << d); alone != all&(1<<d) {
				t.Errorf("%s %q: in domain %d: %b if asked for it only, want %b", g.Name, u.Source, d, alone, all&(1<<d))
			}
			in[d], out[d] = in[d] || want, out[d] || !want
		}
	})
	for d := range plainly {
		if !in[d] || !out[d] {
			t.Errorf("domain %d: a URL in it %t, one out of it %t", d, in[d], out[d])
		}
	}
}

// The domains of references are what their names say, and the rules of RFC 3986 find in the references of their domain
// what they find in all references. A Tally counts the same findings.
func TestReferenceDomains(t *testing.T) {
	list := append(samples(t), "//h", "//[v1.a]/", "//[v4.1.2.3.4]:70000/", "http://0x7f.1/", "//%31.2/", "//%C3%A4.x/%00%0d", "a:./b/../c", "/a/%2e/b",
		"http:///a", "https:", "//www.x.org@h:25/", "//u:p@h:/", "//"+strings.Repeat("a", 64), "//a..b/", "//.a", "//A-b.c.", "HTTP://Xy/", "//[::A]")
	for _, name := range []string{"aux", "AUX.c", "con", "com0", "com1", "Com9.x", "lpt", "nul", "prn", "prnt", "lpt10", "au", "...", ".", "..", "a%2Fb", "%2e."} {
		list = append(list, name, "/"+name, "http://h/"+name+"/x", name+"?q", "/x/"+name+"#f")
	}
	var in, out, found [domains]bool
	p := bnfcheck.RFC3986.Parser()
	for _, s := range list {
		tree, err := p.Parse(s)
		if err != nil {
			continue
		}
		r, err := ReferenceOf(tree)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		all := r.domains()
		for d, is := range ofReferences {
			want := is(r)
			if got := all>>d&1 == 1; got != want {
				t.Errorf("%q: in domain %d: %t, want %t", s, d, got, want)
			}
			in[d], out[d] = in[d] || want, out[d] || !want
		}
		tally := everyRule.Tally()
		tally.AddReference(r)
		var want []Finding
		for i := range rules {
			if rule := &rules[i]; rule.reference != nil {
				alone := report{rule: &placed{Rule: rule}}
				rule.reference(r, &alone)
				if len(alone.findings) != tally.Counts[i] {
					t.Errorf("%q: %s has %d findings, and %d are counted", s, rule.ID, len(alone.findings), tally.Counts[i])
				}
				found[rule.about] = found[rule.about] || len(alone.findings) > 0
				want = append(want, alone.findings...)
			}
		}
		slices.SortStableFunc(want, func(a, b Finding) int { return cmp.Or(a.Start-b.Start, int(b.Severity)-int(a.Severity)) })
		if got := r.Findings(); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
	for d := range ofReferences {
		if !in[d] || !out[d] || !found[d] {
			t.Errorf("domain %d: a reference in it %t, one out of it %t, a finding about it %t", d, in[d], out[d], found[d])
		}
	}
}

// The rules of a selection are applied to the URLs of their text and schemes, each in its domain, and findings are
// ordered. A Tally counts the same findings.
func TestSelection(t *testing.T) {
	found := map[string]bool{}
	eachSample(t, func(g *bnfcheck.Grammar, u *URL) {
		var want []Finding
		tally := everyRule.Tally()
		tally.Add(u)
		for _, own := range []bool{false, true} {
			for i := range rules {
				rule := &rules[i]
				if rule.Text != u.text.name || own != (rule.Schemes != nil) || own && !slices.Contains(rule.Schemes, u.name) {
					continue
				}
				r := report{rule: &placed{Rule: rule}}
				if u.domains(1<<rule.about) != 0 {
					rule.check(u, &r)
				}
				if len(r.findings) != tally.Counts[i] {
					t.Errorf("%s %q: %s has %d findings, and %d are counted", g.Name, u.Source, rule.ID, len(r.findings), tally.Counts[i])
				}
				found[rule.ID] = found[rule.ID] || len(r.findings) > 0
				want = append(want, r.findings...)
			}
		}
		slices.SortStableFunc(want, func(a, b Finding) int { return cmp.Or(a.Start-b.Start, int(b.Severity)-int(a.Severity)) })
		if got := u.Findings(); !slices.Equal(got, want) {
			t.Errorf("%s %q: %v, want %v", g.Name, u.Source, got, want)
		}
	})
	for _, r := range rules {
		if !found[r.ID] && r.reference == nil && r.ID != "1630/ftp-type" { // which needs a reading that no published grammar has
			t.Errorf("no sample has a finding of %s", r.ID)
		}
	}
}

// Each rule that is written down is stated by one sentence of its text, and no rule is stated twice.
func TestRulesAreStated(t *testing.T) {
	stated := map[string]string{} // by rule: the key of the sentence
	for _, s := range sentences {
		list, _ := s.rules()
		for _, id := range list {
			if stated[id] != "" {
				t.Errorf("%s is stated by %s and by %s", id, stated[id], s.Key())
			}
			stated[id] = s.Key()
		}
	}
	for _, r := range writtenRules() {
		if stated[r.ID] == "" {
			t.Errorf("%s is stated by no sentence", r.ID)
		}
	}
	for _, r := range rules {
		if want := fmt.Sprintf("%s:%d", r.Text, r.Line); stated[r.ID] != want {
			t.Errorf("%s is stated by %s, and cites %s", r.ID, stated[r.ID], want)
		}
	}
	if len(rules) != len(stated) {
		t.Errorf("%d rules are stated, and there are %d", len(stated), len(rules))
	}
}

// A selection holds any number of rules, for schemes that no grammar and no table names.
func TestManyRules(t *testing.T) {
	const many = 1000
	var list []Rule
	var kept []bool
	for i := range many {
		r := Rule{ID: fmt.Sprint(i), Text: "1738", Severity: Note, about: domain(i) % 2 * hostNumber, check: func(u *URL, r *report) { r.at(u.Scheme, "seen") }}
		if i%3 == 0 {
			r.Schemes = []string{"lamp"}
		}
		list, kept = append(list, r), append(kept, i%5 != 0)
	}
	s := selectFrom(list, kept)
	for _, url := range []string{"lamp://1.2.3.4/", "lamp:a", "http://h.dom/", "http://1.2.3.4/"} {
		tree := must.Of(bnfcheck.RFC1738.Parse(url))(t)
		u := must.Of(Of(tree))(t)
		var want []string
		for _, own := range []bool{false, true} {
			for i, r := range list {
				if kept[i] && own == (r.Schemes != nil) && (!own || u.name == "lamp") && (i%2 == 0 || u.Host.Kind == IPv4) {
					want = append(want, r.ID)
				}
			}
		}
		var got []string
		for _, f := range s.Findings(u) {
			got = append(got, f.Rule)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the rules %v have findings, want %v", url, got, want)
		}
		tally := s.Tally()
		tally.Add(u)
		if n := count(tally.Counts); n != len(want) || len(tally.Counts) != many {
			t.Errorf("%s: %d of %d rules are counted, want %d of %d", url, n, len(tally.Counts), len(want), many)
		}
	}
}

func count(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// A Reader gives what Of gives, whatever it has read before.
func TestReader(t *testing.T) {
	var r Reader
	for _, g := range typedGrammars() {
		for _, s := range samples(t)[:2000] {
			tree, err := g.Parse(s)
			if err != nil {
				continue
			}
			want, err := Of(tree)
			if err != nil {
				t.Fatalf("%s %q: %v", g.Name, s, err)
			}
			got, err := r.Of(tree)
			if err != nil || got.String() != want.String() || !reflect.DeepEqual(got.Specific, want.Specific) {
				t.Errorf("%s %q: after others it is\n%v\n, alone\n%v", g.Name, s, got, want)
			}
			if a, b := got.Findings(), want.Findings(); !reflect.DeepEqual(a, b) {
				t.Errorf("%s %q: %v, alone %v", g.Name, s, a, b)
			}
		}
	}
}

// Where nothing is found nothing is allocated.
func TestReaderAllocatesNothing(t *testing.T) {
	for _, g := range typedGrammars() {
		var r Reader
		p := g.Parser()
		for _, s := range []string{"http://info.cern.ch/hypertext/WWW/", "ftp://info.cern.ch/pub/www", "mailto:timbl@info.cern.ch", "news:comp.infosystems.www"} {
			n := testing.AllocsPerRun(100, func() {
				tree := must.Of(p.Parse(s))(t)
				u := must.Of(r.Of(tree))(t)
				if found := u.Findings(); len(found) > 0 {
					t.Fatalf("%s: %v", s, found)
				}
			})
			if n >= 1 { // the pool of reports may be emptied now and then
				t.Errorf("%s %s: %v allocations", g.Name, s, n)
			}
		}
	}
}
