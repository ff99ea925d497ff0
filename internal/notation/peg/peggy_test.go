package peg_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// This file checks the model against peggy: random grammars are read by this package, and compiled by peggy of npm. Both answer,
// for each rule and many strings, where the match ends.

// peggyAt returns the folder of the package peggy, which npm installs into a temporary folder if PEGGY, the environment's,
// names none.
func peggyAt(t *testing.T) string {
	t.Helper()
	if at := os.Getenv("PEGGY"); at != "" && !testing.Short() {
		return at
	}
	return installPeggy(t, peg.PeggyVersion)
}

// installPeggy has npm install a version of peggy into a temporary folder, and returns that of the package.
func installPeggy(t *testing.T, version string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs peggy")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not there, which peggy runs in")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not there, which peggy comes from")
	}
	dir := t.TempDir()
	if out, err := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "peggy@"+version).CombinedOutput(); err != nil {
		t.Skipf("npm does not install peggy: %v: %.300s", err, out)
	}
	return filepath.Join(dir, "node_modules", "peggy")
}

// A question is a grammar, and what its rules are to match.
type question struct {
	Text  string   `json:"text"`
	Words []string `json:"words"`
}

// A peggyAnswer is what peggy does: why it refuses a grammar or, for each rule and each word, at which unit the match ends, or -1.
type peggyAnswer struct {
	Refused string           `json:"refused"`
	Ends    map[string][]int `json:"ends"`
}

const peggyMain = `
const peggy = require(process.argv[2]);
if (peggy.VERSION !== process.argv[3]) { console.error("version " + peggy.VERSION); process.exit(1); }
const questions = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answers = questions.map(q => {
  let parser;
  const names = [];
  try {
    parser = peggy.generate(q.text, {allowedStartRules: ["*"], plugins: [{use(c) { c.passes.check.push(ast => { ast.rules.forEach(r => names.push(r.name)); }); }}]});
  } catch (e) {
    return {refused: e.name + ": " + e.message};
  }
  const ends = {};
  for (const name of names) {
    ends[name] = q.words.map(w => {

      const r = parser.parse(w, {startRule: name, peg$library: true});
      return r.peg$result === r.peg$FAILED ? -1 : r.peg$currPos;
    });
  }
  return {ends};
});
process.stdout.write(JSON.stringify(answers));
`

func askPeggy(t *testing.T, at, version string, questions []question) (answers []peggyAnswer) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ask.js")
	must.Do(t, os.WriteFile(file, []byte(peggyMain), 0o666))
	in := must.Of(json.Marshal(questions))(t)
	cmd := exec.Command("node", "--stack-size=4000", file, at, version)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out := must.Of(cmd.Output())(t)
	must.Do(t, json.Unmarshal(out, &answers))
	return answers
}

// offset returns the place in the UTF-8 of w that is the place unit in its UTF-16. Inside a pair it is two bytes into the character.
func offset(w string, unit int) int {
	if unit < 0 {
		return -1
	}
	for i, r := range w {
		n := utf16.RuneLen(r)
		if unit == 0 {
			return i
		}
		if unit < n {
			return i + 2
		}
		unit -= n
	}
	return len(w)
}

