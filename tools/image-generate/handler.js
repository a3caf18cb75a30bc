// Makes images. The confirmation rule relies on what the caller declares, so the declaration is checked here.
import { ErrorType, ToolError } from 'aileron';
import { writing } from '../_lib/capability.js';
import { sensitiveTopics } from '../_lib/sensitive-topics.js';
import { requireActiveSession } from '../_lib/session.js';

export async function execute({ args, context }) {
  requireActiveSession(context, 'generate an image');
  if (!personWasAsked(args)) requireHarmless(args.prompt);
  context.progress({ message: `generating ${args.count} image(s)` });
  const images = await writing('generate the image', () =>
    context.images.generate(request(args, context.idempotencyKey)),
  );
  context.audit.log('images_generated', { count: images.length, sensitiveTopics: args.sensitive_topics });
  return { ok: true, data: { images: images.map((image) => shape(image, args.aspect_ratio)) } };
}

/** Mirrors `confirmation.when`: in these cases the person has read the prompt and approved it. */
function personWasAsked({ user_requested: requested, sensitive_topics: topics }) {
  return !requested || topics.length > 0;
}

function requireHarmless(prompt) {
  const found = sensitiveTopics(prompt);
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

function shape({ id, url, width, height, content_type, made_by }, aspectRatio) {
  const image = { id, url, aspect_ratio: aspectRatio };
  if (width && height) Object.assign(image, { width, height });
  if (content_type) image.content_type = content_type;
  if (made_by) image.made_by = made_by;
  return image;
}
