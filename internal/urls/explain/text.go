package explain

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// AppendText appends a description of the production for people. For one of a user's file it shows no
// transcription and no readings. It does not say whether the production is unused.
func (p *Production) AppendText(b []byte, s *layout.Screen) []byte {
	b = s.Paint(b, layout.Bold, p.ID)
	if p.Name != p.ID {
		b = append(b, " (printed as "+p.Name+")"...)
	}
	b = append(b, "   "+p.Cite...)
	if p.Lexical {
		b = append(b, "   lexical: no tree node"...)
	}
	b = append(b, '\n', '\n')
	b = appendBlock(b, p.Printed)
	b = append(b, '\n')

	if p.Nests != "" {
		b = append(b, "It is not regular: "+p.Nests+".\n\n"...)
	}
	if p.File != "" {
		b = appendList(b, s, "Uses    ", p.Uses)
		return appendList(b, s, "Used by ", p.UsedBy)
	}
	b = s.Paint(b, layout.Bold, "PEG")
	if p.Rule == nil {
		b = append(b, "   none: this text is there to compare with (diff), and has no parser\n\n"...)
	} else {
		b = append(b, "   "+p.Rule.File+":"+strconv.Itoa(p.Rule.Line)...)
		if m := Meaning(p.Rule.Mark); m != "" {
			b = append(b, "   "+p.Rule.Mark+" "+m...)
		}
		b = append(b, '\n', '\n')
		b = appendBlock(b, p.Rule.Source)
		b = append(b, '\n')
	}

	if len(p.Readings) > 0 {
		b = append(s.Paint(b, layout.Bold, "Readings"), '\n')
		longest := 0
		for _, r := range p.Readings {
			longest = max(longest, len(r.ID))
		}
		for _, r := range p.Readings {
			state, how := "on ", layout.Plain
			if !r.On {
				state, how = "off", layout.Dim
			}
			b = append(b, "  "+r.ID...)
			b = append(layout.Pad(b, len(r.ID), longest), "  "...)
			b = append(s.Paint(b, how, state), "  "+r.ReadAs+"\n"...)
		}
		b = append(b, '\n')
	}
	b = appendList(b, s, "Uses    ", p.Uses)
	return appendList(b, s, "Used by ", p.UsedBy)
}

// appendList appends a line with a title and productions, or "-" for none.
func appendList(b []byte, s *layout.Screen, title string, ids []string) []byte {
	return append(s.Paint(b, layout.Bold, title), cmp.Or(strings.Join(ids, ", "), "-")+"\n"...)
}

// appendBlock appends the lines of a printed text, indented.
func appendBlock(b []byte, text string) []byte {
	for line := range strings.SplitSeq(layout.Unindent(text), "\n") {
		b = append(b, "  "+line+"\n"...)
	}
	return b
}
