// The engine of a grammar in which productions nest: the general parser derives those that do, the
// ordered automaton all others, and what nests inside the general parser is left to it as well.

import { Automaton } from './automaton.js';
import { TooLargeError } from './errors.js';
import { explainInput } from './explain.js';
import { GeneralReader, GeneralTables } from './general.js';
import { GeneralExplainer } from './generalexplain.js';
import { GeneralParser } from './generaltree.js';
import { Grammar } from './grammar.js';
import { Input } from './input.js';
import { ListReader } from './lists.js';
import { NodeList } from './nodes.js';

/**
 * Tables: of the automaton, of the general parser, those by which it only accepts, those that explain
 * rejections, and by kind the letter of what derives a production, g for the general parser.
 * @typedef {{automaton: string, general: string, accepting: string, explaining: string,
 *   derives: string}} Packed
 */

/** Caps the bytes that are read in trying prefixes: see prefix. */
const PREFIX_BYTES = 1 << 24;

/** Derives by the general parser or an automaton. */
export class NestedEngine {
  /**
   * @param {Grammar} grammar
   * @param {Packed} packed
   */
  constructor(grammar, packed) {
    this.grammar = grammar;
    this.packed = packed;
    this.automaton = new Automaton(packed.automaton);
    this.explainer = new GeneralExplainer(packed.explaining, grammar);
    /** @type {GeneralTables | null} */
    this.tables = null;
    /** @type {GeneralParser | null} */
    this.parser = null;
    /** @type {GeneralTables | null} */
    this.acceptingTables = null;
    /** @type {GeneralReader | null} */
    this.acceptor = null;
  }

  /**
   * Reports whether the general parser derives a production.
   * @param {number} kind
   * @returns {boolean}
   */
  isGeneral(kind) {
    return this.packed.derives[kind] === 'g';
  }

  /** Returns the general parser that makes trees. */
  openParser() {
    this.tables ??= new GeneralTables(new ListReader(this.packed.general));
    if (this.parser === null || this.parser.isFull) {
      this.parser = new GeneralParser(this.tables, this.packed.automaton === '' ? null : this.automaton);
    }
    return this.parser;
  }

  /** Returns the general parser that only accepts, or null if it is the one that makes trees. */
  openAcceptor() {
    if (this.packed.accepting === '') {
      return null;
    }
    this.acceptingTables ??= new GeneralTables(new ListReader(this.packed.accepting));
    if (this.acceptor === null || this.acceptor.isFull) {
      this.acceptor = new GeneralReader(this.acceptingTables);
    }
    return this.acceptor;
  }

  /**
   * Reports whether a production derives an input. It throws a TooLargeError where that takes more than
   * the limits.
   * @param {number} kind
   * @param {Input} input
   * @returns {boolean}
   */
  accepts(kind, input) {
    if (!this.isGeneral(kind)) {
      return this.packed.automaton !== '' && this.automaton.has(kind) && this.automaton.accepts(kind, input.bytes);
    }
    const acceptor = this.openAcceptor();
    if (acceptor !== null) {
      const accepted = acceptor.tables.starts[kind] !== 0 && acceptor.read(kind, input.bytes, false);
      if (!acceptor.over || acceptor.items < acceptor.mostItems) {
        this.checkLimits(acceptor, input);
        return accepted;
      }
    }
    const parser = this.openParser();
    const accepted = parser.tables.starts[kind] !== 0 && parser.read(kind, input.bytes, false);
    this.checkLimits(parser, input);
    return accepted;
  }

  /**
   * Throws a TooLargeError if a reader has passed a limit.
   * @param {GeneralReader} reader
   * @param {Input} input
   */
  checkLimits(reader, input) {
    if (!reader.over) {
      return;
    }
    const { at, steps, mostSteps, mostMemory } = reader;
    if (steps > mostSteps) {
      throw new TooLargeError(this.grammar, input, at, mostSteps, 'steps');
    }
    throw new TooLargeError(this.grammar, input, at, mostMemory, 'bytes of memory');
  }

  /**
   * @param {NodeList} nodes
   * @param {number} kind
   * @param {Input} input
   */
  parse(nodes, kind, input) {
    if (!this.isGeneral(kind)) {
      return this.packed.automaton !== '' && this.automaton.has(kind) && this.automaton.parse(nodes, kind, input.bytes, 0, input.bytes.length);
    }
    const parser = this.openParser();
    if (parser.tables.starts[kind] === 0) {
      return false;
    }
    const derived = parser.read(kind, input.bytes, true);
    if (derived) {
      parser.derive(nodes);
    }
    if (parser.isFull) { // it keeps too much
      this.parser = null;
    }
    this.checkLimits(parser, input);
    return derived;
  }

  /**
   * @param {number} kind
   * @param {Input} input
   * @param {boolean} ends
   */
  explain(kind, input, ends) {
    return explainInput(this.explainer, kind, input.bytes, ends);
  }

  /**
   * The rejection tells how far the input is the beginning of a string at all; the prefixes up to there
   * are tried, the longest first. A value that ends near the place where the input goes wrong is found
   * at once; without a cap, a long one that is not complete would take quadratic time.
   * @param {number} kind
   * @param {Input} input
   */
  prefix(kind, input) {
    const { bytes } = input;
    if (this.accepts(kind, input)) {
      return bytes.length;
    }
    const { offset } = this.explain(kind, input, false);
    let read = 0;
    for (let length = Math.min(offset, bytes.length); length >= 0; length--) {
      read += length;
      if (read > PREFIX_BYTES) {
        throw new TooLargeError(this.grammar, input, length, PREFIX_BYTES, 'steps');
      }
      if (this.accepts(kind, new Input(bytes.subarray(0, length)))) {
        return length;
      }
    }
    return -1;
  }
}

/**
 * Reports whether a production derives an input.
 * @param {NestedEngine} engine
 * @param {number} kind
 * @param {unknown} value
 * @returns {boolean}
 */
export function acceptsInput(engine, kind, value) {
  const input = new Input(value);
  return input.unreadable < 0 && engine.accepts(kind, input);
}
