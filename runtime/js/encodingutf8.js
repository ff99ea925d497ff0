// How strings are read for a grammar whose values are code points, or bytes that spell UTF-8: as their UTF-8.
// A lone surrogate has none, so that what is read ends before it.

import { textOfBytes, writeUTF8 } from './utf8.js';

/** The highest character that is one byte, which is its code. */
export const HIGHEST_BYTE = 0x7f;

/** Whether each byte of a string is a column of its own. */
export const COUNTS_BYTES = false;

/**
 * Reads a string that is not ASCII. Of each byte the offset in the string is noted, if there is an array for it.
 * @param {string} s
 * @param {Uint32Array | null} offsets
 * @returns {{bytes: Uint8Array, unreadable: number}} the bytes, and the offset of a lone surrogate at which they end,
 *   or -1
 */
function bytesOfString(s, offsets) {
  const bytes = new Uint8Array(s.length * 3);
  let i = 0;
  let at = 0;
  while (i < s.length) {
    const c = /** @type {number} */ (s.codePointAt(i));
    if (c >= 0xd800 && c < 0xe000) {
      break;
    }
    const from = at;
    at = writeUTF8(bytes, from, c);
    offsets?.fill(i, from, at);
    i += c > 0xffff ? 2 : 1;
  }
  offsets?.fill(i, at, at + 1);
  return { bytes: bytes.subarray(0, at), unreadable: i < s.length ? i : -1 };
}

/**
 * Reads a string that is not ASCII as an input.
 * @param {{room: Uint8Array | null, length: number, offsets: Uint32Array | null, unreadable: number}} input
 * @param {string} s
 */
export function encodeWide(input, s) {
  input.offsets = new Uint32Array(s.length * 3 + 1);
  const { bytes, unreadable } = bytesOfString(s, input.offsets);
  input.room = bytes;
  input.length = bytes.length;
  input.unreadable = unreadable;
}

/**
 * Returns the bytes of a string, or null if a lone surrogate in it has none.
 * @param {string} s
 * @returns {Uint8Array | null}
 */
export function wideBytes(s) {
  const { bytes, unreadable } = bytesOfString(s, null);
  return unreadable < 0 ? bytes : null;
}

/** Returns the text of bytes between two offsets. */
export const textOf = textOfBytes;
