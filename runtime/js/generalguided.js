// Parses by a guide (generalguide.js), from left to right and in linear time. It joins two known ideas. The
// guide, read backwards from the end of the input, tells at each place from which states the rest can be
// read: K. Čulik and R. Cohen, "LR-Regular Grammars", 1973. Where that leaves several states, they are
// followed together as long as they call and end the same framed parts at the same places, as an LR parser
// does. It is ast/generalguided.go.
//
// Each state that is followed is a thread. The threads of a list are in the order of the choices that led to
// them, the first choice first. Where two come to one state, the first stays. Threads that have opened and
// closed the same nodes are one group. While there is one group, its nodes are made at once. While there are
// several, steps are written into a log, which is replayed when one group is left.
//
// Why the tree is the right one: a thread from which the rest can be derived is dropped in one case only. That
// is where threads part, because one calls or ends a part and another does not. Then those that go with the
// first one stay, and the others are dropped. So a thread that comes to the end of the input has found a
// derivation, and none stands before it in the order of choices. That is the tree.
//
// In a strict guide the order of choices is another one: see generalguideleft.js. It gives no thread up but for one
// with the same nodes.
//
// Threads that called a part together need care. One that is dropped inside the part may belong to the first of
// the callers. It then stands before all that the second caller could still derive. So once a thread was
// dropped inside a part, only the first of its callers goes on after it.
//
// If no thread comes to the end, the input is not derived, unless one was dropped: then the general parser has
// to find out.

import { Automaton } from './automaton.js';
import { HIGHEST_BYTE } from './encoding.js';
import { GeneralTables } from './general.js';
import { Guide, GUIDE_BEGIN, GUIDE_CLOSE, GUIDE_OPEN, GUIDE_WRAP, makeGuide, useOf } from './generalguide.js';
import { placeNodes, wrapNode } from './generalguideleft.js';
import {
  ACT_KIND, ACT_SHIFT, ASK_MOVE, DEAD_MOVE, FIRST_STEP, GuideSteps, LOST_MOVE, STEP_ACCEPTS, STEP_CALLS, STEP_READS,
  STEP_RETURNS, UNDECIDED_MOVE,
} from './generalguidesteps.js';
import { MEMORY_BY_BYTE, MOST_MEMORY } from './limits.js';
import { NodeList } from './nodes.js';
import { RecordList } from './records.js';

/** Caps the room of a stack or a log that is kept from one input to the next, in numbers. */
const GUIDED_LOG = 1 << 18;

/**
 * Caps the elements that parsers by guides keep together, with their guides. It does not cap how many there are: most
 * are small, and making a guide takes a thousand times as long as a short input.
 */
const GUIDES_KEPT = 1 << 23;

/**
 * How many bytes a start is asked about before its guide is made. A program that parses one short input is done
 * without one before the guide would be made.
 */
export const GUIDE_AFTER = 1 << 11;

/** What an event of the log takes: four numbers. */
const EVENT_BYTES = 16;

/** In place of a row: a limit is passed, or nodes cannot be made. */
const FAILED = -1;

/** The parsers by guides of some tables. Each is made when it is needed. */
export class Guides {
  /**
   * @param {GeneralTables} tables
   * @param {Automaton | null} proven makes the nodes of productions that are proven
   */
  constructor(tables, proven) {
    this.tables = tables;
    this.proven = proven;
    /**
     * By start and whether it makes a tree, see useOf: null if it has none, undefined if it was not asked for.
     * @type {(GuidedParser | null | undefined)[]}
     */
    this.parsers = [];
    /** By the same: how many bytes it was asked about. @type {number[]} */
    this.asked = [];
  }

  /**
   * Notes that a start is asked about more bytes, and returns about how many it was.
   * @param {number} start
   * @param {boolean} makesTree
   * @param {number} length
   * @returns {number}
   */
  noteAsked(start, makesTree, length) {
    const use = useOf(start, !makesTree);
    const asked = (this.asked[use] ?? 0) + length;
    this.asked[use] = asked;
    return asked;
  }

  /** Returns about how many elements the parsers keep. */
  size() {
    let size = 0;
    this.parsers.forEach((parser) => {
      size += parser?.size() ?? 0;
    });
    return size;
  }

