package gopackage

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
)

// This file runs a generated package in a process of its own, which a defect of the package can end or hang
// without harm. Requests and answers are lines. A request is a kind and a quoted string; serve.go.txt has the
// answers.

//go:embed serve.go.txt
var serveText string

// compileServer compiles the program that answers for the package in a folder, and returns its path in the
// folder into, where its source and an overlay stay too. The package is compiled as it stands there, in its
// module; nothing is written next to it. It fails if Go does not compile the package.
func compileServer(folder, into string) (program string, err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	path, err := goCommand(folder, nil, "list", "-f", "{{.ImportPath}}", ".")
	if err != nil {
		return "", err
	}
	source := filepath.Join(into, "main.go")
	text := strings.Replace(serveText, "IMPORT", strings.TrimSpace(path), 1)
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return "", err
	}
	// The program must be in the module of the package, to import it even if it is internal. An
	// overlay makes the compiler see its source in a folder below, which does not exist.
	const below = "bnfcheck_verify"
	seen := filepath.Join(folder, below, "main.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{seen: source}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(into, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	program = filepath.Join(into, "package.exe")
	_, err = goCommand(folder, nil, "build", "-overlay", list, "-o", program, "./"+below)
	return program, err
}

// goCommand runs the go command in a folder, with an environment or, if env is nil, that of this process, and returns
// its output. The error has all text that the command wrote to standard error or, if there is none or reading is
// confined ([infile.Confined]), how it ended: the command follows links, and quotes what it reads.
func goCommand(folder string, env []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = folder, env
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" && !infile.Confined() {
			return "", fmt.Errorf("go %s: %s", args[0], text)
		}
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return out.String(), nil
}

// A process answers for a package. Its program is started by the first question, and again by a
// question after it has ended. One goroutine at a time may use it.
type process struct {
	program string
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
	cmd     *exec.Cmd // nil if the program is not running

	productions int // of the package, with the zero one; set by start
}

// patience is how long a parser may take for one short string. Tests lower it.
var patience = 20 * time.Second

// start starts the program and reads its first line, the number of productions, into c.productions. It fails if the
// program does not start, ends, or says something else. In the last case it still runs, and stop ends it; in the
// others c.cmd is nil.
func (c *process) start() error {
	c.stderr.Reset()
	cmd := exec.Command(c.program)
	cmd.Stderr = &c.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c.cmd, c.in, c.out = cmd, in, bufio.NewReader(out)
	fields, err := c.readAnswer()
	if err == nil {
		c.productions, err = strconv.Atoi(strings.Join(fields, ""))
	}
	return err
}

// readAnswer returns the words of the next line. If none comes within patience, or the program has ended, it
// ends the program and fails with how it ended; c.cmd is then nil, so that the next question starts it again.
func (c *process) readAnswer() ([]string, error) {
	running := c.cmd.Process // of the timer too, which may still be at work when c.cmd is nil
	late := time.AfterFunc(patience, func() { running.Kill() })
	line, err := c.out.ReadString('\n')
	late.Stop()
	if err == nil {
		return strings.Fields(line), nil
	}
	ended := c.cmd.Wait() // without a limit: the program closes its output only by ending
	c.cmd = nil           // so the next question starts it again
	complaint, _, _ := strings.Cut(strings.TrimSpace(c.stderr.String()), "\n")
	return nil, fmt.Errorf("the parser ends: %v: %.200s", ended, complaint)
}

// stop ends the program, if it is running, by closing its input, and waits until it has ended, however long that
// takes. c must not be used again.
func (c *process) stop() {
	if c.cmd != nil {
		c.in.Close()
		c.cmd.Wait()
	}
}

// An answer is what a package returns for a string: a tree or an error.
type answer struct {
	accepts   bool
	nodes     []ast.Raw // nil if there is no tree
	explained ast.Kind  // the production that the error explains
	offset    int       // of the error
}

// ask returns the answer of the package for a string and a start. It starts the program if it is not running.
// It fails if the program cannot start, ends, takes too long, or answers something else, and if the parser
// neither accepts nor rejects the string because it passes a limit.
func (c *process) ask(kind ast.Kind, w string) (a answer, err error) {
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return a, err
		}
	}
	if _, err := fmt.Fprintf(c.in, "%d %s\n", kind, strconv.QuoteToASCII(w)); err != nil {
		_, err = c.readAnswer() // says how the program has ended
		return a, err
	}
	fields, err := c.readAnswer()
	if err != nil {
		return a, err
	}
	if len(fields) < 2 || fields[1] == "refused" {
		return a, fmt.Errorf("the package: %s", strings.Join(fields, " "))
	}
	a.accepts = fields[0] == "true"
	numbers := make([]int32, len(fields)-2)
	for i := range numbers {
		n, err := strconv.ParseInt(fields[i+2], 10, 32)
		if err != nil {
			return a, err
		}
		numbers[i] = int32(n)
	}
	switch {
	case fields[1] == "rejected" && len(numbers) == 2:
		a.explained, a.offset = ast.Kind(numbers[0]), int(numbers[1])
	case fields[1] == "tree" && len(numbers)%4 == 0:
		a.nodes = []ast.Raw{}
		for ; len(numbers) > 0; numbers = numbers[4:] {
			a.nodes = append(a.nodes, ast.Raw{
				Kind:  ast.Kind(numbers[0]),
				Start: numbers[1],
				End:   numbers[2],
				Next:  numbers[3],
			})
		}
	default:
		return a, fmt.Errorf("the package: %s", strings.Join(fields, " "))
	}
	return a, nil
}
