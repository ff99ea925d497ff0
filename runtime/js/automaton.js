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

import { HIGHEST_BYTE } from './encoding.js';
import { NodeList } from './nodes.js';
import { CLOSE, CLOSE_TO, OP_ACT, OP_BYTE, OP_CHOICE, OP_END } from './states.js';

/** Stands for a row that is not made. */
const UNKNOWN = -1;

/** In how: the cell leads nowhere, or is not made. These elements of hows are empty. */
const NOWHERE = -1;
const UNMADE = -2;

/** Caps on the cells, and on the elements of hows and actions, that are kept. */
const MOST_CELLS = 1 << 18;
const MOST_HOWS = 1 << 14;

/**
 * The states of an automaton: see States. There may be more of them once startOf or after was asked.
 * @typedef {{classes: ArrayLike<number>, width: number, members: ArrayLike<number>, ops: ArrayLike<number>,
 *   args: ArrayLike<number>, next: number[][], startOf(kind: number): number, after(state: number): number,
 * }} AutomatonStates
 */

/**
 * How a group goes on: which one it was before, and what is done.
 * @typedef {{from: number, action: number}} Way
 */

/** A deterministic automaton in the making, and the tree of one input. */
export class Automaton {
  /** Is called when the first production is asked for. @type {() => AutomatonStates} */
  #makeStates;
  /** @type {AutomatonStates | null} */
  #states = null;
  /** Those of the states. @type {ArrayLike<number>} */
  #classes = [];
  #width = 0;
  /** By cell, a row and a class: the row of the list after it. Row 0 is dead. */
  #next = new Int32Array(1 << 10);
  /**
   * By cell: 0 if every group stays as it is and nothing is done; an action, if there is one group before and after;
   * and else minus an element of hows, NOWHERE or UNMADE. So most cells need one question.
   */
  #how = new Int32Array(1 << 10);
  #cells = 0;
  /** By row: states and their groups, alternating. @type {number[][]} */
  #lists = [];
  /** @type {Map<string, number>} */
  #index = new Map();
  /** By kind: the row in which it begins. @type {(number | undefined)[]} */
  #startRows = [];
  /** Those up to that of UNMADE are empty. @type {Way[][]} */
  #hows = [[], [], []];
  /** @type {Map<string, number>} */
  #howIndex = new Map();
  /** Action 0 is none. @type {number[][]} */
  #actions = [[]];
  /** @type {Map<string, number>} */
  #actionIndex = new Map([['', 0]]);

  // For a cell that is being made.
  /** @type {number[]} */
  #threads = [];
  /** @type {Way[]} */
  #ways = [];
  /** @type {number[]} */
  #acts = [];
  #mark = 0;
  /** By state: it was passed if this is mark. @type {number[]} */
  #passed = [];
  /** By state: it is in threads if this is mark. @type {number[]} */
  #arrived = [];

  /** How each byte was read since there is more than one group. */
  #record = new Int32Array(64);
  /** What make stored in how last. */
  #madeHow = 0;

  /** @param {() => AutomatonStates} makeStates */
  constructor(makeStates) {
    this.#makeStates = makeStates;
  }

  /**
   * Reports whether a production derives bytes, or signs if the states read these.
   * @param {number} kind
   * @param {ArrayLike<number>} bytes
   * @returns {boolean}
   */
  accepts(kind, bytes) {
    let row = this.#begin(kind);
    const classes = this.#classes;
    let next = this.#next;
    for (let i = 0; i < bytes.length; i++) {
      const column = classes[bytes[i]];
      let to = next[row + column];
      if (to === UNKNOWN) {
        to = this.#make(row, column, true);
        next = this.#next;
      }
      row = to;
      if (row === 0) {
        return false;
      }
    }
    const to = next[row + this.#width];
    return (to === UNKNOWN ? this.#make(row, this.#width, true) : to) !== 0;
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
    return this.#run(nodes, this.#begin(kind), '', bytes, from, to);
  }

  /**
   * Is parse for a string, of which no bytes are made. It returns false as well where the string has a character that
   * is not one byte.
   * @param {NodeList} nodes
   * @param {number} kind
   * @param {string} text
   * @returns {boolean}
   */
  parseText(nodes, kind, text) {
    return this.#run(nodes, this.#begin(kind), text, null, 0, text.length);
  }

  /**
   * Makes ready for an input, and returns the row of the state in which a production begins; that is one that leads
   * nowhere if it has none.
   * @param {number} kind
   * @returns {number}
   */
  #begin(kind) {
    if (this.#states === null) {
      this.#states = this.#makeStates();
      this.#classes = this.#states.classes;
      this.#width = this.#states.width;
    }
    const isNew = this.#lists.length === 0; // without the dead row
    if (isNew || Math.max(this.#hows.length, this.#actions.length) > MOST_HOWS) {
      this.#forget(true);
    }
    let row = this.#startRows[kind];
    if (row === undefined) {
      this.#threads = [this.#states.startOf(kind), 0];
      row = this.#rowOfThreads();
      this.#startRows[kind] = row;
    }
    return row;
  }

  /**
   * Drops the lists and, if all is true, what cells refer to.
   * @param {boolean} all
   */
  #forget(all) {
    if (all) {
      this.#hows = [[], [], []];
      this.#howIndex = new Map();
      this.#actions = [[]];
      this.#actionIndex = new Map([['', 0]]);
    }
    this.#cells = 0;
    this.#lists = [];
    this.#index = new Map();
    this.#startRows = [];
    const threads = this.#threads;
    this.#threads = [];
    this.#rowOfThreads();
    this.#threads = threads;
    this.#next.fill(0, 0, this.#cells); // the dead row leads nowhere
  }

  /**
   * Returns the row of the list that is in threads.
   * @returns {number}
   */
  #rowOfThreads() {
    const key = this.#threads.join();
    const known = this.#index.get(key);
    if (known !== undefined) {
      return known;
    }
    const row = this.#cells;
    this.#index.set(key, row);
    this.#lists.push(this.#threads);
    this.#cells += this.#width + 1;
    while (this.#cells > this.#next.length) {
      this.#next = doubled(this.#next);
      this.#how = doubled(this.#how);
    }
    this.#next.fill(UNKNOWN, row, this.#cells);
    this.#how.fill(UNMADE, row, this.#cells);
    return row;
  }

