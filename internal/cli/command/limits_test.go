package command

import (
	"bytes"
	"fmt"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What a limit refuses is refused on every machine, and whatever the process did before: the answers around each
// limit are the same where the heap is full, where there are more cores, and where they are asked for again.
func TestLimitsAreNotTheMachine(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	text := "r0 = \"a\"\n"
	for i := range 13 {
		text += fmt.Sprintf("r%d = r%d \"c\" r%[2]d / r%[2]d\n", i+1, i)
	}
	list := strings.Repeat("aca\nb~\nacac\n", 20)
	for name, text := range map[string]string{"g.abnf": text, "g.peg": "a <- \"b\"* \"c\"\n", "a.abnf": "a = *\"b\" \"c\"\n", "list": list} {
		must.Do(t, os.WriteFile(in(name), []byte(text), 0o666))
	}
	answers := func() (all []string) {
		for _, args := range [][]string{
			{"check", "-g", in("g.abnf#r12"), "-f", in("list")}, {"fix", "-g", in("g.abnf#r7"), "b~"},
			{"generate", in("g.abnf#r4"), "-o", in("made")}, {"prove", in("a.abnf"), in("g.peg")},
		} {
			for _, limit := range []string{"--limit-memory=1", "--limit-steps=200", "--limit-steps=3000", "--limit-steps=20000", "--limit-states=3"} {
				os.RemoveAll(in("made"))
				var out, msg bytes.Buffer
				status := run(append(args, limit), strings.NewReader(""), &out, &msg)
				all = append(all, fmt.Sprintf("%v %s: status %d\n%s%s", args, limit, status, &out, &msg))
			}
		}
		return all
	}
	want := answers()
	refused := 0
	for _, text := range want {
		if strings.Contains(text, "too large") {
			refused++
		}
	}
	if refused < 5 || refused > len(want)-5 {
		t.Errorf("%d of %d are refused: the limits are not where the answers are", refused, len(want))
	}
	ballast := make([]byte, 400<<20)
	runtime.GC()
	for _, cores := range []int{1, 8} {
		old := runtime.GOMAXPROCS(cores)
		for i, got := range answers() {
			if got != want[i] {
				t.Errorf("with %d cores:\n%s\nbefore:\n%s", cores, got, want[i])
			}
		}
		runtime.GOMAXPROCS(old)
	}
	runtime.KeepAlive(ballast)
}
