package page

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/report/drawing"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck"
	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
	"github.com/bnfcheck/bnfcheck/internal/urls/explain"
)

//go:embed page.gohtml
var pageTemplate string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// live is the part of the page that checks URLs: a style, a script, and the contents of the section
// "checker". A page without it has no such section, and its witnesses cannot be clicked.
type live struct {
	Style  template.CSS
	Script template.JS
	Markup template.HTML
}

// project is where the program comes from.
const project = "https://github.com/bnfcheck/bnfcheck"

// picture is the image in previews of links to the page on the published grammars. Programs that make
// previews fetch it from an address: they ignore images inside the page, and do not run its script. A browser
// does not load it.
const picture = project + "/raw/HEAD/docs/social.png"

// HasChecker reports whether the page of HTML about c has the live checker, and so needs an engine.
func (c *Content) HasChecker() bool { return len(c.Grammars) > 0 || c.Conform != nil }

// WriteHTML writes the report as one page of HTML. Its live checker asks the engine e, which may be nil if c has no
// checker (see [Content.HasChecker]). It fails if w does or, before it writes anything, if the template cannot be
// executed.
//
// Most of the page is folded away under productions and causes. That part is compressed, and the page's
// script unpacks it once the rest is there.
func WriteHTML(w io.Writer, c *Content, e *webengine.Engine) error {
	page, err := executeTemplate(c, e)
	if err != nil {
		return err
	}
	page = compressFolds(page)
	_, err = w.Write(bytes.Replace(page, []byte(policyMark), []byte(webengine.Policy(page)), 1))
	return err
}

// executeTemplate returns the page, with as few escapes as possible, before anything is packed and the policy is put
// in. e may be nil if c needs no checker. It fails if the template cannot be parsed or executed.
func executeTemplate(c *Content, e *webengine.Engine) ([]byte, error) {
	v := &view{Content: c}
	if c.HasChecker() { // v.Live decides on more than the section: see clickable
		v.Live = live{template.CSS(webcheck.Style()), template.JS(webcheck.Script()), template.HTML(webcheck.Markup(e))}
	}
	t, err := template.New("page").Funcs(template.FuncMap{
		"anchor":      anchor,
		"families":    families,
		"groupAnchor": groupAnchor,
		"hidden":      func(h prove.Hidden) template.HTML { return hiddenLine(h).html() },
		"history":     func() (template.HTML, error) { return historyHTML(c.History) },
		"join":        func(parts []string, with string) string { return strings.Join(parts, with) },
		"map":         v.regionMap,
		"title":       c.title,
		"parts":       describeGroup,
		"lineList":    lineList,
		"list":        func(parts ...diff.Part) []diff.Part { return parts },
		"maxLength":   func() int { return diff.DefaultMaxLength }, // of the strings that Collect has counted
		"meaning":     explain.Meaning,
		"number":      roundedCount,
		"parting":     v.parting,
		"picture":     func() string { return picture },
		"place":       v.place,
		"plural":      layout.Plural,
		"printed":     v.printed,
		"project":     func() string { return project },
		"railroad":    railroad,
		"regions":     regionsOf,
		"side":        sideName,
		"digits":      layout.Digits,
		"share":       func(d *diff.Difference, n *big.Int) string { return layout.Share(n, countInEither(d)) },
		"percent":     layout.Share,
		"shareOf":     shareOf,
		"bar":         drawShares,
		"chart":       drawLengths,
		"try":         v.try,
		"within":      shareWithin,
		"word":        showWord,
		"byteClass":   byteClass,
		"of":          wordBeside,
		"counts":      countRows,
		"pack":        func() template.HTML { return packBegins },
		"packed":      func() template.HTML { return packEnds },
		"expressions": func() string { return expressionPage },
		"spans":       v.showSpans,
	}).Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		return nil, err
	}
	return unescapeText(b.Bytes()), nil
}

// What is packed stands between these.
const (
	packBegins = `<div class="packed">`
	packEnds   = `</div><!--packed-->`
	packMark   = "THE-PACKED-PARTS"
)

