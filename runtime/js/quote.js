// Texts in messages: bytes in quotes, numbers, lists of names, and messages that are never long.
// Strings are strings of bytes: see utf8.js.

/** How long a message may be, in bytes: a word, a line; lines; names in a list. */
const LONG_WORD = 120;
const LONG_LINE = 1000;
const LONG_TEXT = 24;
const LONG_NAMES = 60;
/** What is kept of the end of what is shortened, and room for the number of bytes between. */
const KEPT_END = 20;
const COUNT_ROOM = 30;

/**
 * Returns bytes in quotation marks. They are backquotes if there is a double quote or a backslash to
 * show as it is, and backquotes can hold the rest.
 * @param {string} s
 * @returns {string}
 */
export function quoteBytes(s) {
  if (/^[ -_a-~]*$/.test(s) && /["\\]/.test(s)) {
    return '`' + s + '`';
  }
  const escaped = s.replace(/["\\]/g, '\\$&');
  return '"' + escaped.replace(/[^ -~]/g, (c) =>
    `\\x${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`) + '"';
}

/**
 * Returns a number with its thousands apart: 1,000.
 * @param {number} n
 * @returns {string}
 */
export function thousands(n) {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * Joins names as a sentence does: "a, b or c".
 * @param {string[]} names
 * @param {string} word
 * @returns {string}
 */
export function joinNames(names, word) {
  const more = names.length - LONG_NAMES;
  if (more > 0) {
    return `${names.slice(0, LONG_NAMES).join(', ')} ${word} ${thousands(more)} more`;
  }
  const last = names.length - 1;
  return last < 1 ? names.join('') : `${names.slice(0, last).join(', ')} ${word} ${names[last]}`;
}

/**
 * Returns a message that is never long: of a long word, and of a long line, the beginning and the end
 * with the number of bytes between them.
 * @param {string} message
 * @returns {string}
 */
export function boundedMessage(message) {
  if (message.length <= LONG_LINE) {
    return boundedLine(message);
  }
  const lines = message.split('\n');
  if (lines.length <= LONG_TEXT) {
    return lines.map(boundedLine).join('\n');
  }
  const between = lines.length - LONG_TEXT - 1;
  const list = lines.slice(0, LONG_TEXT);
  if (between > 0) {
    list.push(`  ... and ${thousands(between)} more lines ...`);
  }
  list.push(lines[lines.length - 1]);
  return list.map(boundedLine).join('\n');
}

/**
 * Is boundedMessage for one line.
 * @param {string} line
 * @returns {string}
 */
function boundedLine(line) {
  if (line.length <= LONG_WORD) {
    return line;
  }
  return shortened(line.split(' ').map((word) => shortened(word, LONG_WORD)).join(' '), LONG_LINE);
}

/**
 * Returns at most so many bytes: the beginning and the end, and how many are left out. No character
 * is cut.
 * @param {string} s
 * @param {number} most
 * @returns {string}
 */
function shortened(s, most) {
  if (s.length <= most) {
    return s;
  }
  let head = most - KEPT_END - COUNT_ROOM;
  let tail = s.length - KEPT_END;
  while ((s.charCodeAt(head) & 0xc0) === 0x80) {
    head--;
  }
  while (tail < s.length && (s.charCodeAt(tail) & 0xc0) === 0x80) {
    tail++;
  }
  return `${s.slice(0, head)}...(${thousands(tail - head)} bytes)...${s.slice(tail)}`;
}
