// Lets a guide read left recursion as a loop: in the notation of ABNF, it reads A = A a / b as b *a. Where the b
// ends it closes a node of A, and each a adds a node of A that wraps all that was read since the b began. A node
// that wraps others is made after them, but the list of nodes is in pre-order: once the input is read, it is moved
// before them. It is ast/generalguideleft.go.
//
// Productions may also begin with each other: A = B a / b and B = A c / d. The loop of such a component starts in
// any of its productions, by an alternative that begins with none of them. Where one of them, say X, ends, the loop
// is left if X is the one that was called. Or it goes on in a production that begins with X, after that X. This is
// the left-corner transform of D. Rosenkrantz and P. Lewis, "Deterministic Left Corner Parsing", 1970, for the
// component alone.
//
// The order of choices is lost: a parser that descends chooses the outermost node first, and the loop the innermost.
// So such a guide is strict: it decides only if there is one tree, that is, if no two threads with different nodes
// are possible to the end.

import { GeneralTables, onCycles } from './general.js';
import { NodeList } from './nodes.js';
import { OP_BYTE, OP_CALL } from './states.js';

/**
 * The productions that can begin with each other, and the states at their beginnings that call one of them. It
 * is hidden if what comes before one of its calls is the empty string, and such a call is no beginning of a loop.
 * It is mixed if some of its productions are nodes, and others are not.
 * @typedef {{kinds: number[], calls: number[], hidden: boolean, mixed: boolean}} LeftComponent
 */

/** How a state is reached from the beginning of its production, as bits: by choices alone. */
const REACHED_FIRST = 1;

/** Without reading, past calls of the empty string. */
const REACHED_SKIPPED = 2;

/** After something was read. */
const REACHED_READING = 4;

/**
 * Returns, by state, how it is reached from the beginning of its production.
 * @param {GeneralTables} tables
 * @returns {Uint8Array}
 */
function findReached({ starts, ops, next }) {
  const reached = new Uint8Array(ops.length);
  /** States that are still to be visited, each with how it is reached. @type {number[]} */
  const todo = [];
  for (const start of starts) {
    todo.push(start, REACHED_FIRST);
  }
  while (todo.length > 0) {
    const how = /** @type {number} */ (todo.pop());
    const q = /** @type {number} */ (todo.pop());
    if (q === 0 || (reached[q] & how) !== 0) {
      continue;
    }
    reached[q] |= how;
    if (ops[q] === OP_BYTE) {
      todo.push(next[q][0], REACHED_READING);
    } else if (ops[q] === OP_CALL) {
      todo.push(next[q][0], REACHED_READING, next[q][1], Math.max(how, REACHED_SKIPPED));
    } else {
      for (const to of next[q]) {
        todo.push(to, how);
      }
    }
  }
  return reached;
}

/**
 * Returns, by kind, the component of a left-recursive production, or null, and, by state, how many copies of the
 * called production it makes, for each copy of its own: none for the beginning of a loop, and two in a loop if the
 * state is reached before something was read and after it, as is usual there.
 * @param {GeneralTables} tables
 * @returns {{left: (LeftComponent | null)[], copies: number[]}}
 */
export function findLeft(tables) {
  const { ops, args, of, node, proven } = tables;
  const reached = findReached(tables);
  /** By kind: the productions that it can begin with. @type {number[][]} */
  const begins = proven.map(() => []);
  ops.forEach((op, q) => {
    if (op === OP_CALL && (reached[q] & (REACHED_FIRST | REACHED_SKIPPED)) !== 0) {
      begins[of[q]].push(args[q]);
    }
  });
  /** @type {(LeftComponent | null)[]} */
  const left = proven.map(() => null);
  /** @type {Map<number, LeftComponent>} */
  const components = new Map();
  onCycles(begins).forEach((cycle, kind) => {
    if (cycle === 0) {
      return;
    }
    const component = components.get(cycle) ?? { kinds: [], calls: [], hidden: false, mixed: false };
    components.set(cycle, component);
    left[kind] = component;
    component.kinds.push(kind);
    component.mixed ||= node[kind] !== node[component.kinds[0]] || proven[kind] === 1;
  });
  const copies = Array.from(ops, (op, q) => {
    const component = left[of[q]];
    if (op !== OP_CALL) {
      return 0;
    }
    if (component === null) {
      return 1;
    }
    if (component === left[args[q]]) {
      component.hidden ||= (reached[q] & REACHED_SKIPPED) !== 0;
      if ((reached[q] & REACHED_FIRST) !== 0) {
        component.calls.push(q);
      }
      if (reached[q] === REACHED_FIRST) {
        return 0;
      }
    }
    return (reached[q] & REACHED_READING) !== 0 && reached[q] !== REACHED_READING ? 2 : 1;
  });
  return { left, copies };
}

/**
 * Opens a node around the one that was closed last. The new node is too late in the list, which a start of -1
 * tells, and the other one is wrapped, which its end tells: it is turned into its complement.
 * @param {NodeList} nodes
 * @param {number} closed the node that was closed last
 * @param {number} kind
 * @param {number} at
 * @param {number} top the node around the new one
 */
export function wrapNode(nodes, closed, kind, at, top) {
  nodes.push(kind, at, 0, top); // the list makes room by where nodes begin
  const { room } = nodes;
  room[4 * closed + 2] = ~room[4 * closed + 2];
  room[4 * nodes.length - 3] = -1;
}

/**
 * Moves the nodes that wrap others, of which there are so many from index first on, to their places. It goes from
 * the last node to the first, and moves each as far back as there are nodes that wait: those that were met, and
 * whose first node was not. A subtree takes the same nodes of the list before and after it, so that its next
 * changes by as much as the first of them moves.
 * @param {NodeList} nodes
 * @param {number} first
 * @param {number} wraps
 */
export function placeNodes(nodes, first, wraps) {
  const { room } = nodes;
  const waiting = new Int32Array(3 * wraps); // of each node the kind, the end and the next
  let waits = 0;
  let to = 4 * nodes.length;
  for (let from = 4 * (nodes.length - 1); from >= 4 * first; from -= 4) {
    let kind = room[from];
    const start = room[from + 1];
    let end = room[from + 2];
    let next = room[from + 3];
    if (start < 0) {
      waiting[waits] = kind;
      waiting[waits + 1] = end;
      waiting[waits + 2] = next;
      waits += 3;
      continue;
    }
    for (;;) {
      to -= 4;
      room[to] = kind;
      room[to + 1] = start;
      room[to + 2] = Math.max(end, ~end);
      room[to + 3] = next + (to - from) / 4;
      if (end >= 0) {
        break;
      }
      waits -= 3; // what waits next is around it
      kind = waiting[waits];
      end = waiting[waits + 1];
      next = waiting[waits + 2];
    }
  }
}
