import { book } from '../../lib/slots.js';
import { ErrorType, ToolError } from '../_core/error-types.js';

export async function execute({ args, context }) {
  const booking = book(args.day, context.clientId);
  if (!booking) throw new ToolError(ErrorType.CONFLICT, `${args.day} is taken`);
  return { ok: true, data: booking };
}
