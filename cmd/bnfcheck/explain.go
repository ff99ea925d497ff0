package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/peg"
	"github.com/bnfcheck/bnfcheck/semantic"
)

func newExplain(s *streams) *cobra.Command {
	e := &explaining{streams: s}
	cmd := &cobra.Command{
		Use:   "explain PRODUCTION|READING|RULE | --access URL",
		Short: "Explain a production, a reading or a rule, or how a URL is accessed",
		Long: `explain PRODUCTION prints the production as the RFC prints it, with page and line,
its rule in the .peg file, the readings that touch it, what it uses and who uses it.
A production is named by its ID, or as the RFC spells it; grammars GRAMMAR lists all.

explain READING prints an entry of the ledger: one place of the text that can be
read in several ways, how it is read, and why.

explain RULE prints what the prose of an RFC asks beyond the grammar; rules lists all.

explain --access URL prints the steps by which a client accesses what the URL
designates, as each RFC prescribes them. Nothing is ever fetched. --via has them for
a client that passes the whole URI to a gateway or proxy.`,
		Example: `  bnfcheck explain hostport
  bnfcheck explain --rfc 1630 uri_path
  bnfcheck explain 1738-brackets
  bnfcheck explain 1738/ftp-typecode
  bnfcheck explain --access 'ftp://host.dom/%2Fetc/motd;type=a'`,
		Args: takes("one PRODUCTION, READING, RULE or URL"),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case e.access || e.via != "":
				return e.steps(args[0])
			default:
				return e.run(args[0])
			}
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	e.rfcs = addRFC(cmd)
	cmd.ValidArgsFunction = atMost(1, words(e.rfcs.productions, e.rfcs.readings, ruleIDs))
	flags.BoolVar(&e.access, "access", false, "explain how a client accesses what a URL designates")
	flags.StringVar(&e.via, "via", "", "with --access: through the gateway at `HOST:PORT`")
	e.format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}

// explaining carries out one explain command.
type explaining struct {
	*streams
	rfcs   *rfcs
	access bool
	via    string
	format *choice
}

func (e *explaining) run(name string) error {
	var b []byte
	if r, ok := semantic.RuleByID(name); ok {
		b := appendJSON(nil, newRuleJSON(r))
		if e.format.value == "text" {
			b = appendRule(nil, e.streams, r)
		}
		return e.write(b)
	}
	var unknown, ambiguous []error
	for _, g := range *e.rfcs {
		src, err := bnf.Load(g.Name)
		if err != nil {
			return &ioError{g.Name, err}
		}
		if r, ok := src.Reading(name); ok {
			return e.write(e.appendReading(nil, r))
		}
		kind, err := g.Lookup(name)
		if err != nil {
			if names(g, name) > 1 {
				ambiguous = append(ambiguous, err)
			} else {
				unknown = append(unknown, err)
			}
			continue
		}
		p, err := describeProduction(g, src, g.Production(kind))
		if err != nil {
			return err
		}
		if e.format.value == "json" {
			b = appendJSON(b, p)
			continue
		}
		if len(b) > 0 {
			b = append(b, '\n')
		}
		b = p.appendText(b, e.streams)
	}
	if len(b) == 0 && len(ambiguous) == 0 {
		var found bool
		var err error
		if b, found, err = e.reference(name); found || err != nil {
			return errors.Join(err, e.write(b))
		}
	}
	switch {
	case len(b) == 0 && len(ambiguous) > 0:
		return oneLine(ambiguous)
	case len(b) == 0:
		return fmt.Errorf("%w; and no reading or rule is called so", oneLine(unknown))
	case len(ambiguous) > 0:
		e.complain("%v", oneLine(ambiguous))
	}
	return e.write(b)
}

func (e *explaining) write(b []byte) error {
	_, err := e.out.Write(b)
	return err
}

