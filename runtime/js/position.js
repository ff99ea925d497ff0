// Lines and columns of an input.

import { Input } from './input.js';
import { decodeUTF8 } from './utf8.js';

/**
 * Returns the line and the column of a byte, from 1. A line ends after CRLF, LF or CR; the CR of a
 * CRLF ends none by itself. A column is a code point, or a byte that is part of none.
 * @param {Input} input
 * @param {number} at
 * @returns {{line: number, column: number}}
 */
export function columnAt(input, at) {
  const { bytes } = input;
  let line = 1;
  let start = 0;
  for (let i = 0; i < at; i++) {
    const c = bytes[i];
    if (c === 10 || (c === 13 && (i + 1 === bytes.length || bytes[i + 1] !== 10))) {
      line++;
      start = i + 1;
    }
  }
  if (input.countsBytes) {
    return { line, column: at - start + 1 };
  }
  let column = 1;
  for (let i = start; i < at; column++) {
    i += decodeUTF8(bytes, i, at)[1];
  }
  return { line, column };
}
