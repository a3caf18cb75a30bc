// One open conversation: its history, the running answer, its confirmations and its calls, kept up to date by events.
import { computed, signal } from '@preact/signals';
import { AileronError, type Chat, type ChatSnapshot, type Confirmation, type Conversation, type DataChunk, isToolPart, type ServerEvent, type UIMessage, withConfirmations } from '@aileron/client';
import { aileron } from '../../../api';
import { me } from '../../../app/session';
import { CallFactsTable } from './call-facts';
import { History } from './history';
import { conversations } from './list';
import { Questions } from './questions';
import { lastTurn, turnsOf, withVoiceTurns } from './turns';
import type { VoiceSession } from './voice-session';

/** Events of an answer that was asked for here may arrive this long after its stream has ended. */
const OWN_EVENTS_MS = 1500;

/** How far back a link to a turn loads by itself. */
const MAX_PAGES = 60;

export type Phase = { is: 'new' } | { is: 'loading' } | { is: 'ready' } | { is: 'missing' } | { is: 'failed'; error: unknown };
export type Older = 'none' | 'more' | 'loading' | 'failed';

export class OpenConversation {
  readonly chat: Chat;
  readonly phase = signal<Phase>({ is: 'new' });
  readonly info = signal<Conversation | undefined>(undefined);
  readonly snapshot: { value: ChatSnapshot; peek(): ChatSnapshot };
  readonly older = signal<Older>('none');
  /** How many messages were put before the first ones that were loaded. */
  readonly prepended = signal(0);
  readonly facts = new CallFactsTable();
  readonly questions: Questions;
  /** A tool asked to continue by voice. */
  readonly voiceWanted = signal(false);
  /** Why the last request of the person was not carried out, in words. */
  readonly note = signal<string | undefined>(undefined);
  /** Text that was typed and not sent. */
  readonly draft = signal('');
  /** The voice session of this tab, from its start until it is dismissed. */
  readonly voice = signal<VoiceSession | undefined>(undefined);
  /** Everything that is shown: what was written and stored, and the words of the voice session. */
  readonly messages = computed(() => {
    const spoken = this.voice.value?.snapshot.value.messages ?? [];
    return spoken.length === 0 ? this.snapshot.value.messages : [...this.snapshot.value.messages, ...spoken];
  });
  readonly turns = computed(() => {
    const voice = this.voice.value;
    const sent = voice ? withVoiceTurns(voice.snapshot.value.messages, voice.turnBefore, this.sent.value) : this.sent.value;
    return turnsOf(this.messages.value, sent);
  });
  readonly busy = computed(() => this.snapshot.value.status === 'submitted' || this.snapshot.value.status === 'streaming');

  private readonly sent = signal<ReadonlyMap<string, number>>(new Map());
  private readonly history: History;
  private loading: Promise<void> | undefined;
  /** The answer that is read was asked for elsewhere. */
  private following: 'no' | 'waiting' | 'followed' = 'no';
  /** When the last answer that was asked for here was complete. */
  private ownEndedAt = 0;
  private confirmations: Confirmation[] = [];

  constructor(readonly id: string) {
    const snapshot = signal<ChatSnapshot>({ status: 'ready', messages: [] });
    this.snapshot = snapshot;
    this.history = new History(id);
    this.questions = new Questions(id);
    this.chat = aileron.chat({ id, onChange: (next) => (snapshot.value = next), onData: (chunk) => this.onData(chunk), onFinish: () => this.onFinish() });
  }

  /** Nobody else's conversation: only its person writes in it and answers its confirmations. */
  get mine(): boolean {
    const owner = this.info.value?.user ?? conversations.value.find((conversation) => conversation.id === this.id)?.user;
    return owner === undefined || owner === (me.value?.user ?? null);
  }

  /** Loads the conversation once; later calls wait for the same load. */
  load(): Promise<void> {
    this.loading ??= this.loadAll();
    return this.loading;
  }

  async reload(): Promise<void> {
    this.loading = this.loadAll();
    await this.loading;
  }

  private async loadAll(): Promise<void> {
    if (this.phase.peek().is !== 'ready') this.phase.value = { is: 'loading' };
    try {
      this.info.value = await aileron.conversation(this.id);
      await this.loadTail();
      this.phase.value = { is: 'ready' };
      if (!this.busy.peek()) await this.follow();
    } catch (error) {
      const missing = error instanceof AileronError && error.status === 404;
      if (this.phase.peek().is !== 'ready') this.phase.value = missing ? { is: 'missing' } : { is: 'failed', error };
    }
  }

