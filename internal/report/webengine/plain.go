//go:build !engine

package webengine

// embedded is the packed engine in the executable of a release; other executables have none.
var embedded []byte
