// Answers requests about a generated module, in node: the module and a file with the requests are the
// arguments. answers.mjs says what they are.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { answerAll } from './answers.mjs';

const [path, requests] = process.argv.slice(2);
const grammar = await import(pathToFileURL(path).href);
process.stdout.write(answerAll(grammar, readFileSync(requests, 'utf8')));
