package grammartest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

const file = "testdata/version.abnf"

// A recorder is a test of which the failures are kept.
type recorder struct {
	testing.TB
	name   string
	errors []string
	logs   []string
	fatal  bool
}

func (r *recorder) Helper()                   {}
func (r *recorder) Name() string              { return r.name }
func (r *recorder) Error(args ...any)         { r.errors = append(r.errors, fmt.Sprint(args...)) }
func (r *recorder) Logf(f string, a ...any)   { r.logs = append(r.logs, fmt.Sprintf(f, a...)) }
func (r *recorder) Errorf(f string, a ...any) { r.errors = append(r.errors, fmt.Sprintf(f, a...)) }
func (r *recorder) Fatalf(f string, a ...any) {
	r.Errorf(f, a...)
	r.fatal = true
	runtime.Goexit()
}

// record returns what f does to a test.
func record(t *testing.T, f func(t testing.TB)) *recorder {
	r := &recorder{TB: t, name: t.Name()}
	done := make(chan bool)
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r
}

// want holds what was said against regular expressions, one for each failure.
func (r *recorder) want(t *testing.T, fatal bool, patterns ...string) {
	t.Helper()
	if r.fatal != fatal || len(r.errors) != len(patterns) {
		t.Fatalf("fatal %v, %d failures: %q", r.fatal, len(r.errors), r.errors)
	}
	for i, p := range patterns {
		if !regexp.MustCompile(p).MatchString(r.errors[i]) {
			t.Errorf("failure %d is %q, want %s", i, r.errors[i], p)
		}
	}
}

var right = regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$`)

func TestLoad(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.abnf")
	must.Do(t, os.WriteFile(broken, []byte("a = \"x\nb = c\n"), 0o666))
	for _, test := range []struct {
		grammar string
		opts    []Option
		want    string // of the failure; "" if there is none
	}{
		{file + "#version", nil, ""},
		{"testdata/version.peg", nil, ""},
		{"rfc3986#URI-reference", nil, ""},
		{file, nil, "version.abnf.*version.*list"},
		{file + "#versions", nil, "version.abnf.*versions"},
		{"testdata/none.abnf", nil, "none.abnf"},
		{broken, nil, `broken.abnf:1`},
		{file + "#version", []Option{Define("number", "1*DIGIT")}, "number"},
		{file + "#version", []Option{Import("nowhere")}, "nowhere"},
		{file + "#version", []Option{Kind("c++")}, "c\\+\\+"},
	} {
		r := record(t, func(t testing.TB) { Load(t, test.grammar, test.opts...) })
		if test.want == "" {
			r.want(t, false)
		} else {
			r.want(t, true, test.want)
		}
	}
}

func TestAcceptsReasonTree(t *testing.T) {
	g := Load(t, file+"#version")
	for s, want := range map[string]string{
		"1.20.3": "", "0.0.0-rc.1": "",
		"1.02.3": `version: offset 3: unexpected "2" in version; expected "." \(.*version.abnf:2\)`,
		"1.2":    `version: offset 3: unexpected end of input`,
	} {
		err := g.Reason(s)
		if g.Accepts(s) != (want == "") || (err == nil) != (want == "") {
			t.Errorf("%q: accepted %v, %v", s, g.Accepts(s), err)
		}
		tree, failed := g.Tree(s)
		if want == "" {
			if failed != nil || tree.Root().Text() != s {
				t.Errorf("%q: no tree: %v", s, failed)
			}
			continue
		}
		if _, ok := errors.AsType[*ast.SyntaxError](err); !ok || failed == nil || failed.Error() != err.Error() {
			t.Errorf("%q: %v, and for the tree %v", s, err, failed)
		}
		if !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("%q: %q, want %s", s, err, want)
		}
	}
}

func TestConform(t *testing.T) {
	match := func(pattern string) func(string) bool { return regexp.MustCompile(pattern).MatchString }
	for _, test := range []struct {
		name    string
		grammar string
		accepts func(s string) bool
		opts    []Option
		want    []string
	}{
		{"right", file + "#version", right.MatchString, []Option{States(0)}, nil},
		{"complete", file + "#version", right.MatchString, []Option{States(1)}, nil},
		{"PEG", "testdata/version.peg", right.MatchString, nil, nil},
		{"leading zeros", file + "#version", match(`^\d+\.\d+\.\d+(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$`), nil,
			[]string{`accepts/version/\[0-9\]: "00\.0\.0"\n\d+ strings: in version: takes`, `accepts/version/\[0-9\]#2: "0\.0\.00"\n`}},
		{"sign", file + "#version", match(`^([-+]?0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$`), nil,
			[]string{`accepts/number/"-": "-0\.0\.0"\n`, `accepts/number/\[\^\\-\.0-9A-Za-z\]: "\+0\.0\.0"\n`}},
		{"no label", file + "#version", match(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`), nil,
			[]string{`rejects/version/[^ ]*: "0\.0\.0-.*"\n\d+ strings: in version: refuses`}},
		{"PEG, no label", "testdata/version.peg", match(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`), nil,
			[]string{`rejects/version/[^ ]*: "0\.0\.0-.*"\n`}},
		{"panic", file + "#version", func(s string) bool { return s[0] != 'x' && right.MatchString(s) }, nil,
			[]string{`^accepts\(""\): panic: runtime error: index out of range`}},
		{"endless", file + "#version", func(s string) bool {
			if s == "0.0.0" {
				time.Sleep(time.Minute)
			}
			return right.MatchString(s)
		}, []Option{Timeout(time.Second)}, []string{`the function: gave up: time-out on "0\.0\.0": no answer in 1s`}},
		{"exit", file + "#version", func(s string) bool {
			if s == "0.0.0" {
				runtime.Goexit()
			}
			return right.MatchString(s)
		}, nil, []string{`^accepts\("0.0.0"\): the goroutine was ended`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := Load(t, test.grammar)
			record(t, func(t testing.TB) { g.Conform(t, test.accepts, test.opts...) }).want(t, false, test.want...)
		})
	}
}

