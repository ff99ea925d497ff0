package conform_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// asked returns the subject that is the start of a grammar, its judge, and what is asked about it.
func asked(t *testing.T, file string) (*vectors.Subject, conform.Judge, []string, *conform.Making) {
	t.Helper()
	s, p, err := conform.Subject(must.Of(catalog.Open(file, catalog.Usual))(t))
	if err != nil {
		t.Fatal(err)
	}
	making := &conform.Making{}
	inputs := must.Of(conform.Strings(s, making))(t)
	return s, conform.Judge{Grammar: s.Grammar, Production: s.Production, Named: s.Named, File: p.Place(nil).File}, inputs, making
}

// run asks a function about strings.
func run(t *testing.T, j conform.Judge, inputs []string, making *conform.Making, accepts func(w string) bool) *conform.Report {
	t.Helper()
	f := conform.Func{Title: "wrong", Parse: func(w string) conform.Answer {
		if accepts(w) {
			return conform.Answer{Verdict: conform.Accepted}
		}
		return conform.Answer{Verdict: conform.Rejected}
	}}
	return must.Of(conform.Run(context.Background(), conform.Config{
		Implementations: []conform.Implementation{f}, Judges: []conform.Judge{j}, Inputs: inputs, Mutants: &making.Mutants,
	}))(t)
}

// No parser passes whose bounds are one off, or whose classes have a byte more or less, and the grammar's own automaton does.
func TestWrongBoundsDiffer(t *testing.T) {
	longtest.Sequential(t)
	files := must.Of(filepath.Glob("../vectors/testdata/bounds/*.abnf"))(t)
	wrong := 0
	for _, file := range files {
		g := must.Of(bnf.ReadABNF(file, must.Of(os.ReadFile(file))(t)))(t)
		s, judge, inputs, making := asked(t, file)
		if s.DFA.States() > 100 && !longtest.Enabled() {
			continue
		}
		if r := run(t, judge, inputs, making, s.DFA.Match); r.Differs() || len(r.Gaps()) > 0 {
			t.Errorf("%s: the grammar's own automaton: %v, %v", file, r.Comparisons[0].Groups, r.Gaps())
		}
		try := func(r *expr.Rule, old, other *expr.Expr) {
			mutant := g.Change(r.ID, r.Expr.With(old, other))
			a, err := lang.FromBNF(mutant, s.ID())
			accepts := func(w string) bool {
				yes, ok := interpreter.Derives(mutant, s.ID(), w)
				return yes && ok
			}
			if err == nil { // else its automaton is too large, and it is another language
				accepts = a.Match
			}
			if err == nil && a.Equal(s.DFA) {
				return
			}
			wrong++
			if r := run(t, judge, inputs, making, accepts); !r.Differs() {
				t.Errorf("%s: a parser passes that has %s for %s", file, other, old)
			}
		}
		for _, r := range g.Rules {
			expr.Walk(r.Expr, func(e *expr.Expr) bool {
				switch e.Op {
				case expr.Class:
					first := e.Set.Members()[0]
					try(r, e, expr.In(e.Set.Minus(expr.Range(first, first))))
					try(r, e, expr.In(e.Set.Union(expr.Bytes("\x00"))))
				case expr.Repeat:
					for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, 1}} {
						least, most := e.Min+d[0], e.Max+d[1]
						if e.Max == expr.Unbounded {
							most = e.Max
						}
						if least >= 0 && (most == expr.Unbounded || least <= most) {
							try(r, e, expr.Times(e.Sub[0], least, most))
						}
					}
				}
				return true
			})
		}
	}
	want := 250
	if longtest.Enabled() {
		want = 700
	}
	if t.Logf("%d wrong parsers of %d grammars", wrong, len(files)); wrong < want {
		t.Errorf("only %d wrong parsers", wrong)
	}
}

