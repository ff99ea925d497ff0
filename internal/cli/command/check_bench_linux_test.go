package command

import (
	"bufio"
	"bytes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkMillionURLs checks a list of a million URLs with the program itself, and takes as its yardstick what "wc -l"
// and a loop of net/url.Parse on one core take for the same list:
//
//	go test -run '^$' -bench MillionURLs -benchtime 5x ./internal/cli/command
//
// Of the times of all rounds the best counts, since nothing makes a program faster than it is. "ratio" is that of the
// time that passes, "cpu-ratio" that of the time of all cores. "MB" is the most memory that the program had, on this
// list and, as "MB/2", on half of it: the two differ by nothing that grows with the list.
func BenchmarkMillionURLs(b *testing.B) {
	program := must.Of(os.Executable())(b)
	folder := b.TempDir()
	link := filepath.Join(folder, "bnfcheck") // by this name TestMain makes it the program
	must.Do(b, os.Symlink(program, link))
	program = link
	part := bytes.SplitAfter(benchmarkList(b), []byte("\n"))
	write := func(name string, lines int) string {
		var list bytes.Buffer
		for i := range lines {
			list.Write(part[i%(len(part)-1)])
		}
		name = filepath.Join(folder, name)
		must.Do(b, os.WriteFile(name, list.Bytes(), 0o666))
		return name
	}
	list, half := write("million", 1_000_000), write("half", 500_000)

	best := func(c *cost, d cost) {
		if c.passed == 0 || d.passed < c.passed {
			c.passed = d.passed
		}
		if c.cpu == 0 || d.cpu < c.cpu {
			c.cpu = d.cpu
		}
	}
	start := func(args ...string) cost {
		cmd := exec.Command(args[0], args[1:]...)
		begin := time.Now()
		if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != statusNegative {
			b.Fatalf("%v: %v", args, err)
		}
		return cost{time.Since(begin), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	}
	for _, c := range []struct{ name, flag string }{
		{"with semantics", "--severity=warning"},
		{"without", "--no-semantic"},
	} {
		b.Run(c.name, func(b *testing.B) {
			var check, count, parse cost
			for b.Loop() {
				best(&check, start(program, "check", "--quiet", c.flag, "-f", list))
				best(&count, start("wc", "-l", list))
				best(&parse, parseAll(b, list))
			}
			b.ReportMetric(check.passed.Seconds(), "s")
			b.ReportMetric(check.passed.Seconds()/(count.passed+parse.passed).Seconds(), "ratio")
			b.ReportMetric(check.cpu.Seconds()/(count.cpu+parse.cpu).Seconds(), "cpu-ratio")
			b.ReportMetric(memory(b, list, program, "check", "--quiet", c.flag, "-f", "-"), "MB")
			b.ReportMetric(memory(b, half, program, "check", "--quiet", c.flag, "-f", "-"), "MB/2")
		})
	}
}

// A cost is the time that passes, and that of all cores.
type cost struct{ passed, cpu time.Duration }

// memory returns how many megabytes a program has had at most when it has read a list from its standard input.
func memory(b *testing.B, list string, args ...string) float64 {
	cmd := exec.Command(args[0], args[1:]...)
	in := must.Of(cmd.StdinPipe())(b)
	text := must.Of(os.ReadFile(list))(b)
	must.Do(b, cmd.Start())
	if _, err := in.Write(text); err != nil {
		b.Fatal(err)
	}
	status := must.Of(os.ReadFile(filepath.Join("/proc", strconv.Itoa(cmd.Process.Pid), "status")))(b)
	_ = in.Close()
	_ = cmd.Wait() // the list has rejected URLs
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	peak, _, _ = strings.Cut(peak, "kB")
	kilobytes := must.Of(strconv.Atoi(strings.TrimSpace(peak)))(b)
	return float64(kilobytes) / 1000
}

// parseAll parses each line of a file by net/url.
func parseAll(b *testing.B, name string) (d cost) {
	before := cpuTime(b)
	begin := time.Now()
	f := must.Of(os.Open(name))(b)
	defer f.Close()
	failed := 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if _, err := url.Parse(lines.Text()); err != nil {
			failed++
		}
	}
	must.Do(b, lines.Err())
	d.passed, d.cpu = time.Since(begin), cpuTime(b)-before
	return d
}

// cpuTime returns the time that this process has taken so far, of all cores.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
