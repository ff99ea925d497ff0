// The production that a rejection names, where productions nest and no table knows it. At the place
// where an input goes wrong, several productions could read the next byte. Each was called by others,
// up to the start: a graph of calls, whose nodes are productions that began at some offset. The
// rejection names the innermost production that is on every way from the start to every reader: the
// nearest common dominator (K. Cooper, T. Harvey and K. Kennedy, "A Simple, Fast Dominance Algorithm",
// 2001). It is ast/place.go.

/**
 * A production that began at an offset.
 * @typedef {{kind: number, from: number}} Invocation
 */

/** Caps the calls that are looked at. Beyond it the place is the start, which every reader shares. */
const MOST_CALLS = 1 << 18;

/**
 * Returns an invocation as the key of a map.
 * @param {Invocation} c
 * @returns {number}
 */
export function keyOf(c) {
  return c.from * 65536 + c.kind;
}

/**
 * Returns the production that a rejection names and then those of the readers, inner before outer.
 * callers returns the invocations from which one was made.
 * @param {Invocation} start
 * @param {Invocation[]} readers
 * @param {(c: Invocation) => Invocation[]} callers
 * @returns {number[]}
 */
export function sharedProductions(start, readers, callers) {
  if (readers.length === 0) {
    return [start.kind];
  }
  const kinds = new Set([innermostShared(start, readers, callers)]);
  for (const { kind } of readers.slice().sort((a, b) => b.from - a.from || a.kind - b.kind)) {
    kinds.add(kind);
  }
  return [...kinds];
}

/**
 * Returns the production that is on every way from the start to every reader.
 * @param {Invocation} start
 * @param {Invocation[]} readers
 * @param {(c: Invocation) => Invocation[]} callers
 * @returns {number}
 */
function innermostShared(start, readers, callers) {
  // First the calls, from the readers outward. Ways beyond the start do not count: those are its own
  // recursion.
  /** @type {Map<number, Invocation[]>} by caller */
  const called = new Map();
  const found = new Set([keyOf(start)]);
  /** @type {Invocation[]} */
  const todo = [];
  /** @param {Invocation} c */
  const visit = (c) => {
    if (!found.has(keyOf(c))) {
      found.add(keyOf(c));
      todo.push(c);
    }
  };
  readers.forEach(visit);
  while (todo.length > 0) {
    const c = /** @type {Invocation} */ (todo.pop());
    for (const from of callers(c)) {
      const list = called.get(keyOf(from));
      if (list === undefined) {
        called.set(keyOf(from), [c]);
      } else {
        list.push(c);
      }
      visit(from);
    }
    if (found.size > MOST_CALLS) {
      return start.kind;
    }
  }
  const order = reversePostorder(start, called);
  /** @type {Map<number, number>} */
  const number = new Map(order.map((c, i) => [keyOf(c), i]));
  /** @type {number[][]} */
  const callersOf = order.map(() => []);
  order.forEach((c, i) => {
    for (const to of called.get(keyOf(c)) ?? []) {
      callersOf[/** @type {number} */ (number.get(keyOf(to)))].push(i);
    }
  });
  const dominators = dominatorsOf(callersOf);
  return order[sharedBy(dominators, readers.map((c) => /** @type {number} */ (number.get(keyOf(c)))))].kind;
}

/**
 * Returns the calls in reverse postorder from the start. It keeps a stack of its own, since calls nest as
 * deep as the input.
 * @param {Invocation} start
 * @param {Map<number, Invocation[]>} called
 * @returns {Invocation[]}
 */
function reversePostorder(start, called) {
  /** @type {Invocation[]} */
  const order = [];
  const seen = new Set([keyOf(start)]);
  const stack = [{ c: start, next: 0 }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    const list = called.get(keyOf(top.c)) ?? [];
    if (top.next === list.length) {
      order.push(top.c);
      stack.pop();
      continue;
    }
    const to = list[top.next++];
    if (!seen.has(keyOf(to))) {
      seen.add(keyOf(to));
      stack.push({ c: to, next: 0 });
    }
  }
  return order.reverse();
}

/**
 * Returns the immediate dominator of each call: of the other calls that are on every way from the start to it, the
 * innermost. The start is call 0, and has itself.
 * @param {number[][]} callers by call
 * @returns {number[]}
 */
function dominatorsOf(callers) {
  const unknown = -1;
  const dominators = callers.map(() => unknown);
  dominators[0] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 1; i < callers.length; i++) {
      let shared = unknown;
      for (const from of callers[i]) {
        if (dominators[from] !== unknown) { // else not reached yet: a caller by left recursion
          shared = shared === unknown ? from : commonDominator(dominators, shared, from);
        }
      }
      if (dominators[i] !== shared) {
        dominators[i] = shared;
        changed = true;
      }
    }
  }
  return dominators;
}

/**
 * Returns the innermost call that dominates all readers, which are different calls. Each call is dominated by one
 * with a smaller number. So, counted from the last one on, the first call that has all readers inside is the innermost.
 * @param {number[]} dominators
 * @param {number[]} readers
 * @returns {number}
 */
function sharedBy(dominators, readers) {
  const inside = new Int32Array(dominators.length);
  for (const reader of readers) {
    inside[reader]++;
  }
  let call = dominators.length - 1;
  for (; inside[call] < readers.length; call--) {
    inside[dominators[call]] += inside[call];
  }
  return call;
}

/**
 * Returns the innermost call that dominates both.
 * @param {number[]} dominators
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
function commonDominator(dominators, a, b) {
  while (a !== b) {
    if (a > b) {
      a = dominators[a];
    } else {
      b = dominators[b];
    }
  }
  return a;
}
