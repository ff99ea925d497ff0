package claims

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/grammar"
)

// A claim is a Claim that has not been decided, as a file of claims has it. Such a file is named after its grammar,
// rfc1738.claims, and has a block of lines for each claim, with an empty line between two. A line that begins with #
// is a comment.
//
//	id:      1738/news-group
//	section: 3.6
//	lines:   689-690
//	quote:   is a period-delimited hierarchical name
//	says:    a newsgroup name is names with periods between them
//	let:     name = not(".") *not(".")
//	subset: in every group there is something between the periods
//	    group
//	    name *( "." name )
//
// The lines after says are the statements that decide the claim: see [operands]. An indented line is an operand of
// the statement above it. A claim that another text makes too has only a line "as: 1738/news-group" for says and
// what follows.
type claim struct {
	Claim
	as         string // the ID of the claim that this one restates
	statements []statement
}

// A statement is a line of the claims file that makes one or more assertions.
type statement struct {
	kind  string
	pos   string   // "rfc1738.claims:7"
	aside bool     // it is no part of the claim
	each  []string // what $ stands for, one after the other; nil if the statement has no $
	says  string   // the wording; for some kinds other words: see operands
	of    []string // the operands: terms, then perhaps a list of strings
}

// operands has the kinds of statements, each with the number of its operands, strings that are listed in a line of
// their own among them.
var operands = map[string]int{
	"subset": 2, "disjoint": 2, "equal": 2, "none": 1, "some": 1, // of languages
	"accepts": 2, "rejects": 2, // a language, and a line of strings
	"printed":       1, // the language derives all that the text prints; another operand lists strings that are exempt
	"unused":        0, // no production of a part of the text uses a name; says is "PART NAME", or "NAME" for no part
	"described":     0, // every name that a part uses is defined; says is the part
	"partial-forms": 0, // the rule for partial forms gives the text's table
	"let":           0, // a name for a language, in the rest of its claim; says is "NAME = TERM"
}

// claimsOf returns the claims of a grammar in the order of its text. A grammar without a file of claims has none.
func claimsOf(name string) ([]claim, error) {
	all, err := allClaims()
	return all[name], err
}

// allClaims returns the claims of all grammars, by the name of the grammar. They are read once, and must not
// be changed.
var allClaims = sync.OnceValues(func() (map[string][]claim, error) {
	files, err := fs.Glob(grammar.Files, "*.claims")
	if err != nil {
		return nil, err
	}
	all := map[string][]claim{}
	for _, file := range files {
		src, err := fs.ReadFile(grammar.Files, file)
		if err != nil {
			return nil, err
		}
		if all[strings.TrimSuffix(file, ".claims")], err = readClaims(file, string(src)); err != nil {
			return nil, err
		}
	}
	return all, restate(all)
})

// restate completes, in place, each claim that restates another, with the other's wording, statements and, if it has
// none, section. It fails for a claim that restates one that does not exist, or itself by way of others, and for any
// claim without a wording. The claims may then be completed in part.
func restate(all map[string][]claim) error {
	byID := map[string]claim{}
	for _, list := range all {
		for _, c := range list {
			byID[c.ID] = c
		}
	}
	for _, list := range all {
		for i := range list {
			c := &list[i]
			for range byID { // at most as many steps as there are claims; after a circle c.as is still set
				if other := byID[c.as]; c.as != "" {
					c.Section = cmp.Or(c.Section, other.Section)
					c.Says, c.statements, c.as = other.Says, other.statements, other.as
				}
			}
			if c.as != "" || c.Says == "" {
				return fmt.Errorf("%s restates what is no claim", c.ID)
			}
		}
	}
	return nil
}

// saysOneThing reports whether a claim either restates another, and says nothing itself, or has both a wording and
// statements.
func (c *claim) saysOneThing() bool {
	if c.as != "" {
		return c.Says == "" && len(c.statements) == 0
	}
	return c.Says != "" && len(c.statements) > 0
}

// readClaims reads the text of the file of claims with this name. Terms are not read yet, nor restated claims
// looked for. The error names the line that is wrong.
func readClaims(file, src string) (list []claim, err error) {
	var c *claim
	var each []string
	n := 0
	for line := range strings.Lines(src + "\n\n") { // an empty line ends the last claim
		n++
		line = strings.TrimRight(line, "\r\n")
		fail := func(format string, args ...any) ([]claim, error) {
			return nil, fmt.Errorf("%s:%d: %s", file, n, fmt.Sprintf(format, args...))
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		plain, aside := strings.CutPrefix(key, "aside ")
		count, known := operands[plain]
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "": // the end of a claim, all parts of which must be there by now
			if c != nil {
				if c.Lines == "" || c.Quote == "" || each != nil || !c.saysOneThing() {
					return fail("%s above is not complete", c.ID)
				}
				for _, s := range c.statements {
					if len(s.of) != operands[s.kind] && !(s.kind == "printed" && len(s.of) == 2) {
						return fail("%s: %s has %d operands", s.pos, s.kind, len(s.of))
					}
				}
				list, c = append(list, *c), nil
			}
		case key == "id" && c == nil && value != "":
			if slices.ContainsFunc(list, func(other claim) bool { return other.ID == value }) {
				return fail("%s is there twice", value)
			}
			c = &claim{Claim: Claim{ID: value, Grammar: strings.TrimSuffix(file, ".claims")}}
		case c == nil:
			return fail("a claim begins after an empty line, with its ID")
		case line[0] == ' ':
			if len(c.statements) == 0 {
				return fail("an operand without a statement")
			}
			s := &c.statements[len(c.statements)-1]
			s.of = append(s.of, strings.TrimSpace(line))
		case key == "for" && value != "":
			each = strings.Fields(value)
		case known:
			c.statements = append(c.statements, statement{plain, fmt.Sprintf("%s:%d", file, n), aside, each, value,
				make([]string, 0, count)})
			each = nil
		default:
			to := map[string]*string{
				"section": &c.Section, "lines": &c.Lines, "quote": &c.Quote, "says": &c.Says, "as": &c.as,
			}[key]
			if to == nil || *to != "" || value == "" {
				return fail("%q is no statement, stands here twice, or says nothing", key)
			}
			*to = value
		}
	}
	return list, nil
}
