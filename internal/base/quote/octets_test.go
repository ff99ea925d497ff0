package quote_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// One row a string: how it is written for people, and in each of the JSON forms.
func TestForms(t *testing.T) {
	for _, tt := range []struct {
		s, word, quoted, value, member string
	}{
		{"", `""`, `""`, `""`, `"m":""`},
		{"http://a/~b", `http://a/~b`, `"http://a/~b"`, `"http://a/~b"`, `"m":"http://a/~b"`},
		{"a b", `"a b"`, `"a b"`, `"a b"`, `"m":"a b"`},
		{`mailto:"@a`, `mailto:"@a`, "`mailto:\"@a`", `"mailto:\"@a"`, `"m":"mailto:\"@a"`},
		{`a"\`, `a"\`, "`a\"\\`", `"a\"\\"`, `"m":"a\"\\"`},
		{`"`, "`\"`", "`\"`", `"\""`, `"m":"\""`},
		{`'`, `"'"`, `"'"`, `"'"`, `"m":"'"`},
		{"`", "\"`\"", "\"`\"", "\"`\"", "\"m\":\"`\""},
		{"a`\"", "a`\"", "\"a`\\\"\"", "\"a`\\\"\"", "\"m\":\"a`\\\"\""},
		{"a \"\n", `"a \"\x0A"`, `"a \"\x0A"`, `"a \"\n"`, `"m":"a \"\u000a"`},
		{"a\n", `"a\x0A"`, `"a\x0A"`, `"a\n"`, `"m":"a\u000a"`},
		{"\x7f", `"\x7F"`, `"\x7F"`, "\"\x7f\"", `"m":"\u007f"`},
		{"\u202e\u20ac", `"\xE2\x80\xAE\xE2\x82\xAC"`, `"\xE2\x80\xAE\xE2\x82\xAC"`, "\"\u202e\u20ac\"",
			`"m":"\u202e\u20ac"`},
		{"\U0001F600", `"\xF0\x9F\x98\x80"`, `"\xF0\x9F\x98\x80"`, "\"\U0001F600\"", `"m":"\ud83d\ude00"`},
		{"\ufffd", `"\xEF\xBF\xBD"`, `"\xEF\xBF\xBD"`, "\"\ufffd\"", `"m":"\ufffd"`},
		{"a\xff", `"a\xFF"`, `"a\xFF"`, `{"base64":"Yf8="}`, `"m_base64":"Yf8="`},
	} {
		if got := quote.Word(tt.s).String(); got != tt.word {
			t.Errorf("%q as a word: %s, want %s", tt.s, got, tt.word)
		}
		quoted := quote.Quote(tt.s)
		if back, err := strconv.Unquote(quoted); quoted != tt.quoted || err != nil || back != tt.s {
			t.Errorf("%q quoted: %s, want %s; unquoted: %q, %v", tt.s, quoted, tt.quoted, back, err)
		}
		value, err := json.Marshal(quote.Word(tt.s))
		var w quote.Word
		if err != nil || string(value) != tt.value {
			t.Errorf("%q as a JSON value: %s, %v; want %s", tt.s, value, err, tt.value)
		} else if err := json.Unmarshal(value, &w); err != nil || string(w) != tt.s {
			t.Errorf("%s read again: %q, %v", value, w, err)
		}
		member := string(quote.AppendMember(nil, "m", tt.s))
		var object struct {
			Text   *string `json:"m"`
			Base64 []byte  `json:"m_base64"`
		}
		if member != tt.member {
			t.Errorf("%q as a JSON member: %s, want %s", tt.s, member, tt.member)
		} else if err := json.Unmarshal([]byte("{"+member+"}"), &object); err != nil {
			t.Errorf("%s: %v", member, err)
		} else if got, ok := quote.Join(object.Text, object.Base64); !ok || got != tt.s {
			t.Errorf("%s read again: %q, %v", member, got, ok)
		}
		if got, ok := quote.Join(quote.Split(tt.s)); !ok || got != tt.s {
			t.Errorf("%q, split and joined: %q, %v", tt.s, got, ok)
		}
		var ascii string
		if err := json.Unmarshal(quote.AppendASCII(nil, tt.value), &ascii); tt.value[0] == '"' && (err != nil || ascii != tt.s) {
			t.Errorf("%s in ASCII: %q, %v", tt.value, ascii, err)
		}
	}
}

func TestWhatIsNoWord(t *testing.T) {
	for _, text := range []string{`1`, `{}`, `{"base64":1}`, `{"base64":"?"}`, `[]`} {
		var w quote.Word
		if err := json.Unmarshal([]byte(text), &w); err == nil {
			t.Errorf("%s is read as %q", text, w)
		}
	}
	both := "a"
	if s, ok := quote.Join(&both, []byte("b")); ok {
		t.Errorf("text and base64: %q", s)
	}
	if s, ok := quote.Join(nil, nil); ok {
		t.Errorf("neither text nor base64: %q", s)
	}
}
