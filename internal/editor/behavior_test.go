package editor

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Offsets and positions are converted back and forth in both encodings, at every character of a text with characters
// of each length, ends of lines of each kind and bytes that are not UTF-8.
func TestPositions(t *testing.T) {
	const text = "a\u00e9\u20ac\U0001F600b\r\nc\rd\n\n\xffe\u00e9"
	for _, inBytes := range []bool{true, false} {
		x := newLineIndex(text, inBytes)
		if want := []int{0, 13, 15, 17, 18}; !slices.Equal(x.starts, want) {
			t.Fatalf("lines start at %v, not %v", x.starts, want)
		}
		tried := 0
		for offset := range text {
			if text[offset] == '\n' && offset > 0 && text[offset-1] == '\r' {
				continue // the middle of an end of a line is its beginning
			}
			p := x.position(offset)
			if got := x.offset(p); got != offset {
				t.Errorf("bytes %t: offset %d is %v, which is offset %d", inBytes, offset, p, got)
			}
			before := text[x.starts[p.Line]:offset]
			want := len(before)
			if !inBytes {
				want = len(utf16.Encode([]rune(before)))
			}
			if int(p.Character) != want {
				t.Errorf("bytes %t: offset %d is column %d, not %d", inBytes, offset, p.Character, want)
			}
			tried++
		}
		if tried < utf8.RuneCountInString(text)-2 {
			t.Errorf("only %d offsets", tried)
		}
		for p, want := range map[protocol.Position]int{
			{Line: 0, Character: 1000}: 11, {Line: 1000}: len(text), {Line: 3, Character: 5}: 17, {Line: 1 << 31, Character: 1 << 31}: len(text),
		} {
			if got := x.offset(p); got != want {
				t.Errorf("bytes %t: %v is offset %d, not %d", inBytes, p, got, want)
			}
		}
	}
	x := newLineIndex("\U0001F600", false) // between the halves of a character
	if got := x.offset(protocol.Position{Character: 1}); got != 0 {
		t.Errorf("the middle of a character is offset %d", got)
	}
}

// UTF-8 is used if the editor offers it; the columns of answers are then bytes.
func TestNegotiation(t *testing.T) {
	text := "a = \"\u00e9\" b ; \u00e9\nb = \"x\"\n"
	for _, row := range []struct {
		options, want string
	}{{`{"general": {"positionEncodings": ["utf-16", "utf-8"]}}`, "1:10-1:11"}, {`{}`, "1:9-1:10"}} {
		c := newClient(t, map[string]string{"a.abnf": text}, row.options)
		c.open("a.abnf", "", text)
		var list []protocol.Location
		c.ask("textDocument/references", map[string]any{
			"textDocument": c.document("a.abnf"), "position": protocol.Position{Line: 1}, "context": map[string]any{"includeDeclaration": false},
		}, &list)
		if len(list) != 1 || showRange(list[0].Range) != row.want {
			t.Errorf("%s: %v, not %s", row.options, list, row.want)
		}
		must.Do(t, c.quit())
	}
}

// hoverText returns what a hover says.
func (c *client) hoverText(name string, p protocol.Position) string {
	c.t.Helper()
	var h *protocol.Hover
	c.ask("textDocument/hover", map[string]any{"textDocument": c.document(name), "position": p}, &h)
	if h == nil {
		return ""
	}
	return h.Contents.Value
}

// A hover over a string says whether case counts. It says nothing where there are no letters, or no string: while one
// types, a mark alone is a token, too.
func TestHoverOnStrings(t *testing.T) {
	const either, exact = "Matches in either case (RFC 5234 section 2.3); `%s\"a1\"` matches only this one.", "Matches in this case only (RFC 7405)."
	for text, want := range map[string]string{
		`"a1"`: either, `%i"a1"`: either, `%I"a1"`: either, `"12"`: "", `%i"12"`: "", `%i`: "", `%ia1`: "",
		`%s"a1"`: exact, `%S"12"`: exact, `%s`: "", `%sa1`: "",
	} {
		c := newClient(t, nil, "{}")
		c.open("a.abnf", "", "a = "+text+"\n")
		if got := c.hoverText("a.abnf", protocol.Position{Character: 4}); got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
		must.Do(t, c.quit())
	}
}

