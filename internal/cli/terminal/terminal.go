// Package terminal finds out what the output of a program can show, and shows progress on a terminal.
package terminal

import (
	"io"
	"os"
	"strconv"
)

// Color reports whether output is to be colored, by the usual conventions, strongest first: FORCE_COLOR (where "0"
// and "false" mean no), NO_COLOR, TERM=dumb, and color on a terminal only.
func Color(getenv func(string) string, terminal bool) bool {
	switch force := getenv("FORCE_COLOR"); {
	case force == "0" || force == "false":
		return false
	case force != "":
		return true
	case getenv("NO_COLOR") != "", getenv("TERM") == "dumb":
		return false
	}
	return terminal
}

// Width returns the number of columns of the output: COLUMNS if it is a positive number, else the width of the
// terminal that out is, else 0.
func Width(columns string, out io.Writer) int {
	if n, err := strconv.Atoi(columns); err == nil && n > 0 {
		return n
	}
	if f, ok := out.(*os.File); ok {
		n, _ := columnsOf(f)
		return n
	}
	return 0
}

// Is reports whether w is a terminal.
func Is(w io.Writer) bool {
	f, ok := w.(*os.File)
	if ok {
		_, ok = columnsOf(f)
	}
	return ok
}
