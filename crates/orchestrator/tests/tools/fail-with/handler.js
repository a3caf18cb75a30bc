// Fails with the error that was asked for.
import { ToolError } from 'aileron';

export function execute({ args }) {
  if (args.type === 'BROKEN') throw new TypeError(`a secret of the handler: ${args.message}`);
  throw new ToolError(args.type, args.message);
}
