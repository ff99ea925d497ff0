// Tables are lists of numbers, packed as text that needs no library to unpack, and that a file
// compressed for transport compresses well. docs/table-format.md describes the text.
//
// A digit is one of 91 characters: printable ASCII without the space, the quotation marks " and `,
// and the backslash, so that the text stands in quotation marks as it is. A number from 0 to 79 is
// one digit. Larger ones begin with a digit from 80 to 89, which says how they go on. The digit 90
// repeats the number before it.

/** By character code, its value as a digit. */
const DIGITS = /*#__PURE__*/ Array.from({ length: 127 }, (_, c) =>
  c - 33 - (c > 34 ? 1 : 0) - (c > 92 ? 1 : 0) - (c > 96 ? 1 : 0));

/** Reads lists of numbers from packed text, one after the other. */
export class ListReader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** @returns {number} the value of the next character, from 0 to 90 */
  digit() {
    return DIGITS[this.text.charCodeAt(this.at++)];
  }

  /**
   * Returns the number that begins with a digit.
   * @param {number} first
   * @returns {number}
   */
  numberFrom(first) {
    if (first < 80) {
      return first;
    }
    if (first < 88) {
      return 80 + (first - 80) * 91 + this.digit();
    }
    let value = 0;
    for (let digits = first === 88 ? 3 : 5; digits > 0; digits--) {
      value = value * 91 + this.digit();
    }
    return first === 88 ? 808 + value : value;
  }

  /** @returns {number} the next number, outside of a list */
  number() {
    return this.numberFrom(this.digit());
  }

  /** @returns {number[]} the next list: its length, and its elements */
  list() {
    const list = new Array(this.number());
    const { text } = this;
    let { at } = this; // a local variable: most tables are read before the engine has compiled this
    let last = 0;
    for (let i = 0; i < list.length; ) {
      const first = DIGITS[text.charCodeAt(at++)];
      if (first < 80) { // as nearly all are: the rest of numberFrom is not asked
        last = first;
      } else {
        this.at = at;
        if (first < 90) {
          last = this.numberFrom(first);
        } else {
          const from = i;
          i += this.number();
          list.fill(last, from, i);
        }
        at = this.at;
      }
      list[i++] = last;
    }
    this.at = at;
    return list;
  }

  /** @returns {number} the element of a list of one */
  single() {
    return this.list()[0];
  }

  /** @returns {number[][]} a list of lists: the length of each, then all elements */
  listOfLists() {
    const lengths = this.list();
    const all = this.list();
    let from = 0;
    return lengths.map((length) => {
      from += length;
      return all.slice(from - length, from);
    });
  }
}

/**
 * Returns the distance that a number stands for: 0, -1, 1, -2, 2...
 * @param {number} folded
 * @returns {number}
 */
export function distanceOf(folded) {
  return folded & 1 ? -((folded + 1) >> 1) : folded >> 1;
}
