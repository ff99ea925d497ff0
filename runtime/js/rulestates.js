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
// outer one, and neighboring sets of bytes become one set (Rules.simplified). Neither changes which alternative is
// taken.
//
// In this file a state is its number, and 0 is the state that leads nowhere.

import { Rules } from './rules.js';
import { OP_ACT, OP_BYTE, OP_CHOICE, OP_END } from './states.js';

/** @typedef {import('./rules.js').ByteSet} ByteSet */
/** @typedef {import('./rules.js').Expr} Expr */

/** The action that ends a node. */
const ENDS_NODE = 0;

/** The state in which the input ends. */
const END = 1;

/** More states than there are. So p * STATES + q is a key of the pair of p and q. */
const STATES = 2 ** 26;

/** The arguments of a loop, whose successors are set after it is added, and of any other choice. */
const A_LOOP = 0;
const A_CHOICE = 1;

/** The states of the productions that were asked for, in the form of States. */
export class RuleStates {
  /** @param {Rules} rules where no production uses itself */
  constructor(rules) {
    this.rules = rules;
    /** The class of each byte, and the number of classes: see States. */
    this.classes = new Uint8Array(256);
    this.width = 1;
    this.members = new Uint8Array(0);
    this.ops = [0, OP_END];
    this.args = [0, 0];
    /** @type {number[][]} */
    this.next = [[], []];
    /** @type {(number | undefined)[]} */
    this.starts = [];
    /** @type {ByteSet[]} */
    this.sets = [];
    /** The numbers of sets by identity, which is faster to look up. @type {Map<ByteSet, number>} */
    this.numbers = new Map();
    /** How many sets there were when the classes were made last. */
    this.setsInClasses = 0;
    /** The numbers of sets by their bytes, and of states by their contents. @type {Map<string, number>} */
    this.index = new Map();
    /** The states that build returned, by its arguments. @type {Map<Expr, Map<number, number>>} */
    this.built = new Map();
  }

  /**
   * Returns the state in which a production begins, 0 if it derives nothing. It may add states, and replace classes,
   * width and members.
   * @param {number} kind
   * @returns {number}
   */
  startOf(kind) {
    return (this.starts[kind] ??= this.makeStart(kind));
  }

  /**
   * Makes the states of a production as the root of a tree.
   * @param {number} kind
   * @returns {number}
   */
  makeStart(kind) {
    const end = this.intern(OP_ACT, ENDS_NODE, [END]);
    const start = this.actionState(kind, this.build(this.rules.expressionOf(kind), end, end));
    this.splitClasses();
    return start;
  }