// A client that shows images has the diagram of a production in a hover, as a picture that needs nothing else; another
// has none.
func TestHoverImages(t *testing.T) {
	const text = "a = *( b \".\" ) / <in words>\nb = %x41-5A\n"
	for _, row := range []struct {
		own  string
		want bool
	}{{`{"images": true}`, true}, {`{"images": false}`, false}, {`{}`, false}, {`null`, false}, {`7`, false}} {
		c := newClientWith(t, nil, "{}", row.own)
		c.open("a.abnf", "", text)
		m := regexp.MustCompile(`!\[the diagram of a\]\(data:image/svg\+xml;base64,([^)]*)\)`).FindStringSubmatch(c.hoverText("a.abnf", protocol.Position{}))
		if (m != nil) != row.want {
			t.Errorf("%s: image %t", row.own, m != nil)
		}
		if m != nil {
			svg := string(must.Of(base64.StdEncoding.DecodeString(m[1]))(t))
			checkPicture(t, svg)
			for _, part := range []string{">b<", ">.<", "in words"} {
				if !strings.Contains(svg, part) {
					t.Errorf("no %s in %s", part, svg)
				}
			}
		}
		must.Do(t, c.quit())
	}
}

// The text of an RFC defines its productions in the body and again in an appendix, and has page breaks within them: a
// hover shows what the reader has made of it, once.
func TestHoverInRFC(t *testing.T) {
	const text = `Title

   The grammar:

      a = "x" / b
        ; in words




Author                      Standards Track                    [Page 1]

RFC 1                           Title                        April 1969


        / "y"
      b = *"z"

Appendix A.  Collected

      a   = "x" / b
            ; in words
          / "y"
      b   = *"z"
`
	c := newClient(t, nil, "")
	c.open("rfc1.txt", "", text)
	got := c.hoverText("rfc1.txt", protocol.Position{Line: 4, Character: 6})
	if strings.Contains(got, "[Page") || strings.Count(got, "\"x\"") != 2 || strings.Count(got, "in words") != 1 { // the text, and a shortest string
		t.Errorf("a:\n%s", got)
	}
	if got := c.hoverText("rfc1.txt", protocol.Position{Line: 16, Character: 6}); !strings.Contains(got, "Accepts the empty string, and longer ones without limit.") || strings.Count(got, "b =") != 1 {
		t.Errorf("b:\n%s", got)
	}
	must.Do(t, c.quit())
}

// checkPicture reports a picture that a browser would not show: one that is not well-formed, has no namespace, or needs
// something from elsewhere.
func checkPicture(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	elements := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if elements++; start.Name.Space != "http://www.w3.org/2000/svg" {
			t.Errorf("%s is no element of SVG", start.Name.Local)
		}
		for _, a := range start.Attr {
			if a.Name.Local == "href" || strings.Contains(a.Value, "url(") {
				t.Errorf("%s needs %s", start.Name.Local, a.Value)
			}
		}
	}
	if elements < 5 || !strings.Contains(svg, "text-anchor:middle") { // as the drawing places its words
		t.Errorf("no diagram:\n%s", svg)
	}
}

// A file that is open and not saved goes before the one on the disk; where it changes, what imports it changes too.
func TestUnsaved(t *testing.T) {
	files := map[string]string{"a.abnf": "; bnfcheck:import b=b.abnf#b\na = b\n", "b.abnf": "b = \"disk\"\n"}
	c := newClient(t, files, "")
	c.open("a.abnf", "", files["a.abnf"])
	at := protocol.Position{Line: 1}
	if got := c.hoverText("a.abnf", at); !strings.Contains(got, "disk") {
		t.Errorf("from the disk: %s", got)
	}
	c.open("b.abnf", "", "b = \"open\"\n")
	if got := c.hoverText("a.abnf", at); !strings.Contains(got, "open") {
		t.Errorf("from the open document: %s", got)
	}
	c.change("b.abnf", nil, "b = \"typed\"\n")
	if got := c.hoverText("a.abnf", at); !strings.Contains(got, "typed") {
		t.Errorf("as it is typed: %s", got)
	}
	c.tell("textDocument/didClose", map[string]any{"textDocument": c.document("b.abnf")})
	if got := c.hoverText("a.abnf", at); !strings.Contains(got, "disk") {
		t.Errorf("closed again: %s", got)
	}
	must.Do(t, c.quit())
}

