package bnftogo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file leaves productions with scanners to the general parser.
//
// A scanner ([ast.Scanner]) is a function of the user that says where a production ends. No code, no
// table and no proof can know what it will say: of the parsers the general one alone asks it. So a
// production with a scanner, and all that use it, are left to the general parser. All else is made and
// proven as without scanners.
//
// A scanner may only refuse what the grammar derives. So what is checked of the general parser's trees
// without scanners, that they are derivations, holds with them.

// markScanned sets c.scanners, and marks as scanned the productions that have or use a scanner; of several scanners
// that one uses, its field scanner has the first. It fails for a production that does not exist or cannot have one: the
// general parser takes its end from the scanner, so it must read something, and must not be found inside of itself.
func (c *compiler) markScanned() error {
	for _, id := range c.options.Scan {
		p := c.byID[id]
		switch {
		case p == nil:
			return fmt.Errorf("%s has no production %q", c.g.Name, id)
		case !c.facts.Derives(p.Expr):
			return expr.Errorf(p.Pos, "`%s` derives nothing: it can have no scanner", p.Name)
		case c.facts.Nullable(p.Expr):
			return expr.Errorf(p.Pos,
				"`%s` derives the empty string: it can have no scanner. Let a production have one that is "+
					"not empty, as in [ %[1]s-text ]", p.Name)
		case c.facts.Used(p.Expr)[id]:
			return expr.Errorf(p.Pos,
				"`%s` uses itself: it can have no scanner. Let a production inside of it have one", p.Name)
		}
		c.scanners = append(c.scanners, p)
	}
	if len(c.scanners) == 0 { // what each production uses takes time in the square of a long chain
		return nil
	}
	for _, p := range c.productions {
		used := c.facts.Used(p.Expr)
		i := slices.IndexFunc(c.scanners, func(s *production) bool { return s == p || used[s.ID] })
		p.scanned = i >= 0
		if p.scanned {
			p.scanner = c.scanners[i]
		}
	}
	return nil
}

// refuseScanned leaves p to the general parser if it has or uses a scanner, and reports whether that is so.
func (c *compiler) refuseScanned(p *production) bool {
	if p.scanned {
		p.refuse(p.Pos, "a scanner says where `"+p.scanner.Name+"` ends")
	}
	return p.scanned
}

// writeScanners writes the variable with the scanners.
func (c *compiler) writeScanners(b *strings.Builder) {
	b.WriteString("\n// scanners has the functions that say where productions end. They are in " +
		"another file of the package.\n" +
		"var scanners = map[ast.Kind]ast.Scanner{\n")
	for _, p := range c.scanners {
		fmt.Fprintf(b, "%s: %s,\n", c.options.Kind(p.ID), c.options.Scanner(p.ID))
	}
	b.WriteString("}\n")
}

// sayScanned passes the sentences about the scanners to say.
func (c *compiler) sayScanned(say func(format string, args ...any)) {
	for _, p := range c.scanners {
		say("%s says where `%s` ends: it is opaque, and nothing is known of it. It can only refuse: what is "+
			"accepted is derived by the grammar as well, and each tree is a derivation, as far as that is true "+
			"of the general parser. All that was checked was checked without it.", c.options.Scanner(p.ID), p.Name)
	}
}
