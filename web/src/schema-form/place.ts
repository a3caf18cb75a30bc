// Tells whether the form shows a field at a pointer, so that a fault finds its place.
import { asSchema, isObject, type Json, type Schema } from './json';
import { fieldOf } from './field';
import { split } from './pointer';
import { branchFor } from './union';

/** Whether the form shows a field at the pointer while it holds this value. */
export function hasField(root: Schema, value: Json, pointer: string): boolean {
  let schema = root;
  let here: Json | undefined = value;
  for (const part of split(pointer)) {
    let { kind } = fieldOf(root, schema);
    while (kind.is === 'union') {
      const branch: Schema | undefined = kind.branches[branchFor(root, kind.branches, here)]?.schema;
      if (branch === undefined) return false;
      kind = fieldOf(root, branch).kind;
    }
    if (kind.is === 'object') {
      const property = kind.properties.find((known) => known.name === part);
      const given: Json | undefined = isObject(here) && Object.hasOwn(here, part) ? here[part] : undefined;
      // The members of an object that is not there have no fields yet.
      if (here === undefined || (property === undefined && given === undefined)) return false;
      schema = property?.schema ?? asSchema(kind.others ?? undefined);
      here = given;
    } else if (kind.is === 'array') {
      if (!Array.isArray(here) || Number(part) >= here.length) return false;
      schema = kind.first[Number(part)] ?? kind.item;
      here = here[Number(part)];
    } else {
      return false;
    }
  }
  return true;
}
