// How trees are made where productions nest, or the ordered automaton would pass a limit. What needs no trees by items
// is in nested.js.

import { GeneralParser } from './generaltree.js';
import { Input } from './input.js';
import { NestedAcceptor } from './nested.js';
import { NodeList } from './nodes.js';
import { IncreasingNodeList } from './nodesincreasing.js';

/** Derives with a tree. What it makes is shared with an acceptor, which asks it for the trees that no guide makes. */
export class NestedEngine {
  /** @param {NestedAcceptor} acceptor */
  constructor(acceptor) {
    this.acceptor = acceptor;
    /** @type {NodeList | null} */
    this.list = null;
    acceptor.parseByItems = (kind, bytes, nodes, allowed) => this.parseByItems(kind, bytes, nodes, allowed);
  }

  /** The list of nodes that is kept from one input to the next. */
  get nodes() {
    return (this.list ??= new IncreasingNodeList(true));
  }

  /**
   * Appends the nodes of an input, and reports whether a production derives it. It throws a TooLargeError
   * where that takes more than the limits.
   * @param {NodeList} nodes
   * @param {number} kind
   * @param {Input} input
   * @returns {boolean}
   */
  parse(nodes, kind, input) {
    return this.acceptor.derive(kind, input, nodes);
  }

  /** Returns the general parser. It becomes the reader of the acceptor, so that sets of states are made once. */
  openParser() {
    const { acceptor } = this;
    const { reader } = acceptor;
    if (reader instanceof GeneralParser && !reader.isFull) {
      return reader;
    }
    const parser = new GeneralParser(acceptor.openTables(), acceptor.proven);
    if (reader !== null && !reader.isFull) {
      parser.takeSets(reader);
    }
    acceptor.reader = parser;
    return parser;
  }

  /**
   * Is isDerivedByItems of the acceptor with a tree. If a limit is passed, the list is as it was.
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @param {NodeList} nodes
   * @param {number} allowed
   * @returns {boolean}
   */
  parseByItems(kind, bytes, nodes, allowed) {
    const { acceptor } = this;
    const parser = this.openParser();
    const before = nodes.length;
    const derived = parser.read(kind, bytes, true, allowed);
    if (derived) {
      parser.derive(nodes);
    }
    if (parser.over) {
      nodes.length = before;
    }
    if (parser.isFull) { // it keeps too much
      acceptor.reader = null;
    }
    acceptor.noteLimits(parser);
    return derived;
  }
}
