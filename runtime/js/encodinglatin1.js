// How strings are read for a grammar of bytes that do not spell UTF-8, as HTTP's obs-text: as Latin-1, each
// character as one byte, which is how node gives headers. A character above U+00FF has no byte, so that what
// is read ends before it.

/** The highest character that is one byte, which is its code. */
export const HIGHEST_BYTE = 0xff;

/** Whether each byte of a string is a column of its own. */
export const COUNTS_BYTES = true;

/**
 * Ends an input at the first character above U+00FF. The bytes of those before it are read.
 * @param {{length: number, unreadable: number}} input
 * @param {string} s
 */
export function encodeWide(input, s) {
  input.unreadable = input.length;
}

/**
 * Returns the bytes of a string that begins with a character above U+00FF: null, since it has none.
 * @param {string} s
 * @returns {Uint8Array | null}
 */
export function wideBytes(s) {
  return null;
}

/**
 * Returns the text of bytes.
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 * @returns {string}
 */
export function textOf(bytes, from, to) {
  let out = '';
  for (let i = from; i < to; i++) {
    out += String.fromCharCode(bytes[i]);
  }
  return out;
}
