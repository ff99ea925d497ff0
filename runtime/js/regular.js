// The engine of a grammar in which nothing nests: the ordered automaton makes trees. explaintable.js explains
// rejections.

import { Automaton } from './automaton.js';
import { Input } from './input.js';
import { NodeList } from './nodes.js';

/** Derives by an automaton, whose states are made when the first input is parsed, so that a module loads sooner. */
export class RegularEngine {
  /** @param {() => import('./automaton.js').AutomatonStates} makeStates */
  constructor(makeStates) {
    this.automaton = new Automaton(makeStates);
    /** @type {NodeList | null} */
    this.list = null;
  }

  /** The list of nodes that is kept from one input to the next. */
  get nodes() {
    return (this.list ??= new NodeList(true));
  }

  /**
   * @param {NodeList} nodes
   * @param {number} kind
   * @param {Input} input
   */
  parse(nodes, kind, input) {
    return this.automaton.parse(nodes, kind, input.room, 0, input.length);
  }
}
