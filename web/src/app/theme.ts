// The theme: the system's, or the one the person chose, which is stored and applied to the root element.
import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'aileron.theme';

export const theme = signal<Theme>(stored());

function stored(): Theme {
  try {
    const value = globalThis.localStorage?.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

export function setTheme(next: Theme): void {
  theme.value = next;
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage is blocked: the choice holds until the page is closed.
  }
}

/** System, light, dark, and from the beginning again. */
export function nextTheme(): Theme {
  return theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system';
}
