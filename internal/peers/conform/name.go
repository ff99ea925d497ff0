package conform

import (
	"os"
	"path/filepath"
)

// CommandName returns the name of a command in reports: the base name of the program and, if an argument is a
// file, of the first such argument, since that is the program that an interpreter runs: "node node-url.js".
// argv must not be empty.
func CommandName(argv []string) string {
	name := filepath.Base(argv[0])
	for _, arg := range argv[1:] {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			return name + " " + filepath.Base(arg)
		}
	}
	return name
}
