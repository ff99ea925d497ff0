package results

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// WriteSARIF writes SARIF 2.1.0: one run, whose rules are those of the results. A result lies where its subject stands in a
// file; without one, at the production in the text of the RFC (rfc1738.txt), which is related to it otherwise. Its
// fingerprint is made of what it checks, so that it stays the same when lines move. The error is that of w.
func WriteSARIF(w io.Writer, results []Result) error {
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("bnfcheck")))
	run.Results = []*sarif.Result{}
	run.WithColumnKind("unicodeCodePoints")
	for _, r := range results {
		id, title := r.rule()
		run.AddRule(id).WithName(id).WithShortDescription(sarif.NewMultiformatMessageString().WithText(title))
	}
	log := sarif.NewReport()
	log.Schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	log.AddRun(run)

	// The results are written one by one into the log without them: the module's take ten times their text in memory.
	var frame bytes.Buffer
	if err := encode(&frame, "", log); err != nil {
		return err
	}
	before, after, _ := strings.Cut(frame.String(), resultsKey+"[]")
	out := bufio.NewWriter(w)
	out.WriteString(before + resultsKey + "[")
	for i, r := range results {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + resultIndent)
		if err := encode(withoutNewline{out}, resultIndent, r.sarif(run)); err != nil {
			return err
		}
	}
	if len(results) > 0 {
		out.WriteString("\n" + resultIndent[2:])
	}
	out.WriteString("]" + after)
	return out.Flush()
}

// resultsKey stands before the results of a run, and in none of its texts, whose quotes are escaped; resultIndent before
// each of their lines.
const (
	resultsKey   = `"results": `
	resultIndent = "        "
)

// withoutNewline leaves out the newline at the end of what is written.
type withoutNewline struct{ w io.Writer }

func (n withoutNewline) Write(p []byte) (int, error) {
	_, err := n.w.Write(bytes.TrimSuffix(p, []byte("\n")))
	return len(p), err
}

// rule gives the ID and the title of a result's rule, as SARIF shows them.
func (r Result) rule() (id, title string) {
	id = cmp.Or(r.Rule, "bnfcheck")
	return Visible(id), Visible(cmp.Or(r.Title, id))
}

// sarif gives the result in a run that has its rule.
func (r Result) sarif(run *sarif.Run) *sarif.Result {
	id, _ := r.rule()
	result := sarif.NewRuleResult(id).WithRuleIndex(run.GetRuleIndex(id)).
		WithMessage(sarif.NewTextMessage(Visible(r.Name + "\n" + r.text()))).
		WithPartialFingerprints(map[string]string{"bnfcheck/v1": Visible(r.Suite + "/" + id + "/" + r.Name)})
	switch r.Outcome {
	case Failed:
		result.WithKind("fail").WithLevel("error")
	case Noted:
		result.WithKind("fail").WithLevel(string(cmp.Or(r.Level, Note))) // no other kind has a level
	case Broken:
		result.WithKind("review").WithLevel("none")
	case Skipped:
		result.WithKind("notApplicable").WithLevel("none")
	default:
		result.WithKind("pass").WithLevel("none")
	}
	places := []*sarif.Location{}
	if r.Place.File != "" {
		places = append(places, location(r.Place, ""))
	}
	if r.RFC.Grammar != "" {
		places = append(places, location(Place{File: r.RFC.file(), Line: r.RFC.Line}, r.RFC.String()))
	}
	if len(places) > 0 {
		result.WithLocations(places[:1])
	}
	if len(places) > 1 {
		result.WithRelatedLocations(places[1:])
	}
	return result
}

func location(p Place, text string) *sarif.Location {
	physical := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(reference(p.File)))
	if p.Line > 0 {
		region := sarif.NewRegion().WithStartLine(p.Line)
		if p.Column > 0 {
			region.WithStartColumn(p.Column)
		}
		physical.WithRegion(region)
	}
	l := sarif.NewLocationWithPhysicalLocation(physical)
	if text != "" {
		l.WithMessage(sarif.NewTextMessage(text))
	}
	return l
}

// reference gives a file's name as a URI reference, percent-encoded; SARIF must hold URIs as RFC 3986 has them.
func reference(file string) string {
	u := url.URL{Path: file}
	if path.IsAbs(file) {
		u.Scheme = "file"
	}
	return strings.TrimPrefix(u.String(), "./")
}
