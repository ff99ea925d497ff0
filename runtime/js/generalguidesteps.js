// What a list of threads does next, decided once and kept in tables which grow as inputs need them, as those
// of an automaton that is made deterministic lazily. generalguided.js says what threads and groups are. It
// is ast/generalguidesteps.go.
//
// A list of threads is a row of a table. Its cells say what to do at each class of bytes, and at the end of
// the input: a move. If the next byte alone does not decide, the cell refers to the set of states from which
// the rest of the input can be read (generalguidesets.js), and the row has a move for each set.
//
// A move from 0 on only reads a byte, and is the row of the next list: where its first cell is. Others are
// below 0: one of those that have a name, or a step, which does more.

import { GeneralTables } from './general.js';
import { afterCall, Guide, GUIDE_BYTE, GUIDE_CALL, GUIDE_CHOICE, GUIDE_END, READ_NOTHING } from './generalguide.js';
import { GuideSets, hasState, NO_SET } from './generalguidesets.js';

/** It is not decided yet. */
export const UNDECIDED_MOVE = -1;

/** No thread can go on. */
export const DEAD_MOVE = -2;

/** No thread can go on, but some were dropped in the same step. */
export const LOST_MOVE = -3;

/** The set decides. */
export const ASK_MOVE = -4;

/** Step 0; the moves below are the following ones. */
export const FIRST_STEP = -5;

/** How a step ends: it reads a byte. */
export const STEP_READS = 0;

/** It goes on at the entry of a part. */
export const STEP_CALLS = 1;

/** It ends the part of the innermost frame. */
export const STEP_RETURNS = 2;

/** It ends the start. */
export const STEP_ACCEPTS = 3;

/** Caps the elements that these tables keep, and the threads of a list. */
const GUIDED_KEPT = 1 << 19;
const GUIDED_THREADS = 512;

// Caps the steps for all that is ever decided. Where choices without a frame are inside each other, the places
// that a thread gets to without reading can double with each.
const GUIDED_WORK = 1 << 23;

/** An act changes the tree: it is an operation of a guide, shifted by so many bits, and a kind. */
export const ACT_SHIFT = 24;

/** The bits of an act that are the kind. */
export const ACT_KIND = (1 << ACT_SHIFT) - 1;

/** A pair of numbers, the second below this, is one number. */
const PAIR = 2 ** 20;

/**
 * How a group of threads came about: from which group before, and by which acts, which are an element of
 * actLists.
 * @typedef {{from: number, acts: number}} GuideWay
 */

/**
 * A move that does more than read a byte. It pushes frames, all but the last with one thread, changes the
 * tree, and then does one thing. If it returns, read is READ_NOTHING or READ_SOME. It is plain if there is
 * one group before and after it, and in the frames that it pushes, and dropped says that it drops threads.
 * To is the row after it. Ways are those of the groups after it or, if it calls, of the last frame. A plain step that
 * only changes the tree and reads is simple: most are. The acts are those of the one way of a plain step.
 * @typedef {{does: number, read: number, plain: boolean, dropped: boolean, calls: number[], to: number,
 *   ways: GuideWay[], simple: boolean, acts: number}} GuideStep
 */

/**
 * A list of threads: the place of each and its group, alternating. Groups count from 0 in the order of the
 * list. asked has the moves by set, where sets decide.
 * @typedef {{threads: number[], groups: number, asked: number[]}} GuideRow
 */

/**
 * The threads that called a part together, at the states that call, and how many groups they are.
 * @typedef {{threads: number[], groups: number}} GuideFrame
 */

/**
 * How the threads of a frame go on: the row after the call and, by its groups, the groups that they had at
 * the call. differs is set if the guide is strict, and a thread of another group came to the same place.
 * @typedef {{row: number, from: number[], differs: boolean}} GuideAfter
 */

/**
 * Where a thread gets without reading, and by which way: a place that reads, or that calls or ends a framed
 * part.
 * @typedef {{place: number, from: number, acts: number}} GuideLeaf
 */

