// The proven table: a deterministic automaton over bytes, of which it is proven that from the state
// of a production it accepts exactly the strings that the production derives. The loop that runs it
// is that of docs/proof.md: look up, go on, and say whether the last state accepts.
//
// The states come in two parts. The first has those that can be reached from the production that
// accepts() asks about; the second has all others, and a program that only calls accepts() need not
// load it. They are numbered anew, in the order in which they are reached; but for that, the two put
// together are the table of the theorem.
//
// In memory a row has a column for each class of bytes, and a last one that is 1 where the state
// accepts. A state is the offset of its row, so that a step is an addition and two loads.
//
// Packed, a row is a shape, which says of each class whether it leads nowhere or to which of the
// successors, and the successors. Rows that differ in their successors alone share a shape. Most
// successors are the next state, or one that rows before it lead to.

import { distanceOf, ListReader } from './lists.js';
import { acceptsBytes, asInput } from './bytes.js';
import { acceptsString } from './input.js';

/** How many of the successors that came last are known by how long ago that was. */
const MOST_RECENT = 16;

/** The rows of the first part of a table, and later of both. */
export class Table {
  /** @param {string} packed the first part */
  constructor(packed) {
    this.packed = packed;
    this.stride = 0;
    /** The states in which the production of accepts() begins, as offsets of rows. */
    /** @type {number[]} */
    this.starts = [];
    this.classes = new Uint8Array(0);
    this.next = new Int32Array(0);
    /** Where the rows end that were read. */
    this.end = 0;
    /** By shape and class: 0, or the number of a successor from 1. @type {number[]} */
    this.cells = [];
    /** By state: twice its shape, and 1 more if it accepts. @type {number[]} */
    this.shapes = [];
    /** The rows of the successors that came last, the last one first. @type {number[]} */
    this.recent = [];
  }

  /** Unpacks the first part. It is called once, while stride is 0. */
  open() {
    const lists = new ListReader(this.packed);
    this.classes = new Uint8Array(lists.list());
    this.stride = lists.single() + 1;
    this.next = new Int32Array(lists.single() * this.stride);
    this.addRows(lists);
    this.starts = lists.list().map((state) => state * this.stride);
  }

  /**
   * Reads the rows of the next states: shapes that are new, the shape of each state, and all successors.
   * @param {ListReader} lists
   */
  addRows(lists) {
    const { next, stride } = this;
    this.cells = this.cells.concat(lists.list());
    const { cells } = this;
    const shapes = lists.list();
    this.shapes = this.shapes.concat(shapes);
    const successors = lists.list();
    let read = 0;
    for (const shape of shapes) {
      const row = this.end;
      this.end += stride;
      const cell = (shape >> 1) * (stride - 1);
      const rows = [0];
      for (let column = 0; column < stride - 1; column++) {
        const successor = cells[cell + column];
        if (successor === rows.length) {
          rows.push(this.successorOf(row, successors[read++]));
        }
        next[row + column] = rows[successor];
      }
      next[row + stride - 1] = shape & 1;
    }
  }

  /**
   * Returns the row of a successor, which is written as 0 if it is the next row, as its place among the recent ones
   * from 1, or by its distance.
   * @param {number} row
   * @param {number} code
   * @returns {number}
   */
  successorOf(row, code) {
    const { recent, stride } = this;
    if (code === 0) {
      return row + stride;
    }
    const found = code <= MOST_RECENT ?
      recent.splice(code - 1, 1)[0] :
      row + distanceOf(code - MOST_RECENT - 1) * stride;
    recent.unshift(found);
    recent.length = Math.min(recent.length, MOST_RECENT);
    return found;
  }

  /**
   * Reports whether an input is accepted from one of some rows.
   * @param {number[]} rows
   * @param {unknown} input
   * @returns {boolean}
   */
  acceptsFrom(rows, input) {
    const value = asInput(input);
    const end = this.stride - 1;
    for (let i = 0; i < rows.length; i++) {
      const accepted = typeof value === 'string' ?
        acceptsString(this.next, this.classes, rows[i], value, end) :
        acceptsBytes(this.next, this.classes, rows[i], value, end);
      if (accepted) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reports whether the production of the first part derives an input.
   * @param {unknown} input
   * @returns {boolean}
   */
  accepts(input) {
    if (this.stride === 0) {
      this.open();
    }
    return this.acceptsFrom(this.starts, input);
  }
}

/** Both parts of a table, with the states in which each production begins. */
export class WholeTable {
  /**
   * @param {Table} table
   * @param {string} packed the second part
   */
  constructor(table, packed) {
    this.table = table;
    this.packed = packed;
    /** @type {number[][] | null} by kind, the offsets of rows */
    this.starts = null;
  }

  /** Unpacks both parts, if that was not done, and returns the table. */
  open() {
    const { table } = this;
    if (this.starts === null) {
      if (table.stride === 0) {
        table.open();
      }
      const lists = new ListReader(this.packed);
      table.addRows(lists);
      this.starts = lists.listOfLists().map((states) => states.map((state) => state * table.stride));
    }
    return table;
  }

  /**
   * Returns the rows in which a production begins.
   * @param {number} kind
   * @returns {number[]}
   */
  startsOf(kind) {
    this.open();
    return /** @type {number[][]} */ (this.starts)[kind];
  }

  /**
   * Reports whether a production derives an input.
   * @param {number} kind
   * @param {unknown} input
   * @returns {boolean}
   */
  accepts(kind, input) {
    const rows = this.startsOf(kind);
    return this.table.acceptsFrom(rows, input);
  }
}