  /** Replaces what is shown by the stored history. */
  private async loadTail(): Promise<void> {
    const [page, confirmations] = await Promise.all([this.history.loadNewest(), this.questions.load().catch(() => [])]);
    this.confirmations = confirmations;
    this.facts.fromHistory(page);
    this.showHistory();
  }

  private showHistory(): void {
    this.chat.setMessages(this.storedMessages());
    this.older.value = this.history.before === undefined ? 'none' : 'more';
  }

  /** Only calls that wait for the person are completed, so that all other messages keep their identity. */
  private storedMessages(): UIMessage[] {
    const waits = (message: UIMessage) => message.parts.some((part) => isToolPart(part) && part.state === 'approval-requested');
    return this.history.messages.map((message) => (waits(message) ? (withConfirmations([message], this.confirmations)[0] ?? message) : message));
  }

  async loadOlder(): Promise<void> {
    if (this.older.peek() !== 'more' && this.older.peek() !== 'failed') return;
    this.older.value = 'loading';
    try {
      const stored = this.history.messages.length;
      this.facts.fromHistory(await this.history.loadOlder());
      const live = this.chat.snapshot.messages.slice(stored);
      const messages = this.storedMessages();
      this.prepended.value += messages.length - stored;
      this.chat.setMessages([...messages, ...live]);
      this.older.value = this.history.before === undefined ? 'none' : 'more';
    } catch {
      this.older.value = 'failed';
    }
  }

  /** Loads older messages until those of a turn are there, as a link to that turn needs. */
  async loadUntil(turn: number): Promise<void> {
    for (let pages = 0; pages < MAX_PAGES && this.older.peek() === 'more'; pages += 1) {
      if ((this.turns.peek().get(this.messages.peek()[0]?.id ?? '') ?? 0) < turn) return;
      await this.loadOlder();
    }
  }

  /** Sends a message of the person: into the voice session if it is live, else as chat, moved to text if it is held in voice. */
  async send(text: string): Promise<void> {
    this.note.value = undefined;
    if (this.voice.peek()?.write(text)) return;
    if (this.info.peek()?.mode === 'voice') this.info.value = await aileron.moveConversation(this.id, 'text');
    const turn = lastTurn(this.chat.snapshot.messages, this.sent.peek(), this.info.peek()?.turn ?? 0) + 1;
    if (this.phase.peek().is === 'new') {
      this.phase.value = { is: 'ready' };
      this.loading = Promise.resolve();
    }
    const done = this.chat.send(text);
    this.expectTurn(turn);
    await done;
  }

  async regenerate(): Promise<void> {
    this.note.value = undefined;
    const turn = lastTurn(this.chat.snapshot.messages, this.sent.peek(), this.info.peek()?.turn ?? 0) + 1;
    const done = this.chat.regenerate();
    this.expectTurn(turn);
    await done;
    if (this.chat.snapshot.error?.code === 'ALREADY_DONE') {
      this.chat.clearError();
      this.note.value = 'It cannot be answered again: an action of this turn has been carried out.';
    }
    // The answer before is retracted in the history, of which this page may have loaded more.
    if (this.chat.snapshot.status === 'ready') await this.reload();
  }

  /** Tries the last message again after a failure: stored messages are answered again, others are sent again. */
  async retry(): Promise<void> {
    const last = this.chat.snapshot.messages.findLast((message) => message.role === 'user');
    const text = last?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    this.chat.clearError();
    const page = await aileron.messages(this.id, { limit: 20 }).catch(() => undefined);
    const stored = page?.messages.findLast((entry) => entry.from === 'person');
    if (stored?.from === 'person' && stored.text === text) return this.regenerate();
    if (last === undefined || text === undefined) return;
    this.chat.setMessages(this.chat.snapshot.messages.filter((message) => message !== last));
    await this.send(text);
  }

  stop(): void {
    void this.chat.stop();
  }

