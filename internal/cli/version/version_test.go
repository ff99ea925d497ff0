package version

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		main     string
		settings string
		want     string
	}{
		{"v1.2.3", "", "v1.2.3 (go1.26)"},
		{"(devel)", "", "devel (go1.26)"},
		{"(devel)", "vcs.revision=0123456789abcdef vcs.time=2026-01-02T03:04:05Z vcs.modified=true",
			"devel 0123456789ab modified, 2026-01-02T03:04:05Z (go1.26)"},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26"}
		info.Main.Version = c.main
		for _, kv := range strings.Fields(c.settings) {
			k, v, _ := strings.Cut(kv, "=")
			info.Settings = append(info.Settings, debug.BuildSetting{Key: k, Value: v})
		}
		if got := describe(info); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.main, c.settings, got, c.want)
		}
	}
}
