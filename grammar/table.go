package grammar

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// A row is a line of a table: its columns, and where it stands ("rfc1738.printed:7") for errors.
type row struct {
	place   string
	columns []string
}

// readTable reads a file of lines with columns between tabs. Empty lines and those that begin with "#" are no rows. A file that does
// not exist has none.
func readTable(files embed.FS, name string, columns int) ([]row, error) {
	src, err := fs.ReadFile(files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	rows := make([]row, 0, strings.Count(string(src), "\n"))
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		r := row{fmt.Sprintf("%s:%d", name, n), strings.Split(line, "\t")}
		if len(r.columns) != columns {
			return nil, fmt.Errorf("%s: %d columns, not %d", r.place, len(r.columns), columns)
		}
		rows = append(rows, r)
	}
	return rows, nil
}
