// Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1.
// With the argument "literal" an expression is the source text of a literal that holds it.
const {words, expressions} = JSON.parse(require('fs').readFileSync(0));
const list = words.map(w => Buffer.from(w, 'hex').toString());
const literal = process.argv[2] === 'literal';
for (const e of expressions) {
  const [, source, flags] = /^\/([^]*)\/([a-z]*)$/.exec(e) || [0, e, ''];
  let re;
  try { re = literal ? (0, eval)(e) : new RegExp(source, flags); } catch { console.log('error'); continue; }
  if (!(re instanceof RegExp)) { console.log('error'); continue; }
  console.log(list.map(w => { re.lastIndex = 0; return +re.test(w); }).join(""));
}
