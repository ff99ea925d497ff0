package grammar

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed *.printed
var printed embed.FS

// A Printed is a URI, a URL or a partial form that stands in the text of a specification.
type Printed struct {
	Line int    // of the text, where it begins
	Raw  string // as it stands there, with brackets and line breaks
	URL  string // Raw without brackets, prefix and white space

	// Context says how it stands there: "bare", "angle" (in angle brackets), "wrapper" (in "<URL:...>") or "partial" (a
	// form that is not meant to be derived).
	Context string
}

// PrintedURLs returns the URLs that a text prints, in its order: those of the table NAME.printed, whose first line tells
// how it was made. A text without a table has none.
func PrintedURLs(name string) ([]Printed, error) {
	file := name + ".printed"
	src, err := fs.ReadFile(printed, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var rows []Printed
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		col := strings.Split(line, "\t")
		if len(col) != 4 {
			return nil, fmt.Errorf("%s:%d: %d columns, not 4", file, n, len(col))
		}
		at, err := strconv.Atoi(col[0])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		rows = append(rows, Printed{at, strings.ReplaceAll(col[1], `\n`, "\n"), col[2], col[3]})
	}
	return rows, nil
}
