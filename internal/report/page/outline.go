package page

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/urls/explain"
)

// A sheet is a document that is being written, as text or as Markdown: the outline below is written once, on either.
type sheet interface {
	heading(level int, title string)
	paragraph(line)
	item(line)         // one of a list
	block(text string) // as it stands, in lines
	table(head []string, numbers uint, rows [][]line)
}

// A paged is the text of a sheet, in parts with an empty line between them.
type paged struct {
	strings.Builder
	inList bool // the last part was an item
}

// beginPart begins a part. Between the items of a list there is no empty line.
func (p *paged) beginPart(item bool) {
	if p.Len() > 0 && !(item && p.inList) {
		p.WriteByte('\n')
	}
	p.inList = item
}

// A line is text in spans. In a table, bit i of numbers says that column i holds numbers.
type line []span

// A span is prose or, where code is set, something that is to stand letter by letter.
type span struct {
	text string
	code bool
}

// prose returns formatted text as a span.
func prose(format string, args ...any) span { return span{text: fmt.Sprintf(format, args...)} }

// codeSpan returns a span that is to stand letter by letter.
func codeSpan(s string) span { return span{s, true} }

// wordSpan returns a string of a language as a span.
func wordSpan(w quote.Word) span { return codeSpan(w.String()) }

// shortestOf returns the shortest string of a part, as shown returns it, or "-" if the part has none.
func shortestOf(p diff.Part, shown func(quote.Word) string) line {
	if p.Shortest == nil {
		return line{prose("-")}
	}
	return line{codeSpan(shown(*p.Shortest))}
}

// joinCode returns words as code, with commas between them.
func joinCode(words []string) (l line) {
	for i, w := range words {
		if i > 0 {
			l = append(l, prose(", "))
		}
		l = append(l, codeSpan(w))
	}
	return l
}

// rowOf makes a row: a line or a span stays what it is, a *big.Int gets its digits in groups, and anything
// else is prose.
func rowOf(values ...any) (row []line) {
	for _, v := range values {
		switch v := v.(type) {
		case line:
			row = append(row, v)
		case span:
			row = append(row, line{v})
		case *big.Int:
			row = append(row, line{prose("%s", layout.Digits(v))})
		default:
			row = append(row, line{prose("%v", v)})
		}
	}
	return row
}

// outline writes the title and the lead, and then all that c has: a summary of the proof, the distances to the text
// of today, other parsers, published expressions, the surprises about the two RFCs of 1994 and the history, the
// comparisons, the readings, the claims, the proof, and the users' files last. The summary, the surprises, the
// readings, the claims and the proof are those of c.Grammars; each of these must have a proof.
func (c *Content) outline(s sheet) {
	s.heading(1, c.Title)
	s.paragraph(line{prose("%s", c.Lead)})
	// A report on two grammars has comparisons alone, one on a file its document alone: most of c may be empty.
	if len(c.Grammars) > 0 {
		s.paragraph(line{prose("%s", c.Summary())})
	}
	for _, r := range c.Today {
		r.outline(s, c.Grammars)
	}
	if c.Conform != nil {
		c.outlineConform(s)
	}
	if len(c.Expressions) > 0 {
		c.outlineExpressions(s)
	}
	if len(c.Grammars) > 0 || len(c.History) > 0 {
		c.outlineNews(s)
	}
	for _, x := range c.Comparisons {
		x.outline(s)
	}
	if len(c.Grammars) > 0 {
		c.outlineReadings(s)
	}
	if len(c.Claims) > 0 {
		c.outlineClaims(s)
	}
	if len(c.Grammars) > 0 {
		c.outlineProof(s)
	}
	for _, f := range c.Documents {
		f.outline(s)
	}
}

