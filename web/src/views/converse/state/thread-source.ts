// The messages of one conversation: the stored history in pages, and after it the answer that is being written.
import { computed, type Signal, signal } from '@preact/signals';
import {
  type Chat,
  type ChatSnapshot,
  type Confirmation,
  type DataChunk,
  isToolPart,
  type Messages,
  type UIMessage,
  withConfirmations,
} from '@aileron/client';
import { aileron } from '../../../api';
import { throttled } from '../../../app/throttle';
import type { CallFactsTable } from './call-facts';
import { History } from './history';
import type { Questions } from './questions';

/** A growing answer is drawn at most this often, however many pieces arrive. */
const GROWTH_INTERVAL_MS = 33;

export type Older = 'none' | 'more' | 'loading' | 'failed';

export interface ThreadSourceOptions {
  id: string;
  facts: CallFactsTable;
  questions: Questions;
  onData: (chunk: DataChunk) => void;
  onFinish: () => void;
}

export class ThreadSource {
  readonly chat: Chat;
  readonly snapshot: Signal<ChatSnapshot>;
  readonly older = signal<Older>('none');
  /** How many messages were put before the first ones that were loaded. */
  readonly prepended = signal(0);
  /** An answer is being written. Asking the server whether one is, is not. */
  readonly busy = computed(() => {
    const { status } = this.snapshot.value;
    return status === 'streaming' || (status === 'submitted' && (this.requests.value > 0 || this.following.value === 'no'));
  });

  private readonly history: History;
  private confirmations: Confirmation[] = [];
  /** Requests that were made here and are not over. */
  private readonly requests = signal(0);
  /** The answer that is read was asked for elsewhere. */
  private readonly following = signal<'no' | 'waiting' | 'followed'>('no');
  private readonly growth = throttled(() => (this.snapshot.value = this.chat.snapshot), GROWTH_INTERVAL_MS);
  /** Loads of the history, one after the other, so that an older answer never replaces a newer one. */
  private loads: Promise<boolean> = Promise.resolve(true);

  constructor(private readonly options: ThreadSourceOptions) {
    const { id, onData } = options;
    this.snapshot = signal<ChatSnapshot>({ status: 'ready', messages: [] });
    this.history = new History(id);
    this.chat = aileron.chat({ id, onChange: (next) => this.show(next), onData, onFinish: () => this.onFinish() });
  }

  private show(next: ChatSnapshot): void {
    if (next.status === 'streaming' && this.snapshot.peek().status === 'streaming') return this.growth.ask();
    this.growth.cancel();
    this.snapshot.value = next;
  }

  /** A request that was made here is not over. */
  get isOwn(): boolean {
    return this.requests.peek() > 0;
  }

  /** Runs a request of this tab, during which nothing else replaces what is shown. */
  async asOwn(request: () => Promise<void>): Promise<void> {
    this.requests.value += 1;
    try {
      await request();
    } finally {
      this.requests.value -= 1;
    }
  }

  /**
   * Replaces what is shown by the stored history, and the confirmations by those the server knows. Returns false if an answer
   * that was asked for here is being written: it is not replaced, and the history has to be loaded after it.
   */
  loadTail(): Promise<boolean> {
    const load = () => this.loadNewest();
    this.loads = this.loads.then(load, load);
    return this.loads;
  }

  private async loadNewest(): Promise<boolean> {
    const { questions, facts } = this.options;
    const [page, confirmations] = await Promise.all([this.history.newest(), questions.load().catch(() => [])]);
    facts.fromHistory(page.messages);
    if (this.isOwn) return false;
    const unsent = this.unsentAfter(page);
    this.history.take(page);
    this.confirmations = confirmations;
    this.chat.setMessages([...this.storedMessages(), ...unsent]);
    this.noteOlder();
    return true;
  }

  /** The message of the person whose request failed. It can be tried again. */
  private get unsent(): UIMessage | undefined {
    const { status, messages } = this.chat.snapshot;
    const last = messages.findLast(({ role }) => role === 'user');
    return status === 'error' && last?.metadata?.number === undefined ? last : undefined;
  }

  /** The unsent message, unless the server has stored it. */
  private unsentAfter(page: Messages): UIMessage[] {
    const last = this.unsent;
    if (!last) return [];
    return page.messages.some((entry) => entry.from === 'person' && entry.id === last.id) ? [] : [last];
  }

  /** Loads one page of older messages, or several at once. */
  async loadOlder(pages = 1): Promise<void> {
    if (this.older.peek() !== 'more' && this.older.peek() !== 'failed') return;
    this.older.value = 'loading';
    try {
      const stored = this.history.messages.length;
      this.options.facts.fromHistory(await this.history.loadOlder(pages));
      const live = this.chat.snapshot.messages.slice(stored);
      const messages = this.storedMessages();
      this.prepended.value += messages.length - stored;
      this.chat.setMessages([...messages, ...live]);
      this.noteOlder();
    } catch {
      this.older.value = 'failed';
    }
  }

  /**
   * Reads an answer that was begun before this page was opened, or by another one; then what was stored of it. Returns false
   * if a request that was made here came between, so that the history has to be loaded after it.
   */
  async follow(): Promise<boolean> {
    // Asking the server would take the fault of an unsent message away, and with it the way to send it again.
    if (this.unsent || this.isOwn || this.busy.peek() || this.following.peek() !== 'no') return true;
    this.following.value = 'waiting';
    await this.chat.resume();
    const followed = (this.following.peek() as string) === 'followed';
    this.following.value = 'no';
    // A request that was made here meanwhile has ended the reading, and loads afterwards what was left out.
    if (this.isOwn) return false;
    if (this.chat.snapshot.status === 'error') this.chat.clearError();
    return followed ? this.loadTail() : true;
  }

  private onFinish(): void {
    if (!this.isOwn && this.following.peek() !== 'no') this.following.value = 'followed';
    this.options.onFinish();
  }

  private noteOlder(): void {
    this.older.value = this.history.before === undefined ? 'none' : 'more';
  }

  /** Only calls that wait for the person are completed, so that all other messages keep their identity. */
  private storedMessages(): UIMessage[] {
    return this.history.messages.map((message) => {
      const waits = message.parts.some((part) => isToolPart(part) && part.state === 'approval-requested');
      return waits ? (withConfirmations([message], this.confirmations)[0] ?? message) : message;
    });
  }
}
