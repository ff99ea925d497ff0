// Why an input is rejected, as the proven table tells it where no production nests. The table runs up
// to the byte with which no string goes on; what is noted of the last state are the productions that
// were being matched and the terms that could be read. It is ast/machine.go.

import { ListReader } from './lists.js';
import { WholeTable } from './table.js';
import { decodeUTF8, isFullUTF8 } from './utf8.js';

/**
 * A term that could be read: its name as a string of bytes, the bytes that it can begin with, and the
 * productions that read it.
 * @typedef {{term: string, first: number[], inside: number[]}} Expectation
 */

/**
 * Why bytes are rejected: the offset of the byte, the productions that were being matched (the
 * innermost that all share first), the production that is explained, what could stand there, and
 * whether more bytes could complete them.
 * @typedef {{offset: number, inside: number[], explained: number, expected: Expectation[],
 *   incomplete: boolean}} Rejection
 */

/** The term that says that the input may end. */
export const END_OF_INPUT = 'end of input';

/** Explains rejections by the proven table and the notes of its states. */
export class TableExplainer {
  /**
   * @param {WholeTable} table
   * @param {string} packed the notes
   * @param {boolean} codePoints
   */
  constructor(table, packed, codePoints) {
    this.table = table;
    this.packed = packed;
    this.codePoints = codePoints;
    /** @type {number[]} by state */
    this.noteOf = [];
    /** @type {number[][]} by note, the productions */
    this.inside = [];
    /** @type {number[][]} by note, elements of expectations */
    this.expected = [];
    /** @type {Expectation[]} */
    this.expectations = [];
    /** @type {number[]} by start, in the order of the table's */
    this.explained = [];
    /** @type {number[][]} by start, the bytes that an input begins with that it applies to */
    this.prefixes = [];
  }

  /** Unpacks the notes, if that was not done. */
  open() {
    if (this.noteOf.length > 0) {
      return;
    }
    this.table.open();
    const lists = new ListReader(this.packed);
    this.noteOf = lists.list();
    this.inside = lists.listOfLists();
    this.expected = lists.listOfLists();
    const terms = lists.listOfLists().map((bytes) => String.fromCharCode(...bytes));
    const firsts = lists.listOfLists();
    const inside = lists.listOfLists();
    this.expectations = terms.map((term, i) => ({ term, first: firsts[i], inside: inside[i] }));
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
    const { next, classes, stride } = this.table.table;
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
      first += this.table.startsOf(k).length;
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
    const rows = this.table.startsOf(kind);
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
    const { next, stride } = this.table.table;
    const note = this.noteOf[row / stride];
    const expected = this.expected[note].map((i) => this.expectations[i]);
    if (next[row + stride - 1] !== 0) {
      expected.push({ term: END_OF_INPUT, first: [], inside: [] });
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
    for (const row of this.table.startsOf(kind)) {
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
   * Returns the length of the longest prefix of bytes that a production derives, or -1.
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @returns {number}
   */
  longestPrefix(kind, bytes) {
    this.open();
    const { next, classes, stride } = this.table.table;
    let longest = -1;
    for (const start of this.table.startsOf(kind)) {
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
 * Explains by bytes, by the table or the general parser.
 * @typedef {{
 *   codePoints: boolean,
 *   explainBytes(kind: number, bytes: Uint8Array, ends: boolean): Rejection | null,
 *   isIncomplete(kind: number, bytes: Uint8Array, found: Rejection): boolean,
 * }} Explainer
 */

/**
 * Explains why a production does not derive bytes. With ends, it explains their end if they are the
 * beginning of a string: what could follow. Where the values of the grammar are code points, the
 * offset is that of a character.
 * @param {Explainer} explainer
 * @param {number} kind
 * @param {Uint8Array} bytes
 * @param {boolean} ends
 * @returns {Rejection}
 */
export function explainInput(explainer, kind, bytes, ends) {
  const found = explainer.explainBytes(kind, bytes, ends);
  if (found === null) { // the production derives them: what explains a rejection then knows nothing
    return { offset: 0, inside: [], explained: kind, expected: [], incomplete: false };
  }
  found.incomplete = !ends && explainer.isIncomplete(kind, bytes, found);
  if (!explainer.codePoints) {
    return found;
  }
  const at = characterStart(bytes, found.offset);
  if (at === found.offset) {
    return found;
  }
  let prefix = bytes.subarray(0, at);
  if (decodeUTF8(bytes, at, bytes.length)[1] <= found.offset - at) {
    // No character begins here. A grammar may still read each of the bytes as U+FFFD; 0xFF stands for
    // any such byte, since it is complete by itself.
    const longer = new Uint8Array(found.offset).fill(0xff);
    longer.set(prefix);
    prefix = longer;
  }
  const moved = /** @type {Rejection} */ (explainer.explainBytes(kind, prefix, true));
  moved.incomplete = found.incomplete;
  return moved;
}

/**
 * Returns the offset at which the character begins that the bytes before an offset begin and do not
 * end. It is the offset itself where they end one, or are no part of one.
 * @param {Uint8Array} bytes
 * @param {number} offset
 * @returns {number}
 */
function characterStart(bytes, offset) {
  for (let at = offset - 1; at >= Math.max(0, offset - 3); at--) {
    if ((bytes[at] & 0xc0) !== 0x80) {
      return isFullUTF8(bytes, at, offset) ? offset : at;
    }
  }
  return offset;
}
