// Runs first in every sandbox, before any code of a tool. It takes away what could compile code or block a
// thread, refuses the built-ins that loop for minutes without asking whether they may, and gives the clock
// and the dice to the host. What it captures here, a tool cannot change later.

const { apply, construct, defineProperty, deleteProperty, getPrototypeOf } = Reflect;

/** The longest list that a built-in without an interrupt may walk: about a tenth of a second. */
const LONGEST_LIST = 2 ** 22;

/** A longer needle may cost text times needle steps, so their product is bounded. */
const LONG_NEEDLE = 256;
const SEARCH_STEPS = 2 ** 28;

const LIST_METHODS = [
  'concat', 'copyWithin', 'flat', 'flatMap', 'join', 'reverse', 'shift', 'slice', 'sort', 'splice',
  'toLocaleString', 'unshift',
];
const SEARCH_METHODS = ['includes', 'indexOf', 'lastIndexOf', 'replace', 'replaceAll', 'split'];

export function guard(native) {
  ['Atomics', 'SharedArrayBuffer'].forEach((name) => deleteProperty(globalThis, name));
  refuseCompiling();
  LIST_METHODS.forEach((name) => wrap(Array.prototype, name, requireShortLists));
  SEARCH_METHODS.forEach((name) => wrap(String.prototype, name, requireCheapSearch));
  wrap(String, 'raw', (_, args) => requireShort(args[0]?.raw));
  define(Math, 'random', () => native.random());
  replaceDate(native);
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
function wrap(object, name, check) {
  const original = object[name];
  const checked = {
    [name](...args) {
      check(this, args);
      return apply(original, this, args);
    },
  };
  define(object, name, checked[name]);
}

function requireShortLists(list, args) {
  requireShort(list);
  for (let index = 0; index < args.length; index += 1) requireShort(args[index]);
}

function requireShort(list) {
  if (typeof list !== 'object' || list === null || !(list.length > LONGEST_LIST)) return;
  throw new RangeError(`expected a list of at most ${LONGEST_LIST} entries, found ${list.length}`);
}

function requireCheapSearch(text, args) {
  const needle = args[0];
  if (typeof needle !== 'string' || needle.length <= LONG_NEEDLE) return;
  if (!(text?.length * needle.length > SEARCH_STEPS)) return;
  throw new RangeError(`expected a shorter text to search for, found ${needle.length} characters`);
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
