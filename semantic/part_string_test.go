package semantic

import (
	"fmt"
	"testing"
)

// TestPartPrints wants a part as a node is printed, safe for a terminal, and an absent part told from an empty one.
func TestPartPrints(t *testing.T) {
	tests := []struct {
		part any
		want string
	}{
		{Part{Raw: "host.dom", start: 7, present: true}, `7..15 "host.dom"`},
		{Part{Raw: "\x1b", present: true}, `0..1 "\x1B"`},
		{Part{start: 6, present: true}, `6..6 ""`},
		{Part{}, "absent"},
		{Host{Part: Part{Raw: "a", present: true}}, `0..1 "a"`},
		{[]Part{{}, {Raw: "b", start: 2, present: true}}, `[absent 2..3 "b"]`},
	}
	for _, test := range tests {
		if got := fmt.Sprint(test.part); got != test.want {
			t.Errorf("%s; want %s", got, test.want)
		}
	}
}
