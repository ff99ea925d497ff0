// How inputs are derived where productions nest, or the ordered automaton would pass a limit: the general parser
// derives those productions, and the ordered automaton all others, also where the general parser comes to one.
// Before the general parser goes over all derivations, a guide is tried, which decides most inputs. The first inputs
// have none, other than in Go: it is made after GUIDE_AFTER bytes, or where one input takes FEW_STEPS steps.
//
// What only trees by items need is in nestedtree.js, so that a program that only accepts can do without.

import { Automaton } from './automaton.js';
import { TooLargeError } from './errors.js';
import { GeneralReader, GeneralTables } from './general.js';
import { GUIDE_AFTER, Guides } from './generalguided.js';
import { Input } from './input.js';
import { ListReader } from './lists.js';
import { Names } from './names.js';
import { NodeList } from './nodes.js';

/** How many bytes are read without the tables that only accept, before these are unpacked. */
const ACCEPTOR_AFTER = 1 << 11;

/**
 * How many steps an input may take without a guide, and without the tables that only accept, before these are made.
 * Nearly all short inputs take fewer. Where derivations are many, a hundred bytes can take a thousand times as many.
 */
const FEW_STEPS = 1 << 17;

/**
 * Tables: of the general parser, those by which it only accepts, and by kind the letter of what derives a production, g
 * for the general parser.
 * @typedef {{general: string, accepting: string, derives: string}} Packed
 */

/**
 * Where the general parser stopped because a limit was passed.
 * @typedef {{at: number, limit: number, unit: string}} Stop
 */

/**
 * Reports whether a production derives bytes, in so many steps, and appends their nodes to a list.
 * @typedef {(kind: number, bytes: Uint8Array, nodes: NodeList, allowed: number) => boolean} TreeParser
 */

/** Accepts by the general parser or an automaton, and makes trees where a guide or the automaton does. */
export class NestedAcceptor {
  /**
   * @param {Names} names
   * @param {Packed} packed
   * @param {(() => import('./automaton.js').AutomatonStates) | null} makeStates returns those of the automaton; null if
   *   that derives no production
   */
  constructor(names, packed, makeStates) {
    this.names = names;
    this.packed = packed;
    this.makeStates = makeStates;
    /** @type {Automaton | null} */
    this.automaton = null;
    /** Makes the other trees; a NestedEngine sets it. @type {TreeParser | null} */
    this.parseByItems = null;
    /** Those that make trees. @type {GeneralTables | null} */
    this.tables = null;
    /** Reads by them: a GeneralParser, once a NestedEngine has made a tree by items. @type {GeneralReader | null} */
    this.reader = null;
    /** @type {GeneralTables | null} */
    this.acceptingTables = null;
    /** @type {GeneralReader | null} */
    this.acceptingReader = null;
    /** @type {Guides | null} */
    this.guides = null;
    /**
     * How many bytes a start is asked about before a guide is tried; none is if it is Infinity. Answers and trees are
     * the same, so that each way is a check of the other.
     */
    this.guideAfter = GUIDE_AFTER;
    /** How many bytes were read without a tree and without a guide. */
    this.readByItems = 0;
    /** Whether a guide decided the last input. */
    this.guided = false;
    /** The limit that the last input passed, and where. @type {Stop | null} */
    this.stopped = null;
  }

  /**
   * Reports whether the general parser derives a production.
   * @param {number} kind
   * @returns {boolean}
   */
  isGeneral(kind) {
    return this.packed.derives[kind] === 'g';
  }

  /** The automaton that makes the nodes of productions that are proven; null if none is. */
  get proven() {
    if (this.makeStates !== null) {
      this.automaton ??= new Automaton(this.makeStates);
    }
    return this.automaton;
  }

  /** Returns the tables of the general parser that makes trees. */
  openTables() {
    this.tables ??= new GeneralTables(new ListReader(this.packed.general));
    return this.tables;
  }

  /** Returns a reader of the tables that make trees. */
  openReader() {
    if (this.reader === null || this.reader.isFull) {
      this.reader = new GeneralReader(this.openTables());
    }
    return this.reader;
  }

  /** Returns a reader of the tables that only accept, or null if there are none. */
  openAcceptingReader() {
    if (this.packed.accepting === '') {
      return null;
    }
    this.acceptingTables ??= new GeneralTables(new ListReader(this.packed.accepting));
    if (this.acceptingReader === null || this.acceptingReader.isFull) {
      this.acceptingReader = new GeneralReader(this.acceptingTables);
    }
    return this.acceptingReader;
  }

  /**
   * Reports whether a production derives an input, and appends its nodes if there is a list for them. It throws a
   * TooLargeError where that takes more than the limits. While the bytes of an input are read, no other input is: so
   * no copy is made of them.
   * @param {number} kind
   * @param {Input} input
   * @param {NodeList | null} nodes
   * @returns {boolean}
   */
  derive(kind, input, nodes) {
    const room = input.read();
    if (input.unreadable >= 0) {
      return false;
    }
    const derived = this.isDerived(kind, input.own ?? room, input.length, nodes);
    this.checkLimits(input);
    return derived;
  }

