// Measures what large inputs take in modules that bnfcheck generate --language js makes, of grammars in which
// productions nest: user CPU time and all memory of the process (its maximum resident set), to accept and to make a
// tree. Each is measured in processes of its own, so that the engine begins cold, and the least of these counts, since
// other load on the machine can only add. It prints a row for each input.
//
// The arguments are the program and grammars, each with its start: JSON's, TOML's or ABNF's.
//
//   node large.mjs path/to/bnfcheck json.abnf#JSON-text toml.abnf#toml rfc5234.abnf#rulelist

import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const rounds = 3; // processes for each figure

const record = { a: [1, 2.5, -3e10, 'hello world', true, { key: [[], {}] }] };

/** The inputs by the name of the grammar's file: what they begin with, what is repeated, and how they end. */
const inputs = {
  json: {
    document: ['[', `${JSON.stringify(record)},\n`, '1]'],
    indented: ['[', `\n${JSON.stringify(record, null, 2)} ,`, '1 ]'],
    list: ['[', '1,', '1]'],
    brackets: ['', '[', ''],
  },
  toml: {
    document: ['', '# a comment\n[table.sub]\nkey = "a string"\narr = [1, 2, ["x"], {a = 1, b = true}]\ndate = 1979-05-27T07:32:00Z\n', ''],
    list: ['a = [', '1, ', '1]'],
  },
  rfc5234: { document: ['', 'rule = a / ( b *( "x" / %x20-7E ) ) [ c ] ; comment\r\n', ''] },
};

/** Returns an input of so many megabytes. Brackets that are opened are closed. */
function inputOf(grammar, name, megabytes) {
  const [head, unit, tail] = inputs[grammar][name];
  const bytes = megabytes * 1e6;
  if (name === 'brackets') {
    return '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
  }
  return head + unit.repeat(Math.floor(bytes / unit.length)) + tail;
}

/** Parses or accepts an input of a module, and prints what that took. */
async function measure([, path, grammar, name, megabytes, does]) {
  const { accepts, parse } = await import(pathToFileURL(path).href);
  const input = inputOf(grammar, name, Number(megabytes));
  const before = process.cpuUsage().user;
  if (does === 'parse' ? parse(input).end !== input.length : !accepts(input)) {
    throw new Error(`${name} of ${grammar} is not derived`);
  }
  const seconds = (process.cpuUsage().user - before) / 1e6;
  console.log(JSON.stringify([seconds, process.resourceUsage().maxRSS / 1024]));
}

/** Measures all inputs. */
function measureAll(program, operands) {
  const folder = mkdtempSync(join(tmpdir(), 'large-'));
  console.log(`${new Date().toISOString().slice(0, 10)}, node ${process.version}\n`);
  console.log('| grammar | input | MB | accepts, s | MB of memory | parse, s | MB of memory |');
  console.log('|---|---|--:|--:|--:|--:|--:|');
  for (const operand of operands) {
    const grammar = basename(operand).replace(/\.abnf#.*$/, '');
    const output = join(folder, grammar);
    execFileSync(resolve(program), ['generate', operand, '--language', 'js', '-o', output]);
    for (const name of Object.keys(inputs[grammar])) {
      for (const megabytes of [1, 10]) {
        const cells = ['accepts', 'parse'].flatMap((does) => {
          const args = [fileURLToPath(import.meta.url), 'measure', join(output, `${grammar}.js`), grammar, name, megabytes, does];
          const run = () => JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
          const runs = Array.from({ length: rounds }, run);
          const least = (i) => Math.min(...runs.map((figures) => figures[i]));
          return [least(0).toFixed(2), Math.round(least(1))];
        });
        console.log(`| ${[grammar, name, megabytes, ...cells].join(' | ')} |`);
      }
    }
  }
}

const args = process.argv.slice(2);
if (args[0] === 'measure') {
  await measure(args);
} else {
  measureAll(args[0], args.slice(1));
}
