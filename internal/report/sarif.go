package report

import (
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
	for _, r := range results {
		id := r.Rule
		if id == "" {
			id = "bnfcheck"
		}
		title := r.Title
		if title == "" {
			title = id
		}
		id, title = visible(id), visible(title)
		run.AddRule(id).WithName(id).WithShortDescription(sarif.NewMultiformatMessageString().WithText(title))
		result := run.CreateResultForRule(id).
			WithMessage(sarif.NewTextMessage(visible(r.Name + "\n" + r.text()))).
			WithPartialFingerprints(map[string]string{"bnfcheck/v1": visible(r.Suite + "/" + id + "/" + r.Name)})
		switch r.Outcome {
		case Failed:
			result.WithKind("fail").WithLevel("error")
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
			places = append(places, location(Place{File: r.RFC.Grammar + ".txt", Line: r.RFC.Line}, r.RFC.String()))
		}
		if len(places) > 0 {
			result.WithLocations(places[:1])
		}
		if len(places) > 1 {
			result.WithRelatedLocations(places[1:])
		}
	}
	log := sarif.NewReport()
	log.Schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	log.AddRun(run)
	return encode(w, log)
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
