package conform

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// appendRequest appends the line that asks about w:
//
//	{"id":7,"input":"http://h/"}
//	{"id":8,"base64":"aHR0cDovL/8="}      where w is not UTF-8
//
// The form is fixed, so that a child can read it without a JSON library: no spaces, id first, and in the string no
// escapes but \" \\ and, for control characters, \u00XX.
func appendRequest(b []byte, id uint64, w string) []byte {
	b = strconv.AppendUint(append(b, `{"id":`...), id, 10)
	if !utf8.ValidString(w) {
		b = append(b, `,"base64":"`...)
		b = base64.StdEncoding.AppendEncode(b, []byte(w))
		return append(b, "\"}\n"...)
	}
	b = append(b, `,"input":"`...)
	for i := range len(w) {
		switch x := w[i]; {
		case x == '"' || x == '\\':
			b = append(b, '\\', x)
		case x < ' ':
			b = fmt.Appendf(b, `\u%04x`, x)
		default:
			b = append(b, x)
		}
	}
	return append(b, "\"}\n"...)
}

// errWrongID is the error of parseAnswer for an answer to another question.
var errWrongID = errors.New("wrong id")

// parseAnswer reads the answer to request id. It is strict about anything that would otherwise go untested:
// an unknown component is an error, and so is a line without "accepted", which may be null for Undecided.
// Members that the protocol does not have are ignored. The known components are those in named, and then the
// components of URLs are ignored; if named is nil, they are the components of URLs; if it is empty, all
// components are ignored.
func parseAnswer(line []byte, id uint64, named []string) (Answer, error) {
	var got struct {
		ID         *uint64                `json:"id"`
		Accepted   json.RawMessage        `json:"accepted"`
		Components map[string]*quote.Word `json:"components"`
		Error      string                 `json:"error"`
	}
	if !utf8.Valid(line) {
		return Answer{}, errors.New("the answer is not UTF-8")
	}
	if err := json.Unmarshal(line, &got); err != nil {
		return Answer{}, err
	}
	switch {
	case got.ID == nil:
		return Answer{}, errors.New(`the answer has no "id"`)
	case *got.ID != id:
		return Answer{}, fmt.Errorf("%w: asked %d, answered %d", errWrongID, id, *got.ID)
	}
	a := Answer{Error: got.Error}
	switch string(got.Accepted) {
	case "true":
		a.Verdict = Accepted
	case "false":
		a.Verdict = Rejected
	case "null":
		a.Verdict = Undecided
	default:
		return Answer{}, errors.New(`"accepted" is neither true, false nor null`)
	}
	for _, name := range slices.Sorted(maps.Keys(got.Components)) { // of several errors, it is the same one every time
		value := got.Components[name]
		if named != nil {
			if len(named) == 0 {
				continue
			}
			if !slices.Contains(named, name) {
				if _, usual := componentNamed(name); usual {
					continue // a component of URLs, which nobody asked for
				}
				return Answer{}, fmt.Errorf("unknown component %s; there are %s", ast.Quote(name),
					strings.Join(named, ", "))
			}
			if a.Named == nil {
				a.Named = map[string]Value{}
			}
			a.Named[name] = None
			if value != nil {
				a.Named[name] = Is(string(*value))
			}
			continue
		}
		i, ok := componentNamed(name)
		switch {
		case !ok:
			return Answer{}, fmt.Errorf("unknown component %s", ast.Quote(name))
		case a.Components[i].Said:
			return Answer{}, fmt.Errorf("the component %s twice, under two names", ast.Quote(i.String()))
		case value == nil:
			a.Components[i] = None
		default:
			a.Components[i] = Is(string(*value))
		}
	}
	a.Components.deriveUserInfo()
	return a, nil
}

// inQuotes returns text as reports show it: in quotes, safe for a terminal, and cut after 120 bytes.
func inQuotes(text string) string {
	const most = 120
	if len(text) <= most {
		return ast.Quote(text)
	}
	return fmt.Sprintf("%s... (%d bytes)", ast.Quote(text[:most]), len(text))
}
