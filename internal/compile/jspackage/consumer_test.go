package jspackage

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// This file uses a package as its users do: packed and installed by npm, by name, from a module, from
// CommonJS, in a worker, and bundled.

// consumers are programs that use the package "nested", each of which prints "true 7 1".
var consumers = map[string]string{
	"module.mjs": "import { accepts, parse, productions } from 'nested';\n" +
		"console.log(accepts('[1,[2]]'), parse('[1,[2]]').end, productions.indexOf('list'));\n",
	"common.cjs": "import('nested').then(({ accepts, parse, productions }) => {\n" +
		"  console.log(accepts('[1,[2]]'), parse('[1,[2]]').end, productions.indexOf('list'));\n});\n",
	"worker.mjs": "import { Worker, isMainThread, parentPort } from 'node:worker_threads';\n" +
		"import { accepts, parse, productions } from 'nested';\n" +
		"if (isMainThread) {\n  new Worker(new URL(import.meta.url)).on('message', (text) => console.log(text));\n} else {\n" +
		"  parentPort.postMessage([accepts('[1,[2]]'), parse('[1,[2]]').end, productions.indexOf('list')].join(' '));\n}\n",
}

// runIn runs a program in a folder, and returns what it prints.
func runIn(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A package that npm packs is installed in an empty folder, and used from there.
func TestInstalledPackage(t *testing.T) {
	longtest.Program(t, "npm")
	_, path := madeNamed(t, "nested")
	dir := t.TempDir()
	runIn(t, filepath.Dir(path), "npm", "pack", "--silent", "--pack-destination", dir)
	must.Do(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`), 0o600))
	runIn(t, dir, "npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", "./nested-0.0.0.tgz")
	installed := must.Of(filepath.Glob(filepath.Join(dir, "node_modules", "nested", "*")))(t)
	if len(installed) != 3 { // the module, its types, package.json
		t.Errorf("installed are %q", installed)
	}
	for name, text := range consumers {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		if got := runIn(t, dir, "node", name); got != "true 7 1\n" {
			t.Errorf("%s prints %q", name, got)
		}
	}
}

// A bundle of a program that only accepts has neither trees nor explanations, nor names; one in CommonJS can be
// required.
func TestBundles(t *testing.T) {
	longtest.Program(t, "esbuild")
	_, path := madeNamed(t, "tag")
	dir := filepath.Dir(path)
	bundle := func(exported, format, to string) string {
		entry := filepath.Join(dir, "entry.mjs")
		must.Do(t, os.WriteFile(entry, []byte("export "+exported+" from './tag.js';\n"), 0o600))
		runIn(t, dir, "esbuild", entry, "--bundle", "--minify", "--format="+format, "--outfile="+to, "--log-level=error")
		return string(must.Of(os.ReadFile(filepath.Join(dir, to)))(t))
	}
	all, alone := bundle("*", "cjs", "all.cjs"), bundle("{ accepts }", "esm", "alone.mjs")
	if 4*len(alone) > len(all) || strings.Contains(alone, "ParseError") || !strings.Contains(all, "ParseError") {
		t.Errorf("accepts alone takes %d bytes, all %d:\n%.3000s", len(alone), len(all), alone)
	}
	if name := "region"; strings.Contains(alone, name) || !strings.Contains(all, name) {
		t.Errorf("a bundle of accepts alone has the names of productions, or one of all has none:\n%.3000s", alone)
	}
	const use = "const tag = require('./all.cjs'); console.log(tag.accepts('aa-bb'), tag.parse('aa-bb').end);\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "use.cjs"), []byte(use), 0o600))
	if got := runIn(t, dir, "node", "use.cjs"); got != "true 5\n" {
		t.Errorf("the bundle prints %q", got)
	}
}

// A bundle of RFC 3986 is no larger, after gzip, than docs/javascript.md says of each part of what a module exports.
// One of a grammar that nests has no code of trees or explanations if it only accepts.
func TestBundleSizes(t *testing.T) {
	longtest.Program(t, "esbuild")
	uri, nested := must.Of(bnf.Load("rfc3986"))(t).Default, namedGrammar(t, "nested")
	for _, c := range []struct {
		grammar  *expr.Grammar
		exported string
		most     int
	}{
		{uri, "{ accepts }", 2_600},
		{uri, "{ tryParse }", 7_200},
		{uri, "*", 14_300},
		{nested, "{ accepts }", 17_900},
		{nested, "{ tryParse }", 27_300},
		{nested, "*", 32_100},
	} {
		_, path := made(t, "bundled", c.grammar)
		dir := filepath.Dir(path)
		entry := filepath.Join(dir, "entry.mjs")
		must.Do(t, os.WriteFile(entry, []byte("export "+c.exported+" from './bundled.js';\n"), 0o600))
		runIn(t, dir, "esbuild", entry, "--bundle", "--minify", "--format=esm", "--outfile=bundle.mjs", "--log-level=error")
		var compressed bytes.Buffer
		w := must.Of(gzip.NewWriterLevel(&compressed, gzip.BestCompression))(t)
		must.Of(w.Write(must.Of(os.ReadFile(filepath.Join(dir, "bundle.mjs")))(t)))(t)
		must.Do(t, w.Close())
		if compressed.Len() > c.most {
			t.Errorf("%s: a bundle of %s takes %d bytes, more than %d", c.grammar.Title, c.exported, compressed.Len(), c.most)
		}
		t.Logf("%s: a bundle of %s takes %d bytes", c.grammar.Title, c.exported, compressed.Len())
	}
}
