package anygrammar

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/treecheck"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// compare checks a parser against the automaton of its production: answers, offsets and what is expected.
func compare(t *testing.T, n *catalog.Opened, most int) (words int) {
	t.Helper()
	r, err := n.Start()
	if err != nil {
		return 0 // it lacks names
	}
	a, err := n.Automaton(r)
	if err != nil || a.States() > 2000 {
		return 0 // it nests, or is large
	}
	p, err := New(n)
	if err != nil {
		t.Fatalf("%s: %v", n.Asked, err)
	}
	cover := a.TransitionCover()
	step := max(len(cover)/most, 1)
	for i := 0; i < len(cover); i += step {
		w := cover[i]
		ok, err := p.Accepts(w)
		if err != nil || ok != a.Match(w) {
			t.Fatalf("%s: %q accepted: %v, %v", n.Asked, w, ok, err)
		}
		words++
		tree, err := p.Parse(w)
		if ok {
			if err != nil || tree.Root().Text() != w {
				t.Fatalf("%s: %q: %v", n.Asked, w, err)
			}
			if err := treecheck.Tree(tree); err != nil {
				t.Fatalf("%s: %q: %v", n.Asked, w, err)
			}
			continue
		}
		e, isSyntax := errors.AsType[*ast.SyntaxError](err)
		if !isSyntax {
			t.Fatalf("%s: %q: %v", n.Asked, w, err)
		}
		if e.Explained != p.Start {
			continue // what begins with a scheme is explained by its production
		}
		q, offset := 0, 0
		for offset < len(w) && a.Live(a.Next(q, w[offset])) {
			q = a.Next(q, w[offset])
			offset++
		}
		if n.Grammar.CodePoints { // the first byte of one
			for !utf8.ValidString(w[:offset]) {
				offset--
			}
			q = a.Run(0, w[:offset])
		}
		var first expr.Set
		for _, x := range e.Expected {
			first = first.Union(expr.Set(x.First))
		}
		if viable := a.Viable(q); e.Offset != offset || !n.Grammar.Ordered && first.Intersect(viable) != viable {
			t.Fatalf("%s: %q: offset %d, want %d; expected %s, want %s: %v", n.Asked, w, e.Offset, offset, first, viable, e)
		}
	}
	return words
}

// Every production of a few grammars of each kind.
func TestProductions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.abnf": "a = b *(\",\" b) / %s\"x:\" c / %s\"y:\" b\nb = 1*ALPHA [c]\nc = \"(\" [d] \")\"\nd = *%x80-10FFFF \".\"\n",
		"b.abnf": "a = 2*3b *1c\nb = \"x\" / \"xy\"\nc = *(\"y\" \"x\") c2\nc2 = \"y\" [c2]\n",
		"c.bnf":  "@ notation rfc822\na = *[ b | \"-\" ] b\nb = \"x\" | \"y\"\n",
		"d.peg":  "a <- b ( ',' b )* !.\nb <- !\"xx\" [a-z]+ / \"xx\" c?\nc <- &'y' . c / 'z'\n",
	} {
		file := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		n := must.Of(catalog.Open(file, catalog.Usual))(t)
		for _, r := range n.Grammar.Rules {
			one := *n
			one.Asked = r.ID
			if compare(t, &one, 500) == 0 {
				t.Errorf("%s: %s: nothing was compared", name, r.ID)
			}
		}
	}
}

// An error in a code point is at its first byte, and names code points, or the production that has nothing but such.
func TestCodePoints(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.abnf")
	text := "a = *c \"!\"\nc = %x5D-60F / m\nm = %x610-61B\nn = \"(\" n \")\" / c / %x61C\n"
	must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	for _, test := range []struct{ start, input, want string }{
		{"a", "b\u061c", `a: offset 1: unexpected U+061C in a; expected c or "!"`},
		{"m", "\u061c", `a: offset 0: unexpected U+061C in m; expected U+0610-061B`},
		{"m", "A", `a: offset 0: unexpected "A" in m; expected U+0610-061B`},
		{"n", "(\u061d)", `a: offset 1: unexpected U+061D in n; expected "(", c or U+061C`},
	} {
		n := must.Of(catalog.Open(file, catalog.Usual))(t)
		n.Asked = test.start
		p := must.Of(New(n))(t)
		if got := p.Explain(test.input).Error(); !strings.HasPrefix(got, test.want) {
			t.Errorf("%q: %s, want %s", test.input, got, test.want)
		}
	}
}

// A citation names the production whose place it has: after all of a scheme's URL, an error is in no production, and
// explains the scheme's.
func TestCiteExplained(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.abnf")
	text := "url = httpurl / ftpurl\nhttpurl = %s\"http:\" \"x\"\nftpurl = %s\"ftp:\" \"y\"\n"
	must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	p := must.Of(New(must.Of(catalog.Open(file, catalog.Usual))(t)))(t)
	for _, test := range []struct {
		input, production string
		line              int
	}{
		{"http:xy", "httpurl", 2},
		{"ftp:", "ftpurl", 3},
		{"x", "url", 1},
	} {
		e, ok := errors.AsType[*ast.SyntaxError](p.Explain(test.input))
		if c := p.Cite(e); !ok || c.Production != test.production || c.Line != test.line {
			t.Errorf("%q: %s in line %d, want %s in line %d", test.input, c.Production, c.Line, test.production, test.line)
		}
	}
	if c := p.Cite(nil); c.Production != "url" || c.Line != 1 {
		t.Errorf("no error: %s in line %d", c.Production, c.Line)
	}
}

