// The stored messages of one conversation: loaded in pages from the end, merged by number.
import type { MessageEntry, UIMessage } from '@aileron/client';
import { toUIMessages } from '@aileron/client';
import { aileron } from '../../../api';

const PAGE = 120;

export class History {
  private entries: MessageEntry[] = [];
  /** Cursor of the next older page; undefined if everything is loaded. */
  before: number | undefined;

  constructor(private readonly id: string) {}

  get all(): readonly MessageEntry[] {
    return this.entries;
  }

  /** The newest page; pages that were loaded before stay if they join it. */
  async loadNewest(): Promise<MessageEntry[]> {
    const page = await aileron.messages(this.id, { limit: PAGE });
    const first = page.messages[0]?.number ?? 0;
    const joins = this.entries.some((entry) => entry.number >= first - 1) && this.entries.length > 0;
    if (!joins) {
      this.entries = [];
      this.before = page.before ?? undefined;
    }
    this.merge(page.messages);
    return page.messages;
  }

  async loadOlder(): Promise<MessageEntry[]> {
    if (this.before === undefined) return [];
    const page = await aileron.messages(this.id, { limit: PAGE, before: this.before });
    this.before = page.before ?? undefined;
    this.merge(page.messages);
    return page.messages;
  }

  messages(): UIMessage[] {
    return toUIMessages(this.entries);
  }

  private merge(found: readonly MessageEntry[]): void {
    const byNumber = new Map(this.entries.map((entry) => [entry.number, entry]));
    for (const entry of found) byNumber.set(entry.number, entry);
    this.entries = [...byNumber.values()].sort((one, other) => one.number - other.number);
  }
}
