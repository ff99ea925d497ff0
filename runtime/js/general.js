// A parser as tables for any context-free grammar: for each production a network whose edges read a
// byte or call a production, with its choices in the order of preference. It is ast/general.go, step
// for step, but that it has no scanners.
//
// The input is read once, as J. Earley describes ("An efficient context-free parsing algorithm",
// 1970), by sets of states that are made deterministic as inputs need them (J. Aycock and N. Horspool,
// "Practical Earley Parsing", 2002). What is derived of the empty string is put in beforehand, and an
// item is made only if the next byte can follow. So time is linear where a byte of lookahead decides
// what ends, and at most cubic.
//
// An item is a set of states in which productions can be that began at an origin, at a place. It was
// reached from another item, by the bytes between or by a production that ended. Items lie in order of
// their places, field by field in arrays.

import { MEMORY_BY_BYTE, MOST_MEMORY, MOST_STEPS, STEPS_BY_BYTE } from './limits.js';
import { ListReader } from './lists.js';
import { OP_BYTE, OP_CALL, OP_CHOICE, OP_END, States } from './states.js';

/** @typedef {import('./generalprefix.js').PrefixEnds} PrefixEnds */

/** Stands for a cell, or the set after a call, that is not known. */
export const UNKNOWN_SET = -1;

/** In the child of an item: none, and that the item was reached in another way as well. */
export const MORE = 1 << 30;
export const NO_CHILD = MORE - 1;

/** Caps: cells, and those that are kept from one input to the next; items that are kept. */
const MOST_SET_CELLS = 1 << 24;
const KEPT_SET_CELLS = 1 << 19;
const KEPT_ITEMS = 1 << 20;

/** What an item takes. */
const ITEM_BYTES = 20;

/** Below the least number, to drop items would cost more than it saves; above the most they leave caches. */
const LEAST_SPARE = 1 << 11;
const MOST_SPARE = 1 << 16;

/** Where a tree is made: it takes more itself, and is made faster if its parts are moved seldom. These take 60 MB. */
const LEAST_SPARE_TREE = 3 << 20;

/** How many results of after are kept, by a hash. */
const GOTOS = 512;

/** The tables of a general parser, and what follows from them. */
export class GeneralTables extends States {
  /** @param {ListReader} lists */
  constructor(lists) {
    super(lists);
    /** By kind: the production that it is, which goes on at the end of another where it is not its own. */
    this.same = lists.list();
    /** By kind: it is a node. */
    this.node = lists.list();
    /** By kind: its nodes are made by an automaton. */
    this.proven = lists.list();
    /** By kind and class: what it derives can begin with it. */
    this.first = new Uint8Array(lists.list());
    /** By kind and class, that of the end of the input too: it can follow. */
    this.follow = new Uint8Array(lists.list());
    /** By state that reads: an element of terms; empty where nothing is explained. */
    this.marks = lists.list();
    lists.single();
    /** What messages call what is read, as strings of bytes. */
    this.terms = lists.listOfLists().map((bytes) => String.fromCharCode(...bytes));

    const states = this.ops.length;
    const kinds = this.starts.length;
    /** By state: the production that it is in. */
    this.of = new Int32Array(states);
    /** @type {number[][] | null} */
    this.knownBack = null;
    /** By kind: no node is in it. @type {boolean[]} */
    this.plain = this.proven.map((proven) => proven === 0);
    /** By kind: the state in which it ends. */
    this.finals = new Int32Array(kinds);
    /** By kind: it can be inside itself with the same text. @type {boolean[]} */
    this.cyclic = this.proven.map(() => false);
    /** By state: marks, those of now count. leading has marks of its own. */
    this.mark = new Int32Array(states);
    this.marked = new Int32Array(states);
    this.now = 0;
    this.linkStates();
    this.findPlain();
    this.findCircles();
    /** By kind: it is cyclic, or there can be nodes of the empty string in it. @type {boolean[]} */
    this.fills = this.cyclic.slice();
    /** By kind: it is cyclic, or derives the empty string. @type {boolean[]} */
    this.loose = this.cyclic.slice();
    for (let q = 0; q < states; q++) {
      if (this.ops[q] === OP_CALL && this.next[q][1] !== 0) {
        const k = this.args[q];
        this.loose[k] = true;
        this.fills[this.of[q]] ||= this.node[k] === 1 || !this.plain[k];
      }
    }
  }

