package editor

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/report/drawing"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

func init() {
	announce(func(c *protocol.ServerCapabilities) { c.HoverProvider = true })
	handle("textDocument/hover", (*call).hover)
}

// hover tells about the name, value or string at a position. The answer is null if there is nothing to tell.
func (c *call) hover(p protocol.HoverParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	r := n.reading()
	i := r.outline.At(n.lines.offset(p.Position))
	if i < 0 {
		return nil, nil
	}
	span := outline.Span{Start: r.outline.Tokens[i].Start, End: r.outline.Tokens[i].End}
	text := ""
	switch r.outline.Tokens[i].Kind {
	case outline.Name, outline.Prose:
		span = r.outline.NameSpan(i)
		text = c.aboutName(r.outline.NameOf(i))
	case outline.Value, outline.String:
		text = aboutTerminal(r.kind, r.outline.TextOf(i))
	}
	if text == "" {
		return nil, nil
	}
	at := n.lines.rangeOf(span)
	return protocol.Hover{
		Contents: protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}, Range: &at,
	}, nil
}

// maxShown caps the bytes of a production that are shown.
const maxShown = 2000

// aboutName tells, in Markdown, about the production with a name: its text, its comment, where it comes from, what
// it accepts, how it is used, a diagram of it, and the settings. If there is none it says so. c.snapshot must not be
// nil. It takes the server's lock.
func (c *call) aboutName(name string) string {
	n := c.snapshot
	r := n.reading()
	o := r.outline
	key := o.Key(name)
	var parts []string
	rule := n.ruleNamed(name)
	definitions := r.names().definitions[key]
	switch {
	case len(definitions) > 0:
		parts = append(parts, fenceGrammar(r.kind, n.definitionText(definitions, rule)))
		// those in the production are in its text
		if comment := o.CommentBefore(o.Rules[definitions[0]]); comment != "" {
			parts = append(parts, escapeProse(comment))
		}
	case rule != nil:
		text := rule.Printed
		if text == "" {
			text = rule.Label()
		}
		parts = append(parts, fenceGrammar(r.kind, dedent(text)))
	default:
		return "No production has this name."
	}
	if r.lost[key] {
		parts = append(parts, "This production cannot be read: see what is reported in it.")
	}
	if rule != nil {
		if from := originOf(n, rule); from != "" {
			parts = append(parts, from)
		}
		parts = append(parts, c.aboutLanguage(rule)...)
		parts = append(parts, r.settings.choicesOf(rule)...)
		parts = append(parts, usesOf(r, rule))
		if picture := c.pictureOf(rule); picture != "" {
			parts = append(parts, picture)
		}
	}
	if s := r.settings; len(s.from) > 0 {
		parts = append(parts, "*"+escapeProse(s.String())+"*")
	}
	return strings.Join(parts, "\n\n")
}

// definitionText returns the text of the productions that define one name: definitions are their indices in the
// outline, at least one. A definition that is repeated in the same words, as many are in an appendix, is shown
// once. rule, unless it is nil, is the production that the reader has made of them. In an RFC, whose text has page
// breaks, the result is the text that the reader kept of rule, if rule stands in this document. All texts are as
// dedent returns them.
func (n *snapshot) definitionText(definitions []int, rule *expr.Rule) string {
	r := n.reading()
	if r.kind == catalog.RFC && rule != nil && rule.Printed != "" && rule.Pos.File == n.name {
		return dedent(strings.TrimLeft(rule.Printed, " "))
	}
	var texts []string
	said := map[string]bool{}
	for _, i := range definitions {
		own := r.outline.Span(r.outline.Rules[i])
		text := n.text[own.Start:own.End]
		if words := strings.Join(strings.Fields(text), " "); !said[words] {
			said[words] = true
			texts = append(texts, dedent(text))
		}
	}
	return strings.Join(texts, "\n")
}

// String returns a sentence with the settings in force, and where they come from. There must be some: s.from is not
// empty. The choices of a lock are left out: see choicesOf.
func (s settings) String() string {
	var list []string
	if s.start != "" {
		list = append(list, "start "+s.start)
	}
	if s.kind != "" {
		list = append(list, "kind "+string(s.kind))
	}
	for _, i := range s.imports {
		list = append(list, "import "+i.text)
	}
	for _, d := range s.defines {
		list = append(list, "define "+d.text)
	}
	if s.peg != "" {
		list = append(list, "PEG "+s.peg)
	}
	return fmt.Sprintf("Settings: %s; from %s.", strings.Join(list, ", "), strings.Join(s.from, " and "))
}

// choicesOf returns a sentence, in Markdown, for each entry of the lock that names the production among those with
// several trees.
func (s settings) choicesOf(rule *expr.Rule) (list []string) {
	for _, c := range s.choices {
		if slices.Contains(c.entry.Productions, rule.ID) {
			list = append(list, fmt.Sprintf("Of two trees the first: %s (%s).", escapeProse(c.entry.ReadAs),
				escapeProse(c.lock)))
		}
	}
	return list
}

