// The engine of a grammar in which nothing nests: the ordered automaton makes trees. explaintable.js explains
// rejections.

import { Automaton } from './automaton.js';
import { Input } from './input.js';
import { NodeList } from './nodes.js';

/** Derives by an automaton. */
export class RegularEngine {
  /** @param {Automaton} automaton */
  constructor(automaton) {
    this.automaton = automaton;
    this.nodes = new NodeList(true);
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
