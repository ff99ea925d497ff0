// A guide: the finite automaton by which the general parser reads most inputs in linear time.
// generalguided.js says how it is used, and why the tree is the right one. It is ast/generalguide.go.
//
// A guide is made from the networks of a start by inlining: each call of a production is replaced by a
// copy of its network, so that a state knows what it is used for. Productions that are not inlined are
// parts, which states call. There are two reasons to make a part of a production:
//
//   - It is inside itself. Each cycle of calls has a part, since inlining would not end otherwise.
//     These parts are framed: a parser pushes a frame when it calls one.
//   - It is used so often that its copies would take too many states. Calls of such parts nest only as
//     deep as the grammar has productions, and need no frame.
//
// Read without a stack, where a part may return to any of its calls, a guide is a finite automaton. It
// accepts all that the start derives and some more: it is a regular approximation.
//
// Which production of a cycle becomes the part matters. Threads of the parser stay together as long as
// they call the same framed parts at the same places, so one that begins with a bracket is a good choice.

import { GeneralTables, onCycles } from './general.js';
import { findLeft } from './generalguideleft.js';
import { OP_BYTE, OP_CALL, OP_CHOICE, OP_END } from './states.js';

/** A state goes on at the first possible successor. It is dead if there is none. */
export const GUIDE_CHOICE = 0;

/** A state reads a byte of the set in its argument. */
export const GUIDE_BYTE = 1;

/** A state opens a node of the kind in its argument, or closes the innermost one. */
export const GUIDE_OPEN = 2;
export const GUIDE_CLOSE = 3;

/** A state begins a proven production, or ends it: an automaton makes the nodes of the kind in its argument. */
export const GUIDE_BEGIN = 4;
export const GUIDE_MAKE = 5;

/** A state calls the part in its argument: its first successor is the entry, and then see afterCall. */
export const GUIDE_CALL = 6;

/** A state ends the part in its argument. */
export const GUIDE_END = 7;

/** A state opens a node of the kind in its argument around the one that was closed last. */
export const GUIDE_WRAP = 8;

/**
 * A caller goes on in one state if the call read nothing, and in another if it read something. What depends
 * on that is a list with these two indexes.
 */
export const READ_NOTHING = 0;
export const READ_SOME = 1;

/** The operations before and after what has a node, and what an automaton makes the nodes of. */
const NODE_OPS = [GUIDE_OPEN, GUIDE_CLOSE];
const PROVEN_OPS = [GUIDE_BEGIN, GUIDE_MAKE];

/**
 * Caps the states of a guide: as estimated before they are made, and doubled for those that are made. And
 * caps the states that are skipped in one go, because all they do is lead to another one: a network can
 * have a cycle of these.
 */
const GUIDE_STATES = 1 << 12;
const GUIDE_PASSED = 1 << 16;

/**
 * Is GUIDE_STATES for a guide with loops of left recursion. Where these are inside each other, as the levels of
 * an expression, to copy the inner ones pays less: most threads call them together.
 */
const GUIDE_LOOP_STATES = 1 << 10;

/** Caps counts of states and copies, so that their product is a number without loss. */
const GUIDE_MANY = 1 << 15;

/** @typedef {import('./generalguideleft.js').LeftComponent} LeftComponent */

/** The outer of a context that is a part. */
const OUTERMOST = -1;

/**
 * A state of a guide. State 0 is dead.
 * @typedef {{op: number, arg: number, next: number[]}} GuideState
 */

/**
 * A production that is called instead of inlined. Part 0 is the start. It is silent if its nodes are left
 * out, as inside a proven one, and framed if it can be inside itself, or is the start. Ends are the states
 * that end it after READ_NOTHING and after READ_SOME, or 0.
 * @typedef {{kind: number, silent: boolean, framed: boolean, entry: number, ends: number[]}} GuidePart
 */

/**
 * One copy of a production, which tells where it is inlined: the context of the call, or OUTERMOST if it
 * is a part; the state of the network that calls it; whether the production around it has read something
 * before the call; and the part, if it is one. If it is left-recursive, it is in the loop of the one in the
 * context called, which otherwise is its own.
 * @typedef {{kind: number, silent: boolean, called: number, outer: number, call: number, read: boolean,
 *   part: number}} GuideContext
 */

