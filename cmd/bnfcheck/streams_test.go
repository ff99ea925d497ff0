package main

import (
	"bytes"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/layout"
)

func TestWantsColour(t *testing.T) {
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
		if onTerminal, onPipe := wantsColour(getenv, true), wantsColour(getenv, false); onTerminal != c.terminal || onPipe != c.pipe {
			t.Errorf("%q: colour on a terminal %t, on a pipe %t; want %t, %t", c.env, onTerminal, onPipe, c.terminal, c.pipe)
		}
	}
}

func TestWidth(t *testing.T) {
	for columns, want := range map[string]int{"": 0, "60": 60, "0": 0, "-3": 0, "wide": 0} {
		if got := width(columns, &bytes.Buffer{}); got != want {
			t.Errorf("COLUMNS=%q: %d, want %d", columns, got, want)
		}
	}
	if os.Getenv("COLUMNS") == "" && isTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is taken for a terminal")
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain":            "plain",
		"café":             "café",
		"a\x1b[2Jb":        `a\x1B[2Jb`,
		"\xff":             `\xFF`,
		"\u202egnp.exe":    `\xE2\x80\xAEgnp.exe`,
		"one\n\ttwo\r\x00": "one\n\ttwo" + `\x0D\x00`,
	} {
		if got := layout.Printable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Progress appears late, is overwritten in place, and leaves nothing behind.
func TestProgress(t *testing.T) {
	var w bytes.Buffer
	clock := time.Unix(0, 0)
	s := &streams{err: &w, progress: true}
	p := newProgress(s, false, check.Sources{{Size: 1000}, {Size: 1000}})
	p.now = func() time.Time { return clock }
	p.start, p.next = clock, clock.Add(progressDelay)
	for range 10 {
		clock = clock.Add(90 * time.Millisecond)
		p.add(&check.Batch{URLs: 9, Read: 100})
	}
	p.end()
	want := "\r\x1b[K36 URLs, 0.0 MB, 100 URLs/s, 20%" +
		"\r\x1b[K54 URLs, 0.0 MB, 100 URLs/s, 30%" +
		"\r\x1b[K72 URLs, 0.0 MB, 100 URLs/s, 40%" +
		"\r\x1b[K90 URLs, 0.0 MB, 100 URLs/s, 50%" +
		"\r\x1b[K"
	if w.String() != want {
		t.Errorf("%q\nwant\n%q", &w, want)
	}

	w.Reset()
	for name, p := range map[string]*progress{
		"no terminal":                 newProgress(&streams{err: &w}, true, nil),
		"results on the same one":     newProgress(&streams{err: &w, progress: true, outIsTerminal: true}, false, nil),
		"over before it would appear": newProgress(s, false, nil),
	} {
		p.add(&check.Batch{})
		p.end()
		if w.Len() > 0 {
			t.Errorf("%s: %q", name, &w)
		}
	}
}

func TestVersion(t *testing.T) {
	for _, c := range []struct {
		main     string
		settings string
		want     string
	}{
		{"v1.2.3", "", "v1.2.3 (go1.26)"},
		{"(devel)", "", "devel (go1.26)"},
		{"(devel)", "vcs.revision=0123456789abcdef vcs.time=2026-01-02T03:04:05Z vcs.modified=true", "devel 0123456789ab modified, 2026-01-02T03:04:05Z (go1.26)"},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26"}
		info.Main.Version = c.main
		for _, kv := range strings.Fields(c.settings) {
			k, v, _ := strings.Cut(kv, "=")
			info.Settings = append(info.Settings, debug.BuildSetting{Key: k, Value: v})
		}
		if got := versionOf(info); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.main, c.settings, got, c.want)
		}
	}
}
