// Records of numbers that grow and shrink at their end, in one array: a list of objects would take three
// times the memory, and the time of the garbage collector.

/** A list of records, each of so many numbers. */
export class RecordList {
  /** @param {number} width */
  constructor(width) {
    this.width = width;
    this.room = new Int32Array(64 * width);
    this.length = 0;
  }

  /**
   * Appends a record, and returns where its first number is to be in room.
   * @returns {number}
   */
  add() {
    const at = this.width * this.length++;
    if (at === this.room.length) {
      const more = new Int32Array(2 * at);
      more.set(this.room);
      this.room = more;
    }
    return at;
  }
}
