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
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("certcheck: ")
	if len(os.Args) != 4 {
		log.Fatal("usage: certcheck GRAMMAR PEG CERTIFICATE")
	}
	var texts [3]string
	for i, file := range os.Args[1:] {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		texts[i] = string(text)
	}
	report, err := check([3]string(os.Args[1:]), texts)
	fmt.Print(report)
	if err != nil {
		log.Fatal(err)
	}
}
