// The terms that a message names of all that could stand at a place. Where nothing nests, they are found before a
// module is written, since the last state alone decides them. It is Terms in ast/error.go.

/**
 * A term that could be read: its name as a string of bytes, and the bytes that it can begin with.
 * @typedef {{term: string, first: number[]}} Expectation
 */

/**
 * Returns the expected terms that a message names, each once. It leaves out a term whose first bytes
 * all belong to another one: alpha beside alphadigit. A literal of several bytes makes no other term
 * superfluous, and is left out only if all its bytes belong to another term.
 * @param {Expectation[]} expected
 * @param {boolean} codePoints whether the values of the grammar are code points
 * @returns {string[]}
 */
export function termsOf(expected, codePoints) {
  const sets = expected.map((x) => {
    const set = new Uint8Array(256);
    x.first.forEach((byte) => {
      set[byte] = 1;
    });
    return set;
  });
  const literals = expected.map((x) => literalOf(x.term));
  // Literals of several bytes cover no other term. Of terms with the same bytes the first is enough.
  const known = new Set();
  /** @type {number[]} */
  const covering = [];
  expected.forEach((x, i) => {
    const key = `${sets[i]} ${codePoints ? x.term : ''}`;
    if (literals[i].length < 2 && !known.has(key)) {
      known.add(key);
      covering.push(i);
    }
  });
  /** @type {Set<string>} */
  const terms = new Set(); // a choice of a thousand words expects as many
  expected.forEach((x, i) => {
    if (!terms.has(x.term) && !isCovered(expected, codePoints, sets, literals, covering, i)) {
      terms.add(x.term);
    }
  });
  return [...terms];
}

/**
 * Reports whether termsOf leaves out an expectation since another one has its bytes.
 * @param {Expectation[]} expected
 * @param {boolean} codePoints
 * @param {Uint8Array[]} sets the first bytes of each
 * @param {string[]} literals
 * @param {number[]} covering the expectations that can have the bytes of others
 * @param {number} i
 * @returns {boolean}
 */
function isCovered(expected, codePoints, sets, literals, covering, i) {
  if (expected[i].first.length === 0) {
    return false;
  }
  const bytes = sets[i].slice();
  for (let at = 0; at < literals[i].length; at++) {
    bytes[literals[i].charCodeAt(at)] = 1;
  }
  const saysLittle = codePoints && sets[i].some((has, byte) => byte > 0x7f && has === 1);
  for (const j of covering) {
    const sameTerm = expected[i].term === expected[j].term;
    if (j === i || (sameTerm && isEqual(sets[i], sets[j])) || (saysLittle && !sameTerm)) {
      continue; // of a character outside of ASCII, the first byte says little
    }
    if (isEqual(bytes, sets[j])) {
      if (j < i) {
        return true;
      }
    } else if (bytes.every((has, byte) => has <= sets[j][byte])) {
      return true;
    }
  }
  return false;
}

/**
 * Reports whether two sets of bytes are equal.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @returns {boolean}
 */
function isEqual(a, b) {
  return a.every((has, byte) => has === b[byte]);
}

/**
 * Returns the text of a term that is a literal, and "" for any other term. Of a long literal the
 * beginning stands in quotes.
 * @param {string} term
 * @returns {string}
 */
function literalOf(term) {
  const raw = /^`([^`]*)`/.exec(term);
  if (raw !== null) {
    return raw[1];
  }
  const quoted = /^"((?:[^"\\]|\\.)*)"/s.exec(term);
  return quoted === null ? '' : quoted[1].replace(/\\(x(..)|.)/g, (_, one, hex) =>
    hex === undefined ? one : String.fromCharCode(parseInt(hex, 16)));
}
