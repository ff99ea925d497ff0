// npm's url-parse (npm/package.json has the version). Run: NODE_PATH=.../node_modules node url-parse.js
'use strict';

const URLParse = require('url-parse');
const { none, serve } = require('./protocol.js');

serve((text) => {
  const u = new URLParse(text, {}); // {}: there is no document whose address a relative reference is resolved by
  return {
    scheme: none(u.protocol.replace(/:$/, '')),
    user: none(u.username),
    password: none(u.password),
    host: none(u.hostname.replace(/^\[(.*)\]$/, '$1')),
    port: none(u.port),
    path: u.pathname,
    query: none(u.query.slice(1)),
    fragment: none(u.hash.slice(1)),
  };
});