// outlineNews writes a heading in any case. If c has grammars, the surprises about the two RFCs stand below it, each
// with the verdicts of all built-in grammars, also of those that c lacks. If c has a history, a table follows of what
// each text made legal and illegal.
func (c *Content) outlineNews(s sheet) {
	s.heading(2, "The two RFCs of 1994")
	for _, j := range c.News() {
		l := line{codeSpan(j.URL), prose(" %s", j.Says)}
		for _, v := range j.Verdicts {
			l = append(l, prose(" %s: %s.", v.Title, v.Verdict))
		}
		s.item(l)
	}
	if len(c.History) == 0 {
		return
	}
	s.heading(3, "What each text made legal, and what illegal")
	s.paragraph(line{
		prose("Numbers are of the whole URIs of at most %d bytes, each step beside the text before it.",
			c.History[0].MaxLength),
	})
	var rows [][]line
	for _, x := range c.History {
		rows = append(rows, rowOf(
			x.To,
			shortestOf(x.Legal, quote.Word.String), x.Legal.Total(),
			shortestOf(x.Illegal, quote.Word.String), x.Illegal.Total(),
		))
	}
	s.table([]string{"text", "made legal", "strings", "made illegal", "strings"}, 1<<2|1<<4, rows)
}

// outlineProof writes the sums of the proof as a table, and then each grammar with its productions. Each grammar must
// have a proof.
func (c *Content) outlineProof(s sheet) {
	s.heading(2, "The proof, production by production")
	s.paragraph(line{
		prose("Marks say how a rule is carried over: = as printed, ~ alternatives reordered, ! " +
			"rewritten, * read through the ledger. States are those of the minimal automaton, the dead one " +
			"included."),
	})
	var rows [][]line
	for _, g := range c.Grammars {
		sums := g.Sums()
		// The text's title, and seven numbers: bits 1 to 7 of 0xfe below.
		rows = append(rows, rowOf(g.Title, len(g.Productions), sums.Equal, sums.Nodes, sums.Trees,
			len(g.Proof.Ambiguities), sums.Readings, len(g.Proof.Faults)))
	}
	s.table([]string{"text", "productions", "equal", "nodes", "trees proven", "ambiguous", "readings", "faults"},
		0xfe, rows)
	for _, g := range c.Grammars {
		s.heading(3, g.Title)
		summary := line{
			prose("%s, from ", layout.Plural(len(g.Productions), "production")), codeSpan(g.Proof.BNF),
			prose(" into "), codeSpan(g.Proof.PEG), prose("."),
		}
		for _, x := range g.Proof.Samples {
			wrong := "nothing"
			if x.Wrong > 0 {
				wrong = fmt.Sprint(x.Wrong)
			}
			summary = append(summary,
				prose(" The %s parser was given %s, and %s %s held against the BNF: %s wrong.",
					x.Parser, layout.Plural(x.Words, "string"), layout.Plural(x.Trees, "tree"),
					layout.Agree(x.Trees, "was", "were"), wrong))
		}
		if len(g.Proof.Undefined) > 0 {
			summary = append(append(append(summary, prose(" Used and nowhere defined: ")),
				joinCode(g.Proof.Undefined)...), prose("."))
		}
		s.paragraph(summary)
		if c := g.Proof.Certificate; c != nil {
			s.paragraph(line{
				prose("The rows rest on the lines of a certificate: "),
				codeSpan("bnfcheck prove --rfc " + strings.TrimPrefix(g.Name, "rfc") +
					" --certificate FILE"),
				prose(" writes it, and certcheck, a small program of its own, checks each line. Its SHA-256 is "),
				codeSpan(c.Sum), prose("."),
			})
		}
		var rows [][]line
		for _, p := range g.Productions {
			page := "-"
			if p.Row.Page > 0 {
				page = fmt.Sprint(p.Row.Page)
			}
			rows = append(rows, rowOf(codeSpan(p.ID), page, p.Row.Mark, p.Row.BNFStates, p.Row.Language(), p.restsOn(),
				p.Trees()))
		}
		s.table([]string{"production", "page", "mark", "states", "language", "rests on", "trees"}, 1<<1|1<<3, rows)
		for _, p := range g.Productions {
			p.outline(s)
		}
	}
}

