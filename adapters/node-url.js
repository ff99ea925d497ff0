// Node's URL, the WHATWG URL Standard. Run: node node-url.js
// The protocol is in docs/adapter-protocol.md.
'use strict';

const none = (s) => (s === '' ? null : s);

function parse(text) {
  const u = new URL(text); // throws a TypeError where it rejects
  return {
    scheme: u.protocol.slice(0, -1),
    user: none(u.username),
    password: none(u.password),
    host: none(u.hostname.replace(/^\[(.*)\]$/, '$1')),
    port: none(u.port),
    path: u.pathname,
    search: none(u.search.slice(1)),
    fragment: none(u.hash.slice(1)),
  };
}

function answer({ id, input }) {
  if (input === undefined) return { id, accepted: null, error: 'bytes that are not UTF-8 are not a string here' };
  try {
    return { id, accepted: true, components: parse(input) };
  } catch (e) {
    return { id, accepted: false, error: String(e.message) };
  }
}

let rest = ''; // not readline, which takes U+2028 for the end of a line
process.stdin.setEncoding('utf8').on('data', (data) => {
  const lines = (rest + data).split('\n');
  rest = lines.pop();
  for (const line of lines) process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + '\n');
});
