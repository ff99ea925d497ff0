// Package js holds the JavaScript of generated modules, as files: a parser for each form of tables,
// trees, and errors. docs/table-format.md describes the tables. The program that writes a module
// puts into it the files that its grammar needs.
package js

import "embed"

// Files has the ES modules of the runtime. Each imports those that it needs by their names.
//
//go:embed *.js
var Files embed.FS
