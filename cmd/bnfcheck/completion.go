package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/adapters"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/urls/claims"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// The words that a shell offers when a user presses TAB. A word may be followed by a tab and a description, which
// some shells show.

// words offers the words of lists, which are called after the flags before the cursor are read.
func words(list ...func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var all []string
		for _, f := range list {
			all = append(all, f()...)
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// complete lets the shell complete a flag's value. The only error would be that cmd has no such flag.
func complete(cmd *cobra.Command, flag string, list func() []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, words(list))
}

// completeFlags completes the flags that have no completion of their own: with files where a flag takes one, and only
// there.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, known := cmd.GetFlagCompletionFunc(f.Name); known || f.NoOptDefVal != "" {
			return
		}
		if value, _ := pflag.UnquoteUsage(f); value != "FILE" {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
		}
	})
	for _, sub := range cmd.Commands() {
		completeFlags(sub)
	}
}

// beforeDash completes what stands before "--" by f; after it stands somebody else's command line. Whether the word
// at the cursor is the first after it cannot be known, so that files are offered where f has nothing that fits.
func beforeDash(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if cmd.ArgsLenAtDash() < len(args) {
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

func described(word, about string) string {
	return word + "\t" + strings.Join(strings.Fields(about), " ")
}

func grammarNames() (list []string) {
	for _, g := range bnfcheck.Grammars() {
		list = append(list, described(short(g.Name), g.Title))
	}
	return list
}

// references returns the grammars that others are only compared with. One whose file cannot be read has no title here;
// commands that use it report the error.
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

// productions returns the IDs of the grammars' productions, each with the line that the first of them prints.
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

func (r *rfcs) readings() (list []string) {
	for _, e := range r.ledger() {
		list = append(list, described(e.ID, e.ReadAs))
	}
	return list
}

// ledger returns the readings of the grammars. A grammar whose file cannot be read has none here; commands that use
// it report the error.
func (r *rfcs) ledger() (list []bnf.Reading) {
	for _, g := range *r {
		if src, err := bnf.Load(g.Name); err == nil {
			list = append(list, src.Readings...)
		}
	}
	return list
}

func (r *rfcs) claims() (list []string) {
	for _, g := range *r {
		if of, err := claims.Undecided(g.Name); err == nil {
			for _, c := range of {
				list = append(list, described(c.ID, c.Says))
			}
		}
	}
	return list
}

// switches returns the readings that decide which strings are derived, with the state that they do not have.
func switches() (list []string) {
	all := rfcs(bnfcheck.Grammars())
	for _, e := range all.ledger() {
		if e.Kind == bnf.Strings {
			list = append(list, described(e.ID+map[bool]string{true: "=off", false: "=on"}[e.On], e.ReadAs))
		}
	}
	return list
}

// topics returns the rows of the summary that diff makes without arguments.
func topics() []string {
	all := both()
	return append(all.schemes(), "generic", "url")
}

// sides returns every production with the grammar that it stands in.
func sides() (list []string) {
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

func ruleIDs() (list []string) {
	for _, r := range semantic.Rules() {
		list = append(list, described(r.ID, r.Title))
	}
	return list
}

func adapterNames() (list []string) {
	for _, a := range adapters.All() {
		list = append(list, described(a.Name, a.Parser))
	}
	return list
}

// didYouMean adds to an error about a name the known names that are nearest to it, where any is near. Known names may
// have a description after a tab, as completion wants it.
func didYouMean(err error, name string, known ...func() []string) error {
	most := min(2, len(name)/3) // edits; a name of one or two letters is near to too many
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
