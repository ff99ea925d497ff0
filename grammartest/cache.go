package grammartest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// suiteFormat changes whenever the contents of a suite do, so that a suite in the cache that was made
// differently is not used. TestSuiteFormat notices a forgotten change.
const suiteFormat = 5

// keep is how long a suite is kept that nobody uses.
const keep = 30 * 24 * time.Hour

// A cached suite is a file of its own. Only which strings are asked about depends on it: the
// grammar judges them each time.
type cached struct {
	Words   []quote.Word
	Mutants conform.Mutants
}

// cachedStrings returns the strings of [conform.Strings], and sets making.Mutants. It makes a suite once on a
// machine for the same subject and limits, and keeps it in the user's cache folder. When it makes one, it
// removes those that were not used for the time keep. If the folder cannot be used, the suite is made each
// time. It fails only where conform.Strings does.
func cachedStrings(s *vectors.Subject, making *conform.Making) ([]string, error) {
	root, err := os.UserCacheDir()
	if err != nil {
		return conform.Strings(s, making)
	}
	folder := filepath.Join(root, "bnfcheck", "suites")
	var limits budget.Limits // with others, a suite may hold more
	if b := s.DFA.Budget(); b != nil {
		limits = b.Limits
	}
	of := fmt.Appendf(nil, "%d\n%+v\n%s", suiteFormat, limits, s.Text())
	file := filepath.Join(folder, fmt.Sprintf("%x.json", sha256.Sum256(of)))
	var c cached
	if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &c) == nil && len(c.Words) > 0 {
		_ = os.Chtimes(file, time.Time{}, time.Now()) // it is in use
		making.Mutants = c.Mutants
		words := make([]string, len(c.Words))
		for i, w := range c.Words {
			words[i] = string(w)
		}
		return words, nil
	}
	words, err := conform.Strings(s, making)
	if err != nil {
		return nil, err
	}
	c = cached{Words: make([]quote.Word, len(words)), Mutants: making.Mutants}
	for i, w := range words {
		c.Words[i] = quote.Word(w)
	}
	if text, err := json.Marshal(c); err == nil && os.MkdirAll(folder, 0o777) == nil {
		old, _ := os.ReadDir(folder)
		for _, f := range old {
			if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > keep {
				_ = os.Remove(filepath.Join(folder, f.Name()))
			}
		}
		_ = atomicfile.Write(context.Background(), file, atomicfile.Text(text))
	}
	return words, nil
}
