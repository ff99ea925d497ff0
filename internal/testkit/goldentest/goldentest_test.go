package goldentest

import (
	"flag"
	"fmt"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// A recorder is a test whose failure is looked at.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Error(args ...any) { r.said += fmt.Sprint(args...) }
func (r *recorder) FailNow()          { runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) {
	r.Error(fmt.Sprintf(format, args...))
	r.FailNow()
}

// check returns what Check complains about, with and without -update.
func check(t *testing.T, updating bool, sections ...Section) string {
	r := &recorder{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func(was bool) { _ = flag.Set("update", strconv.FormatBool(was)) }(Update())
		_ = flag.Set("update", strconv.FormatBool(updating))
		Check(r, "case.golden", sections...)
	}()
	<-done
	return r.said
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	must.Do(t, os.WriteFile("go.mod", []byte("module m\n"), 0o666))
	const first = "made by: X=1 go test ./. -run TestCheck -update\n"
	const golden = first + "A remark.\n\n-- input --\na\n-- input b --\nb\n-- one --\n1\n-- two --\n"
	for _, c := range []struct {
		name    string
		file    string
		outputs []Section
		says    string // without -update
		writes  string // with it; "" for the same complaint
	}{
		{"equal", golden, []Section{{"one", "1\n"}, {"two", ""}}, "", golden},
		{"another text", golden, []Section{{"one", "2\n"}, {"two", ""}}, "-1\n+2",
			strings.Replace(golden, "1\n-- t", "2\n-- t", 1)},
		{"one more", golden, []Section{{"one", "1\n"}, {"two", ""}, {"three", "3\n"}}, "+-- three --",
			golden + "-- three --\n3\n"},
		{"one fewer", golden, []Section{{"one", "1\n"}}, "--- two --", strings.TrimSuffix(golden, "-- two --\n")},
		{"no file", "", []Section{{"one", "1\n"}}, "fixture not found",
			"made by: go test ./. -run TestCheck -update\n-- one --\n1\n"},
		{"another command", "made by: hand\n-- one --\n1\n", []Section{{"one", "1\n"}}, "-made by: hand",
			"made by: go test ./. -run TestCheck -update\n-- one --\n1\n"},
		{"no newline", golden, []Section{{"one", "1"}}, "without a newline", ""},
		{"a marker", golden, []Section{{"one", "-- two --\n"}}, "with a line like -- NAME --", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			os.Remove("case.golden")
			if c.file != "" {
				must.Do(t, os.WriteFile("case.golden", []byte(c.file), 0o666))
			}
			if said := check(t, false, c.outputs...); (said == "") != (c.says == "") || !strings.Contains(said, c.says) {
				t.Errorf("says %q, want %q", said, c.says)
			}
			said := check(t, true, c.outputs...)
			if c.writes == "" {
				if !strings.Contains(said, c.says) {
					t.Errorf("with -update: says %q, want %q", said, c.says)
				}
				return
			}
			if got, err := os.ReadFile("case.golden"); string(got) != c.writes || said != "" {
				t.Errorf("writes %q, want %q; %v, %s", got, c.writes, err, said)
			}
			if said := check(t, false, c.outputs...); said != "" {
				t.Errorf("after -update: says %q", said)
			}
		})
	}
}
