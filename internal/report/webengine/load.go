package webengine

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
)

// FileVariable names the environment variable with the name of a file that has a packed engine. It goes before all
// others.
const FileVariable = "BNFCHECK_ENGINE"

// Load returns the engine of this version. The first of these that there is has it: the file that FileVariable
// names, the executable, the cache. Else Load compiles it, says so to the watcher, and keeps it in the cache. For
// that it needs the go command and the source, which the go command may have to fetch. A program that was built from
// a folder needs both for the cache, too, whose entry is named by a hash of the source, and the folder must not have
// changed since (see findSource).
//
// Load fails if the file that FileVariable names cannot be read, or if it or the engine in the executable is
// damaged: it then looks nowhere else. Processes that share a cache compile one after the other.
func Load(ctx context.Context, w Watcher) (*Engine, error) {
	if name := os.Getenv(FileVariable); name != "" {
		e, err := readPacked(name)
		if errors.Is(err, errDamaged) {
			return nil, fmt.Errorf("%s, which %s names: %w", name, FileVariable, err)
		}
		return e, err
	}
	if len(embedded) > 0 {
		return Unpack(embedded)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	_, here, _, _ := runtime.Caller(0) // an absolute path, unless this was built with -trimpath
	working, _ := os.Getwd()
	s, err := findSource(ctx, info, filepath.Dir(here), working)
	if err != nil {
		return nil, err
	}
	return loadCached(ctx, s, w)
}

// readPacked reads a packed engine from a file; it returns errDamaged if the file holds none.
func readPacked(name string) (*Engine, error) {
	packed, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Unpack(packed)
}

// loadCached returns the engine of a source from the user's cache folder, and notes there that it was used. If it is
// missing or damaged there, loadCached compiles it under a lock, one for all engines, keeps it and drops old
// entries. If there is no such folder, or no lock to be had, it compiles it all the same, and keeps nothing. A
// failure to keep it is said to the watcher, and is no error. Where ctx has ended and the cache has no engine,
// loadCached fails with the error of ctx.
func loadCached(ctx context.Context, s source, w Watcher) (*Engine, error) {
	dir, err := cacheFolder()
	if err != nil {
		return compile(ctx, s, w, err)
	}
	file := filepath.Join(dir, s.key+entryEnd)
	if e, err := readPacked(file); err == nil {
		now := time.Now()
		_ = os.Chtimes(file, now, now) // dropOldEntries keeps those that were used last
		return e, nil
	}
	unlock, err := atomicfile.Lock(ctx, filepath.Join(dir, "lock"))
	if err == nil {
		defer unlock()
	}
	if ctx.Err() != nil { // also if there was no need to wait for the lock
		return nil, ctx.Err()
	}
	if err != nil {
		return compile(ctx, s, w, err)
	}
	if e, err := readPacked(file); err == nil { // another process has compiled it meanwhile
		return e, nil
	}
	e, err := compile(ctx, s, w, nil)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(ctx, file, atomicfile.Text(e.Pack())); err != nil {
		w.say("the engine could not be kept for the next time: %v", err)
	}
	dropOldEntries(dir)
	return e, nil
}

// compile compiles the engine, and says to w that it begins, once the source is there. If unkept is not nil, it is the
// reason why the caller cannot keep the engine, which is said once it is compiled. compile itself keeps nothing. It
// fails as fetchFolder and Build do.
func compile(ctx context.Context, s source, w Watcher, unkept error) (*Engine, error) {
	dir, err := s.fetchFolder(ctx)
	if err != nil {
		return nil, err
	}
	w.say("compiling the engine of the page from %s; this is done once for each version", dir)
	e, err := Build(ctx, dir, w)
	if err == nil && unkept != nil {
		w.say("the engine could not be kept for the next time: %v", unkept)
	}
	return e, err
}

// entryEnd is how the names of entries end. They begin with the key of their source.
const entryEnd = ".engine"

// cacheFolder returns the folder of the entries, and makes it if there is none. It fails if there is no folder
// for caches, or this one cannot be made.
func cacheFolder() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "bnfcheck", "engine")
	return dir, os.MkdirAll(dir, 0o777)
}

// maxEntries caps the entries that are kept. Whoever changes the source needs a new one after each change, of five
// megabytes.
const maxEntries = 8

// dropOldEntries removes from dir all entries but the maxEntries that were used last. One that cannot be removed
// stays.
func dropOldEntries(dir string) {
	files, _ := os.ReadDir(dir)
	type entry struct {
		name string
		used time.Time
	}
	var entries []entry
	for _, f := range files {
		info, err := f.Info()
		if err == nil && strings.HasSuffix(f.Name(), entryEnd) {
			entries = append(entries, entry{f.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return b.used.Compare(a.used) })
	for _, e := range entries[min(maxEntries, len(entries)):] {
		os.Remove(filepath.Join(dir, e.name))
	}
}

// keyOf returns the key of a version of the module with the sum that go.sum has for it.
func keyOf(version, sum string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(version+" "+sum)))
}
