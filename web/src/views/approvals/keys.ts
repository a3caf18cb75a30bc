// The keys of the view Approvals: j and k or the arrows move, a approves, d declines, o opens the call.
import { useEffect } from 'preact/hooks';
import { go, paths } from '../../app/router';
import { step } from './entries';
import { answer, current, entries } from './store';

/** Listens while the view is shown. Keys typed into a field, with a modifier or held down are not ours. */
export function useKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector('dialog[open]') || isField(event.target)) return;
  const id = current.peek();
  switch (event.key) {
    case 'j':
    case 'k':
      return move(event, event.key === 'j' ? 1 : -1);
    case 'ArrowDown':
    case 'ArrowUp':
      if (isListOrPage(event.target)) move(event, event.key === 'ArrowDown' ? 1 : -1);
      return;
    case 'a':
    case 'd':
      if (id !== undefined && !event.repeat) void answer(id, event.key === 'a', 'key');
      return;
    case 'o':
      return openCall(id);
    default:
  }
}

function move(event: KeyboardEvent, by: number): void {
  event.preventDefault();
  const next = step(entries.peek(), current.peek(), by);
  if (next === undefined) return;
  current.value = next;
  document.getElementById(`confirmation-${next}`)?.focus();
}

function openCall(id: string | undefined): void {
  const confirmation = entries.peek().find((entry) => entry.confirmation.id === id)?.confirmation;
  if (confirmation) go(paths.turn(confirmation.conversationId, confirmation.turn, confirmation.callId));
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

function isListOrPage(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof HTMLElement && target.id.startsWith('confirmation-'));
}
