// Package docs holds README.md and docs/ to the program, the library and the ledgers: its tests run what the pages show, and
// compare. To write the pages:
//
//	go test ./docs -update
package docs

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/adapters"
	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// pages returns the pages for users.
func pages(t *testing.T) []string {
	list, err := filepath.Glob("*.md")
	if err != nil || len(list) < 5 {
		t.Fatal(list, err)
	}
	return append(list, "../README.md", "../CONTRIBUTING.md", "../golden/vectors/README.md")
}

func read(t *testing.T, name string) string {
	text := must.Of(os.ReadFile(name))(t)
	return string(text)
}

// programs is the folder of the program that the tests run, once one of them has asked for it.
var programs string

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(programs)
	os.Exit(code)
}

// program returns the file of the command, which is built once.
func program(t *testing.T) string {
	t.Helper()
	file := filepath.Join(programs, "bnfcheck")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	if programs != "" {
		return file
	}
	dir := must.Of(os.MkdirTemp("", "bnfcheck-docs"))(t)
	programs = dir
	file = filepath.Join(dir, file)
	stamp := "-X " + modulePath + "/internal/cli/version.stamped=" + servedVersion // verify compares it with the library's
	if said, err := exec.Command("go", "build", "-trimpath", "-ldflags", stamp, "-o", file, "../cmd/bnfcheck").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	// The pages that it writes have this engine, since nobody opens them here.
	engine := webengine.Engine{Program: []byte("a program"), Glue: "// glue"}
	packed := filepath.Join(dir, "an.engine")
	must.Do(t, os.WriteFile(packed, engine.Pack(), 0o666))
	must.Do(t, os.Setenv(webengine.FileVariable, packed))
	return file
}

// A block marked "console" is a session: a command after each "$ ", and below it the output.
var session = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// netURL occurs in a command that asks Go's own parser, whose answers depend on the version of Go.
const netURL = "--builtin net/url"

// TestSessions runs every command of a session, and compares its output.
func TestSessions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	bin := filepath.Dir(program(t))
	commands := 0
	for _, page := range pages(t) {
		if page == guide {
			continue // see TestGuide
		}
		has := read(t, page)
		want := session.ReplaceAllStringFunc(has, func(block string) string {
			body := session.FindStringSubmatch(block)[1]
			if strings.Contains(body, netURL) && !strings.Contains(read(t, "conformance.md"), runtime.Version()+" |") {
				t.Logf("%s: net/url is not asked: what it accepts is shown for another version of Go", page)
				return block
			}
			var b strings.Builder
			b.WriteString("```console\n")
			for line := range strings.Lines(body) {
				if command, ok := strings.CutPrefix(line, "$ "); ok {
					printed := shell(t, bin, command)
					if printed == "" && !strings.Contains(command, ">") {
						t.Errorf("%s: %s prints nothing", page, strings.TrimSpace(command))
					}
					b.WriteString(line + printed)
					commands++
				}
			}
			return b.String() + "```"
		})
		goldentest.Whole(t, page, want)
	}
	if commands < 5 {
		t.Errorf("only %d commands", commands)
	}
}

// shell returns what a command prints, on either stream. It runs in the folder of the README, where a reader runs it.
func shell(t *testing.T, bin, command string) string {
	c := exec.Command("sh", "-c", command)
	c.Dir = ".."
	c.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "COLUMNS=100", "TERM=dumb")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		if _, ok := err.(*exec.ExitError); !ok {
			t.Fatal(command, err)
		}
	}
	if strings.Contains(out.String(), "not found") || strings.Contains(out.String(), "unknown command") {
		t.Errorf("%s%s", command, &out)
	}
	return out.String()
}

// A block below a comment that names a file shows that file.
var shown = regexp.MustCompile("(?ms)^<!-- (\\S+) -->\n```\n(.*?)^```$")

// TestShownFiles copies files into the pages that show them.
func TestShownFiles(t *testing.T) {
	files := 0
	for _, page := range pages(t) {
		has := read(t, page)
		want := shown.ReplaceAllStringFunc(has, func(block string) string {
			files++
			name := shown.FindStringSubmatch(block)[1]
			return "<!-- " + name + " -->\n```\n" + read(t, filepath.Join("..", name)) + "```"
		})
		goldentest.Whole(t, page, want)
	}
	if files == 0 {
		t.Error("no page shows a file")
	}
}

