package bnf

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestTheLedgers(t *testing.T) {
	tests := []struct{ grammar, want string }{
		{"rfc1630", `
			on  strings    1630-void-segment
			on  strings    1630-xpalphas
			on  strings    1630-addr-spec
			on  strings    1630-content-identifier
			on  strings    1630-fragment
			off strings    1630-void-fragment
			off strings    1630-ftptype
			off strings    1630-scheme-case
			on  derivation 1630-fragmentaddress
			on  derivation 1630-hostname
			on  derivation 1630-group
			on  derivation 1630-search
			on  derivation 1630-login
			on  derivation 1630-addr-spec-split
			on  derivation 1630-groupart
			on  derivation 1630-ftp-path
			on  derivation 1630-prospero-version
			on  derivation 1630-attributes
			on  derivation 1630-gopher-empty`},
		{"rfc1738", `
			on  strings    1738-E5118 (notation)
			on  strings    1738-brackets (notation)
			on  strings    1738-literal-case
			off strings    1738-scheme-case
			on  derivation 1738-url
			on  derivation 1738-schemepart
			on  derivation 1738-gopher-empty
			on  derivation 1738-gopher-split
			on  derivation 1738-localhost`},
	}
	for _, test := range tests {
		var got strings.Builder
		for _, r := range load(t, test.grammar).Readings {
			got.WriteString("\n\t\t\t" + map[bool]string{true: "on  ", false: "off "}[r.On])
			got.WriteString(map[Kind]string{Strings: "strings    ", Derivation: "derivation "}[r.Kind] + r.ID)
			if r.Notation {
				got.WriteString(" (notation)")
			}
		}
		if got.String() != test.want {
			t.Errorf("%s:%s\nwant%s", test.grammar, got.String(), test.want)
		}
	}
}

// TestReadingsNameWhatTheyChange: a reading about strings changes exactly the productions that it names, when it is
// switched, and a reading about derivations chooses for those it names.
func TestReadingsNameWhatTheyChange(t *testing.T) {
	for _, name := range []string{"rfc1630", "rfc1738"} {
		s := load(t, name)
		for _, r := range s.Readings {
			var touched []string
			if r.Kind == Derivation {
				for _, c := range r.Choose {
					touched = append(touched, c.Production)
				}
			} else if r.Option == BareSlashLiteral {
				_, err := s.With(map[string]bool{r.ID: false})
				if err == nil || !strings.HasPrefix(err.Error(), `grammar/rfc1738.bnf:93:41: unexpected "/"`) {
					t.Errorf("%s off: %v", r.ID, err)
				}
				touched = []string{"gopherurl"}
			} else {
				g, err := s.With(map[string]bool{r.ID: !r.On})
				if err != nil {
					t.Errorf("%s switched: %v", r.ID, err)
					continue
				}
				touched = different(s.Default, g)
			}
			slices.Sort(touched)
			named := slices.Sorted(slices.Values(r.Productions))
			if !slices.Equal(touched, named) {
				t.Errorf("%s changes\n     %q\nnames %q", r.ID, touched, named)
			}
		}
	}
}

