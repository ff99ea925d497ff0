package regexps_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Which versions of the packages are installed.
type edition int

const (
	pinned edition = iota // those of testdata/pins
	newest                // those that the registries have now
)

// run runs a command in a folder.
func run(t *testing.T, folder string, stdin []byte, command ...string) []byte {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = folder
	cmd.Stdin = bytes.NewReader(stdin)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v: %s%s", command, err, complaint.String(), out)
	}
	return out
}

// install installs the packages in a folder, that of BNFCHECK_PACKAGES if it has them already.
func install(t *testing.T, packages []*pack, which edition) string {
	t.Helper()
	folder := os.Getenv("BNFCHECK_PACKAGES")
	if folder == "" {
		folder = t.TempDir()
	}
	if _, err := os.Stat(filepath.Join(folder, "deb")); err == nil {
		return folder
	}
	for _, name := range []string{"package.json", "package-lock.json", "go.mod.txt", "go.sum.txt"} {
		text := must.Of(os.ReadFile(filepath.Join("testdata/pins", name)))(t)
		must.Do(t, os.WriteFile(filepath.Join(folder, strings.TrimSuffix(name, ".txt")), text, 0o666))
	}
	debs := strings.Fields(string(must.Of(os.ReadFile("testdata/pins/debian.txt"))(t)))
	npm := []string{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"}
	if which == newest {
		npm = []string{"npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "ajv@latest"}
		golang := []string{"go", "get"}
		for _, p := range packages {
			switch p.kind {
			case "npm":
				npm = append(npm, p.module+"@latest")
			case "go":
				golang = append(golang, p.module+"@latest")
			}
		}
		run(t, folder, nil, golang...)
		for i, d := range debs {
			debs[i], _, _ = strings.Cut(d, "=")
		}
	}
	run(t, folder, nil, npm...)
	run(t, folder, nil, append([]string{"apt-get", "download", "-q"}, debs...)...)
	for _, a := range must.Of(filepath.Glob(filepath.Join(folder, "*.deb")))(t) {
		run(t, folder, nil, "dpkg", "-x", a, "deb")
	}
	return folder
}

// home returns the folder of a package.
func (p *pack) home(t *testing.T, folder string) string {
	t.Helper()
	switch p.kind {
	case "npm":
		return filepath.Join(folder, "node_modules", p.module)
	case "deb":
		return filepath.Join(folder, "deb")
	}
	return strings.TrimSpace(string(run(t, folder, nil, "go", "list", "-mod=mod", "-m", "-f", "{{.Dir}}", p.module)))
}

// locate finds the version of a package, and where its functions have their expressions and claims.
func (p *pack) locate(t *testing.T, folder string, complain complaint) {
	t.Helper()
	dir := p.home(t, folder)
	switch p.kind {
	case "npm":
		var about struct{ Version string }
		must.Do(t, json.Unmarshal(must.Of(os.ReadFile(filepath.Join(dir, "package.json")))(t), &about))
		p.version = about.Version
	case "deb":
		archive := must.Of(filepath.Glob(filepath.Join(folder, p.module+"_*.deb")))(t)
		p.version = string(run(t, folder, nil, "dpkg-deb", "--show", "--showformat=${Version}", archive[0]))
		if _, packed, ok := strings.Cut(p.version, "+really"); ok { // a version that went back: 3.1.7+really3.1.2
			p.version = packed
		}
		_, p.version, _ = strings.Cut(":"+p.version, ":")
		if _, after, ok := strings.Cut(p.version, ":"); ok { // an epoch
			p.version = after
		}
	default:
		p.version = strings.TrimSpace(string(run(t, folder, nil, "go", "list", "-mod=mod", "-m", "-f", "{{.Version}}", p.module)))
	}
	for _, f := range p.functions {
		if f.claim != "" {
			f.where = lineOf(filepath.Join(dir, f.claimedIn), f.claim, p, complain)
		}
		if f.file == "" {
			continue
		}
		text := must.Of(os.ReadFile(filepath.Join(dir, f.file)))(t)
		at := bytes.Index(text, []byte(f.find))
		if at < 0 {
			complain("%s %s: %s has no %q", p.module, p.version, f.file, f.find)
			continue
		}
		after := text[at+len(f.find):]
		f.line = 1 + bytes.Count(text[:at+len(f.find)], []byte("\n"))
		switch {
		case f.evaluated():
		case p.language == "go":
			f.text = constant(t, filepath.Dir(filepath.Join(dir, f.file)), f.value)
		default:
			f.text = string(literal.Find(after))
		}
	}
}

// lineOf returns the line on which a quotation begins. It may go over several lines of a comment.
func lineOf(file, quote string, p *pack, complain complaint) int {
	text, err := os.ReadFile(file)
	if err != nil {
		complain("%s %s: no file %s", p.module, p.version, filepath.Base(file))
	}
	between := `(?:\s|\*|//|#)+`
	var words []string
	for _, w := range strings.Fields(quote) {
		words = append(words, regexp.QuoteMeta(w))
	}
	at := regexp.MustCompile(strings.Join(words, between)).FindIndex(text)
	if at == nil {
		complain("%s %s: %s does not say %q", p.module, p.version, filepath.Base(file), quote)
		return 0
	}
	return 1 + bytes.Count(text[:at[0]], []byte("\n"))
}

// locate finds the line of the quotation that puts a cause into its list.
func (c *cause) locate(t *testing.T, folder string, packages []*pack, complain complaint) {
	t.Helper()
	needs := lists[c.list].needs
	if (c.quote != "") != (needs != "") {
		complain("causes.tsv: %s %s %q: a cause in the list %q needs a quotation: %q", c.module, c.names, c.pattern, c.list, needs)
	}
	if c.quote == "" {
		return
	}
	p := packages[slices.IndexFunc(packages, func(p *pack) bool { return p.module == c.module })]
	if number, ok := strings.CutPrefix(c.file, "RFC "); ok {
		for _, dir := range []string{os.Getenv("BNFCHECK_RFCS"), os.Getenv("BNFCHECK_RFC")} {
			text, err := os.ReadFile(filepath.Join(dir, "rfc"+number+".txt"))
			if dir != "" && err == nil && !strings.Contains(strings.Join(strings.Fields(string(text)), " "), strings.Join(strings.Fields(c.quote), " ")) {
				complain("causes.tsv: %s does not say %q", c.file, c.quote)
			}
		}
		return
	}
	c.line = lineOf(filepath.Join(p.home(t, folder), c.file), c.quote, p, complain)
}

// literal is an expression of JavaScript.
var literal = regexp.MustCompile(`^\s*/(?:\\.|\[(?:\\.|[^\\\]])*\]|[^/\\\[])+/[a-z]*`)

// constant returns the string that a name has in a Go package, or of which it is made an expression.
func constant(t *testing.T, dir, name string) string {
	t.Helper()
	names := map[string]ast.Expr{}
	files := must.Of(filepath.Glob(filepath.Join(dir, "*.go")))(t)
	for _, file := range files {
		f := must.Of(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))(t)
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.ValueSpec); ok {
				for i, id := range s.Names {
					if i < len(s.Values) {
						names[id.Name] = s.Values[i]
					}
				}
			}
			return true
		})
	}
	var value func(e ast.Expr) string
	value = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.BasicLit:
			return must.Of(strconv.Unquote(e.Value))(t)
		case *ast.BinaryExpr:
			return value(e.X) + value(e.Y)
		case *ast.Ident:
			return value(names[e.Name])
		case *ast.CallExpr: // regexp.MustCompile
			return value(e.Args[0])
		}
		t.Fatalf("%s: %s is not a string", dir, name)
		return ""
	}
	return value(ast.NewIdent(name))
}