// TestGoIsAnExample requires every Go block of a page to be part of an example of the library, which is compiled and run.
func TestGoIsAnExample(t *testing.T) {
	block := regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	examples := read(t, "../example_test.go") + read(t, "../semantic/example_test.go") + read(t, "../grammartest/example_test.go")
	examples = regexp.MustCompile(`(?m)^\t`).ReplaceAllString(examples, "")
	found := 0
	for _, page := range pages(t) {
		for _, m := range block.FindAllStringSubmatch(read(t, page), -1) {
			found++
			if !strings.Contains(examples, m[1]) {
				t.Errorf("%s: no example has these lines:\n%s", page, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no page has Go in it")
	}
}

// TestLinks requires the files of the repository that the pages link to, and the headings in them.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)|src(?:set)?="([^"]+)"`)
	for _, page := range pages(t) {
		text := read(t, page)
		if parts := strings.Split(text, "\n```"); len(parts)%2 == 1 { // what is fenced has no links
			text = ""
			for i := 0; i < len(parts); i += 2 {
				text += parts[i]
			}
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to := m[1] + m[3]
			if strings.Contains(to, "://") {
				continue
			}
			file := filepath.Join(filepath.Dir(page), to)
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s, which is not there", page, to)
			} else if m[2] != "" && strings.HasSuffix(to, ".md") && !slices.Contains(headings(read(t, file)), m[2]) {
				t.Errorf("%s links to %s%s, and there is no such heading", page, to, m[2])
			}
		}
	}
}

// TestPathsExist requires what the pages name as a path of the repository. A word in capitals stands for any name.
func TestPathsExist(t *testing.T) {
	path := regexp.MustCompile("`((?:internal|cmd|ast|gen|grammar|semantic|golden|bench|adapters|examples|docs|\\.ci)/[^` ]*)[` ]")
	capitals := regexp.MustCompile(`[A-Z]{4,}`)
	for _, page := range pages(t) {
		for _, m := range path.FindAllStringSubmatch(read(t, page), -1) {
			if m[1] == "gen/lamp" { // the page makes it
				continue
			}
			if found, err := filepath.Glob("../" + capitals.ReplaceAllString(m[1], "*")); err != nil || len(found) == 0 {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
}

// TestNamedTests requires that every test that the pages name is one.
func TestNamedTests(t *testing.T) {
	files := strings.Fields(shell(t, "", "git ls-files '*_test.go'"))
	tests := map[string]bool{}
	for _, file := range files {
		for _, m := range regexp.MustCompile(`(?m)^func (Test[A-Z]\w*)\(`).FindAllStringSubmatch(read(t, "../"+file), -1) {
			tests[m[1]] = true
		}
	}
	for _, page := range pages(t) {
		for _, m := range regexp.MustCompile("`(Test[A-Z][A-Za-z0-9]*)[`/]").FindAllStringSubmatch(read(t, page), -1) {
			if !tests[m[1]] {
				t.Errorf("%s names %s, which is no test", page, m[1])
			}
		}
	}
}

// TestFolders requires that the table of folders in CONTRIBUTING.md has each folder at the top that has files, and no other.
func TestFolders(t *testing.T) {
	_, table, _ := strings.Cut(read(t, "../CONTRIBUTING.md"), "\n## The folders\n")
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)/[a-z/]*` ").FindAllStringSubmatch(table, -1) {
		named[m[1]] = true
	}
	there := map[string]bool{}
	for _, file := range strings.Fields(shell(t, "", "git ls-files")) {
		if folder, _, ok := strings.Cut(file, "/"); ok && folder[0] != '.' {
			there[folder] = true
		}
	}
	if !maps.Equal(named, there) {
		t.Errorf("CONTRIBUTING.md names the folders %v, and there are %v", named, there)
	}
}

// TestFuzzing holds the table of docs/reliability.md to the packages that have targets.
func TestFuzzing(t *testing.T) {
	_, section, _ := strings.Cut(read(t, "reliability.md"), "## Fuzzing\n")
	section, _, _ = strings.Cut(section, "\n## ")
	said := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\|[^|]*\|([^|]*)\|.*\|$`).FindAllStringSubmatch(section, -1) {
		for _, name := range regexp.MustCompile("`(.*?)`").FindAllStringSubmatch(row[1], -1) {
			said[name[1]] = true
		}
	}
	fuzzed := map[string]bool{}
	must.Do(t, filepath.WalkDir("..", func(file string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, "_test.go") && strings.Contains(read(t, file), "\nfunc Fuzz") {
			folder := filepath.ToSlash(filepath.Dir(file))
			fuzzed[strings.TrimPrefix(strings.TrimPrefix(folder, "../"), "internal/")] = true
		}
		return err
	}))
	if len(fuzzed) < 20 || !maps.Equal(said, fuzzed) {
		t.Errorf("docs/reliability.md says that fuzzed are\n%v\nand they are\n%v",
			slices.Sorted(maps.Keys(said)), slices.Sorted(maps.Keys(fuzzed)))
	}
}

// TestPicture requires the picture that previews of the page show, in the size that the page states.
func TestPicture(t *testing.T) {
	p, err := png.DecodeConfig(strings.NewReader(read(t, "social.png")))
	if err != nil || p.Width != 1200 || p.Height != 630 {
		t.Errorf("%d by %d pixels, %v", p.Width, p.Height, err)
	}
}

// headings returns the fragments that lead to the headings of a page.
func headings(page string) (list []string) {
	for line := range strings.Lines(page) {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			title = regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			list = append(list, "#"+strings.ReplaceAll(title, " ", "-"))
		}
	}
	return list
}