  /** Sends the person's answer to a confirmation; the answer of the model goes on in the thread. */
  async answer(id: string, approve: boolean): Promise<void> {
    const question = this.questions.byId.peek().get(id);
    if (!question?.token) return;
    this.questions.answering(id, true);
    const inThread = this.chat.snapshot.messages.some((message) => message.parts.some((part) => isToolPart(part) && part.approval?.id === question.token));
    if (this.voice.peek()?.confirm(question.token, approve)) return;
    try {
      if (inThread && this.info.peek()?.mode !== 'voice') await this.chat.answer(question.token, approve);
      else await aileron.answerConfirmation({ conversationId: this.id, token: question.token }, approve);
      if (this.chat.snapshot.error) throw this.chat.snapshot.error;
      this.questions.close(question.id, approve ? 'approved' : 'declined', { here: true });
    } catch (error) {
      this.questions.answering(id, false);
      const decision = error instanceof AileronError ? error.details.decision : undefined;
      if (typeof decision === 'string') this.questions.close(question.id, decision, { here: false });
      await this.questions.load().catch(() => undefined);
    }
  }

  /** Takes over what the server answered when it created the conversation. */
  adopt(info: Conversation): void {
    this.info.value = info;
    this.phase.value = { is: 'ready' };
    this.loading = Promise.resolve();
  }

  private expectTurn(turn: number): void {
    const last = this.chat.snapshot.messages.findLast((message) => message.role === 'user');
    if (last) this.sent.value = new Map(this.sent.peek()).set(last.id, turn);
  }

  async loadInfo(): Promise<void> {
    this.info.value = await aileron.conversation(this.id).catch(() => this.info.peek());
  }

  /** Reads an answer that is running at the server, begun before this page was opened or by another one; then what was stored of it. */
  private async follow(): Promise<void> {
    this.following = 'waiting';
    await this.chat.resume();
    const followed = this.takeFollowed();
    if (this.chat.snapshot.status === 'error') this.chat.clearError();
    if (followed) await this.loadTail();
  }

  private takeFollowed(): boolean {
    const followed = this.following === 'followed';
    this.following = 'no';
    return followed;
  }

  private onFinish(): void {
    if (this.following === 'no') this.ownEndedAt = Date.now();
    else this.following = 'followed';
    void this.loadInfo();
  }

  private onData(chunk: DataChunk): void {
    this.facts.fromChunk(chunk);
    const data = (chunk.data ?? {}) as Record<string, unknown>;
    if (chunk.type === 'data-confirmation' && chunk.id) {
      this.questions.ask({ ...(data as { token: string; tool: string; args: unknown; preview: string; expires: number }), callId: chunk.id });
    }
    if (chunk.type === 'data-effect' && data.effect === 'start_voice') this.voiceWanted.value = true;
    if (chunk.type === 'data-effect' && data.effect === 'block_user' && typeof data.until === 'number') {
      me.value = me.value && { ...me.value, blockedUntil: data.until };
    }
  }

  /** An approved call runs under an id of its own; its line is that of the call that asked. */
  private withAskingCall(event: ServerEvent): ServerEvent {
    if (!('callId' in event) || !event.callId.startsWith('confirmed-')) return event;
    const asking = this.questions.byId.peek().get(event.callId.slice('confirmed-'.length))?.callId;
    return asking === undefined ? event : { ...event, callId: asking };
  }

  /** Events of this conversation, also of what other tabs, devices and clients do in it. */
  onEvent(event: ServerEvent): void {
    this.facts.fromEvent(this.withAskingCall(event));
    const justEnded = Date.now() - this.ownEndedAt < OWN_EVENTS_MS;
    const failed = this.chat.snapshot.status === 'error';
    const own = this.busy.peek() || failed || justEnded || this.phase.peek().is !== 'ready' || this.voice.peek()?.isLive === true;
    switch (event.type) {
      case 'turn_began':
        if (this.busy.peek() && this.following === 'no' && event.turn !== undefined) this.expectTurn(event.turn);
        else if (!own) void this.reload();
        break;
      case 'turn_ended':
        if (!own) void this.reload();
        break;
      case 'confirmation_requested':
        if (!own) void this.questions.load();
        break;
      case 'confirmation_closed':
        this.questions.close(event.id, event.how, { here: false, channel: event.channel, by: event.by });
        break;
      case 'conversation_moved':
      case 'conversation_ended':
        void this.loadInfo();
        break;
      case 'reset':
        if (!own) void this.reload();
        break;
      default:
    }
  }
}
