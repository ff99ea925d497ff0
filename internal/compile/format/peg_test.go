package format

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	published "github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// formatTwice formats a text that is a PEG or is not, and wants the result to stay as it is. It returns "" for a text
// that is refused.
func formatTwice(t *testing.T, name, text string) string {
	t.Helper()
	once, err := PEG(name, []byte(text))
	if err != nil {
		if strings.Contains(err.Error(), "defect") {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		return ""
	}
	twice, err := PEG(name, once)
	if err != nil {
		t.Fatalf("%s: formatted again: %v\n%s\n%s", name, err, text, once)
	}
	if string(twice) != string(once) {
		t.Fatalf("%s:\n%s\nbecomes\n%s\nand then\n%s", name, text, once, twice)
	}
	return string(once)
}

// Each case is a text and what it becomes, which must stay as it is.
func TestPEG(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"signs", "a<-b*c+?d\n", ""},
		{"one line", "a<-b+c?/!d ( e/f )*\n", "a <- b+ c? / !d ( e / f )*\n"},
		{"glued", "a <- x : b & ( c ) ! . 'd' i \"e\"i [f]i & { return true, nil } # {return nil} %{g}\n",
			"a <- x:b &( c ) !. 'd' i \"e\"i [f]i &{ return true, nil } #{return nil} %{g}\n"},
		{"display name", "a   \"an a\"<-b\nlonger 'l'<-c\n", "a \"an a\"   <- b\nlonger 'l' <- c\n"},
		{"arrows", "a ← b\nc = d\ne <- f\ng ⟵ h\n", "a ← b\nc ← d\ne ← f\ng ← h\n"},
		{"groups", "a = b\nccc = d\n\neeeee = f\n// own\ng = h\n", "a   = b\nccc = d\n\neeeee = f\n// own\ng = h\n"},
		{"a rule of several lines ends a group", "a = b\nccc = d\n / e\nff = g\nh = i\n", "a = b\nccc = d\n    / e\nff = g\nh  = i\n"},
		{"a long name", "a = b\n" + strings.Repeat("n", 33) + " = c\ndd = e\n", "a  = b\n" + strings.Repeat("n", 33) + " = c\ndd = e\n"},
		{"semicolons", "a = b; c = d // e\n;f = g;", "a = b\nc = d // e\nf = g\n"},
		{"blank lines", "\n\n{ package p }\n\n\n\na = b\n\n\nc = d\n\n", "{ package p }\n\na = b\n\nc = d\n"},
		{"breaks at alternatives", "ab <- c /\n d\n\n  / e\n", "ab <- c\n    / d\n    / e\n"},
		{"breaks in a sequence", "ab <- c\n d ( e\n f )\n", "ab <- c d ( e f )\n"},
		{"code", "a <- b {return nil, nil}\n/ c\n{\n  return nil, nil\n\t}\n\n/ d\n", "a <- b {return nil, nil}\n   / c {\n  return nil, nil\n\t} / d\n"},
		{"blanks in code", "a <- b {  \n  return nil, nil \n\n }  \n", "a <- b {  \n  return nil, nil \n\n }\n"},
		{"block", "a <- x:(\nb c /\n  d\n e\n/ f ) { return x, nil }\n", "a <- x:(\n\tb c\n\t/ d\n\te\n\t/ f\n) { return x, nil }\n"},
		{"blocks", "a <- ( b ( c (\n d ( e (\n f ) ) ) ) )\n", "a <- ( b ( c (\n\td ( e (\n\t\tf\n\t) )\n) ) )\n"},
		{"arrow at the end of a line", "a <-\n b\n/ c ( d\n )\n", "a <-\n\tb\n\t/ c ( d )\n"},
		{"recovery", "a = b//{ e1,e2 }c //{e3} d\n", "a = b //{ e1,e2 } c //{e3} d\n"},
		{"alternatives with code", "a = b {return 1, nil}\n/ c / d\n", "a = b {return 1, nil}\n  / c\n  / d\n"},
		{"long alternatives", "rule = " + strings.Repeat("alternative / ", 9) + "last\n",
			"rule = " + strings.Repeat("alternative / ", 7) + "alternative\n     / alternative / last\n"},
		{"long alternatives with code", "rule = a { return " + strings.Repeat("x", 50) + ", nil } / b / c { return " + strings.Repeat("y", 50) + ", nil }\n",
			"rule = a { return " + strings.Repeat("x", 50) + ", nil }\n     / b\n     / c { return " + strings.Repeat("y", 50) + ", nil }\n"},
		{"long sequence", "rule = " + strings.Repeat("element ", 14) + "( b c )+\n",
			"rule =" + strings.Repeat(" element", 14) + "\n       ( b c )+\n"},
		{"code on a line of its own", "a = b\n  { return c, nil }\nrule = " + strings.Repeat("element ", 12) + "\n { return " + strings.Repeat("y", 50) + ", nil }\n",
			"a = b { return c, nil }\nrule =" + strings.Repeat(" element", 12) + "\n       { return " + strings.Repeat("y", 50) + ", nil }\n"},
		{"comments", "// one\n  // two\na = b // three\nccc = d /* four */ // five\n/* six\n  six */ e = f\n",
			"// one\n// two\na   = b // three\nccc = d /* four */ // five\n/* six\n  six */\ne = f\n"},
		{"comments inside", "a = b / // first\n c /* of d */ d // second\n // own\n / e\n",
			"a = b              // first\n  / c /* of d */ d // second\n  // own\n  / e\n"},
		{"comment after the arrow", "a = // why\nb\n", "a = // why\n\tb\n"},
		{"comments before the arrow", "a /* x */ \"y\" // z\n = b\n", "a \"y\" =\n\t/* x */\n\t// z\n\tb\n"},
		{"comments around signs", "a = & /* x */ b /* y */ * v /* z */ : c\n", "a = & /* x */ b /* y */ * v /* z */ :c\n"},
		{"comment of several lines", "a = b /* x\n y */ c\n", "a = b\n    /* x\n y */\n    c\n"},
		{"after the initializer", "{\npackage p\n}//x\na=b\n", "{\npackage p\n} //x\na = b\n"},
		{"carriage returns", "a=b\r\nc=d { return nil,\n nil }\r\n\r\n", "a = b\r\nc = d { return nil,\n nil }\r\n"},
	} {
		if c.want == "" {
			if got, err := PEG("x.peg", []byte(c.text)); err == nil {
				t.Errorf("%s: not refused: %s", c.name, got)
			}
			continue
		}
		got := formatTwice(t, c.name, c.text)
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// What is no PEG of pigeon is refused at its place.
func TestPEGErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a <- ( b\n", "x.peg:2:1: expected ) for the ( at x.peg:1:6, found the end of the file"},
		{"a <- b\na <- c\n", `x.peg:2:1: rule "a" is defined twice, first at x.peg:1:1`},
		{"a <- b { return\n", "x.peg:1:8: code block not ended"},
		{"a <- b &{ return '}\n c\n", "x.peg:1:9: the code is not Go"},
		{"a <- b { return } }\n", "x.peg:1:19: expected the end of the line or ;, found '}'"},
	} {
		got, err := PEG("x.peg", []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %q, error %v\nwant %s", c.text, got, err, c.want)
		}
	}
}

