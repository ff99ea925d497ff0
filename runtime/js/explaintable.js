// Why an input is rejected, by the proven table, where no production nests. The table runs up to the byte
// with which no string goes on. The note of the last state before it has the productions that were being
// matched, and the terms that could be read. It is ast/machine.go.

import { END_OF_INPUT, explainInput } from './explain.js';
import { Input } from './input.js';
import { distanceOf, ListReader } from './lists.js';
import { Printed } from './printed.js';
import { WholeTable } from './table.js';

/** @typedef {import('./explain.js').Rejection} Rejection */

/** Explains rejections by the proven table and the notes of its states. */
export class TableExplainer {
  /**
   * @param {WholeTable} whole
   * @param {string} packed the notes
   * @param {string[]} terms what can be expected, as strings of bytes
   * @param {Printed} printed
   */
  constructor(whole, packed, terms, printed) {
    this.whole = whole;
    this.packed = packed;
    this.terms = terms;
    this.printed = printed;
    this.codePoints = printed.codePoints;
    /** @type {number[]} by state */
    this.noteOf = [];
    /** @type {number[][]} by note, the productions */
    this.inside = [];
    /** @type {number[][]} by note, elements of terms */
    this.expected = [];
    /** @type {number[]} by start, in the order of the table's, the production that it explains */
    this.explained = [];
    /** @type {number[][]} by start, the prefix of the inputs that it applies to */
    this.prefixes = [];
  }

  /** Unpacks the notes, if that was not done. */
  open() {
    if (this.noteOf.length > 0) {
      return;
    }
    const { shapes } = this.whole.open();
    const lists = new ListReader(this.packed);
    /** @type {number[]} by shape, the note of the last state */
    const last = [];
    let notes = 0;
    // 0 stands for the note of the last state of the same shape, 1 for a new note, and 2+n for note n.
    this.noteOf = lists.list().map((code, state) => {
      const note = code === 0 ? last[shapes[state]] : code === 1 ? notes++ : code - 2;
      last[shapes[state]] = note;
      return note;
    });
    this.inside = dividedAtZeros(lists.list());
    this.expected = dividedAtZeros(lists.list()).map(elementsOf);
    this.explained = lists.list();
    this.prefixes = lists.listOfLists();
  }

  /**
   * Runs the table over bytes from a row. It returns the last row before the dead one, how many bytes
   * were read up to it, and whether they are accepted.
   * @param {number} row
   * @param {Uint8Array} bytes
   * @returns {{row: number, offset: number, accepted: boolean}}
   */
  run(row, bytes) {
    const { next, classes, stride } = this.whole.table;
    for (let i = 0; i < bytes.length; i++) {
      const to = next[row + classes[bytes[i]]];
      if (to === 0) {
        return { row, offset: i, accepted: false };
      }
      row = to;
    }
    return { row, offset: bytes.length, accepted: next[row + stride - 1] !== 0 };
  }

  /**
   * Returns the number of a production's first start among those of all.
   * @param {number} kind
   * @returns {number}
   */
  firstStart(kind) {
    let first = 0;
    for (let k = 0; k < kind; k++) {
      first += this.whole.startsOf(k).length;
    }
    return first;
  }

  /**
   * Explains by bytes why a production does not derive them. With ends, it explains their end even if
   * the production derives them: what else could follow. It returns null for bytes that it derives.
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @param {boolean} ends
   * @returns {Rejection | null}
   */
  explainBytes(kind, bytes, ends) {
    this.open();
    const rows = this.whole.startsOf(kind);
    const first = this.firstStart(kind);
    // The start that applies is the one whose prefix is the longest that the bytes begin with.
    let best = -1;
    for (let i = 0; i < rows.length; i++) {
      const prefix = this.prefixes[first + i];
      const begins = prefix.every((byte, at) => bytes[at] === byte);
      if (begins && (best < 0 || prefix.length > this.prefixes[first + best].length)) {
        best = i;
      }
    }
    if (best < 0) {
      return { offset: 0, inside: [], explained: kind, expected: [], incomplete: false };
    }
    const { row, offset, accepted } = this.run(rows[best], bytes);
    if (accepted && !ends) {
      return null;
    }
    const { next, stride } = this.whole.table;
    const note = this.noteOf[row / stride];
    const expected = this.expected[note].map((i) => this.terms[i]);
    if (next[row + stride - 1] !== 0) {
      expected.push(END_OF_INPUT);
    }
    return { offset, inside: this.inside[note], explained: this.explained[first + best], expected, incomplete: false };
  }

  /**
   * Reports whether bytes that are rejected are the beginning of a string that a production derives.
   * Each start derives some of its strings, and together they derive all.
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @returns {boolean}
   */
  isIncomplete(kind, bytes) {
    let incomplete = false;
    for (const row of this.whole.startsOf(kind)) {
      if (row === 0) {
        continue;
      }
      const { offset, accepted } = this.run(row, bytes);
      if (accepted) {
        return false;
      }
      incomplete = incomplete || offset === bytes.length;
    }
    return incomplete;
  }

  /**
   * See InputExplainer.
   * @param {number} kind
   * @param {Input} input
   * @param {boolean} ends
   */
  explain(kind, input, ends) {
    return explainInput(this, kind, input.bytes, ends);
  }

  /**
   * Returns the length of the longest prefix of an input that a production derives, or -1.
   * @param {number} kind
   * @param {Input} input
   */
  prefix(kind, { bytes }) {
    this.open();
    const { next, classes, stride } = this.whole.table;
    let longest = -1;
    for (const start of this.whole.startsOf(kind)) {
      let row = start;
      for (let i = 0; row !== 0; i++) {
        if (i > longest && next[row + stride - 1] !== 0) {
          longest = i;
        }
        if (i === bytes.length) {
          break;
        }
        row = next[row + classes[bytes[i]]];
      }
    }
    return longest;
  }
}

/**
 * Returns the lists that stand in a list one after the other, each with a 0 after it. No element is 0.
 * @param {number[]} all
 * @returns {number[][]}
 */
function dividedAtZeros(all) {
  /** @type {number[][]} */
  const lists = [];
  let from = 0;
  all.forEach((element, i) => {
    if (element === 0) {
      lists.push(all.slice(from, i));
      from = i + 1;
    }
  });
  return lists;
}

/**
 * Returns the numbers of a list in which each is written as 1 more than its distance from the one after the number
 * before it.
 * @param {number[]} list
 * @returns {number[]}
 */
function elementsOf(list) {
  let after = 0;
  return list.map((code) => {
    const element = after + distanceOf(code - 1);
    after = element + 1;
    return element;
  });
}
