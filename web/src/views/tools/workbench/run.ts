// One attempt of a call from the workbench: through all policies for real, or dry. Calls of one mode share a conversation,
// so that a draft made by one tool can be committed by the next.
import { AileronError, type DryRunCall, type Envelope, type Mode, newId, type TrailStep } from '@aileron/client';
import { aileron } from '../../../api';
import type { Json } from '../../../schema-form/json';

export interface Attempt {
  how: 'run' | 'dry';
  mode: Mode;
  args: Json;
  trail: readonly TrailStep[];
  /** The decision of a dry run. */
  dry?: DryRunCall;
  /** The answer of a real one. */
  response?: Envelope;
  place?: Place;
}

export interface Place {
  conversationId: string;
  turn: number;
  callId: string;
}

/** Codes that mean the shared conversation can no longer be used. */
const GONE = new Set(['NOT_FOUND', 'REGISTRY_GONE', 'ENDED', 'OTHER_MODE']);

const conversations = new Map<Mode, string>();

export async function runDry(toolId: string, args: Json, mode: Mode): Promise<Attempt> {
  const conversationId = conversations.get(mode);
  const ask = (id: string | undefined) =>
    aileron.dryRun({ mode, calls: [{ toolId, args }], ...(id === undefined ? {} : { conversationId: id }) });
  const answer = await ask(conversationId).catch((error: unknown) => {
    if (conversationId === undefined || !isGone(error)) throw error;
    conversations.delete(mode);
    return ask(undefined);
  });
  const call = answer.calls[0];
  if (call === undefined) throw new AileronError('EMPTY_ANSWER', 'the server decided about no call');
  return { how: 'dry', mode, args, trail: call.trail, dry: call };
}

export async function run(toolId: string, args: Json, mode: Mode): Promise<Attempt> {
  try {
    return await runIn(await conversationFor(mode), toolId, args, mode);
  } catch (error) {
    if (!isGone(error)) throw error;
    conversations.delete(mode);
    return runIn(await conversationFor(mode), toolId, args, mode);
  }
}

async function conversationFor(mode: Mode): Promise<string> {
  const known = conversations.get(mode);
  if (known !== undefined) return known;
  const { id } = await aileron.beginConversation({ mode });
  conversations.set(mode, id);
  return id;
}

async function runIn(conversationId: string, toolId: string, args: Json, mode: Mode): Promise<Attempt> {
  const { turn } = await aileron.beginTurn(conversationId, { input: 'written' });
  const callId = `page-${newId()}`;
  const { answers } = await aileron.calls(conversationId, { calls: [{ callId, toolId, args }] });
  const response = answers[0]?.response;
  if (response === undefined) throw new AileronError('EMPTY_ANSWER', 'the server answered no call');
  const place = { conversationId, turn, callId };
  return { how: 'run', mode, args, response, place, trail: await trailOf(place) };
}

/** The policies that a call met. Without them the answer is still worth showing. */
async function trailOf({ conversationId, turn, callId }: Place): Promise<readonly TrailStep[]> {
  try {
    const record = await aileron.turn(conversationId, turn);
    return record.calls.find((call) => call.callId === callId)?.trail ?? [];
  } catch {
    return [];
  }
}

/** Answers the confirmation of an attempt; the result takes the place of its answer. */
export async function answerAttempt(attempt: Attempt, approve: boolean): Promise<Attempt> {
  const token = attempt.response?.error?.confirmation_request?.token;
  if (attempt.place === undefined || token === undefined) return attempt;
  const decision = await aileron.answerConfirmation({ conversationId: attempt.place.conversationId, token }, approve);
  const response = 'answers' in decision ? decision.answers[0]?.response : undefined;
  return response === undefined ? attempt : { ...attempt, response };
}

function isGone(error: unknown): boolean {
  return error instanceof AileronError && GONE.has(error.code);
}
