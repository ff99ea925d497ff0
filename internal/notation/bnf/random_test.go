package bnf

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	goabnf "github.com/pandatix/go-abnf"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Random grammar files are read here in two ways. The generator makes a grammar in a tree of its own, which a
// recognizer that tries everything understands, and writes it down in one of the notations, with all that a file can
// have: layout, comments, names in either case, additions, and mistakes of which it keeps account. Either the reader
// refuses the file, with a place, and there is a mistake in it, or all short words are derived by the same
// productions.

var randomFiles = flag.Int("files", 250, "how many random grammar files are read in each notation")

// A meaning is an expression of the generator: the words that it stands for, and how it is written down.
type meaning struct {
	op       byte // one of '"' exact text, '~' text in either case, '-' a byte of a range, 'r' a name, 's' sequence, '/' choice, '*' repetition
	text     string
	lo, hi   byte
	sub      []*meaning
	min, max int // max -1 for no limit
}

// ends returns the set of places at which m can end in w if it begins at place i, as bits. The words of the names are
// known as far as a table has them.
func (m *meaning) ends(w string, i int, names map[string][]uint32) uint32 {
	switch m.op {
	case '"', '~':
		n := len(m.text)
		if i+n <= len(w) && (w[i:i+n] == m.text || m.op == '~' && strings.EqualFold(w[i:i+n], m.text)) {
			return 1 << (i + n)
		}
		return 0
	case '-':
		if i < len(w) && m.lo <= w[i] && w[i] <= m.hi {
			return 1 << (i + 1)
		}
		return 0
	case 'r':
		if t := names[m.text]; t != nil {
			return t[i]
		}
		return 0
	case 's':
		at := uint32(1) << i
		for _, s := range m.sub {
			at = s.from(w, at, names)
		}
		return at
	case '/':
		var at uint32
		for _, s := range m.sub {
			at |= s.ends(w, i, names)
		}
		return at
	}
	at := uint32(1) << i
	for range m.min {
		at = m.sub[0].from(w, at, names)
	}
	all := at
	for n := m.min; n < m.max || m.max < 0; n++ {
		at = m.sub[0].from(w, at, names)
		if at|all == all && (m.max < 0 || at == 0) {
			break
		}
		all |= at
	}
	return all
}

func (m *meaning) from(w string, at uint32, names map[string][]uint32) (out uint32) {
	for i := 0; i <= len(w); i++ {
		if at>>i&1 != 0 {
			out |= m.ends(w, i, names)
		}
	}
	return out
}

// A randomFile is a grammar file with what is known about it.
type randomFile struct {
	*rand.Rand
	notation string
	names    []string            // of the productions
	means    map[string]*meaning // by name, as in names
	missing  map[string]bool     // names that are used and have no production
	mistake  string              // why the file must be refused; "" if it must not
	text     strings.Builder
}

var alphabetOf = map[string]string{"abnf": "aAb%", "rfc822": `aAb"`, "rfc1630": "aAb|"}

// newRandomFile makes a file. With mistakes, one in three has one.
func newRandomFile(seed uint64, notation string) *randomFile {
	f := &randomFile{Rand: rand.New(rand.NewPCG(seed, uint64(len(notation)))), notation: notation, means: map[string]*meaning{}, missing: map[string]bool{}}
	pool := map[string][]string{
		"abnf":    {"start", "Mid-1", "low", "x9", "DIGITS"},
		"rfc822":  {"start", "Mid-1", "low+_x", "x9", "digits"},
		"rfc1630": {"start", "Mid-1", "low", "x9", "digits"},
	}[notation]
	f.names = pool[:2+f.IntN(len(pool)-1)]
	for i, name := range f.names {
		f.means[name] = f.expr(3, i)
	}
	f.write()
	return f
}

