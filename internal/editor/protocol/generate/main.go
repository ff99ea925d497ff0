// Command generate writes the Go types of the Language Server Protocol that package editor speaks. It reads the
// protocol's own description, metaModel.json of the repository of vscode-languageserver-protocol, and writes
// types.go:
//
//	go run ./internal/editor/protocol/generate -model metaModel.json -o internal/editor/protocol/types.go
//
// It writes only what the server uses: the structures in roots, and everything that they refer to. Of a structure in
// parts it writes only those properties; any others that a client sends are ignored by encoding/json.
//
// A property that may be left out has omitempty; if it is a structure or a number, it is also a pointer, since zero
// differs from nothing. A union has no type in Go: unions names the member that is used, and any other union is any.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"
	"slices"
	"strings"
)

// roots are the structures that the server reads or writes.
var roots = []string{
	"InitializeParams", "InitializeResult", "CancelParams", "SetTraceParams", "DidOpenTextDocumentParams",
	"DidChangeTextDocumentParams", "DidCloseTextDocumentParams", "DidSaveTextDocumentParams",
	"DidChangeWatchedFilesParams", "PublishDiagnosticsParams", "ShowMessageParams", "LogMessageParams",
	"HoverParams", "Hover", "DefinitionParams", "ReferenceParams", "Location", "RenameParams",
	"PrepareRenameParams", "DocumentSymbolParams", "DocumentSymbol", "FoldingRangeParams", "FoldingRange",
	"SelectionRangeParams", "SelectionRange", "CompletionParams", "CompletionList", "SemanticTokensParams",
	"SemanticTokens", "SemanticTokensLegend", "SemanticTokensOptions", "DocumentLinkParams", "DocumentLink",
	"InlayHintParams", "InlayHint", "DocumentFormattingParams", "TextEdit", "CodeActionParams", "CodeAction",
	"CodeActionOptions", "CodeLensParams", "CodeLens", "ExecuteCommandParams", "ExecuteCommandOptions",
	"WorkspaceEdit", "DocumentHighlightParams", "DocumentHighlight", "RenameOptions", "CompletionOptions",
	"WorkspaceSymbolParams", "SymbolInformation", "CodeLensOptions", "DocumentLinkOptions",
	"TextDocumentSyncOptions", "ShowDocumentParams",
}

// enumerations are those that are used, though no structure refers to them.
var enumerations = []string{
	"ErrorCodes", "LSPErrorCodes", "SemanticTokenTypes", "SemanticTokenModifiers", "DiagnosticTag",
}

// unused are properties that are left out of every structure: nothing here reports progress.
var unused = []string{"workDoneToken", "partialResultToken", "workDoneProgress"}

// parts has the structures that are written only in part, with the properties that are written.
var parts = map[string][]string{
	"InitializeParams": {
		"processId", "rootUri", "capabilities", "workspaceFolders", "initializationOptions",
	},
	"ClientCapabilities":                   {"general", "textDocument", "workspace", "window"},
	"GeneralClientCapabilities":            {"positionEncodings"},
	"TextDocumentClientCapabilities":       {"hover", "publishDiagnostics", "documentSymbol", "codeAction", "rename"},
	"WorkspaceClientCapabilities":          {"codeLens", "workspaceEdit", "inlayHint", "semanticTokens"},
	"WindowClientCapabilities":             {"showDocument"},
	"HoverClientCapabilities":              {"contentFormat"},
	"PublishDiagnosticsClientCapabilities": {"relatedInformation", "versionSupport", "codeDescriptionSupport"},
	"DocumentSymbolClientCapabilities":     {"hierarchicalDocumentSymbolSupport"},
	"CodeActionClientCapabilities":         {"codeActionLiteralSupport"},
	"RenameClientCapabilities":             {"prepareSupport"},
	"WorkspaceEditClientCapabilities":      {"documentChanges"},
	"CodeAction":                           {"title", "kind", "diagnostics", "isPreferred", "edit", "command"},
	"WorkspaceEdit":                        {"changes", "documentChanges"},
	"CompletionItem": {
		"label", "labelDetails", "kind", "detail", "documentation", "sortText", "filterText", "insertText",
		"textEdit",
	},
	"CompletionList": {"isIncomplete", "items"},
	"InlayHint":      {"position", "label", "kind", "tooltip", "paddingLeft", "paddingRight"},
	"FoldingRange":   {"startLine", "startCharacter", "endLine", "endCharacter", "kind"},
	"DocumentSymbol": {"name", "detail", "kind", "range", "selectionRange", "children"},
	"ServerCapabilities": {
		"positionEncoding", "textDocumentSync", "hoverProvider", "definitionProvider", "referencesProvider",
		"renameProvider", "documentSymbolProvider", "foldingRangeProvider", "selectionRangeProvider",
		"completionProvider", "semanticTokensProvider", "documentLinkProvider", "inlayHintProvider",
		"documentFormattingProvider", "codeActionProvider", "codeLensProvider", "executeCommandProvider",
		"documentHighlightProvider", "workspaceSymbolProvider",
	},
	"SemanticTokensOptions": {"legend", "range", "full"},
	"CodeActionOptions":     {"codeActionKinds"},
	"CompletionOptions":     {"triggerCharacters", "resolveProvider"},
	"WorkspaceSymbolParams": {"query"},
}

