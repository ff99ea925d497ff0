// Nodes as parsers append them: four numbers each, in pre-order. The descendants of a node follow
// it, up to the index that its next has.

/** A list of nodes that grows. */
export class NodeList {
  constructor() {
    this.room = new Int32Array(256);
    this.length = 0;
  }

  /**
   * Appends a node.
   * @param {number} kind
   * @param {number} start
   * @param {number} end
   * @param {number} next the index of the first node after its subtree
   */
  push(kind, start, end, next) {
    const at = 4 * this.length;
    if (at === this.room.length) {
      const more = new Int32Array(2 * at);
      more.set(this.room);
      this.room = more;
    }
    const { room } = this;
    room[at] = kind;
    room[at + 1] = start;
    room[at + 2] = end;
    room[at + 3] = next;
    this.length++;
  }

  /**
   * Returns a copy of the nodes, without room for more.
   * @returns {Int32Array}
   */
  take() {
    return this.room.slice(0, 4 * this.length);
  }
}
