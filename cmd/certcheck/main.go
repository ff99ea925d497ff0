// Certcheck checks a certificate that the rules of a PEG are the productions of a BNF. It shares no code with the program that
// writes certificates. It does not search: each line of a certificate follows from others by one rule, and is looked at once.
// The format and the rules are in docs/certificates.md.
//
//	certcheck GRAMMAR PEG CERTIFICATE
//
// The exit status is 0 if every line is right and covers what it is about, and 1 otherwise.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
)

// most is how many bytes a file may have.
const most = 256 << 20

func main() {
	log.SetFlags(0)
	log.SetPrefix("certcheck: ")
	if len(os.Args) != 4 {
		log.Fatal("usage: certcheck GRAMMAR PEG CERTIFICATE")
	}
	var texts [3]string
	for i, file := range os.Args[1:] {
		f, err := os.Open(file)
		if err != nil {
			log.Fatal(err)
		}
		text, err := io.ReadAll(io.LimitReader(f, most+1))
		if err != nil || len(text) > most {
			log.Fatalf("%s has more than %d bytes, or cannot be read: %v", file, most, err)
		}
		texts[i] = string(text)
	}
	report, err := check([3]string(os.Args[1:]), texts)
	fmt.Print(report)
	if err != nil {
		log.Fatal(err)
	}
}
