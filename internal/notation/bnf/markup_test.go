package bnf

import (
	"runtime"
	"strings"
	"testing"
)

// An element that is passed over ends where its tag stands in the text, whatever letters with other lengths in lower
// case stand before; passing over thousands of them copies no text.
func TestSkippedElements(t *testing.T) {
	for _, c := range []struct{ text, next string }{
		{"<script>\u0130\u212a</SCRIPT>", "</SCRIPT>"},
		{"<style>a </b> </ style></style >", "</style >"},
		{"<style>not closed </styl", ""},
		{"<script>write('</scripted>')</script>", "</script>"},
	} {
		s := markupScanner{text: c.text, html: true}
		if _, ok := s.next(); !ok || c.text[s.at:] != c.next {
			t.Errorf("%q: it goes on with %q, not with %q", c.text, c.text[s.at:], c.next)
		}
	}
	// An instruction of XML ends at "?>"; HTML takes it for a comment up to ">".
	for html, want := range map[bool]string{false: `rfc a=">"`, true: `rfc a="`} {
		s := markupScanner{text: `<?rfc a=">"?>b`, html: html}
		if token, _ := s.next(); token.kind != markupComment || token.text != want {
			t.Errorf("html %v: %q, not %q", html, token.text, want)
		}
	}
	s := markupScanner{text: strings.Repeat("<STYLE></style>", 5000), html: true}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tokens := 0
	for {
		if _, ok := s.next(); !ok {
			break
		}
		tokens++
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; tokens != 10000 || took > 8<<20 {
		t.Errorf("%d tokens, and %d bytes for them", tokens, took)
	}
}
