//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Sizes holds the page to a wide and a narrow window, light and dark: it is not wider than the window, and axe-core,
// where npm can install it, finds nothing that keeps a person from using it. Screenshots begin with name.
func (tab *Tab) Sizes(name string) {
	tab.t.Helper()
	axe := tab.axeCore()
	if axe != "" {
		Eval[any](tab, axe+"; null")
	}
	for _, size := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {1280, "dark"}, {390, "light"}, {390, "dark"}} {
		tab.Resize(size.width, 900, size.scheme)
		Eval[any](tab, `new Promise(resolve => setTimeout(resolve, 700))`) // what the page does late
		if wide := Eval[int64](tab, `document.documentElement.scrollWidth`); wide > size.width {
			tab.t.Errorf("%s is %d pixels wide in a window of %d", name, wide, size.width)
		}
		tab.Screenshot(fmt.Sprintf("%s-%d-%s", name, size.width, size.scheme), "")
		if axe == "" {
			continue
		}
		const violations = `axe.run(document, {preload: false}).then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ")).join(", ")).join("\n"))`
		if found := Eval[string](tab, violations); found != "" {
			tab.t.Errorf("%s, %d %s: axe-core finds\n%s", name, size.width, size.scheme, found)
		}
	}
}

// axeCore returns the script of axe-core, or "" where npm does not install it, which is said.
func (tab *Tab) axeCore() string {
	npm, err := exec.LookPath("npm")
	if err != nil {
		tab.t.Log("skipped: no npm to install axe-core with")
		return ""
	}
	folder := tab.t.TempDir()
	install := exec.Command(npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder,
		"axe-core@4.14.1")
	if out, err := install.CombinedOutput(); err != nil {
		tab.t.Logf("skipped: axe-core is not to be had: %v\n%s", err, out)
		return ""
	}
	text, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		tab.t.Fatal(err)
	}
	return string(text)
}