// compressFolds takes the parts to be packed out of a page and puts them in again as one text: compressed, in base64,
// with a NUL between two parts. The text replaces the first packMark, and is dropped without one; where each part
// was, an empty element stays. Such parts must not stand in each other. One that does not end goes on to the end of
// the page.
func compressFolds(page []byte) []byte {
	var out bytes.Buffer
	var parts [][]byte
	for {
		before, rest, found := bytes.Cut(page, []byte(packBegins))
		out.Write(before)
		if !found {
			break
		}
		part, after, _ := bytes.Cut(rest, []byte(packEnds))
		out.WriteString(packBegins + "</div>")
		parts = append(parts, part)
		page = after
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is one that there is
	z.Write(bytes.Join(parts, []byte{0}))                      // a bytes.Buffer has no error
	z.Close()
	return bytes.Replace(out.Bytes(), []byte(packMark), []byte(base64.StdEncoding.EncodeToString(packed.Bytes())), 1)
}

// policyMark stands in the template for the policy of the page.
const policyMark = "POLICY-OF-THE-PAGE"

// unescapeText writes, outside of tags, scripts and styles, characters as themselves that need no reference there.
// What a browser makes of the page stays the same, and a tenth of its bytes goes. The page is one that the template
// made: in its attributes there is no "<" or ">" outside of quotation marks, and in its scripts and styles nothing
// looks like their end.
func unescapeText(page []byte) []byte {
	plain := strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&#43;", "+", "&gt;", ">")
	var out strings.Builder
	rest := string(page)
	for rest != "" {
		text, tag := rest, ""
		if i := strings.IndexByte(rest, '<'); i >= 0 {
			n := tagLength(rest[i:])
			text, tag = rest[:i], rest[i:i+n]
		}
		plain.WriteString(&out, text)
		out.WriteString(tag)
		rest = rest[len(text)+len(tag):]
		for _, element := range []string{"script", "style"} {
			if strings.HasPrefix(tag, "<"+element) {
				end := max(strings.Index(rest, "</"+element), 0) // one that does not end counts as text
				out.WriteString(rest[:end])
				rest = rest[end:]
			}
		}
	}
	return []byte(out.String())
}

// tagLength returns the length of the tag that s begins with, up to its ">". In double quotes a ">" belongs to an
// attribute. It is the length of s if the tag does not end.
func tagLength(s string) int {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '>' && !quoted:
			return i + 1
		}
	}
	return len(s)
}

// A view is a report being written.
type view struct {
	*Content
	Live live
}

// Style is the page's own style.
func (v *view) Style() template.CSS { return template.CSS(pageStyle) }

// Script is the page's own script.
func (v *view) Script() template.JS { return template.JS(pageScript) }

// Description says in a sentence what the page is, for search engines and previews of links.
func (v *view) Description() string {
	if len(v.Grammars) > 0 {
		return "RFC 1630, RFC 1738 and RFC 3986 each define URLs by a grammar. What each of them accepts, where " +
			"they disagree, and a checker: exact, complete and proven."
	}
	return v.Lead
}

// place returns where lines of a text are, as describePlace says it: as a link to the production of the text with this
// title whose printed lines have the first of them, in whatever section. There is no link if the report has no such
// production, or if lines does not begin with a number.
func (v *view) place(title, section, lines string) template.HTML {
	text := template.HTMLEscapeString(describePlace(title, section, lines))
	var line int
	if _, err := fmt.Sscanf(lines, "%d", &line); err != nil {
		return template.HTML(text)
	}
	for _, g := range v.Grammars {
		if g.Title != title {
			continue
		}
		for _, p := range g.Productions {
			if p.Line <= line && line <= p.Line+strings.Count(strings.TrimRight(p.Printed, "\n"), "\n") {
				return linkTo(anchor(g.Name, p.ID), text)
			}
		}
	}
	return template.HTML(text)
}