// languages has the name of each notation in a fence of Markdown.
var languages = map[catalog.Kind]string{
	catalog.ABNF: "abnf", catalog.RFC: "abnf", catalog.BNF: "abnf", catalog.EBNF: "ebnf", catalog.ISO: "ebnf",
	catalog.Pigeon: "peg", catalog.Peggy: "peggy", catalog.GBNF: "gbnf", catalog.Naur: "bnf", catalog.RBNF: "bnf",
}

// fenceGrammar returns a text as a code block of Markdown, cut off after maxShown bytes.
func fenceGrammar(kind catalog.Kind, text string) string {
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "\n…"
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + languages[kind] + "\n" + strings.TrimRight(text, "\n ") + "\n" + fence
}

// markup escapes the signs of Markdown in prose.
var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "#", `\#`, "|",
	`\|`)

// escapeProse returns a text as prose of Markdown, cut off after maxShown bytes.
func escapeProse(text string) string {
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return markup.Replace(text)
}

// dedent removes from the lines after the first the blanks that they have in common, except as many as stand before
// the first "=", ":" or "<" of the first line, and at least 2. Where a name in angle brackets begins the line, that
// is 2. From a text that begins with a blank it removes none. In any text the lines of the result end with LF.
func dedent(text string) string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	common := -1
	for _, line := range lines[1:] {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if own := len(line) - len(strings.TrimLeft(line, " ")); common < 0 || own < common {
			common = own
		}
	}
	// The lines after the first keep their places relative to each other. They move left until the leftmost stands
	// under the sign, and not at all if it stands further left.
	if common > 0 && !strings.HasPrefix(text, " ") {
		sign := strings.IndexAny(lines[0], "=:<")
		cut := max(0, common-max(sign, 2))
		for i, line := range lines[1:] {
			lines[i+1] = line[min(cut, len(line)-len(strings.TrimLeft(line, " "))):]
		}
	}
	return strings.Join(lines, "\n")
}

// originOf returns a sentence, in Markdown, on where a production comes from that is not in the text, or "" if it is.
func originOf(n *snapshot, r *expr.Rule) string {
	switch {
	case bnf.IsCore(r):
		return "A core rule of ABNF: RFC 5234, appendix B.1."
	case r.Pos.File == n.name || r.Pos.File == "":
		return ""
	}
	file := r.Pos.File[strings.LastIndexByte(r.Pos.File, '/')+1:]
	number, ok := strings.CutPrefix(strings.TrimSuffix(file, ".abnf"), "rfc")
	if ok && strings.Trim(number, "0123456789") == "" {
		return fmt.Sprintf("Taken from [RFC %s](%s).", number, rfcURL(number, ""))
	}
	return "Taken from " + escapeProse(r.Pos.File) + "."
}

// usesOf returns a sentence, in Markdown, on which productions use rule: how many do, and the first eight names. r
// must have a grammar.
func usesOf(r *reading, rule *expr.Rule) string {
	users := r.opened.Grammar.Users()[rule.ID]
	if len(users) == 0 {
		return "No production uses it."
	}
	return fmt.Sprintf("Used by %s: %s.", layout.Plural(len(users), "production"),
		escapeProse(layout.Some(users, 8, ", ")))
}

// pictureOf returns the diagram of a production as an image of Markdown. It returns "" if the editor has not said
// that it shows images, for a PEG, and if the diagram would be too large. The document must have a grammar. It takes
// the server's lock.
func (c *call) pictureOf(rule *expr.Rule) string {
	c.mu.Lock()
	images := c.images
	c.mu.Unlock()
	r := c.snapshot.reading()
	const most = 40 // parts; a larger diagram is not legible in a hover
	if !images || r.opened.Grammar.Ordered || rule.Expr.Size() > most {
		return ""
	}
	e := rule.Expr
	if r.opened.Grammar.CodePoints {
		e = drawing.CodePoints(e)
	}
	nameOf := func(id string) drawing.Name { return drawing.Name{Text: id} }
	svg := drawing.RailroadWith(drawing.Options{Width: 500}, e, rule.Label(), nameOf)
	image := base64.StdEncoding.EncodeToString([]byte(withStyle(svg)))
	return "![the diagram of " + escapeProse(rule.Label()) + "](data:image/svg+xml;base64," + image + ")"
}

// withStyle returns a diagram that can be shown by itself, as an image: with the xmlns that an image needs, and with
// one set of colors, readable on light and on dark, where a page would style it by its classes. A text without a tag
// is returned as it is.
func withStyle(svg string) string {
	const style = "<style>text{font:13px monospace;text-anchor:middle;fill:#808080}rect,path,circle,line{fill:none;stroke:#808080}" +
		".terminal{stroke:#3f88c5}.nonterminal{stroke:#c57b3f}</style>"
	if i := strings.IndexByte(svg, '>'); i >= 0 {
		open := svg[:i]
		if !strings.Contains(open, "xmlns=") {
			open += ` xmlns="http://www.w3.org/2000/svg"`
		}
		return open + ">" + style + svg[i+1:]
	}
	return svg
}