// grammars returns the texts of PEGs by name: the published ones, and those in a folder that a variable names.
func grammars(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	files, err := fs.Glob(published.Files, "*.peg")
	if err != nil || len(files) == 0 {
		t.Fatal("no published PEG", err)
	}
	for _, f := range files {
		src, err := fs.ReadFile(published.Files, f)
		if err != nil {
			t.Fatal(err)
		}
		texts[f] = string(src)
	}
	if folder := os.Getenv("BNFCHECK_WILD"); folder != "" {
		others, _ := filepath.Glob(filepath.Join(folder, "peg", "*.peg"))
		if len(others) == 0 {
			t.Errorf("no PEG in %s", folder)
		}
		for _, f := range others {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.Base(f)] = string(src)
		}
	}
	return texts
}

// Grammars that people wrote are formatted, all of them, and stay as they are when they are formatted again. The
// published ones are formatted.
func TestPEGs(t *testing.T) {
	for name, text := range grammars(t) {
		got := formatTwice(t, name, text)
		if got == "" {
			t.Errorf("%s is refused", name)
		}
		if _, err := fs.Stat(published.Files, name); err == nil && got != text {
			t.Errorf("grammar/%s is not as bnfcheck fmt lays it out", name)
		}
	}
}

// Texts of random tokens are refused or formatted, and stay as they are when they are formatted again.
func TestRandomPEG(t *testing.T) {
	tokens := []string{"a", "b", "v:", "'x'", `"y"i`, "`z`", "[c-d]", ".", "&", "!", "#", "?", "*", "+", "/", "/", "(", ")", "(", ")",
		"{ return nil, nil }", "{\n\treturn nil, nil\n  }", "%{e}", "//{e, f}", "\n", "\n", "\n\n", "// one\n", "\n // two\n", "/* three */",
		"/* four\n four */", "\nc <-", "\nd \"shown\" =", ";", "a_name_that_is_as_long_as_half_of_a_line_of_a_page", "\r\n"}
	rng := rand.New(rand.NewPCG(1, 2))
	formatted := 0
	for range longtest.Size(100_000, 3_000_000) {
		text := "r <- "
		for range 1 + rng.IntN(16) {
			text += tokens[rng.IntN(len(tokens))] + " "
		}
		if formatTwice(t, "x.peg", text) != "" {
			formatted++
		}
	}
	if formatted < 1000 {
		t.Errorf("%d texts formatted", formatted)
	}
}

// Texts that are mutated grammars are refused or formatted, and stay as they are when they are formatted again.
func TestMutatedPEG(t *testing.T) {
	texts := grammars(t)
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	inserts := []string{"\n", " ", "(", ")", "/", "{", "}", ";", "// x\n", "/* x */", "/* x\n */", "*", "a:", "\r\n", "\t", "<-", "'", "\x00", "é"}
	rng := rand.New(rand.NewPCG(3, 4))
	formatted := 0
	for range longtest.Size(1_000, 100_000) {
		name := names[rng.IntN(len(names))]
		text := texts[name]
		from := rng.IntN(len(text))
		text = text[from:min(len(text), from+1+rng.IntN(1500))] // from the middle of a rule, mostly
		if start := strings.Index(text, "\n\n"); start >= 0 {
			text = text[start:]
		}
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(text) + 1)
			switch rng.IntN(3) {
			case 0:
				text = text[:at] + inserts[rng.IntN(len(inserts))] + text[at:]
			case 1:
				text = text[:at] + text[min(len(text), at+1+rng.IntN(5)):]
			default:
				end := min(len(text), at+rng.IntN(60))
				text = text[:at] + text[at:end] + text[at:]
			}
		}
		if formatTwice(t, name, text) != "" {
			formatted++
		}
	}
	if formatted < 100 {
		t.Errorf("%d texts formatted", formatted)
	}
}
