package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A command that writes a file and reaches a limit leaves nothing beside it, at whatever step the limit is.
func TestALimitLeavesNoFile(t *testing.T) {
	grammar := filepath.Join(t.TempDir(), "g.abnf")
	var pairs []string
	for i := 0x21; i < 0x7d; i += 2 {
		pairs = append(pairs, fmt.Sprintf("%%x%x s %%x%x", i, i+1))
	}
	must.Do(t, os.WriteFile(grammar, []byte("s = *( "+strings.Join(pairs, " / ")+" )\n"), 0o666))
	limited := 0
	for _, command := range []string{
		"vectors RULE -o FILE", "vectors RULE --format jsonl -o FILE", "peg RULE -o FILE", "regexp --nesting 1 RULE -o FILE", "report GRAMMAR -o FILE",
	} {
		limits := []int{100, 10_000, 1_000_000}
		if command == "vectors RULE -o FILE" {
			limits = append(limits, budget.DefaultSteps) // is reached when half of the file is written
		}
		for _, steps := range limits {
			folder := t.TempDir()
			var args []string
			for _, a := range strings.Fields(command) {
				switch a {
				case "GRAMMAR":
					a = grammar
				case "RULE":
					a = grammar + "#s"
				case "FILE":
					a = filepath.Join(folder, "file.html")
				}
				args = append(args, a)
			}
			args = append(args, "--limit-steps", fmt.Sprint(steps))
			if status := run(args, strings.NewReader(""), io.Discard, io.Discard); status == statusOpen {
				limited++
			}
			for _, f := range must.Of(os.ReadDir(folder))(t) {
				if f.Name() != "file.html" {
					t.Errorf("%v leaves %s", args, f.Name())
				}
			}
		}
	}
	if limited < 6 {
		t.Errorf("only %d runs reached a limit", limited)
	}
}
