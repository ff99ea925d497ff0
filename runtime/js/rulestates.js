// The states of an ordered automaton, made of the productions when a production is asked for. So a module in
// which no production uses itself has no table of them: that of RFC 3986 would be larger than all its other
// tables.
//
// The construction is Thompson's ("Regular expression search algorithm", 1968), from the end of the input
// backwards, with each production put in where it is used. It is that of the Go package choice, by which the
// tables are made that package ast runs:
//
//   - an iteration beyond the least number is never empty. So there are two states to go on at: none if the
//     iteration around an expression has read nothing yet, and some if it has. Outside of iterations both are
//     the same.
//   - of equal alternatives only the first is kept, and equal states are made once.
//
// The states are fewer, since a choice inside a choice is put in, and sets of bytes beside each other are one
// (Rules.simplified). Neither changes which alternative is taken.

import { Rules } from './rules.js';
import { OP_ACT, OP_BYTE, OP_CHOICE, OP_END } from './states.js';

/** @typedef {import('./rules.js').ByteSet} ByteSet */
/** @typedef {import('./rules.js').Expr} Expr */

/** The action that ends a node. */
const ENDS_NODE = 0;

/** The state in which the input ends. State 0 leads nowhere. */
const END = 1;

/** More states than there are: two of them are one key of a map. */
const STATES = 2 ** 26;

