// Which alternative of its production a node was derived by. A tree does not store that, since most
// programs never ask: it follows from the text of the node and the nodes below it. Where each
// alternative is one production that is a node, the kind of the child decides. Otherwise the
// alternatives are tried in their order, as a checker of derivations tries a production; that takes
// time linear in the text of the node for most productions. It is ast/alternative.go and
// ast/check.go, step for step.

import { MOST_STEPS, STEPS_BY_BYTE } from './limits.js';
import { ListReader } from './lists.js';

/**
 * An expression: an operation and its parts. The operations are those of proof/check: e is the empty
 * string, b a set of bytes, r a production, s a sequence, a a choice, and t a repetition.
 * @typedef {{op: string, set: Uint8Array | null, a: Expr | null, b: Expr | null, kind: number,
 *   least: number, most: number}} Expr
 */

/**
 * A production: its expression, that with one alternative of its choice each, and whether it is no
 * node, uses itself by way of such, and has one production for each alternative.
 * @typedef {{expr: Expr, lexical: boolean, circle: boolean, alternatives: Expr[] | null,
 *   byChild: boolean}} Rule
 */

/** A sign from here on is a child, by its kind; one below is a byte. */
const FIRST_CHILD = 256;

/** Finds alternatives. */
export class Alternatives {
  /**
   * @param {string} packed
   * @param {Record<number, (string | number)[]>} labels
   */
  constructor(packed, labels) {
    this.packed = packed;
    this.labels = labels;
    /** @type {Rule[]} by kind, from 1 */
    this.rules = [];
    /** @type {number[]} by kind */
    this.lexical = [];
  }

  /**
   * Reports whether a production is no node below the root.
   * @param {number} kind
   * @returns {boolean}
   */
  isLexical(kind) {
    if (this.lexical.length === 0) {
      this.lexical = new ListReader(this.packed).list();
    }
    return this.lexical[kind] === 1;
  }

  /** Unpacks the productions, if that was not done, and returns them. */
  open() {
    if (this.rules.length > 0) {
      return this.rules;
    }
    const lists = new ListReader(this.packed);
    const lexical = lists.list();
    const words = textOf(lists.list());
    const counts = lists.list();
    const parts = lists.list();
    /** @type {Rule[]} */
    const rules = [{ expr: nothing(), lexical: true, circle: false, alternatives: null, byChild: false }];
    words.split('\n').slice(0, -1).forEach((line, i) => {
      const expr = new WordReader(line).expression();
      const list = counts[i] < 2 ? null : alternativesOf(expr, parts[i], counts[i]);
      rules.push({
        expr: joinBytes(expr),
        lexical: lexical[i + 1] === 1,
        circle: false,
        alternatives: list === null ? null : list.map(joinBytes),
        byChild: false,
      });
    });
    rules.forEach((rule, kind) => {
      rule.circle = rule.lexical && reaches(rules, rule.expr, kind, new Set());
      rule.byChild = isByChild(rules, rule.alternatives);
    });
    this.rules = rules;
    return rules;
  }

  /**
   * Returns the label of the alternative by which a node was derived.
   * @param {{input: {bytes: Uint8Array}, nodes: Int32Array | number[]}} tree
   * @param {number} node
   * @returns {string | number | undefined}
   */
  of(tree, node) {
    const rules = this.open();
    const kind = tree.nodes[4 * node];
    const { alternatives, byChild } = rules[kind];
    if (alternatives === null) {
      return 1;
    }
    const child = node + 1;
    if (byChild && child < tree.nodes[4 * node + 3]) {
      const i = alternatives.findIndex((e) => e.kind === tree.nodes[4 * child]);
      return i < 0 ? undefined : this.labels[kind][i];
    }
    const check = new Checking(rules, tree, node);
    const i = alternatives.findIndex((e) => check.derives(e));
    return i < 0 ? undefined : this.labels[kind][i];
  }
}

/** @returns {Expr} the expression that derives nothing */
function nothing() {
  return { op: 'b', set: new Uint8Array(256), a: null, b: null, kind: 0, least: 0, most: 0 };
}

/**
 * Returns bytes as a string.
 * @param {number[]} bytes
 * @returns {string}
 */
function textOf(bytes) {
  let out = '';
  for (const byte of bytes) {
    out += String.fromCharCode(byte);
  }
  return out;
}

