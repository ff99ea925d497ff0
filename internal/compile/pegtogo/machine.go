package pegtogo

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
)

// A machine executes a generated file as it will be printed: the text is parsed and checked by Go's own
// packages, and its functions are turned into closures. It knows the part of Go that the generator writes and
// refuses everything else, so that it does what a compiled file would do.
//
// All numbers are uint. Every string is a part of the input, represented by two offsets. The method put,
// which stores a node, is not executed but built in: see [machine.put].
type machine struct {
	fset  *token.FileSet
	info  *types.Info
	funcs map[string]*routine
	class map[types.Object]*[256]uint64 // the tables of classes

	src   string
	nodes []cell
	left  uint    // the builder's fields
	deep  bool    //
	stop  uint    //
	stack locals  // the variables of all calls
	steps int     // steps that are left
	at    int     // the number of the last label that was passed
	to    string  // the label of the goto that is being executed
	ret   [2]uint // the results of the last call

	budget *budget.Budget
}

// A cell is a node in the memory of a parser.
type cell struct{ kind, from, to, next uint }

// A routine is a function of the file, compiled to closures.
type routine struct {
	name  string
	slots int
	body  step

	starts bool // its first argument is the production
}

// The variables of a call, and the closures for expressions that are numbers, for conditions and for statements.
type (
	locals []uint
	number func(m *machine, f locals) uint
	truth  func(m *machine, f locals) bool
	step   func(m *machine, f locals) flow
)

// A flow says how a statement ended.
type flow uint8

const (
	goOn flow = iota
	jump      // to the label m.to
	breakOut
	leave
)

// maxSteps caps the calls and rounds of loops of one execution. A parser that needs more on a word
// of a cover is useless.
const maxSteps = 1 << 20

// machineDepth is how deep rules may nest while a machine executes them.
const machineDepth = 1000

// loadFile makes a machine of a file. kinds are the constants that the other files of the package declare, numbered
// from 1. The functions named in skip, and put, are not compiled: they allocate, and a machine cannot. It fails if a
// Go compiler would, and if the file has Go that the machine does not know.
func loadFile(src []byte, kinds []string, skip ...string) (_ *machine, err error) {
	defer budget.Catch(&err) // also makes an error of a panic of readTables or compileFunc
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "fast.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	m := &machine{fset: fset, funcs: map[string]*routine{}, class: map[types.Object]*[256]uint64{}}
	if err := m.typeCheck(file, kinds); err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			m.funcs[f.Name.Name] = &routine{name: f.Name.Name}
		}
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			m.readTables(d)
		}
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name != "put" && !slices.Contains(skip, d.Name.Name) {
			m.compileFunc(d)
		}
	}
	return m, nil
}

// typeCheck type-checks the file together with the constants kinds, which it numbers from 1, and sets m.info. It fails
// where a Go compiler would, and for an import that imported does not know.
func (m *machine) typeCheck(file *ast.File, kinds []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n\nconst (\n\t_ ast.Kind = iota\n",
		file.Name.Name)
	for _, k := range kinds {
		fmt.Fprintf(&b, "\t%s\n", k)
	}
	b.WriteString(")\n")
	constants, err := parser.ParseFile(m.fset, "grammar.go", b.String(), parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	m.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}
	config := types.Config{Importer: imported{}, Sizes: types.SizesFor("gc", "amd64")}
	_, err = config.Check(file.Name.Name, m.fset, []*ast.File{constants, file}, m.info)
	return err
}

// imported is a types.Importer that knows the parts of packages that generated files use.
type imported struct{}

