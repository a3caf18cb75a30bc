// The one client of the page. The token lives in the tab's session storage and nowhere else.
import { signal } from '@preact/signals';
import { Aileron } from '@aileron/client';

const KEY = 'aileron.token';

let current = readToken();

/** Counts the answers that said 401, so that the page shows its sign-in screen. */
export const signedOut = signal(0);

export function token(): string | null {
  return current;
}

export function setToken(next: string | null): void {
  current = next;
  try {
    if (next === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, next);
  } catch {
    // Storage is blocked: the token holds until the page is closed.
  }
}

/** Whether a token can be sent: headers carry visible ASCII characters only. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function readToken(): string | null {
  try {
    const stored = globalThis.sessionStorage?.getItem(KEY) ?? null;
    return stored !== null && isToken(stored) ? stored : null;
  } catch {
    return null;
  }
}

export const aileron = new Aileron({ token, onSignedOut: () => (signedOut.value += 1) });