// Settings come from comments, from the package that was generated, and from a line go:generate, in this order, and
// hover shows which; where one of these files changes while the document is open, the document is read anew.
func TestSettingsOrder(t *testing.T) {
	const text = "a = b\nb = %s\"x\" / %x78\n"
	c := newClient(t, map[string]string{"a.abnf": text}, "")
	c.open("a.abnf", "", text)
	write := func(name, text string) {
		path := filepath.Join(c.folder, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
		c.tell("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri(name), "type": 1}}})
	}
	hover := func() string { return c.hoverText("a.abnf", protocol.Position{Line: 1}) }
	if got := hover(); strings.Contains(got, "Settings") {
		t.Errorf("without settings: %s", got)
	}
	write("generate.go", "package a\n\n//go:generate bnfcheck generate a.abnf#a -o gen\n")
	if got, want := hover(), "*Settings: start a; from the line go:generate of generate.go.*"; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nand not\n%s", got, want)
	}
	write("gen/grammar.go", "// Code generated by bnfcheck generate from a.abnf; DO NOT EDIT.\n\n//bnfcheck:generate ../a.abnf#b -o .\n\npackage gen\n")
	if got, want := hover(), "*Settings: start b; from the head of gen/grammar.go.*"; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nand not\n%s", got, want)
	}
	if got := hover(); strings.Contains(got, "two trees") {
		t.Errorf("without a lock: %s", got)
	}
	write("gen/bnfcheck.lock", "id: b-1\nkind: derivation\nstate: off\nproduction: b\nprinted: %s\"x\" | %x78\nread-as: %s\"x\" where %x78 is possible as well\nchoose: b#1: alternative-2 first\nevidence: the shortest string with two trees is x\n")
	if got, want := hover(), `Of two trees the first: %s"x" where %x78 is possible as well (gen/bnfcheck.lock).`; !strings.Contains(got, want) {
		t.Errorf("%s\nhas not\n%s", got, want)
	}
	if got := c.hoverText("a.abnf", protocol.Position{}); strings.Contains(got, "two trees") {
		t.Errorf("a production without an entry: %s", got)
	}
	write("later/grammar.go", "//bnfcheck:generate ../a.abnf#a -o .\n\npackage later\n")
	if got, want := hover(), "from the head of gen/grammar.go.*"; !strings.HasSuffix(got, want) {
		t.Errorf("with a second package: %s\nand not\n%s", got, want)
	}
	c.change("a.abnf", &protocol.Range{}, "; bnfcheck:start a\n")
	if got, want := c.hoverText("a.abnf", protocol.Position{Line: 2}), "*Settings: start a; from comments of this file.*"; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nand not\n%s", got, want)
	}
	// A name that tells nothing is read as the line says.
	const ebnf = "a ::= 'x' b\nb ::= [0-9]\n"
	c.open("words.txt", "", ebnf)
	write("words.go", "package a\n\n//go:generate bnfcheck generate\twords.txt#a\t--kind\tebnf -o gen\n")
	if got, want := c.hoverText("words.txt", protocol.Position{Line: 1}), "*Settings: start a, kind ebnf; from the line go:generate of words.go.*"; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nand not\n%s", got, want)
	}
	if got, want := c.hoverText("words.txt", protocol.Position{Line: 1}), "Used by 1 production: a."; !strings.Contains(got, want) {
		t.Errorf("%s\nhas not\n%s", got, want)
	}
	must.Do(t, c.quit())
}

