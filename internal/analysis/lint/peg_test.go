package lint_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestPEG: what is found in a PEG, with its place, what is said of it, and the mend. The rows with want "" are right.
func TestPEG(t *testing.T) {
	for _, c := range []struct{ name, text, want, mend string }{
		{"prefix before the longer", "s <- 'a' / \"ab\"\n", "1:12 never-matches \"ab\"", "`\"ab\" / 'a'`"},
		{"a list after its first item", "v = w / l\nl = w ',' w\nw = [a-z]+\n", "1:9 never-matches", "`l / w`"},
		{"several before take it together", "s <- [ab] / [cd] / [a-d]\n", "1:20 never-matches", "left out"},
		{"the same twice", "s <- 'a' / 'b' / 'a'\n", "1:18 never-matches", "left out"},
		{"after what matches always", "s <- 'a'? / 'b'\n", "1:13 never-matches", "`'b' / 'a'?`"},
		{"in parentheses", "s <- ( 'a' / \"ab\" ) 'c'\n", "1:14 never-matches", "`\"ab\" / 'a'`"},
		{"three, of which the last two are longer", "s <- 'a' / \"ab\" / \"abc\"\n", "1:12 never-matches",
			"`\"ab\" / 'a'"},
		{"a class before its member", "s <- [bc] / 'b'\n", "1:13 never-matches \"b\"", "left out"},
		{"a class before its member, which peggy merges", "s = [bc] / 'b'\n", "1:12 never-matches \"b\"", "left out"},
		{"merged beside others", "s = 'xy' / [bc] / 'd' / 'c' / 'z'\n", "1:25 never-matches \"c\"", "left out"},
		{"merged in parentheses", "s = ( [bc] / 'b' ) 'x'\n", "1:14 never-matches", "left out"},
		{"merged in a repetition", "s = ( 'b' / 'b' )*\n", "1:13 never-matches", "left out"},
		{"merged without case", "s = [a-z]i / 'B'i\n", "1:14 never-matches", "left out"},
		{"merged through a rule", "s = t / 'b'\nt = [bc]\n", "1:9 never-matches", "left out"},
		{"merged as text", "s = $[bc] / 'b'\n", "1:13 never-matches", "left out"},
		{"merged with an accent", "s = [é-ü] / 'ê'\n", "1:15 never-matches", "left out"},
		{"merged in a group of another choice", "s = [ab] / [^b-z] / ('b' / 'c')\n", "1:22 never-matches", "left out"},
		{"merged, and each has its own", "s = 'b' / [bc] / 'd'\n", "", ""},
		{"two classes that overlap", "s = [a-c] / [b-d]\n", "", ""},
		{"any character after what matches always", "s <- 'a'? / .\n", "1:13 never-matches", "`. / 'a'?`"},
		{"any character", "s = . / [b]\n", "1:9 never-matches", "left out"},
		{"anything but one", "s = [^x] / 'b'\n", "1:12 never-matches", "left out"},
		{"longer first", "s <- \"ab\" / 'a'\n", "", ""},
		{"a lookahead tells them apart", "s <- 'a' !'b' / \"ab\"\n", "", ""},
		{"a repetition and its last", "s <- [0-9]* [05]\n", "1:6 eats-what-follows", "`( ![05] [0-9] )* [05]`"},
		{"any character up to a word", "s = '(' .* ')'\n", "1:9 eats-what-follows", "`( !')' . )* ')'`"},
		{"an optional part", "s <- 'a'? 'a'\n", "", ""}, // "aa"
		{"a counted part", "s = 'a'|1..3| 'b'\n", "", ""},
		{"a repetition that stops", "s <- ( ![05] [0-9] )* [05]\n", "", ""},
		{"nothing after a lookahead", "s <- t\nt <- 'a' !'b' 'b'\n", "2:1 matches-nothing", ""},
		{"nothing, of a rule that uses itself", "s <- !'a' 'a' s\n", "1:1 matches-nothing", ""},
		{"no end", "s = 'a' &'b'\n", "1:1 prefix-only", ""},
		{"left recursion", "s <- e !.\ne <- e '+' n / n\nn <- [0-9]\n", "2:1 left-recursion", "`n ( '+' n )*`"},
		{"left recursion through another", "s <- t 'a' / 'b'\nt <- s\n", "1:1 left-recursion", ""},
		{"left recursion with groups", "s <- ( 'a' / 'b' ) 'c' / s ( 'd' / 'e' ) 'f'\n", "1:1 left-recursion",
			"`( ( 'a' / 'b' ) 'c' ) ( ( 'd' / 'e' ) 'f' )*`"},
		{"left recursion with a repetition", "s <- 'a' / s 'b'+\n", "1:1 left-recursion", "`'a' ( 'b'+ )*`"},
		{"repetition of the empty string", "s <- ( 'a'? )*\n", "1:6 empty-repeated", "`'a'*`"},
		{"repetition of a group and more", "s <- ( ( ( 'a' / 'b' ) 'c' )? )*\n", "1:6 empty-repeated",
			"`( ( 'a' / 'b' ) 'c' )*`"},
		{"repetition of a class and more", "s <- ( ( [a-z] 'd'? )? )*\n", "1:6 empty-repeated", "`( [a-z] 'd'? )*`"},
		{"repetition of one and more", "s <- ( ( 'a'+ )? )*\n", "1:6 empty-repeated", "`'a'*`"},
		{"what a group needs", "s <- ( 'x' / 'y' )* ( 'x' / 'y' ) 'z'\n", "1:6 eats-what-follows",
			"`( !( 'x' / 'y' ) ( 'x' / 'y' ) )* ( 'x' / 'y' )`"},
		{"unused", "s <- 'a' !.\nt <- 'b'\n", "2:1 unused", ""},
		{"a label without code", "s <- x:'a' 'b' !.\n", "1:6 unused-label", ""},
		{"a label with code", "s <- x:'a' 'b' !. { return x, nil }\n", "", ""},
		{"a pigeon entry without end", "s <- 'a'\n", "1:1 prefix-only", "!."},
		{"nesting, to a depth", "s = '(' s ')' / 'a' / \"ab\"\n", "1:23 never-matches", ""},
		{"nesting that is right", "s = '(' s ')' / 'a'\n", "", ""},
		{"a slice beside a predicate", "s <- 'a' / \"ab\"\nt <- &{ return true, nil } 'x'\n", "1:12 never-matches",
			"`\"ab\" / 'a'`"},
	} {
		read := peg.Options{ActionsSucceed: true}.Read
		if strings.Contains(c.text, " = ") {
			read = peg.Options{ActionsSucceed: true}.ReadPeggy
		}
		g, err := read("t", []byte(c.text))
		if err != nil { // what peggy refuses itself is no row
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		r := must.Of(lint.Lint(g, lint.Options{}))(t)
		said := ""
		ok := c.want == ""
		for _, f := range r.Findings {
			line := fmt.Sprintf("%d:%d %s %s %s", f.Pos.Line, f.Pos.Col, f.Code, f.Message,
				strings.Join(f.Detail, "; "))
			said += line + "\n"
			parts := strings.SplitN(c.want, " ", 3)
			switch {
			case c.want == "" && !slices.Contains([]lint.Code{lint.PrefixOnly, lint.Unused}, f.Code):
				t.Errorf("%s: %s", c.name, line)
			case c.want != "" && strings.HasPrefix(line, strings.Join(parts[:2], " ")+" ") &&
				strings.Contains(line, parts[len(parts)-1]) && strings.Contains(line, c.mend):
				ok = true
			}
		}
		if !ok {
			t.Errorf("%s: not found: %s with %s in\n%s", c.name, c.want, c.mend, said)
		}
	}
}

// Of the rules that match nothing, those are reported that no other explains, wherever that stands.
func TestMatchesNothing(t *testing.T) {
	for text, want := range map[string]string{
		"s <- t\nt <- !'a' 'a'\n":                         "t",
		"s <- 'x' s\n":                                    "s",
		"s <- 'x' t\nt <- 'y' s\n":                        "s",
		"s <- 'x' t\nt <- 'y' u\nu <- 'z' t\n":            "t",
		"s <- 'x' t\nt <- !'a' 'a' u\nu <- 'z' / 'w' s\n": "t", // t and u use s, which is checked first
		"s <- 'x' t\nt <- 'y'* 'y' / 'y'* 'y' s\n":        "",  // the repetitions are reported
	} {
		g := must.Of(peg.Read("t", []byte(text)))(t)
		var got []string
		for _, f := range must.Of(lint.Lint(g, lint.Options{}))(t).Findings {
			if f.Code == lint.MatchesNothing {
				got = append(got, f.Production)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q match nothing, want %q", text, got, want)
		}
	}
}

// TestAdviceOnLeftRecursionEnds reads what lint shows instead of a rule that calls itself, which must end. There is no
// such advice if the rule can go on after itself without reading anything.
func TestAdviceOnLeftRecursionEnds(t *testing.T) {
	for tail, want := range map[string]bool{
		"'a'": true, "'a'+": true, "'a'? 'c'": true, "u": true, "!'c' 'a'": true,
		"'a'?": false, "'a'*": false, "t": false, "!'c'": false, "&'a'": false, "( 'a' / 'c'? )": false,
		"\"\" 'a'?": false,
	} {
		const others = "t <- 'a'?\nu <- 'a' t\n"
		g := must.Of(peg.Read("t", []byte("s <- s "+tail+" / 'b' / s 'd'\n"+others)))(t)
		advised := false
		for _, f := range must.Of(lint.Lint(g, lint.Options{}))(t).Findings {
			if f.Code != lint.LeftRecursion || len(f.Detail) == 0 {
				continue
			}
			advised = true
			_, text, _ := strings.Cut(f.Detail[0], "`")
			mended := must.Of(peg.Read("t", []byte("s <- "+strings.TrimSuffix(text, "`")+"\n"+others)))(t)
			for _, left := range must.Of(lint.Lint(mended, lint.Options{}))(t).Findings {
				if left.Code == lint.LeftRecursion || left.Code == lint.EmptyRepetition {
					t.Errorf("s %s: %s: %s", tail, f.Detail[0], left.Message)
				}
			}
		}
		if advised != want {
			t.Errorf("s %s: advised: %t, want %t", tail, advised, want)
		}
	}
}

// TestMergedRuleIsUsed: a rule that peggy makes part of a class is used all the same.
func TestMergedRuleIsUsed(t *testing.T) {
	for _, text := range []string{"s = 'a' / t\nt = 'b'\n", "s = [a]i / t\nt = 'b'i\n",
		"s = 'a' / t / 'c'\nt = u\nu = [b-d]\n"} {
		g := must.Of(peg.Options{}.ReadPeggy("t", []byte(text)))(t)
		for _, f := range must.Of(lint.Lint(g, lint.Options{}))(t).Findings {
			if f.Code == lint.Unused {
				t.Errorf("%s%s", text, f.Message)
			}
		}
	}
}

// TestNeverMatchesOneCharacter holds what is found in choices of single characters and classes, in both notations,
// against each alternative by itself: it never matches exactly if all that it matches is matched before it. peggy makes
// one class of such alternatives.
func TestNeverMatchesOneCharacter(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	parts := strings.Fields(`'a' "b" [ab] [a-c] [^a] [^b-z] . 'A'i [a]i [B-D]i 'é' [é] [à-é] "ab" 'a'? &'a'`)
	inputs := []string{"", "a", "b", "c", "d", "A", "B", "D", "é", "à", "z", "ab", "ac", "ba", "é1"}
	never := 0
	for range 300 {
		var alts []string
		for range 2 + rng.IntN(4) {
			alts = append(alts, parts[rng.IntN(len(parts))])
		}
		for _, sign := range []string{"<-", "="} {
			read := peg.Read
			if sign == "=" {
				read = peg.Options{}.ReadPeggy
			}
			matches := func(alt, w string) bool {
				g := must.Of(read("t", []byte("s "+sign+" "+alt+"\n")))(t)
				end, _ := peg.Match(g, g.Rules[0].Expr, w, 0)
				return end >= 0
			}
			text := "s " + sign + " " + strings.Join(alts, " / ") + "\n"
			r := must.Of(lint.Lint(must.Of(read("t", []byte(text)))(t), lint.Options{}))(t)
			col := len("s  ") + len(sign) + 1
			for i, alt := range alts {
				some, alone := false, false
				for _, w := range inputs {
					if !matches(alt, w) {
						continue
					}
					some = true
					alone = alone || !slices.ContainsFunc(alts[:i],
						func(before string) bool { return matches(before, w) })
				}
				found := slices.ContainsFunc(r.Findings, func(f lint.Finding) bool {
					return f.Code == lint.NeverMatches && f.Pos.Col == col
				})
				if found != (some && !alone) {
					t.Errorf("%salternative %d at %d: matches %v, alone %v, found %v", text, i+1, col, some, alone,
						found)
				}
				if found {
					never++
				}
				col += len(alt) + len(" / ")
			}
		}
	}
	if never < 300 {
		t.Errorf("%d alternatives never match: too few to compare", never)
	}
}

// TestNeverMatches holds what is found in random choices against the definition of a PEG, on all short inputs: an
// alternative never matches exactly if one before it matches wherever it does. All strings that tell two of these
// apart are short.
func TestNeverMatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var inputs []string
	for level := []string{""}; len(level[0]) < 8; {
		inputs = append(inputs, level...)
		var next []string
		for _, w := range level {
			next = append(next, w+"a", w+"b")
		}
		level = next
	}
	parts := strings.Fields(`'a' 'b' "ab" "ba" 'a'? 'b'* 'a'+ !'a' &'b' [ab] "aa"`)
	never, sometimes := 0, 0
	for range 400 {
		var alts []string
		for range 2 + rng.IntN(3) {
			var seq []string
			for range 1 + rng.IntN(3) {
				seq = append(seq, parts[rng.IntN(len(parts))])
			}
			alts = append(alts, strings.Join(seq, " "))
		}
		text := "s <- " + strings.Join(alts, " / ") + "\n"
		g := must.Of(peg.Read("t.peg", []byte(text)))(t)
		r := must.Of(lint.Lint(g, lint.Options{}))(t)
		if r.Undecided > 0 || g.Rules[0].Expr.Op != expr.Alt {
			continue
		}
		for i, alt := range g.Rules[0].Expr.Sub {
			matches, alone := false, false
			for _, w := range inputs {
				if end, _ := peg.Match(g, alt, w, 0); end < 0 {
					continue
				}
				matches = true
				alone = alone || !slices.ContainsFunc(g.Rules[0].Expr.Sub[:i], func(e *expr.Expr) bool {
					end, _ := peg.Match(g, e, w, 0)
					return end >= 0
				})
			}
			found := slices.ContainsFunc(r.Findings,
				func(f lint.Finding) bool { return f.Code == lint.NeverMatches && f.Pos == alt.Pos })
			if found != (matches && !alone) {
				t.Errorf("%salternative %d: matches %v, alone %v, found %v", text, i+1, matches, alone, found)
			}
			if found {
				never++
			} else {
				sometimes++
			}
		}
	}
	if never < 100 || sometimes < 100 {
		t.Errorf("%d alternatives never match, %d do: too few to compare", never, sometimes)
	}
}