// Import returns a package with the declarations that generated files use. It fails for a package that none uses.
func (imported) Import(path string) (*types.Package, error) {
	src, ok := map[string]string{
		"math": "package math\n\nconst MaxInt32 = 1<<31 - 1\n",
		"strings": "package strings\n\nfunc HasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && " +
			"s[:len(prefix)] == prefix }\n",
		"github.com/bnfcheck/bnfcheck/ast": "package ast\n\ntype Kind uint16\n\n" +
			"type Raw struct {\n\tKind Kind\n\tStart, End, Next int32\n}\n\n" +
			"type Run struct{}\n\nfunc (*Run) DepthLimit() uint { return 0 }\n\nfunc (*Run) TooDeep(at uint) {}\n",
	}[path]
	if !ok {
		return nil, fmt.Errorf("a generated file imports %s", path)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return new(types.Config).Check(path, fset, []*ast.File{file}, nil)
}

// run executes a function of the file on src: accept, derives, build, or the function of a rule. start is the
// production for the first three, and does not count for a rule. It returns the results of the function; true is 1, and
// a result that the function does not have is 0. The nodes are then in m.nodes, m.steps has the steps that are left,
// m.at the last label, and m.deep says that rules nested deeper than machineDepth. It fails if there is no such
// function, or if it needs too many steps or does something that no parser may. It panics with a [*budget.Exceeded] if
// m.budget has not so many steps left.
func (m *machine) run(name string, start uint, src string) (end, n uint, err error) {
	r := m.funcs[name]
	if r == nil || r.body == nil {
		return 0, 0, fmt.Errorf("no function %s", name)
	}
	m.src, m.steps = src, maxSteps
	m.nodes = m.nodes[:0]
	m.left, m.deep = machineDepth, false
	m.at = 0
	defer func() { m.budget.Step(len(src) + maxSteps - m.steps) }()
	defer budget.Catch(&err)
	m.stack = m.stack[:0]
	f := m.pushLocals(r.slots)
	if r.starts {
		f[0], f[1], f[2] = start, 0, uint(len(src))
	} else { // s, i and n
		f[0], f[1] = 0, uint(len(src))
	}
	r.call(m, f)
	return m.ret[0], m.ret[1], nil
}

// pushLocals returns the variables of a call, all zero. If the stack has no room it begins a new one of twice the
// size; the calls below keep their variables in the old one. The caller cuts m.stack back after the call.
func (m *machine) pushLocals(slots int) locals {
	top := len(m.stack)
	if top+slots > cap(m.stack) {
		m.stack = append(make(locals, 0, max(1024, 2*cap(m.stack)+slots)), m.stack...)
	}
	m.stack = m.stack[:top+slots]
	f := m.stack[top:]
	clear(f)
	return f
}

// call executes the body of a routine, and leaves its results in m.ret. It panics with a fault at a body that ends
// without a return.
func (r *routine) call(m *machine, f locals) {
	m.spendStep()
	if r.body(m, f) != leave {
		panic(fault("%s ends without a result", r.name))
	}
}

// spendStep counts a step, and panics with a fault when there are too many.
func (m *machine) spendStep() {
	if m.steps--; m.steps < 0 {
		panic(fault("no end within %d steps", maxSteps))
	}
}

// put stores a node. Unlike the generated put, it makes room for every node, and panics with a fault if at is not
// below maxSteps.
func (m *machine) put(at uint, c cell) {
	if at >= uint(maxSteps) {
		panic(fault("a node at no place"))
	}
	for uint(len(m.nodes)) <= at {
		m.nodes = append(m.nodes, cell{})
	}
	m.nodes[at] = c
}

// A reader compiles one function into closures. Each of its compile methods returns a closure for a statement
// or expression, and panics with a fault at Go that it does not know.
type reader struct {
	*machine
	slots map[types.Object]int
	next  int
}

// fault returns a value to panic with, which run and loadFile turn into an error: the file did something that
// no parser may, or has Go that the machine does not know.
func fault(format string, args ...any) any { return budget.Stopped(fmt.Errorf(format, args...)) }

// refuse returns the fault for syntax that the machine does not know.
func (m *machine) refuse(n ast.Node) any {
	return fault("%s: a generated file holds Go that its machine does not know: %T", m.fset.Position(n.Pos()), n)
}

// readTables reads a declaration of tables of classes into m.class. It panics with a refusal at any other
// variable. Constants, types and imports are passed over.
func (m *machine) readTables(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, s := range d.Specs {
		spec := s.(*ast.ValueSpec)
		lit, ok := spec.Values[0].(*ast.CompositeLit)
		if !ok {
			panic(m.refuse(spec))
		}
		table := new([256]uint64)
		for _, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				panic(m.refuse(e))
			}
			k, okK := m.constantOf(kv.Key)
			v, okV := m.constantOf(kv.Value)
			if !okK || !okV || k > 255 {
				panic(m.refuse(kv))
			}
			table[k] = uint64(v)
		}
		m.class[m.info.Defs[spec.Names[0]]] = table
	}
}