/**
 * A state that has a number and is still to be made: a state of a network, in a context, with whether the
 * production has read something. The end of a production that has a node is two states: the first closes
 * the node, closed is set in the second. The end of a left-recursive one has one more, in which its loop was
 * left. With opens set it is the state before the first of a network, which opens the node.
 * @typedef {{number: number, state: number, inside: number, read: boolean, closed: boolean, left: boolean,
 *   opens: boolean}} GuideKey
 */

/**
 * Returns the state after a call: read is READ_NOTHING or READ_SOME.
 * @param {GuideState} state
 * @param {number} read
 * @returns {number}
 */
export function afterCall(state, read) {
  return state.next[1 + read];
}

/** The automaton of a start. It does not change once it is built. */
export class Guide {
  /**
   * @param {GeneralTables} tables
   * @param {GuideState[]} states
   * @param {GuidePart[]} parts
   * @param {boolean} strict
   */
  constructor(tables, states, parts, strict) {
    this.states = states;
    this.parts = parts;
    /** The order of its choices may not be that of the tree: see generalguideleft.js. */
    this.strict = strict;
    /** By state: those that lead to it without reading, by calls and returns too. @type {number[][]} */
    this.back = states.map(() => []);
    /** By class: the states that read it. @type {number[][]} */
    this.reads = [];
    for (let column = 0; column < tables.width; column++) {
      this.reads.push([]);
    }
    this.linkBack(tables);
  }

  /**
   * Sets back and reads.
   * @param {GeneralTables} tables
   */
  linkBack({ members, width }) {
    const link = (/** @type {number} */ from, /** @type {number} */ to) => {
      if (from !== 0 && to !== 0) {
        this.back[to].push(from);
      }
    };
    this.states.forEach((state, q) => {
      switch (state.op) {
        case GUIDE_BYTE:
          for (let column = 0; column < width; column++) {
            if (members[state.arg * width + column] === 1) {
              this.reads[column].push(q);
            }
          }
          break;
        case GUIDE_CALL:
          // Where the call goes on, what comes before is the end of the part, not the call.
          link(q, state.next[0]);
          this.parts[state.arg].ends.forEach((end, read) => link(end, afterCall(state, read)));
          break;
        default:
          state.next.forEach((to) => link(q, to));
      }
    });
  }

  /** Returns about how many elements its lists have. */
  size() {
    const { states, back, reads } = this;
    return [...back, ...reads].reduce((size, list) => size + list.length, 8 * states.length);
  }

  /**
   * Returns whether the part that ends in a state has read something: READ_NOTHING or READ_SOME.
   * @param {number} end
   * @returns {number}
   */
  readBefore(end) {
    return this.parts[this.states[end].arg].ends[READ_SOME] === end ? READ_SOME : READ_NOTHING;
  }
}

/**
 * Returns the guide of a start; with tree set, it makes nodes. It returns null if some production can be
 * inside itself with the same text, or after the empty string, if something can be repeated without reading,
 * and if the guide would be too large.
 * @param {GeneralTables} tables
 * @param {number} start
 * @param {boolean} tree
 * @returns {Guide | null}
 */
export function makeGuide(tables, start, tree) {
  const builder = new GuideBuilder(tables, start, tree);
  if (tables.proven[start] === 1 || !builder.survey()) {
    return null;
  }
  builder.breakCycles();
  builder.framed = builder.called.slice();
  // The size is estimated. If the estimate was too low, the next attempt has more parts.
  const most = builder.used.some((kind) => builder.left[kind] !== null) ? GUIDE_LOOP_STATES : GUIDE_STATES;
  for (let size = most; size >= most / 8; size /= 2) {
    if (builder.limitStates(size) && builder.build()) {
      return builder.loopsWithoutReading() ?
        null :
        new Guide(tables, builder.states, builder.parts, builder.strict);
    }
  }
  return null;
}

