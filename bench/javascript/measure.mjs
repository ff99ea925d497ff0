// Measures modules that bnfcheck generate --language js makes beside their peers, on the same words in one run, and
// prints the tables of docs/javascript.md. The peers are apg-lite with the same grammar, peggy with the PEG that
// bnfcheck peg writes of it, and V8's RegExp with the expression that bnfcheck regexp writes. Run it in its folder,
// with the program as the argument:
//
//   npm install --ignore-scripts
//   node measure.mjs path/to/bnfcheck
//
// Another argument measures only the grammars with this text in their name. The grammar of TOML is the one that
// BNFCHECK_ZOO has in abnf/toml.abnf; without that folder it is left out.
//
// Each grammar has a process of its own. apg-lite runs the same code for all grammars, which V8 optimizes for the
// objects that it has seen: with several grammars in one process, it takes up to 1.8 times as long.
//
// Each subject has a turn in every round, so that other load on the machine affects all alike. A figure is CPU
// time, in which a turn that is interrupted takes no longer, and the least of the rounds, since other load can
// only add. apg-lite and peggy take the first alternative that matches, so that they get grammars with
// alternatives in an order that suits them where the printed one makes them reject most words. A word that one of
// them still rejects is measured for none, with a message. peggy builds nested arrays in any case, so that one
// time of it stands for both. Sizes are those of bundles, minified by esbuild, and of the files themselves, each
// compressed by gzip.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import apgJS from 'apg-js';
import { Ast, Parser } from 'apg-lite';
import esbuild from 'esbuild';
import peggy from 'peggy';

const here = dirname(fileURLToPath(import.meta.url));
const program = resolve(process.argv[2]);
const only = process.argv[3] ?? '';
// The process that the program begins for each grammar has its name as only, and prints a row in JSON.
const isPart = process.argv[4] === 'part';
const folder = mkdtempSync(join(tmpdir(), 'measure-'));

/** Modules that do nothing: what node itself takes to load one. */
const [empty, alsoEmpty] = ['empty.mjs', 'also.mjs'].map((name) => join(folder, name));
writeFileSync(empty, '');
writeFileSync(alsoEmpty, '');

const rounds = 51;
const turn = 4; // milliseconds of CPU time that a turn takes at least, so that it has its share of collecting garbage
const loadings = 15; // processes that load a module, or compile a script

/**
 * What is measured: a name, the file of the grammar, its text, its start, words of usual length, which it derives, and
 * where that is needed a change of the text that puts alternatives in another order.
 */
const measured = [
  {
    ...builtIn('RFC 3986', 'rfc3986'), start: 'URI',
    words: ['http://a/b', 'https://user@example.com:8080/over/there?name=ferret#nose', 'ftp://[2001:db8::7]/c=GB',
      'urn:example:animal:ferret:nose', 'https://www.ietf.org/rfc/rfc3986.txt', 'mailto:John.Doe@example.com'],
  },
  {
    ...fromFile('semver', '../generated/abnf/version.abnf'), start: 'go-version',
    words: ['v1.2.3', 'v0.0.0-alpha.b8ee18a5b7b8', 'v10.20.30-rc.1+build.5', 'v2.0.0+incompatible'],
  },
  {
    ...fromFile('RFC 3339', '../generated/abnf/timestamp.abnf'), start: 'date-time',
    words: ['1985-04-12T23:20:50.52Z', '1996-12-19T16:39:57-08:00', '2026-11-27T20:18:48Z'],
  },
  {
    ...fromFile('JSON Pointer', 'abnf/jsonpointer.abnf'), start: 'json-pointer',
    words: ['/paths/~1users~1{id}/get/responses/200', '/definitions/address', '/foo/0', ''],
  },
  {
    ...fromFile('cookies', '../generated/abnf/cookie.abnf'), start: 'cookie-string',
    reorder: [/(\*cookie-octet) \/ (\( DQUOTE .* \))/, '$2 / $1'],
    words: ['SID=31d4d96e407aad42', 'SID=31d4d96e407aad42; lang=en-US; theme="dark"', 'a=b; c=d; e=f',
      '_ga=GA1.2.1234567890.1600000000; _gid=GA1.2.987654321.1600000001; theme=dark'],
  },
  {
    ...fromFile('JSONPath', 'abnf/jsonpath.abnf'), start: 'jsonpath-query',
    words: ['$.store.book[*].author', '$..book[?@.price<10]', "$['store']['book'][0]['title']", '$[1:5:2,3]',
      "$.a[?(@.b==$.x || !@['c d']) && length(@.e)>=2]"],
  },
  {
    ...fromFile('TOML', join(process.env.BNFCHECK_ZOO ?? '', 'abnf', 'toml.abnf')), start: 'toml',
    reorder: [/^expression = ( *ws \[ comment \])\n(expression =)\/ (ws keyval.*)\n(.*)\n/m,
      '$2 $3\n$4\nexpression =/$1\n'],
    words: ['title = "TOML Example"\n\n[owner]\nname = "Tom Preston-Werner"\ndob = 1979-05-27T07:32:00-08:00\n',
      '[database]\nenabled = true\nports = [ 8000, 8001, 8002 ]\ntemp_targets = { cpu = 79.5, case = 72.0 }\n'],
  },
  {
    ...fromFile('language tags', '../generated/abnf/languagetag.abnf'), start: 'Language-Tag',
    words: ['de', 'zh-Hant-TW', 'sl-rozaj-biske-1994', 'de-CH-x-phonebk', 'en-US-u-co-phonebk'],
  },
  {
    ...fromFile('media types', '../generated/abnf/mediatype.abnf'), start: 'media-type',
    words: ['text/html; charset=utf-8', 'application/json', 'multipart/form-data; boundary="a b c"',
      'application/vnd.api+json'],
  },
];

