// Runs suites for runtimes, which bnfcheck vectors --format runtime writes, with the runtime in
// JavaScript: its folder and the suites are the arguments. For each it prints a line: the number of
// cases or, beginning with FAIL, the first that is answered otherwise. With the general parser, each case is
// answered with guides and without, which read other tables where only accepting is asked. Without it, each is
// answered by the ordered automaton of the suite and, where no production uses itself, by the one that the runtime
// makes of the productions; alternatives are then found by such automata too.
//
// The tables are packed as a module has them: see docs/table-format.md.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const [folder, ...suites] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(folder, name)).href);
const { Alternatives } = await load('alternative.js');
const { trialByCheck } = await load('alternativecheck.js');
const { trialByStates } = await load('alternativestates.js');
const { ParseError } = await load('errors.js');
const { NestedExplainer } = await load('explainnested.js');
const { TableExplainer } = await load('explaintable.js');
const { Names } = await load('names.js');
const { NestedAcceptor, acceptsInput } = await load('nested.js');
const { NestedEngine } = await load('nestedtree.js');
const { parseInput, parsePrefixOf } = await load('parser.js');
const { Printed } = await load('printed.js');
const { ListReader } = await load('lists.js');
const { RegularEngine } = await load('regular.js');
const { Rules } = await load('rules.js');
const { RuleStates } = await load('rulestates.js');
const { States } = await load('states.js');
const { Table, WholeTable } = await load('table.js');
const { termsOf } = await load('terms.js');

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

/** Returns lists of numbers that are not 0 as one list, each with a 0 behind it. */
function ended(lists) {
  return lists.flatMap((list) => [...list, 0]);
}

/** Returns a distance as a number that is not negative. */
function folded(distance) {
  return distance >= 0 ? 2 * distance : -2 * distance - 1;
}

/**
 * Returns the rows of a proven table as the three lists that a module has: each row has a shape of its own, and each
 * successor is written by its distance.
 */
function packRows(next, width, accepts) {
  const cells = [];
  const successors = [];
  const shapes = accepts.map((accept, q) => {
    const distinct = [];
    for (const to of next.slice(q * width, (q + 1) * width)) {
      if (to !== 0 && !distinct.includes(to)) {
        distinct.push(to);
        successors.push(17 + folded(to - q));
      }
      cells.push(to === 0 ? 0 : distinct.indexOf(to) + 1);
    }
    return 2 * q + accept;
  });
  return [cells, shapes, successors];
}

/** Returns the ranges of a set, which a word names, as a module has them. */
function rangesOf(word) {
  let end = 0;
  return word === 'none' ? [] : word.split(',').flatMap((part) => {
    const [low, high = low] = part.split('-').map((digits) => parseInt(digits, 16));
    const range = [low - end, high - low];
    end = high + 1;
    return range;
  });
}

/** Returns productions as a module has them; their lines are given. */
function packRules(lines) {
  const sets = [];
  const packed = ['lexical bytes none', ...lines].map((line) => {
    const [form, ...words] = line.split(' ');
    let text = '';
    for (let word = words.shift(); word !== undefined; word = words.shift()) {
      const operation = ['empty', 'seq', 'alt'].indexOf(word);
      if (operation >= 0) {
        text += packNumber(operation);
      } else if (word === 'bytes') {
        const set = words.shift();
        if (!sets.includes(set)) sets.push(set);
        text += packNumber(4 + 2 * sets.indexOf(set));
      } else if (word === 'rule') {
        text += packNumber(5 + 2 * Number(words.shift()));
      } else {
        const [least, most] = word === 'star' ? [0, -1] : [words.shift(), words.shift()].map(Number);
        text += [3, least, most + 1].map(packNumber).join('');
      }
    }
    return { lexical: form === 'lexical' ? 1 : 0, text };
  });
  const ranges = sets.map(rangesOf);
  return pack(packed.map(({ lexical }) => lexical), ranges.map((list) => list.length), ranges.flat(),
    packed.map(({ text }) => text.length)) + packed.map(({ text }) => text).join('');
}

/** Returns the elements of a list as a module has them: as 1 more than the distance from the one after the last. */
function packElements(list) {
  return list.map((x, i) => 1 + folded(x - (i > 0 ? list[i - 1] + 1 : 0)));
}

/** Returns a list of lists: its lengths and elements are given. */
function listsOf(lengths, elements) {
  let from = 0;
  return lengths.map((length) => elements.slice(from, (from += length)));
}

/** Returns the explainer that has the proven table, and the function that accepts by that table. */
function provenTable(proven, printed) {
  const [classes, [width], next, note, accepts, inCounts, inAll, expectedCounts, expectedAll, , termCounts, termAll,
    firstCounts, firstAll, , , , states, explained, prefixCounts, prefixes, counts] = proven;
  const rows = packRows(next, width, note.map((n) => accepts[n]));
  const table = new Table(pack(classes, [width], [note.length], ...rows, []));
  const whole = new WholeTable(table, pack([], [], [], counts, states));
  const terms = listsOf(termCounts, termAll).map((bytes) => String.fromCharCode(...bytes));
  const firsts = listsOf(firstCounts, firstAll);
  const said = (list) => termsOf(list.map((i) => ({ term: terms[i], first: firsts[i] })), printed.codePoints)
    .map((term) => terms.indexOf(term));
  const notes = pack(
    note.map((n) => n + 2),
    ended(listsOf(inCounts, inAll)),
    ended(listsOf(expectedCounts, expectedAll).map((list) => packElements(said(list)))),
    explained, prefixCounts, prefixes);
  const explainer = new TableExplainer(whole, notes, terms, printed);
  return { explainer, accepts: (kind, input) => whole.accepts(kind, input) };
}

