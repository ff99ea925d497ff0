// What a module knows of its grammar beside tables: how messages name and cite productions, and the
// alternatives of each.

import { Alternatives } from './alternative.js';
import { ListReader } from './lists.js';
import { Names } from './names.js';

/**
 * Where productions are printed.
 * @typedef {{files: string[], sections: Record<number, string>, packed: string}} Places
 */

/** A grammar. */
export class Grammar {
  /**
   * @param {Names} names
   * @param {number} start the production that is parsed if no other is named
   * @param {boolean} codePoints whether the values of the grammar are code points
   * @param {Record<number, string>} spellings by kind, the name in the text where that is not the ID
   * @param {Places} places
   * @param {Alternatives} alternatives
   */
  constructor(names, start, codePoints, spellings, places, alternatives) {
    this.name = names.grammar;
    this.names = names;
    this.start = start;
    this.codePoints = codePoints;
    this.spellings = spellings;
    this.places = places;
    this.alternatives = alternatives;
  }

  /** The IDs of the productions, by kind. */
  get ids() {
    return this.names.ids;
  }

  /**
   * Returns the kind of a production.
   * @param {unknown} id
   * @returns {number}
   */
  kindOf(id) {
    return this.names.kindOf(id);
  }

  /**
   * Returns the name of a production in the text.
   * @param {number} kind
   * @returns {string}
   */
  nameOf(kind) {
    return this.spellings[kind] ?? this.ids[kind];
  }

  /**
   * Reports whether a production is no node below the root.
   * @param {number} kind
   * @returns {boolean}
   */
  isLexical(kind) {
    return this.alternatives.rules.isLexical(kind);
  }

  /**
   * Returns where a production is printed: its section or, if files count, its file and line. It is
   * "" where that is not known.
   * @param {number} kind
   * @param {boolean} files
   * @returns {string}
   */
  placeOf(kind, files) {
    const section = this.places.sections[kind];
    if (section !== undefined || !files) {
      return section ?? '';
    }
    const lists = new ListReader(this.places.packed);
    const file = this.places.files[lists.list()[kind - 1]];
    const line = lists.list()[kind - 1];
    return line === 0 ? '' : `${file}:${line}`;
  }
}
