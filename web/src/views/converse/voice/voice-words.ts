// The states of a voice session in words, each with what the person can do.
import type { MicrophoneFault, VoiceEnd, VoiceSnapshot } from '@aileron/client/voice';
import { sentence } from '../../../ui/fault';

export interface VoiceWords {
  title: string;
  /** The event and the way out, in one sentence or two. */
  text: string;
  tone: 'live' | 'waits' | 'refused';
}

const ENDS: Record<Exclude<VoiceEnd['code'], 'ended' | 'refused' | 'blocked'>, VoiceWords> = {
  mic_denied: {
    title: 'The microphone is not allowed',
    text: 'Allow it for this page in the browser, at the left of the address, then try again. Writing works without it.',
    tone: 'refused',
  },
  no_device: { title: 'No microphone was found', text: 'Connect one and try again, or go on in text.', tone: 'refused' },
  device_busy: {
    title: 'The microphone cannot be opened',
    text: 'Another program may be using it. Close that program and try again.',
    tone: 'refused',
  },
  device_lost: {
    title: 'The microphone was disconnected',
    text: 'Connect it again or choose another one, then try again.',
    tone: 'refused',
  },
  not_secure: {
    title: 'The browser gives no microphone to this address',
    text: 'Open the page over HTTPS, or on the machine of the server at localhost.',
    tone: 'refused',
  },
  signed_out: { title: 'You are signed out', text: 'Sign in again to go on.', tone: 'refused' },
  taken_over: {
    title: 'Voice continues in another tab or on another device',
    text: 'What is said there appears here. Take it back to speak here.',
    tone: 'waits',
  },
  provider_down: { title: 'The voice provider cannot be reached', text: 'Try again in a moment, or go on in text.', tone: 'refused' },
  server_gone: {
    title: 'The server cannot be reached',
    text: 'Check that it runs. The conversation is kept; try again when it is back.',
    tone: 'refused',
  },
};

/** The way out while the session goes on without a microphone. */
const ANOTHER = 'You can go on in writing, or choose another microphone.';
const FAILED: Partial<Record<MicrophoneFault['code'], string>> = {
  device_lost: 'Connect it again, or connect another one; it is used at once. Until then you can go on in writing.',
  no_device: 'Connect one; it is used at once. Until then you can go on in writing.',
  mic_denied: 'Allow it for this page in the browser, then go back to text and talk again. Until then you can go on in writing.',
};

export function endWords(end: VoiceEnd): VoiceWords {
  if (end.code === 'blocked') return { title: 'The agent ended the exchange', text: sentence(end.message), tone: 'refused' };
  if (end.code === 'ended') return { title: 'The voice session has ended', text: sentence(end.message), tone: 'waits' };
  if (end.code === 'refused') return { title: 'The server did not begin a voice session', text: sentence(end.message), tone: 'refused' };
  return ENDS[end.code];
}

/** The side that has the floor, or the cause of the wait. */
export function liveWords(snapshot: VoiceSnapshot): VoiceWords {
  const { state, floor, microphone, notice } = snapshot;
  if (state.is === 'connecting' || state.is === 'idle')
    return { title: 'Connecting', text: 'The browser may ask for the microphone.', tone: 'waits' };
  if (state.is === 'reconnecting') {
    const what = state.to === 'server' ? 'the server' : 'the provider';
    return { title: 'Reconnecting', text: `The connection to ${what} was lost. The conversation is kept.`, tone: 'waits' };
  }
  if (microphone.is === 'failed') {
    const { code } = microphone.fault;
    return { title: ENDS[code].title, text: FAILED[code] ?? ANOTHER, tone: 'refused' };
  }
  if (floor === 'model') return { title: 'The agent speaks', text: 'Speak, or press Escape, to interrupt.', tone: 'live' };
  if (notice?.code === 'audio_unsupported')
    return { title: 'Write, and the agent answers by voice', text: 'This voice provider takes no audio.', tone: 'live' };
  if (floor === 'person') return { title: 'You speak', text: 'The agent listens.', tone: 'live' };
  if (microphone.is === 'muted')
    return { title: 'Your microphone is muted', text: 'The agent hears nothing until you turn it on.', tone: 'waits' };
  return { title: 'Your turn', text: 'Speak, or write.', tone: 'live' };
}

/** The limits and faults of the session, without repeating the words above. */
export function voiceNotes({ notes, notice }: VoiceSnapshot): string[] {
  const deaf = notice?.code === 'audio_unsupported';
  const limits = deaf ? notes.filter((note) => !note.includes('takes no audio')) : notes;
  return [...limits, ...(notice && !deaf ? [notice.message] : [])].map(sentence);
}
