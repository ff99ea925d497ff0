// Runs suites for runtimes, which bnfcheck vectors --format runtime writes, with the runtime in
// JavaScript: its folder and the suites are the arguments. For each it prints a line: the number of
// cases or, beginning with FAIL, the first that is answered otherwise. Where productions nest, each case is
// answered with guides and without, which read other tables where only accepting is asked.
//
// The tables are packed as a module has them: see docs/table-format.md.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const [folder, ...suites] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(folder, name)).href);
const { Alternatives } = await load('alternative.js');
const { Automaton } = await load('automaton.js');
const { ParseError } = await load('errors.js');
const { TableExplainer } = await load('explain.js');
const { Grammar } = await load('grammar.js');
const { Names } = await load('names.js');
const { NestedEngine, acceptsInput } = await load('nested.js');
const { parseInput, parsePrefixOf } = await load('parser.js');
const { RegularEngine } = await load('regular.js');
const { Table, WholeTable } = await load('table.js');

const digits = '!#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~';

/** Returns a number in base 91, with so many digits. */
function inBase(n, length) {
  let text = '';
  for (; length > 0; length--) {
    text = digits[n % 91] + text;
    n = Math.floor(n / 91);
  }
  return text;
}

/** Returns a number as packed text: one digit, or a first one from 80, 88 or 89 on before one, three or five more. */
function packNumber(n) {
  if (n < 80) return digits[n];
  if (n < 808) return digits[80 + Math.floor((n - 80) / 91)] + digits[(n - 80) % 91];
  return n < 808 + 91 ** 3 ? digits[88] + inBase(n - 808, 3) : digits[89] + inBase(n, 5);
}

/** Returns lists as packed text. */
function pack(...lists) {
  return lists.map((list) => [list.length, ...list].map(packNumber).join('')).join('');
}

/** Returns the tables of an automaton, or of networks, as packed text; '' if there are none. */
function packStates(lists) {
  if (lists === undefined) return '';
  const [classes, width, members, ops, args, counts, [near], successors, ...rest] = lists;
  const targets = successors.map((to) => (to >= near ? 2 * (to - near) : 2 * (near - to) - 1));
  return pack(classes, width, members, ops, args, counts, targets, ...rest);
}

/** Returns the engine of a grammar in which nothing nests. */
function regularEngine({ proven, ordered }, codePoints) {
  const [classes, [width], next, note, accepts, inCounts, inAll, expectedCounts, expectedAll, , termCounts, terms,
    firstCounts, firsts, readerCounts, readers, , states, explained, prefixCounts, prefixes, counts] = proven;
  const leads = next.map((to, i) => {
    const distance = to - Math.floor(i / width);
    return to === 0 ? 0 : distance >= 0 ? 2 * distance + 1 : -2 * distance;
  });
  const table = new Table(pack(classes, [width], [note.length], note.map((n) => accepts[n]), leads, []));
  const whole = new WholeTable(table, pack([], [], counts, states));
  const notes = pack(note, inCounts, inAll, expectedCounts, expectedAll, termCounts, terms, firstCounts, firsts,
    readerCounts, readers, explained, prefixCounts, prefixes);
  const engine = new RegularEngine(new Automaton(packStates(ordered)), new TableExplainer(whole, notes, codePoints));
  return [engine, (kind, input) => whole.accepts(kind, input)];
}

/** Returns the engine of a grammar in which something nests. */
function nestedEngine({ ordered, trees, accepting, explaining }, derives, grammar) {
  const engine = new NestedEngine(grammar, {
    automaton: packStates(ordered),
    general: packStates(trees),
    accepting: packStates(accepting),
    explaining: packStates(explaining),
    derives,
  });
  return [engine, (kind, input) => acceptsInput(engine, kind, input)];
}

/** Returns the nodes of a tree in pre-order, each with the index of the first node after its subtree. */
function nodesOf(root, names) {
  const list = [];
  const open = [[root, null]];
  while (open.length > 0) {
    const [node, row] = open.pop();
    if (row !== null) { // all below it are in the list
      row[3] = list.length;
      continue;
    }
    const made = [names.kindOf(node.name), node.start, node.end, 0, node.alternative ?? 0];
    list.push(made);
    open.push([node, made], ...node.children.reverse().map((child) => [child, null]));
  }
  return list;
}

/** Returns what the runtime makes of a suite: its grammar, engine, and the function that accepts. */
function open(suite) {
  if (suite.suite !== 'bnfcheck runtime' || suite.format !== 1 || suite.cases.length === 0) {
    throw new Error('this is no suite of format 1');
  }
  const names = new Names(suite.grammar, suite.productions.map(({ id }) => id));
  const byKind = (valueOf) => Object.fromEntries(
    suite.productions.flatMap((p, i) => (valueOf(p) ? [[i + 1, valueOf(p)]] : [])));
  const [rules, counts, parts] = suite.tables.alternatives;
  const labels = Object.fromEntries(counts.map((count, i) => [i + 1, Array.from({ length: count }, (_, n) => n + 1)]));
  const lexical = [0, ...suite.productions.map((p) => Number(p.lexical))];
  const files = [...new Set(suite.productions.map((p) => p.file))];
  const fileOf = suite.productions.map((p) => files.indexOf(p.file));
  const lines = suite.productions.map((p) => p.line);
  const grammar = new Grammar(names, 1, suite.codePoints, byKind((p) => (p.name === p.id ? '' : p.name)),
    { files, sections: byKind((p) => p.cited), packed: pack(fileOf, lines) },
    new Alternatives(pack(lexical, rules, counts, parts), labels));
  const [engine, accepts] = suite.tables.proven === undefined ?
    nestedEngine(suite.tables, suite.derives, grammar) : regularEngine(suite.tables, suite.codePoints);
  return { names, grammar, engine, accepts };
}

/** Returns what the runtime answers to a case. */
function answer({ names, grammar, engine, accepts }, { production, input }) {
  const bytes = new Uint8Array(typeof input === 'string' ? Buffer.from(input) : Buffer.from(input.base64, 'base64'));
  const start = names.ids[production];
  const answered = { production, input, accepts: accepts(production, bytes), prefix: -1 };
  try {
    answered.prefix = parsePrefixOf(grammar, engine, bytes, { start }).end;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
  try {
    answered.tree = nodesOf(parseInput(grammar, engine, bytes, { start }), names);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { message, offset, line, column, productions, expected, incomplete } = error;
    answered.error = { message, offset, line, column, in: productions.map((id) => names.kindOf(id)), expected, incomplete };
  }
  return answered;
}

/** Returns the line on a suite. */
function check(file) {
  const suite = JSON.parse(readFileSync(file, 'utf8'));
  const opened = open(suite);
  const { engine } = opened;
  for (const after of engine instanceof NestedEngine ? [0, Infinity] : [0]) {
    engine.guideAfter = after;
    for (const [i, expected] of suite.cases.entries()) {
      const got = answer(opened, expected);
      if (!isDeepStrictEqual(got, expected)) {
        return `FAIL case ${i}: the answer is ${JSON.stringify(got)}, the suite has ${JSON.stringify(expected)}`;
      }
    }
  }
  return `${suite.cases.length} cases`;
}

for (const file of suites) {
  try {
    console.log(check(file));
  } catch (error) { // tables that lead nowhere
    console.log(`FAIL ${String(error).replaceAll('\n', ' ')}`);
  }
}