// constantOf returns the value of a constant integer expression. ok is false for any other expression, and for a
// constant that no uint is.
func (m *machine) constantOf(e ast.Expr) (n uint, ok bool) {
	v := m.info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	value, ok := constant.Uint64Val(v)
	return uint(value), ok
}

// compileFunc compiles a function that has a parameter and a result. It fills in the routine that m.funcs has for it
// already, since functions that were compiled before may call it. It panics with a fault as the methods of reader do.
func (m *machine) compileFunc(d *ast.FuncDecl) {
	r := &reader{machine: m, slots: map[types.Object]int{}}
	for _, p := range d.Type.Params.List {
		for _, name := range p.Names {
			r.declareVariable(name)
		}
	}
	for _, p := range d.Type.Results.List {
		for _, name := range p.Names {
			r.declareVariable(name)
		}
	}
	body := r.compileBlock(d.Body.List)
	f := m.funcs[d.Name.Name]
	f.slots, f.body = r.next, body
	f.starts = d.Type.Params.List[0].Names[0].Name == "start"
}

// isString reports whether a type is that of strings.
func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// declareVariable gives a variable its slot, and returns it. A string has two slots: where it
// begins and ends in the input.
func (r *reader) declareVariable(name *ast.Ident) int {
	slot := r.next
	o := r.info.Defs[name]
	r.slots[o] = slot
	r.next++
	if isString(o.Type()) {
		r.next++
	}
	return slot
}

// slotOf returns the slot of a variable. It panics with a refusal of any other expression, and of a variable that is
// not declared yet.
func (r *reader) slotOf(e ast.Expr) int {
	if id, ok := e.(*ast.Ident); ok {
		if s, ok := r.slots[r.info.Uses[id]]; ok {
			return s
		}
	}
	panic(r.refuse(e))
}

// compileBlock compiles statements. A goto is resolved by the innermost block that has its label, forward or back,
// and costs a step. Any other jump, a break and a return end the block, and are the flow of the block.
func (r *reader) compileBlock(list []ast.Stmt) step {
	steps := make([]step, len(list))
	labels := map[string]int{}
	for i, s := range list {
		if l, ok := s.(*ast.LabeledStmt); ok {
			labels[l.Label.Name] = i
		}
		steps[i] = r.compileStmt(s)
	}
	return func(m *machine, f locals) flow {
		for i := 0; i < len(steps); i++ {
			w := steps[i](m, f)
			if w == jump {
				if k, here := labels[m.to]; here {
					m.spendStep()
					i = k - 1 // the loop adds 1
					continue
				}
			}
			if w != goOn {
				return w
			}
		}
		return goOn
	}
}

// compileLabel compiles a statement with a label, which is a letter and a number. While it runs, m.at is set to the
// number. It panics with a refusal of any other label.
func (r *reader) compileLabel(s *ast.LabeledStmt) step {
	body := r.compileStmt(s.Stmt)
	at, err := strconv.Atoi(s.Label.Name[1:])
	if err != nil {
		panic(r.refuse(s))
	}
	return func(m *machine, f locals) flow {
		m.at = at
		return body(m, f)
	}
}

