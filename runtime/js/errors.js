// Errors of inputs that are refused, with the messages of Go's packages.

import { END_OF_INPUT } from './explain.js';
import { Input } from './input.js';
import { Names } from './names.js';
import { columnAt } from './position.js';
import { Printed } from './printed.js';
import { boundedMessage, joinNames, quoteBytes, thousands } from './quote.js';
import { decodeUTF8, fromByteString, toByteString } from './utf8.js';

/** @typedef {import('./explain.js').Rejection} Rejection */

/** Says where and why a production does not derive an input. */
export class ParseError extends Error {
  name = 'ParseError'; // defined, since an assignment fails where Error.prototype is frozen

  /**
   * @param {Printed} grammar
   * @param {Input} input
   * @param {Rejection} rejection
   */
  constructor(grammar, input, rejection) {
    const at = rejection.offset;
    const { line, column } = columnAt(input, at);
    const { expected } = rejection;
    const unexpected = unexpectedAt(grammar, input, at);
    const inner = rejection.inside[0];
    let message = `${toByteString(grammar.names.grammar)}: ${placeOf(input, at)}: unexpected ${unexpected}`;
    if (inner !== undefined) {
      message += ` in ${toByteString(grammar.nameOf(inner))}`;
    }
    if (expected.length > 0) {
      message += `; expected ${joinNames(expected, 'or')}`;
    }
    const printed = grammar.placeOf(inner ?? rejection.explained, inner !== undefined);
    if (printed !== '') {
      message += ` (${toByteString(printed)})`;
    }
    super(fromByteString(boundedMessage(message)));
    /** The offset in the input, in UTF-16 code units or bytes. */
    this.offset = input.offsetOf(at);
    /** The line, from 1. */
    this.line = line;
    /** The column, in code points from 1. */
    this.column = column;
    /** The innermost production that was being matched; undefined if none is known. */
    this.production = inner === undefined ? undefined : grammar.names.ids[inner];
    /** All productions that were being matched, that one first, then inner before outer. */
    this.productions = rejection.inside.map((kind) => grammar.names.ids[kind]);
    /** What stands there: a quoted byte, a code point as U+061C, or "end of input". */
    this.unexpected = unexpected;
    /** What could stand there: names of productions, quoted literals, "end of input". */
    this.expected = expected.map(fromByteString);
    /** Whether more input could complete this one. */
    this.incomplete = rejection.incomplete;
  }
}

/** Says that an input nests deeper than the limit. */
export class TooDeepError extends RangeError {
  name = 'TooDeepError';

  /**
   * @param {Names} names
   * @param {Input} input
   * @param {number} at
   * @param {number} limit
   */
  constructor(names, input, at, limit) {
    super(`${names.grammar}: ${placeOf(input, at)}: nested deeper than ${thousands(limit)} productions, ` +
      'which is the limit on depth');
    /** The offset in the input. */
    this.offset = input.offsetOf(at);
    /** How many productions may be nested in each other. */
    this.limit = limit;
  }
}

/** Says that an input is longer, or takes more steps or memory, than the limit. */
export class TooLargeError extends RangeError {
  name = 'TooLargeError';

  /**
   * @param {Names} names
   * @param {Input} input
   * @param {number} at
   * @param {number} limit
   * @param {string} what is limited, for the message
   */
  constructor(names, input, at, limit, what) {
    super(`${names.grammar}: ${placeOf(input, at)}: the parser has taken its ${thousands(limit)} ${what}, ` +
      'which are the limit');
    /** The offset in the input. */
    this.offset = input.offsetOf(at);
    /** The limit that was passed. */
    this.limit = limit;
  }
}

/**
 * Returns the place of a byte as messages have it: the offset, and from the second line on the line
 * and column before it.
 * @param {Input} input
 * @param {number} at
 * @returns {string}
 */
function placeOf(input, at) {
  const { line, column } = columnAt(input, at);
  const offset = input.offsetOf(at);
  return line === 1 ? `offset ${offset}` : `line ${line}, column ${column} (offset ${offset})`;
}

/**
 * Returns what stands at an offset: a byte in quotes, a code point as U+061C, or the end of the input.
 * @param {Printed} grammar
 * @param {Input} input
 * @param {number} at
 * @returns {string}
 */
function unexpectedAt(grammar, input, at) {
  const { bytes, value, unreadable } = input;
  if (at >= bytes.length) {
    return unreadable < 0 ? END_OF_INPUT : codePoint(/** @type {number} */ (
      /** @type {string} */ (value).codePointAt(unreadable)));
  }
  if (grammar.codePoints) {
    const [code, size] = decodeUTF8(bytes, at, bytes.length);
    if (size > 1) {
      return codePoint(code);
    }
  }
  return quoteBytes(String.fromCharCode(bytes[at]));
}

/**
 * Returns a code point as U+061C.
 * @param {number} code
 * @returns {string}
 */
function codePoint(code) {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
