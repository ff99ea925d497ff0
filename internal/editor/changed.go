package editor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
)

// Changes since the last commit are told by language, not by text: for each production that accepts other strings
// now, one that it no longer accepts and one that it has accepted since then. As in bnfcheck diff, productions with
// an automaton are compared exactly, and those that nest are searched for a string that only one version derives.
// Productions whose own definition has changed come first, since the others only follow from them.

// lastCommit is the revision of git that a document is compared with.
const lastCommit = "HEAD"

// mostChanged caps the productions of each list: those that have changed, are not compared, are new and are gone.
const mostChanged = 20

// runChanged compares the productions with those of the last commit, which git shows, and returns the text to show.
// It takes no account of the line. It fails as openCommitted does, whose effects it has, and when the call ends.
func (c *call) runChanged(int) (string, error) {
	before, err := c.openCommitted()
	if err != nil {
		return "", err
	}
	after := *c.snapshot.reading().opened
	after.Grammar = c.grammar(1)
	after.Within = after.Grammar
	list, left := diff.Namesakes(before, &after)
	var told changes
	for _, i := range diff.DisplayOrder(list) {
		if c.ctx.Err() != nil {
			return "", c.ctx.Err()
		}
		told.compare(list[i])
	}
	for _, l := range left {
		told.leaveOut(l, &after)
	}
	return told.String(), nil
}

// openCommitted reads the document as it is in the last commit, with the present settings. It runs git, takes the
// server's lock, and has the effects of open for files that are imported. It fails if the document is no file below
// its root, if a setting cannot be carried out, or if the last commit has no grammar there.
func (c *call) openCommitted() (*catalog.Opened, error) {
	n := c.snapshot
	if n.path == "" {
		return nil, errors.New("the document is no file")
	}
	if _, _, _, err := n.resolve(n.name); err != nil { // git is asked only about files of the folder
		return nil, err
	}
	o := n.options(newBudget(c.ctx, 1))
	o.Revision = lastCommit
	s := n.reading().settings
	o.Kind = s.kind
	if wrong := s.apply(n, &o); len(wrong) > 0 {
		return nil, wrong[0]
	}
	return catalog.Open(n.path, o)
}

// changes collects the comparisons.
type changes struct {
	lines      []string // one for each production that has changed, or that may have
	compared   int      // productions that were compared
	same       int      // those that accept what they accepted
	undecided  int      // productions that may have changed
	added      []string // productions that only the document has
	gone       []string // productions that only the last commit has
	uncompared []string // productions that are no language in one of the versions, and why
}

// compare compares two versions of a production, of which c.A is the older, and adds the result to the counts and lines
// of t. One that cannot be decided, be it because a limit is passed, is left open.
func (t *changes) compare(c diff.Comparison) {
	t.compared++
	if diff.SameText(c.A, c.B) {
		t.same++
		return
	}
	name := c.B.Production
	if rule, err := c.B.Grammar.Lookup(name); err == nil {
		name = rule.Label()
	}
	d, err := c.Diff(diff.Options{})
	if err == nil {
		if d.Relation == diff.Equal {
			t.same++
			return
		}
		t.tell(name, d.OnlyA.Shortest, d.OnlyB.Shortest)
		return
	}
	s, err := diff.WithoutAutomata(c.A, c.B, err) // err says why there are no automata
	switch {
	case err != nil:
		t.leaveOpen(name, err.Error())
	case s.Relation == diff.Equal:
		t.same++
	case s.Relation == diff.Unknown:
		t.leaveOpen(name, s.Searched()+".")
	case s.Region == diff.OnlyA:
		t.tell(name, s.Word, nil)
	default:
		t.tell(name, nil, s.Word)
	}
}

// tell adds that a production accepts other strings now: one that it no longer accepts, and one that it did not
// accept before. Either may be nil, but not both.
func (t *changes) tell(name string, before, now *quote.Word) {
	var parts []string
	if before != nil {
		parts = append(parts, "no longer accepts "+quote.Bounded(quote.Quote(string(*before))))
	}
	if now != nil {
		parts = append(parts, "now accepts "+quote.Bounded(quote.Quote(string(*now))))
	}
	t.lines = append(t.lines, name+" "+strings.Join(parts, ", and "))
}

// leaveOpen adds that it is not known whether a production has changed.
func (t *changes) leaveOpen(name, why string) {
	t.undecided++
	t.lines = append(t.lines, fmt.Sprintf("%s: it is not known whether it accepts what it accepted. %s", name, why))
}

// leaveOut adds a production that was not compared: to those that are gone, if the grammar after the changes does not
// have it; to those that are new, if the last commit does not; and otherwise to those that could not be compared.
func (t *changes) leaveOut(l diff.LeftOut, after *catalog.Opened) {
	name := l.Rule.Label()
	_, goneErr := after.Lookup(l.Rule.ID)
	// Namesakes says so if the last commit has no such production
	_, isNew := errors.AsType[*catalog.UnknownError](l.Why)
	switch {
	case goneErr != nil:
		t.gone = append(t.gone, name)
	case isNew:
		t.added = append(t.added, name)
	default:
		t.uncompared = append(t.uncompared, fmt.Sprintf("not compared: %s: %v", name, l.Why))
	}
}

// String returns the comparisons as text, without a newline at the end: a line for each production that has changed
// or was not compared, one line for all that are new, one for all that are gone, and the counts last. Each list has
// at most mostChanged productions.
func (t *changes) String() string {
	var b strings.Builder
	for _, list := range [][]string{t.lines, t.uncompared} {
		for _, line := range list[:min(len(list), mostChanged)] {
			b.WriteString(line + "\n")
		}
		if more := len(list) - mostChanged; more > 0 {
			fmt.Fprintf(&b, "and %d more\n", more)
		}
	}
	if len(t.added) > 0 {
		fmt.Fprintf(&b, "new: %s\n", layout.Some(t.added, mostChanged, ", "))
	}
	if len(t.gone) > 0 {
		fmt.Fprintf(&b, "gone: %s\n", layout.Some(t.gone, mostChanged, ", "))
	}
	fmt.Fprintf(&b, "unchanged since %s: %d of %s", lastCommit, t.same, layout.Plural(t.compared, "production"))
	if t.undecided > 0 {
		fmt.Fprintf(&b, ", undecided: %d", t.undecided)
	}
	return b.String()
}
