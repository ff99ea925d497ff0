package conform

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
)

// About has what a write-up says about a parser besides its answers. Any field may be empty.
type About struct {
	Parser  string // its name: "npm, fast-uri"
	Version string
	Claim   string // its claim about itself, quoted
	From    string // the source of the claim

	Language string // of the program, as Markdown names it
	Program  string // a program that shows the disagreement
	Output   string // the program's output
}

// Group returns the group with a number, and the comparison that it belongs to. If there is no such group,
// the error names the numbers that there are.
func (r *Report) Group(number int) (Comparison, Group, error) {
	last := 0
	for _, c := range r.Comparisons {
		for _, g := range c.Groups {
			if g.Number == number {
				return c, g, nil
			}
			last = g.Number
		}
	}
	if last == 0 {
		return Comparison{}, Group{}, fmt.Errorf("no disagreement %d: there is none", number)
	}
	return Comparison{}, Group{}, fmt.Errorf("no disagreement %d: they have the numbers 1 to %d", number, last)
}

// A WriteUp describes one disagreement so that the parser's maintainer can act on it without knowing anything
// else of a report.
type WriteUp struct {
	Comparison Comparison
	Group      Group
	Judge      Judge  // that of the comparison
	Answer     Answer // the parser's, to the group's shortest string
	About      About
}

// NewWriteUp asks im again about the shortest string of a group, and returns a write-up with that answer. It
// fails if asking fails, with the [*Fault] if the answer has one, and if the verdict is no longer that of the group. If
// about.Parser is empty, the parser has the name of the implementation.
func NewWriteUp(ctx context.Context, im Implementation, j Judge, c Comparison, g Group, about About) (*WriteUp, error) {
	a, err := im.Ask(ctx, string(g.Shortest))
	if err == nil && a.Fault != nil {
		err = a.Fault
	}
	if err != nil {
		return nil, err
	}
	if j.judgesURLs() {
		a = a.requireScheme()
	}
	before := Accepted
	if g.Kind == AcceptsLess {
		before = Rejected
	}
	if a.Verdict != before {
		return nil, fmt.Errorf("%s: asked twice about %s, it answers %s and then %s",
			c.Implementation, inQuotes(string(g.Shortest)), before, a.Verdict)
	}
	about.Parser = cmp.Or(about.Parser, c.Implementation)
	return &WriteUp{c, g, j, a.shortened(string(g.Shortest)), about}, nil
}

// Title describes the disagreement in a line of Markdown that follows the parser's name.
func (u *WriteUp) Title() string {
	input := Shown(string(u.Group.Shortest))
	switch u.Group.Kind {
	case AcceptsMore:
		return fmt.Sprintf("accepts %s, which %s does not derive", input, u.judgeTitle())
	case AcceptsLess:
		return fmt.Sprintf("rejects %s, which %s derives", input, u.judgeTitle())
	}
	switch u.Group.How {
	case noneForEmpty:
		return fmt.Sprintf("sees no %s in %s, where it is empty", u.Group.Component, input)
	case emptyForNone:
		return fmt.Sprintf("sees an empty %s in %s, which has none", u.Group.Component, input)
	}
	return fmt.Sprintf("sees another %s in %s", u.Group.Component, input)
}

// judgeTitle returns the title of the grammar.
func (u *WriteUp) judgeTitle() string { return u.Judge.Grammar.Title }

// Write writes the write-up as Markdown, with its title. It fails only if w does.
func (u *WriteUp) Write(w io.Writer) error {
	_, err := io.WriteString(w, "# "+markdownText(u.About.Parser)+" "+u.Title()+"\n\n"+u.Body())
	return err
}

// Body returns the write-up as Markdown, without its title. The version, the claim and the program are left out if
// they are empty.
func (u *WriteUp) Body() string {
	b := &strings.Builder{}
	about, g := u.About, u.Group
	b.WriteString("**Parser.** " + markdownText(about.Parser))
	if about.Version != "" {
		b.WriteString(", version " + markdownText(about.Version))
	}
	b.WriteString(".")
	if about.Claim != "" {
		fmt.Fprintf(b, " It says of itself: “%s” (%s).", markdownText(about.Claim), markdownText(about.From))
	}
	b.WriteString("\n\n")
	if about.Program != "" {
		writeFence(b, about.Language, about.Program)
		if about.Output != "" {
			b.WriteString("prints\n\n")
			writeFence(b, "", about.Output)
		}
	}
	fmt.Fprintf(b, "**What it does.** %s\n\n", u.whatItDoes())
	fmt.Fprintf(b, "**What %s says.** %s\n\n", u.judgeTitle(), u.whatGrammarSays())
	writeFence(b, "", g.Printed)
	fmt.Fprintf(b, "**Why it matters.** %s\n", u.whyItMatters())
	if g.Count > 1 {
		fmt.Fprintf(b, "\nThis is the shortest of %d strings, out of %d asked, in which the two part in the same "+
			"way at the same place.\n",
			g.Count, u.Comparison.Asked)
	}
	return b.String()
}

