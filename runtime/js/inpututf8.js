// The input of a grammar whose values are code points, or bytes that spell UTF-8: a string is read
// as its UTF-8. A lone surrogate has none, so that what is read ends before it.

import { acceptsBytes, asInput } from './bytes.js';
import { pushUTF8, textOfBytes } from './utf8.js';

/** An input as the tables read it: its bytes, and where these stand in it. */
export class Input {
  /** @param {unknown} value what a user passed */
  constructor(value) {
    /** @type {string | Uint8Array} */
    this.value = asInput(value);
    /** @type {Uint8Array} */
    this.bytes = new Uint8Array(0);
    /** @type {Uint32Array | null} by byte, its offset in the string; null where that is the same */
    this.offsets = null;
    /** The offset of what cannot be read, a lone surrogate; -1 if all can. */
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
      if (c > 0x7f) {
        this.readWide(s);
        return;
      }
      bytes[i] = c;
    }
    this.bytes = bytes;
  }

  /**
   * Is readString for a string with more than ASCII.
   * @param {string} s
   */
  readWide(s) {
    const bytes = new ByteList(s.length * 3);
    const offsets = new Uint32Array(s.length * 3 + 1);
    let i = 0;
    while (i < s.length) {
      const c = /** @type {number} */ (s.codePointAt(i));
      if (c >= 0xd800 && c < 0xe000) {
        this.unreadable = i;
        break;
      }
      const from = bytes.length;
      pushUTF8(bytes, c);
      offsets.fill(i, from, bytes.length);
      i += c > 0xffff ? 2 : 1;
    }
    offsets[bytes.length] = i;
    this.offsets = offsets;
    this.bytes = bytes.bytes.subarray(0, bytes.length);
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
   * Returns the part of the input between two of its offsets.
   * @param {number} from
   * @param {number} to
   * @returns {string}
   */
  text(from, to) {
    return typeof this.value === 'string' ? this.value.slice(from, to) : textOfBytes(this.value, from, to);
  }

  /** Reports whether a byte is a column of its own; otherwise a code point is. */
  get countsBytes() {
    return false;
  }
}

/**
 * Reports whether the table in next accepts a string from a row. Only what is not ASCII is turned
 * into bytes.
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
    if (c > 0x7f) {
      const rest = new Input(s.slice(i));
      return rest.unreadable < 0 && acceptsBytes(next, classes, row, rest.bytes, end);
    }
    row = next[row + classes[c]];
    if (row === 0) {
      return false;
    }
  }
  return next[row + end] !== 0;
}

/** A list of bytes that has room for a given number of them. */
class ByteList {
  /** @param {number} most */
  constructor(most) {
    this.bytes = new Uint8Array(most);
    this.length = 0;
  }

  /** @param {number} byte */
  push(byte) {
    this.bytes[this.length++] = byte;
  }
}
