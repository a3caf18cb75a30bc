// The right side of the header: connection, provider, registry, palette, theme, and the person.
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { connection, wasConnected } from './live';
import { paletteOpen } from './palette';
import { me, server, signOut } from './session';
import { nextTheme, setTheme, theme, type Theme } from './theme';

const THEME_ICON = { system: 'system', light: 'sun', dark: 'moon' } as const;
const THEME_WORD: Record<Theme, string> = { system: 'the system’s', light: 'light', dark: 'dark' };

export function Status() {
  const info = server.value;
  const person = me.value;
  return (
    <div class="status">
      <ProviderState />
      {info ? (
        <a class="status-registry mono tiny" href="/tools" title="The registry that new conversations use">
          registry {info.registryVersion}
        </a>
      ) : null}
      <Button
        kind="quiet"
        size="small"
        icon="search"
        label="Command palette: Ctrl K"
        shortcut="Control+K"
        class="status-palette"
        onClick={() => (paletteOpen.value = true)}
      >
        <kbd>Ctrl K</kbd>
      </Button>
      <Button
        kind="quiet"
        size="small"
        icon={THEME_ICON[theme.value]}
        label={`Theme: ${THEME_WORD[theme.value]}; change to ${THEME_WORD[nextTheme()]}`}
        onClick={() => setTheme(nextTheme())}
      />
      {person && person.signIn !== 'none' ? (
        <span class="status-person">
          <span class="cut" title={`${person.user ?? 'anonymous'} (${person.role})`}>
            <Icon name="person" size={16} /> {person.user ?? 'anonymous'}
          </span>
          <Button kind="quiet" size="small" icon="signOut" label="Sign out" onClick={signOut} />
        </span>
      ) : null}
    </div>
  );
}

function ProviderState() {
  const state = connection.value;
  const chat = server.value?.chat;
  if (state.is === 'waiting' || (state.is === 'connecting' && wasConnected.value)) return <Dot tone="waits" text="reconnecting" />;
  if (!server.value) return null;
  if (!chat)
    return <Dot tone="refused" text="no model" title="The server has no model: set a provider key, or use the offline provider." />;
  if (chat.offline)
    return <Dot tone="waits" text="offline: rules, no model" title="Rules answer in place of a model, because no provider key is set." />;
  return <Dot tone="passed" text={chat.provider} title="The model’s provider" />;
}

function Dot({ tone, text, title }: { tone: 'passed' | 'waits' | 'refused'; text: string; title?: string }) {
  return (
    <span class="status-provider" title={title}>
      <i class={`dot dot-${tone}`} aria-hidden="true" />
      <span>{text}</span>
    </span>
  );
}
