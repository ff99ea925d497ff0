package docs

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// This file keeps what TestPackages has found out about texts, so that a run that was stopped can go on: a line of JSON for
// each text, with the program that made its package. What another program has made is made again.

// A record is what became of a text.
type record struct {
	Program string // the hash of the program that made the package
	Number  int
	Start   string
	Outcome string // of outcomeNames
	Said    string `json:",omitempty"`
}

// records are those of one file, or of none.
type records struct {
	file    string // "" where nothing is kept
	program string
	known   map[string]record // by textKey
}

// textKey tells the texts and their starts apart.
func textKey(number int, start string) string { return fmt.Sprintf("%d#%s", number, start) }

// openRecords reads the records that the program bin has made, from the file that BNFCHECK_PACKAGES names.
func openRecords(t *testing.T, bin string) *records {
	t.Helper()
	code := must.Of(os.ReadFile(bin))(t)
	found := &records{file: os.Getenv("BNFCHECK_PACKAGES"), program: fmt.Sprintf("%x", sha256.Sum256(code)), known: map[string]record{}}
	if found.file == "" {
		return found
	}
	old, err := os.ReadFile(found.file)
	if os.IsNotExist(err) {
		return found
	}
	must.Do(t, err)
	for line := range bytes.Lines(old) {
		var r record
		if err := json.Unmarshal(line, &r); err == nil && r.Program == found.program { // a line that was cut off is no record
			found.known[textKey(r.Number, r.Start)] = r
		}
	}
	t.Logf("%s has %d texts", found.file, len(found.known))
	return found
}

// recall sets the outcome of a text that has a record, and reports whether it has one.
func (found *records) recall(p *packaged) bool {
	r, ok := found.known[textKey(p.number, p.start)]
	if !ok {
		return false
	}
	for i, name := range outcomeNames {
		if name == r.Outcome {
			p.outcome, p.said = outcome(i), r.Said
			return true
		}
	}
	return false
}

// record appends the record of a text to the file.
func (found *records) record(t *testing.T, p *packaged) {
	t.Helper()
	if found.file == "" {
		return
	}
	line := must.Of(json.Marshal(record{found.program, p.number, p.start, outcomeNames[p.outcome], p.said}))(t)
	file := must.Of(os.OpenFile(found.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666))(t)
	_, err := file.Write(append(line, '\n'))
	must.Do(t, err)
	must.Do(t, file.Close())
}
