package check

import (
	"fmt"
	"io"
	"testing"
)

// Batches come out in the order in which they went in, each once, and all are worked on.
func TestInOrder(t *testing.T) {
	const batches = 5000
	type numbered struct {
		first int
		out   []byte
	}
	n := 0
	read := func(b *numbered) bool {
		b.first = n
		n++
		return n < batches
	}
	work := func() func(*numbered) {
		return func(b *numbered) {
			for i := range b.first % 7 * 1000 {
				_ = i // some take longer
			}
			b.out = fmt.Append(b.out[:0], b.first)
		}
	}
	next := 0
	err := InOrder(read, work, func(b *numbered) error {
		if string(b.out) != fmt.Sprint(next) {
			t.Fatalf("batch %s came where %d belongs", b.out, next)
		}
		next++
		return nil
	})
	if err != nil || next != batches {
		t.Errorf("%d batches, %v; want %d", next, err, batches)
	}

	n, next = 0, 0
	if err := InOrder(read, work, func(*numbered) error { next++; return io.ErrShortWrite }); err != io.ErrShortWrite || next != 1 {
		t.Errorf("after a failed write: %v, %d more writes", err, next-1)
	}
}
