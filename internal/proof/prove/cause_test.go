package prove

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

func TestCauses(t *testing.T) {
	for _, c := range []struct {
		abnf, peg string
		want      string // each cause, what differs, what mends it, and what it affects
	}{
		{"s = DIGIT / %s\"a\" / %s\"b\"\n", "s <- [0-9] / \"a\"\n", `s -"b" (write [0-9b] for [0-9] (x.peg:1:6), since it leaves out [b])`},
		{"s = %x30-39 / %x41-46\n", "s <- [0-8] / [A-F]\n", `s -"9" (write [0-9] for [0-8] (x.peg:1:6), since it leaves out [9])`},
		{ // as what mends the other is written, the caller is right
			"s = f *(\",\" f)\nf = q / t\nq = %x22 *%x2C %x22\nt = *%x22\n", "s <- f ( \",\" f )*\nf <- q ![^,] / t ![^,]\nq <- \"\\\"\" \",\"* \"\\\"\"\nt <- \"\\\"\"?\n",
			`t -"\"\"" (write "\""* for "\""? (x.peg:4:6), since there may be 0 or more) > s, f`,
		},
		{ // one wrong rule, its callers, and theirs
			"s = 1*m \"c\"\nm = \"a\" / \"ab\"\n", "s <- m+ [Cc]\nm <- [Aa] / [Aa] [Bb]\n",
			`m -"ab" (put [Aa] [Bb] before [Aa] (x.peg:2:6)) > s`,
		},
		{ // a caller that is wrong by itself, too
			"s = m / \"x\"\nm = \"a\" / \"b\"\n", "s <- m / \"y\"\nm <- \"a\"\n",
			`s -"x" +"y" (write [Xx] for "y" (x.peg:1:10), since it leaves out [Xx] and has [y] too much) | ` +
				`m -"b" (write [ABab] for "a" (x.peg:2:6), since it leaves out [ABb])`,
		},
		{ // one that a wrong rule makes right
			"s = 1*%s\"a\" %s\"b\"\nm = 1*%s\"a\"\n", "s <- m \"a\" \"b\"\nm <- \"a\"\n",
			`s -"ab" (write s <- "a"+ "b") | m -"aa" (write m <- "a"+)`,
		},
		{ // a lookahead mends it
			"s = %s\"a\" *( %s\"b\" %s\"a\" ) [ %s\"b\" ]\n", "s <- \"a\" ( \"b\" \"a\" )* ( \"b\" )?\n", "",
		},
		{"s = *%s\"a\" %s\"a\"\n", "s <- ( \"a\" )* \"a\"\n", `s -"a" (write s <- s_rest1; s_rest1 <- "a" s_rest1 / "a")`},
		{"s = %s\"a\" / %s\"ab\" / %s\"abc\"\n", "s <- \"a\" / \"ab\" / \"abc\"\n", `s -"ab" (write s <- "abc" / "ab" / "a")`},
		{ // several kinds
			"s = %s\"a\" / %s\"-a\" / %s\"1\" / %s\"--\"\n", "s <- \"q\"\n", `s -"a" -"1" -"-a" +"q" (write s <- "a" / "-a" / "1" / "--")`,
		},
		{ // rules that use each other, one of them wrong by itself
			"s = %s\"a\" t / %s\"x\"\nt = %s\"b\" s / %s\"y\"\n", "s <- \"a\" t / \"x\"\nt <- \"b\" s / \"z\" / \"y\"\n",
			`t +"z" (write "b" s / "y" for "b" s / "z" / "y" (x.peg:2:6), since "z" is too much) > s`,
		},
	} {
		pair, err := catalog.Files("x.abnf", []byte(c.abnf), "x.peg", []byte(c.peg), catalog.FileOptions{})
		if err != nil {
			t.Error(err)
			continue
		}
		r, err := Prove(pair, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		var list []string
		for _, x := range r.Causes {
			s := x.Production
			for _, w := range x.BNFOnly {
				s += fmt.Sprintf(" -%q", string(w))
			}
			for _, w := range x.PEGOnly {
				s += fmt.Sprintf(" +%q", string(w))
			}
			if x.Mend != "" {
				s += " (" + x.Mend + ")"
			}
			if len(x.Affects) > 0 {
				s += " > " + strings.Join(x.Affects, ", ")
			}
			list = append(list, s)
		}
		if got := strings.Join(list, " | "); got != c.want {
			t.Errorf("%s\n%s\ncauses are\n%s\nnot\n%s", c.abnf, c.peg, got, c.want)
		}
	}
}

// What mends a rule is printed as it is to be written. Written so, the rule is proven.
func TestMends(t *testing.T) {
	piece := regexp.MustCompile(`(?:^|and )write (.+?) for (.+?) \(x\.peg:([0-9]+):([0-9]+)\)`)
	rule := regexp.MustCompile(`^write ((\w+) (?:<-|=) .*?)(?:, since .*)?$`)
	for _, c := range []struct{ abnf, rules, want string }{
		{"s = \"Ab\"\n", `s <- "Ab"`, `write [Aa] [Bb] for "Ab" (x.peg:1:6), which is one spelling in a PEG and 4 in ABNF`},
		{"s = *\"Ab\"\n", `s <- "Ab"*`, `write ( [Aa] [Bb] ) for "Ab" (x.peg:1:6), which is one spelling in a PEG and 4 in ABNF`},
		{"s = \"Ab\" / \"http://\"\n", `s <- "Ab" / 'h' "ttp://"`, `write [Aa] [Bb] for "Ab" (x.peg:1:6), which is one spelling in a PEG and 4 in ABNF, ` +
			`and write [Hh] for 'h' (x.peg:1:13), ` +
			`and write [Tt] [Tt] [Pp] "://" for "ttp://" (x.peg:1:17)`},
		{"s = \"min\"\n", `s <- "min"i`, `write [Mm] [Ii] [Nn] for "min"i (x.peg:1:6), which matches more than letters of ASCII`},
		{"s = 1*3DIGIT\n", `s <- [0-9]+`, `write [0-9] ( [0-9] [0-9]? )? for [0-9]+ (x.peg:1:6), since there may be 1 to 3`},
		{"s = 1*3DIGIT \".\" 2HEXDIG\n", `s <- [0-9]+ "." [0-9A-Fa-f]+`, `write [0-9] ( [0-9] [0-9]? )? for [0-9]+ (x.peg:1:6), since there may be 1 to 3, ` +
			`and write [0-9A-Fa-f] [0-9A-Fa-f] for [0-9A-Fa-f]+ (x.peg:1:17), since there may be 2`},
		{"s = 1*DIGIT\n", `s <- [0-9]*`, `write [0-9]+ for [0-9]* (x.peg:1:6), since there may be 1 or more`},
		{"s = b [ b ]\nb = \"-\"\n", "s <- b b\nb <- \"-\"", `write b? for b (x.peg:1:8), since it may be missing`},
		{"s = b b\nb = \"-\"\n", "s <- b b?\nb <- \"-\"", `write b for b? (x.peg:1:8), since it must not be missing`},
		{"s = \"1\" / \"22\" / \"333\"\n", `s <- "1" / "22"`, `write "1" / "22" / "333" for "1" / "22" (x.peg:1:6), since "333" is missing`},
		{"s = \"1\" / \"12\"\n", `s <- "1"`, `write "12" / "1" for "1" (x.peg:1:6), since "12" is missing`},
		{"s = *( ALPHA / DIGIT / \"-\" )\n", `s <- [0-9a-z]*`, `write [\x2d0-9A-Za-z] for [0-9a-z] (x.peg:1:6), since it leaves out [\-A-Z]`},
		{"s = *( ALPHA / DIGIT )\n", `s <- [0-9A-Z_a-z]*`, `write [0-9A-Za-z] for [0-9A-Z_a-z] (x.peg:1:6), since it has [_] too much`},
		{"s = ALPHA [ *( ALPHA / \"-\" ) ALPHA ]\n", `s <- [A-Za-z] ( [A-Za-z-]* [A-Za-z] )?`,
			`write s <- [A-Za-z] s_rest1?; s_rest1 <- [\x2dA-Za-z] s_rest1 / [A-Za-z]`},
		{"s = *DIGIT \"0\"\n", `s <- [0-9]* "0"`, `write s <- s_rest1; s_rest1 <- [0-9] s_rest1 / "0"`},
		{"s = t \"3\"\nt = \"1\" / \"12\"\n", "s <- ( \"1\" / \"12\" ) \"3\"\nt <- \"12\" / \"1\"", `put "12" before "1" (x.peg:1:8)`},
		{"s = *%x61 %s\",\" *%x61\n", `s <- [a]* ";" [a]*`, `write "," for ";" (x.peg:1:11), since it leaves out [,] and has [;] too much`},
		{"s = t *(\",\" t)\nt = %s\"'\" / *%s\"a\"\n", "s <- t ( \",\" t )*\nt <- \"'\" ![^,] / \"a\"* ![!^,]", `write t <- "'" / "a"*, since t is right by itself, and takes too much or too little in s`},
		{"s = t u\nt = *%s\"a\"\nu = %s\"ab\"\n", "s <- t u\nt <- \"a\"*\nu <- \"ab\"", `write t <- ( "a" ![^a] )*, since t is right by itself, and takes too much or too little in s`},
		{"s = t u\nt = *\"a\"\nu = \"ab\"\n", "s <- t u\nt <- [Aa]*\nu <- [Aa] [Bb]", `write s <- s_rest1; s_rest1 <- [Aa] s_rest1 / [Aa] [Bb]`},
		{"s = f *(\",\" f)\nf = t / \"'\" *\",\" \"'\"\nt = *\"'\"\n", "s <- f ( \",\" f )*\nf <- t ![^,] / \"'\" \",\"* \"'\" ![^,]\nt <- \"'\"*", `put "'" ","* "'" ![^,] before t ![^,] (x.peg:2:6)`},
		{"my-s = \"x\" b-c\nb-c = \"Zz\"\n", "my_s <- [Xx]\nb_c <- [Zz] [Zz]", `write my_s <- [Xx] b_c`},
	} {
		for file, text := range map[string]string{"x.peg": c.rules + "\n", "x.peggy": strings.ReplaceAll(c.rules, "<-", "= ") + "\n"} {
			if file == "x.peggy" && strings.Contains(c.rules, "\"i") { // there it is ASCII alone
				continue
			}
			r := proveText(t, c.abnf, file, text)
			if len(r.Causes) != 1 {
				t.Errorf("%s: %d causes\n%s%s", file, len(r.Causes), c.abnf, text)
				continue
			}
			mend := r.Causes[0].Mend
			plain := strings.NewReplacer("x.peggy:", "x.peg:").Replace(mend)
			if file == "x.peg" && mend != c.want {
				t.Errorf("%s%sis mended by\n%s\nnot by\n%s", c.abnf, c.rules, mend, c.want)
			}
			lines := strings.Split(text, "\n")
			all := piece.FindAllStringSubmatch(plain, -1)
			slices.Reverse(all)
			for _, m := range all {
				line, _ := strconv.Atoi(m[3])
				col, _ := strconv.Atoi(m[4])
				at := lines[line-1]
				if !strings.HasPrefix(at[col-1:], m[2]) {
					t.Fatalf("%s: at %s:%s of %q there is no %s", file, m[3], m[4], text, m[2])
				}
				lines[line-1] = at[:col-1] + m[1] + at[col-1+len(m[2]):]
			}
			if m := rule.FindStringSubmatch(plain); m != nil && len(all) == 0 {
				for i, line := range lines {
					if strings.HasPrefix(line, m[2]+" ") {
						lines[i] = m[1]
					}
				}
			}
			if strings.HasPrefix(mend, "put ") {
				continue
			}
			if r := proveText(t, c.abnf, file, strings.Join(lines, "\n")); r.Verdict != VerdictProven {
				t.Errorf("%s: with %s it is %s:\n%s", file, mend, r.Verdict, strings.Join(lines, "\n"))
			}
		}
	}
}

// Where nothing mends a rule, the letters are named whose case is a part of what is wrong.
func TestMendsAPart(t *testing.T) {
	r := proveText(t, "s = \"Ab\" 1*30( %s\"a\" / %s\"ab\" ) %s\"b\"\n", "x.peg", "s <- \"Ab\" \"a\" \"b\"\n")
	const want = `write [Aa] [Bb] for "Ab" (x.peg:1:6), which is one spelling in a PEG and 4 in ABNF; that mends a part of it`
	if len(r.Causes) != 1 || r.Causes[0].Mend != want {
		t.Errorf("%+v", r.Causes)
	}
}

// Each fault is printed once: what a fault says of a choice, the list of what is hidden does not repeat, nor do those that are
// wrong because of it.
func TestFaultsOnce(t *testing.T) {
	r := proveText(t, "s = t \"-\"\nt = \"1\" / \"12\"\n", "x.peg", "s <- t \"-\"\nt <- \"1\" / \"12\"\n")
	text := string(r.AppendText(nil, &layout.Screen{}, true, 0, nil))
	for _, f := range r.Faults {
		for _, part := range f.parts {
			if n := strings.Count(text, part); n != 1 {
				t.Errorf("%s: %q stands %d times", f, part, n)
			}
		}
	}
	if n := strings.Count(text, `"1" hides "12"`); n != 1 || len(r.Faults) < 2 {
		t.Errorf("what is hidden stands %d times:\n%s", n, text)
	}
	// What is wrong by itself stands before what is refused, and its line once. What is refused of several is one.
	r = proveText(t, "v = s\ns = \"(\" [s] \")\" / t\nt = \"1\"\n", "x.peg", "v <- s\ns <- \"(\" s? \")\" / t\nt <- \"2\"\n")
	var lines []string
	r.AppendText(nil, &layout.Screen{}, false, 0, func(to []byte, at expr.Pos, _ layout.Style) []byte { lines = append(lines, at.String()); return to })
	if got := strings.Join(lines, " "); got != "x.peg:3:1 x.peg:1:1 x.abnf:1:1" || len(r.Faults) != 6 {
		t.Errorf("the lines of %d faults are %s", len(r.Faults), got)
	}
}

func proveText(t *testing.T, abnf, file, rules string) *Report {
	t.Helper()
	pair, err := catalog.Files("x.abnf", []byte(abnf), file, []byte(rules), catalog.FileOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, rules)
	}
	return must.Of(Prove(pair, Options{}))(t)
}

