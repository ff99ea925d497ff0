package vectors_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// A suite is refused with its name, or read; every string of it is at most as long as the suite.
func FuzzReadInputs(f *testing.F) {
	for _, seed := range []string{
		"# a comment\n+- http://h/\n-- \\xff\n", `{"header":{}}` + "\n" + `{"input":"a"}` + "\n" + `{"base64":"/w=="}`, "+ a\r\n\r\n", "{", "+", "+ \\x",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		inputs, err := vectors.ReadInputs("suite", bytes.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "suite:") {
				t.Errorf("%q: no place: %v", text, err)
			}
			return
		}
		for _, w := range inputs {
			if len(w) > 3*len(text) {
				t.Errorf("%q: a string of %d bytes", text, len(w))
			}
		}
	})
}

// A line that no vector can have is refused before it is read to its end.
func TestLongLine(t *testing.T) {
	_, err := vectors.ReadInputs("suite", strings.NewReader("+ a\n"+strings.Repeat("\x00", 9<<20)))
	if err == nil || !strings.Contains(err.Error(), "suite:2: a line of more than") {
		t.Error(err)
	}
}
