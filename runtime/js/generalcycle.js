// A production can be all of another one, and that again all of the first. Of such productions, a
// derivation has none inside itself with the same text. It is ast/generalcycle.go.

import { NO_CHILD } from './general.js';

/** @typedef {import('./generaltree.js').GeneralParser} GeneralParser */

/**
 * Returns the productions of the innermost frame and of those around it that have the same text if it
 * ends at a place.
 * @param {GeneralParser} p
 * @param {number} end
 * @returns {number[]}
 */
export function kindsAround(p, end) {
  /** @type {number[]} */
  const list = [];
  for (let i = p.frames.length - 1; i >= 0; i--) {
    list.push(p.tables.same[p.frames[i].kind]);
    if (!p.frames[i].alone.includes(end)) {
      break;
    }
  }
  return list;
}

/**
 * Reports whether a production that ends as an item does has a derivation without any of some inside it
 * with the same text. Those that it was asked about are added to them.
 * @param {GeneralParser} p
 * @param {number} kind
 * @param {number} item
 * @param {number[]} without
 * @returns {boolean}
 */
function isGrounded(p, kind, item, without) {
  const { same, cyclic } = p.tables;
  if (without.includes(same[kind])) {
    return false;
  }
  without.push(same[kind]);
  const origin = p.itemOrigin[item];
  let found = false;
  const [lo, hi] = p.span(item);
  for (let i = lo; i < hi && !found; i++) {
    if (p.itemOrigin[i] !== origin || !p.doneIn(i).includes(kind)) {
      continue;
    }
    p.eachLink(i, (from, child) => {
      if (found || child === NO_CHILD || p.itemPred[from] >= 0) {
        found = true;
        return;
      }
      for (const inner of p.doneIn(child)) {
        if (p.after(p.itemSet[from], inner) === p.itemSet[i]) {
          found = found || !cyclic[inner] || isGrounded(p, inner, child, without);
        }
      }
    });
  }
  return found;
}

/**
 * Reports whether more than the end of the innermost frame can follow a state at a place, without some
 * states. It leaves what choose found as it is.
 * @param {GeneralParser} p
 * @param {number} q
 * @param {number} at
 * @param {number[]} without
 * @returns {boolean}
 */
export function canGoOnWithout(p, q, at, without) {
  const { exit, both, begins, path } = p;
  const frame = p.frames[p.frames.length - 1];
  let { place } = frame;
  if (at > frame.from) {
    p.begins = false;
    place = p.placeOf(frame, at);
  }
  p.tables.beginMarks();
  for (const state of without) {
    p.tables.mark[state] = p.tables.now;
  }
  p.path = [];
  p.noEnd = true;
  const ok = p.choose(q, p.sets[p.places.room[4 * place + 1]].states);
  p.exit = exit;
  p.both = both;
  p.begins = begins;
  p.path = path;
  p.noEnd = false;
  p.empties = [];
  return ok;
}

/**
 * Reports whether the state call, at the beginning of the innermost frame, may call the production that
 * an item ends. It may not if that production would be all of the frame's text and has no derivation of
 * this text without one of the productions around it. rest has the states after whose call more of the
 * frame follows: from these every call is allowed.
 * @param {GeneralParser} p
 * @param {number} call
 * @param {number} item
 * @param {number[]} rest
 * @returns {boolean}
 */
export function isAllowed(p, call, item, rest) {
  const kind = p.tables.args[call];
  if (!p.tables.cyclic[kind] || rest.includes(call)) {
    return true;
  }
  return isGrounded(p, kind, item, kindsAround(p, p.itemAt[item]));
}

/**
 * Returns the ends of a call at the beginning of the innermost frame after which nothing can follow.
 * @param {GeneralParser} p
 * @param {number} call
 * @param {number[]} ends
 * @returns {number[]}
 */
export function aloneEnds(p, call, ends) {
  const next = p.tables.next[call];
  /** @type {number[]} */
  const list = [];
  for (const item of ends) {
    const at = p.itemAt[item];
    if (!list.includes(at) && !canGoOnWithout(p, next[0], at, [])) {
      list.push(at);
    }
  }
  const frame = p.frames[p.frames.length - 1];
  if (p.both && !canGoOnWithout(p, next[1], frame.from, frame.passed)) {
    list.push(frame.from);
  }
  return list;
}
