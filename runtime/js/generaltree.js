// The tree of an input that the general parser has read, from its root. At each production the walk
// finds from its ends backwards in which states, at which places, the rest of it can be derived, and
// then takes the first way along these. What it finds of a set of states it keeps with the set. Where
// items were reached in one way alone, and each from the end of one production, that is the tree. It is
// ast/generaltree.go.

import { Automaton } from './automaton.js';
import { ascending, callOf, GeneralTables, MORE, NO_CHILD, UNKNOWN_SET } from './general.js';
import { aloneEnds, isAllowed, kindsAround } from './generalcycle.js';
import { EventList, dropForTree, packEvent, packNodes, packProven, pasteNodes } from './generalkeep.js';
import { Agenda, GeneralLinks, isAmong } from './generallink.js';
import { NodeList } from './nodes.js';
import { RecordList } from './records.js';
import { OP_BYTE, OP_CALL, OP_CHOICE, OP_END } from './states.js';

/** @typedef {import('./general.js').Way} Way */
/** @typedef {import('./general.js').StateSet} StateSet */

/**
 * A production in the making. Its places are those from lo on; place is the one that it is at, and the
 * last is its beginning. Its ends of what it calls are those in ended from first on. State is what is
 * to be done next, call the state that called another, and passed the states that were passed since
 * something was read. own says that no frame called it, and work how much of the walk's is below it.
 *
 * Of a production that can be inside itself with the same text: where it begins, the ends that are
 * those of the frame around it, what is all of it up to innerEnd, and that it may not end next.
 * @typedef {{kind: number, node: number, place: number, lo: number, first: number, state: number,
 *   call: number, passed: number[], from: number, alone: number[], inner: number[], innerEnd: number,
 *   noEnd: boolean, own: boolean, work: number}} Frame
 */

/** In place of the item of a part: the production derives the empty string. */
const NOTHING = -1;

/** A general parser that makes trees. */
export class GeneralParser extends GeneralLinks {
  /**
   * @param {GeneralTables} tables
   * @param {Automaton | null} proven makes the nodes of productions that are proven
   */
  constructor(tables, proven) {
    super(tables);
    this.proven = proven;
    this.nodes = new NodeList();
    // What is to be appended next, the last first: parts, each a production, at a place, that ends as an
    // item does or, if the kind is 0, the end of a node at that place.
    this.work = new RecordList(3);
    // The nodes of productions that have ended, packed; what is being packed; and the place of the event
    // that was packed last.
    this.pool = new EventList();
    this.fresh = this.pool;
    this.last = 0;
    this.packing = false;
    /** @type {Frame[]} */
    this.frames = [];
    // Places: an offset, the set of the states that are alive there, from which an end of the frame can be
    // reached, and from where on and up to where ended has what they call. Ended has such sets, and an item
    // as an end of what its states call.
    this.places = new RecordList(4);
    this.ended = new RecordList(2);
    // The items of a place, each once, with all that is alive in it.
    this.group = new RecordList(2);
    /** Ends of a call. @type {number[]} */
    this.found = [];
    this.todo = new Agenda();
    /** What choose found: see Way. */
    this.exit = 0;
    this.both = false;
    /** @type {number[]} */
    this.path = [];
    /** @type {number[]} */
    this.empties = [];
    /** Every state that choose marked. @type {number[]} */
    this.trail = [];
    /** choose is not to end the frame. */
    this.noEnd = false;
    /** The frame is at its beginning, and can be inside itself with the same text. */
    this.begins = false;
    /** The productions around what is empty. @type {number[]} */
    this.active = [];
    /** By kind: the nodes of the empty string, four numbers each. @type {Map<number, Int32Array>} */
    this.blanks = new Map();
    /** By kind: the set of the state in which it ends. @type {Map<number, number>} */
    this.lasts = new Map();
    /** What is all of the frame that was left last, and its ends that are those of the frame around it. */
    /** @type {number[]} */
    this.chain = [];
    /** @type {number[]} */
    this.left = [];
  }