/** What was decided. */
export class GuideSteps extends GuideSets {
  /**
   * @param {GeneralTables} tables
   * @param {Guide} guide
   */
  constructor(tables, guide) {
    super(tables, guide);
    // Places: a state of the guide and, as an element of returns, where the part that it is in was called, if
    // that part has no frame.
    /** @type {number[]} */
    this.placeState = [];
    /** @type {number[]} */
    this.placeCall = [];
    /** @type {Map<number, number>} */
    this.placeIndex = new Map();
    // Returns: calls of parts without a frame, the state that calls and the call that this state is in itself.
    // Element 0 stands for no call.
    /** @type {number[]} */
    this.returnState = [0];
    /** @type {number[]} */
    this.returnCall = [0];
    /** @type {Map<number, number>} */
    this.returnIndex = new Map();
    /** @type {GuideRow[]} */
    this.rows = [];
    /** @type {Map<string, number>} */
    this.rowIndex = new Map();
    /** Cells of a row: the classes, and the end of the input. */
    this.stride = tables.width + 1;
    /** The moves, by row and class. */
    this.cells = new Int32Array(1 << 10);
    /** @type {GuideStep[]} */
    this.steps = [];
    /** @type {GuideFrame[]} */
    this.frames = [];
    /** @type {Map<string, number>} */
    this.frameIndex = new Map();
    /** Four for each frame: see afterOf. @type {GuideAfter[]} */
    this.afters = [];
    /** Lists of acts; element 0 is empty. @type {number[][]} */
    this.actLists = [[]];
    /** @type {Map<string, number>} */
    this.actIndex = new Map([['', 0]]);
    /** So many elements are kept. */
    this.kept = 0;
    /** So many steps were taken. */
    this.worked = 0;

    // For a step in the making.
    /** By place: it was visited if this is now. @type {number[]} */
    this.mark = [];
    this.now = 0;
    // By place, of a strict guide: the way of the thread that visited it.
    /** @type {number[]} */
    this.wayFrom = [];
    /** @type {number[]} */
    this.wayActs = [];
    /** A thread came to a place by another way than the first, with other nodes. */
    this.differs = false;
    /** The acts on the way of the thread that is followed. @type {number[]} */
    this.path = [];
    /** @type {GuideLeaf[]} */
    this.leaves = [];

    this.rowOf([]);
    this.cells.fill(DEAD_MOVE, 0, this.stride);
  }

  /**
   * Returns the number of a place.
   * @param {number} state
   * @param {number} call
   * @returns {number}
   */
  placeOf(state, call) {
    const key = call * PAIR + state;
    let place = this.placeIndex.get(key);
    if (place === undefined) {
      place = this.placeState.push(state) - 1;
      this.placeCall.push(call);
      this.mark.push(0);
      this.placeIndex.set(key, place);
      this.keep(4);
    }
    return place;
  }

  /**
   * Returns the number of a call of a part without a frame.
   * @param {number} state
   * @param {number} call
   * @returns {number}
   */
  returnOf(state, call) {
    const key = call * PAIR + state;
    let to = this.returnIndex.get(key);
    if (to === undefined) {
      to = this.returnState.push(state) - 1;
      this.returnCall.push(call);
      this.returnIndex.set(key, to);
    }
    return to;
  }

  /**
   * Returns the list of one thread at the beginning of a part that has a frame.
   * @param {number} part
   * @returns {number[]}
   */
  entryThreads(part) {
    return [this.placeOf(this.guide.parts[part].entry, 0), 0];
  }

  /**
   * Returns the state of a place.
   * @param {number} place
   */
  stateAt(place) {
    return this.guide.states[this.placeState[place]];
  }

  /**
   * Returns the place at a state that follows that of a place in the same part.
   * @param {number} place
   * @param {number} state
   * @returns {number}
   */
  successor(place, state) {
    return this.placeOf(state, this.placeCall[place]);
  }

  /**
   * Returns the row of a list of threads.
   * @param {number[]} threads
   * @returns {number}
   */
  rowOf(threads) {
    const key = threads.join();
    const known = this.rowIndex.get(key);
    if (known !== undefined) {
      return known;
    }
    const row = this.rows.push({ threads, groups: groupsOf(threads), asked: [] }) - 1;
    const from = row * this.stride;
    const to = from + this.stride;
    this.rowIndex.set(key, from);
    while (to > this.cells.length) {
      const more = new Int32Array(2 * this.cells.length);
      more.set(this.cells);
      this.cells = more;
    }
    this.cells.fill(UNDECIDED_MOVE, from, to);
    this.keep(this.stride + threads.length);
    return from;
  }

  /**
   * Returns the list of a row.
   * @param {number} row
   */
  listOf(row) {
    return this.rows[row / this.stride];
  }

  /**
   * Counts what is kept. If that is too much, spent is set.
   * @param {number} elements
   */
  keep(elements) {
    this.kept += elements;
    if (this.kept > GUIDED_KEPT) {
      this.spent = true;
    }
  }

