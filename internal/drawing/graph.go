package drawing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// A Graph is an automaton made ready to be drawn. The dead state is left out. A state that only passes on, entered and
// left in one way each, is drawn into the edge, so that a scheme's letters are one edge and not five.
type Graph struct {
	States int      // that are drawn
	Edges  int      // that are drawn
	Legend []Legend // what the short names on the edges stand for

	accept []bool
	edges  []edge
}

// Legend is a short name on an edge, and the bytes that it stands for.
type Legend struct {
	Name string
	Set  expr.Set
}

// longest is how many characters of a class stand on an edge; longer ones get a short name.
const longest = 12

// NewGraph makes the automaton ready. The sets with a name in named are drawn as it; single bytes that have one are never
// drawn together with others.
func NewGraph(a *lang.DFA, named map[expr.Set]string) *Graph {
	g := &Graph{}
	wide := map[expr.Set]string{}
	label := func(s expr.Set) (string, bool) {
		if m := s.Members(); len(m) == 1 {
			return visible(string(m)), m[0] != ' '
		}
		if name, ok := named[s]; ok {
			return name, false
		}
		if text := s.String(); len(text) <= longest {
			return text, false
		}
		if wide[s] == "" {
			wide[s] = fmt.Sprintf("set %c", 'A'+len(wide)%26)
			if n := len(wide); n > 26 {
				wide[s] = fmt.Sprintf("set %d", n)
			}
			g.Legend = append(g.Legend, Legend{wide[s], s})
		}
		return wide[s], false
	}
	at := make([]int, a.States()) // the states that are not dead, numbered again
	live := 0
	for q := range at {
		at[q] = -1
		if a.Live(q) {
			at[q] = live
			g.accept = append(g.accept, a.Accepts(q))
			live++
		}
	}
	for q := range a.States() {
		sets := map[int]expr.Set{}
		for c := range a.Classes() {
			if to := a.NextClass(q, c); a.Live(to) {
				sets[to] = sets[to].Union(a.ClassSet(c))
			}
		}
		for to := range a.States() {
			rest := sets[to]
			for _, b := range rest.Members() { // a byte with a name of its own stands by itself
				if name, ok := named[single(b)]; ok {
					g.edges = append(g.edges, edge{from: at[q], to: at[to], labels: []string{name}})
					rest = rest.Minus(single(b))
				}
			}
			if !rest.IsEmpty() {
				text, plain := label(rest)
				g.edges = append(g.edges, edge{from: at[q], to: at[to], labels: []string{text}, plain: plain})
			}
		}
	}
	g.condense()
	g.States, g.Edges = len(g.accept), len(g.edges)
	return g
}

func single(b byte) expr.Set { return expr.Range(b, b) }

// An edge leads from one state to another by each of its labels.
type edge struct {
	from, to int
	labels   []string
	plain    bool // the label is characters that stand for themselves, and can be joined with others
}

// NewOutline makes the automaton ready that has for letters the names in e and the bytes of its literals: each edge with a
// name stands for the automaton of that production. It tells something about expressions that have a large automaton. The
// literals must be ASCII, and the error is then that of a language that is too large.
func NewOutline(e *expr.Expr, name func(id string) string) (*Graph, error) {
	const first = 0x80 // of the bytes that stand for names
	refs := expr.Refs(e)
	if len(refs) > 0x100-first {
		return nil, fmt.Errorf("%d names: %w", len(refs), lang.ErrTooLarge)
	}
	named := map[expr.Set]string{}
	for i, id := range refs {
		named[single(byte(first+i))] = name(id)
	}
	a, err := lang.FromExpr(&expr.Grammar{}, spelled(e, func(id string) byte { return byte(first + slices.Index(refs, id)) }))
	if err != nil {
		return nil, err
	}
	return NewGraph(a, named), nil
}