// whatItDoes describes the parser's answer, which accepts or rejects, in a sentence: with the parser's error, or
// with the components that it sees.
func (u *WriteUp) whatItDoes() string {
	input := Shown(string(u.Group.Shortest))
	if u.Answer.Verdict == Rejected {
		s := "It rejects " + input
		if u.Answer.Error != "" {
			s += ", with the error " + Shown(u.Answer.Error)
		}
		return s + "."
	}
	var parts []string
	var absent string
	add := func(name string, v Value) {
		switch {
		case v.Present && (v.Text != "" || name == u.Group.Component):
			parts = append(parts, "the "+name+" "+valueText(v))
		case !v.Present && name == u.Group.Component:
			absent = "no " + name
		}
	}
	for _, name := range u.Judge.Names() {
		add(name, u.Answer.Named[name])
	}
	if u.Judge.Named == nil {
		list := uriParts
		if c, ok := componentNamed(u.Group.Component); ok && !slices.Contains(list, c) {
			list = slices.Insert(slices.Clone(list), 1, c) // a user or a password, after the scheme
		}
		for _, c := range list {
			add(u.Judge.componentName(c), u.Answer.Components[c])
		}
	}
	if absent != "" {
		parts = append(parts, absent)
	}
	s := "It accepts " + input
	if len(parts) > 0 {
		s += ", and sees " + layout.List(parts, "and")
	}
	return s + "."
}

// whatGrammarSays tells how the grammar judges the string, and where that is printed. For a component it asks the judge
// again, and panics as [Judge.findingOn] does.
func (u *WriteUp) whatGrammarSays() string {
	g := u.Group
	place := citation.Place{Section: g.Section, Lines: strconv.Itoa(g.Line)}.String()
	if section := sections[g.Production]; section != "" && u.Judge.judgesReferences() {
		place = fmt.Sprintf("section %s; %s", section, place)
	}
	where := fmt.Sprintf("`%s` (%s)", g.Production, place)
	input := Shown(string(g.Shortest))
	at := "its end"
	if g.Offset < len(g.Shortest) {
		at = fmt.Sprintf("%s at offset %d", Shown(string(g.Shortest[g.Offset:g.Offset+1])), g.Offset)
	}
	switch g.Kind {
	case AcceptsMore:
		return fmt.Sprintf("%s is not derived. In the place of %s, %s has %s.", input, at, where, expectedText(g))
	case AcceptsLess:
		if g.Term == ast.EndOfInput {
			return fmt.Sprintf("%s is derived; it may end where it does. See %s.", input, where)
		}
		return fmt.Sprintf("%s is derived, with %s read as `%s` in %s.", input, at, g.Term, where)
	}
	f := u.Judge.findingOn(string(g.Shortest))
	value, ok := f.named[g.Component]
	if c, known := componentNamed(g.Component); !ok && known {
		value = f.components[c]
	}
	return fmt.Sprintf("%s is derived, and its %s is %s. The two part in %s.", input, g.Component, valueText(value),
		where)
}

// whyItMatters tells what harm a disagreement of this kind can do, by the kind, the component and the place.
func (u *WriteUp) whyItMatters() string {
	switch g := u.Group; {
	case g.How == noneForEmpty || g.How == emptyForNone:
		return "Section 5.3 of RFC 3986 keeps a component that is undefined apart from one that is empty: a " +
			"string that is taken apart and put together again changes, and so does what a relative " +
			"reference is resolved to."
	case g.Kind == OtherComponent && (g.Component == Host.String() || g.Component == Port.String()):
		return fmt.Sprintf("A program that checks the %[1]s with one parser and connects with another checks "+
			"one %[1]s and connects to another: filters of addresses, allow lists and the choice of "+
			"credentials all rest on it.", g.Component)
	case g.Kind == OtherComponent && isCredential(g.Component):
		return "Credentials are sent, stored or left out of logs by what is taken for them."
	case g.Kind == OtherComponent:
		return fmt.Sprintf("A string that is taken apart and put together again is another resource: its %s is "+
			"not what the sender meant.", g.Component)
	case g.Kind == AcceptsMore && isInAuthority(string(g.Shortest), g.Offset) && u.Answer.Components[Host].Text != "":
		return fmt.Sprintf("Parsers that accept such a string disagree about its host, since no text says "+
			"which it is; this one takes %s for it. A program that rests on the parser as a check lets it "+
			"through.", valueText(u.Answer.Components[Host]))
	case g.Kind == AcceptsMore:
		return "A program that rests on the parser as a check lets a string through that others reject, " +
			"or read in another way."
	}
	if u.Judge.judgesReferences() {
		return "A valid reference that other programs write is refused."
	}
	return "A valid string that other programs write is refused."
}

