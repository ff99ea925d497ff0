// Answers a sweep, as sweep.py says. Without the flags u and v an expression is for code points up to U+FFFF.
let all = '', low = '', candidates = '';
for (let c = 0; c < 0x110000; c++) {
  if (c === 0x10000) low = all;
  if (c < 0xd800 || c > 0xdfff) all += String.fromCodePoint(c);
}
const text = hex => Buffer.from(hex, 'hex').toString();
const compile = e => {
  const [, source, flags] = /^\/([^]*)\/([a-z]*)$/.exec(e);
  return new RegExp(source, flags + 'g');
};
const literal = c => c < 2 ? '\\x0' + c : ('^$\\.*+?()[]{}|/'.includes(String.fromCodePoint(c)) ? '\\' : '') + String.fromCodePoint(c);
const last = s => s.codePointAt(s.length - (s.length > 1 && s.charCodeAt(s.length - 1) >= 0xdc00 && s.charCodeAt(s.length - 1) < 0xe000 ? 2 : 1));
const out = [];
const flush = () => {
  for (let rest = Buffer.from(out.splice(0).join('\n') + '\n'); rest.length > 0;) {
    try {
      rest = rest.subarray(require('fs').writeSync(1, rest));
    } catch (e) {
      if (e.code !== 'EAGAIN') throw e; // the reader is slower
    }
  }
};
for (const line of require('fs').readFileSync(0, 'utf8').split('\n').slice(0, -1)) {
  if (out.length > 1000) flush();
  const f = line.split(' ');
  if (f[0] === 'V') {
    out.push(process.versions.node.split('.').slice(0, 2).join('.') + ' ' + process.versions.unicode);
  } else if (f[0] === 'C') {
    candidates = f.slice(1).map(c => String.fromCodePoint(parseInt(c, 16))).join('');
  } else if (f[0] === 'E') {
    try {
      const re = compile(text(f[1]));
      out.push((re.unicode || re.unicodeSets ? all : low).match(re)?.map(m => m.codePointAt(0).toString(16) + '-' + last(m).toString(16)).join(' ') ?? '');
    } catch { out.push('error'); }
  } else if (f[0] === 'S') {
    let batch = '';
    for (let c = parseInt(f[2], 16); c <= parseInt(f[3], 16); c++) if (c < 0xd800 || c > 0xdfff) batch += String.fromCodePoint(c);
    try {
      out.push([...new Set((candidates + batch).match(compile(text(f[1]))))].map(m => `${m.codePointAt(0).toString(16)}-${last(m).toString(16)}`).join(' '));
    } catch { out.push('error'); }
  } else {
    const before = text(f[1]), after = text(f[2]);
    for (let c = parseInt(f[3], 16); c <= parseInt(f[4], 16); c++) {
      if (c >= 0xd800 && c < 0xe000) continue;
      const self = String.fromCodePoint(c);
      try {
        const found = [...new Set((candidates + self).match(compile(before + literal(c) + after)))];
        if (found.length !== 1 || found[0] !== self) out.push(c.toString(16) + ' ' + found.map(m => m.codePointAt(0).toString(16)).join(' '));
      } catch { out.push(c.toString(16) + ' error'); }
    }
    out.push('.');
  }
}
if (out.length > 0) flush();
