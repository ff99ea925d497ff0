package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/adapters"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
	"github.com/bnfcheck/bnfcheck/internal/urls/claims"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// The words that a shell offers when a user presses TAB. A word may be followed by a tab and a description, which
// some shells show.

// words offers the words of all lists, and no files. The lists are called when the shell asks, after the flags before
// the cursor are read, so that they depend on --rfc.
func words(list ...func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var all []string
		for _, f := range list {
			all = append(all, f()...)
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// flagCompletions has, by name, the completions of flags that are not a choice.
var flagCompletions = map[string]cobra.CompletionFunc{
	"adapter": words(adapterNames),
	"explain": words(lint.Codes),
	"grammar": orFiles(words(productionNames)),
	"part":    words(func() []string { return spelled(vectors.Parts) }),
	"reading": words(readingSwitches),
	"rule":    words(ruleIDs),
	"unicode": words(runes.Versions),
}

// asksForCompletion reports whether a command line is that of a shell whose user pressed TAB.
func asksForCompletion(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// completeFlags registers the completions of the flags of cmd and of all commands below it, as flagCompletion has
// them. It is called only for a command line that asks for completion: cobra keeps what is registered, and with it
// the whole command tree, as long as the process lives.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c := flagCompletion(f); c != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, c) // fails only where there is no such flag
		}
	})
	for _, sub := range cmd.Commands() {
		completeFlags(sub)
	}
}

// flagCompletion returns the completion of a flag's value. It is nil where the shell offers files, as it does by
// itself, and where the flag needs no value. A flag that is not in flagCompletions is completed with files if its
// usage calls its value `FILE`, and otherwise with nothing.
func flagCompletion(f *pflag.Flag) cobra.CompletionFunc {
	switch v := f.Value.(type) {
	case *choice:
		return words(v.choices)
	case *rfcs:
		return words(rfcWords)
	}
	if c := flagCompletions[f.Name]; c != nil {
		return c
	}
	if value, _ := pflag.UnquoteUsage(f); value == "FILE" || f.NoOptDefVal != "" {
		return nil
	}
	return cobra.NoFileCompletions
}

// orFiles offers what f offers and, where none of it fits, files.
func orFiles(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		list, _ := f(cmd, args, typed)
		return list, cobra.ShellCompDirectiveDefault
	}
}

// beforeDash completes the words before "--" by f, but with files where f has nothing that fits; after "--" stands
// somebody else's command line, which the shell completes. cobra adds a "--" of its own before the word that is
// completed, so the first word after the user's "--" cannot be told from one before it, and is completed by f.
func beforeDash(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if cmd.ArgsLenAtDash() < len(args) { // cobra's "--" is at len(args)
			return nil, cobra.ShellCompDirectiveDefault
		}
		list, _ := f(cmd, args, typed)
		return list, cobra.ShellCompDirectiveDefault
	}
}

// atMostOne offers nothing more once there is an argument.
func atMostOne(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return f(cmd, args, typed)
	}
}

// described returns a word with its description, on one line.
func described(word, about string) string {
	return word + "\t" + strings.Join(strings.Fields(about), " ")
}

// grammarNames returns the published grammars by the names that are typed.
func grammarNames() (list []string) {
	for _, g := range bnfcheck.Grammars() {
		list = append(list, described(short(g.Name), g.Title))
	}
	return list
}

// rfcWords returns the values of --rfc, each [described].
func rfcWords() []string {
	list := append(grammarNames(), described("both", "RFC 1630 and RFC 1738"))
	if len(both()) < len(bnfcheck.Grammars()) {
		list = append(list, described("all", "the draft and RFC 3986 too"))
	}
	return list
}

// references returns the built-in grammars without a parser, which others are only compared with. One whose file
// cannot be read is offered without its title; commands that use it report the error.
func references() (list []string) {
	for _, name := range bnf.References() {
		title := name
		if src, err := bnf.Load(name); err == nil {
			title = src.Text.Title
		}
		list = append(list, described(name, title+", to compare with"))
	}
	return list
}