/** Reads the words of an expression, each operator before its operands. */
class WordReader {
  /** @param {string} line whether the production is a node, and its expression */
  constructor(line) {
    this.words = line.split(' ');
    this.at = 1;
  }

  /** @returns {string} the next word */
  next() {
    return this.words[this.at++];
  }

  /** @returns {Expr} the next expression */
  expression() {
    const word = this.next();
    const e = nothing();
    switch (word) {
      case 'empty':
        e.op = 'e';
        break;
      case 'bytes':
        addBytes(/** @type {Uint8Array} */ (e.set), this.next());
        break;
      case 'rule':
        e.op = 'r';
        e.kind = Number(this.next());
        break;
      case 'star':
        e.op = 't';
        e.most = -1;
        e.a = this.expression();
        break;
      case 'times':
        e.op = 't';
        e.least = Number(this.next());
        e.most = Number(this.next());
        e.a = this.expression();
        break;
      default: // seq or alt
        e.op = word[0];
        e.a = this.expression();
        e.b = this.expression();
    }
    return e;
  }
}

/**
 * Adds bytes to a set: "2d,30-39" or "none".
 * @param {Uint8Array} set
 * @param {string} text
 */
function addBytes(set, text) {
  if (text === 'none') {
    return;
  }
  for (const part of text.split(',')) {
    const [low, high = low] = part.split('-');
    set.fill(1, parseInt(low, 16), parseInt(high, 16) + 1);
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
 * Replaces choices among single bytes by one set of bytes, which is matched at once.
 * @param {Expr} e
 * @returns {Expr}
 */
function joinBytes(e) {
  if (e.a === null && e.b === null) {
    return e;
  }
  const a = e.a && joinBytes(e.a);
  const b = e.b && joinBytes(e.b);
  if (e.op === 'a' && a !== null && b !== null && a.op === 'b' && b.op === 'b') {
    const set = nothing();
    set.set = /** @type {Uint8Array} */ (a.set).map((has, i) => has | /** @type {Uint8Array} */ (b.set)[i]);
    return set;
  }
  return { ...e, a, b };
}

/**
 * Reports whether an expression uses a production, by way of lexical ones.
 * @param {Rule[]} rules
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
  return rules[e.kind].lexical && reaches(rules, rules[e.kind].expr, kind, seen);
}

/**
 * Reports whether each alternative is one production that is a node, and another for each.
 * @param {Rule[]} rules
 * @param {Expr[] | null} alternatives
 * @returns {boolean}
 */
function isByChild(rules, alternatives) {
  if (alternatives === null) {
    return false;
  }
  const seen = new Set();
  for (const e of alternatives) {
    if (e.op !== 'r' || rules[e.kind].lexical || seen.has(e.kind)) {
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
   * @param {Rule[]} rules
   * @param {{input: {bytes: Uint8Array}, nodes: Int32Array | number[]}} tree
   * @param {number} node
   */
  constructor(rules, tree, node) {
    const { nodes } = tree;
    const { bytes } = tree.input;
    this.rules = rules;
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
        const ends = this.match(use === whole ? own : this.rules[use.kind].expr, [use.at]);
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
          return sign < FIRST_CHILD && /** @type {Uint8Array} */ (e.set)[sign] === 1;
        }).map((p) => p + 1);
      case 's':
        return this.match(/** @type {Expr} */ (b), this.match(/** @type {Expr} */ (a), from));
      case 'a':
        return union(this.match(/** @type {Expr} */ (a), from), this.match(/** @type {Expr} */ (b), from));
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
        out = union(out, from);
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
    const { lexical, circle, expr } = this.rules[kind];
    const whole = this.signs.length;
    if (lexical && !circle) {
      return this.match(expr, from);
    }
    /** @type {number[]} */
    let out = [];
    for (const p of from) {
      if (!lexical && p < whole && this.signs[p] === FIRST_CHILD + kind) {
        out = union(out, [p + 1]);
      }
      if (!lexical && (kind !== this.kind || (p === 0 && p < whole))) {
        continue;
      }
      this.asked = true;
      const { ends } = this.useAt(kind, p);
      out = union(out, lexical ? ends : ends.filter((end) => end >= whole));
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

/**
 * Returns the places of both lists in order.
 * @param {number[]} a
 * @param {number[]} b
 * @returns {number[]}
 */
function union(a, b) {
  if (a.length === 0 || b.length === 0) {
    return a.length === 0 ? b : a;
  }
  if (a[a.length - 1] < b[0]) {
    return a.concat(b);
  }
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}
