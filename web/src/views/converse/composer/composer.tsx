// The field for messages: Enter sends, Shift-Enter begins a line, Escape stops an answer. Gives way to what forbids writing.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Button } from '../../../ui/button';
import type { OpenConversation } from '../state/conversation';

const MAX_HEIGHT = 220;

export interface ComposerProps {
  conversation: OpenConversation;
  onSend: (text: string) => void;
  placeholder: string;
  /** The microphone and other buttons before the send button. */
  children?: ComponentChildren;
}

export function Composer({ conversation, onSend, placeholder, children }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const text = conversation.draft.value;
  const busy = conversation.busy;
  const ready = text.trim() !== '';

  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true });
  }, [conversation]);

  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.setProperty('height', 'auto');
    area.style.setProperty('height', `${Math.min(area.scrollHeight, MAX_HEIGHT)}px`);
  }, [text]);

  function send() {
    if (!ready) return;
    conversation.draft.value = '';
    onSend(text.trim());
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && busy) {
      event.preventDefault();
      conversation.stop();
    }
  }

  return (
    <div class="composer-box">
      <textarea
        ref={field}
        class="composer-field"
        rows={1}
        dir="auto"
        value={text}
        placeholder={placeholder}
        aria-label="Message"
        enterkeyhint="send"
        onInput={(event) => (conversation.draft.value = event.currentTarget.value)}
        onKeyDown={onKey}
      />
      {children}
      {busy ? (
        <Button kind="plain" icon="stop" class="composer-round" label="Stop the answer (Escape)" onClick={() => conversation.stop()} />
      ) : ready ? (
        <Button kind="primary" icon="arrowUp" class="composer-round" label="Send (Enter)" onClick={send} />
      ) : null}
    </div>
  );
}
