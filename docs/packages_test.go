package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// This file makes a Go package of every RFC with ABNF in it, by the commands that a user types: init
// for the largest start of the text, the go:generate line that init has written, go vet and go test.
// The packages are in one module, and go vet and go test are called once for a batch of them. A run takes more than an hour;
// where BNFCHECK_PACKAGES names a file, what is found out is written there batch by batch, and a run that was stopped goes on.

// An outcome is what becomes of a text, in the order of the columns.
type outcome int

const (
	complete  outcome = iota // a package, without a stand-in
	stoodIn                  // a package in which stand-ins are assumed
	noStart                  // no production can be a start
	undecided                // refused with status 3, and what to do
	refused                  // refused with status 2, and what to do
	broken                   // anything else, which is a defect
	outcomes
)

var outcomeNames = [outcomes]string{"packages", "with stand-ins", "no production", "refused, status 3", "refused, status 2", "defects"}

// A packaged is a text on its way to a package.
type packaged struct {
	number  int
	start   string // the production that reaches most productions
	reaches int    // how many
	outcome outcome
	said    string        // the last lines of a refusal or a defect
	folder  string        // "" if there is none to test
	took    time.Duration // of processors, for init and generate
}

// largestStart returns the production that reaches most productions; the first of several.
func largestStart(g *expr.Grammar, own []*expr.Rule) (start string, reaches int) {
	for _, r := range own {
		if n := len(g.Reach(r.ID)); n > reaches {
			start, reaches = r.Name, n
		}
	}
	return start, reaches
}

// commandTime caps the time of a command that makes a package. It is generous, since two run at a time on a machine that
// may have other work.
const commandTime = 4 * time.Minute

// runIn runs a command in a folder, and returns its exit status and what it has printed.
func runIn(folder, name string, args ...string) (status int, out string) {
	status, out, _ = timedIn(folder, name, args...)
	return status, out
}

// timedIn is runIn, and returns the processor time that the command has taken.
func timedIn(folder, name string, args ...string) (status int, out string, took time.Duration) {
	ctx, stop := context.WithTimeout(context.Background(), commandTime)
	defer stop()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = folder
	both, err := c.CombinedOutput()
	if c.ProcessState != nil {
		took = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		return exit.ExitCode(), string(both), took
	}
	if err != nil {
		return -1, fmt.Sprintf("%s%v", both, err), took
	}
	return 0, string(both), took
}

// generateLine is the comment by which go generate makes a package.
var generateLine = regexp.MustCompile(`(?m)^//go:generate bnfcheck (generate .*)$`)

// generatePackage runs init and the go:generate line that it has written.
func (p *packaged) generatePackage(bin, text, module string) {
	name := fmt.Sprintf("rfc%d", p.number)
	run := func(folder, command string, args ...string) (status int, out string) {
		status, out, took := timedIn(folder, command, args...)
		p.took += took
		return status, out
	}
	args := []string{"init", text + "#" + p.start, "-o", name}
	status, out := run(module, bin, args...)
	p.outcome = complete
	if status != 0 && strings.Contains(out, " no production:") {
		status, out = run(module, bin, append(args, "--define-missing", "any")...)
		p.outcome = stoodIn
	}
	folder := filepath.Join(module, name)
	if status == 0 {
		code, err := os.ReadFile(filepath.Join(folder, name+".go"))
		m := generateLine.FindSubmatch(code)
		if err != nil || m == nil {
			p.outcome, p.said = broken, "init has written no go:generate line"
			return
		}
		// The words of the line are quoted as in Go, so that a shell can read them but for "$" and "`".
		words := strings.NewReplacer("$", `\$`, "`", "\\`").Replace(string(m[1]))
		status, out = run(folder, "sh", "-c", bin+" "+words)
	}
	if status != 0 {
		p.said = lastSentence(out)
		switch status {
		case 2:
			p.outcome = refused
		case 3:
			p.outcome = undecided
		default:
			p.outcome = broken
		}
		if err := os.RemoveAll(folder); err != nil {
			p.outcome, p.said = broken, err.Error()
		}
		return
	}
	p.folder = folder
}

