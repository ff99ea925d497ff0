package pegtogo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A mutation breaks one place of a generated parser. Pattern finds the places; change gives another text for one.
type mutation struct {
	name    string
	pattern *regexp.Regexp
	change  func(rng *rand.Rand, old string, all []string) string
}

// other takes the text of another place of the same kind.
func other(rng *rand.Rand, old string, all []string) string {
	for range 100 {
		if s := all[rng.IntN(len(all))]; s != old {
			return s
		}
	}
	return old
}

func constant(s string) func(*rand.Rand, string, []string) string {
	return func(*rand.Rand, string, []string) string { return s }
}

var mutations = []mutation{
	{"another class", regexp.MustCompile(`&(is|in)[A-Z]\w*`), other},
	{"another byte", regexp.MustCompile(`[!=]= '.'`), func(rng *rand.Rand, old string, all []string) string {
		return old[:4] + other(rng, old, all)[4:]
	}},
	{"another literal", regexp.MustCompile(`HasPrefix\(s\[\w+:\], "[^"]*"`),
		func(_ *rand.Rand, old string, _ []string) string {
			return old[:len(old)-2] + `"`
		}},
	{"another production is called", regexp.MustCompile(`b\.[a-z]\w*\(s, `), other},
	{"another production is accepted", regexp.MustCompile(` accept[A-Z]\w*\(s, `), other},
	{"another kind", regexp.MustCompile(`b\.put\((at|\w(\+\d)?), [A-Z]\w*`),
		func(rng *rand.Rand, old string, all []string) string {
			to := other(rng, old, all)
			return old[:strings.Index(old, ", ")] + to[strings.Index(to, ", "):]
		}},
	{"a success is a failure", regexp.MustCompile(`(==|!=) fail`), func(_ *rand.Rand, old string, _ []string) string {
		return map[string]string{"== fail": "!= fail", "!= fail": "== fail"}[old]
	}},
	{"a loop goes on", regexp.MustCompile(`\n\t+break\n`), constant("\n")},
	{"a count is off", regexp.MustCompile(`[nmlq]\+[12]\)`), func(_ *rand.Rand, old string, _ []string) string {
		return old[:1] + "+3)"
	}},
	{"a position is off", regexp.MustCompile(`s, [ijkp]\+\d`), func(_ *rand.Rand, old string, _ []string) string {
		return old[:len(old)-2]
	}},
	{"an alternative is dropped", regexp.MustCompile(`if j == fail \{\n\t+j, m = [^\n]*\n\t+\}`), constant("")},
}

// Broken parsers are told from right ones. BNFCHECK_MUTANTS says how many are tried; it takes some ten seconds each.
// Those that cannot be told apart are printed, to be looked at: a change need not make a difference.
func TestMutantsAreCaught(t *testing.T) {
	count, _ := strconv.Atoi(os.Getenv("BNFCHECK_MUTANTS"))
	if count == 0 {
		t.Skip("BNFCHECK_MUTANTS is not set")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	caught, tried := 0, 0
	for tried < count {
		m := mutations[tried%len(mutations)]
		file := must.Of(filepath.Abs("../../../gen/" + subjects()[rng.IntN(2)].Name + "/fast.go"))(t)
		mutant, where := m.apply(t, rng, file)
		if where == "" {
			continue
		}
		switch out, err := testWith(t, file, mutant, "^TestTreesEqual"); {
		case bytes.Contains(out, []byte("[build failed]")):
			continue
		case err != nil:
			caught++
		default:
			t.Logf("not caught: %s: %s", m.name, where)
		}
		tried++
	}
	t.Logf("%d of %d caught", caught, tried)
	if caught*10 < tried*8 {
		t.Errorf("only %d of %d mutants are caught", caught, tried)
	}
}

// apply returns the file with one change, and where it is.
func (m mutation) apply(t *testing.T, rng *rand.Rand, file string) (mutant []byte, where string) {
	src := must.Of(os.ReadFile(file))(t)
	body := bytes.Index(src, []byte("type builder"))
	places := m.pattern.FindAllIndex(src[body:], -1)
	if len(places) == 0 {
		return nil, ""
	}
	var all []string
	for _, p := range places {
		all = append(all, string(src[body+p[0]:body+p[1]]))
	}
	k := rng.IntN(len(places))
	to := m.change(rng, all[k], all)
	if to == all[k] {
		return nil, ""
	}
	from := body + places[k][0]
	mutant = append(append(bytes.Clone(src[:from]), to...), src[from+len(all[k]):]...)
	line := 1 + bytes.Count(src[:from], []byte("\n"))
	return mutant, fmt.Sprintf("%s:%d: %q for %q", filepath.Base(filepath.Dir(file)), line, to, all[k])
}

// testWith runs tests of this package with another text for a file.
func testWith(t *testing.T, file string, text []byte, tests string) ([]byte, error) {
	dir := t.TempDir()
	mutant, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	list := must.Of(json.Marshal(map[string]map[string]string{"Replace": {file: mutant}}))(t)
	for name, text := range map[string][]byte{mutant: text, overlay: list} {
		must.Do(t, os.WriteFile(name, text, 0o666))
	}
	return exec.Command("go", "test", "-short", "-vet=off", "-timeout", "60s", "-overlay", overlay, "-run", tests, ".").CombinedOutput()
}