// reference explains a production, or an entry of the ledger, of a grammar that others are only held against.
func (e *explaining) reference(name string) (b []byte, found bool, err error) {
	for _, text := range bnf.References() {
		src, err := bnf.Load(text)
		if err != nil {
			return nil, false, &ioError{text, err}
		}
		if r, ok := src.Reading(name); ok {
			return e.appendReading(b, r), true, nil
		}
		r, err := src.Text.Lookup(strings.TrimPrefix(strings.TrimPrefix(name, "rfc"), short(text)+"/"))
		if err != nil {
			continue
		}
		p := &production{
			Grammar: text, ID: r.ID, Name: r.Name, Part: r.Part, Section: r.Section, Page: r.Page, Line: r.Line,
			Printed: r.Printed, title: src.Text.Title,
		}
		p.addContext(src)
		if e.format.value == "json" {
			b = appendJSON(b, p)
		} else {
			b = p.appendText(b, e.streams)
		}
	}
	return b, len(b) > 0, nil
}

// names says how many productions the text gives this name.
func names(g *bnfcheck.Grammar, name string) (n int) {
	for _, p := range g.Productions() {
		if p.Name == name {
			n++
		}
	}
	return n
}

// A production with everything there is to say about it.
type production struct {
	Grammar  string         `json:"grammar"`
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Part     string         `json:"part,omitempty"`
	Section  string         `json:"section"`
	Page     int            `json:"page,omitempty"`
	Line     int            `json:"line,omitempty"`
	Lexical  bool           `json:"lexical"`
	Printed  string         `json:"printed"`
	Rule     *pegRule       `json:"rule,omitempty"` // none in a reference
	Readings []touchReading `json:"readings,omitempty"`
	Uses     []string       `json:"uses,omitempty"`
	UsedBy   []string       `json:"used_by,omitempty"`

	title string
}

// A pegRule is the transcription of a production.
type pegRule struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Mark    string `json:"mark,omitempty"`
	Comment string `json:"comment,omitempty"`
	Source  string `json:"source"`
}

// A touchReading is a reading that touches a production.
type touchReading struct {
	ID     string `json:"id"`
	On     bool   `json:"on"`
	ReadAs string `json:"read_as"`
	Lines  []int  `json:"lines,omitempty"`
}

func describeProduction(g *bnfcheck.Grammar, src *bnf.Source, p ast.Production) (*production, error) {
	out := &production{
		Grammar: g.Name, ID: p.ID, Name: p.Name, Part: p.Part, Section: p.Section, Page: p.Page, Line: p.Line,
		Lexical: p.Lexical, Printed: p.Printed, title: g.Title,
	}
	file := g.Name + ".peg"
	text, err := fs.ReadFile(grammar.Files, file)
	if err != nil {
		return nil, &ioError{file, err}
	}
	rules, err := peg.Read("grammar/"+file, text)
	if err != nil {
		return nil, &ioError{file, err}
	}
	if r := peg.For(src.Default, rules).Rule(p.ID); r != nil {
		out.Rule = &pegRule{r.Pos.File, r.Pos.Line, mark(r.Comment), r.Comment, r.Printed}
	}
	out.addContext(src)
	return out, nil
}

// addContext fills in what stands around a production: the readings that touch it, what it uses, and what uses it.
func (p *production) addContext(src *bnf.Source) {
	for _, r := range src.Readings {
		if slices.Contains(r.Productions, p.ID) {
			p.Readings = append(p.Readings, touchReading{r.ID, r.On, r.ReadAs, r.Lines})
		}
	}
	// The text as it is printed, not as it is read: those are the productions that a reader of the RFC sees.
	for _, r := range src.Text.Rules {
		refs := expr.Refs(r.Expr)
		if r.ID == p.ID {
			p.Uses = refs
		}
		if slices.Contains(refs, p.ID) {
			p.UsedBy = append(p.UsedBy, r.ID)
		}
	}
}

// mark gives the mark above a rule: what stands before the printed line in its comment.
func mark(comment string) string {
	comment = strings.TrimLeft(comment, " ")
	return comment[:len(comment)-len(strings.TrimLeft(comment, "=~!*"))]
}

