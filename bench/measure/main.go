// Command measure makes the first tables of docs/speed.md again, with the newest version of every peer. Run it at the
// top of a clone:
//
//	go run ./bench/measure
//
// It generates the packages that bench/generated measures, asks the Go module proxy for the newest versions of the
// peers, runs bench/generated, and replaces what stands in docs/speed.md between the lines that say so: the table, the
// sentence with the versions, and the table of aims. With -pinned the versions stay those of bench/generated/go.mod.
//
// It takes some minutes, most of them for a peer that is slow. Nothing else should run on the machine meanwhile.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	page   = "docs/speed.md"
	folder = "bench/generated"
)

func main() {
	rounds := flag.String("rounds", "15", "how often every parser has its turn")
	pinned := flag.Bool("pinned", false, "measure the versions that "+folder+"/go.mod names")
	flag.Parse()
	if err := run(*rounds, *pinned); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// run writes the tables of the page. The order of its steps matters: go mod tidy wants the packages that are generated.
func run(rounds string, pinned bool) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	if _, err := goCommand("generate", "."); err != nil {
		return err
	}
	if !pinned {
		if err := takeNewest(); err != nil {
			return err
		}
	}
	modules, err := peers()
	if err != nil {
		return err
	}
	measured, err := goCommand("run", ".", "-rounds", rounds)
	if err != nil {
		return err
	}
	table, aims, ok := bytes.Cut(measured, []byte("\n\n"))
	if !ok {
		return fmt.Errorf("%s printed no two tables:\n%s", folder, measured)
	}
	parts := map[string]string{
		"the table":    string(table),
		"the versions": versions(modules, pinned),
		"the aims":     strings.TrimSuffix(string(aims), "\n"),
	}
	for name, part := range parts {
		if text, err = replace(text, name, part); err != nil {
			return err
		}
	}
	return os.WriteFile(page, text, 0o666)
}

// replace puts a part into a page, between the comments that name it.
func replace(page []byte, name, part string) ([]byte, error) {
	from, to := "<!-- "+name+", by go run ./bench/measure -->\n", "<!-- end of "+name+" -->\n"
	head, rest, found := strings.Cut(string(page), from)
	_, tail, ended := strings.Cut(rest, to)
	if !found || !ended {
		return nil, fmt.Errorf("there is no place for %s", name)
	}
	return []byte(head + from + part + "\n" + to + tail), nil
}

// A module is a peer's.
type module struct {
	Path, Version  string
	Main, Indirect bool
	Replace        *struct{ Path string }
}

// peers returns the modules that bench/generated requires, without that of this repository.
func peers() ([]module, error) {
	out, err := goCommand("list", "-m", "-json", "all")
	if err != nil {
		return nil, err
	}
	var list []module
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var m module
		if err := d.Decode(&m); err != nil {
			return nil, err
		}
		if !m.Main && !m.Indirect && m.Replace == nil {
			list = append(list, m)
		}
	}
	if len(list) < 2 {
		return nil, fmt.Errorf("%s requires %d peers", folder, len(list))
	}
	return list, nil
}

// takeNewest has bench/generated require the newest version of every peer.
func takeNewest() error {
	modules, err := peers()
	if err != nil {
		return err
	}
	args := []string{"get"}
	for _, m := range modules {
		args = append(args, m.Path+"@latest")
	}
	if _, err := goCommand(args...); err != nil {
		return err
	}
	_, err = goCommand("mod", "tidy")
	return err
}

// versions returns the sentences that name what was measured, a module a line.
func versions(modules []module, pinned bool) string {
	var names []string
	for _, m := range modules {
		names = append(names, m.Path+" "+m.Version)
	}
	last := len(names) - 1
	list := strings.Join(names[:last], ",\n") + " and\n" + names[last]
	day := time.Now().UTC().Format("2 January 2006")
	version := strings.Replace(runtime.Version(), "go", "Go ", 1)
	if pinned {
		return fmt.Sprintf("The peers that are not Go's own are %s.\nThey were measured on %s, with %s.", list, day, version)
	}
	const format = "The peers that are not Go's own are %s,\neach the newest that the Go module proxy had on %s, when they were " +
		"measured with %s."
	return fmt.Sprintf(format, list, day, version)
}

// goCommand runs the go command in bench/generated, shows its complaints, and returns what it prints.
func goCommand(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = filepath.FromSlash(folder), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s in %s: %w", args[0], folder, err)
	}
	return out, nil
}
