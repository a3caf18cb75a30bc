// Groups the messages of a thread into blocks that are drawn or left out together, so that long threads stay quick.
import type { UIMessage } from '@aileron/client';

export const BLOCK_SIZE = 16;

export interface MessageBlock {
  /** The id of its first message: stable when older messages are loaded before it. */
  key: string;
  messages: readonly UIMessage[];
}

/**
 * Blocks are counted from an anchor that keeps its place, so that a message stays in its block when older ones arrive.
 * `anchor` is the index of a message that began a block before.
 */
export function blocksOf(messages: readonly UIMessage[], anchor: number, size: number = BLOCK_SIZE): MessageBlock[] {
  const blocks: MessageBlock[] = [];
  const first = anchor % size;
  for (let from = first === 0 ? 0 : first - size; from < messages.length; from += size) {
    const part = messages.slice(Math.max(0, from), from + size);
    const head = part[0];
    if (head) blocks.push({ key: head.id, messages: part });
  }
  return blocks;
}
