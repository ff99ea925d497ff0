//go:build browser

package webcheck_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/bnfcheck/bnfcheck/internal/report/webcheck"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck/inspect"
	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
	"github.com/bnfcheck/bnfcheck/internal/testkit/browsertest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// smallPage is a page with nothing but the checker, and a place elsewhere that asks it to try a URL.
func smallPage(t *testing.T) string {
	e := must.Of(webengine.Load(t.Context(), webengine.Watcher{}))(t)
	return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>The checker</title>
<link rel="icon" href="data:,"><style>
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --muted: #5a6068; --line: #d9dce0; --accent: #0b57a4; --good: #176b37; --bad: #b3261e; --note: #8a5300; --code-bg: #f4f5f7 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7e9; --paper: #16181b; --muted: #a2a8b0; --line: #383c42; --accent: #7db7f5; --good: #73cf93; --bad: #ff9d94; --note: #e9b564; --code-bg: #202328 } }
body { color: var(--ink); background: var(--paper); font: 1rem/1.5 system-ui, sans-serif; margin: 1rem auto; padding: 0 1rem; max-width: 76rem }
` + webcheck.Style() + `</style><h1>bnfcheck</h1><section id="checker" aria-label="Check a URL">` + webcheck.Markup(e) +
		`</section><script>` + webcheck.Script() + `</script>`
}

// open opens the small page from disk.
func open(t *testing.T, change ...string) *browsertest.Tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	text := strings.NewReplacer(change...).Replace(smallPage(t))
	must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	return browsertest.Open(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String())
}

// answers makes an expression that waits for the next answer after it did something, and then gives what is shown.
func answers(do string) string {
	return fmt.Sprintf(`new Promise((resolve, reject) => {
		setTimeout(() => reject(new Error("no answer: " + document.getElementById("ck-status").textContent)), 60000);
		document.addEventListener("bnfcheck:failed", event => reject(event.detail.error), {once: true});
		document.addEventListener("bnfcheck:checked", () => resolve(document.getElementById("checker").innerText), {once: true});
		%s;
	})`, do)
}

func try(text string) string {
	quoted, _ := json.Marshal(text) // a string always can be
	return fmt.Sprintf(`document.dispatchEvent(new CustomEvent("bnfcheck:try", {detail: {url: %s}}))`, quoted)
}

// shows fails the test where something is missing in what is shown.
func shows(t *testing.T, shown string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
}

func calm(t *testing.T, tab *browsertest.Tab) {
	t.Helper()
	if p := tab.Problems(); len(p) > 0 {
		t.Errorf("the browser complains:\n%s", strings.Join(p, "\n"))
	}
}

func TestItStartsWhenItIsAskedTo(t *testing.T) {
	tab := open(t)
	browsertest.Eval[any](tab, `globalThis.workers = 0; globalThis.Worker = class extends Worker { constructor(...a) { super(...a); workers++ } }; null`)
	const started = `workers > 0`
	browsertest.Eval[any](tab, typing("http://a/")+"; null")
	if browsertest.Eval[bool](tab, `new Promise(resolve => setTimeout(() => resolve(`+started+`), 300))`) {
		t.Error("it started before anybody asked for it")
	}
	tab.Screenshot("checker-before", "")
	shown := browsertest.Eval[string](tab, answers(`document.querySelector(".ck-go").click()`))
	shows(t, shown, "conforming", "derived by httpaddress", "derived by httpurl")
	calm(t, tab)
}

// typing makes a statement that types a text.
func typing(text string) string {
	quoted, _ := json.Marshal(text) // a string always can be
	return fmt.Sprintf(`(i => { i.value = %s; i.dispatchEvent(new Event("input")) })(document.getElementById("ck-text"))`, quoted)
}

func TestItChecksAsOneTypes(t *testing.T) {
	tab := open(t)
	browsertest.Eval[string](tab, answers(`document.querySelector(".ck-go").click()`))
	shown := browsertest.Eval[string](tab, answers(typing("ftp://host.dom/%2Fetc/motd;type=a")))
	shows(t, shown, "ftpurl", `CWD /etc\x0D\x0A`, "%2Fetc stands for /etc")
	browsertest.Eval[any](tab, typing("")+"; null")
	tab.Do(chromedp.WaitNotPresent(chromedp.CSS("#checker article")))
	calm(t, tab)
}

func TestByKeyboardAlone(t *testing.T) {
	tab := open(t)
	tab.Do(chromedp.Focus(chromedp.CSS("#ck-text")), chromedp.Clear(chromedp.CSS("#ck-text")),
		chromedp.KeyEvent("news:"), chromedp.KeyEvent("*"),
		chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)),
		chromedp.WaitVisible(chromedp.CSS(`[data-grammar=rfc1738][data-production=newsurl]`)),
		chromedp.KeyEvent(kb.Tab))
	if at := browsertest.Eval[string](tab, `document.activeElement.className`); at != "ck-go" {
		t.Errorf("after the text Tab leads to %q", at)
	}
	calm(t, tab)
}

func TestTheVerdictIsAnnouncedAndTheByteShown(t *testing.T) {
	tab := open(t)
	browsertest.Eval[string](tab, answers(try("http://a/~")))
	const want = "10 bytes · RFC 1630: rejected (offset 9) · RFC 1738: rejected (offset 9) · RFC 3986: conforming"
	if got := browsertest.Eval[string](tab, `document.querySelector("#checker [role=status]").textContent`); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if at := browsertest.Eval[string](tab, `document.querySelector("[data-grammar=rfc1738] .ck-at").textContent`); at != "~" {
		t.Errorf("the caret is at %q", at)
	}
	shown := browsertest.Eval[string](tab, answers(`document.querySelector("[data-grammar=rfc1738] .ck-try").click()`))
	shows(t, shown, "http://a/%7E", "conforming")
	browsertest.Eval[string](tab, answers(try("http:")))
	if at := browsertest.Eval[string](tab, `document.querySelector("[data-grammar=rfc1630] .ck-at").textContent`); at != "end" {
		t.Errorf("the caret is at %q", at)
	}
	calm(t, tab)
}

func TestTheDraftIsThereWhereItIsAskedFor(t *testing.T) {
	tab := open(t)
	browsertest.Eval[string](tab, answers(try("http://a/")))
	for _, want := range []string{"rfc1630 rfc1738 rfc3986", "rfc1630 rfc1738 draft06 rfc3986", "rfc1630 rfc1738 rfc3986"} {
		if got := browsertest.Eval[string](tab, `[...document.querySelectorAll("#checker article")].map(a => a.dataset.grammar).join(" ")`); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		browsertest.Eval[string](tab, answers(`document.getElementById("ck-draft").click()`))
		tab.Screenshot("checker-draft", "")
	}
	calm(t, tab)
}

func TestATextWithURLs(t *testing.T) {
	tab := open(t)
	shown := browsertest.Eval[string](tab, answers(try("see <URL:http://a/-\nb\u00e9> and <URL:ftp://h/~>")))
	shows(t, shown, "2 URLs", "A hyphen at the end of a line", `http://a/b\xC3\xA9`)
	browsertest.Eval[string](tab, answers(`document.querySelectorAll(".ck-pick")[1].click()`))
	if got := browsertest.Eval[string](tab, `document.getElementById("ck-url").textContent`); got != "ftp://h/~" {
		t.Errorf("the second is chosen, %q is shown", got)
	}
	if at := browsertest.Eval[string](tab, `document.activeElement.textContent`); at != "ftp://h/~" {
		t.Errorf("the focus went to %q", at)
	}
	browsertest.Eval[string](tab, answers(`document.querySelectorAll(".ck-pick")[0].click()`))
	browsertest.Eval[string](tab, answers(`document.querySelector(".ck-try").click()`))
	if got := browsertest.Eval[string](tab, `document.getElementById("ck-text").value`); got != "http://a/b\u00e9" {
		t.Errorf("without the hyphen it is %q", got)
	}
	calm(t, tab)
}

