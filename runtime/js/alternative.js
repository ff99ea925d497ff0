// Which alternative of its production a node was derived by. A tree does not store that, since most
// programs never ask: it follows from the text of the node and the nodes below it. Where each
// alternative is one production that is a node, the kind of the child decides. Otherwise the
// alternatives are tried in their order, as a checker of derivations tries a production; that takes
// time linear in the text of the node for most productions. It is ast/alternative.go and
// ast/check.go, step for step.

import { MOST_STEPS, STEPS_BY_BYTE } from './limits.js';
import { ListReader } from './lists.js';
import { Rules, unionOf } from './rules.js';

/** @typedef {import('./rules.js').ByteSet} ByteSet */
/** @typedef {import('./rules.js').Expr} Expr */

/**
 * A production: its expression; the same with each alternative in place of its choice; and whether it is no
 * node, uses itself by way of such productions, and has one production that is a node for each alternative.
 * @typedef {{expr: Expr, lexical: boolean, circle: boolean, alternatives: Expr[] | null,
 *   byChild: boolean}} Rule
 */

/** A sign from here on is a child, by its kind; one below is a byte. */
const FIRST_CHILD = 256;

/** Finds alternatives. */
export class Alternatives {
  /**
   * @param {Rules} rules
   * @param {string} packed by production, how many alternatives it has, and which part of its sequence is the choice
   * @param {Record<number, (string | number)[]>} labels
   */
  constructor(rules, packed, labels) {
    this.rules = rules;
    this.packed = packed;
    this.labels = labels;
    /** @type {number[]} */
    this.counts = [];
    /** @type {number[]} */
    this.parts = [];
    /** @type {(Rule | undefined)[]} by kind, those that were asked for */
    this.known = [];
  }

  /**
   * Returns a production.
   * @param {number} kind
   * @returns {Rule}
   */
  ruleOf(kind) {
    return (this.known[kind] ??= this.makeRule(kind));
  }

  /**
   * Returns a production when it is asked for the first time.
   * @param {number} kind
   * @returns {Rule}
   */
  makeRule(kind) {
    if (this.counts.length === 0) {
      const lists = new ListReader(this.packed);
      this.counts = lists.list();
      this.parts = lists.list();
    }
    const { rules } = this;
    const expr = rules.expressionOf(kind);
    const count = this.counts[kind - 1];
    const alternatives = count < 2 ? null : alternativesOf(rules.readExpression(kind), this.parts[kind - 1], count);
    const lexical = rules.isLexical(kind);
    return {
      expr,
      lexical,
      circle: lexical && reaches(rules, expr, kind, new Set()),
      byChild: isByChild(rules, alternatives),
      alternatives: alternatives && alternatives.map((e) => rules.simplified(e)),
    };
  }

  /**
   * Returns the label of the alternative by which a node was derived.
   * @param {{input: {bytes: Uint8Array}, nodes: Int32Array | number[]}} tree
   * @param {number} node
   * @returns {string | number | undefined}
   */
  of(tree, node) {
    const kind = tree.nodes[4 * node];
    const { alternatives, byChild } = this.ruleOf(kind);
    if (alternatives === null) {
      return 1;
    }
    const child = node + 1;
    if (byChild && child < tree.nodes[4 * node + 3]) {
      const i = alternatives.findIndex((e) => e.kind === tree.nodes[4 * child]);
      return i < 0 ? undefined : this.labels[kind][i];
    }
    const check = new Checking(this, tree, node);
    const i = alternatives.findIndex((e) => check.derives(e));
    return i < 0 ? undefined : this.labels[kind][i];
  }
}

/**
 * Returns what e is with each alternative of its choice alone. The choice has so many alternatives,
 * and is the part of a sequence with this number. It returns null if there is no such choice.
 * @param {Expr} e
 * @param {number} part
 * @param {number} count
 * @returns {Expr[] | null}
 */
function alternativesOf(e, part, count) {
  if (part > 0) {
    if (e.op !== 's') {
      return null;
    }
    const rest = alternativesOf(/** @type {Expr} */ (e.b), part - 1, count);
    return rest && rest.map((b) => ({ ...e, b }));
  }
  let choice = e;
  /** @type {Expr | null} */
  let rest = null;
  if (e.op === 's' && e.a !== null && e.a.op === 'a') {
    choice = e.a;
    rest = e.b;
  }
  /** @type {Expr[]} */
  const list = [];
  for (; count > 1 && choice.op === 'a'; count--) {
    list.push(/** @type {Expr} */ (choice.a));
    choice = /** @type {Expr} */ (choice.b);
  }
  list.push(choice);
  return rest === null ? list : list.map((a) => ({ ...e, op: 's', a, b: rest }));
}

/**
 * Reports whether an expression uses a production, by way of lexical ones.
 * @param {Rules} rules
 * @param {Expr | null} e
 * @param {number} kind
 * @param {Set<number>} seen
 * @returns {boolean}
 */
function reaches(rules, e, kind, seen) {
  if (e === null) {
    return false;
  }
  if (e.op !== 'r') {
    return reaches(rules, e.a, kind, seen) || reaches(rules, e.b, kind, seen);
  }
  if (e.kind === kind || seen.has(e.kind)) {
    return e.kind === kind;
  }
  seen.add(e.kind);
  return rules.isLexical(e.kind) && reaches(rules, rules.expressionOf(e.kind), kind, seen);
}

/**
 * Reports whether each alternative is one production that is a node, and another for each.
 * @param {Rules} rules
 * @param {Expr[] | null} alternatives
 * @returns {boolean}
 */
