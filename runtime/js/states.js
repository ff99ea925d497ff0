// The states of an ordered automaton, or of networks of them, which lists describe. docs/table-format.md
// says what the lists are. In most modules rulestates.js makes the states of the ordered automaton instead.

import { distanceOf, ListReader } from './lists.js';

/** What a state does, as in the package opcode. */
export const OP_END = 1;
export const OP_BYTE = 2;
export const OP_CHOICE = 3;
export const OP_ACT = 4;
export const OP_CALL = 5;

/** The actions that open no node, but for 0xffff, which marks the innermost one. */
export const CLOSE = 0;
export const CLOSE_TO = 0xfffe;

/** The states of an automaton or of networks, as their tables have them. State 0 leads nowhere. */
export class States {
  /** @param {ListReader} lists */
  constructor(lists) {
    /** The class of each byte. */
    this.classes = new Uint8Array(lists.list());
    /** The number of classes; the class of the end of the input is width. */
    this.width = lists.single();
    /** By set and class: whether the set has the class. */
    this.members = new Uint8Array(lists.list());
    this.ops = new Uint8Array(lists.list());
    /** A set, an element of an action, or a production. */
    this.args = new Int32Array(lists.list());
    /** @type {number[][]} by state, its successors */
    this.next = [];
    const counts = lists.list();
    const targets = lists.list();
    let read = 0;
    for (let state = 0; state < counts.length; state++) {
      const next = [];
      for (let more = counts[state]; more > 0; more--) {
        next.push(state + distanceOf(targets[read++]));
      }
      this.next.push(next);
    }
    /** By production the state in which it begins; 0 if it has none. */
    this.starts = new Int32Array(lists.list());
  }

  /**
   * Returns the state after one that reads.
   * @param {number} state
   * @returns {number}
   */
  after(state) {
    return this.next[state][0];
  }

  /**
   * Returns the state in which a production begins, 0 if it has none.
   * @param {number} kind
   * @returns {number}
   */
  startOf(kind) {
    return this.starts[kind];
  }
}
