// One voice session of an open conversation: starts and leaves it, and keeps the conversation's mode in step.
import { type Signal, signal } from '@preact/signals';
import { dataOf } from '@aileron/client';
import type { AudioLevels, Voice, VoiceSnapshot } from '@aileron/client/voice';
import { aileron } from '../../../api';
import { me } from '../../../app/session';
import type { OpenConversation } from './conversation';
import { idOfToken } from './questions';

const DEVICE_KEY = 'aileron.microphone';
/** The last words are stored a moment after the session ends. */
const STORED_MS = 400;

export class VoiceSession {
  readonly snapshot: Signal<VoiceSnapshot>;
  readonly turnBefore: number;
  private readonly levels = new Set<(levels: AudioLevels) => void>();
  private leaving = false;

  private constructor(
    private readonly conversation: OpenConversation,
    private readonly voice: Voice,
  ) {
    this.snapshot = signal(voice.snapshot);
    this.turnBefore = conversation.info.peek()?.turn ?? 0;
    voice.subscribe(() => {
      this.snapshot.value = voice.snapshot;
      this.onChange(voice.snapshot);
    });
  }

  /** Turns the conversation into voice. Called from a click, because browsers open sound only then. */
  static async start(conversation: OpenConversation): Promise<void> {
    conversation.voiceOfferClosed.value = true;
    const { Voice } = await import('@aileron/client/voice');
    const before = conversation.voice.peek();
    if (before && !before.isOver) return;
    let session: VoiceSession | undefined;
    const voice = new Voice(aileron, {
      conversationId: conversation.id,
      deviceId: storedDevice(),
      onLevels: (levels) => session?.levels.forEach((listen) => listen(levels)),
    });
    session = new VoiceSession(conversation, voice);
    conversation.voice.value = session;
    await session.moveTo('voice');
    await voice.start();
  }

  get isLive(): boolean {
    return this.snapshot.peek().state.is === 'live';
  }

  get isOver(): boolean {
    return this.snapshot.peek().state.is === 'ended';
  }

  /** Back to text. The mode is changed first: `stop` would end a conversation that began in voice. */
  async leave(): Promise<void> {
    this.leaving = true;
    await this.moveTo('text');
    this.voice.stop();
  }

  /** The person chose to go on in text after the session ended, or to try again. */
  dismiss(): void {
    if (this.conversation.voice.peek() === this) this.conversation.voice.value = undefined;
  }

  /** The session that took this one over has ended, so there is nothing to take back. */
  endedElsewhere(): void {
    const { state } = this.snapshot.peek();
    if (state.is === 'ended' && state.end.code === 'taken_over') this.dismiss();
  }

  /** Returns whether the session took the text. */
  write(text: string): boolean {
    return this.isLive && this.voice.write(text);
  }

  /** Returns whether the session took the answer; its result comes as a message. */
  confirm(token: string, approve: boolean): boolean {
    return this.isLive && this.voice.confirm(token, approve);
  }

  interrupt(): void {
    this.voice.interrupt();
  }

  setMuted(muted: boolean): void {
    this.voice.setMuted(muted);
  }

  retry(): void {
    this.voice.retry();
  }

  async setDevice(deviceId: string): Promise<void> {
    try {
      localStorage.setItem(DEVICE_KEY, deviceId);
    } catch {
      // Storage is blocked: the choice holds for this session.
    }
    await this.voice.setDevice(deviceId);
  }

  onLevels(listen: (levels: AudioLevels) => void): () => void {
    this.levels.add(listen);
    return () => this.levels.delete(listen);
  }

  /** The conversation does not exist yet: the microphone could not be opened, so nothing was created. */
  private get isUnborn(): boolean {
    return this.conversation.phase.peek().is === 'new';
  }

  private async moveTo(mode: 'text' | 'voice'): Promise<void> {
    if (this.isUnborn) return;
    const info = this.conversation.info.peek();
    if (info?.mode === mode || (mode === 'voice' && info?.voice === 'requested')) return;
    try {
      this.conversation.info.value = { ...info, ...(await aileron.moveConversation(this.conversation.id, mode)) };
    } catch {
      // The session says why it cannot begin; leaving it needs no answer of the server.
    }
  }

  private onChange(snapshot: VoiceSnapshot): void {
    this.noteQuestions(snapshot);
    if (snapshot.state.is === 'ended') void this.ended(snapshot.state.end);
  }

  private noteQuestions(snapshot: VoiceSnapshot): void {
    for (const message of snapshot.messages) {
      for (const part of message.parts) {
        const asked = dataOf(part, 'confirmation');
        if (!asked) continue;
        this.conversation.questions.ask(asked);
        const closed = (asked as { closed?: unknown }).closed;
        if (typeof closed === 'string') this.conversation.questions.close(idOfToken(asked.token), closed);
      }
    }
  }

  private async ended(end: { code: string; until?: number }): Promise<void> {
    if (end.code === 'blocked' && end.until !== undefined) me.value = me.value && { ...me.value, blockedUntil: end.until };
    if (this.isUnborn) return;
    await this.conversation.loadInfo();
    if (end.code !== 'taken_over') await this.moveTo('text');
    await new Promise((resolve) => setTimeout(resolve, STORED_MS));
    await this.conversation.reload();
    this.forgetWords();
    if (this.leaving || (end.code === 'ended' && this.conversation.info.peek()?.state.is === 'active')) this.dismiss();
  }

  /** The stored history has replaced the words of the session. */
  private forgetWords(): void {
    this.snapshot.value = { ...this.snapshot.peek(), messages: [] };
  }
}

function storedDevice(): string | undefined {
  try {
    return localStorage.getItem(DEVICE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
