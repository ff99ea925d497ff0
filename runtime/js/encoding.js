// How a module reads strings: one of two files, chosen when it is made. Here, where no module is made, it is the
// first.

export { COUNTS_BYTES, encodeWide, HIGHEST_BYTE, textOf, wideBytes } from './encodingutf8.js';
