// The longest prefix of an input that the start derives, found while the general parser reads the input once.
// It is ast/generalprefix.go.
//
// The parser leaves out ends of productions that the next byte rules out, but after a prefix any byte may
// follow. So it does not know all places where the start could end. What it has, at each place, are items: sets of
// states of the productions that began at one origin and have read the byte before. A production that ends there
// ends the start too if one that called it at its origin can end right after it, without reading, and one that
// called that, and so on up to the start. This depends only on the production and its origin, not on the place. So
// for each origin, the productions for which it holds are found once. They depend on those of earlier origins, and
// of the same one, where productions that begin there call each other. All of it together takes time in the number
// of items, and of the productions that each calls.

import { OP_END } from './states.js';

/** @typedef {import('./general.js').GeneralReader} GeneralReader */

/**
 * A production that a set calls, and the productions that call it there and can end right after it. It can be one of
 * these itself.
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
     * By origin: the productions that, if they began there and end, end the start as well; undefined where they are
     * not known yet. The start that began at origin 0 need not be among them: endsStart knows that one.
     * @type {(Set<number> | undefined)[]}
     */
    this.ending = [];
    /** By set: what callsIn returned. @type {Map<number, PrefixCall[]>} */
    this.calls = new Map();
    /** By set: what endsIn returned. @type {Map<number, number[]>} */
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
   * Returns the productions that a state of a set ends.
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
   * Returns the element of ending for an origin, which is found if it is not known, as are those that it depends on.
   * @param {number} origin
   * @returns {Set<number>}
   */
  endingOf(origin) {
    // It depends on those of the items that wait at the origin for productions that began there. The productions of
    // such an item began at an earlier origin, or at the same one, which findEnding takes care of. The earlier ones
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
   * Finds the element of ending for an origin. Those of the earlier origins at which productions of the items that
   * wait there began are known. Productions that begin at one origin can call each other in any order, so it first
   * notes which of them end the start if another one does, and then goes from those that do to the others.
   * @param {number} origin
   * @returns {Set<number>}
   */
  findEnding(origin) {
    const { reader } = this;
    /** @type {Set<number>} */
    const found = new Set();
    /**
     * By production that begins here: those that it calls here, and that end the start if it does.
     * @type {Map<number, number[]>}
     */
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
   * Returns the productions that a set calls and right after which a production that calls them there can end.
   * @param {number} set
   * @returns {PrefixCall[]}
   */
  callsIn(set) {
    let calls = this.calls.get(set);
    if (calls === undefined) {
      const { reader } = this;
      calls = reader.sets[set].calls.map(({ kind }) => ({ kind, ends: this.endsIn(reader.after(set, kind)) }));
      calls = calls.filter(({ ends }) => ends.length > 0);
      this.calls.set(set, calls);
    }
    return calls;
  }
}