  /**
   * Appends the nodes of the input, which was read.
   * @param {NodeList} nodes
   */
  derive(nodes) {
    this.nodes = nodes;
    nodes.all = this.bytes.length;
    if (this.bytes.length === 0) {
      this.active = [];
      this.over = !this.appendEmpty(this.start, 0, true);
      return;
    }
    if (this.pool.length === 0) {
      this.walk(this.start, 0, true);
      return;
    }
    // Much was packed, so the tree is large. It is packed as a whole first, and unpacked once the memory of
    // the items is free.
    this.packing = true;
    this.last = 0;
    this.nodes = new NodeList();
    this.fresh = new EventList();
    this.fresh.reserve(this.pool.length + (this.pool.length >> 2));
    this.walk(this.start, 0, true);
    this.packing = false;
    this.nodes = nodes;
    const packed = this.fresh;
    this.forgetItems();
    pasteNodes(this, packed, 0, packed.length, 0, this.bytes.length);
  }

  /** Frees the memory of items, parts and packed nodes. */
  forgetItems() {
    this.items = 0;
    this.origins = 0;
    for (const name of /** @type {const} */ (['itemSet', 'itemOrigin', 'itemAt', 'itemPred', 'itemChild',
      'originFirst', 'originLow', 'originHigh', 'originPassed'])) {
      this[name] = new Int32Array(1 << 10);
    }
    this.hash = new Int32Array(0);
    this.place = -1;
    this.order = new Int32Array(0);
    this.ordered = 0;
    this.begun = new Int32Array(0);
    this.work = new RecordList(3);
    this.pool = new EventList();
    this.fresh = this.pool;
  }

  /**
   * Is read of GeneralReader. It forgets what was packed of another input.
   * @param {number} start
   * @param {Uint8Array} bytes
   * @param {boolean} tree
   * @param {number} [allowed]
   */
  read(start, bytes, tree, allowed = Infinity) {
    this.pool.length = 0;
    this.forgetOrder();
    return super.read(start, bytes, tree, allowed);
  }

  /** Drops items that are not needed. */
  drop() {
    if (this.tree) {
      dropForTree(this);
    } else {
      super.drop();
    }
  }

  /**
   * Appends the nodes of a production at a place, which ends as one of ends.
   * @param {number} kind
   * @param {number} at
   * @param {boolean} root whether it is a node even if it is none in the grammar
   */
  walk(kind, at, root) {
    this.frames = [];
    this.ended.length = 0;
    this.places.length = 0;
    const { work } = this;
    work.length = 0;
    if (this.ends.length === 1) {
      this.put(kind, at, this.ends[0], root);
    } else {
      this.enter(kind, at, this.ends, [], false, root);
    }
    while (!this.over) {
      const { frames } = this;
      const below = frames.length > 0 ? frames[frames.length - 1].work : 0;
      if (work.length > below) {
        const { room } = work;
        const i = 3 * --work.length;
        this.put(room[i], room[i + 1], room[i + 2], false);
      } else if (frames.length > 0) {
        this.move();
      } else {
        return;
      }
    }
  }

  /**
   * Pushes a part.
   * @param {number} kind
   * @param {number} at
   * @param {number} item
   */
  pushPart(kind, at, item) {
    const i = this.work.add();
    const { room } = this.work;
    room[i] = kind;
    room[i + 1] = at;
    room[i + 2] = item;
  }

  /**
   * Appends a part.
   * @param {number} kind
   * @param {number} at
   * @param {number} item
   * @param {boolean} root
   */
  put(kind, at, item, root) {
    if (kind === 0) {
      this.shut(item, at);
      return;
    }
    if (item === NOTHING) {
      this.appendBlank(kind, at);
      return;
    }
    const { plain, proven, fills, cyclic } = this.tables;
    this.take(1);
    if (plain[kind]) {
      this.shut(this.open(kind, at, root), this.itemAt[item]);
    } else if (proven[kind] === 1) {
      this.prove(kind, at, this.itemAt[item]);
    } else if (this.itemPred[item] < -1) {
      pasteNodes(this, this.pool, -2 - this.itemPred[item], this.itemChild[item], at, this.itemAt[item]);
    } else if (!(!fills[kind] && this.putParts(kind, at, item, root)) &&
        !(!cyclic[kind] && this.putPartsAlong(kind, at, item, root))) {
      this.enter(kind, at, [item], [], false, root);
      this.frames[this.frames.length - 1].own = true;
    }
  }

