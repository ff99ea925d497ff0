// Why an input is not derived, as the general parser tells it. The parser stops at the first place
// where it has no item, and every item that it makes can still become a derivation. So the last place
// that has items is the first byte with which no string goes on. While it reads, the parser leaves out
// what the next byte rules out. What could have stood there is what it left out at that one place: the
// states that can be reached from its items without reading. They are followed here once more, without
// a next byte, as J. Earley's predictor and completer do. It is ast/generalexplain.go.

import { END_OF_INPUT } from './explain.js';
import { callOf, GeneralReader, GeneralTables } from './general.js';
import { ListReader } from './lists.js';
import { keyOf, sharedProductions } from './place.js';
import { Printed } from './printed.js';
import { OP_BYTE, OP_CALL, OP_END } from './states.js';
import { termsOf } from './terms.js';
import { toByteString } from './utf8.js';

/** @typedef {import('./explain.js').Rejection} Rejection */
/** @typedef {import('./terms.js').Expectation} Expectation */
/** @typedef {import('./place.js').Invocation} Invocation */

/** In place of an origin: the production begins at the last place. */
const BEGINS_HERE = -1;

/**
 * A state that is reached at the last place, in a production that began at an origin, or here.
 * @typedef {{state: number, origin: number}} Reached
 */

/** Explains rejections by tables that know each production. */
export class GeneralExplainer {
  /**
   * @param {string} packed
   * @param {Printed} grammar
   */
  constructor(packed, grammar) {
    this.packed = packed;
    this.grammar = grammar;
    this.codePoints = grammar.codePoints;
    /** @type {GeneralTables | null} */
    this.tables = null;
    /** @type {GeneralReader | null} */
    this.reader = null;
  }

  /** Returns a reader of the tables. */
  open() {
    this.tables ??= new GeneralTables(new ListReader(this.packed));
    if (this.reader === null || this.reader.isFull) {
      this.reader = new GeneralReader(this.tables);
    }
    return this.reader;
  }

  /**
   * See Explainer. What takes more than the limits is explained by its offset alone.
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @param {boolean} ends
   * @returns {Rejection | null}
   */
  explainBytes(kind, bytes, ends) {
    const reader = this.open();
    /** @type {Rejection} */
    const rejection = { offset: 0, inside: [], explained: kind, expected: [], incomplete: false };
    if (reader.tables.starts[kind] === 0) {
      return rejection;
    }
    const derived = reader.read(kind, bytes, false);
    const front = new Frontier(reader, this.grammar);
    if (!reader.over) {
      front.reachAll();
    }
    if (derived && !ends) {
      return null;
    }
    if (reader.over) {
      rejection.offset = reader.at;
    } else {
      front.describe(rejection);
    }
    return rejection;
  }

  /**
   * See Explainer. Without expectations nothing is known: the explanation passed a limit.
   * @param {number} kind
   * @param {Uint8Array} bytes
   * @param {Rejection} found
   * @returns {boolean}
   */
  isIncomplete(kind, bytes, found) {
    return found.offset === bytes.length && found.expected.length > 0;
  }
}

/** The states at the last place that an input was read to. */
class Frontier {
  /**
   * @param {GeneralReader} reader
   * @param {Printed} grammar
   */
  constructor(reader, grammar) {
    this.reader = reader;
    this.grammar = grammar;
    /** @type {Reached[]} */
    this.reached = [];
    this.known = new Set();
    this.at = reader.at;
    /** What callsFrom returned for the place callsAt; null at first. @type {Map<number, Invocation[]> | null} */
    this.calls = null;
    this.callsAt = 0;
  }

  /** Finds the states that are reached at the last place. */
  reachAll() {
    const { reader, at } = this;
    const { tables } = reader;
    let first = reader.items;
    while (first > 0 && reader.itemAt[first - 1] === at) {
      first--;
    }
    if (at === 0) {
      this.reachFrom(tables.starts[reader.start], BEGINS_HERE);
    }
    for (let i = first; i < reader.items; i++) {
      const origin = reader.itemOrigin[i];
      if (this.placeOfOrigin(origin) === at) {
        continue; // began here: it is reached from what called it
      }
      for (const q of reader.sets[reader.itemSet[i]].states) {
        this.add(q, origin);
      }
    }
    for (let i = 0; i < this.reached.length && !reader.over; i++) {
      const { state, origin } = this.reached[i];
      if (tables.ops[state] === OP_CALL) {
        this.reachFrom(tables.starts[tables.args[state]], BEGINS_HERE);
      } else if (tables.ops[state] === OP_END && origin !== BEGINS_HERE) {
        // What began here and ends here is empty. Its callers went on without it.
        this.completeHere(tables.of[state], origin);
      }
    }
  }