function isByChild(rules, alternatives) {
  if (alternatives === null) {
    return false;
  }
  const seen = new Set();
  for (const e of alternatives) {
    if (e.op !== 'r' || rules.isLexical(e.kind) || seen.has(e.kind)) {
      return false;
    }
    seen.add(e.kind);
  }
  return true;
}

/**
 * A production that begins before a sign, and where it can end as far as that is known.
 * @typedef {{kind: number, at: number, ends: number[]}} Use
 */

/** Finds whether an expression derives the signs of one node: bytes and children. */
class Checking {
  /**
   * @param {Alternatives} productions
   * @param {{input: {bytes: Uint8Array}, nodes: Int32Array | number[]}} tree
   * @param {number} node
   */
  constructor(productions, tree, node) {
    const { nodes } = tree;
    const { bytes } = tree.input;
    this.productions = productions;
    this.kind = nodes[4 * node];
    /** @type {number[]} */
    this.signs = [];
    /** @type {Use[]} of productions that use themselves, the node's own too */
    this.uses = [];
    /** @type {Map<string, Use>} */
    this.known = new Map();
    this.asked = false;
    this.steps = 0;
    this.most = MOST_STEPS + STEPS_BY_BYTE * bytes.length;
    let at = nodes[4 * node + 1];
    /** @param {number} end */
    const read = (end) => {
      for (; at < end; at++) {
        this.signs.push(bytes[at]);
      }
    };
    for (let i = node + 1; i < nodes[4 * node + 3]; i = nodes[4 * i + 3]) {
      read(nodes[4 * i + 1]);
      this.signs.push(FIRST_CHILD + nodes[4 * i]);
      at = nodes[4 * i + 2];
    }
    read(nodes[4 * node + 2]);
  }

  /**
   * Returns the use of a production before a sign.
   * @param {number} kind
   * @param {number} at
   * @returns {Use}
   */
  useAt(kind, at) {
    const key = `${kind},${at}`;
    let use = this.known.get(key);
    if (use === undefined) {
      use = { kind, at, ends: [] };
      this.known.set(key, use);
      this.uses.push(use);
    }
    return use;
  }

  /**
   * Reports whether an expression in place of the node's production derives the signs. It goes
   * through the uses, there and back, until none is found to end elsewhere as well.
   * @param {Expr} own
   * @returns {boolean}
   */
  derives(own) {
    this.known.clear();
    this.uses = [];
    const whole = this.useAt(this.kind, 0);
    for (let grown = true; grown; this.uses.reverse()) {
      grown = false;
      for (let i = 0; i < this.uses.length; i++) { // there may come more
        const use = this.uses[i];
        const ends = this.match(use === whole ? own : this.productions.ruleOf(use.kind).expr, [use.at]);
        grown = grown || (this.asked && ends.length > use.ends.length);
        use.ends = ends;
      }
    }
    return whole.ends.includes(this.signs.length) && this.steps <= this.most;
  }

  /**
   * Returns where an expression can end that begins at any of some places. Both are in order. Beyond
   * the limit on steps it is nowhere; derives is then false.
   * @param {Expr} e
   * @param {number[]} from
   * @returns {number[]}
   */
  match(e, from) {
    this.steps += 1 + from.length;
    if (from.length === 0 || this.steps > this.most) {
      return [];
    }
    const { a, b } = e;
    switch (e.op) {
      case 'e':
        return from;
      case 'b':
        return from.filter((p) => {
          const sign = this.signs[p];
          return sign < FIRST_CHILD && /** @type {ByteSet} */ (e.set).includes(sign);
        }).map((p) => p + 1);
      case 's':
        return this.match(/** @type {Expr} */ (b), this.match(/** @type {Expr} */ (a), from));
      case 'a':
        return unionOf(this.match(/** @type {Expr} */ (a), from), this.match(/** @type {Expr} */ (b), from));
      case 't':
        return this.matchTimes(e, from);
      default:
        return this.matchUse(e.kind, from);
    }
  }

  /**
   * Is match for a repetition.
   * @param {Expr} e
   * @param {number[]} from
   * @returns {number[]}
   */
  matchTimes(e, from) {
    const once = /** @type {Expr} */ (e.a);
    for (let n = 0; n < e.least && from.length > 0; n++) {
      from = this.match(once, from);
    }
    /** @type {number[]} */
    let out = [];
    for (let n = e.least; from.length > 0; n++) {
      from = from.filter((p) => !isIn(out, p));
      if (from.length > 0 && out.length > 0 && from[0] < out[out.length - 1]) {
        out = unionOf(out, from);
      } else {
        from.forEach((p) => out.push(p)); // in place, so that a long repetition takes linear time
      }
      if (n === e.most) {
        break;
      }
      from = this.match(once, from);
    }
    return out;
  }

  /**
   * Matches a production: the next sign if it is a node, else its expression. The node's own may go on
   * up to the end.
   * @param {number} kind
   * @param {number[]} from
   * @returns {number[]}
   */
  matchUse(kind, from) {
    const { lexical, circle, expr } = this.productions.ruleOf(kind);
    const whole = this.signs.length;
    if (lexical && !circle) {
      return this.match(expr, from);
    }
    /** @type {number[]} */
    let out = [];
    for (const p of from) {
      if (!lexical && p < whole && this.signs[p] === FIRST_CHILD + kind) {
        out = unionOf(out, [p + 1]);
      }
      if (!lexical && (kind !== this.kind || (p === 0 && p < whole))) {
        continue;
      }
      this.asked = true;
      const { ends } = this.useAt(kind, p);
      out = unionOf(out, lexical ? ends : ends.filter((end) => end >= whole));
    }
    return out;
  }
}

/**
 * Reports whether a place is in a list, which is in order.
 * @param {number[]} list
 * @param {number} place
 * @returns {boolean}
 */
function isIn(list, place) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return list[low] === place;
}
