// The conversations that are open in this tab: the shown one and a few before it, so that going back is instant.
import { signal } from '@preact/signals';
import { newId, type ServerEvent, type ServerEventType } from '@aileron/client';
import { subscribe } from '../../../app/live';
import { OpenConversation } from './conversation';

const KEPT = 5;
const FOLLOWED: readonly ServerEventType[] = [
  'reset',
  'turn_began',
  'turn_ended',
  'call_decided',
  'call_started',
  'call_progress',
  'call_partial',
  'call_answered',
  'task_began',
  'task_ended',
  'confirmation_requested',
  'confirmation_closed',
  'conversation_moved',
  'conversation_ended',
];

const open = new Map<string, OpenConversation>();

/** The conversation that the next message at `/` creates. */
const fresh = signal(newConversation());

function newConversation(): OpenConversation {
  return new OpenConversation(newId());
}

/** The conversation with this id, or the one that does not exist yet. */
export function openConversation(id: string | undefined): OpenConversation {
  if (id === undefined) {
    if (fresh.peek().phase.peek().is !== 'new') fresh.value = newConversation();
    return fresh.value;
  }
  const known = fresh.peek().id === id ? fresh.peek() : (open.get(id) ?? new OpenConversation(id));
  open.delete(id);
  open.set(id, known);
  forgetOldest();
  return known;
}

/** Closes the streams of conversations that were not shown for long, except running ones. */
function forgetOldest(): void {
  for (const [id, conversation] of open) {
    if (open.size <= KEPT) return;
    if (conversation.thread.busy.peek()) continue;
    conversation.thread.chat.close();
    open.delete(id);
  }
}

/** Hands events to the conversations they belong to. Called once, by the view. */
export function followEvents(): () => void {
  const stops = FOLLOWED.map((type) => subscribe(type, (event: ServerEvent) => deliver(event)));
  return () => stops.forEach((stop) => stop());
}

function deliver(event: ServerEvent): void {
  for (const conversation of open.values()) {
    if (event.type === 'reset' || event.conversationId === conversation.id) conversation.onEvent(event);
  }
}
