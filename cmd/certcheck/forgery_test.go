package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A forgery is made on purpose to have something verified that is not so: by a certificate in lines, or by the honest one of
// another pair of grammars, or of the pair, in which some lines have others instead.
type forgery struct {
	idea      string
	bnf, peg  string
	lines     string
	ofBNF, of string
	edits     []string // old and new
	want      string   // in what certcheck says
	judgeYes  string   // why the proven checker accepts it
}

// one is the certificate of a = %x78 and a <- "x", and of other pairs whose lines say that both are the same.
const one = `class 0 00-77,7a-ff
class 1 78
class 2 79
term 1 rule bnf a
term 2 bytes 78
term 3 rule peg a
language 3 - 1:2
bnf 1 before 2 is 3
bnf 2 before 2 is 3
peg 3 before 2 is 3
peg 2 before 2 is 3
equal a a 3
`

const same = "the statement is true"

var (
	xBNF, xPEG = "a = %x78\n", "a <- \"x\"\n"
	yPEG       = "a <- \"y\"\n"
	starBNF    = "a = *%x78\n"
	starPEG    = "a <- \"x\"*\n"
	hidingBNF  = "a = b / %x79\nb = [ %x78 ]\n"
	hidingPEG  = "a <- b / \"y\"\nb <- \"x\"?\n"
	twoBNF     = "a = %x78\nc = %x79\n"
	twoPEG     = "a <- \"y\"\nc <- \"x\"\n"
	oneE9      = strings.NewReplacer("00-77,7a-ff", "00-78,7a-e8,ea-ff", "78", "e9").Replace(one)
)

// hiding states that b hides nothing in hidingPEG, if language 1 has no word of bytes whose classes come after those before.
func hiding(before int, classes string) string {
	n := func(text string) string {
		if before == 0 {
			text = strings.ReplaceAll(text, " W:1", "")
		}
		return strings.NewReplacer("W", fmt.Sprint("0-", before-1), "X", fmt.Sprint(before+1), "Y", fmt.Sprint(before+2)).Replace(text)
	}
	return classes + fmt.Sprintf("class %d 00-77,7a-ff\nclass %d 78\nclass %d 79\n", before, before+1, before+2) +
		"term 1 rule bnf a\nterm 2 rule bnf b\nterm 3 bytes 79\nterm 4 alt 2 3\nterm 5 bytes 78\nterm 6 alt 5 0\nterm 7 rule peg a\n" +
		"term 8 rule peg b\nterm 9 alt 8 3\n" +
		n("language 3 + X-Y:2\nlanguage 4 + X:2\nlanguage 5 - Y:2\nlanguage 6 - X:2\nlanguage 7 - X:1\nlanguage 8 + W:1 X:1\n") +
		n("language 9 + W:1\n") +
		"union 4 5 is 3\nunion 6 2 is 4\nminus 2 7 is 2\nminus 1 7 is 9\nunion 7 9 is 8\nminus 5 8 is 5\n" +
		"bnf 1 before 2 is 3\nbnf 4 before 2 is 3\nbnf 2 before 2 is 4\nbnf 6 before 2 is 4\nbnf 5 before 2 is 6\nbnf 3 before 2 is 5\n" +
		"peg 7 before 2 is 3\npeg 9 before 2 is 3\npeg 8 before 2 is 4\npeg 6 before 2 is 4\npeg 5 before 2 is 6\npeg 5 before 1 is 7\n" +
		"peg 8 before 1 is 8\npeg 6 before 1 is 8\npeg 3 before 2 is 5\nequal a a 3\nequal b b 4\n"
}

func classesOf(n int, set string) (lines string) {
	for i := range n {
		lines += fmt.Sprintf("class %d %s\n", i, set)
	}
	return lines
}

