// One open conversation: its thread, its confirmations, its calls and its voice session, kept up to date by events.
import { computed, signal } from '@preact/signals';
import { AileronError, type Conversation, type DataChunk, isToolPart, type ServerEvent } from '@aileron/client';
import { aileron } from '../../../api';
import { me } from '../../../app/session';
import { faultOf } from '../../../ui/fault';
import { CallFactsTable } from './call-facts';
import { conversations } from './list';
import { OwnTurns } from './own-turns';
import { type Question, Questions } from './questions';
import { ThreadSource } from './thread-source';
import { lastTurn, turnsOf, withVoiceTurns } from './turns';
import type { VoiceSession } from './voice-session';

/** A link to a turn loads this many pages at once, and goes back so many times by itself. */
const PAGES_AT_ONCE = 8;
const MAX_STEPS = 20;

export type Phase = { is: 'new' } | { is: 'loading' } | { is: 'ready' } | { is: 'missing' } | { is: 'failed'; error: unknown };

export class OpenConversation {
  readonly phase = signal<Phase>({ is: 'new' });
  readonly info = signal<Conversation | undefined>(undefined);
  readonly facts = new CallFactsTable();
  readonly questions: Questions;
  readonly thread: ThreadSource;
  /** The person declined to continue by voice, or began to, since a tool asked for it. */
  readonly voiceOfferClosed = signal(false);
  /** Why the last request of the person was not carried out, in words. */
  readonly note = signal<string | undefined>(undefined);
  /** Text that was typed and not sent. */
  readonly draft = signal('');
  /** The voice session of this tab, from its start until it is dismissed. */
  readonly voice = signal<VoiceSession | undefined>(undefined);
  /** Everything that is shown: what was written and stored, and the words of the voice session. */
  readonly messages = computed(() => {
    const { messages } = this.thread.snapshot.value;
    const spoken = this.voice.value?.snapshot.value.messages ?? [];
    return spoken.length === 0 ? messages : [...messages, ...spoken];
  });
  readonly turns = computed(() => {
    const voice = this.voice.value;
    const sent = this.sent.value;
    return turnsOf(this.messages.value, voice ? withVoiceTurns(voice.snapshot.value.messages, voice.turnBefore, sent) : sent);
  });

  private readonly sent = signal<ReadonlyMap<string, number>>(new Map());
  private readonly own = new OwnTurns();
  private loading: Promise<void> | undefined;
  /** A task has ended and the model may not have its result. */
  private hasResult = false;

  constructor(readonly id: string) {
    this.questions = new Questions(id);
    const { facts, questions } = this;
    this.thread = new ThreadSource({ id, facts, questions, onData: (chunk) => this.onData(chunk), onFinish: () => void this.onFinished() });
  }