  /**
   * Reports whether a production derives a string, or returns null if that takes its bytes: see Guides.accepts.
   * @param {number} kind
   * @param {string} text
   * @returns {boolean | null}
   */
  acceptsText(kind, text) {
    if (this.guides === null || this.guideAfter === Infinity) {
      return null;
    }
    const derived = this.guides.accepts(kind, text);
    if (derived !== null) {
      this.guided = true;
      this.stopped = null;
    }
    return derived;
  }

  /**
   * Reports whether a production derives the first bytes of an array, so many, and appends their nodes if there is a
   * list for them. If that passes a limit, stopped is set.
   * @param {number} kind
   * @param {Uint8Array} room
   * @param {number} length
   * @param {NodeList | null} nodes
   * @returns {boolean}
   */
  isDerived(kind, room, length, nodes) {
    this.stopped = null;
    this.guided = false;
    if (!this.isGeneral(kind)) {
      if (this.proven === null) {
        return false;
      }
      return nodes === null ?
        this.proven.accepts(kind, room.subarray(0, length)) :
        this.proven.parse(nodes, kind, room, 0, length);
    }
    const tables = this.openTables();
    if (tables.starts[kind] === 0) {
      return false;
    }
    if (this.guideAfter === Infinity) {
      return this.isDerivedByItems(kind, room.subarray(0, length), nodes, Infinity);
    }
    const guides = (this.guides ??= new Guides(tables, this.proven));
    if (guides.noteAsked(kind, nodes !== null, length) < this.guideAfter) {
      const derived = this.isDerivedByItems(kind, room.subarray(0, length), nodes, FEW_STEPS);
      if (this.stopped === null) {
        return derived;
      }
      this.stopped = null;
      guides.noteAsked(kind, nodes !== null, this.guideAfter); // so the next input has the guide at once
    }
    const derived = guides.parse(kind, room, length, nodes);
    if (derived !== null) {
      this.guided = true;
      return derived;
    }
    return this.isDerivedByItems(kind, room.subarray(0, length), nodes, Infinity);
  }

  /**
   * Is isDerived for what nests, without a guide. It may take so many steps: FEW_STEPS or, for Infinity, the limit.
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @param {NodeList | null} nodes
   * @param {number} allowed
   * @returns {boolean}
   */
  isDerivedByItems(kind, bytes, nodes, allowed) {
    return nodes === null ?
      this.isReadByItems(kind, bytes, allowed) :
      /** @type {TreeParser} */ (this.parseByItems)(kind, bytes, nodes, allowed);
  }

  /**
   * Is isDerivedByItems without a tree. The tables that only accept are the faster ones, but unpacking them takes
   * longer than all else where the inputs are few and short. So the others are used at first, as long as FEW_STEPS
   * suffice, and where those that only accept pass a limit on memory.
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @param {number} allowed
   * @returns {boolean}
   */
  isReadByItems(kind, bytes, allowed) {
    this.readByItems += bytes.length;
    if (this.readByItems <= ACCEPTOR_AFTER) {
      const reader = this.openReader();
      const accepted = reader.read(kind, bytes, false, FEW_STEPS);
      this.noteLimits(reader);
      if (!reader.over || allowed === FEW_STEPS) {
        return accepted;
      }
    }
    const faster = this.openAcceptingReader();
    if (faster !== null) {
      const accepted = faster.tables.starts[kind] !== 0 && faster.read(kind, bytes, false, allowed);
      if (!faster.over || faster.items < faster.mostItems) {
        this.noteLimits(faster);
        return accepted;
      }
    }
    const reader = this.openReader();
    const accepted = reader.read(kind, bytes, false, allowed);
    this.noteLimits(reader);
    return accepted;
  }

  /**
   * Sets stopped to what stopped a reader. The reader itself is not kept, since it can be large.
   * @param {GeneralReader} reader
   */
  noteLimits({ over, at, steps, mostSteps, mostMemory }) {
    if (!over) {
      this.stopped = null;
    } else if (steps > mostSteps) {
      this.stopped = { at, limit: mostSteps, unit: 'steps' };
    } else {
      this.stopped = { at, limit: mostMemory, unit: 'bytes of memory' };
    }
  }

  /**
   * Throws a TooLargeError if the last input passed a limit.
   * @param {Input} input
   */
  checkLimits(input) {
    if (this.stopped !== null) {
      const { at, limit, unit } = this.stopped;
      throw new TooLargeError(this.names, input, at, limit, unit);
    }
  }
}

/**
 * Reports whether a production derives an input. Of a string no bytes are made if a guide decides it.
 * @param {NestedAcceptor} acceptor
 * @param {number} kind
 * @param {unknown} value
 * @returns {boolean}
 */
export function acceptsInput(acceptor, kind, value) {
  if (typeof value === 'string') {
    const derived = acceptor.acceptsText(kind, value);
    if (derived !== null) {
      return derived;
    }
  }
  return acceptor.derive(kind, new Input(value), null);
}
