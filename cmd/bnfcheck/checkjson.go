package main

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
)

// lineJSON is the object of one line.
type lineJSON struct {
	File string `json:"file,omitempty"` // "-" for standard input; none for an argument
	Line int    `json:"line"`           // of the file; of an argument, which one it is
	octets
	Length   int      `json:"length,omitempty"` // where the line was too long, and input is its beginning
	Verdicts verdicts `json:"verdicts"`
}

// verdicts is an object with one member a grammar, in the order of publication.
type verdicts []verdictJSON

type verdictJSON struct {
	grammar    string
	Verdict    string     `json:"verdict"`
	Production string     `json:"production,omitempty"`
	Scheme     string     `json:"scheme,omitempty"`
	Error      *errorJSON `json:"error,omitempty"`
}

// errorJSON says why a grammar, or the production of the scheme, does not derive a string.
type errorJSON struct {
	Offset     *int     `json:"offset,omitempty"` // none where the string was not read
	Unexpected string   `json:"unexpected,omitempty"`
	In         string   `json:"in,omitempty"` // the innermost production being matched there
	Expected   []string `json:"expected,omitempty"`
	Section    string   `json:"section,omitempty"`
	Message    string   `json:"message"`
}

// MarshalJSON gives the object.
func (vs verdicts) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, v := range vs {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + v.grammar + `":`)
		if err := e.Encode(v); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func newErrorJSON(err *ast.SyntaxError) *errorJSON {
	e := &errorJSON{Offset: &err.Offset, Unexpected: err.Unexpected(), Expected: err.Terms(), Section: err.Section, Message: err.Error()}
	if len(err.In) > 0 {
		e.In = err.Grammar.Production(err.In[0]).ID
	}
	return e
}

func (w *worker) appendJSON(b []byte, s string, l line) []byte {
	v := lineJSON{File: l.source.name, Line: l.number, octets: newOctets(s)}
	if l.length > len(s) {
		v.octets, v.Length = newOctets(wholeRunes(s)), l.length
	}
	for i, j := range w.judged {
		g := (*w.rfcs)[i]
		of := verdictJSON{
			grammar: g.Name, Verdict: j.answer.String(),
			Production: g.Production(j.Production).ID, Scheme: j.Scheme,
		}
		if err := j.Why(); err != nil {
			of.Error = newErrorJSON(err)
		} else if j.why != "" {
			of.Error = &errorJSON{Message: g.Name + ": " + j.why}
			if j.at >= 0 {
				of.Error.Offset = &j.at
			}
		}
		v.Verdicts = append(v.Verdicts, of)
	}
	return appendJSON(b, v)
}

// wholeRunes gives s without the beginning of a character at its end.
func wholeRunes(s string) string {
	for cut := range min(len(s), utf8.UTFMax) {
		if r, _ := utf8.DecodeLastRuneInString(s[:len(s)-cut]); r != utf8.RuneError {
			return s[:len(s)-cut]
		}
	}
	return s
}

