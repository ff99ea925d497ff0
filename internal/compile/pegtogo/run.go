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

// A machine executes a generated file as it will be printed: the text is parsed and checked by Go's own packages, and its
// functions are turned into closures. It knows the part of Go that the generator writes and refuses everything else, so
// that what it executes is what a Go compiler makes of the file.
//
// Numbers are uint. A string is part of the input, and is held as the two places between which it stands. The one method
// that is not executed is put, which stores a node: see [machine.put].
type machine struct {
	fset  *token.FileSet
	info  *types.Info
	funcs map[string]*routine
	class map[types.Object]*[256]uint64 // the tables of classes

	src   string
	nodes []cell
	left  uint    // of the builder
	deep  bool    // of the builder
	stop  uint    // of the builder
	stack locals  // of all calls
	steps int     // how many are left
	at    int     // the number of the last label
	to    string  // where a goto leads
	ret   [2]uint // what the last call returned

	budget *budget.Budget
}

// A cell is a node in the memory of a parser.
type cell struct{ kind, from, to, next uint }

// A routine is a function of the file.
type routine struct {
	name  string
	slots int
	named []int // the slots of named results
	body  step

	starts bool // its first argument is the production
}

type (
	locals []uint
	number func(m *machine, f locals) uint
	truth  func(m *machine, f locals) bool
	step   func(m *machine, f locals) flow
)

// flow is how a statement ends.
type flow uint8

const (
	goOn flow = iota
	jump      // to the label m.to
	breakOut
	leave
)

// maxSteps bounds the calls and the turns of loops of one execution. A parser that needs more on a word of a cover is of no use.
const maxSteps = 1 << 20

// machineDepth is how deep rules may nest while a machine executes them.
const machineDepth = 1000

// load makes a machine of a file. Kinds are the constants that the other files of the package declare, in order from 1. The
// functions with the names in skip are left out.
// Its error is that of a Go compiler.
func load(src []byte, kinds []string, skip ...string) (_ *machine, err error) {
	defer budget.Catch(&err)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "fast.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	m := &machine{fset: fset, funcs: map[string]*routine{}, class: map[types.Object]*[256]uint64{}}
	if err := m.check(file, kinds); err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			m.funcs[f.Name.Name] = &routine{name: f.Name.Name}
		}
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			m.tables(d)
		}
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name != "put" && !slices.Contains(skip, d.Name.Name) {
			m.function(d)
		}
	}
	return m, nil
}

// check finds what a Go compiler would not accept, and the types and constants that the machine needs.
func (m *machine) check(file *ast.File, kinds []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n\nconst (\n\t_ ast.Kind = iota\n", file.Name.Name)
	for _, k := range kinds {
		fmt.Fprintf(&b, "\t%s\n", k)
	}
	b.WriteString(")\n")
	constants, err := parser.ParseFile(m.fset, "grammar.go", b.String(), parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	m.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imported{}, Sizes: types.SizesFor("gc", "amd64")}
	_, err = config.Check(file.Name.Name, m.fset, []*ast.File{constants, file}, m.info)
	return err
}

// imported has what a generated file imports, as far as it uses it.
type imported struct{}

func (imported) Import(path string) (*types.Package, error) {
	src, ok := map[string]string{
		"math":    "package math\n\nconst MaxInt32 = 1<<31 - 1\n",
		"strings": "package strings\n\nfunc HasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }\n",
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

// run executes a function of the file: accept, derives, build, or the one of a rule. The start counts for the first two.
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
	f := m.enter(r.slots)
	if r.starts {
		f[0], f[1], f[2] = start, 0, uint(len(src))
	} else { // s, i and n
		f[0], f[1] = 0, uint(len(src))
	}
	r.call(m, f)
	return m.ret[0], m.ret[1], nil
}

// enter returns the variables of a call, all zero. Where the stack has no room, a new one is begun, and the calls below keep theirs.
func (m *machine) enter(slots int) locals {
	top := len(m.stack)
	if top+slots > cap(m.stack) {
		m.stack = append(make(locals, 0, max(1024, 2*cap(m.stack)+slots)), m.stack...)
	}
	m.stack = m.stack[:top+slots]
	f := m.stack[top:]
	clear(f)
	return f
}

func (r *routine) call(m *machine, f locals) {
	m.spend()
	if r.body(m, f) != leave {
		panic(fault("%s ends without a result", r.name))
	}
}

func (m *machine) spend() {
	if m.steps--; m.steps < 0 {
		panic(fault("no end within %d steps", maxSteps))
	}
}

// put stores a node.
func (m *machine) put(at uint, c cell) {
	if at >= uint(maxSteps) {
		panic(fault("a node at no place"))
	}
	for uint(len(m.nodes)) <= at {
		m.nodes = append(m.nodes, cell{})
	}
	m.nodes[at] = c
}

// A reader turns one function into closures.
type reader struct {
	*machine
	slots map[types.Object]int
	next  int
	named []int
}

// fault returns what stops an execution: the file does what no parser may, or is Go that the machine does not know.
func fault(format string, args ...any) any { return budget.Stopped(fmt.Errorf(format, args...)) }

func (m *machine) refuse(n ast.Node) any {
	return fault("%s: a generated file holds Go that its machine does not know: %T", m.fset.Position(n.Pos()), n)
}

// tables reads the tables of classes.
func (m *machine) tables(d *ast.GenDecl) {
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
			k, okK := m.constant(kv.Key)
			v, okV := m.constant(kv.Value)
			if !okK || !okV || k > 255 {
				panic(m.refuse(kv))
			}
			table[k] = uint64(v)
		}
		m.class[m.info.Defs[spec.Names[0]]] = table
	}
}

