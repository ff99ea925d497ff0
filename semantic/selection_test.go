package semantic

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
)

// samples has strings that every rule is about, and the corpus where it is.
func samples(t *testing.T) []string {
	list := []string{
		"http://a.b/", "http://a/", "http://1.2.3.4/", "http://01.2.3.400:0080/", "http://a.b:8080/;x?y;z", "http://a.b:25/*!",
		"http://a..b/", "http://.a/", "http://a./x+y?b+c", "http://a.b/../c", "http://a.b/x/./c", "http://u@a.b/", "http://@a/",
		"HTTP://a.b/", "x-a:b", "X-a:b", "urn:a/b", "afs://cell/p", "file:///a", "file://localhost/a", "file://h/a", "file://1.2.3.4/a", "file:a",
		"ftp://@h/a", "ftp://u:p@h.x/a;type=x", "ftp://h.x//a;b;type=a", "ftp://h.x/a/;type=D", "telnet://u:p@h.x:23/",
		"gopher://h.x/1a%09b%0Ac", "gopher://h.x/1a%0Ab", "gopher://h.x/1s%09s%09+", "gopher://h.x/1s%09s%09x", "gopher://h.x/1s%09s%09+v", "gopher://h.x/",
		"mailto:a", "mailto:a@b", "mailto:a@b?c", "news:a..b", "news:a@b", "news:*", "news:@", "nntp://h.x/g/0", "nntp:g/1", "mid:a@b", "cid:a@b",
		"wais://h.x/", "wais://h.x/d//p", "prospero://h.x/p;=v", "prospero://u@h.x/p", "rlogin://h", "tn3270://h", "z39.50:x", "nfs:x",
		"http://a.b/%7e%2F%00%0a%41?%3b", "foo:%7E%2f", "http://" + strings.Repeat("a", 64) + ".b/", "http://" + strings.Repeat("a.", 130) + "b/",
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

// typedGrammars gives the published grammars that typed URLs are made of.
func typedGrammars() (list []*bnfcheck.Grammar) {
	for _, g := range bnfcheck.Grammars() {
		if textOf(g.Grammar) != nil {
			list = append(list, g)
		}
	}
	return list
}

// A trait may only spare work: a rule finds nothing where none of its traits is.
func TestTraitsHideNothing(t *testing.T) {
	found := map[string]bool{}
	var r Reader
	for _, g := range typedGrammars() {
		p := g.Parser()
		p.FoldScheme = true
		for _, s := range samples(t) {
			tree, err := p.Parse(s)
			if err != nil {
				continue
			}
			u, err := r.OfWritten(tree, s)
			if err != nil {
				t.Fatalf("%s %q: %v", g.Name, s, err)
			}
			has := u.traits(^trait(0))
			for i := range traits {
				one := trait(1) << i
				if alone := u.traits(one); alone != has&one {
					t.Errorf("%s %q: of the trait %b there is %b where it alone is asked for, and else %b", g.Name, s, one, alone, has&one)
				}
			}
			tally := everyRule.Tally()
			tally.Add(u)
			for i := range rules {
				rule := &rules[i]
				if rule.Text != u.text.name || rule.Schemes != nil && !slices.Contains(rule.Schemes, u.name) {
					continue
				}
				all := report{rule: rule}
				rule.check(u, &all)
				if len(all.findings) != tally.Counts[i] {
					t.Errorf("%s %q: %s finds %d, and %d where its traits are looked at (%b of %b)",
						g.Name, s, rule.ID, len(all.findings), tally.Counts[i], rule.when, has)
				}
				found[rule.ID] = found[rule.ID] || len(all.findings) > 0
			}
		}
	}
	for i := range rules {
		if rules[i].when != 0 && !found[rules[i].ID] {
			t.Errorf("%s found nothing at all", rules[i].ID)
		}
	}
}

// A set of rules is a word of 64 bits, a set of traits one of 32.
func TestListsFit(t *testing.T) {
	for i, byScheme := range everyRule.lists {
		for n, l := range byScheme {
			if len(l.rules) > 64 {
				t.Errorf("%s %s: %d rules", texts[i].name, numbered.names[n], len(l.rules))
			}
		}
	}
}

// Rules are found by the numbers of schemes.
func TestSchemesOfRulesHaveNumbers(t *testing.T) {
	for _, r := range rules {
		for _, name := range r.Schemes {
			if numbered.number(name) == 0 {
				t.Errorf("%s is about %s, which has no number", r.ID, name)
			}
		}
	}
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
				tree, err := p.Parse(s)
				if err != nil {
					t.Fatal(err)
				}
				u, err := r.Of(tree)
				if err != nil {
					t.Fatal(err)
				}
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
