package inspect

import "encoding/json"

// Octets is a string of bytes. As JSON it is a string whose character at an index is the byte at that index
// (U+0000 to U+00FF), so that offsets mean the same in JavaScript, and bytes that are no text can be shown.
// If it is longer than the page shows, U+2026 replaces the rest.
type Octets string

const cut = '…'

// MarshalJSON returns the form that is described at [Octets].
func (o Octets) MarshalJSON() ([]byte, error) {
	shown := make([]rune, 0, min(len(o), maxShown)+1)
	for i := range min(len(o), maxShown) {
		shown = append(shown, rune(o[i]))
	}
	if len(o) > maxShown {
		shown = append(shown, cut)
	}
	return json.Marshal(string(shown))
}

// clip cuts a message that quotes a long string.
func clip(message string) string {
	if len(message) <= maxShown {
		return message
	}
	return message[:maxShown] + string(cut)
}

// A List holds the first of many entries, and counts them all.
type List[T any] struct {
	Count   int `json:"count"`
	Entries []T `json:"entries"`
}

// add makes an entry where there is still room for it.
func (l *List[T]) add(entry func() T) {
	l.Count++
	if len(l.Entries) < maxEntries {
		l.Entries = append(l.Entries, entry())
	}
}
