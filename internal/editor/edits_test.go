package editor

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

// Edits lead to the text that each leads to when the lines are counted anew before it: at any place, outside of the
// text and with the end before the start too, whatever ends the lines.
func TestEditedText(t *testing.T) {
	rng := rand.New(rand.NewPCG(1630, 1738))
	parts := []string{"a", "b", "é", "😀", "\xff", "\n", "\r", "\r\n", "\n\n", "\n\r", ""}
	text := func(most int) string {
		var b strings.Builder
		for range rng.IntN(most + 1) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		return b.String()
	}
	for range 20_000 {
		want := text(12)
		utf8 := rng.IntN(2) == 0
		got := newEditedText(want, utf8)
		for range rng.IntN(6) {
			at := func() protocol.Position {
				return protocol.Position{Line: uint32(rng.IntN(8)), Character: uint32(rng.IntN(6))}
			}
			r, by, before := protocol.Range{Start: at(), End: at()}, text(4), want
			span := newLineIndex(want, utf8).span(r)
			want = want[:span.Start] + by + want[span.End:]
			got.replace(r, by)
			if got.String() != want || got.size != len(want) {
				t.Fatalf("%q, %v by %q: %q of %d bytes, want %q", before, r, by, got, got.size, want)
			}
		}
	}
}

// Many edits take memory in proportion to the text, from its beginning to its end and the other way.
func TestEditedTextIsLinear(t *testing.T) {
	const lines = 10_000
	text := strings.Repeat("rule = other\n", lines)
	for _, backward := range []bool{false, true} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		edited := newEditedText(text, false)
		for i := range uint32(lines) {
			if backward {
				i = lines - 1 - i
			}
			edited.replace(protocol.Range{
				Start: protocol.Position{Line: i},
				End:   protocol.Position{Line: i, Character: 4},
			}, "r")
		}
		got := edited.String()
		runtime.ReadMemStats(&after)
		if got != strings.Repeat("r = other\n", lines) {
			t.Errorf("backward %t: %.100q", backward, got)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 100*uint64(len(text)) {
			t.Errorf("backward %t: %d bytes for a text of %d", backward, took, len(text))
		}
	}
}