  /** By state: those that lead to it, each once. They are found when they are asked for, by a tree that needs ranks. */
  get back() {
    if (this.knownBack === null) {
      /** @type {number[][]} */
      const back = this.next.map(() => []);
      this.next.forEach((list, q) => {
        for (const to of list) {
          if (back[to][back[to].length - 1] !== q) {
            back[to].push(q);
          }
        }
      });
      this.knownBack = back;
    }
    return this.knownBack;
  }

  /** Finds of and finals. */
  linkStates() {
    this.starts.forEach((start, kind) => {
      for (const todo = [start]; todo.length > 0; ) {
        const q = /** @type {number} */ (todo.pop());
        if (q === 0 || this.of[q] === kind) {
          continue;
        }
        this.of[q] = kind;
        if (this.ops[q] === OP_END) {
          this.finals[kind] = q;
        }
        todo.push(...this.next[q]);
      }
    });
  }

  /** Finds plain. */
  findPlain() {
    for (let changed = true; changed; ) {
      changed = false;
      this.ops.forEach((op, q) => {
        const k = this.args[q];
        if (op === OP_CALL && this.plain[this.of[q]] && (this.node[k] === 1 || !this.plain[k])) {
          this.plain[this.of[q]] = false;
          changed = true;
        }
      });
    }
  }

  /** Finds the productions that can be inside themselves with the same text. */
  findCircles() {
    /** @type {number[][]} by kind: those that can be all of it */
    const alone = this.proven.map(() => []);
    this.starts.forEach((start, kind) => {
      for (const q of this.reached(start)) {
        if (this.ops[q] === OP_CALL && this.reached(this.next[q][0]).includes(this.finals[kind])) {
          alone[this.same[kind]].push(this.same[this.args[q]]);
        }
      }
    });
    const cyclic = onCycles(alone);
    this.cyclic = this.same.map((kind) => cyclic[kind] > 0);
  }

  /**
   * Returns what reads, calls or ends and is reached from a state without reading.
   * @param {number} q
   * @returns {number[]}
   */
  reached(q) {
    /** @type {number[]} */
    const list = [];
    this.beginMarks();
    this.reach(q, list);
    return list;
  }

  /**
   * Reports whether a production derives the empty string.
   * @param {number} kind
   * @returns {boolean}
   */
  derivesEmpty(kind) {
    return this.reached(this.starts[kind]).some((q) => this.ops[q] === OP_END);
  }

  /** Begins new marks: no state is marked any more. */
  beginMarks() {
    if (this.now === 2 ** 31 - 1) {
      this.mark.fill(0);
      this.marked.fill(0);
      this.now = 0;
    }
    this.now++;
  }

  /**
   * Adds to a list what reads, calls or ends and is reached from a state without reading, unless it is
   * marked.
   * @param {number} from
   * @param {number[]} list
   */
  reach(from, list) {
    const { mark, now, ops, next } = this;
    if (from === 0 || mark[from] === now) {
      return;
    }
    const todo = [from];
    while (todo.length > 0) {
      const q = /** @type {number} */ (todo.pop());
      if (q === 0 || mark[q] === now) {
        continue;
      }
      mark[q] = now;
      switch (ops[q]) {
        case OP_CHOICE:
          for (const to of next[q]) {
            todo.push(to);
          }
          break;
        case OP_CALL:
          list.push(q);
          todo.push(next[q][1]);
          break;
        default:
          list.push(q);
      }
    }
  }
}

/**
 * A production that is called, and the states that call it: nobody searches all states of a set for them, since a
 * set may call thousands of productions. In calls of a set, to is the set of the states after these; in callers, the
 * set of these themselves; or it is UNKNOWN_SET.
 * @typedef {{kind: number, to: number, by: number[]}} Call
 */

/**
 * What is found from a state of a set: the state that the first way leads to, whether the call there
 * may derive the empty string as well, the states up to it if so, and the calls that are passed as
 * empty, the last first.
 * @typedef {{from: number, exit: number, both: boolean, path: number[], empties: number[]}} Way
 */

/**
 * A set of states that read, call or end, sorted, and their calls in the order of kinds. The input is read by sets
 * that have all such states to which some states lead without reading.
 *
 * The rest serves trees, in which a set has the states that are alive at a place, and is null or empty until it is
 * asked for: leads are the states that lead to those of the set by reading or calling once, bytes has by class the
 * set of the leads that read it, or UNKNOWN_SET, and callers has their calls. For ways see wayFrom.
 * @typedef {{states: number[], calls: Call[], leads: number[] | null, bytes: Int32Array | null,
 *   callers: Call[], ways: Way[]}} StateSet
 */