// spelled returns e with a byte in the place of each name.
func spelled(e *expr.Expr, letter func(id string) byte) *expr.Expr {
	if e.Op == expr.Ref {
		return expr.In(single(letter(e.Name)))
	}
	out := *e
	out.Sub = nil
	for _, s := range e.Sub {
		out.Sub = append(out.Sub, spelled(s, letter))
	}
	return &out
}

// condense draws the states that only pass on into edges, and those edges that run side by side into one.
func (g *Graph) condense() {
	for {
		in, out := make([][]int, len(g.accept)), make([][]int, len(g.accept))
		for i, e := range g.edges {
			in[e.to] = append(in[e.to], i)
			out[e.from] = append(out[e.from], i)
		}
		passing := -1
		for q := 1; q < len(g.accept); q++ {
			if !g.accept[q] && len(in[q]) == 1 && len(out[q]) == 1 && g.edges[in[q][0]].from != q {
				passing = q
				break
			}
		}
		if passing < 0 {
			break
		}
		i, o := in[passing][0], out[passing][0]
		first, second := g.edges[i], g.edges[o]
		joint := edge{from: first.from, to: second.to, labels: []string{first.labels[0] + " " + second.labels[0]}}
		if first.plain && second.plain {
			joint.labels[0] = first.labels[0] + second.labels[0]
			joint.plain = true
		}
		g.edges[i] = joint
		g.edges = slices.Delete(g.edges, o, o+1)
		g.accept = slices.Delete(g.accept, passing, passing+1)
		for k := range g.edges {
			e := &g.edges[k]
			if e.from > passing {
				e.from--
			}
			if e.to > passing {
				e.to--
			}
		}
	}
	var edges []edge
	for _, e := range g.edges {
		same := slices.IndexFunc(edges, func(f edge) bool { return f.from == e.from && f.to == e.to })
		if same >= 0 {
			edges[same].labels = append(edges[same].labels, e.labels...)
		} else {
			edges = append(edges, e)
		}
	}
	g.edges = edges
}

// The measures of a graph.
const (
	radius     = 11 // of a state
	inset      = 3  // from there to the inner circle of one that accepts
	lineHeight = FontSize + 3
	rankGap    = 16
	lane       = 12 // between two things above one another
)

// An item has a place in a rank: a state, a label, or a bend of an edge.
type item struct {
	state         int // or -1
	labels        []string
	width         float64
	above, below  float64 // from its middle
	x, y          float64
	rank          int
	before, after []int // neighbours in the ranks before and after
}

// A drawing is a layered drawing (Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
// structures", 1981). Even ranks hold states and odd ranks labels, so that no label lies on anything else.
type layered struct {
	g     *Graph
	items []item
	ranks [][]int
	ways  [][]int // for each edge, the items that it passes from left to right
	back  []bool  // for each edge, whether it leads from right to left
	loops []int   // for each state, the edge from it to itself, or -1
}

// Small reports whether a picture of the graph tells something. With more states and edges it is a thicket.
func (g *Graph) Small() bool { return g.States <= 18 && g.Edges <= 40 }

// SVG draws the graph from left to right. Label says what is drawn.
func (g *Graph) SVG(label string) string {
	return g.picture(label).String()
}

func (g *Graph) picture(label string) *canvas {
	l := &layered{g: g, back: make([]bool, len(g.edges)), ways: make([][]int, len(g.edges))}
	l.place()
	l.order()
	l.coordinates()
	return l.draw(label)
}

