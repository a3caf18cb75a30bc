// Groups the messages of a thread into blocks that are drawn or left out together, so that long threads stay quick.
import type { UIMessage } from '@aileron/client';

export const BLOCK_SIZE = 16;

export interface MessageBlock {
  /** The key of its first message: stable when older messages are loaded before it. */
  key: string;
  messages: readonly UIMessage[];
  /** A key per message. */
  keys: readonly string[];
  /** It is far from both ends of the thread. */
  isInner: boolean;
}

/** Blocks that count as an end of the thread. */
const END = 8;

/**
 * Keys by turn and role: a message keeps its place on the screen when the stored version, which has another id, replaces
 * the one that was streamed.
 */
export function keysOf(messages: readonly UIMessage[], turns: ReadonlyMap<string, number>): string[] {
  const used = new Map<string, number>();
  return messages.map((message) => {
    const turn = turns.get(message.id);
    if (turn === undefined) return message.id;
    const key = `${turn} ${message.role}`;
    const count = used.get(key) ?? 0;
    used.set(key, count + 1);
    return count === 0 ? key : `${key} ${count}`;
  });
}

/**
 * Blocks are counted from an anchor that keeps its place, so that a message stays in its block when older ones arrive.
 * `anchor` is the index of a message that began a block before.
 */
export function blocksOf(
  messages: readonly UIMessage[],
  keys: readonly string[],
  anchor: number,
  size: number = BLOCK_SIZE,
): MessageBlock[] {
  const blocks: MessageBlock[] = [];
  const first = anchor % size;
  for (let from = first === 0 ? 0 : first - size; from < messages.length; from += size) {
    const start = Math.max(0, from);
    const head = keys[start];
    const isInner = start >= END * size && start < messages.length - END * size;
    const [here, keysHere] = [messages.slice(start, from + size), keys.slice(start, from + size)];
    if (head !== undefined) blocks.push({ key: head, messages: here, keys: keysHere, isInner });
  }
  return blocks;
}
