// The address of the page as a signal: every view, selected item and filter is in it.
import { computed, signal } from '@preact/signals';

export type Route =
  | { view: 'converse'; conversation?: string; turn?: number }
  | { view: 'approvals' }
  | { view: 'tools'; tool?: string }
  | { view: 'operate'; audit: boolean }
  | { view: 'unknown' };

export type ViewName = Exclude<Route['view'], 'unknown'>;

const address = signal(here());

/** The view and the items that the path selects. */
export const route = computed<Route>(() => parseRoute(address.value.path));

/** The filters and selected parts after the question mark. */
export const query = computed(() => new URLSearchParams(address.value.search));

/** Path and query, as a link to exactly what is shown. */
export const location = computed(() => address.value.path + address.value.search);

function here(): { path: string; search: string } {
  const at = globalThis.location;
  return at ? { path: at.pathname, search: at.search } : { path: '/', search: '' };
}

export function parseRoute(path: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const names = parts.map(decode);
  const [first, second, third, fourth] = names;
  if (parts.length === 0) return { view: 'converse' };
  if (first === 'c' && second && parts.length === 2) return { view: 'converse', conversation: second };
  if (first === 'c' && second && third === 't' && fourth && /^\d{1,9}$/.test(fourth) && parts.length === 4) {
    return { view: 'converse', conversation: second, turn: Number(fourth) };
  }
  if (first === 'approvals' && parts.length === 1) return { view: 'approvals' };
  if (first === 'tools' && parts.length <= 2) return second ? { view: 'tools', tool: second } : { view: 'tools' };
  if (first === 'operate' && parts.length === 1) return { view: 'operate', audit: false };
  if (first === 'operate' && second === 'audit' && parts.length === 2) return { view: 'operate', audit: true };
  return { view: 'unknown' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Addresses of the views. */
export const paths = {
  converse: '/',
  approvals: '/approvals',
  tools: '/tools',
  operate: '/operate',
  audit: '/operate/audit',
  conversation: (id: string) => `/c/${encodeURIComponent(id)}`,
  turn: (id: string, turn: number, call?: string) =>
    `/c/${encodeURIComponent(id)}/t/${turn}${call === undefined ? '' : `?call=${encodeURIComponent(call)}`}`,
  tool: (id: string) => `/tools/${encodeURIComponent(id)}`,
} as const;

/** Shows another address. `replace` leaves no step in the history, for filters that change as the person types. */
export function go(to: string, how: { replace?: boolean } = {}): void {
  const target = new URL(to, globalThis.location.origin);
  const same = target.pathname === address.value.path && target.search === address.value.search;
  if (!same) history[how.replace ? 'replaceState' : 'pushState'](null, '', target.pathname + target.search);
  address.value = { path: target.pathname, search: target.search };
}

/** Changes some fields of the query and keeps the others; undefined or an empty text removes a field. */
export function setQuery(changes: Record<string, string | undefined>, how: { replace?: boolean } = { replace: true }): void {
  const next = new URLSearchParams(address.value.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  go(address.value.path + (text ? `?${text}` : ''), how);
}

/** Follows the browser's back and forward buttons, and links inside the page. Called once. */
export function startRouter(): void {
  addEventListener('popstate', () => (address.value = here()));
  document.addEventListener('click', followLink);
}

/** A plain click on a link to this page changes the address without a reload. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.origin !== globalThis.location.origin) return;
  if (/^\/(v1|api|metrics|health|openapi\.json)(\/|$)/.test(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
