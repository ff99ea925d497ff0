// Command release builds bnfcheck for every platform and packs what a user unpacks: the program, its manual pages,
// the completions of the shells, README and license; the same programs as packages of npm; the extension for VS
// Code, where npm has the tools that pack it; and the sums of all of these.
//
//	go run ./internal/cli/release                        # into dist/
//	go run ./internal/cli/release -o out                 # into another folder
//	go run ./internal/cli/release -only linux/amd64      # one platform
//	go run ./internal/cli/release -program bnfcheck      # the program alone, for this platform
//	go run ./internal/cli/release -extension=false       # without the extension, and so without npm
//
// Each program has the engine of the pages in it (package webengine), so that it needs neither Go nor its source. The
// engine is compiled first, into a temporary folder; an overlay of the go command puts it where the program embeds it
// from.
//
// The same commit, built by the same version of Go, results in the same bytes wherever it is built: no path and no
// setting of the builder is in the programs, and all times in the archives are those of the commit. The version is the
// one that Go finds in the repository: that of the tag, or a pseudo-version; it ends in +dirty where files were changed.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
)

// platforms are those that a release is for.
var platforms = []string{
	"linux/amd64", "linux/arm64", "linux/arm", "linux/386",
	"darwin/amd64", "darwin/arm64",
	"windows/amd64", "windows/arm64",
	"freebsd/amd64", "freebsd/arm64",
	"openbsd/amd64", "netbsd/amd64",
}

// main builds what the flags ask for. It has to run in the root of the repository, from which this package reads. An
// error goes to standard error; the exit status is then 1, or 2 for wrong arguments.
func main() {
	o, err := optionsOf(os.Args[1:], os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		os.Exit(2)
	case o.program != "":
		err = buildProgram(o.program)
	default:
		err = release(o.out, o.chosen, o.extension)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// options are the arguments of the command.
type options struct {
	out       string   // the folder for the archives
	chosen    []string // the platforms
	program   string   // the file of the program, which is all that is built; "" to make a release
	extension bool     // whether the extension for VS Code is packed
}

// optionsOf reads the arguments. It fails for an argument that is no flag, and for -program together with any other
// flag; for help the error is flag.ErrHelp. It writes the error, or the help, to said. What -only names is not checked.
func optionsOf(args []string, said io.Writer) (options, error) {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(said)
	out := flags.String("o", "dist", "the `FOLDER` for the archives")
	only := flags.String("only", strings.Join(platforms, ","), "the `PLATFORMS` to build for, with commas between them")
	program := flags.String("program", "", "build only the program for this platform, as `FILE`")
	extension := flags.Bool("extension", true, "pack the extension for VS Code, too")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	var err error
	switch {
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q; platforms stand after -only", flags.Arg(0))
	case *program != "" && flags.NFlag() > 1:
		err = errors.New("-program builds the program alone, and goes with no other flag")
	}
	if err != nil {
		fmt.Fprintln(said, "release:", err)
	}
	return options{*out, strings.Split(*only, ","), *program, *extension}, err
}

// release writes to the folder out: the archives of the chosen platforms; in the folder npm the packages of npm for
// these, and the one that depends on them; the extension for VS Code if it is wanted; and checksums.txt, with the sums
// of all these: SHA-256 and the name relative to out. It prints the name and the size of each, but for the sums. What
// is already there under these names is replaced. Other files stay, such as an extension of an earlier run, and have no
// sums. If npm cannot get the tools that pack the extension, release says so and makes none. A platform that is unknown
// or given twice fails before anything is written. If release fails later, out may have some of the files, but no new
// checksums. The working directory must be the root of the repository.
func release(out string, chosen []string, extension bool) error {
	for i, p := range chosen {
		switch {
		case !slices.Contains(platforms, p):
			return fmt.Errorf("no platform %q: choose from %s", p, strings.Join(platforms, ", "))
		case slices.Contains(chosen[:i], p):
			return fmt.Errorf("the platform %s is given twice", p)
		}
	}
	work, err := os.MkdirTemp("", "bnfcheck-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	overlay, err := embedEngine(work)
	if err != nil {
		return err
	}
	// The program for this platform tells the version, and prints the completions, which are the same for all.
	here := filepath.Join(work, "here"+exeSuffix(runtime.GOOS))
	if err := build(here, overlay, runtime.GOOS, runtime.GOARCH); err != nil {
		return err
	}
	version, when, err := versionOf(here)
	if err != nil {
		return err
	}
	shared, err := makeDocuments(here, work, when)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(out, "npm"), 0o777); err != nil {
		return err
	}
	var sums bytes.Buffer
	// put prints the name and the size of a file, writes it into the folder out, and adds its sum to sums.
	put := func(name string, text []byte) error {
		fmt.Printf("%s  %5.1f MB\n", name, float64(len(text))/1e6)
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), name)
		return os.WriteFile(filepath.Join(out, filepath.FromSlash(name)), text, 0o666)
	}
	for _, p := range chosen {
		goos, goarch, _ := strings.Cut(p, "/")
		program := here
		if goos != runtime.GOOS || goarch != runtime.GOARCH {
			program = filepath.Join(work, goos+"-"+goarch+exeSuffix(goos))
			if err := build(program, overlay, goos, goarch); err != nil {
				return err
			}
		}
		text, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		files := append([]file{{"bnfcheck" + exeSuffix(goos), text, executable}}, shared...)
		name := strings.Join([]string{"bnfcheck", version, goos, goarch}, "_")
		pack, end := packTar, ".tar.gz"
		if goos == "windows" {
			pack, end = packZip, ".zip"
		}
		archive, err := pack(name, files, when)
		if err != nil {
			return err
		}
		if err := put(name+end, archive); err != nil {
			return err
		}
		forNPM, err := packPlatform(p, version, text, when)
		if err != nil {
			return err
		}
		if err := put("npm/"+forNPM.file, forNPM.archive); err != nil {
			return err
		}
	}
	command, err := packCommand(chosen, version, when)
	if err != nil {
		return err
	}
	if err := put("npm/"+command.file, command.archive); err != nil {
		return err
	}
	if extension {
		switch archive, err := packExtension(work, version, when); {
		case errors.Is(err, errNoTools): // also if package-lock.json does not fit package.json
			fmt.Println("no extension for VS Code:", err)
		case err != nil:
			return fmt.Errorf("the extension for VS Code: %w", err)
		default:
			if err := put("bnfcheck-"+npmVersion(version)+".vsix", archive); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(out, "checksums.txt"), sums.Bytes(), 0o666)
}

// exeSuffix returns the suffix of an executable file on a system of Go: ".exe" or "".
func exeSuffix(goos string) string {
	if goos == "windows" {
		return ".exe"
	}
	return ""
}

// buildProgram builds the program for this platform, with the engine in it, as the named file. The working directory
// must be the root of the repository.
func buildProgram(program string) error {
	work, err := os.MkdirTemp("", "bnfcheck-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	overlay, err := embedEngine(work)
	if err != nil {
		return err
	}
	return build(program, overlay, runtime.GOOS, runtime.GOARCH)
}

// embedEngine compiles the engine into the folder work, and returns the name of a file there: an overlay that
// shows the engine to the go command at the place where package webengine embeds it from. The source is the working
// directory, which must be the root of the repository.
func embedEngine(work string) (overlay string, err error) {
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	e, err := webengine.Build(context.Background(), root, webengine.Watcher{})
	if err != nil {
		return "", err
	}
	compiled := filepath.Join(work, "engine.bin")
	if err := os.WriteFile(compiled, e.Pack(), 0o666); err != nil {
		return "", err
	}
	embedded := filepath.Join(root, "internal", "report", "webengine", "engine.bin")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {embedded: compiled}})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(work, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o666)
}