/**
 * The productions that end at a class, and the set of those that begin.
 * @typedef {{done: number[], begin: number}} Act
 */

/** A general parser at work. */
export class GeneralReader {
  /** @param {GeneralTables} tables */
  constructor(tables) {
    this.tables = tables;
    this.start = 0;
    /** @type {Uint8Array} */
    this.bytes = new Uint8Array(0);

    // The networks made deterministic, which are kept. Set 0 is empty, act 0 does nothing.
    /** @type {StateSet[]} */
    this.sets = [];
    /** @type {Map<string, number>} */
    this.index = new Map();
    /** By set and class: the set after it, and what else is done. */
    this.cellTo = new Int32Array(1 << 10);
    this.cellAct = new Int32Array(1 << 10);
    this.cells = 0;
    /** Cells of a set: the classes, and the end of the input. */
    this.row = tables.width + 1;
    /** @type {Act[]} */
    this.acts = [{ done: [], begin: 0 }];
    /** @type {Map<number, number>} */
    this.unions = new Map();
    this.gotoSet = new Int32Array(GOTOS);
    this.gotoKind = new Int32Array(GOTOS);
    this.gotoTo = new Int32Array(GOTOS);
    /** @type {number[]} */
    this.list = [];

    // The items, by their fields.
    this.itemSet = new Int32Array(1 << 10);
    this.itemOrigin = new Int32Array(1 << 10);
    this.itemAt = new Int32Array(1 << 10);
    this.itemPred = new Int32Array(1 << 10);
    this.itemChild = new Int32Array(1 << 10);
    this.items = 0;
    // The origins, places where productions begin: the items from the first that waits for them up to
    // those that begin. All items at the place are from first on. Passed is one more than the place at
    // which a production that began there was last completed without an item.
    this.originFirst = new Int32Array(1 << 10);
    this.originLow = new Int32Array(1 << 10);
    this.originHigh = new Int32Array(1 << 10);
    this.originPassed = new Int32Array(1 << 10);
    this.origins = 0;
    /** The number of items from which on some are dropped. */
    this.full = 0;
    /** Where the items of the place that is read begin, and that place. */
    this.cur = 0;
    this.at = 0;
    /** The items of a place by set and origin, where there are many. */
    this.hash = new Int32Array(0);
    this.hashed = 0;
    this.place = -1;
    /** Items are kept as a tree needs them. */
    this.tree = false;
    /** The items that end the start. @type {number[]} */
    this.ends = [];
    /** Notes where prefixes end; null if nobody asks. @type {PrefixEnds | null} */
    this.prefix = null;

    this.steps = 0;
    this.mostSteps = 0;
    this.mostMemory = 0;
    this.mostItems = 0;
    /** A limit was passed. */
    this.over = false;
    this.setOf([]);
    this.cellTo.fill(0, 0, this.row);
    this.cellAct.fill(0, 0, this.row);
  }

  /**
   * Takes the sets of another reader of the same tables, and all that was found of them. That one must not read again.
   * @param {GeneralReader} other
   */
  takeSets(other) {
    this.sets = other.sets;
    this.index = other.index;
    this.cellTo = other.cellTo;
    this.cellAct = other.cellAct;
    this.cells = other.cells;
    this.acts = other.acts;
    this.unions = other.unions;
    this.gotoSet = other.gotoSet;
    this.gotoKind = other.gotoKind;
    this.gotoTo = other.gotoTo;
  }

  /** Whether so much is kept that the next input should begin with a reader of its own. */
  get isFull() {
    return this.cells > KEPT_SET_CELLS || this.itemSet.length > KEPT_ITEMS;
  }

  /**
   * Takes steps, and notes when there are too many.
   * @param {number} steps
   */
  take(steps) {
    this.steps += steps;
    if (this.steps > this.mostSteps) {
      this.over = true;
    }
  }

  /**
   * Returns the number of the set of these states, each of which stands once. It sorts states.
   * @param {number[]} states
   * @returns {number}
   */
  setOf(states) {
    this.steps += states.length >> 2;
    if (states.length > 1) {
      states.sort(ascending);
    }
    const key = states.join();
    const known = this.index.get(key);
    if (known !== undefined) {
      return known;
    }
    const id = this.sets.length;
    this.index.set(key, id);
    const copy = states.slice();
    this.sets.push({ states: copy, calls: this.callsOf(copy), leads: null, bytes: null, callers: [], ways: [] });
    const from = this.cells;
    this.cells += this.row;
    while (this.cells > this.cellTo.length) {
      this.cellTo = withRoom(this.cellTo, 2 * this.cellTo.length);
      this.cellAct = withRoom(this.cellAct, 2 * this.cellAct.length);
    }
    this.cellAct.fill(UNKNOWN_SET, from, this.cells);
    if (this.cells > MOST_SET_CELLS) {
      this.over = true;
    }
    return id;
  }

