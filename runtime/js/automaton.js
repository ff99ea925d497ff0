// A parser as tables, for productions that do not nest: the grammar with its productions put in where
// they are used, as an automaton whose choices are in the order of preference.
//
// The parser follows all ways that are possible. It keeps the list of the states they have come to,
// the preferred first, and where two ways come to one state, the preferred one; so at the end of
// the input the first state that accepts has the tree that the rule chooses. States up to which the
// same nodes began and ended are one group. As long as there is one group, its nodes are written at
// once. Where there are more, the parser keeps how each came from those before until one is left,
// and goes back along that. Lists are kept as the states of a deterministic automaton, which is made
// as inputs need it: so time is linear in the input, and mostly one look at a table for a byte.
//
// It is the parser of ast/automaton.go, step for step.

import { NodeList } from './nodes.js';
import { OP_ACT, OP_BYTE, OP_CHOICE, OP_END } from './states.js';

/** The actions that open no node, but for 0xffff, which marks the innermost one. */
const CLOSE = 0;
const CLOSE_TO = 0xfffe;

/** Stands for a row that is not made. */
const UNKNOWN = -1;

/** Caps on the cells, and on the elements of hows and actions, that are kept. */
const MOST_CELLS = 1 << 18;
const MOST_HOWS = 1 << 14;

/**
 * The states of an automaton: see States. There may be more of them, and other classes, once a start was asked for.
 * @typedef {{classes: Uint8Array, width: number, members: Uint8Array, ops: ArrayLike<number>, args: ArrayLike<number>,
 *   next: number[][], startOf(kind: number): number}} AutomatonStates
 */

/**
 * How a group goes on: which one it was before, and what is done.
 * @typedef {{from: number, action: number}} Way
 */

/** A deterministic automaton in the making, and the tree of one input. */
export class Automaton {
  /** @param {() => AutomatonStates} makeStates is called when the first production is asked for */
  constructor(makeStates) {
    this.makeStates = makeStates;
    /** @type {AutomatonStates | null} */
    this.states = null;
    /** The classes that rows are made for. @type {Uint8Array} */
    this.classes = new Uint8Array(0);
    this.width = 0;
    /** By cell, a row and a class: the row of the list behind it. Row 0 is dead. */
    this.next = new Int32Array(1 << 10);
    /** By cell: an action, if there is one group before and after, and else 0 or minus an element of hows. */
    this.how = new Int32Array(1 << 10);
    this.cells = 0;
    /** By row: states and their groups, alternating. @type {number[][]} */
    this.lists = [];
    /** @type {Map<string, number>} */
    this.index = new Map();
    /** By kind: the row in which it begins. @type {(number | undefined)[]} */
    this.startRows = [];
    /** Element 0 is empty: nothing changes. @type {Way[][]} */
    this.hows = [[]];
    /** @type {Map<string, number>} */
    this.howIndex = new Map();
    /** Action 0 is none. @type {number[][]} */
    this.actions = [[]];
    /** @type {Map<string, number>} */
    this.actionIndex = new Map([['', 0]]);

    // For a cell that is being made.
    /** @type {number[]} */
    this.threads = [];
    /** @type {Way[]} */
    this.ways = [];
    /** @type {number[]} */
    this.acts = [];
    this.mark = 0;
    this.passed = new Int32Array(0);
    this.behind = new Int32Array(0);

    // Of the tree that is made. While a node is open, its next is the node around it, and its end the
    // number of its marks.
    this.nodes = new NodeList();
    this.top = -1;
    this.since = -1;
    /** How each byte was read from since on. */
    this.record = new Int32Array(64);
    /** What make stored in how last. */
    this.madeHow = 0;
  }

  /**
   * Makes ready for a production, and returns the state in which it begins, 0 if it has none.
   * @param {number} kind
   * @returns {number}
   */
  open(kind) {
    this.states ??= this.makeStates();
    const { states } = this;
    const start = states.startOf(kind);
    if (this.classes !== states.classes) {
      this.classes = states.classes;
      this.width = states.width;
      this.forget(true);
    }
    if (this.passed.length < states.ops.length) {
      this.passed = new Int32Array(states.ops.length);
      this.behind = new Int32Array(states.ops.length);
    }
    return start;
  }

  /**
   * Reports whether the tables derive a production.
   * @param {number} kind
   * @returns {boolean}
   */
  has(kind) {
    return this.open(kind) !== 0;
  }

  /**
   * Reports whether a production derives bytes.
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @returns {boolean}
   */
  accepts(kind, bytes) {
    let row = this.begin(kind, this.open(kind));
    const { classes } = this;
    let { next } = this;
    for (let i = 0; i < bytes.length; i++) {
      const column = classes[bytes[i]];
      let to = next[row + column];
      if (to === UNKNOWN) {
        to = this.make(row, column);
        next = this.next;
      }
      row = to;
      if (row === 0) {
        return false;
      }
    }
    const to = next[row + this.width];
    return (to === UNKNOWN ? this.make(row, this.width) : to) !== 0;
  }