// linkTo returns a link to an anchor of the page. text is HTML.
func linkTo(to, text string) template.HTML {
	return template.HTML(`<a href="#` + template.HTMLEscapeString(to) + `">` + text + `</a>`)
}

// A printedLine is one of the lines of printed productions that a group rests on, with its place in the text, and a
// link to that in the page.
type printedLine struct {
	Place template.HTML
	Text  string
}

// printed returns the printed lines that a group rests on, all that either side has: first those of A, then those of
// B. The place of each is a link to its production if the page has that.
func (v *view) printed(d *diff.Difference, g *diff.Group) (list []printedLine) {
	for i, lines := range g.Lines() {
		for _, l := range lines {
			at := template.HTML(template.HTMLEscapeString(l.Place))
			if to := v.anchorOfProduction([]diff.Party{d.A, d.B}[i], l.Production); to != "" {
				at = linkTo(to, string(at))
			}
			list = append(list, printedLine{at, l.Printed})
		}
	}
	return list
}

// anchorOfProduction returns the anchor of the first production of a party with this name, in a published grammar
// or in a document with the party's title; "" if the page has none.
func (v *view) anchorOfProduction(party diff.Party, name string) string {
	for _, g := range v.Grammars {
		if g.Name != party.Grammar {
			continue
		}
		for _, p := range g.Productions {
			if p.Name == name {
				return anchor(g.Name, p.ID)
			}
		}
	}
	for _, f := range v.Documents {
		if f.Title != party.Title {
			continue
		}
		for _, p := range f.Productions {
			if p.Name == name {
				return p.Anchor
			}
		}
	}
	return ""
}

// regionMap draws the regions of a comparison, a row for each topic. Of several topics it leaves out "url",
// "generic", and those that one of the sides has no production for, only strings with a prefix.
func (v *view) regionMap(x *Comparison) template.HTML {
	list := slices.DeleteFunc(slices.Clone(x.Differences), func(d *diff.Difference) bool {
		return len(x.Differences) > 1 && (d.A.Prefix != "" || d.B.Prefix != "" || d.Topic == "url" ||
			d.Topic == "generic")
	})
	return template.HTML(drawing.Regions(list, func(d *diff.Difference) string { return "#" + anchor(x.ID, d.Topic) }))
}

// historyHTML draws the history of the syntax as an element of class "history". Its error
// is always nil.
func historyHTML(list []diff.Step) (template.HTML, error) {
	var b strings.Builder
	err := drawing.WriteHistory(&b, list)
	return template.HTML(strings.Replace(b.String(), `<svg xmlns="http://www.w3.org/2000/svg" `,
		`<svg class="history" `, 1)), err
}

// clickable reports whether the page has a checker to try s in, s looks on a button as it is typed, and some
// published grammar takes it for a URL.
func (v *view) clickable(s string) bool { return v.Live.Markup != "" && typeable(s) && isDerived(s) }

// try shows a string: as a button if it is clickable, and otherwise as showWord does. See rawString for w.
func (v *view) try(w any) template.HTML {
	s := rawString(w)
	if !v.clickable(s) {
		return showWord(w)
	}
	return template.HTML(fmt.Sprintf(`<button class="try">%s</button>`, bytesHTML(s)))
}

// typeable reports whether s is printable ASCII without spaces, and not empty: it is shown unchanged, so that the
// text of a button is also the string to try.
func typeable(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }) < 0
}

// rawString returns the bytes of a string that the template passes: of a [quote.Word], of a pointer to one,
// or of the text that %s prints for anything else.
func rawString(w any) string {
	switch w := w.(type) {
	case quote.Word:
		return string(w)
	case *quote.Word:
		return string(*w)
	}
	return fmt.Sprintf("%s", w)
}

// pointed is a string that is shown in code points.
type pointed string

// wordBeside returns w in the form that fits next to d: [pointed] if d is about code points, and w itself if
// not.
func wordBeside(d *diff.Difference, w any) any {
	if d.CodePoints() {
		return pointed(rawString(w))
	}
	return w
}