  /**
   * Returns the productions that states call.
   * @param {number[]} states
   * @returns {Call[]}
   */
  callsOf(states) {
    const { ops, args } = this.tables;
    /** @type {Map<number, number[]>} */
    const calling = new Map();
    for (const q of states) {
      if (ops[q] === OP_CALL) {
        const by = calling.get(args[q]);
        if (by === undefined) {
          calling.set(args[q], [q]);
        } else {
          by.push(q);
        }
      }
    }
    const kinds = [...calling].sort(([a], [b]) => ascending(a, b));
    return kinds.map(([kind, by]) => ({ kind, to: UNKNOWN_SET, by }));
  }

  /**
   * Adds to list the states in which a production begins that derives something with this first byte,
   * and the productions that it calls.
   * @param {number} kind
   * @param {number} column
   */
  beginning(kind, column) {
    const { tables, list } = this;
    const { ops, args, members, first, width, starts, mark } = tables;
    const todo = [kind];
    while (todo.length > 0) {
      const start = starts[/** @type {number} */ (todo.pop())];
      const from = list.length;
      tables.reach(start, list);
      let keep = from;
      for (let i = from; i < list.length; i++) {
        const q = list[i];
        const op = ops[q];
        if ((op === OP_BYTE && members[args[q] * width + column] === 1) ||
            (op === OP_CALL && first[args[q] * width + column] === 1)) {
          list[keep++] = q;
        }
      }
      list.length = keep;
      for (let i = from; i < keep; i++) {
        const k = args[list[i]];
        if (ops[list[i]] === OP_CALL && mark[starts[k]] !== tables.now) {
          todo.push(k);
        }
      }
    }
  }

  /**
   * Returns where the cell of a set and a class is, which is made if it is not known.
   * @param {number} set
   * @param {number} column
   * @returns {number}
   */
  cell(set, column) {
    const cell = set * this.row + column;
    if (this.cellAct[cell] === UNKNOWN_SET) {
      this.makeCell(set, column);
    }
    return cell;
  }

  /**
   * Computes the cell of a set and a class: the set to which the class leads and, in its act, the
   * productions that end before the class and the set of those that begin with it.
   * @param {number} set
   * @param {number} column
   */
  makeCell(set, column) {
    const { tables } = this;
    const { ops, args, members, follow, first, width, next, of, starts, mark } = tables;
    const { states, calls } = this.sets[set];
    /** @type {number[]} */
    const done = [];
    this.list = [];
    tables.beginMarks();
    for (const q of states) {
      if (ops[q] === OP_BYTE) {
        if (column < width && members[args[q] * width + column] === 1) {
          tables.reach(next[q][0], this.list);
        }
      } else if (ops[q] === OP_END && follow[of[q] * (width + 1) + column] === 1) {
        done.push(of[q]);
      }
    }
    const to = this.setOf(this.list);
    let begin = 0;
    if (column < width) {
      this.list = [];
      tables.beginMarks();
      for (const { kind } of calls) {
        if (first[kind * width + column] === 1 && mark[starts[kind]] !== tables.now) {
          this.beginning(kind, column);
        }
      }
      begin = this.setOf(this.list);
    }
    const cell = set * this.row + column;
    this.cellTo[cell] = to;
    this.cellAct[cell] = begin !== 0 || done.length > 0 ? this.acts.push({ done, begin }) - 1 : 0;
  }

  /**
   * Returns the set of the states after the calls of a production in a set, or 0 if none calls it.
   * @param {number} set
   * @param {number} kind
   * @returns {number}
   */
  after(set, kind) {
    const slot = (set * 37 + kind) % GOTOS;
    if (this.gotoSet[slot] !== set || this.gotoKind[slot] !== kind) {
      this.gotoTo[slot] = this.findAfter(set, kind);
      this.gotoSet[slot] = set;
      this.gotoKind[slot] = kind;
    }
    return this.gotoTo[slot];
  }

