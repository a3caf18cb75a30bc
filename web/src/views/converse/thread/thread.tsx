// The thread: messages from old to new, older ones loaded on the way up, and the newest kept in sight while the person is at the end.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { textOf } from '@aileron/client';
import { route } from '../../../app/router';
import { announce } from '../../../ui/announce';
import { Button } from '../../../ui/button';
import { plainWords } from '../../../ui/markdown/plain';
import type { OpenConversation } from '../state/conversation';
import { Block } from './block';
import { blocksOf, keysOf } from './blocks';
import { AnswerState } from './answer-state';

/** Within this distance of the end, the thread follows what is written. */
const NEAR_END = 80;
/** Within this distance of the beginning, older messages are loaded. */
const NEAR_START = 600;

export interface ThreadProps {
  conversation: OpenConversation;
  /** Shown below the last message, for example live words of a voice session. */
  children?: ComponentChildren;
}

export function Thread({ conversation, children }: ThreadProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  const last = useRef({ top: 0, height: 0 });
  const before = useRef<{ height: number; prepended: number }>({ height: 0, prepended: 0 });
  const [away, setAway] = useState(false);
  const messages = conversation.messages.value;
  const prepended = conversation.thread.prepended.value;
  const older = conversation.thread.older.value;
  const turns = conversation.turns.value;
  const at = route.value;
  const chosenTurn = at.view === 'converse' ? at.turn : undefined;
  const blocks = useMemo(() => blocksOf(messages, keysOf(messages, turns), prepended), [messages, turns, prepended]);
  const live = conversation.busy || conversation.voice.value?.snapshot.value.state.is === 'live';
  const liveId = live ? messages.at(-1)?.id : undefined;

  useAnnouncedAnswers(conversation);

  function onScroll() {
    const root = scroller.current;
    if (!root) return;
    // Only the person unpins: content that changes its height also moves the end away.
    if (root.scrollHeight - root.scrollTop - root.clientHeight < NEAR_END) pinned.current = true;
    else if (root.scrollTop < last.current.top && root.scrollHeight === last.current.height) pinned.current = false;
    last.current = { top: root.scrollTop, height: root.scrollHeight };
    setAway(!pinned.current);
    if (root.scrollTop < NEAR_START) void conversation.thread.loadOlder();
  }

  // Older messages are put above: what is on screen stays where it is.
  useLayoutEffect(() => {
    const root = scroller.current;
    if (!root) return;
    if (prepended > before.current.prepended) root.scrollTop += root.scrollHeight - before.current.height;
    before.current = { height: root.scrollHeight, prepended };
  });

  useEffect(() => {
    const root = scroller.current;
    const inner = content.current;
    if (!root || !inner) return;
    const follow = () => {
      if (pinned.current) root.scrollTop = root.scrollHeight;
      before.current.height = root.scrollHeight;
      last.current = { top: root.scrollTop, height: root.scrollHeight };
    };
    const watch = new ResizeObserver(follow);
    watch.observe(inner);
    watch.observe(root);
    follow();
    return () => watch.disconnect();
  }, []);

  // A link to a turn shows that turn, once its messages are loaded.
  useEffect(() => {
    if (chosenTurn === undefined) return;
    let left = false;
    const show = (again: boolean) => {
      const row = content.current?.querySelector(`[data-turn="${chosenTurn}"]`);
      const place = row ?? blockOf(content.current, chosenTurn);
      if (left || !place || (row && isInSight(row, scroller.current))) return;
      pinned.current = false;
      setAway(true);
      place.scrollIntoView({ block: 'center' });
      // A block that was far away is drawn once it is in sight.
      if (!row && again) setTimeout(() => show(false), 100);
    };
    void conversation.loadUntil(chosenTurn).then(() => requestAnimationFrame(() => show(true)));
    return () => {
      left = true;
    };
  }, [chosenTurn, messages.length > 0]);

  function toEnd() {
    pinned.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }

  return (
    <div class="thread-frame">
      <div class="thread" ref={scroller} onScroll={onScroll} tabIndex={0} role="region" aria-label="Messages">
        <div class="thread-content" ref={content}>
          <OlderState older={older} conversation={conversation} />
          {blocks.map((block) => (
            <Block
              key={block.key}
              conversation={conversation}
              block={block}
              scroller={scroller}
              turns={turns}
              liveId={liveId}
              chosenTurn={chosenTurn}
            />
          ))}
          {children}
          <AnswerState conversation={conversation} />
        </div>
      </div>
      {away ? (
        <div class="thread-end">
          <Button size="small" icon="arrowDown" label="Go to the newest message" onClick={toEnd} />
        </div>
      ) : null}
    </div>
  );
}

function OlderState({ older, conversation }: { older: string; conversation: OpenConversation }) {
  if (older === 'loading') return <p class="thread-older small muted">Loading older messages</p>;
  if (older === 'failed') {
    return (
      <p class="thread-older small">
        Older messages could not be loaded.{' '}
        <button type="button" class="link-button" onClick={() => void conversation.thread.loadOlder()}>
          Try again
        </button>
      </p>
    );
  }
  return older === 'more' ? <p class="thread-older" /> : null;
}

/** The block that holds a turn, drawn or not. */
function blockOf(content: HTMLElement | null, turn: number): Element | undefined {
  const blocks = [...(content?.querySelectorAll<HTMLElement>('.block') ?? [])];
  return blocks.find((block) => Number(block.dataset.from) <= turn && turn <= Number(block.dataset.to));
}

function isInSight(row: Element, root: HTMLElement | null): boolean {
  if (!root) return true;
  const inner = row.getBoundingClientRect();
  const outer = root.getBoundingClientRect();
  return inner.bottom > outer.top + 40 && inner.top < outer.bottom - 40;
}

/** Says an answer once it is complete, not while it grows; of a long one the beginning. */
function useAnnouncedAnswers(conversation: OpenConversation): void {
  const busy = conversation.busy;
  const was = useRef(busy);
  useEffect(() => {
    if (was.current && !busy) {
      const last = conversation.thread.snapshot.peek().messages.at(-1);
      if (last?.role === 'assistant') announce(plainWords(textOf(last)));
    }
    was.current = busy;
  }, [busy, conversation]);
}
