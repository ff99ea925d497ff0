package adapters_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/adapters"
	"github.com/bnfcheck/bnfcheck/internal/conform"
	"github.com/bnfcheck/bnfcheck/internal/longtest"
)

// TestAdapters asks every adapter whose runtime is here about the same strings.
func TestAdapters(t *testing.T) {
	longtest.Need(t, "it starts every adapter that can be run here")
	var skipped []string
	for _, a := range adapters.All() {
		t.Run(a.Name, func(t *testing.T) {
			argv, version, err := a.Prepare(t.Context(), t.TempDir())
			if err != nil {
				skipped = append(skipped, a.Name)
				t.Skip(err)
			}
			t.Logf("%s %s", a.Parser, version)
			c, err := conform.NewCommand(a.Name, argv, conform.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			for _, row := range rows {
				if got := ask(t, c, row.input); got != row.want && !slices.Contains(row.except, a.Name) {
					t.Errorf("%q:\n got %s\nwant %s", row.input, got, row.want)
				}
			}
			for x := range 256 { // all bytes travel, and no question goes unanswered
				ask(t, c, "http://h/"+string([]byte{byte(x)})+"a")
			}
		})
	}
	if len(skipped) > 0 {
		t.Logf("skipped, since their runtimes are not here: %s", strings.Join(skipped, ", "))
	}
}

// rows are strings that every parser takes apart alike, but for the exceptions.
var rows = []struct {
	input, want string
	except      []string
}{
	{"http://user:pass@host.dom:8080/a/b?q#f",
		`accepted scheme="http" user="user" password="pass" host="host.dom" port="8080" path="/a/b" search="q" ` +
			`fragment="f"`, nil},
	{"http://u=1:p;2@h/a=b&c;d=?e=f&g==", // what base64 and the escapes of JSON treat apart
		`accepted scheme="http" user="u=1" password="p;2" host="h" path="/a=b&c;d=" search="e=f&g=="`,
		slices.Concat(defaultPorts, []string{"node-url"})}, // which percent-encodes user and password
	{"ftp://host.dom/a//b/", `accepted scheme="ftp" host="host.dom" path="/a//b/"`, defaultPorts},
	{"http://host.dom/\"a\\b", "rejected",
		[]string{"node-url", "node-url-parse", "python-urllib", "perl-uri", "java-url", "curl"}},
	{"host.dom/a", "rejected", nil},
	{"", "rejected", nil},
}

// defaultPorts lists the parsers that give the default port where there is none.
var defaultPorts = []string{"perl-uri", "ruby-uri"}

// ask returns an answer in one line, without the components that are absent or empty.
func ask(t *testing.T, c *conform.Command, w string) string {
	t.Helper()
	a, err := c.Ask(context.Background(), w)
	if err != nil || a.Fault != nil {
		t.Fatalf("%q: %v %v", w, err, a.Fault)
	}
	s := a.Verdict.String()
	for k, v := range a.Components {
		if v.Text != "" {
			s += fmt.Sprintf(" %v=%v", conform.Component(k), v)
		}
	}
	return s
}
