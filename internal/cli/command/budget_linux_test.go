package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// measured is the program with a last act: it writes the most memory that it had, in KB, to a file. The system counts
// with a child what its parent had when it was started.
func measured() {
	setGarbageCollection()
	status := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kb, _, _ := strings.Cut(rest, " kB")
	if err := os.WriteFile(os.Getenv("BNFCHECK_PEAK"), []byte(kb), 0o666); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// A gauge measures runs of the program.
type gauge struct {
	folder, program, peak string
}

func newGauge(t *testing.T) *gauge {
	self := must.Of(os.Executable())(t)
	g := &gauge{folder: t.TempDir()}
	g.program, g.peak = filepath.Join(g.folder, "bnfcheck-measured"), filepath.Join(g.folder, "peak")
	must.Do(t, os.Symlink(self, g.program))
	return g
}

// run returns the exit status of a run, -1 if it was killed after two minutes, what it took, and what it wrote to
// standard error.
func (g *gauge) run(t *testing.T, args ...string) (status int, seconds, megabytes float64, complaint string) {
	cmd := exec.Command(g.program, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2", "BNFCHECK_PEAK="+g.peak)
	var errors strings.Builder
	cmd.Stderr = &errors
	watch := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	cmd.Run()
	watch.Stop()
	seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	text, err := os.ReadFile(g.peak)
	if err != nil { // the program was killed, or died
		return -1, seconds, 0, errors.String()
	}
	os.Remove(g.peak)
	kb := must.Of(strconv.Atoi(strings.TrimSpace(string(text))))(t)
	return cmd.ProcessState.ExitCode(), seconds, float64(kb) / 1024, errors.String()
}

// hostile are grammars that grow with a number, each with the sizes that are tried: the first every day. That is one
// which reaches a limit only where no lesser one shows how the time grows, since a run to a limit takes seconds.
var hostile = []struct {
	name  string
	sizes []int
	text  func(n int) string
}{
	{"doubling", []int{10, 14, 16, 28, 40}, func(n int) string { return doubling(n, "r%[1]d = r%[2]d \"c\" r%[2]d / r%[2]d\n") }},
	{"twice", []int{14, 20, 40}, func(n int) string { return doubling(n, "r%[1]d = r%[2]d r%[2]d\n") }},
	{"lists", []int{13, 15, 30}, func(n int) string { return doubling(n, "r%[1]d = [ r%[2]d *( \"%[1]d,\" r%[2]d ) ]\n") }},
	{"either", []int{60}, func(n int) string { return doubling(n, "r%[1]d = r%[2]d / r%[2]d\n") }},
	{"count", []int{20000, 1000, 1000000}, func(n int) string { return fmt.Sprintf("s = 1*%d\"a\"\n", n) }},
	{"exactly", []int{20000, 1000000}, func(n int) string { return fmt.Sprintf("s = %d\"a\"\n", n) }},
	{"alternatives", []int{2000, 20000}, func(n int) string { return "s = " + joined(n, " / ", "\"w%dx\"") + "\n" }},
	{"chain", []int{1000, 10000}, func(n int) string {
		return joined(n, "", "r%d = \"(\" r%d / \"x\"\n") + fmt.Sprintf("r%d = \"y\"\n", n)
	}},
	{"renamed", []int{400, 1000, 10000}, func(n int) string { return joined(n, "", "r%d = r%d\n") + fmt.Sprintf("r%d = \"y\"\n", n) }},
	{"literal", []int{20000, 100000, 1000000, 1000}, func(n int) string { return "s = \"" + strings.Repeat("ab", n/2) + "\"\n" }},
	{"code points", []int{100, 2000, 20000}, func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " / %%x%X-%X", 256+50*i, 276+50*i)
		}
		return "s = *( \"a\"" + b.String() + " )\n"
	}},
	{"exponential", []int{12, 20}, func(n int) string { return fmt.Sprintf("s = *(\"a\" / \"b\") \"a\" %d(\"a\" / \"b\")\n", n) }},
	{"cycle", []int{100, 1000, 10000}, func(n int) string { return fmt.Sprintf("s = *( %d\"a\" )\n", n) }},
	{"options", []int{50, 400, 2000}, func(n int) string { return "s = " + joined(n, " ", "[ \"w%dx\" ]") + "\n" }},
	{"rules", []int{100, 1000}, func(n int) string {
		return "s = " + joined(n, " / ", "r%d") + "\n" + joined(n, "", "r%d = \"w\" 1*%d\"a\"\n")
	}},
	{"tiny", []int{1000, 20000}, func(n int) string { return "s = " + joined(n, " / ", "r%d") + "\n" + joined(n, "", "r%d = \"w%d\"\n") }},
	{"counts", []int{150, 300, 1500}, func(n int) string { return joined(n, "", "r%d = 1*300\"a\" / r%d\n") + fmt.Sprintf("r%d = \"y\"\n", n) }},
	{"counts of counts", []int{150, 300}, func(n int) string { return fmt.Sprintf("s = 1*%[1]d( 1*%[1]d\"a\" \"b\" )\n", n) }},
	{"mutual", []int{60, 400}, func(n int) string {
		return joined(n, "", "r%d = \"(\" r%d \")\" / \"[\" r0 \"]\" / \"x\"\n") + fmt.Sprintf("r%d = \"y\"\n", n)
	}},
	{"values in one line", []int{20000, 200000}, func(n int) string { return "s = %b1111111" + strings.Repeat(".1111111", n-1) + "\n" }},
	{"counts in counts", []int{6, 8, 10}, func(n int) string {
		return "s = " + strings.Repeat("*3(", n) + "\"a\" / \"b\" \"c\"" + strings.Repeat(")", n) + "\n"
	}},
	{"words in steps", []int{1000, 20000}, func(n int) string { return "s = \"a\"\n" + joined(n, "", "s =/ \"w%d\"\n") }},
	{"the same twice", []int{400, 3000}, func(n int) string { return "s = " + strings.Repeat("s s / ", n) + "\"a\"\n" }},
	{"words that begin alike", []int{500, 1000}, func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " / \"%sw%d\"", strings.Repeat("x", i%300), i)
		}
		return "s =" + strings.TrimPrefix(b.String(), " /") + "\n"
	}},
	{"nested count", []int{5000}, func(n int) string { return fmt.Sprintf("s = [ s \"x\" ] 1*%d\"a\"\n", n) }},
}