// unions names the Go types that stand for unions, by the property or the alias.
var unions = map[string]string{
	"Hover.contents":                                "MarkupContent",
	"ServerCapabilities.textDocumentSync":           "*TextDocumentSyncOptions",
	"ServerCapabilities.renameProvider":             "*RenameOptions",
	"ServerCapabilities.semanticTokensProvider":     "*SemanticTokensOptions",
	"ServerCapabilities.codeActionProvider":         "*CodeActionOptions",
	"TextDocumentSyncOptions.save":                  "bool",
	"Diagnostic.code":                               "any",
	"Diagnostic.message":                            "string",
	"DocumentChange":                                "TextDocumentEdit",
	"WorkspaceEdit.documentChanges":                 "[]TextDocumentEdit",
	"TextDocumentEdit.edits":                        "[]TextEdit",
	"CompletionItem.documentation":                  "*MarkupContent",
	"CompletionItem.textEdit":                       "*TextEdit",
	"InlayHint.label":                               "string",
	"InlayHint.tooltip":                             "string",
	"TextDocumentContentChangeEvent":                "",
	"LanguageKind":                                  "string",
	"ProgressToken":                                 "any",
	"ServerCapabilities.hoverProvider":              "bool",
	"ServerCapabilities.definitionProvider":         "bool",
	"ServerCapabilities.referencesProvider":         "bool",
	"ServerCapabilities.documentSymbolProvider":     "bool",
	"ServerCapabilities.foldingRangeProvider":       "bool",
	"ServerCapabilities.selectionRangeProvider":     "bool",
	"ServerCapabilities.inlayHintProvider":          "bool",
	"ServerCapabilities.documentFormattingProvider": "bool",
	"ServerCapabilities.documentHighlightProvider":  "bool",
	"ServerCapabilities.workspaceSymbolProvider":    "bool",
	"SemanticTokensOptions.range":                   "bool",
	"SemanticTokensOptions.full":                    "bool",
}

// A model has the parts of metaModel.json that are used.
type model struct {
	MetaData     struct{ Version string }
	Structures   []structure
	Enumerations []enumeration
	TypeAliases  []struct {
		Name string
		Type kind
	}
}

type structure struct {
	Name            string
	Properties      []property
	Extends, Mixins []kind
}

type property struct {
	Name     string
	Type     kind
	Optional bool
}

type enumeration struct {
	Name   string
	Type   kind
	Values []struct {
		Name  string
		Value json.RawMessage
	}
}

// A kind is a type of the model.
type kind struct {
	Kind    string
	Name    string
	Element *kind
	Items   []kind
	Key     *kind
	Value   json.RawMessage // of a map, the type of its values; of a literal, its description
}

// A writer writes the types that roots need.
type writer struct {
	model    model
	todo     []string
	done     map[string]bool
	declared map[string]string // the text of each declaration
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	from := flag.String("model", "metaModel.json", "the protocol's description")
	to := flag.String("o", "types.go", "the file to write")
	flag.Parse()
	text, err := os.ReadFile(*from)
	if err != nil {
		log.Fatal(err)
	}
	out, err := generate(text)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*to, out, 0o644); err != nil {
		log.Fatal(err)
	}
}

// generate returns types.go for metaModel.json. It fails if the description cannot be read, or lacks a type.
func generate(text []byte) ([]byte, error) {
	w := &writer{done: map[string]bool{}, declared: map[string]string{}}
	if err := json.Unmarshal(text, &w.model); err != nil {
		return nil, err
	}
	for _, name := range slices.Concat(roots, enumerations) {
		w.need(name)
	}
	for len(w.todo) > 0 {
		name := w.todo[0]
		w.todo = w.todo[1:]
		if err := w.declare(name); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by internal/editor/protocol/generate from the protocol's metaModel.json, "+
		"version %s. DO NOT EDIT.\n\npackage protocol\n", w.model.MetaData.Version)
	var names []string
	for name := range w.declared {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.WriteString("\n" + w.declared[name])
	}
	return format.Source(b.Bytes())
}

// need puts the type of a name on w.todo, unless it was there or is one of Go's own.
func (w *writer) need(name string) {
	isOwn := name == "any" || name == "bool" || name == "string"
	if !isOwn && !w.done[name] {
		w.done[name] = true
		w.todo = append(w.todo, name)
	}
}