// TestReadme runs every other command that the README shows, those of its tables too, and bounds its length.
func TestReadme(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	readme := read(t, "../README.md")
	if n := len(readme); n > 9000 {
		t.Errorf("README.md has %d bytes", n)
	}
	dir := t.TempDir()
	must.Do(t, os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../examples")))
	must.Do(t, os.WriteFile(filepath.Join(dir, "yours"), []byte("#!/bin/sh\nwhile read -r line; do echo yes; done\n"), 0o777))
	bin := program(t)
	shown := regexp.MustCompile("(?m)`(bnfcheck [^`]+)`|^(go run ./cmd/bnfcheck .*)").FindAllStringSubmatch(session.ReplaceAllString(readme, ""), -1)
	for _, m := range shown {
		if _, err := exec.LookPath("node"); err != nil && strings.Contains(m[0], "-- node ") {
			t.Log("not run, without Node: ", m[0])
			continue
		}
		c := exec.Command("sh", "-c", strings.Replace(m[1]+m[2], "go run ./cmd/bnfcheck", "bnfcheck", 1))
		c.Dir, c.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
		said, err := c.CombinedOutput()
		if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) || len(said) == 0 && !strings.Contains(m[0], " -o ") {
			t.Errorf("%s: %v\n%s", c, err, said)
		}
	}
	if len(shown) < 10 {
		t.Errorf("README.md shows %d commands?", len(shown))
	}
}

// TestNothingIsLeftOut requires a row in commands.md for each command of the program, and the name of each page of docs/ in the
// README or the page about what it began with.
func TestNothingIsLeftOut(t *testing.T) {
	readme := read(t, "../README.md") + read(t, "urls.md") + read(t, "testing.md") + read(t, "commands.md") + read(t, "../CONTRIBUTING.md")
	table, _, _ := strings.Cut(read(t, "commands.md"), "Exit status")
	said := must.Of(exec.Command(program(t), "__complete", "").Output())(t)
	n := 0
	for line := range strings.Lines(string(said)) {
		name, _, ok := strings.Cut(line, "\t")
		if !ok || name == "help" {
			continue
		}
		n++
		if !strings.Contains(table, "`bnfcheck "+name) && !strings.Contains(table, "`"+name) {
			t.Errorf("commands.md has no row for bnfcheck %s", name)
		}
	}
	if n < 10 {
		t.Errorf("the program has %d commands?\n%s", n, said)
	}
	for _, page := range pages(t) {
		if base := filepath.Base(page); base != "README.md" && !strings.Contains(readme, base) {
			t.Errorf("no page that the README leads to names %s", page)
		}
	}
}

// number has the words for small numbers.
var number = strings.Fields("no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
	"sixteen seventeen eighteen nineteen twenty")

// writtenUp is a section of docs/conformance.md about one disagreement.
var writtenUp = regexp.MustCompile(`(?ms)^## (\d+\. .*?)\n(.*?)(?:^## |\z)`)

