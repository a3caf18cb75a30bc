// The confirmations of one conversation: what is asked, and how each was answered, here or elsewhere.
import { signal } from '@preact/signals';
import type { Confirmation, ConfirmationState, DecisionChannel, ServerEvent } from '@aileron/client';
import { aileron } from '../../../api';

export interface Question {
  id: string;
  token?: string;
  /** The call that waits; a voice session does not say it. */
  callId?: string;
  toolId: string;
  args: unknown;
  preview: string;
  expires: number;
  state: ConfirmationState;
  /** This page sent the answer and waits for the result. */
  answering?: boolean;
  decidedBy?: { here: boolean; channel?: DecisionChannel; by?: string | null };
  mine: boolean;
}

/** The id of a confirmation is the part of its token before the signature. */
export function idOfToken(token: string): string {
  return token.split('.')[0] ?? token;
}

const CONFIRMED = 'confirmed-';
const FINAL: readonly string[] = ['approved', 'declined', 'expired', 'superseded'];

export class Questions {
  readonly byId = signal<ReadonlyMap<string, Question>>(new Map());

  constructor(private readonly conversationId: string) {}

  ofCall(callId: string): Question | undefined {
    return [...this.byId.value.values()].findLast((question) => question.callId === callId);
  }

  /** Loads what the server knows. Answers that were given here keep their mark. */
  async load(): Promise<Confirmation[]> {
    const query = { conversation: this.conversationId, limit: 100 };
    const [open, decided] = await Promise.all([
      aileron.confirmations({ ...query, state: 'open' }),
      aileron.confirmations({ ...query, state: 'decided' }),
    ]);
    const all = [...decided.confirmations, ...open.confirmations];
    for (const confirmation of all) this.add(confirmation);
    return all;
  }

  private add(confirmation: Confirmation): void {
    const { id, token, callId, toolId, args, preview, expires, state, mine, decision } = confirmation;
    const before = this.byId.peek().get(id);
    const decidedBy = before?.decidedBy ?? (decision && { here: false, channel: decision.channel, by: decision.by });
    this.set({ id, token: token ?? before?.token, callId, toolId, args, preview, expires, state, mine, decidedBy });
  }

  /** A question that arrived with the stream or the voice session. */
  ask(question: { token: string; tool: string; args: unknown; preview: string; expires: number; callId?: string }): void {
    const { token, tool: toolId, args, preview, expires } = question;
    const id = idOfToken(token);
    const known = this.byId.peek().get(id);
    if (known && known.state !== 'open') return;
    this.set({ ...known, id, token, callId: question.callId ?? known?.callId, toolId, args, preview, expires, state: 'open', mine: true });
  }

  /** The same from the data of a stream, which may have any shape. */
  askFrom(data: Record<string, unknown>, callId: string): void {
    const { token, tool, args, preview, expires } = data;
    if (typeof token !== 'string' || typeof tool !== 'string' || typeof expires !== 'number') return;
    this.ask({ token, tool, args, preview: typeof preview === 'string' ? preview : '', expires, callId });
  }

  /** An approved call runs under an id of its own; its events are those of the call that asked. */
  ofAskingCall(event: ServerEvent): ServerEvent {
    if (!('callId' in event) || !event.callId.startsWith(CONFIRMED)) return event;
    const callId = this.byId.peek().get(event.callId.slice(CONFIRMED.length))?.callId;
    return callId === undefined ? event : { ...event, callId };
  }

  answering(id: string, answering: boolean): void {
    const question = this.byId.peek().get(id);
    if (question) this.set({ ...question, answering });
  }

  /** Closed by an event, an answer or the clock. An answer that was sent from here stays marked so. */
  close(id: string, how: string, by?: Question['decidedBy']): void {
    if (!FINAL.includes(how)) return;
    const question = this.byId.peek().get(id);
    if (!question || (question.state !== 'open' && question.state !== how)) return;
    const here = question.decidedBy?.here || question.answering || by?.here || false;
    this.set({ ...question, state: how as ConfirmationState, answering: false, decidedBy: { ...by, here } });
  }

  private set(question: Question): void {
    this.byId.value = new Map(this.byId.peek()).set(question.id, question);
  }
}