// TestLineEnds: a document whose lines end with CR is colored, folded and shown as one whose lines end with LF is.
func TestLineEnds(t *testing.T) {
	const text = "/* a long first line\n b */ x ::= 'a' |\n      y\n\n/* 1 */\n/* 2 */\ny ::= 'b'\n"
	type answers struct {
		Tokens  protocol.SemanticTokens
		Folding []protocol.FoldingRange
		Hover   string
	}
	ask := func(text string) (a answers) {
		c := newClient(t, nil, "{}")
		c.open("g.ebnf", "ebnf", text)
		p := map[string]any{"textDocument": c.document("g.ebnf")}
		c.ask("textDocument/semanticTokens/full", p, &a.Tokens)
		c.ask("textDocument/foldingRange", p, &a.Folding)
		a.Hover = c.hoverText("g.ebnf", protocol.Position{Line: 1, Character: 6})
		must.Do(t, c.quit())
		return a
	}
	want := ask(text)
	if !strings.Contains(want.Hover, "'a' |\n") {
		t.Errorf("a line end is lost: %s", want.Hover)
	}
	for _, end := range []string{"\r", "\r\n"} {
		if got := ask(strings.ReplaceAll(text, "\n", end)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n%+v\nwant:\n%+v", end, got, want)
		}
	}
}

// A value whose first end is above its last is none, as to the readers.
func TestReversedRange(t *testing.T) {
	if v, ok := valueOf("%x5A-41"); ok {
		t.Errorf("%s", v)
	}
}

// A value of many characters is told by its first ones, and what is left out is said.
func TestLongValues(t *testing.T) {
	for points, want := range map[int]string{maxPoints: "", maxPoints + 5: "5 more"} {
		v, ok := valueOf("%x41" + strings.Repeat(".41", points-1))
		if !ok {
			t.Fatal("no value")
		}
		if hint := v.shortText(); strings.HasSuffix(hint, "…") != (want != "") {
			t.Errorf("the hint for %d characters is %s", points, hint)
		}
		if text := v.String(); strings.Contains(text, "more") != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%d characters: %s", points, text)
		}
	}
}

// Nothing outside of the folder is read, by whatever name, nor what git keeps in it, nor what the environment forbids;
// and no pipe is waited for.
func TestTrust(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.abnf")
	must.Do(t, os.WriteFile(outside, []byte("b = \"secret\"\n"), 0o644))
	c := newClient(t, map[string]string{
		"in/a.abnf": "", "beside.abnf": "b = \"beside\"\n", ".git/b.abnf": "b = \"secret\"\n",
	}, "")
	link := filepath.Join(c.folder, "in", "link.abnf")
	if err := os.Symlink(outside, link); err != nil {
		t.Skip("no symbolic links here")
	}
	rel := must.Of(filepath.Rel(filepath.Join(c.folder, "in"), outside))(t)
	for _, name := range []string{outside, rel, "link.abnf", "..\\..\\x.abnf", "../.git/b.abnf", "/dev/stdin", "../../../../../../etc/passwd"} {
		c.open("in/a.abnf", "", "; bnfcheck:import b="+name+"#b\na = b\n")
		var said []string
		for _, d := range c.diagnostics("in/a.abnf", 2) {
			said = append(said, d.Message)
		}
		all := strings.Join(said, "\n")
		if strings.Contains(all, "secret") || !strings.Contains(all, "import b=") {
			t.Errorf("import from %s: %s", name, all)
		}
		if got := c.hoverText("in/a.abnf", protocol.Position{Line: 1}); strings.Contains(got, "\"secret\"") {
			t.Errorf("import from %s: hover has %s", name, got)
		}
	}
	c.open("in/a.abnf", "", "; bnfcheck:import b=../beside.abnf#b\na = b\n") // in the workspace
	if got := c.hoverText("in/a.abnf", protocol.Position{Line: 1}); !strings.Contains(got, "beside") {
		t.Errorf("from the workspace: %s", got)
	}
	t.Setenv(infile.WithinVariable, filepath.Join(c.folder, "in"))
	c.open("in/a.abnf", "", "; bnfcheck:import b=../beside.abnf#b\na = b b\n")
	if list := c.diagnostics("in/a.abnf", 2); len(list) == 0 || !strings.Contains(list[0].Message, infile.WithinVariable) {
		t.Errorf("from a folder of the workspace that must not be read: %v", list)
	}
	must.Do(t, c.quit())
}

// nested returns a grammar that lint takes long for: an ambiguity that is looked for in what nests.
func nested(rules int) string {
	var b strings.Builder
	for i := range rules {
		fmt.Fprintf(&b, "r%d = \"a\" r%d \"b\" / r%[2]d r%d / \"%d\" / *( \"x\" / \"xx\" / r%[3]d )\n", i, (i+1)%rules, (i+2)%rules, i)
	}
	return b.String()
}