  /**
   * Counts steps. If that is too much, spent is set.
   * @param {number} steps
   */
  work(steps) {
    this.worked += steps;
    if (this.worked > GUIDED_WORK) {
      this.spent = true;
    }
  }

  /**
   * Returns the number of a frame of threads.
   * @param {number[]} threads
   * @returns {number}
   */
  frameOf(threads) {
    const key = threads.join();
    let frame = this.frameIndex.get(key);
    if (frame === undefined) {
      frame = this.frames.push({ threads, groups: groupsOf(threads) }) - 1;
      this.frameIndex.set(key, frame);
      const first = threads.slice(0, 2);
      for (let read = 0; read < 2; read++) {
        this.afters.push(this.afterCalls(threads, read), this.afterCalls(first, read));
      }
      this.keep(2 * threads.length);
    }
    return frame;
  }

  /**
   * Returns the number of how the threads of a frame go on, after they read nothing or something: all of them
   * or, if some was dropped inside the part, the first alone.
   * @param {number} frame
   * @param {number} read
   * @param {boolean} firstAlone
   * @returns {number}
   */
  afterOf(frame, read, firstAlone) {
    return 4 * frame + 2 * read + (firstAlone ? 1 : 0);
  }

  /**
   * Returns how threads that called a part go on after it.
   * @param {number[]} calls
   * @param {number} read
   * @returns {GuideAfter}
   */
  afterCalls(calls, read) {
    /** @type {number[]} */
    const threads = [];
    /** @type {number[]} */
    const from = [];
    let differs = false;
    for (let i = 0; i < calls.length; i += 2) {
      this.work(1 + (threads.length >> 4));
      const state = afterCall(this.stateAt(calls[i]), read);
      const to = this.successor(calls[i], state);
      if (state === 0) {
        continue;
      }
      let group = from.indexOf(calls[i + 1]);
      const first = indexOfPlace(threads, to);
      if (first >= 0) {
        differs ||= this.guide.strict && threads[first + 1] !== group;
        continue;
      }
      if (group < 0) {
        group = from.push(calls[i + 1]) - 1;
      }
      threads.push(to, group);
    }
    return { row: this.rowOf(threads), from, differs };
  }

  /**
   * Returns the number of the list of acts on the path.
   * @returns {number}
   */
  actsOfPath() {
    const key = this.path.join();
    let acts = this.actIndex.get(key);
    if (acts === undefined) {
      acts = this.actLists.push(this.path.slice()) - 1;
      this.actIndex.set(key, acts);
      this.keep(this.path.length);
    }
    return acts;
  }

  /**
   * Returns the move of a row at a place, by its class or, if that does not decide, by the set of the place.
   * It is never ASK_MOVE, and UNDECIDED_MOVE only if spent is set or there is no set. The input is as in setAt.
   * @param {string} text
   * @param {Uint8Array | null} bytes
   * @param {number} at
   * @param {number} row
   * @param {number} column
   * @returns {number}
   */
  findMove(text, bytes, at, row, column) {
    let move = this.cells[row + column];
    if (move === UNDECIDED_MOVE) {
      move = this.decide(row, this.possible(column), true);
      this.cells[row + column] = move;
    }
    if (move === ASK_MOVE) {
      const set = this.setAt(text, bytes, at);
      move = set === NO_SET ? UNDECIDED_MOVE : this.moveBySet(row, set);
    }
    return this.spent ? UNDECIDED_MOVE : move;
  }

  /**
   * Returns the move of a row where a set decides.
   * @param {number} row
   * @param {number} set
   * @returns {number}
   */
  moveBySet(row, set) {
    const { asked } = this.listOf(row);
    if (asked.length <= set) {
      this.keep(set + 1 - asked.length);
    }
    while (asked.length <= set) {
      asked.push(UNDECIDED_MOVE);
    }
    if (asked[set] === UNDECIDED_MOVE) {
      asked[set] = this.decide(row, this.sets[set], false);
    }
    return asked[set];
  }