func TestNothingInAURLIsMarkupOrMovesText(t *testing.T) {
	tab := open(t)
	browsertest.Eval[string](tab, answers(try("http://a/<img src=x onerror=alert(1)>\u202e\u0000\u200f&amp;")))
	if got := browsertest.Eval[int](tab, `document.querySelectorAll("#checker img").length`); got != 0 {
		t.Error("it became markup")
	}
	shown := browsertest.Eval[string](tab, `document.getElementById("ck-answer").textContent`)
	shows(t, shown, `<img src=x onerror=alert(1)>\xE2\x80\xAE\x00\xE2\x80\x8F&amp;`)
	if strings.ContainsAny(shown, "\u202e\u0000\u200f") {
		t.Errorf("%q", shown)
	}
	tab.Screenshot("checker-hostile", "")
	calm(t, tab)
}

func TestALongText(t *testing.T) {
	tab := open(t)
	for _, c := range []struct {
		segments int
		verdict  string
		shown    []string
	}{{5000, "conforming", []string{"and 9,", " more"}}, {600000, "too-long", []string{"1,200,009 bytes", "longer than the limit of 1048576"}}} {
		shown := browsertest.Eval[string](tab, answers(fmt.Sprintf(
			`document.dispatchEvent(new CustomEvent("bnfcheck:try", {detail: {url: "http://a/" + "b/".repeat(%d)}}))`,
			c.segments)))
		if got := browsertest.Eval[string](tab, `document.querySelector("[data-grammar=rfc1738]").dataset.verdict`); got != c.verdict {
			t.Errorf("%d segments: %q", c.segments, got)
		}
		if len(shown) > 200000 {
			t.Errorf("%d segments: %d bytes are shown", c.segments, len(shown))
		}
		shows(t, shown, c.shown...)
	}
	calm(t, tab)
}

