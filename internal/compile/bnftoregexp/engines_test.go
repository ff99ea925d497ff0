package bnftoregexp_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftoregexp"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// The engines, and how each is asked; the spans of groups are in the order of their names.
var engines = map[string][]string{
	"js": {"node", "testdata/ask.js"}, "python": {"python3", "testdata/ask.py"}, "pcre": {"php", "testdata/ask.php"}, "ruby": {"ruby", "testdata/ask.rb"},
	"java": {"java", "-XX:TieredStopAtLevel=1", "testdata/Ask.java"},
}

// spans are where each group begins and ends, nil for one that takes no part; nil for a word that is not matched.
type spans []*[2]int

func ask(t *testing.T, x *bnftoregexp.Regexp, names, words []string) (out []spans) {
	t.Helper()
	if x.Flavor.Name == "go" {
		re := must.Of(regexp.Compile(x.Text))(t)
		for _, w := range words {
			m := re.FindStringSubmatchIndex(w)
			if m == nil {
				out = append(out, nil)
				continue
			}
			s := spans{}
			for _, n := range names {
				if i := 2 * re.SubexpIndex(n); m[i] >= 0 {
					s = append(s, &[2]int{m[i], m[i+1]})
				} else {
					s = append(s, nil)
				}
			}
			out = append(out, s)
		}
		return out
	}
	var coded []string
	for _, w := range words {
		coded = append(coded, hex.EncodeToString([]byte(w)))
	}
	question, err := json.Marshal(map[string]any{"text": x.Text, "flags": x.Flags, "names": append([]string{}, names...), "words": append([]string{}, coded...)})
	if err != nil {
		t.Fatal(err)
	}
	command := engines[x.Flavor.Name]
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin = bytes.NewReader(question)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", command[0], err, complaint.String())
	}
	must.Do(t, json.Unmarshal(answer, &out))
	return out
}

// TestEngines asks engines about the words of a complete suite for each rule, and about long words. The verdict is that of the
// production, and the groups are the nodes of its tree.
func TestEngines(t *testing.T) {
	for _, c := range []struct {
		name, text, captures string
	}{
		{"rfc3986#URI", "", "scheme,userinfo,host,port,path-abempty,query,fragment"},
		{"rfc3986#URI-reference", "", ""},
		{"rfc3986#host", "", "IPv4address,IP-literal"}, // which reg-name derives as well: as printed
		{"rfc1738#httpurl", "", "host,port,hpath,search"},
		{"first alternative", "s = [ a ] *b\na = \"x\" / \"xy\"\nb = \"x\" / \"y\" / \"z\"\n", "a"},
		{"greedy", "s = *\"x\" a *\"x\"\na = *2\"x\" \"y\" / \"x\" / %s\"X\"\n", "a"},
		{"twice", "s = \"(\" a \")\" / \"[\" a \"]\" / a b\na = 1*DIGIT\nb = %x41-43 / %s\"end\"\n", "a,b"},
		{"recursion", "s = \"a\" s / b\nb = \"b\" / b \"c\"\n", ""},
		{"characters", "s = a b c\na = *%xE4-F6\nb = %x41-10FFFF\nc = *%x20AC.1F600\n", "b"},
		{"special", "s = *%x00-40 / 2*3%x5B-60 / %x7B-7F *(%s\"k\" / %s\"S\" / \" \" / \"#\" / \"-\")\n", ""},
		{"lines", "s = *( a CRLF )\na = 1*(ALPHA / \"-\" / \"]\" / \"^\" / \"\\\")\n", ""},
	} {
		name := c.name
		options := catalog.Usual
		if c.text != "" {
			name = "-#s"
			options.Kind, options.Stdin = catalog.ABNF, strings.NewReader(c.text)
		}
		o := must.Of(catalog.Open(name, options))(t)
		rule := must.Of(o.Start())(t)
		a := must.Of(o.Automaton(rule))(t)
		suite := must.Of(vectors.CompleteSuite(a, vectors.HSI, 0, false))(t)
		size, _ := suite.Size()
		most := int64(longtest.Size(250, 2000)) // of a larger suite words are taken at the same distance
		every := size.Int64()/most + 1
		var words []string
		n := int64(0)
		for w := range suite.All() {
			if n++; n%every == 0 {
				words = append(words, w)
			}
		}
		rng, sampler := rand.New(rand.NewPCG(1, 2)), a.Sampler(60)
		for n := range 60 {
			if w, ok := sampler.Sample(rng, n); ok {
				words = append(words, w, w+"\n")
			}
		}
		var want bnftoregexp.Options
		wanted := map[string]bool{}
		if c.captures != "" {
			for _, id := range strings.Split(c.captures, ",") {
				used := must.Of(o.Lookup(id))(t)
				want.Captures, wanted[used.ID] = append(want.Captures, used.ID), true
			}
		}
		deriver := must.Of(interpreter.New(o.Grammar, rule.ID, func(id string) bool { return wanted[id] }))(t)
		for _, flavor := range []string{"go", "java", "js", "python", "pcre", "ruby"} {
			t.Run(c.name+"/"+flavor, func(t *testing.T) {
				if command := engines[flavor]; command != nil {
					if _, err := exec.LookPath(command[0]); err != nil {
						t.Skip(err)
					}
				}
				x := must.Of(bnftoregexp.New(o.Within, rule, a, bnftoregexp.Of(flavor), want))(t)
				var asked, names []string
				for _, w := range words {
					if flavor == "pcre" || flavor == "go" && x.Assumed == "" || utf8.ValidString(w) {
						asked = append(asked, w)
					}
				}
				for _, g := range x.Groups {
					names = append(names, g.Name)
				}
				matched := 0
				for i, got := range ask(t, x, names, asked) {
					nodes, ok, err := deriver.Derive(nil, asked[i])
					if err != nil {
						t.Fatal(err)
					}
					if ok != (got != nil) {
						t.Fatalf("%s: %q is matched: %v, derived: %v", x, asked[i], got != nil, ok)
					}
					if !ok {
						continue
					}
					matched++
					// A production has a group for each place where it is used, of which at most one takes part.
					have, tree := map[string][2]int{}, map[string][2]int{}
					for j, g := range x.Groups {
						if got[j] != nil {
							have[g.Production] = *got[j]
						}
					}
					for _, n := range nodes[1:] {
						tree[o.Grammar.Rules[n.Kind-1].Label()] = [2]int{int(n.Start), int(n.End)}
					}
					if !reflect.DeepEqual(have, tree) {
						t.Fatalf("%s: groups of %q are %v, and in its tree %v", x, asked[i], have, tree)
					}
				}
				if matched == 0 || matched == len(asked) {
					t.Fatalf("%d of %d words are matched", matched, len(asked))
				}
			})
		}
	}
}

