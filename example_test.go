package bnfcheck_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
)

func Example() {
	tree, err := bnfcheck.RFC1738.Parse("ftp://host.dom/%2Fetc/motd;type=a")
	if err != nil {
		log.Fatal(err) // an *ast.SyntaxError: where, in which production, and what could have stood there
	}
	for depth, node := range tree.Root().All() { // ftpurl, login, hostport, host ... as the RFC names them
		fmt.Println(depth, node.Name(), node.Text())
	}
	verdict := bnfcheck.RFC1630.Check("http://www.myu.edu/org/admin/people#andy")
	fmt.Println(verdict.Value, bnfcheck.RFC1630.Production(verdict.Production).Name) // conforming httpaddress
	// Output:
	// 0 url ftp://host.dom/%2Fetc/motd;type=a
	// 1 ftpurl ftp://host.dom/%2Fetc/motd;type=a
	// 2 login host.dom
	// 3 hostport host.dom
	// 4 host host.dom
	// 5 hostname host.dom
	// 6 domainlabel host
	// 6 toplabel dom
	// 2 fpath %2Fetc/motd
	// 3 fsegment %2Fetc
	// 3 fsegment motd
	// 2 ftptype a
	// conforming httpaddress
}

func ExampleGrammar_Parse() {
	tree, err := bnfcheck.RFC1738.Parse("ftp://@host.dom/etc;type=a")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(tree)
	// Output:
	// url 0..26 "ftp://@host.dom/etc;type=a"
	//   ftpurl 0..26 "ftp://@host.dom/etc;type=a"
	//     login 6..15 "@host.dom"
	//       user 6..6 ""
	//       hostport 7..15 "host.dom"
	//         host 7..15 "host.dom"
	//           hostname 7..15 "host.dom"
	//             domainlabel 7..11 "host"
	//             toplabel 12..15 "dom"
	//     fpath 16..19 "etc"
	//       fsegment 16..19 "etc"
	//     ftptype 25..26 "a"
}

// A rejection says how far the input can be read, and what could have stood there.
func ExampleGrammar_Parse_rejected() {
	_, err := bnfcheck.RFC1738.Parse("http://a/~b")
	fmt.Println(err)

	var syntax *ast.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Println(syntax.Input[:syntax.Offset], "can be continued,", syntax.Input[:syntax.Offset+1], "cannot")
	}
	// Output:
	// rfc1738: offset 9: unexpected "~" in hsegment; expected uchar, ";", ":", "@", "&", "=", "/", "?" or end of input (section 5)
	// http://a/ can be continued, http://a/~ cannot
}

// Both RFCs on the same strings.
func ExampleGrammar_Check() {
	for _, s := range []string{
		"http://info.cern.ch:8000/imaginary/test",
		"http://user@host.dom/",
		"urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3",
		"http://www.myu.edu/org/admin/people#andy",
	} {
		fmt.Println(s)
		for _, g := range []*bnfcheck.Grammar{bnfcheck.RFC1630, bnfcheck.RFC1738} {
			v := g.Check(s)
			fmt.Printf("  %s: %s %s\n", g.Title, v.Value, g.Production(v.Production).Name)
		}
	}
	// Output:
	// http://info.cern.ch:8000/imaginary/test
	//   RFC 1630: conforming httpaddress
	//   RFC 1738: conforming httpurl
	// http://user@host.dom/
	//   RFC 1630: conforming httpaddress
	//   RFC 1738: generic-only otherurl
	// urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3
	//   RFC 1630: no-production uri
	//   RFC 1738: conforming otherurl
	// http://www.myu.edu/org/admin/people#andy
	//   RFC 1630: conforming httpaddress
	//   RFC 1738: rejected
}

// A Parser keeps its memory: after the first few strings it allocates nothing.
func ExampleParser() {
	p := bnfcheck.RFC1738.Parser()
	p.FoldScheme = true
	for _, s := range []string{"HTTP://host.dom/", "Gopher://host.dom/11/about"} {
		if tree, err := p.Parse(s); err == nil {
			host, _ := tree.Root().Find(rfc1738.KindHost)
			fmt.Println(tree.Source, host.Text())
		}
	}
	// Output:
	// http://host.dom/ host.dom
	// gopher://host.dom/11/about host.dom
}

// The generated package can be used by itself, from any of its productions.
func Example_generatedPackage() {
	tree, err := rfc1738.ParseAs(rfc1738.KindHostport, "info.cern.ch:8000")
	if err != nil {
		fmt.Println(err)
		return
	}
	for depth, n := range tree.Root().All() {
		if depth == 1 {
			fmt.Println(n.Name(), n.Text())
		}
	}
	fmt.Println(rfc1738.AcceptsAs(rfc1738.KindHostport, "info.cern.ch:"))
	// Output:
	// host info.cern.ch
	// port 8000
	// false
}