  /**
   * Finds what after returns.
   * @param {number} set
   * @param {number} kind
   * @returns {number}
   */
  findAfter(set, kind) {
    const call = callOf(this.sets[set].calls, kind);
    if (call === null) {
      return 0;
    }
    if (call.to === UNKNOWN_SET) {
      const { tables } = this;
      /** @type {number[]} */
      const list = [];
      tables.beginMarks();
      for (const q of call.by) {
        tables.reach(tables.next[q][0], list);
      }
      call.to = this.setOf(list);
    }
    return call.to;
  }

  /**
   * Returns the set of both.
   * @param {number} a
   * @param {number} b
   * @returns {number}
   */
  union(a, b) {
    if (a === b || b === 0) {
      return a;
    }
    if (a === 0) {
      return b;
    }
    const key = a * 2 ** 26 + b; // fewer sets than cells
    const known = this.unions.get(key);
    if (known !== undefined) {
      return known;
    }
    const to = this.setOf([...new Set([...this.sets[a].states, ...this.sets[b].states])]);
    this.unions.set(key, to);
    return to;
  }

  /**
   * Returns the class of the byte at a place, or that of the end.
   * @param {number} at
   * @returns {number}
   */
  classAt(at) {
    return at < this.bytes.length ? this.tables.classes[this.bytes[at]] : this.tables.width;
  }

  /**
   * Adds an item at the place that is read, unless it is there.
   * @param {number} set
   * @param {number} origin
   * @param {number} pred
   * @param {number} child
   */
  add(set, origin, pred, child) {
    const { items, cur } = this;
    this.steps++;
    if (items - cur <= 8) {
      for (let i = items - 1; i >= cur; i--) {
        if (this.itemSet[i] === set && this.itemOrigin[i] === origin) {
          this.addWay(i, pred, child);
          return;
        }
      }
    } else {
      const i = this.findItem(set, origin);
      if (i >= 0) {
        this.addWay(i, pred, child);
        return;
      }
    }
    this.append(set, origin, pred, child);
  }

  /**
   * Appends an item at the place that is read, without asking whether it is there.
   * @param {number} set
   * @param {number} origin
   * @param {number} pred
   * @param {number} child
   */
  append(set, origin, pred, child) {
    const i = this.items;
    if (i === this.itemSet.length) {
      this.growItems();
    }
    this.itemSet[i] = set;
    this.itemOrigin[i] = origin;
    this.itemAt[i] = this.at;
    this.itemPred[i] = pred;
    this.itemChild[i] = child;
    this.items = i + 1;
  }

  /** Makes room for twice as many items, or as many as the limit on memory has and some more. */
  growItems() {
    const { items } = this;
    const room = Math.min(2 * items, Math.max(items + (1 << 16), this.mostItems));
    this.itemSet = withRoom(this.itemSet, room);
    this.itemOrigin = withRoom(this.itemOrigin, room);
    this.itemAt = withRoom(this.itemAt, room);
    this.itemPred = withRoom(this.itemPred, room);
    this.itemChild = withRoom(this.itemChild, room);
  }

  /**
   * Appends an origin.
   * @param {number} first
   * @param {number} low
   * @param {number} high
   */
  appendOrigin(first, low, high) {
    const i = this.origins;
    if (i === this.originLow.length) {
      this.originFirst = withRoom(this.originFirst, 2 * i);
      this.originLow = withRoom(this.originLow, 2 * i);
      this.originHigh = withRoom(this.originHigh, 2 * i);
      this.originPassed = withRoom(this.originPassed, 2 * i);
    }
    this.originFirst[i] = first;
    this.originLow[i] = low;
    this.originHigh[i] = high;
    this.originPassed[i] = 0;
    this.origins = i + 1;
  }

  /**
   * Returns how many items are made before some are dropped. It grows with the input, so that items take
   * a few bytes for each of its bytes.
   * @returns {number}
   */
  spareItems() {
    if (this.tree) {
      return Math.min(this.mostItems >> 2, Math.max(LEAST_SPARE_TREE, this.bytes.length >> 2));
    }
    return Math.min(this.mostItems >> 2, Math.max(LEAST_SPARE, Math.min(this.bytes.length >> 3, MOST_SPARE)));
  }

