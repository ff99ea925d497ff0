package render_test

import (
	"bytes"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/check/render"
)

// A summary is refused, or read as what is written again in the same way.
func FuzzReadSummary(f *testing.F) {
	for _, seed := range []string{
		`{"grammars":["rfc1738"],"urls":1,"skipped":0,"schemes":[{"scheme":"http","verdicts":{"rfc1738":{"conforming":1}}}],"findings":[]}`,
		`{"grammars":[],"urls":-1}`, `{"grammars":["rfc1630","rfc1630"]}`, `[]`, "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tally, err := render.ReadSummary(bytes.NewReader(text))
		if err != nil {
			return
		}
		once := render.AppendSummaryJSON(nil, tally)
		again, err := render.ReadSummary(bytes.NewReader(once))
		if err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", text, once, err)
		}
		if twice := render.AppendSummaryJSON(nil, again); !bytes.Equal(once, twice) {
			t.Errorf("%q is written as %q, then as %q", text, once, twice)
		}
	})
}