// restsOn says why the rule's language is the production's: the line of the certificate that says so, or "automata"
// without such a line.
func (p *Production) restsOn() line {
	if c := p.Grammar.Proof.Certificate; c == nil || slices.Contains(c.Open, p.ID) {
		return line{prose("automata")}
	}
	return line{codeSpan("equal " + p.ID)}
}

// outline writes a production, in full even if an earlier text has the same: where it stands, its text and rule, the
// faults, hidden alternatives, readings and ambiguity that it has, the size of its automaton, sample words, and what
// uses it. How it was proven is in the table of outlineProof.
func (p *Production) outline(s sheet) {
	s.heading(4, p.ID)
	about := line{prose("%s.", p.Cite)}
	if p.Name != p.ID {
		about = append(about, prose(" Printed as "), codeSpan(p.Name), prose("."))
	}
	if p.Lexical {
		about = append(about, prose(" It derives single characters, and is no node of a tree."))
	}
	if p.Unused {
		about = append(about, prose(" The grammar's start does not lead to it."))
	}
	s.paragraph(about)
	s.block(p.Block())
	s.paragraph(line{
		prose("Rule: %s %s, ", p.Row.Mark, explain.Meaning(p.Row.Mark)),
		codeSpan(fmt.Sprintf("%s:%d", p.Rule.File, p.Rule.Line)),
	})
	s.block(p.RuleText())
	// What is wrong or unusual comes first, and then what every production has.
	for _, f := range p.Faults {
		l := line{prose("FAULT, %s: %s", f.Kind, f.Message)}
		if f.Word != nil {
			l = append(l, prose(" "), wordSpan(*f.Word))
		}
		s.item(l)
	}
	for _, h := range p.Hidden {
		s.item(hiddenLine(h))
	}
	for _, r := range p.Readings {
		s.item(line{prose("Reading "), codeSpan(r.ID), prose(" (%s): %s", onOrOff(r.On), r.ReadAs)})
	}
	if a := p.Ambiguity; a != nil {
		l := line{prose("Ambiguous: "), wordSpan(a.Word), prose(" is")}
		for i, d := range a.Derivations {
			if i > 0 {
				l = append(l, prose(" or"))
			}
			l = append(l, prose(" "), codeSpan(d))
		}
		if a.Shown != "" {
			l = append(l, prose("; the tree shows "), codeSpan(a.Shown))
		}
		if a.Chosen && len(a.Readings) > 0 {
			l = append(append(l, prose("; chosen for every string by ")), joinCode(a.Readings)...)
		}
		s.item(l)
	}
	s.item(line{
		prose("Automaton: %s, the dead one included, and %s of bytes",
			layout.Plural(p.Row.BNFStates, "state"), layout.Plural(p.Row.Classes, "class")),
	})
	if len(p.Shortest) == 0 {
		s.item(line{prose("It derives nothing")})
	}
	for _, w := range []struct {
		what  string
		words []quote.Word
	}{{"Shortest words: ", p.Shortest}, {"Random words: ", p.Random}} {
		if len(w.words) == 0 {
			continue
		}
		l := line{prose("%s", w.what)}
		for i, x := range w.words {
			if i > 0 {
				l = append(l, prose(" "))
			}
			l = append(l, wordSpan(x))
		}
		s.item(l)
	}
	if len(p.UsedBy) > 0 {
		s.item(append(line{prose("Used by ")}, joinCode(p.UsedBy)...))
	} else {
		s.item(line{prose("Used by nothing")})
	}
}

// hiddenLine says where a hidden alternative is never taken or, if it is for some strings, the shortest of those that
// are lost, and what is taken instead.
func hiddenLine(h prove.Hidden) line {
	of := line{codeSpan(h.Alternative), prose(" of "), codeSpan(h.Choice)}
	if !h.Never() {
		return append(append(line{prose("Hidden for some strings: ")}, of...), prose(", since "), codeSpan(h.Shadow),
			prose(" is taken at offset %d; %s rejects ", h.Offset, h.Start), wordSpan(*h.Word))
	}
	where := ""
	switch {
	case h.Lookahead:
		where = " in a lookahead"
	case h.Start != h.Rule:
		where = " when parsing " + h.Start
	}
	return append(line{prose("Never taken%s: ", where)}, of...)
}

