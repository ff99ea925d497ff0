package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// A texts is what certcheck is given: a grammar, a PEG and a certificate.
type texts struct{ bnfFile, bnf, pegFile, peg, certificate string }

// verdict runs the checker. The error is that a line is wrong; that not all productions equal their rules is none.
func (x texts) verdict() (out string, err error) {
	out, err = x.asked(request{})
	if strings.HasPrefix(out, "every line is right: ") {
		err = nil
	}
	return out, err
}

func (x texts) asked(ask request) (out string, err error) {
	return check([3]string{x.bnfFile, x.pegFile, "certificate"}, [3]string{x.bnf, x.peg, x.certificate}, ask)
}

// certified returns what a pair from files is checked with.
func certified(t testing.TB, bnfFile, bnf, pegFile, peg string) (texts, *prove.Certificate) {
	t.Helper()
	x, s, err := certify(bnfFile, bnf, pegFile, peg)
	if err != nil {
		t.Fatal(err)
	}
	return x, s
}

func certify(bnfFile, bnf, pegFile, peg string, mapped ...[2]string) (texts, *prove.Certificate, error) {
	o := catalog.FileOptions{Rules: mapped, ActionsSucceed: true}
	pair, err := catalog.Files(bnfFile, []byte(bnf), pegFile, []byte(peg), o)
	if err != nil {
		return texts{}, nil, err
	}
	var b bytes.Buffer
	r := &prove.Report{}
	err = r.Certify(&b, pair, lang.Limits{})
	return texts{bnfFile, bnf, pegFile, peg, b.String()}, r.Certificate, err
}

// published returns what a built-in grammar is checked with.
func published(t testing.TB, name string) (texts, *prove.Certificate) {
	t.Helper()
	pair := must.Of(catalog.PublishedPair(name))(t)
	var b bytes.Buffer
	r := &prove.Report{}
	must.Do(t, r.Certify(&b, pair, lang.Limits{}))
	dir := filepath.Join("..", "..", "grammar")
	return texts{name + ".bnf", file(t, dir, name+".bnf"), name + ".peg", file(t, dir, name+".peg"), b.String()}, r.Certificate
}

func file(t testing.TB, path ...string) string {
	t.Helper()
	text := must.Of(os.ReadFile(filepath.Join(path...)))(t)
	return string(text)
}

// The grammars that are built in, and how many rules they have.
var builtIn = []struct {
	name  string
	rules int
}{{"rfc1630", 85}, {"rfc1738", 67}, {"draft06", 61}, {"rfc3986", 39}}

// Every rule of every built-in grammar has a certificate, and it verifies.
func TestPublished(t *testing.T) {
	for _, g := range builtIn {
		x, s := published(t, g.name)
		out, err := x.verdict()
		want := fmt.Sprintf("verified: %d of %[1]d productions equal the rules of their names\n", g.rules)
		if err != nil || !strings.HasPrefix(out, want) || len(s.Open) > 0 {
			t.Errorf("%s: %v\n%s", g.name, err, out)
		}
	}
}

// So does every certificate of other people's pairs, and it refutes what prove refutes.
func TestZoo(t *testing.T) {
	zoo := os.Getenv("BNFCHECK_ZOO")
	if zoo == "" {
		t.Skip("BNFCHECK_ZOO names no folder with other people's grammars")
	}
	for _, pair := range [][2]string{{"rfc3986.abnf", "c3986.peg"}, {"bcp47.abnf", "c5646.peg"}, {"sip3261.abnf", "jssip.peg"}} {
		x, s := certified(t, pair[0], file(t, zoo, "abnf", pair[0]), pair[1], file(t, zoo, "peg", pair[1]))
		bnf, peg := file(t, zoo, "abnf", pair[0]), file(t, zoo, "peg", pair[1])
		both := must.Of(catalog.Files(pair[0], []byte(bnf), pair[1], []byte(peg), catalog.FileOptions{ActionsSucceed: true}))(t)
		agrees(t, pair[1], x, both, s)
		out, err := x.verdict()
		if n := counted(out); err != nil || n[0] != s.Equal || n[1] != s.Differ || n[2] != strings.Count(out, ", \"\"\n") { // no rule
			t.Errorf("%s: %v\n%.300s", pair[1], err, out)
		}
	}
}

// counted returns how many productions equal their rules in the output, differ and are open.
func counted(out string) (n [3]int) {
	fmt.Sscanf(out[strings.Index(out, ":")+1:], " %d", &n[0])
	n[0] += strings.Count(out, "\nanother rule: ") // whose name differs in case alone
	return [3]int{n[0], strings.Count(out, "\ndiffers: "), strings.Count(out, "\nnot covered: ")}
}