// TestRefused lists what has no expression, and why.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, captures, flavor, want string }{
		{"s = [ a ] *( *%s\"x\" )\na = %s\"x\"\n", "a", "js", "standard input:1:1: `s` would take exponential time in engines that backtrack, because its groups leave it as it is printed: \"x\" can be matched in two ways"},
		{"s = 2( a )\na = DIGIT\n", "a", "js", "standard input:1:8: `a` stands in a repetition, and a group holds one string"},
		{"s = a s / \"b\"\na = DIGIT\n", "a", "js", "standard input:1:1: `a` stands in a recursion, and a group holds one string"},
		{"s = 1001DIGIT\n", "", "go", "standard input:1:1: `s` has a repetition of 1001, and go takes at most 1000"},
		{"s = %xC3 %xA9 / %xC3\n", "", "ruby", "standard input:1:1: `s` derives \"\\xc3\", which is not UTF-8, and ruby matches characters; pcre matches octets, and with --values code-points %x80 is U+0080"},
	} {
		o := catalog.Usual
		o.Kind, o.Stdin = catalog.ABNF, strings.NewReader(c.text)
		opened := must.Of(catalog.Open("-#s", o))(t)
		rule := must.Of(opened.Start())(t)
		a := must.Of(opened.Automaton(rule))(t)
		var captures []string
		if c.captures != "" {
			captures = strings.Split(c.captures, ",")
		}
		_, err := bnftoregexp.New(opened.Within, rule, a, bnftoregexp.Of(c.flavor), bnftoregexp.Options{Captures: captures})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\n%v, want\n%s", c.text, err, c.want)
		}
	}
}

// TestLengthOfURI holds the expression for a URI to a length. Of published ones that are equal to the rule the shortest that is known,
// of @hyperjump/uri 1.3.6, has 2873 bytes; that of Ruby 3.1, which is not quite equal, has 1069.
func TestLengthOfURI(t *testing.T) {
	opened := must.Of(catalog.Open("rfc3986#URI", catalog.Usual))(t)
	rule := must.Of(opened.Start())(t)
	a := must.Of(opened.Automaton(rule))(t)
	for _, name := range bnftoregexp.Names() {
		x := must.Of(bnftoregexp.New(opened.Within, rule, a, bnftoregexp.Of(name), bnftoregexp.Options{}))(t)
		if len(x.Text) > 1150 || x.Ambiguous != nil {
			t.Errorf("%s: %d bytes, ambiguous: %v", name, len(x.Text), x.Ambiguous != nil)
		}
	}
}
