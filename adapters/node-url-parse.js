// Node's legacy url.parse. Run: node --no-deprecation node-url-parse.js
// It throws a TypeError for some hosts and ports.
'use strict';

const url = require('url');
const { none, serve } = require('./protocol.js');

serve((text) => {
  const u = url.parse(text, false, true); // true: "//" begins a host without a scheme, too
  const colon = u.auth === null ? -1 : u.auth.indexOf(':');
  return {
    scheme: u.protocol === null ? null : u.protocol.slice(0, -1),
    user: colon < 0 ? u.auth : u.auth.slice(0, colon),
    password: colon < 0 ? null : u.auth.slice(colon + 1),
    host: u.hostname,
    port: u.port,
    path: u.pathname === null ? '' : u.pathname,
    query: u.search === null ? null : none(u.search.slice(1)),
    fragment: u.hash === null ? null : none(u.hash.slice(1)),
  };
});