/** Builds a guide. */
class GuideBuilder {
  /**
   * @param {GeneralTables} tables
   * @param {number} start
   * @param {boolean} tree
   */
  constructor(tables, start, tree) {
    this.tables = tables;
    this.start = start;
    this.tree = tree;
    /** The productions that the start uses. @type {number[]} */
    this.used = [];
    /** By kind: the calls of the production, and how many states its network has. @type {number[][]} */
    this.calls = tables.proven.map(() => []);
    this.own = new Int32Array(tables.proven.length);
    /** By kind: with how many bytes it can begin. */
    this.begins = new Int32Array(tables.proven.length);
    /** By kind: it is a part, and one that can be inside itself. */
    this.called = tables.proven.map(() => false);
    this.framed = this.called;
    /** Those that are used, each after those that it is inlined into. @type {number[]} */
    this.order = [];
    const { left, copies } = findLeft(tables);
    /** By kind: null if it is not left-recursive. */
    this.left = left;
    /** By state: how many copies of a production it makes by calling it. */
    this.copies = copies;

    /** The order of its choices may not be that of the tree. */
    this.strict = false;
    /** @type {GuideState[]} */
    this.states = [];
    /** @type {GuidePart[]} */
    this.parts = [];
    /** The part of a use: twice the kind, and one more if it is silent. @type {Map<number, number>} */
    this.partOf = new Map();
    /** @type {GuideContext[]} */
    this.contexts = [];
    /** The context of a call in another context. @type {Map<number, number>} */
    this.contextOf = new Map();
    /** The number of the state for a state of a network in a context. @type {Map<number, number>} */
    this.index = new Map();
    /** By context: the state that begins its node. @type {Map<number, number>} */
    this.entries = new Map();
    /** By context: the state that begins its loop. @type {Map<number, number>} */
    this.loops = new Map();
    /** The context of another production in a loop, by its context and the production. @type {Map<number, number>} */
    this.othersInLoop = new Map();
    /** @type {GuideKey[]} */
    this.todo = [];
    /** A cycle of states that do nothing was met. */
    this.endless = false;
  }

  /**
   * Finds the productions that the start uses, what these call, and with how many bytes each can begin. It
   * returns false if one can be inside itself with the same text, or is left-recursive and no loop, or if their
   * networks alone have too many states.
   * @returns {boolean}
   */
  survey() {
    const { calls, own, begins, start, copies } = this;
    const { ops, args, next, of, first, width, classes, cyclic } = this.tables;
    of.forEach((kind, q) => {
      own[kind]++;
      for (let i = 0; i < copies[q]; i++) {
        calls[kind].push(args[q]);
      }
    });
    this.joinUses();
    const reached = this.reachable(start); // so far everything is inlined
    reached[start] = 1;
    let all = 0;
    for (let kind = 0; kind < own.length; kind++) {
      if (reached[kind] === 1) {
        this.used.push(kind);
        all += own[kind];
        if (all > GUIDE_STATES || cyclic[kind] || !this.isLoop(this.left[kind])) {
          return false;
        }
      }
    }
    const bytes = new Int32Array(width); // by class: how many bytes it has
    for (const column of classes) {
      bytes[column]++;
    }
    for (const kind of this.used) {
      for (let column = 0; column < width; column++) {
        begins[kind] += first[kind * width + column] * bytes[column];
      }
    }
    ops.forEach((op, q) => {
      if (op === OP_CALL && next[q][1] !== 0) {
        begins[args[q]] = 256; // it derives the empty string, so that any byte may be next
      }
    });
    return true;
  }

  /**
   * Makes the calls of each production of a component those of all of them, and its states too, since a call of
   * one is a loop through the copies of all.
   */
  joinUses() {
    const { calls, own } = this;
    for (const component of new Set(this.left)) {
      if (component !== null) {
        const all = component.kinds.flatMap((kind) => calls[kind]);
        const states = component.kinds.reduce((sum, kind) => sum + own[kind], 0);
        for (const kind of component.kinds) {
          calls[kind] = all;
          own[kind] = states;
        }
      }
    }
  }

  /**
   * Reports whether a loop can stand for a component, or there is none. The root is a node even if other nodes of
   * its production are left out, so that it is not one of the loop then.
   * @param {LeftComponent | null} component
   * @returns {boolean}
   */
  isLoop(component) {
    if (component === null) {
      return true;
    }
    const { cyclic, node } = this.tables;
    const { kinds, hidden, mixed } = component;
    return !hidden && !(this.tree && mixed) &&
      kinds.every((kind) => !cyclic[kind] && !(this.tree && kind === this.start && node[kind] !== 1));
  }

  /**
   * Returns, by kind, the productions that one leads to in one step or more by calls that are inlined.
   * @param {number} from
   * @returns {Uint8Array}
   */
  reachable(from) {
    const seen = new Uint8Array(this.own.length);
    for (const todo = [from]; todo.length > 0; ) {
      for (const to of this.calls[/** @type {number} */ (todo.pop())]) {
        if (!this.called[to] && seen[to] === 0) {
          seen[to] = 1;
          todo.push(to);
        }
      }
    }
    return seen;
  }