// expr makes an expression that production number i may have. It uses those behind it, and now and then any.
func (f *randomFile) expr(depth, i int) *meaning {
	letters := alphabetOf[f.notation]
	if depth == 0 || f.IntN(5) == 0 {
		switch n := f.IntN(12); {
		case n < 4 && i+1 < len(f.names):
			return &meaning{op: 'r', text: f.names[i+1+f.IntN(len(f.names)-i-1)]}
		case n == 4 && f.IntN(3) == 0:
			return &meaning{op: 'r', text: f.names[f.IntN(len(f.names))]}
		case n == 5 && f.IntN(4) == 0:
			f.missing["nowhere"] = true
			return &meaning{op: 'r', text: "nowhere"}
		case n == 6 && f.notation == "abnf":
			lo := letters[f.IntN(len(letters))]
			return &meaning{op: '-', lo: lo, hi: lo + byte(f.IntN(40))}
		case n < 9 && f.notation == "abnf":
			return &meaning{op: '~', text: f.word(3)}
		case n < 10 && f.notation == "rfc1630":
			return &meaning{op: '"', text: f.word(2)}
		default:
			return &meaning{op: '"', text: f.word(1)}
		}
	}
	sub := func() *meaning { return f.expr(depth-1, i) }
	switch n := f.IntN(8); {
	case n < 3:
		return &meaning{op: 's', sub: []*meaning{sub(), sub()}}
	case n < 5 && f.notation == "rfc1630" && depth < 3: // it has no grouping
		return &meaning{op: '*', sub: []*meaning{{op: '/', sub: []*meaning{sub(), sub()}}}, max: 1}
	case n < 5:
		return &meaning{op: '/', sub: []*meaning{sub(), sub()}}
	case n == 5 || f.notation == "rfc1630":
		return &meaning{op: '*', sub: []*meaning{sub()}, max: 1}
	default:
		m := &meaning{op: '*', min: f.IntN(3), max: -1}
		if f.IntN(2) == 0 {
			m.max = m.min + f.IntN(3)
		}
		if m.max == 0 { // what is never there uses no name
			m.sub = []*meaning{{op: '"', text: "a"}}
		} else {
			m.sub = []*meaning{sub()}
		}
		return m
	}
}

func (f *randomFile) word(most int) string {
	letters := strings.ReplaceAll(alphabetOf[f.notation], `"`, "")
	b := make([]byte, 1+f.IntN(most))
	for i := range b {
		b[i] = letters[f.IntN(len(letters))]
	}
	return string(b)
}

// eitherCase writes a name in another case, where that makes no difference.
func (f *randomFile) eitherCase(name string) string {
	switch n := f.IntN(4); {
	case f.notation == "rfc1630":
	case n == 0:
		return strings.ToUpper(name)
	case n == 1:
		return strings.ToLower(name)
	}
	return name
}

// gap is what can stand between two elements of a production.
func (f *randomFile) gap() string {
	switch n := f.IntN(12); {
	case n == 0:
		return "\n  "
	case n == 1 && f.notation != "rfc1630":
		return " ; a = / b =/ \"c\" <d>\n  "
	case n == 2 && f.notation != "rfc1630":
		return "\n \n     "
	case n == 3:
		return "\t "
	}
	return " "
}

