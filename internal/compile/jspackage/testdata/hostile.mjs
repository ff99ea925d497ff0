// Gives a module hostile inputs: the module and, for each input, its parts, {head, unit, times, middle, last, tail} in
// JSON, are the arguments. An input is the head, so many units, the middle, so many of last, and the tail. For each it
// prints a line of JSON, [accepted, outcome, seconds, memory]: what accepts and parse say, the user CPU time of both in
// seconds, and the most memory that the process has had by then in megabytes. An outcome is "derived", or the name of
// the error and, for one of the input, its offset and whether it is incomplete. Any other error ends the program.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [path, ...inputs] = process.argv.slice(2);
const { accepts, parse, ParseError, TooLargeError } = await import(pathToFileURL(path).href);

/** Returns what f returns, or what is said of its error. */
function outcome(f) {
  try {
    return f();
  } catch (error) {
    if (error instanceof ParseError) {
      return `ParseError ${error.offset} ${error.incomplete}`;
    }
    if (error instanceof TooLargeError) {
      return 'TooLargeError';
    }
    throw error;
  }
}

/** Returns the most memory that the process had. On Linux, what resourceUsage says includes that of its parent. */
function mostMemory() {
  if (process.platform !== 'linux') {
    return process.resourceUsage().maxRSS / 1024;
  }
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(kilobytes) / 1024;
}

for (const parts of inputs) {
  const { head, unit, times, middle, last, tail } = JSON.parse(parts);
  const input = head + unit.repeat(times) + middle + last.repeat(times) + tail;
  const before = process.cpuUsage().user;
  const accepted = outcome(() => accepts(input));
  const said = outcome(() => (parse(input).end === input.length ? 'derived' : 'cut'));
  const seconds = (process.cpuUsage().user - before) / 1e6;
  console.log(JSON.stringify([String(accepted), said, seconds, mostMemory()]));
}
