package compile_test

import (
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/ast"
)

// Time grows with the length and not faster, at every start and on every input that a backtracking parser is slow on.
// What is measured is coarse, for machines that are busy: at 64 times the length, time per byte may be 8 times as much;
// a parser that is quadratic anywhere is at 64.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const short, long, allowed = 1 << 10, 1 << 16, 8
	for _, s := range subjects() {
		for _, start := range s.starts() {
			small, large := adversarial(start, s, short), adversarial(start, s, long)
			for i := range small {
				if ratio := growth(s, start, small[i], large[i]); ratio > allowed {
					t.Errorf("%s %s on %.40q...: time per byte at %d bytes is %.1f times that at %d",
						s.Name, s.Production(start).ID, small[i], long, ratio, short)
				}
			}
		}
	}
}

// growth gives the ratio of times per byte. Where it is high it measures again, a few times, and takes the least.
func growth(s *subject, start ast.Kind, small, large string) float64 {
	ratio := 0.0
	for range 5 {
		r := s.perByte(start, large, 1) / s.perByte(start, small, 8)
		if ratio == 0 || r < ratio {
			ratio = r
		}
		if ratio < 4 {
			break
		}
	}
	return ratio
}

// perByte gives nanoseconds for tree and acceptance.
func (s *subject) perByte(start ast.Kind, src string, repeat int) float64 {
	began := time.Now()
	for range repeat {
		if nodes, ok := s.Parse(s.nodes[:0], start, src); ok {
			s.nodes = nodes
		}
		s.Accept(start, src)
	}
	// A floor for what fails at once: it would be all noise.
	return max(float64(time.Since(began).Nanoseconds()), 2000) / float64(repeat*len(src))
}
