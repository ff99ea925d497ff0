// The tree of an accepted input. It is faithful to the grammar: a node is a production, its text is
// derived by that production, and its children stand in the order of the production. Productions
// that derive only single characters are lexical: they are no nodes below the root.
//
// A tree is four numbers a node. A Node is made when it is asked for, and points into it. Names of
// productions are data: a node has no property that is named after one.

import { Input } from './input.js';
import { columnAt } from './position.js';

/** @typedef {import('./grammar.js').Grammar} Grammar */

/** A tree: the nodes of an input, in pre-order. */
export class Tree {
  /**
   * @param {Grammar} grammar
   * @param {Input} input
   * @param {Int32Array | number[]} nodes
   */
  constructor(grammar, input, nodes) {
    this.grammar = grammar;
    this.input = input;
    this.nodes = nodes;
  }
}

/** A node of a tree. Its children are iterated over, in order. */
export class Node {
  /** @type {Tree} */
  #tree;
  /** @type {number} */
  #index;

  /**
   * @param {Tree} tree
   * @param {number} index
   */
  constructor(tree, index) {
    this.#tree = tree;
    this.#index = index;
  }

  /** The ID of the production. */
  get name() {
    return this.#tree.grammar.names.ids[this.#tree.nodes[4 * this.#index]];
  }

  /** The offset in the input where the node begins. */
  get start() {
    return this.#tree.input.offsetOf(this.#tree.nodes[4 * this.#index + 1]);
  }

  /** The offset in the input after the node. */
  get end() {
    return this.#tree.input.offsetOf(this.#tree.nodes[4 * this.#index + 2]);
  }

  /** The part of the input that the production derives. */
  get text() {
    return this.#tree.input.text(this.start, this.end);
  }

  /** The line in which the node begins, from 1. */
  get line() {
    return columnAt(this.#tree.input, this.#tree.nodes[4 * this.#index + 1]).line;
  }

  /** The column in which the node begins, in code points from 1. */
  get column() {
    return columnAt(this.#tree.input, this.#tree.nodes[4 * this.#index + 1]).column;
  }

  /** The children, in order. */
  get children() {
    return [...this];
  }

  /** Iterates over the children, in order. */
  *[Symbol.iterator]() {
    const { nodes } = this.#tree;
    const end = nodes[4 * this.#index + 3];
    for (let i = this.#index + 1; i < end; i = nodes[4 * i + 3]) {
      yield new Node(this.#tree, i);
    }
  }

  /**
   * Returns the first child with this name, or undefined.
   * @param {string} name
   * @returns {Node | undefined}
   */
  get(name) {
    return childrenNamed(this.#tree, this.#index, name, 1)[0];
  }

  /**
   * Returns the children with this name, in order.
   * @param {string} name
   * @returns {Node[]}
   */
  all(name) {
    return childrenNamed(this.#tree, this.#index, name, Infinity);
  }

  /**
   * The alternative of its production by which the node was derived: the name of the production, or
   * the word in quotation marks, that the alternative is, and otherwise its number from 1. A
   * production without a choice has one alternative, 1. It is undefined where none is found within
   * the limit on steps.
   */
  get alternative() {
    return this.#tree.grammar.alternatives.of(this.#tree, this.#index);
  }

  /** The node as plain data, with its children. */
  toJSON() {
    return plainTree(this.#tree, this.#index);
  }
}

/**
 * Returns the children of a node that have a name, up to so many, in order.
 * @param {Tree} tree
 * @param {number} index
 * @param {string} name
 * @param {number} most
 * @returns {Node[]}
 */
function childrenNamed(tree, index, name, most) {
  const { nodes, grammar } = tree;
  const kind = grammar.names.kindOf(name);
  const end = nodes[4 * index + 3];
  const list = [];
  for (let i = index + 1; i < end && list.length < most; i = nodes[4 * i + 3]) {
    if (nodes[4 * i] === kind) {
      list.push(new Node(tree, i));
    }
  }
  return list;
}

/**
 * A node as plain data.
 * @typedef {{name: string, start: number, end: number, children: PlainNode[]}} PlainNode
 */

/**
 * Returns a node as plain data, with its children. It keeps a stack of its own, since nodes nest as
 * deep as the input.
 * @param {Tree} tree
 * @param {number} index
 * @returns {PlainNode}
 */
function plainTree(tree, index) {
  const { nodes, input, grammar } = tree;
  /** @type {PlainNode[]} */
  const top = [];
  /** @type {{end: number, children: PlainNode[]}[]} */
  const open = [{ end: Infinity, children: top }];
  const last = nodes[4 * index + 3];
  for (let i = index; i < last; i++) {
    while (i >= open[open.length - 1].end) {
      open.pop();
    }
    const at = 4 * i;
    /** @type {PlainNode} */
    const plain = {
      name: grammar.names.ids[nodes[at]],
      start: input.offsetOf(nodes[at + 1]),
      end: input.offsetOf(nodes[at + 2]),
      children: [],
    };
    open[open.length - 1].children.push(plain);
    open.push({ end: nodes[at + 3], children: plain.children });
  }
  return top[0];
}
