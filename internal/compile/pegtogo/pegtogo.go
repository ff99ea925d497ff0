// Package pegtogo turns a PEG into a fast parser: straight-line Go, one function per production.
//
// [Go] writes the two functions that an [ast.Grammar] needs, parse and accept, and below them, for every production
// that is a node, a method that builds its part of the tree and a function that only recognizes it. Both are the
// expression of the PEG, as a careful person would write it by hand:
//
//   - a position is a uint, and fail, the greatest of them, is the position of what does not match: one comparison
//     with the length both ends a loop and spares the bounds check;
//   - the number of nodes so far is kept next to the position: backtracking continues with the old number, and nothing
//     is truncated or copied;
//   - nodes over a simple run, and those with little around other nodes, are written where they are used, without a
//     call (see asLeaf and asInPlace);
//   - a class is a bit in a table of 256 words, a run of characters ( class / "%" hex hex )* one tight loop that
//     looks for an escape only where the class has ended;
//   - ( !guard character )* is the same loop over the class without the bytes that a guard can begin with;
//   - x ( c x )* is one loop, in which x stands once (see separated);
//   - a repetition with counts is one loop, over a class up to a place (see matchRounds);
//   - alternatives that begin with different bytes are chosen by a switch;
//   - a rare option is tried only if the byte after what follows it allows it (see lateOption);
//   - what a start that is asked for accepts is its minimal automaton, a label for a state ([Options.Automaton]);
//   - lookahead is recognized, never built, and where nothing is built, rows that only nodes hold apart are one run
//     (see mergeRuns).
//
// There are no closures, no interfaces, and no allocation but that of the nodes.
//
// A PEG can be more than that, and some of it is refused with its position: recursion (a loop must be written as a
// loop, and what nests only does so to a depth, [Options.Nested]), a repetition over something that can match without
// consuming, nodes where no node can be, and actions that lose nodes.
//
// A rule that is no production has a function if another rule calls it, and can make nodes. Before a file is
// returned, it is executed on a transition cover of every production (see [Go]).
package pegtogo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/format"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Options control the generated file, and the comparison before it is returned.
type Options struct {
	Package string            // the name of the package
	Printed map[string]string // by production: its line in the text, which becomes the comment of its functions

	// Kind returns the constant of a production, such as "KindHostport". The constants must have the type ast.Kind and
	// be declared elsewhere in the package. It returns "" for a rule that is no production.
	Kind func(id string) string

	// Lexical reports whether a production is a node only as the root of a tree.
	Lexical func(id string) bool

	// Start reports whether the parser takes a production as a start; nil stands for all.
	Start func(id string) bool

	// Parse, Accept and Within are the names of the functions that others call; "parse", "accept" and
	// "within" by default. If rules nest, within does the work of the other two; if Within is set, the caller
	// writes parse and accept.
	Parse, Accept, Within string

	// Small is for files whose acceptors are rarely called. To accept, they build the tree without room for
	// it, and functions that only accept are written only if others call them. This takes about half as much
	// Go. No comment has a production's line.
	Small bool

	// Nested allows rules that use themselves. An ast.Run says at run time how deep they may nest.
	Nested bool

	// MaxGo caps the bytes of the file; 0 stands for no cap.
	MaxGo int

	// Automaton returns the minimal automaton of a start, from which its acceptor is then made, or nil for an
	// acceptor made from the rule. A nil Automaton returns nil for all.
	Automaton func(id string) *lang.DFA

	// Reference, if not nil, returns the judge of a start, which the file is compared with instead of the
	// definition of a PEG. It is called by several goroutines at once.
	Reference func(id string) Reference
}

// A Reference is an independent judge of one start: it knows the tree of every string. The slices hold
// strings to try.
type Reference struct {
	Words []string                              // verdict and tree are compared
	Ends  []string                              // the parser must end; nothing else is compared
	Rows  []Row                                 // the time must grow linearly
	Tree  func(w string) (tree []Node, ok bool) // in pre-order; ok reports whether w is derived
}