// settings override the builder's own settings for the go command: [webengine.Settings], and the processors that Go's
// releases are for.
var settings = append(slices.Clone(webengine.Settings), "GOAMD64=v1", "GO386=sse2", "GOARM=7", "GOARM64=v8.0")

// environment returns the environment in which the go command builds for a platform: that of this program, with other
// settings.
func environment(goos, goarch string) []string {
	return slices.Concat(os.Environ(), settings, []string{"GOOS=" + goos, "GOARCH=" + goarch})
}

// build builds the program for a platform of Go, as the named file, with the engine that an overlay of embedEngine
// shows. A folder without Git is no error here: the program then knows no time of a commit. The working directory must
// be the root of the repository. The error has what the compiler said.
func build(program, overlay, goos, goarch string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=auto", "-ldflags=-s -w", "-tags=engine",
		"-overlay="+overlay, "-o", program, "./cmd/bnfcheck")
	cmd.Env = environment(goos, goarch)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s/%s: %w\n%s", goos, goarch, err, said)
	}
	return nil
}

// versionOf runs a program, which must be a bnfcheck for this platform, and returns its version, without "v", and the
// time of the commit that it was built from. It fails if the program does not know that time.
func versionOf(program string) (version string, when time.Time, err error) {
	said, err := exec.Command(program, "--version").Output()
	if err != nil {
		return "", time.Time{}, err
	}
	// bnfcheck v1.2.3, 2026-11-21T20:43:58Z (go1.26.8)
	line := strings.TrimSpace(string(said))
	built, rest, ok := strings.Cut(strings.TrimPrefix(line, "bnfcheck v"), ", ")
	if !ok {
		return "", time.Time{}, fmt.Errorf("%s has no time of a commit: is this a clone of the repository?", line)
	}
	stamp, _, _ := strings.Cut(rest, " ")
	if when, err = time.Parse(time.RFC3339, stamp); err != nil {
		return "", time.Time{}, fmt.Errorf("%s: %w", line, err)
	}
	return built, when, nil
}

// makeDocuments returns the files that are the same for all platforms, sorted by their names: README and license, the
// completions that the program prints, and the manual pages. These are made in the folder man of work, which must not
// exist yet, by a program that go run builds; their date is that of when. program must be for this platform, and the
// working directory the root of the repository.
func makeDocuments(program, work string, when time.Time) ([]file, error) {
	var files []file
	for _, name := range []string{"LICENSE", "README.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, text, plain})
	}
	for shell, name := range map[string]string{"bash": "bnfcheck.bash", "zsh": "_bnfcheck", "fish": "bnfcheck.fish"} {
		text, err := exec.Command(program, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("completion of %s: %w", shell, err)
		}
		files = append(files, file{"completions/" + name, text, plain})
	}
	pages := filepath.Join(work, "man")
	if err := os.Mkdir(pages, 0o777); err != nil {
		return nil, err
	}
	man := exec.Command("go", "run", "-tags", "man", "./cmd/bnfcheck", pages)
	man.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", when.Unix())) // the date in each page
	if said, err := man.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("manual pages: %w\n%s", err, said)
	}
	list, err := os.ReadDir(pages)
	if err != nil {
		return nil, err
	}
	for _, page := range list {
		text, err := os.ReadFile(filepath.Join(pages, page.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{"man/man1/" + page.Name(), text, plain})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}
