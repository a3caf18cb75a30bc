// Begins to talk in a conversation: in the one that is shown, or in a new one that is created for it.
import { aileron } from '../../../api';
import { go, paths } from '../../../app/router';
import type { OpenConversation } from '../state/conversation';
import { openConversation } from '../state/open';
import { VoiceSession } from '../state/voice-session';

/** A new conversation begins in text, so that leaving voice returns to text instead of ending it. */
export async function talk(conversation: OpenConversation): Promise<void> {
  try {
    await begin(conversation);
  } catch (error) {
    conversation.refuse(error);
  }
}

async function begin(conversation: OpenConversation): Promise<void> {
  const isNew = conversation.phase.peek().is === 'new';
  if (!isNew || !(await canRecord())) return VoiceSession.start(conversation);
  const created = await aileron.beginConversation({ mode: 'text' });
  const begun = openConversation(created.id);
  begun.adopt(created);
  go(paths.conversation(created.id), { replace: true });
  await VoiceSession.start(begun);
}

/** Asks for the microphone before a conversation is created; without one, the session says why. */
async function canRecord(): Promise<boolean> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    stream.getTracks().forEach((track) => track.stop());
    return true;
  } catch {
    return false;
  }
}