// A Row describes strings of any length: Unit again and again, between Head and Tail.
type Row struct{ Head, Unit, Tail string }

// A Node is a node of a tree: its production, its text from offset From to offset To, and Next, the
// index of the first node after its subtree.
type Node struct {
	ID             string
	From, To, Next int
}

// ErrLong is returned if the file would be longer than Options.MaxGo.
var ErrLong = errors.New("too much Go")

// A WrongError lists the starts whose generated parsers are wrong: those in IDs differ from the PEG or the
// reference, those in Slow take more than linear time. First tells how the first one is wrong.
type WrongError struct {
	IDs, Slow []string
	First     error
}

// Error returns the text of First.
func (e *WrongError) Error() string { return e.First.Error() }

// Unwrap returns First.
func (e *WrongError) Unwrap() error { return e.First }

// Go returns the parser of g as a Go file. The output depends only on the grammar and the options.
//
// Before it returns the file, Go executes it on words that take every transition of the automaton of every
// production, and compares the verdicts and the trees with the definition of a PEG ([peg.Match]); with
// references, it does so on their words and compares with these. A file that differs is not returned.
//
// Go fails with an [*expr.Error] if g cannot be compiled or compared, or if what was written is not Go or fails in an
// acceptor made of an automaton; with a [*WrongError] if the file differs on a word or is slow; with [ErrLong]; or
// with a [*budget.Exceeded] if a limit is passed.
func Go(g *expr.Grammar, opts Options) (file []byte, err error) {
	defer budget.Catch(&err)
	p := budget.Must(newProgram(g, opts))
	out := budget.Must(p.makeSource())
	if err := p.verifyFile(out); err != nil {
		return nil, err
	}
	return out, nil
}

// makeSource returns the whole file, formatted. It fails with [ErrLong], also if the file is too long only before it
// is formatted, or if the file is not Go.
func (p *program) makeSource() ([]byte, error) {
	src := p.assembleFile()
	for {
		if p.opts.MaxGo > 0 && len(src) > p.opts.MaxGo {
			return nil, ErrLong
		}
		out, err := format.Source(src)
		if err != nil {
			return nil, expr.Errorf(expr.Pos{File: p.grammar.File}, "the generated file is not Go: %v", err)
		}
		if bytes.Equal(out, src) {
			return out, nil
		}
		src = out // breaking lines can change the alignment
	}
}

// assembleFile returns the parts of the file in order, not yet formatted. The productions are written first, into a
// buffer: they decide which runs, classes and imports the file needs. The first line is that of the built-in parsers;
// package gopackage puts its own in its place. It must be called once: what was requested counts as written then.
func (p *program) assembleFile() []byte {
	var rules bytes.Buffer
	for _, r := range p.starts {
		p.writeProduction(r)
		p.out.WriteTo(&rules)
	}
	runs := p.writeRuns()
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by internal/compile/builtin from %s; DO NOT EDIT.\n\n", p.grammar.File)
	fmt.Fprintf(&b, "package %s\n\n", p.opts.Package)
	b.WriteString("import (\n\"math\"\n")
	if bytes.Contains(rules.Bytes(), []byte("strings.HasPrefix(")) {
		b.WriteString("\"strings\"\n")
	}
	b.WriteString("\n\"github.com/bnfcheck/bnfcheck/ast\"\n)\n\n")
	p.writeEntries(&b)
	b.WriteString(frame)
	b.WriteString(p.builderType())
	rules.WriteTo(&b)
	b.WriteString(runs)
	p.writeClassTables(&b)
	return b.Bytes()
}

// frame is the part that every generated file has.
const frame = `
// fail is the position that stands for a failed match.
const fail = ^uint(0)
`

