// Measures modules that bnfcheck generate --language js makes, beside apg-lite and RegExp:
// the time of accepts and of parse, in user CPU time, the median of nine rounds, and what a program takes
// after gzip that imports accepts alone, or all. It prints the table of docs/javascript.md.
//
// Run it in a folder with npm's apg-lite, apg-js and esbuild installed, with the program and the folder
// bench/generated/abnf as arguments:
//
//   npm install apg-lite@1.0.7 apg-js esbuild
//   node measure.mjs path/to/bnfcheck path/to/bench/generated/abnf

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

// The packages that are measured are those of the folder in which this runs.
const require = createRequire(join(process.cwd(), 'measure.cjs'));
const [program, grammars] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), 'measure-'));

// Words of usual length, which each grammar derives.
const measured = [
  ['version', 'go-version', ['v1.2.3', 'v0.0.0-20180523031152-b8ee18a5b7b8', 'v10.20.30-rc.1+build.5']],
  ['timestamp', 'date-time', ['1985-04-12T23:20:50.52Z', '1996-12-19T16:39:57-08:00', '2026-11-27T20:18:48Z']],
  ['cookie', 'cookie-string', ['SID=31d4d96e407aad42', 'SID=31d4d96e407aad42; lang=en-US; theme="dark"', 'a=b; c=d; e=f']],
  ['languagetag', 'Language-Tag', ['de', 'zh-Hant-TW', 'sl-rozaj-biske-1994', 'de-CH-x-phonebk']],
  ['mediatype', 'media-type', ['text/html; charset=utf-8', 'application/json', 'multipart/form-data; boundary="a b c"']],
];

/** Returns the median of nine rounds, in nanoseconds a word. */
function timeOf(words, f) {
  const runs = (n) => {
    const start = process.cpuUsage().user;
    for (let i = 0; i < n; i++) {
      for (const word of words) f(word);
    }
    return process.cpuUsage().user - start;
  };
  let n = 1000;
  while (runs(n) < 20000) n *= 2;
  const times = Array.from({ length: 9 }, () => (runs(n) * 1000) / n / words.length);
  return times.sort((a, b) => a - b)[4];
}

/** Returns the size after gzip of a program that exports some of a module. */
function sizeOf(module, exported) {
  const entry = join(folder, 'entry.mjs');
  writeFileSync(entry, `export ${exported} from ${JSON.stringify(module)};`);
  const { outputFiles } = require('esbuild').buildSync({ entryPoints: [entry], bundle: true, minify: true, format: 'esm', write: false });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

/** The core rules of RFC 5234 that the grammars use, which apg-lite wants to be there. */
const core = ['ALPHA = %x41-5A / %x61-7A', 'DIGIT = %x30-39', 'HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"',
  'DQUOTE = %x22', 'SP = %x20', 'HTAB = %x09', 'VCHAR = %x21-7E'];

/** Returns apg-lite's parser of a grammar, as two functions: one that accepts, and one that makes a tree. */
function apgOf(text) {
  const { apgApi } = require('apg-js');
  const { Ast, Parser } = require('apg-lite');
  const missing = core.filter((rule) => !new RegExp(`^${rule.split(' ')[0]} +=`, 'm').test(text));
  const api = new apgApi(`${text.trimEnd()}\n${missing.join('\n')}\n`.replace(/\r?\n/g, '\r\n'));
  api.generate(false, true);
  if (api.errors.length > 0) throw new Error(api.errorsToAscii());
  const source = api.toSource({ lite: true, funcName: 'grammar' }).replace(/export default/g, '');
  const grammar = new (new Function(`${source}\nreturn grammar;`)())();
  const plain = new Parser();
  const building = new Parser();
  building.ast = new Ast();
  for (const rule of grammar.rules) building.ast.callbacks[rule.lower] = () => {};
  return [(start, word) => plain.parse(grammar, start, word).success, (start, word) => building.parse(grammar, start, word)];
}

/** Returns the expression that bnfcheck regexp writes, or null where it says that there is none. */
function expressionOf(grammar) {
  const { status, stdout } = spawnSync(program, ['regexp', grammar, '--flavour', 'js'], { encoding: 'utf8' });
  if (status !== 0) return null;
  const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(stdout.trim());
  return new RegExp(pattern, flags);
}

const ns = (time) => (Number.isNaN(time) ? '' : Math.round(time).toLocaleString('en'));
console.log('| grammar | accepts, ns | RegExp | apg-lite | parse, ns | apg-lite | accepts alone, bytes | all |');
console.log('|---|--:|--:|--:|--:|--:|--:|--:|');
for (const [name, start, words] of measured) {
  const file = join(grammars, `${name}.abnf`);
  const output = join(folder, name);
  execFileSync(program, ['generate', `${file}#${start}`, '--language', 'js', '-o', output]);
  const module = join(output, `${name}.js`);
  const { accepts, parse } = await import(pathToFileURL(module).href);
  const expression = expressionOf(`${file}#${start}`);
  const [apgAccepts, apgBuilds] = apgOf(readFileSync(file, 'utf8'));
  const wrong = words.find((word) => !accepts(word) || (expression !== null && !expression.test(word)));
  if (wrong !== undefined) throw new Error(`${name}: ${wrong} is not accepted`);
  const row = [
    timeOf(words, accepts),
    expression === null ? NaN : timeOf(words, (word) => expression.test(word)),
    timeOf(words, (word) => apgAccepts(start, word)),
    timeOf(words, (word) => parse(word)),
    timeOf(words, (word) => apgBuilds(start, word)),
  ].map(ns);
  console.log(`| ${name} | ${row.join(' | ')} | ${sizeOf(module, '{ accepts }').toLocaleString('en')} | ${sizeOf(module, '*').toLocaleString('en')} |`);
}