  /**
   * Returns the move of a row where the states in a set are possible. With asks set it returns ASK_MOVE if
   * there would be more groups after it, or if threads would be dropped. If the guide is strict, a thread is given
   * up only for one with the same nodes; otherwise it returns LOST_MOVE.
   *
   * Each thread is followed to its leaves. What the first leaf does decides: those that can do the same go on
   * with it, and the others are dropped. A step does not end with a call that one thread makes alone, nor with
   * the end of such a call in which nothing was read. It follows that thread on, so that most steps read a
   * byte.
   * @param {number} row
   * @param {Uint32Array} possible
   * @param {boolean} asks
   * @returns {number}
   */
  decide(row, possible, asks) {
    const list = this.listOf(row);
    const most = Math.max(list.groups, 1);
    let { threads } = list;
    /** @type {GuideStep} */
    const step = {
      does: STEP_READS, read: 0, plain: list.groups === 1, dropped: false, calls: [], to: 0, ways: [],
      simple: false, acts: 0,
    };
    this.path = [];
    this.differs = false;
    for (;;) {
      this.findLeaves(threads, possible);
      if (this.leaves.length === 0) {
        return step.dropped ? LOST_MOVE : DEAD_MOVE;
      }
      const leaf = this.leaves[0];
      const first = this.stateAt(leaf.place);
      const { joined, dropped } = this.joinLeaves(step);
      if (asks && (dropped || step.ways.length > most)) {
        return ASK_MOVE;
      }
      step.dropped ||= dropped;
      if (first.op === GUIDE_BYTE) {
        this.endByReading(step, joined);
      }
      if (this.guide.strict && (step.dropped || this.differs)) {
        return asks ? ASK_MOVE : LOST_MOVE;
      }
      if (first.op === GUIDE_BYTE) {
        return this.addStep(row, step);
      }
      if (first.op === GUIDE_CALL) {
        step.calls.push(this.frameOf(joined));
        threads = this.entryThreads(first.arg);
        if (joined.length > 2) { // more than one thread
          step.does = STEP_CALLS;
          step.to = this.rowOf(threads);
          step.plain &&= step.ways.length === 1;
          return this.addStep(row, step);
        }
      } else { // GUIDE_END
        const frame = step.calls.pop();
        if (frame === undefined) {
          step.does = first.arg === 0 ? STEP_ACCEPTS : STEP_RETURNS;
          step.read = this.guide.readBefore(this.placeState[leaf.place]);
          return this.addStep(row, step);
        }
        // The step itself called the part. It has read nothing since, and one thread called.
        const [call] = this.frames[frame].threads;
        threads = [this.successor(call, afterCall(this.stateAt(call), READ_NOTHING)), 0];
      }
      // One thread goes on, with what was done on the way of the first leaf.
      threads[1] = leaf.from;
      this.path = this.actLists[leaf.acts].slice();
    }
  }

  /**
   * Sets leaves to those of threads, as far as the states in a set lead to them. What is on the path at the
   * beginning was done by all of them.
   * @param {number[]} threads
   * @param {Uint32Array} possible
   */
  findLeaves(threads, possible) {
    const before = this.path.length;
    this.now++;
    this.leaves = [];
    for (let i = 0; i < threads.length; i += 2) {
      this.path.length = before;
      this.follow(threads[i], threads[i + 1], possible);
    }
  }

  /**
   * Adds to leaves those that a thread of a group gets to without reading, in the order of choices, as far as
   * all states on the way are in a set. Parts without a frame are entered and left on the way. It stops where
   * spent is set.
   * @param {number} from
   * @param {number} group
   * @param {Uint32Array} possible
   */
  follow(from, group, possible) {
    const { path } = this;
    const { states, parts, strict } = this.guide;
    // States that are still to be followed, the next one last: each with the call that it is in, and how much
    // of the path leads to it.
    const todo = [this.placeState[from], this.placeCall[from], path.length];
    while (todo.length > 0 && !this.spent) {
      path.length = /** @type {number} */ (todo.pop());
      const call = /** @type {number} */ (todo.pop());
      const q = /** @type {number} */ (todo.pop());
      if (!hasState(possible, q)) {
        continue;
      }
      const place = this.placeOf(q, call);
      if (strict) {
        const acts = this.actsOfPath();
        if (this.mark[place] !== this.now) {
          this.wayFrom[place] = group;
          this.wayActs[place] = acts;
        } else if (this.wayFrom[place] !== group || this.wayActs[place] !== acts) {
          this.differs = true;
        }
      }
      if (this.mark[place] === this.now) {
        continue;
      }
      this.mark[place] = this.now;
      this.work(1 + (path.length >> 4));
      const state = states[q];
      if (state.op === GUIDE_CHOICE) {
        for (let i = state.next.length - 1; i >= 0; i--) {
          todo.push(state.next[i], call, path.length);
        }
      } else if (state.op === GUIDE_CALL && !parts[state.arg].framed) {
        todo.push(state.next[0], this.returnOf(q, call), path.length);
      } else if (state.op === GUIDE_END && !parts[state.arg].framed) {
        const caller = states[this.returnState[call]];
        todo.push(afterCall(caller, this.guide.readBefore(q)), this.returnCall[call], path.length);
      } else if (state.op === GUIDE_BYTE || state.op === GUIDE_CALL || state.op === GUIDE_END) {
        this.leaves.push({ place, from: group, acts: this.actsOfPath() });
      } else { // an act
        path.push((state.op << ACT_SHIFT) | state.arg);
        todo.push(state.next[0], call, path.length);
      }
    }
  }

