package jspackage

import (
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	unicode "unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// Long inputs, for which items are dropped and arrays grow, are answered as by package ast.
func TestLongInputs(t *testing.T) {
	longtest.Program(t, "node")
	repeat := strings.Repeat
	n := longtest.Size(300, 20_000)
	for name, inputs := range map[string][]string{
		"nested": {repeat("[", n) + repeat("]", n), repeat("[", n), "[" + repeat("12,{a: [1,2]},", n) + "3]", "[" + repeat("1,", n) + "x"},
		"sums":   {repeat("(", n) + "1" + repeat(")", n), "1" + repeat("+2*3", n), repeat("(1+", n) + "1"},
		"tag":    {"aa" + repeat("-bbb", n), repeat("-", n)},
		"points": {repeat("ä€", n) + ";" + repeat("🙂", n), repeat("ä", n)},
		"mirror": {repeat("a", 200) + "-é" + repeat("b", 200), repeat("abc", 100)},
		"lines":  {repeat("ab=12\r\n", n), repeat("\n", n) + "="},
	} {
		t.Run(name, func(t *testing.T) {
			parts, path := madeNamed(t, name)
			var words []word
			for _, in := range inputs {
				words = append(words, word{ast.Kind(1), in, ""}, word{ast.Kind(1), in, string(utf8)})
			}
			compare(t, parts, path, words)
		})
	}
}

// hostileScript gives a module what no caller should. Its last line says that all went as it must.
const hostileScript = `
import { runInNewContext } from 'node:vm';

import * as grammar from 'MODULE';

const mustThrow = (type, f) => {
  try {
    f();
  } catch (error) {
    if (error instanceof type) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};
const { accepts, acceptsAs, parse, parsePrefix, tryParse, ParseError, TooDeepError } = grammar;

// Ten megabytes, and a million brackets.
const depth = SIZE;
const nested = '['.repeat(depth) + ']'.repeat(depth);
if (!accepts(nested)) throw new Error('not accepted');
if (parse(nested).end !== 2 * depth) throw new Error('not parsed');
if (JSON.stringify(parse('[[1]]')) === undefined) throw new Error('no JSON');
const open = mustThrow(ParseError, () => parse('['.repeat(depth)));
if (open.offset !== depth || !open.incomplete) throw new Error('wrong place');
const deep = mustThrow(TooDeepError, () => parse(nested, { maxDepth: 10000 }));
if (!(deep instanceof RangeError) || deep.limit !== 10000) throw new Error('no limit');
if (accepts('1'.repeat(10 * depth) + 'x')) throw new Error('accepted');

// Names of properties are no productions, and no production is a property.
for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'value\0', 7, null, {}, 1n, Symbol('value')]) {
  mustThrow(TypeError, () => parse('[]', { start: name }));
  mustThrow(TypeError, () => acceptsAs(name, '[]'));
  mustThrow(TypeError, () => parse('[]').get(name));
}
// Lone surrogates are rejected where they stand, or where something before them is wrong.
for (const [input, offset] of [['\ud800', 0], ['[\udfff]', 1], ['[1,\ud800\ud800', 3], ['[x\ud800', 1], ['\u{1f600}\ud800', 0]]) {
  if (accepts(input)) throw new Error('accepted');
  if (mustThrow(ParseError, () => parse(input)).offset !== offset) throw new Error('wrong place: ' + JSON.stringify(input));
}
if (!mustThrow(ParseError, () => parse('[\udfff]')).message.includes('unexpected U+DFFF')) throw new Error('wrong message');
if (mustThrow(ParseError, () => parse('[\ud83d')).incomplete) throw new Error('a surrogate can be completed');
// A limit that is no number would be none. It is refused whatever the input is.
for (const maxDepth of [NaN, -1, '2', 1n, null, {}, Symbol('2')]) {
  for (const input of ['[]', '[', 'x']) {
    for (const f of [parse, tryParse, parsePrefix]) mustThrow(TypeError, () => f(input, { maxDepth }));
  }
}
// Bytes of another realm, of a buffer, of a part of one, and of subclasses that say otherwise.
class Short extends Uint8Array {
  static get [Symbol.species]() { return Uint16Array; }
  get length() { return 1; }
  get buffer() { return new ArrayBuffer(2); }
  subarray() { return [91, 93]; }
}
const shrunk = new ArrayBuffer(9, { maxByteLength: 9 });
new Uint8Array(shrunk).set(Buffer.from('[1]'));
shrunk.resize(3);
const shared = new Uint8Array(new SharedArrayBuffer(3));
shared.set(Buffer.from('[1]'));
const all = [runInNewContext('Uint8Array.of(91, 49, 93)'), Buffer.from('[1]'), Buffer.from('x[1]x').subarray(1, 4),
  Short.from(Buffer.from('[1]')), new Uint8Array(shrunk), shared];
for (const [i, bytes] of all.entries()) {
  if (!accepts(bytes) || parse(bytes).end !== 3 || parsePrefix(bytes).end !== 3) throw new Error('bytes ' + i);
  mustThrow(ParseError, () => parse(bytes, { start: 'number' }));
}
// What is no array of bytes, whatever it says, and what is empty since its buffer is gone or too short.
const tagged = { [Symbol.toStringTag]: 'Uint8Array', length: 2, 0: 91, 1: 93 };
for (const input of [tagged, new Proxy(Buffer.from('[]'), {}), new Uint8ClampedArray(2), new DataView(shrunk), [91, 93],
  new String('[]'), null, undefined, 7, Symbol('[]'), Object.create(Uint8Array.prototype)]) {
  for (const f of [accepts, parse, tryParse, parsePrefix, (v) => acceptsAs('list', v)]) mustThrow(TypeError, () => f(input));
}
const gone = Uint8Array.from(Buffer.from('[1]'));
structuredClone(gone, { transfer: [gone.buffer] });
const cut = new Uint8Array(shrunk, 0, 3);
shrunk.resize(1);
for (const input of [gone, cut]) {
  for (const f of [parse, parsePrefix]) {
    if (mustThrow(ParseError, () => f(input)).unexpected !== 'end of input') throw new Error('not empty');
  }
  if (accepts(input) || tryParse(input) !== undefined) throw new Error('accepted');
}
// An answer does not depend on what was asked before.
for (const input of ['[1,2]', '[', '[1,2]', '{a: 1 }', '', '[1,2]']) {
  try {
    parse(input);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
}
if (parse('[1,2]').toJSON().children[0].children.length !== 2 || parsePrefix('[1] x').end !== 3) throw new Error('changed');
// Errors are made where nothing of the language can be changed, as some programs have it.
for (const frozen of [Object, Array, Error, RangeError, TypeError, String, Map, Uint8Array]) Object.freeze(frozen.prototype);
if (mustThrow(ParseError, () => parse('[')).name !== 'ParseError') throw new Error('no name');
if (mustThrow(TooDeepError, () => parse('[[]]', { maxDepth: 1 })).name !== 'TooDeepError') throw new Error('no name');
console.log('all as it must be');
`

// What is hostile is a ParseError, one of the RangeErrors, or a TypeError for what is no input or no name.
func TestHostile(t *testing.T) {
	longtest.Program(t, "node")
	_, path := madeNamed(t, "nested")
	size := "20000"
	if longtest.Enabled() {
		size = "1000000"
	}
	script := strings.NewReplacer("MODULE", path, "SIZE", size).Replace(hostileScript)
	cmd := exec.Command("node", "--input-type=module", "-")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "all as it must be\n" {
		t.Errorf("%v\n%.3000s", err, out)
	}
}

// Random words are read in the order of a random permutation, so that what a module keeps from one input
// to the next shows.
func TestOrderOfInputs(t *testing.T) {
	longtest.Program(t, "node")
	for _, name := range []string{"nested", "several"} {
		rng := rand.New(rand.NewPCG(5, 6))
		parts, path := madeNamed(t, name)
		words := wordsOf(parts, rng, 40)
		words = append(words, words...)
		rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		compare(t, parts, path, words)
	}
}

// Modules that drop items after every few, so that nearly all nodes are packed, answer as those that drop
// them of large inputs alone. To drop them so often takes time that grows faster than a word, so that the longest words
// drawn are for the long test.
func TestDropsForTrees(t *testing.T) {
	longtest.Program(t, "node")
	repeat := strings.Repeat
	for _, name := range []string{"nested", "sums", "several", "circles", "mirror", "empty"} {
		t.Run(name, func(t *testing.T) {
			parts, path := madeNamed(t, name)
			if name != "empty" { // that one does not nest
				rewrite(t, path, "const LEAST_SPARE_TREE = 3 << 20;", "const LEAST_SPARE_TREE = 8;")
				rewrite(t, path, "const GUIDE_AFTER = 1 << 11;", "const GUIDE_AFTER = Infinity;")
			}
			words := wordsOf(parts, rand.New(rand.NewPCG(7, 8)), longtest.Size(60, 1000))
			drawn := len(words)
			words = slices.DeleteFunc(words, func(w word) bool { return len(w.text) > longtest.Size(30, 1<<20) })
			if len(words) < drawn*3/4 {
				t.Errorf("only %d of %d words", len(words), drawn)
			}
			t.Logf("%d of %d words", len(words), drawn)
			for _, in := range map[string][]string{
				"nested":  {repeat("[", 60) + repeat("]", 60), "[" + repeat("12,{a: [1,2]},", 60) + "3]", "{" + repeat(" a: [{}]  ", 60) + "}"},
				"sums":    {repeat("(", 60) + "1" + repeat(")", 60), "1" + repeat("+2*3", 60), "1" + repeat("+(1*2+3)*4", 40)},
				"mirror":  {repeat("a", 60) + "-é" + repeat("b", 60)},
				"several": {repeat("a", 12) + repeat("b", 12)},
			}[name] {
				words = append(words, word{ast.Kind(1), in, ""})
			}
			compare(t, parts, path, words)
		})
	}
}

// treesScript parses all words before it looks at a tree, and again looks at each tree as soon as it is made. Its
// last line says that it has seen the same.
const treesScript = `
import { parse } from 'MODULE';
const words = WORDS;

const describe = (node) => [node.name, node.start, node.end, node.text, node.line, node.column, node.alternative,
  node.children.map(describe)];
const trees = words.map(([start, word]) => parse(word, { start }));
const later = trees.map((tree) => JSON.stringify(describe(tree)));
const once = words.map(([start, word]) => JSON.stringify(describe(parse(word, { start }))));
const changed = once.findIndex((text, i) => text !== later[i]);
if (changed >= 0) throw new Error(once[changed] + ' has become ' + later[changed]);
console.log('all as they were');
`

// A tree stays as it is, whatever is parsed after it.
func TestTreesStay(t *testing.T) {
	longtest.Program(t, "node")
	for _, name := range []string{"ambiguous", "lines", "header", "points", "nested"} {
		parts, path := madeNamed(t, name)
		g := parts.Interpreted()
		var words [][]string
		for _, w := range wordsOf(parts, rand.New(rand.NewPCG(9, 10)), 60) {
			if g.Accept(w.kind, w.text) && unicode.ValidString(w.text) {
				words = append(words, []string{parts.Productions[w.kind].ID, w.text})
			}
		}
		if len(words) < 30 {
			t.Fatalf("%s: only %d words", name, len(words))
		}
		cmd := exec.Command("node", "--input-type=module", "-")
		cmd.Stdin = strings.NewReader(strings.NewReplacer("MODULE", path, "WORDS", marshal(words)).Replace(treesScript))
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "all as they were\n" {
			t.Errorf("%s: %v\n%.3000s", name, err, out)
		}
	}
}