// peggyTraps are always compared: what chance seldom finds. The words are over the letters.
var peggyTraps = []struct{ text, over string }{
	{`a = .`, "x😀"},
	{`a = .*`, "x😀"},
	{`a = (!"x" .)*`, "x😀y"},
	{`a = [^x]`, "x😀y"},
	{`a = [^x]u`, "x😀y"},
	{`a = [^x]+ "y"`, "x😀y"},
	{`a = [^x]u+ "y"`, "x😀y"},
	{`a = [^]u`, "x😀"},
	{`a = [^]`, "x😀"},
	{`a = [^]i`, "x😀"},
	{`a = . [^]u`, "x😀"},
	{`a = . [\u{0}-\u{10ffff}]`, "x😀"},
	{`a = . [\ud800-\udfff]u`, "x😀"},
	{`a = "\ud83d\ude00"`, "x😀😁"},
	{`a = "\ud83d" .`, "x😀😁"},
	{`a = [\u0000-\ud83d]`, "x😀𐀀"},
	{`a = [\ud800-\udbff][\udc00-\udfff]`, "x😀𐀀\U0010ffff"},
	{`a = $([\ud800-\udbff] [\udc00-\udfff]) / [\ud800-\udbff] / [\udc00-\udfff]`, "x😀𐀀"},
	{`a = [\ud800-\udbff] . "x"?`, "x😀𐀀"},
	{`a = [\ud800-\udb7f] [\udc00-\udfff]`, "x😀\U000effff\U000f0000"},
	{`a = [^\ud800-\udfff]+`, "x😀é"},
	{`a = ([^\udc00-\udfff] [\udc00-\udfff]?)* "x"`, "x😀é"},
	{`a = ([^\ud800-\udbff])* "x"`, "x😀é"},
	{`a = [x\ud800-\udbff]+ [\udc00-\udfffy]*`, "x😀y"},
	{`a = ([\ud800-\udbff] / "x") ("y" / [\udc00-\udfff])`, "x😀y"},
	{`a = . [\udc00-\udfff]`, "x😀"},
	{`a = .* ; b = [\udc00-\udfff]`, "x😀"},
	{`a = ([\ud800-\udbff] / [\p{Lu}])+ [\udc00-\udfff]`, "X😀"},
	{`a = [^\ud800-\udbff]u [\udc00-\udfff]?`, "x😀"},
	{`a = &[\ud800-\udbff] . . / !([\ud800-\udbff] [\udc00-\udfff]) .`, "x😀"},
	{`a = [\ud800-\udbff]i [\udc00-\udfff]i`, "x😀"},
	{`a = .|2|`, "x😀"},
	{`a = .|2..3|`, "x😀"},
	{`a = "x"|1..2, .|`, "x😀"},
	{`a = "x"|..2, "y"|`, "xy"},
	{`a = "x"|2.., "y"|`, "xy"},
	{`a = "x"|3..2|`, "xy"},
	{`a = ("x"?)|2..3|`, "xy"},
	{`a = ("x"?)|.., "y"|`, "xy"},
	{`a = "x"|0..1, "y"|`, "xy"},
	{`a = "k"i`, "kK\u212a"},
	{`a = "\u212a"i`, "kK\u212a"},
	{`a = [k]i`, "kK\u212a"},
	{`a = [k]iu`, "kK\u212a"},
	{`a = "k"i / "x"i`, "kK\u212ax"},
	{`a = b / "x"i; b = "k"i`, "kK\u212ax"},
	{`a = b / "x"i; b = c; c = "k"i`, "kK\u212ax"},
	{`a = $("k"i / "x"i) / "y"i`, "kK\u212ay"},
	{`a = ("k"i / "x"i) / "y"i`, "kK\u212ay"},
	{`a = "k"i / ("x" / "z") / "y"i`, "kK\u212ayzZ"},
	{`a = "k"i / "k"i`, "kK\u212a"},
	{`a = "ks"i / "x"i / [^x]`, "kKsſ\u212a"},
	{`a = [\u0080-\uffff] / "😀"`, "x😀😁é"},
	{`a = "😀" / [\u0080-\uffff]`, "x😀😁é"},
	{`a = [^x] / "😀"`, "x😀😁é"},
	{`a = "ß"i / "x"i`, "ßẞsx"},
	{`a = "ß"i`, "ßẞsx"},
	{`a = [ß]iu`, "ßẞsx"},
	{`a = "Σ"i`, "σςΣ"},
	{`a = "σ"i / "x"i`, "σςΣx"},
	{`a = "ς"i`, "σςΣ"},
	{`a = [ς]i`, "σςΣ"},
	{`a = [^ς]i`, "σςΣ"},
	{`a = [^ς]iu`, "σςΣ"},
	{`a = "ſ"i / "x"i`, "sSſ"},
	{`a = "i"i`, "iIİı"},
	{`a = [i]i`, "iIİı"},
	{`a = [ı]i`, "iIİı"},
	{`a = [ı]iu`, "iIİı"},
	{`a = [İ]i`, "iIİı"},
	{`a = [ǆ]i`, "ǄǅǆDž"},
	{`a = "ǅ"i`, "Ǆǅǆ"},
	{`a = [µ]i`, "µμΜ"},
	{`a = [ÿ]i`, "ÿŸy"},
	{`a = [ᾀ]i`, "ᾀᾈ"},
	{`a = [ᾀ]iu`, "ᾀᾈ"},
	{`a = [𐐀]i`, "𐐀𐐨"},
	{`a = "𐐀"i`, "𐐀𐐨"},
	{`a = [a-z]i`, "kK\u212aſ"},
	{`a = [\p{L}]`, "kK\u212a1😀"},
	{`a = [\P{L}]`, "kK1😀"},
	{`a = [\p{Lu}]i`, "kK1😀"},
	{`a = [\P{Lu}]i`, "kK1😀"},
	{`a = [^\p{Lu}]i`, "kK1😀"},
	{`a = [^\P{Lu}]i`, "kK1😀"},
	{`a = [\p{Script=Greek}\p{Nd}]`, "kσ1😀"},
	{`a = [\p{Emoji}]`, "1😀"},
	{`a = []`, "x"},
	{`a = []* "x"`, "x"},
	{"a = [^\\\n]", "x"},
	{"a = [\\\nx]", "x"},
	{"a = 'x\\\ny'", "xy"},
	{"a = [x\\\n-y]", "xy-"},
	{`a = [-x]`, "-x"},
	{`a = [x-]`, "-x"},
	{`a = [+--]`, "+,-"},
	{`a = [\]^\\]`, "]^\\"},
	{`a = [\d]`, "d1"},
	{`a = "\d"`, "d1"},
	{`a = "\0"`, "0\x00"},
	{`a = "\x000"`, "0\x00"},
	{`a = "\x00a"i`, "a\x00"},
	{`a = [\x000]`, "0\x00"},
	{`a = [\x000]i`, "0\x00"},
	{`a = [^0-7\x00]u`, "0\x00x"},
	{`a = [\x00] / [0]`, "0\x00"},
	{`a "\x000" = "x"`, "x"},
	{`a = "\x41\u0042\u{43}"`, "ABC"},
	{`a = ""`, "x"},
	{`a = "" / "x"`, "x"},
	{`a = ""i "x"`, "x"},
	{`a = "x"ib; b = "y"`, "xXy"},
	{`a = [x]ib; b = "y"`, "xXy"},
	{`a = b.; b = "y"`, "xy"},
	{`a = @"x" @b "y"; b = .`, "xy"},
	{`a = (@"x") (@l:b "y"); b = .`, "xy"},
	{`a = l:"x" m:"y"? { return l; }`, "xy"},
	{`a = &"x" . / !"y" . .`, "xyz"},
	{`a "A" = "x" ; b 'b' = a`, "xy"},
	{`{{ let a = {}; }} { let b; } a = "x"`, "x"},
	{`{ let b; } a = "x"`, "x"},
	{`import = "x"`, "x"},
	{"a = 'x' // c\nb /* c \n */ = 'y' /* d */ // e\n\n", "xy"},
	{"a = 'x' b = 'y'", "xy"},
	{"a = 'x' /* c\n */ b = 'y'", "xy"},
	{"a = 'x';;;b = 'y'", "xy"},
	{"a\n=\n'x'\n/\n'y'", "xy"},
	{"\ufeffa = 'x'", "x"},
	{`\u0061b$ = "x"`, "x"},
	{`a = "x" a / "y"`, "xy"},
	{`a = a "x" / "y"`, "xy"},
	{`a = "x"? a / "y"`, "xy"},
	{`a = !"x" a / "y"`, "xy"},
	{`a = ("x"?)*`, "xy"},
	{`a = b*; b = "x"?`, "xy"},
	{`a = ("x"?)|1..|`, "xy"},
	{`a = x:"x" x:"y"`, "xy"},
	{`a = x:"x" (x:"y")`, "xy"},
	{`a = (x:"x" / x:"y")`, "xy"},
	{`a = (@"x") { return 1; }`, "xy"},
	{`a = this:"x"`, "xy"},
	{`a = "x"|0|`, "xy"},
	{`a = [z-a]`, "xy"},
	{`a = [a]ii`, "xy"},
	{`a = "\1"`, "xy"},
	{`a = "\u{110000}"`, "xy"},
	{`a = "x`, "xy"},
	{`a = [x`, "xy"},
	{`a = "x" }`, "xy"},
	{`a = { }`, "xy"},
	{`a = `, "xy"},
	{``, "xy"},
	{`a = b`, "xy"},
	{`a = "x"; a = "y"`, "xy"},
}