// place assigns each state a rank, one after all from which edges lead to it; edges that lead back in a search from the
// start are turned around for that. Then it gives every edge its items.
func (l *layered) place() {
	g := l.g
	n := len(g.accept)
	l.loops = make([]int, n)
	out := make([][]int, n)
	for q := range l.loops {
		l.loops[q] = -1
	}
	for i, e := range g.edges {
		if e.from == e.to {
			l.loops[e.from] = i
		} else {
			out[e.from] = append(out[e.from], i)
		}
	}
	const (
		unseen = iota
		open
		done
	)
	mark := make([]uint8, n)
	var sorted []int // states, each before those that edges lead to
	var visit func(q int)
	visit = func(q int) {
		mark[q] = open
		for _, i := range out[q] {
			switch to := g.edges[i].to; mark[to] {
			case unseen:
				visit(to)
			case open:
				l.back[i] = true
			}
		}
		mark[q] = done
		sorted = append(sorted, q)
	}
	for q := range n {
		if mark[q] == unseen {
			visit(q)
		}
	}
	slices.Reverse(sorted)
	rank := make([]int, n)
	for _, q := range sorted {
		for i, e := range g.edges {
			switch {
			case e.from == e.to:
			case !l.back[i] && e.to == q:
				rank[q] = max(rank[q], rank[e.from]+2)
			case l.back[i] && e.from == q:
				rank[q] = max(rank[q], rank[e.to]+2)
			}
		}
	}
	l.ranks = make([][]int, slices.Max(rank)+1)
	for q := range n {
		it := item{state: q, rank: rank[q], width: 2 * radius, above: radius, below: radius}
		if i := l.loops[q]; i >= 0 {
			it.above = radius + 20 + float64(len(g.edges[i].labels))*lineHeight
			for _, text := range g.edges[i].labels {
				it.width = max(it.width, textWidth(text)+8)
			}
		}
		l.add(it)
	}
	for i, e := range g.edges {
		if e.from == e.to {
			continue
		}
		left, right := e.from, e.to
		if l.back[i] {
			left, right = right, left
		}
		way := []int{left}
		middle := (rank[left]+rank[right])/2 | 1
		for r := rank[left] + 1; r < rank[right]; r++ {
			it := item{state: -1, rank: r, above: 1, below: 1}
			if r == middle {
				it.labels = e.labels
				for _, text := range e.labels {
					it.width = max(it.width, textWidth(text)+14)
				}
				it.above = float64(len(e.labels))*lineHeight + 3
				it.below = 2
			}
			way = append(way, l.add(it))
		}
		way = append(way, right)
		for k := 1; k < len(way); k++ {
			l.items[way[k-1]].after = append(l.items[way[k-1]].after, way[k])
			l.items[way[k]].before = append(l.items[way[k]].before, way[k-1])
		}
		l.ways[i] = way
	}
}

func (l *layered) add(it item) int {
	i := len(l.items)
	l.items = append(l.items, it)
	l.ranks[it.rank] = append(l.ranks[it.rank], i)
	return i
}

// order sorts each rank so that few edges cross: each item goes to the mean place of its neighbours, from left to right
// and back again, and the best of the orders on the way is kept.
func (l *layered) order() {
	place := make([]float64, len(l.items))
	number := func() {
		for _, items := range l.ranks {
			for k, i := range items {
				place[i] = float64(k) - float64(len(items)-1)/2
			}
		}
	}
	number()
	best, fewest := l.copyRanks(), l.crossings(place)
	for round := range 24 {
		for step := range l.ranks {
			r := step
			if round%2 == 1 {
				r = len(l.ranks) - 1 - step
			}
			mean := func(i int) float64 {
				near := l.items[i].before
				if round%2 == 1 {
					near = l.items[i].after
				}
				if len(near) == 0 {
					return place[i]
				}
				sum := 0.0
				for _, j := range near {
					sum += place[j]
				}
				return sum / float64(len(near))
			}
			slices.SortStableFunc(l.ranks[r], func(i, j int) int { return cmp.Compare(mean(i), mean(j)) })
			for k, i := range l.ranks[r] {
				place[i] = float64(k) - float64(len(l.ranks[r])-1)/2
			}
		}
		if n := l.crossings(place); n < fewest {
			best, fewest = l.copyRanks(), n
		}
	}
	l.ranks = best
}

