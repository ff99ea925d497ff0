// Answers requests about a generated module, a line each: the module and a file with the requests are
// the arguments. A request is [production, word in base64, whether it is passed as a string]; the
// answer is [accepted, what parse returns, what parsePrefix returns].

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [path, requests] = process.argv.slice(2);
const grammar = await import(pathToFileURL(path).href);

// What is returned: the nodes in pre-order, each with its name, span and alternative, or an error.
function outcome(f) {
  let root;
  try {
    root = f();
  } catch (error) {
    if (error instanceof grammar.ParseError) {
      const { message, offset, line, column, production = '', productions, expected, incomplete } = error;
      return [message, offset, line, column, production, productions, expected, incomplete];
    }
    if (error instanceof RangeError && error.limit !== undefined) {
      return [error.name];
    }
    throw error;
  }
  const list = [];
  const open = [root];
  while (open.length > 0) {
    const node = open.pop();
    list.push([node.name, node.start, node.end, node.alternative ?? null]);
    open.push(...node.children.reverse());
  }
  return list;
}

const out = [];
for (const line of readFileSync(requests, 'utf8').split('\n')) {
  if (line === '') {
    continue;
  }
  const [start, base64, asString] = JSON.parse(line);
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  const encoding = asString === 'latin1' ? 'latin1' : 'utf8';
  const word = asString ? Buffer.from(bytes).toString(encoding) : bytes;
  try {
    const accepted = grammar.acceptsAs(start, word);
    const parsed = outcome(() => grammar.parse(word, { start }));
    const prefix = outcome(() => grammar.parsePrefix(word, { start }));
    out.push(JSON.stringify([accepted, parsed, prefix]));
  } catch (error) {
    out.push(JSON.stringify(['failed', start, String(error.stack)]));
  }
}
process.stdout.write(out.join('\n') + '\n');
