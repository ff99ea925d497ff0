// Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1.
const {words, expressions} = JSON.parse(require('fs').readFileSync(0));
const list = words.map(w => Buffer.from(w, 'hex').toString());
for (const e of expressions) {
  const [, source, flags] = /^\/([^]*)\/([a-z]*)$/.exec(e) || [0, e, ''];
  let re;
  try { re = new RegExp(source, flags); } catch { console.log('error'); continue; }
  console.log(list.map(w => { re.lastIndex = 0; return +re.test(w); }).join(""));
}