// remark matches a line that a command prints beside its error: what it has taken, assumed, or left out of the text.
var remark = regexp.MustCompile(`: (?:taken from|assumed:) |, and (?:is|are) left out: |that looks? like grammar (?:is|are) not read$`)

// lastSentence returns the line of a message that says what is wrong, without the folder of the text.
func lastSentence(out string) string {
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "bnfcheck: "); ok && !remark.MatchString(line) {
			return rest
		}
	}
	return strings.TrimSpace(out)
}

// checkTest returns what the test that init has written lacks: strings that are parsed, and ones that are refused. It is
// "" if it has both.
func (p *packaged) checkTest() string {
	tests, err := filepath.Glob(filepath.Join(p.folder, "rfc*_test.go"))
	if err != nil || len(tests) != 1 {
		return "init has written no test"
	}
	text, err := os.ReadFile(tests[0])
	switch {
	case err != nil:
		return err.Error()
	case !bytes.Contains(text, []byte(", true}")):
		return "the test has no string that is parsed"
	case !bytes.Contains(text, []byte(", false}")) && !bytes.Contains(text, []byte("no string")):
		return "the test has no string that is refused"
	}
	return ""
}

// makeBatch makes packages of some texts in a folder, as many at a time as there are processors.
func makeBatch(bin, folder, module string, batch []*packaged) {
	texts := make(chan *packaged)
	var working sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		working.Go(func() {
			for p := range texts {
				p.generatePackage(bin, filepath.Join(folder, fmt.Sprintf("rfc%d.txt", p.number)), module)
				if p.folder == "" {
					continue
				}
				if lacks := p.checkTest(); lacks != "" {
					p.outcome, p.said = broken, lacks
				}
			}
		})
	}
	for _, p := range batch {
		texts <- p
	}
	close(texts)
	working.Wait()
}

// testBatch runs go vet and go test of the packages of some texts, and marks those that fail.
func testBatch(module string, batch []*packaged) {
	for _, command := range []string{"vet", "test"} {
		args := []string{command}
		for _, p := range batch {
			if p.folder != "" && p.outcome <= stoodIn {
				args = append(args, "./"+filepath.Base(p.folder))
			}
		}
		if len(args) == 1 {
			return
		}
		c := exec.Command("go", args...)
		c.Dir = module
		out, err := c.CombinedOutput()
		if err == nil {
			continue
		}
		named := false
		for _, p := range batch {
			if p.folder == "" {
				continue
			}
			if name := filepath.Base(p.folder); regexp.MustCompile(`(?m)^(# |FAIL\s|vet: .*/)\S*\b` + name + `\b`).Match(out) {
				p.outcome, p.said = broken, fmt.Sprintf("go %s: %s", command, linesWith(string(out), name))
				named = true
			}
		}
		for _, p := range batch { // go says what is wrong with none of them by itself
			if !named && p.folder != "" {
				p.outcome, p.said = broken, fmt.Sprintf("go %s: %s", command, out)
			}
		}
	}
}