// The next key ends what is computed for the text before: the answers to it come as soon as they would alone.
func TestNextKeyCancels(t *testing.T) {
	c := newClient(t, nil, "")
	slow := nested(200)
	c.open("a.abnf", "", slow)
	c.diagnostics("a.abnf", 1)
	time.Sleep(2 * pause) // lint has begun
	start := time.Now()
	c.change("a.abnf", nil, "a = \"x\" / b\n")
	c.diagnostics("a.abnf", 1)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("diagnostics %v after the key", took)
	}
	must.Do(t, c.quit())
}

// A reading that the next key ends is no defect, wherever it is: what a prose value excludes is computed while it is
// read.
func TestReadingCanceled(t *testing.T) {
	s := newServer(t.Context(), Options{Log: testLog{t}})
	prose := "s = \"x\" / \"y\"\n"
	for i := range 500 { // the budget looks at the context once in many steps
		prose += fmt.Sprintf("a%d = <any CHAR except s>\n", i)
	}
	for _, text := range []string{prose, "a = b / \"c\"\nb = %x41-5A\n"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		n := s.newSnapshot(ctx, cancel, &document{uri: "untitled:a"}, 1, text)
		n.name = "a.abnf"
		if r := n.reading(); r.failed != nil && strings.Contains(r.failed.Error(), "defect") {
			t.Errorf("%.40q: %v", text, r.failed)
		}
		n.linted()
	}
}

// While a document is changed again and again, each answer is about one version or says that the text has changed.
func TestAnswersWhileTyping(t *testing.T) {
	c := newClient(t, nil, "")
	c.open("a.abnf", "", "a = \"x\"\n")
	failed := 0
	for i := range 50 {
		c.change("a.abnf", nil, fmt.Sprintf("a%d = \"x\" b\nb = \"y\"\n", i))
		var list []protocol.DocumentSymbol
		if err := c.try("textDocument/documentSymbol", map[string]any{"textDocument": c.document("a.abnf")}, &list); err != nil {
			failed++
			continue
		}
		if want := fmt.Sprintf("a%d", i); len(list) != 2 || list[0].Name != want {
			t.Fatalf("%v, not %s", list, want)
		}
	}
	if failed == 50 {
		t.Error("no answer")
	}
	must.Do(t, c.quit())
}

// FuzzServe gives the server any bytes. It ends, with an error or without one, and does not panic.
func FuzzServe(f *testing.F) {
	message := func(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }
	hello := message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	open := message(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"abnf","version":1,"text":"a = b / \"c\""}}}`)
	change := message(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":4},"end":{"line":9,"character":4294967295}},"text":"("}]}}`)
	ask := ""
	for _, method := range slices.Sorted(func(yield func(string) bool) {
		for m := range handlers {
			if !yield(m) {
				return
			}
		}
	}) {
		ask += message(`{"jsonrpc":"2.0","id":"` + method + `","method":"` + method + `","params":{"textDocument":{"uri":"untitled:a"},"position":{"line":0,"character":4},"positions":[{"line":0,"character":4}],"newName":"d","command":"bnfcheck.prove","arguments":["untitled:a",0]}}`)
	}
	end := message(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + message(`{"jsonrpc":"2.0","method":"exit"}`)
	f.Add([]byte(hello + open + change + ask + end))
	f.Add([]byte(hello + open + ask + message(`[]`)))
	f.Add([]byte("Content-Length: 99999999999999999999\r\n\r\n"))
	f.Add([]byte("Content-Length: 5\r\n\r\nnull\n" + hello))
	f.Fuzz(func(t *testing.T, input []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_ = Serve(ctx, bytes.NewReader(input), io.Discard, Options{Log: testLog{t}})
		if ctx.Err() != nil {
			t.Error("it does not end")
		}
	})
}

