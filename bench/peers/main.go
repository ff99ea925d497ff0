// Command peers measures the generated parsers and their peers on the same lists of URLs in one run, and prints one table:
//
//	go run ./bench/peers
//
// The peers in Go are net/url and a scan that only tests whether each byte may occur in a URL. Those in C and C++
// are uriparser (Debian: liburiparser-dev; it is compiled with cc, from outside/uriparser.c) and ada, which comes inside Node.js
// as URL.canParse and new URL. A peer that is not installed is left out, with a message.
//
// Each figure is the minimum of many rounds. Every subject has a turn in each round, so that other load on the machine affects
// all alike. The peers do different work: net/url splits and decodes, ada normalizes, uriparser splits, and the parsers of
// this project build a tree of all productions.
//
// Where BNFCHECK_CORPUS is set, the lists of real URLs are read from that folder: from each the URLs that all three RFCs accept, modern ones first, and
// as a separate list those of 1992-1999 that RFC 1738 rejects.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen/rfc1630"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/gen/rfc3986"
)

//go:embed outside/uriparser.c
var uriparserC []byte

//go:embed outside/ada.js
var adaJS []byte

func main() {
	rounds := flag.Int("rounds", 40, "how often every subject has its turn")
	only := flag.String("only", "", "measure only subjects with this in their name")
	flag.Parse()
	dir, err := os.MkdirTemp("", "bnfcheck-peers-")
	if err == nil {
		err = run(dir, *rounds, *only)
		os.RemoveAll(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// A list is what is parsed.
type list struct {
	name  string
	urls  []string
	bytes int
	file  string // the same, one a line
}

// A subject is a parser to measure: a function, or a command that takes a file and a time in milliseconds, and prints its
// best time in nanoseconds per URL.
type subject struct {
	name    string
	parse   func(s string)
	command []string
	best    []float64 // by list, nanoseconds per URL
}

func run(dir string, rounds int, only string) error {
	lists, err := lists(dir)
	if err != nil {
		return err
	}
	var subjects []*subject
	for _, s := range append(inGo(), outside(dir)...) {
		if strings.Contains(s.name, only) || s.name == reference {
			s.best = make([]float64, len(lists))
			subjects = append(subjects, s)
		}
	}
	for round := range rounds {
		for _, s := range subjects {
			if s.command != nil && round%8 != 0 {
				continue
			}
			for i, l := range lists {
				ns, err := s.measure(l)
				if err != nil {
					return fmt.Errorf("%s on %s: %w", s.name, l.name, err)
				}
				if s.best[i] == 0 || ns < s.best[i] {
					s.best[i] = ns
				}
			}
		}
	}
	return table(os.Stdout, lists, subjects)
}

// measure returns the nanoseconds per URL of one turn.
func (s *subject) measure(l list) (float64, error) {
	if s.command != nil {
		out, err := exec.Command(s.command[0], append(s.command[1:], l.file, "100")...).Output()
		if err != nil {
			return 0, err
		}
		return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	}
	best := 0.0
	for began := time.Now(); time.Since(began) < 2*time.Millisecond; {
		start := time.Now()
		repeat := max(1, 1000/len(l.urls))
		for range repeat {
			for _, u := range l.urls {
				s.parse(u)
			}
		}
		if ns := float64(time.Since(start).Nanoseconds()) / float64(repeat*len(l.urls)); best == 0 || ns < best {
			best = ns
		}
	}
	return best, nil
}

// reference is the subject that the ratios refer to.
const reference = "net/url.Parse"

func inGo() []*subject {
	var nodes []ast.Raw
	p1738, p1630, p3986 := bnfcheck.RFC1738.Parser(), bnfcheck.RFC1630.Parser(), bnfcheck.RFC3986.Parser()
	var inURL [256]bool
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$-_.+!*'(),;/?:@&=%") {
		inURL[c] = true
	}
	return []*subject{
		{name: reference, parse: func(s string) { url.Parse(s) }},
		{name: "class scan", parse: func(s string) {
			i := 0
			for i < len(s) && inURL[s[i]] {
				i++
			}
		}},
		{name: "RFC 3986 accepts", parse: func(s string) { rfc3986.Grammar.Accept(rfc3986.KindURIReference, s) }},
		{name: "RFC 3986 tree", parse: func(s string) { nodes, _ = rfc3986.Grammar.Parse(nodes[:0], rfc3986.KindURIReference, s) }},
		{name: "RFC 3986 Parser.Parse", parse: func(s string) { p3986.Parse(s) }},
		{name: "RFC 3986 Parse", parse: func(s string) { bnfcheck.RFC3986.Parse(s) }},
		{name: "RFC 1738 accepts", parse: func(s string) { rfc1738.Grammar.Accept(rfc1738.KindUrl, s) }},
		{name: "RFC 1738 tree", parse: func(s string) { nodes, _ = rfc1738.Grammar.Parse(nodes[:0], rfc1738.KindUrl, s) }},
		{name: "RFC 1738 Parser.Parse", parse: func(s string) { p1738.Parse(s) }},
		{name: "RFC 1738 Parse", parse: func(s string) { bnfcheck.RFC1738.Parse(s) }},
		{name: "RFC 1630 accepts", parse: func(s string) { rfc1630.Grammar.Accept(rfc1630.Grammar.Default, s) }},
		{name: "RFC 1630 tree", parse: func(s string) {
			nodes, _ = rfc1630.Grammar.Parse(nodes[:0], rfc1630.Grammar.Default, s)
		}},
		{name: "RFC 1630 Parser.Parse", parse: func(s string) { p1630.Parse(s) }},
		{name: "RFC 1630 Parse", parse: func(s string) { bnfcheck.RFC1630.Parse(s) }},
	}
}

// outside returns the peers that are other programs and are installed.
func outside(dir string) []*subject {
	var out []*subject
	program, source := filepath.Join(dir, "uriparser"), filepath.Join(dir, "uriparser.c")
	err := os.WriteFile(source, uriparserC, 0o666)
	if err == nil {
		err = exec.Command("cc", "-O2", "-o", program, source, "-luriparser").Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "without uriparser: liburiparser-dev and a C compiler are needed")
	} else {
		out = append(out, &subject{name: "uriparser (C)", command: []string{program}})
	}
	script := filepath.Join(dir, "ada.js")
	err = os.WriteFile(script, adaJS, 0o666)
	if err == nil {
		err = exec.Command("node", "-e", "if (!URL.canParse) process.exit(1)").Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "without ada: a Node.js with URL.canParse is needed")
	} else {
		out = append(out,
			&subject{name: "ada (C++): URL.canParse", command: []string{"node", script, "canParse"}},
			&subject{name: "ada (C++): new URL", command: []string{"node", script, "new"}})
	}
	return out
}

