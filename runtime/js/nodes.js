// Nodes as parsers append them: four numbers each, in pre-order. The descendants of a node follow
// it, up to the index that its next has.

/** The room for nodes that is kept from one input to the next, in numbers. */
const KEPT_ROOM = 1 << 16;

/** How many numbers an array has room for, before it is replaced by one of Int32Array. */
const ARRAY_ROOM = 1 << 10;

/** A list of nodes that grows. */
export class NodeList {
  /**
   * @param {boolean} inArray whether the first nodes are kept in an array, of which a few are copied several
   *   times as fast as out of an Int32Array
   */
  constructor(inArray = false) {
    this.inArray = inArray;
    /** @type {Int32Array | number[]} */
    this.room = inArray ? new Array(ARRAY_ROOM).fill(0) : new Int32Array(256);
    this.length = 0;
    /** The length of the input, if the nodes begin at ever later places of it; or 0. An IncreasingNodeList asks. */
    this.all = 0;
  }

  /** Empties the list. It keeps its room, unless that is large. */
  clear() {
    if (this.room.length > KEPT_ROOM || (this.inArray && !Array.isArray(this.room))) {
      this.room = new NodeList(this.inArray).room;
    }
    this.length = 0;
    this.all = 0;
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
      this.grow(start);
    }
    const { room } = this;
    room[at] = kind;
    room[at + 1] = start;
    room[at + 2] = end;
    room[at + 3] = next;
    this.length++;
  }

  /**
   * Makes room for twice as many nodes.
   * @param {number} place where in the input a node is to begin
   */
  grow(place) {
    this.growTo(2 * this.length);
  }

  /**
   * Makes room for so many nodes.
   * @param {number} count
   */
  growTo(count) {
    const more = new Int32Array(4 * count);
    more.set(this.room);
    this.room = more;
  }

  /**
   * Returns the nodes. They are those of the list itself, which then is no longer to be used, where it is not
   * kept for another input, and more than half of its room is used.
   * @returns {Int32Array | number[]}
   */
  take() {
    const used = 4 * this.length;
    const { room } = this;
    if (Array.isArray(room)) {
      return room.slice(0, used);
    }
    const isCopied = room.length <= KEPT_ROOM || room.length > 2 * used;
    return isCopied ? room.slice(0, used) : room.subarray(0, used);
  }
}