// constant returns the value of a constant expression.
func (m *machine) constant(e ast.Expr) (uint, bool) {
	v := m.info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	n, ok := constant.Uint64Val(v)
	return uint(n), ok
}

func (m *machine) function(d *ast.FuncDecl) {
	r := &reader{machine: m, slots: map[types.Object]int{}}
	for _, p := range d.Type.Params.List {
		for _, name := range p.Names {
			r.declare(name)
		}
	}
	for _, p := range d.Type.Results.List {
		for _, name := range p.Names {
			r.named = append(r.named, r.declare(name))
		}
	}
	body := r.block(d.Body.List)
	f := m.funcs[d.Name.Name]
	f.slots, f.named, f.body = r.next, r.named, body
	f.starts = d.Type.Params.List[0].Names[0].Name == "start"
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// declare returns a variable its slot, or two where it is a string.
func (r *reader) declare(name *ast.Ident) int {
	slot := r.next
	o := r.info.Defs[name]
	r.slots[o] = slot
	r.next++
	if isString(o.Type()) {
		r.next++
	}
	return slot
}

// slot returns the slot of a variable.
func (r *reader) slot(e ast.Expr) int {
	if id, ok := e.(*ast.Ident); ok {
		if s, ok := r.slots[r.info.Uses[id]]; ok {
			return s
		}
	}
	panic(r.refuse(e))
}

func (r *reader) block(list []ast.Stmt) step {
	steps := make([]step, len(list))
	labels := map[string]int{}
	for i, s := range list {
		if l, ok := s.(*ast.LabeledStmt); ok {
			labels[l.Label.Name] = i
		}
		steps[i] = r.stmt(s)
	}
	return func(m *machine, f locals) flow {
		for i := 0; i < len(steps); i++ {
			w := steps[i](m, f)
			if w == jump {
				if k, here := labels[m.to]; here {
					m.spend()
					i = k - 1
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

// label reads a statement with a label, whose number the machine notes.
func (r *reader) label(s *ast.LabeledStmt) step {
	body := r.stmt(s.Stmt)
	at, err := strconv.Atoi(s.Label.Name[1:])
	if err != nil {
		panic(r.refuse(s))
	}
	return func(m *machine, f locals) flow {
		m.at = at
		return body(m, f)
	}
}

func (r *reader) stmt(s ast.Stmt) step {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return r.block(s.List)
	case *ast.IncDecStmt:
		if r.field(s.X) == "left" {
			if s.Tok == token.INC {
				return func(m *machine, _ locals) flow { m.left++; return goOn }
			}
			return func(m *machine, _ locals) flow { m.left--; return goOn }
		}
		slot := r.slot(s.X)
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
		return r.label(s)
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && r.callee(call) == "put" {
			return r.put(call)
		}
	case *ast.AssignStmt:
		return r.assign(s)
	case *ast.IfStmt:
		return r.branch(s)
	case *ast.ForStmt:
		return r.loop(s)
	case *ast.SwitchStmt:
		return r.choice(s)
	case *ast.ReturnStmt:
		return r.result(s)
	}
	panic(r.refuse(s))
}

func (r *reader) put(call *ast.CallExpr) step {
	args := r.numbers(call.Args)
	return func(m *machine, f locals) flow {
		m.put(args[0](m, f), cell{args[1](m, f), args[2](m, f), args[3](m, f), args[4](m, f)})
		return goOn
	}
}

// field returns the name of a field of the builder, or "".
func (r *reader) field(e ast.Expr) string {
	if x, ok := e.(*ast.SelectorExpr); ok {
		if b, ok := x.X.(*ast.Ident); ok && b.Name == "b" {
			return x.Sel.Name
		}
	}
	return ""
}

func (r *reader) assign(s *ast.AssignStmt) step {
	if len(s.Lhs) == 2 && r.field(s.Lhs[0]) == "deep" && r.field(s.Lhs[1]) == "stop" {
		is := r.truth(s.Rhs[0])
		at := r.number(s.Rhs[1])
		return func(m *machine, f locals) flow { m.deep, m.stop = is(m, f), at(m, f); return goOn }
	}
	if len(s.Rhs) == 1 && isString(r.info.Types[s.Rhs[0]].Type) {
		return r.assignString(s)
	}
	var values []number
	call, several := s.Rhs[0].(*ast.CallExpr)
	several = several && len(s.Lhs) == 2
	if several {
		do := r.call(call)
		values = []number{
			func(m *machine, f locals) uint { do(m, f); return m.ret[0] },
			func(m *machine, f locals) uint { return m.ret[1] },
		}
	} else {
		values = r.numbers(s.Rhs)
	}
	slots := make([]int, len(s.Lhs))
	for i, v := range s.Lhs {
		if id, ok := v.(*ast.Ident); ok && s.Tok == token.DEFINE && r.info.Defs[id] != nil {
			slots[i] = r.declare(id)
		} else {
			slots[i] = r.slot(v)
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

// assignString reads w := s[i:j].
func (r *reader) assignString(s *ast.AssignStmt) step {
	cut, ok := s.Rhs[0].(*ast.SliceExpr)
	id, okID := s.Lhs[0].(*ast.Ident)
	if !ok || !okID || s.Tok != token.DEFINE {
		panic(r.refuse(s))
	}
	part := r.part(cut)
	slot := r.declare(id)
	return func(m *machine, f locals) flow {
		f[slot], f[slot+1] = part(m, f)
		return goOn
	}
}

// part reads a string expression: a variable or a slice of one.
func (r *reader) part(e ast.Expr) func(*machine, locals) (from, to uint) {
	switch e := e.(type) {
	case *ast.Ident:
		slot := r.slot(e)
		return func(_ *machine, f locals) (uint, uint) { return f[slot], f[slot+1] }
	case *ast.SliceExpr:
		slot := r.slot(e.X)
		from, to := constantly(0), func(_ *machine, f locals) uint { return f[slot+1] - f[slot] }
		if e.Low != nil {
			from = r.number(e.Low)
		}
		if e.High != nil {
			to = r.number(e.High)
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

func (r *reader) branch(s *ast.IfStmt) step {
	before := func(*machine, locals) flow { return goOn }
	if s.Init != nil {
		before = r.stmt(s.Init)
	}
	test := r.truth(s.Cond)
	body := r.block(s.Body.List)
	if s.Else != nil {
		panic(r.refuse(s))
	}
	return func(m *machine, f locals) flow {
		before(m, f)
		if test(m, f) {
			return body(m, f)
		}
		return goOn
	}
}

func (r *reader) loop(s *ast.ForStmt) step {
	if s.Post != nil {
		panic(r.refuse(s))
	}
	before := func(*machine, locals) flow { return goOn }
	if s.Init != nil {
		before = r.stmt(s.Init)
	}
	test := func(*machine, locals) bool { return true }
	if s.Cond != nil {
		test = r.truth(s.Cond)
	}
	body := r.block(s.Body.List)
	return func(m *machine, f locals) flow {
		for before(m, f); test(m, f); {
			m.spend()
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

// operands compiles the operands of e, both numbers.
func (r *reader) operands(e *ast.BinaryExpr) (x, y number) {
	return r.number(e.X), r.number(e.Y)
}

// choice reads a switch on a value, and one on conditions.
func (r *reader) choice(s *ast.SwitchStmt) step {
	if s.Init != nil {
		panic(r.refuse(s))
	}
	var tag number
	if s.Tag != nil {
		tag = r.number(s.Tag)
	}
	type arm struct {
		is   truth
		body step
	}
	var arms []arm
	constants := map[uint]step{} // those of a switch on a value
	var otherwise step
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		body := r.block(clause.Body)
		if clause.List == nil {
			otherwise = body
		}
		for _, e := range clause.List {
			if tag == nil {
				is := r.truth(e)
				arms = append(arms, arm{is, body})
				continue
			}
			v, ok := r.constant(e)
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

func (r *reader) result(s *ast.ReturnStmt) step {
	if len(s.Results) == 1 {
		e := s.Results[0]
		if b, ok := r.info.Types[e].Type.Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
			is := r.truth(e)
			return func(m *machine, f locals) flow {
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
				do := r.call(call)
				return func(m *machine, f locals) flow { do(m, f); return leave }
			}
		}
	}
	values := r.numbers(s.Results)
	switch {
	case len(values) == 1:
		return func(m *machine, f locals) flow { m.ret = [2]uint{values[0](m, f)}; return leave }
	case len(values) == 2:
		return func(m *machine, f locals) flow { m.ret = [2]uint{values[0](m, f), values[1](m, f)}; return leave }
	}
	panic(r.refuse(s))
}

func (r *reader) numbers(list []ast.Expr) []number {
	all := make([]number, len(list))
	for i, e := range list {
		all[i] = r.number(e)
	}
	return all
}

func constantly(n uint) number { return func(*machine, locals) uint { return n } }

func (r *reader) number(e ast.Expr) number {
	if n, ok := r.constant(e); ok {
		return constantly(n)
	}
	if r.field(e) == "left" {
		return func(m *machine, _ locals) uint { return m.left }
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.number(e.X)
	case *ast.Ident:
		slot := r.slot(e)
		return func(_ *machine, f locals) uint { return f[slot] }
	case *ast.BinaryExpr:
		x, y := r.operands(e)
		switch e.Op {
		case token.ADD:
			return func(m *machine, f locals) uint { return x(m, f) + y(m, f) }
		case token.SUB:
			return func(m *machine, f locals) uint { return x(m, f) - y(m, f) }
		case token.AND:
			return func(m *machine, f locals) uint { return x(m, f) & y(m, f) }
		}
	case *ast.IndexExpr:
		return r.element(e)
	case *ast.CallExpr:
		switch r.callee(e) {
		case "uint":
			return r.number(e.Args[0])
		case "len":
			part := r.part(e.Args[0])
			return func(m *machine, f locals) uint { from, to := part(m, f); return to - from }
		case "min":
			x, y := r.number(e.Args[0]), r.number(e.Args[1])
			return func(m *machine, f locals) uint { return min(x(m, f), y(m, f)) }
		}
		do := r.call(e)
		return func(m *machine, f locals) uint { do(m, f); return m.ret[0] }
	}
	panic(r.refuse(e))
}

// element reads a byte of a string, and an entry of a table of classes.
func (r *reader) element(e *ast.IndexExpr) number {
	i := r.number(e.Index)
	id, ok := e.X.(*ast.Ident)
	if !ok {
		panic(r.refuse(e))
	}
	if table := r.class[r.info.Uses[id]]; table != nil {
		return func(m *machine, f locals) uint { return uint(table[i(m, f)]) }
	}
	slot := r.slot(id)
	return func(m *machine, f locals) uint {
		k := i(m, f)
		if k >= f[slot+1]-f[slot] {
			panic(fault("index %d in a string of %d bytes", k, f[slot+1]-f[slot]))
		}
		return uint(m.src[f[slot]+k])
	}
}

// callee returns the name of what is called.
func (r *reader) callee(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// call reads the call of another function of the file. Its first argument can be a kind; others are strings and numbers.
func (r *reader) call(call *ast.CallExpr) func(*machine, locals) {
	to := r.funcs[r.callee(call)]
	if to == nil {
		panic(r.refuse(call))
	}
	var args []number
	for _, a := range call.Args {
		if isString(r.info.Types[a].Type) {
			part := r.part(a)
			args = append(args,
				func(m *machine, f locals) uint { from, _ := part(m, f); return from },
				func(m *machine, f locals) uint { _, to := part(m, f); return to })
			continue
		}
		n := r.number(a)
		args = append(args, n)
	}
	return func(m *machine, f locals) {
		top := len(m.stack)
		g := m.enter(to.slots)
		for i, a := range args {
			g[i] = a(m, f)
		}
		to.call(m, g)
		m.stack = m.stack[:top]
	}
}

func (r *reader) truth(e ast.Expr) truth {
	if v := r.info.Types[e].Value; v != nil {
		is := constant.BoolVal(v)
		return func(*machine, locals) bool { return is }
	}
	if r.field(e) == "deep" {
		return func(m *machine, _ locals) bool { return m.deep }
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.truth(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			x := r.truth(e.X)
			return func(m *machine, f locals) bool { return !x(m, f) }
		}
	case *ast.CallExpr:
		if r.callee(e) == "HasPrefix" {
			return r.hasPrefix(e)
		}
		do := r.call(e)
		return func(m *machine, f locals) bool { do(m, f); return m.ret[0] != 0 }
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			x := r.truth(e.X)
			y := r.truth(e.Y)
			if e.Op == token.LAND {
				return func(m *machine, f locals) bool { return x(m, f) && y(m, f) }
			}
			return func(m *machine, f locals) bool { return x(m, f) || y(m, f) }
		}
		x, y := r.operands(e)
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

func (r *reader) hasPrefix(e *ast.CallExpr) truth {
	part := r.part(e.Args[0])
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
