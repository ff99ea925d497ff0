package command

import (
	"errors"
	"io/fs"

	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
)

// loadEngine returns the engine of the pages: from the program, from the user's cache, or compiled now. It
// reports on standard error that it compiles, counts the packages in a line on a terminal, and ends at a
// signal. It fails with an ioError for a file, and otherwise with an inputError.
func (s *streams) loadEngine() (*webengine.Engine, error) {
	ctx, stop := untilStopped()
	defer stop()
	line := s.newLine()
	e, err := webengine.Load(ctx, webengine.Watcher{
		Say:     func(sentence string) { s.complain("bnfcheck: %s", sentence) },
		Package: func(compiled, of int) { line.Show("%d of %d packages", compiled, of) },
	})
	line.End()
	if err == nil {
		return e, nil
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, &ioError{path.Path, err}
	}
	return nil, &inputError{err} // the command line is not at fault
}