// compileStmt compiles a statement: a block, an assignment, ++, an if, a for, a switch, a label, a break or goto, a
// return, or a call of put. It panics with a refusal of any other, of -- except for the builder's left, and of a break
// with a label.
func (r *reader) compileStmt(s ast.Stmt) step {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return r.compileBlock(s.List)
	case *ast.IncDecStmt: // a variable, or the builder's count of the levels that are left
		if r.builderField(s.X) == "left" {
			if s.Tok == token.INC {
				return func(m *machine, _ locals) flow { m.left++; return goOn }
			}
			return func(m *machine, _ locals) flow { m.left--; return goOn }
		}
		slot := r.slotOf(s.X)
		if s.Tok != token.INC {
			panic(r.refuse(s))
		}
		return func(_ *machine, f locals) flow { f[slot]++; return goOn }
	case *ast.BranchStmt:
		if s.Tok == token.BREAK && s.Label == nil {
			return func(*machine, locals) flow { return breakOut }
		}
		if s.Tok == token.GOTO {
			return func(m *machine, _ locals) flow { m.to = s.Label.Name; return jump }
		}
	case *ast.LabeledStmt:
		return r.compileLabel(s)
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && r.calleeName(call) == "put" {
			return r.compilePut(call)
		}
	case *ast.AssignStmt:
		return r.compileAssign(s)
	case *ast.IfStmt:
		return r.compileIf(s)
	case *ast.ForStmt:
		return r.compileFor(s)
	case *ast.SwitchStmt:
		return r.compileSwitch(s)
	case *ast.ReturnStmt:
		return r.compileReturn(s)
	}
	panic(r.refuse(s))
}

// compilePut compiles a call of put.
func (r *reader) compilePut(call *ast.CallExpr) step {
	args := r.compileNumbers(call.Args)
	return func(m *machine, f locals) flow {
		m.put(args[0](m, f), cell{args[1](m, f), args[2](m, f), args[3](m, f), args[4](m, f)})
		return goOn
	}
}

// builderField returns the field of the builder b that e selects, or "" if it selects none.
func (r *reader) builderField(e ast.Expr) string {
	if x, ok := e.(*ast.SelectorExpr); ok {
		if b, ok := x.X.(*ast.Ident); ok && b.Name == "b" {
			return x.Sel.Name
		}
	}
	return ""
}

// compileAssign compiles an assignment of one or two values, or of the two results of a call, and declares the new
// variables of a :=. It also knows w := s[i:j], += and the fields deep and stop of the builder. It panics with a
// refusal of any other.
func (r *reader) compileAssign(s *ast.AssignStmt) step {
	if len(s.Lhs) == 2 && r.builderField(s.Lhs[0]) == "deep" && r.builderField(s.Lhs[1]) == "stop" {
		is := r.compileBool(s.Rhs[0])
		at := r.compileNumber(s.Rhs[1])
		return func(m *machine, f locals) flow { m.deep, m.stop = is(m, f), at(m, f); return goOn }
	}
	if len(s.Rhs) == 1 && isString(r.info.Types[s.Rhs[0]].Type) {
		return r.compileStringAssign(s)
	}
	var values []number
	// i, n = f(...): the first value makes the call, which leaves both in m.ret.
	call, several := s.Rhs[0].(*ast.CallExpr)
	several = several && len(s.Lhs) == 2
	if several {
		do := r.compileCall(call)
		values = []number{
			func(m *machine, f locals) uint { do(m, f); return m.ret[0] },
			func(m *machine, f locals) uint { return m.ret[1] },
		}
	} else {
		values = r.compileNumbers(s.Rhs)
	}
	slots := make([]int, len(s.Lhs))
	for i, v := range s.Lhs {
		if id, ok := v.(*ast.Ident); ok && s.Tok == token.DEFINE && r.info.Defs[id] != nil {
			slots[i] = r.declareVariable(id)
		} else {
			slots[i] = r.slotOf(v)
		}
	}
	switch {
	case s.Tok == token.ADD_ASSIGN && len(slots) == 1:
		return func(m *machine, f locals) flow { f[slots[0]] += values[0](m, f); return goOn }
	case s.Tok != token.ASSIGN && s.Tok != token.DEFINE:
		panic(r.refuse(s))
	case len(slots) == 1:
		return func(m *machine, f locals) flow { f[slots[0]] = values[0](m, f); return goOn }
	case len(slots) == 2 && len(values) == 2:
		return func(m *machine, f locals) flow {
			x := values[0](m, f)
			f[slots[0]], f[slots[1]] = x, values[1](m, f)
			return goOn
		}
	}
	panic(r.refuse(s))
}