func TestItFitsEveryWindow(t *testing.T) {
	tab := open(t)
	browsertest.Eval[string](tab, answers(try("http://a/")))
	for _, size := range []struct {
		name   string
		width  int64
		scheme string
	}{{"light", 1280, "light"}, {"dark", 1280, "dark"}, {"phone", 390, "light"}, {"phone-dark", 390, "dark"}} {
		tab.Resize(size.width, 900, size.scheme)
		for name, text := range map[string]string{
			"ftp":    "ftp://myname@host.dom/%2Fetc/motd;type=a",
			"split":  "http://www.myu.edu/org/admin/people#andy",
			"reject": "http://info.cern.ch/" + strings.Repeat("hypertext/", 20) + "~timbl/index.html",
			"text": "see <URL:http://a/-\nb\u00e9> and <URL:ftp://h/~>, <URL:gopher://" + strings.Repeat("h.", 40) +
				"dom>",
		} {
			browsertest.Eval[string](tab, answers(try(text)))
			if wide := browsertest.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > size.width {
				t.Errorf("%s: the page is %d pixels wide in a window of %d", text, wide, size.width)
			}
			tab.Screenshot("checker-"+name+"-"+size.name, "")
		}
	}
	calm(t, tab)
}

// In the page it answers as it does elsewhere.
func TestTheCompiledCheckerAnswersAsTheNativeOne(t *testing.T) {
	tab := open(t)
	browsertest.Eval[string](tab, answers(try("http://a/")))
	for _, text := range []string{
		"", "http://a/~\u00e9", "<URL:http://a/-\nb>\n<URL:ftp://h/~>", "a:\nb:\n", "gopher://h/7a%09b", "x:\x00",
		"http://a/" + strings.Repeat("b/", 3000), "wais://a:b" + strings.Repeat(":", 200), strings.Repeat("<x:y>", 300),
	} {
		for chosen := range 2 {
			want := must.Of(json.Marshal(inspect.Check(text, chosen)))(t)
			quoted, _ := json.Marshal(text)
			got := browsertest.Eval[string](tab, fmt.Sprintf(`new Promise((resolve, reject) => {
				document.addEventListener("bnfcheck:failed", event => reject(event.detail.error), {once: true});
				document.addEventListener("bnfcheck:checked", event => resolve(JSON.stringify(event.detail.result)), {once: true});
				document.dispatchEvent(new CustomEvent("bnfcheck:try", {detail: {url: %s, chosen: %d}}));
			})`, quoted, chosen))
			var in, out any
			must.Do(t, json.Unmarshal(want, &in))
			must.Do(t, json.Unmarshal([]byte(got), &out))
			if !reflect.DeepEqual(in, out) {
				t.Errorf("%.60q, URL %d:\ncompiled %.2000s\nnative   %.2000s", text, chosen, got, want)
			}
		}
	}
}

