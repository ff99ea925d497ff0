// Command generated measures parsers that bnfcheck generate makes of eleven grammars, and their peers, on the same strings in one
// run, and prints a table of times and one of the aims that they reach or miss. Run it in its folder:
//
//	go generate . && go run .
//
// The grammars are under abnf; the packages that go generate writes are not kept. The peers are Go's regexp with an expression
// written by hand, where there are captures with one for each part; the parser that Go programs use; and go-abnf with the same
// grammar. It is a module of its own for the sake of the peers.
//
// Every subject has a turn in each round, so that other load on the machine affects all alike. A figure is the median of the
// rounds, in processor time where the system tells it. Before anything is measured, every subject must accept every string of
// its list; one that does not is left out, with a message. The peers do different work: most of them convert numbers or copy
// strings, where a tree has places.
//
// go run ./bench/measure, at the top of the repository, does all of this with the newest peers, and writes the result into
// docs/speed.md.
package main

//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/languagetag.abnf#Language-Tag -o bench/generated/languagetag
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/ipv6.abnf#IPv6address -o bench/generated/ipv6
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/mediatype.abnf#media-type -o bench/generated/mediatype
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/timestamp.abnf#date-time -o bench/generated/timestamp
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/version.abnf#go-version -o bench/generated/version
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/cookie.abnf#cookie-string -o bench/generated/cookie
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/mailbox.abnf#mailbox -o bench/generated/mailbox
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/structured.abnf#sf-list -o bench/generated/structured
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/sipuri.abnf#SIP-or-SIPS-URI -o bench/generated/sipuri
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/metric.abnf#sample -o bench/generated/metric
//go:generate go run -C ../.. ./cmd/bnfcheck generate bench/generated/abnf/abnf.abnf#rulelist -o bench/generated/rulelist

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	goabnf "github.com/pandatix/go-abnf"

	"github.com/bnfcheck/bnfcheck/ast"
)

//go:embed abnf
var grammars embed.FS

func main() {
	rounds := flag.Int("rounds", 15, "how often every subject has its turn")
	only := flag.String("only", "", "measure only formats with this in their name")
	flag.Parse()
	if err := run(os.Stdout, *rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "generated:", err)
		os.Exit(1)
	}
}

// A format is what is measured together.
type format struct {
	name     string
	file     string // of the grammar
	start    ast.Kind
	rule     string
	grammar  *ast.Grammar
	accepts  func(string) bool
	regexp   string // with captures; "" where there is no peer but go-abnf
	peer     string
	byPeer   func(string) error
	list     []string
	subjects []*subject
}

// A subject is a parser that is measured.
type subject struct {
	accepts func(string) bool
	slow    bool      // a turn is once through the list
	ns      []float64 // of processor time, by round, for a string
	allocs  float64   // for a string
}

const (
	accepts = iota
	tree
	plain
	captures
	peer
	abnf
	subjects
)

func run(w io.Writer, rounds int, only string) error {
	var chosen []*format
	for _, f := range formats {
		if strings.Contains(f.name, only) {
			if err := f.prepare(); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			chosen = append(chosen, f)
		}
	}
	for range rounds {
		for _, f := range chosen {
			for _, s := range f.subjects {
				if s != nil {
					s.turn(f.list)
				}
			}
		}
	}
	table(w, chosen)
	fmt.Fprintln(w)
	aims(w, chosen)
	return nil
}

// prepare makes the subjects.
func (f *format) prepare() error {
	var nodes []ast.Raw
	f.subjects = make([]*subject, subjects)
	f.subjects[accepts] = &subject{accepts: f.accepts}
	f.subjects[tree] = &subject{accepts: func(s string) (ok bool) {
		nodes, ok = f.grammar.Parse(nodes[:0], f.start, s)
		return ok
	}}
	if f.regexp != "" {
		whole := regexp.MustCompile(`^(?:` + f.regexp + `)$`)
		without := regexp.MustCompile(`^(?:` + noCaptures(f.regexp) + `)$`)
		f.subjects[plain] = &subject{accepts: without.MatchString}
		f.subjects[captures] = &subject{accepts: func(s string) bool { return whole.FindStringSubmatchIndex(s) != nil }}
		f.subjects[peer] = &subject{accepts: func(s string) bool { return f.byPeer(s) == nil }}
	}
	text, err := grammars.ReadFile("abnf/" + f.file)
	if err != nil {
		return err
	}
	g, err := goabnf.ParseABNF([]byte(strings.ReplaceAll(string(text), "\n", "\r\n")))
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: go-abnf does not read the grammar: %.100v\n", f.name, err)
	} else {
		f.subjects[abnf] = &subject{slow: true, accepts: func(s string) bool {
			forest, err := goabnf.Parse([]byte(s), g, f.rule)
			return err == nil && forest.Valid()
		}}
	}
	for i, s := range f.subjects {
		if s == nil {
			continue
		}
		for _, x := range f.list {
			if !s.accepts(x) {
				if i <= tree {
					return fmt.Errorf("the generated parser does not accept %q", x)
				}
				fmt.Fprintf(os.Stderr, "%s: without %s, which does not accept %q\n", f.name, f.nameOf(i), x)
				f.subjects[i] = nil
				break
			}
		}
	}
	return nil
}

