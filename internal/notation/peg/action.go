package peg

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// goCode has the parts of the initializer that matter: the functions that actions can call, and what it does
// by itself.
type goCode struct {
	pos     expr.Pos
	declare map[string]bool          // the names that the initializer declares
	funcs   map[string]*ast.FuncDecl // functions by their name, methods of pigeon's type current by c. and their name
	structs map[string]bool          // the types that are structs
	at      expr.Pos                 // of code that runs before any parser does, and is not calm; zero if there is none
	imports []expr.Assumption        // about the packages that it imports
}

// readGo reads the initializer, whose brace stands at pos. It fails, with an [*expr.Error], for one that can change
// what the rest of the parser means: text that is no file of Go by itself, C, and a name of Go's or of a package that
// pigeon's own code uses that is given to something else. g then has what was read all the same. Code that runs
// before the parser, and may do more than compute a value, is noted in g.at; it is no error.
func readGo(code string, pos expr.Pos) (g goCode, err error) {
	g = goCode{pos: pos, funcs: map[string]*ast.FuncDecl{}, structs: map[string]bool{}}
	files, head := token.NewFileSet(), ""
	file, err := parser.ParseFile(files, "", code, parser.SkipObjectResolution)
	if err != nil { // pigeon reads a fragment as well
		head = "package p;"
		if file, err = parser.ParseFile(files, "", head+code, parser.SkipObjectResolution); err != nil {
			return g, expr.Refusef(pos, "the initializer is not Go")
		}
	}
	g.declare = declared(file)
	hide := func(names ...*ast.Ident) {
		for _, n := range names {
			switch {
			case err != nil:
			case predeclared(n.Name):
				err = expr.Refusef(pos,
					"the initializer gives Go's own name %q to something else: the parser uses it too", n.Name)
			case runtimePackages[n.Name] != "":
				err = expr.Refusef(pos,
					"the initializer gives the name %q to something else: the parser uses Go's package %s by it",
					n.Name, runtimePackages[n.Name])
			}
		}
	}
	var running []ast.Node // before any parser does
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		switch {
		case ok && f.Recv == nil:
			g.funcs[f.Name.Name] = f
			if f.Name.Name == "init" {
				running = append(running, f)
			}
			hide(f.Name)
		case ok && ofCurrent(f):
			g.funcs["c."+f.Name.Name] = f
		case ok: // nothing of pigeon's calls another method than its own
		default:
			for _, s := range d.(*ast.GenDecl).Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					if d.(*ast.GenDecl).Tok == token.VAR {
						for _, v := range s.Values {
							running = append(running, v)
						}
					}
					hide(s.Names...)
				case *ast.TypeSpec:
					_, g.structs[s.Name.Name] = s.Type.(*ast.StructType)
					hide(s.Name)
				case *ast.ImportSpec:
					from, _ := strconv.Unquote(s.Path.Value) // which the parser has seen to
					name := cmp.Or(s.Name, ast.NewIdent(packageName(from)))
					if runtimePackages[name.Name] != from {
						hide(name)
					}
					switch place := placeIn(pos, files, s, head); {
					case from == "C":
						err = expr.Refusef(place,
							"an initializer with C is not supported: what it does cannot be known")
					case !slices.Contains(standard, from):
						g.imports = append(g.imports,
							expr.Assumption{Text: fmt.Sprintf(assumeImport, from), Pos: place})
					}
				}
			}
		}
	}
	for _, n := range running {
		if e, isValue := n.(ast.Expr); g.at.Line == 0 && !(isValue && calmer{goCode: g}.calm(e)) {
			g.at = placeIn(pos, files, n, head)
		}
	}
	return g, err
}

// placeIn returns the place of n in a block whose brace stands at pos, and whose code was read after head.
func placeIn(pos expr.Pos, files *token.FileSet, n ast.Node, head string) expr.Pos {
	at := files.PositionFor(n.Pos(), false)
	if at.Line == 1 {
		at.Column += pos.Col - len(head)
	}
	return expr.Pos{File: pos.File, Line: pos.Line + at.Line - 1, Col: at.Column}
}

// packageName returns the name of the package with this path, as goimports guesses it: the last element that is no
// major version, without "go-" in front, and up to the first character that cannot stand in a name.
func packageName(from string) string {
	dir, name := path.Split(from)
	if majorVersion.MatchString(name) && dir != "" {
		name = path.Base(dir)
	}
	name = strings.TrimPrefix(name, "go-")
	notInName := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if i := strings.IndexFunc(name, notInName); i >= 0 {
		name = name[:i]
	}
	return name
}

