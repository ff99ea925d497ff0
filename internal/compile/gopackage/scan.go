package gopackage

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file is about productions with scanners: functions of the user that say where a production
// ends ([ast.Scanner]). The package calls them by name; they are in a file of the user. Since this
// program does not know what they say, no string is written into the test that a scanner would
// have to agree with.

// findScanned sets p.scanned, and makes the productions with scanners nodes. A production that uses several of them
// has the first in the order of [expr.Grammar.Reach]. If p.Scan is empty p.scanned stays nil. findScanned fails if a
// name in p.Scan is no production, or if the package is made of a PEG.
func (p *writer) findScanned() error {
	if len(p.Scan) == 0 {
		return nil
	}
	if p.peg != nil {
		return errors.New("--scan is for a package that is made of a grammar alone: a PEG has no production that " +
			"the general parser derives")
	}
	p.scanned = map[string]*expr.Rule{}
	for _, name := range p.Scan {
		r, err := p.bnf.Lookup(name)
		if err != nil {
			return fmt.Errorf("--scan: %w", err)
		}
		p.isNode[r.ID] = true
		p.scanned[r.ID] = r
	}
	for _, r := range p.bnf.Rules {
		for _, id := range p.bnf.Reach(r.ID) {
			if p.scanned[r.ID] == nil && p.isScanner(id) {
				p.scanned[r.ID] = p.bnf.Rule(id)
			}
		}
	}
	return nil
}

// isScanner reports whether a production has a scanner.
func (p *writer) isScanner(id string) bool { return p.scanned[id] != nil && p.scanned[id].ID == id }

// scannedIDs lists the productions with scanners, in the order of the text.
func (p *writer) scannedIDs() (ids []string) {
	for _, r := range p.bnf.Rules {
		if p.isScanner(r.ID) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// scannerName returns the name of the function that is the scanner of a production.
func (p *writer) scannerName(id string) string { return "scan" + p.goNames[id] }

// scannerError returns an error for the first production with a scanner, since no automaton knows what a
// scanner says. It returns nil if there is none.
func (p *writer) scannerError() error {
	for _, id := range p.scannedIDs() {
		r := p.bnf.Rule(id)
		return expr.Refusef(r.Pos, "a scanner says where `%s` ends: no automaton knows what it says", r.Name)
	}
	return nil
}

// withoutScanned returns a copy of the grammar in which the productions with scanners derive nothing, or p.bnf
// itself if there are none.
func (p *writer) withoutScanned() *expr.Grammar {
	if len(p.scanned) == 0 {
		return p.bnf
	}
	rules := slices.Clone(p.bnf.Rules)
	for i, r := range rules {
		if p.isScanner(r.ID) {
			nothing := *r
			nothing.Expr = &expr.Expr{Op: expr.Class, Pos: r.Expr.Pos}
			rules[i] = &nothing
		}
	}
	return p.bnf.With(rules)
}

// butForScanners returns the end of the sentence on what Parse accepts: "" if the start has and uses no
// scanner.
func (p *writer) butForScanners() string {
	if p.scanned[p.start.ID] == nil {
		return ""
	}
	return " and the scanners below agree with"
}

// scannersComment returns the lines of the package comment on the scanners, or "" if there are none.
func (p *writer) scannersComment() string {
	ids := p.scannedIDs()
	if len(ids) == 0 {
		return ""
	}
	var b, names strings.Builder
	var functions []string
	for _, id := range ids {
		functions = append(functions, p.scannerName(id))
		fmt.Fprintf(&names, "//	func %s(src string, at int) (end int, ok bool) // where %s ends that begins at at\n",
			p.scannerName(id), p.bnf.Rule(id).Name)
	}
	b.WriteString("//\n// Some productions have scanners ([ast.Scanner]), which are in another " +
		"file of this package:\n//\n")
	b.WriteString(names.String())
	fmt.Fprintf(&b, `//
// What %s says is opaque: nothing of it is known here. It can only refuse. Whatever is accepted is derived by the
// grammar as well, and each tree is a derivation. An error names such a production as "(as its scanner reads it)"; an input
// matches [ast.ErrIncomplete] also where a scanner asks for more.
//
`, layout.List(functions, "or"))
	return b.String()
}

// MissingScanners lists the functions that a package calls as scanners and that no Go file in its folder, tests
// included, declares, in the order of the productions. It fails if the source is wrong, or a file cannot be read;
// without src.Scan it looks at nothing. Of a file that is not Go, what could be parsed counts.
func MissingScanners(src Source, folder string) (missing []string, err error) {
	if len(src.Scan) == 0 {
		return nil, nil
	}
	p, err := newWriter(src)
	if err != nil {
		return nil, err
	}
	files, err := FilesIn(folder, "*.go")
	if err != nil {
		return nil, err
	}
	declared := map[string]bool{}
	for _, name := range files {
		text, err := infile.ReadFile(name, maxGoFile)
		if err != nil {
			return nil, err
		}
		file, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if file == nil {
			continue // Go itself says what is wrong with it
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				declared[f.Name.Name] = true
			}
		}
	}
	for _, id := range p.scannedIDs() {
		if name := p.scannerName(id); !declared[name] {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

// OpaqueScanners returns, for each scanner of a package, a sentence that says that it is opaque. It fails if
// the source is wrong.
func OpaqueScanners(src Source) (list []string, err error) {
	p, err := newWriter(src)
	if err != nil {
		return nil, err
	}
	for _, id := range p.scannedIDs() {
		const format = "%s says where %s ends, and is opaque: it can only refuse"
		list = append(list, fmt.Sprintf(format, p.scannerName(id), p.bnf.Rule(id).Name))
	}
	return list, nil
}
