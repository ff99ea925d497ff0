package golden

import "embed"

// PrintedURLs holds a table for each text under testdata, printed-rfc1738.tsv: every URI and URL that it prints, with
// its line. The first line of each file says how it was made and what its columns are.
//
//go:embed testdata/printed-*.tsv
var PrintedURLs embed.FS
