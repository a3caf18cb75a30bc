// The person at the page and the server that answers: sign-in, sign-out, and a notice when the server has a newer page.
import { computed, signal } from '@preact/signals';
import type { Me, Server } from '@aileron/client';
import { aileron, setToken, signedOut, token } from '../api';

export type SessionState =
  | { is: 'checking' }
  | { is: 'open' }
  /** A token is needed; `refused` if one was given and not accepted. */
  | { is: 'signIn'; refused: boolean }
  | { is: 'failed'; error: unknown };

export const session = signal<SessionState>({ is: 'checking' });
export const me = signal<Me | undefined>(undefined);
export const server = signal<Server | undefined>(undefined);

/** The server serves another version of the page than the one that runs here. */
export const outdated = signal(false);

/** Viewers look at everything and change nothing. */
export const mayAct = computed(() => me.value !== undefined && me.value.role !== 'viewer');
export const isOperator = computed(() => me.value?.role === 'operator');
export const seesAll = computed(() => me.value !== undefined && me.value.role !== 'person');

/** The difference of the server's clock to ours in milliseconds, for countdowns. */
export const clockOffset = signal(0);

let pageVersion: string | undefined;
/** The person whose data this tab has loaded. Another person gets an empty page. */
let lastUser: string | null | undefined;

/** Asks the server who we are. Called at the start, after sign-in, and after a lost connection. */
export async function startSession(): Promise<void> {
  const given = token() !== null;
  try {
    const [person, info] = await Promise.all([aileron.me(), aileron.server()]);
    if (lastUser !== undefined && lastUser !== person.user) return globalThis.location.reload();
    lastUser = person.user;
    me.value = person;
    noteServer(info);
    session.value = { is: 'open' };
  } catch (error) {
    if (isSignedOut(error)) session.value = { is: 'signIn', refused: given };
    else if (session.value.is !== 'open') session.value = { is: 'failed', error };
  }
}

/** Loads the server's state again, for example after a reconnect, and compares the version of its page with ours. */
export async function refreshServer(): Promise<void> {
  try {
    const [person, info] = await Promise.all([aileron.me(), aileron.server()]);
    me.value = person;
    noteServer(info);
  } catch {
    // The event stream reports a lost connection; the last known state stays.
  }
}

function noteServer(info: Server): void {
  server.value = info;
  clockOffset.value = info.now - Date.now();
  pageVersion ??= info.pageVersion;
  outdated.value = pageVersion !== info.pageVersion;
}

function isSignedOut(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 401;
}

export async function signIn(given: string): Promise<void> {
  setToken(given);
  session.value = { is: 'checking' };
  await startSession();
}

/** Forgets the token and, by loading the page again, everything that was loaded with it. */
export function signOut(): void {
  setToken(null);
  globalThis.location.reload();
}

signedOut.subscribe((count) => {
  if (count > 0 && session.peek().is === 'open') session.value = { is: 'signIn', refused: true };
});