  /**
   * Makes parts of productions until no production is inlined into itself. It is a greedy search for a small
   * feedback vertex set. Productions that begin with few bytes, such as brackets, are tried first: where one
   * of these begins, mostly all threads call it.
   */
  breakCycles() {
    const { called, begins } = this;
    const list = this.used.slice().sort((x, y) => begins[x] - begins[y] || x - y);
    /** @type {number[]} */
    const parts = [];
    let sorted = this.sortCalls();
    for (let i = 0; i < list.length && !sorted; i++) {
      const kind = list[i];
      if (this.reachable(kind)[kind] === 1) {
        called[kind] = true;
        parts.push(kind);
        sorted = this.sortCalls();
      }
    }
    for (const kind of parts.reverse()) { // later parts may have made earlier ones superfluous
      called[kind] = false;
      if (!this.sortCalls()) {
        called[kind] = true;
      }
    }
  }

  /**
   * Sets order, a topological order of the calls that are inlined. It returns false if there is none, because
   * some production is inlined into itself.
   * @returns {boolean}
   */
  sortCalls() {
    const { calls, called } = this;
    const onPath = 1;
    const done = 2;
    const marks = new Uint8Array(called.length);
    /** @type {number[]} */
    const order = [];
    let sorted = true;
    for (const root of [this.start, ...this.used.filter((kind) => called[kind])]) {
      if (marks[root] !== 0) {
        continue;
      }
      marks[root] = onPath;
      const path = [root];
      const followed = [0]; // by element of path: how many of its calls were followed
      while (path.length > 0) {
        const last = path.length - 1;
        const kind = path[last];
        if (followed[last] === calls[kind].length) {
          marks[kind] = done;
          order.push(kind);
          path.pop();
          followed.pop();
          continue;
        }
        const to = calls[kind][followed[last]++];
        if (called[to]) {
          continue;
        }
        if (marks[to] === onPath) {
          sorted = false;
        } else if (marks[to] === 0) {
          marks[to] = onPath;
          path.push(to);
          followed.push(0);
        }
      }
    }
    this.order = order.reverse();
    return sorted;
  }

  /**
   * Makes parts of more productions until the guide has at most that many states: each time of the
   * production whose copies cost most. It returns false if that is not enough.
   * @param {number} most
   * @returns {boolean}
   */
  limitStates(most) {
    for (;;) {
      this.sortCalls();
      const { copies, states } = this.countCopies();
      if (states <= most) {
        return true;
      }
      const kind = this.costliest(copies);
      if (kind < 0) {
        return false;
      }
      this.called[kind] = true;
      // Without a frame, a thread can be at twice as many places with each loop.
      this.framed[kind] = this.left[kind] !== null;
    }
  }

  /**
   * Returns, by kind, how many copies of each network the guide has, and how many states these have together.
   * A production has a copy for each copy of those that it is inlined into, which come before it in order.
   * @returns {{copies: Int32Array, states: number}}
   */
  countCopies() {
    const copies = Int32Array.from(this.called, Number);
    copies[this.start] = 1;
    let states = 0;
    for (const kind of this.order) {
      for (const to of this.calls[kind]) {
        if (!this.called[to]) {
          copies[to] = Math.min(copies[to] + copies[kind], GUIDE_MANY);
        }
      }
      states = Math.min(states + copies[kind] * this.own[kind], GUIDE_MANY);
    }
    return { copies, states };
  }

  /**
   * Returns the production that saves most states if it becomes a part, or -1. The copies beyond the first
   * are saved, each with all that is inlined into it.
   * @param {Int32Array} copies
   * @returns {number}
   */
  costliest(copies) {
    const sizes = this.own.slice(); // of a copy, with all that is inlined into it
    let most = 0;
    let costly = -1;
    for (let i = this.order.length - 1; i >= 0; i--) {
      const kind = this.order[i];
      for (const to of this.calls[kind]) {
        if (!this.called[to]) {
          sizes[kind] = Math.min(sizes[kind] + sizes[to], GUIDE_MANY);
        }
      }
      const saved = (copies[kind] - 1) * sizes[kind];
      if (!this.called[kind] && saved > most) {
        most = saved;
        costly = kind;
      }
    }
    return costly;
  }

