// Live regions for screen readers: one polite, one assertive, for the whole page.
import { signal } from '@preact/signals';

const polite = signal('');
const assertive = signal('');

/** Says a text. The same text again is said again. */
export function announce(text: string, how: 'polite' | 'assertive' = 'polite'): void {
  const region = how === 'polite' ? polite : assertive;
  region.value = region.peek() === text ? `${text}\u00a0` : text;
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
