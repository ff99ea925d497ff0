//go:build unix

package conform

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// TestMain makes the test binary a child itself, where the environment names a behavior.
func TestMain(m *testing.M) {
	if how := os.Getenv("CONFORM_CHILD"); how != "" {
		misbehave(how)
		return
	}
	os.Exit(m.Run())
}

// misbehave answers that every input is accepted, with the input as its host, but for inputs that begin with "!": on these
// it does what the rest of the input says. How is what it does all the time.
func misbehave(how string) {
	switch how {
	case "exits at once":
		os.Exit(3)
	case "closes its input":
		os.Stdin.Close()
		time.Sleep(time.Minute)
	case "never reads":
		time.Sleep(time.Minute)
	case "prints without being asked":
		fmt.Println("ready")
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var q struct {
			ID    int
			Input *string
			Base  []byte `json:"base64"`
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		w := string(q.Base)
		if q.Input != nil {
			w = *q.Input
		}
		host, _ := json.Marshal(quote.Word(w))
		good := fmt.Sprintf(`{"id":%d,"accepted":true,"components":{"host":%s}}`, q.ID, host)
		switch strings.TrimPrefix(w, "!") {
		case "exit":
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(3)
		case "exit after the answer":
			fmt.Println(good)
			os.Exit(0)
		case "is killed":
			syscall.Kill(os.Getpid(), syscall.SIGTERM)
			select {}
		case "hang":
			time.Sleep(time.Minute)
		case "hang with a child of its own":
			cmd := exec.Command("sleep", "60")
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			cmd.Start()
			os.WriteFile(os.Getenv("CONFORM_PID"), fmt.Append(nil, cmd.Process.Pid), 0o600)
			time.Sleep(time.Minute)
		case "garbage":
			fmt.Println("hello")
		case "not UTF-8":
			fmt.Println("\xff")
		case "empty line":
			fmt.Println()
		case "no verdict":
			fmt.Printf("{\"id\":%d}\n", q.ID)
		case "verdict in words":
			fmt.Printf("{\"id\":%d,\"accepted\":\"yes\"}\n", q.ID)
		case "no id":
			fmt.Println(`{"accepted":true}`)
		case "unknown component":
			fmt.Printf("{\"id\":%d,\"accepted\":true,\"components\":{\"hostname\":\"h\"}}\n", q.ID)
		case "wrong id":
			fmt.Printf("{\"id\":%d,\"accepted\":true}\n", q.ID+1)
		case "line without end":
			for {
				if _, err := os.Stdout.WriteString(strings.Repeat("x", 4096)); err != nil {
					return
				}
			}
		case "answers twice":
			fmt.Printf("%s\n%s\n", good, good)
		case "half a line":
			fmt.Print(good[:10])
			time.Sleep(time.Minute)
		case "closes its output":
			os.Stdout.Close()
			time.Sleep(time.Minute)
		case "talks on standard error":
			fmt.Fprint(os.Stderr, strings.Repeat("blah\n", 100000))
			fmt.Println(good)
		case "undecided":
			fmt.Printf("{\"id\":%d,\"accepted\":null,\"error\":\"who knows\"}\r\n", q.ID)
		case "more members":
			fmt.Printf("{\"extra\":[1,2],\"components\":{\"host\":null,\"path\":{\"base64\":\"/w==\"}},\"accepted\":true,\"id\":%d}\n", q.ID)
		default:
			fmt.Println(good)
		}
	}
}