  /**
   * Appends the nodes of a part of bytes as derived by a production, root first, and reports whether it
   * derives that part. If it does not, the list is as it was.
   * @param {NodeList} nodes
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @param {number} from
   * @param {number} to
   * @returns {boolean}
   */
  parse(nodes, kind, bytes, from, to) {
    const start = this.open(kind);
    const before = nodes.length;
    this.nodes = nodes;
    this.top = -1;
    const ok = this.run(this.begin(kind, start), bytes, from, to);
    if (!ok) {
      nodes.length = before;
    }
    return ok;
  }

  /**
   * Makes ready for an input, and returns the row of the state in which a production begins.
   * @param {number} kind
   * @param {number} start
   * @returns {number}
   */
  begin(kind, start) {
    this.since = -1;
    if (Math.max(this.hows.length, this.actions.length) > MOST_HOWS) {
      this.forget(true);
    }
    let row = this.startRows[kind];
    if (row === undefined) {
      this.threads = [start, 0];
      row = this.rowOfThreads();
      this.startRows[kind] = row;
    }
    return row;
  }

  /**
   * Drops the lists and, if all is true, what cells refer to.
   * @param {boolean} all
   */
  forget(all) {
    if (all) {
      this.hows = [[]];
      this.howIndex = new Map();
      this.actions = [[]];
      this.actionIndex = new Map([['', 0]]);
    }
    this.cells = 0;
    this.lists = [];
    this.index = new Map();
    this.startRows = [];
    const { threads } = this;
    this.threads = [];
    this.rowOfThreads();
    this.threads = threads;
    this.next.fill(0, 0, this.cells); // the dead row leads nowhere
  }

  /**
   * Returns the row of the list that is in threads.
   * @returns {number}
   */
  rowOfThreads() {
    const key = this.threads.join();
    const known = this.index.get(key);
    if (known !== undefined) {
      return known;
    }
    const row = this.cells;
    this.index.set(key, row);
    this.lists.push(this.threads);
    this.cells += this.width + 1;
    while (this.cells > this.next.length) {
      this.next = doubled(this.next);
      this.how = doubled(this.how);
    }
    this.next.fill(UNKNOWN, row, this.cells);
    this.how.fill(0, row, this.cells);
    return row;
  }

  /**
   * Computes the cell of a row and a class, stores it in next and how, and returns what is in next.
   * Of more than MOST_CELLS cells it forgets all rows first, so the caller must load next and how
   * again. A cell that leaves every group as it is and does nothing has how 0.
   * @param {number} row
   * @param {number} column
   * @returns {number}
   */
  make(row, column) {
    const from = this.lists[row / (this.width + 1)];
    if (this.cells > MOST_CELLS) {
      this.forget(this.since < 0);
      this.threads = from;
      row = this.rowOfThreads();
    }
    this.mark++;
    this.threads = [];
    this.ways = [];
    let groups = 0;
    for (let i = 0; i < from.length; i += 2) {
      this.acts.length = 0;
      this.reach(from[i], from[i + 1], column);
      groups = Math.max(groups, from[i + 1] + 1);
    }
    let idle = this.ways.length > 1 || groups === 1;
    let key = '';
    this.ways.forEach((way, i) => {
      idle = idle && way.from === i && way.action === 0;
      key += `${way.from},${way.action},`;
    });
    let how = 0;
    if (groups === 1 && this.ways.length === 1) {
      how = this.ways[0].action;
    } else if (!idle && this.ways.length > 0) {
      const known = this.howIndex.get(key) ?? this.hows.push(this.ways) - 1;
      this.howIndex.set(key, known);
      how = -known;
    }
    const to = this.threads.length > 0 ? this.rowOfThreads() : 0;
    this.next[row + column] = to;
    this.how[row + column] = how;
    this.madeHow = how;
    return to;
  }

  /**
   * Adds what a state leads to by a byte of the class.
   * @param {number} state
   * @param {number} group
   * @param {number} column
   */
  reach(state, group, column) {
    if (this.passed[state] === this.mark) {
      return;
    }
    this.passed[state] = this.mark;
    const states = /** @type {AutomatonStates} */ (this.states);
    const next = states.next[state];
    switch (states.ops[state]) {
      case OP_END:
        if (column === this.width) {
          this.arrive(state, group);
        }
        break;
      case OP_BYTE:
        if (column < this.width && states.members[states.args[state] * this.width + column] !== 0) {
          this.arrive(next[0], group);
        }
        break;
      case OP_CHOICE:
        for (const to of next) {
          this.reach(to, group, column);
        }
        break;
      case OP_ACT:
        this.acts.push(states.args[state]);
        this.reach(next[0], group, column);
        this.acts.pop();
        break;
    }
  }