// source writes m down, in parentheses where it would otherwise fall apart.
func (f *randomFile) source(m *meaning, tight bool) string {
	group := func(s string) string {
		if tight && f.notation != "rfc1630" {
			return "(" + f.gap() + s + f.gap() + ")"
		}
		return s
	}
	var parts []string
	switch m.op {
	case '"':
		return f.exact(m.text, group)
	case '~':
		return `"` + m.text + `"`
	case '-':
		return fmt.Sprintf([]string{"%%x%X-%X", "%%d%d-%d", "%%b%b-%b", "%%X%x-%x"}[f.IntN(4)], m.lo, m.hi)
	case 'r':
		return f.eitherCase(m.text)
	case 's':
		for _, s := range m.sub {
			parts = append(parts, f.source(s, s.op == '/'))
		}
		return group(strings.Join(parts, f.gap()))
	case '/':
		for _, s := range m.sub {
			parts = append(parts, f.source(s, false))
		}
		sign := "|"
		if f.notation == "abnf" {
			sign = "/"
		}
		return group(strings.Join(parts, f.gap()+sign+f.gap()))
	}
	if m.min == 0 && m.max == 1 && f.IntN(3) > 0 || f.notation == "rfc1630" {
		return "[" + f.gap() + f.source(m.sub[0], false) + f.gap() + "]"
	}
	count := fmt.Sprintf("%d*%d", m.min, m.max)
	switch {
	case m.max < 0 && m.min == 0:
		count = "*"
	case m.max < 0:
		count = fmt.Sprintf("%d*", m.min)
	case m.min == m.max && f.IntN(2) == 0:
		count = fmt.Sprint(m.min)
	case m.min == 0:
		count = fmt.Sprintf("*%d", m.max)
	}
	s := m.sub[0]
	if f.notation == "rfc822" && f.IntN(2) == 0 { // where brackets behind a count group
		return group(count + "[" + f.gap() + f.source(s, false) + f.gap() + "]")
	}
	if s.op == '*' { // whose brackets would otherwise stand behind the count
		return group(count + "(" + f.source(s, false) + ")")
	}
	return group(count + f.source(s, true))
}

// exact writes text that matches as it stands.
func (f *randomFile) exact(text string, group func(string) string) string {
	switch f.notation {
	case "abnf":
		var numbers []string
		format, base := "%X", "%x"
		if f.IntN(2) == 0 {
			format, base = "%d", "%d"
		}
		for i := range len(text) {
			numbers = append(numbers, fmt.Sprintf(format, text[i]))
		}
		if f.IntN(2) == 0 {
			return base + strings.Join(numbers, ".")
		}
		return `%s"` + text + `"`
	case "rfc822":
		if f.IntN(6) == 0 {
			return group(`"` + text + `" ""`)
		}
		return `"` + text + `"`
	}
	var chars []string
	for i := range len(text) {
		c := text[i : i+1]
		if c == "|" {
			c = "vline"
		}
		chars = append(chars, c)
	}
	return strings.Join(chars, f.gap())
}

// write writes the file, with at most one mistake.
func (f *randomFile) write() {
	if f.notation != "abnf" {
		f.text.WriteString("@ notation " + f.notation + "\n")
	}
	kind := f.IntN(18)
	if f.notation == "rfc1630" && kind > 0 { // but for these two, it has no signs to make mistakes with
		if kind == 1 {
			f.mistake = "no blank line"
		}
		kind += 100
	}
	victim := f.names[f.IntN(len(f.names))]
	rule := func(name, sign, right string) string {
		if f.notation == "rfc1630" {
			return name + f.gap() + right
		}
		return name + f.gap() + sign + f.gap() + right
	}
	var lines []string
	for _, name := range f.names {
		m := f.means[name]
		right := f.source(m, false)
		if name == victim {
			switch kind {
			case 0:
				f.mistake = "defined twice"
				other := map[string]string{"abnf": " / %x7A", "rfc822": ` | "z"`, "rfc1630": " | z"}[f.notation]
				lines = append(lines, rule(f.eitherCase(name), "=", right+other))
			case 1:
				if f.notation == "rfc822" {
					f.mistake = "prose"
					right += f.gap() + "<as in RFC 822>"
				} else {
					f.mistake = "smart quotes"
					right += f.gap() + "“a”"
				}
			case 2:
				if f.notation == "abnf" {
					f.mistake = "a value above U+10FFFF"
					right = "%x41.110000 / " + right
				}
			case 3:
				f.mistake = "a count above what is counted"
				right = "2147483648" + "(" + right + ")"
			case 4:
				f.mistake = "an unclosed group"
				right = "(" + right
			}
		}
		if f.notation == "abnf" && m.op == '/' && f.IntN(2) == 0 && right == strings.TrimSpace(right) && f.mistake == "" {
			// as additions, in any order
			parts := []string{rule(f.eitherCase(name), "=", f.source(m.sub[0], false)), rule(f.eitherCase(name), "=/", f.source(m.sub[1], false))}
			if f.IntN(3) == 0 {
				slices.Reverse(parts)
			}
			lines = append(lines, parts...)
			continue
		}
		lines = append(lines, rule(f.eitherCase(name), "=", right))
	}
	for i, line := range lines {
		if i > 0 && f.notation != "rfc1630" && f.IntN(4) == 0 {
			f.text.WriteString("; x = \"y\"\n")
		}
		f.text.WriteString(line + "\n")
		if f.notation == "rfc1630" && (i > 0 || f.mistake != "no blank line") || f.notation != "rfc1630" && f.IntN(4) == 0 {
			f.text.WriteString("\n")
		}
	}
}

