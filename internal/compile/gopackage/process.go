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
)

//go:embed serve.go.txt
var serveText string

// compile makes the program that answers for the package in a folder, in another folder. The package is compiled as it stands there, in
// its module; nothing is written beside it.
func compile(folder, into string) (program string, err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	path, err := goCommand(folder, "list", "-f", "{{.ImportPath}}", ".")
	if err != nil {
		return "", err
	}
	source := filepath.Join(into, "main.go")
	if err := os.WriteFile(source, []byte(strings.Replace(serveText, "IMPORT", strings.TrimSpace(path), 1)), 0o600); err != nil {
		return "", err
	}
	const below = "bnfcheck_verify" // a folder that there is for the compiler only
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(folder, below, "main.go"): source}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(into, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	program = filepath.Join(into, "package.exe")
	_, err = goCommand(folder, "build", "-overlay", list, "-o", program, "./"+below)
	return program, err
}

// goCommand runs the go command in a folder and returns its output.
func goCommand(folder string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = folder
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" {
			return "", fmt.Errorf("go %s: %s", args[0], text)
		}
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return out.String(), nil
}

// A process is a running program that answers for a package. It is started again after it has ended.
type process struct {
	program string
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
	cmd     *exec.Cmd

	productions int // that the package has, the zero one among them
}

// patience is how long a parser may take for one short string.
var patience = 20 * time.Second

func (c *process) start() (err error) {
	c.stderr.Reset()
	c.cmd = exec.Command(c.program)
	c.cmd.Stderr = &c.stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.cmd.Start(); err != nil {
		return err
	}
	c.out = bufio.NewReader(out)
	fields, err := c.line()
	if err == nil {
		c.productions, err = strconv.Atoi(strings.Join(fields, ""))
	}
	return err
}

// line reads an answer. Where there is none the process has ended, or is ended, and the error tells how.
func (c *process) line() ([]string, error) {
	late := time.AfterFunc(patience, func() { c.cmd.Process.Kill() })
	line, err := c.out.ReadString('\n')
	if late.Stop(); err == nil {
		return strings.Fields(line), nil
	}
	waited := c.cmd.Wait()
	c.cmd = nil
	complaint, _, _ := strings.Cut(strings.TrimSpace(c.stderr.String()), "\n")
	return nil, fmt.Errorf("the parser ends: %v: %.200s", waited, complaint)
}

func (c *process) stop() {
	if c.cmd != nil {
		c.in.Close()
		c.cmd.Wait()
	}
}

// An answer is what a package returns for a string.
type answer struct {
	accepts   bool
	nodes     []ast.Raw // nil if there is no tree
	explained ast.Kind
	offset    int
}

// ask returns the answer of the package.
func (c *process) ask(kind ast.Kind, w string) (a answer, err error) {
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return a, err
		}
	}
	if _, err := fmt.Fprintf(c.in, "%d %s\n", kind, strconv.QuoteToASCII(w)); err != nil {
		_, err = c.line()
		return a, err
	}
	fields, err := c.line()
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
			a.nodes = append(a.nodes, ast.Raw{Kind: ast.Kind(numbers[0]), Start: numbers[1], End: numbers[2], Next: numbers[3]})
		}
	default:
		return a, fmt.Errorf("the package: %s", strings.Join(fields, " "))
	}
	return a, nil
}
