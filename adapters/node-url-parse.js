// Node's legacy url.parse. Run: node --no-deprecation node-url-parse.js
// The protocol is in docs/adapter-protocol.md.
'use strict';

const url = require('url');
const none = (s) => (s === '' || s === undefined ? null : s);

function parse(text) {
  const u = url.parse(text); // throws a TypeError for some hosts and ports
  if (u.protocol === null) throw new Error('no scheme');
  const colon = u.auth === null ? -1 : u.auth.indexOf(':');
  return {
    scheme: u.protocol.slice(0, -1),
    user: colon < 0 ? u.auth : u.auth.slice(0, colon),
    password: colon < 0 ? null : u.auth.slice(colon + 1),
    host: none(u.hostname),
    port: u.port,
    path: u.pathname,
    search: u.search === null ? null : none(u.search.slice(1)),
    fragment: u.hash === null ? null : none(u.hash.slice(1)),
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