// builderType returns the type whose methods match, with its one method that does not, put. If
// rules use themselves, it counts how deep they nest.
func (p *program) builderType() string {
	const comment = `
// A builder collects the nodes of a tree. A method that matches a production takes the position at which it begins
// and the number of nodes so far, and returns both as they are after the match; on failure the position is fail.
`
	if len(p.recursive) == 0 {
		return comment + "type builder struct{ nodes []ast.Raw }\n" + put
	}
	return comment + `//
// What calls itself does so at most as deep as a run allows. Where that is not enough, nothing is known of the input.
type builder struct {
	nodes []ast.Raw
	left  uint // how much deeper productions may nest
	deep  bool // that was not enough
	stop  uint // at this position
}
` + put
}

// put is the method that stores a node.
const put = `
// put stores a node of kind k with the text from..to, whose subtree ends before node next, as nodes[at]. It drops a
// node for which there is no room; parse notices from the number of nodes.
func (b *builder) put(at uint, k ast.Kind, from, to, next uint) {
	if at < uint(len(b.nodes)) {
		b.nodes[at] = ast.Raw{Kind: k, Start: int32(from), End: int32(to), Next: int32(next)}
	}
}
`

// writeEntries writes the functions that others call. If rules nest, these take an ast.Run, which has the
// limit on the depth.
func (p *program) writeEntries(b *bytes.Buffer) {
	if len(p.recursive) > 0 {
		p.writeNestedEntries(b)
	} else {
		p.writeFlatEntries(b)
	}
}

// writeFlatEntries writes parse, build and accept for rules that do not nest. In a small file accept calls build;
// otherwise it has a switch of its own. parse and accept reject an input of more than math.MaxInt32 bytes.
func (p *program) writeFlatEntries(b *bytes.Buffer) {
	fmt.Fprintf(b, `// %[1]s is Grammar.Parse. If dst has no room for all nodes, it parses a second time, into memory that has.
func %[1]s(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {
	if len(dst) > 0 {
		nodes, ok := %[1]s(dst[len(dst):], start, src)
		if !ok {
			return dst, false
		}
		return append(dst, nodes...), true
	}
	if len(src) > math.MaxInt32 {
		return dst, false
	}
	b := builder{dst[:cap(dst)]}
	i, n := b.build(start, src)
	if i != uint(len(src)) || n > math.MaxInt32 {
		return dst, false
	}
	if n > uint(cap(dst)) {
		dst = make([]ast.Raw, n+n/4)
		b.nodes = dst
		b.build(start, src)
	}
	return dst[:n], true
}

`, cmp.Or(p.opts.Parse, "parse"))
	p.writeBuild(b)
	fmt.Fprintf(b, `
// %[1]s is Grammar.Accept.
func %[1]s(start ast.Kind, src string) bool {
	if len(src) > math.MaxInt32 {
		return false
	}
`, cmp.Or(p.opts.Accept, "accept"))
	if p.opts.Small {
		b.WriteString("var b builder // without room for nodes\ni, _ := b.build(start, src)\n")
	} else {
		b.WriteString("i := fail\n")
		p.writeAcceptSwitch(b)
	}
	b.WriteString("return i == uint(len(src))\n}\n")
}

// writeNestedEntries writes within, build and derives for rules that nest and, unless the caller
// writes its own, parse and accept.
func (p *program) writeNestedEntries(b *bytes.Buffer) {
	within := cmp.Or(p.opts.Within, "within")
	if p.opts.Within == "" {
		b.WriteString(wrappers)
	}
	fmt.Fprintf(b, `// %[1]s is Grammar.Within. If dst has no room for all nodes, it parses a second time, into memory that has.
func %[1]s(run *ast.Run, dst []ast.Raw, start ast.Kind, src string, tree bool) ([]ast.Raw, bool) {
	if len(dst) > 0 {
		nodes, ok := %[1]s(run, dst[len(dst):], start, src, tree)
		if !ok {
			return dst, false
		}
		return append(dst, nodes...), true
	}
	if len(src) > math.MaxInt32 {
		return dst, false
	}
	b := builder{nodes: dst[:cap(dst)], left: run.DepthLimit()}
	if !tree {
		b.nodes = nil
		ok := b.%[2]s(start, src)
		if b.deep {
			run.TooDeep(b.stop)
		}
		return dst, ok
	}
	i, n := b.build(start, src)
	if b.deep {
		run.TooDeep(b.stop)
	}
	if b.deep || i != uint(len(src)) || n > math.MaxInt32 {
		return dst, false
	}
	if n > uint(cap(dst)) {
		dst = make([]ast.Raw, n+n/4)
		b.nodes = dst
		b.build(start, src)
	}
	return dst[:n], true
}

`, within, derivesName)
	p.writeBuild(b)
	fmt.Fprintf(b, `
// %[1]s is Grammar.Accept.
func (b *builder) %[1]s(start ast.Kind, src string) bool {
`, derivesName)
	if p.opts.Small {
		b.WriteString("i, _ := b.build(start, src)\n")
	} else {
		b.WriteString("i := fail\n")
		p.writeAcceptSwitch(b)
	}
	b.WriteString("return !b.deep && i == uint(len(src))\n}\n") // too deep is no match, and within looks at b.deep
}

