package explain

import (
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// A Grammar is an embedded grammar in numbers.
type Grammar struct {
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Productions int      `json:"productions"`
	Start       string   `json:"start"`   // the name of the production, as printed
	Schemes     []string `json:"schemes"` // that have a production
	Readings    int      `json:"readings"`
	Off         int      `json:"readings_off"`        // of Readings, those that are off unless someone asks for them
	Reference   bool     `json:"reference,omitempty"` // to compare with; it has no parser
}

// Grammars returns the published grammars, and then the references, for which Off is always 0. It fails if an embedded
// text cannot be read.
func Grammars() (list []Grammar, err error) {
	for _, g := range bnfcheck.Grammars() {
		src, err := bnf.Load(g.Name)
		if err != nil {
			return nil, err
		}
		v := Grammar{
			Name: g.Name, Title: g.Title, Productions: len(g.Productions()),
			Start: g.Production(g.Default).Name, Readings: len(src.Readings),
			Schemes: []string{}, // nil would be null in JSON
		}
		for _, r := range src.Readings {
			if !r.On {
				v.Off++
			}
		}
		for _, scheme := range g.Schemes {
			v.Schemes = append(v.Schemes, scheme.Name)
		}
		list = append(list, v)
	}
	for _, name := range bnf.References() {
		src, err := bnf.Load(name)
		if err != nil {
			return nil, err
		}
		list = append(list, Grammar{
			Name: name, Title: src.Text.Title, Productions: len(src.Text.Rules), Start: src.Text.Rules[0].Name,
			Schemes: []string{}, Readings: len(src.Readings), Reference: true,
		})
	}
	return list, nil
}

// AppendGrammars appends a table of grammars, in which readings that are off are counted with the others. Its lines
// are not folded at the width of s.
func AppendGrammars(b []byte, s *layout.Screen, list []Grammar) []byte {
	t := layout.Table{
		Header: []string{"grammar", "text", "productions", "start", "readings", "schemes with a production"},
		Right:  1<<2 | 1<<4,
	}
	for _, v := range list {
		schemes := strings.Join(v.Schemes, " ")
		switch {
		case v.Reference:
			schemes = "none: to compare with (diff), without a parser"
		case schemes == "":
			schemes = "none: it is about every scheme"
		}
		t.Add(v.Name, v.Title, strconv.Itoa(v.Productions), v.Start, strconv.Itoa(v.Readings), schemes)
	}
	return t.Append(b, s)
}

// AppendProductions appends a table of productions of an embedded grammar. Its lines are not folded at the width of s.
func AppendProductions(b []byte, s *layout.Screen, list []*Production) []byte {
	t := layout.Table{Header: []string{"production", "page", "line", "", "as printed"}, Right: 1<<1 | 1<<2}
	for _, p := range list {
		t.Add(p.ID, Number(p.Page), Number(p.Line), p.noteWords(), strings.Join(strings.Fields(p.Printed), " "))
	}
	return t.Append(b, s)
}

// Number returns n in digits, and "" for 0, which stands for an unknown number.
func Number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
