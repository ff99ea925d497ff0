package editor

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A lens stands above a line, and runs a command when it is clicked:
//
//  - above comments with examples: whether these hold, and if not why
//  - above the first production, if there is a PEG next to the file: the proof that the two are equal
//  - there, too: the changes since the last commit; this is the only one that runs a program, git
//
// The answer is a text. The command returns it, and it is also shown as a message, unless the editor has said with
// the option "results" of initialize that it shows what a command returns; few do.

// The commands.
const (
	commandExamples = "bnfcheck.examples"
	commandProve    = "bnfcheck.prove"
	commandChanged  = "bnfcheck.changed"
)

// commands has the function that carries out each command, for a document that was read without mistakes and the line
// that was clicked, counted from 1; 0 if the editor has not told it.
var commands = map[string]func(c *call, line int) (string, error){
	commandExamples: (*call).runExamples,
	commandProve:    (*call).runProof,
	commandChanged:  (*call).runChanged,
}

// init registers the lenses and their commands. A command names its document in its first argument, where the params
// of other requests have it as textDocument.
func init() {
	announce(func(c *protocol.ServerCapabilities) {
		c.CodeLensProvider = &protocol.CodeLensOptions{}
		c.ExecuteCommandProvider = &protocol.ExecuteCommandOptions{
			Commands: []string{commandExamples, commandProve, commandChanged},
		}
	})
	handle("textDocument/codeLens", (*call).lenses)
	handle("workspace/executeCommand", (*call).execute)
	h := handlers["workspace/executeCommand"]
	h.about = func(text json.RawMessage) protocol.DocumentURI {
		var p protocol.ExecuteCommandParams
		_ = json.Unmarshal(text, &p) // a request that is none is refused when it is answered
		if len(p.Arguments) == 0 {
			return ""
		}
		uri, _ := p.Arguments[0].(string)
		return protocol.DocumentURI(uri)
	}
	handlers["workspace/executeCommand"] = h
}

// lenses lists the commands for the document, each at its line; it runs none. At the first production stand the proof,
// if there is a file to compare with, for which it looks as exists does, and the changes, if the document is a file.
// Every line with examples has a command that tries them; there is no limit. There are none if nothing could be read.
// They are also listed for a document with mistakes, for which execute refuses them.
func (c *call) lenses(p protocol.CodeLensParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	r := n.reading()
	list := []protocol.CodeLens{}
	add := func(at protocol.Range, title, command string) {
		list = append(list, protocol.CodeLens{Range: at, Command: &protocol.Command{
			Title: title, Command: command, Arguments: []any{string(n.uri), at.Start.Line},
		}})
	}
	if r.opened == nil {
		return list, nil
	}
	if len(r.outline.Rules) > 0 {
		first := n.lines.rangeOf(r.outline.NameSpan(r.outline.Rules[0].Name))
		if beside := n.otherSide(); beside != "" {
			add(first, "Prove against "+beside, commandProve)
		}
		if n.path != "" {
			add(first, "What has changed since the last commit", commandChanged)
		}
	}
	last := -1
	for _, e := range lint.Examples(r.opened.Grammar, r.opened.Text) {
		if e.Pos.Line == last { // a lens is for all examples of its line
			continue
		}
		last = e.Pos.Line
		add(n.rangeAt(e.Pos), "Try the examples of this line", commandExamples)
	}
	return list, nil
}

// execute runs a command on a document and returns its text, cut off after 4000 bytes. It also shows the text as a
// message, unless the editor shows what commands return. Commands get the line of the second argument, counted from 1
// where the editor counts from 0; 0 if there is none. It refuses a command that there is not, and a document that
// cannot be read as a whole, and passes on the error of a command that fails as a refusal. It takes the server's lock,
// and has the effects of the command.
func (c *call) execute(p protocol.ExecuteCommandParams) (any, error) {
	run := commands[p.Command]
	if run == nil {
		return nil, invalidRequest("no command %q", p.Command)
	}
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	line := 0
	if len(p.Arguments) > 1 { // the first argument is the URI, for c.document
		if number, ok := p.Arguments[1].(float64); ok {
			line = int(number) + 1
		}
	}
	if r := n.reading(); r.opened == nil || len(r.wrong) > 0 {
		return nil, refusedRequest("%s cannot be read: see what is reported in it", n.name)
	}
	text, err := run(c, line)
	if err != nil {
		return nil, refusedRequest("%v", err)
	}
	const most = 4000
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	c.mu.Lock()
	shown := c.results
	c.mu.Unlock()
	if !shown {
		c.showMessage(protocol.MessageTypeInfo, text)
	}
	return text, nil
}

// runExamples tries the examples of a line, and returns a line of text for each. It fails if there are none. All of
// them share a budget, a quarter of that of a command. The document must have a grammar.
func (c *call) runExamples(line int) (string, error) {
	n := c.snapshot
	r := n.reading()
	g := c.grammar(4)
	var lines []string
	for _, e := range lint.Examples(g, r.opened.Text) {
		if e.Pos.Line != line {
			continue
		}
		lines = append(lines, c.tryExample(g, e))
	}
	if len(lines) == 0 {
		return "", errors.New("there are no examples in this line")
	}
	return strings.Join(lines, "\n"), nil
}

// tryExample returns a sentence on whether an example holds, or on why that makes no sense or is not decided. If its
// string is rejected, the sentence also has the place and the reason, if these are known.
func (c *call) tryExample(g *expr.Grammar, e lint.Example) string {
	if e.Wrong != "" {
		return e.Wrong
	}
	holds, ok := e.Holds(g)
	if !ok {
		return fmt.Sprintf("%s: %s: not decided", e.Rule.Label(), g.Quote(e.Word))
	}
	verb, because := "rejects", ""
	if e.Accepts == holds {
		verb = "accepts"
	} else if reason := c.whyRejected(e); reason != "" {
		because = ": " + reason
	}
	as := "as the comment says"
	if !holds {
		as = "which the comment denies"
	}
	return fmt.Sprintf("%s %s %s, %s%s", e.Rule.Label(), verb, g.Quote(e.Word), as, because)
}

// whyRejected returns why the production of an example rejects its string, which it must do: of any other the result
// means nothing. It has a budget of its own, a quarter of that of a command. If finding the reason would take more,
// the result says so, and it is "" if no parser can be made. The document must have a grammar, and the example a
// production.
func (c *call) whyRejected(e lint.Example) string {
	opened := *c.snapshot.reading().opened
	opened.Grammar = c.grammar(4)
	opened.Within = opened.Grammar
	opened.Asked = e.Rule.ID
	p, err := anygrammar.New(&opened)
	if err != nil {
		return ""
	}
	return p.Message(p.Explain(e.Word))
}

// runProof compares the document with the file next to it, and returns the proof, or the rules that differ, at most
// 20. It fails as proveBeside does, and has the effects of that.
func (c *call) runProof(int) (string, error) {
	report, err := c.snapshot.proveBeside(c.ctx, 1)
	if err != nil {
		return "", err
	}
	const most = 20
	return strings.TrimSpace(string(report.AppendText(nil, &layout.Screen{}, false, most, nil))), nil
}

// startID returns the ID of the production that the settings name as the start. It returns "" if they name none, or
// one that the grammar does not have. The document must have a grammar.
func (n *snapshot) startID() string {
	r := n.reading()
	if r.settings.start == "" {
		return ""
	}
	if rule, err := r.opened.Lookup(r.settings.start); err == nil {
		return rule.ID
	}
	return ""
}
