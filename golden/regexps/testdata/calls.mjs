// Reads [{module, value, call, words}] and writes for each {expression, answers}: the expression that value is, and whether the
// function call accepts each word. made(module, n) is the n-th expression that a module makes of text, or the first that begins so.
import { createRequire } from 'module';
import { readFileSync } from 'fs';
import { pathToFileURL } from 'url';
import path from 'path';
const require = createRequire(pathToFileURL(process.cwd() + '/'));
const load = async name => { const m = await import(pathToFileURL(require.resolve(name)).href).catch(() => require(name)); return m; };
const file = name => import(pathToFileURL(path.resolve('node_modules', name)).href);
const made = async (name, n) => {
  const Plain = globalThis.RegExp, list = [];
  globalThis.RegExp = new Proxy(Plain, { construct(t, args) { const r = new t(...args); list.push(r); return r; } });
  try { await import(pathToFileURL(path.resolve('node_modules', name)).href + '?made=' + Math.random()); } finally { globalThis.RegExp = Plain; }
  return typeof n === 'string' ? list.find(r => r.source.startsWith(n)) : list[n];
};
const accepts = f => s => { try { return f(s) !== false; } catch { return false; } };
const lib = {
  load, file, made, accepts, require,
  ajv: format => { const A = require('ajv').default, a = new A(); require('ajv-formats').default(a); return a.compile({ type: 'string', format }); },
  schemasafe: format => require('@exodus/schemasafe').validator({ type: 'string', format, $schema: 'http://json-schema.org/draft-07/schema#' }, { formatAssertion: true, extraFormats: true, formats: {} }),
  jsonschema: format => s => require('jsonschema').validate(s, { type: 'string', format }).valid,
};
const out = [];
for (const q of JSON.parse(readFileSync(0, 'utf8'))) {
  const run = async text => new (Object.getPrototypeOf(async () => {}).constructor)(...Object.keys(lib), 'return (' + text + ')')(...Object.values(lib));
  const a = { expression: '', answers: [] };
  try {
    if (q.value) { const r = await run(q.value); a.expression = '/' + r.source + '/' + r.flags.replace(/[gyd]/g, ''); }
    if (q.call) {
      const f = await run(q.call);
      // A function that throws does not accept.
      for (const w of q.words || []) a.answers.push(await (async () => !!(await f(w)))().catch(() => false));
    }
  } catch (e) { a.error = String(e); }
  out.push(a);
}
process.stdout.write(JSON.stringify(out));