func (l *layered) copyRanks() [][]int {
	ranks := make([][]int, len(l.ranks))
	for r := range ranks {
		ranks[r] = slices.Clone(l.ranks[r])
	}
	return ranks
}

// crossings counts the pairs of edges between neighbouring ranks that cross.
func (l *layered) crossings(place []float64) (n int) {
	for _, items := range l.ranks {
		type span struct{ a, b float64 }
		var spans []span
		for _, i := range items {
			for _, j := range l.items[i].after {
				spans = append(spans, span{place[i], place[j]})
			}
		}
		for i, s := range spans {
			for _, t := range spans[:i] {
				if (s.a-t.a)*(s.b-t.b) < 0 {
					n++
				}
			}
		}
	}
	return n
}

// coordinates assigns every item its place: x by its rank, y near those of its neighbours, as far as the order and the
// room that things take leave it.
func (l *layered) coordinates() {
	x := 30.0
	for _, items := range l.ranks {
		width := 0.0
		for _, i := range items {
			width = max(width, l.items[i].width)
		}
		y := 0.0
		for _, i := range items {
			it := &l.items[i]
			it.x = math.Round(x + width/2)
			y += it.above
			it.y = y
			y += it.below + lane
		}
		for _, i := range items { // around the middle
			l.items[i].y -= y / 2
		}
		x += width + rankGap
	}
	for round := range 60 {
		for step := range l.ranks {
			r := step
			if round%2 == 1 {
				r = len(l.ranks) - 1 - step
			}
			l.settle(l.ranks[r])
		}
	}
	top := math.Inf(1)
	for _, it := range l.items {
		top = min(top, it.y-it.above)
	}
	for i := range l.items {
		l.items[i].y = math.Round(l.items[i].y + 6 - top)
	}
}

// settle moves the items of a rank to the mean height of their neighbours. Where two would then come too near, they and
// what already touches them move together, to the mean of what each wants.
func (l *layered) settle(items []int) {
	type block struct {
		from, to int     // items
		want     float64 // the sum of where each wants the block's first item to be
		first    float64 // where that is
		height   float64 // from the first item to the last
	}
	var blocks []block
	for k, i := range items {
		it := l.items[i]
		near := slices.Concat(it.before, it.after)
		want := it.y
		if len(near) > 0 {
			sum := 0.0
			for _, j := range near {
				sum += l.items[j].y
			}
			want = sum / float64(len(near))
		}
		blocks = append(blocks, block{k, k, want, want, 0})
		for len(blocks) > 1 {
			b, a := blocks[len(blocks)-1], blocks[len(blocks)-2]
			apart := l.items[items[a.to]].below + lane + l.items[items[b.from]].above
			if a.first+a.height+apart <= b.first {
				break
			}
			size := float64(b.to - b.from + 1)
			a.want += b.want - size*(a.height+apart)
			a.height += apart + b.height
			a.to = b.to
			a.first = a.want / float64(a.to-a.from+1)
			blocks = append(blocks[:len(blocks)-2], a)
		}
	}
	for _, b := range blocks {
		y := b.first
		for k := b.from; k <= b.to; k++ {
			if k > b.from {
				y += l.items[items[k-1]].below + lane + l.items[items[k]].above
			}
			l.items[items[k]].y = y
		}
	}
}

