// The sentences by which a description replaces a keyword that a target does not have.

const SENTENCES: Record<string, RegExp> = {
  minLength: /\b\d+ characters?\./,
  maxLength: /\b\d+ characters?\./,
  minItems: /\b\d+ items?\./,
  maxItems: /\b\d+ items?\./,
  minProperties: /\b\d+ propert(y|ies)\./,
  maxProperties: /\b\d+ propert(y|ies)\./,
  minimum: /At least |Between | to /,
  maximum: /At most |Between | to /,
  exclusiveMinimum: /Must be more than /,
  exclusiveMaximum: /Must be less than /,
  multipleOf: /Must be a multiple of /,
  pattern: /Must match the pattern /,
  format: /Format: /,
  contentEncoding: /Encoded as /,
  contentMediaType: /Media type: /,
  uniqueItems: /Items must all be different\./,
  deprecated: /Deprecated\./,
  default: /Default: /,
  example: /Example: /,
  examples: /Examples?: /,
  const: /Must be /,
  enum: /One of: |Must be /,
  prefixItems: /The first items must match/,
  contains: /At least one item must match /,
  not: /Must not match /,
  additionalProperties: /Other properties must match /,
  propertyNames: /Property names must match /,
  if: /If it matches |Unless it matches /,
  then: /If it matches |Unless it matches /,
  else: /otherwise |Unless it matches /,
  dependentRequired: /When `.*` is given/,
  dependentSchemas: /When `.*` is given/,
  patternProperties: /Properties whose names match /,
  anyOf: /At least one of these must be given|Must match at least one of /,
  oneOf: /Exactly one of these must be given|Must match exactly one of /,
  $ref: /Has the same form as /,
};

/** Whether a text says what the keyword would have said. */
export function lossWords(keyword: string, text: string): boolean {
  return SENTENCES[keyword]?.test(text) ?? false;
}
