//go:build browser

package command

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/browsertest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// thePage returns the page that report writes.
var thePage = sync.OnceValues(func() ([]byte, error) {
	var out, message bytes.Buffer
	if status := run([]string{"report"}, strings.NewReader(""), &out, &message); status != statusOK {
		return nil, fmt.Errorf("report: status %d, %s", status, &message)
	}
	return out.Bytes(), nil
})

// diagramFaults lists what a reader would find cut off or overlapping in the railroad diagrams that are shown, with the
// fonts that the browser has: a part that is not in its picture, text wider than its box, boxes or texts on each other.
const diagramFaults = `[...document.querySelectorAll("svg.railroad")].filter(svg => svg.getClientRects().length).flatMap(svg => {
	const inside = (a, b) => a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
	const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
	const paper = svg.viewBox.baseVal, faults = [];
	const fault = (e, what) => faults.push(svg.getAttribute("aria-label") + ": " + (e.textContent || e.outerHTML) + " " + what);
	for (const e of svg.querySelectorAll("rect, text, path"))
		if (!inside(e.getBBox(), paper)) fault(e, "is cut off");
	for (const r of svg.querySelectorAll("rect"))
		if (!inside(r.nextElementSibling.getBBox(), r.getBBox())) fault(r.nextElementSibling, "is larger than its box");
	for (const kind of ["rect", "text"]) {
		const all = [...svg.querySelectorAll(kind)], boxes = all.map(e => e.getBBox());
		boxes.forEach((b, i) => boxes.slice(0, i).some(c => meet(b, c)) && fault(all[i], "lies on another"));
	}
	return faults;
})`

// The page in a browser: opened from disk, with every diagram and a checker. That the checker shows what the commands
// print is shown without a browser, and that it is the same in one by package webcheck.
func TestThePageInABrowser(t *testing.T) {
	browsertest.Need(t)
	text := must.Of(thePage())(t)
	file := filepath.Join(t.TempDir(), "report.html")
	must.Do(t, os.WriteFile(file, text, 0o666))
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	tab := browsertest.Open(t, address)

	browsertest.Eval[any](tab, `new Promise(resolve => "unpacked" in document.documentElement.dataset ? resolve(null) : document.addEventListener("bnfcheck:unpacked", () => resolve(null)))`)
	tab.Resize(390, 844, "light")
	if tall := browsertest.Eval[int64](tab, `document.documentElement.scrollHeight`); tall > 8200 {
		t.Errorf("on a telephone the folded page is %d pixels long, and not at most 8200", tall)
	}
	browsertest.Eval[any](tab, `document.querySelectorAll("details.grammar").forEach(d => d.open = true); null`)

	t.Log("its diagrams")
	var want []string
	for _, g := range bnfcheck.Grammars() {
		for _, p := range g.Productions() {
			want = append(want, g.Name+" "+p.ID)
		}
	}
	browsertest.Eval[any](tab, `document.querySelectorAll("details.production").forEach(d => d.open = true); null`)
	for _, width := range []int64{1280, 390} { // a narrow window may have diagrams of its own
		tab.Resize(width, 900, "light")
		got := browsertest.Eval[[]string](tab, `[...document.querySelectorAll("details.production")].filter(d =>
			/are those of .* which has the diagram/.test(d.querySelector(".packed").textContent) || [...d.querySelectorAll("svg.railroad")].map(svg => svg.getBoundingClientRect()).some(drawn => drawn.width > 30 && drawn.height > 15)
		).map(d => d.closest(".grammar").id + " " + d.querySelector(".id").textContent)`)
		if !slices.Equal(got, want) {
			t.Errorf("%d pixels wide: %d productions have a diagram, of %d:\n%q\n%q", width, len(got), len(want), got, want)
		}
		for _, fault := range browsertest.Eval[[]string](tab, diagramFaults) {
			t.Errorf("%d pixels wide: %s", width, fault)
		}
	}
	tab.Resize(1280, 900, "light")
	browsertest.Eval[any](tab, `document.querySelectorAll("details.production").forEach(d => d.open = false); null`)

	t.Log("its search, and an address with a text to check")
	first := browsertest.Eval[string](tab, `(() => { const find = document.getElementById("find"); find.value = "hostport"; find.dispatchEvent(new Event("input")); return document.querySelector("#found a").hash; })()`)
	if first != "#rfc1630-hostport" {
		t.Errorf("the search for hostport leads to %q first", first)
	}
	linked := browsertest.Eval[string](tab, `new Promise((resolve, reject) => {
		setTimeout(() => reject(new Error("nothing is checked")), 60000);
		document.addEventListener("bnfcheck:checked", event => resolve(event.detail.text), {once: true});
		location.hash = "#check=" + encodeURIComponent("ftp://a?@b/%");
	})`)
	if linked != "ftp://a?@b/%" {
		t.Errorf("an address with a text leads to %q", linked)
	}

	t.Log("a string that stands elsewhere in it")
	clicked := browsertest.Eval[string](tab, `new Promise((resolve, reject) => {
		const button = document.querySelector("#rfcs button.try");
		setTimeout(() => reject(new Error("nothing is checked")), 60000);
		document.addEventListener("bnfcheck:checked", event => resolve(event.detail.text === button.textContent && document.activeElement.id), {once: true});
		button.click();
	})`)
	if clicked != "ck-text" {
		t.Errorf("a click on it leads to %q", clicked)
	}
	link := browsertest.Eval[bool](tab, `[...document.querySelectorAll("#checker .ck-tree a")].every(a => document.getElementById(a.hash.slice(1))?.querySelector(".id"))
		&& document.querySelectorAll("#checker .ck-tree a").length === document.querySelectorAll("#checker .ck-node").length`)
	if !link {
		t.Error("a node of a tree does not lead to its production")
	}

	for _, size := range []struct {
		name   string
		width  int64
		scheme string
	}{{"light", 1280, "light"}, {"dark", 1280, "dark"}, {"phone-light", 390, "light"}, {"phone-dark", 390, "dark"}} {
		tab.Resize(size.width, 900, size.scheme)
		if wide := browsertest.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > size.width {
			t.Errorf("the page is %d pixels wide in a window of %d", wide, size.width)
		}
		tab.Screenshot("page-"+size.name, "")
		tab.Screenshot("page-checker-"+size.name, "#checker")
	}
	for _, r := range tab.Requests() {
		if r != address && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") {
			t.Errorf("it asks for %s", r)
		}
	}
	if p := tab.Problems(); len(p) > 0 {
		t.Errorf("the browser complains:\n%s", strings.Join(p, "\n"))
	}
}