  /**
   * Returns the threads that go on together: those of the first leaf, and of the following ones up to the
   * first that does something else. It sets the ways of a step to how their groups came about. dropped says
   * that leaves are left over.
   * @param {GuideStep} step
   * @returns {{joined: number[], dropped: boolean}}
   */
  joinLeaves(step) {
    const { leaves } = this;
    const first = this.stateAt(leaves[0].place);
    /** @type {number[]} */
    const joined = [];
    step.ways = [];
    for (const { place, from, acts } of leaves) {
      const state = this.stateAt(place);
      // Both read, or both call the same part. Of those that end a part in the same way only the first is a
      // leaf, since all come to the same place.
      const joins = state.op === first.op &&
        (state.op === GUIDE_BYTE || (state.op === GUIDE_CALL && state.arg === first.arg));
      if (joined.length > 0 && !joins) {
        return { joined, dropped: true };
      }
      this.work(1 + (step.ways.length >> 4));
      let group = step.ways.findIndex((way) => way.from === from && way.acts === acts);
      if (group < 0) {
        group = step.ways.push({ from, acts }) - 1;
      }
      joined.push(place, group);
    }
    return { joined, dropped: false };
  }

  /**
   * Lets a step end with a byte that some threads read. Of threads that come to the same place the first
   * stays. Groups that have none left are left out, and the others numbered anew.
   * @param {GuideStep} step
   * @param {number[]} threads
   */
  endByReading(step, threads) {
    const { ways } = step;
    step.ways = [];
    if (threads.length > 2 * GUIDED_THREADS) {
      threads.length = 2 * GUIDED_THREADS;
      step.dropped = true;
    }
    /** @type {number[]} */
    const after = [];
    /** By group, its new number. @type {Map<number, number>} */
    const groups = new Map();
    for (let i = 0; i < threads.length; i += 2) {
      const place = this.successor(threads[i], this.stateAt(threads[i]).next[0]);
      let group = groups.get(threads[i + 1]);
      const first = indexOfPlace(after, place);
      if (first >= 0) {
        this.differs ||= after[first + 1] !== group;
        continue;
      }
      if (group === undefined) {
        group = step.ways.push(ways[threads[i + 1]]) - 1;
        groups.set(threads[i + 1], group);
      }
      after.push(place, group);
    }
    step.does = STEP_READS;
    step.to = this.rowOf(after);
    step.plain &&= step.ways.length === 1;
  }

  /**
   * Returns a step of a row as a move.
   * @param {number} row
   * @param {GuideStep} step
   * @returns {number}
   */
  addStep(row, step) {
    if (onlyReads(step, this.listOf(row).groups)) {
      return step.to;
    }
    this.keep(step.ways.length + step.calls.length + 4);
    if (step.plain) {
      step.simple = step.does === STEP_READS && step.calls.length === 0 && !step.dropped;
      step.acts = step.ways[0].acts;
    }
    return FIRST_STEP - (this.steps.push(step) - 1);
  }
}

/**
 * Reports whether a step of so many groups does nothing but read: it does not change the tree, and each group
 * stays and keeps its number.
 * @param {GuideStep} step
 * @param {number} groups
 * @returns {boolean}
 */
function onlyReads(step, groups) {
  return step.does === STEP_READS && step.calls.length === 0 && !step.dropped && step.ways.length === groups &&
    step.ways.every((way, i) => way.from === i && way.acts === 0);
}

/**
 * Returns the index of the thread at a place, or -1.
 * @param {number[]} threads
 * @param {number} place
 * @returns {number}
 */
function indexOfPlace(threads, place) {
  for (let i = 0; i < threads.length; i += 2) {
    if (threads[i] === place) {
      return i;
    }
  }
  return -1;
}

/**
 * Returns the number of groups of threads.
 * @param {number[]} threads
 * @returns {number}
 */
function groupsOf(threads) {
  let groups = 0;
  for (let i = 1; i < threads.length; i += 2) {
    groups = Math.max(groups, threads[i] + 1);
  }
  return groups;
}