  get busy(): boolean {
    return this.thread.busy.value;
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

  reload(): Promise<void> {
    this.loading = this.loadAll();
    return this.loading;
  }

  private async loadAll(): Promise<void> {
    if (this.phase.peek().is !== 'ready') this.phase.value = { is: 'loading' };
    try {
      this.info.value = await aileron.conversation(this.id);
      while (!(await this.thread.loadTail())) {
        // The answer that is being written here stays; what was loaded is loaded again after it.
        if (this.thread.isOwn) {
          this.own.miss();
          break;
        }
      }
      this.phase.value = { is: 'ready' };
      if (this.mine && !(await this.thread.follow())) this.own.miss();
    } catch (error) {
      const missing = error instanceof AileronError && error.status === 404;
      if (this.phase.peek().is !== 'ready') this.phase.value = missing ? { is: 'missing' } : { is: 'failed', error };
    }
  }

  async loadInfo(): Promise<void> {
    this.info.value = await aileron.conversation(this.id).catch(() => this.info.peek());
  }

  /** Loads older messages until those of a turn are there, as a link to that turn needs. */
  async loadUntil(turn: number): Promise<void> {
    for (let step = 0; step < MAX_STEPS && this.thread.older.peek() === 'more'; step += 1) {
      const first = this.messages.peek()[0];
      if (first && (this.turns.peek().get(first.id) ?? 0) < turn) return;
      await this.thread.loadOlder(PAGES_AT_ONCE);
    }
  }

  /** Takes over what the server answered when it created the conversation. */
  adopt(info?: Conversation): void {
    this.info.value = info;
    this.phase.value = { is: 'ready' };
    this.loading = Promise.resolve();
  }

  /** Sends a message of the person: into the voice session if it is live, else as chat, moved to text if it is held in voice. */
  async send(text: string): Promise<void> {
    this.note.value = undefined;
    if (this.voice.peek()?.write(text)) return;
    try {
      if (this.info.peek()?.mode === 'voice') this.info.value = await aileron.moveConversation(this.id, 'text');
    } catch (error) {
      this.draft.value = text;
      return this.refuse(error);
    }
    if (this.phase.peek().is === 'new') this.adopt();
    await this.asNextTurn(() => this.thread.chat.send(text));
  }

  async regenerate(): Promise<void> {
    this.note.value = undefined;
    await this.asNextTurn(() => this.thread.chat.regenerate()).catch((error: unknown) => this.refuse(error));
    const { error } = this.thread.chat.snapshot;
    if (error?.code === 'ALREADY_DONE') this.refuse(error);
    // The answer before is retracted in the history, of which this page may have loaded more.
    if (this.thread.chat.snapshot.status === 'ready') await this.reload();
  }

  /** Tries the last message again after a failure: stored messages are answered again, others are sent again. */
  async retry(): Promise<void> {
    const { chat } = this.thread;
    const last = chat.snapshot.messages.findLast((message) => message.role === 'user');
    const text = last?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    chat.clearError();
    const page = await aileron.messages(this.id, { limit: 20 }).catch(() => undefined);
    const stored = page?.messages.findLast((entry) => entry.from === 'person');
    if (last && stored && (stored.id === last.id || stored.number === last.metadata?.number)) return this.regenerate();
    if (last === undefined || text === undefined) return;
    chat.setMessages(chat.snapshot.messages.filter((message) => message !== last));
    await this.send(text);
  }

  stop(): void {
    void this.thread.chat.stop();
  }

  /** Sends the person's answer to a confirmation; the answer of the model goes on in the thread. */
  async answer(id: string, approve: boolean): Promise<void> {
    const question = this.questions.byId.peek().get(id);
    if (!question?.token) return;
    this.note.value = undefined;
    this.questions.answering(id, true);
    if (this.voice.peek()?.confirm(question.token, approve)) return;
    try {
      await this.sendAnswer(question, question.token, approve);
      this.questions.close(id, approve ? 'approved' : 'declined', { here: true });
    } catch (error) {
      this.questions.answering(id, false);
      this.refuse(error);
      const decision = error instanceof AileronError ? error.details.decision : undefined;
      if (typeof decision === 'string') this.questions.close(id, decision, { here: false });
      await this.questions.load().catch(() => undefined);
    }
  }

  private async sendAnswer(question: Question, token: string, approve: boolean): Promise<void> {
    const { chat } = this.thread;
    const asks = chat.snapshot.messages.some(({ parts }) => parts.some((part) => isToolPart(part) && part.approval?.id === token));
    if (!asks || this.info.peek()?.mode === 'voice') {
      await aileron.answerConfirmation({ conversationId: this.id, token }, approve);
      return;
    }
    await this.asOwn(() => chat.answer(token, approve));
    if (chat.snapshot.error && this.questions.byId.peek().get(question.id)?.state === 'open') throw chat.snapshot.error;
  }

  /** Asks the server to stop a task; its end comes as an event. */
  async cancelTask(id: string): Promise<void> {
    this.note.value = undefined;
    await aileron.cancelTask(id).catch((error: unknown) => this.refuse(error));
  }

  private async onFinished(): Promise<void> {
    await this.loadInfo();
    await this.followUp();
  }

  /** Lets the model continue with the results of tasks, once no answer is being written. The server says whether there are any. */
  private async followUp(): Promise<void> {
    const isHere = this.mine && this.info.peek()?.mode === 'text' && this.phase.peek().is === 'ready';
    if (!this.hasResult || !isHere || this.thread.busy.peek()) return;
    this.hasResult = false;
    await this.asOwn(() => this.thread.chat.followUp());
  }

  /** Says why a request of the person was not carried out, and what to do. */
  refuse(error: unknown): void {
    const { message, advice } = faultOf(error);
    this.thread.chat.clearError();
    this.note.value = advice ? `${message} ${advice}` : message;
  }

  /** Runs a request that begins the next turn, and expects its number until an event reports it. */
  private async asNextTurn(request: () => Promise<void>): Promise<void> {
    const turn = lastTurn(this.messages.peek(), this.sent.peek(), this.info.peek()?.turn ?? 0) + 1;
    await this.asOwn(() => {
      const done = request();
      this.expectTurn(turn);
      return done;
    }, turn);
  }

  /** Runs a request of this tab. Messages of other tabs are not shown meanwhile, so that nothing moves, and are loaded after it. */
  private async asOwn(request: () => Promise<void>, turn?: number): Promise<void> {
    this.own.begin(turn);
    try {
      await this.thread.asOwn(request);
    } finally {
      const { error } = this.thread.chat.snapshot;
      if (error) this.forgetTurn();
      if (this.own.end(error ? 'failed' : 'done') || error?.code === 'BUSY') void this.reload();
    }
  }

  /** A message that failed has no turn until it is tried again. */
  private forgetTurn(): void {
    const last = this.thread.chat.snapshot.messages.findLast((message) => message.role === 'user');
    if (!last) return;
    const sent = new Map(this.sent.peek());
    sent.delete(last.id);
    this.sent.value = sent;
  }

  private expectTurn(turn: number): void {
    const last = this.thread.chat.snapshot.messages.findLast((message) => message.role === 'user');
    if (last) this.sent.value = new Map(this.sent.peek()).set(last.id, turn);
  }

  private onData(chunk: DataChunk): void {
    this.facts.fromChunk(chunk);
    const data = (chunk.data ?? {}) as Record<string, unknown>;
    if (chunk.type === 'data-confirmation' && chunk.id) this.questions.askFrom(data, chunk.id);
    if (chunk.type === 'data-effect' && data.effect === 'start_voice') {
      this.voiceOfferClosed.value = false;
      void this.loadInfo();
    }
    if (chunk.type === 'data-effect' && data.effect === 'block_user' && typeof data.until === 'number') {
      me.value = me.value && { ...me.value, blockedUntil: data.until };
    }
  }

  /** Events of this conversation, also of what other tabs, devices and clients do in it. */
  onEvent(event: ServerEvent): void {
    this.facts.fromEvent(this.questions.ofAskingCall(event));
    // A voice session shows its own words until it is over, also while it reconnects; the stored ones would be shown beside them.
    const held = this.phase.peek().is !== 'ready' || this.voice.peek()?.isOver === false;
    switch (event.type) {
      case 'turn_began':
      case 'turn_ended':
        if (!held) this.onTurn(event);
        break;
      case 'reset':
        if (this.thread.isOwn) this.own.miss();
        else if (!held) void this.reload();
        break;
      case 'task_ended':
        this.hasResult = true;
        if (!held) void this.followUp();
        break;
      case 'confirmation_requested':
        if (!held && !this.thread.isOwn) void this.questions.load();
        break;
      case 'confirmation_closed':
        this.questions.close(event.id, event.how, { here: false, channel: event.channel, by: event.by });
        break;
      case 'conversation_moved':
      case 'conversation_ended':
        if (event.type === 'conversation_ended' || event.mode === 'text') this.voice.peek()?.endedElsewhere();
        void this.loadInfo();
        break;
      default:
    }
  }

  private onTurn(event: Extract<ServerEvent, { type: 'turn_began' | 'turn_ended' }>): void {
    const own = event.turn !== undefined && this.own.isOwn(event.turn);
    if (this.thread.isOwn) {
      if (own && event.type === 'turn_began' && event.turn !== undefined) this.expectTurn(event.turn);
    } else if (!own) void this.reload();
  }
}
