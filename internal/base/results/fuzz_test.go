package results

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// What is written in each format is read back as what was written: SARIF with each result, its rule, its level and
// its place, JUnit with each test case, JSON with each witness, Markdown with a row for each that did not pass. No
// format has a control character in it.
func FuzzWrite(f *testing.F) {
	for _, r := range sample {
		f.Add(r.Suite, r.Name, r.Message, r.Witness, r.Place.File, uint8(r.Place.Line))
	}
	f.Add("s", "]]>", "\x1b[0m\u202e|`<", "\xff", "a b%/é", uint8(255))
	f.Fuzz(func(t *testing.T, suite, name, message, witness, file string, number uint8) {
		outcomes := []Outcome{Passed, Noted, Failed, Skipped, Broken}
		one := Result{Suite: suite, Name: name, Outcome: outcomes[int(number)%len(outcomes)], Message: message, Rule: "r/" + name, Title: message,
			Witness: witness, Shown: number%2 == 0, Place: Place{File: file, Line: int(number), Column: 3}}
		two := Result{Suite: suite, Name: name + "2", Outcome: Failed, Level: Warning, Detail: witness, Rule: "r/other"}
		list := []Result{one, two}
		for _, format := range Formats {
			out := write(t, format, list)
			if !utf8.Valid(out) {
				t.Fatalf("%s is not UTF-8: %q", format, out)
			}
			for _, c := range string(out) {
				if c < ' ' && c != '\n' && c != '\t' || 0x7f <= c && c < 0xa0 || 0x202a <= c && c <= 0x202e {
					t.Fatalf("%s has the character %U: %q", format, c, out)
				}
			}
			if limit := 4096 + 60*(len(suite)+len(name)+len(message)+len(witness)+len(file)); len(out) > limit {
				t.Fatalf("%s has %d bytes", format, len(out))
			}
		}
		var log sarifLog
		if err := json.Unmarshal(write(t, "sarif", list), &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) != 2 {
			t.Fatalf("%v: %+v", err, log)
		}
		rules := log.Runs[0].Tool.Driver.Rules
		for i, r := range log.Runs[0].Results {
			if id, title := list[i].ruleWords(); r.RuleID != id || rules[r.RuleIndex].ID != id || rules[r.RuleIndex].ShortDescription.Text == "" || title == "" {
				t.Errorf("rule %q at %d of %+v, want %q", r.RuleID, r.RuleIndex, rules, id)
			}
			if fails := list[i].Outcome == Failed || list[i].Outcome == Noted; (r.Kind == "fail") != fails || (r.Level == "none") == fails {
				t.Errorf("%s is a %s of level %s", list[i].Outcome, r.Kind, r.Level)
			}
			if !strings.HasPrefix(r.Message.Text, Visible(list[i].Name)) {
				t.Errorf("message %q of %q", r.Message.Text, list[i].Name)
			}
			if (list[i].Place.File != "") != (len(r.Locations) == 1) {
				t.Fatalf("%d locations of %q", len(r.Locations), list[i].Place.File)
			}
			if len(r.Locations) == 0 {
				continue
			}
			place := r.Locations[0].PhysicalLocation
			u, err := url.Parse(place.ArtifactLocation.URI)
			if err != nil || strings.TrimPrefix(u.Path, "./") != strings.TrimPrefix(list[i].Place.File, "./") || (list[i].Place.Line > 0) != (place.Region != nil) {
				t.Errorf("the place %+v is written as %+v (%v)", list[i].Place, place, err)
			}
			if place.Region != nil && place.Region.StartLine != list[i].Place.Line {
				t.Errorf("line %d, want %d", place.Region.StartLine, list[i].Place.Line)
			}
		}
		var back struct {
			Results []struct {
				Suite, Name   string
				Outcome       Outcome
				Witness       *string
				WitnessBase64 []byte `json:"witness_base64"`
			}
		}
		if err := json.Unmarshal(write(t, "json", list), &back); err != nil || len(back.Results) != 2 {
			t.Fatal(err)
		}
		for i, r := range back.Results {
			if utf8.ValidString(name) && r.Name != list[i].Name || r.Outcome != list[i].Outcome {
				t.Errorf("JSON of %+v is read as %+v", list[i], r)
			}
			text := string(r.WitnessBase64)
			if r.Witness != nil {
				text = *r.Witness
			}
			if list[i].Shown && text != list[i].Witness {
				t.Errorf("the witness %q is read as %q", list[i].Witness, text)
			}
		}
		cases := 0
		for d := xml.NewDecoder(bytes.NewReader(write(t, "junit", list))); ; {
			token, err := d.Token()
			if token == nil {
				if err.Error() != "EOF" {
					t.Fatal(err)
				}
				break
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "testcase" {
				cases++
			}
		}
		if cases != 2 {
			t.Errorf("%d test cases in JUnit", cases)
		}
	})
}
