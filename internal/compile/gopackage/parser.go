package gopackage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file makes fast.go, and with it the proof. There are two ways.
//
// A package of a grammar and a PEG has the PEG's parser. For each production the automata of the two are
// compared (proveLanguages): they must be equal. A certificate of that can be written, and its hash stands in
// the package.
//
// A package of a grammar alone has the parser of package bnftogo. That package proves each parser as it makes
// it, and leaves to a general parser whatever it cannot prove.

// readPEG sets p.peg, the PEG under the IDs of the productions, and p.isNode: the productions that the PEG
// makes nodes or, if it makes none, those that [writer.chooseNodes] chooses; their rules in p.peg then make
// them. It adds core rules that the PEG lacks. Without a PEG it sets p.isNode only. It fails if productions have
// no rule, if two have one identifier, or if --nodes is wrong or comes with a PEG that makes nodes.
func (p *writer) readPEG() error {
	if p.PEG == nil {
		return p.chooseNodes()
	}
	rules := peg.For(p.bnf, p.PEG)
	byIdent := map[string]string{}
	for _, r := range p.bnf.Rules {
		ident := peg.Ident(r.ID)
		if other := byIdent[ident]; other != "" {
			const format = "the productions %s and %s have one identifier in a .peg file"
			return expr.Errorf(r.Pos, format, other, r.ID)
		}
		byIdent[ident] = r.ID
	}
	makesNodes := false
	var missing []error
	for _, r := range p.bnf.Rules {
		in := rules.Rule(r.ID)
		switch {
		case in == nil && bnf.IsCore(r):
			core := *r
			core.Expr = asPEG(r.Expr)
			// The slice is cut, so that append does not write into another grammar's rules.
			old := rules.Rules[:len(rules.Rules):len(rules.Rules)]
			rules = rules.With(append(old, &core))
		case in == nil:
			const format = "%s has no rule for the production %s"
			missing = append(missing, expr.Errorf(r.Pos, format, rules.File, r.ID))
		default:
			p.isNode[r.ID] = in.Expr.Op == expr.Node
			makesNodes = makesNodes || p.isNode[r.ID]
		}
	}
	if len(missing) > 0 {
		return errors.Join(missing...)
	}
	p.peg = rules
	if makesNodes {
		if len(p.Nodes) > 0 {
			return fmt.Errorf("--nodes: the rules of %s make the nodes", rules.File)
		}
		return nil
	}
	if err := p.chooseNodes(); err != nil {
		return err
	}
	// The rules of the nodes that were chosen now make them.
	var all []*expr.Rule
	for _, r := range rules.Rules {
		if p.bnf.Rule(r.ID) != nil && p.isNode[r.ID] {
			c := *r
			c.Expr = &expr.Expr{
				Op:   expr.Node,
				Name: r.ID,
				Sub:  []*expr.Expr{r.Expr},
				Pos:  r.Expr.Pos,
			}
			r = &c
		}
		all = append(all, r)
	}
	p.peg = rules.With(all)
	return nil
}

// makeParserFile returns fast.go. It must run before the files that say what was proven, since it adds to p.proven and
// sets p.languages and, with a PEG, p.certificateHash. Without a PEG see [writer.proveAndCompile]. With one it fails
// if a rule does not match what its production derives, and if the parser cannot be made or compared. If p.Unproven is
// set the PEG is not compared, and neither of the two fields is set.
func (p *writer) makeParserFile() ([]byte, error) {
	if p.peg == nil {
		return p.proveAndCompile()
	}
	printed := map[string]string{}
	for _, r := range p.bnf.Rules {
		printed[r.ID] = p.citeLine(r)
	}
	rules := productionsFirst(p.peg, p.bnf)
	if !p.Unproven {
		if err := p.proveLanguages(rules); err != nil {
			return nil, err
		}
		const format = "each of the %d productions of the BNF derives exactly the strings that its PEG rule matches"
		p.proven = append(p.proven, fmt.Sprintf(format, len(p.bnf.Rules)))
		if err := p.setCertificateHash(); err != nil {
			return nil, err
		}
	}
	text, err := pegtogo.Go(rules, pegtogo.Options{
		Package: p.Package,
		Printed: printed,
		Lexical: p.isLexical,
		Kind: func(id string) string {
			if p.bnf.Rule(id) == nil { // a rule of the PEG that is no production
				return ""
			}
			return p.kindName(id)
		},
		MaxGo: p.MaxGo,
		Automaton: func(id string) *lang.DFA {
			if id != p.start.ID {
				return nil
			}
			return bnftogo.Acceptor(p.languages[id])
		},
	})
	if wrong, ok := errors.AsType[*pegtogo.WrongError](err); ok {
		return nil, askToReport(wrong.First)
	}
	if err != nil {
		return nil, err
	}
	p.proven = append(p.proven,
		"the parser takes every transition of every rule's automaton as the PEG does, answer and tree")
	return p.withHeader(text), nil
}

