// Package webengine is the program that runs in the pages, and the script by which a page asks it.
//
// The program is this module's own Go, compiled to WebAssembly; its main package is in the folder wasm. The page of
// the built-in texts and the playground have the same one. It answers questions in JSON (package playground/engine)
// and runs in workers, so that a page moves while it works.
//
// No compiled program is in the repository. Load takes the engine from the executable, where a release has embedded
// it, or from the user's cache folder, and else compiles it there, once for each version. So only a page that needs
// the engine pays for it.
package webengine

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

//go:embed engine.js
var script string

//go:embed worker.js
var worker string

//go:embed golang.LICENSE
var license string

// An Engine is a compiled program, with the script that connects it to a page.
type Engine struct {
	Program []byte // WebAssembly, compressed by gzip
	Glue    string // wasm_exec.js of the Go release that compiled the program
}

// Script returns the JavaScript that both pages share. It defines Bnfcheck.Lane, through which a page asks
// the engine.
func Script() string { return script }

// Markup returns the HTML of the engine, for the script of [Script] to find: the source of the worker that runs it,
// with Go's own script under its license, and the compressed program. No browser takes the two for scripts of the
// page.
func (e *Engine) Markup() string {
	source := "/*\nOf the Go project, as is the runtime in the compiled program:\n\n" + strings.TrimSpace(license) +
		"\n*/\n" +
		e.Glue + "\n" + worker
	return `<script type="text/plain" id="engine-worker">` + "\n" + source + "</script>\n" +
		`<script type="application/octet-stream" id="engine-program">` +
		base64.StdEncoding.EncodeToString(e.Program) + "</script>\n"
}

// Policy returns the Content-Security-Policy of a page: it loads nothing from anywhere, and runs no script but the
// engine and those in page, in <script> without attributes, whose hashes it lists. Styles and images that stand in
// the page itself are allowed.
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

// A packed engine is a line with the SHA-256 of all that follows, a line with the length of the glue, the glue, and
// the program.
const packedLine = "bnfcheck engine %x\n"

// Pack returns the engine as one text, which Unpack reads.
func (e *Engine) Pack() []byte {
	rest := fmt.Appendf(nil, "%d\n%s%s", len(e.Glue), e.Glue, e.Program)
	return append(fmt.Appendf(nil, packedLine, sha256.Sum256(rest)), rest...)
}

// errDamaged reports a text that Pack has not returned.
var errDamaged = errors.New("not an engine, or a damaged one")

// Unpack reads what Pack returns. It fails with errDamaged if a byte is missing or different. The engine shares the
// memory of packed, which must not be changed then.
func Unpack(packed []byte) (*Engine, error) {
	_, rest, _ := bytes.Cut(packed, []byte("\n"))
	if !bytes.HasPrefix(packed, fmt.Appendf(nil, packedLine, sha256.Sum256(rest))) {
		return nil, errDamaged
	}
	length, rest, _ := bytes.Cut(rest, []byte("\n"))
	n, err := strconv.Atoi(string(length))
	if err != nil || n < 0 || n > len(rest) {
		return nil, errDamaged
	}
	return &Engine{Glue: string(rest[:n]), Program: rest[n:]}, nil
}
