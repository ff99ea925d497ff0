//go:build browser

package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/browsertest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// open writes the site of this repository, without the playground, and opens one of its pages from disk.
func open(t *testing.T, file string) *browsertest.Tab {
	t.Helper()
	folder := t.TempDir()
	must.Do(t, Write(folder, must.Of(Build(os.DirFS("../../..")))(t)))
	return browsertest.Open(t, "file://"+filepath.ToSlash(filepath.Join(folder, file)))
}

// calm fails if the browser complained, or asked for anything that is not part of the site.
func calm(t *testing.T, tab *browsertest.Tab) {
	t.Helper()
	for _, problem := range tab.Problems() {
		t.Error(problem)
	}
	for _, request := range tab.Requests() {
		if !strings.HasPrefix(request, "file://") {
			t.Errorf("asked for %s", request)
		}
	}
}

// Pages with text, with wide tables and with much code are readable in every window.
func TestSizes(t *testing.T) {
	for _, file := range []string{"index.html", "architecture.html", "regular-expressions.html", "generate.html"} {
		t.Run(file, func(t *testing.T) {
			tab := open(t, file)
			tab.Sizes("site-" + strings.TrimSuffix(file, ".html"))
			calm(t, tab)
		})
	}
}

// The search finds a section by its words, whatever their case, and Enter leads to the first.
func TestSearch(t *testing.T) {
	tab := open(t, "index.html")
	type found struct{ Text, First string }
	ask := func(words string) found {
		return browsertest.Eval[found](tab, `(async () => {
			const input = document.getElementById("words");
			input.value = "`+words+`";
			input.dispatchEvent(new Event("input"));
			await loadIndex();
			await new Promise(resolve => setTimeout(resolve, 50));
			const box = document.getElementById("found");
			const first = box.querySelector("a");
			return { Text: box.hidden ? "" : box.textContent, First: first === null ? "" : first.getAttribute("href") };
		})()`)
	}
	if got := ask("Exit STATUSES"); got.First != "statuses.html" {
		t.Errorf("%+v", got)
	}
	if got := ask("nosuchwordanywhere"); got.Text != "No section has all of these words." {
		t.Errorf("%+v", got)
	}
	if got := ask(" "); got.Text != "" {
		t.Errorf("%+v", got)
	}
	calm(t, tab)
}