  /**
   * Reports whether a production derives the first bytes of an array, so many, and appends the nodes if there is a
   * list for them. It returns null if a guide does not tell; the list then is as it was. If more than GUIDES_KEPT is
   * kept before a parser is made, all parsers are forgotten.
   * @param {number} start
   * @param {Uint8Array} room
   * @param {number} length
   * @param {NodeList | null} nodes
   * @returns {boolean | null}
   */
  parse(start, room, length, nodes) {
    const use = useOf(start, nodes === null);
    let parser = this.parsers[use];
    if (parser === undefined) {
      if (this.size() > GUIDES_KEPT) {
        this.parsers = [];
      }
      parser = this.makeParser(start, nodes !== null);
      this.parsers[use] = parser;
    }
    if (parser === null) {
      return null;
    }
    const derived = parser.parse(room, length, nodes);
    if (parser.spent) { // it is not used again, and what it keeps is of no use
      this.parsers[use] = null;
    }
    return derived;
  }

  /**
   * Reports whether a production derives a string, by a guide that is there already. It returns null if there is none,
   * if it does not tell, or if a character of the string is not one byte.
   * @param {number} start
   * @param {string} text
   * @returns {boolean | null}
   */
  accepts(start, text) {
    const use = useOf(start, true);
    const parser = this.parsers[use];
    if (parser === undefined || parser === null) {
      return null;
    }
    const derived = parser.accepts(text, null, text.length);
    if (parser.spent) {
      this.parsers[use] = null;
    }
    return derived;
  }

  /**
   * Returns the parser by the guide of a start, or null if it has none.
   * @param {number} start
   * @param {boolean} makesTree
   * @returns {GuidedParser | null}
   */
  makeParser(start, makesTree) {
    const guide = makeGuide(this.tables, start, makesTree);
    return guide === null ? null : new GuidedParser(this.tables, guide, this.proven);
  }
}

/** A parser by a guide. */
class GuidedParser extends GuideSteps {
  /**
   * @param {GeneralTables} tables
   * @param {Guide} guide
   * @param {Automaton | null} proven
   */
  constructor(tables, guide, proven) {
    super(tables, guide);
    this.proven = proven;
    /** The row of an input's beginning. */
    this.start = this.rowOf(this.entryThreads(0));

    /** In place of an input, and of the nodes of one. */
    this.noBytes = new Uint8Array(0);
    this.noNodes = new NodeList();

    // Of an input.
    /** An array that begins with its bytes, where a tree is made. @type {Uint8Array} */
    this.bytes = this.noBytes;
    this.nodes = this.noNodes;
    this.mostMemory = 0;
    /** Frames. */
    this.stack = new RecordList(1);
    /** So many of the lowest frames had a thread dropped since they were pushed. */
    this.lossy = 0;
    /** So many frames have several groups. */
    this.split = 0;
    // The log: a step, the place at which it was taken, one more than the number of how the callers went on
    // if it returned, and the acts of the group that is left, which only the replay finds out.
    this.log = new RecordList(4);
    this.picks = new RecordList(1);
    /** The innermost open node. */
    this.top = -1;
    /** The node that was closed last. */
    this.closed = -1;
    /** So many nodes were opened around another one. */
    this.wraps = 0;
    /** Where the proven production began that is being read. */
    this.began = 0;
    /** A thread was dropped. */
    this.dropped = false;
  }

  /** Returns about how many elements the parser keeps, with its guide. */
  size() {
    const { guide, sets, kept } = this;
    const ofSet = (guide.states.length >> 5) + this.tables.width;
    return guide.size() + kept + sets.length * ofSet;
  }

  /**
   * Is Guides.parse for the start of the guide.
   * @param {Uint8Array} room
   * @param {number} length
   * @param {NodeList | null} nodes
   * @returns {boolean | null}
   */
  parse(room, length, nodes) {
    if (nodes === null) {
      return this.accepts('', room, length);
    }
    const before = nodes.length;
    this.begin(room, length, nodes);
    const derived = this.run();
    if (derived !== true) {
      nodes.length = before;
    } else if (this.wraps > 0) {
      placeNodes(nodes, before, this.wraps);
    }
    this.forgetInput();
    return derived;
  }

  /**
   * Is parse without a tree, for a guide that makes none. The input is the first bytes, so many, or else a string;
   * it returns null as well if a character of the string is not one byte.
   * @param {string} text
   * @param {Uint8Array | null} bytes null if the input is a string
   * @param {number} length
   * @returns {boolean | null}
   */
  accepts(text, bytes, length) {
    this.begin(this.noBytes, length, this.noNodes);
    const derived = this.runAccepting(text, bytes);
    this.forgetInput();
    return derived;
  }

  /**
   * Makes ready for an input.
   * @param {Uint8Array} room
   * @param {number} length
   * @param {NodeList} nodes
   */
  begin(room, length, nodes) {
    this.bytes = room;
    this.length = length;
    this.nodes = nodes;
    nodes.all = length;
    this.mostMemory = MOST_MEMORY + MEMORY_BY_BYTE * length;
    this.known = length + 1;
    this.stack.length = 0;
    this.log.length = 0;
    this.lossy = 0;
    this.split = 0;
    this.top = -1;
    this.wraps = 0;
    this.dropped = false;
  }