  /**
   * Opens the node of a production, if it is one, and pushes its parts on work, the first on top: the
   * productions that ended in it and, at the bottom, the end of its node. It returns false, and changes
   * nothing, if the items do not tell the parts: where an item was reached in several ways, or more
   * than one production ended.
   * @param {number} kind
   * @param {number} at
   * @param {number} item
   * @param {boolean} root
   * @returns {boolean}
   */
  putParts(kind, at, item, root) {
    const { work, itemPred, itemChild, itemSet, itemAt } = this;
    const before = work.length;
    if (this.tables.node[kind] === 1 || root) {
      this.pushPart(0, itemAt[item], this.nodes.length);
    }
    for (let x = item; itemPred[x] >= 0; x = itemPred[x]) {
      const from = itemPred[x];
      const child = itemChild[x];
      let ended = 0;
      if (child !== NO_CHILD && (child & MORE) === 0) {
        for (const done of this.doneIn(child)) {
          if (this.after(itemSet[from], done) !== itemSet[x]) {
            continue;
          }
          if (ended !== 0) {
            ended = 0;
            break;
          }
          ended = done;
        }
        this.pushPart(ended, itemAt[from], child);
      }
      if (child !== NO_CHILD && ended === 0) {
        work.length = before;
        return false;
      }
      this.steps++;
    }
    this.open(kind, at, root);
    return true;
  }

  /**
   * Is putParts for what the items alone do not tell: which productions derive the empty string between
   * them, or which of several ended. As long as each item was reached in one way it follows them back to
   * the beginning, with the states that are alive at each place, and then takes the first way along
   * these, as a frame does, but without one.
   * @param {number} kind
   * @param {number} at
   * @param {number} item
   * @param {boolean} root
   * @returns {boolean}
   */
  putPartsAlong(kind, at, item, root) {
    const { itemPred, itemChild, itemAt, tables } = this;
    let live = this.lastOf(kind);
    /** The states that are alive at a place, and the item as the end of what they call. */
    const alive = [{ at: itemAt[item], live, child: NO_CHILD }];
    for (let x = item; itemPred[x] >= 0; x = itemPred[x]) {
      const child = itemChild[x];
      if ((child & MORE) !== 0) {
        return false;
      }
      const from = itemPred[x];
      if (child !== NO_CHILD) {
        live = this.aheadOfItem(live, child);
        alive.push({ at: itemAt[from], live, child });
      } else {
        for (let at = itemAt[x] - 1; at >= itemAt[from]; at--) {
          live = this.before(live, tables.classes[this.bytes[at]]);
          alive.push({ at, live, child: NO_CHILD });
        }
      }
    }
    this.steps += alive.length;

    /** @type {number[]} three numbers a part */
    const parts = [];
    let state = tables.starts[kind];
    for (let i = alive.length - 1; i >= 0; i--) {
      const a = alive[i];
      const way = this.wayFrom(state, a.live);
      if (way === null || way.both) { // what may be empty as well is not decided by one place
        return false;
      }
      for (let k = way.empties.length - 1; k >= 0; k--) {
        parts.push(way.empties[k], a.at, NOTHING);
      }
      if (tables.ops[way.exit] === OP_CALL) {
        parts.push(tables.args[way.exit], a.at, a.child);
      }
      if (tables.next[way.exit].length > 0) {
        state = tables.next[way.exit][0];
      }
    }
    if (tables.node[kind] === 1 || root) {
      this.pushPart(0, itemAt[item], this.nodes.length);
    }
    for (let i = parts.length - 3; i >= 0; i -= 3) { // the last is appended first
      this.pushPart(parts[i], parts[i + 1], parts[i + 2]);
    }
    this.open(kind, at, root);
    return true;
  }

  /**
   * Returns the set of the state in which a production ends.
   * @param {number} kind
   * @returns {number}
   */
  lastOf(kind) {
    let set = this.lasts.get(kind);
    if (set === undefined) {
      set = this.setOf([this.tables.finals[kind]]);
      this.lasts.set(kind, set);
    }
    return set;
  }

  /**
   * Returns the states that lead to those of a set by a production that ends as an item does.
   * @param {number} live
   * @param {number} child
   * @returns {number}
   */
  aheadOfItem(live, child) {
    let to = 0;
    for (const kind of this.doneIn(child)) {
      to = this.union(to, this.ahead(live, kind));
    }
    return to;
  }

