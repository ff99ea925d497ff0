// The names of productions. A production's kind is its place in the grammar, from 1.

/** The IDs of a grammar's productions. They are data: none is the name of a property. */
export class Names {
  /**
   * @param {string} grammar
   * @param {string} ids a line for each production
   */
  constructor(grammar, ids) {
    this.grammar = grammar;
    /** By kind. */
    this.ids = `\n${ids}`.split('\n');
    /** @type {Map<unknown, number> | null} made when a name is looked up */
    this.kinds = null;
  }

  /**
   * Returns the IDs in their order. Modules mark the call as pure, so a bundler can drop it. It would keep
   * `Object.freeze(names.ids.slice(1))`, whose argument is another call.
   * @returns {readonly string[]}
   */
  list() {
    return Object.freeze(this.ids.slice(1));
  }

  /**
   * Returns the kind of a production.
   * @param {unknown} id
   * @returns {number}
   */
  kindOf(id) {
    this.kinds ??= new Map(this.ids.map((name, kind) => [name, kind]));
    const kind = id === '' ? undefined : this.kinds.get(id);
    if (kind === undefined) {
      const shown = typeof id === 'string' ? JSON.stringify(id) : String(id); // JSON has no 1n, and no symbols
      throw new TypeError(`the grammar ${this.grammar} has no production ${shown}`);
    }
    return kind;
  }
}