// A complete suite that is too large is refused, and so is a depth to which nothing is derived.
func TestConformRefuses(t *testing.T) {
	nested := func(s string) bool {
		depth := 0
		for i, r := range s {
			switch {
			case r == '(':
				depth++
			case r == ')':
				depth--
			default:
				return false
			}
			if depth < 0 || depth == 0 && i < len(s)-1 {
				return false
			}
		}
		return s != "" && depth == 0
	}
	for _, test := range []struct {
		opts []Option
		do   []Option
		want []string
	}{
		{nil, nil, nil},
		{[]Option{Nesting(2)}, nil, nil},
		{[]Option{Nesting(2)}, []Option{States(20)}, []string{`States\(20\): a complete suite has \d+ strings, more than 1000000`}},
	} {
		g := Load(t, file+"#list", test.opts...)
		record(t, func(t testing.TB) { g.Conform(t, nested, test.do...) }).want(t, test.want != nil, test.want...)
	}
}

// Whatever the grammar, its depth and the limits, Conform ends without a panic. What it could not
// decide is a reason that names an option, and never silence.
func TestConformUndecided(t *testing.T) {
	const ambiguous = "list = \"(\" *expr \")\"\nexpr = 1*\"a\" / list\n"
	for _, test := range []struct {
		name, grammar string
		opts          []Option
		fatal         string // of the failure; "" if there is none, and nothing is undecided
	}{
		{"ambiguous, depth 1", ambiguous, []Option{Nesting(1)}, ""},
		{"ambiguous, depth 3", ambiguous, []Option{Nesting(3)}, ""},
		{"ambiguous, no depth", ambiguous, nil, ""},
		{"no steps at all", ambiguous, []Option{LimitSteps(1)}, `too large.*the option LimitSteps raises the limit`},
		{"no memory", ambiguous, []Option{LimitMemory(0), LimitStates(3)}, `too large.*the option LimitStates raises the limit`},
		{"nothing so shallow", "top = a b\na = \"(\" b \")\" / \"x\"\nb = \"[\" a \"]\"\n", []Option{Nesting(0)},
			`s.abnf:1:.*top derives no string that nests no deeper than 0: its least depth is 1`},
		{"the least depth", "top = a b\na = \"(\" b \")\" / \"x\"\nb = \"[\" a \"]\"\n", nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			t.Setenv("XDG_CACHE_HOME", "")
			file := filepath.Join(t.TempDir(), "s.abnf")
			must.Do(t, os.WriteFile(file, []byte(test.grammar), 0o666))
			r := record(t, func(t testing.TB) {
				judge := Load(t, file)
				Load(t, file, test.opts...).Conform(t, judge.Accepts)
			})
			if test.fatal != "" {
				r.want(t, true, test.fatal)
				return
			}
			if r.want(t, false); len(r.logs) > 0 {
				t.Errorf("undecided: %q", r.logs)
			}
		})
	}
	// From too few steps to enough, what is missing is first the automaton, then answers of the
	// grammar, then nothing.
	const fatal, strings, nothing = "fatal", "strings", "nothing"
	seen := map[string]int{}
	file := filepath.Join(t.TempDir(), "s.abnf")
	must.Do(t, os.WriteFile(file, []byte(ambiguous), 0o666))
	accepts := Load(t, file).Accepts
	for steps := int64(1 << 12); steps < 1<<24; steps += steps / 4 {
		r := record(t, func(t testing.TB) { Load(t, file, Nesting(1), LimitSteps(steps)).Conform(t, accepts) })
		switch text := fmt.Sprint(r.errors, r.logs); {
		case r.fatal && len(r.errors) == 1 && regexp.MustCompile(`too large.*the option Limit(Steps|Memory) raises the limit`).MatchString(text):
			seen[fatal]++
		case len(r.errors) > 0:
			t.Errorf("%d steps: %s", steps, text)
		case regexp.MustCompile(`undecided/strings: .* did not decide \d+ of \d+ strings, the first of them .*the option LimitSteps raises`).MatchString(text):
			seen[strings]++
		case len(r.logs) == 0:
			seen[nothing]++
		}
	}
	if seen[fatal] == 0 || seen[strings] == 0 || seen[nothing] == 0 {
		t.Errorf("of the three ways to end there were %v", seen)
	}
}

