// The input as tables read it: its bytes, and where these stand in it. How the characters of a string become
// bytes is chosen when a module is made: encodingutf8.js or encodinglatin1.js.

import { acceptsBytes, asInput, MOST_SHARED, roomFor, writeCharacters } from './bytes.js';
import { wideBytes, COUNTS_BYTES, encodeWide, HIGHEST_BYTE, textOf } from './encoding.js';

/** An input. */
export class Input {
  /** @param {unknown} value what a user passed */
  constructor(value) {
    /** @type {string | Uint8Array} */
    this.value = asInput(value);
    /** What read returned; null before. @type {Uint8Array | null} */
    this.room = null;
    /** How many bytes are read. */
    this.length = 0;
    /** @type {Uint8Array | null} the bytes, once they are asked for */
    this.own = null;
    /** @type {Uint32Array | null} by byte, its offset in the string; null where that is the same */
    this.offsets = null;
    /** The offset of a character that has no bytes; -1 if all have some. */
    this.unreadable = -1;
  }

  /**
   * Returns an array that begins with the bytes; those of a short string are in it until another input is read. The
   * first call sets length, offsets and unreadable, which nothing else does: an engine that reads the characters of a
   * string itself makes no call.
   * @returns {Uint8Array}
   */
  read() {
    if (this.room === null) {
      const { value } = this;
      const isText = typeof value === 'string';
      this.room = isText ? roomFor(value.length) : value;
      this.length = isText ? writeCharacters(this.room, value, HIGHEST_BYTE) : value.length;
      if (isText && this.length < value.length) {
        encodeWide(this, value);
      }
    }
    return this.room;
  }

  /** The bytes, for as long as the input is there. */
  get bytes() {
    if (this.own === null) {
      const room = this.read();
      const { value, length } = this;
      if (typeof value === 'string' && value.length <= MOST_SHARED && this.offsets === null) {
        this.own = new Uint8Array(length);
        writeCharacters(this.own, value.length === length ? value : value.slice(0, length), HIGHEST_BYTE);
      } else {
        this.own = room.subarray(0, length);
      }
    }
    return this.own;
  }

  /**
   * Returns the offset in the input of a byte.
   * @param {number} at
   * @returns {number}
   */
  offsetOf(at) {
    return this.offsets === null ? at : this.offsets[at];
  }

  /**
   * Returns the part of the input between two of its offsets. Of bytes, it is what they encode.
   * @param {number} from
   * @param {number} to
   * @returns {string}
   */
  text(from, to) {
    return typeof this.value === 'string' ? this.value.slice(from, to) : textOf(this.value, from, to);
  }

  /** Reports whether a byte is a column of its own; otherwise a code point is. */
  get countsBytes() {
    return COUNTS_BYTES && typeof this.value === 'string';
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
    if ((a | b | c | d) > HIGHEST_BYTE) {
      break;
    }
    row = next[next[next[next[row + classes[a]] + classes[b]] + classes[c]] + classes[d]];
    if (row === 0) {
      return false;
    }
  }
  for (; i < length; i++) {
    const c = s.charCodeAt(i);
    if (c > HIGHEST_BYTE) {
      const bytes = wideBytes(s.slice(i));
      return bytes !== null && acceptsBytes(next, classes, row, bytes, end);
    }
    row = next[row + classes[c]];
    if (row === 0) {
      return false;
    }
  }
  return next[row + end] !== 0;
}
