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

// A Beginning is a grammar from which a package is to be generated for the first time.
type Beginning struct {
	Name    string        // of the files, without their endings
	Package string        // the name of the package
	Grammar *expr.Grammar // unordered, in ABNF
	Start   string        // the production that Parse derives
	Command string        // the program that go generate runs: "bnfcheck"

	File     string       // the grammar's, relative to the package; "": it is to be written, as NAME.abnf
	Notation bnf.Notation // of the file that is written
	Args     []string     // options of bnfcheck generate by which it is read in that notation
}

// Begin returns the files that bnfcheck init writes: NAME.go with the go:generate line;
// NAME_test.go; and, unless the grammar has a file, NAME.abnf with the productions as they are
// printed, each with its place. The error is about the start, or a production that cannot be taken
// out of its text.
func Begin(b Beginning) ([]File, error) {
	start, err := b.Grammar.Lookup(b.Start)
	if err != nil {
		return nil, err
	}
	if _, err := partFrom(b.Grammar, start.ID); err != nil {
		return nil, err
	}
	var files []File
	if b.File == "" {
		b.File = b.Name + ".abnf"
		grammar, err := b.grammarFile()
		if err != nil {
			return nil, err
		}
		files = append(files, File{b.File, grammar})
	}
	code := fmt.Sprintf("package %s\n\n//go:generate %s generate%s --package %s%s -o .\n",
		b.Package, b.Command, quoteArgs([]string{b.File + "#" + start.Name}), b.Package, quoteArgs(b.Args))
	test, err := format.Source(b.testFile(start))
	if err != nil {
		return nil, err
	}
	return append(files, File{b.Name + ".go", []byte(code)}, File{b.Name + "_test.go", test}), nil
}

// grammarFile returns NAME.abnf. Each production stands there as it is printed in the text that it
// was taken out of, after lines with its place. The file is read again: the error is a production
// that does not come out the same.
func (b Beginning) grammarFile() ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "; The ABNF of %s, as bnfcheck init has taken it out of %s.\n", b.Grammar.Title, filepath.Base(b.Grammar.File))
	fmt.Fprintf(&out, "; Lines that begin with @ name the place that is cited for what follows.\n\n@ title %s\n", b.Grammar.Title)
	section := ""
	var kept []*expr.Rule
	for _, r := range b.Grammar.Rules {
		// What does not stand in the text is left out.
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

// testFile returns NAME_test.go, before it is formatted. It has strings that the start derives,
// and similar ones that it does not.
func (b Beginning) testFile(start *expr.Rule) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `package %s

import "testing"

func TestParse(t *testing.T) {
	for _, c := range []struct {
		s  string
		ok bool
	}{
`, b.Package)
	words, accepts := b.exampleWords(start)
	for _, w := range words {
		fmt.Fprintf(&out, "{%q, true},\n", w)
	}
	for _, m := range nearMisses(words, accepts) {
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

// Limits on the strings in NAME_test.go.
const (
	maxExamples      = 6
	maxExampleLength = 40
)

// exampleWords returns a few strings that start derives, and a function that reports whether start
// derives a string. If the language has no automaton, there is at most one string, and the
// function is true also where that cannot be told.
func (b Beginning) exampleWords(start *expr.Rule) (words []string, accepts func(string) bool) {
	d, err := lang.FromBNF(b.Grammar, start.ID)
	if err != nil {
		w, ok := shortWords(b.Grammar)[start.ID]
		if ok {
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
		words = append(words, w)
		seen[w] = true
	}
	rng := rand.New(rand.NewPCG(5234, 7405)) // fixed, so that the file is always the same
	sampler := d.Sampler(maxExampleLength)
	// A word of each of some lengths.
	for n := 1; n <= maxExampleLength && len(words) < maxExamples; n += 3 {
		if w, ok := sampler.Sample(rng, n); ok && !seen[w] {
			words = append(words, w)
			seen[w] = true
		}
	}
	return words, d.Match
}

// A mutation changes a word at a place, with a byte that it may use. It returns the changed word,
// and what was changed.
type mutation func(w string, at int, b string) (changed, how string)

var mutations = []mutation{
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
	func(w string, _ int, b string) (string, string) {
		return w + b, fmt.Sprintf("%q with %q behind", w, b)
	},
}

// nearMisses returns strings that are not accepted, each with what was changed: the empty string,
// and for each mutation the first string that it makes of one of the words.
func nearMisses(words []string, accepts func(string) bool) (list [][2]string) {
	// add adds s if it is not accepted and not yet in the list.
	add := func(s, how string) bool {
		listed := func(m [2]string) bool { return m[0] == s }
		if accepts(s) || slices.ContainsFunc(list, listed) {
			return false
		}
		list = append(list, [2]string{s, how})
		return true
	}
	add("", "nothing")
next:
	for _, mutate := range mutations {
		tried := "" // not asked for again where a mutation does not use the byte
		for _, w := range words {
			for i := range min(len(w), maxExampleLength) * 256 {
				at, b := i/256, byte('!'+i%256) // every byte, printable ones first
				s, how := mutate(w, at, string([]byte{b}))
				if s != tried && add(s, how) {
					continue next
				}
				tried = s
			}
		}
	}
	return list
}

// maxShortWord caps the length of a word in a test: words of productions that double each other
// would have no end.
const maxShortWord = 1 << 12

// shortWords returns a short word of each production, with the first byte of each class.
// Productions that derive none up to maxShortWord are missing.
func shortWords(g *expr.Grammar) map[string]string {
	first := func(members []byte) byte { return members[0] }
	return g.ShortWords(maxShortWord, first, func(string) {}).Words
}
