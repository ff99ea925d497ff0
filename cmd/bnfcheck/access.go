package main

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/semantic"
)

// steps prints how a client accesses what a URL designates, under each grammar.
func (e *explaining) steps(url string) error {
	var b []byte
	rejected := false
	for _, g := range *e.rfcs {
		tree, err := g.Parse(url)
		if err != nil {
			rejected = true
			e.complain("%v", err)
			continue
		}
		u, err := semantic.Of(tree)
		if err != nil {
			return err
		}
		steps := u.Access()
		if e.via != "" {
			steps = u.AccessVia(e.via)
		}
		if e.format.value == "json" {
			b = appendJSON(b, newAccessJSON(g.Name, url, steps))
			continue
		}
		if len(*e.rfcs) > 1 {
			if len(b) > 0 {
				b = append(b, '\n')
			}
			b = append(e.paint(b, bold, g.Name), '\n')
		}
		for _, s := range steps {
			for line := range strings.Lines(s.String()) {
				b = append(append(pad(b, 0, indent), strings.TrimRight(line, "\n")...), '\n')
			}
		}
	}
	if _, err := e.out.Write(b); err != nil {
		return err
	}
	if rejected {
		return errNegative
	}
	return nil
}

type accessJSON struct {
	Grammar string     `json:"grammar"`
	Input   string     `json:"input"` // an accepted one, so it is ASCII
	Steps   []stepJSON `json:"steps"`
}

type stepJSON struct {
	Verb    string `json:"verb"`
	Text    string `json:"text"`
	Octets  []byte `json:"octets_base64,omitempty"` // what goes over the connection
	Section string `json:"section"`
}

func newAccessJSON(grammar, url string, steps []semantic.Step) accessJSON {
	v := accessJSON{grammar, url, []stepJSON{}}
	for _, s := range steps {
		v.Steps = append(v.Steps, stepJSON{s.Verb.String(), s.Text, []byte(s.Octets), s.Section})
	}
	return v
}