// noCaptures returns an expression with its captures as groups. Each capture is written "(?<".
func noCaptures(e string) string { return regexp.MustCompile(`\(\?<\w+>`).ReplaceAllString(e, "(?:") }

// turn measures once, for at least two milliseconds of processor time. It goes through the list twice as often as before
// each time it looks at the clock, since that takes longer than the fastest subject takes for a list.
func (s *subject) turn(list []string) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	began := clock()
	took := time.Duration(0)
	for passes := max(1, 200/len(list)); took < 2*time.Millisecond; passes *= 2 {
		if s.slow {
			passes = 1
		}
		for range passes {
			for _, x := range list {
				s.accepts(x)
			}
		}
		n += passes * len(list)
		took = clock() - began
	}
	runtime.ReadMemStats(&after)
	s.ns = append(s.ns, float64(took.Nanoseconds())/float64(n))
	s.allocs = float64((after.Mallocs - before.Mallocs) / uint64(n))
}

func (s *subject) median() float64 {
	all := slices.Clone(s.ns)
	slices.Sort(all)
	return all[len(all)/2]
}

// table prints nanoseconds for a string and ratios.
func table(w io.Writer, chosen []*format) {
	row := func(cells ...string) { fmt.Fprintln(w, "| "+strings.Join(cells, " | ")+" |") }
	row("format", "accepts, ns", "tree, ns", "allocations", "peer", "peer / accepts", "peer / tree", "regexp / tree", "with captures / tree", "go-abnf / tree")
	fmt.Fprintln(w, "|---|--:|--:|--:|---|"+strings.Repeat("--:|", 5))
	for _, f := range chosen {
		base := [subjects]float64{}
		of := func(i, to int) string {
			if f.subjects[i] == nil {
				return "-"
			}
			return ratio(f.subjects[i].median() / base[to])
		}
		for i := range base[:tree+1] {
			base[i] = f.subjects[i].median()
		}
		row(f.name, fmt.Sprintf("%.0f", base[accepts]), fmt.Sprintf("%.0f", base[tree]),
			fmt.Sprint(f.subjects[accepts].allocs+f.subjects[tree].allocs), f.peer, of(peer, accepts), of(peer, tree), of(plain, tree), of(captures, tree), of(abnf, tree))
	}
}

// An aim is that a subject takes a part of the time of another.
type aim struct {
	what    string
	subject int
	other   int
	factor  float64            // how often as long the other has to take, at least
	of      func(*format) bool // the formats that it is about
}

// nests reports whether a format is derived by the general parser.
func nests(f *format) bool { return f.regexp == "" }

func isRegular(f *format) bool { return !nests(f) }

// wanted are the aims of the table, but for that of allocations.
var wanted = []aim{
	{"`Accepts` in half the time of the parser in use", accepts, peer, 2, isRegular},
	{"a tree in the time of the parser in use", tree, peer, 1, isRegular},
	{"a tree 3 times as fast as `regexp` without captures", tree, plain, 3, isRegular},
	{"a tree 50 times as fast as go-abnf", tree, abnf, 50, isRegular},
	{"a tree of the general parser 20 times as fast as go-abnf", tree, abnf, 20, nests},
}

// aims prints how many formats reach each aim, and the others with what they reach.
func aims(w io.Writer, chosen []*format) {
	row := func(what string, reached, of int, missed []string) {
		fmt.Fprintf(w, "| %s | %d of %d | %s |\n", what, reached, of, strings.Join(missed, "; "))
	}
	fmt.Fprint(w, "| aim | reached by | missed by |\n|---|---|---|\n")
	for _, a := range wanted {
		of := 0
		var missed []string
		for _, f := range chosen {
			subject, other := f.subjects[a.subject], f.subjects[a.other]
			if !a.of(f) || other == nil {
				continue
			}
			of++
			if r := other.median() / subject.median(); r < a.factor {
				missed = append(missed, fmt.Sprintf("%s: %s takes %s times as long", f.name, f.nameOf(a.other), ratio(r)))
			}
		}
		row(a.what, of-len(missed), of, missed)
	}
	var missed []string
	for _, f := range chosen {
		if n := f.subjects[accepts].allocs + f.subjects[tree].allocs; n > 0 {
			missed = append(missed, fmt.Sprintf("%s: %.0f for a string", f.name, n))
		}
	}
	row("no allocation", len(chosen)-len(missed), len(chosen), missed)
}

// nameOf returns the name of a subject.
func (f *format) nameOf(subject int) string {
	return [...]string{"`Accepts`", "the tree", "`regexp`", "`regexp` with captures", f.peer, "go-abnf"}[subject]
}

// ratio returns a number with two digits, or without a fraction.
func ratio(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
