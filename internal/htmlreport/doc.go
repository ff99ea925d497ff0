// Package htmlreport makes the report on the grammars: one page of HTML that stands by itself, and the same content as text and
// as Markdown.
//
// Collect finds out everything that the report says, from packages prove, describe and lang; the writers only say it. The
// page loads nothing: its style, its script and its figures are in it, and without the script it is complete, only less
// convenient. Strings in it are bytes of languages, and hold whatever a language holds: they are shown byte by byte.
package htmlreport
