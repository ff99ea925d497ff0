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

// A snapshot is one version of a document. Its fields do not change. What is computed from them is computed once, by
// the first who asks, while others wait.
type snapshot struct {
	*server
	ctx      context.Context // ends when there is a later version
	cancel   context.CancelFunc
	uri      protocol.DocumentURI
	path     string // "" for a text that is no file
	name     string // the name that readers have for the file: its name without the folder
	language string
	version  int32
	text     string
	lines    *lineIndex
	settled  *settled // the settings in other files

	// Each of them is safe for concurrent use.
	reading func() *reading
	linted  func() *linted

	mu   sync.Mutex
	used map[string]bool // paths of files that were read, or looked for
	done *linted         // the result of lint, nil before it is done
}

// endings has the file name ending for each language that the editor names, for texts that are no files.
var endings = map[string]string{
	"abnf": ".abnf", "ebnf": ".ebnf", "bnf": ".bnf", "gbnf": ".gbnf", "rbnf": ".rbnf", "peg": ".peg", "pigeon": ".peg",
	"peggy": ".peggy", "pegjs": ".pegjs", "markdown": ".md", "xml": ".xml", "html": ".html",
}

// newSnapshot returns a version of a document. The caller holds s.mu.
func (s *server) newSnapshot(ctx context.Context, cancel context.CancelFunc, d *document, version int32, text string) *snapshot {
	n := &snapshot{
		server: s, ctx: ctx, cancel: cancel, uri: d.uri, path: pathOf(d.uri), language: d.language, version: version,
		text: text, lines: newLineIndex(text, s.utf8), used: map[string]bool{},
	}
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

// hasUsed reports whether a file with this path was read or looked for; for "" it reports whether any was.
func (n *snapshot) hasUsed(path string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if path == "" {
		return len(n.used) > 0
	}
	return n.used[path]
}

// newBudget returns a budget for a computation, which ends when ctx does. It is that of a command divided by
// fraction, which is enough where a person waits.
func newBudget(ctx context.Context, fraction int64) *budget.Budget {
	return budget.New(ctx, budget.Limits{Steps: budget.DefaultSteps / fraction, Bytes: budget.DefaultBytes / fraction})
}

// grammar returns the grammar with a budget of its own for this call, or nil if nothing could be read. See newBudget
// for fraction.
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

// document returns the snapshot. It fails if the request is about a document that is not open.
func (c *call) document() (*snapshot, error) {
	if c.snapshot == nil {
		return nil, invalidRequest("the document is not open")
	}
	return c.snapshot, nil
}