var jsPlace = regexp.MustCompile(`^t\.peggy:\d+:\d+: `)

func TestPeggyTraps(t *testing.T) {
	longtest.Need(t, "npm installs peggy")
	at := peggyAt(t)
	var questions []question
	for _, c := range peggyTraps {
		m := &jsMaker{theme: []rune(c.over)}
		questions = append(questions, question{c.text, m.words()})
	}
	compared, refused := comparePeggy(t, at, peg.PeggyVersion, questions)
	t.Logf("%d matches compared, %d grammars refused by both", compared, refused)
}

// An older peggy reads every grammar as the model does, unless an assumption names the place where it does not. And it
// does not read all grammars so.
func TestOlderPeggy(t *testing.T) {
	longtest.Need(t, "npm installs peggy")
	at := installPeggy(t, peg.OlderPeggy)
	same := func(text string) bool {
		g, err := peg.Options{}.ReadPeggy("t.peggy", []byte(text))
		return err == nil && !slices.ContainsFunc(peg.Assumptions(g), func(a peg.Assumption) bool {
			return strings.Contains(a.Text, "peggy of version 5")
		})
	}
	var questions, others []question
	add := func(text string, words []string) {
		if same(text) {
			questions = append(questions, question{text, words})
		} else {
			others = append(others, question{text, words})
		}
	}
	for _, c := range peggyTraps {
		m := &jsMaker{theme: []rune(c.over)}
		add(c.text, m.words())
	}
	for i := range *pegs {
		m := &jsMaker{Rand: rand.New(rand.NewPCG(*pegSeed+1, uint64(i)))}
		text := m.grammar()
		add(text, m.words())
	}
	compared, refused := comparePeggy(t, at, peg.OlderPeggy, questions)
	t.Logf("%d grammars, %d refused by both, %d matches compared; %d grammars with what it reads otherwise", len(questions), refused, compared, len(others))
	if compared < 10_000 || len(others) == 0 {
		t.Errorf("too few: %d matches, %d grammars", compared, len(others))
	}
}

