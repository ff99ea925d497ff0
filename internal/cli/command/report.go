package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/report/page"
	"github.com/bnfcheck/bnfcheck/internal/report/playground"
	"github.com/bnfcheck/bnfcheck/internal/report/playground/engine"
	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
)

// newReport returns the command report, which writes everything about the grammars on one page.
func newReport(s *streams) *cobra.Command {
	r := &reporting{streams: s}
	cmd := &cobra.Command{
		Use:   "report [FILE | A B]",
		Short: "Write everything about the grammars on one page",
		Long: `report writes one page about all grammars. It begins with what is true today: a checker
that runs in the page, how much RFC 3986 accepts of the older texts, other parsers, and
published regular expressions.
Its second half is about the two RFCs of 1994: strings about which the texts disagree,
what only one of the two accepts, what each text made legal and illegal, the
differences, the readings, the claims, and the proof, all folded. The page
is one file of HTML that loads nothing. An address that ends in "#check=" and a URL
has the page check that URL.

With a FILE it writes a page about the grammar in it. Each production has its printed line, a diagram, what uses it, the shortest string that it derives and the
size of its automaton. FILE#RULE sets the start; what it does not lead to is unused.

With A and B, which are productions or grammars as diff takes them, it writes a page about
how they differ, and about the productions of those that are files.

--playground leads from the page about a FILE into the playground, with the grammar in it.
--conform adds what bnfcheck conform --format json found about other parsers.

A file is written whole or not at all.`,
		Example: `  bnfcheck report -o report.html
  bnfcheck conform --builtin net/url --format json >net-url.json
  bnfcheck report --conform net-url.json -o report.html
  bnfcheck report -o uri.html uri.abnf
  bnfcheck report -o uri.html --playground play/index.html uri.abnf
  bnfcheck report -o new.html --title "What changed in 2.0" \
    old.abnf#URI new.abnf#URI
  bnfcheck report -o uri.html rfc1738 rfc3986
  bnfcheck report --format text | less`,
		Args: takesAtMost("A", "B"),
		RunE: func(_ *cobra.Command, args []string) error { return r.run(args) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&r.file, "output", "o", "", "write to `FILE` instead of standard output")
	flags.StringVar(&r.conform, "conform", "", "add the results of conform in `FILE`, - for standard input")
	flags.StringVar(&r.title, "title", "", "the heading of the page, as `TEXT`: \"What changed in 2.0\"")
	flags.StringVar(&r.playground, "playground", "",
		"lead from the page about a FILE into the playground at this `ADDRESS`, which bnfcheck playground writes: "+
			"play/index.html")
	r.naming = addNaming(s, cmd)
	r.format = addChoice(cmd, "format", "how to write", "html", "text", "markdown")
	return cmd
}

// reporting carries out one report command.
type reporting struct {
	*streams
	naming               *naming
	file, conform, title string
	playground           string
	format               *choice
}

// memoryOfReport is the memory at which garbage is collected more often while the built-in texts are compared. At most
// half of it is alive, so that twice the memory would save no more than a twentieth of the time.
const memoryOfReport = 186 << 20

// run writes the report about files, or without an argument about the built-in texts. It fails before the work begins
// for HTML on a terminal, and if the folder of -o does not exist. Without GOMEMLIMIT the built-in texts are compared
// under memoryOfReport.
func (r *reporting) run(args []string) error {
	if r.format.value == "html" && r.file == "" && r.outIsTerminal {
		return errors.New("a page of HTML is not for a terminal: give -o FILE, or --format text")
	}
	if r.file != "" { // said before the work, and not after it
		if _, err := os.Stat(filepath.Dir(r.file)); err != nil {
			return &ioError{r.file, err}
		}
	}
	if len(args) > 0 {
		return r.reportOnFiles(args)
	}
	if r.playground != "" {
		return errors.New("--playground is for the page of HTML about one FILE")
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryOfReport))
	}
	results, err := r.results()
	if err != nil {
		return err
	}
	content, err := page.Collect(results, r.doing.rules)
	if err != nil {
		return err
	}
	return r.write(content)
}