// declare sets w.declared for the type of a name. It fails if the protocol has no such type.
func (w *writer) declare(name string) error {
	for _, s := range w.model.Structures {
		if s.Name == name {
			w.declared[name] = w.structure(s)
			return nil
		}
	}
	for _, e := range w.model.Enumerations {
		if e.Name == name {
			w.declared[name] = w.enumeration(e)
			return nil
		}
	}
	for _, a := range w.model.TypeAliases {
		if a.Name == name {
			w.declared[name] = fmt.Sprintf("type %s = %s\n", name, cmp.Or(unions[name], w.goType(name, a.Type)))
			return nil
		}
	}
	return fmt.Errorf("the protocol has no %s", name)
}

// structure returns the declaration of a structure, with the properties that it inherits.
func (w *writer) structure(s structure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "type %s struct {\n", s.Name)
	for _, p := range w.properties(s) {
		if only := parts[s.Name]; only != nil && !slices.Contains(only, p.Name) || slices.Contains(unused, p.Name) {
			continue
		}
		union, fixed := unions[s.Name+"."+p.Name]
		written := union
		if !fixed {
			written = w.goType(s.Name+"."+p.Name, p.Type)
		} else {
			w.need(strings.TrimLeft(union, "*[]"))
		}
		tag := p.Name
		if p.Optional {
			tag += ",omitempty"
			if !fixed && (w.isStructure(written) || slices.Contains([]string{"int32", "uint32", "float64"}, written)) {
				written = "*" + written
			}
		}
		fmt.Fprintf(&b, "%s %s `json:%q`\n", exported(p.Name), written, tag)
	}
	b.WriteString("}\n")
	return b.String()
}

// properties lists the properties of a structure, those that it inherits first. One that is declared again counts
// once.
func (w *writer) properties(s structure) (list []property) {
	for _, k := range slices.Concat(s.Extends, s.Mixins) {
		for _, base := range w.model.Structures {
			if base.Name == k.Name {
				list = append(list, w.properties(base)...)
			}
		}
	}
	for _, p := range s.Properties {
		list = slices.DeleteFunc(list, func(q property) bool { return q.Name == p.Name })
		list = append(list, p)
	}
	return list
}

// isStructure reports whether a Go type is a structure of the protocol.
func (w *writer) isStructure(name string) bool {
	return slices.ContainsFunc(w.model.Structures, func(s structure) bool { return s.Name == name })
}

// basic has the Go type for each basic type of the protocol.
var basic = map[string]string{
	"string": "string", "URI": "string", "DocumentUri": "DocumentURI", "integer": "int32", "uinteger": "uint32",
	"decimal": "float64", "boolean": "bool", "null": "any", "RegExp": "string",
}

// goType returns the Go type for a type at a place, which is the property or the alias. It puts the types that this
// needs on w.todo.
func (w *writer) goType(place string, k kind) string {
	switch k.Kind {
	case "base":
		return basic[k.Name]
	case "stringLiteral":
		return "string"
	case "reference":
		switch k.Name {
		case "LSPAny", "LSPObject":
			return "any"
		case "TextDocumentContentChangeEvent":
			// One structure for both members of the union: a change of everything has no range.
			w.need("Range")
			w.declared[k.Name] = "type TextDocumentContentChangeEvent struct {\nRange *Range " +
				"`json:\"range,omitempty\"`\nText string `json:\"text\"`\n}\n"
			return k.Name
		}
		if union, ok := unions[k.Name]; ok {
			w.need(union)
			return union
		}
		w.need(k.Name)
		return k.Name
	case "array":
		return "[]" + w.goType(place, *k.Element)
	case "map":
		var value kind
		if err := json.Unmarshal(k.Value, &value); err != nil {
			return "any"
		}
		return fmt.Sprintf("map[%s]%s", w.goType(place, *k.Key), w.goType(place, value))
	case "or":
		members := slices.DeleteFunc(slices.Clone(k.Items), func(k kind) bool { return k.Name == "null" })
		if len(members) == 1 {
			one := w.goType(place, members[0])
			if strings.HasPrefix(one, "[]") || one == "any" {
				return one
			}
			return "*" + one
		}
	}
	return "any"
}

// enumeration returns the declaration of an enumeration and its constants.
func (w *writer) enumeration(e enumeration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "type %s %s\n\nconst (\n", e.Name, basic[e.Type.Name])
	for _, v := range e.Values {
		fmt.Fprintf(&b, "%s%s %s = %s\n", e.Name, exported(v.Name), e.Name, v.Value)
	}
	b.WriteString(")\n")
	return b.String()
}

// exported returns a name with a capital at its beginning, and with ID and URI in Go's spelling.
func exported(name string) string {
	name = strings.ToUpper(name[:1]) + name[1:]
	for _, end := range []string{"Uri", "Id"} {
		if rest, ok := strings.CutSuffix(name, end); ok {
			name = rest + strings.ToUpper(end)
		}
	}
	return name
}
