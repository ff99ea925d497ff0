package semantic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck/inspect"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/sampletest"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
	"github.com/bnfcheck/bnfcheck/semantic/partial"
)

// A dialect is a grammar with the options of its parser.
type dialect struct {
	g    *bnfcheck.Grammar
	fold bool
}

func (d dialect) String() string {
	if d.fold {
		return d.g.Name + " with -fold-scheme"
	}
	return d.g.Name
}

func (d dialect) parser() *bnfcheck.Parser {
	p := d.g.Parser()
	p.FoldScheme = d.fold
	return p
}

// read returns the typed URL of s, nil where s is rejected.
func (d dialect) read(s string) (*semantic.URL, error) {
	tree, err := d.parser().Parse(s)
	if err != nil {
		return nil, nil
	}
	u, err := new(semantic.Reader).OfWritten(tree, s)
	if err != nil {
		return nil, fmt.Errorf("Of: %w", err)
	}
	return u, nil
}

// A word is a string, its typed URL, which is nil if the string is rejected, and the typed URL of its canonical form.
type word struct {
	dialect
	s    string
	u, c *semantic.URL
}

// newWord reads s and its canonical form, which the grammar derives without options.
func newWord(d dialect, s string) (*word, error) {
	u, err := d.read(s)
	if u == nil {
		return &word{dialect: d, s: s}, err
	}
	canonical := u.Canonical()
	c, err := dialect{g: d.g}.read(canonical)
	if err == nil && c == nil {
		err = errors.New("it is rejected")
	}
	if err != nil {
		return nil, fmt.Errorf("canonical %q: %w", canonical, err)
	}
	return &word{dialect: d, s: s, u: u, c: c}, nil
}

type law = sample.Law[*word]

func (w *word) accepted() bool { return w.u != nil }

// laws hold of every string; those of accepted words alone are not tried on others. That a typed URL can be made of an
// accepted word, and that its canonical form is derived, is the law of [newWord].
var laws = []law{
	{Name: "Of: the parts lie in the URL, in their order", Of: (*word).accepted, Holds: lawParts},
	{Name: "Canonical: of the same production, with the same typed parts", Of: (*word).accepted, Holds: lawCanonical},
	{Name: "Canonical: idempotent", Of: (*word).accepted, Holds: lawIdempotent},
	{Name: "Canonical: no edit is given up", Of: (*word).accepted, Holds: lawStable},
	{Name: "Equal: an equivalence, the same as equal canonical forms", Of: (*word).accepted, Holds: lawEqual},
	{Name: "Canonical: the same by every start", Of: (*word).accepted, Holds: lawStart},
	{Name: "Access: no refusal but at the end, no line end inside a line, the same octets for the canonical form", Of: (*word).accepted,
		Holds: lawAccess},
	{Name: "Findings: inside the URL, in order, of rules of the text", Of: (*word).accepted, Holds: lawFindings},
	{Name: "Findings: no two ask for opposite things, and to follow one draws neither an error nor its opposite", Of: (*word).accepted, Holds: lawAgree},
	{Name: "Resolve: a URI or one of the errors; Relative: resolves to its target", Holds: lawResolve},
	{Name: "MarshalJSON: valid", Of: (*word).accepted, Every: 16, Holds: lawJSON},
	{Name: "Fix: a rejected string is repaired to an accepted one", Every: 64, Holds: lawFix},
	{Name: "the live checker: never panics", Every: 64, Holds: lawChecker},
}

func lawParts(w *word, rng *rand.Rand) error {
	at := 0
	for _, f := range w.u.Fields() {
		p := f.Part
		if !p.Present() {
			continue
		}
		if p.Start() < 0 || p.Start() > p.End() || p.End() > len(w.s) || w.s[p.Start():p.End()] != p.Raw {
			return fmt.Errorf("%s is %q at %d..%d", f.Name, p.Raw, p.Start(), p.End())
		}
		if p.Start() < at && f.Name != "search word" && f.Name != "segment" && !strings.HasPrefix(f.Name, "field ") {
			return fmt.Errorf("%s at %d stands before what is listed before it", f.Name, p.Start())
		}
		at = p.Start()
	}
	if !w.u.Scheme.Present() || w.s[w.u.Scheme.End()] != ':' {
		return fmt.Errorf("the scheme is %q", w.u.Scheme.Raw)
	}
	return nil
}