// TestOthers requires, of each disagreement that docs/conformance.md writes up, what a sentence about other people's
// software needs: the list that it stands in, the version and whether that is the newest, the claim in whole sentences and
// its place, and a program with what that prints. It holds the README's numbers to the page.
func TestOthers(t *testing.T) {
	page, readme := read(t, "conformance.md"), read(t, "../README.md")
	lists := map[string]string{
		"Contradicts its own claim": "What a maintainer can act on", "Known and documented": "Known and documented",
		"Deliberate": "Deliberate",
	}
	const old = `(?m)^\*\*Newest\.\*\* Version .+ is .*(newest that .+ has|old: .+ has .+) \(\d+ \w+ 20\d\d\)\.`
	const claim = `(?m)^\*\*Parser\.\*\* .+, version .+\. It says of itself: “[^“”]+[.)]” \(.+\)\.$`
	needs := map[string]*regexp.Regexp{
		"list":    regexp.MustCompile(`(?m)^\*\*(Contradicts its own claim|Known and documented|Deliberate)\.\*\* .*\S$`),
		"version": regexp.MustCompile(old),
		"claim":   regexp.MustCompile(claim),
		"program": regexp.MustCompile("(?ms)^```[a-z]+\n.+?^```\n\nprints\n\n```\n.+?^```$"),
		"text":    regexp.MustCompile(`(?m)^\*\*What RFC 3986 says\.\*\* .*(is derived|is not derived)`),
	}
	count := map[string]int{}
	for rest := page; ; {
		at := writtenUp.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		title, body := rest[at[2]:at[3]], rest[at[4]:at[5]]
		rest = rest[at[5]:]
		for what, need := range needs {
			if !need.MatchString(body) {
				t.Errorf("docs/conformance.md, %s: no %s", title, what)
			}
		}
		if m := needs["list"].FindStringSubmatch(body); m != nil {
			count[m[1]]++
			_, list, _ := strings.Cut(page, "\n## "+lists[m[1]]+"\n")
			list, _, _ = strings.Cut(list, "\n## ")
			if !strings.Contains(list, "- ["+title+"]") {
				t.Errorf("docs/conformance.md: %q is not listed under %q", title, lists[m[1]])
			}
		}
		count[""]++
	}
	all := number[count[""]]
	see := func(input, value string) []string {
		_, table, _ := strings.Cut(page, "| host of `"+input+"` | seen by |")
		_, row, ok := strings.Cut(table, "\n| `\""+value+"\"` | ")
		row, _, _ = strings.Cut(row, " |\n")
		if !ok {
			t.Fatalf("docs/conformance.md: nobody sees %q in %q", value, input)
		}
		return strings.Split(regexp.MustCompile(`\*\*[^*]*\*\*(, )?`).ReplaceAllString(row, ""), ", ")
	}
	a, b := len(see("ftp://a?@b/", "a")), len(see("ftp://a?@b/", "b"))
	if octal, other := see("http://010.0.0.1/", "8.0.0.1"), see("http://010.0.0.1/", "10.0.0.1"); !slices.Equal(octal,
		[]string{"node-url", "fast-uri", "curl", "qt-qurl"}) || !slices.Equal(other, []string{"uri-js"}) {
		t.Errorf("README.md names other parsers than %s and %s", octal, other)
	}
	for _, want := range []string{
		fmt.Sprintf("Of %d parsers that were asked, %d see the host `a` and %s", a+b, a, number[b]),
		fmt.Sprintf("[%s disagreements](docs/conformance.md#what-a-maintainer-can-act-on)", strings.ToUpper(all[:1])+all[1:]),
		fmt.Sprintf("%s contradict what the parser says of itself", number[count["Contradicts its own claim"]]),
		fmt.Sprintf("%s are documented and %s deliberate", number[count["Known and documented"]], number[count["Deliberate"]]),
	} {
		if !strings.Contains(strings.Join(strings.Fields(readme), " "), want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
	picture := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(read(t, "social.svg"), "")
	if want := fmt.Sprintf("%d of the %d parsers that were tried see a.", a, a+b); !strings.Contains(picture, want) {
		t.Errorf("docs/social.svg does not say %q", want)
	}
	if count[""] < 10 {
		t.Errorf("%d disagreements?", count[""])
	}
}

// TestPeers requires that docs/speed.md names the version of each module that is measured.
func TestPeers(t *testing.T) {
	page := strings.Join(strings.Fields(read(t, "speed.md")), " ")
	required, _, _ := strings.Cut(read(t, "../bench/generated/go.mod"), "\n)")
	n := 0
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+ v[1-9]\S*|\S+ v0\.[1-9]\S*)$`).FindAllString(required, -1) {
		if n++; !strings.Contains(page, strings.TrimSpace(m)) {
			t.Errorf("docs/speed.md does not name %s", strings.TrimSpace(m))
		}
	}
	if n < 5 {
		t.Errorf("bench/generated requires %d modules?", n)
	}
}

// TestAdapters holds the count of adapters to adapters.All.
func TestAdapters(t *testing.T) {
	languages := map[string]bool{}
	for _, a := range adapters.All() {
		languages[a.Program.Language] = true
	}
	want := fmt.Sprintf("programs for %d parsers in %s languages", len(adapters.All()), number[len(languages)])
	if !strings.Contains(read(t, "adapter-protocol.md"), want) {
		t.Errorf("docs/adapter-protocol.md does not say %q", want)
	}
}

// TestMatrix makes the README's table of other parsers from docs/conformance.md: those that name RFC 3986 without a limitation.
func TestMatrix(t *testing.T) {
	const name, from, to = "../README.md", "<!-- from docs/conformance.md -->\n", "<!-- to here -->\n"
	var b strings.Builder
	b.WriteString("| parser | claims | more | less | other host or port |\n|---|---|--:|--:|--:|\n")
	_, matrix, _ := strings.Cut(read(t, "conformance.md"), "## The parsers")
	rows := 0
	for line := range strings.Lines(matrix) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		if strings.HasPrefix(line, "## ") {
			break
		}
		if len(cells) != 12 || strings.HasPrefix(line, "| name") {
			continue
		}
		if !strings.Contains(cells[3], "RFC 3986") || strings.ContainsAny(cells[3], ",") || strings.HasPrefix(cells[3], "based on") {
			continue
		}
		rows++
		version := strings.Fields(cells[2])
		host, err := strconv.Atoi(cells[8])
		port, err2 := strconv.Atoi(cells[9])
		if err != nil || err2 != nil {
			t.Fatalf("%q: %v, %v", line, err, err2)
		}
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s | %d |\n", cells[1], version[len(version)-1], cells[3], cells[5], cells[6], host+port)
	}
	if rows != 10 {
		t.Errorf("%d parsers, and README.md says ten", rows)
	}
	has := read(t, name)
	before, rest, ok := strings.Cut(has, from)
	_, after, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the matrix", name)
	}
	goldentest.Whole(t, name, before+from+b.String()+to+after)
}

// TestTableTests runs the table tests that vector-format.md shows, with functions that are right, where their programs are installed.
func TestTableTests(t *testing.T) {
	const right = `^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$`
	bin, dir := filepath.Dir(program(t)), t.TempDir()
	file := func(name, text string) { must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)) }
	file("yours.py", "import re\ndef accepts(s):\n    return isinstance(s, str) and re.fullmatch(r'"+right[1:len(right)-1]+"', s) is not None\n")
	for _, c := range [][5]string{{"js", "cases.js", "cases.test.js", "node --test", "pass 194\n"}, {"python", "cases.py", "test_cases.py", "pytest -q", "200 passed"}} {
		if _, err := exec.LookPath(strings.Fields(c[3])[0]); err != nil {
			t.Log("skipped: ", err)
			continue
		}
		block := regexp.MustCompile("(?s)```" + c[0] + "\n(// node|# pytest)(.*?)```").FindStringSubmatch(read(t, "vector-format.md"))
		file(c[2], strings.ReplaceAll(block[0][len("```"+c[0]):len(block[0])-3], "URL.canParse(input)", "/"+right+"/.test(input)"))
		if said := shell(t, bin, "bnfcheck vectors --most 200 --format "+c[0]+" -o "+dir+"/"+c[1]+" examples/domain.abnf && cd "+dir+" && "+c[3]+" "+c[2]); !strings.Contains(said, c[4]) {
			t.Errorf("%s: want %q\n%s", c[2], c[4], said)
		}
	}
}

// TestNoCompiledProgram requires that every file of the repository but a picture is text. A program is compiled where it is needed.
func TestNoCompiledProgram(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "-z", "..").Output()
	if err != nil {
		t.Skip("skipped outside a clone: ", err)
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) { // removed, and not committed yet
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, ".png") && bytes.IndexByte(text, 0) >= 0 {
			t.Errorf("%s is not text", file)
		}
	}
	if len(files) < 500 {
		t.Errorf("%d files?", len(files))
	}
}
