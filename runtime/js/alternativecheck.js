// Tries the alternatives of a node where a production may use itself, as a checker of derivations tries a production.
// That takes time linear in the text of the node for most productions. Where each alternative is one production that is
// a node, the kind of the child decides. It is ast/check.go, step for step.

import { FIRST_CHILD, signsOf } from './alternative.js';
import { MOST_STEPS, STEPS_BY_BYTE } from './limits.js';
import { BYTES, CHOICE, EMPTY, PRODUCTION, REPEAT, Rules, SEQUENCE, unionOf } from './rules.js';

/** @typedef {import('./rules.js').Expr} Expr */
/** @typedef {import('./alternative.js').NodesOfInput} NodesOfInput */

/**
 * See Trial.
 * @param {Rules} rules
 * @returns {import('./alternative.js').Trial}
 */
export function trialByCheck(rules) {
  const lexical = new LexicalCircles(rules);
  return (alternatives, tree, node) => {
    const child = node + 1;
    if (child < tree.nodes[4 * node + 3] && areNodes(rules, alternatives)) {
      return (e) => e.kind === tree.nodes[4 * child];
    }
    const check = new Checking(rules, lexical, tree, node);
    return (e) => check.derives(e);
  };
}

/** Knows the productions that are no nodes and use themselves by way of such productions. */
class LexicalCircles {
  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    /** @type {(boolean | undefined)[]} by kind, those that were asked for */
    this.known = [];
  }

  /**
   * Reports whether a production is one of them.
   * @param {number} kind
   * @returns {boolean}
   */
  has(kind) {
    const { rules } = this;
    return (this.known[kind] ??= rules.isLexical(kind) && reaches(rules, rules.expressionOf(kind), kind, new Set()));
  }
}

/**
 * Reports whether an expression uses a production, by way of lexical ones.
 * @param {Rules} rules
 * @param {Expr} e
 * @param {number} kind
 * @param {Set<number>} seen
 * @returns {boolean}
 */
function reaches(rules, e, kind, seen) {
  if (e.op !== PRODUCTION) {
    return (e.op >= SEQUENCE && reaches(rules, e.a, kind, seen)) ||
      ((e.op === SEQUENCE || e.op === CHOICE) && reaches(rules, e.b, kind, seen));
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
 * @param {Expr[]} alternatives
 * @returns {boolean}
 */
function areNodes(rules, alternatives) {
  const kinds = new Set(alternatives.map((e) => e.kind));
  return kinds.size === alternatives.length &&
    alternatives.every((e) => e.op === PRODUCTION && !rules.isLexical(e.kind));
}

/**
 * A production that begins before a sign, and where it can end as far as that is known.
 * @typedef {{kind: number, at: number, ends: number[]}} Use
 */

/** Finds whether an expression derives the signs of one node: bytes and children. */
class Checking {
  /**
   * @param {Rules} rules
   * @param {LexicalCircles} circles
   * @param {NodesOfInput} tree
   * @param {number} node
   */
  constructor(rules, circles, tree, node) {
    this.rules = rules;
    this.circles = circles;
    this.kind = tree.nodes[4 * node];
    this.signs = signsOf(tree, node);
    /** @type {Use[]} of productions that use themselves, the node's own too */
    this.uses = [];
    /** @type {Map<string, Use>} */
    this.known = new Map();
    this.asked = false;
    this.steps = 0;
    this.most = MOST_STEPS + STEPS_BY_BYTE * tree.input.bytes.length;
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
        const ends = this.match(use === whole ? own : this.rules.expressionOf(use.kind), [use.at]);
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
    switch (e.op) {
      case EMPTY:
        return from;
      case BYTES:
        return from.filter((p) => e.set.includes(this.signs[p])).map((p) => p + 1);
      case SEQUENCE:
        return this.match(e.b, this.match(e.a, from));
      case CHOICE:
        return unionOf(this.match(e.a, from), this.match(e.b, from));
      case REPEAT:
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
    const once = e.a;
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
    const lexical = this.rules.isLexical(kind);
    const whole = this.signs.length;
    if (lexical && !this.circles.has(kind)) {
      return this.match(this.rules.expressionOf(kind), from);
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