  /**
   * Begins a node, if the production is one, and returns its index, or -1.
   * @param {number} kind
   * @param {number} at
   * @param {boolean} root
   * @returns {number}
   */
  open(kind, at, root) {
    if (this.tables.node[kind] === 0 && !root) {
      return -1;
    }
    if (this.packing) {
      packEvent(this, 4 * kind, at);
      return 0;
    }
    return this.openNode(kind, at);
  }

  /**
   * Begins a node, and returns its index.
   * @param {number} kind
   * @param {number} at
   * @returns {number}
   */
  openNode(kind, at) {
    this.take(0);
    this.nodes.push(kind, at, 0, 0);
    return this.nodes.length - 1;
  }

  /**
   * Ends the node that open began.
   * @param {number} node
   * @param {number} at
   */
  shut(node, at) {
    if (node >= 0 && this.packing) {
      packEvent(this, 0, at);
    } else if (node >= 0) {
      this.shutNode(node, at);
    }
  }

  /**
   * Ends a node that openNode began.
   * @param {number} node
   * @param {number} at
   */
  shutNode(node, at) {
    const { room } = this.nodes;
    room[4 * node + 2] = at;
    room[4 * node + 3] = this.nodes.length;
  }

  /**
   * Appends the nodes of a production that is proven.
   * @param {number} kind
   * @param {number} at
   * @param {number} end
   */
  prove(kind, at, end) {
    if (this.packing) {
      packProven(this, kind, at, end);
      return;
    }
    const made = this.proven !== null && this.proven.parse(this.nodes, kind, this.bytes, at, end);
    this.over ||= !made; // which the proof rules out
    this.take(1);
  }

  /**
   * Pushes a frame for a production that begins at a place. It ends as one of the items ends or, if none
   * is set, derives the empty string. alone has those ends that are also ends of the frame around it.
   * From these ends it goes backwards through the items and appends to places what is alive at each.
   * @param {number} kind
   * @param {number} at
   * @param {number[]} ends
   * @param {number[]} alone
   * @param {boolean} none
   * @param {boolean} root
   */
  enter(kind, at, ends, alone, none, root) {
    /** @type {Frame} */
    const frame = {
      kind,
      node: this.open(kind, at, root),
      place: 0,
      lo: this.places.length,
      first: this.ended.length,
      state: this.tables.starts[kind],
      call: 0,
      passed: [],
      from: at,
      alone,
      inner: [],
      innerEnd: at,
      noEnd: false,
      own: false,
      work: this.work.length,
    };
    this.frames.push(frame);
    const live = this.lastOf(kind);
    for (const item of ends) {
      this.push(this.itemAt[item], item, live, NO_CHILD);
    }
    if (none) {
      this.push(at, -1, live, NO_CHILD);
    }
    while (this.todo.places.length > 0 && !this.over) {
      this.settlePlace();
    }
    this.todo.clear();
    frame.place = this.places.length - 1;
  }

  /**
   * Adds a link to the agenda, unless nothing is alive in it: a set of states that are alive at a place, in
   * an item that was made or, if that is -1, in none. If they call, child is an end of what they call,
   * otherwise NO_CHILD.
   * @param {number} at
   * @param {number} item
   * @param {number} live
   * @param {number} child
   */
  push(at, item, live, child) {
    if (live !== 0) {
      this.todo.add(at, item, live, child, this.bytes.length);
      this.take(1);
    }
  }

  /**
   * Appends a place.
   * @param {number} at
   * @param {number} live
   * @param {number} lo
   */
  addPlace(at, live, lo) {
    const i = this.places.add();
    const { room } = this.places;
    room[i] = at;
    room[i + 1] = live;
    room[i + 2] = lo;
    room[i + 3] = this.ended.length;
  }

