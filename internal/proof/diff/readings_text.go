package diff

import (
	"fmt"
	"io"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// WriteEffects writes the effects of readings for people. Tables are folded if they are wider than width, unless that
// is 0. It fails only if w does.
func WriteEffects(w io.Writer, width int, effects []Effect) error {
	var b strings.Builder
	for i := range effects {
		if i > 0 {
			b.WriteByte('\n')
		}
		effects[i].writeText(&b, width)
	}
	_, err := io.WriteString(w, layout.Trim(b.String()))
	return err
}

// writeText writes one effect: the reading with its evidence, and a table of the productions that
// it changes.
func (e *Effect) writeText(b *strings.Builder, width int) {
	state := "off"
	if e.On {
		state = "on"
	}
	if e.Reading == AllReadings {
		fmt.Fprintf(b, "%s, %s\n", e.Title, e.ReadAs)
	} else {
		fmt.Fprintf(b, "%s (%s): %s\n", e.Reading, state, e.ReadAs)
	}
	if e.Printed != "" {
		fmt.Fprintf(b, "  printed: %s%s\n", e.Printed, citeLines(e.Lines))
	}
	switch {
	case e.Meaningless != "":
		fmt.Fprintf(b, "  Without it the text has no meaning: %s\n", e.Meaningless)
		return
	case len(e.Changes) == 0:
		b.WriteString("  It changes no production.\n")
		return
	}
	fmt.Fprintf(b, "  It changes %s. Strings are counted up to %d bytes.\n\n",
		layout.Plural(len(e.Changes), "production"), len(e.Changes[0].Kept.Counts)-1)
	t := layout.Table{Header: []string{"  ", "gains", "", "loses", "", "keeps"}, Fold: true}
	for _, c := range e.Changes {
		row := []string{"  " + c.Production}
		for _, p := range []Part{c.Gained, c.Lost, c.Kept} {
			if p.Shortest == nil {
				row = append(row, "-", "")
			} else {
				row = append(row, p.Shortest.String(), layout.Digits(p.Total()))
			}
		}
		t.Add(row...)
	}
	b.Write(t.Append(nil, &layout.Screen{Width: width}))
}

// citeLines cites lines of an RFC, in parentheses after two spaces; "" for none.
func citeLines(ns []int) string {
	if len(ns) == 0 {
		return ""
	}
	s := strings.Trim(strings.ReplaceAll(fmt.Sprint(ns), " ", ", "), "[]")
	return "  (" + layout.Agree(len(ns), "line ", "lines ") + s + ")"
}
