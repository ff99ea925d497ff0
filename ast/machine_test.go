package ast_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		start     ast.Kind
		in        string
		explained ast.Kind
		offset    int
		want      string // "" is accepted
	}{
		{Address, "host:80", 0, 0, ""},
		{Address, "m:80", 0, 0, ""},
		{Address, "m", 0, 0, ""},
		{Address, "", Pair, 0, "tiny: offset 0: unexpected end of input in host; expected alphadigit (section 5)"},
		{Address, "~", Pair, 0, `tiny: offset 0: unexpected "~" in host; expected alphadigit (section 5)`},
		{Address, "ho~st", Pair, 2, `tiny: offset 2: unexpected "~" in host; expected alphadigit, ` +
			`":" or end of input (section 5)`},
		{Address, "host:", Pair, 5, "tiny: offset 5: unexpected end of input in port; expected digit (section 5.1)"},
		{Address, "host:a", Pair, 5, `tiny: offset 5: unexpected "a" in port; expected digit (section 5.1)`},
		{Address, "host:8\n", Pair, 6, `tiny: offset 6: unexpected "\x0A" in port; ` +
			`expected digit or end of input (section 5.1)`},
		{Address, "m:", Mail, 2, "tiny: offset 2: unexpected end of input in host; expected alphadigit (section 5)"},
		{Address, "m:a:", Mail, 3, `tiny: offset 3: unexpected ":" in host; ` +
			`expected alphadigit or end of input (section 5)`},
		{Mail, "x", Mail, 0, `tiny: offset 0: unexpected "x" in mail; expected "m:" (section "Mail")`},
		{Mail, "m\xff", Mail, 1, `tiny: offset 1: unexpected "\xFF" in mail; expected ":" (section "Mail")`},
		{Alphadigit, "aa", Alphadigit, 1,
			`tiny: offset 1: unexpected "a" in alphadigit; expected end of input (section 5)`},
		{HostPort, "", HostPort, 0, "tiny: offset 0: unexpected end of input (section 5)"},
		{HostPort, "x", HostPort, 0, `tiny: offset 0: unexpected "x" (section 5)`},
		{0, "x", 0, 0, `tiny: offset 0: unexpected "x"`},
		{99, "x", 99, 0, `tiny: offset 0: unexpected "x"`},
	} {
		e := tiny.Explain(c.start, c.in)
		if e == nil || c.want == "" {
			if e != nil || c.want != "" {
				t.Errorf("Explain(%d, %q) = %v, want %q", c.start, c.in, e, c.want)
			}
			continue
		}
		if e.Error() != c.want || e.Grammar != tiny || e.Start != c.start || e.Explained != c.explained || e.Offset != c.offset || e.Input != c.in {
			t.Errorf("Explain(%d, %q) = %v of kind %d, at %d; want %s", c.start, c.in, e, e.Explained, e.Offset, c.want)
		}
	}
}

// The message omits terms; the error has all of them.
func TestExplainKeepsEveryExpectation(t *testing.T) {
	e := tiny.Explain(Pair, "~")
	var terms []string
	for _, x := range e.Expected {
		terms = append(terms, x.Term)
	}
	if want := []string{"alphadigit", "alpha", "digit"}; !slices.Equal(terms, want) {
		t.Errorf("expected %q, want %q", terms, want)
	}
	if !slices.Equal(e.In, []ast.Kind{Host, Pair}) || !slices.Equal(e.Expected[1].In, []ast.Kind{Alphadigit}) {
		t.Errorf("in %v, alpha in %v", e.In, e.Expected[1].In)
	}
	last := tiny.Explain(Pair, "a~").Expected[2]
	if last.Term != ast.EndOfInput || len(last.In) != 0 || last.First != (ast.ByteSet{}) {
		t.Errorf("the last expectation is %+v", last)
	}
}

