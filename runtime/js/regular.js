// The engine of a grammar in which nothing nests: the ordered automaton makes trees. explaintable.js explains
// rejections.

import { Automaton } from './automaton.js';
import { Input } from './input.js';
import { NodeList } from './nodes.js';

/** Derives by an automaton, which is made when the first input is parsed, so that a module loads sooner. */
export class RegularEngine {
  /** @param {() => import('./automaton.js').AutomatonStates} makeStates */
  constructor(makeStates) {
    this.makeStates = makeStates;
    /** @type {Automaton | null} */
    this.automaton = null;
    /** @type {NodeList | null} */
    this.list = null;
  }

  /** The list of nodes that is kept from one input to the next. */
  get nodes() {
    return (this.list ??= new NodeList(true));
  }

  /**
   * Appends the nodes of an input, and reports whether a production derives it. Of most strings no bytes are made.
   * @param {NodeList} nodes
   * @param {number} kind
   * @param {Input} input
   * @returns {boolean}
   */
  parse(nodes, kind, input) {
    const automaton = (this.automaton ??= new Automaton(this.makeStates));
    const { value } = input;
    const isText = typeof value === 'string' && input.room === null;
    if (isText && automaton.parseText(nodes, kind, value)) {
      return true;
    }
    const bytes = input.read();
    const wasRead = isText && input.offsets === null; // each character is a byte, so parseText read them all
    return !wasRead && input.unreadable < 0 && automaton.parse(nodes, kind, bytes, 0, input.length);
  }
}
