// The states of an ordered automaton, made of the productions when a production is asked for. So a module in
// which no production uses itself has no table of them: that of RFC 3986 would be larger than all its other
// tables.
//
// The construction is Thompson's ("Regular expression search algorithm", 1968), from the end of the input
// backwards, with each production put in where it is used. It is that of the Go package choice, by which the
// tables are made that package ast runs:
//
//   - an iteration beyond the least number is never empty. So an expression has two states to go on at: afterNone
//     if the iteration around it has read nothing yet, and afterSome if it has. Outside of iterations both are the
//     same.
//   - of equal alternatives only the first is kept, and equal states are made once.
//
// The states are fewer than those of choice: the alternatives of a choice inside a choice become alternatives of the
// outer one, and neighbors that read and go on at the same state become one. Neither changes which alternative is
// taken.
//
// In this file a state is its number, and 0 is the state that leads nowhere.

import { FIRST_CHILD } from './alternative.js';
import { BYTES, CHOICE, EMPTY, PRODUCTION, Rules, SEQUENCE, unionOf } from './rules.js';
import { OP_ACT, OP_BYTE, OP_CHOICE, OP_END } from './states.js';

/** @typedef {import('./rules.js').ByteSet} ByteSet */
/** @typedef {import('./rules.js').Expr} Expr */

/** The action that ends a node. */
const ENDS_NODE = 0;

/** The state in which the input ends. */
const END = 1;

/** More states or sets than there are. So p * STATES + q is a key of the pair of p and q. */
const STATES = 2 ** 26;

/** The arguments of a loop, whose successors are set after it is added, and of any other choice. */
const A_LOOP = 0;
const A_CHOICE = 1;

/** The states of the productions that were asked for, in the form of States. */
export class RuleStates {
  #rules;
  #readsNodes;
  /** The class of each sign, and the number of classes: see States. There can be more classes than bytes. */
  classes = new Uint16Array(0);
  width = 1;
  members = new Uint8Array(0);
  ops = [0, OP_END];
  args = [0, 0];
  /** @type {number[][]} */
  next = [[], []];
  /** @type {(number | undefined)[]} */
  #starts = [];
  /** The expressions that startOf has by their numbers, where nodes are signs. @type {Expr[]} */
  #expressions = [];
  /** @type {Map<Expr, number>} */
  #expressionNumbers = new Map();
  /** Those of the productions, and unions of them. @type {ByteSet[]} */
  #sets;
  /** How many sets there were when the classes were made last; the first time they are made. */
  #setsInClasses = -1;
  /**
   * The numbers of sets by their bytes, of unions by the two sets, and of states by their contents.
   * @type {Map<string | number, number>}
   */
  #index = new Map();
  /** The states that build returned, by its arguments. @type {Map<Expr, Map<number, number>>} */
  #built = new Map();

  /**
   * @param {Rules} rules where no production uses itself
   * @param {boolean} readsNodes whether a node is not put in where it is used, but read as one sign
   */
  constructor(rules, readsNodes = false) {
    rules.open();
    this.#rules = rules;
    this.#readsNodes = readsNodes;
    this.#sets = rules.sets.slice();
    this.#sets.forEach((set, i) => this.#index.set(set.join(), i));
  }

  /**
   * Returns the state in which a production begins as the root of a tree, or an expression by its number; 0 if it derives
   * nothing. It may add states, and replace classes, width and members.
   * @param {number} kind
   * @returns {number}
   */
  startOf(kind) {
    let start = this.#starts[kind];
    if (start === undefined) {
      const end = this.#readsNodes ? END : this.#stateOf(OP_ACT, ENDS_NODE, [END]);
      const e = this.#readsNodes ? this.#expressions[kind] : this.#rules.expressionOf(kind);
      start = this.#build(e, end, end);
      start = this.#readsNodes ? start : this.#stateOf(OP_ACT, kind, [start]);
      this.#starts[kind] = start;
      this.#splitClasses();
    }
    return start;
  }

  /**
   * Returns the number of an expression, by which startOf has it where nodes are signs.
   * @param {Expr} e
   * @returns {number}
   */
  numberOf(e) {
    const number = this.#expressionNumbers.get(e) ?? this.#expressions.push(e) - 1;
    this.#expressionNumbers.set(e, number);
    return number;
  }

