// Parses the URLs of a file, one a line, with URL.canParse or new URL (ada) until the given time (in milliseconds) is
// over, and prints the nanoseconds per URL of the best round.
const [how, file, time] = process.argv.slice(2);
const urls = require('fs').readFileSync(file, 'latin1').trimEnd().split('\n');
const parse = how === 'canParse' ? URL.canParse : (s) => { try { new URL(s); } catch {} };
const repeat = Math.max(1, Math.floor(1000 / urls.length));
let best = Infinity;
const end = performance.now() + Number(time);
do {
  const start = process.hrtime.bigint();
  for (let r = 0; r < repeat; r++) for (const u of urls) parse(u);
  best = Math.min(best, Number(process.hrtime.bigint() - start) / (repeat * urls.length));
} while (performance.now() < end);
console.log(best);