  /**
   * Adds a state to the list in the making, unless it is there.
   * @param {number} state
   * @param {number} group
   */
  arrive(state, group) {
    if (this.behind[state] === this.mark) {
      return;
    }
    this.behind[state] = this.mark;
    const key = this.acts.join();
    let action = this.actionIndex.get(key);
    if (action === undefined) {
      action = this.actions.push(this.acts.slice()) - 1;
      this.actionIndex.set(key, action);
    }
    let way = this.ways.findIndex((w) => w.from === group && w.action === action);
    if (way < 0) {
      way = this.ways.push({ from: group, action }) - 1;
    }
    this.threads.push(state, way);
  }

  /**
   * Reads a part of bytes from a row, and reports whether it is derived. As long as there is one group
   * (since < 0) it performs actions at once. With more, it records how each byte was read, and leaves
   * the actions to decide, as soon as one group is left or the input ends.
   * @param {number} row
   * @param {Uint8Array} bytes
   * @param {number} from
   * @param {number} end
   * @returns {boolean}
   */
  run(row, bytes, from, end) {
    const { classes } = this;
    let { next, how } = this;
    for (let i = from; i < end; i++) {
      const column = classes[bytes[i]];
      let h = how[row + column];
      let to = next[row + column];
      if (to === UNKNOWN) {
        to = this.make(row, column);
        h = this.madeHow;
        next = this.next;
        how = this.how;
      }
      row = to;
      if (row === 0) {
        return false;
      }
      if (this.since < 0) {
        if (h === 0) {
          continue;
        }
        if (h > 0) {
          this.act(h, i);
          continue;
        }
        this.since = i;
        if (this.record.length < end - i) {
          this.record = new Int32Array((end - i) + ((end - i) >> 2));
        }
      }
      this.record[i - this.since] = h;
      if (h < 0 && this.hows[-h].length === 1) {
        this.decide(i + 1, 0);
      }
    }
    const at = row + this.width;
    let to = next[at];
    let h = how[at];
    if (to === UNKNOWN) {
      to = this.make(row, this.width);
      h = this.madeHow;
    }
    if (to === 0) {
      return false;
    }
    if (h >= 0) { // of one group
      this.act(h, end);
      return this.top < 0;
    }
    const last = this.hows[-h][0];
    if (this.since >= 0) {
      this.decide(end, last.from);
    }
    this.act(last.action, end);
    return this.top < 0;
  }

  /**
   * Performs the actions since this.since that lead to a group of those at i, and sets this.since to
   * -1. It goes back from i to find the ways, and then forward to perform them.
   * @param {number} i
   * @param {number} group
   */
  decide(i, group) {
    const { record, since } = this;
    for (let k = i - since - 1; k >= 0; k--) {
      const h = record[k];
      if (h !== 0) {
        const way = this.hows[-h][group];
        record[k] = way.action;
        group = way.from;
      }
    }
    for (let k = 0; k < i - since; k++) {
      if (record[k] !== 0) {
        this.act(record[k], since + k);
      }
    }
    this.since = -1;
  }

  /**
   * Performs an action before the byte at i. What closes a node, as most do, is written out for speed.
   * @param {number} action
   * @param {number} i
   */
  act(action, i) {
    const { nodes } = this;
    const list = this.actions[action];
    let { room } = nodes;
    let { top } = this;
    for (let n = 0; n < list.length; n++) {
      const k = list[n];
      if (k === CLOSE) {
        if (top >= 0) {
          const at = 4 * top;
          top = room[at + 3];
          room[at + 2] = i;
          room[at + 3] = nodes.length;
        }
      } else if (k < CLOSE_TO) {
        nodes.push(k, i, 0, top);
        room = nodes.room;
        top = nodes.length - 1;
      } else if (k === CLOSE_TO) {
        this.top = top;
        this.closeTo(i);
        top = this.top;
      } else if (top >= 0) { // a mark
        room[4 * top + 2]++;
      }
    }
    this.top = top;
  }

  /**
   * Ends the innermost open node at i. It does nothing if none is open.
   * @param {number} i
   */
  close(i) {
    const { top, nodes } = this;
    if (top < 0) {
      return;
    }
    const { room } = nodes;
    const at = 4 * top;
    this.top = room[at + 3];
    room[at + 2] = i;
    room[at + 3] = nodes.length;
  }

  /**
   * Ends the nodes up to the one that was marked last at i, and removes that mark.
   * @param {number} i
   */
  closeTo(i) {
    const { room } = this.nodes;
    while (this.top >= 0 && room[4 * this.top + 2] === 0) {
      this.close(i);
    }
    if (this.top >= 0) {
      room[4 * this.top + 2]--;
    }
  }
}

/**
 * Returns numbers with room for twice as many.
 * @param {Int32Array} numbers
 */
function doubled(numbers) {
  const more = new Int32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}
