// Package webcheck is the live checker of the report's page: what package inspect says of a text, compiled to WebAssembly
// together with the engine of the playground, with the form that asks for it and the script that shows it. All of it is meant to stand in one page, which can then
// be opened from disk, where a page cannot fetch anything.
//
// The page has a section with the ID "checker" for the markup, and defines the colours that the style uses. Nothing
// starts before somebody asks for it: by the form's button or, from elsewhere in the page, by an event on document,
//
//	new CustomEvent("bnfcheck:try", {detail: {url: "http://a/"}})
//
// After every answer there is an event "bnfcheck:checked", whose detail has the text, the result, an inspect.Result, and its
// JSON; where there can be none, there is "bnfcheck:failed" with the error. The program runs in a worker, so that the page
// moves while it works; a new text ends the work on the one before. [Policy] returns a policy of the page.
package webcheck

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"strings"
)

//go:generate go run ./build

//go:embed checker.css
var style string

//go:embed checker.html
var form string

//go:embed checker.js
var script string

//go:embed worker.js
var worker string

//go:embed golang/wasm_exec.js
var glue string

//go:embed golang/LICENSE
var licence string

//go:embed engine.wasm.lzma
var program []byte

// Style returns the CSS. It styles nothing outside the section.
func Style() string { return style }

// Script returns the JavaScript of the form.
func Script() string { return script }

// Markup returns the HTML for inside the section: the form, and what [Program] returns.
func Markup() string { return form + Program() }

// Program returns the HTML of the program that the checker and the playground share: the source of the worker that runs it, with
// Go's own script under its licence; and the compressed program. No browser takes the two for scripts of the page.
func Program() string {
	source := "/*\nOf the Go project, as is the runtime in the compiled program:\n\n" + strings.TrimSpace(licence) + "\n*/\n" + glue + "\n" + worker
	return `<script type="text/plain" id="ck-worker">` + "\n" + source + "</script>\n" +
		`<script type="application/octet-stream" id="ck-program">` + base64.StdEncoding.EncodeToString(program) + "</script>\n"
}

// Policy returns the Content-Security-Policy of a page with the program: it loads nothing, and no script runs that is not its own.
func Policy(page []byte) string {
	var hashes strings.Builder
	for rest := page; ; {
		_, after, found := bytes.Cut(rest, []byte("<script>"))
		if !found {
			break
		}
		script, after, _ := bytes.Cut(after, []byte("</script"))
		sum := sha256.Sum256(script)
		hashes.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
		rest = after
	}
	return "default-src 'none'; script-src 'wasm-unsafe-eval'" + hashes.String() +
		"; style-src 'unsafe-inline'; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'"
}