const (
	hostABNF = "host = name / four\nname = label *( \".\" label ) [ \".\" ]\nlabel = ALPHA *( ALPHA / DIGIT / \"-\" )\nfour = 1*3DIGIT 3( \".\" 1*3DIGIT )\nlist = name [ \",\" list ]\nscheme = \"ki\"\n"
	hostPEG  = "host <- four !. / name\nname <- label ( \".\" label )* \".\"?\nlabel <- [a-z]i [a-z0-9-]i*\nfour <- d \".\" d \".\" d \".\" d\nd <- [0-9] ( [0-9] [0-9]? )?\nlist <- name \",\" list / name\nscheme <- [Kk] [Ii]\n"
)

// agrees reports whether a certificate states of each rule what prove decides, and verifies. A rule that it leaves open is not
// compared; their number is returned.
func agrees(t *testing.T, name string, x texts, pair catalog.Pair, r *prove.Certificate) (open int) {
	t.Helper()
	proof, err := prove.Prove(pair, prove.Options{Words: 1})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	stated := map[string]string{}
	for _, line := range statements(x.certificate) {
		words := strings.Fields(line)
		stated[words[1]] = words[0]
	}
	for _, row := range proof.Productions {
		want := map[bool]string{true: "equal", false: "differ"}[row.Equal]
		decided := row.Depth == nil && (row.Equal || row.BNFOnly != nil || row.PEGOnly != nil)
		if decided && stated[row.Production] != "open" && stated[row.Production] != want {
			t.Errorf("%s: prove: %s, the certificate: %s: %s", name, want, stated[row.Production], row.Production)
		}
	}
	if out, err := x.verdict(); err != nil || counted(out)[0] != r.Equal || counted(out)[1] != r.Differ {
		t.Errorf("%s: %v, with %d rules not covered\n%s%s%s", name, err, len(r.Open), x.bnf, x.peg, out)
	}
	return len(r.Open)
}

// A certificate states of every rule what prove decides.
func TestAgreesWithProve(t *testing.T) {
	for _, g := range builtIn {
		pair := must.Of(catalog.PublishedPair(g.name))(t)
		x, r := published(t, g.name)
		agrees(t, g.name, x, pair, r)
	}
	random := rand.New(rand.NewPCG(3, 4))
	open, equal, differ := 0, 0, 0
	for i := range longtest.Size(60, 3000) {
		bnf, peg := randomPair(random)
		pair, err := catalog.Files("a.abnf", []byte(bnf), "a.peg", []byte(peg), catalog.FileOptions{})
		if err != nil {
			continue // left recursion, most often
		}
		x, r := certified(t, "a.abnf", bnf, "a.peg", peg)
		open += agrees(t, fmt.Sprint(i), x, pair, r)
		equal, differ = equal+r.Equal, differ+r.Differ
	}
	t.Logf("random rules: %d equal, %d different, %d not covered", equal, differ, open)
	if equal < 20 || differ < 20 {
		t.Error("too few random rules for a comparison")
	}
}

// What the rules and the languages of a certificate can be wrong about, each in one row.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, bnf, peg string
		want           string
	}{
		{"equal", "a = 1*DIGIT\n", "a <- [0-9]+\n", "verified: 1 of 1 productions equal the rules of their names"},
		{"a prefix hides an alternative", "a = \"x\" / \"xy\"\n", "a <- [xX] / [xX] [yY]\n", "differs: a, on the bytes 5859"},
		{"recursion at the end", "a = \"(\" [ a ]\n", "a <- \"(\" a?\n", "verified: 1 "},
		{"recursion behind a choice", "a = \"(\" a / \"(\"\n", "a <- \"(\" a / \"(\"\n", "verified: 1 "},
		{"recursion within", "a = [ \"(\" a \")\" ]\n", "a <- ( \"(\" a \")\" )?\n", "not covered: a, \"because"},
		{"recursion at the beginning", "a = [ a ] \"1\"\n", "a <- \"1\"+\n", "not covered: a, \"because a can use itself before it has read anything"},
		{"empty rounds", "a = *( *\"1\" )\n", "a <- \"1\"*\n", "not covered: a, \"because a repetition of what can match the empty word"},
		{"an undefined name", "a = b\n", "a <- \"1\"\n", "not covered: a, \"because b is not defined"},
		{"a longer literal is hidden", "a = \"1\" / \"11\"\n", "a <- \"1\" / \"11\"\n", "differs: a, on the bytes 3131"},
		{"the empty word", "a = [ \"1\" ]\n", "a <- \"1\"\n", "differs: a, on the bytes -"},
		{"any character", "a = *%x00-7F\n", "a <- ( ![\\x80-\\U0010FFFF] . )*\n", "verified: 1 "},
		{"an inverted class", "a = %x00-2E / %x30-7F / %xC2-DF %x80-BF\n", "a <- [^/]\n", "differs: a"},
		{"host", hostABNF, hostPEG, "differs: label, on the bytes c4b0"},
	} {
		x, _ := certified(t, "a.abnf", c.bnf, "a.peg", c.peg)
		if out, err := x.verdict(); !strings.Contains(out, c.want) || err != nil {
			t.Errorf("%s: %v\n%s\n%s", c.name, err, out, x.certificate)
		}
	}
}