// typedParts returns the typed parts of u, each decoded, without the differences of spelling that
// [semantic.URL.Canonical] documents. It is made of the exported fields alone.
func typedParts(u *semantic.URL) string {
	var b strings.Builder
	part := func(name string, p semantic.Part, spelling func(string) string) {
		if !p.Present() {
			return
		}
		text := p.Decoded()
		if spelling != nil {
			text = spelling(text)
		}
		fmt.Fprintf(&b, "%s %q\n", name, text)
	}
	number := func(s string) string {
		s = strings.TrimLeft(s, "0")
		if s == "" {
			return "0"
		}
		return s
	}
	fmt.Fprintln(&b, u.Production, u.Match, strings.ToLower(u.SchemeName()))
	generic := u.Match == semantic.MatchGeneric
	part("user", u.User, nil)
	part("password", u.Password, nil)
	_, isFile := u.Specific.(*semantic.File)
	host := u.Host.Part.Decoded()
	switch addr, ok := u.Host.Addr(); {
	case ok:
		fmt.Fprintln(&b, "address", addr)
	case isFile && (host == "" || strings.EqualFold(host, "localhost")):
	default:
		part("host", u.Host.Part, strings.ToLower)
	}
	if n, ok := u.PortNumber(); u.Port.Present() && (generic || !ok || n != semantic.DefaultPort(u)) {
		part("port", u.Port, number)
	}
	pieces := func(name string, list func(func(semantic.Part) bool)) {
		for p := range list {
			part(name, p, nil)
		}
	}
	switch x := u.Specific.(type) {
	case *semantic.HTTP:
		pieces("segment", x.Path.Split('/'))
		if !x.Path.Present() && u.Family == semantic.Family1738 {
			fmt.Fprintln(&b, `segment ""`)
		}
		if u.Family == semantic.Family1630 {
			pieces("word", x.Words())
		} else {
			part("search", x.Search, nil)
		}
	case *semantic.FTP:
		pieces("directory", x.Directories())
		if name := x.Name(); name.Raw != "" || x.Type.Present() || strings.Contains(x.Path.Raw, "/") {
			part("name", name, nil)
		}
		part("type", x.Type, strings.ToLower)
	case *semantic.Gopher:
		fmt.Fprintf(&b, "type %q\n", x.ItemType())
		if x.Selector.Raw != "" {
			part("selector", x.Selector, nil)
		}
		part("search", x.Search, nil)
		part("plus", x.PlusString, nil)
	case *semantic.Mailto:
		local, domain, ok := x.Split()
		fmt.Fprintf(&b, "address %q %q %v\n", local, strings.ToLower(domain), ok)
	case *semantic.News:
		fmt.Fprintln(&b, x.All)
		part("group", x.Group, nil)
		part("article", x.Article, nil)
	case *semantic.NNTP:
		part("group", x.Group, nil)
		part("article", x.Article, number)
	case *semantic.Telnet:
		fmt.Fprintln(&b, x.Service)
	case *semantic.WAIS:
		part("database", x.Database, nil)
		if u.Family == semantic.Family1630 {
			pieces("word", x.Search.Split('+'))
			for number, content := range x.IdentifierFields() {
				part("field "+number.Raw, content, nil)
			}
		} else {
			part("search", x.Search, nil)
		}
		part("type", x.Type, nil)
		part("path", x.Path, nil)
	case *semantic.File:
		pieces("segment", x.Path.Split('/'))
	case *semantic.Prospero:
		part("name", x.Name, nil)
		for name, value := range x.FieldSpecs() {
			part("field", name, nil)
			part("value", value, nil)
		}
		part("version", x.Version, nil)
		part("attributes", x.Attributes, nil)
	case *semantic.MessageID:
		part("message-id", x.Address, nil)
	case *semantic.AFS:
		pieces("segment", x.Path.Split('/'))
	case *semantic.URN:
		pieces("segment", x.Name.Split('/'))
	case *semantic.Other:
		pieces("segment", x.Path.Split('/'))
		if u.Family == semantic.Family1630 {
			pieces("word", x.Search.Split('+'))
		} else {
			part("search", x.Search, nil)
		}
	default:
		fmt.Fprintf(&b, "%T\n", x)
	}
	if u.Fragment.Raw != "" {
		part("fragment", u.Fragment, nil)
	}
	return b.String()
}