// While the program works, however long that takes, the page moves; what takes too long can be stopped, and a new text ends the
// work on the one before.
func TestThePageMovesWhileItChecks(t *testing.T) {
	tab := open(t, "globalThis.bnfcheck(data.question, tell)",
		`(() => { if (JSON.parse(data.question).text === "x:slow") for (;;); return globalThis.bnfcheck(data.question, tell) })()`)
	browsertest.Eval[string](tab, answers(try("http://a/")))
	browsertest.Eval[any](tab, try("x:slow")+"; null")
	frames := browsertest.Eval[int64](tab, `new Promise(resolve => { let n = 0; const count = () => { n++; requestAnimationFrame(count) }; count(); setTimeout(() => resolve(n), 500) })`)
	if frames < 5 {
		t.Errorf("the page was drawn %d times in half a second", frames)
	}
	shows(t, browsertest.Eval[string](tab, answers(try("http://b/"))), "conforming", "httpurl")
	browsertest.Eval[any](tab, try("x:slow")+"; null")
	tab.Do(chromedp.WaitVisible(chromedp.CSS(".ck-stop")))
	tab.Screenshot("checker-still-checking", "")
	tab.Do(chromedp.Click(chromedp.CSS(".ck-stop")), chromedp.WaitVisible(chromedp.CSS(".ck-failed")))
	shows(t, browsertest.Eval[string](tab, answers(try("http://c/"))), "conforming", "httpurl")
	calm(t, tab)
}

// A text of 4 KB that is as bad as a text can be is answered, and the page moves meanwhile.
func TestABadText(t *testing.T) {
	tab := open(t)
	browsertest.Eval[string](tab, answers(try("http://a/")))
	for name, text := range map[string]string{
		"a search":  "wais://a?" + strings.Repeat("~", 4000),
		"a host":    "http://" + strings.Repeat("a-", 2000) + "~",
		"wrappers":  strings.Repeat("<URL:", 800),
		"brackets":  "http://[" + strings.Repeat("1:", 2000),
		"all signs": strings.Repeat("~[]{}|^%", 500),
	} {
		longest := browsertest.Eval[float64](tab, `(async () => {
			let longest = 0, last = performance.now(), on = true;
			const tick = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; if (on) setTimeout(tick) };
			tick();
			await `+answers(try(text))+`;
			on = false;
			return longest;
		})()`)
		if longest > 1000 {
			t.Errorf("%s: the page stood still for %.0f ms", name, longest)
		}
	}
	calm(t, tab)
}

// Where it cannot start it says why, and what to do instead.
func TestWhatTheBrowserMustHave(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"no WebAssembly", "delete globalThis.WebAssembly", "no WebAssembly"},
		{"a damaged page", `document.getElementById("engine-program").textContent = btoa("nonsense")`, "bnfcheck check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := open(t)
			browsertest.Eval[any](tab, c.script+"; null")
			tab.Do(chromedp.Click(chromedp.CSS(".ck-go")), chromedp.WaitVisible(chromedp.CSS(".ck-failed")))
			if got := browsertest.Eval[string](tab, `document.getElementById("ck-status").textContent`); !strings.Contains(got, c.want) {
				t.Errorf("%q", got)
			}
			tab.Screenshot("checker-"+strings.ReplaceAll(c.name, " ", "-"), "")
		})
	}
}
