package quote_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Every string comes back from each of its forms, and no form that people see has a character that moves a cursor.
func FuzzForms(f *testing.F) {
	f.Add("a`\"\\\xff\u202e\x00")
	f.Fuzz(func(t *testing.T, s string) {
		quoted := quote.Quote(s)
		if back, err := strconv.Unquote(quoted); err != nil || back != s {
			t.Errorf("%q is quoted %s, which is %q (%v)", s, quoted, back, err)
		}
		for _, text := range []string{quoted, quote.Word(s).String(), string(quote.AppendMember(nil, "m", s)), string(quote.AppendString(nil, s))} {
			for _, c := range []byte(text) {
				if c < ' ' || c > '~' {
					t.Fatalf("%q is written %q", s, text)
				}
			}
		}
		value, err := json.Marshal(quote.Word(s))
		var back quote.Word
		if err != nil || json.Unmarshal(value, &back) != nil || string(back) != s {
			t.Errorf("%q is %s in JSON, which is %q (%v)", s, value, back, err)
		}
		var member struct {
			M      *string `json:"m"`
			Base64 []byte  `json:"m_base64"`
		}
		must.Do(t, json.Unmarshal([]byte("{"+string(quote.AppendMember(nil, "m", s))+"}"), &member))
		if joined, ok := quote.Join(member.M, member.Base64); !ok || joined != s {
			t.Errorf("%q is read as %q", s, joined)
		}
	})
}
