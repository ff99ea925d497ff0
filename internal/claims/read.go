package claims

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/layout"
)

// A claim is a Claim that has not been decided, as a file of claims has it. Such a file is named after its grammar,
// rfc1738.claims, and has a block of lines for each claim, with an empty line between two. A line that begins with # is a
// comment.
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
// The lines after says are the statements that decide the claim: see [kinds]. An indented line is an operand of the
// statement above it. A claim that another text makes too has only a line "as: 1738/news-group" for says and what follows.
type claim struct {
	id, section, lines, quote, says string

	as         string // the ID of the claim that this one restates
	pos        string // "rfc1738.claims:7"
	lets       []let
	statements []statement
}

// A let is a name for a language, in the rest of its claim.
type let struct {
	name string
	term *term
}

// A statement is what one or more assertions are made of.
type statement struct {
	kind
	pos   string
	aside bool     // it is no part of the claim
	each  []string // what $ stands for, one after the other; nil if the statement has no $
	says  string   // the wording, or the arguments of a statement that words itself
	of    []*term
	words []string // strings that are accepted or rejected
}

// claimsOf returns the claims of a grammar in the order of its text. A grammar without a file of claims has none.
func claimsOf(name string) ([]claim, error) {
	all, err := allClaims()
	return all[name], err
}

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
		if all[strings.TrimSuffix(file, ".claims")], err = read(file, string(src)); err != nil {
			return nil, err
		}
	}
	return all, restate(all)
})

// restate completes each claim that restates another with what the other has.
func restate(all map[string][]claim) error {
	byID := map[string]claim{}
	for _, list := range all {
		for _, c := range list {
			byID[c.id] = c
		}
	}
	for _, list := range all {
		for i := range list {
			c := &list[i]
			for range byID { // bounds a circle
				if c.as == "" {
					break
				}
				other, ok := byID[c.as]
				if !ok {
					break
				}
				if c.section == "" {
					c.section = other.section
				}
				c.says, c.lets, c.statements, c.as = other.says, other.lets, other.statements, other.as
			}
			if c.as != "" {
				return fmt.Errorf("%s: %s restates %s, which is no claim", c.pos, c.id, c.as)
			}
		}
	}
	return nil
}

// read reads a file of claims. The error names the line that is wrong.
func read(file, src string) ([]claim, error) {
	var list []claim
	var c *claim
	var each []string
	n := 0
	done := func() error {
		switch {
		case c == nil:
			return nil
		case each != nil:
			return fmt.Errorf("%s: for without a statement", c.pos)
		case c.lines == "" || c.quote == "":
			return fmt.Errorf("%s: %s lacks lines or quote", c.pos, c.id)
		case (c.as == "") != (c.says != "" && len(c.statements) > 0), c.as != "" && (c.says != "" || len(c.statements)+len(c.lets) > 0):
			return fmt.Errorf("%s: %s needs says and a statement, or only as", c.pos, c.id)
		case slices.ContainsFunc(list, func(other claim) bool { return other.id == c.id }):
			return fmt.Errorf("%s: %s is there twice", c.pos, c.id)
		}
		for i := range c.statements {
			if s := &c.statements[i]; len(s.of) != s.operands || s.listed != (s.words != nil) && !s.optional {
				return fmt.Errorf("%s: %s needs %s%s", s.pos, s.name, layout.Plural(s.operands, "operand"), map[bool]string{true: " and a line of strings"}[s.listed])
			}
		}
		list = append(list, *c)
		c = nil
		return nil
	}
	for line := range strings.Lines(src) {
		n++
		line = strings.TrimRight(line, "\r\n")
		pos := fmt.Sprintf("%s:%d", file, n)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line == "" {
			if err := done(); err != nil {
				return nil, err
			}
			continue
		}
		if operand := strings.TrimSpace(line); line[0] == ' ' {
			if c == nil || len(c.statements) == 0 {
				return nil, fmt.Errorf("%s: an operand without a statement", pos)
			}
			if err := c.statements[len(c.statements)-1].add(operand); err != nil {
				return nil, fmt.Errorf("%s: %w", pos, err)
			}
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !ok || c == nil && key != "id" {
			return nil, fmt.Errorf("%s: expected %q", pos, "id:")
		}
		texts := map[string]*string{}
		if c != nil {
			texts = map[string]*string{"section": &c.section, "lines": &c.lines, "quote": &c.quote, "says": &c.says, "as": &c.as}
		}
		switch to := texts[key]; {
		case key == "id":
			if c != nil || value == "" {
				return nil, fmt.Errorf("%s: a claim begins after an empty line, with its ID", pos)
			}
			c = &claim{id: value, pos: pos}
		case to != nil:
			if *to != "" || value == "" {
				return nil, fmt.Errorf("%s: %s twice, or empty", pos, key)
			}
			*to = value
		case key == "let":
			name, text, _ := strings.Cut(value, " = ")
			t, err := parseTerm(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", pos, err)
			}
			c.lets = append(c.lets, let{name, t})
		case key == "for":
			if each = strings.Fields(value); len(each) == 0 {
				return nil, fmt.Errorf("%s: for nothing", pos)
			}
		default:
			plain, aside := strings.CutPrefix(key, "aside ")
			i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == plain })
			if i < 0 {
				return nil, fmt.Errorf("%s: no statement is called %q", pos, key)
			}
			c.statements = append(c.statements, statement{kind: kinds[i], pos: pos, aside: aside, each: each, says: value})
			each = nil
		}
	}
	return list, done()
}

// add adds an operand: a term, or after all terms the strings that the statement lists.
func (s *statement) add(operand string) error {
	if len(s.of) < s.operands {
		t, err := parseTerm(operand)
		s.of = append(s.of, t)
		return err
	}
	if !s.listed || s.words != nil {
		return fmt.Errorf("%s has %s", s.name, layout.Plural(s.operands, "operand"))
	}
	s.words = strings.Fields(operand)
	return nil
}
