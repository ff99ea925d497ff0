package ast

// This file finds the longest beginning of an input that is derived, for inputs that are a stream
// of lines or packets.
//
// Where the language is regular, the automaton that explains rejections reads the input once, and
// remembers where it last accepted. It is proven equal to the productions. Where productions nest,
// the general parser reads it once, and its sets tell where the start could end: see
// generalprefix.go. A scanner of the user that says where a production ends may say something else
// of a prefix. With such scanners prefixes are tried, the longest first.

// prefixBytes caps the bytes that are read in trying prefixes. A value that ends near the place
// where the input goes wrong is found at once; without a cap, a long one that is not complete would
// take quadratic time.
const prefixBytes = 1 << 24

// ParsePrefix returns the tree of the longest prefix of src that start derives, and the length of
// that prefix. If start derives no prefix, not even the empty string, it fails as [Grammar.Derive]
// does for src. The error matches [ErrIncomplete] if more input could help:
//
//	for len(buffered) > 0 {
//		tree, n, err := g.ParsePrefix(start, buffered)
//		if errors.Is(err, ast.ErrIncomplete) {
//			// read more, or end if there is no more
//			continue
//		}
//		if err != nil {
//			return err
//		}
//		use(tree)
//		buffered = buffered[n:]
//	}
//
// A longer src may have a longer prefix: a program that knows where its packets end should wait for
// that end. If start derives the empty string there always is a prefix, so that n may be 0, and no
// error says that more input could help. So let start be the unit of the stream, a line and not a
// file of lines. If finding the prefix, or making its tree, takes more than the default limits, the error is
// a [*TooLargeError] or a [*TooDeepError].
func (g *Grammar) ParsePrefix(start Kind, src string) (tree *Tree, n int, err error) {
	n, err = g.longestPrefix(&Run{}, start, src)
	if err != nil {
		return nil, 0, err
	}
	tree, err = g.Derive(start, src[:n])
	if err != nil {
		return nil, 0, err
	}
	return tree, n, nil
}

// ParsePrefix is [Grammar.ParsePrefix] for p's production. The tree is valid until the next use of
// p. It fails as [Parser.Parse] does.
func (p *Parser) ParsePrefix(s string) (tree *Tree, n int, err error) {
	if err := p.CheckLength(s); err != nil {
		return nil, 0, err
	}
	if p.tree.Grammar == nil {
		return nil, 0, &SyntaxError{Input: s}
	}
	p.begin()
	n, err = p.tree.Grammar.longestPrefix(p.run, p.start(), s)
	if err != nil {
		return nil, 0, err
	}
	tree, err = p.Parse(s[:n])
	if err != nil {
		return nil, 0, err
	}
	return tree, n, nil
}

// longestPrefix returns the length of the longest prefix that start derives. If there is none it fails with the
// rejection of src, and if run is stopped with the error for that. A limit that only the attempt to read all of src
// passes is no error.
func (g *Grammar) longestPrefix(run *Run, start Kind, src string) (n int, err error) {
	if g.Explaining == nil {
		if n := g.acceptedPrefix(start, src); n >= 0 {
			return n, nil
		}
		return 0, g.Rejection(start, src)
	}
	// All of src is tried first, since that is faster where it is derived.
	if g.accept(run, start, src) {
		return len(src), nil
	}
	if run.Stopped == StopContext {
		return 0, run.err(g, src)
	}
	run.reset() // what was too much for all of src need not be too much for a prefix
	if len(g.Explaining.Scanners) > 0 {
		return g.triedPrefix(run, start, src)
	}
	n = g.Explaining.longestPrefix(run, start, src)
	if run.Stopped != 0 || n < 0 {
		return 0, g.reject(run, start, src)
	}
	return n, nil
}

// triedPrefix is longestPrefix by trying prefixes, the longest first, each within the limits and the context of run.
// It gives up with a [*TooLargeError] once they have more than prefixBytes bytes together.
func (g *Grammar) triedPrefix(run *Run, start Kind, src string) (n int, err error) {
	rejection := g.Rejection(start, src)
	read := 0
	for n := min(rejection.Offset, len(src)); n >= 0; n-- {
		read += n
		if read > prefixBytes {
			return 0, &TooLargeError{Grammar: g, Input: src, Offset: n, Steps: prefixBytes}
		}
		run.reset()
		if g.accept(run, start, src[:n]) {
			return n, nil
		}
		if run.Stopped != 0 { // a shorter prefix would not be known to be the longest
			return 0, run.err(g, src[:n])
		}
	}
	return 0, rejection
}

// acceptedPrefix returns the length of the longest prefix that the automaton accepts, or -1. It
// tries every start of the production: each derives some of its strings, and together they derive
// all.
func (g *Grammar) acceptedPrefix(start Kind, src string) int {
	m := g.Machine()
	longest := -1
	for _, s := range m.Starts(start) {
		q := s.State
		for i := 0; q != 0; i++ {
			if i > longest && m.Accepts(q) {
				longest = i
			}
			if i == len(src) {
				break
			}
			q = m.Step(q, src[i])
		}
	}
	return longest
}
