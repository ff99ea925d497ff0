package results

import (
	"bufio"
	"cmp"
	"fmt"
	"strings"
)

// writeMarkdown writes a table of the suites, and for each suite a table of the results that did not pass.
func writeMarkdown(w *bufio.Writer, results []Result) {
	w.WriteString(countsHead)
	suites := bySuite(results)
	for _, suite := range suites {
		n := counts{}
		n.add(suite)
		w.WriteString(n.row(suite[0].Suite))
	}
	for _, suite := range suites {
		heading := false
		for _, r := range suite {
			if r.Outcome == Passed {
				continue
			}
			if !heading {
				heading = true
				fmt.Fprintf(w, "\n## %s\n\n| | what | found | witness | rests on |\n|---|---|---|---|---|\n",
					Escape(r.Suite))
			}
			what, witness := r.Name, ""
			if r.Place.File != "" {
				what = r.Place.text() + ": " + what
			}
			if r.Shown {
				witness = Code(r.quotedWitness())
			}
			outcome := string(r.Outcome)
			if r.Outcome == Noted {
				outcome = string(cmp.Or(r.Level, Note))
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n",
				outcome, Escape(what), Escape(r.Message), witness, Escape(r.RFC.String()))
		}
	}
}

// countsHead is the head of the table of suites.
const countsHead = "| suite | passed | noted | failed | skipped | errors |\n|---|--:|--:|--:|--:|--:|\n"

// counts has the number of results of a suite with each outcome.
type counts map[Outcome]int

// add counts results by outcome.
func (n counts) add(results []Result) {
	for _, r := range results {
		n[r.Outcome]++
	}
}

// row returns the row of a suite in the table that has countsHead.
func (n counts) row(suite string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d |\n",
		Escape(suite), n[Passed], n[Noted], n[Failed], n[Skipped], n[Broken])
}

// Escape returns text for a paragraph or a cell of a table, with the characters escaped that have a meaning there.
// Newlines and tabs become spaces, and what cannot be seen is shown as Visible has it.
func Escape(text string) string {
	var b strings.Builder
	for _, r := range Visible(text) {
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
			continue
		case strings.ContainsRune("\\`*_{}[]<>#|~!&@:", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Code returns text as code in a cell of a table. It must be one line that is not empty, of visible characters: unlike
// Escape, Code does not escape others.
func Code(text string) string {
	most := longestRun(text)
	ticks := strings.Repeat("`", most+1)
	text = strings.ReplaceAll(text, "|", `\|`)
	if most > 0 {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// Fence returns lines as a block of code in a language, which nothing in it can end.
func Fence(language, code string) string {
	ticks := strings.Repeat("`", max(longestRun(code)+1, 3))
	return ticks + language + "\n" + code + "\n" + ticks + "\n"
}

// longestRun returns the length of the longest run of backticks in text.
func longestRun(text string) int {
	most, run := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}