// productions returns the IDs of the grammars' productions, each with the line that the first grammar with it prints.
func (r *rfcs) productions() (list []string) {
	seen := map[string]bool{}
	for _, g := range *r {
		for _, p := range g.Productions() {
			if !seen[p.ID] {
				seen[p.ID] = true
				list = append(list, described(p.ID, p.Printed))
			}
		}
	}
	return list
}

// schemes returns the schemes that have a production in any of the grammars.
func (r *rfcs) schemes() (list []string) {
	for _, g := range *r {
		for _, scheme := range g.Schemes {
			if !slices.Contains(list, scheme.Name) {
				list = append(list, scheme.Name)
			}
		}
	}
	return list
}

// readings returns the IDs of the readings of the grammars.
func (r *rfcs) readings() (list []string) {
	for _, e := range r.ledger() {
		list = append(list, described(e.ID, e.ReadAs))
	}
	return list
}

// ledger returns the readings of all these grammars. A grammar whose file cannot be read adds none; commands that use
// it report the error.
func (r *rfcs) ledger() (list []bnf.Reading) {
	for _, g := range *r {
		if src, err := bnf.Load(g.Name); err == nil {
			list = append(list, src.Readings...)
		}
	}
	return list
}

// claimIDs returns the IDs of the grammars' claims for completion, each [described] by its claim. It does not
// decide the claims; a grammar whose claims cannot be read has none.
func (r *rfcs) claimIDs() (list []string) {
	for _, g := range *r {
		if of, err := claims.Undecided(g.Name); err == nil {
			for _, c := range of {
				list = append(list, described(c.ID, c.Says))
			}
		}
	}
	return list
}

// readingSwitches returns values of --reading: each reading that decides which strings are derived, ID=on for one that
// is off and ID=off for one that is on.
func readingSwitches() (list []string) {
	all := rfcs(bnfcheck.Grammars())
	for _, e := range all.ledger() {
		if e.Kind == bnf.Strings {
			opposite := "=on"
			if e.On {
				opposite = "=off"
			}
			list = append(list, described(e.ID+opposite, e.ReadAs))
		}
	}
	return list
}

// topicNames returns the names of the rows of the summary that diff makes without arguments.
func topicNames() []string {
	all := both()
	return append(all.schemes(), "generic", "url")
}

// productionNames returns every built-in production as GRAMMAR#PRODUCTION.
func productionNames() (list []string) {
	for _, g := range bnfcheck.Grammars() {
		for _, p := range g.Productions() {
			list = append(list, described(g.Name+"#"+p.ID, p.Printed))
		}
	}
	for _, name := range bnf.References() {
		if src, err := bnf.Load(name); err == nil {
			for _, r := range src.Text.Rules {
				list = append(list, described(name+"#"+r.ID, r.Printed))
			}
		}
	}
	return list
}

// ruleIDs returns the IDs of the rules of package semantic.
func ruleIDs() (list []string) {
	for _, r := range semantic.Rules() {
		list = append(list, described(r.ID, r.Title))
	}
	return list
}

// adapterNames returns the names of all adapters, whether what they need is installed or not.
func adapterNames() (list []string) {
	for _, a := range adapters.All() {
		list = append(list, described(a.Name, a.Parser))
	}
	return list
}

// didYouMean adds to an error about an unknown name the known names that are nearest to it: at most two edits away, and
// for a short name fewer. If none is near the error comes back unchanged. Known names may have a description after a
// tab, as completion wants it.
func didYouMean(err error, name string, known ...func() []string) error {
	// The most edits, and then the least found so far. A name of one or two letters is near to too many.
	most := min(2, len(name)/3)
	var near []string
	for _, list := range known {
		for _, k := range list() {
			k, _, _ = strings.Cut(k, "\t")
			n := levenshtein.ComputeDistance(name, k)
			switch {
			case n > most || slices.Contains(near, k):
				continue
			case n < most:
				most, near = n, nil
			}
			near = append(near, k)
		}
	}
	if len(near) == 0 {
		return err
	}
	return fmt.Errorf("%w. Did you mean %s?", err, strings.Join(near, " or "))
}