  /**
   * Computes the cell of a row and a class, stores it in next and how, and returns what is in next.
   * Of more than MOST_CELLS cells it forgets all rows first, so the caller must load next and how
   * again, and actions unless hows are still needed.
   * @param {number} row
   * @param {number} column
   * @param {boolean} all whether it may forget what cells refer to
   * @returns {number}
   */
  #make(row, column, all) {
    const from = this.#lists[row / (this.#width + 1)];
    if (this.#cells > MOST_CELLS) {
      this.#forget(all);
      this.#threads = from;
      row = this.#rowOfThreads();
    }
    this.#mark++;
    this.#threads = [];
    this.#ways = [];
    let groups = 0;
    for (let i = 0; i < from.length; i += 2) {
      this.#acts.length = 0;
      this.#reach(from[i], from[i + 1], column);
      groups = Math.max(groups, from[i + 1] + 1);
    }
    const ways = this.#ways;
    const isIdle = (ways.length > 1 || groups === 1) && ways.every((way, i) => way.from === i && way.action === 0);
    let how = 0;
    if (groups === 1 && ways.length === 1) {
      how = ways[0].action;
    } else if (!isIdle && ways.length > 0) {
      const key = ways.map((way) => [way.from, way.action]).join();
      const known = this.#howIndex.get(key) ?? this.#hows.push(ways) - 1;
      this.#howIndex.set(key, known);
      how = -known;
    }
    let to = 0;
    if (this.#threads.length > 0) {
      to = this.#rowOfThreads();
    } else {
      how = NOWHERE;
    }
    this.#next[row + column] = to;
    this.#how[row + column] = how;
    this.#madeHow = how;
    return to;
  }

  /**
   * Adds what a state leads to by a byte of the class.
   * @param {number} state
   * @param {number} group
   * @param {number} column
   */
  #reach(state, group, column) {
    if (this.#passed[state] === this.#mark) {
      return;
    }
    this.#passed[state] = this.#mark;
    const states = /** @type {AutomatonStates} */ (this.#states);
    const next = states.next[state];
    switch (states.ops[state]) {
      case OP_END:
        if (column === this.#width) {
          this.#arrive(state, group);
        }
        break;
      case OP_BYTE:
        if (column < this.#width && states.members[states.args[state] * this.#width + column] === 1) {
          this.#arrive(states.after(state), group);
        }
        break;
      case OP_CHOICE:
        for (const to of next) {
          this.#reach(to, group, column);
        }
        break;
      case OP_ACT:
        this.#acts.push(states.args[state]);
        this.#reach(next[0], group, column);
        this.#acts.pop();
        break;
    }
  }

  /**
   * Adds a state to the list in the making, unless it is there or leads nowhere.
   * @param {number} state
   * @param {number} group
   */
  #arrive(state, group) {
    if (state === 0 || this.#arrived[state] === this.#mark) {
      return;
    }
    this.#arrived[state] = this.#mark;
    const key = this.#acts.join();
    let action = this.#actionIndex.get(key);
    if (action === undefined) {
      action = this.#actions.push(this.#acts.slice()) - 1;
      this.#actionIndex.set(key, action);
    }
    let way = this.#ways.findIndex((w) => w.from === group && w.action === action);
    if (way < 0) {
      way = this.#ways.push({ from: group, action }) - 1;
    }
    this.#threads.push(state, way);
  }

  /**
   * Is parse from a row, or parseText if bytes is null. As long as there is one group it performs actions at once.
   * With more, it records how each byte was read, and leaves the actions until one group is left, as at the end of the
   * input. What it needs for each byte and each node is in variables.
   * @param {NodeList} nodes
   * @param {number} start
   * @param {string} text
   * @param {Uint8Array | null} bytes
   * @param {number} from
   * @param {number} to
   * @returns {boolean}
   */
  #run(nodes, start, text, bytes, from, to) {
    let row = start | 0; // as integers of 32 bits, they are in registers
    const end = to | 0;
    const classes = this.#classes;
    const width = this.#width;
    const before = nodes.length;
    let next = this.#next;
    let how = this.#how;
    let actions = this.#actions;
    let { room, length } = nodes;
    let top = -1;
    let since = -1; // where more than one group began
    for (let i = from | 0; i <= end; i++) {
      let column = width;
      if (i < end) {
        const c = bytes === null ? text.charCodeAt(i) : bytes[i];
        if (c > HIGHEST_BYTE && bytes === null) {
          nodes.length = before;
          return false;
        }
        column = classes[c];
      }
      const cell = row + column;
      let h = how[cell];
      row = next[cell];
      if (h === 0) {
        if (since >= 0) {
          this.#record[i - since] = 0;
        }
        continue;
      }
      if (h < 0) {
        if (h === UNMADE) {
          row = this.#make(cell - column, column, since < 0) | 0;
          h = this.#madeHow;
          next = this.#next;
          how = this.#how;
          actions = this.#actions;
        }
        if (h === NOWHERE) {
          nodes.length = before;
          return false;
        }
      }
      if (since < 0 && h >= 0) {
        const list = actions[h];
        for (let n = 0; n < list.length; n++) {
          const action = list[n];
          if (action === CLOSE && top >= 0) {
            const at = 4 * top;
            top = room[at + 3];
            room[at + 2] = i;
            room[at + 3] = length;
          } else if (action < CLOSE_TO && 4 * length < room.length) {
            const at = 4 * length;
            room[at] = action;
            room[at + 1] = i;
            room[at + 2] = 0;
            room[at + 3] = top;
            top = length++;
          } else {
            nodes.length = length;
            top = perform(nodes, top, list, n, i);
            ({ room, length } = nodes);
            break;
          }
        }
        continue;
      }
      if (since < 0) {
        since = i;
        this.#makeRecord(end - i);
      }
      this.#record[i - since] = h;
      if (h < 0 && this.#hows[-h].length === 1) {
        nodes.length = length;
        top = this.#decide(nodes, top, since, i);
        ({ room, length } = nodes);
        since = -1;
      }
    }
    nodes.length = top < 0 ? length : before;
    return top < 0;
  }

  /**
   * Makes room to record how more bytes are read.
   * @param {number} count
   */
  #makeRecord(count) {
    if (this.#record.length <= count) {
      this.#record = new Int32Array(count + (count >> 2) + 1);
    }
  }

  /**
   * Performs the actions from a place on up to one at which one group is left, and returns the innermost open node. It
   * goes back to find the way to that group, and then forward.
   * @param {NodeList} nodes
   * @param {number} top
   * @param {number} since
   * @param {number} last
   * @returns {number}
   */
  #decide(nodes, top, since, last) {
    const record = this.#record;
    let group = 0;
    for (let k = last - since; k >= 0; k--) {
      const h = record[k];
      if (h !== 0) {
        const way = this.#hows[-h][group];
        record[k] = way.action;
        group = way.from;
      }
    }
    for (let i = since; i <= last; i++) {
      const action = record[i - since];
      if (action !== 0) {
        top = perform(nodes, top, this.#actions[action], 0, i);
      }
    }
    return top;
  }
}

/**
 * Performs the elements of an action, from one on, before the byte at i, and returns the innermost open node. Of an
 * open node, its next is the node around it, and its end the number of its marks.
 * @param {NodeList} nodes
 * @param {number} top the innermost open node; -1 if none is
 * @param {number[]} list
 * @param {number} from
 * @param {number} i
 * @returns {number}
 */
function perform(nodes, top, list, from, i) {
  for (let n = from; n < list.length; n++) {
    const action = list[n];
    if (action !== CLOSE && action < CLOSE_TO) {
      nodes.push(action, i, 0, top);
      top = nodes.length - 1;
      continue;
    }
    const { room } = nodes;
    let ends = action === CLOSE; // whether the innermost node does
    while (top >= 0 && (ends || (action === CLOSE_TO && room[4 * top + 2] === 0))) {
      const at = 4 * top;
      top = room[at + 3];
      room[at + 2] = i;
      room[at + 3] = nodes.length;
      ends = false;
    }
    if (top >= 0 && action !== CLOSE) {
      room[4 * top + 2] += action === CLOSE_TO ? -1 : 1;
    }
  }
  return top;
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