// writePEG writes a PEG that is like a grammar but for the cases of letters, and has one count, and returns its name.
func writePEG(t *testing.T, g *gauge, text string) string {
	if text = strings.ReplaceAll(text, " = ", " <- "); regexp.MustCompile(`\d\(?"`).MatchString(text) {
		text = "s <- \"a\"+\n"
	}
	text = strings.Replace(strings.Replace(text, "*(", "(", 1), " )\n", " )*\n", 1)
	text = regexp.MustCompile(`%x(\w+)-(\w+)`).ReplaceAllStringFunc(text, func(s string) string {
		var from, to rune
		if fmt.Sscanf(s, "%%x%X-%X", &from, &to); !utf8.ValidRune(from) || !utf8.ValidRune(to) {
			return `"b"`
		}
		return fmt.Sprintf(`[\U%08x-\U%08x]`, from, to)
	})
	text = regexp.MustCompile(`%b[01.]+`).ReplaceAllStringFunc(text, func(s string) string {
		return strconv.Quote(strings.Repeat("\x7f", strings.Count(s, ".")+1))
	})
	file := filepath.Join(g.folder, "g.peg")
	must.Do(t, os.WriteFile(file, []byte("{\npackage p\n}\n"+text), 0o666))
	return file
}

func doubling(n int, line string) string {
	var b strings.Builder
	for i := n - 1; i > 0; i-- {
		fmt.Fprintf(&b, line, i, i-1)
	}
	return b.String() + "r0 = \"a\"\n"
}

// joined returns the texts for 0 to n-1, whose verbs are the number and the next one.
func joined(n int, by, text string) string {
	all := make([]string, n)
	for i := range all {
		if all[i] = fmt.Sprintf(text, i); strings.Count(text, "%d") > 1 {
			all[i] = fmt.Sprintf(text, i, i+1)
		}
	}
	return strings.Join(all, by)
}