// majorVersion matches the last element of an import path that is a major version.
var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// ofCurrent reports whether f is a method of pigeon's type current.
func ofCurrent(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return false
	}
	recv := f.Recv.List[0].Type
	if star, ok := recv.(*ast.StarExpr); ok {
		recv = star.X
	}
	name, ok := recv.(*ast.Ident)
	return ok && name.Name == "current"
}

// local lists the names that f declares inside of itself. It lists c as well, unless that is the receiver and of type
// current: then c. is not what it is in an action. f must have a body.
func local(f *ast.FuncDecl) map[string]bool {
	own := declared(f.Type)
	maps.Copy(own, declared(f.Body))
	receiver := ""
	if f.Recv != nil && len(f.Recv.List[0].Names) > 0 {
		receiver = f.Recv.List[0].Names[0].Name
	}
	if receiver != "c" || !ofCurrent(f) {
		own["c"] = true
	}
	return own
}

// declared lists the names that are declared in n, at any depth: variables, constants, types, parameters, fields,
// imports with a name of their own ("." and "_" count), and functions. Names that a range clause only sets are among
// them, too, and so are methods of interfaces, but not methods with a body.
func declared(n ast.Node) map[string]bool {
	names := map[string]bool{}
	give := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id != nil {
				names[id.Name] = true
			}
		}
	}
	add := func(es ...ast.Expr) {
		for _, e := range es {
			id, _ := e.(*ast.Ident)
			give(id)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			add(n.Key, n.Value)
		case *ast.ValueSpec:
			give(n.Names...)
		case *ast.TypeSpec:
			give(n.Name)
		case *ast.ImportSpec:
			give(n.Name)
		case *ast.Field: // of a struct or an interface, a parameter, a result, a receiver
			give(n.Names...)
		case *ast.FuncDecl:
			if n.Recv == nil {
				give(n.Name)
			}
		}
		return true
	})
	return names
}

// A nodeCall is the call c.node("ID", v): the ID, and the label whose nodes become children.
type nodeCall struct{ id, of string }

// judge decides what the action with this code, whose brace stands at pos, does to the parse. It returns the call
// that makes a node, or the zero value. Code that may return an error, and code that may do more than return a value,
// is noted as an assumption of the rule or refuses it, as vouched does. At code that is not Go it panics with an
// error.
func (p *reader) judge(code string, pos expr.Pos) (node nodeCall) {
	const head = "package p; func _(c *current) (any, error) {"
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", head+code+"\n}", parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		panic(expr.Errorf(pos, "the action is not Go"))
	}
	body := file.Decls[0].(*ast.FuncDecl).Body
	node = nodeOf(body)
	if may := p.initializer.mayFail(body, declared(body), nil); may != nil {
		text := assumeSuccess
		if node.id != "" && p.initializer.funcs["c.node"] == nil {
			text = assumeNode
		}
		p.vouched(text, pos, placeIn(pos, files, may, head),
			"an action that may return an error is not supported: the error fails the whole parse, even in an "+
				"alternative that is abandoned; return nil, or %s", vouch)
	}
	if !p.initializer.calmBody(body, nil, nil) {
		p.vouched(assumeCalm, pos, pos,
			"an action that may do more than return a value is not supported: it may panic, or change "+
				"what the parser does; %s", vouch)
	}
	return node
}

// vouched notes at pos that the rule rests on text, if the user vouches for it (Options.ActionsSucceed).
// Otherwise it refuses the rule, unless that is refused already, with the message why at the place at fault,
// at.
func (p *reader) vouched(text string, pos, at expr.Pos, why string, args ...any) {
	switch {
	case p.opts.ActionsSucceed:
		p.assume(text, pos)
	case p.refusal == nil:
		p.refusal = expr.Refusef(at, why, args...).(*expr.Error)
	}
}

