// Makes images. The confirmation rule relies on what the caller declares, so the declaration is checked
// here, by a net of words. What was made is told beside what was asked for.
import { ErrorType, ToolError } from 'aileron';
import { writing } from '../_lib/capability.js';
import { sensitiveTopics } from '../_lib/sensitive-topics.js';
import { requireActiveSession } from '../_lib/session.js';

export async function execute({ args, context }) {
  requireActiveSession(context, 'generate an image');
  if (!personWasAsked(args)) requireHarmless(args);
  context.progress({ message: `generating ${args.count} image(s)` });
  const { images, requested, missing } = await writing('generate the image', () =>
    context.images.generate(request(args, context.idempotencyKey)),
  );
  const made = images.length;
  context.audit.log('images_generated', { requested, made, sensitiveTopics: args.sensitive_topics });
  const data = { requested, made, images: images.map((image) => shape(image, args.aspect_ratio)) };
  return { ok: true, data: missing?.length ? { ...data, missing } : data };
}

/** Mirrors `confirmation.when`: in these cases the person has read the prompt and approved it. */
function personWasAsked({ user_requested: requested, sensitive_topics: topics }) {
  return !requested || topics.length > 0;
}

function requireHarmless({ prompt, negative_prompt: leftOut }) {
  const found = sensitiveTopics(prompt, leftOut);
  if (found.length === 0) return;
  throw new ToolError(ErrorType.CONFLICT, `the prompt touches ${found.join(', ')}, but sensitive_topics is empty`, {
    retryable: false,
    partialSideEffects: false,
    suggestion: `call again with sensitive_topics ${JSON.stringify(found)}, and the person is asked`,
  });
}

function request(args, idempotencyKey) {
  return {
    prompt: args.prompt,
    negativePrompt: args.negative_prompt ?? '',
    aspectRatio: args.aspect_ratio,
    count: args.count,
    idempotencyKey,
  };
}

function shape({ id, url, width, height, content_type, made_by, label, note }, aspectRatio) {
  const image = { id, url, aspect_ratio: aspectRatio };
  if (width && height) Object.assign(image, { aspect_ratio: ratio(width, height, aspectRatio), width, height });
  if (content_type) image.content_type = content_type;
  if (made_by) image.made_by = made_by;
  if (label) image.label = label;
  if (note) image.note = note;
  return image;
}

/** Names of shapes, as people know them. */
const SHAPES = ['1:1', '5:4', '4:5', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '2:1', '1:2'];

/** The shape an image has, which need not be the one that was asked for: models do not make every one. */
function ratio(width, height, asked) {
  return [asked, ...SHAPES].find((name) => isOf(name, width, height)) ?? `${width}:${height}`;
}

/** Models make sizes that are handy to them, such as 1344x768 for 16:9. */
function isOf(name, width, height) {
  const [wide, high] = name.split(':').map(Number);
  return Math.abs((width * high) / (height * wide) - 1) <= 0.05;
}