// onOrOff returns "on" or "off".
func onOrOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// outline writes a comparison: all topics in one table, and then for each the three regions, the groups with their
// printed lines, the counts by length, and all causes, by family. What a topic has none of is left out, but for the
// counts.
func (x *Comparison) outline(s sheet) {
	s.heading(2, x.Title)
	s.paragraph(line{prose("%s", x.Text)})
	// First all topics in one table, and then each with its details.
	var rows [][]line
	for _, d := range x.Differences {
		onlyA, both, onlyB := shortestOf(d.OnlyA, d.Shown), shortestOf(d.Both, d.Shown), shortestOf(d.OnlyB, d.Shown)
		rows = append(rows, rowOf(d.Topic, onlyA, both, onlyB, len(d.Causes)))
	}
	s.table([]string{"topic", "only " + x.A, "both", "only " + x.B, "causes"}, 1<<4, rows)
	for _, d := range x.Differences {
		s.heading(3, x.A+" and "+x.B+": "+d.Topic)
		s.paragraph(line{prose("%s", d.Sentence())})
		longest := len(d.Both.Counts) - 1
		var sums, lengths [][]line
		for _, r := range regionsOf(d) {
			total := r.Part.Total()
			sums = append(sums, rowOf(r.Name, shortestOf(r.Part, d.Shown), total,
				layout.Share(total, countInEither(d))))
		}
		s.table([]string{"", "shortest", fmt.Sprintf("strings of at most %d bytes", longest), "share"}, 1<<2|1<<3, sums)
		if len(d.Groups) > 0 {
			s.paragraph(line{
				prose("What sets them apart: %s, from %s. Each has its share of the strings that "+
					"only the one text has, and the shortest of them.",
					layout.Plural(len(d.Groups), "group"), layout.Plural(len(d.Causes), "cause")),
			})
		}
		for i := range d.Groups {
			g := &d.Groups[i]
			s.item(line{
				prose("%s %s ", layout.Share(g.Total(), countIn(d, g.Region)), g.Sentence),
				codeSpan(d.Shown(g.Witness)),
			})
			for _, lines := range g.Lines() {
				for _, printed := range lines {
					s.item(line{
						prose("%s: ", printed.Place),
						codeSpan(strings.Join(strings.Fields(printed.Printed), " ")),
					})
				}
			}
		}
		for _, n := range countRows(d) {
			lengths = append(lengths, rowOf(n.Length, n.A, n.Both, n.B))
		}
		s.table([]string{"bytes", "only " + sideName(d.A, d.B), "both", "only " + sideName(d.B, d.A)}, 0xf, lengths)
		if len(d.Causes) == 0 {
			continue
		}
		s.paragraph(line{prose("All causes: %d. Each string that only one of the two derives has exactly one "+
			"of them. Each line has the bytes at which one side stops, or the end; a beginning after which "+
			"it does; the shortest string of the other side alone; how many of the strings counted above are "+
			"so; what the one reads there and the other expects.",
			len(d.Causes))})
		for _, f := range families(d) {
			s.paragraph(line{
				prose("%s goes on in ", f.Goes), codeSpan(f.In), prose("; %s stops in ", f.Stops), codeSpan(f.At),
			})
			var rows [][]line
			for _, c := range f.Causes {
				p := d.Parting(c)
				at := line{codeSpan(p.At)}
				if c.Bytes == "" { // "end", which is no bytes
					at = line{prose("%s", p.At)}
				}
				after, word := codeSpan(d.Shown(c.Witness[:p.Offset])), codeSpan(d.Shown(c.Witness))
				rows = append(rows, rowOf(at, after, word, layout.Share(c.Total(), countIn(d, c.Region)), p.Reads,
					p.Expects))
			}
			s.table([]string{"at", "after", "for instance", "share", "reads", "expects"}, 1<<3, rows)
		}
	}
}

