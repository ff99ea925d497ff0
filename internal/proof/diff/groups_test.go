package diff

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// sentencePairs are small pairs with the sentences of both sides: each is one feature in which the two grammars differ.
var sentencePairs = []struct {
	name, a, b string
	want       []string
}{
	{"a character", `s = 1*c` + "\n" + `c = %x61-62`, `s = 1*c` + "\n" + `c = %x61`, []string{`old allows "b" in c.`}},
	{"a character of a production that both have", `s = "<" name ">"` + "\n" + `name = 1*(%x61 / "_")`, `s = "<" name ">"` + "\n" + `name = 1*%x61`,
		[]string{`old allows "_" in name.`}},
	{"an end", `s = "a" ["b"]`, `s = "a" "b"`, []string{`old: "b" may be missing in s.`}},
	{"the empty string", `s = *%x61`, `s = 1*%x61`, []string{`old: s may be empty.`}},
	{"something left out", `s = ["a"] "b"`, `s = "a" "b"`, []string{`old: "a" may be missing in s.`}},
	{"something more", `s = "a" "b"`, `s = "a" "b" ["c"]`, []string{`new adds ["c"] in s.`}},
	{"no strings", `s = "a"`, `s = "a" s`, []string{`old has strings, new has none.`}},
	{"two features", `s = "a" ["-"]`, `s = "a" ["+"]`, []string{`old allows "-" in s.`, `new allows "+" in s.`}},
	{"a rule used in many places", `s = "<" host *( "/" seg ) ">"` + "\n" + `host = 1*unreserved` + "\n" + `seg = *unreserved` + "\n" + `unreserved = ALPHA / "-" / "~"`,
		`s = "<" host *( "/" seg ) ">"` + "\n" + `host = 1*unreserved` + "\n" + `seg = *unreserved` + "\n" + `unreserved = ALPHA / "-"`,
		[]string{`old allows "~" in unreserved.`}},
	{"an end inside", `s = name ["@" name]` + "\n" + `name = 1*ALPHA`, `s = name "@" name` + "\n" + `name = 1*ALPHA`, []string{`old: "@" name may be missing in s.`}},
	{"an empty part", `s = "//" host "/"` + "\n" + `host = *ALPHA`, `s = "//" host "/"` + "\n" + `host = 1*ALPHA`, []string{`old: host may be empty.`}},
	{"another scheme", `url = "http:" / "ftp:"`, `url = "http:"`, []string{"old also has the scheme `ftp:`."}},
	{"no scheme", `time = hour ":00"` + "\n" + `hour = "1" / "2"`, `time = hour ":00"` + "\n" + `hour = "1"`, []string{`old allows "2" in hour.`}},
	{"a name in another case", `s = 1*C` + "\n" + `C = %x61-62`, `s = 1*c` + "\n" + `c = %x61`, []string{`old allows "b" in C.`}},
	{"an alternative", `s = "<" v ">"` + "\n" + `v = "a" / "bc"`, `s = "<" v ">"` + "\n" + `v = "a"`, []string{`old derives "bc" from v.`}},
	{"an alternative of a class", `s = "<" v ">"` + "\n" + `v = "a" / "25" %x30-35`, `s = "<" v ">"` + "\n" + `v = "a"`, []string{`old has the alternative "25" %x30-35 in v.`}},
	{"a word", `s = "<" v ">"` + "\n" + `v = "au" / "25" DIGIT`, `s = "<" v ">"` + "\n" + `v = %s"au" / "25" DIGIT`, []string{`old has "au" in v where new has %s"au".`}},
	{"words", `s = 1*v` + "\n" + `v = "a" / "25" DIGIT`, `s = 1*v` + "\n" + `v = "a" / "q5" DIGIT`, []string{`old has "25" in v where new has "q5".`, `new has "q5" in v where old has "25".`}},
	{"code points", `s = *c` + "\n" + `c = %x61C / %x620-640`, `s = *c` + "\n" + `c = %x620-640`, []string{`old allows U+061C in c.`}},
	{"some code points", `s = *c` + "\n" + `c = %x61 / %x620-640`, `s = *c` + "\n" + `c = %x61 / %x640`, []string{`old allows U+0620, U+0621, U+0622 and others in c.`}},
	{"two changes", `s = "m:" 1*(%x61 / "/")`, `s = "m:" to "@" to` + "\n" + `to = 1*%x61`,
		[]string{`old goes on with "/" in s where new is still in to.`, `old: "@" to may be missing in s.`, `new allows "@" in s.`}},
	{"three changes", `s = "<" ["a"] "," ["b"] "," ["c"] ">"`, `s = "<" "a" "," "b" "," "c" ">"`,
		[]string{`old: "a" may be missing in s.`, `old: "b" may be missing in s.`, `old: "c" may be missing in s.`}},
	{"a higher limit", `s = 1*4DIGIT "." 1*2ALPHA`, `s = 1*3DIGIT "." 1*2ALPHA`, []string{`old repeats DIGIT in s 1 to 4 times, new 1 to 3 times.`}},
	{"no limit", `s = *DIGIT "."`, `s = 1*3DIGIT "."`, []string{`old repeats DIGIT in s any number of times, new 1 to 3 times.`}},
	{"other limits on both sides", `s = 2*4DIGIT`, `s = *3DIGIT`, []string{`old repeats DIGIT in s 2 to 4 times, new at most 3 times.`, `new repeats DIGIT in s at most 3 times, old 2 to 4 times.`}},
	{"two counts", `s = 2DIGIT 1*ALPHA`, `s = 4DIGIT 2*ALPHA`, []string{`old repeats DIGIT in s 2 times, new 4 times.`,
		`new repeats DIGIT in s 4 times, old 2 times.`}},
	{"a count and a part", `v = DIGIT 1*2("." h)` + "\n" + `h = 3*4HEXDIG`, `v = DIGIT "." h` + "\n" + `h = 4HEXDIG`,
		[]string{`old repeats HEXDIG in h 3 to 4 times, new 4 times.`, `old can end h where new needs more of it.`, `old adds "." h in v.`}},
	{"a cause of two edits", `s = "a" ["x" "y"] / "b" ["x" "z"]`, `s = "a" / "b"`, []string{`old adds "x" "y" in s.`, `old adds "x" "z" in s.`}},
	{"an alternative that uses others", `s = "<" v ">"` + "\n" + `v = n / n "." n` + "\n" + `n = 1*2DIGIT`, `s = "<" v ">"` + "\n" + `v = n` + "\n" + `n = 1*2DIGIT`,
		[]string{`old has the alternative n "." n in v.`}},
	{"another order", `s = 2DIGIT "-" 4DIGIT`, `s = 4DIGIT "-" 2DIGIT`, []string{`old has the parts of s in another order.`, `new has the parts of s in another order.`}},
	{"a letter in one case", `s = "<" v ">"` + "\n" + `v = "v" 1*DIGIT "." 1*ALPHA`, `s = "<" v ">"` + "\n" + `v = %s"v" 1*DIGIT "." 1*ALPHA`, []string{`old allows "V" in v.`}},
	{"a part before others", `s = [ u "@" ] h [ ":" h ]` + "\n" + `u = *( ALPHA / ":" )` + "\n" + `h = *ALPHA`, `s = h [ ":" h ]` + "\n" + `u = *( ALPHA / ":" )` + "\n" + `h = *ALPHA`, []string{`old adds [u "@"] in s.`}},
	{"a byte read in two ways", `s = f *( "," f )` + "\n" + `f = q / t` + "\n" + `q = %d34 *(a / 2%d34) %d34` + "\n" + `a = %d32-33 / %d35-126` + "\n" + `t = *b` + "\n" + `b = %d32-43 / %d45-126`, `s = f *( "," f )` + "\n" + `f = q / t` + "\n" + `q = %d34 *(a / 2%d34) %d34` + "\n" + `a = %d32-33 / %d35-126` + "\n" + `t = *b` + "\n" + `b = %d32-33 / %d35-43 / %d45-126`, []string{"old allows `\"` in b."}},
	{"a repetition inside", `s = "<" *("," f) ">"` + "\n" + `f = *ALPHA / %d34 *(ALPHA / ",") %d34`, `s = "<" 1*("," f) ">"` + "\n" + `f = *ALPHA / %d34 *(ALPHA / ",") %d34`,
		[]string{`old: 1*("," f) may be missing in s.`}},
	{"a part in one place", `s = *(p "!") ["." p]` + "\n" + `p = 1*u / "?"` + "\n" + `u = "a" / "%" 2h` + "\n" + `h = DIGIT`, `s = *(p "!") ["." p]` + "\n" + `p = 1*u / "?"` + "\n" + `u = "a" / "%" 2h "~"` + "\n" + `h = DIGIT`,
		[]string{`old: "~" may be missing in u.`, `new adds "~" in u.`}},
	{"an option that is none", `s = n "," z ["," n] ["," z "," n]` + "\n" + `n = *DIGIT` + "\n" + `z = *ALPHA`, `s = n "," z "," n ["," z "," n]` + "\n" + `n = *DIGIT` + "\n" + `z = *ALPHA`, []string{`old: "," n may be missing in s.`}},
	{"neighbors", `s = 1*p` + "\n" + `p = "<" a b ">"` + "\n" + `a = *DIGIT` + "\n" + `b = *ALPHA`, `s = 1*p` + "\n" + `p = "<" b a ">"` + "\n" + `a = *DIGIT` + "\n" + `b = *ALPHA`,
		[]string{`old has a b in p where new has b a.`, `new has b a in p where old has a b.`}},
	{"another production", `s = "<" *p ">"` + "\n" + `p = a / b "-"` + "\n" + `a = 1*DIGIT` + "\n" + `b = 1*ALPHA`, `s = "<" *p ">"` + "\n" + `p = a / a "-"` + "\n" + `a = 1*DIGIT` + "\n" + `b = 1*ALPHA`,
		[]string{`old has b in p where new has a.`, `new has a in p where old has b.`}},
	{"a byte that the other has elsewhere", `s = 1*(a / b)` + "\n" + `a = %x78-7A` + "\n" + `b = "y"`, `s = 1*(a / b)` + "\n" + `a = %x78` + "\n" + `b = "y"`, []string{`old allows "z" in a.`}},
	{"nothing", `s = "a" / "b"`, `s = "b" / "a"`, nil},
}

