package editor

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A snapshot is one version of a document. The fields above mu do not change. What is computed from them is computed
// once, by the first who asks, while others wait.
type snapshot struct {
	*server
	ctx      context.Context // ends when there is a later version, or the document is closed
	cancel   context.CancelFunc
	uri      protocol.DocumentURI
	path     string // "" for a text that is no file
	name     string // for readers: see newSnapshot
	language string // the editor's name for it, a key of endings; others tell nothing
	version  int32
	text     string
	lines    *lineIndex
	settled  *settled // the settings in other files

	// The results of read and lint, which the first call computes. Both are safe for concurrent use.
	reading func() *reading
	linted  func() *linted

	mu   sync.Mutex
	used map[string]bool // paths of other files that were read, or looked for
	done *linted         // the result of lint; nil before it is done, and if it failed
}

// endings has the file name ending for each language that the editor names, for texts that are no files.
var endings = map[string]string{
	"abnf": ".abnf", "ebnf": ".ebnf", "bnf": ".bnf", "gbnf": ".gbnf", "rbnf": ".rbnf", "peg": ".peg", "pigeon": ".peg",
	"peggy": ".peggy", "pegjs": ".pegjs", "markdown": ".md", "xml": ".xml", "html": ".html",
}

// newSnapshot returns a version of a document, which is not d.now yet. It takes over the settings in other files from
// d.now, unless d is unsettled; then d no longer is. The caller holds s.mu.
func (s *server) newSnapshot(ctx context.Context, cancel context.CancelFunc, d *document, version int32,
	text string) *snapshot {
	n := &snapshot{
		server: s, ctx: ctx, cancel: cancel, uri: d.uri, path: pathOf(d.uri), language: d.language, version: version,
		text: text, lines: newLineIndex(text, s.utf8), used: map[string]bool{},
	}
	// The name has no folder, and always an ending that tells the notation, if the editor names the language.
	n.name = filepath.Base(n.path)
	if n.path == "" {
		n.name = "untitled" + endings[d.language]
	} else if _, told := catalog.KindOf(n.name); !told {
		n.name += endings[d.language] // a file without an ending that the editor knows
	}
	n.settled = &settled{}
	if d.now != nil && !d.unsettled {
		n.settled = d.now.settled
	}
	d.unsettled = false
	n.reading = sync.OnceValue(n.read)
	n.linted = sync.OnceValue(n.lint)
	return n
}

// hasUsed reports whether the file with this path was read or looked for; for "" it reports whether any was.
func (n *snapshot) hasUsed(path string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if path == "" {
		return len(n.used) > 0
	}
	return n.used[path]
}

// newBudget returns a budget for a computation, which ends when ctx does. Its limits are those of a command divided
// by fraction, since a person waits.
func newBudget(ctx context.Context, fraction int64) *budget.Budget {
	return budget.New(ctx, budget.Limits{Steps: budget.DefaultSteps / fraction, Bytes: budget.DefaultBytes / fraction})
}

// grammar returns a copy of the grammar with a budget of its own, which ends with the request c, or nil if nothing
// could be read. Its rules are those of the snapshot, and must not be changed. See newBudget for fraction.
// c.snapshot must not be nil.
func (c *call) grammar(fraction int64) *expr.Grammar {
	r := c.snapshot.reading()
	if r.opened == nil {
		return nil
	}
	g := r.opened.Grammar
	own := g.With(g.Rules)
	own.Budget = newBudget(c.ctx, fraction)
	return own
}

// document returns the snapshot. It fails if the request is about a document that is not open, and so do all requests
// that call it.
func (c *call) document() (*snapshot, error) {
	if c.snapshot == nil {
		return nil, invalidRequest("the document is not open")
	}
	return c.snapshot, nil
}
