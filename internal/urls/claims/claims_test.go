package claims

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestClaimsStandInTheText checks every claim's quotation against the lines of the RFC that it cites. It needs the
// texts: BNFCHECK_RFC is their folder.
func TestClaimsStandInTheText(t *testing.T) {
	dir := os.Getenv("BNFCHECK_RFC")
	if dir == "" {
		t.Skip("BNFCHECK_RFC is not set: no texts to hold the claims against")
	}
	all := must.Of(allClaims())(t)
	for name, claims := range all {
		file := name
		if !strings.HasPrefix(name, "rfc") {
			g := must.Of(bnfcheck.Find(name))(t)
			file = g.Title
		}
		src := must.Of(os.ReadFile(filepath.Join(dir, file+".txt")))(t)
		text := strings.Split(string(src), "\n")
		for _, c := range claims {
			first, last, ok := strings.Cut(c.Lines, "-")
			if !ok {
				last = first
			}
			from, err1 := strconv.Atoi(first)
			to, err2 := strconv.Atoi(last)
			if err1 != nil || err2 != nil || from < 1 || to < from || to > len(text) {
				t.Errorf("%s: lines %q", c.ID, c.Lines)
				continue
			}
			if !strings.Contains(oneLine(strings.Join(text[from-1:to], " ")), oneLine(c.Quote)) {
				t.Errorf("%s: %q does not stand in lines %s", c.ID, c.Quote, c.Lines)
			}
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestClaimsAreInTheOrderOfTheText(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		seen := map[string]bool{}
		last := 0
		list := must.Of(claimsOf(g.Name))(t)
		for _, c := range list {
			if seen[c.ID] || !strings.HasPrefix(c.ID, strings.TrimPrefix(g.Name, "rfc")+"/") {
				t.Errorf("%s: twice, or under a wrong name", c.ID)
			}
			seen[c.ID] = true
			first, _, _ := strings.Cut(c.Lines, "-")
			n, err := strconv.Atoi(first)
			if err != nil || n < last && !strings.HasSuffix(c.ID, "/printed") { // that one is about the text as a whole
				t.Errorf("%s: line %d comes after line %d", c.ID, n, last)
			}
			last = n
		}
	}
}

// TestClaimsNotice: a claim is refuted, with the right witness, once the grammar is broken in that place, and another
// holds once it is mended.
func TestClaimsNotice(t *testing.T) {
	for _, tt := range []struct {
		grammar, claim     string
		production, change string // in the notation of the text
		holds              bool
		witness            string
	}{
		{"rfc1738", "1738/host-toplabel", "toplabel", `alphadigit`, false, "0"},
		{"rfc1738", "1738/host-toplabel", "toplabel", `alpha`, true, ""},
		{"rfc1738", "1738/news-at", "group", `alpha *[ alpha | "@" ]`, false, "a@"},
		{"rfc1738", "1738/http-login", "httpurl", `"http://" login`, false, "http://@a"},
		{"rfc1738", "1738/port-colon", "port", `[ digits ]`, false, "a:"},
		{"rfc1738", "1738/ftp-typecode", "ftptype", `"a" | "i" | "d"`, true, ""},
		{"rfc1738", "1738/nntp-form", "nntpurl", `"nntp://" hostport "/" group "/" digits`, true, ""},
		{"rfc1738", "1738/gopher-selector", "selector", `*unreserved`, false, "%aa"},
		{"rfc1738", "1738/unsafe-encoded", "extra", `"!" | "~"`, false, "a:~"},
		{"rfc1738", "1738/reserved-list", "reserved", `";" | "/" | "?" | ":" | "@" | "&"`, false, "="},
		{"rfc1738", "1738/octets-encoded", "toplabel", `alpha *uchar`, true, ""},
		{"rfc1738", "1738/mailto", "encoded822addr", `1*uchar "@" 1*uchar`, true, ""},
		{"draft06", "draft06/hostname", "hostname", `alpha *digit`, false, "aa"},
		{"draft06", "draft06/file-host", "fileurl", `"file://" [ host ] [ "/" fpath ]`, true, ""},
		{"draft06", "draft06/file-form", "fileurl", `"file://" host "/" fpath`, true, ""},
		{"draft06", "draft06/unsafe-list", "punctuation", `"<" | ">" | "#"`, false, `"`},
		{"draft06", "draft06/prospero-fields", "extra", `"!" | "*"`, true, ""},
		{"draft06", "draft06/gopher-forms", "search", `*xchar`, true, ""},
		{"draft06", "draft06/unencoded", "unreserved", `alpha | digit | safe`, false, "news:*"},
		{"rfc1630", "1630/news-at", "group", "alpha", true, ""},
		{"rfc1630", "1630/percent", "uri_xpalpha", "xalpha | + | %", false, "a:%"},
		{"rfc1630", "1630/query-plus", "url_search", "alphanum [ + search ]", true, ""},
		{"rfc1630", "1630/hash", "uri_extra", "! | #", false, "a:#"},
		{"rfc1630", "1630/ftp-type-code", "ftptype", "A [ formcode ] | E formcode | I | L digits", true, ""},
		{"rfc1630", "1630/gopher-omitted", "gopheraddress", "g o p h e r : / / hostport [ / [ gtype [ gcommand ] ] ]",
			true, ""},
		{"rfc1630", "1630/afsaddress", "url", "httpaddress | afsaddress", false, "afs://a/"},
		{"rfc1630", "1630/white-space", "url_extra", "! | space", false, " "},
	} {
		src := must.Of(bnf.Load(tt.grammar))(t)
		change := bnf.Reading{ID: "change", Replace: []bnf.Replacement{{Production: tt.production, Text: " " + tt.change}}}
		g := must.Of(bnf.Apply(src.Text, append(slices.DeleteFunc(slices.Clone(src.Readings), func(r bnf.Reading) bool {
			return slices.ContainsFunc(r.Replace, func(to bnf.Replacement) bool { return to.Production == tt.production })
		}), change), func(r bnf.Reading) bool { return r.On || r.ID == "change" }))(t)
		s := must.Of(catalog.Load(catalog.Version{}, tt.grammar))(t)
		s[0].BNF = g
		list := must.Of(claimsOf(tt.grammar))(t)
		i := slices.IndexFunc(list, func(c claim) bool { return c.ID == tt.claim })
		if i < 0 {
			t.Errorf("no claim %s", tt.claim)
			continue
		}
		o := must.Of(newText(s[0], src, bnf.Default).decideClaim(list[i]))(t)
		if o.Holds != tt.holds {
			t.Errorf("%s with %s = %s: holds: %v, want %v: %+v", tt.claim, tt.production, tt.change, o.Holds, tt.holds, o.Assertions)
		}
		if tt.witness == "" {
			continue
		}
		if !slices.ContainsFunc(o.Assertions, func(a Assertion) bool { return a.Witness != nil && strings.Contains(string(*a.Witness), tt.witness) }) {
			t.Errorf("%s with %s = %s: no witness with %q: %+v", tt.claim, tt.production, tt.change, tt.witness, o.Assertions)
		}
	}
}

// TestClaimsOfUnusedNames: the claim that national appears in no production is about the printed text.
func TestClaimsOfUnusedNames(t *testing.T) {
	src := must.Of(bnf.Load("rfc1738"))(t)
	s := must.Of(catalog.Load(catalog.Version{}, "rfc1738"))(t)
	text := newText(s[0], src, bnf.Default)
	if a := text.assertUnused("national"); !a[0].Holds {
		t.Errorf("national: %+v", a)
	}
	if a := text.assertUnused("safe"); a[0].Holds || *a[0].Witness != "unreserved" {
		t.Errorf("safe: %+v", a)
	}
}

func TestEncoded(t *testing.T) {
	var text rfc
	text.memo = map[string]*lang.DFA{}
	got := text.withOneEncoded(lang.OfString("ab").Union(lang.OfString("%aa")), lang.OfString("a"))
	want := lang.OfString("%61b")
	if !got.Equal(want) {
		w, _ := got.SymmetricDifference(want).Shortest()
		t.Errorf("differs at %q", w)
	}
}

func TestPrintedURLs(t *testing.T) {
	for _, tt := range []struct {
		grammar   string
		line      int
		url       string
		verdict   bnfcheck.Value
		asPrinted bool
	}{
		{"rfc1630", 489, "fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", bnfcheck.Rejected, false},
		{"rfc1630", 588, "magic://a/b/c//d/e/f", bnfcheck.NoProduction, false},
		{"rfc1630", 762, "http://info.cern.ch/RDB/EMP?*%20where%20name%%3Ddobbins", bnfcheck.Rejected, false},
		{"rfc1630", 745, "http://info.cern.ch:8000/imaginary/test", bnfcheck.Conforming, true},
		{"rfc1738", 697, "news:*", bnfcheck.Conforming, true},
		{"rfc1738", 1224, "http://ds.internic.net/instructions/overview.html#WARNING", bnfcheck.Rejected, false},
	} {
		rows := must.Of(Printed(tt.grammar))(t)
		i := slices.IndexFunc(rows, func(r PrintedURL) bool { return r.Line == tt.line && r.URL == tt.url })
		if i < 0 {
			t.Errorf("%s does not print %s in line %d", tt.grammar, tt.url, tt.line)
			continue
		}
		r := rows[i]
		if r.Verdict != tt.verdict || r.AsPrinted != tt.asPrinted || (r.Why == "") != (r.Verdict != bnfcheck.Rejected) {
			t.Errorf("%s: %+v", tt.url, r)
		}
	}
}

func TestClaimsAsJSON(t *testing.T) {
	claims := must.Of(Of(nil))(t)
	all := must.Of(allClaims())(t)
	if want := len(all["rfc1630"]) + len(all["rfc1738"]) + len(all["draft06"]) + len(all["rfc3986"]); len(claims) != want || want < 100 {
		t.Errorf("%d claims, want %d", len(claims), want)
	}
	src := must.Of(json.Marshal(claims))(t)
	var back []struct {
		ID     string
		AsRead struct{ Holds bool } `json:"as_read"`
	}
	if err := json.Unmarshal(src, &back); err != nil || back[0].ID != claims[0].ID || back[0].AsRead.Holds != claims[0].AsRead.Holds {
		t.Errorf("%v: %.200s", err, src)
	}
	if _, err := Of(nil, "rfc822"); err == nil {
		t.Error("claims of an unknown grammar")
	}
}
