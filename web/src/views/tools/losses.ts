// Compares the canonical parameters of a tool with its declaration for one target, keyword by keyword: what the
// target keeps, says in other words, or loses. The result is the declaration as lines, with the losses in place.
import { asSchema, equal, isObject, type Json, type JsonObject, type Schema } from '../../schema-form/json';
import { resolve } from '../../schema-form/resolve';
import { lossWords } from './loss-words';

export type Mark = 'kept' | 'lost' | 'described' | 'rewritten' | 'added';

export interface Line {
  depth: number;
  text: string;
  mark: Mark;
  /** The schema keyword that the line is about. */
  keyword?: string;
  /** Why the line is marked. */
  note?: string;
}

export interface Comparison {
  lines: Line[];
  counts: Record<Mark, number>;
}

const SCHEMA_KEYS = ['parameters', 'input_schema', 'inputSchema', 'parametersJsonSchema'];
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SINGLES = new Set(['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames']);
/** Keywords that say nothing to a model. */
const SILENT = new Set(['$schema', '$id', '$comment', '$anchor']);
/** Recursive schemas are compared down to here. */
const MAX_DEPTH = 24;

/** The schema of the arguments inside a declaration. */
export function declaredSchema(declaration: unknown): Schema | undefined {
  if (!isObject(declaration)) return undefined;
  for (const key of SCHEMA_KEYS) if (isObject(declaration[key])) return declaration[key];
  const inner = declaration.function;
  return isObject(inner) ? declaredSchema(inner) : undefined;
}

export function compareDeclaration(parameters: Schema, declared: Schema): Comparison {
  const writer = new Writer(parameters, declared);
  writer.schema(parameters, declared, 0, '');
  const counts: Record<Mark, number> = { kept: 0, lost: 0, described: 0, rewritten: 0, added: 0 };
  for (const line of writer.lines) if (line.keyword) counts[line.mark] += 1;
  return { lines: writer.lines, counts };
}

/** The marked lines with the lines around them that say where they are. */
export function onlyMarked(lines: readonly Line[]): Line[] {
  const kept = new Set<number>();
  const openers: number[] = [];
  lines.forEach((line, at) => {
    openers.length = Math.min(openers.length, line.depth);
    if (line.mark !== 'kept') for (const shown of [...openers, at]) kept.add(shown);
    openers[line.depth] = at;
  });
  return lines.filter((_, at) => kept.has(at));
}

class Writer {
  readonly lines: Line[] = [];

  constructor(
    private readonly canonicalRoot: Schema,
    private readonly declaredRoot: Schema,
  ) {}

  schema(canonical: Schema, declared: Schema, depth: number, lead: string, tail = ''): void {
    if (depth > MAX_DEPTH) return this.push(depth, `${lead}…${tail}`, 'kept');
    const [ours, theirs] = this.alike(canonical, declared);
    this.push(depth, `${lead}{`, 'kept');
    for (const keyword of Object.keys(ours)) if (!SILENT.has(keyword)) this.keyword(keyword, ours, theirs, depth + 1);
    for (const keyword of Object.keys(theirs)) {
      if (Object.hasOwn(ours, keyword) || this.replaces(keyword, ours)) continue;
      const [mark, note] = keyword === 'description' ? (['kept', undefined] as const) : (['added', 'not in the canonical schema'] as const);
      this.value(depth + 1, `${JSON.stringify(keyword)}: `, theirs[keyword] as Json, mark, keyword, note);
    }
    this.push(depth, `}${tail}`, 'kept');
  }

  /** Both schemas with `$ref` followed where only one of them has it. */
  private alike(canonical: Schema, declared: Schema): [Schema, Schema] {
    const bothRefer = typeof canonical.$ref === 'string' && typeof declared.$ref === 'string';
    if (bothRefer) return [canonical, declared];
    const ours = typeof canonical.$ref === 'string' ? resolve(this.canonicalRoot, canonical) : canonical;
    const theirs = typeof declared.$ref === 'string' ? resolve(this.declaredRoot, declared) : declared;
    return [ours, theirs];
  }

  /** Whether a keyword of the target stands for another one of ours, and was shown there. */
  private replaces(keyword: string, ours: Schema): boolean {
    if (keyword === 'anyOf') return ours.oneOf !== undefined || Array.isArray(ours.type);
    if (keyword === 'enum') return ours.const !== undefined;
    return keyword === 'nullable' && Array.isArray(ours.type);
  }

