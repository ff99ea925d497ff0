package learn

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Answer is a parser's answer about a word.
type Answer uint8

// The answers.
const (
	Rejected Answer = iota
	Accepted
	Undecided // counts as rejected, and is reported
)

var answerNames = [...]string{"rejected", "accepted", "undecided"}

// String returns the answer in a word.
func (a Answer) String() string { return quote.Name("Answer", a, answerNames[:]...) }

// An Oracle is a parser that can be asked. It must return one answer for each word, in the same order.
// [Learn] stops when it notices that the answers to one word differ.
type Oracle interface {
	Ask(ctx context.Context, words []string) ([]Answer, error)
}

// A Cache holds the answers given so far, and which of them were given twice. Learning is deterministic: with
// the cache of a run that was cut off, another run takes the same way, and asks only what is new. The zero
// Cache is empty and ready. It is not safe for concurrent use.
type Cache struct {
	// Log, if not nil, gets each new answer as a line that [Cache.Load] reads.
	Log io.Writer

	// Of names the parser and the question that these are the answers to. If it is not empty, Log begins with
	// it, and Load refuses the answers of another.
	Of string

	answers   map[string]Answer
	bytes     int64           // of the words that have answers
	confirmed map[string]bool // the words whose last two answers are equal
	begun     bool            // Log has Of
}

// Len returns the number of words with an answer.
func (c *Cache) Len() int { return len(c.answers) }

// Answer returns the last answer for a word, and whether there is one.
func (c *Cache) Answer(word string) (Answer, bool) {
	a, ok := c.answers[word]
	return a, ok
}

// wordsInOrder returns the words with an answer in the order of their bytes.
func (c *Cache) wordsInOrder() []string { return slices.Sorted(maps.Keys(c.answers)) }

// undecidedWords lists the words on which the parser did not decide, in the order of lang.Compare.
func (c *Cache) undecidedWords() (words []string) {
	for w, a := range c.answers {
		if a == Undecided {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, lang.Compare)
	return words
}

// A record is an answer in a line of JSON. Accept is null for an undecided one.
type record struct {
	Input  *string `json:"input,omitempty"`
	Base64 []byte  `json:"base64,omitempty"` // if the word is not UTF-8
	Accept *bool   `json:"accept"`
}

// A beginning is the line before all answers.
type beginning struct {
	Of *string `json:"answers_of"`
}

// Add adds answers, one for each word. A word that is added again gets its new answer; it is confirmed if
// that is the one it had. Add fails if Log does; the answers are in the cache even then.
func (c *Cache) Add(words []string, answers []Answer) error {
	for i, w := range words {
		c.add(w, answers[i])
	}
	if c.Log == nil {
		return nil
	}
	b := bufio.NewWriter(c.Log)
	line := func(v any) {
		text, _ := quote.AppendJSON(b.AvailableBuffer(), v) // strings and bytes, which cannot fail
		b.Write(append(text, '\n'))
	}
	if !c.begun && c.Of != "" {
		line(beginning{&c.Of})
	}
	c.begun = true
	for _, word := range words {
		var r record
		r.Input, r.Base64 = quote.Split(word)
		if a := c.answers[word]; a != Undecided {
			accept := a == Accepted
			r.Accept = &accept
		}
		line(r) // the error comes again with Flush
	}
	return b.Flush()
}

// add keeps an answer. The same answer for the second time confirms it; a different one replaces it,
// unconfirmed.
func (c *Cache) add(w string, a Answer) {
	if c.answers == nil {
		c.answers, c.confirmed = map[string]Answer{}, map[string]bool{}
	}
	before, known := c.answers[w]
	if !known {
		c.bytes += int64(len(w))
	}
	c.answers[w] = a
	switch {
	case known && before == a:
		c.confirmed[w] = true
	case known:
		delete(c.confirmed, w)
	}
}

// Load adds the answers that were written to a Log, which begins with the name of the parser if c.Of is not empty. A
// last line that is cut off, as by a run that was killed, is left out. It fails at a line that is no answer, if the
// answers are not those of c.Of, and if r does; the answers before are then in the cache.
func (c *Cache) Load(r io.Reader) error {
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if n == 1 {
			if c.begun, err = c.readHeader(line); err != nil {
				return fmt.Errorf("line 1: %w", err)
			}
			if c.begun { // otherwise the line is a record already
				continue
			}
		}
		var rec record
		if err := json.Unmarshal(line, &rec); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		word, ok := quote.Join(rec.Input, rec.Base64)
		if !ok {
			return fmt.Errorf("line %d: not one of input and base64", n)
		}
		switch {
		case rec.Accept == nil:
			c.add(word, Undecided)
		case *rec.Accept:
			c.add(word, Accepted)
		default:
			c.add(word, Rejected)
		}
	}
}

// readHeader reports whether a first line is a header, which names the parser whose answers follow. It fails
// if the line is no JSON, and if c.Of is set and the line is no header, or one with another name.
func (c *Cache) readHeader(line []byte) (bool, error) {
	var b beginning
	if err := json.Unmarshal(line, &b); err != nil {
		return false, err
	}
	switch {
	case b.Of == nil && c.Of != "":
		return false, fmt.Errorf("it does not say that these are the answers of %s", c.Of)
	case b.Of != nil && c.Of != "" && *b.Of != c.Of:
		return false, fmt.Errorf("these are the answers of %s, and not of %s", *b.Of, c.Of)
	}
	return b.Of != nil, nil
}