// outline writes how much of each other text is in the reference: a heading and a paragraph, and then a table for
// each of grammars that has distances. If none has any, the heading and the paragraph stand alone.
func (r *Reference) outline(s sheet, grammars []*Grammar) {
	s.heading(2, "How far it is to "+r.Title)
	s.paragraph(line{prose("%s defines what a URI is today. How much of each older text does it still "+
		"accept? Shares are of the strings of at most %d bytes.", r.Title, diff.DefaultMaxLength)})
	for _, g := range grammars {
		if len(r.Of(g)) == 0 {
			continue
		}
		s.heading(3, g.Title+" in "+r.Title)
		var rows [][]line
		for _, d := range r.Of(g) {
			missing := line{prose("-")}
			if d.Missing != nil {
				missing = line{wordSpan(*d.Missing)}
			}
			share := layout.Share(d.Shared.Int, d.All.Int)
			rows = append(rows, rowOf(d.Topic, codeSpan(d.Of.Name), shareWithin(d), share, missing, d.Causes))
		}
		s.table([]string{"topic", "production", "in " + r.Title, "share", "shortest that is not", "causes"},
			1<<3|1<<5, rows)
	}
}

// outlineReadings writes the ledger of each grammar, below a heading and a paragraph for all. A grammar without
// entries has its own heading alone.
func (c *Content) outlineReadings(s sheet) {
	s.heading(2, "How the texts are read")
	s.paragraph(line{prose("The printed grammars have misprints, undefined names and places with two " +
		"readings, and they derive some strings in several ways. Each decision about one of these is an " +
		"entry here, with what it changes. An entry that is off is a reading that was considered and not " +
		"taken.")})
	for _, g := range c.Grammars {
		s.heading(3, "Readings of "+g.Title)
		for _, e := range g.Ledger {
			e.outline(s, g)
		}
	}
}

// outline writes an entry of the ledger of g: what it decides and why, and then its effect on the language of each
// production that it changes, or in a sentence that it changes none, or that the text means nothing without it.
func (e *Entry) outline(s sheet, g *Grammar) {
	if e.ID == diff.AllReadings {
		s.heading(4, "All together")
	} else {
		s.heading(4, e.ID+" ("+onOrOff(e.On)+")")
	}
	s.paragraph(line{prose("%s", e.ReadAs)})
	if e.Printed != "" {
		s.item(line{prose("Printed: "), codeSpan(e.Printed)})
	}
	if len(e.Lines) > 0 {
		s.item(line{prose("Where: %s", describePlace(g.Title, "", lineList(e.Lines)))})
	}
	if e.Evidence != "" {
		s.item(line{prose("Why: %s", e.Evidence)})
	}
	for _, r := range e.Replace {
		s.item(line{prose("Becomes: "), codeSpan(r.Production + " = " + strings.Join(strings.Fields(r.Text), " "))})
	}
	for _, choice := range e.Choose {
		s.item(line{prose("Chooses: "), codeSpan(choice.String())})
	}
	switch {
	case e.Effect == nil:
		s.paragraph(line{prose("It decides which derivation of a string is meant, and changes no language.")})
	case e.Effect.Meaningless != "":
		s.paragraph(line{prose("Without it the text has no meaning: %s", e.Effect.Meaningless)})
	case len(e.Effect.Changes) == 0:
		s.paragraph(line{prose("It changes no production.")})
	default:
		changes := e.Effect.Changes
		s.paragraph(line{
			prose("It changes %s. Strings are counted up to %d bytes.",
				layout.Plural(len(changes), "production"), len(changes[0].Kept.Counts)-1),
		})
		var rows [][]line
		for _, x := range changes {
			row := rowOf(codeSpan(x.Production))
			for _, p := range []diff.Part{x.Gained, x.Lost, x.Kept} {
				total := "-" // no string at all; 0 if all are longer than what is counted
				if p.Shortest != nil {
					total = layout.Digits(p.Total())
				}
				row = append(row, rowOf(shortestOf(p, quote.Word.String), total)...)
			}
			rows = append(rows, row)
		}
		s.table([]string{"production", "gains", "strings", "loses", "strings", "keeps", "strings"}, 1<<2|1<<4|1<<6,
			rows)
	}
}

