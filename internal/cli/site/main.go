// Command site writes the static site: the pages in docs, README and CONTRIBUTING, and the playground.
//
//	go run ./internal/cli/site                # into dist/site
//	go run ./internal/cli/site -o FOLDER
//
// It runs in the root of the repository. The engine of the playground is compiled, or taken from the cache.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bnfcheck/bnfcheck/internal/cli/version"
	"github.com/bnfcheck/bnfcheck/internal/report/playground"
	"github.com/bnfcheck/bnfcheck/internal/report/site"
	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
)

func main() {
	out := flag.String("o", filepath.Join("dist", "site"), "the `FOLDER` to write into")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// write writes the site into a folder.
func write(folder string) error {
	files, err := site.Build(os.DirFS("."))
	if err != nil {
		return err
	}
	say := func(sentence string) { fmt.Fprintln(os.Stderr, "site:", sentence) }
	engine, err := webengine.Load(context.Background(), webengine.Watcher{Say: say})
	if err != nil {
		return err
	}
	var play bytes.Buffer
	if err := playground.Write(&play, engine, version.String(), nil); err != nil {
		return err
	}
	files[site.PlaygroundFile] = play.Bytes()
	if err := site.Write(folder, files); err != nil {
		return err
	}
	fmt.Printf("%d files in %s: open index.html\n", len(files), folder)
	return nil
}