func lawCanonical(w *word, rng *rand.Rand) error {
	if before, after := typedParts(w.u), typedParts(w.c); before != after {
		return fmt.Errorf("canonical %q: %s", w.c.Source, difference(before, after))
	}
	return nil
}

// difference returns the first line in which two texts differ.
func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + " became " + y[i]
		}
	}
	return "nothing"
}

func lawIdempotent(w *word, rng *rand.Rand) error {
	if again := w.c.Canonical(); again != w.c.Source {
		return fmt.Errorf("canonical %q, then %q", w.c.Source, again)
	}
	return nil
}

func lawStable(w *word, rng *rand.Rand) error {
	if !semantic.Stable(w.u) {
		return fmt.Errorf("some edits would make another URL of it: canonical %q", w.u.Canonical())
	}
	return nil
}

// lawStart checks trees whose root is another production than the grammar's default.
func lawStart(w *word, rng *rand.Rand) error {
	starts := w.starts()
	start := starts[rng.IntN(len(starts))]
	canonical := ""
	for s := range 2 {
		text := []string{w.s, canonical}[s]
		p := w.parser()
		p.Start = start
		tree, err := p.Parse(text)
		switch prefixed, _ := w.g.Kind("prefixedurl"); {
		case err != nil && (s == 0 || start == prefixed):
			return nil // it does not derive the word, or not without its prefix
		case err != nil:
			return fmt.Errorf("canonical %q is not derived by %s", canonical, w.g.Production(start).ID)
		}
		u, err := new(semantic.Reader).OfWritten(tree, text)
		if err != nil {
			return fmt.Errorf("by %s: %w", w.g.Production(start).ID, err)
		}
		again := u.Canonical()
		if s == 1 && again != canonical || again != w.c.Source {
			return fmt.Errorf("by %s: canonical %q, then %q; by default %q", w.g.Production(start).ID, canonical, again, w.c.Source)
		}
		canonical = again
	}
	return nil
}

// starts returns the productions that derive URLs: the default, those of the schemes, and those of any scheme.
func (d dialect) starts() []ast.Kind {
	starts := []ast.Kind{d.g.Default}
	for _, s := range d.g.Schemes {
		starts = append(starts, s.Kind)
	}
	for _, id := range []string{"url", "otherurl", "genericurl", "uri", "prefixedurl"} {
		if k, ok := d.g.Kind(id); ok && k != d.g.Default {
			starts = append(starts, k)
		}
	}
	return starts
}

func lawEqual(w *word, rng *rand.Rand) error {
	if !w.u.Equal(w.u) || !w.u.Equal(w.c) || !w.c.Equal(w.u) {
		return fmt.Errorf("not equal to its canonical form %q", w.c.Source)
	}
	// Digits of escapes are the same in either case.
	flipped := flipHex(w.s)
	f, err := w.read(flipped)
	if err != nil {
		return err
	}
	if f == nil || !w.u.Equal(f) {
		return fmt.Errorf("not equal to %q", flipped)
	}
	// Another spelling, of this URL or of a near one.
	t := toggled(w.s, rng)
	v, err := w.read(t)
	if err != nil {
		return err
	}
	if v == nil {
		return nil
	}
	equal := w.u.Equal(v)
	if equal != v.Equal(w.u) || equal != w.c.Equal(v) || equal != (w.u.Canonical() == v.Canonical()) {
		return fmt.Errorf("no equivalence with %q and %q", w.c.Source, t)
	}
	if equal && typedParts(w.u) != typedParts(v) {
		return fmt.Errorf("equal to %q: %s", t, difference(typedParts(w.u), typedParts(v)))
	}
	return nil
}

