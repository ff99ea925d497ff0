// The input of a grammar of bytes that do not spell UTF-8, as HTTP's obs-text: a string is read as
// Latin-1, each character as one byte, which is how node gives headers. A character above U+00FF has
// no byte, so that what is read ends before it.

import { asInput } from './bytes.js';

/** An input as the tables read it: its bytes, and where these stand in it. */
export class Input {
  /** @param {unknown} value what a user passed */
  constructor(value) {
    /** @type {string | Uint8Array} */
    this.value = asInput(value);
    /** @type {Uint8Array} */
    this.bytes = new Uint8Array(0);
    /** The offset of what cannot be read, a character above U+00FF; -1 if all can. */
    this.unreadable = -1;
    if (typeof this.value === 'string') {
      this.readString(this.value);
    } else {
      this.bytes = this.value;
    }
  }

  /** @param {string} s */
  readString(s) {
    const length = s.length;
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) {
      const c = s.charCodeAt(i);
      if (c > 0xff) {
        this.unreadable = i;
        this.bytes = bytes.subarray(0, i);
        return;
      }
      bytes[i] = c;
    }
    this.bytes = bytes;
  }

  /**
   * Returns the offset in the input of a byte.
   * @param {number} at
   * @returns {number}
   */
  offsetOf(at) {
    return at;
  }

  /**
   * Returns the part of the input between two of its offsets, as Latin-1 if the input is bytes.
   * @param {number} from
   * @param {number} to
   * @returns {string}
   */
  text(from, to) {
    if (typeof this.value === 'string') {
      return this.value.slice(from, to);
    }
    let out = '';
    for (let i = from; i < to; i++) {
      out += String.fromCharCode(this.value[i]);
    }
    return out;
  }

  /** Reports whether a byte is a column of its own; otherwise a code point is. */
  get countsBytes() {
    return typeof this.value === 'string';
  }
}

/**
 * Reports whether the table in next accepts a string from a row.
 * @param {Int32Array} next
 * @param {Uint8Array} classes
 * @param {number} row
 * @param {string} s
 * @param {number} end the column that says whether a row accepts
 * @returns {boolean}
 */
export function acceptsString(next, classes, row, s, end) {
  const length = s.length;
  for (let i = 0; i < length; i++) {
    const c = s.charCodeAt(i);
    if (c > 0xff) {
      return false;
    }
    row = next[row + classes[c]];
    if (row === 0) {
      return false;
    }
  }
  return next[row + end] !== 0;
}