// nodeOf returns the call in { return c.node("ID", v) } if v is a name, that of a label or not (nil, too), or the zero
// value for any other body.
func nodeOf(body *ast.BlockStmt) nodeCall {
	if len(body.List) != 1 {
		return nodeCall{}
	}
	r, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 || called(r.Results[0]) != "c.node" {
		return nodeCall{}
	}
	args := r.Results[0].(*ast.CallExpr).Args
	if len(args) != 2 {
		return nodeCall{}
	}
	id, isLit := args[0].(*ast.BasicLit)
	label, isName := args[1].(*ast.Ident)
	if !isLit || !isName || id.Kind != token.STRING {
		return nodeCall{}
	}
	s, err := strconv.Unquote(id.Value)
	if err != nil {
		return nodeCall{}
	}
	return nodeCall{s, label.Name}
}

// called returns the name of the function that the call e calls, as in goCode.funcs: "f" for f(...), "c.f" for
// c.f(...). A conversion to a named type counts as a call. It is "" if e is not a call, or calls something else.
func called(e ast.Expr) string {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "c" {
			return "c." + f.Sel.Name
		}
	}
	return ""
}

// mayFail returns the first return statement that may return another error than nil; the body itself if it has no
// return statement, and nil if all are safe. Those of function literals in it do not count. A statement is safe if its
// last result is written as nil, or if it returns the result of a function of the initializer whose own return
// statements are safe. The last result of that function must be an error, and its results must have no names. The
// functions in asked are taken to be safe. The names in own mean something else in the body.
func (g goCode) mayFail(body *ast.BlockStmt, own map[string]bool, asked []string) ast.Node {
	var may ast.Node
	returns := 0
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok || may != nil {
			return false
		}
		r, ok := n.(*ast.ReturnStmt)
		if !ok {
			return true
		}
		returns++
		if !g.safe(r, own, asked) {
			may = r
		}
		return true
	})
	if returns == 0 {
		return body
	}
	return may
}

// safe reports whether a return statement is safe: see [goCode.mayFail].
func (g goCode) safe(r *ast.ReturnStmt, own map[string]bool, asked []string) bool {
	switch len(r.Results) {
	case 2:
		id, ok := r.Results[1].(*ast.Ident)
		return ok && id.Name == "nil" && !own["nil"] && !g.declare["nil"]
	case 1:
		name := called(r.Results[0])
		f := g.funcs[name]
		if f == nil || own[name] || strings.HasPrefix(name, "c.") && own["c"] || f.Body == nil ||
			f.Type.Results == nil {
			return false
		}
		if slices.Contains(asked, name) {
			return true
		}
		// A result with a name can be set by a deferred function.
		if slices.ContainsFunc(f.Type.Results.List, func(r *ast.Field) bool { return len(r.Names) > 0 }) {
			return false
		}
		// A nil of another type than error, *os.PathError for one, is an error that is not nil.
		last := f.Type.Results.List[len(f.Type.Results.List)-1]
		if t, ok := last.Type.(*ast.Ident); !ok || t.Name != "error" || g.declare["error"] {
			return false
		}
		return g.mayFail(f.Body, local(f), append(asked, name)) == nil
	}
	return false
}

// calmBody reports whether a body is a single return statement, of values that are calm. The names in own mean
// something else in the body. The functions in asked are being looked into: one that calls itself may not end, and is
// not calm.
func (g goCode) calmBody(body *ast.BlockStmt, own map[string]bool, asked []string) bool {
	if body == nil || len(body.List) != 1 {
		return false
	}
	r, ok := body.List[0].(*ast.ReturnStmt)
	return ok && calmer{g, own, asked}.all(r.Results)
}

// A calmer looks for expressions that certainly do nothing.
type calmer struct {
	goCode
	own   map[string]bool
	asked []string
}

// all reports whether all expressions of a list are calm.
func (g calmer) all(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !g.calm(e) })
}

// calm reports whether computing e certainly has no effect: it cannot panic, and changes nothing. Names and constants
// are calm, and so are the fields of c, composite values and their addresses, sums, negations, string(x) and len(x)
// of what is calm, and calls of functions of the initializer that are calm. A type assertion, an index, a division, a
// call of another's function and a comparison, which panics for some values in interfaces, are not.
func (g calmer) calm(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return g.calm(e.X)
	case *ast.SelectorExpr:
		return g.ofParser(e.X)
	case *ast.UnaryExpr:
		_, composite := e.X.(*ast.CompositeLit)
		return (e.Op == token.SUB || e.Op == token.NOT || e.Op == token.AND && composite) && g.calm(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && g.calm(e.X) && g.calm(e.Y)
	case *ast.CompositeLit:
		return g.composite(e)
	case *ast.CallExpr:
		return g.call(e)
	}
	return false
}

