// Package webcheck is the live checker of the report's page: what package inspect says of a text, compiled to WebAssembly,
// with the form that asks for it and the script that shows it. All of it is meant to stand in one page, which can then
// be opened from disk, where a page cannot fetch anything.
//
// The page has a section with the ID "checker" for the markup, and defines the colours that the style uses. Nothing
// starts before somebody asks for it: by the form's button or, from elsewhere in the page, by an event on document,
//
//	new CustomEvent("bnfcheck:try", {detail: {url: "http://a/"}})
//
// After every answer there is an event "bnfcheck:checked", whose detail has the text, the result, an inspect.Result, and its
// JSON; where there can be none, there is "bnfcheck:failed" with the error. The program runs in a worker, so that the page
// moves while it works; a new text ends the work on the one before. A policy of the page must allow worker-src blob: and
// script-src 'wasm-unsafe-eval'.
package webcheck

import (
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

//go:embed checker.wasm.gz
var program []byte

// Style returns the CSS. It styles nothing outside the section.
func Style() string { return style }

// Script returns the JavaScript of the form.
func Script() string { return script }

// Markup returns the HTML for inside the section: the form; the source of the worker that runs the program, with Go's own
// script under its licence; and the compressed program. No browser takes the last two for scripts of the page.
func Markup() string {
	source := "/*\nOf the Go project, as is the runtime in the compiled program:\n\n" + strings.TrimSpace(licence) + "\n*/\n" + glue + "\n" + worker
	return form + `<script type="text/plain" id="ck-worker">` + "\n" + source + "</script>\n" +
		`<script type="application/octet-stream" id="ck-program">` + base64.StdEncoding.EncodeToString(program) + "</script>\n"
}
