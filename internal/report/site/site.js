// The search, and the list of pages, which is folded in a narrow window. Without this script all is there but the search.
'use strict';

const menu = document.getElementById('menu');
const wide = matchMedia('(min-width: 50.01rem)');
const fold = () => { menu.open = wide.matches; };
wide.addEventListener('change', fold);
fold();

const form = document.getElementById('search');
const words = document.getElementById('words');
const found = document.getElementById('found');
form.hidden = false;

// The index is a script of its own, which is added when someone first searches: a page from disk may load no other data.
let index;
function loadIndex() {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'search.js';
    script.onload = () => resolve(window.sections);
    script.onerror = () => reject(new Error('the index of the search cannot be loaded'));
    document.head.append(script);
  });
  return index;
}

// Reports how well a section fits the words, 0 where one of them is missing. A word counts more in a heading, and as a whole word.
function weigh(section, asked) {
  const title = `${section.heading} ${section.page}`.toLowerCase();
  let weight = 0;
  for (const word of asked) {
    const whole = ` ${section.text} `.includes(` ${word} `);
    if (!whole && !section.text.includes(word)) {
      return 0;
    }
    weight += 1 + (whole ? 2 : 0) + (title.includes(word) ? 4 : 0);
  }
  return weight;
}

const mostShown = 12;

async function search() {
  const asked = words.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (asked.length === 0) {
    found.hidden = true;
    return;
  }
  let sections;
  try {
    sections = await loadIndex();
  } catch (err) {
    found.textContent = err.message;
    found.hidden = false;
    return;
  }
  const hits = sections.map((section) => ({ section, weight: weigh(section, asked) }))
    .filter((hit) => hit.weight > 0)
    .sort((a, b) => b.weight - a.weight);
  found.textContent = hits.length === 0 ? 'No section has all of these words.'
    : `${hits.length} section${hits.length === 1 ? '' : 's'}${hits.length > mostShown ? `, of which the first ${mostShown}` : ''}:`;
  const list = document.createElement('ul');
  for (const { section } of hits.slice(0, mostShown)) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = section.to;
    link.textContent = section.heading === '' ? section.page : `${section.page}: ${section.heading}`;
    item.append(link);
    list.append(item);
  }
  if (hits.length > 0) {
    found.append(list);
  }
  found.hidden = false;
}

words.addEventListener('input', search);
words.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    found.hidden = true;
  }
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const first = found.querySelector('a');
  if (first !== null && !found.hidden) {
    first.click();
  }
});
