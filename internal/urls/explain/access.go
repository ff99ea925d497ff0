package explain

import (
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// IsGateway reports whether a string names a gateway for [semantic.URL.AccessVia]: a host as RFC 1738 spells it, a
// colon, and a port from 1 to 65535.
func IsGateway(s string) bool {
	host, port, _ := strings.Cut(s, ":")
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0 && bnfcheck.RFC1738.Accept(rfc1738.KindHost, host)
}

// AppendSteps appends the steps that access a URL, indented.
func AppendSteps(b []byte, steps []semantic.Step) []byte {
	for _, s := range steps {
		for line := range strings.Lines(s.String()) {
			b = append(append(layout.Pad(b, 0, indent), strings.TrimRight(line, "\n")...), '\n')
		}
	}
	return b
}

// accessJSON is the JSON form of an access: of all its steps, in their order.
type accessJSON struct {
	Grammar string     `json:"grammar"`
	Input   string     `json:"input"` // an accepted one, so it is ASCII
	Steps   []stepJSON `json:"steps"`
}

// stepJSON is the JSON form of a step.
type stepJSON struct {
	Verb     string `json:"verb"`
	Text     string `json:"text"`
	Octets   []byte `json:"octets_base64,omitempty"` // what goes over the connection
	Section  string `json:"section"`
	Inferred bool   `json:"inferred,omitempty"` // the section does not name the command
}

// AccessJSON returns the JSON form of the steps that access a URL, as a value for package json.
func AccessJSON(grammar, url string, steps []semantic.Step) any {
	v := accessJSON{grammar, url, []stepJSON{}}
	for _, s := range steps {
		v.Steps = append(v.Steps, stepJSON{s.Verb.String(), s.Text, []byte(s.Octets), s.Section, s.Inferred})
	}
	return v
}