// What peggy reads may be refused here for these reasons.
var jsStricter = regexp.MustCompile(`is not supported|compares İ with i|lower case of Σ|Unicode property .* is not known here|a count of more than|may consume nothing`)

// comparePeggy compares what this package and peggy make of grammars, and returns how many matches were compared and how many
// grammars both refuse.
func comparePeggy(t *testing.T, at, version string, questions []question) (compared, refused int) {
	t.Helper()
	asked := slices.Clone(questions)
	for i, q := range questions {
		g, err := peg.Options{}.ReadPeggy("t.peggy", []byte(q.Text))
		if err != nil || slices.ContainsFunc(g.Rules, func(r *expr.Rule) bool { return r.Refused != nil }) {
			asked[i].Words = []string{} // peggy does not look for endless repetitions in repetitions: its parser would not end
		}
	}
	answers := askPeggy(t, at, version, asked)
	failures := 0
	fail := func(format string, args ...any) {
		t.Helper()
		if failures++; failures <= 12 {
			t.Errorf(format, args...)
		}
	}
	for i, q := range questions {
		g, err := peg.Options{}.ReadPeggy("t.peggy", []byte(q.Text))
		a := answers[i]
		if err != nil && !jsPlace.MatchString(err.Error()) {
			fail("refused without a place: %v\n%s", err, q.Text)
		}
		if err == nil && a.Refused != "" && slices.ContainsFunc(g.Rules, func(r *expr.Rule) bool { return r.Refused != nil }) {
			refused++
			continue
		}
		switch {
		case err == nil && a.Refused != "":
			fail("read, and refused by peggy: %.300s\n%q", a.Refused, q.Text)
			continue
		case err != nil && a.Refused != "":
			refused++
			continue
		case err != nil && !jsStricter.MatchString(err.Error()):
			fail("read by peggy, and refused: %v\n%q", err, q.Text)
			continue
		case err != nil:
			continue
		}
		for _, r := range g.Rules {
			if r.Refused != nil {
				continue
			}
			for j, w := range asked[i].Words {
				end, _ := peg.Match(g, expr.To(r.ID), w, 0)
				want := offset(w, a.Ends[r.ID][j])
				compared++
				if end != want {
					fail("%s of %q: peggy ends at %d, the model at %d\n%s", r.ID, w, want, end, q.Text)
				}
			}
		}
	}
	return compared, refused
}

