// Every state of a voice session has words.
import type { VoiceEnd, VoiceSnapshot } from '@aileron/client/voice';
import { expect, it } from 'vitest';
import { endWords, liveWords, voiceNotes } from './voice-words';

const live = (rest: Partial<VoiceSnapshot>): VoiceSnapshot => ({
  state: { is: 'live' },
  notes: [],
  microphone: { is: 'on', deviceId: 'a', label: 'A' },
  floor: 'nobody',
  messages: [],
  ...rest,
});

it.each([
  [live({}), 'Your turn'],
  [live({ floor: 'model' }), 'The agent speaks'],
  [live({ floor: 'person' }), 'You speak'],
  [live({ microphone: { is: 'muted', deviceId: 'a', label: 'A' } }), 'Your microphone is muted'],
  [live({ microphone: { is: 'failed', fault: { code: 'device_lost', message: '' } } }), 'The microphone was disconnected'],
  [live({ state: { is: 'reconnecting', to: 'server', attempt: 1 } }), 'Reconnecting'],
  [live({ state: { is: 'connecting' } }), 'Connecting'],
])('%#', (snapshot, title) => {
  expect(liveWords(snapshot).title).toBe(title);
});

it('every end says what to do', () => {
  const codes = [
    'mic_denied',
    'no_device',
    'device_busy',
    'device_lost',
    'not_secure',
    'signed_out',
    'taken_over',
    'blocked',
    'provider_down',
    'server_gone',
  ] as const;
  for (const code of codes) expect(endWords({ code, message: 'why' } as VoiceEnd).text).toMatch(/\.$/);
  expect(endWords({ code: 'refused', reason: 'other_mode', message: 'held in text' }).text).toBe('Held in text.');
});

it('a provider without ears is said once', () => {
  const snapshot = live({
    notes: ['offline: this voice provider takes no audio', 'offline: tones'],
    notice: { code: 'audio_unsupported', message: 'takes no audio' },
  });
  expect(liveWords(snapshot).title).toBe('Write, and the agent answers by voice');
  expect(voiceNotes(snapshot)).toEqual(['Offline: tones.']);
  expect(voiceNotes(live({ notice: { code: 'reply_failed', message: 'the reply failed' } }))).toEqual(['The reply failed.']);
});
