package page

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/report/drawing"
	"github.com/bnfcheck/bnfcheck/internal/urls/explain"
)

// A File is all that is known about a grammar in a user's file without a transcription: its productions, drawn, and
// what each derives.
type File struct {
	ID          string // of its place in the page; "" for the only one
	Title       string
	Productions []*FileProduction
	Lines       []string // see [explain.Document]
	Playground  string   // the address of a playground with the grammar in it, "" for none

	anchors map[string]string // by the IDs of the productions
}

// Anchor returns the place of a production in the page, "" for one that has none.
func (f *File) Anchor(id string) string { return f.anchors[id] }

// OneLine returns the printed production in one line.
func (p *FileProduction) OneLine() string { return strings.Join(strings.Fields(p.Printed), " ") }

// fileAnchor is where a production of a file stands: its name, with a hyphen for each character that is no letter or
// digit of ASCII, or hyphen, after the place of the file if that is not "". If it is "", a name that the page has for
// something else, or that begins with "difference-", gets "production-" before it. Two productions can have one
// result.
func fileAnchor(file, id string) string {
	name := strings.Map(func(r rune) rune {
		if r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
			return r
		}
		return '-'
	}, id)
	switch {
	case file != "":
		return file + "-" + name
	case slices.Contains(ownAnchors, name) || strings.HasPrefix(name, "difference-"):
		return "production-" + name
	}
	return name
}

// ownAnchors are the names in the page of a file that are no production's.
var ownAnchors = []string{
	"main", "menu", "find", "found", "theme", "unfold", "difference", "difference-title", "difference-table",
	"productions", "productions-title", "check", "noticed",
}

// A FileProduction is a production of a user's file. Undecided is why it has no automaton; TooLarge reports that a
// limit was passed.
type FileProduction struct {
	*explain.Production
	Anchor    string
	States    int
	Shortest  *quote.Word // nil if it derives nothing
	Undecided string
	TooLarge  bool
	Railroad  template.HTML // "" for a rule of a PEG

	more       bool // it derives other strings than the shortest
	codePoints bool
}

// CollectFile describes a grammar in a file, without its core rules. id is its place in a page with other things, ""
// if it has a page of its own; each production gets an anchor of its own there. A rule of a PEG has no diagram. A
// production without an automaton has the reason in Undecided, and no States and no Shortest. f.Playground stays
// empty.
func CollectFile(n *catalog.Opened, id string) *File {
	f := &File{ID: id, Title: n.Grammar.Title, Lines: explain.Document(n), anchors: map[string]string{}}
	taken := map[string]bool{}
	for _, r := range n.Grammar.Rules {
		if bnf.IsCore(r) {
			continue
		}
		// Two names can become one anchor, as a_b and a-b do: the later gets a number.
		name := fileAnchor(id, r.ID)
		for base, i := name, 2; taken[name]; i++ {
			name = fmt.Sprint(base, "-", i)
		}
		f.anchors[r.ID], taken[name] = name, true
	}
	name := func(id string) drawing.Name {
		r := n.Grammar.Rule(id)
		if r == nil || f.anchors[id] == "" {
			return drawing.Name{Text: id, Core: r != nil}
		}
		return drawing.Name{Text: r.Name, Link: "#" + f.anchors[id]}
	}
	automaton := n.Automata()
	for _, p := range explain.File(n) {
		r := n.Grammar.Rule(p.ID)
		to := &FileProduction{Production: p, Anchor: f.anchors[p.ID], codePoints: n.Grammar.CodePoints}
		f.Productions = append(f.Productions, to)
		if !n.Grammar.Ordered {
			e := r.Expr
			if n.Grammar.CodePoints {
				e = drawing.CodePoints(e)
			}
			to.Railroad = template.HTML(drawing.Railroad(e, p.Name, name))
		}
		switch a, err := automaton(r); {
		case err != nil:
			to.Undecided, to.TooLarge = err.Error(), errors.Is(err, lang.ErrTooLarge)
		default:
			to.States = a.States()
			if w, ok := a.Shortest(); ok {
				to.Shortest = new(quote.Word(w))
				to.more = !a.Subset(lang.OfString(w))
			}
		}
	}
	return f
}

