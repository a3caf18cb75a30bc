// The sign-in screen: a field for the token, shown when the server answers 401.
import { useState } from 'preact/hooks';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { isToken } from '../api';
import { signIn } from './session';

export function SignIn({ refused }: { refused: boolean }) {
  const [given, setGiven] = useState('');
  const [busy, setBusy] = useState(false);
  const sendable = isToken(given.trim());
  const impossible = given.trim() !== '' && !sendable;

  async function submit(event: Event) {
    event.preventDefault();
    if (!sendable) return;
    setBusy(true);
    await signIn(given.trim());
    setBusy(false);
  }

  return (
    <main class="entrance">
      <form class="entrance-card" onSubmit={submit}>
        <p class="brand">
          <Icon name="brand" size={22} /> Aileron
        </p>
        <h1 class="entrance-title">Sign in</h1>
        {impossible ? (
          <p class="form-fault" role="alert">
            A token has letters, digits and punctuation of ASCII only, without blanks. Check what was pasted.
          </p>
        ) : refused ? (
          <p class="form-fault" role="alert">
            The token was not accepted, or it has expired. Ask whoever runs this server for a new one.
          </p>
        ) : (
          <p class="muted">This server needs a token. It stays in this tab and is forgotten when the tab is closed.</p>
        )}
        <label class="field">
          <span>Token</span>
          <input
            class="input mono"
            type="password"
            name="token"
            autocomplete="current-password"
            autoFocus
            required
            value={given}
            aria-invalid={refused || impossible || undefined}
            onInput={(event) => setGiven(event.currentTarget.value)}
          />
        </label>
        <Button kind="primary" type="submit" icon="key" busy={busy} disabled={!sendable}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
