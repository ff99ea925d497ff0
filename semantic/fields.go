package semantic

import (
	"encoding/json"
	"strconv"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A Field is a part of a typed URL under its name in the RFC, or a value that follows from the parts: a default, the
// meaning of a type code. The Part of a value is absent.
type Field struct {
	Name  string
	Part  Part
	Value string
}

// Fields returns the parts of u that are present, and the values that follow from them, in the order of the URL.
func (u *URL) Fields() []Field {
	var list fieldList
	list.part("prefix", u.Prefix)
	list.part("scheme", u.Scheme)
	list.part("user", u.User)
	list.part("password", u.Password)
	if u.Host.Kind == IPv4 {
		list.part("host number", u.Host.Part)
	} else {
		list.part("host", u.Host.Part)
	}
	list.part("port", u.Port)
	if u.Host.Present() && !u.Port.Present() && u.defaultPort != 0 {
		list.value("port", strconv.Itoa(u.defaultPort)+", the default")
	}
	u.Specific.fields(u, &list)
	list.part("fragment", u.Fragment)
	return list
}

// A fieldList collects fields.
type fieldList []Field

// part adds a part under a name, if it is present.
func (l *fieldList) part(name string, p Part) {
	if p.Present() {
		*l = append(*l, Field{Name: name, Part: p})
	}
}

// value adds a value that is no piece of the URL.
func (l *fieldList) value(name, value string) {
	*l = append(*l, Field{Name: name, Value: value})
}

// parts lists each piece of p between separators, under one name.
func (l *fieldList) parts(name string, p Part, sep byte) {
	for piece := range p.Split(sep) {
		l.part(name, piece)
	}
}

// String returns the URL itself, as it is written.
func (u *URL) String() string { return u.Source }

// Table returns u as lines of text: a line with the production, then one for each field with its span, its text and,
// if they differ, its octets. Octets that are not printable ASCII are written \xHH.
func (u *URL) Table() string {
	b := append([]byte(nil), u.Grammar.Name...)
	b = append(b, ": "...)
	b = append(b, u.Production...)
	b = append(b, " ("...)
	b = append(b, u.Match.String()...)
	b = append(b, ")\n"...)
	return string(appendFields(b, u.Fields()))
}

// appendFields appends an indented line for each field: its name with its span, its text and, if they differ, its
// octets; or its name with its value.
func appendFields(b []byte, fields []Field) []byte {
	for _, f := range fields {
		b = append(b, "  "...)
		b = append(b, f.Name...)
		if !f.Part.Present() {
			b = append(b, " = "...)
			b = append(b, f.Value...)
			b = append(b, '\n')
			continue
		}
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(f.Part.Start()), 10)
		b = append(b, ".."...)
		b = strconv.AppendInt(b, int64(f.Part.End()), 10)
		b = append(b, ' ')
		b = append(b, ast.Quote(f.Part.Raw)...)
		if d := f.Part.Decoded(); d != f.Part.Raw {
			b = append(b, " = "...)
			b = append(b, ast.Quote(d)...)
		}
		b = append(b, '\n')
	}
	return b
}

// A fieldJSON is a [Field] as it is written: either with its place and text, or with a value.
type fieldJSON struct {
	Name   string  `json:"name"`
	Start  *int    `json:"start,omitempty"`
	End    *int    `json:"end,omitempty"`
	Raw    *string `json:"raw,omitempty"`
	Octets *string `json:"octets,omitempty"`
	Base64 []byte  `json:"octets_base64,omitempty"`
	Value  string  `json:"value,omitempty"`
}

// MarshalJSON returns u as an object with the grammar, the URL, the scheme, the production, the kind of match and the
// list of fields. The octets of a part are a string if they are UTF-8, and octets_base64 otherwise.
func (u *URL) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Grammar    string      `json:"grammar"`
		URL        string      `json:"url"`
		Scheme     string      `json:"scheme"`
		Production string      `json:"production"`
		Match      string      `json:"match"`
		Fields     []fieldJSON `json:"fields"`
	}{u.Grammar.Name, u.Source, u.name, u.Production, u.Match.String(), fieldsJSON(u.Fields())})
}

// fieldsJSON returns the fields as they are written; never nil, so that none are an empty list.
func fieldsJSON(list []Field) []fieldJSON {
	fields := []fieldJSON{}
	for _, f := range list {
		j := fieldJSON{Name: f.Name, Value: f.Value}
		if f.Part.Present() {
			start, end, raw := f.Part.Start(), f.Part.End(), f.Part.Raw
			j.Start, j.End, j.Raw = &start, &end, &raw
			j.Octets, j.Base64 = quote.Split(f.Part.Decoded())
		}
		fields = append(fields, j)
	}
	return fields
}
