// The productions of a grammar as expressions. Each is packed by itself, and read when its production is asked for.
// docs/table-format.md says how.

import { ListReader } from './lists.js';

/** The operations: the empty string, a set of bytes, a production, a sequence, a choice, and a repetition. */
export const EMPTY = 0;
export const BYTES = 1;
export const PRODUCTION = 2;
export const SEQUENCE = 3;
export const CHOICE = 4;
export const REPEAT = 5;

/**
 * An expression: an operation and its operands. Of these it has those of its operation: a set, whose number is kind; a
 * kind; parts a and b; or a part a, and how often that comes at least and at most, -1 for any number.
 * @typedef {{op: number, set: ByteSet, kind: number, least: number, most: number, a: Expr, b: Expr}} Expr
 */

/**
 * A set of bytes, in ascending order.
 * @typedef {number[]} ByteSet
 */

/** The numbers that stand for operations with parts. Those from FIRST_SET on are sets, if even, and productions. */
const WORD_CHOICE = 2;
const WORD_REPEAT = 3;
const FIRST_SET = 4;

/** The productions of a grammar. */
export class Rules {
  /** @param {string} packed */
  constructor(packed) {
    this.lists = new ListReader(packed);
    /** @type {number[]} by kind, 1 if the production is no node below the root; empty before open */
    this.lexical = [];
    /** @type {ByteSet[]} */
    this.sets = [];
    /** @type {number[]} by kind, where the expression begins in the text */
    this.places = [];
    /** @type {(Expr | undefined)[]} by kind */
    this.expressions = [];
  }

  /** Unpacks all but the expressions, if that was not done. */
  open() {
    const { lists } = this;
    if (this.lexical.length > 0) {
      return;
    }
    this.lexical = lists.list();
    this.sets = lists.listOfLists().map(bytesOf);
    const lengths = lists.list();
    let place = lists.at;
    this.places = lengths.map((length) => (place += length) - length);
  }

  /**
   * Reports whether a production is no node below the root.
   * @param {number} kind
   * @returns {boolean}
   */
  isLexical(kind) {
    this.open();
    return this.lexical[kind] === 1;
  }

  /**
   * Returns the expression of a production. It is the same object each time.
   * @param {number} kind
   * @returns {Expr}
   */
  expressionOf(kind) {
    this.open();
    this.lists.at = this.places[kind];
    return (this.expressions[kind] ??= this.readExpression());
  }

  /** @returns {Expr} the next expression of the text */
  readExpression() {
    const word = this.lists.number();
    const e = /** @type {Expr} */ (/** @type {unknown} */ ({ op: EMPTY, set: [], kind: 0, least: 0, most: 0 }));
    if (word >= FIRST_SET) {
      e.op = word % 2 === 0 ? BYTES : PRODUCTION;
      e.kind = (word - FIRST_SET) >> 1;
      e.set = this.sets[e.kind];
    } else if (word === WORD_REPEAT) {
      e.least = this.lists.number();
      e.most = this.lists.number() - 1;
      e.op = e.most === 0 ? EMPTY : REPEAT;
      e.a = this.readExpression();
    } else if (word > 0) {
      e.op = word === WORD_CHOICE ? CHOICE : SEQUENCE;
      e.a = this.readExpression();
      e.b = this.readExpression();
    }
    return e;
  }
}

/**
 * Returns the bytes of a set, which is written as its ranges: of each, how many bytes lie between it and the one
 * before, and the number of its bytes, less 1.
 * @param {number[]} ranges
 * @returns {ByteSet}
 */
function bytesOf(ranges) {
  /** @type {ByteSet} */
  const set = [];
  let byte = 0;
  ranges.forEach((length, i) => {
    for (const end = byte + length + (i & 1); byte < end; byte++) {
      if (i & 1) {
        set.push(byte);
      }
    }
  });
  return set;
}

/**
 * Returns the numbers of two ascending lists, ascending and each once. It can be one of the lists itself.
 * @param {number[]} a
 * @param {number[]} b
 * @returns {number[]}
 */
export function unionOf(a, b) {
  if (a.length === 0 || b.length === 0) {
    return a.length === 0 ? b : a;
  }
  if (a[a.length - 1] < b[0]) {
    return a.concat(b);
  }
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}
