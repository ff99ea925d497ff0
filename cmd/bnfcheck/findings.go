package main

import (
	"fmt"
	"path"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/spf13/cobra"
)

// A selection says which findings are to be shown.
type selection struct {
	off      bool
	severity *choice
	patterns []string
}

// addSelection gives cmd the flags --severity, --rule and --no-semantic.
func addSelection(cmd *cobra.Command) *selection {
	s := &selection{severity: &choice{"warning", []string{"note", "warning", "error"}}}
	flags := cmd.Flags()
	flags.Var(s.severity, "severity", "show findings from this `SEVERITY` on: note, warning, error")
	complete(cmd, "severity", s.severity.choices)
	flags.StringArrayVar(&s.patterns, "rule", nil, "show only findings of this `RULE`, whatever their severity; a * stands for any name; may be repeated")
	complete(cmd, "rule", ruleIDs)
	flags.BoolVar(&s.off, "no-semantic", false, "give the verdicts of the grammars alone, without findings and suggestions")
	cmd.MarkFlagsMutuallyExclusive("rule", "no-semantic")
	return s
}

// chosen returns the findings that the flags ask for, nil where they are switched off.
func (s *selection) chosen() (*semantic.Selection, error) {
	if s.off {
		return nil, nil
	}
	atLeast, err := semantic.ParseSeverity(s.severity.value)
	if err != nil {
		return nil, err
	}
	if len(s.patterns) == 0 {
		return semantic.Select(func(r semantic.Rule) bool { return r.Severity >= atLeast }), nil
	}
	rules := map[string]bool{}
	for _, pattern := range s.patterns {
		found := false
		for _, r := range semantic.Rules() {
			if ok, err := path.Match(pattern, r.ID); err != nil || ok {
				rules[r.ID], found = true, err == nil
			}
		}
		if !found {
			return nil, didYouMean(fmt.Errorf("no rule %s: see bnfcheck rules", ast.Quote(pattern)), pattern, ruleIDs)
		}
	}
	return semantic.Select(func(r semantic.Rule) bool { return rules[r.ID] }), nil
}
