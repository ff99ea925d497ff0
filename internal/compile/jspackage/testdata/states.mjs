// Compares the ordered automaton that rulestates.js makes of productions with the one that package ast runs: the folder
// of the runtime and a file are the arguments. Each line of the file is {rules, ordered, kinds}: the productions and the
// table as a module packs them, and the kinds of the productions that begin somewhere. For each line it prints how many pairs of states were compared or, beginning with FAIL, where they differ.
//
// Two states are the same if after each byte, and at the end of the input, the same threads are left in the same order:
// what they have done, and pairs of states that are the same. That is what Automaton makes of states. Threads that come to
// no end of the input are left out: the table has none, and the states that are made have some.

import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(folder, name)).href);
const { ListReader } = await load('lists.js');
const { Rules } = await load('rules.js');
const { RuleStates } = await load('rulestates.js');
const { OP_ACT, OP_BYTE, OP_CHOICE, OP_END, States } = await load('states.js');

/** Returns the threads of a state: what each does, and the state that then reads or ends, in their order. */
function threadsOf(states, from) {
  const list = [];
  const seen = new Set();
  const follow = (state, done) => {
    if (seen.has(state)) return;
    seen.add(state);
    switch (states.ops[state]) {
      case OP_CHOICE:
        for (const to of states.next[state]) follow(to, done);
        break;
      case OP_ACT:
        follow(states.next[state][0], `${done} ${states.args[state]}`);
        break;
      case OP_BYTE:
      case OP_END:
        list.push([done, state]);
    }
  };
  follow(from, '');
  return list;
}

/** Returns what is left of threads after a byte, or at the end of the input if that is 256. */
function after(states, threads, byte) {
  const left = [];
  const seen = new Set();
  for (const [done, state] of threads) {
    const { ops, args, members, classes, width } = states;
    const reads = ops[state] === OP_BYTE && byte < 256 && members[args[state] * width + classes[byte]] === 1;
    const to = reads ? states.after(state) : state;
    if ((reads || (ops[state] === OP_END && byte === 256)) && !seen.has(to) && states.ends.has(to)) {
      seen.add(to);
      left.push([done, to]);
    }
  }
  return left;
}

/** Returns the states that come to an end of the input, of those that some states lead to. */
function endsOf(states, starts) {
  const found = new Set(starts);
  const before = new Map();
  for (const state of found) { // there come more
    const after = states.ops[state] === OP_BYTE ? [states.after(state)] : states.next[state];
    for (const to of after) {
      before.set(to, [...before.get(to) ?? [], state]);
      found.add(to);
    }
  }
  const ends = new Set([...found].filter((state) => states.ops[state] === OP_END));
  for (const state of ends) {
    (before.get(state) ?? []).forEach((from) => ends.add(from));
  }
  return ends;
}

/** Returns the first byte of each set of bytes that neither automaton tells apart, and 256 for the end. */
function bytesToTry(a, b) {
  const first = new Map();
  for (let byte = 255; byte >= 0; byte--) {
    first.set(`${a.classes[byte]} ${b.classes[byte]}`, byte);
  }
  return [...first.values(), 256];
}

/** Returns how many pairs of states are the same, from the starts of productions on; it throws where two are not. */
function comparePairs(a, b, kinds) {
  const todo = kinds.map((kind) => [a.startOf(kind), b.startOf(kind)]);
  [a, b].forEach((states, i) => {
    states.ends = endsOf(states, todo.map((pair) => pair[i]));
  });
  const bytes = bytesToTry(a, b);
  const pairs = new Set(todo.map(String));
  for (const [p, q] of todo) {
    const threads = [threadsOf(a, p), threadsOf(b, q)];
    for (const byte of bytes) {
      const left = after(a, threads[0], byte);
      const right = after(b, threads[1], byte);
      if (left.map(([done]) => done).join() !== right.map(([done]) => done).join()) {
        throw new Error(`states ${p} and ${q}, byte ${byte}: ${JSON.stringify(left)}, ${JSON.stringify(right)}`);
      }
      left.forEach(([, to], i) => {
        const pair = [to, right[i][1]];
        if (!pairs.has(String(pair))) {
          pairs.add(String(pair));
          todo.push(pair);
        }
      });
    }
  }
  return pairs.size;
}

for await (const line of createInterface({ input: createReadStream(file) })) {
  const { rules, ordered, kinds } = JSON.parse(line);
  try {
    const made = new RuleStates(new Rules(rules));
    console.log(comparePairs(new States(new ListReader(ordered)), made, kinds));
  } catch (error) {
    console.log(`FAIL ${String(error).slice(0, 1000)}`);
  }
}