// linesWith returns a few lines that contain a word, or else the first few.
func linesWith(out, word string) string {
	var list []string
	for line := range strings.Lines(out) {
		if strings.Contains(line, word) || strings.Contains(line, "---") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return strings.Join(list[:min(len(list), 3)], "; ")
}

// batchSize is the number of texts whose packages one go vet, or go test, compiles.
const batchSize = 24

// TestPackages makes and tests a package of each RFC with ABNF, and holds the page about them.
func TestPackages(t *testing.T) {
	longtest.Need(t, "makes and tests a package of each RFC")
	folder := folderOfRFCs(t)
	module := packagesModule(t)
	bin := program(t)
	found := openRecords(t, bin)

	var all, waiting []*packaged
	for text := range textsWithABNF(t, folder) {
		p := &packaged{number: text.number, outcome: noStart}
		all = append(all, p)
		d, _, err := readDocument(text.name, text.src)
		if err != nil {
			p.said = err.Error()
			continue
		}
		if p.start, p.reaches = largestStart(d.grammar, d.rules); p.start != "" && !found.recall(p) {
			waiting = append(waiting, p)
		}
	}
	slices.SortFunc(all, func(a, b *packaged) int { return a.number - b.number })
	slices.SortFunc(waiting, func(a, b *packaged) int { return a.number - b.number })
	for batch := range slices.Chunk(waiting, batchSize) {
		makeBatch(bin, folder, module, batch)
		testBatch(module, batch)
		for _, p := range batch {
			found.record(t, p)
			must.Do(t, os.RemoveAll(p.folder))
		}
	}
	good, some := 0, 0
	for _, p := range all {
		if p.start == "" {
			continue
		}
		some++
		if p.outcome <= stoodIn {
			good++
		}
		if p.outcome >= undecided {
			t.Logf("rfc%d#%s: %s: %s", p.number, p.start, outcomeNames[p.outcome], quote.Bounded(p.said))
		}
		if p.outcome == broken {
			t.Errorf("rfc%d#%s ends with neither a package nor a refusal: %s", p.number, p.start, quote.Bounded(p.said))
		}
	}
	if good*100 < some*97 {
		t.Errorf("%d of %d texts have a tested package", good, some)
	}
	page := read(t, "rfcs.md")
	page = tableOfPackages.ReplaceAllLiteralString(page, packagesTable(all))
	page = tableOfRefusals.ReplaceAllLiteralString(page, refusalsTable(all))
	goldentest.Whole(t, "rfcs.md", page)
}

var (
	tableOfPackages = regexp.MustCompile(`(?ms)^\| RFCs \| texts .*?\n\n`)
	tableOfRefusals = regexp.MustCompile(`(?ms)^\| refused because .*?\n\n`)
)

// packagesTable returns the table of outcomes by thousands of RFCs.
func packagesTable(all []*packaged) string {
	var rows [11][outcomes]int
	for _, p := range all {
		rows[p.number/1000][p.outcome]++
		rows[10][p.outcome]++
	}
	var out strings.Builder
	out.WriteString("| RFCs | texts | " + strings.Join(outcomeNames[:], " | ") + " |\n|---" + strings.Repeat("|---", int(outcomes)+1) + "|\n")
	for i, row := range rows {
		sum := 0
		for _, n := range row {
			sum += n
		}
		if sum == 0 {
			continue
		}
		title := fmt.Sprintf("%d to %d", i*1000, i*1000+999)
		if i == 10 {
			title = "all"
		}
		fmt.Fprintf(&out, "| %s | %d", title, sum)
		for _, n := range row {
			fmt.Fprintf(&out, " | %d", n)
		}
		out.WriteString(" |\n")
	}
	return out.String() + "\n"
}

// causes classifies refusals, by what their sentences contain.
var causes = []struct{ cause, says string }{
	{"the package would be larger than `--limit-go`", "KB of Go"},
	{"a limit on steps, states or memory was passed", "--limit-"},
	{"the production derives no string", "derives no"},
}

// refusalsTable returns the table of texts that were refused, by cause.
func refusalsTable(all []*packaged) string {
	by := map[string][]string{}
	var order []string
	for _, p := range all {
		if p.outcome != undecided && p.outcome != refused {
			continue
		}
		cause := strings.ReplaceAll(pathOfText.ReplaceAllString(p.said, ""), "|", `\|`)
		for _, c := range causes {
			if strings.Contains(p.said, c.says) {
				cause = c.cause
				break
			}
		}
		if by[cause] == nil {
			order = append(order, cause)
		}
		by[cause] = append(by[cause], fmt.Sprintf("%d `%s`", p.number, p.start))
	}
	var out strings.Builder
	out.WriteString("| refused because | texts |\n|---|---|\n")
	for _, cause := range order {
		fmt.Fprintf(&out, "| %s | %s |\n", cause, layout.List(by[cause], "and"))
	}
	return out.String() + "\n"
}

// pathOfText matches the place with which a message begins.
var pathOfText = regexp.MustCompile(`^\S*rfc\d+\.(txt|abnf):(\d+:\d+: )?`)

// A known is a text that a person would begin with, and the production to begin at.
type known struct {
	title  string
	number int
	start  string
}

var knownTexts = []known{
	{"iCalendar, RFC 5545", 5545, "icalobject"},
	{"SIP, RFC 3261", 3261, "SIP-message"},
	{"IMAP4rev1, RFC 3501, commands", 3501, "command"},
	{"IMAP4rev1, RFC 3501, responses", 3501, "response"},
	{"IMAP4rev2, RFC 9051, responses", 9051, "response"},
	{"HTTP, RFC 9110, Accept", 9110, "Accept"},
	{"HTTP/1.1, RFC 9112", 9112, "HTTP-message"},
	{"CoAP link format, RFC 6690", 6690, "Link"},
	{"vCard, RFC 6350", 6350, "vcard-entity"},
	{"URN, RFC 8141", 8141, "namestring"},
	{"SDP, RFC 8866", 8866, "session-description"},
	{"structured fields, RFC 8941, lists", 8941, "sf-list"},
	{"structured fields, RFC 8941, dictionaries", 8941, "sf-dictionary"},
}

var (
	tableOfKnown = regexp.MustCompile(`(?ms)^\| grammar \| start .*?\n\n`)
	kindOf       = regexp.MustCompile(`(?m)^\tKind\w+(?: ast\.Kind = iota \+ 1)?$`)
	notProven    = regexp.MustCompile(`(?m)^//   - The general parser derives (\d+) production`)
	assumedLine  = regexp.MustCompile("(?m)^//   - assumed: `")
)

// TestKnownPackages makes and tests packages of the texts that a person would begin with, and holds their table.
func TestKnownPackages(t *testing.T) {
	longtest.Need(t, "makes and tests packages of known RFCs")
	folder := folderOfRFCs(t)
	module := packagesModule(t)
	bin := program(t)
	page := read(t, "rfcs.md")
	old := map[string][]string{} // the cells of a row, by its start
	for line := range strings.Lines(tableOfKnown.FindString(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			old[strings.TrimSpace(cells[1])] = cells
		}
	}
	var table strings.Builder
	table.WriteString("| grammar | start | seconds | KB of Go | productions | proven | stand-ins |\n|---|---|---|---|---|---|---|\n")
	for _, k := range knownTexts {
		inner := filepath.Join(module, fmt.Sprintf("%d-%s", k.number, k.start))
		must.Do(t, os.MkdirAll(inner, 0o777))
		p := &packaged{number: k.number, start: k.start}
		p.generatePackage(bin, filepath.Join(folder, fmt.Sprintf("rfc%d.txt", k.number)), inner)
		if p.folder == "" {
			t.Errorf("%s: %s", k.title, p.said)
			continue
		}
		if lacks := p.checkTest(); lacks != "" {
			t.Errorf("%s: %s", k.title, lacks)
		}
		for _, command := range []string{"vet", "test"} {
			if status, out := runIn(p.folder, "go", command, "."); status != 0 {
				t.Errorf("%s: go %s: %s", k.title, command, out)
			}
		}
		size := 0
		for _, name := range must.Of(filepath.Glob(filepath.Join(p.folder, "*.go")))(t) {
			if !strings.HasSuffix(name, "_test.go") {
				size += int(must.Of(os.Stat(name))(t).Size())
			}
		}
		grammar := string(must.Of(os.ReadFile(filepath.Join(p.folder, "grammar.go")))(t))
		seconds := fmt.Sprintf("%.1f", p.took.Seconds())
		if cells := old[k.title]; cells != nil && !goldentest.Update() { // measured, and not compared
			seconds = strings.TrimSpace(cells[3])
		}
		if k.number == compiledRFC {
			checkCompiling(t, p.folder, size)
		}
		all := len(kindOf.FindAllString(grammar, -1))
		proven := all
		for _, m := range notProven.FindAllStringSubmatch(grammar, -1) {
			proven -= must.Of(strconv.Atoi(m[1]))(t)
		}
		if proven <= 0 || proven > all {
			t.Errorf("%s: %d of %d productions are counted as proven", k.title, proven, all)
		}
		fmt.Fprintf(&table, "| %s | `%s` | %s | %d | %d | %d | %d |\n", k.title, k.start, seconds, size>>10, all, proven, len(assumedLine.FindAllString(grammar, -1)))
	}
	goldentest.Whole(t, "rfcs.md", tableOfKnown.ReplaceAllLiteralString(page, table.String()+"\n"))
}

// compiledRFC is the RFC of whose package generate.md says what it costs to compile.
const compiledRFC = 3261

// compilingSentence is that sentence: types, kilobytes, a date, seconds, megabytes.
var compilingSentence = regexp.MustCompile("with (\\d+) types of nodes, has (\\d+) KB of Go without its test; on (.+? \\d+), it\ntook the compiler " +
	"(\\d+\\.\\d) s of processor time and (\\d+) MB\\b")

// checkCompiling holds the sentence in generate.md on what a package costs to compile, which has size bytes. Its types and size
// have to be as stated. With -update the test writes what it has measured, with the date; without, what it measures may be at
// most twice the time stated, and a quarter more memory: the machine may be another one.
func checkCompiling(t *testing.T, folder string, size int) {
	t.Helper()
	nodes := must.Of(os.ReadFile(filepath.Join(folder, "nodes.go")))(t)
	types := bytes.Count(nodes, []byte("struct{ ast.Typed }\n"))
	took, memory := compilePackage(t, folder)
	page := read(t, guide)
	m := compilingSentence.FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("%s does not say what it costs to compile a large package", guide)
	}
	if goldentest.Update() {
		made := fmt.Sprintf("with %d types of nodes, has %d KB of Go without its test; on %s, it\ntook the compiler %.1f s of processor time and %d MB",
			types, size>>10, time.Now().Format("2 January 2006"), took.Seconds(), memory>>20)
		must.Do(t, os.WriteFile(guide, []byte(compilingSentence.ReplaceAllLiteralString(page, made)), 0o666))
		return
	}
	seconds, megabytes := must.Of(strconv.ParseFloat(m[4], 64))(t), must.Of(strconv.Atoi(m[5]))(t)
	if m[1] != strconv.Itoa(types) || m[2] != strconv.Itoa(size>>10) || took.Seconds() > 2*seconds || int(memory>>20) > megabytes*5/4 {
		t.Errorf("%s says %q; there are %d types in %d KB, which take %.1f s and %d MB", guide, m[0], types, size>>10, took.Seconds(), memory>>20)
	}
}

// compilePackage runs the Go compiler on the package in a folder, and returns the processor time and the memory that it has taken.
func compilePackage(t *testing.T, folder string) (took time.Duration, memory int64) {
	t.Helper()
	// The names of the files with what the package imports, as the go command has compiled it.
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", ".")
	list.Dir = folder
	imports := filepath.Join(t.TempDir(), "importcfg")
	must.Do(t, os.WriteFile(imports, must.Of(list.Output())(t), 0o666))
	args := []string{"tool", "compile", "-p", "compiled", "-importcfg", imports, "-o", os.DevNull}
	for _, name := range must.Of(filepath.Glob(filepath.Join(folder, "*.go")))(t) {
		if !strings.HasSuffix(name, "_test.go") {
			args = append(args, name)
		}
	}
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), peakMemory(c.ProcessState)
}

// packagesModule returns a new module that has this one, as it is here.
func packagesModule(t *testing.T) string {
	module := t.TempDir()
	root := must.Of(filepath.Abs(".."))(t)
	must.Do(t, os.WriteFile(filepath.Join(module, "go.mod"), fmt.Appendf(nil,
		"module example.com/packages\n\ngo 1.26.0\n\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", modulePath, root), 0o666))
	return module
}