// reportOnFiles writes the page about the grammar in a file, or about a pair. It fails for flags that such a page
// has no place for, and with errOpen where the page says of a production that a limit was passed.
func (r *reporting) reportOnFiles(args []string) error {
	if r.playground != "" && (len(args) == 2 || r.format.value != "html") {
		return errors.New("--playground is for the page of HTML about one FILE")
	}
	if r.conform != "" {
		return errors.New("--conform is for the page about the published grammars")
	}
	if len(args) == 2 {
		c, err := r.pair(args)
		if err != nil {
			return err
		}
		return cmp.Or(r.write(c), r.earned)
	}
	g, err := r.document(args[0])
	if err != nil {
		return err
	}
	if g.Built != nil {
		return fmt.Errorf("%s is not a file: report without an argument is about all published grammars, and with two "+
			"about how they differ",
			ast.Quote(args[0]))
	}
	f := page.CollectFile(g, "")
	f.Title = cmp.Or(r.title, f.Title)
	if r.playground != "" {
		state := playground.State{Grammar: engine.Source{Text: string(g.Text), Kind: string(g.Kind), Start: g.Asked}}
		fragment, err := state.Fragment()
		if err != nil {
			return err
		}
		f.Playground = r.playground + fragment
	}
	r.mark(f)
	err = r.output(r.file, func(w io.Writer) error {
		switch r.format.value {
		case "html":
			return page.WriteFileHTML(w, f)
		case "markdown":
			return page.WriteFileMarkdown(w, f)
		}
		screen := r.Screen
		if r.file != "" { // neither colors nor the width of the terminal belong in a file
			screen = layout.Screen{}
		}
		return page.WriteFileText(w, f, &screen)
	})
	return cmp.Or(err, r.earned)
}

// mark sets r.earned if the page about a file has a production that passed a limit.
func (r *reporting) mark(f *page.File) {
	if f.TooLarge() {
		r.earned = errOpen
	}
}

// document opens a grammar. A production that was asked for and does not exist is an error here, and not only later;
// the grammar is returned with it.
func (r *reporting) document(name string) (*catalog.Opened, error) {
	g, err := r.naming.open(name)
	if err != nil || g.Asked == "" {
		return g, err
	}
	_, err = g.Lookup(g.Asked)
	return g, classifyNameError(err)
}

// pair returns the content of a page that compares two productions or grammars and describes those that are files,
// each file once. args must be two.
func (r *reporting) pair(args []string) (*page.Content, error) {
	subjects, err := catalog.Load(catalog.Version{})
	if err != nil {
		return nil, err
	}
	d := &differing{streams: r.streams, naming: r.naming}
	comparisons, _, err := d.comparisons(subjects, args)
	if err != nil {
		return nil, err
	}
	var documents []*page.File
	opened := map[string]bool{}
	for i, name := range args {
		file, _ := catalog.Split(name)
		if catalog.IsBuilt(name) || opened[file] { // the name of a grammar is compared whole
			continue
		}
		opened[file] = true
		g, err := r.document(name)
		if err != nil {
			return nil, err
		}
		if g.Built != nil {
			continue
		}
		f := page.CollectFile(g, []string{"a", "b"}[i])
		r.mark(f)
		documents = append(documents, f)
	}
	c, err := page.CollectPair(comparisons, documents...)
	return c, r.naming.undecided(err)
}

// write writes a page in the form that was asked for, under the title of --title if there is one. HTML with a checker
// needs the engine, which may be compiled first.
func (r *reporting) write(c *page.Content) error {
	c.Title = cmp.Or(r.title, c.Title)
	var engine *webengine.Engine
	if r.format.value == "html" && c.HasChecker() {
		var err error
		if engine, err = r.loadEngine(); err != nil {
			return err
		}
	}
	return r.output(r.file, func(w io.Writer) error {
		switch r.format.value {
		case "html":
			return page.WriteHTML(w, c, engine)
		case "markdown":
			return page.WriteMarkdown(w, c)
		}
		o := page.TextOptions{Width: r.Width, Bold: r.Color}
		if r.file != "" {
			o = page.TextOptions{}
		}
		return page.WriteText(w, c, o)
	})
}

// maxResults caps the size of the results of conform that are read, in bytes.
const maxResults = 64 << 20

// results reads what conform found; nil where nobody asked for it. It fails for a file that conform has not written.
func (r *reporting) results() (*conform.Report, error) {
	if r.conform == "" {
		return nil, nil
	}
	files, err := r.openFiles([]string{r.conform})
	if err != nil {
		return nil, err
	}
	defer files.Close()
	files.Bound(maxResults)
	text, err := io.ReadAll(files[0].Reader)
	if err != nil {
		return nil, &ioError{r.conform, err}
	}
	var results conform.Report
	if err = json.Unmarshal(text, &results); err == nil {
		err = page.CheckConform(&results)
	}
	if err != nil {
		return nil, &inputError{fmt.Errorf("%s: not what bnfcheck conform --format json writes: %w", r.conform, err)}
	}
	return &results, nil
}
