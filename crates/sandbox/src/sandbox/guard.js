// Runs first in every sandbox, before any code of a tool. It takes away what could compile code or block a
// thread, bounds the built-ins that loop without asking whether they may, and gives the clock and the dice to
// the host. What it captures here, a tool cannot change later.
//
// The engine asks whether a call may go on once in ten thousand jumps and calls, however long each of them
// takes. A built-in that walks a long text or list counts its steps here, and when there are many, the engine
// is made to ask. A single call of a built-in that would take too long by itself is refused.

const { apply, construct, defineProperty, deleteProperty, getPrototypeOf } = Reflect;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { min } = Math;
const { includes, toWellFormed } = String.prototype;

/** Steps, of about a nanosecond each, after which the engine is made to ask. */
const STEPS = 2 ** 22;

/** The engine asks once in this many jumps. */
const JUMPS = 10_000;

/** The longest list that a built-in without an interrupt may walk: about a tenth of a second. */
const LONGEST_LIST = 2 ** 22;

/** A longer needle may cost text times needle steps, so their product is bounded. */
const LONG_NEEDLE = 16;
const SEARCH_STEPS = 2 ** 30;

/** A replacement that is longer is not searched for `$` at each match. */
const LONG_REPLACEMENT = 256;

/** The longest text that the engine itself normalises: it sorts combining marks by insertion. */
const SHORT_TEXT = 512;

/** A lone surrogate is no text for the host; it combines with nothing. */
const WELL_FORMED = /[^\ud800-\udfff]+/gu;

/** Methods by what they cost: steps for each character, or for each entry. */
const TEXT_METHODS = {
  concat: 1, endsWith: 1, isWellFormed: 2, match: 4, matchAll: 4, search: 4, startsWith: 1, toLocaleLowerCase: 16,
  toLocaleUpperCase: 16, toLowerCase: 16, toUpperCase: 16, toWellFormed: 2, trim: 2, trimEnd: 2, trimStart: 2,
};
const SEARCH_METHODS = ['includes', 'indexOf', 'lastIndexOf', 'replace', 'replaceAll', 'split'];
const LONG_RESULTS = ['padEnd', 'padStart', 'repeat'];
const LIST_METHODS = {
  concat: 8, copyWithin: 16, flat: 32, flatMap: 32, join: 64, reverse: 8, shift: 4, slice: 8, sort: 512,
  splice: 8, toLocaleString: 256, toReversed: 8, toSorted: 512, toSpliced: 8, unshift: 4, with: 8,
};
const TYPED_METHODS = {
  copyWithin: 1, fill: 1, includes: 1, indexOf: 1, join: 64, lastIndexOf: 1, reverse: 1, set: 8, slice: 1, sort: 64,
  toLocaleString: 256, toReversed: 1, toSorted: 64, with: 1,
};
const TEXT_FUNCTIONS = {
  decodeURI: 16, decodeURIComponent: 16, encodeURI: 16, encodeURIComponent: 16, escape: 16, parseFloat: 8,
  parseInt: 8, unescape: 16,
};

let steps = 0;

export function guard(native) {
  ['Atomics', 'SharedArrayBuffer'].forEach((name) => deleteProperty(globalThis, name));
  refuseCompiling();
  guardTexts();
  guardLists();
  guardObjects();
  guardNormalizing(native);
  define(Math, 'random', () => native.random());
  replaceDate(native);
}

function guardTexts() {
  wrapAll(String.prototype, TEXT_METHODS, (text, args, cost) => spend(cost * (size(text) + sizes(args))));
  SEARCH_METHODS.forEach((name) => wrap(String.prototype, name, requireCheapSearch));
  ['replace', 'replaceAll'].forEach((name) => wrap(String.prototype, name, requireCheapReplacement));
  LONG_RESULTS.forEach((name) => wrapResult(String.prototype, name, 1));
  wrap(String, 'raw', (_, args) => requireShort(args[0]?.raw));
  wrapAll(globalThis, TEXT_FUNCTIONS, (_, args, cost) => spend(cost * size(args[0])));
  wrap(JSON, 'parse', (_, args) => spend(16 * size(args[0])));
  wrapResult(JSON, 'stringify', 16);
}

function guardLists() {
  wrapAll(Array.prototype, LIST_METHODS, requireShortLists);
  wrap(Array.prototype, 'fill', (list) => spend(4 * size(list)));
  wrap(Array, 'from', (_, args) => requireShortLists(args[0], [], 64));
  const typed = getPrototypeOf(Uint8Array);
  wrapAll(typed.prototype, TYPED_METHODS, (list, args, cost) => spend(cost * (size(list) + sizes(args))));
}

function guardObjects() {
  ['entries', 'getOwnPropertyNames', 'keys', 'values'].forEach((name) => wrapResult(Object, name, 128));
  wrap(Object, 'fromEntries', (_, args) => spend(256 * size(args[0])));
}

/** Counts steps, and makes the engine ask when there are many. */
function spend(count) {
  steps += count;
  if (!(steps >= STEPS)) return;
  steps = 0;
  for (let jump = 0; jump < JUMPS; jump += 1);
}

