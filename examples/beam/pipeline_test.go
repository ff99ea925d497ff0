package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

func TestMain(m *testing.M) { ptest.Main(m) }

// What the pipeline counts is what the command counts, to the last URL, under each choice of grammars.
func TestEqualsCommand(t *testing.T) {
	program := build(t)
	urls := list(t, longtest.Size(20_000, 1_000_000))
	in := parts(t, urls)
	for _, rfc := range []string{"1630,1738", "3986"} {
		t.Run(rfc, func(t *testing.T) {
			out := t.TempDir()
			before := time.Now()
			if err := run(t.Context(), filepath.Join(in, "*"), out, rfc); err != nil {
				t.Fatal(err)
			}
			piped := time.Since(before)
			got := read(t, filepath.Join(out, "summary.json"))
			want, alone := summary(t, program, in, rfc)
			if got != want {
				t.Errorf("the pipeline counts\n%s\nthe command\n%s", got, want)
			}
			t.Logf("%d URLs: the command takes %v of one core's time, the pipeline %v on all cores, with what it starts", len(urls), alone, piped)
			agree(t, want, read(t, filepath.Join(out, "hosts.tsv")), read(t, filepath.Join(out, "rejected.tsv")))
		})
	}
}

// agree checks that hosts and rejected URLs add up to what the summary counts of each grammar and verdict.
func agree(t *testing.T, text, hosts, rejected string) {
	t.Helper()
	var s struct {
		Schemes []struct{ Verdicts map[string]map[string]int }
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	all, negative := map[string]int{}, map[string]int{}
	for _, scheme := range s.Schemes {
		for g, verdicts := range scheme.Verdicts {
			for verdict, n := range verdicts {
				key := g + "\t" + verdict
				all[key] += n
				if verdict == "rejected" || verdict == "nul" || verdict == "too-long" {
					negative[key] += n
				}
			}
		}
	}
	byHost, listed := map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for line := range strings.Lines(hosts) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.Atoi(f[3])
		if key := strings.Join(f[:3], "\t"); err != nil || seen[key] {
			t.Fatalf("twice, or without a number: %q", line)
		} else {
			seen[key] = true
		}
		byHost[f[1]+"\t"+f[2]] += n
	}
	for line := range strings.Lines(rejected) {
		f := strings.SplitN(line, "\t", 6)
		if f[4] == "" {
			t.Errorf("rejected without a reason: %q", line)
		}
		listed[f[2]+"\t"+f[3]]++
	}
	if fmt.Sprint(byHost) != fmt.Sprint(all) {
		t.Errorf("hosts: %v, the summary: %v", byHost, all)
	}
	if fmt.Sprint(listed) != fmt.Sprint(negative) || len(negative) == 0 {
		t.Errorf("rejected: %v, the summary: %v", listed, negative)
	}
}

// Summaries add up to the same in any order and in any groups, and summaries of different grammars are an error.
func TestAdding(t *testing.T) {
	program := build(t)
	in := parts(t, list(t, 500))
	files, _ := filepath.Glob(filepath.Join(in, "*"))
	var sums [][]byte
	for _, file := range files[:3] {
		dir := t.TempDir()
		if err := os.Link(file, filepath.Join(dir, filepath.Base(file))); err != nil {
			t.Fatal(err)
		}
		text, _ := summary(t, program, dir, "1630,1738")
		sums = append(sums, []byte(text))
	}
	add := func(a, b []byte) []byte {
		t.Helper()
		sum, err := (&adding{}).MergeAccumulators(a, b)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	a, b, c := sums[0], sums[1], sums[2]
	want := add(add(a, b), c)
	for i, got := range [][]byte{add(a, add(b, c)), add(add(c, a), b), add(add(nil, add(b, a)), add(c, nil))} {
		if !bytes.Equal(got, want) {
			t.Errorf("in order %d:\n%s\nwant\n%s", i, got, want)
		}
	}
	other, _ := summary(t, program, in, "3986")
	for _, bad := range []string{other, "{", "[]"} {
		if _, err := (&adding{}).MergeAccumulators(a, []byte(bad)); err == nil {
			t.Errorf("added: %.40s", bad)
		}
	}
}

// What cannot be run is an error, and no result is written.
func TestWrongArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "not.gz")
	if err := os.WriteFile(file, []byte("http://a/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ input, output, rfc, fault string }{
		{"", "out", "1738", "no -input"},
		{file, "", "1738", "no -output"},
		{file, "out", "1737", "1737"},
		{file, "out", "1738,rfc1738", "twice"},
		{file + "*.missing", "out", "1738", "no files"},
		{file, "out", "1738", "gzip"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			if c.output != "" {
				c.output = filepath.Join(t.TempDir(), "out")
			}
			if err := run(t.Context(), c.input, c.output, c.rfc); err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%v, not %q", err, c.fault)
			}
			if text, err := os.ReadFile(filepath.Join(c.output, "summary.json")); err == nil {
				t.Errorf("written: %s", text)
			}
		})
	}
}

// list returns n lines: the URLs of the example and, where there is one, of the corpus, and what lists have beside URLs.
func list(t *testing.T, n int) []string {
	t.Helper()
	lines := strings.Split(read(t, filepath.Join("..", "urls.txt")), "\n")
	if dir := os.Getenv("BNFCHECK_CORPUS"); dir != "" {
		for line := range strings.Lines(read(t, filepath.Join(dir, "era.tsv"))) {
			url, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			lines = append(lines, url)
		}
	}
	lines = append(lines, "", "# a comment", "http://a\x00/", "http://a\xff/", "HTTP://Host.Example/\r", "ftp://h/"+strings.Repeat("x", 1<<20))
	for i := 0; len(lines) < n; i++ {
		lines = append(lines, lines[i])
		if len(lines[i]) > 1<<16 {
			lines[len(lines)-1] = "x:y" // one line that is too long is enough
		}
	}
	return lines
}

// parts writes lines to files, some compressed, and returns their folder. One begins with a byte order mark, one lacks the
// end of its last line, one is empty.
func parts(t *testing.T, lines []string) string {
	t.Helper()
	dir := t.TempDir()
	const files = 5
	for i := range files {
		text := []byte(strings.Join(lines[i*len(lines)/files:(i+1)*len(lines)/files], "\n"))
		name := fmt.Sprintf("part%d.txt", i)
		switch i {
		case 0:
			text = append([]byte("\xEF\xBB\xBF"), text...)
		case 1, 2:
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, err := w.Write(append(text, '\n'))
			if err := errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			name, text = name+".gz", b.Bytes()
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "empty.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// build compiles the command, as its own module has it, and returns its name.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bnfcheck")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/bnfcheck")
	cmd.Dir = filepath.Join("..", "..")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return program
}

// summary returns the summary that the command makes of the files of a folder, and the processor's time that it took.
func summary(t *testing.T, program, dir, rfc string) (string, time.Duration) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "summary.json")
	args := []string{"check", "--quiet", "--summary", out}
	if rfc == "3986" {
		args = append(args, "--rfc", rfc)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		args = append(args, "-f", file)
	}
	cmd := exec.Command(program, args...)
	said, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 {
		t.Fatalf("%v\n%s", err, said)
	}
	return read(t, out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
