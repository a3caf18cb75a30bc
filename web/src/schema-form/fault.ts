// Faults of arguments at the fields they belong to: those of a server answer keep the server's words.

import { isObject, type Json } from './json';
import { join, parent, read } from './pointer';

export interface Fault {
  /** JSON Pointer of the value at fault; of the object for a missing or an unknown member. */
  pointer: string;
  message: string;
  allowed?: Json[];
}

export interface FaultList {
  faults: Fault[];
  /** The number of faults that the server found; more than listed if its answer was cut. */
  total: number;
}

/** The faults in the error of an envelope, or `undefined` if the error is not about arguments. */
export function serverFaults(error: unknown): FaultList | undefined {
  if (!isObject(error) || error.type !== 'VALIDATION' || !isObject(error.details)) return undefined;
  const { faults: listed, total } = error.details;
  if (!Array.isArray(listed)) return undefined;
  const faults = listed.flatMap((entry): Fault[] => {
    if (!isObject(entry) || typeof entry.pointer !== 'string' || typeof entry.message !== 'string') return [];
    const allowed = Array.isArray(entry.allowed) ? { allowed: entry.allowed } : {};
    return [{ pointer: entry.pointer, message: entry.message, ...allowed }];
  });
  return { faults, total: typeof total === 'number' ? total : faults.length };
}

/** The messages of each field. A fault of a value that the form has no field for goes to the nearest parent that has one. */
export function faultsByField(faults: Fault[], value: Json, hasField: (pointer: string) => boolean): Map<string, string[]> {
  const byField = new Map<string, string[]>();
  for (const fault of faults) {
    for (const pointer of fieldsOf(fault, value)) {
      const place = nearest(pointer, hasField);
      const said = pointer === place ? fault.message : `${pointer.slice(place.length)}: ${fault.message}`;
      byField.set(place, [...(byField.get(place) ?? []), said]);
    }
  }
  return byField;
}

/** A missing or unknown member is a fault of the object; its place in the form is the member. */
function fieldsOf(fault: Fault, value: Json): string[] {
  const missing = /^`([\s\S]+)` is required$/.exec(fault.message);
  if (missing !== null) return [join(fault.pointer, missing[1] as string)];
  const unknown = /^unknown propert(?:y|ies) (`[\s\S]+`)$/.exec(fault.message);
  if (unknown === null) return [fault.pointer];
  const names = (unknown[1] as string).slice(1, -1).split('`, `');
  const given = names.map((name) => join(fault.pointer, name)).filter((pointer) => read(value, pointer) !== undefined);
  return given.length > 0 ? given : [fault.pointer];
}

function nearest(pointer: string, hasField: (pointer: string) => boolean): string {
  let here: string | undefined = pointer;
  while (here !== undefined && !hasField(here)) here = parent(here);
  return here ?? '';
}