  /**
   * Makes the states, and reports whether they are within the limit.
   * @returns {boolean}
   */
  build() {
    this.states = [{ op: GUIDE_CHOICE, arg: 0, next: [] }];
    this.parts = [];
    this.partOf.clear();
    this.contexts = [];
    this.contextOf.clear();
    this.index.clear();
    this.entries.clear();
    this.loops.clear();
    this.othersInLoop.clear();
    this.strict = false;
    this.todo = [];
    this.addPart(this.start, !this.tree, true);
    while (this.todo.length > 0) {
      if (this.states.length > 2 * GUIDE_STATES || this.endless) {
        return false;
      }
      const key = /** @type {GuideKey} */ (this.todo.pop());
      this.states[key.number] = this.makeState(key);
    }
    return !this.endless;
  }

  /**
   * Adds a part, and returns its number. With root set it is the start, which is no callee: a call of the
   * same production has another part.
   * @param {number} kind
   * @param {boolean} silent
   * @param {boolean} root
   * @returns {number}
   */
  addPart(kind, silent, root) {
    const part = this.parts.length;
    this.parts.push({ kind, silent, framed: root || this.framed[kind], entry: 0, ends: [0, 0] });
    if (!root) {
      this.partOf.set(useOf(kind, silent), part);
    }
    const context = this.contexts.length;
    this.contexts.push({ kind, silent, called: context, outer: OUTERMOST, call: 0, read: false, part });
    this.parts[part].entry = this.enter(context);
    return part;
  }

  /**
   * Adds a state that is to be made, and returns its number.
   * @param {number} state
   * @param {number} inside
   * @param {boolean} read
   * @param {boolean} closed
   * @param {boolean} left
   * @param {boolean} opens
   * @returns {number}
   */
  addState(state, inside, read, closed, left, opens) {
    const number = this.states.push({ op: GUIDE_CHOICE, arg: 0, next: [] }) - 1;
    this.todo.push({ number, state, inside, read, closed, left, opens });
    return number;
  }

  /**
   * Returns the number of the state for a state of a network in a context, which is made later. A state that
   * would do nothing but lead to another stands for that one: a choice with one successor, the call of an
   * inlined production and, unless a node is still to be closed, its end.
   * @param {number} state
   * @param {number} inside
   * @param {boolean} read
   * @param {boolean} closed
   * @param {boolean} [left]
   * @returns {number}
   */
  stateOf(state, inside, read, closed, left = false) {
    const { ops, args, next, starts } = this.tables;
    for (let passed = 0; passed < GUIDE_PASSED; passed++) {
      if (state === 0) {
        return 0;
      }
      const context = this.contexts[inside];
      const op = ops[state];
      if (op === OP_CHOICE && next[state].length === 1) {
        state = next[state][0];
      } else if (op === OP_CALL && !read && this.isInComponent(context.kind, args[state])) {
        return 0; // the loop begins with another production, and comes back to what follows the call
      } else if (op === OP_CALL && !this.called[args[state]]) {
        inside = this.innerContext(inside, state, read);
        if (this.nodeOps(this.contexts[inside]) !== null || this.left[args[state]] !== null) {
          return this.enter(inside);
        }
        state = starts[args[state]];
        read = false;
      } else if (
        op === OP_END && context.outer !== OUTERMOST && !this.closes(context, closed) && !this.turns(context, left)
      ) {
        state = next[context.call][read ? 0 : 1];
        read ||= context.read;
        inside = context.outer;
        closed = false;
        left = false;
      } else {
        return this.numberOf(state, inside, read, closed, left);
      }
    }
    this.endless = true;
    return 0;
  }

  /**
   * Returns the number of the state for a state of a network in a context as it stands.
   * @param {number} state
   * @param {number} inside
   * @param {boolean} read
   * @param {boolean} closed
   * @param {boolean} left
   * @returns {number}
   */
  numberOf(state, inside, read, closed, left) {
    const bits = (read ? 4 : 0) + (closed ? 2 : 0) + (left ? 1 : 0);
    const key = 8 * (inside * this.tables.ops.length + state) + bits;
    let number = this.index.get(key);
    if (number === undefined) {
      number = this.addState(state, inside, read, closed, left, false);
      this.index.set(key, number);
    }
    return number;
  }

