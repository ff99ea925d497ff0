// Node's URL, the WHATWG URL Standard. Run: node node-url.js
'use strict';

const { none, serve } = require('./protocol.js');

serve((text) => {
  const u = new URL(text); // throws a TypeError where it rejects
  return {
    scheme: u.protocol.slice(0, -1),
    user: none(u.username),
    password: none(u.password),
    host: none(u.hostname.replace(/^\[(.*)\]$/, '$1')),
    port: none(u.port),
    path: u.pathname,
    query: none(u.search.slice(1)),
    fragment: none(u.hash.slice(1)),
  };
});