// derived returns, for each production, whether it derives w, by trying everything.
func (f *randomFile) derived(w string) map[string]bool {
	table := map[string][]uint32{}
	for _, name := range f.names {
		table[name] = make([]uint32, len(w)+1)
	}
	for changed := true; changed; { // to the least fixed point
		changed = false
		for name, m := range f.means {
			for i := range len(w) + 1 {
				if at := m.ends(w, i, table); at != table[name][i] {
					table[name][i], changed = at, true
				}
			}
		}
	}
	out := map[string]bool{}
	for name, t := range table {
		out[name] = t[0]>>len(w)&1 != 0
	}
	return out
}

func TestRandomFiles(t *testing.T) {
	for _, notation := range []string{"abnf", "rfc822", "rfc1630"} {
		t.Run(notation, func(t *testing.T) {
			words := pegtest.Words(alphabetOf[notation], 4)
			read, refused, without, compared, byOther := 0, map[string]int{}, 0, 0, 0
			for seed := range uint64(*randomFiles) {
				f := newRandomFile(seed, notation)
				g, err := ReadWith("x.bnf", []byte(f.text.String()), Usual)
				if notation == "abnf" {
					g, err = ReadABNF("x.abnf", []byte(f.text.String()))
				}
				if err == nil { // a count that is too high refuses its production alone
					if i := slices.IndexFunc(g.Rules, func(r *expr.Rule) bool { return r.Refused != nil }); i >= 0 {
						err = g.Rules[i].Refused
					}
				}
				if (err != nil) != (f.mistake != "") {
					t.Fatalf("seed %d: the mistake is %q, the error is %v, of\n%s", seed, f.mistake, err, f.text.String())
				}
				if err != nil {
					if place, ok := errors.AsType[*expr.Error](err); !ok || place.Pos.Line == 0 {
						t.Fatalf("seed %d: an error without a place: %v", seed, err)
					}
					refused[f.mistake]++
					continue
				}
				read++
				undefined := slices.ContainsFunc(lint.Form(g), func(x lint.Finding) bool {
					return x.Code == lint.Undefined && x.Message == "`"+f.eitherSpelling(g)+"` is not defined"
				})
				if undefined != f.missing["nowhere"] {
					t.Fatalf("seed %d: nowhere is found undefined: %t, in\n%s", seed, undefined, f.text.String())
				}
				automata := map[string]*lang.DFA{}
				for _, name := range f.names {
					r, err := g.Lookup(name)
					if err != nil {
						t.Fatalf("seed %d: %v, in\n%s", seed, err, f.text.String())
					}
					if automata[name], err = lang.FromBNF(g, r.ID); err != nil {
						_, embeds := errors.AsType[*expr.SelfEmbedding](err)
						if !embeds && !errors.Is(err, lang.ErrTooLarge) {
							t.Fatalf("seed %d: %v, of\n%s", seed, err, f.text.String())
						}
						without++
						delete(automata, name)
					}
				}
				for _, w := range words {
					want := f.derived(w)
					for name, a := range automata {
						compared++
						if a.Match(w) != want[name] {
							t.Fatalf("seed %d: %s derives %q: %t, and is read so that it does: %t, in\n%s", seed, name, w, want[name], a.Match(w), f.text.String())
						}
					}
				}
				if notation == "abnf" {
					byOther += againstGoABNF(t, f, automata, words, seed)
				}
			}
			t.Logf("%d files read, %v refused, %d productions have no automaton; %d words compared, %d with go-abnf", read, refused, without, compared, byOther)
			if *randomFiles >= 250 && (compared < 150_000 || len(refused) == 0 || notation == "abnf" && byOther < 100_000) {
				t.Error("too little was compared")
			}
		})
	}
}