// FuzzAnswers types any text in any notation and asks everything about every place of it: no answer is a defect, and
// every edit lies in the text.
func FuzzAnswers(f *testing.F) {
	endings := []string{".abnf", ".ebnf", ".peg", ".peggy", ".md", ".xml", ".bnf", ".gbnf", ".txt", ".html"}
	for i := range endings {
		f.Add(byte(i), "a = b / \"c\" %x41-5A ; `a` [RFC5234] bnfcheck:accepts \"c\"\n<b> ::= [d] 1-3e\n", uint16(4))
		f.Add(byte(i), "a = <b\nc> d\n<b\nc> ::= d\n", uint16(7)) // names over two lines
		f.Add(byte(i), "~~~ abnf\na = ( b\n~~~\n<sourcecode type=\"abnf\">a=&quot;b&quot;</sourcecode>\n", uint16(12))
	}
	f.Fuzz(func(t *testing.T, ending byte, text string, at uint16) {
		s := newServer(t.Context(), Options{Log: testLog{t}})
		s.initialized = true
		d := &document{uri: protocol.DocumentURI("untitled:a")}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := s.newSnapshot(ctx, cancel, d, 1, text)
		n.name = "a" + endings[int(ending)%len(endings)]
		if n.reading(); len(text) < 200 {
			n.linted() // of which actions and hints tell
		}
		for method, h := range handlers {
			if method == "workspace/executeCommand" {
				continue
			}
			p := n.lines.position(int(at))
			params := must.Of(json.Marshal(map[string]any{
				"textDocument": map[string]any{"uri": d.uri}, "position": p, "positions": []any{p}, "newName": "q",
				"range": protocol.Range{End: p}, "context": map[string]any{"diagnostics": []any{}},
			}))(t)
			result, err := s.compute(&call{server: s, ctx: ctx, snapshot: n}, h, params)
			if err != nil && strings.Contains(err.Error(), "defect") {
				t.Errorf("%s: %v", method, err)
			}
			if _, err := json.Marshal(result); err != nil {
				t.Errorf("%s: %v", method, err)
			}
		}
		for _, d := range n.diagnostics(n.firstFindings(), nil) {
			if n.lines.offset(d.Range.End) < n.lines.offset(d.Range.Start) {
				t.Errorf("a range that ends before it starts: %v", d.Range)
			}
		}
	})
}

// largeGrammars returns the grammar of IMAP, which is built in, without the lines that tell where it stands, and that of
// SIP if the folder of grammars is there, or else one of its size.
func largeGrammars(t testing.TB) map[string]string {
	imap := string(must.Of(os.ReadFile("../../grammar/names/rfc9051.abnf"))(t))
	texts := map[string]string{"imap.abnf": regexp.MustCompile(`(?m)^@.*\n`).ReplaceAllString(imap, "")}
	if text, err := os.ReadFile(filepath.Join(os.Getenv("BNFCHECK_ZOO"), "abnf", "sip3261.abnf")); err == nil {
		texts["sip.abnf"] = string(text)
	} else {
		texts["nested.abnf"] = nested(60)
	}
	return texts
}

// TestSoak types 10,000 times in the grammar of SIP, and in that of IMAP. The heap stays as it was after the first
// thousand keys.
func TestSoak(t *testing.T) {
	longtest.Need(t, "types 10,000 times")
	for name, text := range largeGrammars(t) {
		t.Run(name, func(t *testing.T) { soak(t, text) })
	}
}

