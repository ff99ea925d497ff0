package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/decompress"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
	"github.com/bnfcheck/bnfcheck/semantic"
)

func init() {
	register.Function1x1(pathOf)
	register.Function2x1(hostRow)
	register.DoFn5x1[context.Context, string, func([]byte), func(string, int), func(string), error](&judging{})
	register.Combiner2[[]byte, string](&adding{})
	register.Emitter1[[]byte]()
	register.Emitter2[string, int]()
	register.Emitter1[string]()
}

// A results is what the pipeline finds out: lines of text.
type results struct {
	summary  beam.PCollection // one: the summary as JSON, as bnfcheck check --summary writes it
	hosts    beam.PCollection // host, grammar, verdict, number of URLs
	rejected beam.PCollection // file, line, grammar, verdict, reason, URL
}

// A judging judges the URLs of files. It is one element of work: the lines of a file never pass between the stages of the
// pipeline, only what was found out about them.
type judging struct {
	Grammars  []string // their names
	MaxLength int

	count, explain *check.Judge
	tally          check.Tally
	hosts          map[host]int
	answers        []check.Answer // of the line that was counted last, by grammar
}

// A host is a line of hosts.tsv without its number.
type host struct {
	name    string
	grammar int
	answer  check.Answer
}

// newJudging returns a judging by the grammars with these names.
func newJudging(names []string) (*judging, error) {
	f := &judging{MaxLength: bnfcheck.DefaultMaxLength}
	for _, name := range names {
		g, err := bnfcheck.Find(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if slices.Contains(f.Grammars, g.Name) {
			return nil, fmt.Errorf("the grammar %s is there twice", g.Name)
		}
		f.Grammars = append(f.Grammars, g.Name)
	}
	return f, nil
}

// judge adds the pipeline to s: from the files that match a pattern to the results.
func (f *judging) judge(s beam.Scope, pattern string) results {
	files := beam.ParDo(s, pathOf, fileio.MatchFiles(s, pattern, fileio.MatchEmptyDisallow()))
	tallies, hosts, rejected := beam.ParDo3(s, f, beam.Reshuffle(s, files)) // so that each file can go to another worker
	return results{
		summary:  beam.Combine(s, &adding{}, tallies),
		hosts:    beam.ParDo(s, hostRow, stats.SumPerKey(s, hosts)),
		rejected: rejected,
	}
}

func pathOf(m fileio.FileMetadata) string { return m.Path }

func hostRow(key string, n int) string { return fmt.Sprintf("%s\t%d", key, n) }

// Setup makes what a worker needs, once.
func (f *judging) Setup() error {
	var use []*bnfcheck.Grammar
	for _, name := range f.Grammars {
		g, err := bnfcheck.Find(name)
		if err != nil {
			return err
		}
		use = append(use, g)
	}
	findings := semantic.Select(func(r semantic.Rule) bool { return r.Severity >= semantic.Warning })
	f.count = check.NewJudge(use, check.Options{MaxLength: f.MaxLength, Findings: findings}, true)
	f.explain = check.NewJudge(use, check.Options{MaxLength: f.MaxLength}, false)
	f.hosts, f.answers = map[host]int{}, make([]check.Answer, len(use))
	return nil
}

// add counts the answers to a URL, and its host.
func (f *judging) add(l check.Line) {
	for i, j := range f.count.Line(l) {
		f.tally.Add(i, &j)
		f.answers[i] = j.Answer
		h := host{j.Host, i, j.Answer}
		if _, ok := f.hosts[h]; !ok {
			h.name = strings.Clone(j.Host) // so that the batch is not kept in memory
		}
		f.hosts[h]++
	}
}

// maxHosts is how many hosts are counted before the numbers are passed on.
const maxHosts = 1 << 16

// ProcessElement judges the URLs of a file.
func (f *judging) ProcessElement(ctx context.Context, file string, tally func([]byte), hosts func(string, int), rejected func(string)) error {
	fs, err := filesystem.New(ctx, file)
	if err != nil {
		return err
	}
	defer fs.Close() // it was read only
	raw, err := fs.OpenRead(ctx, file)
	if err != nil {
		return err
	}
	defer raw.Close() // it was read only
	source := &check.Source{Name: file, Reader: raw}
	if text, ok := decompress.Reader(file, raw); ok {
		defer text.Close()
		source.Reader = text
	}
	f.tally.Reset(f.count.Grammars)
	in := &check.Input{Sources: check.Sources{source}, Limit: f.MaxLength, EveryLine: slices.Contains(f.count.Grammars, bnfcheck.RFC3986)}
	b := &check.Batch{}
	for more := true; more; {
		more = in.Next(b)
		for l := range b.Lines(f.MaxLength) {
			f.add(l)
			f.emitRejected(l, rejected)
		}
		f.tally.Lines += b.URLs
		f.tally.Skipped += b.Skipped
		if len(f.hosts) > maxHosts {
			f.emitHosts(hosts)
		}
	}
	f.count.Flush(&f.tally)
	f.emitHosts(hosts)
	tally(render.AppendSummaryJSON(nil, &f.tally))
	return in.Cause
}

// emitRejected passes on why the line that was counted last was rejected.
func (f *judging) emitRejected(l check.Line, rejected func(string)) {
	if !slices.ContainsFunc(f.answers, func(a check.Answer) bool { return a.Negative(false) }) {
		return
	}
	for i, j := range f.explain.Line(l) {
		if j.Answer.Negative(false) {
			rejected(fmt.Sprintf("%s\t%d\t%s\t%v\t%s\t%s", l.Source.Name, l.Number, f.Grammars[i], j.Answer, j.Message, l.Text))
		}
	}
}

// emitHosts passes on the numbers of the hosts, and forgets them.
func (f *judging) emitHosts(hosts func(string, int)) {
	for h, n := range f.hosts {
		hosts(fmt.Sprintf("%s\t%s\t%v", strings.ToLower(h.name), f.Grammars[h.grammar], h.answer), n)
	}
	clear(f.hosts)
}

// An adding adds up summaries, in any order and in any groups. What it has added is a summary itself, so that runners can
// pass it from one machine to another.
type adding struct{}

// CreateAccumulator returns the sum of no summaries.
func (*adding) CreateAccumulator() []byte { return nil }

// AddInput adds a summary.
func (f *adding) AddInput(sum, summary []byte) ([]byte, error) {
	return f.MergeAccumulators(sum, summary)
}

// MergeAccumulators adds two sums.
func (*adding) MergeAccumulators(a, b []byte) ([]byte, error) {
	switch {
	case len(a) == 0:
		return b, nil
	case len(b) == 0:
		return a, nil
	}
	total, err := render.ReadSummary(bytes.NewReader(a))
	if err != nil {
		return nil, err
	}
	more, err := render.ReadSummary(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if !slices.Equal(total.Grammars, more.Grammars) {
		return nil, fmt.Errorf("summaries of different grammars")
	}
	total.Merge(more)
	return render.AppendSummaryJSON(nil, total), nil
}

// ExtractOutput returns a sum as a line of text.
func (*adding) ExtractOutput(sum []byte) string { return strings.TrimSuffix(string(sum), "\n") }
