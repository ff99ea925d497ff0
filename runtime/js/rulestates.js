// The states of an ordered automaton, made of the productions as inputs come to them. So most modules have no table of
// them: that of RFC 3986 would be larger than all its other tables. Of thousands of states, the first input makes only
// those that it passes.
//
// The construction is Thompson's ("Regular expression search algorithm", 1968), from the beginning on, with each
// production put in where it is used. It is that of the Go package choice, by which the tables are made that package
// ast runs:
//
//   - an iteration beyond the least number is never empty. So an expression has two states to go on at: afterNone
//     if the iteration around it has read nothing yet, and afterSome if it has. Outside of iterations both are the
//     same.
//   - of equal alternatives only the first is kept, and equal states are made once.
//
// What follows an expression is a *continuation*: another expression, and what follows that. It has a number, as states
// do, and is forced (built) only when an input reaches it, so a loop can refer to itself. The successor of a state that
// reads is a continuation; all other successors are states. A part that may be empty forces what follows it,
// recursively. That stays shallow: with about a hundred such parts in a row, the automaton passes the limits of
// generate, and the module has none.
//
// The states are not those of choice one by one: there the alternatives of a choice inside a choice are alternatives of
// the outer one, and what leads nowhere later is left out. Neither changes which alternative is taken.
//
// In this file a state is its number, and 0 is the state that leads nowhere.

import { FIRST_CHILD } from './alternative.js';
import { BYTES, CHOICE, EMPTY, PRODUCTION, REPEAT, Rules, SEQUENCE } from './rules.js';
import { CLOSE, OP_ACT, OP_BYTE, OP_CHOICE, OP_END } from './states.js';

/** @typedef {import('./rules.js').Expr} Expr */

/** The operation that no production has: to close a node, which reads nothing. THE_END is the expression with it. */
const CLOSING = -1;
const THE_END = /** @type {Expr} */ (/** @type {unknown} */ ({ op: CLOSING }));

/** The state in which the input ends. */
const END = 1;

/** More states or sets than there are. So p * STATES + q is a key of the pair of p and q. */
const STATES = 2 ** 26;

/** The operation of a continuation. */
const OP_CONTINUATION = 0;

/** The states that were asked for, in the form of States. */
export class RuleStates {
  #rules;
  #readsNodes;
  /** The class of each sign, and the number of classes: see States. There can be more classes than bytes. */
  classes = new Uint16Array(0);
  width = 0;
  /** 1 where a set has a class; there is nothing elsewhere. @type {number[]} */
  members = [];
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
  /** The numbers of states by their contents. @type {Map<string | number, number>} */
  #index = new Map();
  /** By expression, and by what follows it: the continuation. @type {Map<Expr, Map<number, number>>} */
  #continuations = new Map();
  /** By continuation: the arguments of build. @type {[e: Expr, afterNone: number, afterSome: number][]} */
  #pending = [];
  /** By continuation that was forced: its state. @type {(number | undefined)[]} */
  #forced = [];
  /** By repetition: see #restOf. @type {Map<Expr, Expr>} */
  #rests = new Map();

  /**
   * @param {Rules} rules a production that is asked for neither uses itself nor one that does
   * @param {boolean} readsNodes whether a node is not put in where it is used, but read as one sign
   */
  constructor(rules, readsNodes = false) {
    this.#rules = rules;
    this.#readsNodes = readsNodes;
    rules.open();
    this.#splitClasses();
  }

  /**
   * Sets classes, width and members. Bytes share a class until a set has one of them and not another; a node, as a
   * sign, is a class of its own. Partition refinement: each set splits the classes that it cuts; then those that are
   * left are numbered.
   */
  #splitClasses() {
    const { sets, lexical } = this.#rules;
    const blockOf = new Array(FIRST_CHILD).fill(0);
    let blocks = 0;
    sets.forEach((set) => {
      const inside = new Map(); // by block that the set cuts: the block of the bytes in the set
      set.forEach((byte) => {
        const block = inside.get(blockOf[byte]) ?? ++blocks;
        inside.set(blockOf[byte], block);
        blockOf[byte] = block;
      });
    });
    const numbers = new Map([...new Set(blockOf)].map((block, number) => [block, number]));
    const byteClasses = numbers.size;
    this.width = byteClasses + (this.#readsNodes ? lexical.length : 0);
    this.classes = Uint16Array.from({ length: FIRST_CHILD + lexical.length }, (_, sign) =>
      numbers.get(blockOf[sign]) ?? byteClasses + sign - FIRST_CHILD);
    const { members, classes, width } = this;
    sets.forEach((set, i) => {
      set.forEach((byte) => {
        members[i * width + classes[byte]] = 1;
      });
    });
    if (this.#readsNodes) {
      lexical.forEach((_, kind) => {
        members[this.#setOf(kind) * width + byteClasses + kind] = 1;
      });
    }
  }

  /**
   * Returns the number of the set that has a node alone, as a sign.
   * @param {number} kind
   * @returns {number}
   */
  #setOf(kind) {
    return this.#rules.sets.length + kind;
  }

