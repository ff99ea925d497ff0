// What is kept of the items while an input is read of which a tree is to be made. Items that neither
// reading nor the tree needs any more are dropped from time to time. Of a production that has ended, the
// tree may need no more than its nodes, where its end is one item and nothing is open that began in it:
// its nodes are then packed into the pool, and the item of its end stands for them. It is
// ast/generalkeep.go.
//
// Packed nodes are a list of events, the beginnings and ends of nodes in the order of the text. Each is a
// code: 4 times the kind of a node that begins, or 0 for the end of the innermost open node; plus 1 if its
// place is not that of the event before, and then the distance follows. Plus 2 stands for a whole
// production that an automaton derives: its nodes are made when it is unpacked, and its length follows.
// Numbers have seven bits a byte, the lowest first, and the high bit where more follow.

import { NO_CHILD } from './general.js';
import { NodeList } from './nodes.js';

/** @typedef {import('./generaltree.js').GeneralParser} GeneralParser */

/** A code that only moves to another place. */
const MOVE = 2;

/** Caps the steps of dropping for each item. An input that is not ambiguous takes far fewer. */
const DROP_STEPS = 4;

/** Caps the bytes of the pool. */
const MOST_POOL = 1 << 30;

/** Events, as bytes that grow. */
export class EventList {
  constructor() {
    this.room = new Uint8Array(1 << 10);
    this.length = 0;
  }

  /**
   * Makes room for so many bytes more.
   * @param {number} more
   */
  reserve(more) {
    const need = this.length + more;
    if (need > this.room.length) {
      const room = new Uint8Array(Math.max(need, this.room.length + (this.room.length >> 1)));
      room.set(this.room.subarray(0, this.length));
      this.room = room;
    }
  }

  /**
   * Appends a number.
   * @param {number} n
   */
  number(n) {
    this.reserve(5);
    const { room } = this;
    for (; n > 127; n >>>= 7) {
      room[this.length++] = (n & 127) | 128;
    }
    room[this.length++] = n;
  }

  /**
   * Appends bytes of another list.
   * @param {EventList} list
   * @param {number} from
   * @param {number} to
   */
  append(list, from, to) {
    this.reserve(to - from);
    this.room.set(list.room.subarray(from, to), this.length);
    this.length += to - from;
  }
}

/**
 * Appends an event to what is packed.
 * @param {GeneralParser} p
 * @param {number} code
 * @param {number} at
 */
export function packEvent(p, code, at) {
  if (at === p.last) {
    p.fresh.number(code);
    return;
  }
  p.fresh.number(code | 1);
  p.fresh.number(at - p.last);
  p.last = at;
}

/**
 * Packs a production that an automaton derives, as one event.
 * @param {GeneralParser} p
 * @param {number} kind
 * @param {number} at
 * @param {number} end
 */
export function packProven(p, kind, at, end) {
  packEvent(p, 4 * kind + 2, at);
  p.fresh.number(end - at);
  p.last = end;
}

/**
 * Packs the nodes that were made as nodes, and removes them.
 * @param {GeneralParser} p
 */
export function packNodes(p) {
  const { length, room } = p.nodes;
  /** @type {number[]} */
  const open = [];
  for (let i = 0; i <= length; i++) {
    while (open.length > 0 && room[4 * open[open.length - 1] + 3] === i) {
      packEvent(p, 0, room[4 * /** @type {number} */ (open.pop()) + 2]);
    }
    if (i < length) {
      packEvent(p, 4 * room[4 * i], room[4 * i + 1]);
      open.push(i);
    }
  }
  p.nodes.length = 0;
}

/**
 * Appends the packed nodes of a production that begins at one place and ends at another: as they are while
 * the tree is packed, and otherwise unpacked.
 * @param {GeneralParser} p
 * @param {EventList} list
 * @param {number} from
 * @param {number} to
 * @param {number} at
 * @param {number} end
 */
export function pasteNodes(p, list, from, to, at, end) {
  if (p.packing) {
    p.steps += (to - from) >> 6;
    if (at !== p.last) {
      packEvent(p, MOVE, at);
    }
    p.fresh.append(list, from, to);
    p.last = end;
    return;
  }
  p.steps += (to - from) >> 2;
  const { room } = list;
  const { nodes } = p;
  const number = () => {
    let n = 0;
    for (let shift = 0; ; shift += 7) {
      const b = room[from++];
      n |= (b & 127) << shift;
      if (b < 128) {
        return n;
      }
    }
  };
  let top = -1; // the innermost open node, whose next is the one around it
  while (from < to && !p.over) {
    const code = number();
    if ((code & 1) !== 0) {
      at += number();
    }
    const kind = code >> 2;
    if ((code & 2) !== 0) {
      if (kind !== 0) {
        const length = number();
        p.prove(kind, at, at + length);
        at += length;
      }
    } else if (kind !== 0) {
      const node = p.openNode(kind, at);
      nodes.room[4 * node + 3] = top;
      top = node;
    } else {
      const around = nodes.room[4 * top + 3];
      p.shutNode(top, at);
      top = around;
    }
  }
}

/**
 * Drops items as long as that takes at most DROP_STEPS steps for each. If it would take more everything
 * stays as it is, and the next attempt is made when there are twice as many items. Between two attempts at
 * least half as many items are made as were left, so that all of them together cost a constant for each
 * item that was made.
 * @param {GeneralParser} p
 */
