package anygrammar

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// beyondGrammar matches the negative tests that the grammars derive, since a sentence of the text excludes them:
// escapes of surrogates and of what stands in no IRI, prefixes that are not declared, variables out of scope, and lists
// of values of other lengths.
var beyondGrammar = regexp.MustCompile(`bad-numeric-escape|bad-uri-escape-0[123]|bad-prefix-0[12]|syn-bad-0[123]\.|bad-values-|` +
	`syn-invalid-codepoint-escaped-bad-01|BINDscope[678]|SELECTscope2`)

// TestW3C parses W3C's syntax tests of Turtle and of SPARQL by the grammars of these texts, read as tokens. Parsers of
// npm, where they are installed, say the same of all but what is beyond the grammar.
func TestW3C(t *testing.T) {
	folder := os.Getenv("BNFCHECK_WILD")
	if folder == "" {
		t.Skip("BNFCHECK_WILD names no folder with ebnf/turtle.ebnf, ebnf/sparql.ebnf and W3C's syntax tests")
	}
	folder = filepath.Join(folder, "ebnf")
	manifest := string(must.Of(os.ReadFile(filepath.Join(folder, "sparql11-syntax-query", "manifest.ttl")))(t))
	negative := regexp.MustCompile(`(?s)mf:NegativeSyntaxTest11\b.*?mf:action\s+<([^>]+)>`)
	var bad []string
	for _, m := range negative.FindAllStringSubmatch(manifest, -1) {
		bad = append(bad, m[1])
	}
	isBad := func(file string) bool {
		if strings.HasSuffix(file, ".rq") {
			return strings.Contains(" "+strings.Join(bad, " ")+" ", " "+file+" ")
		}
		return strings.Contains(file, "-bad-")
	}
	peer := peersOf(t)
	positive, refused, beyond := 0, 0, 0
	for _, suite := range []struct {
		grammar, files string
		keywords       bnf.Keywords
	}{
		{"turtle.ebnf#turtleDoc", "turtle-syntax/*.ttl", bnf.DoubleKeywords},
		{"sparql.ebnf#QueryUnit", "sparql11-syntax-query/*.rq", bnf.WordKeywords},
	} {
		o := catalog.Usual
		o.Tokens, o.Notation.Pass, o.Notation.Keywords = true, "WS | '#' [^#xA#xD]*", suite.keywords
		p := must.Of(New(must.Of(catalog.Open(filepath.Join(folder, suite.grammar), o))(t)))(t)
		for _, file := range must.Of(filepath.Glob(filepath.Join(folder, suite.files)))(t) {
			text := string(must.Of(os.ReadFile(file))(t))
			ok, name := must.Of(p.Accepts(text))(t), filepath.Base(file)
			want := !isBad(name)
			switch {
			case beyondGrammar.MatchString(name) && ok && !want:
				beyond++
			case ok != want:
				t.Errorf("%s is derived: %t", name, ok)
			case ok:
				positive++
				tree := must.Of(p.Parse(text))(t)
				if root := tree.Nodes[0]; int(root.Start) > len(text) || int(root.End) > len(text) || len(tree.Nodes) < 2 && strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "#") {
					t.Errorf("%s: the tree is of %d..%d, with %d nodes", name, root.Start, root.End, len(tree.Nodes))
				}
			default:
				refused++
			}
			if said, asked := peer[name]; asked && said != ok && !beyondGrammar.MatchString(name) {
				t.Errorf("%s: derived: %t; the parser of npm says %t", name, ok, said)
			}
		}
	}
	if positive < 130 || refused < 95 || beyond != 25 {
		t.Errorf("%d are derived, %d are not, %d are derived and excluded by a sentence", positive, refused, beyond)
	}
}

// peersOf returns what n3 and sparqljs of npm say of each file, by its name; nothing where they are not installed.
func peersOf(t *testing.T) map[string]bool {
	modules := os.Getenv("NODE_PATH")
	if _, err := os.Stat(filepath.Join(modules, "sparqljs")); modules == "" || err != nil {
		t.Log("not compared with sparqljs and n3: NODE_PATH names no folder with them")
		return nil
	}
	folder := filepath.Join(os.Getenv("BNFCHECK_WILD"), "ebnf")
	files := must.Of(filepath.Glob(filepath.Join(folder, "turtle-syntax", "*.ttl")))(t)
	files = append(files, must.Of(filepath.Glob(filepath.Join(folder, "sparql11-syntax-query", "*.rq")))(t)...)
	const program = `const fs = require("fs"), n3 = require("n3"), sparql = require("sparqljs");
for (const file of process.argv.slice(1)) {
  const text = fs.readFileSync(file, "utf8");
  let ok = true;
  try {
    if (file.endsWith(".rq")) new sparql.Parser({ baseIRI: "http://e/" }).parse(text);
    else new n3.Parser({ format: "text/turtle", baseIRI: "http://e/" }).parse(text);
  } catch (e) { ok = false; }
  console.log(ok + " " + require("path").basename(file));
}`
	said := map[string]bool{}
	out := must.Of(exec.Command("node", append([]string{"-e", program, "--"}, files...)...).Output())(t)
	for line := range strings.Lines(string(out)) {
		verdict, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		said[name] = verdict == "true"
	}
	if len(said) != len(files) {
		t.Fatalf("%d answers about %d files", len(said), len(files))
	}
	return said
}