func lawAccess(w *word, rng *rand.Rand) error {
	steps := w.u.Access()
	if len(steps) == 0 {
		return errors.New("no steps")
	}
	for i, step := range steps {
		if step.Verb == semantic.Refuse && i < len(steps)-1 {
			return fmt.Errorf("%q is not the last step", step)
		}
		if step.Section == "" || step.Text == "" && step.Verb != semantic.Send {
			return fmt.Errorf("%q is not complete", step)
		}
		if _, gopher := w.u.Specific.(*semantic.Gopher); step.Verb == semantic.Send && !gopher {
			if line, ok := strings.CutSuffix(step.Octets, "\r\n"); !ok || strings.ContainsAny(line, "\r\n\x00") {
				return fmt.Errorf("%q is more than a line", step.Octets)
			}
		}
	}
	same := w.c.Access()
	if len(same) != len(steps) {
		return fmt.Errorf("%d steps, %d of the canonical form %q", len(steps), len(same), w.c.Source)
	}
	_, transparent := w.u.Specific.(*semantic.HTTP)
	for i, step := range steps {
		a, b := step.Octets, same[i].Octets
		if transparent { // an escape goes out as it stands
			a, b = unescape(a), unescape(b)
		}
		if step.Verb != same[i].Verb || a != b {
			return fmt.Errorf("%q, and for the canonical form %q %q", step, w.c.Source, same[i])
		}
	}
	return nil
}

func lawFindings(w *word, rng *rand.Rand) error {
	at := 0
	for _, f := range w.u.Findings() {
		rule, ok := semantic.RuleByID(f.Rule)
		if !ok || rule.Text != strings.TrimPrefix(w.g.Name, "rfc") || f.Start < at || f.Start > f.End || f.End > len(w.s) || f.Message == "" {
			return fmt.Errorf("finding %+v", f)
		}
		at = f.Start
	}
	return nil
}

func lawResolve(w *word, rng *rand.Rand) error {
	if w.fold {
		return nil
	}
	g := w.g
	base := "magic://a/b/c//d/e/f"
	if rng.IntN(2) == 0 {
		base = nearMiss(w.s, rng)
	}
	for _, form := range []string{"", partialOf(w.s, rng), nearMiss(w.s, rng), w.s} {
		r, err := partial.Resolve(g, base, form)
		if err != nil {
			if !errors.Is(err, partial.ErrNoPartialForms) && !errors.Is(err, partial.ErrBase) && !errors.Is(err, partial.ErrNoSuchSlashes) && !errors.Is(err, partial.ErrResult) {
				return fmt.Errorf("%q in %q: %w", form, base, err)
			}
			continue
		}
		if !w.g.Accepts(r.URI) {
			return fmt.Errorf("%q in %q is %q, which is rejected", form, base, r.URI)
		}
		for _, from := range []string{base, w.s} {
			if !w.g.Accepts(from) {
				continue
			}
			short, err := partial.Relative(g, from, r.URI)
			if err != nil {
				return fmt.Errorf("%q relative to %q: %w", r.URI, from, err)
			}
			if back, err := partial.Resolve(g, from, short); err != nil || back.URI != r.URI || len(short) > len(r.URI) {
				return fmt.Errorf("%q relative to %q is %q, which is %q, %v", r.URI, from, short, back.URI, err)
			}
		}
	}
	return nil
}

func lawJSON(w *word, rng *rand.Rand) error {
	if b, err := json.Marshal(w.u); err != nil || !json.Valid(b) {
		return fmt.Errorf("JSON %q, %w", b, err)
	}
	if w.u.Table() == "" || w.u.String() != w.u.Source {
		return errors.New("no text")
	}
	return nil
}

func lawFix(w *word, rng *rand.Rand) error {
	if w.fold {
		return nil
	}
	s := nearMiss(w.s, rng)
	r, err := fix.Nearest(w.g, s)
	if err == nil && !w.g.Accepts(r.URL) {
		return fmt.Errorf("%q is repaired to %q, which is rejected", s, r.URL)
	}
	return nil
}