  /** Sets classes, width and members: bytes that are in the same sets share a class. */
  splitClasses() {
    const { sets } = this;
    if (sets.length === this.setsInClasses) {
      return;
    }
    this.setsInClasses = sets.length;
    /** @type {string[]} by byte, the sets that have it */
    const memberships = new Array(256).fill('');
    sets.forEach((set, i) => {
      for (const byte of set) {
        memberships[byte] += `${i},`;
      }
    });
    /** @type {Map<string, number>} */
    const numbers = new Map();
    this.classes = Uint8Array.from(memberships, (membership) => {
      const number = numbers.get(membership) ?? numbers.size;
      numbers.set(membership, number);
      return number;
    });
    this.width = numbers.size;
    this.members = new Uint8Array(sets.length * this.width);
    sets.forEach((set, i) => {
      for (const byte of set) {
        this.members[i * this.width + this.classes[byte]] = 1;
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
  build(e, afterNone, afterSome) {
    if (afterNone === 0 && afterSome === 0) {
      return 0;
    }
    switch (e.op) {
      case 'e':
        return afterNone;
      case 'b':
        return this.readSet(/** @type {ByteSet} */ (e.set), afterSome);
      case 'r':
        return this.buildProduction(e.kind, afterNone, afterSome);
    }
    let known = this.built.get(e);
    if (known === undefined) {
      known = new Map();
      this.built.set(e, known);
    }
    const key = afterNone * STATES + afterSome;
    let state = known.get(key);
    if (state === undefined) {
      state = e.op === 's' ? this.buildSequence(e, afterNone, afterSome) :
        e.op === 'a' ? this.firstOf(this.buildAlternatives(e, afterNone, afterSome)) :
          this.buildRepeat(e, afterNone, afterSome);
      known.set(key, state);
    }
    return state;
  }

  /**
   * Is build for a production, with the actions that begin and end its node.
   * @param {number} kind
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  buildProduction(kind, afterNone, afterSome) {
    const e = this.rules.expressionOf(kind);
    if (this.rules.isLexical(kind)) {
      return this.build(e, afterNone, afterSome);
    }
    const endAfterNone = this.actionState(ENDS_NODE, afterNone);
    const endAfterSome = this.actionState(ENDS_NODE, afterSome);
    return this.actionState(kind, this.build(e, endAfterNone, endAfterSome));
  }

  /**
   * Is build for a sequence. Where its first part has read something, its second may read nothing.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  buildSequence(e, afterNone, afterSome) {
    const first = /** @type {Expr} */ (e.a);
    const last = /** @type {Expr} */ (e.b);
    return this.build(first, this.build(last, afterNone, afterSome), this.build(last, afterSome, afterSome));
  }

  /**
   * Returns the states of the alternatives of a choice, in their order.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number[]}
   */
  buildAlternatives(e, afterNone, afterSome) {
    const list = [];
    for (; e.op === 'a'; e = /** @type {Expr} */ (e.b)) {
      list.push(this.build(/** @type {Expr} */ (e.a), afterNone, afterSome));
    }
    list.push(this.build(e, afterNone, afterSome));
    return list;
  }

  /**
   * Is build for a repetition. It goes backwards: the iterations beyond the least number come last, and so are made
   * first; those of the least number alone may be empty.
   * @param {Expr} e
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {number}
   */
  buildRepeat(e, afterNone, afterSome) {
    const body = /** @type {Expr} */ (e.a);
    [afterNone, afterSome] = e.most < 0 ?
      this.buildLoop(body, afterNone, afterSome) :
      this.buildOptions(body, e.most - e.least, afterNone, afterSome);
    for (let i = 0; i < e.least; i++) {
      const before = this.build(body, afterSome, afterSome);
      afterNone = afterNone === afterSome ? before : this.build(body, afterNone, afterSome);
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
  buildLoop(body, afterNone, afterSome) {
    const again = afterSome === 0 ? 0 : this.addState(OP_CHOICE, A_LOOP, []);
    const first = this.build(body, 0, again);
    if (first === 0) { // it derives the empty string at most
      return [afterNone, afterSome];
    }
    this.next[again] = this.flattenChoices([first, afterSome]);
    // Once an iteration has read something, what follows is after something as well.
    return [afterNone === afterSome ? again : this.firstOf([first, afterNone]), again];
  }

  /**
   * Is buildLoop for at most count iterations.
   * @param {Expr} body
   * @param {number} count
   * @param {number} afterNone
   * @param {number} afterSome
   * @returns {[none: number, some: number]}
   */
  buildOptions(body, count, afterNone, afterSome) {
    let list = /** @type {[number, number]} */ ([afterNone, afterSome]);
    for (; count > 0; count--) {
      const once = this.build(body, 0, list[1]);
      list = [this.firstOf([once, afterNone]), this.firstOf([once, afterSome])];
    }
    return list;
  }

  /**
   * Returns the state that reads a byte of a set.
   * @param {ByteSet} set
   * @param {number} to
   * @returns {number}
   */
  readSet(set, to) {
    return set.length > 0 ? this.intern(OP_BYTE, this.numberOf(set), [to]) : 0;
  }

  /**
   * Returns the number of a set.
   * @param {ByteSet} set
   * @returns {number}
   */
  numberOf(set) {
    let number = this.numbers.get(set);
    if (number === undefined) {
      const key = set.join();
      number = this.index.get(key) ?? this.sets.push(set) - 1;
      this.index.set(key, number);
      this.numbers.set(set, number);
    }
    return number;
  }

  /**
   * Returns the state that does an action and goes on at a state.
   * @param {number} action
   * @param {number} to
   * @returns {number}
   */
  actionState(action, to) {
    return this.intern(OP_ACT, action, [to]);
  }

  /**
   * Returns the ordered choice of some states: the state itself if one of them alone leads anywhere.
   * @param {number[]} list
   * @returns {number}
   */
  firstOf(list) {
    const live = this.flattenChoices(list);
    return live.length < 2 ? live[0] ?? 0 : this.intern(OP_CHOICE, A_CHOICE, live);
  }

  /**
   * Returns the alternatives of a choice, each once and without those that lead nowhere. A choice among them is
   * replaced by its own alternatives, but a loop is not, since its successors may not be known yet.
   * @param {number[]} list
   * @returns {number[]}
   */
  flattenChoices(list) {
    const { ops, args, next } = this;
    /** @type {Set<number>} */
    const live = new Set();
    for (const one of list) {
      for (const state of ops[one] === OP_CHOICE && args[one] === A_CHOICE ? next[one] : [one]) {
        if (state !== 0) {
          live.add(state);
        }
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
  intern(op, arg, next) {
    if (next[0] === 0) {
      return 0;
    }
    const key = `${op} ${arg} ${next.join()}`;
    let state = this.index.get(key);
    if (state === undefined) {
      state = this.addState(op, arg, next);
      this.index.set(key, state);
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
  addState(op, arg, next) {
    this.ops.push(op);
    this.args.push(arg);
    return this.next.push(next) - 1;
  }
}