// withHeader returns a file with the header of the package, in place of the one that it may have: a text that begins
// "// Code generated " loses all up to its first empty line.
func (p *writer) withHeader(text []byte) []byte {
	var b bytes.Buffer
	p.writeHeader(&b)
	if bytes.HasPrefix(text, []byte("// Code generated ")) {
		_, text, _ = bytes.Cut(text, []byte("\n\n"))
	}
	b.Write(text)
	return b.Bytes()
}

// productionsFirst returns the rules of a PEG that the productions of b use, each of which must have a rule. The rules
// for the productions come first, in the order of b, which is the order of their kinds; the others keep theirs.
func productionsFirst(rules, b *expr.Grammar) *expr.Grammar {
	var all []*expr.Rule
	for _, r := range b.Rules {
		all = append(all, rules.Rule(r.ID))
	}
	for _, r := range rules.Part(expr.IDs(b.Rules)...).Rules {
		if b.Rule(r.ID) == nil {
			all = append(all, r)
		}
	}
	return rules.With(all)
}

// A DiffersError reports a rule of a PEG that does not match exactly what its production derives. It wraps an
// [*expr.Error].
type DiffersError struct{ error }

// Unwrap returns the place and the message.
func (e *DiffersError) Unwrap() error { return e.error }

// proveLanguages compares the language of each rule with that of its production, and sets p.languages to those of the
// productions. If some differ it fails with a [*DiffersError] for one of them, with a shortest string on which the two
// differ: the first whose production uses no other production with a wrong rule, or the first of all if each does. It
// fails with another error if an automaton is too large; p.languages then has only those before it.
func (p *writer) proveLanguages(rules *expr.Grammar) error {
	languages, err := lang.NewPEG(rules, lang.Limits{})
	if err != nil {
		return err
	}
	wrong := map[string]error{}
	p.languages = map[string]*lang.DFA{}
	for _, r := range p.bnf.Rules {
		rule := rules.Rule(r.ID)
		want, err := lang.FromBNF(p.bnf, r.ID)
		if err != nil {
			return err
		}
		p.languages[r.ID] = want
		got, err := languages.Whole(expr.To(r.ID))
		if err != nil {
			return err
		}
		w, differs := want.ShortestDifference(got)
		if !differs {
			continue
		}
		format := "%s: the rule matches %s, and the production does not derive it"
		if want.Accepts(want.Run(0, w)) {
			format = "%s: the production derives %s, and the rule does not match it"
		}
		wrong[r.ID] = &DiffersError{expr.Errorf(rule.Pos, format, r.ID, quote.Word(w))}
	}
	// A wrong rule that uses no other wrong rule is the cause. If all use each other, the first counts.
	var first error
	for _, r := range p.bnf.Rules {
		if wrong[r.ID] == nil {
			continue
		}
		usesWrong := slices.ContainsFunc(expr.Refs(r.Expr), func(id string) bool {
			return id != r.ID && wrong[id] != nil
		})
		if !usesWrong {
			return wrong[r.ID]
		}
		if first == nil {
			first = wrong[r.ID]
		}
	}
	return first
}

// asPEG returns an expression of a BNF as one of a PEG, with the alternatives in their printed
// order and the counts written out. It does not check that the two mean the same.
func asPEG(e *expr.Expr) *expr.Expr {
	return e.Map(asPEG).WrittenOut()
}

// minNesting is the least depth to which recursion that nests is proven. At a depth of 2 the
// palindromes over two letters still look as if one byte decided; from 3 on they do not.
const minNesting = 4

// maxCompileSteps caps the steps of package bnftogo. Beyond it the general parser derives all
// productions.
const maxCompileSteps = 1 << 27

