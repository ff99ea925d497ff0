// What a module exports: it holds an engine, which knows the tables, against an input.

import { ParseError, TooDeepError } from './errors.js';
import { Input } from './input.js';
import { NodeList } from './nodes.js';
import { Printed } from './printed.js';
import { Node, Tree } from './tree.js';

/** @typedef {import('./explain.js').Rejection} Rejection */
/** @typedef {import('./grammar.js').Grammar} Grammar */

/**
 * Derives bytes. parse appends nodes, to a list that may be nodes, which is kept from one input to the next.
 * @typedef {{
 *   nodes: NodeList,
 *   parse(nodes: NodeList, kind: number, input: Input): boolean,
 * }} Engine
 */

/**
 * Explains why bytes are not derived by a production. explain, with ends, explains what could follow the
 * bytes; prefix returns the length of the longest prefix that is derived, or -1.
 * @typedef {{
 *   printed: Printed,
 *   explain(kind: number, input: Input, ends: boolean): Rejection,
 *   prefix(kind: number, input: Input): number,
 * }} InputExplainer
 */

/**
 * What a caller may choose.
 * @typedef {{start?: string, maxDepth?: number}} ParseOptions
 */

/**
 * Returns the root of the tree of an input, or undefined if the input is not derived.
 * @param {Grammar} grammar
 * @param {Engine} engine
 * @param {unknown} value the input
 * @param {ParseOptions} options
 * @returns {Node | undefined}
 */
export function tryParseInput(grammar, engine, value, options) {
  const kind = startOf(grammar, options);
  const input = new Input(value);
  const { nodes } = engine;
  nodes.clear(); // a tree has a copy, or a large list itself
  if (!engine.parse(nodes, kind, input)) {
    return undefined;
  }
  return rootOf(grammar, input, nodes, options);
}

/**
 * Returns the root of the tree of an input. It throws a ParseError if the input is not derived.
 * @param {Grammar} grammar
 * @param {Engine} engine
 * @param {InputExplainer} explainer
 * @param {unknown} value the input
 * @param {ParseOptions} options
 * @returns {Node}
 */
export function parseInput(grammar, engine, explainer, value, options) {
  const root = tryParseInput(grammar, engine, value, options);
  if (root === undefined) {
    throw rejectionOf(explainer, startOf(grammar, options), new Input(value));
  }
  return root;
}

/**
 * Returns the root of the tree of the longest prefix of an input that is derived; its end is the
 * length of the prefix. It throws a ParseError if no prefix is derived, not even the empty string.
 * @param {Grammar} grammar
 * @param {Engine} engine
 * @param {InputExplainer} explainer
 * @param {unknown} value
 * @param {ParseOptions} options
 * @returns {Node}
 */
export function parsePrefixOf(grammar, engine, explainer, value, options) {
  const kind = startOf(grammar, options);
  const input = new Input(value);
  const length = explainer.prefix(kind, input);
  if (length < 0) {
    throw rejectionOf(explainer, kind, input);
  }
  input.length = length;
  input.own = null; // the bytes that were asked for are too many
  const { nodes } = engine;
  nodes.clear();
  engine.parse(nodes, kind, input);
  return rootOf(grammar, input, nodes, options);
}

/**
 * Returns the production that options choose. It throws a TypeError for an option that cannot be, whatever the input.
 * @param {Grammar} grammar
 * @param {ParseOptions} options
 * @returns {number}
 */
function startOf(grammar, { start, maxDepth }) {
  if (maxDepth !== undefined && !(typeof maxDepth === 'number' && maxDepth >= 0)) { // NaN would be no limit
    throw new TypeError('maxDepth must be a number from 0 on');
  }
  return start === undefined ? grammar.start : grammar.names.kindOf(start);
}

/**
 * Returns the root of a tree. It throws a TooDeepError if nodes nest deeper than the limit.
 * @param {Grammar} grammar
 * @param {Input} input
 * @param {NodeList} list
 * @param {ParseOptions} options
 * @returns {Node}
 */
function rootOf(grammar, input, list, options) {
  const nodes = list.take();
  const { maxDepth } = options;
  if (maxDepth !== undefined) {
    /** @type {number[]} the ends of the nodes around, outermost first */
    const open = [];
    for (let i = 0; i < list.length; i++) {
      while (open.length > 0 && open[open.length - 1] <= i) {
        open.pop();
      }
      open.push(nodes[4 * i + 3]);
      if (open.length > maxDepth) {
        throw new TooDeepError(grammar.names, input, nodes[4 * i + 1], maxDepth);
      }
    }
  }
  return new Node(new Tree(grammar, input, nodes), 0);
}

/**
 * Returns the error of an input that is not derived. What stands after a character that cannot be
 * read is not looked at: the error is at that character or before it.
 * @param {InputExplainer} explainer
 * @param {number} kind
 * @param {Input} input
 * @returns {ParseError}
 */
function rejectionOf(explainer, kind, input) {
  input.read();
  return new ParseError(explainer.printed, input, explainer.explain(kind, input, input.unreadable >= 0));
}