func lawChecker(w *word, rng *rand.Rand) error {
	for _, text := range []string{w.s, nearMiss(w.s, rng), "<URL:" + w.s + ">", w.s + "\n" + nearMiss(w.s, rng)} {
		if r := inspect.Check(text, 0); len(r.URLs) > 0 && len(r.Views) == 0 {
			return fmt.Errorf("no view of %q", text)
		}
	}
	return nil
}

// What a component encodes it decodes again; and in a URL it is one part, or a piece of one, that decodes to it, of
// its scheme's own production.
func TestEncodeLaws(t *testing.T) {
	for _, g := range typedTexts() {
		rng := rand.New(rand.NewPCG(sampletest.Seed(), 0))
		family := typedBy(t, g, "http://h.dom/").Family.String()
		tried, refused := 0, 0
		for _, c := range semantic.Components(g) {
			before, _, _, after := placeOf(family, c)
			for range sampletest.Words(1000) / 20 {
				octets := make([]byte, 1+rng.IntN(6))
				for i := range octets {
					octets[i] = anOctet(rng)
				}
				tried++
				if text, err := c.Encode(string(octets)); err != nil {
					refused++
				} else if err := encoded(g, c, before, text, after, string(octets)); err != nil {
					t.Errorf("%s: %q in the %s of %q URLs is %q: %v (-seed %d)", g.Name, octets, c.Name, c.Scheme, text, err, sampletest.Seed())
					break
				}
			}
		}
		t.Logf("%s: %d octet strings, %d of them refused", g.Name, tried, refused)
	}
}

func encoded(g *bnfcheck.Grammar, c semantic.Component, before, text, after, octets string) error {
	if back := c.Decode(text); back != octets {
		return fmt.Errorf("decoded %q", back)
	}
	u, err := dialect{g: g}.read(before + text + after)
	if err != nil || u == nil {
		return fmt.Errorf("%q is rejected, %w", before+text+after, err)
	}
	if u.Match == semantic.MatchGeneric {
		return fmt.Errorf("%q is %s", u.Source, u.Match)
	}
	at, end := len(before), len(before)+len(text)
	for _, f := range u.Fields() {
		if p := f.Part; p.Present() && p.Start() <= at && p.End() >= end && f.Name != "search word" {
			head, tail := u.Source[p.Start():at], u.Source[end:p.End()]
			if got, want := c.Decode(p.Raw), c.Decode(head)+octets+c.Decode(tail); got != want {
				return fmt.Errorf("in %q it is a piece of %q, not %q", u.Source, got, want)
			}
			return nil
		}
	}
	return fmt.Errorf("in %q it is no part", u.Source)
}

// Octets that mean something somewhere, and a few that do not.
const telling = "aAzZ019.-_+@:/?#;=&%!*$\"'(),~^{}[]|\\`<> \t\r\n\x00\x7f\x80\xff"

func anOctet(rng *rand.Rand) byte { return telling[rng.IntN(len(telling))] }

func escapeOf(octet byte, rng *rand.Rand) string {
	if rng.IntN(2) == 0 {
		return fmt.Sprintf("%%%02x", octet)
	}
	return fmt.Sprintf("%%%02X", octet)
}

func isEscape(s string, i int) bool {
	return i+2 < len(s) && s[i] == '%' && strings.IndexByte("0123456789abcdefABCDEF", s[i+1]) >= 0 && strings.IndexByte("0123456789abcdefABCDEF", s[i+2]) >= 0
}

