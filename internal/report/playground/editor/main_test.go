package main

import (
	"os"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Where there is no browser, this is what notices a script that none would run, such as one that declares a name twice.
func TestScriptsAreJavaScript(t *testing.T) {
	for _, file := range []string{"../play.js", "../../page/page.js", "../../webcheck/checker.js", "../../webengine/engine.js",
		"../../webengine/worker.js"} {
		text := string(must.Of(os.ReadFile(file))(t))
		for _, test := range []struct {
			text   string
			errors bool
		}{{text, false}, {text + "const a = 1, a = 2;", true}, {text + "}", true}} {
			if got := api.Transform(test.text, api.TransformOptions{Format: api.FormatESModule}).Errors; (len(got) > 0) != test.errors {
				t.Errorf("%s: %v", file, got)
			}
		}
	}
}
