package editor

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// init registers the requests for tokens, and announces the names of their types and modifiers in the order of their
// numbers.
func init() {
	announce(func(c *protocol.ServerCapabilities) {
		legend := protocol.SemanticTokensLegend{}
		for _, t := range tokenTypes {
			legend.TokenTypes = append(legend.TokenTypes, string(t))
		}
		for _, m := range tokenModifiers {
			legend.TokenModifiers = append(legend.TokenModifiers, string(m))
		}
		c.SemanticTokensProvider = &protocol.SemanticTokensOptions{Legend: legend, Full: true, Range: true}
	})
	handle("textDocument/semanticTokens/full", (*call).tokens)
	handle("textDocument/semanticTokens/range", (*call).tokensIn)
}

// The types and modifiers of semantic tokens, by their numbers in the protocol.
var (
	tokenTypes = []protocol.SemanticTokenTypes{
		protocol.SemanticTokenTypesFunction, protocol.SemanticTokenTypesString, protocol.SemanticTokenTypesNumber,
		protocol.SemanticTokenTypesOperator, protocol.SemanticTokenTypesComment, protocol.SemanticTokenTypesParameter,
		protocol.SemanticTokenTypesMacro,
	}
	tokenModifiers = []protocol.SemanticTokenModifiers{
		protocol.SemanticTokenModifiersDefinition, protocol.SemanticTokenModifiersDefaultLibrary,
	}
)

// The numbers of types and modifiers.
const (
	typeFunction = iota
	typeString
	typeNumber
	typeOperator
	typeComment
	typeParameter
	typeMacro

	definition     = 1
	defaultLibrary = 2
)

// typeOf has the type of each kind of token. Kinds without one are left to the editor's own grammar.
var typeOf = map[outline.Kind]uint32{
	outline.Name: typeFunction, outline.String: typeString, outline.Value: typeNumber, outline.Count: typeNumber,
	outline.Defines: typeOperator, outline.Slash: typeOperator, outline.Operator: typeOperator,
	outline.Comment: typeComment, outline.Label: typeParameter, outline.Prose: typeMacro,
}

// tokens returns the semantic tokens of the document, which color it.
func (c *call) tokens(p protocol.SemanticTokensParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	return protocol.SemanticTokens{Data: n.coloredTokens(outline.Span{Start: 0, End: len(n.text)})}, nil
}

// tokensIn returns the semantic tokens that touch a part of the document.
func (c *call) tokensIn(p struct {
	protocol.SemanticTokensParams
	Range protocol.Range `json:"range"`
}) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	return protocol.SemanticTokens{Data: n.coloredTokens(n.lines.span(p.Range))}, nil
}

// coloredTokens returns the tokens that touch a part of the text, each as five numbers: the lines and the columns
// since the token before, the length, the type and the modifiers. A token of several lines is one for each line.
// Kinds without a type are left out. Where a name is defined it has a modifier, and so has one that isElsewhere. Prose
// that is the name of a production has the type of a name.
func (n *snapshot) coloredTokens(part outline.Span) []uint32 {
	r := n.reading()
	o := r.outline
	defines := r.definingTokens()
	data := []uint32{}
	var last protocol.Position
	for i, t := range o.Tokens {
		if t.End < part.Start || t.Start > part.End {
			continue
		}
		kind, ok := typeOf[t.Kind]
		if !ok {
			continue
		}
		modifiers := uint32(0)
		switch {
		case defines[i]:
			kind, modifiers = typeFunction, definition
		case t.Kind == outline.Prose && r.names().definitions[o.Key(o.NameOf(i))] != nil:
			kind = typeFunction
		case t.Kind == outline.Name && n.isElsewhere(o.NameOf(i)):
			modifiers = defaultLibrary
		}
		for _, s := range linesOf(n.text, t) {
			at, end := n.lines.position(s.Start), n.lines.position(s.End)
			column := at.Character
			if at.Line == last.Line { // columns count from the token before if that is in the same line
				column -= last.Character
			}
			data = append(data, at.Line-last.Line, column, end.Character-at.Character, kind, modifiers)
			last = at
		}
	}
	return data
}

// isElsewhere reports whether a name is that of a core rule, or of a production from another file, and the text has no
// production with it.
func (n *snapshot) isElsewhere(name string) bool {
	r := n.reading()
	if r.names().definitions[r.outline.Key(name)] != nil {
		return false
	}
	rule := n.ruleNamed(name)
	return rule != nil && (bnf.IsCore(rule) || rule.Pos.File != n.name)
}

// linesOf returns the parts of a token in each line, without those that are empty. A line ends as newLineIndex has it.
func linesOf(text string, t outline.Token) (spans []outline.Span) {
	for at := t.Start; at < t.End; {
		end := t.End
		if n := strings.IndexAny(text[at:t.End], "\r\n"); n >= 0 {
			end = at + n
		}
		if end > at {
			spans = append(spans, outline.Span{Start: at, End: end})
		}
		at = end + 1
	}
	return spans
}