// proveAndCompile returns fast.go, made of the grammar alone: package bnftogo proves each parser that it
// makes. It must run before the other files are made, except for nodes.go. It sets p.ambiguities,
// p.languages, p.generalWords, p.usesGeneral, p.hasLimits, p.entriesOn and p.program, adds to p.proven, and
// calls p.Defect if that is set. If p.generalOnly is set, or a limit other than the time is passed, the general
// parser derives everything. It fails if the grammar or an entry of the lock file is wrong, if the time is up or
// the general parser passes a limit too, and with a request to report it if a self-check fails for which there
// is no other way.
func (p *writer) proveAndCompile() ([]byte, error) {
	prefer, err := p.readPreferences()
	if err != nil {
		return nil, err
	}
	o := bnftogo.Options{
		Package: p.Package,
		Kind:    p.kindName,
		Nodes:   func(id string) bool { return p.isNode[id] },
		Starts:  []string{p.start.ID},
		Prefer:  prefer,
		Nesting: max(p.Nesting, minNesting),
		MaxGo:   p.MaxGo,
		Scan:    p.scannedIDs(),
		Scanner: p.scannerName,

		TablesOnly: p.tablesOnly,
	}
	// A limit on the steps ends what is costly early enough for the general parser to take over.
	general := p.generalOnly
	var program *bnftogo.Program
	if !general {
		g := p.bnf.With(p.bnf.Rules)
		g.Budget = p.bnf.Budget.Part(maxCompileSteps)
		program, err = bnftogo.Compile(g, o)
		passed, ok := errors.AsType[*budget.Exceeded](err)
		general = ok && passed.Limit != budget.Time
	}
	if general {
		program, err = bnftogo.General(p.bnf, o)
	}
	if defect, ok := errors.AsType[*bnftogo.DefectError](err); ok {
		return nil, askToReport(defect)
	}
	if err != nil {
		return nil, p.placeAtEntry(err)
	}
	for _, d := range program.Defects {
		if p.Defect != nil {
			p.Defect(d + ". The package is right, and slower than it could be. " + pleaseReport)
		}
	}
	p.program = program
	p.generalWords = program.Tried
	p.ambiguities = program.Ambiguities
	p.languages = program.Languages
	p.proven = append(p.proven, program.Proof...)
	if err := p.checkEntriesUsed(); err != nil {
		return nil, err
	}
	// The declarations of the file tell which parsers it has.
	p.usesGeneral = bytes.Contains(program.Source, []byte("\nvar general ="))
	p.hasLimits = bytes.Contains(program.Source, []byte("\nfunc within("))
	return p.withHeader(program.Source), nil
}

// pleaseReport is the sentence that follows a failed self-check.
const pleaseReport = "This is a defect of bnfcheck; please report it, with the grammar, at " +
	"https://github.com/bnfcheck/bnfcheck/issues"

// askToReport returns err, the failure of a self-check, as a refusal with the sentence that asks to report it. The
// refusal is at the place of err, if that wraps an [*expr.Error], and wraps nothing.
func askToReport(err error) error {
	var at expr.Pos
	if e, ok := errors.AsType[*expr.Error](err); ok {
		at = e.Pos
		err = errors.New(e.Message)
	}
	return expr.Refusef(at, "%v. %s", err, pleaseReport)
}

// certificateSource returns the subject of a certificate for this package: the whole grammar, the PEG if there is one,
// and the definitions that options gave, which are those of p.Assumptions that begin with "defined: " and have a "=".
// ids has the production that Parse derives if it was named; nil stands for all.
func (p *writer) certificateSource() (subject certificate.Source, ids []string) {
	subject = certificate.Source{BNF: p.Grammar, Readings: p.Readings}
	if p.PEG != nil {
		subject.PEG = peg.For(p.Grammar, p.PEG)
	}
	for _, a := range p.Assumptions {
		text, isDefinition := strings.CutPrefix(a, defined)
		name, right, ok := strings.Cut(text, "=")
		if isDefinition && ok {
			subject.Defined = append(subject.Defined, [2]string{strings.TrimSpace(name), right})
		}
	}
	if p.Start != "" {
		ids = []string{p.start.ID}
	}
	return subject, ids
}

// setCertificateHash sets p.certificateHash to the hash of the certificate that bnfcheck prove
// writes for the grammar and the PEG. The certificate itself is not kept. It fails if there is none.
func (p *writer) setCertificateHash() error {
	subject, ids := p.certificateSource()
	s, err := certificate.Write(io.Discard, subject, ids...)
	if err == nil {
		p.certificateHash = s.Hash
	}
	return err
}

// defined begins an assumption about a name that an option defines.
const defined = "defined: "
