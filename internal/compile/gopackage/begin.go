package gopackage

import (
	"bytes"
	"fmt"
	"go/format"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Beginning is a grammar that is to be generated from for the first time.
type Beginning struct {
	Name    string        // of the files, without their endings
	Package string        // the name of the package
	Grammar *expr.Grammar // unordered, in ABNF
	Start   string
	Command string // what go generate runs: "bnfcheck"

	File     string       // that the grammar is in, seen from the package; "" if it is to be written, as NAME.abnf
	Notation bnf.Notation // how what is written is read
	Args     []string     // of bnfcheck generate, by which it is read so
}

// Begin returns the files that bnfcheck init writes: NAME.go with the go:generate line; NAME_test.go; and, unless the grammar has
// a file, NAME.abnf with the productions as they are printed, each with its place.
func Begin(b Beginning) ([]File, error) {
	start, err := b.Grammar.Lookup(b.Start)
	if err != nil {
		return nil, err
	}
	if _, err := reached(b.Grammar, start.ID); err != nil {
		return nil, err
	}
	var files []File
	if b.File == "" {
		b.File = b.Name + ".abnf"
		grammar, err := b.grammar()
		if err != nil {
			return nil, err
		}
		files = append(files, File{b.File, grammar})
	}
	code := fmt.Sprintf("package %s\n\n//go:generate %s generate%s --package %s%s -o .\n",
		b.Package, b.Command, quoteArgs([]string{b.File + "#" + start.Name}), b.Package, quoteArgs(b.Args))
	test, err := format.Source(b.test(start))
	if err != nil {
		return nil, err
	}
	return append(files, File{b.Name + ".go", []byte(code)}, File{b.Name + "_test.go", test}), nil
}

// grammar returns the ABNF with the places of the productions.
func (b Beginning) grammar() ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "; The ABNF of %s, as bnfcheck init has taken it out of %s.\n", b.Grammar.Title, filepath.Base(b.Grammar.File))
	fmt.Fprintf(&out, "; Lines that begin with @ name the place that is cited for what follows.\n\n@ title %s\n", b.Grammar.Title)
	section := ""
	var kept []*expr.Rule
	for _, r := range b.Grammar.Rules {
		if bnf.IsCore(r) || r.Printed == "" || strings.HasPrefix(r.Pos.File, "--define ") {
			continue
		}
		kept = append(kept, r)
		out.WriteByte('\n')
		if r.Section != section {
			section = r.Section
			fmt.Fprintf(&out, "@ section %s\n", section)
		}
		if r.Page > 0 && r.Line > 0 {
			fmt.Fprintf(&out, "@ page %d line %d\n", r.Page, r.Line)
		}
		out.WriteString(r.Printed + "\n")
	}
	again, err := bnf.ReadABNFWith(b.File, out.Bytes(), b.Notation)
	if err != nil {
		return nil, fmt.Errorf("what was taken out of the text cannot be read: %w", err)
	}
	for _, r := range kept {
		now := again.Rule(r.ID)
		if now == nil || now.Expr.String() != r.Expr.String() {
			return nil, expr.Errorf(r.Pos, "`%s` cannot be taken out of the text without a change", r.Name)
		}
	}
	return out.Bytes(), nil
}

// test returns a test with strings that the start derives, and some near to them that it does not.
func (b Beginning) test(start *expr.Rule) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `package %s

import "testing"

func TestParse(t *testing.T) {
	for _, c := range []struct {
		s  string
		ok bool
	}{
`, b.Package)
	words, accepts := b.words(start)
	for _, w := range words {
		fmt.Fprintf(&out, "{%q, true},\n", w)
	}
	for _, m := range misses(words, accepts) {
		fmt.Fprintf(&out, "{%q, false}, // %s\n", m[0], m[1])
	}
	out.WriteString(`	} {
		tree, err := Parse(c.s)
		if (err == nil) != c.ok || Accepts(c.s) != c.ok {
			t.Errorf("%q: accepted: %t, error: %v", c.s, Accepts(c.s), err)
		}
		if err == nil && tree.Root().Text() != c.s {
			t.Errorf("%q: the tree is that of %q", c.s, tree.Root().Text())
		}
	}
}
`)
	return out.Bytes()
}

// words returns a few strings that start derives, and what it accepts. Where the language has no automaton, there is one.
func (b Beginning) words(start *expr.Rule) (words []string, accepts func(string) bool) {
	d, err := lang.FromBNF(b.Grammar, start.ID)
	if err != nil {
		if w, ok := shortest(b.Grammar)[start.ID]; ok {
			words = append(words, w)
		}
		derives, err := interpreter.New(b.Grammar, start.ID, func(string) bool { return false })
		return words, func(s string) bool {
			if err != nil {
				return true
			}
			ok, err := derives.Accepts(s)
			return ok || err != nil
		}
	}
	seen := map[string]bool{}
	if w, ok := d.Shortest(); ok {
		words, seen[w] = append(words, w), true
	}
	rng := rand.New(rand.NewPCG(5234, 7405))
	sampler := d.Sampler(40)
	for n := 1; n <= 40 && len(words) < 6; n += 3 {
		if w, ok := sampler.Sample(rng, n); ok && !seen[w] {
			words, seen[w] = append(words, w), true
		}
	}
	return words, d.Match
}

// misses returns strings that are not accepted: the empty one, and for each way of changing a word the first that it makes, each
// with what was changed.
func misses(words []string, accepts func(string) bool) (list [][2]string) {
	try := func(s, how string) bool {
		if accepts(s) || slices.ContainsFunc(list, func(m [2]string) bool { return m[0] == s }) {
			return false
		}
		list = append(list, [2]string{s, how})
		return true
	}
	try("", "nothing")
	changes := []func(w string, at int, b string) (string, string){
		func(w string, at int, _ string) (string, string) {
			return w[:len(w)-1-at], fmt.Sprintf("%q cut off", w)
		},
		func(w string, at int, _ string) (string, string) {
			return w[:at] + w[at+1:], fmt.Sprintf("%q without %q", w, w[at:at+1])
		},
		func(w string, at int, _ string) (string, string) {
			return w[:at+1] + w[at:], fmt.Sprintf("%q with %q twice", w, w[at:at+1])
		},
		func(w string, at int, b string) (string, string) {
			return w[:at] + b + w[at+1:], fmt.Sprintf("%q with %q for %q", w, b, w[at:at+1])
		},
		func(w string, _ int, b string) (string, string) { return w + b, fmt.Sprintf("%q with %q behind", w, b) },
	}
next:
	for _, change := range changes {
		tried := ""
		for _, w := range words {
			for i := range min(len(w), 40) * 256 { // every byte at each place
				s, how := change(w, i/256, string([]byte{byte('!' + i%256)}))
				if s != tried && try(s, how) {
					continue next
				}
				tried = s
			}
		}
	}
	return list
}

// longestShort is how long a word of a test may be: those of productions that double each other have no end.
const longestShort = 1 << 12

// shortest returns a short word of each production that derives any, but for those that are longer than longestShort.
func shortest(g *expr.Grammar) map[string]string {
	return g.ShortWords(longestShort, func(m []byte) byte { return m[0] }, func(string) {}).Words
}
