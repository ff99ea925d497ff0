// What a module knows of its grammar to make trees.

import { Alternatives } from './alternative.js';
import { Names } from './names.js';

/**
 * A grammar: the names of its productions, the kind that is parsed if no other is named, and the alternatives.
 * @typedef {{names: Names, start: number, alternatives: Alternatives}} Grammar
 */
