// How messages name and cite productions.

import { ListReader } from './lists.js';
import { Names } from './names.js';
import { Rules } from './rules.js';

/** How the productions of a grammar are printed, and where. */
export class Printed {
  /**
   * @param {Names} names
   * @param {Rules} rules
   * @param {boolean} codePoints whether the values of the grammar are code points
   * @param {Record<number, string>} spellings by kind, the name in the text where that is not the ID
   * @param {string[]} files
   * @param {Record<number, string>} sections by kind, the section as messages cite it
   * @param {string} packed by production, its file and line
   */
  constructor(names, rules, codePoints, spellings, files, sections, packed) {
    this.names = names;
    this.rules = rules;
    this.codePoints = codePoints;
    this.spellings = spellings;
    this.files = files;
    this.sections = sections;
    this.packed = packed;
  }

  /**
   * Returns the name of a production in the text.
   * @param {number} kind
   * @returns {string}
   */
  nameOf(kind) {
    return this.spellings[kind] ?? this.names.ids[kind];
  }

  /**
   * Returns where a production is printed: its section or, if files count, its file and line. It is
   * "" where that is not known.
   * @param {number} kind
   * @param {boolean} files
   * @returns {string}
   */
  placeOf(kind, files) {
    const section = this.sections[kind];
    if (section !== undefined || !files) {
      return section ?? '';
    }
    const lists = new ListReader(this.packed);
    const file = this.files[lists.list()[kind - 1]];
    const line = lists.list()[kind - 1];
    return line === 0 ? '' : `${file}:${line}`;
  }
}
