package conform

import (
	"testing"
	"unicode/utf8"
)

// An answer of a program is refused, or says accepted, rejected or undecided, in text that is short enough to keep.
func FuzzParseAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"accepted":true,"components":{"host":"h","port":null}}`, `{"id":1,"accepted":null}`, `{"id":2,"accepted":true}`,
		`{"id":1,"accepted":false,"error":"no"}`, `{"id":1,"accepted":true,"components":{"userinfo":"a:b","query":"q"}}`, `{"id":1}`, "[]",
	} {
		f.Add([]byte(seed), "http://h/", false)
	}
	f.Fuzz(func(t *testing.T, line []byte, asked string, free bool) {
		var named []string
		if free {
			named = []string{"host", "a"}
		}
		a, err := parseAnswer(line, 1, named)
		if err != nil {
			if a.Verdict != NoAnswer || err.Error() == "" {
				t.Errorf("%q: %v with %v", line, a.Verdict, err)
			}
			return
		}
		if a.Verdict == NoAnswer || !utf8.Valid(line) {
			t.Errorf("%q: %v", line, a.Verdict)
		}
		for c, v := range a.kept(asked).Components {
			if len(v.Text) > keptText+keptEach*len(asked)+keptHead {
				t.Errorf("%q: component %d has %d bytes", line, c, len(v.Text))
			}
		}
	})
}