/** States of the productions that were asked for. */
export class RuleStates {
  /** @param {Rules} rules of which none uses itself */
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
    /** The numbers of sets, of which several can have the same bytes. @type {Map<ByteSet, number>} */
    this.numbers = new Map();
    /** How many of the sets classes tell apart. */
    this.split = 0;
    /** Sets and states by what they are. @type {Map<string, number>} */
    this.index = new Map();
    /** States by an expression and where it goes on. @type {Map<Expr, Map<number, number>>} */
    this.built = new Map();
  }

  /**
   * Returns the state in which a production begins, 0 if it derives nothing. It may make states, and other classes.
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
    const end = this.stateThat(OP_ACT, ENDS_NODE, [END]);
    const start = this.act(kind, this.build(this.rules.expressionOf(kind), end, end));
    this.splitClasses();
    return start;
  }

  /** Sets classes, width and members: bytes that are in the same sets share a class. */
  splitClasses() {
    const { sets } = this;
    if (sets.length === this.split) {
      return;
    }
    this.split = sets.length;
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
   * Returns the state from which an expression is read, before none or some; 0 if no string leads on that way.
   * @param {Expr} e
   * @param {number} none
   * @param {number} some
   * @returns {number}
   */
  build(e, none, some) {
    if (none === 0 && some === 0) {
      return 0;
    }
    switch (e.op) {
      case 'e':
        return none;
      case 'b':
        return this.read(/** @type {ByteSet} */ (e.set), some);
      case 'r':
        return this.enter(e.kind, none, some);
    }
    let known = this.built.get(e);
    if (known === undefined) {
      known = new Map();
      this.built.set(e, known);
    }
    const key = none * STATES + some;
    let state = known.get(key);
    if (state === undefined) {
      state = e.op === 's' ? this.sequence(e, none, some) :
        e.op === 'a' ? this.firstOf(this.alternatives(e, none, some)) :
          this.repetition(e, none, some);
      known.set(key, state);
    }
    return state;
  }

  /**
   * Is build for a production, with the actions that begin and end its node.
   * @param {number} kind
   * @param {number} none
   * @param {number} some
   * @returns {number}
   */
  enter(kind, none, some) {
    const e = this.rules.expressionOf(kind);
    if (this.rules.isLexical(kind)) {
      return this.build(e, none, some);
    }
    return this.act(kind, this.build(e, this.act(ENDS_NODE, none), this.act(ENDS_NODE, some)));
  }

  /**
   * Is build for a sequence. Where its first part has read something, its second may be empty.
   * @param {Expr} e
   * @param {number} none
   * @param {number} some
   * @returns {number}
   */
  sequence(e, none, some) {
    const last = /** @type {Expr} */ (e.b);
    return this.build(/** @type {Expr} */ (e.a), this.build(last, none, some), this.build(last, some, some));
  }

  /**
   * Returns the states of the alternatives of a choice, in their order.
   * @param {Expr} e
   * @param {number} none
   * @param {number} some
   * @returns {number[]}
   */
  alternatives(e, none, some) {
    const list = [];
    for (; e.op === 'a'; e = /** @type {Expr} */ (e.b)) {
      list.push(this.build(/** @type {Expr} */ (e.a), none, some));
    }
    list.push(this.build(e, none, some));
    return list;
  }

  /**
   * Is build for a repetition: first the iterations beyond the least number, which come last, and then those of
   * the least number, which alone may be empty.
   * @param {Expr} e
   * @param {number} none
   * @param {number} some
   * @returns {number}
   */
  repetition(e, none, some) {
    const body = /** @type {Expr} */ (e.a);
    [none, some] = e.most < 0 ? this.loop(body, none, some) : this.options(body, e.most - e.least, none, some);
    for (let i = 0; i < e.least; i++) {
      const before = this.build(body, some, some);
      none = none === some ? before : this.build(body, none, some);
      some = before;
    }
    return none;
  }

  /**
   * Returns where to go on before any number of iterations that are not empty. The loop refers to itself, so that
   * its state is there before its successors are known.
   * @param {Expr} body
   * @param {number} none
   * @param {number} some
   * @returns {[none: number, some: number]}
   */
  loop(body, none, some) {
    const again = some === 0 ? 0 : this.add(OP_CHOICE, 0, []);
    const first = this.build(body, 0, again);
    if (first === 0) { // it derives the empty string at most
      return [none, some];
    }
    this.next[again] = this.joined([first, some]);
    // Once an iteration has read something, what follows is after something as well.
    return [none === some ? again : this.firstOf([first, none]), again];
  }

  /**
   * Returns where to go on before at most so many iterations that are not empty, each of which the next can follow.
   * @param {Expr} body
   * @param {number} count
   * @param {number} none
   * @param {number} some
   * @returns {[none: number, some: number]}
   */
  options(body, count, none, some) {
    let list = /** @type {[number, number]} */ ([none, some]);
    for (; count > 0; count--) {
      const once = this.build(body, 0, list[1]);
      list = [this.firstOf([once, none]), this.firstOf([once, some])];
    }
    return list;
  }

  /**
   * Returns the state that reads a byte of a set.
   * @param {ByteSet} set
   * @param {number} to
   * @returns {number}
   */
  read(set, to) {
    return set.length > 0 ? this.stateThat(OP_BYTE, this.numberOf(set), [to]) : 0;
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
   * Returns the state that does an action.
   * @param {number} action
   * @param {number} to
   * @returns {number}
   */
  act(action, to) {
    return this.stateThat(OP_ACT, action, [to]);
  }

  /**
   * Returns the choice of some states.
   * @param {number[]} list
   * @returns {number}
   */
  firstOf(list) {
    const live = this.joined(list);
    return live.length < 2 ? live[0] ?? 0 : this.stateThat(OP_CHOICE, 1, live);
  }

  /**
   * Returns the alternatives of a choice, each once and none that leads nowhere, with those of choices inside put in. A
   * loop is not put in, since its successors may not be known yet.
   * @param {number[]} list
   * @returns {number[]}
   */
  joined(list) {
    const { ops, args, next } = this;
    /** @type {Set<number>} */
    const live = new Set();
    for (const one of list) {
      for (const state of ops[one] === OP_CHOICE && args[one] === 1 ? next[one] : [one]) {
        if (state !== 0) {
          live.add(state);
        }
      }
    }
    return [...live];
  }

  /**
   * Returns a state with its successors, the same for the same. It is 0 if there is but one successor, which leads
   * nowhere.
   * @param {number} op
   * @param {number} arg
   * @param {number[]} next
   * @returns {number}
   */
  stateThat(op, arg, next) {
    if (next[0] === 0) {
      return 0;
    }
    const key = `${op} ${arg} ${next.join()}`;
    let state = this.index.get(key);
    if (state === undefined) {
      state = this.add(op, arg, next);
      this.index.set(key, state);
    }
    return state;
  }

  /**
   * Adds a state.
   * @param {number} op
   * @param {number} arg of a choice 1, or 0 if it is a loop
   * @param {number[]} next
   * @returns {number}
   */
  add(op, arg, next) {
    this.ops.push(op);
    this.args.push(arg);
    return this.next.push(next) - 1;
  }
}
