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
  if (width && height) Object.assign(image, { width, height });
  if (content_type) image.content_type = content_type;
  if (made_by) image.made_by = made_by;
  if (label) image.label = label;
  if (note) image.note = note;
  return image;
}