var forgeries = []forgery{
	// languages
	{idea: "1 is less than every word behind 256 classes without a byte", bnf: hidingBNF, peg: hidingPEG,
		lines: hiding(256, classesOf(256, "none")), want: "a class has no byte"},
	{idea: "1 is less than every word behind 256 classes that end before they begin", bnf: hidingBNF, peg: hidingPEG,
		lines: hiding(256, classesOf(256, "ff-00")), want: `unexpected bytes "ff-00"`},
	{idea: "1 is less than every word", bnf: hidingBNF, peg: hidingPEG, lines: hiding(0, ""), want: "language 9 leads to 0 on class 0, and not to 1"},
	{idea: "1 is defined anew", bnf: hidingBNF, peg: hidingPEG, ofBNF: hidingBNF, of: hidingPEG,
		edits: []string{"language 3", "language 1 + 0:0\nlanguage 3"}, want: "expected language 3", judgeYes: "of 0, 1 and 2 it ignores lines"},
	{idea: "0 is defined anew", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"language 3", "language 0 + 0-2:1\nlanguage 3"},
		want: "expected language 3", judgeYes: same},
	{idea: "2 is defined anew", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"language 3", "language 2 -\nlanguage 3"},
		want: "expected language 3", judgeYes: same},
	{idea: "a language is defined twice", bnf: starBNF, peg: starPEG, ofBNF: starBNF, of: starPEG,
		edits: []string{"language 4 -", "language 3 -"}, want: "expected language 4"},
	{idea: "a language leads to a class in two ways", bnf: xBNF, peg: yPEG, lines: one,
		edits: []string{"language 3 - 1:2", "language 3 - 1-2:2 2:0"}, want: "not in order"},
	{idea: "classes in the other order", bnf: xBNF, peg: yPEG, lines: one, edits: []string{"- 1:2", "- 2-1:2"}, want: "not in order"},
	{idea: "a class that there is not", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"- 1:2", "- 1:2 3:2"}, want: "not in order, or not there", judgeYes: same},
	{idea: "a language that there is not", bnf: xBNF, peg: yPEG, lines: one, edits: []string{"peg 2 before 2 is 3", "peg 2 before 4 is 4"},
		want: "a language that there is not"},
	{idea: "a line leads to a language that there is not", bnf: xBNF, peg: xPEG, lines: one,
		edits: []string{"language 3 - 1:2", "language 3 - 1:2 2:9"}, want: "language 3 is wrong about the byte 79"},
	{idea: "another empty word", bnf: "a = [ %x78 ]\n", peg: xPEG, ofBNF: "a = [ %x78 ]\n", of: "a <- \"x\"?\n", want: "the parts make language 4, and not 3"},
	{idea: "the empty word is in no language", bnf: starBNF, peg: "a <- \"x\"+\n", ofBNF: starBNF, of: starPEG,
		edits: []string{"language 3 +", "language 3 -"}, want: "language 3 is wrong about the empty word"},
	{idea: "a union that is wrong about the empty word", bnf: starBNF, peg: starPEG, ofBNF: starBNF, of: starPEG,
		edits: []string{"language 3 + 1:3", "language 3 - 1:3"}, want: "wrong about the empty word"},
	{idea: "a union that is wrong about a class", bnf: hidingBNF, peg: hidingPEG, ofBNF: hidingBNF, of: hidingPEG,
		edits: []string{"language 3 + 1-2:2", "language 3 + 1:2"}, want: "language 3 leads to 0 on class 2"},
	{idea: "a difference that takes nothing away", bnf: hidingBNF, peg: hidingPEG, ofBNF: hidingBNF, of: hidingPEG,
		edits: []string{"minus 1 7 is 8", "minus 1 7 is 1"}, want: "wrong about the empty word|leads to"},
	{idea: "a line about a plain union", bnf: xBNF, peg: yPEG, lines: one, edits: []string{"bnf 1 b", "union 0 3 is 2\nbnf 1 b"},
		want: "language 2 is wrong about the empty word"},
	{idea: "two results of one union", bnf: hidingBNF, peg: hidingPEG, ofBNF: hidingBNF, of: hidingPEG,
		edits: []string{"union 4 5 is 3\n", "union 4 5 is 3\nunion 4 5 is 4\n"}, want: "stated twice"},

	{idea: "a byte and the empty word", bnf: "a = [ %x78 ]\n", peg: xPEG,
		lines: "class 0 00-77,79-ff\nclass 1 78\nterm 1 rule bnf a\nterm 2 bytes 78\nterm 3 alt 2 0\nterm 4 rule peg a\nlanguage 3 + 1:2\n" +
			"language 4 - 1:2\nunion 3 2 is 3\nbnf 1 before 2 is 3\nbnf 3 before 2 is 3\nbnf 2 before 2 is 3\npeg 4 before 2 is 3\npeg 2 before 2 is 3\nequal a a 3\n",
		want: "language 3 has the empty word"},
	{idea: "a step to no number", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"- 1:2", "- 1:2 2:"}, want: `expected a number, found ""`},

	// classes
	{idea: "a byte is in two classes", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"class 1 78", "class 1 78-79"},
		want: "the byte 79 is in two classes"},
	{idea: "a byte is in no class", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"00-77,7a-ff", "00-77,7a-fe"},
		want: "a byte is in no class", judgeYes: "a byte in no class is in class 0 there"},
	{idea: "two bytes of one class", bnf: xBNF, peg: "a <- [xy]\n", lines: one,
		edits: []string{"class 1 78\nclass 2 79", "class 1 78-79", "peg 2", "peg 4", "term 3", "term 3 bytes 78\nterm 4 bytes 78-79\nterm 5", "peg 3", "peg 5"},
		want:  "a term above"},
	{idea: "a class out of turn", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"class 2 79", "class 1 79"}, want: "expected class 2"},
	{idea: "a set in another form", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"7a-ff", "-7aff"}, want: `expected a number, found ""`},
	{idea: "a set that is none and more", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"7a-ff", "7a-ff,none"}, want: `expected a number, found "none"`},

	// terms
	{idea: "another byte", bnf: xBNF, peg: yPEG, lines: one, want: "needs a line about peg"},
	{idea: "a term that is not there yet", bnf: "a = %x78 %x79\n", peg: yPEG, ofBNF: "a = %x78 %x79\n", of: "a <- \"xy\"\n",
		edits: []string{"term 4 seq 2 3", "term 4 seq 2 9"}, want: "of one that is not"},
	{idea: "a term that is only in the grammar", bnf: "r0 = r1\nr1 = %x62\n", peg: "r0 <- r1\nr1 <- \"b\"\n", ofBNF: "r0 = r1\nr1 = %x62\n", of: "r0 <- r1\nr1 <- \"b\"\n",
		edits: []string{"term 5 rule peg r1\n", ""}, want: "of a term above"},
	{idea: "a term within itself", bnf: starBNF, peg: starPEG, ofBNF: starBNF, of: starPEG, edits: []string{"star 2", "star 3"}, want: "of one that is not"},
	{idea: "term 0 is defined", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"term 1 rule", "term 0 bytes 78\nterm 1 rule"}, want: "expected term 1"},
	{idea: "a kind that there is not", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"term 3 ", "term 3 and 2\nterm 4 "}, want: "expected term 3, of a kind"},
	{idea: "a rule of the other grammar", bnf: xBNF, peg: yPEG, lines: one, edits: []string{"rule peg", "rule bnf"}, want: "a term above"},
	{idea: "a rule of no grammar", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"rule peg", "rule abnf"}, want: `unexpected "abnf"`},
	{idea: "a line about a rule of the other grammar", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"peg 2", "peg 1 before 2 is 3\npeg 2"},
		want: "the rule is of the other grammar", judgeYes: "such a line says nothing there"},
	{idea: "a choice as a sequence", bnf: "a = %x78 / %x78.78\n", peg: "a <- \"x\" \"xx\"\n", ofBNF: "a = %x78 / %x78.78\n", of: "a <- \"x\" !\"x\" / \"xx\"\n",
		want: "needs a line about peg"},
	{idea: "a choice without what the first alternative hides", bnf: "a = %x78 / %x78.78\n", peg: "a <- \"x\" / \"xx\"\n",
		lines: "class 0 00-77,79-ff\nclass 1 78\nterm 1 rule bnf a\nterm 2 bytes 78\nterm 3 seq 2 2\nterm 4 alt 2 3\nterm 5 rule peg a\n" +
			"language 3 - 1:4\nlanguage 4 + 1:2\nlanguage 5 - 1:2\nlanguage 6 - 1:5\nlanguage 7 - 1:1\nunion 5 6 is 3\nunion 2 5 is 4\n" +
			"minus 6 7 is 6\nminus 5 1 is 5\n" +
			"bnf 1 before 2 is 3\nbnf 4 before 2 is 3\nbnf 2 before 2 is 5\nbnf 3 before 2 is 6\nbnf 2 before 5 is 6\n" +
			"peg 5 before 2 is 3\npeg 4 before 2 is 3\npeg 2 before 2 is 5\npeg 3 before 2 is 6\npeg 2 before 5 is 6\npeg 2 before 1 is 7\nequal a a 3\n",
		want: "language 6 leads to 5 on class 1, and not to 0"},
	{idea: "a line about the empty word", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"peg 2", "peg 0 before 2 is 3\npeg 2"}, want: "the empty word needs no line"},
	{idea: "a lookahead in a BNF", bnf: xBNF, peg: xPEG, lines: one,
		edits: []string{"term 3", "term 3 not 2\nterm 4", "peg 3", "bnf 3 before 2 is 2\npeg 4"}, want: "a lookahead in a BNF"},

	// ranks
	{idea: "a rule that is itself", bnf: xBNF, peg: "a <- a\n", lines: one, want: "a can use itself before"},
	{idea: "a production that is itself", bnf: "a = a\n", peg: xPEG, lines: one, want: "a can use itself before"},
	{idea: "two rules that are each other", bnf: xBNF, peg: "a <- b\nb <- a\n", lines: one,
		edits: []string{"term 3", "term 3 rule peg b\nterm 4", "peg 3", "peg 4", "peg 2", "peg 3"}, want: "can use itself before"},
	{idea: "a rule behind one that is empty", bnf: xBNF, peg: "a <- b a\nb <- \"\"\n", lines: one,
		edits: []string{"term 3", "term 3 rule peg b\nterm 4", "language", "term 5 seq 3 4\nlanguage", "peg 3", "peg 4",
			"peg 2 before 2 is 3", "peg 5 before 2 is 3\npeg 3 before 3 is 3"}, want: "can use itself before"},
	{idea: "a rule behind what can be left out", bnf: "a = *%x79 %x78\n", peg: "a <- \"y\"? a\n",
		lines: "class 0 00-77,7a-ff\nclass 1 78\nclass 2 79\nterm 1 rule bnf a\nterm 2 bytes 79\nterm 3 star 2\nterm 4 bytes 78\nterm 5 seq 3 4\n" +
			"term 6 rule peg a\nterm 7 alt 2 0\nterm 8 seq 7 6\nlanguage 3 - 1:2 2:3\nlanguage 4 - 1:2\nlanguage 5 - 2:3\nlanguage 6 - 2:1\n" +
			"union 5 4 is 3\nminus 3 6 is 4\nbnf 1 before 2 is 3\nbnf 5 before 2 is 3\nbnf 4 before 2 is 4\nbnf 3 before 4 is 3\nbnf 2 before 3 is 5\n" +
			"peg 6 before 2 is 3\npeg 8 before 2 is 3\npeg 7 before 3 is 3\npeg 2 before 3 is 5\npeg 2 before 1 is 6\nequal a a 3\n",
		want: "a can use itself before"},
	{idea: "a rule that looks ahead for itself", bnf: xBNF, peg: "a <- &a \"x\"\n",
		lines: "class 0 00-77,79-ff\nclass 1 78\nterm 1 rule bnf a\nterm 2 bytes 78\nterm 3 rule peg a\nterm 4 not 3\nterm 5 not 4\nterm 6 seq 5 2\n" +
			"language 3 - 1:2\nlanguage 4 - 1:1\nlanguage 5 + 0:1\nminus 1 4 is 5\nminus 3 5 is 3\nminus 4 5 is 4\n" +
			"bnf 1 before 2 is 3\nbnf 2 before 2 is 3\npeg 3 before 2 is 3\npeg 6 before 2 is 3\npeg 2 before 2 is 3\npeg 5 before 3 is 3\n" +
			"peg 4 before 1 is 5\npeg 3 before 1 is 4\npeg 6 before 1 is 4\npeg 2 before 1 is 4\npeg 5 before 4 is 4\nequal a a 3\n",
		want: "can use itself before"},
	{idea: "a repetition of what can be empty", bnf: starBNF, peg: "a <- \"x\"?*\n", want: "unexpected", ofBNF: starBNF, of: starPEG},
	{idea: "a repetition of what can be empty, in brackets", bnf: starBNF, peg: "a <- ( \"x\"? )*\n",
		lines: "class 0 00-77,79-ff\nclass 1 78\nterm 1 rule bnf a\nterm 2 bytes 78\nterm 3 star 2\nterm 4 rule peg a\nterm 5 alt 2 0\nterm 6 star 5\n" +
			"language 3 + 1:3\nlanguage 4 - 1:3\nlanguage 5 - 1:1\nlanguage 6 + 0:1\nunion 4 2 is 3\nunion 5 6 is 1\nminus 3 5 is 2\nminus 2 5 is 2\nminus 1 5 is 6\n" +
			"bnf 1 before 2 is 3\nbnf 3 before 2 is 3\nbnf 2 before 3 is 4\npeg 4 before 2 is 3\npeg 6 before 2 is 3\npeg 5 before 3 is 3\n" +
			"peg 2 before 3 is 4\npeg 2 before 1 is 5\npeg 5 before 1 is 1\nequal a a 3\n",
		want: "a repetition of what can match the empty word"},

	// names
	{idea: "another rule", bnf: xBNF, peg: "a <- \"y\"\nc <- \"x\"\n", lines: one, edits: []string{"rule peg a", "rule peg c", "equal a a", "equal a c"},
		want: `another rule: a equals c, and the one of its name is "a"`, judgeYes: same},
	{idea: "rules that are exchanged", bnf: twoBNF, peg: twoPEG,
		lines: "class 0 00-77,7a-ff\nclass 1 78\nclass 2 79\nterm 1 rule bnf a\nterm 2 bytes 78\nterm 3 rule peg c\nterm 4 rule bnf c\nterm 5 bytes 79\n" +
			"term 6 rule peg a\nlanguage 3 - 1:2\nlanguage 4 - 2:2\nbnf 1 before 2 is 3\nbnf 2 before 2 is 3\npeg 3 before 2 is 3\npeg 2 before 2 is 3\n" +
			"bnf 4 before 2 is 4\nbnf 5 before 2 is 4\npeg 6 before 2 is 4\npeg 5 before 2 is 4\nequal a c 3\nequal c a 4\n",
		want: "0 of 2 productions equal", judgeYes: same},
	{idea: "one of two rules whose names are alike", bnf: "a-b = %x78\n", peg: "a_b <- \"y\"\nab <- \"x\"\n", lines: one,
		edits: []string{"bnf a", "bnf a-b", "peg a", "peg ab", "equal a a", "equal a-b ab"}, want: `another rule: a-b equals ab, and the one of its name is "a_b"`,
		judgeYes: same},
	{idea: "a rule whose name is that of another production", bnf: "a-b = %x78\nab = %x79\n", peg: "ab <- \"x\"\n", lines: one,
		edits: []string{"bnf a", "bnf a-b", "peg a", "peg ab", "equal a a", "equal a-b ab"}, want: `another rule: a-b equals ab, and the one of its name is ""`,
		judgeYes: same},
	{idea: "the wrong rule is left out", bnf: twoBNF, peg: "a <- \"x\"\nc <- \"x\"\n", lines: one, want: `not covered: c, ""`, judgeYes: same},
	{idea: "the wrong rule is left open", bnf: twoBNF, peg: "a <- \"x\"\nc <- \"x\"\n", lines: one,
		edits: []string{"equal a a 3\n", "equal a a 3\nopen c c because it is long\n"}, want: `not covered: c, "because it is long"`, judgeYes: same},
	{idea: "nothing is stated", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a a 3\n", ""}, want: "0 of 1 productions", judgeYes: "there is no statement"},
	{idea: "nothing is there", bnf: xBNF, peg: yPEG, lines: "class 0 00-ff\n", want: "0 of 1 productions", judgeYes: "there is no statement"},
	{idea: "a second statement in the other case", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a a 3\n", "equal a a 3\nopen A a\n"},
		want: `no production "A"`, judgeYes: same},
	{idea: "a production that there is not", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a a 3\n", "equal b a 3\n"}, want: `no production "b"`},
	{idea: "a rule that there is not", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a a 3\n", "equal a b 3\n"}, want: "needs a line about peg"},
	{idea: "another language", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a a 3\n", "equal a a 2\n"}, want: "the production is language 3"},
	{idea: "a word on which nothing differs", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a a 3\n", "differ a a 78 bnf 3-2 peg 3-0\n"},
		want: "the word leads through"},
	{idea: "a word that is none", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a a 3\n", "differ a a 7 bnf 3-2 peg 3-0\n"}, want: "hexadecimal"},
	{idea: "a difference with more words", bnf: xBNF, peg: yPEG, ofBNF: xBNF, of: yPEG, edits: []string{" peg 4-0", " peg 4-0 0"}, want: "unexpected form of a line",
		judgeYes: "it reads no more of the line than the word"},
	{idea: "a rule is defined twice", bnf: xBNF, peg: xPEG + yPEG, ofBNF: xBNF, of: xPEG, want: "a is defined twice"},
	{idea: "a production is defined twice", bnf: xBNF + "A = %x79\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: "a is defined twice"},
	{idea: "a production that is added to", bnf: xBNF + "A =/ %x79\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: "needs a line about bnf"},
	{idea: "what is assumed contradicts the grammar", bnf: xBNF, peg: yPEG, ofBNF: "a = %x79\n", of: yPEG,
		edits: []string{"class 0", "assume a = %x79 because of RFC 1\nclass 0"}, want: `assumed: a = %x79 because of RFC 1, instead of what a.abnf has`,
		judgeYes: "it prints that as well"},
	{idea: "two assumptions", bnf: "b = a\n", peg: yPEG, ofBNF: xBNF, of: xPEG,
		edits: []string{"class 0", "assume a = %x79 because 1\nassume A = %x78 because 2\nclass 0"}, want: "two assumptions"},
	{idea: "an assumption without a reason", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"class 0", "assume a = %x78\nclass 0"}, want: "expected assume"},

	// the text of a certificate
	{idea: "blanks", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"bnf 1 b", "bnf 1  b"}, want: "one blank between"},
	{idea: "a number above all", bnf: xBNF, peg: yPEG, lines: one, edits: []string{"peg 2 before 2 is 3", "peg 2 before 4294967298 is 3"}, want: "expected a number"},
	{idea: "a negative number", bnf: xBNF, peg: yPEG, lines: one, edits: []string{"peg 2 before 2 is 3", "peg 2 before -1 is 3"}, want: "expected a number"},
	{idea: "a line of another kind", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"class 2", "both 3 3 is 3\nclass 2"}, want: `unexpected "both"`},

	// forms that the proven checker overlooks, where they change nothing
	{idea: "a line twice", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"peg 2", "bnf 2 before 2 is 3\npeg 2"}, want: "stated twice", judgeYes: same},
	{idea: "terms in another order", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"term 1 rule bnf a\n", "", "language", "term 1 rule bnf a\nlanguage"},
		want: "expected term 1", judgeYes: same},
	{idea: "a language twice", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"bnf 1", "language 3 - 1:2\nbnf 1"}, want: "expected language 4", judgeYes: same},
	{idea: "a class without a byte", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"class 2 79", "class 2 79\nclass 3 none"}, want: "a class has no byte", judgeYes: same},
	{idea: "a union of a language that is nowhere", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"bnf 1 b", "union 9 3 is 3\nbnf 1 b"},
		want: "there is no language 9"},
	{idea: "languages that are nowhere", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"bnf 1 b", "union 7 8 is 9\nbnf 1 b"},
		want: "a language that there is not", judgeYes: same},
	{idea: "neither + nor -", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"3 - 1:2", "3 . 1:2"}, want: "expected + or -", judgeYes: same},
	{idea: "another word for is", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"bnf 1 before 2 is", "bnf 1 before 2 as"}, want: "expected bnf", judgeYes: same},
	{idea: "bytes that end before they begin", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"bytes 78", "bytes 78,31-30"}, want: `unexpected bytes "31-30"`,
		judgeYes: same},
	{idea: "an open production that there is not", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a", "open q q because of it\nequal a"},
		want: `no production "q"`, judgeYes: same},
	{idea: "two statements", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a a 3\n", "equal a a 3\nequal a a 3\n"}, want: "second statement", judgeYes: same},
	{idea: "another way of the word", bnf: xBNF, peg: yPEG, ofBNF: xBNF, of: yPEG, edits: []string{" peg 4-0", " peg 4-1"}, want: "the word leads through",
		judgeYes: same},
	{idea: "brackets 10,000 deep", bnf: "a = " + strings.Repeat("( ", 10000) + "%x78" + strings.Repeat(" )", 10000) + "\n", peg: xPEG, lines: one,
		want: "nested too deeply", judgeYes: same},
	{idea: "a number of 2^31", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"bnf 1 b", "language 4 - 0:2147483648\nbnf 1 b"}, want: "expected a number", judgeYes: same},

	// and what neither takes
	{idea: "digits in capital letters", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"7a-ff", "7A-FF"}, want: `found "7A"`},
	{idea: "a word in capital letters", bnf: "a = %x7A\n", peg: "a <- \"|\"\n", ofBNF: "a = %x7A\n", of: "a <- \"|\"\n", edits: []string{"a 7a ", "a 7A "}, want: `found "7A"`},
	{idea: "an empty word after digits", bnf: xBNF, peg: yPEG, ofBNF: xBNF, of: yPEG, edits: []string{" a 78 ", " a 78- "}, want: "hexadecimal"},
	{idea: "half a byte before an empty word", bnf: xBNF, peg: yPEG, ofBNF: xBNF, of: yPEG, edits: []string{" a 78 ", " a 787- "}, want: "expected a number"},
	{idea: "a sign before a word", bnf: xBNF, peg: yPEG, ofBNF: xBNF, of: yPEG, edits: []string{" a 78 ", " a -78 "}, want: "hexadecimal"},
	{idea: "none and a byte", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"bytes 78", "bytes none78"}, want: `found "none78"`},
	{idea: "the case of a production", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"equal a", "equal A"}, want: `no production "A"`},
	{idea: "the case of a production in a term", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"rule bnf a", "rule bnf A"}, want: "A is not defined"},
	{idea: "a term twice", bnf: xBNF, peg: xPEG, lines: one, edits: []string{"term 3", "term 3 bytes 78\nterm 4", "peg 3", "peg 4", "peg 2", "peg 3"}, want: "a term above"},

	// readers: the honest certificate of what a hasty reader takes the texts for
	{idea: "a comment that pigeon does not see", bnf: xBNF, peg: "a <- \"x\" { return nil, nil //{ } } / \"evil\" / .*\n// }\n", of: xPEG, want: "needs a line about peg"},
	{idea: "blocks within blocks", bnf: xBNF, peg: "a <- \"x\" {{{{{{{{{{ }}}}}}}}} } / \"evil\" {{{{{{{{{{{{ }}}}}}}}}}}}\n", of: xPEG, want: "needs a line about peg"},
	{idea: "a block that does not end", bnf: xBNF, peg: "a <- \"x\" { { }\n", of: xPEG, want: `unexpected "{"`},
	{idea: "a quote that nothing ends", bnf: xBNF, peg: "a <- \"x\" { ' } / \"evil\"\n", of: xPEG, want: "needs a line about peg"},
	{idea: "a quote of one sign", bnf: xBNF, peg: "a <- \"x\" { '\\'' } / \"evil\" { '}' }\n", of: xPEG, want: "needs a line about peg"},
	{idea: "a text that ends with the line", bnf: xBNF, peg: "a <- \"x\" { \" }\n / \"evil\"\n", of: xPEG, want: "needs a line about peg"},
	{idea: "a raw text", bnf: xBNF, peg: "a <- \"x\" { `}` + \"`\" } / \"evil\" { `}` }\n", of: xPEG, want: "needs a line about peg"},
	{idea: "a comment that does not end", bnf: xBNF, peg: "a <- \"x\" { /* } / \"evil\"\n", of: xPEG, want: "needs a line about peg"},
	{idea: "a comment in a comment", bnf: xBNF, peg: "a <- \"x\" { // /* \n } / \"evil\" // */ }\n", of: xPEG, want: "needs a line about peg"},
	{idea: "a recovery", bnf: xBNF, peg: "a <- \"x\" //{ e } .*\n", of: xPEG, want: "expected an element"},
	{idea: "octal escapes in a class", bnf: "a = %xC3.A9\n", peg: "a <- [\\303\\251]\n", of: "a <- [é]\n", want: "needs a line about peg"},
	{idea: "an escape in a class that is none", bnf: "a = %x00\n", peg: "a <- [\\777]\n", of: "a <- \"\\x00\"\n", want: "the escapes of"},
	{idea: "an escape in a literal that is none", bnf: "a = \"\"\n", peg: "a <- \"\\777\"\n", of: "a <- \"\"\n", want: "the escapes of"},
	{idea: "bytes in a class", bnf: "a = %xE9\n", peg: "a <- [\\xe9]\n", lines: oneE9, want: "needs a line about peg"},
	{idea: "a dash in a class", bnf: "a = %x61-7A\n", peg: "a <- [-az]\n", of: "a <- [a-z]\n", want: "needs a line about peg"},
	{idea: "a case beyond ASCII", bnf: "a = \"k\"\n", peg: "a <- \"k\"i\n", of: "a <- [kK]\n", want: "needs a line about peg"},
	{idea: "a state or a predicate", bnf: xBNF, peg: "a <- &{ return false, nil } \"x\"\n", of: xPEG, want: "not covered"},
	{idea: "a display name that is a rule", bnf: xBNF, peg: "a \"b <- 'x'\" <- \"y\"\n", of: xPEG, want: "needs a line about peg"},
	{idea: "prose", bnf: "a = <b c>\nb = %x78\nc = %x79\n", peg: "a <- b c\nb <- \"x\"\nc <- \"y\"\n", ofBNF: "a = b c\nb = %x78\nc = %x79\n", of: "a <- b c\nb <- \"x\"\nc <- \"y\"\n",
		want: `unexpected or not covered: "<b c>"`},
	{idea: "prose that does not end", bnf: "a = <b\nb = %x78\n", peg: "a <- b\nb <- \"x\"\n", ofBNF: "a = b\nb = %x78\n", of: "a <- b\nb <- \"x\"\n",
		want: `unexpected "<"`},
	{idea: "values that are characters", bnf: "a = %xE9\nb = %x100\n", peg: "a <- \"\\xe9\"\n", lines: oneE9, want: "not covered: the value %xE9"},
	{idea: "a value above 255", bnf: "a = %x178\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: "not covered: the value %x178"},
	{idea: "the case of a text", bnf: "a = \"x\"\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: "needs a line about bnf"},
	{idea: "a comment in a text", bnf: "a = %s\"x;\"\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: "needs a line about bnf"},
	{idea: "a count of what is behind", bnf: "a = 2%x78 %x79\n", peg: "a <- \"xyxy\"\n", ofBNF: "a = 2( %x78 %x79 )\n", of: "a <- \"xyxy\"\n", want: "needs a line about"},
	{idea: "what is before the first production", bnf: "%x79 /\n" + xBNF, peg: xPEG, ofBNF: xBNF, of: xPEG, want: "expected a rule"},
	{idea: "what is behind a bracket too many", bnf: "a = %x78 ) / %x79\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: `not covered: ")"`},
	{idea: "a line for a person", bnf: "a = %x78\n@ / %x79\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: `unexpected "@"`},
	{idea: "two counts", bnf: "a = 2 2%x78\n", peg: "a <- \"xxxx\"\n", ofBNF: "a = 2( 2%x78 )\n", of: "a <- \"xxxx\"\n", want: "two counts"},
	{idea: "a count whose ends are exchanged", bnf: "a = 2*1%x78\n", peg: "a <- \"xx\"\n", ofBNF: "a = 2%x78\n", of: "a <- \"xx\"\n", want: "the count 2*1"},
	{idea: "a range of three ends", bnf: "a = %x78-79-7A\n", peg: "a <- [xy]\n", ofBNF: "a = %x78-79\n", of: "a <- [xy]\n", want: `unexpected "-"`},
	{idea: "a range whose ends are exchanged", bnf: xBNF, peg: "a <- [x-x] / [z-y]\n", ofBNF: xBNF, of: "a <- [x]\n", want: "the range z-y"},
	{idea: "a value that ends with a dot", bnf: "a = %x78.\n", peg: "a <- \"x\\x00\"\n", ofBNF: "a = %x78.00\n", of: "a <- \"x\\x00\"\n", want: `unexpected "."`},
	{idea: "a list", bnf: "a = 1#%x78\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: `unexpected or not covered: "#"`},
	{idea: "a sign of no notation, elsewhere", bnf: xBNF + "c = ?\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: `a.abnf:2: unexpected "?"`},
	{idea: "a value of no digits, elsewhere", bnf: xBNF + "c = %x\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: `a.abnf:2: unexpected "%"`},
	{idea: "a value of other digits, elsewhere", bnf: xBNF + "c = %b12\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: "a.abnf:2: the value %b12"},
	{idea: "a mark within a text", bnf: "\n\ufeffa = %x78\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: `unexpected "\xef"`},
	{idea: "a name of one byte that is defined as the byte", bnf: "a = c\na = %x78\nc = %x78\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: "a is defined twice"},
	{idea: "another notation", bnf: "@ notation abnf2\n" + xBNF, peg: xPEG, ofBNF: xBNF, of: xPEG, want: "not covered: the notation"},
	{idea: "a notation and a carriage return", bnf: "@ notation abnf\r\n" + xBNF, peg: xPEG, ofBNF: xBNF, of: xPEG, want: "not covered: the notation"},
	{idea: "a prefix behind a production", bnf: xBNF + "@ ids u_ shared\n", peg: xPEG, ofBNF: xBNF, of: xPEG, want: "@ ids u_ shared"},
	{idea: "a line for a person in RFC 1630", bnf: "@ notation rfc1630\n\n  ab  x\n@ y\n", peg: "ab <- \"x\"\n", ofBNF: "ab = %x78\n", of: "ab <- \"x\"\n", want: `"\n@"`},
	{idea: "escapes of bytes in a text", bnf: "a = %xC3.A9\n", peg: "a <- \"\\xc3\\xa9\"\n", of: "a <- \"é\"\n", want: "the escapes of"},
	{idea: "octal escapes of bytes in a text", bnf: "a = %xC3.A9\n", peg: "a <- \"\\303\\251\"\n", of: "a <- \"é\"\n", want: "the escapes of"},
	{idea: "U+FFFD in a text", bnf: xBNF, peg: "a <- \"x\" / \"\\ufffd\"\n", of: xPEG, want: "the character '\ufffd'"},
	{idea: "a text that is not UTF-8", bnf: xBNF, peg: "a <- \"\xff\"\n", of: xPEG, want: "the character '\ufffd'"},
	{idea: "a class that is not UTF-8", bnf: xBNF, peg: "a <- [x\xff]\n", of: xPEG, want: "the escapes of"},
	{idea: "a carriage return in a raw text", bnf: xBNF, peg: "a <- `x\r`\n", of: xPEG, want: "the escapes of"},
	{idea: "a text of no character", bnf: xBNF, peg: "a <- \"x\" ''\n", of: xPEG, want: "the escapes of"},
	{idea: "a text beyond ASCII that ignores case", bnf: "a = %xC3.A9\n", peg: "a <- \"é\"i\n", of: "a <- \"é\"\n", want: "the character 'é'"},
	{idea: "a class beyond ASCII that ignores case", bnf: xBNF, peg: "a <- [xé]i\n", of: xPEG, want: "the range é-é"},
	{idea: "two blocks of code", bnf: xBNF, peg: "a <- \"x\" { } { }\n", of: xPEG, want: "not covered"},
	{idea: "a name of no letters", bnf: xBNF, peg: "\u2028a <- \"x\"\n", of: xPEG, want: "a is not defined"},
}

// text returns the texts of a forgery.
func (f forgery) texts(t *testing.T) texts {
	t.Helper()
	x := texts{"a.abnf", f.bnf, "a.peg", f.peg, ""}
	lines := f.lines
	if f.lines == "" {
		honest, _ := certified(t, "a.abnf", cmpOr(f.ofBNF, f.bnf), "a.peg", f.of)
		lines = strings.TrimPrefix(honest.certificate[:strings.LastIndex(honest.certificate, "end ")], "bnfcheck certificate 2\n")
	}
	for i := 0; i < len(f.edits); i += 2 {
		if !strings.Contains(lines, f.edits[i]) {
			t.Fatalf("%s: %q is not in\n%s", f.idea, f.edits[i], lines)
		}
		lines = strings.ReplaceAll(lines, f.edits[i], f.edits[i+1])
	}
	x.certificate = fmt.Sprintf("bnfcheck certificate 2\n%send %d\n", lines, strings.Count(lines, "\n")+1)
	return x
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// No forgery is verified, and each is refused for its own reason. The proven checker refuses the same, or its statement is true. Where
// certcheck takes the lines, both say the same of each production.
func TestForgeries(t *testing.T) {
	judge, both := proven(t), 0
	for _, f := range forgeries {
		x := f.texts(t)
		out, err := x.asked(request{})
		said := fmt.Sprint(out, err)
		matches := slices.ContainsFunc(strings.Split(f.want, "|"), func(want string) bool { return strings.Contains(said, want) })
		assumed := strings.Contains(out, "instead of")
		if err == nil && !assumed || !matches {
			t.Errorf("%s: want %q: %v\n%s\n%s%s%s", f.idea, f.want, err, out, x.bnf, x.peg, x.certificate)
		}
		if judge == "" {
			continue
		}
		stated, refused := ask(t, judge, x)
		if (refused == nil) != (f.judgeYes != "") || out != "" && !slices.Equal(stated, saying(out)) {
			t.Errorf("%s: the proven checker: %q, %v, and certcheck: %q\n%s", f.idea, stated, refused, saying(out), x.certificate)
		}
		if out != "" {
			both++
		}
	}
	t.Logf("%d forgeries", len(forgeries))
	if judge != "" && both != 9 {
		t.Errorf("both take the lines of %d", both)
	}
}

// What certcheck and the proven checker say of honest certificates is the same.
func TestProven(t *testing.T) {
	judge := proven(t)
	if judge == "" {
		t.Skip("proof/compile check has not made proof/check, which needs Rocq and OCaml")
	}
	for _, g := range builtIn[:longtest.Size(2, len(builtIn))] {
		x, _ := published(t, g.name)
		alike(t, judge, x)
	}
	chain := [2]string{"a1 = %x78\n", "a1 <- \"x\"\n"} // of names that stand for one byte
	for i := 2; i < 200; i++ {
		chain[0] += fmt.Sprintf("a%d = a%d\n", i, i-1)
		chain[1] += fmt.Sprintf("a%d <- a%d\n", i, i-1)
	}
	for _, both := range [][2]string{
		{hostABNF, hostPEG}, {hidingBNF, hidingPEG}, {starBNF, starPEG}, {twoBNF, twoPEG}, chain, {"\ufeff" + xBNF, xPEG}, {"a = 0b %x78\n", xPEG},
		{"k = %x78\n", "k <- \"x\"\n\u212a <- \"y\"\n"}, // of which the lower case is k
		{xBNF + "b = 2*3A %x79\na =/ b\n", "a <- \"x\" !( . ) / b\nb <- \"x\" \"x\" \"x\"? \"y\" ![^]\n"},
	} {
		x, _ := certified(t, "a.abnf", both[0], "a.peg", both[1])
		alike(t, judge, x)
	}
}

// The exit status is 0 if what is asked for is equal, and what a map or an open production changes is printed.
func TestAnswers(t *testing.T) {
	two, _ := certified(t, "a.abnf", twoBNF, "a.peg", "a <- \"x\"\nc <- \"x\"\n")
	open, _ := certified(t, "a.abnf", "a = %x78\nc = [ %x79 c %x79 ]\n", "a.peg", "a <- \"x\"\nc <- ( \"y\" c \"y\" )?\n")
	nothing, _ := certified(t, "a.abnf", "a = %x78 a\nb = %x78\n", "a.peg", "a <- \"x\" a\nb <- \"x\"\n")
	mapped := texts{"a.abnf", "A-b = %x78\n", "a.peg", "d <- \"x\"\n", "bnfcheck certificate 2\n" +
		strings.NewReplacer("bnf a", "bnf A-b", "peg a", "peg d", "equal a a", "equal A-b d").Replace(one) + "end 13\n"}
	escape := open
	escape.certificate = strings.Replace(open.certificate, "because ", "because \x1b[2J\u009b\u202e ", 1)
	for _, c := range []struct {
		x    texts
		ask  request
		ok   bool
		want string
	}{
		{two, request{}, false, "every line is right: 1 of 2 productions equal the rules of their names\ndiffers: c, on the bytes 78\n"},
		{two, request{allowOpen: true}, false, "every line is right: 1 of 2 "},
		{two, request{productions: []string{"A"}}, true, "verified: 1 of 1 productions equal the rules of their names\nassumed: "},
		{two, request{productions: []string{"a", "c"}}, false, "every line is right: 1 of 2 "},
		{two, request{productions: []string{"d"}}, false, "every line is right: 0 of 1 productions equal the rules of their names\nnot covered: d, \"\"\n"},
		{open, request{}, false, "every line is right: 1 of 2 productions equal the rules of their names\nnot covered: c, \"because `c` embeds itself"},
		{open, request{allowOpen: true}, true, "verified: 1 of 2 productions equal the rules of their names\nnot covered: c, \"because `c` embeds itself"},
		{open, request{allowOpen: true, productions: []string{"c"}}, false, "every line is right: 0 of 1 "},
		{escape, request{allowOpen: true}, true, `because \x1b[2J\u009b\u202e `},
		{nothing, request{}, true, "verified: 2 of 2 productions equal the rules of their names\n" +
			"no string: a derives none, and what it equals accepts none\nassumed: "},
		{nothing, request{productions: []string{"b"}}, true, "verified: 1 of 1 productions equal the rules of their names\nassumed: "},
		{mapped, request{}, false, `another rule: A-b equals d, and the one of its name is ""`},
		{mapped, request{rules: map[string]string{"a-b": "d"}}, true, "verified: 1 of 1 productions equal the rules of their names\nmapped: a-b to d\n"},
		{mapped, request{rules: map[string]string{"a-b": "e"}}, false, `another rule: A-b equals d, and the one of its name is "e"`},
	} {
		if out, err := c.x.asked(c.ask); (err == nil) != c.ok || !strings.Contains(out, c.want) {
			t.Errorf("%v: %v, want %q\n%s", c.ask, err, c.want, out)
		}
	}
	x, _ := certified(t, "a.abnf", xBNF, "a.peg", xPEG)
	for _, certificate := range []string{
		"", "\n", "bnfcheck certificate 2\n", strings.Replace(x.certificate, "certificate 2", "certificate 3", 1), strings.TrimSuffix(x.certificate, "\n"),
		strings.Replace(x.certificate, "end 1", "end 2", 1), x.certificate + "\n", x.certificate[:strings.LastIndex(x.certificate, "end ")],
	} {
		x.certificate = certificate
		if out, err := x.asked(request{}); err == nil || out != "" || !strings.Contains(err.Error(), "certificate:1: it does not begin with") {
			t.Errorf("%q: %v\n%s", certificate, err, out)
		}
		if judge := proven(t); judge != "" {
			if _, refused := ask(t, judge, x); refused != nil {
				t.Errorf("%q: the proven checker: %v", certificate, refused)
			}
		}
	}
	if got := printable("a\x1b[2J\u009b\u202e\xff\r\n\tz"); got != "a\ufffd[2J\ufffd\ufffd\ufffd\ufffd\n\ufffdz" {
		t.Errorf("%q", got)
	}
}

// What certcheck does not read is left open by who writes the certificate, and all else is verified.
func TestUnread(t *testing.T) {
	type row struct{ bnf, peg, why string }
	rows := []row{
		{"a = %x78\nc = %x79-10FFFF\nd = c a\n", "a <- \"x\"\nc <- [y-\U0010ffff]\nd <- c a\n", "certcheck does not read the characters beyond ASCII in c"},
		{"a = %x78\nc = 1#a\nd = c \"#\"\n", "a <- \"x\"\nc <- a ( [ \\t]* \",\" [ \\t]* a )*\nd <- c \"#\"\n", "certcheck does not read the list in c"},
		{"a = <\"> %x78\nc = <any ALPHA except \"k\">\nd = c <a>\n", "a <- \"\\\"x\"\nc <- [A-JL-Za-jl-z]\nd <- c a\n", "certcheck does not read the prose in c"},
	}
	for _, text := range []string{`"y\xff"`, `"\377"`, `"\ufffd"`, "`y\r`", `"é"i`, `[é]i`, `[\pL]`} { // what code has is nothing
		peg := "a <- \"x\" { return \"\\xff\\ufffd\", nil }\nc <- " + text + "\nd <- c / \"#\"\n"
		rows = append(rows, row{"a = %x78\nc = %x79\nd = c / \"#\" ; #\n", peg, "certcheck does not read a text or a class in c"})
	}
	for _, c := range rows {
		x, s := certified(t, "a.abnf", c.bnf, "a.peg", c.peg)
		out, err := x.asked(request{allowOpen: true})
		if err != nil || counted(out) != [3]int{1, 0, 2} || !slices.Equal(s.Open, []string{"c", "d"}) || !slices.Equal(s.Why, []string{c.why, c.why}) {
			t.Errorf("%v, %+v\n%s%s%s", err, s, out, c.bnf, c.peg)
		}
	}
}

// proven returns the program that proof/compile makes of the proven checker, or "".
func proven(t *testing.T) string {
	file := must.Of(filepath.Abs(filepath.Join("..", "..", "proof", "check")))(t)
	if _, err := os.Stat(file); err != nil {
		t.Log("the proven checker is not asked: proof/compile check has not made proof/check, which needs Rocq and OCaml")
		return ""
	}
	return file
}

// ask runs the proven checker on the texts, which it reads by itself. It returns what it says of the productions, or that it refuses them.
func ask(t *testing.T, judge string, x texts) (stated []string, err error) {
	t.Helper()
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "grammar"), filepath.Join(dir, "peg"), filepath.Join(dir, "certificate")}
	for i, text := range []string{x.bnf, x.peg, x.certificate} {
		must.Do(t, os.WriteFile(files[i], []byte(text), 0o600))
	}
	out, err := exec.Command(judge, files...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1 || len(out) == 0) {
		t.Fatalf("%v\n%s", err, x.certificate)
	}
	if why, refused := strings.CutPrefix(string(out), "refused: "); refused {
		return nil, errors.New(why)
	}
	return saying(string(out)), nil
}

// saying returns what an output says of the productions, as both programs say it.
func saying(out string) (list []string) {
	for line := range strings.Lines(strings.ToLower(out)) {
		kind, _, _ := strings.Cut(line, ":")
		switch kind {
		case "another rule", "not covered": // and what the rule should be, or why it is not covered
			line, _, _ = strings.Cut(line, ",")
			fallthrough
		case "verified", "every line is right", "differs", "table":
			list = append(list, strings.TrimSpace(line))
		}
	}
	slices.Sort(list)
	return list
}

// alike reports whether certcheck takes the lines of a certificate, and the proven checker says the same of each production.
func alike(t *testing.T, judge string, x texts) {
	t.Helper()
	out, err := x.verdict()
	if stated, refused := ask(t, judge, x); err != nil || refused != nil || !slices.Equal(stated, saying(out)) {
		t.Errorf("certcheck: %v, %q, the proven checker: %v, %q\n%.2000s%.2000s", err, saying(out), refused, stated, x.bnf, x.peg)
	}
}

// What block takes for Go code is what pigeon's own grammar does, of which these are the rules.
func TestBlock(t *testing.T) {
	g, err := peg.Options{}.Read("pigeon.peg", []byte("CodeBlock ← '{' Code '}'\n"+
		"Code ← ( ( Comment / CodeStringLiteral / ![{}] SourceChar )+ / '{' Code '}' )*\n"+
		"CodeStringLiteral ← '\"' (`\\\"` / `\\\\` / [^\"\\r\\n])* '\"' /\n '`' [^`]* '`' /\n '\\'' (`\\'` / `\\\\` / [^']+) '\\''\n"+
		"SourceChar ← .\nComment ← MultiLineComment / SingleLineComment\nMultiLineComment ← \"/*\" ( !\"*/\" SourceChar )* \"*/\"\n"+
		"SingleLineComment ← !(\"//{\") \"//\" ( !EOL SourceChar )*\nEOL ← '\\n'\n"))
	if err != nil {
		t.Fatal(err)
	}
	const signs = "{}\"'`\\/*\n\ra"
	random, blocks := rand.New(rand.NewPCG(5, 6)), 0
	for i := range longtest.Size(40000, 1000000) {
		text := "{"
		if n := i; i < len(signs)*len(signs)*len(signs)*len(signs) {
			for range 4 {
				text += string(signs[n%len(signs)])
				n /= len(signs)
			}
		} else {
			for range random.IntN(20) {
				text += string(signs[random.IntN(len(signs))])
			}
		}
		text += "}}"
		want, _ := peg.Match(g, expr.To("CodeBlock"), text, 0)
		if got := codeLength(text); got != max(want, 0) {
			t.Fatalf("%q: %d bytes, and in pigeon %d", text, got, want)
		}
		blocks += min(1, max(want, 0))
	}
	if blocks < 10000 {
		t.Errorf("%d of the texts are blocks", blocks)
	}
}

// TestMisreadings: a file that a careless reader would take for another grammar. Each certificate is honest for the grammar in
// taken, and must not verify for the file itself, which derives something else or is no grammar. The proven checker agrees.
func TestMisreadings(t *testing.T) {
	judge := proven(t)
	head := "@ grammar g\n@ title G\n@ section 1\n\n"
	for _, c := range []struct{ name, file, taken, peg, want string }{
		{"a byte order mark before the line with the notation", "\ufeff@ notation rfc822\n" + head + "a = \"x\"\n", "a = \"x\"\n", `a <- "x"i`, "line"},
		{"a comment that a carriage return ends, in a file without line feeds", "a = %x78 ; comment\r  / %x79\r", "a = %x78\n", `a <- "x"`, "line"},
		{"a second line with a notation", "@ notation abnf\n" + head + "a = \"x\"\n@ notation rfc822\nb = \"y\" / \"z\"\n", "a = \"x\"\nb = \"y\" / \"z\"\n",
			"a <- \"x\"i\nb <- \"y\"i / \"z\"i", "one line at the head"},
		{"a notation behind a production", head + "a = \"x\"\n\n@ notation abnf\n", "a = \"x\"\n", `a <- "x"i`, "one line at the head"},
	} {
		x, _ := certified(t, "g.abnf", c.taken, "g.peg", c.peg)
		if out, err := x.verdict(); err != nil || !strings.HasPrefix(out, "verified: ") {
			t.Errorf("%s: the grammar that it is taken for: %v\n%s", c.name, err, out)
		}
		x.bnf = c.file
		out, err := x.asked(request{})
		if err == nil || strings.HasPrefix(out, "verified: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s\n%s", c.name, err, c.want, out)
		}
		if judge != "" {
			if stated, refused := ask(t, judge, x); refused == nil {
				t.Errorf("%s: the proven checker says %q", c.name, stated)
			}
		}
	}
}

// TestAssumptionsNameIDs: an assumption about a name that the file defines, under an ID with the prefix of its part, would
// pass by that definition.
func TestAssumptionsNameIDs(t *testing.T) {
	judge := proven(t)
	x, _ := certified(t, "g.abnf", "x = %x79\n", "g.peg", `x <- "y"`)
	first, rest, _ := strings.Cut(x.certificate, "\n")
	lines := regexp.MustCompile(`(?m)^end (\d+)$`).FindStringSubmatch(rest) // which counts the lines above it
	n, _ := strconv.Atoi(lines[1])
	rest = strings.Replace(rest, lines[0], "end "+strconv.Itoa(n+1), 1)
	x.bnf = "@ grammar g\n@ title G\n@ notation abnf\n@ part p \"P\"\n@ ids p_ all\n@ section 1\n\nx = %x78\n"
	x.certificate = first + "\nassume x = %x79 because it is a core rule\n" + rest
	_, err := x.asked(request{})
	if err == nil || !strings.Contains(err.Error(), "must name it by its ID") {
		t.Errorf("got %v", err)
	}
	if judge != "" {
		if stated, refused := ask(t, judge, x); refused == nil || !strings.Contains(refused.Error(), "must name it by its ID") {
			t.Errorf("the proven checker says %q, %v", stated, refused)
		}
	}
}
