package semantic_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/sebdah/goldie/v2"
)

// A sentence is done if it has a rule that exists, a test that cites it, or a decision or reason in words.
func TestEverySentence(t *testing.T) {
	cited := citations(t)
	seen := map[string]bool{}
	ruled := map[string]bool{}
	var last semantic.Sentence
	for _, s := range semantic.Sentences() {
		if s.RFC == 0 || s.First == 0 || s.Last < s.First || s.Section == "" || s.Gist == "" || s.By == "" {
			t.Errorf("%+v: incomplete", s)
		}
		if last.RFC == s.RFC && last.First > s.First {
			t.Errorf("%s stands after %s", s.Key(), last.Key())
		}
		last = s
		if key := fmt.Sprint(s.Key(), s.Gist); seen[key] {
			t.Errorf("%s stands twice", s.Key())
		} else {
			seen[key] = true
		}
		switch s.Became {
		case semantic.BecameRule:
			for _, id := range s.Rules() {
				ruled[id] = true
				if r, ok := semantic.RuleByID(id); !ok || r.RFC != s.RFC {
					t.Errorf("%s became the rule %s, which does not exist", s.Key(), id)
				}
			}
		case semantic.BecameDefault, semantic.BecameDerived, semantic.BecameOperation, semantic.BecameGrammar:
			if !cited[s.Key()] {
				t.Errorf("%s (%s) became %s by %s, and no test cites it", s.Key(), s.Gist, s.Became, s.By)
			}
		case semantic.BecameDecision, semantic.Uncheckable:
			if !strings.Contains(s.By, " ") {
				t.Errorf("%s: %q does not say why", s.Key(), s.By)
			}
		default:
			t.Errorf("%s: %q is no outcome", s.Key(), s.Became)
		}
	}
	for _, r := range semantic.Rules() {
		if !ruled[r.ID] {
			t.Errorf("rule %s comes from no listed sentence", r.ID)
		}
	}
	for key := range cited {
		if !sentenceKeys[key] {
			t.Errorf("a test cites %s, which is no listed sentence", key)
		}
	}
}

// citations reads the keys out of the tests' source.
func citations(t *testing.T) map[string]bool {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	key := regexp.MustCompile(`"(1630|1738):\d+"`)
	cited := map[string]bool{}
	for _, f := range files {
		source, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range key.FindAll(source, -1) {
			cited[string(bytes.Trim(k, `"`))] = true
		}
	}
	return cited
}

// Every line of either text with a word that prescribes something lies in a listed sentence, or is one of those named
// here with a reason.
func TestNoSentenceForgotten(t *testing.T) {
	dir := os.Getenv("BNFCHECK_RFC")
	if dir == "" {
		t.Skip("BNFCHECK_RFC is not set: the texts are not here to be read")
	}
	prescribes := regexp.MustCompile(`(?i)\b(must|shall|should|may not|required?|reserved|defaults?|interpreted|recommended|never|always|only|is allowed|not allowed|equivalent|assumed|unsafe|omitted|optional(ly)?)\b`)
	for _, rfc := range families {
		text, err := os.ReadFile(filepath.Join(dir, "rfc"+rfc.String()+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		listed := map[int]bool{}
		for _, s := range semantic.Sentences() {
			if s.RFC == rfc {
				for n := s.First; n <= s.Last; n++ {
					listed[n] = true
				}
			}
		}
		for i, line := range strings.Split(string(text), "\n") {
			n := i + 1
			if prescribes.MatchString(line) && !listed[n] && unlisted[rfc][n] == "" && !outside(rfc, n) {
				t.Errorf("RFC %s line %d is in no listed sentence: %s", rfc, n, strings.TrimSpace(line))
			}
		}
	}
}

// outside reports whether a line stands where nothing is prescribed: the front matter, RFC 1630's two sections that "are not part
// of the specification", the acknowledgements and references.
func outside(rfc semantic.RFC, line int) bool {
	if rfc == semantic.RFC1738 {
		return line < 63 || 1130 <= line && line < 1183 || line >= 1239
	}
	return line < 268 || line >= 1471
}

var unlisted = map[semantic.RFC]map[int]string{
	semantic.RFC1630: {
		303: "heading", 311: "announces what follows", 373: "heading", 379: "heading", 399: "heading",
		633: "says what is not addressed", 992: "refers the reader to other documents", 1058: "describes mail",
		1210: "notation", 1262: "a production", 1281: "notation", 1442: "a production",
	},
	semantic.RFC1738: {
		77: "what a scheme has to specify", 140: "heading", 175: "heading", 416: "heading", 567: "heading",
		547: "announces the sections that follow", 928: "notation", 929: "notation", 932: "notation",
		1080: "a production", 1087: "a production",
	},
}

// The table in docs/semantics.md is made from the data.
func TestDocument(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(documentHead)
	for _, rfc := range families {
		fmt.Fprintf(&b, "\n## RFC %s\n\n| lines | section | the sentence, in our words | became | by |\n|---|---|---|---|---|\n", rfc)
		for _, s := range semantic.Sentences() {
			if s.RFC == rfc {
				fmt.Fprintf(&b, "| %d-%d | %s | %s | %s | %s |\n", s.First, s.Last, s.Section, cell(s.Gist), s.Became, cell(strings.ReplaceAll(s.By, ",1", ", 1")))
			}
		}
	}
	b.WriteString("\n## The rules\n\n| rule | section | severity | requirement |\n|---|---|---|---|\n")
	for _, r := range semantic.Rules() {
		fmt.Fprintf(&b, "| %s | %s, line %d | %s | %s |\n", r.ID, r.Section, r.Line, r.Severity, cell(r.Requirement))
	}
	goldie.New(t, goldie.WithFixtureDir("../docs"), goldie.WithNameSuffix(".md")).Assert(t, "semantics", b.Bytes())
}

func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_", "<", "&lt;", "`", "\\`").Replace(s)
}

const documentHead = `<!-- generated by: go test ./semantic -run TestDocument -update -->

# What the prose of both RFCs became

Every sentence of RFC 1630 and RFC 1738 that prescribes something, and what it became in package semantic: a rule (` + "`bnfcheck explain ID`" + `
prints it), a default, a part or step of the typed URL (derived), the behaviour of an operation, nothing beyond the BNF
(grammar), a decision, or, with the reason, nothing (uncheckable). A test fails if a row has no rule, no test that cites it and no decision, and
another if a line of either text has a prescribing word and is in no row.
`