// An option that has no effect where it is given is a mistake, and no silence.
func TestMisplacedOptions(t *testing.T) {
	g := Load(t, file+"#list")
	for _, o := range []Option{Import("rfc3986"), Define("x", "y"), Kind("abnf"), Nesting(1), LimitSteps(1), LimitMemory(1),
		LimitStates(1), AssumeActionsSucceed()} {
		record(t, func(t testing.TB) { g.Conform(t, g.Accepts, o) }).want(t, true, "the others are of Load")
	}
	parts := func(string) map[string]string { return nil }
	for _, o := range []Option{States(1), Bases("x"), Components(parts, "x"), Timeout(time.Second)} {
		record(t, func(t testing.TB) { Load(t, file+"#list", o) }).want(t, true, "are options of Conform, and not of Load")
	}
}

// Where every byte after every beginning is too much to ask about, the strings that kill mutants are asked about.
func TestConformWithoutSweep(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.abnf")
	must.Do(t, os.WriteFile(file, []byte("s = 100\"a\"\n"), 0o600))
	for n, want := range map[int][]string{100: nil, 99: {`aaa`, `aaa`}} {
		r := record(t, func(t testing.TB) {
			Load(t, file, LimitSteps(1_000_000)).Conform(t, func(s string) bool { return strings.ToLower(s) == strings.Repeat("a", n) })
		})
		r.want(t, false, want...)
	}
}

// Strings near a long base that are not asked about are a reason too.
func TestConformCutsBases(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.abnf")
	must.Do(t, os.WriteFile(file, []byte("s = *%x61-7A\n"), 0o666))
	letters := func(s string) bool {
		for _, c := range []byte(s) {
			if c < 'a' || 'z' < c {
				return false
			}
		}
		return true
	}
	for _, test := range []struct {
		length int
		want   string
	}{
		{100, ""},
		{1 << 17, `undecided/left-out: only the first \d+ strings one edit away from the given strings were asked about`},
	} {
		base := strings.Repeat("a", test.length)
		r := record(t, func(t testing.TB) { Load(t, file).Conform(t, letters, Bases(base)) })
		r.want(t, false)
		if said := strings.Join(r.logs, "\n"); !regexp.MustCompile(`^` + test.want + `$`).MatchString(said) {
			t.Errorf("a base of %d bytes: %q", test.length, said)
		}
	}
}

func TestComponents(t *testing.T) {
	parts := func(first string) func(s string) map[string]string {
		return func(s string) map[string]string {
			m := map[string]string{}
			if _, label, ok := strings.Cut(s, "-"); ok {
				m["label"] = first + label
			}
			return m
		}
	}
	g := Load(t, file+"#version")
	record(t, func(t testing.TB) { g.Conform(t, right.MatchString, Components(parts(""), "label")) }).want(t, false)
	record(t, func(t testing.TB) { g.Conform(t, right.MatchString, Components(parts("-"), "label")) }).want(t, false,
		`component/label/it_stands_elsewhere:_\[A-Za-z\]: "0\.0\.0-a"\n(.*\n)*the grammar sees "a", the function "-a"`,
		`component/label/it_stands_elsewhere:_"0"`, `component/label/it_stands_elsewhere:_\[1-9\]`)
	record(t, func(t testing.TB) { g.Conform(t, right.MatchString, Components(parts(""), "tag")) }).want(t, true, "tag")
}

