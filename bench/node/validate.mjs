// Validates values with Ajv 8 as one would set it up today, and says how long one takes.
// Usage: node validate.mjs <file with {schema, values}>; prints {"<name>": nanoseconds}.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const { schema, values } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false });
addFormats(ajv);
const validate = ajv.compile(schema);

let sink = 0;

/**
 * Every message is written, as one that is sent to a model has to be. To look at the last letter makes
 * V8 write the text; until then it is a tree of the parts that were added up.
 */
function check(value) {
  if (validate(value)) return;
  const text = ajv.errorsText(validate.errors, { separator: '; ' });
  sink += text.charCodeAt(text.length - 1);
}

function copy(value) {
  if (Array.isArray(value)) return value.map(copy);
  if (value === null || typeof value !== 'object') return value;
  const made = {};
  for (const key in value) made[key] = copy(value[key]);
  return made;
}

/** Values are made in small batches, before the clock starts. */
function nanoseconds(work, value) {
  const [batch, batches] = [10, 20_000];
  let best = Infinity;
  for (let run = 0; run < 5; run += 1) {
    let taken = 0n;
    for (let round = 0; round < batches; round += 1) {
      const made = Array.from({ length: batch }, () => copy(value));
      const began = process.hrtime.bigint();
      for (const one of made) work(one);
      taken += process.hrtime.bigint() - began;
    }
    best = Math.min(best, Number(taken) / (batch * batches));
  }
  return best;
}

const times = {};
for (const [name, value] of Object.entries(values)) {
  const whole = nanoseconds(check, value);
  const looking = nanoseconds((made) => { sink += made === null ? 1 : 0; }, value);
  times[name] = whole - looking;
}
console.log(JSON.stringify({ ...times, sink: undefined }));
