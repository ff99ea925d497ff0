package ast

import (
	"cmp"
	"math"
	"slices"
)

// This file lets functions of the user say where a production ends, for what no grammar says: a
// length that stands in the input, or a delimiter that the input chooses.
//
// A scanner narrows the grammar and never widens it. Where the grammar lets its production begin,
// the scanner is asked for the end, and the text up to there has to be derived by the production as
// well. So a tree is a derivation, with or without scanners, and what is accepted is in the language
// of the grammar. Which strings of the language are refused, the scanner alone knows: it is opaque.
//
// The parser does not read such a production byte by byte. It makes a note of the end, a scan, and
// goes on there with an item in which the production ends. That item has no items before it; the
// nodes in it are made as those of a string of its own.

// A Scanner says where a production ends that begins at an offset of the input: at end, the offset
// of the first byte after it. ok is false if none begins there. An end beyond the input says that
// the production begins there and that more input is needed. A production is never empty: an end at
// or before its beginning counts as none.
//
// The grammar has to derive the text as well: a scanner only chooses among the ends that the grammar
// allows. It is called where the grammar lets the production begin, with the input of the parser or,
// inside a production with a scanner of its own, with the text of that production. The parsers of
// this module assume that a scanner reads nothing before its offset and nothing after the end that it
// returns, and that it always has the same answer. It is called by each goroutine that parses.
//
// A scanner for strings that say how long they are, such as "{5}\r\nhello":
//
//	func scanLiteral(src string, at int) (end int, ok bool) {
//		head, _, ok := strings.Cut(src[at:], "}\r\n")
//		if !ok {
//			return len(src) + 1, true // the length is not there yet
//		}
//		n, err := strconv.ParseUint(head[1:], 10, 31)
//		return at + len(head) + len("}\r\n") + int(n), err == nil
//	}
type Scanner func(src string, at int) (end int, ok bool)

// scannedTerm returns the name that messages have for a production with a scanner.
func scannedTerm(name string) string { return name + " (as its scanner reads it)" }

// A generalScan is a production that a scanner has found, from an origin to an end.
type generalScan struct {
	end    int32
	kind   Kind
	origin int32
}

// noLanding stands for a landing where there are no scans.
const noLanding = math.MaxInt

// generalScans are the scans of an input.
type generalScans struct {
	scanLists [][]Kind // the productions that scanners are asked for, by what a set does; kept as the sets are

	scans   []generalScan // whose end is not reached yet, the nearest last
	landing int           // the nearest end; noLanding if there is none
	called  []Kind        // productions whose scanners are to be asked at the place that is read
	cut     []scanned     // productions that the input ends inside of, according to their scanners
	refused scanned       // the last of those that a scanner has found and the grammar does not derive
}

// A scanned is a production of the input from a place to another.
type scanned struct {
	kind    Kind
	at, end int
}

// linkScanners sets t.scanners. It leaves out productions that the tables do not have, or that can
// be inside themselves with the same text. The nodes inside the others are made apart, as if code
// made them, so it marks these as proven.
func (t *generalTables) linkScanners() {
	for k, scanner := range t.self.Scanners {
		if scanner == nil || int(k) >= len(t.starts) || t.starts[k] == 0 || t.cyclic[k] {
			continue
		}
		if t.scanners == nil {
			t.scanners = make([]Scanner, len(t.starts))
		}
		t.scanners[k] = scanner
		t.proven[k] = t.proven[k] || !t.plain[k]
	}
}

// scanner returns the scanner of a production, or nil.
func (t *generalTables) scanner(k Kind) Scanner {
	if int(k) >= len(t.scanners) {
		return nil
	}
	return t.scanners[k]
}

// clearScans makes r ready for the next input.
func (r *generalRun) clearScans() {
	r.scans, r.landing, r.called, r.cut, r.refused = r.scans[:0], noLanding, r.called[:0], r.cut[:0], scanned{}
}

