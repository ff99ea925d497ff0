//go:build browser

package jspackage

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/testkit/browsertest"
)

// askChromium opens a page that imports the module, and asks it there.
func askChromium(t testing.TB, module, requests string) string {
	t.Helper()
	mux := http.NewServeMux()
	serve := func(path, file string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			http.ServeFile(w, r, file)
		})
	}
	serve("/grammar.js", module)
	serve("/answers.mjs", "testdata/answers.mjs")
	mux.HandleFunc("/requests", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "requests.txt", time.Time{}, strings.NewReader(requests))
	})
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><link rel="icon" href="data:,"><title>a module</title>`))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	tab := browsertest.Open(t, server.URL+"/")
	out := browsertest.Eval[string](tab, `(async () => {
		const grammar = await import("/grammar.js");
		const { answerAll } = await import("/answers.mjs");
		return answerAll(grammar, await (await fetch("/requests")).text());
	})()`)
	for _, problem := range tab.Problems() {
		t.Error(problem)
	}
	return out
}

// Modules answer in a browser as in node.
func TestChromium(t *testing.T) { compareEngine(t, askChromium) }