// different lists the productions whose expressions differ.
func different(a, b *expr.Grammar) []string {
	var ids []string
	for i, r := range a.Rules {
		if r.Expr.String() != b.Rules[i].Expr.String() {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// TestQuotationsAreInTheText: what the evidence quotes stands in the RFC, and what a reading of one production gives as
// printed stands there.
func TestQuotationsAreInTheText(t *testing.T) {
	folder := os.Getenv("BNFCHECK_RFC")
	for _, name := range []string{"rfc1630", "rfc1738"} {
		s := load(t, name)
		for _, r := range s.Readings {
			if len(r.Productions) != 1 {
				continue // speaks of several, in general
			}
			if id := r.Productions[0]; !strings.Contains(squeeze(s.Text.Rule(id).Printed), squeeze(r.Printed)) {
				t.Errorf("%s: %s is not printed as %q", r.ID, id, r.Printed)
			}
		}
		if folder == "" {
			continue
		}
		src := must.Of(os.ReadFile(filepath.Join(folder, name+".txt")))(t)
		lines := strings.Split(string(src), "\n")
		text := squeeze(string(src))
		for _, r := range s.Readings {
			if r.ID == "1630-scheme-case" {
				continue // quotes nothing
			}
			for _, q := range quotations(r.Evidence) {
				if !strings.Contains(text, squeeze(q)) {
					t.Errorf("%s: %s does not say %q", r.ID, name, q)
				}
			}
			for _, n := range r.Lines {
				if n > len(lines) || strings.TrimSpace(lines[n-1]) == "" {
					t.Errorf("%s: nothing stands in line %d", r.ID, n)
				}
			}
		}
	}
	if folder == "" {
		t.Skip("BNFCHECK_RFC names no folder with the texts of the RFCs")
	}
}

// quotations returns what stands between quotation marks, those that hold a quotation themselves included.
func quotations(s string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(s, ` "`)
		if strings.HasPrefix(s, `"`) {
			rest, ok = s[1:], true
		}
		if !ok {
			return out
		}
		depth, end := 1, -1
		for i := range len(rest) {
			if rest[i] != '"' {
				continue
			}
			if i > 0 && rest[i-1] == ' ' {
				depth++
			} else if depth--; depth == 0 {
				end = i
				break
			}
		}
		if end < 0 {
			return out
		}
		out = append(out, rest[:end])
		s = rest[end+1:]
	}
}

// squeeze is s in lower case and without white space.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

func TestReadingsRoundTrip(t *testing.T) {
	for _, name := range []string{"rfc1630", "rfc1738"} {
		readings := load(t, name).Readings
		var b strings.Builder
		for _, r := range readings {
			b.WriteString(r.String() + "\n")
		}
		again := must.Of(ParseReadings(name, []byte(b.String())))(t)
		for i, r := range again {
			if r.String() != readings[i].String() {
				t.Errorf("have\n%s\nwant\n%s", r, readings[i])
			}
		}
		if len(again) != len(readings) {
			t.Errorf("%d readings come back of %d", len(again), len(readings))
		}
	}
}

// TestBlanksInReplacements: blanks in the quotes of a text that replaces are a part of it, and so are its comments.
func TestBlanksInReplacements(t *testing.T) {
	entry := func(id, text string) string {
		return "id: " + id + "\nkind: strings\nstate: on\nproduction: a\nread-as: x\nreplace: a = " + text + "\nevidence: x\n\n"
	}
	for _, text := range []string{`"x  y"`, "\"x\" ; one\n  / \"y\"", "\"x\"\n  \"y\""} {
		read := must.Of(ParseReadings("x", []byte(entry("r", text))))(t)
		again := must.Of(ParseReadings("x", []byte(read[0].String())))(t)
		one, other := must.Of(replacements(read, Default))(t)["a"], must.Of(replacements(again, Default))(t)["a"]
		g := must.Of(ReadABNF("x.abnf", []byte("a = "+one.Text+"\nb = "+other.Text+"\n")))(t)
		if a, b := g.Rules[0].Expr.String(), g.Rules[1].Expr.String(); a != b {
			t.Errorf("%q becomes %q", text, other.Text)
		}
	}
	both := must.Of(ParseReadings("x", []byte(entry("r", `"x  y"`)+entry("s", `"x y"`))))(t)
	if _, err := replacements(both, Default); err == nil {
		t.Error("two texts that differ in quotes are taken for one")
	}
}

func TestReadingsErrors(t *testing.T) {
	entry := func(lines ...string) string {
		return "id: x\nkind: strings\nstate: on\nproduction: a\nread-as: b\nevidence: c\n" + strings.Join(lines, "\n")
	}
	tests := []struct{ ledger, want string }{
		{"kind: strings", `1:1: unexpected "kind"; expected an entry to begin with its id`},
		{"  more", `1:1: unexpected indentation; expected "id: ..."`},
		{"id: x\nno key", `2:1: unexpected "no key"; expected "key: value", an indented line or a blank one`},
		{"id: x y", `1:5: unexpected "x y"; expected one word`},
		{"id:", `1:4: unexpected ""; expected a value for id`},
		{"id: x\nid: y", `2:1: "id" is given twice`},
		{"id: x\nkind: other", `2:7: unexpected "other"; expected strings or derivation`},
		{"id: x\nkind: strings\nstate: maybe", `3:8: unexpected "maybe"; expected on or off`},
		{"id: x\nkind: strings\n\nid: y", `3:1: reading "x" ends without "state"`},
		{entry("color: blue"), `7:1: unexpected key "color"; expected id, kind, state, notation, production, ` +
			`printed, read-as, replace, option, choose, line or evidence`},
		{entry("notation: perhaps"), `7:11: unexpected "perhaps"; expected yes or no`},
		{entry("replace: a"), `7:10: unexpected "a"; expected PRODUCTION = right-hand side`},
		{entry("option: odd"), `7:9: unexpected "odd"; expected repeat-brackets-group, bare-slash-literal, ` +
			`exact-literals or fold-scheme`},
		{entry("line: one"), `7:7: unexpected "one"; expected line numbers`},
		{entry("choose: a: b sometimes"),
			`7:9: unexpected "a: b sometimes"; expected PRODUCTION: CHILD present, absent, shortest or longest, ` +
				`and more of these after commas`},
		{entry("choose: a"), `7:9: unexpected "a"; expected PRODUCTION: CHILD present, absent, ` +
			`shortest or longest, and more of these after commas`},
		{entry(), `1:1: reading "x" is about strings: expected replace or option, and no choose`},
		{entry("choose: a: b present"), `1:1: reading "x" is about strings: expected replace or option, and no choose`},
		{strings.Replace(entry(), "strings", "derivation", 1),
			`1:1: reading "x" is about derivations: expected choose, and neither replace nor option`},
		{entry("option: fold-scheme", "", entry("option: fold-scheme")),
			`9:1: a reading "x" stands in this ledger already`},
	}
	for _, test := range tests {
		_, err := ParseReadings("x.readings", []byte(test.ledger))
		if err == nil || err.Error() != "x.readings:"+test.want {
			t.Errorf("%q:\n have %v\n want %s", test.ledger, err, test.want)
		}
	}
}

// TestApply is what readings do, on a grammar of four lines.
func TestApply(t *testing.T) {
	g := must.Of(read("x.bnf", in("rfc822", "@ page 1 line 10", `a = "http:Go" *[ b ] c`, `b = "b" | nowhere`, `c = / b`)))(t)
	before := dump(g)
	reading := func(id string, fields ...string) string {
		return "id: " + id + "\nkind: strings\nstate: on\nproduction: a\nread-as: x\nevidence: x\n" + strings.Join(fields, "\n") + "\n\n"
	}
	all := reading("replace", `replace: b = 1*[ "r" ]`, "  | c") + reading("again", `replace: b = 1*[ "r" ] | c`) +
		reading("other", `replace: b = "o"`) + reading("broken", `replace: b = "o" |`) + reading("slash", "option: bare-slash-literal") +
		reading("brackets", "option: repeat-brackets-group") + reading("exact", "option: exact-literals") + reading("scheme", "option: fold-scheme")
	readings := must.Of(ParseReadings("x.readings", []byte(all)))(t)
	tests := []struct{ on, want string }{
		{"slash brackets exact", `a = "http:Go" b* c; b = "b" / []; c = "/" b`},
		{"slash exact", `a = "http:Go" ( b? )* c; b = "b" / []; c = "/" b`},
		{"slash brackets", `a = [Hh] [Tt] [Tt] [Pp] ":" [Gg] [Oo] b* c; b = [Bb] / []; c = "/" b`},
		{"slash brackets exact scheme", `a = [Hh] [Tt] [Tt] [Pp] ":Go" b* c; b = "b" / []; c = "/" b`},
		{"slash brackets exact replace", `a = "http:Go" b* c; b = "r"+ / c; c = "/" b`},
		{"slash brackets exact replace again", `a = "http:Go" b* c; b = "r"+ / c; c = "/" b`},
		{"slash exact replace", `a = "http:Go" ( b? )* c; b = ( "r"? )+ / c; c = "/" b`},
		{"brackets exact", `x.bnf:5:5: unexpected "/"; ` +
			`expected an element (read as a literal it needs the reading that a bare slash is one)`},
		{"slash brackets exact replace other",
			`x.readings:24:13: readings "replace" and "other" are both on and replace b by different texts`},
		{"slash brackets exact broken", `x.readings:32:19: unexpected end of the production; expected a name, ` +
			`a literal, a count, "(" or "["`},
	}
	for _, test := range tests {
		on := strings.Fields(test.on)
		as, err := Apply(g, readings, func(r Reading) bool { return slices.Contains(on, r.ID) })
		var got []string
		if err != nil {
			var place *expr.Error
			if !errors.As(err, &place) {
				t.Errorf("%s: an error without a place: %v", test.on, err)
			}
			got = append(got, err.Error())
		} else {
			for _, r := range as.Rules {
				got = append(got, r.ID+" = "+r.Expr.String())
			}
			if a := as.Rule("a"); a.Printed != `a = "http:Go" *[ b ] c` || a.Page != 1 || a.Line != 10 {
				t.Errorf("%s: what is printed is lost: %+v", test.on, *a)
			}
		}
		if s := strings.Join(got, "; "); s != test.want {
			t.Errorf("%s:\n have %s\n want %s", test.on, s, test.want)
		}
	}
	if after := dump(g); after != before {
		t.Errorf("Apply changed its input:\n%s", after)
	}
	readings[0].Productions = []string{"d"}
	if _, err := Apply(g, readings, AsPrinted); err == nil || err.Error() != `x.readings:1:1: reading "replace" names "d", which is no production of x` {
		t.Errorf("a production that does not exist: %v", err)
	}
	if _, err := Apply(&expr.Grammar{Name: "peg", Ordered: true}, nil, AsPrinted); err == nil {
		t.Error("readings apply to a PEG")
	}
}

// TestApplyWithoutTheNotation: a line that has no meaning without a reading has none either where another reading of the
// production, also off, comes after that.
func TestApplyWithoutTheNotation(t *testing.T) {
	n := Usual
	n.Instead = map[string]Replacement{"a": {Production: "a", Text: `"x"`}}
	g := must.Of(ReadWith("x.bnf", in("rfc822", `a = (`), n))(t)
	notation := Reading{ID: "notation", Kind: Strings, Notation: true, Replace: []Replacement{{Production: "a", Text: `"x"`}}}
	other := Reading{ID: "other", Kind: Strings, Replace: []Replacement{{Production: "a", Text: `"y"`}}}
	for _, readings := range [][]Reading{{notation}, {other, notation}, {notation, other}} {
		as, err := Apply(g, readings, func(Reading) bool { return false })
		if err == nil {
			t.Errorf("%d readings, %s first: a is %s", len(readings), readings[0].ID, as.Rule("a").Expr)
		}
	}
}

// TestInsteadOfSpellings: of texts for several spellings of a name, that for the printed one is read, or else the first.
func TestInsteadOfSpellings(t *testing.T) {
	n := Usual
	n.Instead = map[string]Replacement{
		"ab": {Production: "ab", Text: `"x"`}, "aB": {Production: "aB", Text: `"y"`}, "Ab": {Production: "Ab", Text: `"z"`},
	}
	for range 20 {
		for name, want := range map[string]string{"ab": `"x"`, "aB": `"y"`, "AB": `"z"`} {
			g := must.Of(ReadWith("x.bnf", in("rfc822", name+" = ("), n))(t)
			if got := g.Rules[0].Expr.String(); got != want {
				t.Fatalf("%s is %s, and not %s", name, got, want)
			}
		}
	}
}

func TestApplyToABNF(t *testing.T) {
	g := must.Of(ReadABNF("x.abnf", []byte("a = b / alpha\nb = \"x\"\nb =/ none\n")))(t)
	readings := []Reading{{ID: "r", Kind: Strings, On: true, Replace: []Replacement{{Production: "b", Text: "DIGIT B"}}}}
	as := must.Of(Apply(g, readings, Default))(t)
	if got := as.Rule("b").Expr.String() + ", " + as.Rule("a").Expr.String() + ", " + as.Rule("DIGIT").Expr.String(); got != "DIGIT b, b / ALPHA, [0-9]" || len(as.Rules) != 4 {
		t.Errorf("with the reading: %s", got)
	}
	if as, err := Apply(g, nil, Default); err != nil || as.Rule("b").Expr.String() != "[Xx] / []" || len(as.Rules) != 3 {
		t.Errorf("without: %v, %v", dump(as), err)
	}
}

func TestSourceWith(t *testing.T) {
	s := load(t, "rfc1738")
	if g, err := s.With(nil); err != nil || len(different(s.Default, g)) > 0 {
		t.Errorf("without changes it is the default grammar: %v", err)
	}
	tests := []struct{ id, want string }{
		{"1738-nothing", `rfc1738 has no reading "1738-nothing"; it has 1738-E5118, 1738-brackets, ` +
			`1738-literal-case, 1738-scheme-case`},
		{"1738-url", `reading "1738-url" chooses a derivation and changes no strings; ` +
			`those that do are 1738-E5118, 1738-brackets, 1738-literal-case, 1738-scheme-case`},
	}
	for _, test := range tests {
		if _, err := s.With(map[string]bool{test.id: true}); err == nil || err.Error() != test.want {
			t.Errorf("%s: have %v", test.id, err)
		}
	}
	for range 20 { // of several, the error is about the first in the order of the alphabet
		changes := map[string]bool{"1738-url": true, "1738-a": true, "1738-b": true, "1738-c": true, "1738-d": true}
		_, err := s.With(changes)
		if err == nil || !strings.Contains(err.Error(), `no reading "1738-a"`) {
			t.Fatalf("several mistakes: have %v", err)
		}
	}
	if _, err := Load("rfc9999"); err == nil || !strings.Contains(err.Error(), `no grammar "rfc9999"`) {
		t.Errorf("a grammar that does not exist: %v", err)
	}
}

func FuzzParseReadings(f *testing.F) {
	for _, name := range []string{"rfc1630", "rfc1738"} {
		for _, r := range load(f, name).Readings {
			f.Add(r.String())
		}
	}
	g := load(f, "rfc1738").Text
	f.Fuzz(func(t *testing.T, ledger string) {
		readings, err := ParseReadings("x.readings", []byte(ledger))
		if err == nil {
			_, err = Apply(g, readings, Default)
		}
		var place *expr.Error
		if err != nil && !errors.As(err, &place) {
			t.Errorf("an error without a place: %v", err)
		}
	})
}

// TestChoicesAreAboutChildren: every clause names a production that stands in the right-hand side it is about.
func TestChoicesAreAboutChildren(t *testing.T) {
	for _, name := range []string{"rfc1630", "rfc1738"} {
		s := load(t, name)
		for _, r := range s.Readings {
			for _, c := range r.Choose {
				for _, clause := range c.Clauses {
					if !slices.Contains(expr.Refs(s.Default.Rule(c.Production).Expr), clause.Child) {
						t.Errorf("%s: %s uses no %s", r.ID, c.Production, clause.Child)
					}
				}
			}
		}
	}
}
