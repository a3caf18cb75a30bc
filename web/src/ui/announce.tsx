// Live regions for screen readers: one polite, one assertive, for the whole page.
import { signal } from '@preact/signals';

const polite = signal('');
const assertive = signal('');

/** Characters that are said; the page has the rest. */
const MOST = 4000;

/** Says a text, the beginning of a long one. The same text again is said again. */
export function announce(text: string, how: 'polite' | 'assertive' = 'polite'): void {
  const region = how === 'polite' ? polite : assertive;
  const said = text.slice(0, MOST);
  region.value = region.peek() === said ? `${said}\u00a0` : said;
}

/** Mounted once, by the shell. */
export function Announcer() {
  return (
    <>
      <div class="hidden-text" role="status" aria-live="polite">
        {polite}
      </div>
      <div class="hidden-text" role="alert" aria-live="assertive">
        {assertive}
      </div>
    </>
  );
}
