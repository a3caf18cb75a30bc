// The stored messages of one conversation: loaded in pages from the end.
import type { MessageEntry, Messages, UIMessage } from '@aileron/client';
import { aileron } from '../../../api';
import { EMPTY_THREAD, type StoredThread, withNewer, withOlder } from './pages';

const PAGE = 100;

export class History {
  private thread: StoredThread = EMPTY_THREAD;
  /** Cursor of the next older page; undefined if everything is loaded. */
  before: number | undefined;

  constructor(private readonly id: string) {}

  get messages(): readonly UIMessage[] {
    return this.thread.messages;
  }

  newest(): Promise<Messages> {
    return aileron.messages(this.id, { limit: PAGE });
  }

  /** Takes the newest page; pages that were loaded before stay if they join it. */
  take(page: Messages): void {
    const first = page.messages[0]?.number ?? 0;
    const joins = (this.thread.entries.at(-1)?.number ?? -1) >= first - 1;
    if (!joins) {
      this.thread = EMPTY_THREAD;
      this.before = page.before ?? undefined;
    }
    this.thread = withNewer(this.thread, page.messages);
  }

  /** Loads the pages before the oldest one, several at once if more than one is wanted. */
  async loadOlder(pages = 1): Promise<MessageEntry[]> {
    const { before } = this;
    if (before === undefined) return [];
    // Numbers are consecutive, so that the cursor of a page is known before the page after it is loaded.
    const cursors = Array.from({ length: pages }, (_, at) => before - at * PAGE).filter((cursor, at) => at === 0 || cursor > 1);
    const found = await Promise.all(cursors.map((cursor) => aileron.messages(this.id, { limit: PAGE, before: cursor })));
    this.before = found.at(-1)?.before ?? undefined;
    for (const page of found) {
      const first = this.thread.entries[0]?.number ?? Infinity;
      this.thread = withOlder(
        this.thread,
        page.messages.filter(({ number }) => number < first),
      );
    }
    return found.flatMap(({ messages }) => messages);
  }
}
