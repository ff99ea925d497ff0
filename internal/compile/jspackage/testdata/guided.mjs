// Parses words with guides and without: the folder of the runtime and a file are the arguments. Each line of the
// file is a grammar, {tables, words}, with the tables of a NestedAcceptor. A word is {kind, text, guided, nodes, prefix,
// steps}: its production, its bytes in base64, whether a guide is to decide it, and the nodes that it is to have, four
// numbers each, or null if it is not derived. Where there are tables that explain, prefix is how long the longest
// prefix is that is derived, or -1, and steps how many the parser may take to find it where all is not derived. For
// each grammar a line is printed: how many words guides have decided or, beginning with FAIL, the first word that goes
// otherwise.

import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const { acceptsInput, NestedAcceptor } = await import(pathToFileURL(resolve(folder, 'nested.js')).href);
const { NestedEngine } = await import(pathToFileURL(resolve(folder, 'nestedtree.js')).href);
const { NestedExplainer } = await import(pathToFileURL(resolve(folder, 'explainnested.js')).href);
const { ListReader } = await import(pathToFileURL(resolve(folder, 'lists.js')).href);
const { States } = await import(pathToFileURL(resolve(folder, 'states.js')).href);
const { NodeList } = await import(pathToFileURL(resolve(folder, 'nodes.js')).href);

/** Returns the nodes of bytes, or null. */
function nodesOf(acceptor, kind, bytes) {
  const nodes = new NodeList();
  return acceptor.isDerived(kind, bytes, bytes.length, nodes) ? Array.from(nodes.take()) : null;
}

/**
 * Returns whether a parser by a guide is another one than it was, which is noted: guides that are small are made once.
 * One that is null has kept too much, and stays so.
 */
function isMadeAgain(acceptor, parsers) {
  let again = false;
  acceptor.guides?.parsers.forEach((parser, use) => {
    again ||= parser !== null && parsers[use] !== undefined && parsers[use] !== parser;
    parsers[use] = parser;
  });
  return again;
}

/** Returns how an acceptor parses a word otherwise than it is to, or ''. Parsers are its parsers by guides. */
function difference(acceptor, explainer, parsers, { kind, text, guided, nodes, prefix, steps }) {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  for (const after of [0, Infinity]) {
    acceptor.guideAfter = after;
    const made = nodesOf(acceptor, kind, bytes);
    const way = `after ${after}, guided ${acceptor.guided}`;
    if (acceptor.stopped !== null) {
      return `${way}: stopped`;
    }
    if (acceptor.guided !== (guided && after === 0)) {
      return way;
    }
    if (String(made) !== String(nodes)) {
      return `${way}: nodes ${made}`;
    }
    if (acceptor.isDerived(kind, bytes, bytes.length, null) !== (nodes !== null)) {
      return `${way}: accepts`;
    }
    const isGuided = acceptor.guided; // a guide can decide more where it makes no tree
    const string = Buffer.from(bytes).toString();
    const isString = Buffer.from(string).equals(bytes);
    if (isString && (acceptsInput(acceptor, kind, string) !== (nodes !== null) || acceptor.guided !== isGuided)) {
      return `${way}: accepts the string`;
    }
  }
  if (isMadeAgain(acceptor, parsers)) {
    return 'a guide was made again';
  }
  if (explainer === null) {
    return '';
  }
  const found = explainer.prefix(kind, { bytes });
  if (found !== prefix) {
    return `prefix ${found}`;
  }
  const taken = explainer.explainer.reader?.steps ?? 0;
  return nodes === null && taken > steps ? `${taken} steps` : '';
}

for await (const line of createInterface({ input: createReadStream(file) })) {
  const { tables, words } = JSON.parse(line);
  const { automaton } = tables;
  const makeStates = automaton === '' ? null : () => new States(new ListReader(automaton));
  const acceptor = new NestedAcceptor({}, tables, makeStates);
  new NestedEngine(acceptor); // which makes trees for it
  const explainer = tables.explaining === '' ? null : new NestedExplainer(acceptor, tables.explaining, { codePoints: false });
  const parsers = [];
  let said = `${words.filter(({ guided }) => guided).length}`;
  for (const [i, word] of words.entries()) {
    const what = difference(acceptor, explainer, parsers, word);
    if (what !== '') {
      said = `FAIL word ${i}, ${JSON.stringify(word).slice(0, 2000)}: ${what.slice(0, 2000)}`;
      break;
    }
  }
  console.log(said);
}