  /**
   * Returns the state in which a production begins as the root of a tree, or an expression by its number; 0 if it
   * derives nothing.
   * @param {number} kind
   * @returns {number}
   */
  startOf(kind) {
    return (this.#starts[kind] ??= this.#readsNodes ?
      this.#build(this.#expressions[kind], END, END) :
      this.#buildNode(kind, END, END));
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

  /**
   * Returns the state after one that reads. It may add states.
   * @param {number} state
   * @returns {number}
   */
  after(state) {
    return this.#force(this.next[state][0]);
  }

  /**
   * Returns the continuation of an expression and what follows it: that alone if the expression is empty.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #continuation(e, afterNone, afterSome) {
    if (e.op === EMPTY) {
      return afterNone;
    }
    let known = this.#continuations.get(e);
    if (known === undefined) {
      known = new Map();
      this.#continuations.set(e, known);
    }
    const key = afterNone * STATES + afterSome;
    let number = known.get(key);
    if (number === undefined) {
      number = this.#addState(OP_CONTINUATION, 0, []);
      this.#pending[number] = [e, afterNone, afterSome];
      known.set(key, number);
    }
    return number;
  }

  /**
   * Returns the state of a continuation, which it builds the first time. It is the number itself if that is a state.
   * @param {number} number
   * @returns {number}
   */
  #force(number) {
    const pending = this.#pending[number];
    return pending === undefined ? number : (this.#forced[number] ??= this.#build(...pending));
  }

  /**
   * Returns the state that reads an expression and goes on at afterNone or afterSome; 0 if it can do neither.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #build(e, afterNone, afterSome) {
    switch (e.op) {
      case EMPTY:
        return this.#force(afterNone);
      case BYTES:
        return e.set.length === 0 ? 0 : this.#stateOf(OP_BYTE, e.kind, [afterSome]);
      case PRODUCTION:
        return this.#buildProduction(e.kind, afterNone, afterSome);
      case SEQUENCE: // where its first part has read something, its second may read nothing
        return this.#build(
          e.a, this.#continuation(e.b, afterNone, afterSome), this.#continuation(e.b, afterSome, afterSome));
      case CHOICE:
        return this.#buildChoice(e, afterNone, afterSome);
      case REPEAT:
        return this.#buildRepeat(e, afterNone, afterSome);
      default: // CLOSING
        return this.#stateOf(OP_ACT, CLOSE, [this.#force(afterNone)]);
    }
  }

  /**
   * Is build for a production. One that is no node is a continuation, since many expressions use it at one place.
   * @param {number} kind
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #buildProduction(kind, afterNone, afterSome) {
    const rules = this.#rules;
    if (rules.isLexical(kind)) {
      return this.#force(this.#continuation(rules.expressionOf(kind), afterNone, afterSome));
    }
    return this.#readsNodes ?
      this.#stateOf(OP_BYTE, this.#setOf(kind), [afterSome]) :
      this.#buildNode(kind, afterNone, afterSome);
  }

  /**
   * Is build for a production as a node, with the actions that begin and end it.
   * @param {number} kind
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #buildNode(kind, afterNone, afterSome) {
    const endAfterNone = this.#continuation(THE_END, afterNone, afterNone);
    const endAfterSome = this.#continuation(THE_END, afterSome, afterSome);
    return this.#stateOf(OP_ACT, kind, [this.#build(this.#rules.expressionOf(kind), endAfterNone, endAfterSome)]);
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
   * Is build for a repetition. Only the iterations of the least number may be empty.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  #buildRepeat(e, afterNone, afterSome) {
    const { a, least, most } = e;
    const rest = least === 0 && most < 0 ? e : this.#restOf(e); // of a loop, all of it is left
    const restAfterSome = this.#continuation(rest, afterSome, afterSome);
    return least > 0 ?
      this.#build(a, this.#continuation(rest, afterNone, afterSome), restAfterSome) :
      this.#firstOf([this.#build(a, 0, restAfterSome), this.#force(afterNone)]);
  }

  /**
   * Returns what is left of a repetition after one iteration. It is the same object each time, since continuations are
   * found by their expression.
   * @param {Expr} e
   * @returns {Expr}
   */
  #restOf(e) {
    const { least, most } = e;
    const rest = this.#rests.get(e) ??
      { ...e, op: most === 1 ? EMPTY : REPEAT, least: Math.max(least - 1, 0), most: Math.max(most - 1, -1) };
    this.#rests.set(e, rest);
    return rest;
  }

  /**
   * Returns the ordered choice of some states, without those that lead nowhere: the state itself if that is left alone.
   * @param {number[]} list
   * @returns {number}
   */
  #firstOf(list) {
    const live = [...new Set(list)].filter((state) => state > 0);
    return live.length > 1 ? this.#stateOf(OP_CHOICE, 0, live) : live[0] ?? 0;
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
    const state = this.#index.get(key) ?? this.#addState(op, arg, next);
    this.#index.set(key, state);
    return state;
  }

  /**
   * Adds a state or a continuation.
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
