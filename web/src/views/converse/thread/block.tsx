// A block of messages: drawn while it is near the screen, an empty box of the same height while it is far away.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OpenConversation } from '../state/conversation';
import type { MessageBlock } from './blocks';
import { MessageRow } from './message-row';

/** How far beyond the screen messages are drawn. */
const MARGIN = '1600px 0px';

/** The height of a message that was never drawn, about. */
const MESSAGE_HEIGHT = 120;

export interface BlockProps {
  conversation: OpenConversation;
  block: MessageBlock;
  scroller: { current: HTMLElement | null };
  turns: ReadonlyMap<string, number>;
  /** The message that is being written, if it is in this block. */
  liveId: string | undefined;
  chosenTurn: number | undefined;
}

export function Block({ conversation, block, scroller, turns, liveId, chosenTurn }: BlockProps) {
  const isChosen = (id: string) => chosenTurn !== undefined && turns.get(id) === chosenTurn;
  const box = useRef<HTMLDivElement>(null);
  // Of many blocks that come at once, those at the ends and the chosen one are drawn; the others when they come near the screen.
  const [near, setNear] = useState(() => !block.isInner || block.messages.some(({ id }) => isChosen(id)));
  const height = useRef(near ? 0 : block.messages.length * MESSAGE_HEIGHT);

  useEffect(() => {
    const element = box.current;
    if (!element || typeof IntersectionObserver === 'undefined') return;
    const watch = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.boundingClientRect.height > 0 && !entry.isIntersecting) height.current = entry.boundingClientRect.height;
        setNear(entry.isIntersecting);
      },
      { root: scroller.current, rootMargin: MARGIN },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  // A box that was measured at another width changes its height when it is drawn; what is on screen must not move.
  useLayoutEffect(() => {
    const element = box.current;
    const root = scroller.current;
    if (!element || !root) return;
    if (!near) {
      element.style.setProperty('height', `${height.current}px`);
      return;
    }
    element.style.removeProperty('height');
    if (height.current === 0) return;
    const change = element.offsetHeight - height.current;
    if (change !== 0 && element.offsetTop + height.current <= root.scrollTop) root.scrollTop += change;
    height.current = 0;
  }, [near]);

  return (
    <div class="block" ref={box} data-from={turns.get(block.messages[0]?.id ?? '')} data-to={turns.get(block.messages.at(-1)?.id ?? '')}>
      {near
        ? block.messages.map((message, at) => (
            <MessageRow
              key={block.keys[at]}
              conversation={conversation}
              message={message}
              turn={turns.get(message.id)}
              live={message.id === liveId}
              chosen={isChosen(message.id)}
            />
          ))
        : null}
    </div>
  );
}