// Offset and Expected are exact, compared with all words up to a length: Offset is the length of
// the longest prefix that an accepted word continues, and Expected has exactly the bytes that
// continue it.
func TestExplainIsExact(t *testing.T) {
	const alphabet, length = "amz09:~", 4
	languages := map[ast.Kind]*regexp.Regexp{
		Pair: regexp.MustCompile(`^[a-z0-9]+(:[0-9]+)?$`),
		Mail: regexp.MustCompile(`^m:[a-z0-9]+$`),
	}
	words := []string{""}
	for i := 0; len(words[i]) < length; i++ {
		for _, c := range alphabet {
			words = append(words, words[i]+string(c))
		}
	}
	for k, accepted := range languages {
		viable := map[string]bool{} // the prefixes of accepted words; none needs more than 2 bytes to be one
		for _, w := range words {
			if accepted.MatchString(w) {
				for i := range len(w) + 1 {
					viable[w[:i]] = true
				}
			}
		}
		for _, w := range words {
			if len(w) > length-2 {
				continue
			}
			e := tiny.Explain(k, w)
			if (e == nil) != accepted.MatchString(w) {
				t.Errorf("kind %d: Explain(%q) = %v", k, w, e)
			}
			if e == nil {
				continue
			}
			want := 0
			for want < len(w) && viable[w[:want+1]] {
				want++
			}
			if e.Offset != want {
				t.Errorf("kind %d: Explain(%q) at %d, want %d", k, w, e.Offset, want)
			}
			for b := range 256 {
				expected := slices.ContainsFunc(e.Expected, func(x ast.Expectation) bool { return x.First.Has(byte(b)) })
				continues := strings.IndexByte(alphabet, byte(b)) >= 0 && viable[w[:want]+string(rune(b))]
				if strings.IndexByte(alphabet, byte(b)) >= 0 && expected != continues {
					t.Errorf("kind %d: after %q byte %#02x is expected: %t, continues: %t", k, w[:want], b, expected, continues)
				}
			}
		}
	}
}

func TestExplainWithoutTables(t *testing.T) {
	g := *tiny
	g.Tables = nil
	if e := g.Explain(Pair, "~"); e == nil || e.Error() != `tiny: offset 0: unexpected "~" (section 5)` {
		t.Errorf("%v", e)
	}
}

func TestExplainAllocatesOnlyTheError(t *testing.T) {
	for in, want := range map[string]float64{"host:80": 0, "m:a": 0, "host:~": 2, "host~": 2} { // the error, and its list
		if n := testing.AllocsPerRun(100, func() { tiny.Explain(Address, in) }); n > want {
			t.Errorf("%q: %v allocations, want %v", in, n, want)
		}
	}
}

func TestByteSet(t *testing.T) {
	for b := range 256 {
		one := ast.ByteSet{}
		one[b/64] |= 1 << (b % 64)
		letter := b >= 'a' && b <= 'z'
		if !one.Has(byte(b)) || one.Has(byte(b+1)) || alphas.Has(byte(b)) != letter {
			t.Errorf("byte %#02x is confused with another", b)
		}
	}
}

func BenchmarkExplain(b *testing.B) {
	in := strings.Repeat("a", 1000) + "~"
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		tiny.Explain(Address, in)
	}
}

// A machine is walked from a start, one byte at a time.
func TestMachine(t *testing.T) {
	m := tiny.Machine()
	for _, c := range []struct {
		start     ast.Kind
		in        string
		explained ast.Kind
		state     uint16
		accepts   bool
		inside    []ast.Kind
		expected  string
	}{
		{Address, "", Pair, 1, false, []ast.Kind{Host, Pair}, "alphadigit alpha digit"},
		{Address, "h:8", Pair, 4, true, []ast.Kind{Port, Pair}, "digit end of input"},
		{Address, "m:a", Mail, 8, true, []ast.Kind{Host, Mail}, "alphadigit end of input"},
		{Address, "m", Pair, 2, true, []ast.Kind{Host, Pair}, `alphadigit ":" end of input`}, // not the prefix of mail
		{Address, "m:~", Mail, 0, false, nil, ""},
		{Mail, "m", Mail, 6, false, []ast.Kind{Mail}, `":"`},
		{HostPort, "", HostPort, 0, false, nil, ""},
		{0, "a", 0, 0, false, nil, ""},
		{99, "a", 0, 0, false, nil, ""},
	} {
		from := m.Start(c.start, c.in)
		q := from.State
		for i := range len(c.in) {
			q = m.Step(q, c.in[i])
		}
		var expected []string
		for _, x := range m.Expected(q) {
			expected = append(expected, x.Term)
		}
		if from.Explained != c.explained || q != c.state || m.Accepts(q) != c.accepts || !slices.Equal(m.In(q), c.inside) || strings.Join(expected, " ") != c.expected {
			t.Errorf("%d, %q: as %d in state %d: accepts %t, in %v, expects %q", c.start, c.in, from.Explained, q, m.Accepts(q), m.In(q), expected)
		}
	}
	if m.Class('x') != m.Class('y') || m.Class('x') == m.Class('m') {
		t.Errorf("classes %d, %d, %d", m.Class('x'), m.Class('y'), m.Class('m'))
	}
}

// Numbers beyond the states of a machine are dead.
func TestMachineHasNoOtherStates(t *testing.T) {
	for _, m := range []ast.Machine{tiny.Machine(), new(ast.Grammar).Machine(), (*ast.Grammar)(nil).Machine()} {
		for q := m.States(); q <= 0xffff; q++ {
			q := uint16(q)
			if m.Step(q, 'a') != 0 || m.Accepts(q) || m.In(q) != nil || len(m.Expected(q)) > 0 {
				t.Fatalf("state %d of %d is not dead", q, m.States())
			}
		}
	}
}