// marks says what the marks above a rule mean.
var marks = map[rune]string{
	'=': "as printed",
	'~': "alternatives reordered",
	'!': "rewritten",
	'*': "read through the ledger",
}

func (r *pegRule) meaning() string {
	var words []string
	for _, c := range r.Mark {
		words = append(words, marks[c])
	}
	return strings.Join(words, ", ")
}

func (p *production) appendText(b []byte, s *streams) []byte {
	b = s.paint(b, bold, p.ID)
	if p.Name != p.ID {
		b = append(b, " (printed as "+p.Name+")"...)
	}
	b = append(b, "   "+cite(p.title, p.Section, p.Page, p.Line)...)
	if p.Lexical {
		b = append(b, "   lexical: no tree node"...)
	}
	b = append(b, '\n', '\n')
	b = block(b, p.Printed)
	b = append(b, '\n')

	b = s.paint(b, bold, "PEG")
	if p.Rule == nil {
		b = append(b, "   none: this text is there to compare with (diff), and has no parser\n\n"...)
	} else {
		b = append(b, "   "+p.Rule.File+":"+strconv.Itoa(p.Rule.Line)...)
		if m := p.Rule.meaning(); m != "" {
			b = append(b, "   "+p.Rule.Mark+" "+m...)
		}
		b = append(b, '\n', '\n')
		b = block(b, p.Rule.Source)
		b = append(b, '\n')
	}

	if len(p.Readings) > 0 {
		b = append(s.paint(b, bold, "Readings"), '\n')
		longest := 0
		for _, r := range p.Readings {
			longest = max(longest, len(r.ID))
		}
		for _, r := range p.Readings {
			state, how := "on ", green
			if !r.On {
				state, how = "off", yellow
			}
			b = append(b, "  "+r.ID...)
			b = append(pad(b, len(r.ID), longest), "  "...)
			b = append(s.paint(b, how, state), "  "+r.ReadAs+"\n"...)
		}
		b = append(b, '\n')
	}
	b = p.appendList(b, s, "Uses    ", p.Uses)
	return p.appendList(b, s, "Used by ", p.UsedBy)
}

func (p *production) appendList(b []byte, s *streams, title string, ids []string) []byte {
	b = s.paint(b, bold, title)
	list := "-"
	if len(ids) > 0 {
		list = strings.Join(ids, ", ")
	}
	return append(b, list+"\n"...)
}

// block appends lines, indented, with the indentation that they have in common but the first taken away.
func block(b []byte, text string) []byte {
	lines := strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n")
	common := -1
	for _, l := range lines {
		if in := len(l) - len(strings.TrimLeft(l, " ")); l != "" && (common < 0 || in < common) {
			common = in
		}
	}
	for _, l := range lines {
		if len(l) >= common && common > 0 {
			l = l[common:]
		}
		b = append(b, "  "+strings.TrimRight(l, " ")+"\n"...)
	}
	return b
}

// cite says where a production is printed: RFC 1738 section 5, page 18, line 983.
func cite(title, section string, page, line int) string {
	switch {
	case section == "":
	case section[0] >= '0' && section[0] <= '9':
		title += " section " + section
	default:
		title += `, "` + section + `"`
	}
	if page > 0 {
		title += ", page " + strconv.Itoa(page)
	}
	if line > 0 {
		title += ", line " + strconv.Itoa(line)
	}
	return title
}

type readingJSON struct {
	touchReading
	Kind        string   `json:"kind"`
	Notation    bool     `json:"notation"`
	Productions []string `json:"productions"`
	Printed     string   `json:"printed,omitempty"`
	Evidence    string   `json:"evidence"`
}

// appendReading appends an entry of the ledger.
func (e *explaining) appendReading(b []byte, r bnf.Reading) []byte {
	if e.format.value == "json" {
		return append(b, appendJSON(nil, readingJSON{
			touchReading{r.ID, r.On, r.ReadAs, r.Lines}, string(r.Kind), r.Notation, r.Productions, r.Printed, r.Evidence,
		})...)
	}
	return append(b, r.String()...)
}
