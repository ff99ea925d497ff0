package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/urls/explain"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// newExplain returns the command explain, which explains a production, a reading, a rule, or the access of a URL.
func newExplain(s *streams) *cobra.Command {
	e := &explaining{streams: s}
	cmd := &cobra.Command{
		Use:   "explain GRAMMAR|PRODUCTION|READING|RULE | --access URL",
		Short: "Explain a production, a reading, a rule, or the access of a URL",
		Long: `explain PRODUCTION prints the production as the RFC prints it, with page and line,
its rule in the .peg file, the readings that concern it, what it uses and what uses it.
A production is named by its ID, or as the RFC spells it; grammars GRAMMAR lists all.
It can be that of any GRAMMAR.

explain READING prints an entry of the ledger: one place of the text that can be
read in several ways, how it is read, and why.

explain RULE prints a requirement of an RFC's prose beyond the grammar; rules lists all.

explain --access URL prints the steps by which a client accesses what the URL
designates, as each RFC prescribes them. Nothing is ever fetched. --via prints them
for a client that passes the whole URI to a gateway or proxy.`,
		Example: `  bnfcheck explain hostport
  bnfcheck explain rfc1630#uri_path
  bnfcheck explain 1738-brackets
  bnfcheck explain 1738/ftp-typecode
  bnfcheck explain uri.abnf#segment
  bnfcheck explain --access 'ftp://host.dom/%2Fetc/motd;type=a'`,
		Args: takes("one PRODUCTION, READING, RULE or URL"),
		RunE: func(_ *cobra.Command, args []string) error {
			if e.access || e.via != "" {
				return e.printAccess(args[0])
			}
			return e.run(args[0])
		},
	}
	flags := cmd.Flags()
	e.rfcs = addRFC(cmd)
	cmd.ValidArgsFunction = orFiles(atMostOne(words(e.rfcs.productions, e.rfcs.readings, ruleIDs)))
	e.naming = addNaming(s, cmd)
	flags.BoolVar(&e.access, "access", false, "explain how a client accesses what a URL designates")
	flags.StringVar(&e.via, "via", "", "with --access: through the gateway at `HOST:PORT`")
	e.format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}

// explaining carries out one explain command.
type explaining struct {
	*streams
	rfcs   *rfcs
	naming *naming
	access bool
	via    string
	format *choice
}

// run prints what the program knows about a name, which it tries as a rule of package semantic, a rule of a file, a
// reading, and a production of the chosen texts. A published grammar that the name begins with becomes the only one of
// these, in *e.rfcs. A name that is ambiguous in some texts is a complaint, and an error if no text settles it; a name
// of nothing is an error that suggests others.
func (e *explaining) run(name string) error {
	var b []byte
	if r, ok := semantic.RuleByID(name); ok {
		if e.format.value == "text" {
			return e.write(explain.AppendRule(nil, &e.Screen, r))
		}
		return e.write(render.JSON(nil, explain.RuleJSON(r)))
	}
	if e.naming.isOperand(name) {
		o, r, err := e.naming.meant(name)
		switch {
		case err != nil:
			return err
		case o.Built == nil:
			return e.explainFile(o, r)
		}
		// A reference has no parser, and is asked by its name in appendReference; any other is the only one to ask.
		if name = short(o.Built.Name) + "/" + r.ID; !o.Built.Reference() {
			name, *e.rfcs = r.ID, rfcs{published.Of(o)}
		}
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
			if countNamed(g, name) > 1 {
				ambiguous = append(ambiguous, err)
			} else {
				unknown = append(unknown, err)
			}
			continue
		}
		if e.format.value == "text" && len(b) > 0 {
			b = append(b, '\n')
		}
		if b, err = e.appendProduction(b, src, g.Production(kind).ID); err != nil {
			return err
		}
	}
	if len(b) == 0 && len(ambiguous) == 0 {
		var found bool
		var err error
		if b, found, err = e.appendReference(name); found || err != nil {
			return errors.Join(err, e.write(b))
		}
	}
	switch {
	case len(b) == 0 && len(ambiguous) > 0:
		return oneLine(ambiguous)
	case len(b) == 0:
		err := fmt.Errorf("%w; and no reading or rule has that name", oneLine(unknown))
		return didYouMean(err, name, e.rfcs.productions, e.rfcs.readings, ruleIDs)
	case len(ambiguous) > 0:
		e.complain("%v", oneLine(ambiguous))
	}
	return e.write(b)
}

