package webengine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
)

var (
	errNoGo = errors.New("the engine of the page is compiled by Go, and there is no go command in PATH: " +
		"install Go (https://go.dev/dl), or take an archive of a release, whose program has the engine in it")
	errNoSource = errors.New("the engine of the page is compiled from the source of bnfcheck, which was not found: " +
		"run this in a clone of its repository, install it by go install " + module + "/cmd/bnfcheck@VERSION, " +
		"or take an archive of a release, whose program has the engine in it")
)

// A source is a place to compile this program's engine from: a folder, or a version of the module that the go
// command has or fetches.
type source struct {
	key     string // a hash of all that decides the engine; it names the entry in the cache
	dir     string // "" for a version
	version string
	sum     string // of the version, as go.sum has it
}

// findSource returns the source of a program with the given build information: the version of this module that it
// was built from, or else the folder of this module around the first of dirs that is in one. It fails with
// errNoSource if there is neither, and for a folder as sourceSum and checkUnchanged do; it looks at no other
// directory then. With an error the source means nothing.
func findSource(ctx context.Context, info *debug.BuildInfo, dirs ...string) (source, error) {
	if m := ownModule(info); m.Sum != "" {
		return source{key: keyOf(m.Version, m.Sum), version: m.Version, sum: m.Sum}, nil
	}
	for _, dir := range dirs {
		dir = moduleFolder(dir)
		if dir == "" {
			continue
		}
		key, err := sourceSum(ctx, dir)
		if err == nil {
			err = checkUnchanged(ctx, info, dir)
		}
		return source{key: key, dir: dir}, err
	}
	return source{}, errNoSource
}

// ownModule returns the version of this module in a program: its main module, or one that another module requires as
// a tool. It is the zero Module if there is none or it is replaced; its Sum is "" if it was built from a folder.
func ownModule(info *debug.BuildInfo) debug.Module {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == module && m.Replace == nil {
			return *m
		}
	}
	return debug.Module{}
}

// moduleFolder returns the folder of this module that dir is in: one whose go.mod names the module in its first line.
// It returns "" if dir is in none, or is no absolute path.
func moduleFolder(dir string) string {
	for filepath.IsAbs(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		first, _, _ := strings.Cut(string(text), "\n")
		if err == nil && strings.TrimSpace(first) == "module "+module { // git may have ended the line with CR LF
			return dir
		}
		// A go.mod of another module does not end the search: it may be inside of this module's folder.
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
	}
	return ""
}

// checkUnchanged fails if the source in dir is not what this program was built from. It does not check a program
// without a revision: those of go run and go test have just been built, and of one that was built outside of a
// repository nothing is known. Otherwise the repository must be at that revision, which is not checked where git
// fails, and no file may be younger than the program. It also fails as listSources does, and if the program's own
// file is not found.
func checkUnchanged(ctx context.Context, info *debug.BuildInfo, dir string) error {
	revision := ""
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = s.Value
		}
	}
	if revision == "" {
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	built, err := os.Stat(program)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "HEAD")
	cmd.Dir = dir
	if head, err := cmd.Output(); err == nil && strings.TrimSpace(string(head)) != revision {
		return fmt.Errorf("%s is at another commit than %s was built from: build it again there", dir, program)
	}
	files, err := listSources(ctx, dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		// A second more, since some file systems round times.
		if changed, err := os.Stat(f.path); err == nil && changed.ModTime().After(built.ModTime().Add(time.Second)) {
			return fmt.Errorf("%s has changed since %s was built: build it again", f.path, program)
		}
	}
	return nil
}

// fetchFolder returns the folder of the source. For a version it is that in the go command's cache, which fetches it
// if it has to. It fails if that cannot be done, and if the sum of that folder is not s.sum.
func (s source) fetchFolder(ctx context.Context) (string, error) {
	if s.dir != "" {
		return s.dir, nil
	}
	out, err := runGo(ctx, os.TempDir(), nil, "mod", "download", "-json", module+"@"+s.version)
	if errors.Is(err, errNoGo) {
		return "", err
	}
	if err != nil {
		return "", fmt.Errorf("the source of %s could not be fetched: %w", s.version, err)
	}
	var got struct{ Dir, Sum string }
	if err := json.Unmarshal(out, &got); err != nil {
		return "", err
	}
	if got.Sum != s.sum {
		return "", fmt.Errorf("the source of %s in %s has the sum %s; this program was built from %s", s.version,
			got.Dir, got.Sum, s.sum)
	}
	return got.Dir, nil
}