// kindsToScan returns the productions with scanners that two sets call and that can begin with a
// class. No production begins with the end of the input, which is the class r.width.
func (r *generalRun) kindsToScan(a, b uint32, class int) (list []Kind) {
	for _, set := range []uint32{a, b} {
		for _, c := range r.sets[set].calls {
			begins := class < r.width && r.first[int(c.kind)*r.width+class]
			if begins && r.scanner(c.kind) != nil && !slices.Contains(list, c.kind) {
				list = append(list, c.kind)
			}
		}
	}
	return list
}

// scanList adds a list to scanLists, and returns its number. An empty list is number 0, and is not
// added.
func (r *generalRun) scanList(list []Kind) uint32 {
	if len(r.scanLists) == 0 {
		r.scanLists = append(r.scanLists, nil)
	}
	if len(list) == 0 {
		return 0
	}
	r.scanLists = append(r.scanLists, list)
	return uint32(len(r.scanLists) - 1)
}

// callScanners adds the productions of a list to r.called, unless they are there: their scanners
// will be asked at this place.
func (r *generalRun) callScanners(list []Kind) {
	for _, k := range list {
		if !slices.Contains(r.called, k) {
			r.called = append(r.called, k)
		}
	}
}

// scanAll asks the scanners of the productions in r.called, for productions that begin at an
// origin. It empties r.called.
func (r *generalRun) scanAll(origin int32) {
	for _, k := range r.called {
		r.scan(k, origin)
	}
	r.called = r.called[:0]
}

// scan asks the scanner of production k at the place that is read. If it finds nothing, or an empty text, scan
// does nothing. If the grammar derives what it has found, a scan is noted in r.scans and r.landing. If the input
// ends inside of that, and the grammar lets it begin so, it is added to r.cut. Otherwise it becomes r.refused. If a
// limit is passed, r.over is set.
func (r *generalRun) scan(k Kind, origin int32) {
	end, ok := r.scanner(k)(r.src, r.at)
	r.steps++
	if !ok || end <= r.at {
		return
	}
	found := scanned{k, r.at, min(end, len(r.src))}
	derived, begins := r.derivesScanned(found)
	switch {
	case r.over:
		// nothing is known: derived and begins mean nothing
	case end > len(r.src) && begins:
		r.cut = append(r.cut, found)
	case end > len(r.src) || !derived:
		r.refused = found
	default:
		i, _ := slices.BinarySearchFunc(r.scans, end,
			func(s generalScan, end int) int { return cmp.Compare(end, int(s.end)) })
		r.scans = slices.Insert(r.scans, i, generalScan{int32(end), k, origin})
		r.landing = int(r.scans[len(r.scans)-1].end)
	}
}

// derivesScanned reports whether the grammar derives the text of a production, and whether the text
// begins a string that it derives. If a limit is passed, r.over is set.
func (r *generalRun) derivesScanned(p scanned) (derived, begins bool) {
	r.inner(p, func(in *generalRun) {
		derived = in.read(false)
		begins = derived || in.at == len(in.src) && !in.over
	})
	return derived, begins
}

// inner calls f with a run for the text of a production, in which its scanner is not asked. The run may take the steps
// that r has left, and as much memory as r. What it takes counts for r, and r.over is set if it passes a limit.
func (r *generalRun) inner(p scanned, f func(in *generalRun)) {
	run := Run{Context: r.context}
	run.Limits = Limits{Steps: max(r.limits.steps-r.steps, 1), Memory: max((r.limits.items-1)*generalItemBytes, 1)}
	r.self.with(&run, p.kind, r.src[p.at:p.end], func(in *generalRun) {
		f(in)
		r.steps += in.steps
		r.over = r.over || in.over
	})
}

// land appends an item for each scan that ends at the place that is read. There must be a scan in
// r.scans. begins says that a production begins here. If none does and there is no item here, r.at
// first jumps to the nearest end.
func (r *generalRun) land(begins bool) {
	if !begins && len(r.items) == int(r.cur) {
		r.at = r.landing
	}
	for r.landing == r.at {
		last := len(r.scans) - 1
		s := r.scans[last]
		r.append(r.lastOf(s.kind), s.origin, -1, generalNone)
		r.scans, r.landing = r.scans[:last], noLanding
		if last > 0 {
			r.landing = int(r.scans[last-1].end)
		}
	}
}

