// The nodes of an engine whose inputs are often large, and that mostly appends them at ever later places.

import { NodeList } from './nodes.js';

/** A list of nodes that makes room for as many as there may be, once it knows how long the input is. */
export class IncreasingNodeList extends NodeList {
  /**
   * Makes room for more nodes: for as many as there will be if the rest of the input has as many as what is
   * before a place. The beginning of an input may mislead: if that would be more than 32 times as many as
   * there are, there is room for four times as many; and for twice as many if it is not known. Room that is never
   * used takes no memory, so that one large step is better than several, each with a copy.
   * @param {number} place
   */
  grow(place) {
    const { length } = this;
    let room = 2 * length;
    if (this.all > 0 && place > 0) {
      const expected = Math.ceil(length * (this.all / place) * 1.06) + 16;
      room = expected > 32 * length ? 4 * length : Math.max(expected, Math.ceil(1.25 * length));
    }
    this.growTo(room);
  }
}
