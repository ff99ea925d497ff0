package quote

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// How long a message may be. What people write into grammars has any length: a name or a prose value of a megabyte, a
// list of thousands of names.
const (
	longWord  = 120  // bytes without a blank
	longLine  = 1000 // bytes
	longText  = 24   // lines
	keptEnd   = 20   // bytes at the end of a text that is shortened
	countRoom = 30   // bytes of the number between, so that what is shortened once stays as it is
)

// Bounded returns a message that is never long: of a long word, and of a long line, the beginning and the end with the
// number of bytes between them, and of very many lines the first, the number of the others, and the last. Every
// message passes through it; one that is short, as nearly all are, stays as it is.
func Bounded(message string) string {
	if len(message) <= longLine {
		return boundedLine(message)
	}
	lines := strings.SplitN(message, "\n", longText+1)
	if len(lines) > longText {
		rest := lines[longText]
		last := rest[strings.LastIndexByte(rest, '\n')+1:]
		between := strings.Count(rest, "\n") // without the last
		lines = lines[:longText]
		if between > 0 {
			lines = append(lines, fmt.Sprintf("  ... and %s more lines ...", Thousands(between)))
		}
		lines = append(lines, last)
	}
	for i, line := range lines {
		lines[i] = boundedLine(line)
	}
	return strings.Join(lines, "\n")
}

// LongNames caps the names in one list. [List] counts the others.
const LongNames = 60

// Passage returns a text of a grammar that a report repeats at every place found in it. It has no more than what
// Bounded leaves of it, but is whole up to the length of a long line, however long its words are.
func Passage(text string) string {
	if len(text) <= longLine {
		return text
	}
	return Bounded(text)
}

// boundedLine returns a line with each long word shortened, and then shortened itself.
func boundedLine(line string) string {
	if len(line) <= longWord {
		return line
	}
	words := strings.Split(line, " ")
	for i, w := range words {
		words[i] = shortened(w, longWord)
	}
	return shortened(strings.Join(words, " "), longLine)
}

// shortened returns s, or in at most most bytes its beginning and its end, with the number of bytes between them. No
// character is cut.
func shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := most-keptEnd-countRoom, len(s)-keptEnd
	for !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return fmt.Sprintf("%s...(%s bytes)...%s", s[:head], Thousands(tail-head), s[tail:])
}
