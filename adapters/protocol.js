// The protocol of docs/adapter-protocol.md for adapters in JavaScript. parse returns the components of a text, and throws
// where its parser rejects it.
'use strict';

// none is for a parser that writes an absent component as an empty one, or leaves it out.
exports.none = (s) => (s === '' || s === undefined ? null : s);

exports.serve = (parse) => {
  const answer = ({ id, input }) => {
    if (input === undefined) return { id, accepted: null, error: 'bytes that are not UTF-8 are not a string here' };
    try {
      return { id, accepted: true, components: parse(input) };
    } catch (e) {
      return { id, accepted: false, error: String(e.message) };
    }
  };
  let rest = ''; // not readline, which takes U+2028 for the end of a line
  process.stdin.setEncoding('utf8').on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + '\n');
  });
};