// compileStringAssign compiles w := s[i:j], and declares w. It panics with a refusal of any other assignment.
func (r *reader) compileStringAssign(s *ast.AssignStmt) step {
	cut, ok := s.Rhs[0].(*ast.SliceExpr)
	id, okID := s.Lhs[0].(*ast.Ident)
	if !ok || !okID || s.Tok != token.DEFINE {
		panic(r.refuse(s))
	}
	part := r.compileString(cut)
	slot := r.declareVariable(id)
	return func(m *machine, f locals) flow {
		f[slot], f[slot+1] = part(m, f)
		return goOn
	}
}

// compileString compiles a string expression, which is a variable or a slice of one, to a closure that
// returns its begin and end in the input. The closure panics with a fault if the slice is not inside of the string.
func (r *reader) compileString(e ast.Expr) func(*machine, locals) (from, to uint) {
	switch e := e.(type) {
	case *ast.Ident:
		slot := r.slotOf(e)
		return func(_ *machine, f locals) (uint, uint) { return f[slot], f[slot+1] }
	case *ast.SliceExpr:
		slot := r.slotOf(e.X)
		from, to := constantly(0), func(_ *machine, f locals) uint { return f[slot+1] - f[slot] }
		if e.Low != nil {
			from = r.compileNumber(e.Low)
		}
		if e.High != nil {
			to = r.compileNumber(e.High)
		}
		return func(m *machine, f locals) (uint, uint) {
			i, j := from(m, f), to(m, f)
			if i > j || j > f[slot+1]-f[slot] {
				panic(fault("a slice from %d to %d", i, j))
			}
			return f[slot] + i, f[slot] + j
		}
	}
	panic(r.refuse(e))
}

// compileIf compiles an if statement. It panics with a refusal of one with an else.
func (r *reader) compileIf(s *ast.IfStmt) step {
	before := func(*machine, locals) flow { return goOn }
	if s.Init != nil {
		before = r.compileStmt(s.Init)
	}
	test := r.compileBool(s.Cond)
	body := r.compileBlock(s.Body.List)
	if s.Else != nil {
		panic(r.refuse(s))
	}
	return func(m *machine, f locals) flow {
		before(m, f) // an assignment, which always goes on
		if test(m, f) {
			return body(m, f)
		}
		return goOn
	}
}

// compileFor compiles a for statement, whose rounds cost a step each. A break in its body ends it; a return or a goto
// goes on to what is around it. It panics with a refusal of one with a post statement.
func (r *reader) compileFor(s *ast.ForStmt) step {
	if s.Post != nil {
		panic(r.refuse(s))
	}
	before := func(*machine, locals) flow { return goOn }
	if s.Init != nil {
		before = r.compileStmt(s.Init)
	}
	test := func(*machine, locals) bool { return true }
	if s.Cond != nil {
		test = r.compileBool(s.Cond)
	}
	body := r.compileBlock(s.Body.List)
	return func(m *machine, f locals) flow {
		for before(m, f); test(m, f); {
			m.spendStep()
			switch w := body(m, f); w {
			case breakOut:
				return goOn
			case leave, jump:
				return w
			}
		}
		return goOn
	}
}

// compileOperands compiles both operands of e, which are numbers.
func (r *reader) compileOperands(e *ast.BinaryExpr) (x, y number) {
	return r.compileNumber(e.X), r.compileNumber(e.Y)
}

// compileSwitch compiles a switch on a value, whose cases are constants, or on conditions. A default may stand anywhere
// in it. The first condition that holds is taken; without one, and without a default, the switch does nothing. It
// panics with a refusal of any other case, and of a statement before the value. A break leaves the switch.
func (r *reader) compileSwitch(s *ast.SwitchStmt) step {
	if s.Init != nil {
		panic(r.refuse(s))
	}
	var tag number
	if s.Tag != nil {
		tag = r.compileNumber(s.Tag)
	}
	type arm struct {
		is   truth
		body step
	}
	var arms []arm
	constants := map[uint]step{} // the cases of a switch on a value
	var otherwise step
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		body := r.compileBlock(clause.Body)
		if clause.List == nil {
			otherwise = body
		}
		for _, e := range clause.List {
			if tag == nil {
				is := r.compileBool(e)
				arms = append(arms, arm{is, body})
				continue
			}
			v, ok := r.constantOf(e)
			if !ok {
				panic(r.refuse(e))
			}
			constants[v] = body
		}
	}
	return func(m *machine, f locals) flow {
		body := otherwise
		if tag != nil {
			if b, ok := constants[tag(m, f)]; ok {
				body = b
			}
		}
		for _, a := range arms {
			if a.is(m, f) {
				body = a.body
				break
			}
		}
		if body == nil {
			return goOn
		}
		if w := body(m, f); w != breakOut {
			return w
		}
		return goOn
	}
}

