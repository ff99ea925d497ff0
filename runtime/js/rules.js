// The productions of a grammar as expressions. They are written as proof/check reads them, a line for each,
// with each operator before its operands. A line is read when its production is asked for.

/**
 * An expression: an operation and its parts. The operations are those of proof/check: e is the empty
 * string, b a set of bytes, r a production, s a sequence, a a choice, and t a repetition.
 * @typedef {{op: string, set: ByteSet | null, a: Expr | null, b: Expr | null, kind: number,
 *   least: number, most: number}} Expr
 */

/**
 * A set of bytes, in ascending order.
 * @typedef {number[]} ByteSet
 */

/** The productions of a grammar. */
export class Rules {
  /** @param {string} text the lines */
  constructor(text) {
    this.text = text;
    /** @type {string[]} by kind, from 1 */
    this.lines = [];
    /** @type {(Expr | undefined)[]} by kind */
    this.expressions = [];
    /** @type {(ByteSet | null | undefined)[]} by kind; null if it is no set, or not known to be one yet */
    this.sets = [];
  }

  /**
   * Returns the line of a production.
   * @param {number} kind
   * @returns {string}
   */
  lineOf(kind) {
    if (this.lines.length === 0) {
      this.lines = `lexical bytes none\n${this.text}`.split('\n'); // kind 0 derives nothing
    }
    return this.lines[kind];
  }

  /**
   * Reports whether a production is no node below the root.
   * @param {number} kind
   * @returns {boolean}
   */
  isLexical(kind) {
    return this.lineOf(kind).startsWith('lexical');
  }

  /**
   * Returns the expression of a production, simplified. It is the same object each time.
   * @param {number} kind
   * @returns {Expr}
   */
  expressionOf(kind) {
    return (this.expressions[kind] ??= this.simplified(this.readExpression(kind)));
  }

  /**
   * Returns the expression of a production as it is written, a new object each time.
   * @param {number} kind
   * @returns {Expr}
   */
  readExpression(kind) {
    return new WordReader(this.lineOf(kind)).expression();
  }

  /**
   * Returns the bytes of a production that is no node and derives single bytes, or null for any other.
   * @param {number} kind
   * @returns {ByteSet | null}
   */
  setOf(kind) {
    if (this.sets[kind] === undefined) {
      this.sets[kind] = null; // meanwhile, so that one that uses itself is none
      const { op, set } = this.isLexical(kind) ? this.expressionOf(kind) : expressionFor('e');
      this.sets[kind] = op === 'b' ? set : null;
    }
    return /** @type {ByteSet | null} */ (this.sets[kind]);
  }

  /**
   * Simplifies an expression in place, and returns it or the one that replaces it. Neighboring alternatives that are
   * sets of bytes become one set, and a production that is no node and derives single bytes becomes its set.
   * @param {Expr} e
   * @returns {Expr}
   */
  simplified(e) {
    const set = e.op === 'r' ? this.setOf(e.kind) : null;
    if (set !== null) {
      return bytesIn(set);
    }
    const a = e.a && (e.a = this.simplified(e.a));
    const b = e.b && (e.b = this.simplified(e.b));
    if (e.op !== 'a' || a === null || b === null || a.op !== 'b') {
      return e;
    }
    const next = b.op === 'a' ? /** @type {Expr} */ (b.a) : b;
    if (next.op !== 'b') {
      return e;
    }
    const both = bytesIn(unionOf(/** @type {ByteSet} */ (a.set), /** @type {ByteSet} */ (next.set)));
    return next === b ? both : { ...b, a: both };
  }
}

/**
 * Returns the expression that derives each byte of a set.
 * @param {ByteSet} set
 * @returns {Expr}
 */
function bytesIn(set) {
  return { ...expressionFor('b'), set };
}

/**
 * Returns an expression of an operation, without operands.
 * @param {string} op
 * @returns {Expr}
 */
function expressionFor(op) {
  return { op, set: null, a: null, b: null, kind: 0, least: 0, most: 0 };
}

/** Reads the words of an expression. */
class WordReader {
  /** @param {string} line whether the production is a node, and its expression */
  constructor(line) {
    this.words = line.split(' ');
    this.at = 1;
  }

  /** @returns {string} the next word */
  next() {
    return this.words[this.at++];
  }

  /** @returns {Expr} the next expression */
  expression() {
    const word = this.next();
    const e = expressionFor(word[0]);
    switch (word) {
      case 'empty':
        break;
      case 'bytes':
        e.set = bytesOf(this.next());
        break;
      case 'rule':
        e.kind = Number(this.next());
        break;
      case 'star':
        e.op = 't';
        e.most = -1;
        e.a = this.expression();
        break;
      case 'times':
        e.least = Number(this.next());
        e.most = Number(this.next());
        e.a = this.expression();
        break;
      default: // seq or alt
        e.a = this.expression();
        e.b = this.expression();
    }
    return e;
  }
}

/**
 * Returns the set that a word names: "2d,30-39" or "none".
 * @param {string} word
 * @returns {ByteSet}
 */
function bytesOf(word) {
  /** @type {ByteSet} */
  const set = [];
  for (const part of word === 'none' ? [] : word.split(',')) {
    const [low, high = low] = part.split('-');
    for (let byte = parseInt(low, 16); byte <= parseInt(high, 16); byte++) {
      set.push(byte);
    }
  }
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
