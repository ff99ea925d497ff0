package playground

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/report/playground/engine"
	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// page returns a page with an engine that nobody asks.
func page(t *testing.T, s *State) string {
	return pageWith(t, &webengine.Engine{Program: []byte("a program"), Glue: "// glue"}, s)
}

func pageWith(t *testing.T, e *webengine.Engine, s *State) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, Write(&b, e, "v1.2.3", s))
	return b.String()
}

// docs/playground.md says how much the page weighs.
func TestWeight(t *testing.T) {
	text := must.Of(os.ReadFile("../../../docs/playground.md"))(t)
	e := must.Of(webengine.Load(t.Context(), webengine.Watcher{Say: func(sentence string) { t.Log(sentence) }}))(t)
	whole := pageWith(t, e, nil)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(whole)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		row string
		n   int
	}{{"the compiled program, compressed by gzip", len(e.Program)}, {"the page", len(whole)}, {"the page, as a server compresses it (gzip)", packed.Len()}} {
		m := regexp.MustCompile(`\| ` + regexp.QuoteMeta(c.row) + ` \| at most ([0-9,]+) \|`).FindSubmatch(text)
		if m == nil {
			t.Errorf("playground.md has no row %q", c.row)
			continue
		}
		most, err := strconv.Atoi(strings.ReplaceAll(string(m[1]), ",", ""))
		if err != nil || c.n > most || c.n < most*8/10 {
			t.Errorf("%s: %d bytes; playground.md says at most %s", c.row, c.n, m[1])
		}
	}
}

// The page names no address but that of the project, and no script runs in it that its policy does not know.
func TestThePageLoadsNothing(t *testing.T) {
	whole := page(t, nil)
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(whole)
	if policy == nil || policy[1] != webengine.Policy([]byte(whole)) || strings.Count(policy[1], "'sha256-") != strings.Count(whole, "<script>") || !strings.HasPrefix(policy[1], "default-src 'none'") {
		t.Errorf("the policy is %q", policy)
	}
	own := strings.Replace(whole, editor, "", 1)
	for _, m := range regexp.MustCompile(`(?i)(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//[^"')\s]*`).FindAllString(own, -1) {
		if !strings.HasPrefix(m, `href="https://github.com/bnfcheck/bnfcheck`) {
			t.Errorf("%s", m)
		}
	}
	if m := regexp.MustCompile(`\{\{[^}]*\}\}|POLICY-OF`).FindString(whole); m != "" {
		t.Errorf("%s was not filled in", m)
	}
}

// What a page begins with cannot end its script.
func TestState(t *testing.T) {
	deep := 2
	want := State{Grammar: engine.Source{Text: "a = \"</script><!--\"\n", Kind: "abnf", Start: "a", Nesting: &deep}, Strings: []string{"\u2028<"}, Escapes: true}
	m := regexp.MustCompile(`(?s)id="saved">(.*?)</script>`).FindStringSubmatch(page(t, &want))
	var got State
	if m == nil || json.Unmarshal([]byte(m[1]), &got) != nil || got.Grammar.Text != want.Grammar.Text || *got.Grammar.Nesting != 2 || got.Strings[0] != want.Strings[0] || !got.Escapes {
		t.Errorf("%q: %+v", m, got)
	}
}

// Every example can be read, compared and its strings judged, some accepted and some not.
func TestExamples(t *testing.T) {
	text := must.Of(exampleJSON())(t)
	var list []example
	if err := json.Unmarshal(text, &list); err != nil || len(list) < 4 {
		t.Fatal(len(list), err)
	}
	for _, x := range list {
		s := engine.New()
		q := engine.Question{Ask: "read", Grammar: x.Grammar}
		for _, w := range x.Strings {
			q.Strings = append(q.Strings, []byte(w))
		}
		ask := func(to any) {
			question := must.Of(json.Marshal(q))(t)
			if answer := s.Answer(question); json.Unmarshal(answer, to) != nil {
				t.Fatalf("%s: %s: %.300s", x.Title, q.Ask, answer)
			}
		}
		var r engine.Reading
		if ask(&r); r.Failed || slices.ContainsFunc(r.Marks, func(m engine.Mark) bool { return m.Level == "error" }) {
			t.Errorf("%s: %+v", x.Title, r.Marks)
		}
		q.Ask = "check"
		var verdicts []engine.Verdict
		ask(&verdicts)
		accepted := func(v engine.Verdict) bool { return v.Accepted }
		if !slices.ContainsFunc(verdicts, accepted) || slices.IndexFunc(verdicts, func(v engine.Verdict) bool { return !v.Accepted && v.Undecided == "" }) < 0 {
			t.Errorf("%s: %+v", x.Title, verdicts)
		}
		if q.Other = x.Other; x.Other.Text != "" {
			q.Ask = "diff"
			var d engine.Comparison
			if ask(&d); d.Equal || d.Sentence == "" {
				t.Errorf("%s: %+v", x.Title, d)
			}
		}
	}
}

// The bundle is what package.json names.
func TestTheBundleIsOfTheVersions(t *testing.T) {
	text := must.Of(os.ReadFile("editor/package.json"))(t)
	var p struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &p); err != nil || len(p.Dependencies) == 0 {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(editor, "\n")
	bundled := strings.Fields(strings.TrimSuffix(strings.TrimPrefix(line, "// "), "; licenses: editor.LICENSE"))
	for name, version := range p.Dependencies {
		if !slices.Contains(bundled, name+"@"+version) {
			t.Errorf("the bundle has not %s@%s; run go run ./internal/report/playground/editor", name, version)
		}
	}
	for _, b := range bundled {
		name := b[:strings.LastIndex(b, "@")]
		if !strings.Contains(licenses, name) {
			t.Errorf("editor.LICENSE does not name %s", name)
		}
	}
	if !strings.Contains(licenses, "Permission is hereby granted") {
		t.Error("no license")
	}
}
