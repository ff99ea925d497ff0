package command

import (
	"errors"
	"testing"
)

func TestDidYouMean(t *testing.T) {
	known := func() []string { return []string{"hostport", "host", "port\twhere", "ppath", "fpath", "x"} }
	for _, test := range []struct{ name, want string }{
		{"hostprt", "no. Did you mean hostport?"},
		{"hostports", "no. Did you mean hostport?"},
		{"hots", "no"}, // two edits, and four letters
		{"hist", "no. Did you mean host?"},
		{"prt", "no. Did you mean port?"},
		{"path", "no. Did you mean ppath or fpath?"},
		{"y", "no"},
		{"", "no"},
		{"something", "no"},
	} {
		err := errors.New("no")
		got := didYouMean(err, test.name, known, known)
		if got.Error() != test.want || !errors.Is(got, err) {
			t.Errorf("%q: %v, want %s", test.name, got, test.want)
		}
	}
}