/** Returns the name of a grammar, with its file, or with none where that is not there. */
function fromFile(name, path) {
  const operand = resolve(here, path);
  return existsSync(operand) ? { name, operand, text: readFileSync(operand, 'utf8') } : { name, text: null };
}

/** Is fromFile for a grammar that is built in, without the lines that say where it is printed. */
function builtIn(name, file) {
  const text = readFileSync(join(here, '..', '..', 'grammar', `${file}.bnf`), 'utf8').replace(/^@.*\n/gm, '');
  const operand = join(folder, `${file}.abnf`);
  writeFileSync(operand, text);
  return { name, operand, text };
}

/** The core rules of RFC 5234 that the grammars use, which apg-js wants to be there. */
const core = ['ALPHA = %x41-5A / %x61-7A', 'DIGIT = %x30-39', 'HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"',
  'DQUOTE = %x22', 'SP = %x20', 'HTAB = %x09', 'VCHAR = %x21-7E', 'CRLF = %x0D.0A', 'WSP = SP / HTAB'];

/**
 * Returns apg-lite's parser of a grammar as two functions, the first of which accepts, and the second makes a tree.
 */
function apgOf(text, start) {
  const defines = (rule) => new RegExp(`^${rule.split(' ')[0]} *=`, 'mi').test(text);
  const own = text.trimEnd().replace('0<pchar>', '""'); // it has no prose
  const all = `${own}\n${core.filter((rule) => !defines(rule)).join('\n')}\n`;
  const api = new apgJS.apgApi(all.replace(/\r?\n/g, '\r\n'));
  api.generate(false, true);
  if (api.errors.length > 0) {
    throw new Error(api.errorsToAscii());
  }
  const source = api.toSource({ lite: true, funcName: 'grammar' }).replace(/export default/g, '');
  const grammar = new (new Function(`${source}\nreturn grammar;`)())();
  const plain = new Parser();
  const building = new Parser();
  building.ast = new Ast();
  for (const rule of grammar.rules) {
    building.ast.callbacks[rule.lower] = () => {};
  }
  return [(word) => plain.parse(grammar, start, word).success, (word) => building.parse(grammar, start, word).success];
}

/** Writes peggy's module of the PEG that bnfcheck peg writes of a grammar, and returns its path. */
function peggyOf(operand, start, output) {
  const { stdout } = spawnSync(program, ['peg', `${operand}#${start}`], { encoding: 'utf8' });
  const text = stdout.replace(/^\{[^}]*\}/m, '').replace(/ <- /g, ' = ').replace(/\\U0*([\da-f]+)/gi, '\\u{$1}');
  const module = join(output, 'peggy.mjs');
  writeFileSync(module, peggy.generate(text, { output: 'source', format: 'es' }));
  return module;
}

/** Returns the expression that bnfcheck regexp writes. */
function expressionOf(operand, start) {
  const args = ['regexp', `${operand}#${start}`, '--flavor', 'js'];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(stderr.trim());
  }
  const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(stdout.trim());
  return new RegExp(pattern, flags);
}

/** Returns whether a function that throws for what is wrong returns. */
function returns(f) {
  try {
    f();
    return true;
  } catch {
    return false;
  }
}

/** Reads each character of a word by charCodeAt, as accepts does, and returns true. */
function readsOnly(word) {
  let all = 0;
  for (let i = 0; i < word.length; i++) {
    all |= word.charCodeAt(i);
  }
  return all >= 0;
}