  /**
   * Takes the last place from the agenda, appends it to places with what is alive there, and pushes the
   * links that lead backwards from its items.
   */
  settlePlace() {
    const { todo, group, ended } = this;
    const at = todo.next();
    const lo = ended.length;
    let all = 0;
    group.length = 0;
    for (let l = todo.taken; l >= 0; l = todo.before(l)) {
      const { room } = todo.links;
      const item = room[5 * l + 1];
      const live = room[5 * l + 2];
      const child = room[5 * l + 3];
      all = this.union(all, live);
      if (child !== NO_CHILD) {
        const i = ended.add();
        ended.room[i] = live;
        ended.room[i + 1] = child;
      }
      let g = 2 * (group.length - 1);
      while (g >= 0 && group.room[g] !== item) {
        g -= 2;
      }
      if (g >= 0) {
        group.room[g + 1] = this.union(group.room[g + 1], live);
      } else {
        g = group.add();
        group.room[g] = item;
        group.room[g + 1] = live;
      }
    }
    todo.release();
    this.addPlace(at, all, lo);
    for (let g = 0; g < 2 * group.length; g += 2) {
      const item = group.room[g];
      if (item < 0 || this.itemPred[item] < 0) {
        continue;
      }
      const live = group.room[g + 1];
      if ((this.itemChild[item] & MORE) === 0) {
        this.pushLink(at, this.itemPred[item], this.itemChild[item], live);
      } else {
        this.eachLink(item, (from, child) => this.pushLink(at, from, child, live));
      }
    }
  }

  /**
   * Pushes an item with what is alive in it, where live is alive at a place that is reached from it: by the
   * production that the item child ends or, without a child, by bytes. At the beginning of a production
   * that can be inside itself with the same text, calls that are not allowed are left out. Of bytes, it
   * appends the places in between to places.
   * @param {number} place
   * @param {number} from
   * @param {number} child
   * @param {number} live
   */
  pushLink(place, from, child, live) {
    const at = this.itemAt[from];
    const { tables, sets } = this;
    if (child === NO_CHILD) {
      for (place--; place > at; place--) {
        live = this.before(live, tables.classes[this.bytes[place]]);
        if (this.places.room[4 * (this.places.length - 1)] > place) { // else from another item
          this.addPlace(place, live, this.ended.length);
        }
        this.steps++;
      }
      this.push(at, from, this.before(live, tables.classes[this.bytes[at]]), child);
      return;
    }
    let to = this.aheadOfItem(live, child);
    const frame = this.frames[this.frames.length - 1];
    const end = tables.finals[frame.kind];
    if (tables.cyclic[frame.kind] && this.itemPred[from] < 0 && isAmong(sets[live].states, end)) {
      const rest = this.leading(sets[live].states.filter((q) => q !== end));
      const { states } = sets[this.itemSet[from]];
      to = this.setOf(sets[to].states.filter((q) => isAmong(states, q) && isAllowed(this, q, child, rest)));
    }
    this.push(at, from, to, child);
  }

  /**
   * Returns a set with the states that lead to it by reading or calling once.
   * @param {number} set
   * @returns {StateSet & {leads: number[], bytes: Int32Array}}
   */
  leadsOf(set) {
    const s = this.sets[set];
    if (s.leads === null) {
      s.leads = this.leading(s.states);
      s.bytes = new Int32Array(this.tables.width).fill(UNKNOWN_SET);
      s.callers = this.callsOf(s.leads);
    }
    return /** @type {StateSet & {leads: number[], bytes: Int32Array}} */ (s);
  }

  /**
   * Returns the states that lead to those of a set by a byte.
   * @param {number} set
   * @param {number} column
   * @returns {number}
   */
  before(set, column) {
    const { leads, bytes } = this.leadsOf(set);
    if (bytes[column] === UNKNOWN_SET) {
      const { ops, args, members, width } = this.tables;
      bytes[column] = this.setOf(leads.filter((q) => ops[q] === OP_BYTE && members[args[q] * width + column] === 1));
    }
    return bytes[column];
  }

  /**
   * Returns the states that lead to those of a set by a production.
   * @param {number} set
   * @param {number} kind
   * @returns {number}
   */
  ahead(set, kind) {
    const call = callOf(this.leadsOf(set).callers, kind);
    if (call === null) {
      return 0;
    }
    if (call.to === UNKNOWN_SET) {
      call.to = this.setOf(call.by);
    }
    return call.to;
  }

