// Runs in the sandbox in which many tools are tried. It makes everything that they share unchangeable, so that
// none of them leaves anything behind for the next.

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { freeze: fix } = Object;

export function freeze(shared) {
  const seen = new Set();
  const open = [globalThis, ...hidden(), ...ownKeys(shared).map((name) => shared[name])];
  while (open.length > 0) {
    const object = open.pop();
    if (!isObject(object) || seen.has(object)) continue;
    seen.add(object);
    open.push(getPrototypeOf(object));
    for (const key of ownKeys(object)) {
      const property = getOwnPropertyDescriptor(object, key);
      open.push(property.value, property.get, property.set);
      // A setter may change what no property shows. The one of `__proto__` changes only who calls it.
      if (property.set && property.configurable && key !== '__proto__') {
        defineProperty(object, key, { set: undefined });
      }
    }
    fix(object);
  }
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Objects that no property of `globalThis` leads to. */
function hidden() {
  const generate = function* () {};
  const generateLater = async function* () {};
  return [
    generate, generate(), generateLater, generateLater(), async () => {}, [].values(), [].values().map(isObject),
    new Map().values(), new Set().values(), ''[Symbol.iterator](), ''.matchAll(/a/g), Iterator.from({ next() {} }),
  ];
}
