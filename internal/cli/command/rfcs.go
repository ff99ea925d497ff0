package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
)

// rfcs is the value of --rfc: the grammars that a command uses. Every published grammar can be chosen.
type rfcs []*bnfcheck.Grammar

// both returns the default, "both": the first two RFCs. Anything else that is published, a draft or RFC 3986, has to
// be named, or included by "all".
func both() rfcs { return bnfcheck.RFCs() }

// String returns the names as they are typed, with commas between them, or "both" for the default.
func (r *rfcs) String() string {
	if slices.Equal(*r, both()) {
		return "both"
	}
	var names []string
	for _, g := range *r {
		names = append(names, short(g.Name))
	}
	return strings.Join(names, ",")
}

// short is how a grammar's name is typed: 1738.
func short(name string) string { return strings.TrimPrefix(name, "rfc") }

func (r *rfcs) Type() string { return "RFC" }

// Set takes one name or several with commas between them; "both" are the first RFCs, "all" is everything published. The
// order is always that of [bnfcheck.Grammars]. It fails for a name of nothing published, and then changes nothing.
func (r *rfcs) Set(value string) error {
	var chosen []*bnfcheck.Grammar
	for name := range strings.SplitSeq(value, ",") {
		switch name {
		case "both":
			chosen = append(chosen, both()...)
		case "all":
			chosen = append(chosen, bnfcheck.Grammars()...)
		default:
			g, err := bnfcheck.Find(name)
			if err != nil {
				return fmt.Errorf("choose from %s", strings.Join(rfcChoices(), ", "))
			}
			chosen = append(chosen, g)
		}
	}
	*r = slices.DeleteFunc(slices.Clone(bnfcheck.Grammars()),
		func(g *bnfcheck.Grammar) bool { return !slices.Contains(chosen, g) })
	return nil
}

// rfcChoices returns the values that --rfc takes.
func rfcChoices() (names []string) {
	for _, w := range rfcWords() {
		name, _, _ := strings.Cut(w, "\t")
		names = append(names, name)
	}
	return names
}

// addRFC adds the flag --rfc, with "both" as its default.
func addRFC(cmd *cobra.Command) *rfcs {
	r := both()
	cmd.Flags().SortFlags = false // help has them in their order here
	cmd.Flags().Var(&r, "rfc", "grammar to use: "+strings.Join(rfcChoices(), ", "))
	return &r
}

// A choice is the value of a flag that takes one of a few words. The first is the default.
type choice struct {
	value string
	words []string
}

func (c *choice) String() string    { return c.value }
func (c *choice) choices() []string { return c.words }
func (c *choice) Type() string      { return strings.Join(c.words, "|") }

// Set chooses a word. It fails for one that cannot be chosen, and then changes nothing.
func (c *choice) Set(value string) error {
	if !slices.Contains(c.words, value) {
		return fmt.Errorf("choose from %s", strings.Join(c.words, ", "))
	}
	c.value = value
	return nil
}

// addChoice adds a flag with a choice of words to cmd.
func addChoice(cmd *cobra.Command, name, usage string, words ...string) *choice {
	return (&choice{words[0], words}).add(cmd, name, usage)
}

// add adds a flag with this choice to cmd.
func (c *choice) add(cmd *cobra.Command, name, usage string) *choice {
	cmd.Flags().Var(c, name, usage)
	return c
}

// documents are the formats of package results that are one document.
var documents = []string{"markdown", "junit", "sarif"}

func (c *choice) isDocument() bool { return slices.Contains(documents, c.value) }