  /**
   * Goes on after a production that began at an origin, in all that called it there.
   * @param {number} kind
   * @param {number} origin
   */
  completeHere(kind, origin) {
    const { reader } = this;
    const { tables, itemSet, itemOrigin } = reader;
    const lo = reader.originLow[origin];
    const hi = reader.originHigh[origin];
    reader.take(hi - lo);
    for (let i = lo; i < hi; i++) {
      const call = callOf(reader.sets[itemSet[i]].calls, kind);
      if (call === null) {
        continue;
      }
      for (const q of call.by) {
        this.reachFrom(tables.next[q][0], itemOrigin[i]);
      }
    }
  }

  /**
   * Adds the states that are reached from one without reading.
   * @param {number} q
   * @param {number} origin
   */
  reachFrom(q, origin) {
    for (const to of this.inOrder(q)) {
      this.add(to, origin);
    }
  }

  /**
   * Returns what reads, calls or ends and is reached from a state without reading, in the order of
   * choices.
   * @param {number} from
   * @returns {number[]}
   */
  inOrder(from) {
    const { tables } = this.reader;
    tables.beginMarks();
    /** @type {number[]} */
    const list = [];
    const todo = [from];
    while (todo.length > 0) {
      const q = /** @type {number} */ (todo.pop());
      if (q === 0 || tables.mark[q] === tables.now) {
        continue;
      }
      tables.mark[q] = tables.now;
      const next = tables.next[q];
      if (tables.ops[q] === OP_BYTE || tables.ops[q] === OP_END) {
        list.push(q);
      } else if (tables.ops[q] === OP_CALL) {
        list.push(q);
        todo.push(next[1]);
      } else {
        for (let i = next.length - 1; i >= 0; i--) {
          todo.push(next[i]);
        }
      }
    }
    return list;
  }

  /**
   * Adds a state that is reached, once.
   * @param {number} state
   * @param {number} origin
   */
  add(state, origin) {
    this.reader.steps++;
    const key = (origin + 1) * 2 ** 24 + state;
    if (!this.known.has(key)) {
      this.known.add(key);
      this.reached.push({ state, origin });
    }
  }

  /**
   * Returns where the productions of an origin begin.
   * @param {number} origin
   * @returns {number}
   */
  placeOfOrigin(origin) {
    const { reader } = this;
    return origin === BEGINS_HERE ? this.at : reader.itemAt[reader.originHigh[origin] - 1];
  }

  /**
   * Returns the production that a state is in, and where it began.
   * @param {number} state
   * @param {number} origin
   * @returns {Invocation}
   */
  invocationOf(state, origin) {
    const { tables } = this.reader;
    return { kind: tables.same[tables.of[state]], from: this.placeOfOrigin(origin) };
  }