// No grammar takes more than 512 MB, or 10 s of processor time and some more for what is loaded and cleared away,
// whatever the command; what passes a limit is undecided, and the complaint has the flag that raises it.
func TestGrammarBudgets(t *testing.T) {
	longtest.Sequential(t)
	g := newGauge(t)
	long := longtest.Enabled()
	for _, h := range hostile {
		for _, n := range h.sizes[:longtest.Size(1, len(h.sizes))] {
			t.Run(fmt.Sprintf("%s/%d", h.name, n), func(t *testing.T) {
				text := h.text(n)
				start, _, _ := strings.Cut(text, " ")
				file := filepath.Join(g.folder, "g.abnf")
				must.Do(t, os.WriteFile(file, []byte(text), 0o666))
				rule, out := file+"#"+start, filepath.Join(g.folder, "out")
				commands := [][]string{{"check", "-g", rule, "b~"}, {"fix", "-g", rule, "b~"}}
				// Another grammar of the family, of a lesser size and with other words.
				text2 := strings.ReplaceAll(h.text(n-1), "\"w", "\"w1")
				other := filepath.Join(g.folder, "h.abnf")
				must.Do(t, os.WriteFile(other, []byte(text2), 0o666))
				start2, _, _ := strings.Cut(text2, " ")
				if h.name == "alternatives" || h.name == "cycle" || h.name == "either" || long {
					commands = append(commands, []string{"diff", rule, other + "#" + start2})
				}
				if h.name == "twice" || long {
					commands = append(commands, []string{"peg", rule})
				}
				if long {
					commands = append(commands, []string{"parse", "-g", rule, "b~"}, []string{"regexp", rule}, []string{"lint", file}, []string{"generate", rule, "--package", "p", "-o", out},
						[]string{"generate", file, "--package", "p", "-o", out}, []string{"vectors", rule}, []string{"conform", rule, "--builtin", "net/url"},
						[]string{"diff", rule, rule}, []string{"diff", file, other}, []string{"report", "-o", out + ".html", file}, []string{"init", rule, "--name", "p", "-o", out},
						[]string{"explain", rule}, []string{"grammars", file}, []string{"prove", file, writePEG(t, g, text)},
						[]string{"prove", other, writePEG(t, g, text)}, []string{"prove", rule, "js:/^(w1?[0-9]+x)+$/"})
				}
				g.checkLimits(t, commands)
			})
		}
	}
	// Expressions have classes of hundreds of ranges, and counts in counts. The first runs every day, and so must be quick.
	expressions := []string{
		`js:/^(?:a?){300}a{300}$/`, `js:/^(?:\p{L}|\p{N}|\p{P}|\p{S})*\p{Lu}{1,40}$/u`, `js:/^((((((((((a?){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}$/`,
		`js:/(a|b|ab)*c(a|b|ab)*d(a|b|ab)*e(a|b|ab)*f/`, `js:/^(?=.*a.{20})(?=.*b.{20}).*$/`, `js:/^(?:[ab]*a[ab]{14})+$/`,
		`js:/^(?!.*(?:admin|root|guest|nobody))[a-z]{1,16}$/`,
		"js:/^(?!(?:" + joined(200, "|", "w%dx") + ")$)[a-z0-9]{1,64}$/",
	}
	for _, e := range expressions[:longtest.Size(1, len(expressions))] {
		t.Run(fmt.Sprintf("%.60s", e), func(t *testing.T) {
			commands := [][]string{{"lint", e}}
			if long {
				commands = append(commands, []string{"check", "-g", e, "aaaaaaaaaaaaab"}, []string{"diff", e, "rfc1738#httpurl"}, []string{"prove", "rfc1738#httpurl", e},
					[]string{"vectors", e}, []string{"conform", e, "--builtin", "net/url"}, []string{"generate", e, "--package", "p", "-o", filepath.Join(g.folder, "out")})
			}
			g.checkLimits(t, commands)
		})
	}
}

// chains are files in other notations than ABNF that grow with a number, each with the sizes that are tried: the first
// every day. Each rule uses the next one: looking anew, for each rule, at all that it uses takes quadratic time.
var chains = []struct {
	name, file string
	sizes      []int
	text       func(n int) string
}{
	{"exclusions", "g.ebnf", []int{300, 4000}, func(n int) string {
		return joined(n, "", "r%d ::= [#x1-#x10FFFF] - r%d\n") + fmt.Sprintf("r%d ::= \"a\"\n", n)
	}},
	{"lookaheads", "g.peg", []int{300, 10000}, func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "r%d <- &r%d r%d / \"x\"\n", i, i+1, i+1)
		}
		return fmt.Sprintf("%sr%d <- \"y\"\n", b.String(), n)
	}},
}

// No file in another notation takes more than 512 MB, or more than 12 s of processor time.
func TestChainBudgets(t *testing.T) {
	longtest.Sequential(t)
	g := newGauge(t)
	for _, c := range chains {
		for _, n := range c.sizes[:longtest.Size(1, len(c.sizes))] {
			t.Run(fmt.Sprintf("%s/%d", c.name, n), func(t *testing.T) {
				file := filepath.Join(g.folder, c.file)
				must.Do(t, os.WriteFile(file, []byte(c.text(n)), 0o666))
				g.checkLimits(t, [][]string{{"lint", file}, {"check", "-g", file + "#r0", "b~"}})
			})
		}
	}
}

