// The input of a grammar whose values are code points, or bytes that spell UTF-8: a string is read
// as its UTF-8. A lone surrogate has none, so that what is read ends before it.

import { acceptsBytes, asInput, roomFor, writeCharacters } from './bytes.js';
import { pushUTF8, textOfBytes } from './utf8.js';

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
    /** @type {Uint32Array | null} by byte, its offset in the string; null where that is the same */
    this.offsets = null;
    /** The offset of what cannot be read, a lone surrogate; -1 if all can. */
    this.unreadable = -1;
    if (typeof this.value !== 'string') {
      this.length = this.value.length;
      return;
    }
    this.length = writeCharacters(this.room, this.value, 0x7f);
    if (this.length < this.value.length) {
      this.readWide(this.value);
    }
  }

  /** The bytes, for as long as the input is there. */
  get bytes() {
    if (this.own === null) {
      const { value, length } = this;
      if (typeof value === 'string' && this.offsets === null) {
        this.own = new Uint8Array(length);
        writeCharacters(this.own, value.length === length ? value : value.slice(0, length), 0x7f);
      } else {
        this.own = this.room.subarray(0, length);
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
   * Reads a string with more than ASCII.
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
    this.room = bytes.bytes;
    this.length = bytes.length;
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
  let i = 0;
  for (; i + 3 < length; i += 4) { // four steps of the loop below
    const a = s.charCodeAt(i);
    const b = s.charCodeAt(i + 1);
    const c = s.charCodeAt(i + 2);
    const d = s.charCodeAt(i + 3);
    if ((a | b | c | d) > 0x7f) {
      break;
    }
    row = next[next[next[next[row + classes[a]] + classes[b]] + classes[c]] + classes[d]];
    if (row === 0) {
      return false;
    }
  }
  for (; i < length; i++) {
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
