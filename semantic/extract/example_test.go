package extract_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/bnfcheck/bnfcheck/semantic/extract"
)

func ExampleURLs() {
	text := "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\ntype=d> but ..."
	for x, err := range extract.URLs(strings.NewReader(text)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(x.Line, x.Start, x.URL)
	}
	// Output:
	// 1 27 ftp://info.cern.ch/pub/www/doc;type=d
}