  /** Sets classes, width and members: signs that are in the same sets share a class. */
  #splitClasses() {
    const sets = this.#sets;
    if (this.#setsInClasses === sets.length) {
      return;
    }
    this.#setsInClasses = sets.length;
    /** @type {string[]} by sign, the sets that have it */
    const memberships = new Array(FIRST_CHILD + (this.#readsNodes ? this.#rules.lexical.length : 0)).fill('');
    sets.forEach((set, i) => {
      for (const sign of set) {
        memberships[sign] += `${i},`;
      }
    });
    const kinds = [...new Set(memberships)];
    const numbers = new Map(kinds.map((membership, number) => [membership, number]));
    this.classes = Uint16Array.from(memberships, (membership) => /** @type {number} */ (numbers.get(membership)));
    this.width = kinds.length;
    this.members = new Uint8Array(sets.length * this.width);
    sets.forEach((set, i) => {
      for (const sign of set) {
        this.members[i * this.width + this.classes[sign]] = 1;
      }
    });
  }

  /**
   * Returns the state that reads an expression and goes on at afterNone or afterSome; 0 if no string leads on that way.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #build(e, afterNone, afterSome) {
    const { op } = e;
    if (op === EMPTY || (afterNone === 0 && afterSome === 0)) {
      return afterNone;
    }
    if (op === BYTES) {
      return e.set.length > 0 ? this.#stateOf(OP_BYTE, e.kind, [afterSome]) : 0;
    }
    let known = this.#built.get(e);
    if (known === undefined) {
      known = new Map();
      this.#built.set(e, known);
    }
    const key = afterNone * STATES + afterSome;
    let state = known.get(key);
    if (state === undefined) {
      const build = op === PRODUCTION ? this.#buildProduction :
        op === SEQUENCE ? this.#buildSequence :
          op === CHOICE ? this.#buildChoice : this.#buildRepeat;
      state = build.call(this, e, afterNone, afterSome);
      known.set(key, state);
    }
    return state;
  }

  /**
   * Is build for a production, with the actions that begin and end its node.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #buildProduction({ kind }, afterNone, afterSome) {
    const rules = this.#rules;
    if (rules.isLexical(kind)) {
      return this.#build(rules.expressionOf(kind), afterNone, afterSome);
    }
    if (this.#readsNodes) {
      return this.#stateOf(OP_BYTE, this.#setNumberOf([FIRST_CHILD + kind]), [afterSome]);
    }
    const endAfterNone = this.#stateOf(OP_ACT, ENDS_NODE, [afterNone]);
    const endAfterSome = this.#stateOf(OP_ACT, ENDS_NODE, [afterSome]);
    return this.#stateOf(OP_ACT, kind, [this.#build(rules.expressionOf(kind), endAfterNone, endAfterSome)]);
  }

  /**
   * Is build for a sequence. Where its first part has read something, its second may read nothing.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #buildSequence({ a, b }, afterNone, afterSome) {
    return this.#build(a, this.#build(b, afterNone, afterSome), this.#build(b, afterSome, afterSome));
  }

  /**
   * Is build for a choice.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #buildChoice(e, afterNone, afterSome) {
    const list = [];
    for (; e.op === CHOICE; e = e.b) {
      list.push(this.#build(e.a, afterNone, afterSome));
    }
    list.push(this.#build(e, afterNone, afterSome));
    return this.#firstOf(list);
  }

  /**
   * Is build for a repetition. It goes backwards: the iterations beyond the least number come last, and so are made
   * first; those of the least number alone may be empty.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #buildRepeat({ a, least, most }, afterNone, afterSome) {
    if (most < 0) {
      [afterNone, afterSome] = this.#buildLoop(a, afterNone, afterSome);
    }
    const [endNone, endSome] = [afterNone, afterSome];
    for (let i = most; i > least; i--) {
      const once = this.#build(a, 0, afterSome);
      [afterNone, afterSome] = [this.#firstOf([once, endNone]), this.#firstOf([once, endSome])];
    }
    for (let i = 0; i < least; i++) {
      const before = this.#build(a, afterSome, afterSome);
      afterNone = afterNone === afterSome ? before : this.#build(a, afterNone, afterSome);
      afterSome = before;
    }
    return afterNone;
  }

  /**
   * Returns where to go on, after nothing and after something, to read any number of iterations that are not empty.
   * The loop refers to itself, so that its state is added before its successors are known.
   * @param {Expr} body
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {[none: number, some: number]}
   */
  #buildLoop(body, afterNone, afterSome) {
    const again = afterSome === 0 ? 0 : this.#addState(OP_CHOICE, A_LOOP, []);
    const first = this.#build(body, 0, again);
    if (first === 0) { // it derives the empty string at most
      return [afterNone, afterSome];
    }
    this.next[again] = this.#flattenChoices([first, afterSome]);
    // Once an iteration has read something, what follows is after something as well.
    return [afterNone === afterSome ? again : this.#firstOf([first, afterNone]), again];
  }

  /**
   * Returns the number of a set.
   * @param {ByteSet} set
   * @returns {number}
   */
  #setNumberOf(set) {
    const key = set.join();
    const number = this.#index.get(key) ?? this.#sets.push(set) - 1;
    this.#index.set(key, number);
    return number;
  }

