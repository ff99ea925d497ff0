package certificate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// UnreadText names the part of a grammar's text that keeps certcheck from reading any of it; "" if there is
// none. notices are those of the reader of the text.
func UnreadText(g *expr.Grammar, notices []bnf.Notice) string {
	if g.Notation != bnf.ABNF {
		return ""
	}
	for _, n := range notices {
		switch {
		case n.LeftOut:
			return fmt.Sprintf("the production that is left out (%s)", n.Pos)
		case strings.ContainsAny(n.Beyond, "'{:"):
			return fmt.Sprintf("signs that ABNF does not have (%s)", n.Pos)
		}
	}
	for _, r := range g.Rules {
		if r.Pos.File == g.File && proseOfLines.MatchString(opaque.ReplaceAllString(r.Printed, "")) {
			return fmt.Sprintf("angle brackets over several lines (%s)", r.Pos)
		}
	}
	return ""
}

// proseOfLines matches angle brackets with the end of a line in them.
var proseOfLines = regexp.MustCompile(`<[^>\n]*\n`)

// Unread names the notation of a grammar if certcheck does not read it, and else returns "". It
// reads pigeon's, ABNF and those of the two RFCs.
func Unread(g *expr.Grammar) string {
	switch g.Notation {
	case "", bnf.ABNF, bnf.RFC822, bnf.RFC1630:
		return ""
	}
	return "the notation " + g.Notation
}

// whyUnread says why a certificate does not cover a rule as it is written: certcheck does not read something in it
// or in its grammar, or the rule is refused. It returns "" if nothing is wrong with it.
func (s *side) whyUnread(r *expr.Rule) string {
	signs := opaque.ReplaceAllString(r.Printed, "")
	switch {
	case Unread(s.g) != "":
		return "certcheck does not read " + Unread(s.g)
	case r.Refused != nil && s.g.Ordered:
		return "it is refused: " + r.Refused.Message
	case r.Rare && !s.g.Ordered:
		return "certcheck does not read the additions to " + r.ID
	case r.Rare:
		return "certcheck does not read a text or a class in " + r.ID
	case s.g.Notation != bnf.ABNF:
		return ""
	case s.g.CodePoints && beyondASCII(r.Expr):
		return "certcheck does not read the characters beyond ASCII in " + r.ID
	case strings.Contains(signs, "<"):
		return "certcheck does not read the prose in " + r.ID
	case strings.Contains(signs, "#"):
		return "certcheck does not read the list in " + r.ID
	case r.Pos.File != s.g.File && !bnf.IsCore(r) && !strings.HasPrefix(r.Pos.File, "--define"):
		return "certcheck does not read " + r.Pos.File + ", which has " + r.ID
	}
	return ""
}

// opaque matches quoted strings, names in angle brackets and comments of ABNF: signs inside them have no
// meaning.
var opaque = regexp.MustCompile(`"[^"\n]*"|<(?:"|[A-Za-z][0-9A-Za-z_-]*)>|;.*`)

// beyondASCII reports whether e has a character above U+007F.
func beyondASCII(e *expr.Expr) bool {
	return e.Set[2]|e.Set[3] != 0 || strings.ContainsFunc(e.Lit, func(c rune) bool { return c > unicode.MaxASCII }) ||
		slices.ContainsFunc(e.Sub, beyondASCII)
}
