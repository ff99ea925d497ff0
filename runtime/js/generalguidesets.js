// A guide is read backwards from the end of the input, as a deterministic automaton that is made as inputs
// need it. Its states are sets of states of the guide: the set at a place has those from which the guide
// accepts the rest of the input. The sets at the places of an input are remembered, so that it is read
// backwards once. It is ast/generalguidesets.go.

import { HIGHEST_BYTE } from './encoding.js';
import { GeneralTables } from './general.js';
import { Guide } from './generalguide.js';

/** Caps the bytes of the sets that are kept, and their number, so that one more is in 16 bits. */
const MOST_SET_BYTES = 4 << 20;
const MOST_SETS = 0xfffe;

/** In place of a set: it cannot be found. */
export const NO_SET = -1;

/** Caps the places of an input for which there is room from one input to the next. */
const GUIDED_PLACES = 1 << 20;

/**
 * Reports whether a state is in a set: bit q%32 of word q/32 is set if state q is.
 * @param {Uint32Array} set
 * @param {number} q
 * @returns {boolean}
 */
export function hasState(set, q) {
  return ((set[q >> 5] >>> (q & 31)) & 1) !== 0;
}

/**
 * Adds a state to a set.
 * @param {Uint32Array} set
 * @param {number} q
 */
function addToSet(set, q) {
  set[q >> 5] |= 1 << (q & 31);
}

/** The automaton of sets, and the sets at the places of an input. Set 0 is empty. */
export class GuideSets {
  /**
   * @param {GeneralTables} tables
   * @param {Guide} guide
   */
  constructor(tables, guide) {
    this.tables = tables;
    this.guide = guide;
    /** Too much would be kept: no more is decided. */
    this.spent = false;
    /** @type {Uint32Array[]} */
    this.sets = [];
    /** @type {Map<string, number>} */
    this.setIndex = new Map();
    /** By set and class: the set before it plus 1, or 0 if that is not known. */
    this.setBefore = new Uint16Array(tables.width);
    /** By class, and at the end of the input: see possible. @type {(Uint32Array | undefined)[]} */
    this.until = [];
    /** The length of the input. */
    this.length = 0;
    /** The set at the end of an input, or -1 if it is not known. */
    this.endSet = -1;
    /** By place of the input: the set there, from the place known on. */
    this.setsAt = new Uint16Array(0);
    this.known = 0;
    this.numberOfSet(this.emptySet());
  }

  /** Returns a set without states. */
  emptySet() {
    return new Uint32Array((this.guide.states.length + 31) >> 5);
  }

  /**
   * Returns the number of a set. If too much would be kept, spent is set.
   * @param {Uint32Array} set
   * @returns {number}
   */
  numberOfSet(set) {
    const key = set.join();
    const known = this.setIndex.get(key);
    if (known !== undefined) {
      return known;
    }
    const number = this.sets.length;
    if (number === MOST_SETS || number * set.byteLength > MOST_SET_BYTES) {
      this.spent = true;
      return 0;
    }
    this.setIndex.set(key, number);
    this.sets.push(set);
    const cells = this.sets.length * this.tables.width;
    if (cells > this.setBefore.length) {
      const more = new Uint16Array(2 * cells);
      more.set(this.setBefore);
      this.setBefore = more;
    }
    return number;
  }

  /**
   * Returns the set of some states and of those that lead to them without reading. It empties the list.
   * @param {number[]} todo
   * @returns {Uint32Array}
   */
  leadingSet(todo) {
    const { back } = this.guide;
    const set = this.emptySet();
    for (const q of todo) {
      addToSet(set, q);
    }
    while (todo.length > 0) {
      for (const from of back[/** @type {number} */ (todo.pop())]) {
        if (!hasState(set, from)) {
          addToSet(set, from);
          todo.push(from);
        }
      }
    }
    return set;
  }

  /**
   * Computes the set before a byte of a class that leads to a set.
   * @param {number} set
   * @param {number} column
   * @returns {number}
   */
  findSetBefore(set, column) {
    const { reads, states } = this.guide;
    const after = this.sets[set];
    const before = this.numberOfSet(this.leadingSet(reads[column].filter((q) => hasState(after, states[q].next[0]))));
    if (!this.spent) {
      this.setBefore[set * this.tables.width + column] = before + 1;
    }
    return before;
  }

  /**
   * Returns the states from which a byte of a class can be read next, whatever follows it. For the class of
   * the end of the input it returns those from which the input can end.
   * @param {number} column
   * @returns {Uint32Array}
   */
  possible(column) {
    let set = this.until[column];
    if (set === undefined) {
      const { reads, parts } = this.guide;
      set = this.leadingSet(column < this.tables.width ? reads[column].slice() : parts[0].ends.filter((q) => q !== 0));
      this.until[column] = set;
    }
    return set;
  }

  /**
   * Returns the set at a place. It reads the input backwards as far as that was not done before: bytes or, if these
   * are null, a string. It returns NO_SET if spent is set, or if it meets a character that is not one byte.
   * @param {string} text
   * @param {Uint8Array | null} bytes
   * @param {number} at
   * @returns {number}
   */
  setAt(text, bytes, at) {
    if (this.known <= at) {
      return this.setsAt[at];
    }
    const { classes, width } = this.tables;
    const { length } = this;
    if (this.known > length) {
      if (this.setsAt.length <= length) {
        this.setsAt = new Uint16Array(length + 1);
      }
      if (this.endSet < 0) {
        this.endSet = this.numberOfSet(this.possible(width));
      }
      this.known = length;
      this.setsAt[length] = this.endSet;
    }
    const { setsAt } = this;
    let { setBefore } = this;
    let set = setsAt[this.known];
    for (let i = this.known - 1; i >= at; i--) {
      const c = bytes === null ? text.charCodeAt(i) : bytes[i];
      if (c > HIGHEST_BYTE && bytes === null) {
        return NO_SET;
      }
      const column = classes[c];
      const before = setBefore[set * width + column];
      if (before > 0) {
        set = before - 1;
      } else {
        set = this.findSetBefore(set, column);
        setBefore = this.setBefore;
        if (this.spent) {
          return NO_SET;
        }
      }
      setsAt[i] = set;
    }
    this.known = at;
    return set;
  }

  /** Frees the room for the sets of an input, if it is large. */
  forgetSets() {
    if (this.setsAt.length > GUIDED_PLACES) {
      this.setsAt = new Uint16Array(0);
    }
  }
}
