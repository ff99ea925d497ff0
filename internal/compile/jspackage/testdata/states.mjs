// Compares the ordered automaton that rulestates.js makes of productions with the one that package ast runs: the folder
// of the runtime and a file are the arguments. Each line of the file is {rules, ordered, kinds}: the productions and the
// table as a module packs them, and the kinds of the productions that begin somewhere. For each line it prints how many
// states were compared or, beginning with FAIL, a production whose states differ.
//
// Two states are the same if after each byte, and at the end of the input, the same threads are left in the same order:
// what they have done, and states that are the same. That is what Automaton makes of states. Some threads change no
// tree, and are left out, since not both automata have them: those that come to no end of the input, and those whose state
// is the same as that of a thread before them.

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

/**
 * Returns what is left of threads after a byte, or at the end of the input if that is 256: of those whose state is in
 * ends.
 */
function after(states, ends, threads, byte) {
  const left = [];
  const seen = new Set();
  for (const [done, state] of threads) {
    const { ops, args, members, classes, width } = states;
    const reads = ops[state] === OP_BYTE && byte < 256 && members[args[state] * width + classes[byte]] === 1;
    const to = reads ? states.after(state) : state;
    if ((reads || (ops[state] === OP_END && byte === 256)) && !seen.has(to) && ends.has(to)) {
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
  for (const state of found) { // the loop appends to it
    const successors = states.ops[state] === OP_BYTE ? [states.after(state)] : states.next[state];
    for (const to of successors) {
      before.set(to, [...before.get(to) ?? [], state]);
      found.add(to);
    }
  }
  const ends = new Set([...found].filter((state) => states.ops[state] === OP_END));
  for (const state of ends) { // the loop appends to it
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

/**
 * Appends to found, for each state that some states lead to, what is left of its threads after each byte: what they
 * have done, and their states as places in found. Returns the places of the starts.
 */
function appendTransitions(found, states, starts, bytes) {
  const ends = endsOf(states, starts);
  const first = found.length;
  const list = [...new Set(starts)];
  const places = new Map(list.map((state, i) => [state, first + i]));
  for (const state of list) { // the loop appends to it
    const threads = threadsOf(states, state);
    found.push(bytes.map((byte) => after(states, ends, threads, byte).map(([done, to]) => {
      if (!places.has(to)) {
        places.set(to, first + list.length);
        list.push(to);
      }
      return [done, places.get(to)];
    })));
  }
  return starts.map((state) => places.get(state));
}

/**
 * Returns the classes of states that are the same, by Moore's partition refinement: at first all states are in one
 * class; states of one class that differ in the classes of their threads are then taken apart, until there are none.
 */
function refine(found) {
  let classes = found.map(() => 0);
  for (let count = 0; ;) {
    const known = new Map();
    const next = found.map((lists, state) => {
      const kept = lists.map((threads) => {
        const firsts = new Map(); // by class
        for (const [done, to] of threads) {
          if (!firsts.has(classes[to])) {
            firsts.set(classes[to], done);
          }
        }
        return [...firsts].join();
      });
      const key = `${classes[state]}: ${kept.join(';')}`;
      known.set(key, known.get(key) ?? known.size);
      return known.get(key);
    });
    classes = next;
    if (known.size === count) {
      return classes;
    }
    count = known.size;
  }
}

/** Compares the states in which productions begin, and returns how many states these lead to, in both automata. */
function compareStates(a, b, kinds) {
  const bytes = bytesToTry(a, b);
  const found = [];
  const [ofA, ofB] = [a, b].map((states) =>
    appendTransitions(found, states, kinds.map((kind) => states.startOf(kind)), bytes));
  const classes = refine(found);
  const different = kinds.find((_, i) => classes[ofA[i]] !== classes[ofB[i]]);
  if (different !== undefined) {
    throw new Error(`the states of production ${different} are not those of the table`);
  }
  return found.length;
}

for await (const line of createInterface({ input: createReadStream(file) })) {
  const { rules, ordered, kinds } = JSON.parse(line);
  try {
    const made = new RuleStates(new Rules(rules));
    console.log(compareStates(new States(new ListReader(ordered)), made, kinds));
  } catch (error) {
    console.log(`FAIL ${String(error).slice(0, 1000)}`);
  }
}
