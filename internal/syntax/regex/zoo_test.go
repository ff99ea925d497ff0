package regex_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/regex"
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
		flavour, flags, _ := strings.Cut(row[3], "/")
		flavour, _, _ = strings.Cut(flavour, " ")
		text := row[5]
		if flavour == "js" {
			text = "/" + text + "/" + flags
		}
		start := time.Now()
		r, err := regex.Parse(flavour, text)
		if err != nil {
			t.Errorf("%s %s: %v", row[0], row[2], err)
			continue
		}
		n++
		a, err := r.DFA(budget.New(t.Context(), budget.Limits{}), regex.Search)
		if err != nil {
			t.Errorf("%s %s: %v", row[0], row[2], err)
			continue
		}
		built := time.Since(start)
		g, exact, err := r.Grammar(budget.New(t.Context(), budget.Limits{}), regex.Search)
		if err != nil {
			t.Errorf("%s %s: %v", row[0], row[2], err)
			continue
		}
		b, err := lang.FromBNF(g, regex.Start)
		switch {
		case err != nil:
			t.Errorf("%s %s: %v", row[0], row[2], err)
		case exact == nil && !a.Equal(b), exact != nil && !a.Subset(b):
			t.Errorf("%s %s: the grammar derives something else", row[0], row[2])
		}
		if exact != nil {
			loose++
		}
		if all := time.Since(start); all > time.Second {
			t.Logf("%s %s: %d states, %v, with the grammar %v", row[0], row[2], a.States(), built, all)
		}
	}
	t.Logf("%d expressions, of %d the grammar derives more", n, loose)
	if n == 0 {
		t.Error("none was read")
	}
}