// mutations lists what can stand in a certificate instead of a line: nothing, the line twice, the line with one word changed.
func mutations(line string) [][]string {
	var all [][]string
	if strings.HasPrefix(line, "assume") {
		return nil // what is assumed is printed
	}
	if !strings.HasPrefix(line, "equal") && !strings.HasPrefix(line, "differ") { // without it less is stated
		all = append(all, nil)
	}
	all = append(all, []string{line, line})
	for _, at := range numbers.FindAllStringIndex(line, -1) {
		n, err := strconv.Atoi(line[at[0]:at[1]])
		if err != nil {
			continue
		}
		for _, m := range []int{n + 1, n - 1, 0, 1, 2, n + 1000000} {
			if m != n && m >= 0 {
				all = append(all, []string{line[:at[0]] + strconv.Itoa(m) + line[at[1]:]})
			}
		}
	}
	for _, s := range [][2]string{
		{" +", " -"}, {" -", " +"}, {"equal", "open"}, {"minus", "union"}, {"union", "minus"}, {"bnf", "peg"}, {"peg", "bnf"}, {"seq", "alt"},
		{"alt", "seq"}, {"star", "not"}, {"not", "star"}, {" is ", " "}, {" ", "  "},
	} {
		if before, after, ok := strings.Cut(line, s[0]); ok {
			all = append(all, []string{before + s[1] + after})
		}
	}
	return all
}

var numbers = regexp.MustCompile(`[0-9a-f]+`)

// Every mutation of a certificate is refused: of a small one all of them are tried in the long tests, otherwise a sample.
func TestMutations(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	small, _ := certified(t, "a.abnf", hostABNF, "a.peg", hostPEG)
	sample := map[string]texts{"host": small}
	for _, name := range []string{"rfc1630", "rfc1738", "rfc3986"} {
		sample[name], _ = published(t, name)
	}
	for name, x := range sample {
		lines := strings.Split(strings.TrimSuffix(x.certificate, "\n"), "\n")
		lines = lines[:len(lines)-1]
		tried := 0
		try := func(i int, instead []string) {
			tried++
			text := slices.Concat(lines[:i], instead, lines[i+1:])
			x.certificate = fmt.Sprintf("%s\nend %d\n", strings.Join(text, "\n"), len(text))
			if out, err := x.verdict(); err == nil && counted(out)[2] == 0 {
				t.Errorf("%s: accepted: %q instead of %q", name, instead, lines[i])
			}
		}
		if name == "host" && longtest.Enabled() {
			for i, line := range lines {
				for _, m := range mutations(line) {
					try(i, m)
				}
			}
		}
		for range longtest.Size(map[string]int{"host": 200}[name]+3, 300) {
			i := random.IntN(len(lines))
			if all := mutations(lines[i]); len(all) > 0 {
				try(i, all[random.IntN(len(all))])
			}
		}
		t.Logf("%s: %d mutations of a certificate of %d lines", name, tried, len(lines))
	}
}

// A mutated grammar is refused under the old certificate, unless a certificate of its own states the same. The proven checker refuses the
// same ones.
func TestMutatedGrammars(t *testing.T) {
	judge := proven(t)
	x, _ := certified(t, "a.abnf", hostABNF, "a.peg", hostPEG)
	old, number := x.certificate, 0
	for side, which := range map[string]*string{"BNF": &x.bnf, "PEG": &x.peg} {
		original, tried, same := *which, 0, 0
		for i := range original {
			for _, c := range []string{"", "?", "*", "/", " ", "a", "1", "(", ")", "!", `"`, "-", "]", "\xff"} {
				*which = original[:i] + c + original[i+1:]
				if number++; *which == original || number%longtest.Size(20, 1) != 0 {
					continue
				}
				tried++
				_, err := x.verdict()
				if judge != "" {
					if _, refused := ask(t, judge, x); (refused == nil) != (err == nil) {
						t.Errorf("certcheck: %v, the proven checker: %v\n%s%s", err, refused, x.bnf, x.peg)
					}
				}
				if err != nil {
					continue
				}
				same++
				now, _, err := certify(x.bnfFile, x.bnf, x.pegFile, x.peg)
				if err != nil {
					continue // the reader of bnfcheck is the stricter one
				}
				if !slices.Equal(statements(now.certificate), statements(old)) {
					t.Errorf("%q is accepted under an old certificate", *which)
				}
			}
		}
		*which = original
		t.Logf("%s: %d mutations, %d accepted that state the same", side, tried, same)
	}
}

