package pegtogo

import (
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// accepting is a program whose starts all have their automata.
func accepting(t *testing.T, src string) *program {
	t.Helper()
	g := must.Of(peg.Options{ActionsSucceed: true}.Read("test.peg", []byte(src)))(t)
	languages := must.Of(lang.NewPEG(g, lang.Limits{}))(t)
	p, err := newProgram(g, Options{
		Package: "test",
		Kind:    strings.ToUpper,
		Lexical: func(string) bool { return true },
		Automaton: func(id string) *lang.DFA {
			return must.Of(languages.Whole(expr.To(id)))(t)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// An acceptor with one change is told from the automaton that it was made of: each jump to another state, each place
// where a byte is left out, each answer that is the other one, each class and each byte.
func TestChangedAcceptorsAreNoticed(t *testing.T) {
	p := accepting(t, `a <- "//" ( !( c* "@" ) d / c* "@" d ) ( "/" c* )* ( "?" ( c / [/?] )* )? "#"? ( "\x01" e "."? )?
e <- [0-7] [0-7] [0-7] [0-7] [0-7] [0-7] [0-7] ( [0-7] ( [0-7] ( [0-7] ( [0-7] ( [0-7] [0-7]? )? )? )? )? )?
c <- [^\x00-\x20/?#@:] / ":"
d <- [a-z]+ ( ":" [0-9]+ )?`)
	file := must.Of(p.makeSource())(t)
	a := p.automata["a"]
	hold := func(file string) error {
		m, err := loadFile([]byte(file), p.kindConstants(), "parse")
		if err != nil {
			return err
		}
		return p.compareAutomaton(m, p.starts[0], a)
	}
	must.Do(t, hold(string(file)))
	text := string(file)
	from := strings.Index(text, "func acceptsA(")
	to := from + strings.Index(text[from:], "\n}\n")
	tried := 0
	for _, c := range []struct {
		pattern string
		change  func(old string) string
	}{
		{`goto q\d+`, func(old string) string {
			if old == "goto q1" {
				return "goto q2"
			}
			return "goto q1"
		}},
		{`i\+\+\n\t+goto`, func(string) string { return "i += 2\ngoto" }},
		{`return (true|false)`, func(old string) string {
			return map[string]string{"return true": "return false", "return false": "return true"}[old]
		}},
		{`i \+= 8`, func(string) string { return "i += 9" }},
		{`i \+ \d;`, func(old string) string { return old[:4] + string(old[4]+1) + ";" }},
		{`i \+ \d;`, func(old string) string { return old[:4] + string(old[4]-1) + ";" }},
		{`s\[i\] [!=]= '.'`, func(old string) string { return old[:len(old)-2] + "$'" }},
		{`case '.'`, func(string) string { return "case '$'" }},
		{`accepted\[s\[i\]\]&\w+`, func(string) string { return "accepted[s[i]]&inA2" }},
	} {
		for _, at := range regexp.MustCompile(c.pattern).FindAllStringIndex(text[from:to], -1) {
			old := text[from+at[0] : from+at[1]]
			changed := c.change(old)
			if changed == old {
				continue
			}
			tried++
			if hold(text[:from+at[0]]+changed+text[from+at[1]:]) == nil {
				// Classes that differ only in bytes which an earlier test of the state has taken are the same there.
				if strings.HasPrefix(changed, "accepted") && strings.Contains(text[from+at[0]-60:from+at[0]], "accepted[") {
					continue
				}
				t.Errorf("not noticed: %q for %q at %q", changed, old, text[from+at[0]-40:from+at[1]])
			}
		}
	}
	if tried < 40 {
		t.Errorf("only %d changes were tried\n%s", tried, text[from:to])
	}
}
