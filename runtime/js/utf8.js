// Bytes and characters: the UTF-8 of code points, as the tables read it, and back. Messages are
// put together as strings of bytes, each a character below U+0100, since the limits on their length
// count bytes.

/**
 * Writes the UTF-8 of a code point at an index, and returns the index after it.
 * @param {{[at: number]: number}} bytes
 * @param {number} at
 * @param {number} c
 * @returns {number}
 */
export function writeUTF8(bytes, at, c) {
  if (c < 0x80) {
    bytes[at++] = c;
  } else if (c < 0x800) {
    bytes[at++] = 0xc0 | (c >> 6);
    bytes[at++] = 0x80 | (c & 0x3f);
  } else {
    if (c < 0x10000) {
      bytes[at++] = 0xe0 | (c >> 12);
    } else {
      bytes[at++] = 0xf0 | (c >> 18);
      bytes[at++] = 0x80 | ((c >> 12) & 0x3f);
    }
    bytes[at++] = 0x80 | ((c >> 6) & 0x3f);
    bytes[at++] = 0x80 | (c & 0x3f);
  }
  return at;
}

/**
 * Returns the code point that is encoded at an offset and its length in bytes; a length of 1 and
 * U+FFFD where the bytes are no encoding.
 * @param {ArrayLike<number>} bytes
 * @param {number} at
 * @param {number} end of the bytes
 * @returns {[code: number, size: number]}
 */
export function decodeUTF8(bytes, at, end) {
  const first = bytes[at];
  if (first < 0x80) {
    return [first, 1];
  }
  const size = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  if (size === 1 || at + size > end) {
    return [0xfffd, 1];
  }
  let code = first & (0x7f >> size);
  for (let i = 1; i < size; i++) {
    const next = bytes[at + i];
    if ((next & 0xc0) !== 0x80) {
      return [0xfffd, 1];
    }
    code = (code << 6) | (next & 0x3f);
  }
  const isWrong = (size === 3 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) ||
    (size === 4 && (code < 0x10000 || code > 0x10ffff));
  return isWrong ? [0xfffd, 1] : [code, size];
}

/**
 * Reports whether the bytes from an offset to an end begin with a whole encoding, or with bytes that begin none, so
 * that more bytes would not change what decodeUTF8 returns. Without any byte it returns false.
 * @param {ArrayLike<number>} bytes
 * @param {number} at
 * @param {number} end
 * @returns {boolean}
 */
export function isFullUTF8(bytes, at, end) {
  if (at >= end) {
    return false;
  }
  const first = bytes[at];
  const size = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  if (end - at >= size) {
    return true;
  }
  // The second byte has a range of its own after some first bytes.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (end - at > 1 && (bytes[at + 1] < low || bytes[at + 1] > high)) {
    return true;
  }
  return end - at > 2 && (bytes[at + 2] & 0xc0) !== 0x80;
}

/**
 * Returns a string as one of its UTF-8 bytes.
 * @param {string} s
 * @returns {string}
 */
export function toByteString(s) {
  /** @type {number[]} */
  const bytes = [];
  for (const c of s) {
    writeUTF8(bytes, bytes.length, /** @type {number} */ (c.codePointAt(0)));
  }
  let out = '';
  for (const byte of bytes) {
    out += String.fromCharCode(byte);
  }
  return out;
}

/**
 * Is the inverse of toByteString. Bytes that are no encoding become U+FFFD.
 * @param {string} s
 * @returns {string}
 */
export function fromByteString(s) {
  if (!/[^\0-\x7f]/.test(s)) {
    return s;
  }
  const bytes = Array.from(s, (c) => c.charCodeAt(0));
  return textOfBytes(bytes, 0, bytes.length);
}

/**
 * Returns the text that bytes encode. Those that are no encoding become U+FFFD, one for each byte.
 * @param {ArrayLike<number>} bytes
 * @param {number} from
 * @param {number} to
 * @returns {string}
 */
export function textOfBytes(bytes, from, to) {
  let out = '';
  for (let at = from; at < to; ) {
    const [code, size] = decodeUTF8(bytes, at, to);
    out += String.fromCodePoint(code);
    at += size;
  }
  return out;
}
