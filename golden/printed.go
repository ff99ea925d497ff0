package golden

import "embed"

// PrintedURLs holds printed-rfc1630.tsv and printed-rfc1738.tsv under testdata: every URI and URL that the texts of the
// RFCs print, with its line. The first line of each file says how it was made and what its columns are.
//
//go:embed testdata/printed-*.tsv
var PrintedURLs embed.FS