// soak types in a grammar.
func soak(t *testing.T, text string) {
	const edits, warm = 10_000, 1_000
	c := newClient(t, nil, "")
	c.open("a.abnf", "", text)
	c.diagnostics("a.abnf", 2)
	random := rand.New(rand.NewPCG(1, 2))
	heap := func() uint64 {
		c.diagnostics("a.abnf", 2)
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	for i := range edits {
		if i == warm {
			before = heap()
		}
		now := c.text["a.abnf"]
		x := newLineIndex(now, false)
		at := x.position(random.IntN(len(now) + 1))
		typed := string(" ab/=()\"\n;%1"[random.IntN(12)])
		r := protocol.Range{Start: at, End: at}
		if len(now) > len(text) {
			r.End = x.position(min(x.offset(at)+1, len(now)))
			typed = ""
		}
		c.change("a.abnf", &r, typed)
		if i%100 == 0 {
			c.change("a.abnf", nil, text)
		}
		if i%10 == 0 {
			_ = c.try("textDocument/semanticTokens/full", map[string]any{"textDocument": c.document("a.abnf")}, nil)
		}
	}
	c.change("a.abnf", nil, text)
	after := heap()
	t.Logf("heap after %d edits: %d KB; after %d: %d KB", warm, before>>10, edits, after>>10)
	if after > before+before/4+(4<<20) {
		t.Errorf("the heap grew from %d KB to %d KB", before>>10, after>>10)
	}
	must.Do(t, c.quit())
}

// TestLatency measures how long it takes from a key to what can be read, and to what lint finds. The bounds are those
// that the documentation promises, times ten for a machine that is busy.
func TestLatency(t *testing.T) {
	longtest.Need(t, "measures latencies")
	rfc := os.Getenv("BNFCHECK_RFC")
	texts := largeGrammars(t)
	if text, err := os.ReadFile(filepath.Join(rfc, "rfc3986.txt")); err == nil && rfc != "" {
		texts["rfc3986.txt"] = string(text)
	}
	for name, text := range texts {
		c := newClient(t, nil, "")
		c.open(name, "", text)
		c.diagnostics(name, 2)
		at := newLineIndex(text, false).position(len(text) / 2)
		var read, lint, symbols []time.Duration
		for range 9 {
			start := time.Now()
			c.change(name, &protocol.Range{Start: at, End: at}, " ")
			c.diagnostics(name, 1)
			read = append(read, time.Since(start))
			c.diagnostics(name, 2)
			lint = append(lint, time.Since(start))
			start = time.Now()
			c.ask("textDocument/documentSymbol", map[string]any{"textDocument": c.document(name)}, nil)
			symbols = append(symbols, time.Since(start))
		}
		for _, list := range [][]time.Duration{read, lint, symbols} {
			slices.Sort(list)
		}
		t.Logf("%s, %d bytes: read %v, lint %v, symbols %v (medians)", name, len(text), read[4], lint[4], symbols[4])
		if read[4] > 10*time.Second {
			t.Errorf("%s: %v from the key to what can be read", name, read[4])
		}
		must.Do(t, c.quit())
	}
}

// Of more undefined names than are offered, those that come first are.
func TestUndefinedNamesInOrder(t *testing.T) {
	var text strings.Builder
	text.WriteString("a = b\n")
	for i := range mostCompletions + 100 {
		fmt.Fprintf(&text, "a =/ n%03d\n", i)
	}
	text.WriteString("\n")
	c := newClient(t, nil, "{}")
	c.open("a.abnf", "abnf", text.String())
	var list protocol.CompletionList
	c.ask("textDocument/completion", map[string]any{
		"textDocument": c.document("a.abnf"),
		"position":     protocol.Position{Line: mostCompletions + 101},
	}, &list)
	if n := len(list.Items); n != mostCompletions || !list.IsIncomplete {
		t.Fatalf("%d names, incomplete: %t", n, list.IsIncomplete)
	}
	if last := list.Items[mostCompletions-1].Label; list.Items[0].Label != "b" || last != fmt.Sprintf("n%03d", mostCompletions-2) {
		t.Errorf("%s to %s", list.Items[0].Label, last)
	}
}

// The message of a file that can be opened and not be read has no path, as those of others have none.
func TestReadErrorHasNoPath(t *testing.T) {
	root, err := os.OpenRoot("/proc/self")
	if err != nil {
		t.Skip(err)
	}
	defer root.Close()
	if _, err := readRegular(root, "mem"); err == nil || strings.Contains(err.Error(), "mem") {
		t.Errorf("have %v", err)
	}
}

// Of documents whose URIs spell one path in several ways, other documents read the same one every time.
func TestOneFileUnderSeveralURIs(t *testing.T) {
	documents := map[protocol.DocumentURI]*document{}
	for _, uri := range []protocol.DocumentURI{
		"file:///a", "file:///%61", "file://localhost/a", "file://localhost/%61", "file:///b",
	} {
		documents[uri] = &document{uri: uri, now: &snapshot{uri: uri}}
	}
	n := &snapshot{server: &server{documents: documents}}
	for range 20 {
		if open := n.openAs(filepath.FromSlash("/a")); open.uri != "file:///%61" {
			t.Fatalf("have %s", open.uri)
		}
	}
}
