package fix_test

import (
	"fmt"
	"log"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
)

// What has a reason in the RFC is certain, unless the URL no longer means what it meant.
func ExampleNearest() {
	for _, s := range []string{
		"<URL:HTTP://host.dom/~me/>",
		"ftp://user:pa^ss@host.dom/x",
		"http://host.dom/a#top",
		"http:/host.dom/",
		"www.host.dom",
	} {
		r, err := fix.Nearest(bnfcheck.RFC1738, s)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s (certain: %v, guess: %v, differs: %v)\n", r.URL, r.Certain(), r.Guess, r.Differs)
		for _, e := range r.Edits {
			fmt.Printf("  %s at %d: %q -> %q\n", e.Kind, e.Offset, e.Old, e.New)
		}
	}
	// Output:
	// http://host.dom/%7Eme/ (certain: true, guess: false, differs: )
	//   unwrap at 0: "<" -> ""
	//   unwrap at 25: ">" -> ""
	//   unwrap at 1: "URL:" -> ""
	//   fold-scheme at 5: "HTTP" -> "http"
	//   encode at 21: "~" -> "%7E"
	// ftp://user:pa%5Ess@host.dom/x (certain: true, guess: false, differs: )
	//   encode at 13: "^" -> "%5E"
	// http://host.dom/a (certain: false, guess: false, differs: fragment)
	//   drop-fragment at 17: "#top" -> ""
	// http://host.dom/ (certain: false, guess: true, differs: host and path)
	//   insert at 6: "" -> "/"
	// http://www.host.dom (certain: false, guess: true, differs: scheme, host and path)
	//   insert at 0: "" -> "http://"
}
