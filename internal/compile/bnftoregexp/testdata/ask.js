// Reads {text, flags, names, words} and writes for each word null or the spans of the groups, in bytes.
const { text, flags, names, words } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const re = new RegExp(text, flags + 'd');
const bytes = (s, end) => Buffer.byteLength(s.slice(0, end));
console.log(JSON.stringify(words.map(hex => {
  const s = Buffer.from(hex, 'hex').toString('utf8');
  const m = re.exec(s);
  return m && names.map(n => m.indices.groups[n] ? m.indices.groups[n].map(i => bytes(s, i)) : null);
})));
