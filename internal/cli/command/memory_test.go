package command

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// numberedURLs is a list of different URLs, of which a part is rejected and another has findings. It measures the
// memory that is in use at a tenth of the list and at its end.
type numberedURLs struct {
	lines, next int
	early, late uint64
	rest        string
}

func (n *numberedURLs) Read(p []byte) (int, error) {
	if n.rest == "" {
		if n.next == n.lines {
			n.late = inUse()
			return 0, io.EOF
		}
		if n.next == n.lines/10 {
			n.early = inUse()
		}
		var b strings.Builder
		for range min(100, n.lines-n.next) {
			n.next++
			fmt.Fprintf(&b, "http://host%d.dom/%s\n", n.next, []string{"a", "~b", "%7e", "a;b"}[n.next%4])
		}
		n.rest = b.String()
	}
	k := copy(p, n.rest)
	n.rest = n.rest[k:]
	return k, nil
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// What a command makes is gone when it has ended: a process may run as many commands as it likes, as tests do. The
// completions that cobra keeps for ever are registered only for a shell that asks for them.
func TestCommandsLeaveNothing(t *testing.T) {
	const commands = 20
	runAll := func() {
		for range commands {
			if status := run([]string{"version"}, strings.NewReader(""), io.Discard, io.Discard); status != statusOK {
				t.Fatalf("status %d", status)
			}
		}
	}
	runAll() // what is made once is made
	before := inUse()
	runAll()
	after := inUse()
	const most = 20 << 10 // a command tree has 400 KB
	if left := int64(after) - int64(before); left > commands*most {
		t.Errorf("%d commands left %d bytes; want at most %d for each", commands, left, most)
	}
}

// check takes no more memory for a list than for a tenth of it, in any format.
func TestConstantMemory(t *testing.T) {
	longtest.Need(t, "it checks lists of 300,000 lines")
	longtest.Sequential(t)
	lines := longtest.Size(30_000, 300_000)
	for _, args := range []string{"--format text", "--format json", "--format tsv", "--format sarif", "--format junit", "--format markdown",
		"--format junit -g rfc1738#url"} {
		if !strings.Contains(args, "-g") {
			args += " --rfc 1738 --no-semantic" // findings and suggestions take time, and are kept with the verdict
		}
		t.Run(args, func(t *testing.T) {
			list := &numberedURLs{lines: lines}
			var stderr strings.Builder
			status := run(append([]string{"check", "-f", "-"}, strings.Fields(args)...), list, io.Discard, &stderr)
			if status != statusNegative || list.next != lines {
				t.Fatalf("status %d after %d lines: %s", status, list.next, &stderr)
			}
			const room = 24 << 20 // parts, names and batches are not always equally full
			t.Logf("%.1f MB after a tenth, %.1f MB at the end", float64(list.early)/1e6, float64(list.late)/1e6)
			if list.late > list.early+room {
				t.Errorf("%d bytes in use after a tenth of the list, %d at its end", list.early, list.late)
			}
		})
	}
}
