// The input of a grammar of bytes that do not spell UTF-8, as HTTP's obs-text: a string is read as
// Latin-1, each character as one byte, which is how node gives headers. A character above U+00FF has
// no byte, so that what is read ends before it.

import { asInput, roomFor, writeCharacters } from './bytes.js';

/** An input as the tables read it: its bytes, and where these stand in it. */
export class Input {
  /** @param {unknown} value what a user passed */
  constructor(value) {
    /** @type {string | Uint8Array} */
    this.value = asInput(value);
    /** How many bytes are read. */
    this.length = 0;
    /** The bytes, and perhaps more behind them. Those of a short string are here until the next input is made. */
    /** @type {Uint8Array} */
    this.room = typeof this.value === 'string' ? roomFor(this.value.length) : this.value;
    /** @type {Uint8Array | null} the bytes, once they are asked for */
    this.own = null;
    /** The offset of what cannot be read, a character above U+00FF; -1 if all can. */
    this.unreadable = -1;
    if (typeof this.value !== 'string') {
      this.length = this.value.length;
      return;
    }
    this.length = writeCharacters(this.room, this.value, 0xff);
    if (this.length < this.value.length) {
      this.unreadable = this.length;
    }
  }

  /** The bytes, for as long as the input is there. */
  get bytes() {
    if (this.own === null) {
      const { value, length } = this;
      if (typeof value === 'string') {
        this.own = new Uint8Array(length);
        writeCharacters(this.own, value.length === length ? value : value.slice(0, length), 0xff);
      } else {
        this.own = value.subarray(0, length);
      }
    }
    return this.own;
  }

  /**
   * Forgets the bytes from an offset on.
   * @param {number} length
   */
  shorten(length) {
    this.length = length;
    this.own = null;
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
  let i = 0;
  for (; i + 3 < length; i += 4) { // four steps of the loop below
    const a = s.charCodeAt(i);
    const b = s.charCodeAt(i + 1);
    const c = s.charCodeAt(i + 2);
    const d = s.charCodeAt(i + 3);
    if ((a | b | c | d) > 0xff) {
      return false;
    }
    row = next[next[next[next[row + classes[a]] + classes[b]] + classes[c]] + classes[d]];
    if (row === 0) {
      return false;
    }
  }
  for (; i < length; i++) {
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
