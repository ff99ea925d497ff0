package prove

import (
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestPublishedIncomplete: what is missing in a published grammar is found also where only productions are asked for, and
// where it is a name that a ledger without one of its readings leaves undefined.
func TestPublishedIncomplete(t *testing.T) {
	without := func(g *expr.Grammar, id string) *expr.Grammar {
		return g.With(slices.DeleteFunc(slices.Clone(g.Rules), func(r *expr.Rule) bool { return r.ID == id }))
	}
	for _, test := range []struct {
		grammar    string
		change     func(p *catalog.Pair)
		asked      []string
		verdict    Verdict
		equal, of  int
		wantFaults []string
	}{
		{"rfc1738", func(p *catalog.Pair) {}, []string{"national", "punctuation"}, VerdictProven, 2, 2, nil},
		{
			"rfc1738", func(p *catalog.Pair) { p.PEG = without(p.PEG, "national") },
			[]string{"national", "punctuation"},
			VerdictIncomplete, 1, 2, []string{"national: grammar/rfc1738.peg has no rule for it"},
		},
		{
			"rfc1630", func(p *catalog.Pair) {
				g := must.Of(p.Ledger.With(map[string]bool{"1630-addr-spec": false}))(t)
				p.BNF = g
			}, []string{"midaddress"}, VerdictIncomplete, 0, 1,
			[]string{"addr-spec: no production defines it; used by midaddress (grammar/rfc1630.bnf:108:36)"},
		},
	} {
		pair := must.Of(catalog.PublishedPair(test.grammar))(t)
		pair.Parsers = nil
		test.change(&pair)
		r := must.Of(Prove(pair, Options{Productions: test.asked}))(t)
		var faults []string
		for _, f := range r.Faults {
			faults = append(faults, f.Production+": "+f.Message)
		}
		if r.Verdict != test.verdict || r.Equal != test.equal || r.Asked != test.of || !slices.Equal(faults, test.wantFaults) {
			t.Errorf("%s %v: %s, faults %q; want faults %q", test.grammar, test.asked, r.Summary(), faults, test.wantFaults)
		}
	}
}

// TestNothingIsNoName: a class from which everything is taken away derives nothing, and is no name that is undefined.
// Once the fault asked for a definition of the name "".
func TestNothingIsNoName(t *testing.T) {
	pair := must.Of(catalog.Files("x.ebnf", []byte("s ::= \"a\" t | \"b\"\nt ::= [a-c] - [a-d]\n"),
		"x.peg", []byte("s <- \"a\" t / \"b\"\nt <- [a-c]\n"), catalog.FileOptions{}))(t)
	r := must.Of(Prove(pair, Options{}))(t)
	if len(r.Undefined) > 0 || r.Verdict != VerdictRefuted {
		t.Errorf("%s, undefined %q, faults %v", r.Summary(), r.Undefined, r.Faults)
	}
}

// TestLimits: a limit makes a proof undecided, names the production or rule and its line, and is no fault where it is passed by
// what is found out beside the proof.
func TestLimits(t *testing.T) {
	const word = "x = y / \"q\"\ny = *( \"a\" / \"b\" ) \"a\"\n   6( \"a\" / \"b\" )\n"
	for _, test := range []struct {
		name, abnf, peg string
		limits          lang.Limits
		verdict         Verdict
		fault           string
	}{
		{"bytes", word, "x <- y / [qQ]\ny <- [aA]\n", lang.Limits{Bytes: 16000}, VerdictUndecided,
			"x.abnf:1:1: x: too large: the automaton of `y` had 13 states when the memory for automata was used up (6826 bytes were left for it); --limit-memory raises the limit; " +
				"what makes it so is y (x.abnf:2:5)"},
		{"steps", word, "x <- y / [qQ]\ny <- [aA]\n", lang.Limits{Steps: 3000}, VerdictUndecided,
			"x.abnf:1:1: x: too large: the automaton of `y` had 25 states when the work on automata was used up (1461 steps were left for it); --limit-steps raises the limit; " +
				"what makes it so is y (x.abnf:2:5)"},
		{"DFA", word, "x <- y / [qQ]\ny <- [aA]\n", lang.Limits{DFA: 100}, VerdictUndecided,
			"x.abnf:1:1: x: too large: the automaton of `y` has more than 100 states; --limit-states raises the limit; what makes it so is y (x.abnf:2:5)"},
		{"PEG", "x = 40\"a\"\n", "x <- y\ny <- &( [aA]* !. )" + strings.Repeat(" [aA]", 40) + "\n",
			lang.Limits{DFA: 30}, VerdictUndecided,
			"x.peg:1:1: x: too large: the automaton of `y` has more than 30 states; --limit-states raises the limit; " +
				"what makes it so is y (x.peg:2:6)"},
	} {
		pair := must.Of(catalog.Files("x.abnf", []byte(test.abnf), "x.peg", []byte(test.peg), catalog.FileOptions{}))(t)
		r := must.Of(Prove(pair, Options{Limits: test.limits}))(t)
		if r.Verdict != test.verdict || len(r.Faults) == 0 || r.Faults[0].String() != test.fault {
			t.Errorf("%s: %s, faults %v; want the fault %s", test.name, r.Summary(), r.Faults, test.fault)
		}
	}
}

// TestManyDerivations: the search for strings with several derivations ends at its limit, and a note says so. Three
// productions of up to 1000 letters each have millions of pairs of derivations, which once took gigabytes.
func TestManyDerivations(t *testing.T) {
	const abnf = "s = x y z\nx = *1000\"a\"\ny = *1000\"a\"\nz = *1000\"a\"\n"
	const peg = "s <- x y z\nx <- [aA]*\ny <- [aA]*\nz <- [aA]*\n"
	pair := must.Of(catalog.Files("x.abnf", []byte(abnf), "x.peg", []byte(peg), catalog.FileOptions{}))(t)
	r := must.Of(Prove(pair, Options{Limits: lang.Limits{NFA: 4000}}))(t)
	if !strings.Contains(strings.Join(r.Notes, "\n"), "more than 32000 pairs of derivations") || len(r.Ambiguities) > 0 {
		t.Errorf("%d ambiguities, notes %q", len(r.Ambiguities), r.Notes)
	}
}

// TestDefine: what is supplied for a name means the same wherever the name is used, also in a text with several parts.
func TestDefine(t *testing.T) {
	n := bnf.Usual
	n.Define = []bnf.Replacement{{Production: "letter", Text: "a | bb", Pos: expr.Pos{File: "--define letter", Line: 1, Col: 1}}}
	g := must.Of(bnf.ReadWith("x.bnf", []byte("@ notation rfc1630\n@ part one \"One\"\n@ ids one_ all\naa  letter cc\n\ncc  x\n\n@ part two \"Two\"\nbb  letter\n"), n))(t)
	for id, want := range map[string]string{"one_aa": "letter one_cc", "bb": "letter", "letter": `"a" / bb`} {
		if r := g.Rule(id); r == nil || r.Expr.String() != want {
			t.Errorf("%s: %v, want %s", id, r, want)
		}
	}
}

// Of one there is no plural.
func TestOneString(t *testing.T) {
	r := &Report{
		Productions: []Row{{Production: "a", Equal: true, Node: true, Tree: Proven}},
		Samples:     []Sample{{Parser: "fast", Words: 1, Trees: 1}},
	}
	text := string(r.AppendText(nil, &layout.Screen{}, false, 0, nil))
	for _, want := range []string{
		"1 of 1 kind of nodes is proven to be ",
		"the fast parser was given 1 string, and 1 tree was held against the BNF: nothing wrong",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
}

// A rule that is refuted differs, also if no string that shows it was found.
func TestLanguage(t *testing.T) {
	yes, no, word := true, false, quote.Word("a")
	for _, c := range []struct {
		row  Row
		want string
	}{
		{Row{Equal: true, Decided: &yes}, "equal"},
		{Row{Decided: &no, BNFOnly: &word}, "differs"},
		{Row{Decided: &no}, "differs"},
		{Row{}, "open"},
	} {
		if got := c.row.Language(); got != c.want {
			t.Errorf("%v is %s, and not %s", c.row, got, c.want)
		}
	}
}

// The table of a report says the same, and names as stopped what is open.
func TestRefutedWithoutString(t *testing.T) {
	no := false
	r := &Report{Productions: []Row{{Production: "a", Decided: &no}, {Production: "b"}}}
	var states []string
	for line := range strings.Lines(string(r.AppendText(nil, &layout.Screen{}, true, 0, nil))) {
		if fields := strings.Fields(line); len(fields) > 2 && (fields[0] == "a" || fields[0] == "b") {
			states = append(states, fields[len(fields)-1])
		}
		if strings.HasPrefix(line, "stopped first at a") {
			t.Error(line)
		}
	}
	if strings.Join(states, " ") != "differs open" {
		t.Errorf("the rows are %q", states)
	}
}
