// The longest prefix of an input that the start derives, found while the general parser reads the input once.
// It is ast/generalprefix.go.
//
// The parser leaves out ends of productions that the next byte rules out, but after a prefix any byte may
// follow. So it does not know all places where the start could end. What it has, at each place, is an item for
// each production that has read the byte before. A production that ends there ends the start too if what called
// it at its origin can end after it without reading, and what called that, up to the start. This depends only
// on the production and its origin, not on the place: for each origin, the productions for which it holds are
// found once, from those of earlier origins. All of it together takes time in the number of items, and of the
// productions that each calls.

import { OP_END } from './states.js';

/** @typedef {import('./general.js').GeneralReader} GeneralReader */

/**
 * A production that a set calls, and those that can end right after it.
 * @typedef {{kind: number, ends: number[]}} PrefixCall
 */

/**
 * Returns the length of the longest prefix of bytes that a production derives, or -1. The reader is over if a
 * limit is passed.
 * @param {GeneralReader} reader
 * @param {number} start
 * @param {Uint8Array} bytes
 * @returns {number}
 */
export function longestPrefix(reader, start, bytes) {
  if (reader.tables.starts[start] === 0) {
    return -1;
  }
  const ends = new PrefixEnds(reader, start);
  reader.prefix = ends;
  reader.read(start, bytes, false);
  reader.prefix = null;
  return ends.longest;
}

/** Finds the longest prefix. */
export class PrefixEnds {
  /**
   * @param {GeneralReader} reader
   * @param {number} start
   */
  constructor(reader, start) {
    this.reader = reader;
    this.start = start;
    /** -1: none. The parser notes ends after a byte, so that the empty prefix is asked first. */
    this.longest = reader.tables.derivesEmpty(start) ? 0 : -1;
    /**
     * By origin: the productions that began there and end the start if they end; undefined where they are not
     * known yet.
     * @type {(Set<number> | undefined)[]}
     */
    this.ending = [];
    /** By set: see callsIn. @type {Map<number, PrefixCall[]>} */
    this.calls = new Map();
    /** By set: see endsIn. @type {Map<number, number[]>} */
    this.ends = new Map();
  }

  /** Sets longest if the start can end at the place that the reader has come to. */
  note() {
    const { reader } = this;
    for (let i = reader.cur; i < reader.items; i++) {
      reader.steps++;
      for (const kind of this.endsIn(reader.itemSet[i])) {
        if (this.endsStart(kind, reader.itemOrigin[i])) {
          this.longest = reader.at;
          return;
        }
      }
    }
  }

  /** Drops what is known of origins, because they get new numbers. */
  forget() {
    this.ending = [];
  }

  /**
   * Returns the productions that end in a set.
   * @param {number} set
   * @returns {number[]}
   */
  endsIn(set) {
    let kinds = this.ends.get(set);
    if (kinds === undefined) {
      const { ops, of } = this.reader.tables;
      kinds = this.reader.sets[set].states.filter((q) => ops[q] === OP_END).map((q) => of[q]);
      this.ends.set(set, kinds);
    }
    return kinds;
  }

  /**
   * Reports whether the start ends where a production ends that began at an origin.
   * @param {number} kind
   * @param {number} origin
   * @returns {boolean}
   */
  endsStart(kind, origin) {
    return (origin === 0 && kind === this.start) || this.endingOf(origin).has(kind);
  }

  /**
   * Returns the productions that end the start if they end, of those that began at an origin.
   * @param {number} origin
   * @returns {Set<number>}
   */
  endingOf(origin) {
    // Those of an origin depend on those of the origins of the items that wait there, which are earlier. These
    // can be many, one after the other, so that a list takes the place of recursion.
    const { ending, reader } = this;
    const { itemOrigin } = reader;
    for (const todo = ending[origin] === undefined ? [origin] : []; todo.length > 0; ) {
      const last = todo[todo.length - 1];
      if (ending[last] !== undefined) {
        todo.pop();
        continue;
      }
      let known = true;
      for (let i = reader.originLow[last]; i < reader.originHigh[last]; i++) {
        if (itemOrigin[i] !== last && ending[itemOrigin[i]] === undefined) {
          todo.push(itemOrigin[i]);
          known = false;
        }
      }
      if (known) {
        ending[last] = this.findEnding(last);
      }
    }
    return /** @type {Set<number>} */ (ending[origin]);
  }

  /**
   * Finds what endingOf returns for an origin, where that of all earlier ones is known. Productions that begin at
   * one origin can call each other in any order, so it first notes which of them end the start if another does, and
   * then goes from those that do to the others.
   * @param {number} origin
   * @returns {Set<number>}
   */
  findEnding(origin) {
    const { reader } = this;
    /** @type {Set<number>} */
    const found = new Set();
    /** By production that begins here: those that end the start if it does. @type {Map<number, number[]>} */
    const then = new Map();
    for (let i = reader.originLow[origin]; i < reader.originHigh[origin]; i++) {
      const from = reader.itemOrigin[i];
      const calls = this.callsIn(reader.itemSet[i]);
      reader.steps += 1 + calls.length;
      for (const call of calls) {
        for (const kind of call.ends) {
          if (from !== origin || (from === 0 && kind === this.start)) {
            if (this.endsStart(kind, from)) {
              found.add(call.kind);
            }
            continue;
          }
          const others = then.get(kind);
          if (others === undefined) {
            then.set(kind, [call.kind]);
          } else {
            others.push(call.kind);
          }
        }
      }
    }
    for (const kind of found) { // with those that are added meanwhile
      for (const other of then.get(kind) ?? []) {
        found.add(other);
      }
    }
    return found;
  }

  /**
   * Returns the productions that a set calls and after which another can end at once.
   * @param {number} set
   * @returns {PrefixCall[]}
   */
  callsIn(set) {
    let calls = this.calls.get(set);
    if (calls === undefined) {
      const { reader } = this;
      calls = reader.sets[set].calls.map(({ kind }) => ({ kind, ends: this.endsIn(reader.behind(set, kind)) }));
      calls = calls.filter(({ ends }) => ends.length > 0);
      this.calls.set(set, calls);
    }
    return calls;
  }
}