// The names of hosts, whose labels have at most 63 bytes. The expression is wrong: every label but the first may begin
// and end with "-".
func TestWrongHostname(t *testing.T) {
	const file = "../vectors/testdata/bounds/hostname.abnf"
	s, judge, inputs, making := asked(t, file)
	if m := making.Mutants; m.Unseen > 0 || m.Living > 0 || m.Unmade != nil || m.Killed < 900 {
		t.Errorf("mutants: %+v", m)
	}
	wrong := regexp.MustCompile(`(?i)^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9-]{1,63})*$`)
	r := run(t, judge, inputs, making, wrong.MatchString)
	var production []string
	for _, g := range r.Comparisons[0].Groups {
		production = append(production, g.Production)
	}
	if !r.Differs() || !strings.Contains(strings.Join(production, " "), "label") {
		t.Errorf("groups in %v", production)
	}
	if s.DFA.Match("a.-b") || !wrong.MatchString("a.-b") {
		t.Error("the two do not differ")
	}
}

// A suite for bounded repetitions takes few steps, also where the body contains the separator that ends it, as web
// formats have it. The limit is 256 million steps, of which characters of other kinds at each place take up to a quarter.
func TestSuitesOfBoundsTakeFewSteps(t *testing.T) {
	for _, test := range []struct {
		name, grammar string
		states        int
		most          int64 // million steps
	}{
		{"arn", `v = %s"arn:" 1*16lc ":" 1*20lc ":" *20lc ":" [ 12DIGIT ] ":" 1*253( lc / "/" / ":" )
lc = %x61-7A / DIGIT / "-"`, 331, 70},
		{"urn", `urn = "urn:" nid ":" nss
nid = ld *30( ld / "-" ) ld
nss = pchar *255( pchar / "/" )
ld = ALPHA / DIGIT
pchar = ld / "-" / "." / "_" / "~" / "%" 2HEXDIG / ":" / "@" / "="`, 837, 190},
		{"MIME boundary", `delimiter = "--" *69( c / " " ) c [ "--" ] *16WSP CRLF
c = DIGIT / ALPHA / "'" / "(" / ")" / "+" / "_" / "," / "-" / "." / "/" / ":" / "=" / "?"`, 1133, 45},
		{"LDAP", `rdn = attr "=" value *3( "," attr "=" value )
attr = ALPHA *31( ALPHA / DIGIT / "-" )
value = 1*64( ALPHA / DIGIT / "=" / " " )`, 393, 16},
		{"file name", `file = 1*100( ALPHA / DIGIT / "-" / "_" / "." ) "." 1*5( ALPHA / DIGIT )`, 687, 26},
		{"base64", `secret = *128( 4c ) [ 2c "==" / 3c "=" ]
c = ALPHA / DIGIT / "+" / "/"`, 518, 37},
		{"object key", `key = 1*63( lc / "/" ) "/" 1*20( lc / "." ) [ ":" 1*128( lc / "." / ":" ) ]
lc = %x61-7A / DIGIT / "-"`, 1307, 60},
		{"fixed", "v = 256HEXDIG", 258, 5},
	} {
		file := filepath.Join(t.TempDir(), "g.abnf")
		must.Do(t, os.WriteFile(file, []byte(test.grammar+"\n"), 0o644))
		o := catalog.Usual
		o.Notation.Budget = budget.New(t.Context(), budget.Limits{})
		s, _, err := conform.Subject(must.Of(catalog.Open(file, o))(t))
		if err != nil {
			t.Fatal(err)
		}
		p := must.Of(s.Plan(vectors.Options{Method: vectors.HSI}))(t)
		if reasons := p.Undecided(); len(reasons) > 0 {
			t.Errorf("%s: %q", test.name, reasons)
		}
		if steps := o.Notation.Budget.Taken() >> 20; s.DFA.States() != test.states || steps > test.most {
			t.Errorf("%s: %d states, and %d million steps; want at most %d", test.name, s.DFA.States(), steps, test.most)
		}
	}
}
