package regex_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestPublished reads expressions that packages have: each within the budget, and as a grammar of the same language.
func TestPublished(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO is not set")
	}
	f, err := os.Open(filepath.Join(folder, "regex", "regexes.tsv"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	n, loose := 0, 0
	for s := bufio.NewScanner(f); s.Scan(); {
		row := strings.Split(s.Text(), "\t")
		if len(row) < 6 || row[0] == "package" {
			continue
		}
		n++
		t.Run(row[0]+" "+row[2], func(t *testing.T) {
			flavor, flags, _ := strings.Cut(row[3], "/")
			flavor, _, _ = strings.Cut(flavor, " ")
			text := row[5]
			if flavor == "js" {
				text = "/" + text + "/" + flags
			}
			r := must.Of(regex.Parse(flavor, text))(t)
			a := must.Of(r.DFA(budget.New(t.Context(), budget.Limits{}), regex.Search))(t)
			g, exact, err := r.Grammar(budget.New(t.Context(), budget.Limits{}), regex.Search)
			must.Do(t, err)
			derived := must.Of(lang.FromBNF(g, regex.Start))(t)
			if exact == nil && !a.Equal(derived) || !a.Subset(derived) {
				t.Error("the grammar derives something else")
			}
			if exact != nil {
				loose++
			}
		})
	}
	t.Logf("%d expressions, of %d the grammar derives more", n, loose)
	if n == 0 {
		t.Error("none was read")
	}
}