func TestPeggyAgrees(t *testing.T) {
	longtest.Need(t, "peggy compiles random grammars")
	at := peggyAt(t)
	census := map[string]int{}
	var questions []question
	for i := range *pegs {
		m := &jsMaker{Rand: rand.New(rand.NewPCG(*pegSeed, uint64(i)))}
		text := m.grammar()
		questions = append(questions, question{text, m.words()})
		for _, c := range jsConstructs {
			if regexp.MustCompile(c.form).MatchString(text) {
				census[c.name]++
			}
		}
	}
	compared, refused := 0, 0
	for part := range slices.Chunk(questions, 500) {
		c, r := comparePeggy(t, at, peg.PeggyVersion, part)
		compared, refused = compared+c, refused+r
	}
	t.Logf("%d grammars, %d refused by both, %d matches compared", len(questions), refused, compared)
	for _, k := range slices.Sorted(maps.Keys(census)) {
		t.Logf("%6d %s", census[k], k)
	}
	for _, c := range jsConstructs {
		if census[c.name] == 0 {
			t.Errorf("the sample has no %s", c.name)
		}
	}
}

// jsConstructs is what some grammar must have.
var jsConstructs = []named{
	{"literal", `"[^"]+"[^i]`}, {"literal that ignores case", `"[^"]+"i`}, {"class", `\[[^\]^]`}, {"inverted class", `\[\^[^\]]`},
	{"class with i", `\]i`}, {"class with u", `\]i?u`}, {"property", `\\[pP]\{`}, {"any character", `(?m)[ (&!:@]\.`},
	{"and", `&`}, {"not", `!`}, {"text", `\$\(`}, {"pluck", `@`}, {"label", `l[0-9]+:`}, {"counts", `\|\d*\.\.`}, {"exact count", `\|\d+[,|]`},
	{"delimiter", `\|[0-9.]+, `}, {"action", `\{ return`}, {"display name", `"A" =`}, {"option", `\?`}, {"star", `\*`}, {"plus", `\+`},
	{"escape", `\\u\{`}, {"reference", `= .*[bc]`}, {"recursion", `a\)\?`},
}

// A jsMaker makes random grammars in peggy's notation.
type jsMaker struct {
	*rand.Rand
	theme  []rune
	rules  []string
	labels int
}

var jsPool = []rune("aabbkK\u212aKsSſiIİıåÅÅéÉßẞ\u01c4\u01c5\u01c6σςΣzZ0-]^\\\"'`\n\t. \u00ff\u0000\ufffd\uffff𐐀𐐨😀😀😁𐀀\U0010ffff{}|@$")

func (m *jsMaker) one(of ...string) string { return of[m.IntN(len(of))] }
func (m *jsMaker) odds(n int) bool         { return m.IntN(n) == 0 }
func (m *jsMaker) letter() rune            { return m.theme[m.IntN(len(m.theme))] }

func (m *jsMaker) grammar() string {
	for range 2 + m.IntN(3) {
		m.theme = append(m.theme, jsPool[m.IntN(len(jsPool))])
	}
	var b strings.Builder
	if m.odds(10) {
		b.WriteString(m.one("{ let x = 1; }\n", "{{ let y = {}; }}\n", "{ var x; };"))
	}
	for i, name := range []string{"a", "b", "c"} {
		m.rules = []string{"b", "c"}[i:]
		if i == 2 {
			m.rules = nil
		}
		text := m.choice(2)
		switch {
		case name == "a" && m.odds(5):
			text = "(" + text + ") ( \"k\" a)?"
		case m.odds(40):
			text = name + " (" + text + ")"
		}
		fmt.Fprintf(&b, "%s %s= %s%s", name, m.one("", "", `"A" `), text, m.one("\n", "\n", " ;", " // x\n"))
	}
	return b.String()
}

func (m *jsMaker) choice(depth int) string {
	var alts []string
	for range 1 + m.IntN(3) {
		alts = append(alts, m.action(depth))
	}
	return strings.Join(alts, m.one(" / ", "/", "\n  / "))
}

func (m *jsMaker) action(depth int) string {
	var seq []string
	pick := false
	for range 1 + m.IntN(3) {
		e := m.prefixed(depth)
		switch m.IntN(12) {
		case 0:
			e, pick = "@"+e, true
		case 1:
			m.labels++
			e = fmt.Sprintf("l%d:%s", m.labels, e)
		}
		seq = append(seq, e)
	}
	text := strings.Join(seq, " ")
	if m.odds(12) && (!pick || m.odds(6)) && !strings.Contains(text, "@") {
		text += m.one(" { return 1; }", " { return {a: 1}; }")
	}
	return text
}

