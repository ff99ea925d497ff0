// Package webcheck is the live checker of the report's page: the form that asks the engine of package webengine about a text, and
// the script that shows the answer, which is what package inspect reports. All of it stands in one page, which can be opened
// from disk, where a page cannot fetch anything.
//
// The page has a section with the ID "checker" for the markup, and defines the colors that the style uses. Nothing starts
// before somebody asks for it: by the form's button or, from elsewhere in the page, by an event on document,
//
//	new CustomEvent("bnfcheck:try", {detail: {url: "http://a/"}})
//
// After every answer there is an event "bnfcheck:checked", whose detail has the text and the result, an inspect.Result; where
// there can be none, there is "bnfcheck:failed" with the error. A new text ends the work on the one before.
package webcheck

import (
	_ "embed"

	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
)

//go:embed checker.css
var style string

//go:embed checker.html
var form string

//go:embed checker.js
var script string

// Style returns the CSS. It styles nothing outside the section.
func Style() string { return style }

// Script returns the JavaScript of the form, with the one that asks the engine.
func Script() string { return webengine.Script() + "\n" + script }

// Markup returns the HTML for inside the section: the form and the engine.
func Markup(e *webengine.Engine) string { return form + e.Markup() }