  /**
   * Sets what a rejection says from the states that are reached. A lexical production that begins here is
   * expected by its name, in place of the bytes that it begins with.
   * @param {Rejection} rejection
   */
  describe(rejection) {
    const { reader, grammar } = this;
    const { tables } = reader;
    const { ops, args, members, first, width } = tables;
    rejection.offset = this.at;
    const root = { kind: reader.start, from: 0 };
    /** @type {Invocation[]} */
    const reading = [];
    /** @type {Map<string, Set<number>>} */
    const terms = new Map();
    const known = new Set();
    let ends = false; // the input may end here
    for (const { state, origin } of this.reached) {
      const c = this.invocationOf(state, origin);
      const isRoot = keyOf(c) === keyOf(root);
      ends = ends || (isRoot && ops[state] === OP_END);
      if (c.from === this.at && !isRoot && grammar.rules.isLexical(c.kind)) {
        continue; // its name stands for it
      }
      if (ops[state] === OP_BYTE) {
        const set = members.subarray(args[state] * width, (args[state] + 1) * width);
        addExpectation(terms, tables.terms[tables.marks[state]] ?? '', this.bytesOf(set));
      } else if (ops[state] === OP_CALL && grammar.rules.isLexical(args[state])) {
        const set = first.subarray(args[state] * width, (args[state] + 1) * width);
        addExpectation(terms, toByteString(grammar.nameOf(args[state])), this.bytesOf(set));
      } else {
        continue;
      }
      if (!known.has(keyOf(c))) {
        known.add(keyOf(c));
        reading.push(c);
      }
    }
    /** @type {Expectation[]} */
    const expected = Array.from(terms, ([term, first]) => ({ term, first: [...first] }));
    if (ends) {
      expected.push({ term: END_OF_INPUT, first: [] });
      if (!known.has(keyOf(root))) {
        reading.push(root); // with the end of the input, all readings share no more than the start
      }
    }
    rejection.expected = termsOf(expected, grammar.codePoints);
    rejection.inside = sharedProductions(root, reading, (c) => this.callersOf(c));
  }

  /**
   * Returns the invocations from which one was made. Those that began at one place are mostly asked for together, so
   * the calls at the last place that was asked for are kept.
   * @param {Invocation} c
   * @returns {Invocation[]}
   */
  callersOf(c) {
    if (this.calls === null || this.callsAt !== c.from) {
      this.calls = this.callsFrom(c.from);
      this.callsAt = c.from;
    }
    return this.calls.get(c.kind) ?? [];
  }

  /**
   * Returns the calls that were made at a place: by kind, the callers of a production, each once.
   * @param {number} at
   * @returns {Map<number, Invocation[]>}
   */
  callsFrom(at) {
    const { reader } = this;
    const { tables } = reader;
    /** @type {Map<number, Map<number, Invocation>>} by kind, and by the key of the caller */
    const callers = new Map();
    /**
     * Enters the call that a state makes, if it makes one.
     * @param {number} state
     * @param {number} origin
     */
    const add = (state, origin) => {
      if (tables.ops[state] !== OP_CALL) {
        return;
      }
      const kind = tables.same[tables.args[state]];
      const from = this.invocationOf(state, origin);
      const found = callers.get(kind);
      if (found === undefined) {
        callers.set(kind, new Map([[keyOf(from), from]]));
      } else {
        found.set(keyOf(from), from);
      }
    };
    if (at === this.at) { // here the items lack the calls that the next byte rules out
      this.reached.forEach(({ state, origin }) => add(state, origin));
    } else {
      const origin = this.originAt(at);
      const end = origin < 0 ? 0 : reader.originHigh[origin]; // a place where none begins has no origin
      for (let i = origin < 0 ? 0 : reader.originLow[origin]; i < end; i++) {
        for (const q of reader.sets[reader.itemSet[i]].states) {
          add(q, reader.itemOrigin[i]);
        }
      }
    }
    return new Map([...callers].map(([kind, found]) => [kind, [...found.values()]]));
  }

  /**
   * Returns the origin at a place, or -1.
   * @param {number} at
   * @returns {number}
   */
  originAt(at) {
    const { origins } = this.reader;
    let low = 0;
    let high = origins;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.placeOfOrigin(middle) < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < origins && this.placeOfOrigin(low) === at ? low : -1;
  }

  /**
   * Returns the bytes of some classes.
   * @param {Uint8Array} set
   * @returns {number[]}
   */
  bytesOf(set) {
    /** @type {number[]} */
    const bytes = [];
    this.reader.tables.classes.forEach((column, byte) => {
      if (set[column] === 1) {
        bytes.push(byte);
      }
    });
    return bytes;
  }
}

/**
 * Adds a term that a production reads. Of a range of characters, each length of their encodings is a
 * state of its own: those are one expectation. Thousands of productions can read at one place, so that none of
 * their terms is searched for in a list.
 * @param {Map<string, Set<number>>} expected the bytes that each term can begin with
 * @param {string} term
 * @param {number[]} first
 */
function addExpectation(expected, term, first) {
  let known = expected.get(term);
  if (known === undefined) {
    known = new Set();
    expected.set(term, known);
  }
  first.forEach((byte) => known.add(byte));
}