// Two rules that use each other, neither of them wrong by itself, are one cause. Each fault has a string of its own
// production.
func TestCycles(t *testing.T) {
	r := proveText(t, "a = %s\"ab\" / %s\"q\" b\nb = %s\"abc\" / %s\"y\"\n", "x.peg",
		"a <- \"ab\" !\"c\" / \"q\" b\nb <- !\"q\" &a \"abc\" / \"y\"\n")
	if len(r.Causes) != 1 || !slices.Equal(r.Causes[0].Cycle, []string{"a", "b"}) {
		t.Errorf("causes: %+v", r.Causes)
	}
	const cycle = "none of a, b is wrong by itself: they use each other"
	want := []string{
		"x.peg:1:1: a: the production derives qabc, and the rule does not match it; " + cycle,
		"x.peg:2:1: b: the production derives abc, and the rule does not match it; " + cycle,
	}
	var got []string
	for _, f := range r.Faults {
		got = append(got, f.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("faults are\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// With the case of letters set aside, rules that differ in it are equal.
func TestFoldCase(t *testing.T) {
	pair, err := catalog.Files("x.abnf", []byte("s = \"ab\" / %s\"C\"\n"), "x.peg", []byte("s <- \"ab\" / \"c\"\n"), catalog.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for fold, want := range map[bool]Verdict{false: VerdictRefuted, true: VerdictProven} {
		if r, err := Prove(pair, Options{FoldCase: fold}); err != nil || r.Verdict != want {
			t.Errorf("%v: %v %v", fold, r.Verdict, err)
		}
	}
}

// The causes in random pairs are those that are found by matching all words, with a choice of all words of its production, the
// longest first, in the place of each wrong rule; and of these, those that are wrong with what mends the others.
func TestRandomCauses(t *testing.T) {
	causes, others, cycles := 0, 0, 0
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		names := []string{"s", "t", "u"}
		var abnf, text strings.Builder
		for i, name := range names {
			bnf, ordered := finite(rnd, names[i+1:], 2)
			if rnd.IntN(3) == 0 {
				_, ordered = finite(rnd, names[i+1:], 2)
			}
			fmt.Fprintf(&abnf, "%s = %s\n", name, bnf)
			fmt.Fprintf(&text, "%s <- %s\n", name, ordered)
		}
		pair := must.Of(catalog.Files("x.abnf", []byte(abnf.String()), "x.peg", []byte(text.String()), catalog.FileOptions{}))(t)
		r := must.Of(Prove(pair, Options{}))(t)
		words := map[string][]string{}
		longest := 0
		for _, name := range names {
			a := must.Of(lang.FromBNF(pair.BNF, name))(t)
			for w := range a.Enumerate(12) {
				words[name] = append(words[name], w)
				longest = max(longest, len(w))
			}
		}
		if longest > 4 {
			continue
		}
		differs := func(name string, g *expr.Grammar, replaced map[string]bool) bool {
			var rules []*expr.Rule
			for _, rule := range g.Rules {
				c := *rule
				if replaced[c.ID] {
					var alts []*expr.Expr
					list := slices.Clone(words[c.ID])
					slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
					for _, w := range list {
						alts = append(alts, expr.Lit(w))
					}
					c.Expr = expr.Or(alts...)
				}
				rules = append(rules, &c)
			}
			g = g.With(rules)
			for _, w := range over("ab", min(10, 4*longest+1)) {
				end, _ := peg.Match(g, expr.To(name), w, 0)
				if (end == len(w)) != slices.Contains(words[name], w) {
					return true
				}
			}
			return false
		}
		wrong := map[string]bool{}
		for _, name := range names {
			if differs(name, pair.PEG, nil) {
				wrong[name] = true
			}
		}
		var want []string
		for _, name := range names {
			replaced, mended := map[string]bool{}, pair.PEG
			for other := range wrong {
				replaced[other] = other != name
			}
			for _, c := range r.Causes {
				if c.Production != name && c.mends.rule != nil {
					mended = mended.Change(c.Production, c.mends.rule)
					mended = mended.With(append(mended.Rules, c.mends.more...))
				}
			}
			if wrong[name] && differs(name, pair.PEG, replaced) && differs(name, mended, nil) {
				want = append(want, name)
			} else if wrong[name] {
				others++
			}
		}
		var got []string
		for _, c := range r.Causes {
			got = append(got, c.Production)
			cycles += len(c.Cycle)
		}
		causes += len(got)
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: causes are %v, not %v\n%s\n%s", seed, got, want, &abnf, &text)
		}
		for _, row := range r.Productions {
			if (len(row.Because) > 0) != (wrong[row.Production] && !slices.Contains(want, row.Production)) {
				t.Errorf("seed %d: %s is wrong because of %v\n%s\n%s", seed, row.Production, row.Because, &abnf, &text)
			}
		}
	}
	if causes < 100 || others < 10 || cycles > 0 {
		t.Errorf("%d causes, %d other wrong rules, %d in cycles", causes, others, cycles)
	}
}

// finite returns a random expression without repetition, in both notations.
func finite(rnd *rand.Rand, uses []string, depth int) (bnf, ordered string) {
	switch n := rnd.IntN(6); {
	case n < 2 && len(uses) > 0:
		name := uses[rnd.IntN(len(uses))]
		return name, name
	case n < 3 || depth == 0:
		w := []string{"a", "b", "ab", "ba"}[rnd.IntN(4)]
		return `%s"` + w + `"`, `"` + w + `"`
	case n < 4:
		b, o := finite(rnd, uses, depth-1)
		return "[ " + b + " ]", "( " + o + " )?"
	}
	b1, o1 := finite(rnd, uses, depth-1)
	b2, o2 := finite(rnd, uses, depth-1)
	if rnd.IntN(2) == 0 {
		return "( " + b1 + " " + b2 + " )", "( " + o1 + " " + o2 + " )"
	}
	return "( " + b1 + " / " + b2 + " )", "( " + o1 + " / " + o2 + " )"
}

// over lists the words over letters up to a length.
func over(letters string, n int) []string {
	words := []string{""}
	for level := words; n > 0; n-- {
		var next []string
		for _, w := range level {
			for i := range len(letters) {
				next = append(next, w+letters[i:i+1])
			}
		}
		words, level = append(words, next...), next
	}
	return words
}

// Messages show a part of a rule with its classes as the rule has them, and with the sign of a repetition, which
// begins where its class does.
func TestSpellAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"[a-c\u00e9]":       "[a-c\u00e9]",
		"[a-c]*":            "[a-c]*",
		"[a-c\u00e9]+ 'x'":  "[a-c\u00e9]+ \"x\"",
		".? [b]":            ".? [b]",
		"( [a-c]* )? / [d]": "( [a-c]* )? / [d]",
	} {
		r := must.Of(peg.Options{}.Read("a.peg", []byte("a <- "+text+"\n")))(t).Rules[0]
		if got := spellAsWritten(r, r.Expr); got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}
