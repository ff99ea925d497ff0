// Package playground is a page into which a person pastes a grammar. As they type it shows what is wrong in it, its
// diagrams, what it accepts, and how it differs from another grammar; and it makes test vectors, expressions, a PEG
// and a Go package of it. Package engine answers everything; package webengine has it compiled to WebAssembly, and
// runs it in workers.
//
// The page is one file, which loads nothing and sends nothing, and works from disk. Its editor is CodeMirror, bundled
// by the command in the folder editor.
package playground

import (
	"bytes"
	"cmp"
	"compress/flate"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/report/playground/engine"
	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
)

//go:embed play.html
var markup string

//go:embed play.css
var style string

//go:embed play.js
var script string

//go:embed editor.min.js
var editor string

//go:embed editor.LICENSE
var licenses string

// A State is the state of a page when it opens. A link to the page can hold one.
type State struct {
	Grammar engine.Source `json:"grammar"`
	Other   engine.Source `json:"other"`
	Strings []string      `json:"strings"`
	Escapes bool          `json:"escapes"`        // in the strings a backslash begins an escape
	Text    string        `json:"text,omitempty"` // lines that are judged one by one
}

// Fragment returns the fragment that makes an address of the page lead to the state, "#" included: its JSON,
// deflated, in base64.
func (s *State) Fragment() (string, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	z, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(text); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return "#v1=" + base64.RawURLEncoding.EncodeToString(packed.Bytes()), nil
}

// Write writes the page, which asks the engine e. It begins with the state or, if that is nil, with an example.
// Version is that of the program.
func Write(w io.Writer, e *webengine.Engine, version string, state *State) error {
	examples, err := exampleJSON()
	if err != nil {
		return err
	}
	choices, err := json.Marshal(engine.Choices())
	if err != nil {
		return err
	}
	saved := []byte("null")
	if state != nil {
		if saved, err = json.Marshal(state); err != nil { // it writes "<" as an escape
			return err
		}
	}
	page := strings.NewReplacer(
		"{{.Style}}", style,
		"{{.Script}}", webengine.Script()+"\n"+script,
		"{{.Editor}}", "/*\n"+strings.ReplaceAll(licenses, "*/", "* /")+"*/\n"+editor,
		"{{.Program}}", e.Markup(),
		"{{.Saved}}", string(saved),
		"{{.Examples}}", string(examples),
		"{{.Choices}}", string(choices),
		"{{.About}}", "Made by bnfcheck "+cmp.Or(version, "in development")+".",
	).Replace(markup)
	_, err = io.WriteString(w, strings.Replace(page, "POLICY-OF-THE-PAGE", webengine.Policy([]byte(page)), 1))
	return err
}

// An example is one that the page offers.
type example struct {
	Title string `json:"title"`
	State
}

// exampleJSON returns the examples; the first is the one that a page begins with.
func exampleJSON() ([]byte, error) {
	list := []example{
		{"Versions, and an expression for them", State{
			Grammar: engine.Source{Text: versions, Kind: "abnf"},
			Other:   engine.Source{Text: `^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`, Kind: "js"},
			Strings: []string{"1.0.0", "2.13.0-rc.1", "1.02.3", "1.0", "1.0.0-"},
		}},
		{"A date, before and after", State{
			Grammar: engine.Source{Text: dates, Kind: "abnf"},
			Other:   engine.Source{Text: strings.Replace(dates, `"1" %x30-32`, `"1" DIGIT`, 1), Kind: "abnf"},
			Strings: []string{"2024-02-29", "2024-13-01", "24-1-1"},
		}},
		{"A list in parentheses, which nests", State{
			Grammar: engine.Source{Text: nested, Kind: "abnf"},
			Strings: []string{"(a (b c) ())", "(a b"},
		}},
	}
	src, err := bnf.Load("rfc3986")
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	text.WriteString("; RFC 3986, appendix A\n")
	for _, r := range src.Text.Rules {
		if !bnf.IsCore(r) {
			text.WriteString("\n" + strings.TrimRight(r.Printed, "\n") + "\n")
		}
	}
	list = append(list, example{"URI, RFC 3986", State{
		Grammar: engine.Source{Text: text.String(), Kind: "abnf", Start: "URI-reference"},
		Other:   engine.Source{Text: `/^(([^:\/?#]+):)?(\/\/([^\/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/`, Kind: "js"},
		Strings: []string{"https://example.com/a?b#c", "../b", "http://[::1]:80/", "http://example.com/a b",
			"http://[::1"},
	}})
	return json.Marshal(list)
}

const versions = `; A version, as 1.4.2 or 2.0.0-rc.1
version     = number "." number "." number [ "-" pre-release ]
number      = "0" / nonzero *DIGIT
nonzero     = %x31-39
pre-release = part *( "." part )
part        = 1*( ALPHA / DIGIT / "-" )
`

const dates = `date  = year "-" month "-" day
year  = 4DIGIT
month = "0" %x31-39 / "1" %x30-32
day   = "0" %x31-39 / %x31-32 DIGIT / "3" %x30-31
`

const nested = `list = "(" [ item *( " " item ) ] ")"
item = atom / list
atom = 1*%x61-7A
`