// outlineClaims writes what the texts claim about their grammars, and whether it holds. Texts without claims are left
// out, and so are the claims of texts that are not in c.Grammars.
func (c *Content) outlineClaims(s sheet) {
	s.heading(2, "What they claim about themselves")
	s.paragraph(line{
		prose("What each text says about its own grammar, decided on the grammar: as it is read " +
			"here, and as it is printed. A refuted claim stands with its counterexample."),
	})
	for _, g := range c.Grammars {
		claims := c.ClaimsOf(g.Name)
		if len(claims) == 0 {
			continue
		}
		s.heading(3, "Claims of "+g.Title)
		for _, claim := range claims {
			s.heading(4, claim.ID+": "+claim.State())
			s.paragraph(line{
				prose("%s (%s: %s)", claim.Says, describePlace(claim.Title, claim.Section, claim.Lines),
					ast.Quote(claim.Quote)),
			})
			for _, r := range claim.Remarks() {
				s.item(line{prose("%s", r.Sentence())})
			}
		}
	}
}

// outlineConform writes what other parsers accept and how often they failed, each compared with each grammar, with the
// groups of strings on which these part, and where two of the parsers see different hosts. c.Conform must not be nil.
func (c *Content) outlineConform(s sheet) {
	s.heading(2, "Other parsers")
	s.paragraph(line{prose("%s put to each. More is what the parser alone accepts, less what the text alone "+
		"does, other host what both accept with different hosts.", layout.Plural(c.Conform.Inputs, "string"))})
	var rows [][]line
	for _, x := range c.Matrix() {
		o := x.Outcome
		rows = append(rows, rowOf(o.Name, c.title(x.Grammar), o.Accepted, o.Rejected, o.Undecided, o.NoAnswer,
			x.More, x.Less, x.Both, x.OtherHost))
	}
	s.table([]string{
		"parser", "text", "accepts", "rejects", "undecided", "no answer", "more", "less", "both", "other host",
	}, 0x3fc, rows) // numbers in all columns but the first two
	for _, o := range c.Conform.Implementations {
		if o.FaultCount > 0 || o.GaveUp != "" {
			s.paragraph(line{prose("%s failed to answer %s. %s", o.Name, layout.Plural(o.FaultCount, "time"), o.GaveUp)})
		}
		for _, f := range o.Faults {
			s.item(line{prose("%v", f)})
		}
	}
	for _, x := range c.Matrix() {
		s.heading(3, x.Outcome.Name+" and "+c.title(x.Grammar))
		if len(x.Groups) == 0 {
			s.paragraph(line{prose("%s", x.Agreement())})
			continue
		}
		var rows [][]line
		for _, g := range x.Groups {
			at := "-"
			if g.Line > 0 {
				at = fmt.Sprint(g.Line)
			}
			rows = append(rows, rowOf(g.Count, codeSpan(ast.Quote(string(g.Shortest))), describeGroup(g), at))
		}
		s.table([]string{"strings", "shortest", "how they part", "line"}, 1|1<<3, rows)
	}
	for _, p := range c.Pairs() {
		s.heading(3, p.A+" and "+p.B)
		s.paragraph(line{prose("They see different hosts in %d of %s.", p.Different,
			layout.Plural(p.Compared, "string"))})
		for _, x := range p.Shortest {
			s.item(line{
				codeSpan(ast.Quote(string(x.Input))), prose(": %s sees ", p.A), codeSpan(x.A),
				prose(", %s sees ", p.B), codeSpan(x.B),
			})
		}
	}
}
