// The links of items, along which a tree is built backwards. A link of an item is another item that it
// was reached from, and the production that ended between the two. It is ast/generallink.go.
//
// An item has at most as many links as there are places where that production can begin. Two things
// keep the time of a tree cubic: a link is found at once, since the items of a place are sorted by
// origin when a link is first looked for among them; and the agenda is not sorted, since links lie in a
// list for each place, and only the places are in a heap.

import { GeneralReader, MORE, NO_CHILD } from './general.js';

/** How many items at a place are looked through one by one. */
const FEW_ITEMS = 8;

/**
 * A set of states that are alive at a place, in an item that was made or, if that is -1, in none. If
 * they call, child is an end of what they call, otherwise NO_CHILD.
 * @typedef {{at: number, item: number, live: number, child: number}} Link
 */

/** Holds links that are still to be followed, the last place first. */
export class Agenda {
  constructor() {
    /** @type {Map<number, Link[]>} */
    this.byPlace = new Map();
    /** The places that have links, a heap with the last on top. @type {number[]} */
    this.places = [];
  }

  /** @param {Link} link */
  add(link) {
    const list = this.byPlace.get(link.at);
    if (list !== undefined) {
      list.push(link);
      return;
    }
    this.byPlace.set(link.at, [link]);
    const { places } = this;
    places.push(link.at);
    for (let i = places.length - 1; i > 0; ) {
      const up = (i - 1) >> 1;
      if (places[up] >= places[i]) {
        break;
      }
      [places[up], places[i]] = [places[i], places[up]];
      i = up;
    }
  }

  /**
   * Removes the links of the last place, and returns the place and the links, the last that was added
   * first.
   * @returns {{at: number, links: Link[]}}
   */
  next() {
    const { places } = this;
    const at = places[0];
    const last = /** @type {number} */ (places.pop());
    if (places.length > 0) {
      places[0] = last;
      for (let i = 0; ; ) {
        let down = 2 * i + 1;
        if (down + 1 < places.length && places[down + 1] > places[down]) {
          down++;
        }
        if (down >= places.length || places[down] <= places[i]) {
          break;
        }
        [places[down], places[i]] = [places[i], places[down]];
        i = down;
      }
    }
    const links = /** @type {Link[]} */ (this.byPlace.get(at)).reverse();
    this.byPlace.delete(at);
    return { at, links };
  }

  /** Removes what is left. */
  clear() {
    this.byPlace.clear();
    this.places.length = 0;
  }
}

/** A reader that follows links. */
export class GeneralLinks extends GeneralReader {
  /** By the first item of a place: its items in the order of origins. @type {Map<number, number[]>} */
  orders = new Map();

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
   * Returns the items of a span in the order of their origins.
   * @param {number} lo
   * @param {number} hi
   * @returns {number[]}
   */
  byOrigin(lo, hi) {
    const known = this.orders.get(lo);
    if (known !== undefined && known.length === hi - lo) {
      return known;
    }
    const { itemOrigin } = this;
    const list = Array.from({ length: hi - lo }, (_, i) => lo + i);
    list.sort((a, b) => itemOrigin[a] - itemOrigin[b] || a - b);
    this.orders.set(lo, list);
    this.steps += list.length >> 2;
    return list;
  }

  /**
   * Returns where in a list by origins the items begin that began at an origin or later.
   * @param {number[]} list
   * @param {number} origin
   * @returns {number}
   */
  fromOrigin(list, origin) {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.itemOrigin[list[middle]] < origin) {
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
    const list = this.byOrigin(lo, hi);
    for (let i = this.fromOrigin(list, origin); i < list.length && itemOrigin[list[i]] === origin; i++) {
      f(list[i]);
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
    const list = this.byOrigin(lo, hi);
    for (let i = this.fromOrigin(list, origin); i < list.length; i++) { // what ended did not begin before
      this.linksBy(list[i], item, f);
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
        if (this.behind(this.itemSet[q], kind) === this.itemSet[item]) {
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