// Known differences are no failures; new ones are, and those that are gone.
func TestKnown(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("v.abnf", []byte("v = number \".\" number\nnumber = 1*DIGIT\n"), 0o666))
	slash := regexp.MustCompile(`^\d+[./]\d+$`).MatchString
	both := regexp.MustCompile(`^\d+[./]\d*$`).MatchString
	conform := func(f func(string) bool) *recorder {
		g := Load(t, "v.abnf")
		return record(t, func(t testing.TB) { g.Conform(t, f) })
	}
	conform(slash).want(t, false, `accepts/number/`)
	t.Setenv(update, "1")
	conform(slash).want(t, false)
	t.Setenv(update, "")
	conform(slash).want(t, false)

	text, err := os.ReadFile("testdata/TestKnown.known")
	if err != nil || !strings.Contains(string(text), "\t"+unexplained+"\n") {
		t.Fatalf("%s, %v", text, err)
	}
	explained := strings.Replace(string(text), unexplained, "written as a fraction", 1)
	must.Do(t, os.WriteFile("testdata/TestKnown.known", []byte(explained), 0o666))
	conform(both).want(t, false, `accepts/number/end_of_input`)
	conform(regexp.MustCompile(`^\d+\.\d+$`).MatchString).want(t, false, `TestKnown.known: accepts/number/\[\^\.0-9\] is known and no longer differs`)
	t.Setenv(update, "1")
	conform(both).want(t, false)
	if text, err := os.ReadFile("testdata/TestKnown.known"); err != nil || !strings.Contains(string(text), "fraction") || !strings.Contains(string(text), unexplained) {
		t.Errorf("%s, %v", text, err)
	}
	conform(regexp.MustCompile(`^\d+\.\d+$`).MatchString).want(t, false)
	if _, err := os.Stat("testdata/TestKnown.known"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	t.Setenv(update, "")
	for _, text := range []string{"a group", "a\t\"\"\tr\na\t\"\"\tr"} {
		must.Do(t, os.WriteFile("testdata/TestKnown.known", []byte(text), 0o666))
		conform(slash).want(t, true, `TestKnown.known:[12]: `)
	}
}

func TestEqualContains(t *testing.T) {
	g, peg := Load(t, file+"#version"), Load(t, "testdata/version.peg")
	number := Load(t, file+"#number")
	more := Load(t, file+"#label")
	nests := Load(t, file+"#list")
	for _, test := range []struct {
		a, b  *Grammar
		equal bool
		holds bool // a contains b
	}{
		{g, g, true, true}, {g, peg, true, true}, {more, number, false, true}, {number, more, false, false},
	} {
		equal := record(t, func(t testing.TB) { test.a.Equal(t, test.b) })
		contains := record(t, func(t testing.TB) { test.a.Contains(t, test.b) })
		if (len(equal.errors) == 0) != test.equal || (len(contains.errors) == 0) != test.holds {
			t.Errorf("%s and %s: %q, %q", test.a.name, test.b.name, equal.errors, contains.errors)
		}
		for _, text := range slices.Concat(equal.errors, contains.errors) {
			if !strings.Contains(text, "What sets them apart") || strings.Count(text, "\n") > screen {
				t.Errorf("%s and %s: %s", test.a.name, test.b.name, text)
			}
		}
	}
	record(t, func(t testing.TB) { g.Equal(t, nests) }).want(t, true, `list .* nests.*Nesting\(3\)`)
}

func TestEqualRegexp(t *testing.T) {
	g := Load(t, file+"#version")
	for _, test := range []struct {
		pattern string
		want    []string
	}{
		{right.String(), nil},
		{`\A(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[[:alnum:]]+(?:\.[[:alnum:]]+)*)?\z`, nil},
		{`^\d+\.\d+\.\d+$`, []string{`matches "00\.0\.0", which the grammar does not derive:\n(?s).*offset 1.*does not match "0\.0\.0-.", which testdata/version.abnf#version derives$`}},
		{strings.TrimSuffix(right.String(), "$"), []string{`^the expression matches "0\.0\.0."`}},
	} {
		record(t, func(t testing.TB) { g.EqualRegexp(t, regexp.MustCompile(test.pattern)) }).want(t, false, test.want...)
	}
	record(t, func(t testing.TB) { g.EqualRegexp(t, regexp.MustCompile(`^([01]*1[01]{24})+$`)) }).want(t, true, "too large")
	record(t, func(t testing.TB) { Load(t, file+"#list").EqualRegexp(t, right) }).want(t, true, `list .* nests.*Nesting\(3\)`)
}

