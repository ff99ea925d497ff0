package regex

import (
	"os/exec"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// Missing returns what is not installed of a command that answers for an engine: the program, or the package of npm that
// testdata/python.js runs. It is "" if nothing is missing, and for Go, which has no command.
func Missing(command []string) string {
	if command == nil {
		return ""
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return command[0]
	}
	if len(command) > 2 && command[1] == "testdata/python.js" {
		name := "python" + command[2]
		if exec.Command("node", "-e", `require.resolve("`+name+`")`).Run() != nil {
			return name + " of npm"
		}
	}
	return ""
}

// NeedEngine skips a test where something of a command is missing, or fails it where all engines are to be there.
func NeedEngine(t *testing.T, command []string) {
	t.Helper()
	if what := Missing(command); what != "" {
		longtest.Missing(t, what)
	}
}