func (m *jsMaker) prefixed(depth int) string {
	e := m.suffixed(depth)
	switch m.IntN(10) {
	case 0:
		return "!" + e
	case 1:
		return "&" + e
	case 2:
		return "$(" + e + ")"
	}
	return e
}

func (m *jsMaker) suffixed(depth int) string {
	e := m.primary(depth)
	switch m.IntN(12) {
	case 0:
		return e + "?"
	case 1:
		return e + "*"
	case 2:
		return e + "+"
	case 3:
		delim := ""
		if m.odds(2) {
			delim = ", " + m.primary(0)
		}
		counts := m.one("2", "1", "..", "1..", "..2", "0..1", "1..2", "2..3", "0..2", "2..", "3..2")
		return e + "|" + counts + delim + "|"
	}
	return e
}

func (m *jsMaker) primary(depth int) string {
	switch n := m.IntN(12); {
	case n < 4:
		return m.literal()
	case n < 7:
		return m.class()
	case n < 8:
		return "."
	case n < 10 && len(m.rules) > 0:
		return m.rules[m.IntN(len(m.rules))]
	case depth <= 0:
		return m.class()
	}
	return "(" + m.choice(depth-1) + ")"
}

func (m *jsMaker) char(r rune, quote string) string {
	if strings.ContainsRune(quote+"\\\n\r\u2028\u2029", r) || m.odds(6) {
		if r > 0xffff && m.odds(2) {
			hi, lo := utf16.EncodeRune(r)
			return m.one(fmt.Sprintf(`\u%04x\u%04X`, hi, lo), fmt.Sprintf(`\u%04x`, hi), fmt.Sprintf(`\u%04x`, lo))
		}
		if r < 0x100 && m.odds(2) {
			return fmt.Sprintf(`\x%02x`, r)
		}
		return fmt.Sprintf(`\u{%x}`, r)
	}
	return string(r)
}

func (m *jsMaker) literal() string {
	if m.odds(25) {
		return `""` + m.one("", "i")
	}
	var b strings.Builder
	for range 1 + m.IntN(2) {
		b.WriteString(m.char(m.letter(), `"'`))
	}
	quote := m.one(`"`, `"`, `'`)
	return quote + b.String() + quote + m.one("", "", "i")
}

func (m *jsMaker) class() string {
	var b strings.Builder
	for range m.IntN(4) {
		switch n := m.IntN(10); {
		case n < 3:
			lo, hi := m.letter(), m.letter()
			if lo > hi {
				lo, hi = hi, lo
			}
			fmt.Fprintf(&b, `\u{%x}-\u{%x}`, lo, hi)
		case n < 4:
			b.WriteString(m.one(`\p{L}`, `\P{Lu}`, `\p{Ll}`, `\p{Zs}`, `\p{Script=Greek}`, `\p{Uppercase}`))
		case n < 5:
			b.WriteString(m.one(`\u0000-\uffff`, `\ud7ff-\ue000`, `\u0080-\uffff`, `\ud800-\udbff`, `\udc00-\udfff`))
		default:
			b.WriteString(m.char(m.letter(), "]^-"))
		}
	}
	return "[" + m.one("", "", "^") + b.String() + "]" + m.one("", "", "", "i", "u", "iu")
}

// words lists words over the grammar's characters and those that they fold to.
func (m *jsMaker) words() []string {
	var letters []string
	add := func(r rune) {
		if r >= 0 && utf8.ValidRune(r) && !slices.Contains(letters, string(r)) {
			letters = append(letters, string(r))
		}
	}
	for _, r := range m.theme {
		add(r)
	}
	for _, r := range m.theme {
		for _, f := range []rune{unicode.SimpleFold(r), unicode.ToLower(r), unicode.ToUpper(r)} {
			if len(letters) < 7 {
				add(f)
			}
		}
	}
	add('😀')
	add('k')
	words := []string{""}
	for level := words; len(words)*len(letters) < 900; {
		var next []string
		for _, w := range level {
			for _, l := range letters {
				next = append(next, w+l)
			}
		}
		words, level = append(words, next...), next
	}
	return words
}