export function dropForTree(p) {
  const { items, mostSteps, nodes } = p;
  p.mostSteps = Math.min(mostSteps, p.steps + DROP_STEPS * items);
  p.nodes = new NodeList();
  if (!dropWhatIsDone(p)) {
    p.full = 2 * items;
    p.over = false;
  }
  p.packing = false;
  p.nodes = nodes;
  p.ends = [];
  p.forgetOrder();
  p.mostSteps = mostSteps;
  p.take(0);
}

/**
 * Does the work of dropForTree, and reports whether it got through. If not, no item is changed.
 * @param {GeneralParser} p
 * @returns {boolean}
 */
function dropWhatIsDone(p) {
  const { items, origins, itemOrigin, itemPred, itemChild } = p;
  const needed = findNeeded(p);
  if (needed === null) {
    return false;
  }
  const { whole, wanted } = needed;
  // For each production that is packed the item of its end, and where its nodes are.
  /** @type {number[]} */
  const made = [];
  p.packing = true;
  p.fresh = new EventList();
  p.fresh.reserve(p.pool.length + (p.pool.length >> 2));
  for (let o = 0; o < origins && !p.over; o++) {
    const end = wanted[o] - 1;
    if (end < 0 || whole[end] === 1 || itemPred[end] < 0) {
      continue;
    }
    const from = p.fresh.length;
    const kind = p.doneIn(end)[0];
    if (!p.tables.plain[kind] && p.tables.proven[kind] === 0) {
      p.last = p.itemAt[p.originLow[itemOrigin[end]]];
      p.ends = [end];
      p.walk(kind, p.last, false);
    }
    made.push(end, -2 - from, p.fresh.length);
  }
  if (p.over) {
    return false;
  }
  const keeps = (/** @type {number} */ i) => whole[i] === 1 || wanted[itemOrigin[i]] === i + 1;
  for (let i = 0; i < items; i++) {
    if (itemPred[i] < -1 && keeps(i)) {
      const from = p.fresh.length;
      p.fresh.append(p.pool, -2 - itemPred[i], itemChild[i]);
      itemPred[i] = -2 - from;
      itemChild[i] = p.fresh.length;
    }
  }
  p.pool = p.fresh;
  p.fresh = new EventList();
  for (let i = 0; i < made.length; i += 3) {
    itemPred[made[i]] = made[i + 1];
    itemChild[made[i]] = made[i + 2];
  }
  for (let i = 0; i < items; i++) {
    whole[i] = keeps(i) ? 1 : 0;
  }
  for (let o = 0; o < origins; o++) {
    wanted[o] = wanted[o] === 0 ? 0 : 1;
  }
  p.steps += items;
  p.compact(whole, wanted);
  p.place = -1;
  const grows = 2 * p.items > items ? 3 : 1.5; // where little was dropped, it is tried less often
  p.full = Math.floor(p.items * grows) + (p.pool.length >> 6) + p.spareItems();
  return true;
}

/**
 * Finds what is needed: the items at the place that is read, those that wait for them, and those that
 * these were reached from. It returns by item whether it is needed with what it was reached from, and by
 * origin 0, one more than the item of the one end whose nodes alone are needed, or -1. It returns null where
 * that takes too many steps.
 * @param {GeneralParser} p
 * @returns {{whole: Uint8Array, wanted: Int32Array} | null}
 */
function findNeeded(p) {
  const { items, itemOrigin, itemPred, originLow, originHigh, tables } = p;
  const whole = new Uint8Array(items);
  const wanted = new Int32Array(p.origins);
  const todo = new Int32Array(items);
  let length = 0;
  const canPack = p.pool.length < Math.min(10 * p.mostItems, MOST_POOL);
  const keep = (/** @type {number} */ i) => {
    if (whole[i] === 0) {
      whole[i] = 1;
      todo[length++] = i;
    }
  };
  const want = (/** @type {number} */ end) => {
    const origin = itemOrigin[end];
    const before = wanted[origin];
    if (before === end + 1) {
      return;
    }
    if (before === 0 && canPack) {
      const done = p.doneIn(end);
      if (done.length === 1 && !tables.loose[done[0]]) {
        wanted[origin] = end + 1;
        return;
      }
    }
    if (before > 0) {
      keep(before - 1);
    }
    wanted[origin] = -1;
    keep(end);
  };
  for (let i = p.cur; i < items; i++) {
    keep(i);
  }
  for (let n = 0; n < length; n++) { // those that wait for what began at the origin of an item
    const origin = itemOrigin[todo[n]];
    if (wanted[origin] === 0) {
      wanted[origin] = -1;
      for (let i = originLow[origin]; i < originHigh[origin]; i++) {
        if (itemPred[i] === -1 || p.beginsIn(i)) {
          keep(i);
        }
      }
    }
  }
  const follow = (/** @type {number} */ from, /** @type {number} */ child) => {
    keep(from);
    if (child !== NO_CHILD) {
      want(child);
    }
  };
  for (let n = 0; n < length; n++) {
    const i = todo[n];
    if (itemPred[i] < 0) {
      continue;
    }
    p.eachLink(i, follow);
    p.take(1);
    if (p.over) {
      return null;
    }
  }
  return { whole, wanted };
}
