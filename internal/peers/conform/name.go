package conform

import (
	"os"
	"path/filepath"
)

// CommandName returns the name of a command in reports: that of the program and, if an argument is a file, that of
// the first such argument, since it tells what an interpreter runs: "node node-url.js".
func CommandName(argv []string) string {
	name := filepath.Base(argv[0])
	for _, arg := range argv[1:] {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			return name + " " + filepath.Base(arg)
		}
	}
	return name
}
