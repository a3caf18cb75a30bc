// A tool asked to continue by voice: the person begins it with a click, or goes on in text.
import { Button } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import type { OpenConversation } from '../state/conversation';
import { talk } from './talk';

export function VoiceOffer({ conversation }: { conversation: OpenConversation }) {
  return (
    <section class="voice voice-waits" aria-label="Voice" role="status">
      <Icon name="mic" size={22} />
      <div class="grow">
        <p class="voice-title">The agent suggests to continue by voice</p>
        <p class="small muted">The browser asks for your microphone. You can return to text at any time.</p>
      </div>
      <div class="voice-actions">
        <Button size="small" kind="primary" icon="mic" onClick={() => void talk(conversation)}>
          Talk
        </Button>
        <Button size="small" kind="quiet" icon="close" label="Go on in text" onClick={() => (conversation.voiceOfferClosed.value = true)} />
      </div>
    </section>
  );
}