// isCredential reports whether a component, given by its name, is a part of the user information.
func isCredential(component string) bool {
	return component == UserInfo.String() || component == User.String() || component == Password.String()
}

// isInAuthority reports whether offset is in the authority of w, or just after it: the text between "//" and
// the next "/", "?" or "#".
func isInAuthority(w string, offset int) bool {
	at := strings.Index(w, "//")
	if at < 0 || offset < at+2 {
		return false
	}
	return !strings.ContainsAny(w[at+2:offset], "/?#")
}

// sections maps productions to the sections of RFC 3986 that define them; appendix A collects all.
var sections = map[string]string{
	"pct-encoded": "2.1", "reserved": "2.2", "gen-delims": "2.2", "sub-delims": "2.2", "unreserved": "2.3",
	"URI": "3", "hier-part": "3", "scheme": "3.1", "authority": "3.2", "userinfo": "3.2.1", "host": "3.2.2",
	"IP-literal": "3.2.2", "IPvFuture": "3.2.2", "IPv6address": "3.2.2", "h16": "3.2.2", "ls32": "3.2.2",
	"IPv4address": "3.2.2", "dec-octet": "3.2.2", "reg-name": "3.2.2", "port": "3.2.3", "path": "3.3",
	"path-abempty": "3.3", "path-absolute": "3.3", "path-noscheme": "3.3", "path-rootless": "3.3",
	"path-empty": "3.3", "segment": "3.3", "segment-nz": "3.3", "segment-nz-nc": "3.3", "pchar": "3.3",
	"query": "3.4", "fragment": "3.5", "URI-reference": "4.1", "relative-ref": "4.2", "relative-part": "4.2",
	"absolute-URI": "4.3",
}

// Shown returns a string as code in Markdown. It stands there unchanged if it is short and printable;
// otherwise it is in quotes, with escapes, and cut after 120 bytes. The empty string is described in words.
func Shown(s string) string {
	if s == "" {
		return "the empty string"
	}
	hides := func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }
	if strings.ContainsFunc(s, hides) || len(s) > 120 {
		s = inQuotes(s)
	}
	return results.Code(s)
}

// valueText returns a component's value: its text as [Shown], or "absent" or "empty".
func valueText(v Value) string {
	switch {
	case !v.Present:
		return "absent"
	case v.Text == "":
		return "empty"
	}
	return Shown(v.Text)
}

// markup escapes the characters that have a meaning in a line of Markdown.
var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "<", `\<`, "[", `\[`, "]", `\]`, "|", `\|`, "\n",
	" ", "\t", " ")

// markdownText returns text from outside, escaped for a line of Markdown.
func markdownText(s string) string { return markup.Replace(layout.Printable(s)) }

// writeFence appends a block of code in a language to b.
func writeFence(b *strings.Builder, language, code string) {
	b.WriteString(results.Fence(language, strings.TrimSuffix(code, "\n")) + "\n")
}

// ShellProgram returns a line for a Unix shell that asks a command about an input in the protocol of
// docs/adapter-protocol.md.
func ShellProgram(argv []string, input string) string {
	return ShellLine(argv, strings.TrimSuffix(string(appendRequest(nil, 1, input)), "\n")) + "\n"
}

// ShellLine returns a line for a Unix shell that feeds the line, with a line end, to a command's standard input. It
// writes with escapes what a terminal would not show as it is.
func ShellLine(argv []string, line string) string {
	format := quote.Shell(`%s\n`) + " " + quote.Shell(line)
	if layout.Printable(line) != line { // a terminal would not show it as it is
		format = ""
		for i, x := range []byte(line) {
			switch {
			case x < ' ' || x > '~' || i == 0 && x == '-': // printf would read options
				format += fmt.Sprintf(`\%03o`, x)
			case x == '%' || x == '\\':
				format += string([]byte{x, x})
			default:
				format += string(x)
			}
		}
		format = quote.Shell(format + `\n`)
	}
	return fmt.Sprintf("printf %s | %s", format, quote.ShellWords(argv))
}
