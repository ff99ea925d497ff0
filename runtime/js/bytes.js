// What an input may be, and the loop that runs a table over its bytes.

/**
 * Returns the value if it is an input. A Uint8Array of another realm is one, so instanceof does not
 * decide.
 * @param {unknown} value
 * @returns {string | Uint8Array}
 */
export function asInput(value) {
  if (typeof value === 'string') {
    return value;
  }
  if (Object.prototype.toString.call(value) === '[object Uint8Array]') {
    return /** @type {Uint8Array} */ (value);
  }
  throw new TypeError('the input is neither a string nor a Uint8Array');
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