  /**
   * Returns the context of a production that a state calls in a context, and that is inlined there.
   * @param {number} outer
   * @param {number} call
   * @param {boolean} read
   * @returns {number}
   */
  innerContext(outer, call, read) {
    const key = 2 * (outer * this.tables.ops.length + call) + (read ? 1 : 0);
    let inner = this.contextOf.get(key);
    if (inner === undefined) {
      const kind = this.tables.args[call];
      const silent = this.silences(this.contexts[outer]);
      inner = this.contexts.length;
      this.contexts.push({ kind, silent, called: inner, outer, call, read, part: 0 });
      this.contextOf.set(key, inner);
    }
    return inner;
  }

  /**
   * Reports whether what is inside a context is silent: an automaton makes all nodes of a proven production.
   * @param {GuideContext} context
   * @returns {boolean}
   */
  silences(context) {
    return context.silent || this.isMadeByProven(context.kind);
  }

  /**
   * Reports whether an automaton makes the nodes of a production: it is proven, and has some.
   * @param {number} kind
   * @returns {boolean}
   */
  isMadeByProven(kind) {
    return this.tables.proven[kind] === 1 && !this.tables.plain[kind];
  }

  /**
   * Returns the operations before and after a production that make its nodes, or null if none are made. The
   * start always has a node.
   * @param {GuideContext} context
   * @returns {number[] | null}
   */
  nodeOps(context) {
    const root = context.outer === OUTERMOST && context.part === 0;
    if (context.silent) {
      return null;
    }
    if (this.isMadeByProven(context.kind) && !root) {
      return PROVEN_OPS;
    }
    return this.tables.node[context.kind] === 1 || root ? NODE_OPS : null;
  }

  /**
   * Reports whether the end of a production still has to close its node.
   * @param {GuideContext} context
   * @param {boolean} closed
   * @returns {boolean}
   */
  closes(context, closed) {
    return !closed && this.nodeOps(context) !== null;
  }

  /**
   * Reports whether two productions can begin with each other.
   * @param {number} kind
   * @param {number} other
   * @returns {boolean}
   */
  isInComponent(kind, other) {
    return this.left[kind] !== null && this.left[kind] === this.left[other];
  }

  /**
   * Returns the context of a production in the loop that a context is in.
   * @param {number} inside
   * @param {number} kind
   * @returns {number}
   */
  contextInLoop(inside, kind) {
    const { called } = this.contexts[inside];
    if (kind === this.contexts[called].kind) {
      return called;
    }
    const key = called * this.own.length + kind;
    let other = this.othersInLoop.get(key);
    if (other === undefined) {
      other = this.contexts.push({ ...this.contexts[called], kind }) - 1;
      this.othersInLoop.set(key, other);
    }
    return other;
  }

  /**
   * Returns the state in which the use of a production begins, in a context.
   * @param {number} inside
   * @returns {number}
   */
  enter(inside) {
    return this.left[this.contexts[inside].kind] === null ? this.entryOf(inside) : this.enterLoop(inside);
  }

  /**
   * Returns the state in which the loop of a left-recursive production begins, in its context: in any production
   * of its component, without the calls of others at the beginning.
   * @param {number} inside
   * @returns {number}
   */
  enterLoop(inside) {
    let entry = this.loops.get(inside);
    if (entry === undefined) {
      entry = this.states.push({ op: GUIDE_CHOICE, arg: 0, next: [] }) - 1;
      this.loops.set(inside, entry);
      const { kind, silent } = this.contexts[inside];
      this.strict ||= !silent;
      const { kinds } = /** @type {LeftComponent} */ (this.left[kind]);
      this.states[entry].next = kinds.map((other) => this.entryOf(this.contextInLoop(inside, other)));
    }
    return entry;
  }

  /**
   * Reports whether the end of a production in a loop may still go on around it.
   * @param {GuideContext} context
   * @param {boolean} left
   * @returns {boolean}
   */
  turns(context, left) {
    return !left && this.left[context.kind] !== null;
  }

  /**
   * Returns the state after a production of a loop has ended, and its node was closed: the loop goes on in each
   * production that begins with it or, if it is the one that was called, is left.
   * @param {GuideKey} key
   * @returns {GuideState}
   */
  makeTurn({ state, inside, read, closed }) {
    const { kind, called } = this.contexts[inside];
    const { calls } = /** @type {LeftComponent} */ (this.left[kind]);
    const { args, next, of } = this.tables;
    const to = called === inside ? [this.stateOf(state, inside, read, closed, true)] : [];
    for (const call of calls) {
      if (args[call] !== kind) {
        continue;
      }
      const around = this.contextInLoop(inside, of[call]);
      let after = this.stateOf(next[call][read ? 0 : 1], around, read, false);
      if (after !== 0 && this.nodeOps(this.contexts[around]) !== null) {
        after = this.states.push({ op: GUIDE_WRAP, arg: of[call], next: [after] }) - 1;
      }
      to.push(after);
    }
    return { op: GUIDE_CHOICE, arg: 0, next: to };
  }