/** The length of a text or a list; that of anything else might run code of the tool's. */
function size(value) {
  return typeof value === 'string' || isArray(value) || isView(value) ? value.length ?? 0 : 0;
}

function sizes(args) {
  let total = 0;
  for (let index = 0; index < args.length; index += 1) total += size(args[index]);
  return total;
}

function define(object, name, value) {
  defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
}

function refuseCompiling() {
  const refuse = () => {
    throw new EvalError('code in strings is not run here');
  };
  define(globalThis, 'eval', refuse);
  const kinds = [function () {}, function* () {}, async function () {}, async function* () {}];
  kinds.map(getPrototypeOf).forEach((prototype) => {
    const refused = function Function() {
      refuse();
    };
    defineProperty(refused, 'prototype', { value: prototype });
    define(prototype, 'constructor', refused);
  });
  define(globalThis, 'Function', Function.prototype.constructor);
}

/** Puts a check before a built-in. The name stays, so stack traces read as usual. */
function wrap(object, name, before) {
  const original = object[name];
  const checked = {
    [name](...args) {
      before(this, args);
      return apply(original, this, args);
    },
  };
  define(object, name, checked[name]);
}

/** Counts the steps of a built-in by what it gives. One that throws may have taken any number of them. */
function wrapResult(object, name, cost) {
  const original = object[name];
  const checked = {
    [name](...args) {
      let steps = STEPS;
      try {
        const result = apply(original, this, args);
        steps = cost * size(result);
        return result;
      } finally {
        spend(steps);
      }
    },
  };
  define(object, name, checked[name]);
}

function wrapAll(object, costs, check) {
  for (const name in costs) {
    const cost = costs[name];
    wrap(object, name, (self, args) => check(self, args, cost));
  }
}

function requireShortLists(list, args, cost) {
  requireShort(list);
  for (let index = 0; index < args.length; index += 1) requireShort(args[index]);
  spend(cost * (size(list) + sizes(args)));
}

function requireShort(list) {
  if (typeof list !== 'object' || list === null || !(list.length > LONGEST_LIST)) return;
  throw new RangeError(`expected a list of at most ${LONGEST_LIST} entries, found ${list.length}`);
}

/** A search costs text times needle at worst. */
function requireCheapSearch(text, args) {
  const needle = args[0];
  const length = size(text);
  if (typeof needle !== 'string' || needle.length <= LONG_NEEDLE) return spend(16 * length);
  if (length * needle.length > SEARCH_STEPS) {
    throw new RangeError(`expected a shorter text to search for, found ${needle.length} characters`);
  }
  spend(length * needle.length);
}

/** The engine looks through a replacement for `$` at each match, and writes it at each. */
function requireCheapReplacement(text, args) {
  const replacement = args[1];
  const length = size(replacement);
  spend(min(size(text) * length, LONGEST_LIST * 16));
  if (typeof replacement !== 'string' || length <= LONG_REPLACEMENT) return;
  if (!apply(includes, replacement, ['$'])) {
    args[1] = () => replacement;
  } else if (size(text) * length > SEARCH_STEPS) {
    throw new RangeError(`expected a shorter replacement with a \`$\`, found ${length} characters`);
  }
}

function guardNormalizing({ normalize, compare }) {
  const { normalize: short, localeCompare: compareShort, isWellFormed, replace } = String.prototype;
  const normalized = (text, form) => {
    spend(64 * text.length);
    if (text.length <= SHORT_TEXT) return apply(short, text, [form]);
    if (apply(isWellFormed, text, [])) return normalize(text, form);
    return apply(replace, text, [WELL_FORMED, (piece) => normalize(piece, form)]);
  };
  const own = {
    normalize(form) {
      // The engine refuses what is no text and what is no form.
      const name = form === undefined ? 'NFC' : `${form}`;
      apply(short, this === undefined || this === null ? this : '', [name]);
      return normalized(`${this}`, name);
    },
    localeCompare(other, ...rest) {
      if (this === undefined || this === null) return apply(compareShort, this, [other]);
      const [left, right] = [`${this}`, `${other}`];
      spend(64 * (left.length + right.length));
      if (left.length <= SHORT_TEXT && right.length <= SHORT_TEXT) return apply(compareShort, left, [right, ...rest]);
      return compare(apply(toWellFormed, left, []), apply(toWellFormed, right, []));
    },
  };
  define(String.prototype, 'normalize', own.normalize);
  define(String.prototype, 'localeCompare', own.localeCompare);
}

function replaceDate({ now }) {
  const Native = Date;
  function HostDate(...args) {
    const given = new.target && args.length > 0 ? args : [now()];
    return new.target ? construct(Native, given, new.target) : construct(Native, given).toString();
  }
  defineProperty(HostDate, 'name', { value: 'Date', configurable: true });
  defineProperty(HostDate, 'prototype', { value: Native.prototype, writable: false });
  define(HostDate, 'now', () => now());
  define(HostDate, 'parse', Native.parse);
  define(HostDate, 'UTC', Native.UTC);
  define(Native.prototype, 'constructor', HostDate);
  define(globalThis, 'Date', HostDate);
}
