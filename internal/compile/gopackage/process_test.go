package gopackage

import (
	"path/filepath"
	"testing"
)

// A program that cannot be started is an error for each question.
func TestProcessThatDoesNotStart(t *testing.T) {
	c := &process{program: filepath.Join(t.TempDir(), "none")}
	for range 2 {
		if a, err := c.ask(1, "x"); err == nil {
			t.Errorf("ask returns %v and no error", a)
		}
	}
	c.stop()
}