  /**
   * Returns the state in which a production begins, in a context. If the production has a node, this is the
   * state that opens it.
   * @param {number} inside
   * @returns {number}
   */
  entryOf(inside) {
    const context = this.contexts[inside];
    const first = this.tables.starts[context.kind];
    if (this.nodeOps(context) === null) {
      return this.stateOf(first, inside, false, false);
    }
    let entry = this.entries.get(inside);
    if (entry === undefined) {
      entry = this.addState(first, inside, false, false, false, true);
      this.entries.set(inside, entry);
    }
    return entry;
  }

  /**
   * Returns the state for a key.
   * @param {GuideKey} key
   * @returns {GuideState}
   */
  makeState(key) {
    const { state, inside, read } = key;
    const { ops, args, next } = this.tables;
    const context = this.contexts[inside];
    if (key.opens) {
      const [before] = /** @type {number[]} */ (this.nodeOps(context));
      return { op: before, arg: context.kind, next: [this.stateOf(state, inside, false, false)] };
    }
    switch (ops[state]) {
      case OP_BYTE:
        return { op: GUIDE_BYTE, arg: args[state], next: [this.stateOf(next[state][0], inside, true, false)] };
      case OP_CHOICE: {
        const to = next[state].filter((q) => q !== 0);
        return { op: GUIDE_CHOICE, arg: 0, next: to.map((q) => this.stateOf(q, inside, read, false)) };
      }
      case OP_CALL:
        return this.makeCall(key);
      case OP_END:
        return this.makeEnd(key);
      default:
        return { op: GUIDE_CHOICE, arg: 0, next: [] };
    }
  }

  /**
   * Returns the state that calls a part.
   * @param {GuideKey} key
   * @returns {GuideState}
   */
  makeCall({ state, inside, read }) {
    const kind = this.tables.args[state];
    const silent = this.silences(this.contexts[inside]);
    const part = this.partOf.get(useOf(kind, silent)) ?? this.addPart(kind, silent, false);
    const [afterSome, afterNothing] = this.tables.next[state];
    const some = this.stateOf(afterSome, inside, true, false);
    const nothing = this.stateOf(afterNothing, inside, read, false);
    return { op: GUIDE_CALL, arg: part, next: [this.parts[part].entry, nothing, some] };
  }

  /**
   * Returns the state that ends a production: it closes its node, goes on in its loop, or ends a part.
   * @param {GuideKey} key
   * @returns {GuideState}
   */
  makeEnd(key) {
    const { number, state, inside, read, closed, left } = key;
    const context = this.contexts[inside];
    if (this.closes(context, closed)) {
      const [, after] = /** @type {number[]} */ (this.nodeOps(context));
      return { op: after, arg: context.kind, next: [this.stateOf(state, inside, read, true)] };
    }
    if (this.turns(context, left)) {
      return this.makeTurn(key);
    }
    this.parts[context.part].ends[read ? READ_SOME : READ_NOTHING] = number;
    return { op: GUIDE_END, arg: context.part, next: [] };
  }

  /**
   * Reports whether a state leads to itself without reading.
   * @returns {boolean}
   */
  loopsWithoutReading() {
    return onCycles(this.states.map(unreadOf)).some((cycle) => cycle > 0);
  }
}

/**
 * Returns a number for a production, and whether its nodes are left out.
 * @param {number} kind
 * @param {boolean} silent
 * @returns {number}
 */
export function useOf(kind, silent) {
  return 2 * kind + (silent ? 1 : 0);
}

/**
 * Returns the successors of a state that are reached without reading. Parts that are called count as far as
 * they read nothing; where a part that ends goes on is left to its callers.
 * @param {GuideState} state
 * @returns {number[]}
 */
function unreadOf(state) {
  switch (state.op) {
    case GUIDE_BYTE:
    case GUIDE_END:
      return [];
    case GUIDE_CALL:
      return [state.next[0], afterCall(state, READ_NOTHING)];
    default:
      return state.next;
  }
}