// statements returns what a certificate states of each production, without the languages.
func statements(certificate string) (list []string) {
	for line := range strings.Lines(certificate) {
		if words := strings.Fields(line); len(words) > 2 && slices.Contains([]string{"equal", "differ", "open"}, words[0]) {
			list = append(list, strings.Join(words[:3], " "))
		}
	}
	return list
}

// No text makes the checker panic, and none is verified of rules that an interpreter of the grammar and one of the PEG tell apart.
func FuzzCheck(f *testing.F) {
	x, _, err := certify("a.abnf", "a = 1*DIGIT [ a ]\n", "a.peg", "a <- [0-9]+ { return 1, nil }\n")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(x.bnf, x.peg, x.certificate)
	f.Add("@ notation rfc1630\n\nab   c | d [ ab ]\n", "a <- \"x\"i / .\n", "bnfcheck certificate 1\nend 1\n")
	f.Add("@ notation rfc822\na = 1*[ b | <\"> ]\n", "a <- &{ x }", "")
	f.Fuzz(func(t *testing.T, bnf, peg, certificate string) {
		out, err := texts{"a.abnf", bnf, "a.peg", peg, certificate}.verdict()
		if err != nil {
			if out != "" || err.Error() == "" {
				t.Errorf("an error (%v), and %q", err, out)
			}
			return
		}
		pair, err := catalog.Files("a.abnf", []byte(bnf), "a.peg", []byte(peg), catalog.FileOptions{ActionsSucceed: true})
		if err != nil {
			return // certcheck need not refuse what the readers of bnfcheck do
		}
		for line := range strings.Lines(certificate) {
			if words := strings.Fields(line); len(words) > 1 && words[0] == "equal" {
				if w, parts := parting(pair, words[1]); parts {
					t.Errorf("%s is verified, and parts on %q\n%s\n%s\n%s", words[1], w, bnf, peg, certificate)
				}
			}
		}
	})
}

// parting returns a short string that only one of a production and its rule has, as an interpreter of the grammar and one of the PEG
// find.
func parting(pair catalog.Pair, id string) (string, bool) {
	if pair.BNF.Rule(id) == nil || pair.PEG.Rule(id) == nil {
		return "", false // something else has this name
	}
	words := slices.Clone(fuzztest.Words[:40]) // of up to three letters
	for b := range 256 {
		words = append(words, string([]byte{byte(b)}))
	}
	for _, w := range words {
		if end, _ := peg.Match(pair.PEG, expr.To(id), w, 0); pegtest.Derives(pair.BNF, id, w) != (end == len(w)) {
			return w, true
		}
	}
	return "", false
}

// A certificate of a pair verifies, and states of each rule what an interpreter of the grammar and one of the PEG find on short strings.
func FuzzCertify(f *testing.F) {
	f.Add([]byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, data, changes []byte) {
		g := fuzztest.New(data)
		x, summary, err := certify("g.abnf", g.ABNF(), "g.peg", g.PEG(changes))
		if err != nil {
			t.Fatalf("%v\n%s%s", err, g.ABNF(), g.PEG(changes))
		}
		if len(x.certificate) > 256<<10 {
			return // which takes its time
		}
		out, err := x.verdict()
		if err != nil || counted(out) != [3]int{summary.Equal, summary.Differ, len(summary.Open)} {
			t.Fatalf("%d rules are open: %v\n%s\n%s%s", len(summary.Open), err, out, g.ABNF(), g.PEG(changes))
		}
		pair, err := catalog.Files("g.abnf", []byte(g.ABNF()), "g.peg", []byte(g.PEG(changes)), catalog.FileOptions{ActionsSucceed: true})
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(x.certificate) {
			switch words := strings.Fields(line); {
			case words[0] == "equal":
				if w, parts := parting(pair, words[1]); parts {
					t.Fatalf("%s is certified, and parts on %q\n%s%s", words[1], w, g.ABNF(), g.PEG(changes))
				}
			case words[0] == "differ" && !strings.Contains(out, "differs: "+words[1]+", "):
				t.Fatalf("%s differs, and it is not reported: %s\n%s%s", words[1], out, g.ABNF(), g.PEG(changes))
			}
		}
	})
}

