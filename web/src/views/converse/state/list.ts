// The list of conversations: loaded in pages, kept in order by events.
import { signal } from '@preact/signals';
import type { Conversation } from '@aileron/client';
import { aileron } from '../../../api';
import { subscribe } from '../../../app/live';
import { throttled } from '../../../app/throttle';

export type ListState = { is: 'loading' } | { is: 'ready'; next?: string } | { is: 'failed'; error: unknown };

const PAGE = 50;
/** Loads follow each other at this distance, however many events arrive. */
const REFRESH_MS = 1000;

export const conversations = signal<readonly Conversation[]>([]);
export const listState = signal<ListState>({ is: 'loading' });

let everyone = false;

/** Loads the newest page. `all` lists those of everybody, for operators and viewers. */
export async function loadConversations(all: boolean): Promise<void> {
  if (all !== everyone) {
    conversations.value = [];
    listState.value = { is: 'loading' };
  }
  everyone = all;
  try {
    const page = await aileron.conversations({ limit: PAGE, ...(all && { all }) });
    if (all !== everyone) return;
    const rest = conversations.peek().length > PAGE ? conversations.peek() : [];
    conversations.value = merge(page.conversations, rest);
    if (rest.length === 0) listState.value = { is: 'ready', next: page.next ?? undefined };
  } catch (error) {
    if (conversations.peek().length === 0) listState.value = { is: 'failed', error };
  }
}

export async function loadMoreConversations(): Promise<void> {
  const state = listState.peek();
  if (state.is !== 'ready' || state.next === undefined) return;
  listState.value = { is: 'loading' };
  try {
    const page = await aileron.conversations({ limit: PAGE, after: state.next, ...(everyone && { all: true }) });
    conversations.value = merge(conversations.peek(), page.conversations);
    listState.value = { is: 'ready', next: page.next ?? undefined };
  } catch {
    listState.value = state;
  }
}

/** The first version of each id counts; newest first where the server says when. */
function merge(one: readonly Conversation[], other: readonly Conversation[]): Conversation[] {
  const byId = new Map<string, Conversation>();
  for (const conversation of [...one, ...other]) if (!byId.has(conversation.id)) byId.set(conversation.id, conversation);
  return [...byId.values()].sort((left, right) => (right.updatedAt ?? 0) - (left.updatedAt ?? 0));
}

/** Loads again when something happened in any conversation. Called once, by the view. */
export function followList(): () => void {
  const refresh = throttled(() => loadConversations(everyone), REFRESH_MS);
  const types = ['turn_began', 'turn_ended', 'conversation_began', 'conversation_moved', 'conversation_ended', 'reset'] as const;
  const stops = types.map((type) => subscribe(type, refresh.ask));
  return () => {
    refresh.cancel();
    stops.forEach((stop) => stop());
  };
}