func TestSentences(t *testing.T) {
	for _, test := range sentencePairs {
		a, b := abnf(t, test.a), abnf(t, test.b)
		a.Grammar.Title, b.Grammar.Title = "old", "new"
		d := diff(t, a, b)
		var got []string
		for _, g := range d.Groups {
			got = append(got, g.Sentence)
			side := map[Region]catalog.Language{OnlyA: b, OnlyB: a}[g.Region]
			edited, ok := d.Edited(&g)
			if !ok {
				continue
			}
			if !pegtest.Derives(edited, side.Production, string(g.Witness)) {
				t.Errorf("%s: %s %s does not change sides", test.name, g.Sentence, g.Witness)
			}
			if g.A != nil && g.B != nil && g.A.Printed == g.B.Printed {
				t.Errorf("%s: the lines are both %s", test.name, g.A.Printed)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Every class is in one group, and the counts of the groups add up to those of the difference, length by length.
func TestGroupsAddUp(t *testing.T) {
	subjects := must.Of(catalog.Load(catalog.Version{}, "rfc1630", "rfc1738"))(t)
	split := 0
	for _, c := range Standard(subjects[0], subjects[1]) {
		d := must.Of(c.Diff(Options{MaxLength: 16}))(t)
		in := map[*Class]int{}
		sums := map[Region]Counts{OnlyA: zeros(16), OnlyB: zeros(16)}
		for i, g := range d.Groups {
			for _, class := range g.classes {
				in[class]++
				c := &d.Causes[class.cause]
				if c.Region != g.Region || class.Group != i || !slices.Contains(g.Causes, class.cause) {
					t.Errorf("%s: %s has a class that is not of it", c.Witness, g.Sentence)
				}
				if lang.Compare(string(class.Witness), string(d.Causes[class.cause].Witness)) < 0 {
					t.Errorf("%s: %s has a class %s before its cause", d.Topic, g.Sentence, class.Witness)
				}
			}
			for n, count := range g.Counts {
				sums[g.Region][n].Add(sums[g.Region][n], count)
			}
		}
		for i := range d.Causes {
			for k := range d.Causes[i].Classes {
				class := &d.Causes[i].Classes[k]
				if in[class] != 1 {
					t.Errorf("%s: class %s is in %d groups", d.Topic, class.Witness, in[class])
				}
				if class.Group != d.Causes[i].Classes[0].Group {
					split++
				}
			}
		}
		for region, want := range map[Region]Counts{OnlyA: d.OnlyA.Counts, OnlyB: d.OnlyB.Counts} {
			if !slices.EqualFunc(sums[region], want, func(x, y *big.Int) bool { return x.Cmp(y) == 0 }) {
				t.Errorf("%s, %s: the groups count %v, the difference %v", c.Topic, region, sums[region], want)
			}
		}
	}
	if split == 0 {
		t.Error("no cause has classes in several groups")
	}
}

// The production that a sentence names can hold the bytes that it names, also where the other side is an expression; and of a
// time the second is named in which only one side has leap seconds, next to the line that says so.
func TestSentencesNameWhatHoldsTheBytes(t *testing.T) {
	const times = "partial-time = time-hour \":\" time-minute \":\" time-second [time-secfrac]\n" +
		"time-hour = 2DIGIT ; 00-23\ntime-minute = 2DIGIT ; 00-59\ntime-second = 2DIGIT ; 00-58, 00-59, 00-60 based on leap second rules\n" +
		"time-secfrac = \".\" 1*DIGIT\n"
	for _, test := range []struct {
		name, grammar, expression string
		want                      []string
		witness, line             string // of the first
	}{
		{"two digits are no z", "t = h \"z\"\nh = 2DIGIT\n", `js:/^([01]\d|2[0-3])Z?$/`,
			[]string{`test allows "z" in t; the expression does not.`, `test allows [3-9] in h; the expression does not.`, `The expression: "z" may be missing in t.`},
			"00z", `t = h "z"`},
		{"labels have no period", "hostname = label *( \".\" label )\nlabel = let-dig [ *61( let-dig / \"-\" ) let-dig ]\nlet-dig = ALPHA / DIGIT\n", `js:/^[a-z]+$/i`,
			[]string{`test allows [0-9] in label; the expression does not.`, `test goes on with "-" in label where the expression stops.`,
				`test allows "." in hostname; the expression does not.`, `After label, the expression goes on with [A-Za-z].`}, "0", ""},
		{"two causes", "a = b *( \".\" b )\nb = ALPHA [ \"0\" ]\n", `js:^[a-z]$`,
			[]string{`test allows [A-Z] in b; the expression does not.`, `test adds "." b in a.`, `test adds ["0"] in b.`}, "A", ""},
		{"atoms", "addr = atom \"@\" atom\natom = 1*(ALPHA / \"!\" / \"~\")\n", `js:^[a-z]+@[a-z]+$`,
			[]string{`test allows [!A-Z~] in atom; the expression does not.`}, "a@A", ""},
		{"bytes of two places", "u = h \"-\" h\nh = 2HEXDIG\n", `js:/^[1-5][0-9a-f]-[89ab][0-9a-f]$/i`,
			[]string{`test allows [06-9A-Fa-f] in h; the expression does not.`, `test allows [0-7C-Fc-f] in h; the expression does not.`}, "aa-aa", ""},
		{"empty", "s = *%x61\n", `js:^a+$`, []string{`test allows the empty string.`}, "", ""},
		{"leap seconds", times, `js:/^(?:0\d|1\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?$/`,
			[]string{`test allows [6-9] in time-second; the expression does not.`, `test allows [3-9] in time-hour; the expression does not.`,
				`test allows [6-9] in time-minute; the expression does not.`},
			"00:00:60", "time-second = 2DIGIT ; 00-58, 00-59, 00-60 based on leap second rules"},
	} {
		a := operand(t, test.grammar)
		a.Grammar.Title = "test"
		d := diff(t, a, operand(t, test.expression))
		var got []string
		for _, g := range d.Groups {
			got = append(got, g.Sentence)
		}
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		found := slices.ContainsFunc(d.Groups, func(g Group) bool {
			return string(g.Witness) == test.witness && (test.line == "" || g.A != nil && g.A.Printed == test.line)
		})
		if !found {
			t.Errorf("%s: no group has the witness %q and the line %q: %q", test.name, test.witness, test.line, d.Groups[0].Witness)
		}
	}
}

// TestForget: what is told of a difference is the same after its memory was freed, in bytes and in code points.
func TestForget(t *testing.T) {
	open := func(name, src string) catalog.Language {
		opened := must.Of(catalog.Read(name, []byte(src), catalog.Usual))(t)
		return must.Of(opened.Language())(t)
	}
	for _, pair := range [][2]catalog.Language{
		{
			open("a.ebnf", "a ::= 'x' b | c\nb ::= [0-9] | 'é'\nc ::= [#xE0-#xFF] 'z'\n"),
			open("b.ebnf", "a ::= 'x' b | c\nb ::= [0-9] | 'ö'\nc ::= [#xE0-#xF0] 'z'\n"),
		},
		{abnf(t, `a = "a" b / %x7A`+"\nb = DIGIT"), abnf(t, `a = "a" b / %x79`+"\nb = ALPHA")},
	} {
		d := diff(t, pair[0], pair[1])
		tell := func() string {
			var b strings.Builder
			must.Do(t, d.WriteText(&b, 0, true))
			for _, r := range Results([]*Difference{d}) {
				fmt.Fprintln(&b, r.Message, r.Detail, r.Place)
			}
			return b.String()
		}
		before := tell()
		d.Forget()
		if after := tell(); after != before {
			t.Errorf("after Forget:\n%s\nbefore:\n%s", after, before)
		}
		if !strings.Contains(before, "expects") {
			t.Errorf("nothing is told: %s", before)
		}
	}
}