func TestWords(t *testing.T) {
	g := Load(t, file+"#version")
	var first []string
	accepted := 0
	for w, ok := range g.Words(2000, 7) {
		if ok != right.MatchString(w) {
			t.Errorf("%q: %v", w, ok)
		}
		if ok {
			accepted++
		}
		first = append(first, w)
	}
	if len(first) != 2000 || accepted < 500 || accepted > 1900 {
		t.Errorf("%d words, %d accepted", len(first), accepted)
	}
	again := 0
	for w := range g.Words(2000, 7) {
		if w != first[again] {
			t.Fatalf("word %d is %q, and was %q", again, w, first[again])
		}
		if again++; again == 10 {
			break
		}
	}
	record(t, func(t testing.TB) {
		for range Load(t, file+"#list").Words(1, 1) {
			t.Error("a word")
		}
	}).want(t, false, `list .* nests.*Nesting\(3\)`)
}

func FuzzSeed(f *testing.F) {
	Load(f, file+"#version").Seed(f, 20)
	f.Fuzz(func(t *testing.T, s string) {
		if g := Load(t, file+"#version"); g.Accepts(s) != right.MatchString(s) {
			t.Errorf("%q: %v", s, g.Accepts(s))
		}
	})
}

// A suite that is kept is used, and holds what it would if it were made; suiteFormat changes with that.
func TestSuiteFormat(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	g := Load(t, file+"#version")
	s, _, err := g.subject(g.fresh(), nil)
	if err != nil {
		t.Fatal(err)
	}
	making, again := &conform.Making{}, &conform.Making{}
	made := must.Of(cachedStrings(s, making))(t)
	kept, err := cachedStrings(s, again)
	if err != nil || !slices.Equal(made, kept) || !reflect.DeepEqual(making.Mutants, again.Mutants) {
		t.Errorf("kept: %d strings, %+v, %v; made: %d, %+v", len(kept), again.Mutants, err, len(made), making.Mutants)
	}
	const want = "5 82a0e6ae" // suiteFormat and the sum of the strings: where this fails, raise suiteFormat
	if got := fmt.Sprintf("%d %.8s", suiteFormat, fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(made, "\n"))))); got != want {
		t.Errorf("suite %s, want %s", got, want)
	}
}

// The tests of a module outside of this one, of which two fail, print what
// examples/tests/output.txt has.
func TestOutside(t *testing.T) {
	c := exec.Command("go", "test", "./...")
	c.Dir = "../examples/tests"
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	said, err := c.CombinedOutput()
	if err == nil {
		t.Error("all passed")
	}
	times := regexp.MustCompile(`\d+\.\d+s`)
	goldentest.Whole(t, "../examples/tests/output.txt", times.ReplaceAllString(string(said), "0.0s"))
}

// TestNothing: a grammar or an expression without any string passes no test, whatever is on the
// other side.
func TestNothing(t *testing.T) {
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		return file
	}
	one := Load(t, write("one.abnf", "s = %x78\n"))
	never := func(string) bool { return false }
	for _, c := range []struct{ name, text, why string }{
		{"none.abnf", "s = %x61 s\n", "none.abnf:1:10: `s` derives no string"},
		{"none.peg", "s <- !'a' 'a'\n", "none.peg:1:11: `s` matches no string"},
		{"nests.abnf", "s = \"(\" s \")\" / \"[\" s\n", "nests.abnf:1:9: `s` derives no string"},
	} {
		file := write(c.name, c.text)
		g := Load(t, file)
		record(t, func(t testing.TB) { g.Equal(t, Load(t, file)) }).want(t, true, c.why)
		record(t, func(t testing.TB) { one.Contains(t, g) }).want(t, true, c.why)
		record(t, func(t testing.TB) { g.Contains(t, one) }).want(t, true, c.why)
		record(t, func(t testing.TB) { g.EqualRegexp(t, regexp.MustCompile(`$a`)) }).want(t, true, c.why+"|nests")
		record(t, func(t testing.TB) { g.Conform(t, never) }).want(t, true, c.why)
	}
	record(t, func(t testing.TB) { one.EqualRegexp(t, regexp.MustCompile(`x$a`)) }).want(t, true,
		"offset 2: the expression matches no string: nothing matches from `a` on")
}