  /**
   * Returns the states that lead to one of some by reading or calling once.
   * @param {number[]} to
   * @returns {number[]}
   */
  leading(to) {
    const { tables } = this;
    const { ops, next, back, mark, marked } = tables;
    tables.beginMarks();
    const { now } = tables;
    /** @type {number[]} */
    const out = [];
    const todo = to.slice();
    for (const q of to) {
      mark[q] = now;
    }
    while (todo.length > 0) {
      const q = /** @type {number} */ (todo.pop());
      for (const p of back[q]) {
        if (ops[p] !== OP_CHOICE && next[p][0] === q && marked[p] !== now) {
          marked[p] = now;
          out.push(p);
        }
        if ((ops[p] === OP_CHOICE || (ops[p] === OP_CALL && next[p][1] === q)) && mark[p] !== now) {
          mark[p] = now;
          todo.push(p);
        }
      }
    }
    this.steps += (to.length + out.length) >> 2;
    return out;
  }

  /**
   * Finds the first way of a frame to what is alive where it is. It is false if there is none.
   * @param {Frame} frame
   * @param {number} live
   * @returns {boolean}
   */
  findWay(frame, live) {
    if (!this.begins && !frame.noEnd && frame.passed.length === 0) {
      const way = this.wayFrom(frame.state, live);
      if (way === null) {
        return false;
      }
      this.exit = way.exit;
      this.both = way.both;
      this.path = way.path; // neither is changed
      this.empties = way.empties;
      return true;
    }
    const { tables } = this;
    tables.beginMarks();
    for (const q of frame.passed) {
      tables.mark[q] = tables.now;
    }
    this.path = [];
    this.empties = [];
    this.trail = [];
    this.noEnd = frame.noEnd;
    return this.choose(frame.state, this.sets[live].states);
  }

  /**
   * Returns the first way from a state to one of a set, or null if there is none. It is kept with the
   * set.
   * @param {number} from
   * @param {number} live
   * @returns {Way | null}
   */
  wayFrom(from, live) {
    const { ways, states } = this.sets[live];
    for (const way of ways) {
      if (way.from === from) {
        return way;
      }
    }
    this.tables.beginMarks();
    this.path = [];
    this.empties = [];
    this.trail = [];
    this.noEnd = false;
    this.begins = false;
    if (!this.choose(from, states)) {
      return null;
    }
    /** @type {Way} */
    const way = {
      from,
      exit: this.exit,
      both: this.both,
      path: this.both ? this.path.slice() : [],
      empties: this.empties.slice(),
    };
    ways.push(way);
    return way;
  }

  /**
   * Finds the first way from a state to one that is alive that reads or calls or, unless noEnd is set,
   * ends. It follows choices in their order, and goes past calls that can derive the empty string. It
   * returns false if there is no such way. The caller begins new marks, empties path, empties and trail,
   * and sets begins: a state that is marked is not entered again.
   * @param {number} q
   * @param {number[]} alive
   * @returns {boolean}
   */
  choose(q, alive) {
    const { tables } = this;
    const { mark, ops, next, args } = tables;
    if (q === 0 || mark[q] === tables.now) {
      return false;
    }
    mark[q] = tables.now;
    this.path.push(q);
    this.trail.push(q);
    const op = ops[q];
    if (op === OP_CHOICE) {
      for (const to of next[q]) {
        if (this.choose(to, alive)) {
          return true;
        }
      }
      this.path.pop();
      return false;
    }
    const live = isAmong(alive, q);
    if (op === OP_CALL) {
      const length = this.path.length;
      if (next[q][1] !== 0 && this.chooseEmpty(q, alive)) {
        if (live) {
          this.both = true;
          this.exit = q;
          this.path.length = length;
          this.empties = [];
        } else {
          this.empties.push(args[q]);
        }
        return true;
      }
      this.both = false;
      this.exit = q;
      if (live) {
        return true;
      }
    } else if (live && !(this.noEnd && op === OP_END)) {
      this.both = false;
      this.exit = q;
      return true;
    }
    this.path.pop();
    return false;
  }

  /**
   * Is choose after a call that derives the empty string.
   * @param {number} q
   * @param {number[]} alive
   * @returns {boolean}
   */
  chooseEmpty(q, alive) {
    const { tables } = this;
    const to = tables.next[q][1];
    if (!this.begins || this.noEnd || this.isVoid(tables.args[q])) {
      return this.choose(to, alive);
    }
    const marked = this.trail.length;
    this.noEnd = true;
    const ok = this.choose(to, alive);
    this.noEnd = false;
    if (!ok) {
      for (let i = marked; i < this.trail.length; i++) {
        tables.mark[this.trail[i]] = tables.now - 1;
      }
    }
    return ok;
  }

