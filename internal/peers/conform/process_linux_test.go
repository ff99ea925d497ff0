package conform

import (
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// starts has a goroutine for ever, which is not one that a test leaves.
func init() { starts() }

// A child that does not read its input ends with a parent that is killed.
func TestChildOfAKilledParent(t *testing.T) {
	if in := os.Getenv("CONFORM_PARENT"); in != "" { // this is the parent
		c, err := NewCommand("child", []string{"sh", "-c", "echo $$ >" + in + ".new; mv " + in + ".new " + in + "; exec sleep 300"}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		c.Ask(t.Context(), "x")
		return
	}
	self := must.Of(os.Executable())(t)
	file := filepath.Join(t.TempDir(), "pid")
	parent := exec.Command(self, "-test.run", "^TestChildOfAKilledParent$")
	parent.Env = append(os.Environ(), "CONFORM_PARENT="+file)
	must.Do(t, parent.Start())
	var pid []byte
	for deadline := time.Now().Add(20 * time.Second); len(pid) == 0 && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		pid, _ = os.ReadFile(file)
	}
	parent.Process.Kill()
	parent.Wait()
	if len(pid) == 0 {
		t.Fatal("no child was started")
	}
	gone(t, strings.TrimSpace(string(pid)))
}
