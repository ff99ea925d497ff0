package semantic_test

import (
	"fmt"
	"log"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// What a URL means: its parts, and what a client does with them.
func ExampleParse() {
	u, err := semantic.Parse(bnfcheck.RFC1738, "ftp://myname@host.dom/%2Fetc/motd")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(u.Table())
	for _, step := range u.Access() { // connect host.dom:21, send "USER myname" ...
		fmt.Println(step)
	}
	// Output:
	// rfc1738: ftpurl (own-production)
	//   scheme 0..3 "ftp"
	//   user 6..12 "myname"
	//   host 13..21 "host.dom"
	//   port = 21, the default
	//   directory 22..28 "%2Fetc" = "/etc"
	//   name 29..33 "motd"
	//   type = to be guessed from the name
	// connect host.dom:21  [RFC 1738 section 3.2]
	// send    "USER myname\x0D\x0A"  [RFC 1738 section 3.2.1]
	// ask     if the server requests a password, the user for it  [RFC 1738 section 3.2.1]
	// send    "CWD /etc\x0D\x0A"  [RFC 1738 section 3.2.2]
	// choose  TYPE A or TYPE I, guessed from the name "motd"  [RFC 1738 section 3.2.3, inferred]
	// send    "RETR motd\x0D\x0A"  [RFC 1738 section 3.2.2]
	// close   the control connection, before another directory is visited  [RFC 1738 section 3.2.5]
}

func ExampleURL_Findings() {
	u, err := semantic.Parse(bnfcheck.RFC1738, "gopher://host.dom:25/0HELO%0D%0AQUIT")
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range u.Findings() {
		fmt.Println(f.Severity, f.Rule, u.Source[f.Start:f.End])
	}
	// Output:
	// warning 1738/port-reserved 25
	// error 1738/gopher-selector %0D
	// warning 1738/encoded-control %0D
}

func ExampleComponent_Encode() {
	segment, _ := semantic.ComponentOf(bnfcheck.RFC1738, "ftp", "segment")
	text, err := segment.Encode("/etc")
	fmt.Println(text, err)
	// Output: %2Fetc <nil>
}

// What "bnfcheck explain 1738/ftp-typecode" prints.
func ExampleRule() {
	rule, _ := semantic.RuleByID("1738/ftp-typecode")
	fmt.Print(rule)
	// Output:
	// 1738/ftp-typecode (error)
	//   the type code of an ftp URL is a, i or d
	//   The type code is one of the characters "a", "i" and "d".
	//   RFC 1738 section 3.2.2, line 362; for ftp
}

// Two URLs mean the same if they differ only in what the RFC says makes no difference.
func ExampleURL_Equal() {
	typed := func(s string) *semantic.URL {
		u, err := semantic.Parse(bnfcheck.RFC1738, s)
		if err != nil {
			log.Fatal(err)
		}
		return u
	}
	a, b := typed("http://Host.Dom:80/%7Efoo"), typed("http://host.dom/%7efoo")
	fmt.Println(a.Canonical())
	fmt.Println(a.Equal(b), a.Equal(typed("http://host.dom/%7Efoo/")))
	// Output:
	// http://host.dom/%7Efoo
	// true false
}

// A Reader takes many URLs in the memory of one.
func ExampleReader() {
	p := bnfcheck.RFC1738.Parser()
	var r semantic.Reader
	for _, s := range []string{"telnet://melvyl.ucop.edu/", "gopher://gopher.micro.umn.edu:70/11/"} {
		tree, err := p.Parse(s)
		if err != nil {
			log.Fatal(err)
		}
		u, err := r.Of(tree)
		if err != nil {
			log.Fatal(err)
		}
		port, _ := u.PortNumber()
		fmt.Println(u.SchemeName(), u.Host.Raw, port)
	}
	// Output:
	// telnet melvyl.ucop.edu 23
	// gopher gopher.micro.umn.edu 70
}

// References of RFC 3986: components, resolution, equivalence.
func ExampleReference() {
	base, _ := semantic.ParseReference("http://a/b/c/d;p?q")
	ref, _ := semantic.ParseReference("../g?y#s")
	target, err := base.Resolve(ref)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(target.Source, target.Host.Kind, target.Query.Raw, target.Authority.Present(), target.Userinfo.Present())

	other, _ := semantic.ParseReference("HTTP://A:80/b/./%67?y#s")
	fmt.Println(target.Compare(other)) // the lowest rung of the ladder on which they are equivalent
	for _, step := range other.Normalize(semantic.SchemeRules).Steps {
		fmt.Printf("%s, section %s: %s %q -> %q\n", step.Rung, step.Rung.Section(), step.Component, step.Before, step.After)
	}
	// Output:
	// http://a/b/g?y#s registered name y true false
	// scheme true
	// case, section 6.2.2.1: scheme "HTTP" -> "http"
	// case, section 6.2.2.1: host "A" -> "a"
	// percent-encoding, section 6.2.2.2: path "/b/./%67" -> "/b/./g"
	// path segments, section 6.2.2.3: path "/b/./g" -> "/b/g"
	// scheme, section 6.2.3: port "80" -> ""
}
