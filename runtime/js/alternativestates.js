// Tries the alternatives of a node where no production uses itself: the signs of the node are read by the automaton of
// an alternative, in which a child is one sign.

import { signsOf } from './alternative.js';
import { Automaton } from './automaton.js';
import { Rules } from './rules.js';
import { RuleStates } from './rulestates.js';

/**
 * See Trial.
 * @param {Rules} rules
 * @returns {import('./alternative.js').Trial}
 */
export function trialByStates(rules) {
  const states = new RuleStates(rules, true);
  const automaton = new Automaton(() => states);
  return (_, tree, node) => {
    const signs = signsOf(tree, node);
    return (e) => automaton.accepts(states.numberOf(e), signs);
  };
}
