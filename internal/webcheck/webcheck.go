// Package webcheck is the live checker of the report's page: what package inspect says of a text, compiled to WebAssembly,
// with the form that asks for it and the script that shows it. All of it is meant to stand in one page, which can then
// be opened from disk, where a page cannot fetch anything.
//
// The page has a section with the ID "checker" for the markup, and defines the colours that the style uses. Nothing
// starts before somebody asks for it: by the form's button or, from elsewhere in the page, by an event on document,
//
//	new CustomEvent("bnfcheck:try", {detail: {url: "http://a/"}})
//
// After every answer there is an event "bnfcheck:checked", whose detail has the text and the result, an inspect.Result;
// where there can be none, there is "bnfcheck:failed" with the error.
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

//go:embed golang/wasm_exec.js
var glue string

//go:embed golang/LICENSE
var licence string

//go:embed checker.wasm.gz
var program []byte

// Style returns the CSS. It styles nothing outside the section.
func Style() string { return style }

// Script returns the JavaScript: Go's own, under its licence, and the checker's.
func Script() string {
	return "/*\nOf the Go project, as is the runtime in the compiled program:\n\n" + strings.TrimSpace(licence) + "\n*/\n" + glue + "\n" + script
}

// Markup returns the HTML for inside the section: the form, and the compressed program as data that no browser reads as
// script.
func Markup() string {
	return form + `<script type="application/octet-stream" id="ck-program">` + base64.StdEncoding.EncodeToString(program) + "</script>\n"
}
