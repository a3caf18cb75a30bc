// Questions: asked here, answered here or elsewhere, closed once.
import type { ServerEvent } from '@aileron/client';
import { expect, it } from 'vitest';
import { Questions } from './questions';

const ASKED = { token: 'abc.signature', tool: 'create', args: { a: 1 }, preview: 'Create this: x', expires: 1000, callId: 'call-1' };
const asked = (): Questions => {
  const questions = new Questions('c');
  questions.ask(ASKED);
  return questions;
};

it('a question is known by the part of its token before the signature, and by its call', () => {
  expect(asked().byId.value.get('abc')).toMatchObject({ state: 'open', toolId: 'create', mine: true });
  expect(asked().ofCall('call-1')?.id).toBe('abc');
});

it('an answer that was sent from here is marked so when the event arrives', () => {
  const questions = asked();
  questions.answering('abc', true);
  questions.close('abc', 'approved', { here: false, channel: 'click' });
  expect(questions.byId.value.get('abc')).toMatchObject({ state: 'approved', answering: false, decidedBy: { here: true } });
});

it('an answer from another tab is marked as such', () => {
  const questions = asked();
  questions.close('abc', 'declined', { here: false, channel: 'click', by: 'ada' });
  expect(questions.byId.value.get('abc')).toMatchObject({ state: 'declined', decidedBy: { here: false, by: 'ada' } });
});

it('a closed question stays closed', () => {
  const questions = asked();
  questions.close('abc', 'declined');
  questions.close('abc', 'approved');
  questions.ask(ASKED);
  expect(questions.byId.value.get('abc')?.state).toBe('declined');
});

it('an unknown way of closing changes nothing', () => {
  const questions = asked();
  questions.close('abc', 'something');
  expect(questions.byId.value.get('abc')?.state).toBe('open');
});

it('events of an approved call are those of the call that asked', () => {
  const event: ServerEvent = { type: 'call_started', time: 0, callId: 'confirmed-abc', toolId: 'create' };
  expect(asked().ofAskingCall(event)).toMatchObject({ callId: 'call-1' });
  expect(asked().ofAskingCall({ ...event, callId: 'other' })).toMatchObject({ callId: 'other' });
});

it('data of any other shape is no question', () => {
  const questions = new Questions('c');
  questions.askFrom({ token: 7 }, 'call-1');
  expect(questions.byId.value.size).toBe(0);
});
