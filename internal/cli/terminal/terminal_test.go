package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestColor(t *testing.T) {
	for _, c := range []struct {
		env            string
		terminal, pipe bool
	}{
		{"", true, false},
		{"TERM=xterm", true, false},
		{"TERM=dumb", false, false},
		{"NO_COLOR=1", false, false},
		{"NO_COLOR=", true, false}, // no-color.org: "when present and not an empty string"
		{"FORCE_COLOR=1", true, true},
		{"FORCE_COLOR=1 NO_COLOR=1", true, true},
		{"FORCE_COLOR=1 TERM=dumb", true, true},
		{"FORCE_COLOR=0", false, false},
		{"FORCE_COLOR= NO_COLOR=1", false, false},
	} {
		env := map[string]string{}
		for _, kv := range strings.Fields(c.env) {
			k, v, _ := strings.Cut(kv, "=")
			env[k] = v
		}
		getenv := func(k string) string { return env[k] }
		if onTerminal, onPipe := Color(getenv, true), Color(getenv, false); onTerminal != c.terminal || onPipe != c.pipe {
			t.Errorf("%q: color on a terminal %t, on a pipe %t; want %t, %t", c.env, onTerminal, onPipe, c.terminal, c.pipe)
		}
	}
}

func TestWidth(t *testing.T) {
	for columns, want := range map[string]int{"": 0, "60": 60, "0": 0, "-3": 0, "wide": 0} {
		if got := Width(columns, &bytes.Buffer{}); got != want {
			t.Errorf("COLUMNS=%q: %d, want %d", columns, got, want)
		}
	}
	if Is(&bytes.Buffer{}) {
		t.Error("a buffer is taken for a terminal")
	}
}

// Progress appears after a delay, is overwritten in place, and leaves nothing behind.
func TestMeter(t *testing.T) {
	var w bytes.Buffer
	clock := time.Unix(0, 0)
	line := newLine(&w, func() time.Time { return clock })
	m := NewMeter(line, 2000)
	for range 10 {
		clock = clock.Add(90 * time.Millisecond)
		m.Add(9, 100)
	}
	line.End()
	want := "\r\x1b[K36 URLs, 0.0 MB, 100 URLs/s, 20%" +
		"\r\x1b[K54 URLs, 0.0 MB, 100 URLs/s, 30%" +
		"\r\x1b[K72 URLs, 0.0 MB, 100 URLs/s, 40%" +
		"\r\x1b[K90 URLs, 0.0 MB, 100 URLs/s, 50%" +
		"\r\x1b[K"
	if w.String() != want {
		t.Errorf("%q\nwant\n%q", &w, want)
	}

	w.Reset()
	for name, line := range map[string]*Line{"no terminal": NewLine(nil), "over before it would appear": NewLine(&w)} {
		NewMeter(line, 0).Add(1, 1)
		line.End()
		if w.Len() > 0 {
			t.Errorf("%s: %q", name, &w)
		}
	}
}
