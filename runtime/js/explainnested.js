// Why an input is rejected where productions nest, and how far one is derived. It is apart from the engine, so that a
// program that only accepts, or only makes trees, can do without the tables.

import { explainInput } from './explain.js';
import { GeneralExplainer } from './generalexplain.js';
import { longestPrefix } from './generalprefix.js';
import { Input } from './input.js';
import { NestedAcceptor } from './nested.js';
import { Printed } from './printed.js';

/** Explains rejections by tables that know each production. */
export class NestedExplainer {
  /**
   * @param {NestedAcceptor} acceptor
   * @param {string} packed
   * @param {Printed} printed
   */
  constructor(acceptor, packed, printed) {
    this.acceptor = acceptor;
    this.explainer = new GeneralExplainer(packed, printed);
    this.printed = printed;
  }

  /**
   * See InputExplainer.
   * @param {number} kind
   * @param {Input} input
   * @param {boolean} ends
   */
  explain(kind, input, ends) {
    return explainInput(this.explainer, kind, input.bytes, ends);
  }

  /**
   * Returns the length of the longest prefix of an input that a production derives, or -1. All of it is tried
   * first, since that is faster where it is derived. What is too much for all of it need not be too much for a
   * prefix.
   * @param {number} kind
   * @param {Input} input
   * @returns {number}
   */
  prefix(kind, input) {
    const { acceptor } = this;
    const { bytes } = input;
    if (acceptor.isDerived(kind, bytes, bytes.length, null)) {
      return bytes.length;
    }
    const reader = this.explainer.open();
    const longest = longestPrefix(reader, kind, bytes);
    acceptor.noteLimits(reader);
    acceptor.checkLimits(input);
    return longest;
  }
}
