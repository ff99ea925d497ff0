// The links of items, along which a tree is built backwards. A link of an item is another item that it
// was reached from, and the production that ended between the two. It is ast/generallink.go.
//
// An item has at most as many links as there are places where that production can begin. Two things
// keep the time of a tree cubic: a link is found at once, since the items of a place are sorted by
// origin when a link is first looked for among them; and the agenda is not sorted, since links lie in a
// list for each place, and only the places are in a heap.

import { GeneralReader, MORE, NO_CHILD, withRoom } from './general.js';
import { RecordList } from './records.js';

/** How many items at a place are looked through one by one. */
const FEW_ITEMS = 8;

/** How many moves an insertion sort of the items of a place may make, before they are sorted otherwise. */
const MOST_MOVES = 1 << 10;

/** Holds links that are still to be followed, the last place first: see GeneralParser.push. */
export class Agenda {
  constructor() {
    /** The links: the four numbers of each, and the one that was added before it at its place, or -1. */
    this.links = new RecordList(5);
    /** One more than the last link that was added at a place, or 0. */
    this.heads = new Int32Array(0);
    /** The places that have links, a heap with the last on top. @type {number[]} */
    this.places = [];
    /** The first of the links that next has taken, and of those that can be used again, or -1. */
    this.taken = -1;
    this.free = -1;
  }

  /**
   * Adds a link of an input of so many bytes.
   * @param {number} at
   * @param {number} item
   * @param {number} live
   * @param {number} child
   * @param {number} bytes
   */
  add(at, item, live, child, bytes) {
    if (this.heads.length <= bytes) {
      this.heads = new Int32Array(bytes + 1);
    }
    const { heads, places, links } = this;
    let l = this.free;
    if (l >= 0) {
      this.free = this.before(l);
    } else {
      l = links.add() / 5;
    }
    const { room } = links;
    room[5 * l] = at;
    room[5 * l + 1] = item;
    room[5 * l + 2] = live;
    room[5 * l + 3] = child;
    room[5 * l + 4] = heads[at] - 1;
    if (heads[at] === 0) {
      places.push(at);
      for (let i = places.length - 1; i > 0; ) {
        const up = (i - 1) >> 1;
        if (places[up] >= at) {
          break;
        }
        places[i] = places[up];
        places[up] = at;
        i = up;
      }
    }
    heads[at] = l + 1;
  }

  /**
   * Returns the link that was added before one at its place, or -1.
   * @param {number} l
   * @returns {number}
   */
  before(l) {
    return this.links.room[5 * l + 4];
  }

  /**
   * Removes the links of the last place, and returns the place. Taken is then the link that was added last;
   * release gives their memory back.
   * @returns {number}
   */
  next() {
    const { places, heads } = this;
    const at = places[0];
    const last = /** @type {number} */ (places.pop());
    if (places.length > 0) {
      places[0] = last;
      for (let i = 0; ; ) {
        let down = 2 * i + 1;
        if (down + 1 < places.length && places[down + 1] > places[down]) {
          down++;
        }
        if (down >= places.length || places[down] <= last) {
          break;
        }
        places[i] = places[down];
        places[down] = last;
        i = down;
      }
    }
    this.taken = heads[at] - 1;
    heads[at] = 0;
    return at;
  }

  /** Lets the links that were taken be used again. */
  release() {
    let last = this.taken;
    for (let l = this.before(last); l >= 0; l = this.before(l)) {
      last = l;
    }
    this.links.room[5 * last + 4] = this.free;
    this.free = this.taken;
    this.taken = -1;
  }

  /** Removes what is left. */
  clear() {
    for (const at of this.places) {
      this.heads[at] = 0;
    }
    this.places.length = 0;
    this.links.length = 0;
    this.free = -1;
  }
}

/** A reader that follows links. */
export class GeneralLinks extends GeneralReader {
  // The items in the order of their origins, place by place, where a place was sorted; elsewhere, and from ordered on,
  // there are zeros.
  order = new Int32Array(0);
  ordered = 0;
  // The last search among the items of a place, at the indexes of the first two: for an origin, and where in order its
  // items begin.
  begun = new Int32Array(0);

  /**
   * Returns the items at the place of one: the first, and the one after the last.
   * @param {number} i
   * @returns {[lo: number, hi: number]}
   */
  span(i) {
    const { itemAt, items } = this;
    const at = itemAt[i];
    let lo = i;
    for (; lo > 0 && itemAt[lo - 1] === at; lo--) {
      if (i - lo >= FEW_ITEMS) {
        lo = this.firstItem(0, lo, at);
        break;
      }
    }
    let hi = i + 1;
    for (; hi < items && itemAt[hi] === at; hi++) {
      if (hi - i > FEW_ITEMS) {
        hi = this.firstItem(hi, items, at + 1);
        break;
      }
    }
    return [lo, hi];
  }

