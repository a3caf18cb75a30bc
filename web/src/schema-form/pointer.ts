// JSON Pointers (RFC 6901): the address of a field in the form, in the JSON text and in a server fault.

import { isObject, type Json, type JsonObject } from './json';

/** The pointer of a member below another pointer. */
export function join(pointer: string, member: string | number): string {
  return `${pointer}/${String(member).replace(/~/g, '~0').replace(/\//g, '~1')}`;
}

export function split(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** The pointer of the parent, or `undefined` for the root. */
export function parent(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'));
}

export function read(value: Json | undefined, pointer: string): Json | undefined {
  let here = value;
  for (const part of split(pointer)) {
    if (Array.isArray(here)) here = here[Number(part)];
    else if (isObject(here) && Object.hasOwn(here, part)) here = here[part];
    else return undefined;
  }
  return here;
}

/**
 * A copy of the value with another value at the pointer. `undefined` removes the member; an array
 * closes the gap. Missing parents are created as objects.
 */
export function write(value: Json | undefined, pointer: string, next: Json | undefined): Json | undefined {
  return writeParts(value, split(pointer), next);
}

function writeParts(value: Json | undefined, parts: string[], next: Json | undefined): Json | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return next;
  if (Array.isArray(value)) {
    const index = Number(part);
    const inner = writeParts(value[index], rest, next);
    const copy = value.slice();
    if (inner === undefined) copy.splice(index, 1);
    else copy[index] = inner;
    return copy;
  }
  const copy: JsonObject = isObject(value) ? { ...value } : {};
  const inner = writeParts(Object.hasOwn(copy, part) ? copy[part] : undefined, rest, next);
  if (inner === undefined) delete copy[part];
  else Object.defineProperty(copy, part, { value: inner, writable: true, enumerable: true, configurable: true });
  return copy;
}