  /**
   * Drops the items that are not needed where no tree is made: all but those at the place that is read,
   * and those that wait for what began where these did. Since at least half as many items as are left
   * are made between one time and the next, all that is spent on dropping is a constant for each item.
   */
  drop() {
    const { items, origins, cur, itemOrigin } = this;
    const kept = new Uint8Array(items);
    const wanted = new Uint8Array(origins);
    /** @type {number[]} */
    const todo = [];
    for (let i = cur; i < items; i++) {
      kept[i] = 1;
      todo.push(i);
    }
    while (todo.length > 0) {
      const origin = itemOrigin[/** @type {number} */ (todo.pop())];
      if (wanted[origin] === 1) {
        continue;
      }
      wanted[origin] = 1;
      for (let i = this.originLow[origin]; i < this.originHigh[origin]; i++) {
        if (kept[i] === 0 && (this.itemPred[i] === -1 || this.beginsIn(i))) {
          kept[i] = 1;
          todo.push(i);
        }
      }
    }
    this.steps += items;
    this.compact(kept, wanted);
    this.prefix?.forget();
    this.place = -1;
    this.full = Math.floor(this.items * 1.5) + this.spareItems();
  }

  /**
   * Reports whether productions begin in an item.
   * @param {number} i
   * @returns {boolean}
   */
  beginsIn(i) {
    return this.acts[this.cellAct[this.cell(this.itemSet[i], this.classAt(this.itemAt[i]))]].begin !== 0;
  }

  /**
   * Removes the items and origins that are not marked, and numbers the others anew.
   * @param {Uint8Array} kept by item
   * @param {Uint8Array | Int32Array} wanted by origin
   */
  compact(kept, wanted) {
    const { items, origins } = this;
    const newItem = new Int32Array(items + 1);
    for (let i = 0; i < items; i++) {
      newItem[i + 1] = newItem[i] + kept[i];
    }
    const newOrigin = new Int32Array(origins);
    this.origins = 0;
    for (let o = 0; o < origins; o++) {
      if (wanted[o] === 1) {
        const passed = this.originPassed[o];
        newOrigin[o] = this.origins;
        this.appendOrigin(newItem[this.originFirst[o]], newItem[this.originLow[o]], newItem[this.originHigh[o]]);
        this.originPassed[newOrigin[o]] = passed;
      }
    }
    for (let i = 0; i < items; i++) {
      if (kept[i] === 1) {
        const to = newItem[i];
        this.itemSet[to] = this.itemSet[i];
        this.itemOrigin[to] = newOrigin[this.itemOrigin[i]];
        this.itemAt[to] = this.itemAt[i];
        const pred = this.itemPred[i];
        const child = this.itemChild[i];
        if (pred < 0) {
          this.itemPred[to] = pred;
          this.itemChild[to] = child;
        } else if (this.tree) {
          const by = child & ~MORE;
          this.itemPred[to] = newItem[pred];
          this.itemChild[to] = by === NO_CHILD ? child : newItem[by] | (child & MORE);
        } else { // where it was reached from is not asked
          this.itemPred[to] = 0;
          this.itemChild[to] = child;
        }
      }
    }
    this.cur = newItem[this.cur];
    this.items = newItem[items];
  }

  /**
   * Notes another way to an item.
   * @param {number} i
   * @param {number} pred
   * @param {number} child
   */
  addWay(i, pred, child) {
    if (this.itemPred[i] !== pred || (this.itemChild[i] & ~MORE) !== child) {
      this.itemChild[i] |= MORE;
    }
  }