  /**
   * Returns the number of the union of two sets. Most pairs come many times.
   * @param {number} a
   * @param {number} b
   * @returns {number}
   */
  #unionNumberOf(a, b) {
    const key = 8 * a * STATES + b; // no state has operation 0
    const number = this.#index.get(key) ?? this.#setNumberOf(unionOf(this.#sets[a], this.#sets[b]));
    this.#index.set(key, number);
    return number;
  }

  /**
   * Returns the ordered choice of some states: the state itself if one of them alone leads anywhere.
   * @param {number[]} list
   * @returns {number}
   */
  #firstOf(list) {
    const live = this.#flattenChoices(list);
    return live.length < 2 ? live[0] ?? 0 : this.#stateOf(OP_CHOICE, A_CHOICE, live);
  }

  /**
   * Returns the alternatives of a choice, each once and without those that lead nowhere. A choice among them is
   * replaced by its own alternatives, but a loop is not, since its successors may not be known yet. Neighbors that read,
   * and go on at the same state, become one.
   * @param {number[]} list
   * @returns {number[]}
   */
  #flattenChoices(list) {
    const { ops, args, next } = this;
    /** @type {Set<number>} */
    const live = new Set();
    let last = 0;
    for (const one of list) {
      for (let state of ops[one] === OP_CHOICE && args[one] === A_CHOICE ? next[one] : [one]) {
        if (state === 0 || live.has(state)) {
          continue;
        }
        if (ops[last] === OP_BYTE && ops[state] === OP_BYTE && next[last][0] === next[state][0]) {
          live.delete(last);
          state = this.#stateOf(OP_BYTE, this.#unionNumberOf(args[last], args[state]), next[state]);
        }
        last = live.has(state) ? 0 : state; // one that stands before others is no neighbor
        live.add(state);
      }
    }
    return [...live];
  }

  /**
   * Returns the state with these contents, which it adds if there is none. It returns 0 if the only successor leads
   * nowhere: choices have no such successors.
   * @param {number} op
   * @param {number} arg
   * @param {number[]} next
   * @returns {number}
   */
  #stateOf(op, arg, next) {
    if (next[0] === 0) {
      return 0;
    }
    // A number takes less time than a string; a choice has several successors, and no argument to tell it by.
    const key = op === OP_CHOICE ? `to ${next}` : (8 * arg + op) * STATES + next[0];
    let state = this.#index.get(key);
    if (state === undefined) {
      state = this.#addState(op, arg, next);
      this.#index.set(key, state);
    }
    return state;
  }

  /**
   * Adds a state, even if there is an equal one.
   * @param {number} op
   * @param {number} arg
   * @param {number[]} next
   * @returns {number}
   */
  #addState(op, arg, next) {
    this.ops.push(op);
    this.args.push(arg);
    return this.next.push(next) - 1;
  }
}