// eitherSpelling returns "nowhere" as it is spelled where it is used first.
func (f *randomFile) eitherSpelling(g *expr.Grammar) string {
	for _, r := range g.Rules {
		for _, id := range expr.Refs(r.Expr) {
			if strings.EqualFold(id, "nowhere") {
				return id
			}
		}
	}
	return ""
}

// againstGoABNF checks the automata against what another reader of ABNF makes of the file, where it can read it. What
// it has read is understood by the same recognizer as the generator's meanings: its own gives up on 2*4( *"b" "a" ).
func againstGoABNF(t *testing.T, f *randomFile, automata map[string]*lang.DFA, words []string, seed uint64) (compared int) {
	g, err := goabnf.ParseABNF([]byte(strings.ReplaceAll(f.text.String(), "\n", "\r\n")), goabnf.WithValidation(false))
	if err != nil {
		return 0 // it refuses additions before what they add to
	}
	other := &randomFile{names: f.names, means: map[string]*meaning{}}
	for _, r := range g.Rulemap {
		for _, name := range f.names {
			if strings.EqualFold(r.Name, name) {
				other.means[name] = f.meaningOf(r.Alternation)
			}
		}
	}
	for _, w := range words {
		derived := other.derived(w)
		for name, a := range automata {
			compared++
			if derived[name] != a.Match(w) {
				t.Fatalf("seed %d: %s derives %q: %t, but %t as go-abnf reads it, in\n%s", seed, name, w, a.Match(w), derived[name], f.text.String())
			}
		}
	}
	return compared
}

// meaningOf returns what an alternation that go-abnf has read stands for.
func (f *randomFile) meaningOf(a goabnf.Alternation) *meaning {
	any := &meaning{op: '/'}
	for _, c := range a.Concatenations {
		seq := &meaning{op: 's'}
		for _, r := range c.Repetitions {
			var m *meaning
			switch e := r.Element.(type) {
			case goabnf.ElemRulename:
				m = &meaning{op: 'r', text: e.Name}
				for _, name := range f.names {
					if strings.EqualFold(name, e.Name) {
						m.text = name
					}
				}
			case goabnf.ElemGroup:
				m = f.meaningOf(e.Alternation)
			case goabnf.ElemOption:
				m = &meaning{op: '*', sub: []*meaning{f.meaningOf(e.Alternation)}, max: 1}
			case goabnf.ElemCharVal:
				m = &meaning{op: '~', text: string(e.Values)}
				if e.Sensitive {
					m.op = '"'
				}
			case goabnf.ElemNumVal:
				base := map[byte]int{'x': 16, 'd': 10, 'b': 2}[e.Base[0]|0x20]
				var text []byte
				for _, digits := range e.Elems {
					n, _ := strconv.ParseUint(digits, base, 8)
					text = append(text, byte(n))
				}
				m = &meaning{op: '"', text: string(text)}
				if e.Status == goabnf.StatRange {
					m = &meaning{op: '-', lo: text[0], hi: text[1]}
				}
			}
			seq.sub = append(seq.sub, &meaning{op: '*', sub: []*meaning{m}, min: r.Min, max: r.Max})
		}
		any.sub = append(any.sub, seq)
	}
	return any
}
