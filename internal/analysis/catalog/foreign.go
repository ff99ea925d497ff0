package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A foreignNotation is a way of writing grammars that is recognized and not read. Most of them hold code, or leave
// the text between words to a separate lexer.
type foreignNotation struct {
	name    string
	endings []string       // endings of the names of such files
	signs   *regexp.Regexp // matches signs that hardly any other text has; nil if there are none
	advice  string
}

const (
	asEBNF   = `write its rules as W3C EBNF, name ::= "a" name? | [a-z]+, in a file that ends in .ebnf`
	asPigeon = `write it in pigeon's notation, name <- "a" / name, in a file that ends in .peg`
	asPeggy  = `write it in peggy's notation, name = "a" / name, in a file that ends in .peggy`
)

// pest is also recognized in a text that is nothing but braces: see [isPest].
var pest = foreignNotation{
	name:    "a PEG of pest",
	endings: []string{".pest"},
	signs:   regexp.MustCompile(`(?m)^[ \t]*\w+[ \t]*=[ \t]*(?:[_@$!]\{|\{[^{}]*~)`),
	advice:  asPigeon,
}

// foreignNotations lists the notations; a new one is a row.
var foreignNotations = []foreignNotation{
	{
		name:    "a grammar of ANTLR",
		endings: []string{".g4", ".g"},
		signs:   regexp.MustCompile(`(?m)^[ \t]*(?:(?:lexer|parser|tree)[ \t]+)?grammar[ \t]+\w+[ \t]*;`),
		advice:  asEBNF + "; --tokens skips white space",
	},
	{
		name:    "a grammar of Lark",
		endings: []string{".lark"},
		signs:   regexp.MustCompile(`(?m)^%(?:import|ignore|declare)[ \t]|^\?start[ \t]*:`),
		advice:  asEBNF + "; --tokens skips white space",
	},
	pest,
	{
		name:   "a grammar of tree-sitter",
		signs:  regexp.MustCompile(`(?:module\.exports[ \t]*=|export default)[ \t]*grammar\(`),
		advice: asEBNF,
	},
	{
		name:    "a grammar of YACC or Bison",
		endings: []string{".y", ".yy", ".ypp"},
		signs: regexp.MustCompile(`(?ms)^%(?:token|start|union|left|right|type|define|\{).*^%%[ \t]*$` +
			`|^%%[ \t]*$.*^\w+[ \t\n]*:.*^[ \t]*;`),
		advice: asEBNF + ", without its code",
	},
	{
		name:    "a PEG of Ohm",
		endings: []string{".ohm"},
		signs:   regexp.MustCompile(`(?m)\A\s*(?:/[/*].*\n\s*)*[A-Z]\w*[ \t]*(?:<:[ \t]*\w+[ \t]*)?\{[ \t]*$`),
		advice:  asPeggy,
	},
	{
		name:    "a grammar of Nearley",
		endings: []string{".ne"},
		signs: regexp.MustCompile(`(?m)^@(?:builtin|preprocessor|lexer)\b|^@include[ \t]+"[^"\n]*\.ne"` +
			`|^[ \t]*\w+[ \t]*->.*\{%`),
		advice: asEBNF,
	},
	{
		name:   "a grammar of TatSu",
		signs:  regexp.MustCompile(`(?m)^@@\w+[ \t]*::`),
		advice: asPeggy,
	},
	{
		name:    "a PEG of CPython's pegen",
		endings: []string{".gram"},
		signs:   regexp.MustCompile(`(?m)^@(?:class|subheader|trailer|modulename)\b`),
		advice:  asPeggy,
	},
	{
		name:   "a PEG of cpp-peglib",
		signs:  regexp.MustCompile(`(?m)^%(?:whitespace|word)[ \t]*<-`),
		advice: asPigeon,
	},
	{
		name:   "a PEG of pointlander/peg",
		signs:  regexp.MustCompile(`(?m)^type[ \t]+\w+[ \t]+Peg[ \t]*\{`),
		advice: `leave out "package" and "type", and write actions and predicates as pigeon does`,
	},
	{
		name:   "a PEG of rust-peg",
		signs:  regexp.MustCompile(`peg::parser!|(?m)^[ \t]*(?:pub )?rule \w+\(\)`),
		advice: asPigeon,
	},
	{
		name:    "a grammar of Treetop",
		endings: []string{".tt", ".treetop"},
		signs:   regexp.MustCompile(`(?ms)^[ \t]*grammar \w+$.*^[ \t]*rule \w+$`),
		advice:  asPigeon,
	},
	{
		name:    "a module of ASN.1",
		endings: []string{".asn1", ".asn"},
		signs:   regexp.MustCompile(`\bDEFINITIONS\b[^:]*::=\s*BEGIN\b`),
		advice:  "it describes values, and no strings",
	},
	{
		name:    "a schema in CDDL",
		endings: []string{".cddl"},
		advice:  "it describes data, and no strings",
	},
}

var (
	definedWithEqual  = regexp.MustCompile(`(?m)^[ \t]*\w+[ \t]*=`)
	definedByOneBrace = regexp.MustCompile(`(?m)^[ \t]*\w+[ \t]*=[ \t]*\{[^{}]*\}[ \t]*(?:\r?\n|$)`)
)

// isPest reports whether each right-hand side of a text is one pair of braces. A reader of ISO 14977 takes them for
// repetitions, but no grammar has nothing else. One production alone tells nothing.
func isPest(text []byte) bool {
	all := len(definedWithEqual.FindAllIndex(text, -1))
	return all > 1 && all == len(definedByOneBrace.FindAllIndex(text, -1))
}

// foreignNotationOf returns the notation that a text is written in, if it is one that is not read: by the ending of
// the file's name, or else by signs in the text. It returns nil if none is recognized.
func foreignNotationOf(file string, text []byte) *foreignNotation {
	ending := strings.ToLower(path.Ext(filepath.ToSlash(file)))
	for i, n := range foreignNotations {
		if slices.Contains(n.endings, ending) {
			return &foreignNotations[i]
		}
	}
	for i, n := range foreignNotations {
		if n.signs != nil && n.signs.Match(text) {
			return &foreignNotations[i]
		}
	}
	if isPest(text) {
		return &pest
	}
	return nil
}

// error returns an error that says what the text in a file is, and what to do.
func (n *foreignNotation) error(file string) error {
	return expr.Errorf(expr.Pos{File: file, Line: 1, Col: 1}, "this is %s, which is not read: %s", n.name, n.advice)
}

const html = "a page of HTML"

// foreignContent returns what a text is if it was written for another purpose: a PDF, a page of HTML, or JSON. It
// returns "" for any other text.
func foreignContent(text []byte) string {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\uFEFF")))
	switch {
	case bytes.HasPrefix(text, []byte("%PDF-")):
		return "a PDF"
	case bnf.IsHTML(text):
		return html
	case len(text) > 0 && (text[0] == '{' || text[0] == '[') && json.Valid(text):
		return "JSON"
	}
	return ""
}

// unknownKindError returns the error for a file whose name does not tell its kind, which says what the text is if
// that is recognized.
func unknownKindError(file string, text []byte) error {
	if what := foreignContent(text); what != "" {
		return expr.Errorf(expr.Pos{File: file, Line: 1, Col: 1}, "this is %s, and no grammar", what)
	}
	if n := foreignNotationOf(file, text); n != nil {
		return n.error(file)
	}
	return fmt.Errorf("%s: the name does not tell what kind of grammar it is: end it in %s, or choose with --kind",
		file, endingsInWords())
}
