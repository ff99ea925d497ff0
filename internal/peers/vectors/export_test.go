package vectors

import "testing"

// LimitSubsets lowers the limit on the states of the automaton of all mutants until the test ends.
func LimitSubsets(t *testing.T, n int) {
	old := maxSubsets
	t.Cleanup(func() { maxSubsets = old })
	maxSubsets = n
}
