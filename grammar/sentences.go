package grammar

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed *.sentences
var sentences embed.FS

// A Sentence is a sentence of a specification that prescribes something beyond its grammar.
type Sentence struct {
	First, Last int    // lines of the text
	Section     string // the section, or the heading where the text numbers none
	Gist        string // in our own words
	Became      string // what it became in package semantic: see semantic.Outcome
	By          string
}

// Sentences returns the sentences of a text, in its order: those of the table NAME.sentences. A text without a table has
// none.
func Sentences(name string) ([]Sentence, error) {
	table, err := readTable(sentences, name+".sentences", 5)
	if err != nil {
		return nil, err
	}
	list := make([]Sentence, 0, len(table))
	for _, r := range table {
		first, last, _ := strings.Cut(r.columns[0], "-")
		s := Sentence{Section: r.columns[1], Gist: r.columns[2], Became: r.columns[3], By: r.columns[4]}
		if s.First, err = strconv.Atoi(first); err == nil {
			s.Last, err = strconv.Atoi(last)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.place, err)
		}
		list = append(list, s)
	}
	return list, nil
}
