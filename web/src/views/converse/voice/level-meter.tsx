// A level meter of the microphone and the playback, moved directly at every report without drawing the page again.
import { useEffect, useRef } from 'preact/hooks';
import type { VoiceSession } from '../state/voice-session';

const BARS = 5;
/** The middle bar reaches highest. */
const SHAPE = [0.55, 0.8, 1, 0.8, 0.55];

export interface LevelMeterProps {
  session: VoiceSession;
  floor: 'person' | 'model' | 'nobody';
}

export function LevelMeter({ session, floor }: LevelMeterProps) {
  const box = useRef<SVGSVGElement>(null);
  const whose = useRef(floor);
  whose.current = floor;

  useEffect(
    () =>
      session.onLevels((levels) => {
        const level = whose.current === 'model' ? levels.output : levels.input;
        box.current?.querySelectorAll('rect').forEach((bar, at) => {
          const height = 4 + 20 * Math.min(1, level * (SHAPE[at] ?? 1));
          bar.setAttribute('height', height.toFixed(1));
          bar.setAttribute('y', (14 - height / 2).toFixed(1));
        });
      }),
    [session],
  );

  return (
    <svg class={`meter meter-${floor}`} ref={box} width="34" height="28" viewBox="0 0 34 28" aria-hidden="true">
      {Array.from({ length: BARS }, (_, at) => (
        <rect key={at} x={2 + at * 6.5} y="12" width="4" height="4" rx="2" />
      ))}
    </svg>
  );
}