  /**
   * Reports whether a production derives the empty string without what is around it, if that is empty as
   * well.
   * @param {number} kind
   * @returns {boolean}
   */
  isVoid(kind) {
    const { length } = this.nodes;
    this.active = kindsAround(this, this.frames[this.frames.length - 1].from);
    const ok = this.appendEmpty(kind, 0, false);
    this.nodes.length = length;
    return ok;
  }

  /** Goes on in the innermost frame. */
  move() {
    const { tables } = this;
    const frame = this.frames[this.frames.length - 1];
    const at = this.places.room[4 * frame.place];
    this.begins = tables.cyclic[frame.kind] && at === frame.from;
    this.take(1);
    if (!this.findWay(frame, this.places.room[4 * frame.place + 1])) { // which the sets rule out
      this.over = true;
      return;
    }
    frame.noEnd = false;
    const { exit } = this;
    this.appendEmpties(frame, at);
    if (this.over) {
      return;
    }
    switch (tables.ops[exit]) {
      case OP_END:
        this.endFrame(frame, at);
        break;
      case OP_BYTE:
        frame.state = tables.next[exit][0];
        frame.passed = [];
        frame.place--;
        break;
      case OP_CALL:
        this.callFrom(frame, exit);
        break;
    }
  }

  /**
   * Appends the nodes of what is passed as empty, the last of empties first.
   * @param {Frame} frame
   * @param {number} at
   */
  appendEmpties(frame, at) {
    const { tables, exit } = this;
    const { empties } = this;
    for (let i = empties.length - 1; i >= 0; i--) {
      if (!this.begins) {
        this.appendBlank(empties[i], at);
        continue;
      }
      this.active = tables.ops[exit] === OP_END ? kindsAround(this, at) : [];
      const from = this.nodes.length;
      if (!this.appendEmpty(empties[i], at, false)) {
        this.over = true;
        return;
      }
      for (let n = from; n < this.nodes.length; n++) {
        frame.inner.push(this.nodes.room[4 * n]);
      }
      if (this.packing) {
        packNodes(this);
      }
    }
  }

  /**
   * Ends the innermost frame.
   * @param {Frame} frame
   * @param {number} at
   */
  endFrame(frame, at) {
    this.shut(frame.node, at);
    this.chain = [];
    this.left = frame.alone;
    if (this.tables.cyclic[frame.kind]) {
      this.chain = frame.innerEnd === at ? frame.inner.slice() : [];
      this.chain.push(this.tables.same[frame.kind]);
    }
    this.places.length = frame.lo;
    this.ended.length = frame.first;
    this.frames.pop();
    if (this.frames.length > 0 && !frame.own) {
      this.leave(at);
    }
  }

  /**
   * Goes on in a frame by a call.
   * @param {Frame} frame
   * @param {number} exit the state that calls
   */
  callFrom(frame, exit) {
    const { tables, found } = this;
    const { room } = this.places;
    const at = room[4 * frame.place];
    const lo = room[4 * frame.place + 2];
    const hi = room[4 * frame.place + 3];
    found.length = 0;
    for (let i = lo; i < hi; i++) {
      const child = this.ended.room[2 * i + 1];
      if (isAmong(this.sets[this.ended.room[2 * i]].states, exit) && !found.includes(child)) {
        found.push(child);
      }
    }
    frame.call = exit;
    const kind = tables.args[exit];
    const ends = found.length === 1 ? found : found.slice().sort(ascending);
    const same = !this.both && ends.every((c) => this.itemAt[c] === this.itemAt[ends[0]]);
    const decided = tables.plain[kind] || tables.proven[kind] === 1 || (ends.length === 1 && !tables.cyclic[kind]);
    if (same && decided) {
      this.chain = [];
      this.leave(this.itemAt[ends[0]]);
      this.put(kind, at, ends[0], false);
      return;
    }
    if (this.both) {
      frame.passed = frame.passed.concat(this.path);
    }
    const alone = this.begins && tables.cyclic[kind] ? aloneEnds(this, exit, ends) : [];
    this.enter(kind, at, ends, alone, this.both, false);
  }