// compileReturn compiles a return statement: of one or two numbers, a condition, or a call with two
// results. It panics with a refusal of any other.
func (r *reader) compileReturn(s *ast.ReturnStmt) step {
	if len(s.Results) == 1 {
		e := s.Results[0]
		if b, ok := r.info.Types[e].Type.Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
			is := r.compileBool(e)
			return func(m *machine, f locals) flow { // a condition is returned as 0 or 1
				var ret uint
				if is(m, f) {
					ret = 1
				}
				m.ret = [2]uint{ret}
				return leave
			}
		}
		if call, ok := e.(*ast.CallExpr); ok {
			if _, pair := r.info.Types[e].Type.(*types.Tuple); pair {
				do := r.compileCall(call)
				return func(m *machine, f locals) flow { do(m, f); return leave }
			}
		}
	}
	values := r.compileNumbers(s.Results)
	switch {
	case len(values) == 1:
		return func(m *machine, f locals) flow { m.ret = [2]uint{values[0](m, f)}; return leave }
	case len(values) == 2:
		return func(m *machine, f locals) flow { m.ret = [2]uint{values[0](m, f), values[1](m, f)}; return leave }
	}
	panic(r.refuse(s))
}

// compileNumbers compiles a list of numbers.
func (r *reader) compileNumbers(list []ast.Expr) []number {
	all := make([]number, len(list))
	for i, e := range list {
		all[i] = r.compileNumber(e)
	}
	return all
}

// constantly returns a number that is always n.
func constantly(n uint) number { return func(*machine, locals) uint { return n } }

// compileNumber compiles an expression that is a number: a constant, a variable, a byte, a sum or the like, or the
// first result of a call. All count as uint. It panics with a refusal of one that no generated file has.
func (r *reader) compileNumber(e ast.Expr) number {
	if n, ok := r.constantOf(e); ok {
		return constantly(n)
	}
	if r.builderField(e) == "left" {
		return func(m *machine, _ locals) uint { return m.left }
	}
	// Arithmetic wraps as Go's uint does: fail is the greatest number, and i+1 of it is 0.
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.compileNumber(e.X)
	case *ast.Ident:
		slot := r.slotOf(e)
		return func(_ *machine, f locals) uint { return f[slot] }
	case *ast.BinaryExpr:
		x, y := r.compileOperands(e)
		switch e.Op {
		case token.ADD:
			return func(m *machine, f locals) uint { return x(m, f) + y(m, f) }
		case token.SUB:
			return func(m *machine, f locals) uint { return x(m, f) - y(m, f) }
		case token.AND:
			return func(m *machine, f locals) uint { return x(m, f) & y(m, f) }
		}
	case *ast.IndexExpr:
		return r.compileIndex(e)
	case *ast.CallExpr:
		switch r.calleeName(e) {
		case "uint":
			return r.compileNumber(e.Args[0])
		case "len":
			part := r.compileString(e.Args[0])
			return func(m *machine, f locals) uint { from, to := part(m, f); return to - from }
		case "min":
			x, y := r.compileNumber(e.Args[0]), r.compileNumber(e.Args[1])
			return func(m *machine, f locals) uint { return min(x(m, f), y(m, f)) }
		}
		do := r.compileCall(e)
		return func(m *machine, f locals) uint { do(m, f); return m.ret[0] }
	}
	panic(r.refuse(e))
}

// compileIndex compiles a byte of a string or an entry of a table of classes. The closure panics with a fault
// if the string has no such byte.
func (r *reader) compileIndex(e *ast.IndexExpr) number {
	i := r.compileNumber(e.Index)
	id, ok := e.X.(*ast.Ident)
	if !ok {
		panic(r.refuse(e))
	}
	if table := r.class[r.info.Uses[id]]; table != nil {
		return func(m *machine, f locals) uint { return uint(table[i(m, f)]) }
	}
	slot := r.slotOf(id)
	return func(m *machine, f locals) uint {
		k := i(m, f)
		if k >= f[slot+1]-f[slot] {
			panic(fault("index %d in a string of %d bytes", k, f[slot+1]-f[slot]))
		}
		return uint(m.src[f[slot]+k])
	}
}