// What prove counts as stated by a certificate certcheck takes: of any grammar that is read, however it is written. The texts are
// small pairs of a grammar and a PEG with each byte replaced by or followed by each of some signs, and each line left out or
// written twice; every day one in eleven of them.
func TestCountedIsTaken(t *testing.T) {
	every := 11
	if longtest.Enabled() {
		every = 1
	}
	made, tried, counts := 0, 0, 0
	for _, base := range []struct{ abnf, peg string }{
		{"x =/ \"a\"\n", "x <- [aA]\n"},
		{"x = \"a\"\nx =/ \"b\"\n", "x <- [aA] / [bB]\n"},
		{"x = \"ab\"\nx =/ 2(\"c\" / \"d\")\nx =/ \"ef\"\n", "x <- [aA][bB] / ( [cC] / [dD] ) ( [cC] / [dD] ) / 'ef'i\n"},
		{"x = {2}\"a\"\n", "x \"name\" <- v:( &. !'b' \"A\"i w:[\\u0061]i ) { return v, nil } // c\n"},
		{"x = 1*2%x61-7a [y] ; c\ny = %d13.10 / <z>\nz = %s\"a\"\n", "x <- [a-z] [a-z]? y?\ny <- \"\\r\\n\" / z\nz <- \"a\"\n"},
	} {
		for abnf, peg := range respelled(base.abnf, base.peg) {
			if made++; made%every != 0 && made > 20 { // the first are the lines
				continue
			}
			x, s, err := certify("g.abnf", abnf, "g.peg", peg)
			if tried++; err != nil || s.Unread != "" {
				continue
			}
			out, err := x.asked(request{allowOpen: true})
			if err == nil || strings.HasPrefix(out, "every line is right: ") {
				if n := counted(out); n[0] != s.Equal || n[1] != s.Differ {
					t.Errorf("counted otherwise: %d equal and %d different\n%s\n%q\n%q", s.Equal, s.Differ, out, abnf, peg)
				}
			}
			if !strings.HasPrefix(out, "verified: ") && !strings.HasPrefix(out, "every line is right: ") {
				if s.Equal+s.Differ > 0 {
					t.Errorf("counted, and not taken: %v\n%q\n%q", err, abnf, peg)
				}
				continue
			}
			counts++
		}
	}
	t.Logf("%d of %d are counted and taken", counts, tried)
	if counts < 300 {
		t.Errorf("only %d are counted", counts)
	}
}

// respelled yields texts that are a little other than two.
func respelled(abnf, peg string) func(yield func(abnf, peg string) bool) {
	signs := strings.Split("a|_|-|.|1|0|*|#|/|\\||=|:|=/|::=|(|)|[|]|<|>|{|}|\"|'|`|;|//|,|%|%x80|%x100|%i|%s|$|@|\\|~|&|!|?|+|\n|\r| |\t|\n\n|\n |\u00e9|\ufeff|\x00|\f|x =|X =/|<X>|<y>|RFC", "|")
	edits := func(s string) (list []string) {
		lines := strings.SplitAfter(s, "\n")
		for i := range lines {
			list = append(list, strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""), strings.Join(slices.Insert(slices.Clone(lines), i, lines[i]), ""))
		}
		list = append(list, s, strings.ReplaceAll(s, "\n", "\r\n"), strings.ToUpper(s), " "+strings.ReplaceAll(s, "\n", "\n "))
		for i := 0; i <= len(s); i++ {
			for _, sign := range signs {
				list = append(list, s[:i]+sign+s[i:])
				if i < len(s) {
					list = append(list, s[:i]+sign+s[i+1:])
				}
			}
		}
		return list
	}
	return func(yield func(abnf, peg string) bool) {
		for _, s := range edits(abnf) {
			if !yield(s, peg) {
				return
			}
		}
		for _, s := range edits(peg) {
			if !yield(abnf, s) {
				return
			}
		}
	}
}

// A file is read whole or not at all; one without an end is refused.
func TestFileSize(t *testing.T) {
	name := filepath.Join(t.TempDir(), "c")
	must.Do(t, os.WriteFile(name, []byte("12345"), 0o666))
	if text, err := readFile(name, 5); text != "12345" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	want := name + ": more than 4 bytes, the most that is read"
	if text, err := readFile(name, 4); text != "" || err == nil || err.Error() != want {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := readFile("/dev/zero", 1000); err == nil {
		t.Error("/dev/zero is read")
	}
}
