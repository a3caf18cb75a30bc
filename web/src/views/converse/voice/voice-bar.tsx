// The voice session above the composer: who has the floor, levels, microphone, and the way back to text.
import { useEffect } from 'preact/hooks';
import type { VoiceSnapshot } from '@aileron/client/voice';
import { announce } from '../../../ui/announce';
import { Button } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import type { VoiceSession } from '../state/voice-session';
import { DeviceChoice } from './device-choice';
import { LevelMeter } from './level-meter';
import { endWords, liveWords, voiceNotes } from './voice-words';

export interface VoiceBarProps {
  session: VoiceSession;
  onRestart: () => void;
}

export function VoiceBar({ session, onRestart }: VoiceBarProps) {
  const snapshot = session.snapshot.value;
  const { state } = snapshot;
  const words = state.is === 'ended' ? endWords(state.end) : liveWords(snapshot);
  const fault = words.tone !== 'live';
  useEffect(() => {
    if (fault) announce(`${words.title}. ${words.text}`);
  }, [words.title]);

  return (
    <section class={`voice voice-${words.tone}`} aria-label="Voice">
      {state.is === 'ended' ? (
        <Icon name={words.tone === 'refused' ? 'micOff' : 'info'} size={22} />
      ) : (
        <LevelMeter session={session} floor={snapshot.floor} />
      )}
      <div class="grow">
        <p class="voice-title">{words.title}</p>
        <p class="small muted">{words.text}</p>
        {state.is === 'ended'
          ? null
          : voiceNotes(snapshot).map((note) => (
              <p class="tiny muted" key={note}>
                {note}
              </p>
            ))}
      </div>
      {state.is === 'ended' ? (
        <EndedActions session={session} code={state.end.code} onRestart={onRestart} />
      ) : (
        <LiveActions session={session} snapshot={snapshot} />
      )}
    </section>
  );
}

function LiveActions({ session, snapshot }: { session: VoiceSession; snapshot: VoiceSnapshot }) {
  const { microphone, floor, state } = snapshot;
  const muted = microphone.is === 'muted';

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && floor === 'model') session.interrupt();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [floor]);

  return (
    <div class="voice-actions">
      {floor === 'model' ? (
        <Button size="small" icon="stop" onClick={() => session.interrupt()}>
          Interrupt
        </Button>
      ) : null}
      {state.is === 'reconnecting' ? (
        <Button size="small" onClick={() => session.retry()}>
          Try now
        </Button>
      ) : null}
      <DeviceChoice session={session} microphone={microphone} />
      {microphone.is === 'on' || muted ? (
        <Button
          size="small"
          kind="quiet"
          icon={muted ? 'micOff' : 'mic'}
          pressed={muted}
          label={muted ? 'Turn the microphone on' : 'Mute the microphone'}
          onClick={() => session.setMuted(!muted)}
        />
      ) : null}
      <Button size="small" icon="edit" onClick={() => void session.leave()}>
        Back to text
      </Button>
    </div>
  );
}

const RESTARTS: Record<string, string> = { taken_over: 'Take it back', ended: 'Speak again' };
const FINAL = new Set(['blocked', 'signed_out', 'not_secure']);

function EndedActions({ session, code, onRestart }: { session: VoiceSession; code: string; onRestart: () => void }) {
  return (
    <div class="voice-actions">
      {FINAL.has(code) ? null : (
        <Button size="small" icon="mic" onClick={onRestart}>
          {RESTARTS[code] ?? 'Try again'}
        </Button>
      )}
      <Button size="small" kind="quiet" icon="close" label="Go on in text" onClick={() => session.dismiss()} />
    </div>
  );
}