  /** Frees what is large and of no use for another input. */
  forgetInput() {
    this.bytes = this.noBytes;
    this.nodes = this.noNodes;
    this.forgetSets();
    const { stack, log, picks } = this;
    if (Math.max(stack.room.length, log.room.length, picks.room.length) > GUIDED_LOG) {
      this.stack = new RecordList(stack.width);
      this.log = new RecordList(log.width);
      this.picks = new RecordList(picks.width);
    }
  }

  /**
   * Is run without a tree, for the input that accepts describes. No step has acts, so that all threads are one group,
   * nothing is logged, and the guide is not strict.
   * @param {string} text
   * @param {Uint8Array | null} bytes
   * @returns {boolean | null}
   */
  runAccepting(text, bytes) {
    const { length, stack, steps, afters } = this;
    const { classes, width } = this.tables;
    let { cells, start: row } = this;
    for (let at = 0; ; ) {
      // Most moves only read a byte or a character. They have loops of their own, for speed: one loop for both would
      // take 1.1 to 1.4 times as long.
      let move = 0;
      if (bytes === null) {
        for (; at < length; at++) {
          const c = text.charCodeAt(at);
          if (c > HIGHEST_BYTE) {
            return null;
          }
          move = cells[row + classes[c]];
          if (move < 0) {
            break;
          }
          row = move;
        }
      } else {
        for (; at < length; at++) {
          move = cells[row + classes[bytes[at]]];
          if (move < 0) {
            break;
          }
          row = move;
        }
      }
      if (at === length) {
        move = cells[row + width];
      }
      if (move === UNDECIDED_MOVE || move === ASK_MOVE) {
        const column = at === length ? width : classes[bytes === null ? text.charCodeAt(at) : bytes[at]];
        move = this.findMove(text, bytes, at, row, column);
        if (move === UNDECIDED_MOVE) {
          return null;
        }
        cells = this.cells;
        if (move >= 0) {
          row = move;
          at++;
          continue;
        }
      }
      if (move === DEAD_MOVE || move === LOST_MOVE) {
        return move === LOST_MOVE || this.dropped ? null : false;
      }
      const { does, read, dropped, calls, to } = steps[FIRST_STEP - move];
      row = to;
      if (calls.length > 0 || dropped) {
        this.push(calls, dropped);
        if (4 * stack.length >= this.mostMemory) {
          return null;
        }
      }
      if (does === STEP_READS) {
        at++;
      } else if (does === STEP_RETURNS) {
        const { from, row: next } = afters[this.pop(read)];
        if (from.length === 0) { // see take
          return null;
        }
        row = next;
      } else if (does === STEP_ACCEPTS) {
        return true;
      }
    }
  }

  /**
   * Reads the input, and reports whether it is derived, or returns null.
   * @returns {boolean | null}
   */
  run() {
    const { bytes, length } = this;
    const { classes, width } = this.tables;
    let { cells, start: row } = this;
    for (let at = 0; ; ) {
      // Most moves only read a byte. They have a loop of their own, for speed.
      let move = 0;
      while (at < length) {
        move = cells[row + classes[bytes[at]]];
        if (move < 0) {
          break;
        }
        row = move;
        at++;
      }
      const column = at < length ? classes[bytes[at]] : width;
      move = cells[row + column];
      if (move === UNDECIDED_MOVE || move === ASK_MOVE) {
        move = this.findMove('', bytes, at, row, column);
        if (move === UNDECIDED_MOVE) {
          return null;
        }
        cells = this.cells;
      }
      if (move >= 0) {
        row = move;
        at++;
        continue;
      }
      if (move === DEAD_MOVE || move === LOST_MOVE) {
        return move === LOST_MOVE || this.dropped ? null : false;
      }
      const number = FIRST_STEP - move;
      const { simple, acts, to, does } = this.steps[number];
      if (simple && this.log.length === 0) { // this is take for it, without a call
        if (!this.act(acts, at)) {
          return null;
        }
        row = to;
        at++;
        continue;
      }
      row = this.take(number, at);
      if (row === FAILED) {
        return null;
      }
      if (does === STEP_READS) {
        at++;
      } else if (does === STEP_ACCEPTS) {
        return true;
      }
    }
  }