// showWord shows a string of a language so that all of it can be seen: see bytesHTML. The empty string is shown by
// words. See rawString for w.
func showWord(w any) template.HTML {
	if rawString(w) == "" {
		return `<i class="nothing">the empty string</i>`
	}
	return `<code>` + bytesHTML(w) + `</code>`
}

// bytesHTML shows a string: printable ASCII as it is, a space so that it can be seen, and other bytes by their
// number. If w is pointed, characters beyond ASCII are shown as code points, and only bytes that are no UTF-8 by
// number. See rawString for w.
func bytesHTML(w any) template.HTML {
	var b strings.Builder
	s := rawString(w)
	_, points := w.(pointed)
	for i := 0; i < len(s); i++ {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch c := s[i]; {
		case points && size > 1:
			fmt.Fprintf(&b, `<span class="byte">U+%04X</span>`, r)
			i += size - 1
		case c == ' ':
			b.WriteString(`<span class="byte">\x20</span>`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `<span class="byte">\x%02X</span>`, c)
		default:
			b.WriteString(template.HTMLEscapeString(s[i : i+1]))
		}
	}
	return template.HTML(b.String())
}

// parting shows the witness of a cause of d, and marks the byte or code point at which the two sides differ, or the
// end. It is a button if the witness can be tried on the page.
func (v *view) parting(d *diff.Difference, c *diff.Cause) template.HTML {
	w, p := string(c.Witness), d.Parting(c)
	rest := w[p.Offset:]
	mark := `<mark class="end" title="at the end"></mark>`
	if n := max(len(p.Point), 1); rest != "" {
		mark = "<mark>" + string(bytesHTML(wordBeside(d, rest[:n]))) + "</mark>"
		rest = rest[n:]
	}
	shown := string(bytesHTML(wordBeside(d, w[:p.Offset]))) + mark + string(bytesHTML(wordBeside(d, rest)))
	if !v.clickable(w) {
		return template.HTML(`<code>` + shown + `</code>`)
	}
	return template.HTML(`<button class="try">` + shown + `</button>`)
}

// html returns a line with its code in code elements, and everything escaped.
func (l line) html() (shown template.HTML) {
	for _, s := range l {
		text := template.HTML(template.HTMLEscapeString(s.text))
		if s.code {
			text = "<code>" + text + "</code>"
		}
		shown += text
	}
	return shown
}

// byteClass shows the bytes of a cause of d or, if it is about no byte, "at the" and the place, which is the end.
func byteClass(d *diff.Difference, c *diff.Cause) template.HTML {
	at := template.HTMLEscapeString(d.Parting(c).At)
	if c.Bytes == "" {
		return template.HTML("at the " + at)
	}
	return template.HTML("<code>" + at + "</code>")
}

// roundedCount shows how many strings there are, rounded where that is long. The exact numbers stand in the tables by
// length.
func roundedCount(n *big.Int) template.HTML {
	return template.HTML(`<span class="number">` + layout.Magnitude(n) + `</span>`)
}

// A region is one of the three parts of a difference.
type region struct {
	Class, Name string
	Part        diff.Part
}

// regionsOf returns the three regions of a difference, as the template shows them.
func regionsOf(d *diff.Difference) []region {
	return []region{
		{"only-a", "only " + sideName(d.A, d.B), d.OnlyA},
		{"both", "both", d.Both},
		{"only-b", "only " + sideName(d.B, d.A), d.OnlyB},
	}
}

// A countRow has the numbers of the strings of a length.
type countRow struct {
	Length     int
	A, Both, B *big.Int
}

// countRows returns a row for each counted length that strings of either side have, in ascending order.
func countRows(d *diff.Difference) (rows []countRow) {
	for n := range d.Both.Counts {
		a, both, b := d.OnlyA.Counts[n], d.Both.Counts[n], d.OnlyB.Counts[n]
		if a.Sign()+both.Sign()+b.Sign() > 0 {
			rows = append(rows, countRow{n, a, both, b})
		}
	}
	return rows
}
