// What an input may be, where its bytes are kept, and the loop that runs a table over them.

/** The getters of all typed arrays. They tell what an array is, whatever its properties or those of a subclass say. */
const ofArrays = /** @type {Record<PropertyKey, {get: () => any}>} */ (/** @type {unknown} */ (
  Object.getOwnPropertyDescriptors(Object.getPrototypeOf(Uint8Array.prototype))));

/**
 * Returns the input that a value is: a string, or a Uint8Array that is of no subclass. For an array of a subclass, as
 * Buffer is, or of another realm, it returns a view, so that no method of theirs is called. Properties that a program
 * gave to a single Uint8Array are not looked for.
 * @param {unknown} value
 * @returns {string | Uint8Array}
 */
export function asInput(value) {
  if (typeof value === 'string') {
    return value;
  }
  if (ofArrays[Symbol.toStringTag].get.call(value) !== 'Uint8Array') {
    throw new TypeError('the input is neither a string nor a Uint8Array');
  }
  const array = /** @type {Uint8Array} */ (value);
  const length = ofArrays.length.get.call(array);
  if (length === 0) {
    return new Uint8Array(0); // the buffer may be gone, and then has no views
  }
  return Object.getPrototypeOf(array) === Uint8Array.prototype ?
    array :
    new Uint8Array(ofArrays.buffer.get.call(array), ofArrays.byteOffset.get.call(array), length);
}

/** The longest string whose bytes are read into the array that inputs share. */
export const MOST_SHARED = 1 << 10;

/** The bytes of the short string that was read last: an array of its own takes longer than reading it. */
const sharedBytes = /*#__PURE__*/ new Uint8Array(MOST_SHARED);

/**
 * Returns an array for the bytes of a string, which may be longer. The bytes stay there until the next
 * string is read.
 * @param {number} length
 * @returns {Uint8Array}
 */
export function roomFor(length) {
  return length > MOST_SHARED ? new Uint8Array(length) : sharedBytes;
}

/**
 * Writes the characters of a string as bytes, up to the first that is above a limit, and returns how
 * many these are.
 * @param {Uint8Array} bytes
 * @param {string} s
 * @param {number} most
 * @returns {number}
 */
export function writeCharacters(bytes, s, most) {
  const length = s.length;
  for (let i = 0; i < length; i++) {
    const c = s.charCodeAt(i);
    if (c > most) {
      return i;
    }
    bytes[i] = c;
  }
  return length;
}

/**
 * Reports whether the table in next accepts bytes from a row.
 * @param {Int32Array} next
 * @param {Uint8Array} classes
 * @param {number} row
 * @param {Uint8Array} bytes
 * @param {number} end the column that says whether a row accepts
 * @returns {boolean}
 */
export function acceptsBytes(next, classes, row, bytes, end) {
  const length = bytes.length;
  for (let i = 0; i < length; i++) {
    row = next[row + classes[bytes[i]]];
    if (row === 0) {
      return false;
    }
  }
  return next[row + end] !== 0;
}
