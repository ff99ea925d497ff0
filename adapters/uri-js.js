// npm's uri-js (npm/package.json has the version). Run: NODE_PATH=.../node_modules node uri-js.js
'use strict';

const uri = require('uri-js');
const { serve } = require('./protocol.js');
const present = (s) => (s === undefined ? null : String(s));

serve((text) => {
  const u = uri.parse(text);
  if (u.error) throw new Error(u.error);
  return {
    scheme: present(u.scheme),
    userinfo: present(u.userinfo),
    host: u.host === undefined ? null : u.host.replace(/^\[(.*)\]$/, '$1'),
    port: present(u.port),
    path: u.path === undefined ? undefined : u.path, // undefined where a scheme has parts of its own in its place
    query: present(u.query),
    fragment: present(u.fragment),
  };
});
