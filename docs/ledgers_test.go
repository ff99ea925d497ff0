package docs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/report/drawing"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

const readingsHead = `<!-- Written from grammar/*.readings by: go test ./docs -update -->

# How the texts are read

An RFC's BNF is not a program. Names are used that nothing defines, a rule is misprinted, brackets mean two things, and
many a string has several derivations. None of that is settled silently in a grammar file. Each such place is an entry of
a ledger, ` + "`grammar/NAME.readings`" + `: what is printed, how it is read, and why. An entry is *on* where it is part of the
default grammar, and *off* where it is another possible reading that the program knows. Entries marked *notation* are
those without which a line has no meaning at all; they belong to the grammar "as printed" too.

There are two kinds. Some entries decide **which strings** a production derives. What each of them changes is computed,
and stands with it below: how many productions derive other strings with the entry than without it, and of the first of
them the shortest string that it gains or loses. Others decide **which derivation** of a string
is meant, and so which tree a user gets; they change no language.

    bnfcheck explain 1738-brackets                  # one entry, with its evidence
    bnfcheck diff --as-printed                      # what each entry changes, production by production
    bnfcheck diff --reading 1630-xpalphas           # the same for one
    bnfcheck diff --reading 1630-xpalphas=off http  # compare under another reading
`

// TestReadings writes the page of the readings.
func TestReadings(t *testing.T) {
	var b strings.Builder
	b.WriteString(readingsHead)
	for _, name := range catalog.Names() {
		src := must.Of(bnf.Load(name))(t)
		effects := must.Of(diff.ReadingEffects(name, diff.Options{}))(t)
		if len(src.Readings) == 0 {
			continue
		}
		title := src.Text.Title
		fmt.Fprintf(&b, "\n## %s\n", title)
		for _, kind := range []struct {
			kind bnf.Kind
			head string
		}{{bnf.Strings, "Which strings"}, {bnf.Derivation, "Which derivation"}} {
			if !slices.ContainsFunc(src.Readings, func(r bnf.Reading) bool { return r.Kind == kind.kind }) {
				continue
			}
			fmt.Fprintf(&b, "\n### %s: %s\n", title, strings.ToLower(kind.head))
			for _, r := range src.Readings {
				if r.Kind == kind.kind {
					writeReading(&b, r, effects)
				}
			}
		}
	}
	goldentest.Whole(t, "readings.md", b.String())
}

func writeReading(b *strings.Builder, r bnf.Reading, effects []diff.Effect) {
	state := map[bool]string{true: "on", false: "off"}[r.On]
	if r.Notation {
		state += ", notation"
	}
	fmt.Fprintf(b, "\n**%s** (%s)", r.ID, state)
	if r.Printed != "" {
		fmt.Fprintf(b, ": printed is %s", code(r.Printed))
	}
	if len(r.Lines) > 0 {
		fmt.Fprintf(b, " (%s)", lines(r.Lines))
	}
	fmt.Fprintf(b, ".  \nRead as: %s.", prose(r.ReadAs))
	if r.Evidence != "" {
		fmt.Fprintf(b, "  \nWhy: %s.", prose(r.Evidence))
	}
	if i := slices.IndexFunc(effects, func(e diff.Effect) bool { return e.Reading == r.ID }); i >= 0 {
		fmt.Fprintf(b, "  \n%s", effect(effects[i]))
	}
	b.WriteString("\n")
}

// effect describes in a sentence what an entry changes.
func effect(e diff.Effect) string {
	switch {
	case e.Meaningless != "":
		return "Without it the text has no meaning."
	case len(e.Changes) == 0:
		return "It changes no production."
	}
	c := e.Changes[0]
	s := fmt.Sprintf("It changes %d productions, the first of them %s", len(e.Changes), code(c.Production))
	if len(e.Changes) == 1 {
		s = "It changes one production, " + code(c.Production)
	}
	var how []string
	if w := c.Gained.Shortest; w != nil {
		how = append(how, "gains "+code(w.String()))
	}
	if w := c.Lost.Shortest; w != nil {
		how = append(how, "loses "+code(w.String()))
	}
	return s + ": it " + strings.Join(how, " and ") + "."
}

func lines(list []int) string {
	var words []string
	for _, n := range list {
		words = append(words, fmt.Sprint(n))
	}
	if len(words) == 1 {
		return "line " + words[0]
	}
	return "lines " + strings.Join(words, ", ")
}

func code(s string) string { return "`` " + strings.Join(strings.Fields(s), " ") + " ``" }

// prose escapes the text of the ledger, so that it is not taken for markup.
func prose(s string) string {
	s = strings.TrimRight(strings.Join(strings.Fields(s), " "), ".")
	return strings.NewReplacer(`*`, `\*`, `_`, `\_`, `<`, `&lt;`, `[`, `\[`, `|`, `\|`).Replace(s)
}

// TestRegions draws the README's picture.
func TestRegions(t *testing.T) {
	subjects := must.Of(catalog.Load(catalog.Version{}))(t)
	var list []*diff.Difference
	for _, c := range diff.Standard(subjects[0], subjects[1]) {
		if slices.Contains([]string{"http", "ftp", "news", "gopher", "mailto"}, c.Topic) {
			d := must.Of(c.Diff(diff.Options{}))(t)
			list = append(list, d)
		}
	}
	var b bytes.Buffer
	must.Do(t, drawing.WriteRegions(&b, list))
	goldentest.Whole(t, "regions.svg", b.String())
}
