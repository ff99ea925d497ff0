package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// transcriptions are the published ones, and the production that each is meant for.
var transcriptions = []struct{ peg, abnf, start string }{
	{"pegjs/jssip.pegjs", "abnf/sip3261.abnf", "SIP-URI"},
	{"pegjs/jssip.pegjs", "abnf/sip3261.abnf", "transport-param"},
	{"pegjs/rfc3986-uri.pegjs", "abnf/rfc3986.abnf", "URI-reference"},
	{"pegjs/rfc5646-language.pegjs", "abnf/bcp47.abnf", "langtag"},
	{"peg/jssip.peg", "abnf/sip3261.abnf", "SIP-URI"},
	{"peg/c3986.peg", "abnf/rfc3986.abnf", "URI-reference"},
	{"peg/c5646.peg", "abnf/bcp47.abnf", "langtag"},
}

// published are the transcriptions that others have published: where, whether that is the newest, what is claimed, and what
// the file says itself of rules that are not as in the ABNF.
var published = map[string]struct {
	from, claim string
	said        []string // rules
	words       string   // of the file about them
	also        string   // of these a rule, with a string that it loses for a reason which the file does not give; "" for none
}{
	"pegjs/rfc3986-uri.pegjs": {
		"for-GET/core-pegjs, commit f983ef4 of 2014, the newest", core, []string{"authority", "IPvFuture", "reg-name"},
		"// CHANGE Ignore due to https://github.com/for-GET/core-pegjs/issues/8",
		"IPvFuture Va.a", // strings of ABNF are in either case, and those of peggy are not
	},
	"pegjs/rfc5646-language.pegjs": {"for-GET/core-pegjs, commit f983ef4 of 2014, the newest", core, nil, "", ""},
	"pegjs/jssip.pegjs": {
		"JsSIP 3.13.8, the newest that npm has, whose package.json compiles it with pegjs ^0.7.0", "nothing", []string{"domainlabel", "toplabel"},
		"// 'domainlabel' and 'toplabel' can end with dash or hypen", "",
	},
}

// core is the claim of core-pegjs.
const core = "“Wherever there are ABNF specifications, the ABNF rules MUST simply ported to PEGjs without any semantic " +
	"modification.” (its README)"

// ruleMatches reports whether a rule of a file has a string.
func ruleMatches(t *testing.T, file, rule, word string) bool {
	t.Helper()
	o := catalog.Usual
	o.PEG.ActionsSucceed = true
	opened := must.Of(catalog.Open(file+"#"+rule, o))(t)
	start := must.Of(opened.Start())(t)
	return must.Of(opened.Automaton(start))(t).Match(word)
}

var writtenTranscriptions = regexp.MustCompile(`(?s)(<!-- written by TestTranscriptions -->\n).*(<!-- end -->)`)

// TestTranscriptions holds transcriptions.md against the documents.
func TestTranscriptions(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO names no folder with other people's grammars")
	}
	page := read(t, "transcriptions.md")
	var b, table strings.Builder
	table.WriteString("| transcription | says of the grammar | wrong by itself, and said in the file | " +
		"wrong by itself, and not said |\n|---|---|---|---|\n")
	for _, c := range transcriptions {
		var text [2][]byte
		for i, name := range []string{c.abnf, c.peg} {
			text[i] = must.Of(os.ReadFile(filepath.Join(folder, name)))(t)
		}
		vouch := "" // for code: only the files of peggy have any
		if strings.HasPrefix(c.peg, "pegjs/") {
			vouch = " --assume-actions-succeed"
		}
		pair, err := catalog.Files(c.abnf, text[0], c.peg, text[1], catalog.FileOptions{ActionsSucceed: vouch != ""})
		if err != nil {
			t.Error(err)
			continue
		}
		r, err := prove.Prove(pair, prove.Options{Productions: []string{c.start}, AllowMissing: true})
		if err != nil {
			t.Error(err)
			continue
		}
		if len(r.Causes) == 0 {
			t.Errorf("%s: no cause", c.peg)
		}
		if p, ok := published[c.peg]; ok && !strings.Contains(table.String(), c.peg) {
			if !strings.Contains(string(text[1]), p.words) {
				t.Errorf("%s does not say %q", c.peg, p.words)
			}
			var said, other []string
			for _, cause := range r.Causes {
				list := &other
				if slices.Contains(p.said, cause.Production) {
					list = &said
				}
				*list = append(*list, "`"+cause.Production+"`")
			}
			said, other = slices.Compact(said), slices.Compact(other)
			if rule, word, ok := strings.Cut(p.also, " "); ok {
				derives, matches := ruleMatches(t, filepath.Join(folder, c.abnf), rule, word), ruleMatches(t, filepath.Join(folder, c.peg), rule, word)
				if !derives || matches {
					t.Errorf("%s: %s of %q: derived %v, matched %v", c.peg, rule, word, derives, matches)
				}
				other = append(other, fmt.Sprintf("`%s`, which loses `%s` as well", rule, word))
			}
			if len(said) != len(p.said) {
				t.Errorf("%s: of %s only %s are wrong by themselves", c.peg, p.said, said)
			}
			words := "none"
			if p.words != "" {
				words = strings.Join(said, ", ") + ": “" + p.words + "”"
			}
			fmt.Fprintf(&table, "| %s, of %s | %s | %s | %s |\n", c.peg, p.from, p.claim, words, strings.Join(other, ", "))
		}
		lines := strings.SplitAfterN(string(r.AppendText(nil, &layout.Screen{}, false, 0, nil)), "\n", 4)
		fmt.Fprintf(&b, "```text\n$ bnfcheck prove %s#%s %s --allow-missing%s | head -3\n%s```\n\n", c.abnf, c.start, c.peg, vouch, strings.Join(lines[:3], ""))
	}
	goldentest.Whole(t, "transcriptions.md", writtenTranscriptions.ReplaceAllString(page, "${1}\n"+strings.ReplaceAll(table.String()+"\n"+b.String(), "$", "$$")+"${2}"))
	files := must.Of(filepath.Glob(filepath.Join(folder, "peg*", "*")))(t)
	for _, file := range files {
		o := catalog.Usual
		o.PEG.ActionsSucceed = true
		if _, err := catalog.Open(file, o); err != nil {
			t.Error(err)
		}
	}
}