  /**
   * Returns the item with this set and origin at the place that is read, or -1, by a table of those
   * that there are.
   * @param {number} set
   * @param {number} origin
   * @returns {number}
   */
  findItem(set, origin) {
    const count = this.items - this.cur;
    if (this.place !== this.cur || 2 * count >= this.hash.length) {
      let size = Math.max(64, this.hash.length);
      while (size < 4 * count) {
        size *= 2;
      }
      if (size === this.hash.length) {
        this.hash.fill(0);
      } else {
        this.hash = new Int32Array(size);
      }
      this.hashed = this.cur;
      this.place = this.cur;
    }
    const { hash } = this;
    const mask = hash.length - 1;
    for (; this.hashed < this.items; this.hashed++) {
      let h = slotOf(this.itemSet[this.hashed], this.itemOrigin[this.hashed]) & mask;
      while (hash[h] !== 0) {
        h = (h + 1) & mask;
      }
      hash[h] = this.hashed + 1;
    }
    for (let h = slotOf(set, origin) & mask; hash[h] !== 0; h = (h + 1) & mask) {
      const i = hash[h] - 1;
      if (this.itemSet[i] === set && this.itemOrigin[i] === origin) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Reads bytes, and reports whether a production derives them. Ends are then the items that end it. It
   * is over, and the result false, where that takes more than the limits, or more steps than the caller allows.
   * @param {number} start
   * @param {Uint8Array} bytes
   * @param {boolean} tree whether a tree is to be made
   * @param {number} [allowed]
   * @returns {boolean}
   */
  read(start, bytes, tree, allowed = Infinity) {
    const { tables } = this;
    this.start = start;
    this.bytes = bytes;
    this.tree = tree;
    this.mostSteps = Math.min(allowed, MOST_STEPS + STEPS_BY_BYTE * bytes.length);
    this.mostMemory = MOST_MEMORY + MEMORY_BY_BYTE * bytes.length;
    this.mostItems = Math.floor(this.mostMemory / ITEM_BYTES) + 1;
    this.items = 0;
    this.origins = 0;
    this.full = this.spareItems();
    this.ends = [];
    this.at = 0;
    this.cur = 0;
    this.place = -1;
    this.steps = 0;
    this.over = false; // the cells kept from earlier inputs are few: see isFull
    if (bytes.length === 0) {
      return tables.derivesEmpty(start);
    }
    tables.beginMarks();
    this.list = [];
    this.beginning(start, this.classAt(0));
    let begin = this.setOf(this.list);
    while (begin !== 0 || this.items > this.cur) {
      if (this.items >= this.full) {
        this.drop();
      }
      if (begin === 0 && this.items === this.cur + 1 && this.prefix === null) {
        this.readAlone();
      }
      const column = this.classAt(this.at);
      let waits = Infinity; // the first item in which productions begin
      for (let i = this.cur; i < this.items && !this.over; i++) {
        const cell = this.cell(this.itemSet[i], column);
        if (this.cellAct[cell] === 0) {
          continue;
        }
        const act = this.acts[this.cellAct[cell]];
        const origin = this.itemOrigin[i];
        for (const kind of act.done) {
          this.noteEnd(kind, origin, i);
          this.complete(kind, origin, i, column);
        }
        if (act.begin !== 0) {
          begin = this.union(begin, act.begin);
          waits = Math.min(waits, i);
        }
      }
      this.prefix?.note();
      this.take(0);
      this.over ||= this.items >= this.mostItems;
      if (this.over) {
        return false;
      }
      if (this.at === bytes.length) {
        return this.ends.length > 0;
      }
      const lo = this.cur;
      let hi = this.items;
      if (begin !== 0) {
        this.append(begin, this.origins, -1, NO_CHILD);
        this.cell(begin, column);
        hi++;
        // If no item waits, it is the new item alone that is looked at.
        this.appendOrigin(lo, Math.min(waits, hi - 1), hi);
        begin = 0;
      }
      this.at++;
      this.cur = hi;
      for (let i = lo; i < hi; i++) {
        const to = this.cellTo[this.itemSet[i] * this.row + column]; // which is known
        if (to !== 0) {
          this.add(to, this.itemOrigin[i], i, NO_CHILD);
        }
      }
    }
    this.at = Math.max(this.at - 1, 0); // the byte that nothing could read was counted
    return false;
  }

  /** Reads on as long as there is one item, and nothing begins or ends. */
  readAlone() {
    const { bytes, cur, row, cellTo, cellAct } = this;
    const { classes } = this.tables;
    let set = this.itemSet[cur];
    let { at } = this;
    while (at < bytes.length) {
      const cell = set * row + classes[bytes[at]];
      if (cellAct[cell] !== 0 || cellTo[cell] === 0) {
        break;
      }
      set = cellTo[cell];
      at++;
    }
    this.steps += at - this.at;
    this.itemSet[cur] = set;
    this.itemAt[cur] = at;
    this.at = at;
  }

  /**
   * Goes on in all items that wait for a production that began at an origin and ends as an item does.
   * @param {number} kind
   * @param {number} origin
   * @param {number} by
   * @param {number} column
   */
  complete(kind, origin, by, column) {
    for (;;) {
      const lo = this.originLow[origin];
      const hi = this.originHigh[origin];
      this.steps += hi - lo;
      let next = 0; // the production that ends with this one, of which no item is made
      for (let i = lo; i < hi; i++) {
        const to = this.after(this.itemSet[i], kind);
        if (to === 0) {
          continue;
        }
        const cell = this.cell(to, column);
        if (this.cellTo[cell] === 0 && this.cellAct[cell] === 0) {
          continue;
        }
        if (hi - lo === 1 && this.cellTo[cell] === 0 && !this.tree) {
          next = this.passes(this.cellAct[cell], this.itemOrigin[i]);
          if (next !== 0) {
            origin = this.itemOrigin[i];
            continue;
          }
        }
        this.add(to, this.itemOrigin[i], i, by);
      }
      if (next === 0) {
        return;
      }
      kind = next;
      this.noteEnd(kind, origin, by);
    }
  }

  /**
   * Returns the production that ends, if an item that began at an origin does nothing but end one, or
   * 0. Without a tree nothing goes back to such an item, so that none is made. Each origin is passed
   * once at a place: what ends there in a second way gets its item, by which it is known the third time.
   * @param {number} act
   * @param {number} origin
   * @returns {number}
   */
  passes(act, origin) {
    const { done, begin } = this.acts[act];
    const passed = this.originPassed[origin] === this.at + 1;
    if (begin !== 0 || done.length !== 1 || this.tables.cyclic[done[0]] || passed) {
      return 0;
    }
    this.originPassed[origin] = this.at + 1;
    return done[0];
  }

  /**
   * Adds an item to ends if the input ends with it.
   * @param {number} kind
   * @param {number} origin
   * @param {number} item
   */
  noteEnd(kind, origin, item) {
    if (this.at === this.bytes.length && origin === 0 && kind === this.start) {
      this.ends.push(item);
    }
  }

  /**
   * Returns the productions that end in an item.
   * @param {number} i
   * @returns {number[]}
   */
  doneIn(i) {
    return this.acts[this.cellAct[this.cell(this.itemSet[i], this.classAt(this.itemAt[i]))]].done;
  }
}

/**
 * Orders numbers.
 * @param {number} a
 * @param {number} b
 */
export function ascending(a, b) {
  return a - b;
}

/**
 * Returns the call of a production, or null. Calls are in the order of kinds.
 * @param {Call[]} calls
 * @param {number} kind
 * @returns {Call | null}
 */
export function callOf(calls, kind) {
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (calls[middle].kind < kind) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < calls.length && calls[low].kind === kind ? calls[low] : null;
}

/**
 * Returns a hash of an item.
 * @param {number} set
 * @param {number} origin
 * @returns {number}
 */
function slotOf(set, origin) {
  return Math.imul(Math.imul(set, 0x9e3779b1) ^ Math.imul(origin, 0x85ebca77), 0xc2b2ae35) >>> 7;
}

/**
 * Returns numbers with room for so many.
 * @param {Int32Array} numbers
 * @param {number} room
 */
export function withRoom(numbers, room) {
  const more = new Int32Array(room);
  more.set(numbers);
  return more;
}

/**
 * Returns for each node of a graph, given by the successors of each, the number of the cycles that it is on: 0 if no
 * path leads from it back to itself, and the same number as others if a path leads to them and back. It finds the
 * strongly connected components in linear time, as R. Tarjan does in "Depth-First Search and Linear Graph
 * Algorithms", 1972, but without recursion.
 * @param {number[][]} next
 * @returns {number[]}
 */
export function onCycles(next) {
  const cycles = next.map(() => 0);
  /** It is a successor of itself. */
  const itself = next.map(() => false);
  /** In the order of the search, from 1; 0 if it was not met, Infinity if its component is complete. */
  const number = next.map(() => 0);
  /** The lowest number that is known to be in the same component. */
  const lowest = next.map(() => 0);
  /** How many of the successors are left to look at. */
  const left = next.map((list) => list.length);
  /** @type {number[]} */
  const path = [];
  /** @type {number[]} those whose component is not complete */
  const open = [];
  let met = 0;
  /** @param {number} node */
  const enter = (node) => {
    met++;
    number[node] = met;
    lowest[node] = met;
    path.push(node);
    open.push(node);
  };
  for (let root = 0; root < next.length; root++) {
    if (number[root] === 0) {
      enter(root);
    }
    while (path.length > 0) {
      const node = path[path.length - 1];
      if (left[node] > 0) {
        left[node]--;
        const to = next[node][left[node]];
        itself[node] ||= to === node;
        if (number[to] === 0) {
          enter(to);
        } else {
          lowest[node] = Math.min(lowest[node], number[to]);
        }
        continue;
      }
      path.pop();
      if (path.length > 0) {
        const around = path[path.length - 1];
        lowest[around] = Math.min(lowest[around], lowest[node]);
      }
      if (lowest[node] < number[node]) {
        continue;
      }
      const members = open.splice(open.lastIndexOf(node));
      for (const member of members) {
        if (itself[member] || members.length > 1) {
          cycles[member] = lowest[node];
        }
        number[member] = Infinity;
      }
    }
  }
  return cycles;
}
