package semantic

import (
	"slices"
	"testing"
)

// A rule that no sentence states is left out of the list, so that it would never be applied.
func TestEveryWrittenRuleIsStated(t *testing.T) {
	for _, w := range writtenRules() {
		if !slices.ContainsFunc(rules, func(r Rule) bool { return r.ID == w.ID }) {
			t.Errorf("no sentence states the rule %s: it needs a row in the table of sentences of its text", w.ID)
		}
	}
}
