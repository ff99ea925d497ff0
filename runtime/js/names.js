// The names of productions. A production's kind is its place in the grammar, from 1.

/** The IDs of a grammar's productions. They are data: none is the name of a property. */
export class Names {
  /**
   * @param {string} grammar
   * @param {string[]} ids by kind, from 1
   */
  constructor(grammar, ids) {
    this.grammar = grammar;
    this.ids = ['', ...ids];
    /** @type {Map<unknown, number>} */
    this.kinds = new Map(ids.map((id, i) => [id, i + 1]));
  }

  /**
   * Returns the kind of a production.
   * @param {unknown} id
   * @returns {number}
   */
  kindOf(id) {
    const kind = this.kinds.get(id);
    if (kind === undefined) {
      throw new TypeError(`the grammar ${this.grammar} has no production ${JSON.stringify(id)}`);
    }
    return kind;
  }
}