// aboutTerminal returns a sentence, in Markdown, on what a value or a string of ABNF matches. It returns "" for a
// string without letters, unless that has %s, for a text that is neither a string nor a value, and for any other
// notation.
func aboutTerminal(kind catalog.Kind, text string) string {
	switch {
	case kind != catalog.ABNF && kind != catalog.RFC && kind != catalog.BNF:
		return ""
	case strings.HasPrefix(text, `"`), strings.HasPrefix(strings.ToLower(text), `%i"`):
		quoted := text[strings.IndexByte(text, '"'):]
		if strings.ToLower(quoted) == strings.ToUpper(quoted) {
			return ""
		}
		return "Matches in either case (RFC 5234 section 2.3); `%s" + quoted + "` matches only this one."
	case strings.HasPrefix(strings.ToLower(text), `%s"`):
		return "Matches in this case only (RFC 7405)."
	}
	v, ok := valueOf(text)
	if !ok {
		return ""
	}
	return v.String()
}

// A value is a terminal of ABNF that is written by numbers: a range, or a string of characters.
type value struct {
	points []rune // at least one
	ranged bool   // there are two points, the ends of a range, the lower first
}

// valueOf reads a value: %x41-5A, %d13.10, %b1010. ok is false if text is none, has a number beyond Unicode, or is a
// range whose first end is above its last; v is then of no use.
func valueOf(text string) (v value, ok bool) {
	if len(text) < 3 || text[0] != '%' {
		return v, false
	}
	base, known := map[byte]int{'x': 16, 'X': 16, 'd': 10, 'D': 10, 'b': 2, 'B': 2}[text[1]]
	if !known {
		return v, false
	}
	sign := "."
	if strings.Contains(text, "-") {
		sign, v.ranged = "-", true
	}
	for part := range strings.SplitSeq(text[2:], sign) {
		n, err := strconv.ParseUint(part, base, 32)
		if err != nil || n > utf8.MaxRune {
			return v, false
		}
		v.points = append(v.points, rune(n))
	}
	return v, !v.ranged || len(v.points) == 2 && v.points[0] <= v.points[1]
}

// maxPoints caps the characters of a value that are told one by one.
const maxPoints = 20

// String returns sentences, in Markdown, on what a value matches. Of a range they have the number of characters and
// the two ends. Of a string they have the first maxPoints characters and how many more there are, and then, unless
// there is only one, all of them as a string.
func (v value) String() string {
	point := func(c rune) string {
		text := fmt.Sprintf("U+%04X", c)
		if name := controls[c]; name != "" {
			return text + " " + name
		}
		if c > ' ' && c != 0x7F && strconv.IsPrint(c) {
			return text + " " + "`" + string(c) + "`"
		}
		return text
	}
	if v.ranged {
		return fmt.Sprintf("Matches one of %d: %s to %s.", v.points[1]-v.points[0]+1, point(v.points[0]),
			point(v.points[1]))
	}
	var list []string
	for _, c := range v.points[:min(len(v.points), maxPoints)] {
		list = append(list, point(c))
	}
	if more := len(v.points) - maxPoints; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	text := "Matches " + strings.Join(list, ", then ") + "."
	if len(v.points) > 1 {
		text += " In all: " + quote.Quote(string(v.points)) + "."
	}
	return text
}

// shortText returns the characters that a value matches, in a few signs: of a range its ends with "–" between them,
// and of a string the first maxPoints, with "…" after them if there are more. It returns "" if one of these can be
// neither shown nor named.
func (v value) shortText() string {
	point := func(c rune) string {
		switch {
		case controls[c] != "":
			return controls[c]
		case strconv.IsPrint(c):
			return string(c)
		}
		return ""
	}
	var b strings.Builder
	for i, c := range v.points[:min(len(v.points), maxPoints)] {
		text := point(c)
		if text == "" {
			return ""
		}
		switch {
		case i > 0 && v.ranged:
			b.WriteString("–")
		case i > 0 && (len(text) > 1 && c < utf8.RuneSelf || controls[v.points[i-1]] != ""):
			b.WriteByte(' ') // a blank around a name such as LF
		}
		b.WriteString(text)
	}
	if len(v.points) > maxPoints {
		b.WriteString("…")
	}
	return b.String()
}

// controls has the names of characters that are not visible.
var controls = map[rune]string{0: "NUL", '\t': "TAB", '\n': "LF", '\r': "CR", 0x1B: "ESC", ' ': "SP", 0x7F: "DEL"}