// A long literal is explained in time that grows with its length: the square of it would be minutes. One that no engine
// has room for is refused before it is copied.
func TestLongLiterals(t *testing.T) {
	open := func(letters int) *catalog.Opened {
		file := filepath.Join(t.TempDir(), "a.abnf")
		text := "a = \"" + strings.Repeat("x", letters) + "\"\n"
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		return must.Of(catalog.Open(file, catalog.Usual))(t)
	}
	begin := time.Now()
	p := must.Of(New(open(200_000)))(t)
	if e, ok := errors.AsType[*ast.SyntaxError](p.Explain("x")); !ok || e.Offset != 1 {
		t.Errorf("%v", e)
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %v", took)
	}
	n := open(600_000)
	n.Grammar.Budget = budget.New(t.Context(), budget.Limits{Bytes: 64 << 20})
	if _, err := New(n); !errors.Is(err, budget.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

// Every production of other people's documents.
func TestZoo(t *testing.T) {
	zoo := os.Getenv("BNFCHECK_ZOO")
	if zoo == "" {
		t.Skip("BNFCHECK_ZOO names no folder")
	}
	files := must.Of(filepath.Glob(filepath.Join(zoo, "*", "*.*")))(t)
	words := 0
	for _, file := range files {
		if _, ok := catalog.KindOf(file); !ok {
			continue
		}
		n, err := catalog.Open(file, catalog.Usual)
		if err != nil {
			t.Logf("%s: %v", filepath.Base(file), err)
			continue
		}
		for i, r := range n.Grammar.Rules {
			if bnf.IsCore(r) || i%longtest.Size(7, 1) != 0 {
				continue
			}
			one := *n
			one.Asked = r.ID
			words += compare(t, &one, longtest.Size(20, 200))
		}
	}
	t.Logf("%d strings", words)
}

// One parser serves many goroutines. The first explanation changes its Grammar while others copy it, which only
// go test -race sees if it is not guarded.
func TestConcurrent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.abnf")
	must.Do(t, os.WriteFile(file, []byte("a = 1*b\nb = \"x\" / \"(\" [b] \")\"\n"), 0o666))
	n := must.Of(catalog.Open(file, catalog.Usual))(t)
	p := must.Of(New(n))(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 50 {
				if _, err := p.ExplainedByParser(); err != nil {
					t.Error(err)
				}
				if _, err := p.Parse("x((x))x"); err != nil {
					t.Error(err)
				}
				if _, err := p.Parse("x((x)x"); err == nil {
					t.Error("accepted")
				}
			}
		})
	}
	wait.Wait()
}

// A Go expression reads a byte that is no part of a character as U+FFFD. A rejection by one is explained at the first
// character, or such a byte, with which no accepted string goes on. That is known here from the string in which each
// such byte is written as U+FFFD.
func TestExplainGoExpressions(t *testing.T) {
	symbols := []string{"a", "é", "\xc3", "\xa9", "\xff", "\ufffd", "\xe2\x80", "😀", "\xf0\x9f"}
	words := []string{""}
	for from := 0; len(words) < longtest.Size(1000, 8000); from++ {
		for _, s := range symbols {
			words = append(words, words[from]+s)
		}
	}
	for _, text := range []string{
		`^[^é]$`, `^.$`, `^[^é]*$`, `^é$`, `^é*a$`, `^..$`, `^\x{fffd}{2}$`, `^[^\x{fffd}]$`, `^(a\x{fffd}|😀a)$`, `a`, `^[^a]\b`, `é$`, `[^\x00-\x{10ffff}]`,
	} {
		n := must.Of(catalog.Open("go:"+text, catalog.Usual))(t)
		a := must.Of(n.Automaton(must.Of(n.Start())(t)))(t)
		p := must.Of(New(n))(t)
		rejected := 0
		for _, w := range words {
			if ok := must.Of(p.Accepts(w))(t); ok != a.Match(w) {
				t.Fatalf("go:%s accepts %q: %t", text, w, ok)
			} else if ok {
				continue
			}
			rejected++
			want, q := len(w), 0
			for i, c := range w {
				if q = a.Run(q, string(c)); !a.Live(q) {
					want = i
					break
				}
			}
			e, isSyntax := errors.AsType[*ast.SyntaxError](p.Explain(w))
			if !isSyntax || e.Offset != want || e.Input != w {
				t.Fatalf("go:%s on %q: %v, want offset %d", text, w, e, want)
			}
		}
		if rejected == 0 {
			t.Errorf("go:%s rejected nothing", text)
		}
	}
}

// A string that the general parser gives up on is neither accepted nor rejected: the limit is an error.
func TestGivingUpIsNoAnswer(t *testing.T) {
	gaveUp := 0
	for _, length := range []int{20, 60, 180} {
		g := must.Of(bnf.ReadABNF("g.abnf", []byte("s = s s / \"a\"\n")))(t)
		g.Budget = budget.New(t.Context(), budget.Limits{Steps: 1 << 20})
		p := must.Of(New(&catalog.Opened{Grammar: g, Within: g, Kind: catalog.ABNF, File: "g.abnf", Asked: "s"}))(t)
		explained := must.Of(p.Explained())(t)
		w := strings.Repeat("a", length)
		for what, ask := range map[string]func() bool{
			"Accept": func() bool { return explained.Accept(p.Start, w) },
			"Parse":  func() bool { _, ok := explained.Parse(nil, p.Start, w); return ok },
		} {
			yes, err := false, error(nil)
			func() {
				defer budget.Catch(&err)
				yes = ask()
			}()
			if errors.Is(err, budget.ErrTooLarge) {
				gaveUp++
			} else if !yes || err != nil {
				t.Errorf("%s of %d letters: %t, %v", what, length, yes, err)
			}
		}
	}
	if gaveUp == 0 || gaveUp == 6 {
		t.Errorf("the parser gave up %d times of 6", gaveUp)
	}
}