// nodesOfScanned appends the nodes of a production with a scanner, and reports whether the grammar
// derives its text. If it does not, or a limit is passed, the nodes are of no use; r.over is set in
// the second case.
func (r *generalRun) nodesOfScanned(p scanned) (ok bool) {
	r.inner(p, func(in *generalRun) {
		ok = in.read(true)
		if !ok {
			return
		}
		in.nodes, in.base = r.nodes, len(r.nodes)
		if in.derive(); in.over {
			ok = false
		}
		r.nodes, in.nodes = in.nodes, nil
	})
	return ok
}

// explainScanned is [Grammar.explainNested] for a start with a scanner, as far as the scanner has an answer: at
// offset 0 if it finds no beginning, and at its end if that is before the end of src, whether or not the grammar
// derives the text up to there. If it wants more than src, the answer is the grammar's if that stops earlier. done is
// false, and e nil, if the scanner ends the start at the end of src. The caller sets Incomplete.
func (g *Grammar) explainScanned(scanner Scanner, start Kind, src string) (e *SyntaxError, done bool) {
	end, ok := scanner(src, 0)
	e = g.unexplained(start, src)
	e.In = []Kind{start}
	switch {
	case !ok || end <= 0:
		e.Expected = []Expectation{g.scannedExpectation(start)}
	case end < len(src):
		e.Offset = end
		e.Expected = []Expectation{{Term: EndOfInput}}
	case end > len(src):
		inner := g.explainByGrammar(start, src, true)
		if inner.Offset < len(src) {
			return inner, true
		}
		e.Offset, e.Expected = len(src), []Expectation{g.restOf(start)}
	default:
		return nil, false
	}
	return e, true
}

// scannedExpectation returns the expectation of a production with a scanner, where it could begin.
func (g *Grammar) scannedExpectation(k Kind) Expectation {
	return Expectation{Term: scannedTerm(g.Production(k).Name), First: g.Explaining.firstOf(k), In: []Kind{k}}
}

// restOf returns the expectation of the rest of a production with a scanner that the input ends
// inside of.
func (g *Grammar) restOf(k Kind) Expectation {
	return Expectation{Term: "the rest of " + scannedTerm(g.Production(k).Name), In: []Kind{k}}
}

// firstOf returns the bytes that a production can begin with.
func (g *General) firstOf(k Kind) ByteSet {
	t := g.unpacked()
	if int(k) >= len(t.starts) {
		return ByteSet{}
	}
	return t.bytesOf(t.first[int(k)*t.width:][:t.width])
}

// describeCut goes on with e, as the readers of the grammar described it, for an input that ends inside
// of the productions in f.cut, according to their scanners: it is the beginning of a string. It sets Offset
// and Section, and adds these productions to In and their rest to Expected. If the readers stopped before
// the end, In and Expected are of these productions alone. f.cut must not be empty. The caller sets Incomplete.
func (f *frontier) describeCut(g *Grammar, e *SyntaxError) {
	if f.at < len(f.src) {
		e.Expected, e.In = nil, nil // what else could stand there is not known to lead further
	}
	e.Offset = len(f.src)
	for _, c := range f.cut {
		e.Expected = append(e.Expected, g.restOf(c.kind))
		if !slices.Contains(e.In, c.kind) {
			e.In = append(e.In, c.kind)
		}
	}
	e.Section = g.Production(e.In[0]).Section // of what the readers were in, if they came to the end
}

// describeRefused changes e if a scanner has found a production whose text the grammar does not
// derive, unless something else reads further than to the place where that text goes wrong. Offset, Section and
// Expected become those of the error in the text, but for the end of input: the text may not end there. Its
// productions go before those that e.In has. e.Start and e.Explained stay.
func (f *frontier) describeRefused(g *Grammar, e *SyntaxError) {
	p := f.refused
	if p.kind == 0 {
		return
	}
	inner := g.explainByGrammar(p.kind, f.src[p.at:p.end], false)
	if inner == nil || inner.Offset+p.at < e.Offset {
		return
	}
	e.Offset, e.Section = p.at+inner.Offset, inner.Section
	e.In = append(inner.In, e.In...)
	e.Expected = slices.DeleteFunc(inner.Expected, func(x Expectation) bool { return x.Term == EndOfInput })
}
