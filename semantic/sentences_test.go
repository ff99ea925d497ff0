package semantic_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// A sentence is done if it has a rule that exists, a test that cites it, or a decision or reason in words.
func TestEverySentence(t *testing.T) {
	cited := citations(t)
	seen := map[string]bool{}
	var last semantic.Sentence
	for _, s := range semantic.Sentences() {
		if s.Text == "" || s.First == 0 || s.Last < s.First || s.Section == "" || s.Gist == "" || s.By == "" {
			t.Errorf("%+v: incomplete", s)
		}
		if last.Text == s.Text && last.First > s.First {
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
				if r, ok := semantic.RuleByID(id); !ok || r.Text != s.Text {
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
	for key := range cited {
		if !sentenceKeys[key] {
			t.Errorf("a test cites %s, which is no listed sentence", key)
		}
	}
}

// citations reads the keys out of the source of the tests of this package and of those below it.
func citations(t *testing.T) map[string]bool {
	files := append(must.Of(filepath.Glob("*_test.go"))(t), must.Of(filepath.Glob("*/*_test.go"))(t)...)
	key := regexp.MustCompile(`"(1630|1738|draft06|3986):\d+"`)
	cited := map[string]bool{}
	for _, f := range files {
		source := must.Of(os.ReadFile(f))(t)
		for _, k := range key.FindAll(source, -1) {
			cited[string(bytes.Trim(k, `"`))] = true
		}
	}
	return cited
}

var prescribes = regexp.MustCompile(`(?i)\b(must|shall|should|may not|required?|reserved|defaults?|interpreted|recommended|never|always|only|is allowed|not allowed|equivalent|assumed|unsafe|omitted|optional(ly)?)\b`)

// Every line of either text with a word that prescribes something lies in a listed sentence, or is one of those named
// here with a reason.
func TestNoSentenceForgotten(t *testing.T) {
	dir := os.Getenv("BNFCHECK_RFC")
	if dir == "" {
		t.Skip("BNFCHECK_RFC is not set: the texts are not here to be read")
	}
	for _, rfc := range append(families[:], semantic.Family3986) {
		text := must.Of(os.ReadFile(filepath.Join(dir, "rfc"+rfc.String()+".txt")))(t)
		listed := map[int]bool{}
		for _, s := range semantic.Sentences() {
			if s.Text == rfc.String() {
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

// outside reports whether a line stands where nothing is prescribed: the front matter, RFC 1630's two sections that
// "are not part of the specification", the acknowledgements and references.
func outside(rfc semantic.Family, line int) bool {
	switch rfc {
	case semantic.Family3986: // appendix D, of what has changed, is a matter of claims
		return line < 168 || 2543 <= line && line < 2785 || line >= 2912
	case semantic.Family1738:
		return line < 63 || 1130 <= line && line < 1183 || line >= 1239
	}
	return line < 268 || line >= 1471
}

var unlisted = map[semantic.Family]map[int]string{
	semantic.Family1630: {
		303: "heading", 311: "announces what follows", 373: "heading", 379: "heading", 399: "heading",
		633: "says what is not addressed", 992: "refers the reader to other documents", 1058: "describes mail",
		1210: "notation", 1262: "a production", 1281: "notation", 1442: "a production",
	},
	semantic.Family1738: {
		77: "what a scheme has to specify", 140: "heading", 175: "heading", 416: "heading", 567: "heading",
		547: "announces the sections that follow", 928: "notation", 929: "notation", 932: "notation",
		1080: "a production", 1087: "a production",
	},
	semantic.Family3986: {651: "heading", 674: "a production", 1590: "a figure", 1642: "heading"},
}

// The table in docs/semantics.md is made from the data.
func TestDocument(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(documentHead)
	for _, g := range bnfcheck.Grammars() {
		fmt.Fprintf(&b, "\n## %s\n\n| lines | section | the sentence, in our words | became | by |\n|---|---|---|---|---|\n", g.Title)
		for _, s := range semantic.Sentences() {
			if s.Text == strings.TrimPrefix(g.Name, "rfc") {
				fmt.Fprintf(&b, "| %d-%d | %s | %s | %s | %s |\n", s.First, s.Last, s.Section, cell(s.Gist), s.Became, cell(strings.NewReplacer(",1", ", 1", ",d", ", d", ",3", ", 3").Replace(s.By)))
			}
		}
	}
	b.WriteString(contradictions)
	b.WriteString("\n## The rules\n\n| rule | section | severity | requirement |\n|---|---|---|---|\n")
	for _, r := range semantic.Rules() {
		fmt.Fprintf(&b, "| %s | %s, line %d | %s | %s |\n", r.ID, r.Section, r.Line, r.Severity, cell(r.Requirement))
	}
	goldentest.Whole(t, "../docs/semantics.md", b.String())
}

func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_", "<", "&lt;", "`", "\\`").Replace(s)
}

const contradictions = `
## Where a text disagrees with itself

| where | what | decision |
|---|---|---|
| RFC 1630, nntp | the text gives the name of the news server, the BNF has no place for it | the BNF is read; 1630/nntp-no-server says so |
| RFC 1630, ftp type | the text appends ";type=", the BNF a bare code that belongs to the path as well | neither is read as a type unless the reading 1630-ftptype is on; 1630/ftp-type says so |
| RFC 1630, gopher | the text lets the type alone be left out, the BNF the slash with it | the URL is generic-only, and is read as the text has it; 1630/gopher-type says so |
| RFC 1630, news | "@" tells a message identifier from a newsgroup in the text; the BNF has "@" in newsgroups as well, and no article whose host begins with a digit | the tree is the BNF's; News.Article is what has an "@" |
| RFC 1630, query | a real plus sign must be encoded, yet "+" is among the characters of a word in the URL BNF | every "+" in a query is a space |
| RFC 1630, host | a host name or internet address in the text, any xalphas in the BNF | the BNF is read; 1630/host-name says so |
| RFC 1630, hexadecimal digits | 0-9 and A-F in the text, lower case as well in the BNF | the BNF is read; 1630/hex-lower-case says so |
| RFC 1630, file, rlogin, tn3270 | described in the text, without a production | read by hand from what the generic BNF has found; 1630/file-prose and 1630/telnet-prose say so |
| RFC 1630, partial forms | for "/g" the rule as worded gives magic://a/b/c//d/g, the table of examples magic://a/g | the table is followed, partial.Resolution.AsWorded has the other |
| RFC 1630, HTTP examples | "name%%3Ddobbins" breaks the rule of Example 3 | it is rejected |
| RFC 1738, nntp | the article number is part of the only form in the text, optional in the BNF | the BNF is read; 1738/nntp-article-missing says so |
| RFC 1738, ftp type | a, i and d in the text, upper case as well in the BNF | the BNF is read; 1738/ftp-typecode-case says so |
| RFC 1738, gopher | a Gopher+ string follows selector, tab and search in section 3.4.3; what is sent for a form in section 3.4.9 has no search and one tab fewer | a form without a search is sent as section 3.4.9 has it, and one with a search as section 3.4.3 has it |
| RFC 1738, gopher | "no characters are reserved" in the text; in the BNF a search holds neither "/" nor "?" | the BNF is read: "%2F" in a search keeps its level |
| RFC 1738, file host | a fully qualified domain name in the text, an IP address as well in the BNF | the BNF is read; 1738/file-host says so |
| RFC 1738, gopher | a selector holds no tab in the text; in the BNF it holds the %09 that no search can follow | the BNF is read; 1738/gopher-selector says so |
| RFC 1738, wais | database and type have a meaning in the text and may be empty in the BNF | the BNF is read; 1738/wais-database and 1738/wais-type say so |
| RFC 1738, otherurl | "new schemes follow the general syntax" in the comment; the production derives the ten predefined schemes too | such a URL is generic-only, and an error |
| the draft, unsafe characters | only alphanumerics and "$", "-", "\_", ".", "+" may be transmitted unencoded, but for reserved ones; the BNF takes extra and national ones as well | the BNF is read; draft06/unsafe says so, and the canonical form has them encoded. "=" is reserved too, and keeps its level |
| the draft, host | a domain name in the text, any characters after a letter in the BNF | the BNF is read; draft06/host-name says so |
| the draft, other schemes | user, password, host and port in the text, none of them in otherurl | what otherurl derives is read by the production login where that derives what follows "//" |
| the draft, ftp | "CWD " and "RETR motd" for //etc/motd in the example; by the rule before it "CWD etc" stands between them | the rule is followed |
| the draft, gopher | a Gopher+ string after one encoded tab in section 3.4.1, after two in section 3.4.3 and in the BNF | the BNF is read: after the first is the search |
| the draft, gopher | the client sends no search for other types than 7 in the last words of section 3.4.3, an optional one in the first | the last words are followed |
| the draft, file | an empty host is the local machine in the text; the BNF has no file URL without a host | such a URL is generic-only, and is read as the text has it; draft06/file-empty-host says what to write |
| the draft, file | a path always follows the host in the form, and may be left out in the BNF | the BNF is read; Access says that such a URL names no file |
| the draft, nntp, ftp type, wais | as RFC 1738 | as RFC 1738 |

Where a text is silent:

- A void partial form, or one of a fragment alone, stands for the context itself.
- ".." next to the host, or at the very end of a path, stays, as does any that "xxx/../" does not match.
- "%20" and "+" in a query decode to the same, but do not change into each other: "+" is reserved.
- RFC 1630 does not say that the slash after a host may be left out: http://h and http://h/ differ under it, under RFC 1738 they do not. Of ftp URLs the draft does not say it, and RFC 1738 does.
- RFC 1630 does not say that upper-case letters in a scheme name are equivalent to lower-case ones: HTTP://A.B/ has a scheme that it does not define, and 1630/scheme-case says what may be meant.
- Names of hosts mean the same in either case (RFC 1034 section 3.1); message-ids do not.
- Default ports that RFC 1630 does not name are those of the protocols.
- Whether octets above 7F stand for ISO Latin 1 (RFC 1630) or nothing in particular (RFC 1738) makes no difference: parts decode to octets.
`

const documentHead = `<!-- generated by: go test ./semantic -run TestDocument -update -->

# What the prose of the texts became

Every sentence of RFC 1630, RFC 1738 and RFC 3986 that prescribes something, and those of draft-ietf-uri-url-06 that became rules or that RFC 1738 has
in other words or not at all; and what each became in package semantic and those below it: a rule (` + "`bnfcheck explain ID`" + `
prints it), a default, a part or step of the typed URL (derived), the behavior of an operation, nothing beyond the BNF
(grammar), a decision, or, with the reason, nothing (uncheckable). A test fails if a row has no rule, no test that cites it and no decision, and
another if a line of a text has a prescribing word and is in no row (of the draft: and its sentence is not one of RFC 1738's). A rule cites the
sentence that states it; "see" refers to a rule that another sentence states. A name after a slash, URL.Canonical/ftp-slash, is what only some
texts of a family ask for.
`
