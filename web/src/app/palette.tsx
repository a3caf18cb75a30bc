// The command palette (Ctrl-K): views, actions, tools and conversations in one list, chosen by typing.
import { signal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Conversation, ToolSummary } from '@aileron/client';
import { aileron } from '../api';
import { Dialog } from '../ui/dialog';
import { Icon, type IconName } from '../ui/icon';
import { visible } from '../ui/visible';
import { offeredActions } from './actions';
import { best } from './match';
import { go, location, paths } from './router';
import { session, signOut, me } from './session';
import { setTheme } from './theme';

export const paletteOpen = signal(false);

interface Entry {
  key: string;
  group: 'Go to' | 'Actions' | 'Tools' | 'Conversations';
  title: string;
  /** Also matched, shown smaller. */
  note?: string;
  icon: IconName;
  run: () => void;
}

const SHOWN = 40;

function fixed(): Entry[] {
  const view = (key: string, title: string, path: string, icon: IconName): Entry => ({
    key,
    group: 'Go to',
    title,
    icon,
    run: () => go(path),
  });
  const action = (key: string, title: string, icon: IconName, run: () => void): Entry => ({ key, group: 'Actions', title, icon, run });
  const entries = [
    view('v-new', 'New conversation', paths.converse, 'plus'),
    view('v-approvals', 'Approvals', paths.approvals, 'check'),
    view('v-tools', 'Tools', paths.tools, 'tool'),
    view('v-operate', 'Operate', paths.operate, 'sliders'),
    view('v-audit', 'Audit log', paths.audit, 'list'),
    ...offeredActions().map((offer): Entry => ({
      key: `o-${offer.id}`,
      group: 'Actions',
      title: offer.title,
      note: offer.note,
      icon: offer.icon ?? 'chevronRight',
      run: offer.run,
    })),
    action(
      'a-link',
      'Copy a link to this view',
      'link',
      () => void navigator.clipboard.writeText(globalThis.location.origin + location.value).catch(() => undefined),
    ),
    action('a-light', 'Light theme', 'sun', () => setTheme('light')),
    action('a-dark', 'Dark theme', 'moon', () => setTheme('dark')),
    action('a-system', 'Theme of the system', 'system', () => setTheme('system')),
  ];
  if (me.value && me.value.signIn !== 'none') entries.push(action('a-out', 'Sign out', 'signOut', signOut));
  return entries;
}

function toolEntry(tool: ToolSummary): Entry {
  return { key: `t-${tool.id}`, group: 'Tools', title: tool.id, note: tool.description, icon: 'tool', run: () => go(paths.tool(tool.id)) };
}

function conversationEntry(conversation: Conversation): Entry {
  const title = conversation.title || `Conversation ${conversation.id}`;
  return {
    key: `c-${conversation.id}`,
    group: 'Conversations',
    title,
    note: conversation.title ? conversation.id : undefined,
    icon: conversation.mode === 'voice' ? 'wave' : 'list',
    run: () => go(paths.conversation(conversation.id)),
  };
}

/** Mounted once; opens on Ctrl-K or Command-K. */
export function Palette() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      paletteOpen.value = !paletteOpen.value && session.value.is === 'open';
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return paletteOpen.value ? <PaletteDialog /> : null;
}

function PaletteDialog() {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [loaded, setLoaded] = useState<Entry[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const always = useMemo(fixed, []);
  const close = () => (paletteOpen.value = false);

  useEffect(() => {
    const stop = new AbortController();
    const add = (entries: Entry[]) => setLoaded((before) => [...before, ...entries]);
    void aileron.tools({}, { signal: stop.signal }).then(
      (found) => add(found.tools.map(toolEntry)),
      () => undefined,
    );
    void aileron.conversations({ limit: 100 }, { signal: stop.signal }).then(
      (found) => add(found.conversations.map(conversationEntry)),
      () => undefined,
    );
    return () => stop.abort();
  }, []);

  const shown = useMemo(
    () =>
      typed.trim()
        ? best(
            [...always, ...loaded],
            (entry) => entry.title,
            typed,
            SHOWN,
            (entry) => entry.note,
          )
        : [...always, ...loaded.slice(0, 12)],
    [typed, always, loaded],
  );
  const chosen = Math.min(at, shown.length - 1);

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, shown]);

  function run(entry: Entry | undefined) {
    if (!entry) return;
    close();
    entry.run();
  }

  function onKey(event: KeyboardEvent) {
    const last = shown.length - 1;
    if (event.key === 'ArrowDown') setAt(chosen >= last ? 0 : chosen + 1);
    else if (event.key === 'ArrowUp') setAt(chosen <= 0 ? last : chosen - 1);
    else if (event.key === 'Enter') run(shown[chosen]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title="Command palette" bare onClose={close}>
      <div class="palette">
        <div class="palette-head">
          <Icon name="search" />
          <input
            class="palette-input"
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={shown[chosen] ? `${id}-${chosen}` : undefined}
            aria-label="Search views, actions, tools and conversations"
            placeholder="Search views, actions, tools and conversations"
            autoFocus
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKey}
          />
        </div>
        {shown.length === 0 ? <p class="palette-none">Nothing found for “{typed}”.</p> : null}
        <ul class="palette-list" role="listbox" id={id} ref={list} aria-label="Results">
          {shown.map((entry, order) => (
            <li
              key={entry.key}
              id={`${id}-${order}`}
              role="option"
              aria-selected={order === chosen}
              class={order === chosen ? 'palette-entry palette-here' : 'palette-entry'}
              onMouseMove={() => setAt(order)}
              onClick={() => run(entry)}
            >
              <Icon name={entry.icon} />
              <span class="palette-title cut">{visible(entry.title)}</span>
              <span class="palette-note cut">{visible(entry.note ?? '')}</span>
              <span class="palette-group">{entry.group}</span>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
