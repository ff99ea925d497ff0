package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Cases read by the languages that they are for are the vectors of the plan.
func TestCases(t *testing.T) {
	s := must.Of(NewSubject(bnfcheck.RFC3986.Grammar, "URI"))(t)
	p := must.Of(s.Plan(Options{Parts: []Part{Mutants}, Most: 300, Schema: "uri"}))(t)
	type pair struct {
		input  string
		accept bool
	}
	var all, unicode []pair
	accepted := 0
	for v := range p.Vectors() {
		all = append(all, pair{v.Input, v.Accept[0]})
		if v.Accept[0] {
			accepted++
		}
		if utf8.ValidString(v.Input) {
			unicode = append(unicode, all[len(all)-1])
		}
	}
	if len(all) != 300 || accepted != 150 || len(unicode) == len(all) {
		t.Fatalf("%d vectors, %d accepted, %d not UTF-8", len(all), accepted, len(all)-len(unicode))
	}
	for _, test := range []struct {
		format  Format
		file    string
		command []string // prints an array of [base64 of the input, accept]
		want    []pair
	}{
		{JS, "cases.js", []string{"node", "-e",
			`console.log(JSON.stringify(require("./cases.js").map(c => [Buffer.from(c.input).toString("base64"), c.accept])))`}, unicode},
		{Python, "cases.py", []string{"python3", "-c",
			`import base64,json,cases
print(json.dumps([[base64.b64encode(i if isinstance(i, bytes) else i.encode()).decode(), a] for i, a, _ in cases.CASES]))`}, all},
		{SchemaSuite, "cases.json", nil, unicode},
	} {
		t.Run(string(test.format), func(t *testing.T) {
			dir := t.TempDir()
			var b bytes.Buffer
			must.Do(t, p.Write(&b, test.format))
			if at := strings.IndexFunc(b.String(), func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }); at >= 0 {
				t.Fatalf("byte %d is %q", at, b.String()[at])
			}
			var got []pair
			if test.command == nil {
				var groups []struct {
					Schema struct{ Format string }
					Tests  []struct {
						Description, Data string
						Valid             bool
					}
				}
				if err := json.Unmarshal(b.Bytes(), &groups); err != nil || len(groups) != 1 || groups[0].Schema.Format != "uri" {
					t.Fatal(groups, err)
				}
				seen := map[string]bool{}
				for _, c := range groups[0].Tests {
					if got = append(got, pair{c.Data, c.Valid}); c.Description == "" || seen[c.Description] {
						t.Errorf("%q: description %q", c.Data, c.Description)
					}
					seen[c.Description] = true
				}
			} else {
				if _, err := exec.LookPath(test.command[0]); err != nil {
					t.Skip(err)
				}
				must.Do(t, os.WriteFile(filepath.Join(dir, test.file), b.Bytes(), 0o666))
				c := exec.Command(test.command[0], test.command[1:]...)
				c.Dir = dir
				said, err := c.Output()
				var list [][2]any
				if err == nil {
					err = json.Unmarshal(said, &list)
				}
				if err != nil {
					t.Fatalf("%v\n%s", err, said)
				}
				for _, row := range list {
					var input []byte
					must.Do(t, json.Unmarshal([]byte(`"`+row[0].(string)+`"`), &input))
					got = append(got, pair{string(input), row[1].(bool)})
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%d cases, want %d", len(got), len(test.want))
			}
		})
	}
}

// A file without room is an error in every format, however few the vectors are.
func TestWriteReportsErrors(t *testing.T) {
	s := must.Of(NewSubject(bnfcheck.RFC1738.Grammar, "port"))(t)
	p := must.Of(s.Plan(Options{Parts: []Part{Transitions}}))(t)
	full := errors.New("no space left")
	for _, f := range Formats {
		if err := p.Write(failingWriter{full}, f); !errors.Is(err, full) {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// A failingWriter fails with its error.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
