package adapters_test

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/adapters"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
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
				want := row.want
				if !strings.Contains(row.input, "p://") && a.Absolute {
					want = "rejected"
				}
				if got := ask(t, c, row.input); (got != want) != slices.Contains(row.except, a.Name) {
					t.Errorf("%q:\n got %s\nwant %s; exceptions are %s", row.input, got, want, row.except)
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

// TestPrograms runs the programs that write-ups show, on a string with all that has a meaning in a constant of some language.
func TestPrograms(t *testing.T) {
	longtest.Need(t, "it compiles and runs a program in each language")
	const path = `$b'c@d#{e}%s`
	for _, a := range adapters.All() {
		t.Run(a.Name, func(t *testing.T) {
			dir := t.TempDir()
			if _, _, err := a.Prepare(t.Context(), dir); err != nil {
				t.Skip(err)
			}
			out, err := a.Try(t.Context(), dir, "http://host.dom/a")
			if err != nil || !strings.Contains(out, "host.dom") {
				t.Errorf("%v: %s", err, out)
			}
			text := a.Program.For("http://a/" + path + "\x00\xff\n\"\\")
			if strings.Contains(text, "%!") || strings.Contains(text, "\x00") || strings.Contains(text, "\xff") {
				t.Errorf("%q", text)
			}
			if out, _ := a.Try(t.Context(), dir, "http://a/$b'c@d"); !strings.Contains(out, "$b") && !strings.Contains(out, "host a") {
				t.Errorf("%s", out)
			}
		})
	}
}

// TestClaims checks that every claim is quoted in whole sentences and says where it stands.
func TestClaims(t *testing.T) {
	for _, a := range adapters.All() {
		if a.Claim == "" || a.From == "" || a.Program.Text == "" || a.Package == "" {
			t.Errorf("%+v", a)
		}
		headline := a.Name == "uriparser" // of a file, which is no sentence
		whole := strings.HasSuffix(a.Claim, ".") && !strings.ContainsAny(a.Claim, "[]") && !strings.Contains(a.Claim, "...")
		if !whole && !headline {
			t.Errorf("%s: the claim is not whole: %s", a.Name, a.Claim)
		}
	}
}

// documentation prints what a claim is quoted from, of the parsers that bring it along.
var documentation = map[string][]string{
	"fast-uri":       {"node", "-p", npmFile("fast-uri", "SECURITY.md")},
	"uri-js":         {"node", "-p", npmFile("uri-js", "README.md")},
	"url-parse":      {"node", "-p", npmFile("url-parse", "README.md")},
	"python-urllib":  {"python3", "-c", "import urllib.parse; print(urllib.parse.__doc__)"},
	"python-rfc3986": {"python3", "-c", "import rfc3986; print(rfc3986.__doc__)"},
	"perl-uri":       {"perl", "-MURI", "-e", `open F, $INC{"URI.pm"}; print <F>`},
	"ruby-uri":       {"ruby", "-ruri", "-e", `print File.read($LOADED_FEATURES.grep(/\/uri\.rb$/)[0])`},
	"uriparser":      {"sh", "-c", "cat $(pkg-config --variable=includedir liburiparser)/uriparser/Uri.h"},
	"tcl-uri":        {"man", "3tcl", "uri"},
}

func npmFile(name, file string) string {
	const read = "require('fs').readFileSync(require('path').join(require.resolve('%s/package.json'), '../%s'), 'utf8')"
	return fmt.Sprintf(read, name, file)
}

// TestQuotations looks for each claim in the documentation that is installed with the parser.
func TestQuotations(t *testing.T) {
	longtest.Need(t, "it asks interpreters for documentation")
	link := regexp.MustCompile(`\[([^]]*)\]\([^)]*\)|(RFC ?\d+)\[[^]]*\]|C<(\w+)>`) // of Markdown, RDoc and Pod
	plain := strings.NewReplacer("**", "", "\n#", "\n")
	hyphen := regexp.MustCompile(`\x{2010}\n\s*`)
	for _, a := range adapters.All() {
		argv := documentation[a.Name]
		if argv == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			run, _, err := a.Prepare(t.Context(), t.TempDir())
			if err != nil {
				t.Skip(err)
			}
			program := argv[0]
			if program == a.Run[0] { // a machine can have several Pythons
				program = run[0]
			}
			said, err := exec.CommandContext(t.Context(), program, argv[1:]...).Output()
			if err != nil {
				t.Skip(err)
			}
			text := link.ReplaceAllString(hyphen.ReplaceAllString(string(said), ""), "$1$2$3")
			text = strings.Join(strings.Fields(plain.Replace(text)), " ")
			if !strings.Contains(text, a.Claim) {
				t.Errorf("%s does not say %q", a.From, a.Claim)
			}
		})
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
		slices.Concat(defaultPorts, []string{"node-url", "url-parse"})}, // which percent-encode user and password
	{"ftp://host.dom/a//b/", `accepted scheme="ftp" host="host.dom" path="/a//b/"`, defaultPorts},
	{"http://host.dom/\"a\\b", "rejected",
		[]string{"node-url", "node-url-parse", "fast-uri", "uri-js", "url-parse", "python-urllib", "python-rfc3986", "python-hyperlink",
			"python-yarl", "perl-uri", "ruby-addressable", "java-url", "php-parse-url", "curl", "glib-guri", "tcl-uri"}},
	{"//u@host.dom:1/a?b", `accepted user="u" host="host.dom" port="1" path="/a" search="b"`,
		[]string{"url-parse", "perl-uri"}}, // a path and nothing else; an authority that is not taken apart
	{"host.dom/a", `accepted path="host.dom/a"`, nil},
	{"?a#b", `accepted search="a" fragment="b"`, nil},
	{"", "accepted", []string{"qt-qurl"}}, // for which an empty QUrl is not valid
}

// defaultPorts lists the parsers that give the default port where there is none.
var defaultPorts = []string{"perl-uri", "ruby-uri", "python-hyperlink"}

// ask returns an answer in one line, without the components that are absent or empty.
func ask(t *testing.T, c *conform.Command, w string) string {
	t.Helper()
	a, err := c.Ask(context.Background(), w)
	if err != nil || a.Fault != nil {
		t.Fatalf("%q: %v %v", w, err, a.Fault)
	}
	s := a.Verdict.String()
	for k, v := range a.Components {
		if v.Text != "" && conform.Component(k) != conform.UserInfo { // which is user and password
			s += fmt.Sprintf(" %v=%v", conform.Component(k), v)
		}
	}
	return s
}
