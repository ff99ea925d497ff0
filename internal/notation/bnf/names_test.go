package bnf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// spellings returns a name in the cases that it can be written in.
func spellings(name string) []string {
	return []string{strings.ToUpper(name), strings.ToLower(name), strings.ToUpper(name[:1]) + strings.ToLower(name[1:])}
}

// A document's own rule is what the core rules mean by its name as well, in whatever case the two are written.
func TestCoreRulesUseTheDocuments(t *testing.T) {
	core := coreRules()
	tried := 0
	for _, user := range core.byName {
		for _, used := range expr.Refs(user.Expr) {
			if user.Part != "core" {
				continue
			}
			for _, as := range spellings(used) {
				for _, by := range spellings(user.Name) {
					tried++
					text := fmt.Sprintf("a = %s\n%s = %%s\"own\"\n", by, as)
					g, err := ReadABNF("t.abnf", []byte(text))
					if err == nil {
						err = CheckMissing(g)
					}
					if err != nil {
						t.Errorf("%s: %v", text, err)
						continue
					}
					got := must.Of(lang.FromBNF(g, "a"))(t)
					want := must.Of(lang.FromBNF(readABNF(t, "a = "+by+"\n"+user.Name+" = "+strings.NewReplacer(used, `%s"own"`).Replace(RightSide(ABNF, user.Name, user.Printed))+"\n"), "a"))(t)
					if !got.Equal(want) {
						t.Errorf("%q is not what the document's %s makes of it", text, as)
					}
				}
			}
		}
	}
	if tried < 45 {
		t.Errorf("only %d spellings", tried)
	}
}

func readABNF(t *testing.T, text string) *expr.Grammar {
	t.Helper()
	return must.Of(ReadABNF("t.abnf", []byte(text)))(t)
}

// A core rule of an import keeps what it means there.
func TestCoreRulesOfImports(t *testing.T) {
	const plain, own = "b = HEXDIG\n", "b = hexdig\ndigit = \"x\"\n"
	for _, c := range []struct{ document, imported, yes, no string }{
		{"a = b HEXDIG\nDigit = \"x\"\n", plain, "7x", "x7"},
		{"a = b HEXDIG\n", own, "x7", "7x"},
		{"a = b HEXDIG\n", plain, "77", "xx"},
	} {
		n := Usual
		n.Imports = []Import{{From: readABNF(t, c.imported)}}
		d := must.Of(ReadDocument("t.abnf", []byte(c.document), ABNF, n))(t)
		a := must.Of(lang.FromBNF(d.Grammar, "a"))(t)
		if !a.Match(c.yes) || a.Match(c.no) {
			t.Errorf("%q with %q: %q is derived: %t, %q: %t", c.document, c.imported, c.yes, a.Match(c.yes), c.no, a.Match(c.no))
		}
	}
}

// What names a production finds it in either case: people who ask for one, what is supplied, and ledgers.
func TestNamesInEitherCase(t *testing.T) {
	for _, name := range spellings("part-of") {
		g := readABNF(t, "Part-Of = digit\n")
		if r, err := g.Lookup(name); err != nil || r.ID != "Part-Of" {
			t.Errorf("%s: %v", name, err)
		}
		n := Usual
		n.Define = []Replacement{{Production: name, Text: `"x"`}}
		if d, err := ReadDocument("t.abnf", []byte("a = pArt-of\n"), ABNF, n); err != nil || CheckMissing(d.Grammar) != nil {
			t.Errorf("%s: %v", name, err)
		}
		s, err := ReadSource("t.bnf", []byte("@ notation abnf\n@ part p \"T\"\n@ section 1\nPart-Of = \"x\" / <a word>\n"), "t.readings",
			[]byte("id: r\nkind: strings\nstate: on\nnotation: yes\nproduction: "+name+"\nprinted: x\nread-as: y\nreplace: "+name+" = \"y\"\nevidence: z\n"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if a, err := lang.FromBNF(s.Default, "Part-Of"); err != nil || !a.Match("y") || a.Match("x") {
			t.Errorf("%s: the reading is not applied: %v", name, err)
		}
	}
	if _, err := (&expr.Grammar{Rules: []*expr.Rule{{ID: "a"}}}).Lookup("A"); err == nil {
		t.Error("the rules of a PEG are found in either case")
	}
}