// explainFile prints all that is known about a production of a file. It fails for a core rule, which the file does not
// have.
func (e *explaining) explainFile(g *catalog.Opened, r *expr.Rule) error {
	list := explain.File(g)
	at := slices.IndexFunc(list, func(p *explain.Production) bool { return p.ID == r.ID })
	if at < 0 {
		return fmt.Errorf("%s is a core rule of ABNF: see RFC 5234, appendix B.1", r.Name)
	}
	if e.format.value == "json" {
		return e.write(render.JSON(nil, list[at].JSON()))
	}
	return e.write(list[at].AppendText(nil, &e.Screen))
}

// appendReference explains a production, or an entry of the ledger, of the grammars that have no productions for
// schemes: those without a parser, and RFC 3986. name may have the grammar in front, 2396/host. A production that
// several of them have is explained for each, and an entry alone. found is false, without an error, if none of them
// has it.
func (e *explaining) appendReference(name string) (b []byte, found bool, err error) {
	var texts []string
	for _, g := range bnfcheck.Grammars() {
		if len(g.Schemes) == 0 {
			texts = append(texts, g.Name)
		}
	}
	for _, text := range append(texts, bnf.References()...) {
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
		if b, err = e.appendProduction(b, src, r.ID); err != nil {
			return nil, false, err
		}
	}
	return b, len(b) > 0, nil
}

// countNamed returns the number of productions with this name in the text: none, one, or several that their IDs tell
// apart.
func countNamed(g *bnfcheck.Grammar, name string) (n int) {
	for _, p := range g.Productions() {
		if p.Name == name {
			n++
		}
	}
	return n
}

// appendProduction appends the description of the production with this ID, which the source must have.
func (e *explaining) appendProduction(b []byte, src *bnf.Source, id string) ([]byte, error) {
	list, err := explain.Productions(src)
	if err != nil {
		return nil, &ioError{src.Text.Name, err}
	}
	p := list[slices.IndexFunc(list, func(p *explain.Production) bool { return p.ID == id })]
	if e.format.value == "json" {
		return render.JSON(b, p.JSON()), nil
	}
	return p.AppendText(b, &e.Screen), nil
}

// appendReading appends an entry of the ledger.
func (e *explaining) appendReading(b []byte, r bnf.Reading) []byte {
	if e.format.value == "json" {
		return render.JSON(b, explain.ReadingJSON(r))
	}
	return append(b, r.String()...)
}

// printAccess prints how a client accesses the resource that a URL designates, under each grammar. A grammar
// that rejects the URL is a complaint, and makes the result negative. It fails if --via names no gateway.
func (e *explaining) printAccess(url string) error {
	if e.via != "" {
		if !explain.IsGateway(e.via) {
			return fmt.Errorf("invalid argument %s for \"--via\" flag: HOST:PORT, with a port from 1 to 65535",
				ast.Quote(e.via))
		}
	}
	var b []byte
	rejected := false
	for _, g := range *e.rfcs {
		tree, err := g.Parse(url)
		if err != nil { // the other grammars are still asked
			rejected = true
			e.complain("%v", err)
			continue
		}
		u, err := semantic.Of(tree)
		if err != nil {
			return err
		}
		steps := u.Access()
		if e.via != "" {
			steps = u.AccessVia(e.via)
		}
		if e.format.value == "json" {
			b = render.JSON(b, explain.AccessJSON(g.Name, url, steps))
			continue
		}
		if len(*e.rfcs) > 1 {
			if len(b) > 0 {
				b = append(b, '\n')
			}
			b = append(e.Paint(b, layout.Bold, g.Name), '\n')
		}
		b = explain.AppendSteps(b, steps)
	}
	if rejected {
		e.earned = errNegative
	}
	return cmp.Or(e.write(b), e.earned)
}
