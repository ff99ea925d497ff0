// Counts the steps that a module takes to parse an input: the module and the input are the arguments. A step is a
// block of code that V8 runs, as its coverage counts them, or an element of a list that is searched. The input was
// parsed once before, so that tables are unpacked and states are made. Of an input that is rejected the explanation is
// printed too.

import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [path, input] = process.argv.slice(2);
const url = pathToFileURL(resolve(path)).href;

let searched = 0;
for (const search of ['includes', 'indexOf']) {
  const original = Array.prototype[search];
  Array.prototype[search] = function (element) {
    const at = original.call(this, element);
    searched += this.length;
    return at;
  };
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { parse } = await import(url);

/** Returns what is said of the input: the error, or that it is derived. */
function outcome() {
  try {
    parse(input);
  } catch (error) {
    return error;
  }
  return { message: 'derived', productions: [], expected: [] };
}

outcome();
await session.post('Profiler.takePreciseCoverage'); // the counts begin anew
searched = 0;
const { message, productions, expected } = outcome();
const { result } = await session.post('Profiler.takePreciseCoverage');
const functions = result.find((script) => script.url === url).functions;
const blocks = functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)).reduce((a, b) => a + b, 0);
console.log(JSON.stringify([blocks + searched, message, productions.length, expected.length]));