// calleeName returns the name of the called function or method, without the part before its dot; "" if it has
// no name.
func (r *reader) calleeName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// compileCall compiles a call of a function of the file, and panics with a refusal of any other. Its results are left
// in m.ret. A function that loadFile skips must not be called.
func (r *reader) compileCall(call *ast.CallExpr) func(*machine, locals) {
	to := r.funcs[r.calleeName(call)]
	if to == nil {
		panic(r.refuse(call))
	}
	var args []number
	for _, a := range call.Args {
		if isString(r.info.Types[a].Type) {
			part := r.compileString(a)
			args = append(args,
				func(m *machine, f locals) uint { from, _ := part(m, f); return from },
				func(m *machine, f locals) uint { _, to := part(m, f); return to })
			continue
		}
		n := r.compileNumber(a)
		args = append(args, n)
	}
	return func(m *machine, f locals) {
		top := len(m.stack)
		g := m.pushLocals(to.slots)
		for i, a := range args {
			g[i] = a(m, f)
		}
		to.call(m, g)
		m.stack = m.stack[:top]
	}
}

// compileBool compiles a condition: a constant, the builder's field deep, a comparison of numbers, a call, or
// conditions joined by !, && or ||. Of && and || the right side is evaluated only where Go does. The call of a
// function holds if its first result is not 0. It panics with a refusal of any other, which no generated file has.
func (r *reader) compileBool(e ast.Expr) truth {
	if v := r.info.Types[e].Value; v != nil {
		is := constant.BoolVal(v)
		return func(*machine, locals) bool { return is }
	}
	if r.builderField(e) == "deep" {
		return func(m *machine, _ locals) bool { return m.deep }
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.compileBool(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			x := r.compileBool(e.X)
			return func(m *machine, f locals) bool { return !x(m, f) }
		}
	case *ast.CallExpr:
		if r.calleeName(e) == "HasPrefix" {
			return r.compileHasPrefix(e)
		}
		do := r.compileCall(e)
		return func(m *machine, f locals) bool { do(m, f); return m.ret[0] != 0 }
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR { // the operands are conditions; of all others, numbers
			x := r.compileBool(e.X)
			y := r.compileBool(e.Y)
			if e.Op == token.LAND {
				return func(m *machine, f locals) bool { return x(m, f) && y(m, f) }
			}
			return func(m *machine, f locals) bool { return x(m, f) || y(m, f) }
		}
		x, y := r.compileOperands(e)
		switch e.Op {
		case token.EQL:
			return func(m *machine, f locals) bool { return x(m, f) == y(m, f) }
		case token.NEQ:
			return func(m *machine, f locals) bool { return x(m, f) != y(m, f) }
		case token.LSS:
			return func(m *machine, f locals) bool { return x(m, f) < y(m, f) }
		case token.LEQ:
			return func(m *machine, f locals) bool { return x(m, f) <= y(m, f) }
		case token.GTR:
			return func(m *machine, f locals) bool { return x(m, f) > y(m, f) }
		case token.GEQ:
			return func(m *machine, f locals) bool { return x(m, f) >= y(m, f) }
		}
	}
	panic(r.refuse(e))
}

// compileHasPrefix compiles strings.HasPrefix with a literal as the prefix. It panics with a refusal of another prefix.
func (r *reader) compileHasPrefix(e *ast.CallExpr) truth {
	part := r.compileString(e.Args[0])
	lit, ok := e.Args[1].(*ast.BasicLit)
	if !ok {
		panic(r.refuse(e))
	}
	prefix, err := strconv.Unquote(lit.Value)
	if err != nil {
		panic(r.refuse(e))
	}
	return func(m *machine, f locals) bool {
		from, to := part(m, f)
		return strings.HasPrefix(m.src[from:to], prefix)
	}
}