  /**
   * Goes on in the innermost frame after the production that it called, which ended at a place. It sets
   * the frame's state and place. If the frame can be inside itself with the same text and the call stood
   * at its beginning, it also sets inner, innerEnd and noEnd: the frame may not end next if that would
   * put a production inside itself with the same text, unless nothing else can follow here. The caller
   * sets chain and left, or chain to none.
   * @param {number} at
   */
  leave(at) {
    const { tables } = this;
    const frame = this.frames[this.frames.length - 1];
    const place = this.places.room[4 * frame.place];
    if (this.chain.length > 0 && tables.cyclic[frame.kind] && place === frame.from) {
      if (at > frame.from) {
        frame.inner = [];
      }
      frame.inner = frame.inner.concat(this.chain);
      frame.innerEnd = at;
      frame.noEnd = !this.left.includes(at) && kindsAround(this, at).some((k) => this.chain.includes(k));
    }
    if (place === at) {
      frame.state = tables.next[frame.call][1];
      return;
    }
    frame.state = tables.next[frame.call][0];
    frame.passed = [];
    frame.place = this.placeOf(frame, at);
  }

  /**
   * Returns the place of a frame, before that which it is at, that is at an offset.
   * @param {Frame} frame
   * @param {number} at
   * @returns {number}
   */
  placeOf(frame, at) {
    const { room } = this.places;
    let low = frame.lo;
    let high = frame.place;
    if (room[4 * (high - 1)] === at) {
      return high - 1;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if (room[4 * middle] > at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Is appendEmpty where nothing around is empty as well.
   * @param {number} kind
   * @param {number} at
   */
  appendBlank(kind, at) {
    const { nodes } = this;
    let blank = this.blanks.get(kind);
    const from = nodes.length;
    if (blank === undefined) {
      this.active = [];
      if (!this.appendEmpty(kind, 0, false)) {
        this.over = true;
        return;
      }
      blank = Int32Array.from(nodes.room.slice(4 * from, 4 * nodes.length));
      for (let i = 3; i < blank.length; i += 4) {
        blank[i] -= from;
      }
      this.blanks.set(kind, blank);
      nodes.length = from;
    }
    for (let i = 0; i < blank.length; i += 4) {
      nodes.push(blank[i], at, at, blank[i + 3] + from);
    }
    this.steps += blank.length >> 2;
    if (this.packing) {
      packNodes(this);
    }
  }

  /**
   * Appends the nodes of a production that derives the empty string. It reports whether there are any
   * without one that contains itself.
   * @param {number} kind
   * @param {number} at
   * @param {boolean} root
   * @returns {boolean}
   */
  appendEmpty(kind, at, root) {
    const { tables, nodes } = this;
    if (this.active.includes(tables.same[kind])) {
      return false;
    }
    const from = nodes.length;
    if (tables.proven[kind] === 1) {
      // Its network may have been put together with those of the productions that it uses, and then no
      // longer tells them apart.
      return this.proven !== null && this.proven.parse(nodes, kind, this.bytes, at, at);
    }
    this.active.push(tables.same[kind]);
    const node = tables.node[kind] === 1 || root ? this.openNode(kind, at) : -1;
    const ok = this.emptyFrom(tables.starts[kind], at, []);
    this.active.pop();
    if (!ok) {
      nodes.length = from;
      return false;
    }
    if (node >= 0) {
      this.shutNode(node, at);
    }
    return true;
  }

  /**
   * Is appendEmpty for the rest of a production, from a state that is reached along a path without
   * reading.
   * @param {number} q
   * @param {number} at
   * @param {number[]} path
   * @returns {boolean}
   */
  emptyFrom(q, at, path) {
    this.take(1);
    if (q === 0 || path.includes(q) || this.over) {
      return false;
    }
    const { tables, nodes } = this;
    const along = [...path, q];
    const next = tables.next[q];
    switch (tables.ops[q]) {
      case OP_END:
        return true;
      case OP_CHOICE:
        return next.some((to) => this.emptyFrom(to, at, along));
      case OP_CALL: {
        const from = nodes.length;
        if (next[1] !== 0 && this.appendEmpty(tables.args[q], at, false) && this.emptyFrom(next[1], at, along)) {
          return true;
        }
        nodes.length = from;
        return false;
      }
      default:
        return false;
    }
  }
}
