package grammar

import (
	"embed"
	"fmt"
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

	// Context is how it stands there: "bare", "angle" (in angle brackets), "quoted" (in double quotes), "wrapper" (in "<URL:...>") or "partial" (a
	// form that is not meant to be derived).
	Context string
}

// PrintedURLs returns the URLs that a text prints, in its order: those of the table NAME.printed, whose first line tells
// how it was made. A text without a table has none.
func PrintedURLs(name string) ([]Printed, error) {
	table, err := readTable(printed, name+".printed", 4)
	if err != nil {
		return nil, err
	}
	var list []Printed
	for _, r := range table {
		line, err := strconv.Atoi(r.columns[0])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.place, err)
		}
		list = append(list, Printed{line, strings.ReplaceAll(r.columns[1], `\n`, "\n"), r.columns[2], r.columns[3]})
	}
	return list, nil
}
