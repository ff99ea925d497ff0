// Command editor bundles the editor of the playground, for a person who changes package.json or editor.js:
//
//	go run ./internal/report/playground/editor
//
// It has npm install the packages into a folder that it makes and removes, and writes beside the page
//
//	editor.min.js   the bundle, whose first line names each package in it with its version
//	editor.LICENSE  the licenses of these packages
//
// The files are committed, so that neither go build nor go generate needs npm.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if err := run(filepath.Join("internal", "report", "playground")); err != nil {
		fmt.Fprintln(os.Stderr, "editor:", err)
		os.Exit(1)
	}
}

func run(page string) error {
	work, err := os.MkdirTemp("", "editor-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(work, os.DirFS(filepath.Join(page, "editor"))); err != nil {
		return err
	}
	install := exec.Command("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock")
	install.Dir = work
	if out, err := install.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w\n%s", err, out)
	}
	built := api.Build(api.BuildOptions{
		AbsWorkingDir: work, EntryPoints: []string{"editor.js"}, Bundle: true, Format: api.FormatIIFE,
		GlobalName:       "CodeMirror",
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Target: api.ES2022,
		LegalComments: api.LegalCommentsNone,
		Metafile:      true, Outfile: "editor.min.js",
	})
	if len(built.Errors) > 0 {
		return errors.New(built.Errors[0].Text)
	}
	names, licenses, err := packages(work, built.Metafile)
	if err != nil {
		return err
	}
	text := "// " + strings.Join(names, " ") + "; licenses: editor.LICENSE\n" + string(built.OutputFiles[0].Contents)
	if err := os.WriteFile(filepath.Join(page, "editor.min.js"), []byte(text), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(page, "editor.LICENSE"), []byte(licenses), 0o666)
}

// packages returns the packages in a bundle as name@version, and their licenses one after the other, each text once.
func packages(work, metafile string) (names []string, licenses string, err error) {
	var meta struct{ Inputs map[string]struct{} }
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, "", err
	}
	of := map[string][]string{} // a license's text: the packages
	seen := map[string]bool{}
	var texts []string
	for _, file := range slices.Sorted(maps.Keys(meta.Inputs)) {
		_, path, found := strings.Cut(file, "node_modules/")
		if !found {
			continue
		}
		parts := strings.SplitN(path, "/", 3)
		name := parts[0]
		if strings.HasPrefix(name, "@") {
			name += "/" + parts[1]
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		dir := filepath.Join(work, "node_modules", filepath.FromSlash(name))
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			return nil, "", err
		}
		var p struct{ Version, License string }
		if err := json.Unmarshal(text, &p); err != nil {
			return nil, "", err
		}
		license, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		if err != nil || p.License != "MIT" {
			return nil, "", fmt.Errorf("%s: a license %q, %v", name, p.License, err)
		}
		names = append(names, name+"@"+p.Version)
		if of[string(license)] == nil {
			texts = append(texts, string(license))
		}
		of[string(license)] = append(of[string(license)], name)
	}
	for _, text := range texts {
		licenses += strings.Join(of[text], ", ") + ":\n\n" + strings.TrimSpace(text) + "\n\n"
	}
	return names, licenses, nil
}