  /**
   * Returns the first of some items that is at a place or later.
   * @param {number} low
   * @param {number} high
   * @param {number} at
   * @returns {number}
   */
  firstItem(low, high, at) {
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.itemAt[middle] < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Puts the items of a span, of at least two, into this.order in the order of their origins, at the same indexes.
   * They are sorted once, so that a tree takes cubic time: all links of a place are looked for among them.
   * @param {number} lo
   * @param {number} hi
   */
  sortByOrigin(lo, hi) {
    if (this.order.length < hi) {
      this.order = withRoom(this.order, this.itemAt.length);
      this.begun = withRoom(this.begun, this.itemAt.length);
    }
    const { itemOrigin, order } = this;
    if (order[lo] !== 0 || order[lo + 1] !== 0) {
      return; // sorted before: item 0 is there once, so that two zeros are fresh memory
    }
    this.ordered = Math.max(this.ordered, hi);
    this.begun[lo] = -1;
    const length = hi - lo;
    // The items of a place mostly lie in the order of their origins, or in the opposite one.
    const step = itemOrigin[lo] > itemOrigin[hi - 1] ? -1 : 1;
    let moves = 0;
    for (let n = 0, i = step > 0 ? lo : hi - 1; n < length && moves <= MOST_MOVES; n++, i += step) {
      const origin = itemOrigin[i];
      let to = lo + n;
      for (; to > lo && isAfter(itemOrigin[order[to - 1]], order[to - 1], origin, i); to--) {
        order[to] = order[to - 1];
        moves++;
      }
      order[to] = i;
    }
    if (moves > MOST_MOVES) {
      const list = order.subarray(lo, hi);
      for (let n = 0; n < length; n++) {
        list[n] = lo + n;
      }
      list.sort((a, b) => itemOrigin[a] - itemOrigin[b] || a - b);
    }
    this.steps += length >> 2;
  }

  /** Forgets the order, since items have changed. */
  forgetOrder() {
    this.order.fill(0, 0, this.ordered);
    this.ordered = 0;
  }

  /**
   * Returns where in the order of a span the items begin that began at an origin or later.
   * @param {number} lo
   * @param {number} hi
   * @param {number} origin
   * @returns {number}
   */
  fromOrigin(lo, hi, origin) {
    let low = lo;
    let high = hi;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.itemOrigin[this.order[middle]] < origin) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Calls f for the items of a span that began at an origin.
   * @param {number} lo
   * @param {number} hi
   * @param {number} origin
   * @param {(item: number) => void} f
   */
  eachOf(lo, hi, origin, f) {
    const { itemOrigin } = this;
    if (hi - lo <= FEW_ITEMS) {
      for (let q = lo; q < hi; q++) {
        if (itemOrigin[q] === origin) {
          f(q);
        }
      }
      return;
    }
    this.sortByOrigin(lo, hi);
    // The last answer is kept: a production asks for the same origin at one place again and again.
    const { begun } = this;
    if (begun[lo] !== origin) {
      begun[lo] = origin;
      begun[lo + 1] = this.fromOrigin(lo, hi, origin);
    }
    for (let i = begun[lo + 1]; i < hi && itemOrigin[this.order[i]] === origin; i++) {
      f(this.order[i]);
    }
  }

  /**
   * Calls f for each item that an item was reached from, and what ended between, if something did.
   * @param {number} item
   * @param {(from: number, child: number) => void} f
   */
  eachLink(item, f) {
    const child = this.itemChild[item];
    const pred = this.itemPred[item];
    if ((child & MORE) === 0) {
      f(pred, child);
      return;
    }
    const origin = this.itemOrigin[item];
    if ((child & ~MORE) === NO_CHILD) {
      const [lo, hi] = this.span(pred);
      this.eachOf(lo, hi, origin, (q) => {
        if (this.reads(q, item)) {
          f(q, NO_CHILD);
        }
      });
    }
    const [lo, hi] = this.span(item);
    if (hi - lo <= FEW_ITEMS) {
      for (let c = lo; c < hi; c++) {
        this.linksBy(c, item, f);
      }
      return;
    }
    this.sortByOrigin(lo, hi);
    for (let i = this.fromOrigin(lo, hi, origin); i < hi; i++) { // what ended did not begin before
      this.linksBy(this.order[i], item, f);
    }
  }

  /**
   * Is eachLink for what ended as one item.
   * @param {number} child
   * @param {number} item
   * @param {(from: number, child: number) => void} f
   */
  linksBy(child, item, f) {
    this.steps++;
    const done = this.doneIn(child);
    const origin = this.itemOrigin[item];
    if (done.length === 0 || this.itemOrigin[child] < origin) {
      return;
    }
    const began = this.itemOrigin[child];
    const first = this.originFirst[began];
    const lo = this.originLow[began];
    const hi = this.originHigh[began];
    this.eachOf(first, hi, origin, (q) => {
      if (q < lo || q >= hi) {
        return;
      }
      for (const kind of done) {
        if (this.after(this.itemSet[q], kind) === this.itemSet[item]) {
          f(q, child);
          return;
        }
      }
    });
  }

  /**
   * Reports whether an item is reached from another one by the bytes between.
   * @param {number} from
   * @param {number} item
   * @returns {boolean}
   */
  reads(from, item) {
    let set = this.itemSet[from];
    for (let at = this.itemAt[from]; at < this.itemAt[item]; at++) {
      set = this.cellTo[this.cell(set, this.tables.classes[this.bytes[at]])];
      this.steps++;
    }
    return set === this.itemSet[item];
  }
}

/**
 * Reports whether an item with an origin comes after another one in the order of origins.
 * @param {number} origin
 * @param {number} item
 * @param {number} otherOrigin
 * @param {number} other
 * @returns {boolean}
 */
function isAfter(origin, item, otherOrigin, other) {
  return origin > otherOrigin || (origin === otherOrigin && item > other);
}

/**
 * Reports whether a number is in a list, which is sorted.
 * @param {number[]} list
 * @param {number} n
 * @returns {boolean}
 */
export function isAmong(list, n) {
  if (list.length <= 8) {
    return list.includes(n);
  }
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < n) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return list[low] === n;
}