  private keyword(keyword: string, ours: Schema, theirs: Schema, depth: number): void {
    const value = ours[keyword] as Json;
    const lead = `${JSON.stringify(keyword)}: `;
    if (!Object.hasOwn(theirs, keyword)) return this.missing(keyword, value, ours, theirs, depth, lead);
    const found = theirs[keyword] as Json;
    if (MAPS.has(keyword) && isObject(value) && isObject(found)) return this.map(keyword, value, found, depth);
    if (LISTS.has(keyword) && Array.isArray(value) && Array.isArray(found)) return this.list(keyword, value, found, depth);
    if (SINGLES.has(keyword) && isObject(value) && isObject(found)) return this.schema(value, found, depth, lead);
    if (sameValue(keyword, value, found)) return this.value(depth, lead, found, 'kept', keyword);
    if (keyword === 'description') return this.value(depth, lead, found, 'kept', keyword);
    this.value(depth, lead, found, 'rewritten', keyword, `was ${JSON.stringify(value)}`);
  }

  private missing(keyword: string, value: Json, ours: Schema, theirs: Schema, depth: number, lead: string): void {
    if (keyword === 'oneOf' && Array.isArray(theirs.anyOf) && Array.isArray(value)) {
      this.push(depth, '"anyOf": [', 'rewritten', keyword, 'was `oneOf`: more than one form may fit');
      return this.items(value, theirs.anyOf, depth);
    }
    if (keyword === 'const' && Array.isArray(theirs.enum)) {
      return this.value(depth, '"enum": ', theirs.enum, 'rewritten', keyword, 'was `const`');
    }
    if (keyword === '$defs' || keyword === 'definitions') {
      return this.push(depth, `${lead}…`, 'rewritten', keyword, 'written out where it is used');
    }
    const described = lossWords(keyword, addedText(ours, theirs));
    if (described) return this.value(depth, lead, value, 'described', keyword, 'not checked; the description says it instead');
    this.value(depth, lead, value, 'lost', keyword, 'this target has no such keyword');
  }

  private map(keyword: string, ours: JsonObject, theirs: JsonObject, depth: number): void {
    this.push(depth, `${JSON.stringify(keyword)}: {`, 'kept', keyword);
    for (const [name, inner] of Object.entries(ours)) {
      const lead = `${JSON.stringify(name)}: `;
      if (Object.hasOwn(theirs, name)) this.schema(asSchema(inner), asSchema(theirs[name]), depth + 1, lead);
      else this.value(depth + 1, lead, inner, 'lost', name, 'this target has no such member');
    }
    this.push(depth, '}', 'kept');
  }

  private list(keyword: string, ours: Json[], theirs: Json[], depth: number): void {
    this.push(depth, `${JSON.stringify(keyword)}: [`, 'kept', keyword);
    this.items(ours, theirs, depth);
  }

  private items(ours: Json[], theirs: Json[], depth: number): void {
    ours.forEach((inner, at) => {
      if (at < theirs.length) this.schema(asSchema(inner), asSchema(theirs[at]), depth + 1, '');
      else this.value(depth + 1, '', inner, 'lost', 'anyOf', 'this alternative is missing');
    });
    this.push(depth, ']', 'kept');
  }

  private value(depth: number, lead: string, value: Json, mark: Mark, keyword?: string, note?: string): void {
    this.push(depth, `${lead}${JSON.stringify(value)}`, mark, keyword, note);
  }

  private push(depth: number, text: string, mark: Mark, keyword?: string, note?: string): void {
    this.lines.push({ depth, text, mark, ...(keyword === undefined ? {} : { keyword }), ...(note === undefined ? {} : { note }) });
  }
}

/** Gemini writes types in capitals; that is the same type. */
function sameValue(keyword: string, ours: Json, theirs: Json): boolean {
  if (keyword === 'type' && typeof ours === 'string' && typeof theirs === 'string') return ours.toLowerCase() === theirs.toLowerCase();
  if (keyword === 'required' && Array.isArray(ours) && Array.isArray(theirs)) return equal([...ours].sort(), [...theirs].sort());
  return equal(ours, theirs);
}

/** The sentences that a target's description has beyond the canonical one. */
function addedText(ours: Schema, theirs: Schema): string {
  const own = typeof ours.description === 'string' ? ours.description : '';
  const text = typeof theirs.description === 'string' ? theirs.description : '';
  return text.startsWith(own.trimEnd()) ? text.slice(own.trimEnd().length) : text;
}
