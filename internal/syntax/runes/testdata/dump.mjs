// Prints the tables of a version of Unicode, from the npm package @unicode/unicode-VERSION in a folder node_modules:
//
//	node dump.mjs NODE_MODULES VERSION
//
// A line is a property, its value and the code points that have it, or the name of a mapping and its pairs, in hexadecimal.
import {readdirSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const [folder, version] = process.argv.slice(2);
const root = `${folder}/@unicode/unicode-${version}`;
const load = async path => (await import(pathToFileURL(`${root}/${path}`))).default;
const hex = c => c.toString(16).toUpperCase();

// The packages of some versions write a range with its end, and some the number after it; code points are the same in all.
const ranges = points => {
  const list = [];
  for (const c of points) {
    const last = list.at(-1);
    if (last && c === last[1] + 1) last[1] = c;
    else list.push([c, c]);
  }
  return list.map(([lo, hi]) => lo === hi ? hex(lo) : `${hex(lo)}-${hex(hi)}`).join(' ');
};

for (const [folder, property] of [['General_Category', 'gc'], ['Script', 'sc'], ['Binary_Property', 'is']]) {
  for (const value of readdirSync(`${root}/${folder}`).filter(name => !name.includes('.'))) {
    console.log(property, value, ranges(await load(`${folder}/${value}/code-points.mjs`)));
  }
}
for (const [name, path] of [['lower', 'Simple_Case_Mapping/Lowercase'], ['upper', 'Simple_Case_Mapping/Uppercase'],
  ['fold', 'Case_Folding/C'], ['fold', 'Case_Folding/S'], ['long', 'Special_Casing/Uppercase'], ['full', 'Case_Folding/F']]) {
  const pairs = [...await load(`${path}/code-points.mjs`)];
  console.log(name, '-', pairs.map(([from, to]) => `${hex(from)}>${[to].flat().map(hex).join('+')}`).join(' '));
}