// Derives returns in a line what the production derives: its shortest string, whether there are more, and the size of
// its automaton; "nothing"; or "undecided" and why.
func (p *FileProduction) Derives() string {
	switch {
	case p.Undecided != "":
		return "undecided: " + p.Undecided
	case p.Shortest == nil:
		return "nothing"
	}
	shortest := p.Shortest.String()
	if p.codePoints {
		shortest = p.Shortest.Points()
	}
	if p.more {
		shortest += " and more"
	}
	return fmt.Sprintf("%s; its minimal automaton has %s", shortest, layout.Plural(p.States, "state"))
}

// Sentence is Derives as a sentence, without a full stop.
func (p *FileProduction) Sentence() string {
	if p.Undecided != "" {
		return "What it derives is " + p.Derives()
	}
	return "Derives " + p.Derives()
}

// TooLarge reports whether a production has no automaton because a limit was passed.
func (f *File) TooLarge() bool {
	return slices.ContainsFunc(f.Productions, func(p *FileProduction) bool { return p.TooLarge })
}

// WriteFileText writes the report for people, a block for each production, and then f.Lines. It fails only if w does.
func WriteFileText(w io.Writer, f *File, s *layout.Screen) error {
	b := append(s.Paint(nil, layout.Bold, f.Title), "\n\n"...)
	for _, p := range f.Productions {
		b = p.AppendText(b, s)
		b = append(b, p.Sentence()+"\n\n"...)
	}
	b = append(b, strings.Join(f.Lines, "\n")...)
	_, err := io.WriteString(w, strings.TrimRight(string(b), "\n")+"\n")
	return err
}

// WriteFileMarkdown writes the report as a table, with f.Lines below it. The table has each printed production whole,
// in one line. In all texts, also those below the table, a pipe gets a backslash, a line feed becomes a space, and a
// backquote an apostrophe. Whatever else means something in Markdown stays. It fails only if w does.
func WriteFileMarkdown(w io.Writer, f *File) error {
	cell := strings.NewReplacer("|", "\\|", "\n", " ", "`", "'").Replace
	b := "# " + cell(f.Title) + "\n\n| production | line | derives | as printed |\n|---|---:|---|---|\n"
	for _, p := range f.Productions {
		printed := strings.Join(strings.Fields(p.Printed), " ")
		b += "| " + cell(p.ID) + " | " + strconv.Itoa(p.Line) + " | " + cell(p.Derives()) + " | `" + cell(printed) +
			"` |\n"
	}
	for _, line := range f.Lines {
		b += "\n" + cell(line) + "\n"
	}
	_, err := io.WriteString(w, b)
	return err
}

// WriteFileHTML writes the report as one page of HTML, which loads nothing and has no checker. It fails as
// [WriteHTML] does.
func WriteFileHTML(w io.Writer, f *File) error {
	return WriteHTML(w, &Content{
		Title: f.Title, Lead: "Each production of the grammar as it is printed and drawn, with what uses it, the " +
			"shortest string that it derives, and the size of its minimal automaton.",
		Documents: []*File{f},
	}, nil)
}

// outline writes the productions as a table under a heading, and f.Lines as a list below it.
func (f *File) outline(s sheet) {
	s.heading(2, "The productions of "+f.Title)
	var rows [][]line
	for _, p := range f.Productions {
		rows = append(rows, rowOf(p.ID, p.Line, p.Derives(), codeSpan(p.OneLine())))
	}
	s.table([]string{"production", "line", "derives", "as printed"}, 1<<1, rows)
	for _, l := range f.Lines {
		s.item(line{prose("%s", l)})
	}
}
