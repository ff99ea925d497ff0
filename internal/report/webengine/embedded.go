//go:build engine

package webengine

import _ "embed"

// internal/cli/release builds with the tag engine, and has the go command find the file by an overlay: the file is
// never in the source tree.
//
//go:embed engine.bin
var embedded []byte