/** Returns what a function returns; where it throws, it says so, and returns what there is otherwise. */
function attempt(what, f, otherwise) {
  try {
    return f();
  } catch (error) {
    console.error(`${what}: ${String(error.message).split('\n')[0].slice(0, 300)}`);
    return otherwise;
  }
}

/** Returns the CPU time of each function, in nanoseconds a word. One that is undefined takes NaN. */
function timesOf(words, functions) {
  const run = (f, n) => {
    const before = process.cpuUsage();
    for (let i = 0; i < n; i++) {
      for (const word of words) {
        f(word);
      }
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e3;
  };
  const counts = functions.map((f) => {
    if (f === undefined) {
      return 0;
    }
    run(f, 2000); // V8 compiles it
    let n = 1;
    while (Math.min(run(f, n), run(f, n), run(f, n)) < turn) { // the least, since any can be interrupted
      n *= 2;
    }
    return n;
  });
  const times = functions.map(() => []);
  for (let round = 0; round < rounds; round++) {
    functions.forEach((f, i) => {
      times[i].push(f === undefined ? NaN : (run(f, counts[i]) * 1e6) / counts[i] / words.length);
    });
  }
  return times.map((list) => Math.min(...list));
}

/** Returns a bundle of some exports of a module, and its source map. As cjs it is a script, which vm compiles. */
function bundleOf(module, exported, format = 'esm') {
  const { outputFiles: [map, code] } = esbuild.buildSync({
    stdin: { contents: `export ${exported} from ${JSON.stringify(module)};`, resolveDir: here },
    outfile: 'bundle.mjs', bundle: true, minify: true, format, platform: 'node', sourcemap: 'external', write: false,
    logLevel: 'error',
  });
  return { code: code.text, map: JSON.parse(map.text) };
}

/** Returns the size of a text after gzip. */
function sizeOf(text) {
  return gzipSync(text, { level: 9 }).length;
}

/** The tables of a module, by the text before them. */
const tableNames = {
  'new Table(': 'table: rows for accepts',
  'new WholeTable(table, ': 'table: all other rows',
  'new TableExplainer(wholeTable, ': 'table: rejections',
  'new States(new ListReader(': 'table: trees',
  'new Names("made", ': 'names of productions',
  'new Printed(': 'where productions are printed, for rejections',
  'new Rules(': 'productions, for trees and alternatives',
  'new Alternatives(rules, names, ': 'table: alternatives',
  '  general: ': 'table: trees of what nests',
  '  accepting: ': 'table: accepting what nests',
  'new NestedExplainer(acceptor, ': 'table: rejections',
};

/** What the files of the runtime are for, of which a module has one after the other. */
const fileNames = {
  'code: inputs, unpacking': /^(lists|bytes|utf8|encoding|input|limits)/,
  'code: accepts': /^table/,
  'code: trees': /^(states|rules|automaton|nodes|tree|regular|parser|names)/,
  'code: what nests': /^(nested|records|general(?!explain|prefix))/,
  'code: rejections': /^(explain|generalexplain|generalprefix|place|terms|errors|quote|position|printed)/,
  'code: alternatives': /^alternative/,
};

/** Returns the part that each line of a module belongs to. */
function partsOfLines(text) {
  const find = (names, isOf) => Object.entries(names).find(isOf);
  let part = '';
  let areTables = false; // after the last file come tables, and then the functions that are exported
  return text.split('\n').map((line) => {
    const file = /^\/\/ runtime\/js\/(\w+\.js)$/.exec(line)?.[1];
    areTables ||= line.startsWith('const names = ');
    if (file !== undefined) {
      part = find(fileNames, ([, pattern]) => pattern.test(file))?.[0];
      if (part === undefined) {
        throw new Error(`no part has runtime/js/${file}`);
      }
    } else if (line.startsWith('/** ') && areTables) {
      part = 'code: what is exported';
    } else if (areTables) {
      part = find(tableNames, ([before]) => line.includes(before))?.[1] ?? part;
    }
    return part;
  });
}

/**
 * Returns what a bundle of a module is made of: by its name, the bytes of each part, and those after gzip by itself.
 * The source map says from which line each piece of the bundle comes.
 */
function partsOf(module, { code, map }) {
  const parts = partsOfLines(readFileSync(module, 'utf8'));
  const sourceMap = new SourceMap(map);
  const texts = {};
  code.split('\n').forEach((text, row) => {
    for (let column = 0; column < text.length; column++) {
      const { originalSource, originalLine } = sourceMap.findEntry(row, column);
      const part = originalSource?.endsWith('made.js') ? parts[originalLine] : 'code: what is exported';
      texts[part] = (texts[part] ?? '') + text[column];
    }
  });
  return Object.fromEntries(Object.entries(texts).map(([part, text]) => [part, [text.length, sizeOf(text)]]));
}

/** Returns the least of each number in the lists that fresh processes of a script print: other load can only add. */
function leastOf(script) {
  const args = ['--input-type=module', '-e', script];
  const once = () => JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  const lists = Array.from({ length: loadings }, once);
  return lists[0].map((_, i) => Math.min(...lists.map((list) => list[i])));
}

/**
 * Returns the CPU time, in milliseconds, that fresh processes take to import a module and to call functions of it for
 * the first time, in their order. A module was imported before, so that node's own code for that is there.
 */
function loadingOf(module, calls, word) {
  return leastOf(`
    await import(${JSON.stringify(pathToFileURL(empty).href)});
    const used = () => process.cpuUsage().user + process.cpuUsage().system;
    let before = used();
    const module = await import(${JSON.stringify(pathToFileURL(module).href)});
    const times = [(used() - before) / 1e3];
    for (const call of ${JSON.stringify(calls)}) {
      before = used();
      module[call](${JSON.stringify(word)});
      times.push((used() - before) / 1e3);
    }
    console.log(JSON.stringify(times));`);
}

/**
 * Returns how many characters a script has without its long strings, which are tables, and the CPU time, in
 * milliseconds, that V8 takes to compile it in fresh processes. The script does not run.
 */
function compilingOf(code) {
  const withoutTables = code.replace(/"[!#-[\]-~]{300,}"/g, '""');
  const file = join(folder, 'script.txt');
  writeFileSync(file, withoutTables);
  const [time] = leastOf(`
    import { readFileSync } from 'node:fs';
    import { Script } from 'node:vm';
    new Script('0'); // node's own code for that is there
    const code = readFileSync(${JSON.stringify(file)}, 'latin1');
    const before = process.cpuUsage();
    new Script(code);
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify([(user + system) / 1e3]));`);
  return [withoutTables.length, time];
}

/** What is imported of a module, for the sizes of what is then bundled. */
const exportsMeasured = ['{ accepts }', '{ tryParse }', '*'];

/** Returns the row of one grammar: times, sizes after gzip, what these consist of, and times of loading. */
async function measure({ name, operand, text, start, words, reorder = [] }, output) {
  execFileSync(program, ['generate', `${operand}#${start}`, '--language', 'js', '--package', 'made', '-o', output]);
  const module = join(output, 'made.js');
  const { accepts, parse } = await import(pathToFileURL(module).href);
  const ordered = join(output, 'ordered.abnf');
  writeFileSync(ordered, text.replace(...(reorder.length > 0 ? reorder : ['', ''])));
  const expression = attempt(`${name}: RegExp`, () => expressionOf(operand, start));
  const [apgAccepts, apgBuilds] = attempt(`${name}: apg-lite`, () => apgOf(readFileSync(ordered, 'utf8'), start), []);
  const peggyModule = peggyOf(ordered, start, output);
  const peggyParse = (await import(pathToFileURL(peggyModule).href)).parse;
  const subjects = {
    accepts,
    RegExp: expression && ((word) => expression.test(word)),
    'apg-lite': apgAccepts,
    peggy: (word) => returns(() => peggyParse(word)),
    parse: (word) => returns(() => parse(word)),
    'apg-lite, building,': apgBuilds,
    readsOnly,
  };
  const bundles = exportsMeasured.map((exported) => bundleOf(module, exported));
  const minified = join(output, 'minified.mjs');
  writeFileSync(minified, bundles.at(-1).code);
  const acceptsAlone = join(output, 'accepts.mjs');
  writeFileSync(acceptsAlone, bundles[0].code);
  const accepted = words.filter((word) => {
    const against = Object.keys(subjects).filter((subject) => subjects[subject] && !subjects[subject](word));
    if (against.length > 0) {
      console.error(`${name}: ${JSON.stringify(word)} is left out: ${against.join(' and ')} does not accept it`);
    }
    return against.length === 0;
  });
  if (accepted.length === 0) {
    throw new Error(`${name}: no word is left`);
  }
  return {
    name,
    times: timesOf(accepted, Object.values(subjects)),
    parts: bundles.map((bundle) => partsOf(module, bundle)),
    sizes: [...bundles.map(({ code }) => sizeOf(code)), sizeOf(readFileSync(module)),
      sizeOf(bundleOf(peggyModule, '*').code), sizeOf(readFileSync(peggyModule))],
    compiling: compilingOf(bundleOf(module, '*', 'cjs').code),
    loading: [...loadingOf(alsoEmpty, [], ''), ...loadingOf(minified, [], ''), ...loadingOf(acceptsAlone, [], ''),
      ...loadingOf(module, ['accepts', 'parse'], accepted[0]), ...loadingOf(peggyModule, ['parse'], accepted[0])],
  };
}

if (isPart) {
  const output = join(folder, 'grammar');
  mkdirSync(output);
  console.log(JSON.stringify(await measure(measured.find(({ name }) => name === only), output)));
  rmSync(folder, { recursive: true });
  process.exit();
}

/** Returns the row of a grammar that another process measures. What it does not have is null in JSON, and NaN here. */
function rowOf({ name }) {
  const args = [fileURLToPath(import.meta.url), program, name, 'part'];
  const line = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(line, (_, value) => value ?? NaN);
}

const rows = [];
for (const grammar of measured.filter((m) => m.name.includes(only))) {
  if (grammar.text === null) {
    console.error(`${grammar.name}: left out, its grammar is not there`);
  } else {
    rows.push(rowOf(grammar));
  }
}

/** Returns a number for people, '' for NaN. */
function shown(x, digits = 0) {
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return Number.isNaN(x) ? '' : x.toLocaleString('en', format);
}

/** Returns how often a time goes into another one. */
function ratio(a, b) {
  return shown(a / b, a / b < 10 ? 1 : 0);
}

/** Prints a table of Markdown, whose first column is text. */
function print(head, lines) {
  console.log(`| ${head.join(' | ')} |\n|---|${'--:|'.repeat(head.length - 1)}`);
  for (const line of lines) {
    console.log(`| ${line.join(' | ')} |`);
  }
  console.log();
}

const { version } = createRequire(import.meta.url)('apg-lite/package.json');
const date = new Date().toISOString().slice(0, 10);
console.log(`${date}, node ${process.version}, apg-lite ${version}, peggy ${peggy.VERSION}, ` +
  `esbuild ${esbuild.version}\n`);
print(['grammar', 'reading, ns', 'accepts, ns', 'RegExp / accepts', 'apg-lite / accepts', 'peggy / accepts',
  'parse, ns', 'apg-lite / parse', 'peggy / parse'],
  rows.map(({ name, times: [accepts, expression, apgAccepts, byPeggy, parse, apgBuilds, reading] }) =>
    [name, shown(reading), shown(accepts), ratio(expression, accepts), ratio(apgAccepts, accepts),
      ratio(byPeggy, accepts), shown(parse), ratio(apgBuilds, parse), ratio(byPeggy, parse)]));
print(['grammar', 'accepts alone, bytes', 'tryParse alone, bytes', 'all, bytes', 'the file itself, bytes',
  'peggy, bytes', "peggy's file itself, bytes"],
  rows.map(({ name, sizes }) => [name, ...sizes.map((size) => shown(size))]));
print(['grammar', 'import, ms', 'import minified, ms', 'import accepts alone, minified, ms', 'first accepts, ms',
  'first parse, ms', 'import peggy, ms', 'first parse of peggy, ms'],
  rows.map(({ name, loading: [ofEmpty, minified, alone, imported, accepts, parse, ofPeggy, byPeggy] }) =>
    [name, ...[imported - ofEmpty, minified - ofEmpty, alone - ofEmpty, accepts, parse, ofPeggy - ofEmpty, byPeggy]
      .map((time) => shown(time, 1))]));
const others = ['peggy', 'apg-lite'].map((name) =>
  ({ name: `${name} itself`, compiling: compilingOf(bundleOf(name, '*', 'cjs').code) }));
print(['code, minified, without tables', 'characters', 'V8 compiles it, ms', 'ns a character'],
  [...rows, ...others].map(({ name, compiling: [length, time] }) =>
    [name, shown(length), shown(time, 1), shown(time * 1e6 / length)]));
rmSync(folder, { recursive: true });
for (const { name, parts } of rows.slice(0, 1)) {
  print([`${name}: part`, ...['accepts', 'tryParse', 'all'].flatMap((what) => [`${what}, bytes`, 'after gzip'])],
    Object.keys(parts[2]).sort().map((part) =>
      [part, ...parts.flatMap((of) => of[part] ?? [NaN, NaN]).map((size) => shown(size))]));
}
const parts = [...new Set(rows.flatMap((row) => Object.keys(row.parts[2])))].sort();
print(['part of all, bytes after gzip', ...rows.map(({ name }) => name)],
  parts.map((part) => [part, ...rows.map((row) => shown(row.parts[2][part]?.[1] ?? NaN))]));
