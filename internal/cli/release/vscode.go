package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// This file packs the extension for VS Code that stands in editors/vscode. Its own tools do it, esbuild and vsce,
// which npm installs into a temporary folder, in the versions of package-lock.json and without running their
// scripts. Where there is no npm, or it cannot get them, there is no extension, and the release says so.

// extensionFolder has the sources of the extension.
const extensionFolder = "editors/vscode"

// errNoTools reports that the tools that pack the extension are not available.
var errNoTools = errors.New("the tools of npm that pack it are not available")

// longestPacking caps the time of all tools together: npm keeps trying for a long time to reach a registry that does
// not answer.
const longestPacking = 5 * time.Minute

// packExtension returns the extension as VS Code installs it, packed in the folder vscode of work, which must not
// exist yet. version is one of Go; the extension has it as npmVersion returns it. All times in it are when. It
// fails with errNoTools if there is no npm, or if npm ci fails or takes longer than longestPacking. If packing
// fails, or takes longer than what is left of that time, it fails with another error, and so it does if
// checkExtension fails; the archive then comes with the error. The working directory must be the root of the
// repository.
func packExtension(work, version string, when time.Time) ([]byte, error) {
	if _, err := exec.LookPath("npm"); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoTools, err)
	}
	folder := filepath.Join(work, "vscode")
	if err := copyExtension(folder, npmVersion(version)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestPacking)
	defer cancel()
	// run runs a program in the folder. vsce takes the times of files from SOURCE_DATE_EPOCH.
	run := func(name string, args ...string) error {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = folder
		cmd.WaitDelay = time.Second // for what the program started itself
		cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", when.Unix()))
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said)
		}
		return nil
	}
	if err := run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoTools, err)
	}
	if err := run("npm", "run", "pack", "--", "--out", "bnfcheck.vsix"); err != nil {
		return nil, err
	}
	archive, err := os.ReadFile(filepath.Join(folder, "bnfcheck.vsix"))
	if err != nil {
		return nil, err
	}
	return archive, checkExtension(archive)
}

// copyExtension copies the sources of the extension into a folder, which must not exist yet, without the folders
// node_modules, dist and test, and with LICENSE. The working directory must be the root of the repository. The version
// replaces the extension's own, "0.0.0", once in package.json and twice in package-lock.json, where the extension's own
// come first; the versions of dependencies stay. copyExtension fails if one of the two has it less often. After an
// error the folder stays, as far as it came.
func copyExtension(folder, version string) error {
	entries, err := os.ReadDir(extensionFolder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		from, to := filepath.Join(extensionFolder, e.Name()), filepath.Join(folder, e.Name())
		switch {
		case slices.Contains([]string{"node_modules", "dist", "test"}, e.Name()): // made by tools, or not for users
		case e.IsDir():
			err = os.CopyFS(to, os.DirFS(from))
		default:
			err = copyFile(to, from)
		}
		if err != nil {
			return err
		}
	}
	if err := copyFile(filepath.Join(folder, "LICENSE"), "LICENSE"); err != nil {
		return err
	}
	// package-lock.json has the version at its beginning and, again, in the first of its packages, the extension itself.
	for name, times := range map[string]int{"package.json": 1, "package-lock.json": 2} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		const unset = `"version": "0.0.0"`
		if bytes.Count(text, []byte(unset)) < times {
			return fmt.Errorf("%s/%s has no %s to be replaced", extensionFolder, name, unset)
		}
		text = bytes.Replace(text, []byte(unset), fmt.Appendf(nil, `"version": %q`, version), times)
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies the text of a file, not its mode, and makes the folder that it goes into. A file that is there is
// replaced.
func copyFile(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

// checkExtension returns an error for the first thing that is wrong with a packed extension: it cannot be read; it
// lacks a file that every extension has, or that its package.json names as main, as the configuration of a language or
// as a grammar; or its folder extension has any other file. Names must be whole: a main without ".js" is missing. What
// is next to that folder is vsce's, and not looked at.
func checkExtension(archive []byte) error {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return err
	}
	inside := map[string]bool{}
	for _, f := range z.File {
		if name, ok := strings.CutPrefix(f.Name, "extension/"); ok {
			inside[name] = true
		}
	}
	manifest, err := z.Open("extension/package.json")
	if err != nil {
		return err
	}
	defer manifest.Close()
	type named struct{ Path, Configuration string } // a grammar has a Path, and a language a Configuration
	var m struct {
		Main        string
		Contributes struct{ Languages, Grammars []named }
	}
	if err := json.NewDecoder(manifest).Decode(&m); err != nil {
		return fmt.Errorf("package.json: %w", err)
	}
	needed := map[string]bool{"package.json": true, "readme.md": true, "LICENSE.txt": true} // as vsce names them
	for _, n := range append(m.Contributes.Languages, append(m.Contributes.Grammars, named{Path: m.Main})...) {
		for _, name := range []string{n.Path, n.Configuration} {
			if name != "" {
				needed[path.Clean(name)] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		if !inside[name] {
			return fmt.Errorf("the extension has no %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inside)) {
		if !needed[name] {
			return fmt.Errorf("the extension has %s, which it does not need", name)
		}
	}
	return nil
}
