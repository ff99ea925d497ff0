package editor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A trace is a recorded conversation: a message a line, with an arrow in front that tells who said it. The folder of the
// conversation is FOLDER in it, and the process of the editor 1. A message is JSON with its members sorted.
const (
	fromEditor = "--> "
	fromServer = "<-- "
)

// traceFile is what Neovim and the server said to each other in TestNeovim.
const traceFile = "testdata/neovim.trace"

// A recorder writes a trace.
type recorder struct {
	mu     sync.Mutex
	out    io.Writer
	folder string
}

// record adds a message.
func (r *recorder) record(arrow string, message json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.out, "%s%s\n", arrow, asRecorded(message, r.folder))
}

// process matches the number of the editor's process.
var process = regexp.MustCompile(`"processId":\d+`)

// asRecorded returns a message as a trace has it.
func asRecorded(message json.RawMessage, folder string) string {
	var v any
	if err := json.Unmarshal(message, &v); err != nil {
		return err.Error()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	text := process.ReplaceAllString(strings.TrimSpace(b.String()), `"processId":1`)
	return strings.ReplaceAll(text, folder, "FOLDER")
}

// serveRecorded is [Serve], with the conversation in a file.
func serveRecorded(in io.Reader, out io.Writer, o Options, file, folder string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	r := &recorder{out: f, folder: folder}
	toServer, heard := io.Pipe()
	said, fromServing := io.Pipe()
	// relay hands messages on, until one side ends.
	relay := func(arrow string, in io.Reader, out io.Writer) {
		messages := bufio.NewReader(in)
		for {
			var message json.RawMessage
			if (codec{}).ReadObject(messages, &message) != nil {
				return
			}
			r.record(arrow, message)
			if (codec{}).WriteObject(out, message) != nil {
				return
			}
		}
	}
	go func() {
		relay(fromEditor, in, heard)
		heard.Close()
	}()
	var writing sync.WaitGroup
	writing.Go(func() { relay(fromServer, said, out) })
	err = Serve(context.Background(), toServer, fromServing, o)
	fromServing.Close()
	writing.Wait()
	return err
}

// TestTrace has the editor's side of the recorded conversation said again. The server answers as it did: everything
// that it said comes again, before the editor says what it said next. Only diagnostics may come that did not come then,
// of versions that Neovim had left behind before these were known.
func TestTrace(t *testing.T) {
	folder := must.Of(filepath.EvalSymlinks(t.TempDir()))(t)
	must.Do(t, os.WriteFile(filepath.Join(folder, "mail.abnf"), []byte(neovimText), 0o644))
	toServer, editor := io.Pipe()
	said, fromServing := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(t.Context(), toServer, fromServing, Options{Log: testLog{t}})
		fromServing.Close()
	}()
	answers := make(chan string, 1000)
	go func() {
		defer close(answers)
		for messages := bufio.NewReader(said); ; {
			var message json.RawMessage
			if (codec{}).ReadObject(messages, &message) != nil {
				return
			}
			answers <- asRecorded(message, folder)
		}
	}()
	var heard []string // and not yet expected
	expect := func(want string) {
		late := time.After(patience)
		for {
			if i := slices.Index(heard, want); i >= 0 {
				heard = slices.Delete(heard, i, i+1)
				return
			}
			select {
			case got, ok := <-answers:
				if !ok {
					t.Fatalf("the server ended, and did not say\n%s\nbut\n%s", want, strings.Join(heard, "\n"))
				}
				heard = append(heard, got)
			case <-late:
				t.Fatalf("the server did not say\n%s\nbut\n%s", want, strings.Join(heard, "\n"))
			}
		}
	}
	asked, answered := 0, 0
	for line := range strings.Lines(string(must.Of(os.ReadFile(traceFile))(t))) {
		line = strings.TrimSpace(line)
		if message, ok := strings.CutPrefix(line, fromServer); ok {
			expect(message)
			answered++
			continue
		}
		message, ok := strings.CutPrefix(line, fromEditor)
		if !ok {
			t.Fatalf("what is %q?", line)
		}
		must.Do(t, codec{}.WriteObject(editor, json.RawMessage(strings.ReplaceAll(message, "FOLDER", folder))))
		asked++
	}
	select {
	case err := <-ended:
		must.Do(t, err)
	case <-time.After(patience):
		t.Fatal("the server does not end")
	}
	for got := range answers {
		heard = append(heard, got)
	}
	for _, got := range heard {
		if !strings.Contains(got, `"method":"textDocument/publishDiagnostics"`) {
			t.Errorf("the server said, too: %s", got)
		}
	}
	if asked < 10 || answered < 8 {
		t.Errorf("%d messages and %d answers", asked, answered)
	}
}

// What the documentation shows of the conversation is in it, each line whole.
func TestTraceInDocs(t *testing.T) {
	trace := strings.Split(string(must.Of(os.ReadFile(traceFile))(t)), "\n")
	shown := 0
	for line := range strings.Lines(string(must.Of(os.ReadFile("../../docs/editor.md"))(t))) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, fromEditor) && !strings.HasPrefix(line, fromServer) {
			continue
		}
		shown++
		if !slices.Contains(trace, line) {
			t.Errorf("docs/editor.md shows what the trace does not have: %s", line)
		}
	}
	if shown < 4 {
		t.Errorf("docs/editor.md shows %d messages", shown)
	}
}

// keepTrace makes a recorded conversation the one that TestTrace replays, if files are to be written.
func keepTrace(t *testing.T, file string) {
	t.Helper()
	text := must.Of(os.ReadFile(file))(t)
	if goldentest.Update() {
		must.Do(t, os.WriteFile(traceFile, text, 0o644))
	}
	if n := bytes.Count(text, []byte("\n")); n < 15 {
		t.Errorf("%d messages were recorded:\n%s", n, text)
	}
}