// derivesName is the method that accepts where rules nest.
const derivesName = "derives"

// wrappers are parse and accept with the usual limits.
const wrappers = `// parse is Grammar.Parse.
func parse(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {
	var run ast.Run
	return within(&run, dst, start, src, true)
}

// accept is Grammar.Accept.
func accept(start ast.Kind, src string) bool {
	var run ast.Run
	_, ok := within(&run, nil, start, src, false)
	return ok
}

`

// writeBuild writes build, which calls the method of a start. A lexical start has none: build calls the function that
// recognizes it, and stores one node over what it matches. For any other kind build returns fail.
func (p *program) writeBuild(b *bytes.Buffer) {
	b.WriteString("func (b *builder) build(start ast.Kind, src string) (i, n uint) {\nswitch start {\n")
	for _, r := range p.starts {
		fmt.Fprintf(b, "case %s:\n", p.names[r.ID].kind)
		if p.opts.Lexical(r.ID) {
			fmt.Fprintf(b, "i = %s(src, 0)\n", p.acceptCall(r.ID))
		} else {
			fmt.Fprintf(b, "return b.%s(src, 0, 0)\n", p.buildName(r.ID))
		}
	}
	b.WriteString("default:\nreturn fail, 0\n}\n")
	if slices.ContainsFunc(p.starts, func(r *expr.Rule) bool { return p.opts.Lexical(r.ID) }) {
		b.WriteString("b.put(0, start, 0, i, 1) // a lexical production\nreturn i, 1\n")
	}
	b.WriteString("}\n")
}

// writeAcceptSwitch writes the switch that sets i to the end of a start's match, or returns the verdict of
// its automaton. For any other kind i stays as it is.
func (p *program) writeAcceptSwitch(b *bytes.Buffer) {
	b.WriteString("switch start {\n")
	for _, r := range p.starts {
		if p.automata[r.ID] != nil {
			fmt.Fprintf(b, "case %s:\nreturn %s(src)\n", p.names[r.ID].kind, p.names[r.ID].accepts)
			continue
		}
		fmt.Fprintf(b, "case %s:\ni = %s(src, 0)\n", p.names[r.ID].kind, p.acceptCall(r.ID))
	}
	b.WriteString("}\n")
}

// notExecuted lists the functions of the file that loadFile is to skip: they allocate, or call what is skipped. accept
// is among them if rules nest, and in a small file.
func (p *program) notExecuted() []string {
	list := []string{cmp.Or(p.opts.Parse, "parse")}
	if len(p.recursive) > 0 {
		list = []string{"parse", "accept", cmp.Or(p.opts.Within, "within")}
	}
	if p.opts.Small { // it calls build, which is executed
		list = append(list, p.acceptEntry())
	}
	return list
}

// acceptEntry returns the name of the function or method that accepts, given a start.
func (p *program) acceptEntry() string {
	if len(p.recursive) > 0 {
		return derivesName
	}
	return cmp.Or(p.opts.Accept, "accept")
}