/** Reports whether a production uses itself, by the lines of all. */
function usesItself(lines) {
  const uses = lines.map((line) => [...line.matchAll(/rule (\d+)/g)].map(([, kind]) => Number(kind) - 1));
  const reaches = (from, kind, seen) => uses[from].some((to) => {
    const isNew = !seen.has(to);
    seen.add(to);
    return to === kind || (isNew && reaches(to, kind, seen));
  });
  return lines.some((_, kind) => reaches(kind, kind, new Set()));
}

/** Returns what derives where the general parser is used. */
function nestedAcceptor({ ordered, trees, accepting }, derives, names) {
  const packed = { general: packStates(trees), accepting: packStates(accepting), derives };
  const makeStates = ordered === undefined ? null : () => new States(new ListReader(packStates(ordered)));
  return new NestedAcceptor(names, packed, makeStates);
}

/** Returns the explainer of a grammar in which something nests, and the function that accepts. */
function withoutTable(acceptor, explaining, printed) {
  const explainer = new NestedExplainer(acceptor, packStates(explaining), printed);
  return { explainer, accepts: (kind, input) => acceptsInput(acceptor, kind, input) };
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

/**
 * Returns what the runtime makes of a suite, in each way: its grammar, engine and explainer, and the function
 * that accepts.
 */
function open(suite) {
  if (suite.suite !== 'bnfcheck runtime' || suite.format !== 1 || suite.cases.length === 0) {
    throw new Error('this is no suite of format 1');
  }
  const { tables, codePoints } = suite;
  const names = new Names(suite.grammar, suite.productions.map(({ id }) => id).join('\n'));
  const byKind = (valueOf) => Object.fromEntries(
    suite.productions.flatMap((p, i) => (valueOf(p) ? [[i + 1, valueOf(p)]] : [])));
  const [bytes, counts, parts] = tables.alternatives;
  const ruleLines = String.fromCharCode(...bytes).trimEnd().split('\n');
  const rules = new Rules(packRules(ruleLines));
  const labels = Object.fromEntries(counts.map((count, i) => [i + 1, Array.from({ length: count }, (_, n) => n + 1)]));
  const files = [...new Set(suite.productions.map((p) => p.file))];
  const fileOf = suite.productions.map((p) => files.indexOf(p.file));
  const lines = suite.productions.map((p) => p.line);
  const printed = new Printed(names, rules, codePoints, byKind((p) => (p.name === p.id ? '' : p.name)),
    files, byKind((p) => p.cited), pack(fileOf, lines));
  const grammarWith = (trial) =>
    ({ names, start: 1, alternatives: new Alternatives(rules, names, pack(counts, parts), labels, trial) });
  if (tables.proven === undefined || tables.trees !== undefined) {
    return [0, Infinity].map((after) => {
      const acceptor = nestedAcceptor(tables, suite.derives, names);
      const engine = new NestedEngine(acceptor);
      acceptor.guideAfter = after;
      const { explainer, accepts } = tables.proven === undefined ?
        withoutTable(acceptor, tables.explaining, printed) :
        provenTable(tables.proven, printed);
      return { names, grammar: grammarWith(trialByCheck), engine, explainer, accepts };
    });
  }
  const ways = [[() => new States(new ListReader(packStates(tables.ordered))), trialByCheck]];
  if (!usesItself(ruleLines)) {
    ways.push([() => new RuleStates(rules), trialByStates]);
  }
  return ways.map(([makeStates, trial]) => {
    const engine = new RegularEngine(makeStates);
    return { names, grammar: grammarWith(trial), engine, ...provenTable(tables.proven, printed) };
  });
}

/** Returns what the runtime answers to a case. */
function answer({ names, grammar, engine, explainer, accepts }, { production, input }) {
  const bytes = new Uint8Array(typeof input === 'string' ? Buffer.from(input) : Buffer.from(input.base64, 'base64'));
  const start = names.ids[production];
  const answered = { production, input, accepts: accepts(production, bytes), prefix: -1 };
  try {
    answered.prefix = parsePrefixOf(grammar, engine, explainer, bytes, { start }).end;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
  try {
    answered.tree = nodesOf(parseInput(grammar, engine, explainer, bytes, { start }), names);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { message, offset, line, column, productions, expected, incomplete } = error;
    const inside = productions.map((id) => names.kindOf(id));
    answered.error = { message, offset, line, column, in: inside, expected, incomplete };
  }
  return answered;
}

/** Returns the line on a suite. */
function check(file) {
  const suite = JSON.parse(readFileSync(file, 'utf8'));
  for (const opened of open(suite)) {
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