// composite reports whether a composite value is calm. It must have a type: a {1} inside of another value is not
// looked into. The keys of a map are hashed, which panics for some values: so a key must be a literal, or name a field
// of a struct that the initializer declares.
func (g calmer) composite(e *ast.CompositeLit) bool {
	name, _ := e.Type.(*ast.Ident)
	isStruct := name != nil && g.structs[name.Name] && !g.own[name.Name]
	return e.Type != nil && !slices.ContainsFunc(e.Elts, func(elt ast.Expr) bool {
		pair, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return !g.calm(elt)
		}
		_, constant := pair.Key.(*ast.BasicLit)
		return !constant && !isStruct || !g.calm(pair.Value)
	})
}

// ofParser reports whether e is pigeon's c, or a chain of names after c and dots: c.pos.line. That there are such
// fields is for Go's compiler to say; no pointer on the way can be nil. It is false where c means something else,
// and for an e in parentheses.
func (g calmer) ofParser(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "c" && !g.own["c"]
	case *ast.SelectorExpr:
		return g.ofParser(e.X)
	}
	return false
}

// call reports whether a call is calm: string(x), len(x), or a function of the initializer whose body is. Its
// arguments must be calm, and the function must not be one of g.asked, nor hidden by a name in g.own.
func (g calmer) call(e *ast.CallExpr) bool {
	name := called(e)
	switch base, _, method := strings.Cut(name, "."); {
	case !g.all(e.Args), g.own[base]:
		return false
	case !method && (name == "string" || name == "len"):
		return len(e.Args) == 1
	}
	f := g.funcs[name]
	return f != nil && f.Body != nil && !slices.Contains(g.asked, name) &&
		g.calmBody(f.Body, local(f), append(g.asked, name))
}

// Reserved reports whether pigeon takes the word for no label, and, because it tries to read a label first, for no
// reference and no name of a rule that follows another. These are Go's keywords and predeclared identifiers of old.
func Reserved(word string) bool {
	if token.IsKeyword(word) {
		return true
	}
	switch word {
	case "bool", "byte", "complex64", "complex128", "error", "float32", "float64", "int8", "int16", "int32", "int64",
		"int",
		"rune", "string", "uint8", "uint16", "uint32", "uint64", "uintptr", "uint", "true", "false", "iota", "nil",
		"append",
		"cap", "close", "complex", "copy", "delete", "imag", "len", "make", "new", "panic", "println", "print",
		"real", "recover":
		return true
	}
	return false
}

// predeclared reports whether Go itself gives the word, which is no keyword, to something.
func predeclared(word string) bool {
	switch word {
	case "any", "clear", "comparable", "max", "min":
		return true
	}
	return Reserved(word)
}

// A mention is a label in a sequence, or an action that is called with all labels before it in its scope.
// Pigeon opens a scope for a rule, for each of several alternatives, and for an expression with a label, a
// prefix or a suffix. Parentheses open none.
type mention struct {
	label string // "" for an action
	pos   expr.Pos
}

// leave ends an expression whose mentions p.mentions holds, in one that had the mentions outer before, and sets
// p.mentions to those of both; outer may be overwritten beyond its end. If the expression is a scope, its own are
// checked and left out. At an action whose function would have two parameters of one name, other than "_", or one
// called c as the receiver is, so that the parser does not compile, leave panics with an error.
func (p *reader) leave(outer []mention, scope bool) {
	inner := p.mentions
	p.mentions = outer
	if !scope {
		p.mentions = append(outer, inner...)
		return
	}
	at := map[string]expr.Pos{}
	var again *mention
	for i, m := range inner {
		_, known := at[m.label]
		switch {
		case m.label == "" && again != nil && again.label == "c":
			panic(expr.Errorf(again.pos,
				"the label c is the name of the receiver of the action at %s, and pigeon's parser does not compile",
				m.pos))
		case m.label == "" && again != nil:
			panic(expr.Errorf(again.pos,
				"label %s stands twice before the action at %s, first at %s, and pigeon's parser does not compile",
				again.label, m.pos, at[again.label]))
		case m.label == "" || m.label == "_" || again != nil:
		case known || m.label == "c":
			again = &inner[i]
		default:
			at[m.label] = m.pos
		}
	}
}
