// Which alternative of its production a node was derived by. A tree does not store that, since most
// programs never ask: it follows from the text of the node and the nodes below it. The alternatives are tried in their
// order. How one is tried depends on the grammar: alternativestates.js has it where no production uses itself, and
// alternativecheck.js for all others. It is ast/alternative.go.

import { ListReader } from './lists.js';
import { Names } from './names.js';
import { CHOICE, PRODUCTION, Rules, SEQUENCE } from './rules.js';

/** @typedef {import('./rules.js').Expr} Expr */

/**
 * What is known of a tree here.
 * @typedef {{input: {bytes: Uint8Array}, nodes: Int32Array | number[]}} NodesOfInput
 */

/**
 * Returns, for the alternatives of a production, a function that reports whether one of them derives a node.
 * @typedef {(alternatives: Expr[], tree: NodesOfInput, node: number) => (e: Expr) => boolean} Trial
 */

/** A sign from here on is a child, by its kind; one below is a byte. */
export const FIRST_CHILD = 256;

/** Finds alternatives. */
export class Alternatives {
  /**
   * @param {Rules} rules
   * @param {Names} names
   * @param {string} packed by production, how many alternatives it has, and which part of its sequence is the choice
   * @param {Record<number, (string | number)[]>} labels by kind, those of alternatives; 0 and what is missing stand for
   *   the production that an alternative is, or its number
   * @param {(rules: Rules) => Trial} makeTrial
   */
  constructor(rules, names, packed, labels, makeTrial) {
    this.rules = rules;
    this.names = names;
    this.packed = packed;
    this.labels = labels;
    this.makeTrial = makeTrial;
    /** @type {Trial | null} made when the first alternative is asked for, as the lists are */
    this.trial = null;
    /** @type {number[]} by production, how many alternatives it has, and which part is the choice */
    this.counts = [];
    /** @type {number[]} */
    this.parts = [];
    /** @type {Expr[][]} by kind, the alternatives of those that were asked for; none without a choice */
    this.known = [];
  }

  /**
   * Returns the alternatives of a production when they are asked for the first time.
   * @param {number} kind
   * @returns {Expr[]}
   */
  makeAlternatives(kind) {
    const count = this.counts[kind - 1];
    return count < 2 ? [] : alternativesOf(this.rules.expressionOf(kind), this.parts[kind - 1], count);
  }

  /**
   * Returns the label of the alternative by which a node was derived.
   * @param {NodesOfInput} tree
   * @param {number} node
   * @returns {string | number | undefined}
   */
  of(tree, node) {
    if (this.trial === null) {
      const lists = new ListReader(this.packed);
      this.counts = lists.list();
      this.parts = lists.list();
      this.trial = this.makeTrial(this.rules);
    }
    const kind = tree.nodes[4 * node];
    const alternatives = (this.known[kind] ??= this.makeAlternatives(kind));
    if (alternatives.length === 0) {
      return 1;
    }
    const i = alternatives.findIndex(this.trial(alternatives, tree, node));
    const taken = alternatives[i];
    return taken && (this.labels[kind]?.[i] || (taken.op === PRODUCTION ? this.names.ids[taken.kind] : i + 1));
  }
}

/**
 * Returns what e is with each alternative of its choice alone. The choice has so many alternatives,
 * and is the part of a sequence with this number. It returns nothing if there is no such choice.
 * @param {Expr} e
 * @param {number} part
 * @param {number} count
 * @returns {Expr[]}
 */
function alternativesOf(e, part, count) {
  if (part > 0) {
    return e.op === SEQUENCE ? alternativesOf(e.b, part - 1, count).map((b) => ({ ...e, b })) : [];
  }
  const hasRest = e.op === SEQUENCE && e.a.op === CHOICE;
  let choice = hasRest ? e.a : e;
  /** @type {Expr[]} */
  const list = [];
  for (; count > 1 && choice.op === CHOICE; count--) {
    list.push(choice.a);
    choice = choice.b;
  }
  list.push(choice);
  return hasRest ? list.map((a) => ({ ...e, a })) : list;
}

/**
 * Returns the signs of a node: its bytes and, in place of the bytes of each child, that child.
 * @param {NodesOfInput} tree
 * @param {number} node
 * @returns {number[]}
 */
export function signsOf({ nodes, input }, node) {
  const { bytes } = input;
  /** @type {number[]} */
  const signs = [];
  let at = nodes[4 * node + 1];
  let child = node + 1;
  const end = nodes[4 * node + 2];
  const last = nodes[4 * node + 3];
  while (at < end || child < last) {
    if (child < last && nodes[4 * child + 1] === at) {
      signs.push(FIRST_CHILD + nodes[4 * child]);
      at = nodes[4 * child + 2];
      child = nodes[4 * child + 3];
    } else {
      signs.push(bytes[at++]);
    }
  }
  return signs;
}