func (l *layered) draw(label string) *canvas {
	var width, height float64
	for _, it := range l.items {
		width, height = max(width, it.x+it.width/2+6), max(height, it.y+it.below+6)
	}
	c := &canvas{}
	c.open("automaton", label, width, height)
	var lines, heads path
	start := l.items[0]
	lines.move(start.x-radius-18, start.y)
	lines.line(start.x-radius-6, start.y)
	head(&heads, start.x-radius-1, start.y, 1, 0)
	for i := range l.g.edges {
		if l.ways[i] != nil {
			l.edge(&lines, &heads, i)
		}
	}
	for q, i := range l.loops {
		if i >= 0 {
			it := l.items[q]
			lines.move(it.x-6, it.y-radius+1.5)
			lines.curve(it.x-15, it.y-radius-22, it.x+15, it.y-radius-22, it.x+8, it.y-radius-4)
			head(&heads, it.x+6, it.y-radius+1, -0.36, 0.93)
		}
	}
	fmt.Fprintf(c, `<path class="edge" d="%s"/><path class="head" d="%s"/>`, lines.String(), heads.String())
	for q, accept := range l.g.accept {
		it := l.items[q]
		c.circle(it.x, it.y, accept)
		if i := l.loops[q]; i >= 0 {
			l.labels(c, l.g.edges[i].labels, it.x, it.y-radius-19)
		}
	}
	for _, it := range l.items {
		l.labels(c, it.labels, it.x, it.y-3)
	}
	c.close()
	return c
}

// labels sets labels above one another, the last above bottom.
func (l *layered) labels(c *canvas, labels []string, x, bottom float64) {
	for k, text := range labels {
		c.text(x, bottom-float64(len(labels)-1-k)*lineHeight-lineHeight/2, text)
	}
}

// edge draws an edge along its items: straight under a label, in curves elsewhere.
func (l *layered) edge(lines, heads *path, i int) {
	way := l.ways[i]
	type point struct{ x, y float64 }
	var in, out []point // of each item: where the edge comes to it and leaves it, seen from the left
	for k, j := range way {
		it := l.items[j]
		half := it.width / 2
		a, b := point{it.x - half, it.y}, point{it.x + half, it.y}
		if k == 0 || k == len(way)-1 { // at the rim of a state, on the side to which the edge leads
			next := l.items[way[min(1, len(way)-1)]]
			side := 1.0
			if k > 0 {
				next, side = l.items[way[k-1]], -1
			}
			angle := math.Atan2(next.y-it.y, 60)
			angle = max(-1.1, min(1.1, angle))
			p := point{math.Round(it.x + side*radius*math.Cos(angle)), math.Round(it.y + radius*math.Sin(angle))}
			a, b = p, p
		}
		in, out = append(in, a), append(out, b)
	}
	tip := 6.0
	first, last := out[0], in[len(in)-1]
	if l.back[i] {
		it := l.items[way[0]]
		dx, dy := unit(it.x-first.x, it.y-first.y)
		head(heads, first.x, first.y, dx, dy)
		first = point{math.Round(first.x - dx*tip), math.Round(first.y - dy*tip)}
	} else {
		it := l.items[way[len(way)-1]]
		dx, dy := unit(it.x-last.x, it.y-last.y)
		head(heads, last.x, last.y, dx, dy)
		last = point{math.Round(last.x - dx*tip), math.Round(last.y - dy*tip)}
	}
	out[0], in[len(in)-1] = first, last
	lines.move(first.x, first.y)
	for k := 1; k < len(way); k++ {
		a, b := out[k-1], in[k]
		bow := math.Round((b.x - a.x) / 2)
		lines.curve(a.x+bow, a.y, b.x-bow, b.y, b.x, b.y)
		if k < len(way)-1 && out[k] != in[k] {
			lines.line(out[k].x, out[k].y)
		}
	}
}

func unit(dx, dy float64) (float64, float64) {
	n := math.Hypot(dx, dy)
	if n == 0 {
		return 1, 0
	}
	return dx / n, dy / n
}

// head draws the head of an arrow with its tip at x, y.
func head(p *path, x, y, dx, dy float64) {
	const length, half = 7.5, 3.4
	p.move(x, y)
	p.line(x-dx*length-dy*half, y-dy*length+dx*half)
	p.line(x-dx*length+dy*half, y-dy*length-dx*half)
	p.WriteString("Z")
}

// String returns in words what is drawn.
func (g *Graph) String() string {
	var b strings.Builder
	for i, e := range g.edges {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%d to %d by %s", e.from, e.to, strings.Join(e.labels, " or "))
	}
	return b.String()
}
