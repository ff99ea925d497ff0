// Package resultstest says of reports that programs made whether other programs can read them.
package resultstest

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
)

// A Log is the part of a SARIF log that tests read.
type Log struct {
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		Results []Finding
	}
}

// A Finding is a result of a log.
type Finding struct {
	RuleID              string
	RuleIndex           int
	Kind, Level         string
	Message             Text
	Locations           []Location
	RelatedLocations    []Location
	PartialFingerprints map[string]string
}

// Location is where a result lies.
type Location struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           struct{ StartLine int }
	}
	Message Text
}

// Text is a message.
type Text struct{ Text string }

// SARIF reads a log. It fails if the log is not valid by the JSON schema of SARIF 2.1.0 by OASIS, if
// [Validates], or by the standard's further rules: a result points to its own rule (section 3.27.6), and only
// one that fails has a level (3.27.10).
func SARIF(data []byte) (*Log, error) {
	if err := validate(data); err != nil {
		return nil, err
	}
	log := &Log{}
	if err := json.Unmarshal(data, log); err != nil {
		return nil, err
	}
	for _, run := range log.Runs {
		rules := run.Tool.Driver.Rules
		for i, r := range run.Results {
			if r.RuleIndex < 0 || r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID {
				return nil, fmt.Errorf("result %d is of rule %q, and points to another", i, r.RuleID)
			}
			if r.Level != "none" && r.Kind != "fail" {
				return nil, fmt.Errorf("result %d: kind %s with level %s", i, r.Kind, r.Level)
			}
		}
	}
	return log, nil
}

//go:embed junit.xsd
var schema []byte

// ErrNoXMLLint reports that xmllint, which validates by XML schemas, is missing.
var ErrNoXMLLint = errors.New("xmllint is not here (Debian: libxml2-utils) to hold JUnit XML against its schema")

// JUnit fails if a file is not valid by junit.xsd, or if a count is wrong. Without xmllint it returns
// [ErrNoXMLLint].
func JUnit(ctx context.Context, data []byte) error {
	if err := counts(data); err != nil {
		return err
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		return ErrNoXMLLint
	}
	f, err := os.CreateTemp("", "*.xsd")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(schema)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "xmllint", "--nonet", "--huge", "--noout", "--schema", f.Name(), "-")
	cmd.Stdin = bytes.NewReader(data)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// counts checks that every suite states how many of each kind it holds, and so does the root where it states any.
func counts(data []byte) error {
	counted := map[string]string{"testcase": "tests", "failure": "failures", "error": "errors", "skipped": "skipped"}
	type element struct {
		name       string
		attributes map[string]string
		counts     map[string]int
	}
	var open []element
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := element{x.Name.Local, map[string]string{}, map[string]int{}}
			for _, a := range x.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			for _, outer := range open {
				outer.counts[counted[e.name]]++
			}
			open = append(open, e)
		case xml.EndElement:
			e := open[len(open)-1]
			open = open[:len(open)-1]
			_, totals := e.attributes["tests"]
			if e.name != "testsuite" && !(e.name == "testsuites" && totals) { // where they may be left out
				continue
			}
			for _, a := range counted {
				text, said := e.attributes[a]
				if a == "skipped" && e.name == "testsuites" && !said {
					continue
				}
				if text := cmp.Or(text, "0"); text != strconv.Itoa(e.counts[a]) {
					return fmt.Errorf("<%s> with %s=%q: it has %d", e.name, a, text, e.counts[a])
				}
			}
		}
	}
}
