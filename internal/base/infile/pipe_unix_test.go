//go:build unix

package infile_test

import (
	"syscall"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func makePipe(t *testing.T, name string) { must.Do(t, syscall.Mkfifo(name, 0o666)) }
