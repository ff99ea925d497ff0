// Answers requests about a generated module, in any engine: it uses nothing but the language itself.
// answer.mjs runs it in node, quickjs.mjs in QuickJS, and browser_test.go in Chromium.
//
// A request is a line of JSON: [production, input], where the input is a string, or the numbers of bytes. Its
// answer is a line too: [accepted, what parse returns, what parsePrefix returns].

/**
 * Returns what a function returns as data: the nodes of a tree in pre-order, each with its name, span and
 * alternative; null for undefined; or the error, whose first element is a string.
 */
function outcome(grammar, f) {
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
  if (root === undefined) {
    return null;
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

/** Returns the answer to one request. What nobody expects is ["failed", production, stack]. */
function answer(grammar, request) {
  const [start, input] = JSON.parse(request);
  const word = typeof input === 'string' ? input : Uint8Array.from(input);
  try {
    const accepted = grammar.acceptsAs(start, word);
    const parsed = outcome(grammar, () => grammar.parse(word, { start }));
    const tried = outcome(grammar, () => grammar.tryParse(word, { start }));
    const agrees = tried === null ?
      typeof parsed[0] === 'string' :
      JSON.stringify(tried) === JSON.stringify(parsed);
    if (!agrees) {
      throw new Error(`tryParse returns ${JSON.stringify(tried)}, and parse ${JSON.stringify(parsed)}`);
    }
    const prefix = outcome(grammar, () => grammar.parsePrefix(word, { start }));
    return [accepted, parsed, prefix];
  } catch (error) {
    return ['failed', start, `${error}\n${error.stack}`];
  }
}

/** Returns the answers to requests, as text: a line each. */
export function answerAll(grammar, requests) {
  const lines = requests.split('\n').filter((line) => line !== '');
  return lines.map((line) => `${JSON.stringify(answer(grammar, line))}\n`).join('');
}