  /**
   * Takes a step at a place, and returns the row after it, or FAILED.
   * @param {number} number
   * @param {number} at
   * @returns {number}
   */
  take(number, at) {
    const step = this.steps[number];
    if (step.calls.length > 0 || step.dropped) {
      this.push(step.calls, step.dropped);
    }
    if (4 * this.stack.length + EVENT_BYTES * this.log.length >= this.mostMemory) {
      return FAILED;
    }
    let row = step.to;
    let after = 0;
    if (step.does === STEP_RETURNS) {
      after = this.pop(step.read) + 1;
      const { from, row: next } = this.afters[after - 1];
      // The first caller alone is left, and a round that reads nothing is none; or the guide is strict.
      if (from.length === 0 || this.afters[after - 1].differs) {
        return FAILED;
      }
      row = next;
    }
    if (step.plain && this.log.length === 0) {
      return this.act(step.acts, at) ? row : FAILED;
    }
    const event = this.log.add();
    const { room } = this.log;
    room[event] = number;
    room[event + 1] = at;
    room[event + 2] = after;
    const oneGroup = step.does === STEP_ACCEPTS || this.listOf(row).groups <= 1;
    if (this.split > 0 || !oneGroup) {
      return row;
    }
    return this.replay() ? row : FAILED;
  }

  /**
   * Pushes the frames of a step, and notes whether it drops threads.
   * @param {number[]} calls
   * @param {boolean} dropped
   */
  push(calls, dropped) {
    for (const frame of calls) {
      const at = this.stack.add();
      this.stack.room[at] = frame;
      if (this.frames[frame].groups > 1) {
        this.split++;
      }
    }
    if (dropped) {
      this.dropped = true;
      this.lossy = this.stack.length;
    }
  }

  /**
   * Pops a frame, and returns the number of how its threads go on: if one was dropped since they called, the
   * first alone.
   * @param {number} read
   * @returns {number}
   */
  pop(read) {
    const last = --this.stack.length;
    const frame = this.stack.room[last];
    if (this.frames[frame].groups > 1) {
      this.split--;
    }
    const firstAlone = this.lossy > last;
    if (firstAlone) {
      this.lossy = last;
    }
    return this.afterOf(frame, read, firstAlone);
  }

  /**
   * Makes the nodes of the steps in the log, once one group is left, and empties it. It goes backwards to find,
   * for each step, the group from which that one comes, and then forwards to act. It returns what act does.
   * @returns {boolean}
   */
  replay() {
    const { log, picks, steps, afters } = this;
    const { room } = log;
    const end = 4 * log.length;
    // Between the call of a part and its end, groups are those of the part. Which group of the callers went on
    // is known from the end: it is picked there, and taken at the call.
    picks.length = 0;
    let group = 0;
    for (let event = end - 4; event >= 0; event -= 4) {
      const { does, calls, ways } = steps[room[event]];
      const after = room[event + 2];
      if (after > 0) {
        const pick = picks.add();
        picks.room[pick] = afters[after - 1].from[group];
        group = 0;
      }
      let frames = calls.length;
      if (does === STEP_CALLS) {
        // If the part has not ended, its frame has one group.
        group = picks.length > 0 ? picks.room[picks.length - 1] : 0;
        picks.length = Math.max(picks.length - 1, 0);
        frames--;
      }
      picks.length = Math.max(picks.length - frames, 0); // these have one group
      room[event + 3] = ways[group].acts;
      group = ways[group].from;
    }
    log.length = 0;
    for (let event = 0; event < end; event += 4) {
      if (room[event + 3] !== 0 && !this.act(room[event + 3], room[event + 1])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Changes the tree at a place. It returns false if nodes cannot be made.
   * @param {number} acts
   * @param {number} at
   * @returns {boolean}
   */
  act(acts, at) {
    const { nodes } = this;
    const list = this.actLists[acts];
    for (let i = 0; i < list.length; i++) {
      const kind = list[i] & ACT_KIND;
      const op = list[i] >> ACT_SHIFT;
      if (op === GUIDE_OPEN) {
        // Until a node is closed, its next is the node around it.
        nodes.push(kind, at, 0, this.top);
        this.top = nodes.length - 1;
      } else if (op === GUIDE_CLOSE) {
        const node = 4 * this.top;
        const { room } = nodes;
        this.closed = this.top;
        this.top = room[node + 3];
        room[node + 2] = at;
        room[node + 3] = nodes.length;
      } else if (op === GUIDE_WRAP) {
        wrapNode(nodes, this.closed, kind, at, this.top);
        this.top = nodes.length - 1;
        this.wraps++;
      } else if (op === GUIDE_BEGIN) {
        this.began = at;
      } else if (this.proven === null || !this.proven.parse(nodes, kind, this.bytes, this.began, at)) {
        return false;
      }
    }
    return true;
  }
}