// checkLimits runs commands, and fails for one that takes more than 512 MB, or more than 12 s of processor time. Those of
// every day have smaller grammars, and 4 s.
func (g *gauge) checkLimits(t *testing.T, commands [][]string) {
	most := float64(longtest.Size(4, 12))
	for _, args := range commands {
		os.RemoveAll(filepath.Join(g.folder, "out"))
		status, seconds, mb, complaint := g.run(t, args...)
		shown := strings.ReplaceAll(strings.Join(args, " "), g.folder+"/", "")
		t.Logf("| %s | %d | %.2f | %.0f |", shown, status, seconds, mb)
		if status < 0 || status == statusFailed || seconds > most || mb > 512 {
			t.Errorf("%s: status %d, %.2f s, %.0f MB; want at most %.0f s, 512 MB\n%.300s", shown, status, seconds, mb, most, complaint)
		}
	}
}

// No line takes more than 512 MB or 10 s of processor time, one that fix only encodes not more than 80 MB, and a
// device without an end is refused. The table of docs/reliability.md is what this test logs:
//
//	BNFCHECK_LONG=1 go test -run TestBudgets -v ./internal/cli/command
func TestBudgets(t *testing.T) {
	longtest.Need(t, "a hundred runs on lines of a megabyte")
	longtest.Sequential(t)
	g := newGauge(t)
	folder := g.folder
	in := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) string {
		must.Do(t, os.WriteFile(in(name), []byte(text), 0o666))
		return in(name)
	}
	grammar := write("g.abnf", "t = \"(\" [ t ] \")\"\ns = *( \"a\" / \"b\" / \"(\" *( \"a\" / \"~\" ) \")\" )\n")
	const n, small, large = 1 << 20, 80, 512 // small: 64 MB, and what the collector of garbage may leave
	type row struct {
		what   string
		most   int // MB
		status int
		args   []string
	}
	var rows []row
	for i, line := range []struct{ what, head, text string }{
		{"~", "http://h/", "~"}, {"~a", "http://h/", "~a"}, {"%", "http://h/", "%"}, {"a", "", "a"}, {"/", "", "/"}, {"a.", "http://", "a."}, {"@", "http://", "@"},
		{":", "", ":"}, {"../", "http://h/", "../"}, {"<", "", "<"}, {"\\xff", "", "\xff"},
	} {
		file := write(fmt.Sprint("line", i), line.head+strings.Repeat(line.text, (n-len(line.head))/len(line.text))+"\n")
		title := fmt.Sprintf("1 MB of %s after %q", line.what, line.head)
		fix := large
		if line.text == "~" || line.text == "~a" {
			fix = small
		}
		rows = append(rows,
			row{title, large, -1, []string{"check", "-f", file}}, row{title, large, -1, []string{"check", "--format", "json", "-f", file}},
			row{title, fix, -1, []string{"fix", "-f", file}}, row{title, fix, -1, []string{"fix", "--format", "json", "-f", file}},
			row{title, large, -1, []string{"extract", file}}, row{title, large, -1, []string{"check", "-g", grammar + "#s", "-f", file}},
			row{title, large, -1, []string{"fix", "-g", grammar + "#s", "-f", file}})
	}
	nested := write("nested", strings.Repeat("(", n/2)+strings.Repeat(")", n/2)+"\n")
	zero := "/dev/zero"
	rows = append(rows,
		row{"500,000 parentheses in each other", large, 0, []string{"check", "-g", grammar + "#t", "-f", nested}},
		row{zero, large, statusFailed, []string{"prove", zero, "js:/a/", "--kind", "abnf"}}, row{zero, large, statusFailed, []string{"lint", zero}},
		row{zero, large, statusFailed, []string{"conform", "--suite", zero, "--builtin", "net/url"}},
		row{zero, large, statusFailed, []string{"conform", "-f", zero, "--builtin", "net/url"}},
		row{zero, large, statusFailed, []string{"report", "--conform", zero}}, row{zero, large, statusFailed, []string{"summary", zero}},
		row{zero, large, statusFailed, []string{"check", "-f", zero}}, row{zero, large, statusFailed, []string{"fix", "-f", zero}},
		row{zero, large, statusFailed, []string{"extract", zero}}, row{zero, large, statusFailed, []string{"lint", "--baseline", zero, grammar}},
		row{zero, large, statusFailed, []string{"learn", "--resume", zero, "--builtin", "net/url", "http"}})
	t.Log("| input | command | status | s | MB |")
	for _, r := range rows {
		status, cpu, mb, _ := g.run(t, r.args...)
		shown := strings.ReplaceAll(strings.Join(r.args, " "), folder+"/", "")
		t.Logf("| %s | %s | %d | %.2f | %.0f |", r.what, shown, status, cpu, mb)
		if mb > float64(r.most) || cpu > 10 || status < 0 || r.status >= 0 && status != r.status || r.status < 0 && status > statusNegative {
			t.Errorf("%s: %s: status %d, %.2f s, %.0f MB; want at most 10 s, %d MB", r.what, shown, status, cpu, mb, r.most)
		}
	}
}