func unescape(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		if isEscape(s, i) {
			var x byte
			fmt.Sscanf(s[i+1:i+3], "%02x", &x)
			b = append(b, x)
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

func flipHex(s string) string {
	b := []byte(s)
	for i := 0; i < len(b); i++ {
		if isEscape(s, i) {
			for _, j := range []int{i + 1, i + 2} {
				if b[j] >= 'A' {
					b[j] ^= 0x20
				}
			}
			i += 2
		}
	}
	return string(b)
}

// toggled writes some characters of s as escapes and some escapes as characters.
func toggled(s string, rng *rand.Rand) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		change := rng.IntN(5) == 0
		switch {
		case isEscape(s, i):
			if change {
				b = append(b, unescape(s[i:i+3])...)
			} else {
				b = append(b, s[i:i+3]...)
			}
			i += 2
		case change:
			b = append(b, escapeOf(s[i], rng)...)
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// nearMiss makes one edit, with an octet that means something.
func nearMiss(s string, rng *rand.Rand) string { return sample.Near(s, anOctet(rng), rng) }

// partialOf makes a partial form of a piece of s.
func partialOf(s string, rng *rand.Rand) string {
	from := rng.IntN(len(s) + 1)
	if i := strings.IndexByte(s, ':'); i >= 0 && rng.IntN(2) == 0 {
		from = i + 1
	}
	return strings.Repeat([]string{"../", "/", "./", "//", "a/.."}[rng.IntN(5)], rng.IntN(4)) + s[from:]
}

// tell writes something into a word that means more: an octet or an escape of one, or a character as an escape, or the
// other way round, where that is a word as well.
func tell(l *sample.Language, w string, rng *rand.Rand) string {
	if w == "" || rng.IntN(3) == 0 {
		return w
	}
	octet, escaped := []byte(w), []byte(w)
	octet[rng.IntN(len(w))] = anOctet(rng)
	if l.DFA.Match(string(octet)) {
		w, escaped = string(octet), slices.Clone(octet)
	}
	for i := range escaped {
		if isEscape(w, i) && rng.IntN(2) == 0 {
			copy(escaped[i:], escapeOf(anOctet(rng), rng))
		}
	}
	if l.DFA.Match(string(escaped)) {
		w = string(escaped)
	}
	if t := toggled(w, rng); rng.IntN(2) == 0 && l.DFA.Match(t) {
		w = t
	}
	return w
}

// languages returns those of a dialect that are sampled: the grammar's, and that of each production of a scheme.
func (d dialect) languages(t testing.TB) []*sample.Language {
	source := must.Of(bnf.Load(d.g.Name))(t)
	readings := map[string]bool{}
	if d.fold {
		readings[strings.TrimPrefix(d.g.Name, "rfc")+"-scheme-case"] = true
	}
	g := must.Of(source.With(readings))(t)
	var list []*sample.Language
	for _, k := range d.starts() {
		a := must.Of(lang.FromBNF(g, d.g.Production(k).ID))(t)
		list = append(list, sample.New(a, 48))
	}
	return list
}

// Every law holds of every string of every grammar, and of strings that are one edit away from one: shown on a sample.
// To sample millions:
//
//	go test ./semantic -run '^TestLaws$' -words 1000000 -seed 2 -v -timeout 1h
func TestLaws(t *testing.T) {
	for _, g := range typedTexts() {
		for _, fold := range []bool{false, true} {
			d := dialect{g, fold}
			t.Run(d.String(), func(t *testing.T) {
				plan := sample.Plan{Languages: d.languages(t), Words: sampletest.Words(1000), Cover: 150, Vary: tell}
				if plan.Words >= 50_000 {
					plan.Cover = -1
				}
				sampletest.Hold(t, plan, func(_ int, s string) (*word, error) { return newWord(d, s) }, laws)
			})
		}
	}
}

// A fault in an operation breaks its law, and is found with the shortest URL that shows it.
func TestLawsFindFaults(t *testing.T) {
	d := dialect{g: bnfcheck.RFC1738}
	languages := d.languages(t)
	const anyURL, httpURL = 0, 1
	for _, c := range []struct {
		fault     string
		language  int
		canonical func(u *semantic.URL) string
		law, want string
	}{
		{"a canonical form that is the URL itself", anyURL, func(u *semantic.URL) string { return u.Source }, "Canonical: idempotent", "a:%aa"},
		{"letters of a path are folded", anyURL, func(u *semantic.URL) string { return strings.ToLower(u.Canonical()) },
			"Canonical: of the same production, with the same typed parts", "a:A"},
		{"a port is lost", httpURL, func(u *semantic.URL) string {
			if !u.Port.Present() {
				return u.Canonical()
			}
			return strings.Replace(u.Canonical(), ":"+u.Port.Raw, "", 1)
		}, "Canonical: of the same production, with the same typed parts", "a://a:0"},
		{"a panic", anyURL, func(u *semantic.URL) string { _ = "%"[strings.Count(u.Source, "%"):]; return u.Canonical() }, "can be read", "a:%aa%aa"},
	} {
		plan := sample.Plan{Languages: languages[c.language : c.language+1], Words: 3000, Seed: 1, Vary: tell}
		r := sample.Hold(plan, func(_ int, s string) (*word, error) {
			w, err := newWord(d, s)
			if err != nil || w.u == nil {
				return w, err
			}
			w.c, err = d.read(c.canonical(w.u))
			return w, err
		}, laws)
		found := false
		for _, f := range r.Failures {
			if f.Law == c.law {
				found = true
				if f.Word != c.want {
					t.Errorf("%s: %q, found as %q, want %q: %v", c.fault, f.Word, f.Found, c.want, f.Err)
				}
			}
		}
		if !found {
			t.Errorf("%s is not found: %+v", c.fault, r.Laws)
		}
	}
}

// To every production that derives URLs the digits of an escape are the same in either case, exactly: the last level
// of a canonical form rests on it.
func TestDigitsInEitherCase(t *testing.T) {
	for _, g := range typedTexts() {
		d := dialect{g: g}
		for i, l := range d.languages(t) {
			for q := range l.DFA.States() {
				percent := l.DFA.Next(q, '%')
				for _, x := range []byte("abcdefABCDEF") {
					if l.DFA.Next(percent, x) != l.DFA.Next(percent, x^0x20) {
						t.Errorf("%s: %s tells %%%c from %%%c", g.Name, g.Production(d.starts()[i]).ID, x, x^0x20)
					}
				}
				for _, first := range []byte("0123456789ABCDEF") {
					second := l.DFA.Next(percent, first)
					for _, x := range []byte("abcdef") {
						if l.DFA.Live(percent) && l.DFA.Next(second, x) != l.DFA.Next(second, x^0x20) {
							t.Errorf("%s: %s tells %%%c%c from %%%c%c", g.Name, g.Production(d.starts()[i]).ID, first, x, first, x^0x20)
						}
					}
				}
			}
		}
	}
}

// Words that broke a law once.
func TestLawsOfWords(t *testing.T) {
	for _, c := range []struct{ text, url string }{
		{"draft06", "http://u@a%aa"},           // edits overlapped: a panic
		{"draft06", "nntp://A%0a"},             // likewise
		{"rfc1738", "foo://WWW%2EEXAMPLE.com"}, // decoded, the path of a scheme that the text does not define has a login in it
		{"rfc1738", "a://%61"},                 // likewise
		{"rfc1630", `news:a%2e"el@%4e!Bs3ssw`}, // decoded, a group is an article
		{"rfc1630", "ftp://a%41@F/"},           // decoded, a host has a user in it
		{"rfc1630", "prospero://h/a%00%31"},    // decoded, a name has a version in it
		{"rfc1630", "prospero://h/a%001%41"},   // likewise
		{"draft06", "news:a@evil%2Fb"},         // the host of an article takes other characters than what stands before it
		{"rfc1738", "mailto:A"},                // no "@": nothing of it is a domain
		{"rfc1630", "mailto:a@B%40C"},          // the domain begins at the last "@", encoded or not
		{"rfc1630", "a%6a:"},                   // the scheme has an escape
		{"rfc1630", "rlogin://u%6a@h"},         // a part without a component has one
		{"rfc1630", "nntp:a/05"},               // equal URLs send the same octets
		{"rfc1630", "URL:HTTP://h"},            // the prefix is folded as well
		{"rfc1630", "Mid:%30"},                 // a folded scheme has its name when the form is read without folding
	} {
		g := must.Of(bnfcheck.Find(c.text))(t)
		holds(t, g, c.url)
	}
}
