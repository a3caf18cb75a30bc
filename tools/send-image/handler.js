// Shows one image on the page. The person's browser fetches it, so local addresses are turned away,
// and what is no image of a size to be shown.
import { ErrorType, ToolError } from 'aileron';
import { reading, writing } from '../_lib/capability.js';
import { requireActiveSession } from '../_lib/session.js';
import { isPublicAddress } from './address.js';

export async function execute({ args, context }) {
  requireActiveSession(context, 'show an image');
  const found = args.image.startsWith('img_') ? await stored(args.image, context) : await linked(args.image, context);
  const { label, ...image } = found;
  const { caption } = args;
  const message = { type: 'image', ...image, caption, alt: args.alt_text ?? caption };
  await writing('show the image', () => context.messaging.send(message));
  const data = { shown: true, caption, ...withSnakeId(image) };
  return { ok: true, data: label ? { ...data, label } : data };
}

async function stored(id, context) {
  const image = await reading('find the image', () => context.images.get({ id }));
  if (!image) throw refusal(`no image with the id "${id}"`, 'use an id that image_generate returned');
  return { imageId: id, url: image.url, label: image.label };
}

async function linked(url, context) {
  if (!isPublicAddress(url)) throw refusal('expected a public address', 'use an address a tool or the person gave');
  await reading('look at the image', () => context.images.look({ url }));
  return { url };
}

function withSnakeId({ imageId, url }) {
  return imageId ? { url, image_id: imageId } : { url };
}

function refusal(message, suggestion) {
  return new ToolError(ErrorType.PERMANENT, message, { retryable: false, partialSideEffects: false, suggestion });
}