// lists returns the lists, and writes each to a file for the peers outside.
func lists(dir string) ([]list, error) {
	all := []list{
		{name: "one http URL", urls: []string{"http://www.ncsa.uiuc.edu:80/demoweb/url-primer.html?topic+syntax"}},
		{name: "1 KB", urls: []string{("http://www.w3.org/hypertext/WWW/" +
			strings.Repeat("Addressing/URL/a.long-path_with(many)Segments/", 22))[:1024]}},
	}
	corpus := os.Getenv("BNFCHECK_CORPUS")
	if corpus == "" {
		fmt.Fprintln(os.Stderr, "without lists of real URLs: BNFCHECK_CORPUS is not set")
	} else {
		for _, f := range []struct{ name, path string }{
			{"Debian", "modern/debian.txt"}, {"Node.js", "modern/node_files.txt"}, {"1992-1999", "era.tsv"},
		} {
			text, err := os.ReadFile(filepath.Join(corpus, f.path))
			if err != nil {
				return nil, err
			}
			accepted, rejected := sort(firstColumn(text))
			all = append(all, list{name: f.name, urls: accepted})
			if f.path == "era.tsv" {
				all = append(all, list{name: "rejected", urls: rejected})
			}
		}
	}
	for i := range all {
		l := &all[i]
		for _, u := range l.urls {
			l.bytes += len(u)
		}
		l.file = filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(l.file, []byte(strings.Join(l.urls, "\n")+"\n"), 0o666); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// sort separates the URLs that all grammars accept from those that RFC 1738 rejects.
func sort(urls []string) (accepted, rejected []string) {
	for _, u := range urls {
		switch {
		case !bnfcheck.RFC1738.Accepts(u):
			rejected = append(rejected, u)
		case bnfcheck.RFC1630.Accepts(u) && bnfcheck.RFC3986.Accepts(u):
			accepted = append(accepted, u)
		}
	}
	return accepted, rejected
}

func firstColumn(text []byte) []string {
	var out []string
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		line, _, _ := strings.Cut(s.Text(), "\t")
		out = append(out, line)
	}
	return out
}

// table prints nanoseconds per URL, the ratio to the reference, and megabytes per second.
func table(w *os.File, lists []list, subjects []*subject) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\t")
	for _, l := range lists {
		fmt.Fprintf(t, "%s\t\t\t", l.name)
	}
	fmt.Fprint(t, "\n\t")
	for range lists {
		fmt.Fprint(t, "ns/URL\tratio\tMB/s\t")
	}
	fmt.Fprintln(t)
	for _, s := range subjects {
		fmt.Fprintf(t, "%s\t", s.name)
		for i, l := range lists {
			size := float64(l.bytes) / float64(len(l.urls))
			fmt.Fprintf(t, "%.0f\t%.2f\t%.0f\t", s.best[i], s.best[i]/subjects[0].best[i], size/s.best[i]*1000)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
