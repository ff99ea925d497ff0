package docs

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
)

// jsonForms are what commands print with --format json. The number of a form rises when a field goes or means something else, and
// not when one is added. The second command shows fields that the first one has no occasion for.
var jsonForms = []struct {
	name     string
	version  int
	commands []string
}{
	{"check", 1, []string{"bnfcheck check --format json -f examples/urls.txt", "bnfcheck check --format json rfc3986#host a%", "bnfcheck check --format json --suggest http://a/~"}},
	{"check --quiet, summary", 1, []string{"bnfcheck check --format json --quiet -f examples/urls.txt"}},
	{"claims", 1, []string{"bnfcheck claims --format json"}},
	{"conform", 1, []string{"bnfcheck conform --format json --rfc 1738 --builtin net/url mailto", "bnfcheck conform --format json --rfc 3986 --builtin net/url --most 1 host"}},
	{"diff", 1, []string{"bnfcheck diff --format json examples/domain.abnf rfc1738#hostname", "bnfcheck diff --format json rfc1630#hostname rfc1738#hostname", `bnfcheck diff --format json examples/domain.abnf "go:^[a-z]+$"`,
		`echo 'a = "(" [a] ")"' | bnfcheck diff --format json --kind abnf --nesting 1 - 'go:\A\(\(\(\)\)\)\z'`}},
	{"diff of what nests", 1, []string{`echo 'a = "(" [a] ")"' | bnfcheck diff --format json --kind abnf - rfc1738#hostname`}},
	{"explain", 1, []string{"bnfcheck explain --format json rfc1738#hostport"}},
	{"extract", 1, []string{"echo '<URL:http://a/b#c>' | bnfcheck extract --format json"}},
	{"fix", 1, []string{"bnfcheck fix --format json http://a/~", "bnfcheck fix --format json examples/domain.abnf a-"}},
	{"grammars", 1, []string{"bnfcheck grammars --format json", "bnfcheck grammars --format json rfc1738"}},
	{"learn", 1, []string{"bnfcheck learn --format json --rfc 1738 --builtin net/url mailto"}},
	{"lint", 1, []string{"bnfcheck lint --format json grammar/rfc1738.bnf", "bnfcheck lint --format json examples/domain.abnf"}},
	{"parse", 1, []string{"bnfcheck parse --format json http://a/"}},
	{"prove", 1, []string{"bnfcheck prove --format json examples/domain.abnf examples/domain.peg"}},
	{"rules", 1, []string{"bnfcheck rules --format json"}},
	{"verify", 1, []string{"bnfcheck verify --format json ./gen/rfc3986"}},
}

// named are the fields whose own fields are names of the input's: of grammars, verdicts and components.
var named = map[string]bool{"verdicts": true, "counts": true, "named": true, "repairs": true}

// fieldsOf adds the fields of a value, each with what it can be.
func fieldsOf(fields map[string]map[string]bool, at string, v any) {
	kind := map[bool]string{true: "null"}[v == nil]
	switch v := v.(type) {
	case map[string]any:
		kind = "object"
		for name, x := range v {
			below := at + "." + name
			if last := at[strings.LastIndexByte(at, '.')+1:]; named[last] {
				below = at + ".NAME"
			}
			fieldsOf(fields, below, x)
		}
	case []any:
		for _, x := range v {
			fieldsOf(fields, at+"[]", x)
		}
		return
	case string:
		kind = "string"
	case float64:
		kind = "number"
	case bool:
		kind = "boolean"
	}
	if fields[at] == nil {
		fields[at] = map[string]bool{}
	}
	fields[at][kind] = true
}

var printedForm = regexp.MustCompile(`(?m)^## (.*), version (\d+)\n\n.*\n\n((?:\|.*\n)*)`)

// TestJSONForms writes json.md, and keeps the promise that it makes: without another version no field goes.
func TestJSONForms(t *testing.T) {
	dir := filepath.Dir(program(t))
	before, err := os.ReadFile("json.md")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	promised := map[string][][]string{}
	for _, m := range printedForm.FindAllStringSubmatch(string(before), -1) {
		for line := range strings.Lines(m[3]) {
			if c := strings.Split(line, "|"); len(c) > 2 && strings.Contains(c[1], "`") {
				promised[m[1]] = append(promised[m[1]], []string{m[2], strings.Trim(c[1], " `")})
			}
		}
	}
	var b strings.Builder
	b.WriteString(`<!-- Written by: go test ./docs -run TestJSONForms -update -->
# What commands print as JSON

With ` + "`--format json`" + ` a command prints an object, or one in each line. This page has the fields of each form, with what they can be. Each
form has a version of its own, in its field version: it rises when a field goes or changes its meaning. That a field is added changes
no version, so a program ignores those that it does not know. A test compares this page with what the commands print.

` + "`a.b`" + ` is the field b of the object in the field a, ` + "`a[]`" + ` each element of a list, and NAME a name of the input's. A string that is not
UTF-8 is an object with the field base64, or stands in a field whose name ends in _base64. Fields that
have nothing to say are left out, and what is not decided is null. The forms sarif and junit follow their standards.
In a group of conform, a text of the grammar that is longer than 1,000 bytes is shortened as in messages, and a list ends after 60 names:
the field more_NAME counts the others. In diff, deeper_unknown stands in place of deeper if finding that out would take too much.
In a summary of check, findings_of counts the URLs that were searched for findings.
`)
	for _, form := range jsonForms {
		fields := map[string]map[string]bool{}
		for _, command := range form.commands {
			printed := shell(t, dir, command+" 2>/dev/null")
			d := json.NewDecoder(strings.NewReader(printed))
			n := 0
			for ; ; n++ {
				var v any
				if err := d.Decode(&v); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", command, err)
				}
				if printed := v.(map[string]any)["version"]; printed != float64(form.version) {
					t.Errorf("%s prints version %v, want %d", command, printed, form.version)
				}
				fieldsOf(fields, "", v)
			}
			if n == 0 {
				t.Errorf("%s prints nothing", command)
			}
		}
		for _, p := range promised[form.name] {
			if version, _ := strconv.Atoi(p[0]); version >= form.version && fields["."+p[1]] == nil && fields[p[1]] == nil {
				t.Errorf("%s, version %d: the field %s is gone; then the version rises", form.name, version, p[1])
			}
		}
		fmt.Fprintf(&b, "\n## %s, version %d\n\nFrom `%s`.\n\n| field | |\n|---|---|\n", form.name, form.version, strings.Join(form.commands, "`, `"))
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if name != "" {
				fmt.Fprintf(&b, "| `%s` | %s |\n", strings.TrimPrefix(name, "."), strings.Join(slices.Sorted(maps.Keys(fields[name])), " or "))
			}
		}
	}
	goldentest.Whole(t, "json.md", b.String())
}
