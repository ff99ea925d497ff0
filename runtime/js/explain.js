// Why an input is rejected: what both ways of finding it have in common. explaintable.js asks the proven table where no
// production nests, and generalexplain.js the general parser.

import { decodeUTF8, isFullUTF8 } from './utf8.js';

/**
 * Why bytes are rejected: the offset of the byte, the productions that were being matched (the
 * innermost that all share first), the production that is explained, what could stand there, as
 * strings of bytes, and whether more bytes could complete them.
 * @typedef {{offset: number, inside: number[], explained: number, expected: string[],
 *   incomplete: boolean}} Rejection
 */

/** The term that says that the input may end. */
export const END_OF_INPUT = 'end of input';

/**
 * Explains by bytes, by the table or the general parser.
 * @typedef {{
 *   codePoints: boolean,
 *   explainBytes(kind: number, bytes: Uint8Array, ends: boolean): Rejection | null,
 *   isIncomplete(kind: number, bytes: Uint8Array, found: Rejection): boolean,
 * }} Explainer
 */

/**
 * Explains why a production does not derive bytes. With ends, it explains their end if they are the
 * beginning of a string: what could follow. Where the values of the grammar are code points, the
 * offset is that of a character.
 * @param {Explainer} explainer
 * @param {number} kind
 * @param {Uint8Array} bytes
 * @param {boolean} ends
 * @returns {Rejection}
 */
export function explainInput(explainer, kind, bytes, ends) {
  const found = explainer.explainBytes(kind, bytes, ends);
  if (found === null) { // the production derives them, so that nothing is rejected
    return { offset: 0, inside: [], explained: kind, expected: [], incomplete: false };
  }
  found.incomplete = !ends && explainer.isIncomplete(kind, bytes, found);
  if (!explainer.codePoints) {
    return found;
  }
  const at = characterStart(bytes, found.offset);
  if (at === found.offset) {
    return found;
  }
  let prefix = bytes.subarray(0, at);
  if (decodeUTF8(bytes, at, bytes.length)[1] <= found.offset - at) {
    // No character begins here. A grammar may still read each of the bytes as U+FFFD; 0xFF stands for
    // any such byte, since it is complete by itself.
    const longer = new Uint8Array(found.offset).fill(0xff);
    longer.set(prefix);
    prefix = longer;
  }
  const moved = /** @type {Rejection} */ (explainer.explainBytes(kind, prefix, true));
  moved.incomplete = found.incomplete;
  return moved;
}

/**
 * Returns the offset at which the character begins that the bytes before an offset begin and do not
 * end. It is the offset itself where they end one, or are no part of one.
 * @param {Uint8Array} bytes
 * @param {number} offset
 * @returns {number}
 */
function characterStart(bytes, offset) {
  for (let at = offset - 1; at >= Math.max(0, offset - 3); at--) {
    if ((bytes[at] & 0xc0) !== 0x80) {
      return isFullUTF8(bytes, at, offset) ? offset : at;
    }
  }
  return offset;
}
