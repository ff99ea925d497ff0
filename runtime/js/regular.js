// The engine of a grammar in which nothing nests: the ordered automaton makes trees, and the proven
// table explains rejections.

import { Automaton } from './automaton.js';
import { explainInput } from './explain.js';
import { TableExplainer } from './explaintable.js';
import { Input } from './input.js';
import { NodeList } from './nodes.js';

/** Derives by an automaton, and explains by a table. */
export class RegularEngine {
  /**
   * @param {Automaton} automaton
   * @param {TableExplainer} explainer
   */
  constructor(automaton, explainer) {
    this.automaton = automaton;
    this.explainer = explainer;
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

  /**
   * @param {number} kind
   * @param {Input} input
   * @param {boolean} ends
   */
  explain(kind, input, ends) {
    return explainInput(this.explainer, kind, input.bytes, ends);
  }

  /**
   * @param {number} kind
   * @param {Input} input
   */
  prefix(kind, input) {
    return this.explainer.longestPrefix(kind, input.bytes);
  }
}
