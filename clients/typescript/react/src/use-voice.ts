// A voice session as a hook.

import { type Aileron, Voice, type VoiceOptions, type VoiceSnapshot } from "@aileron/client";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

export interface VoiceControl extends VoiceSnapshot {
  /** Call it from a click, because browsers play sound only after one. */
  start(): Promise<void>;
  stop(): Promise<void>;
  interrupt(): void;
  write(text: string): void;
  confirm(token: string, approve: boolean): void;
  setMuted(muted: boolean): void;
  setDevice(deviceId: string): Promise<void>;
  retry(): void;
}

const IDLE: VoiceSnapshot = { state: { is: "idle" }, notes: [], microphone: { is: "off" }, floor: "nobody", messages: [] };

/** `start` opens a session with the options of that moment. The session ends with the component. */
export function useVoice(client: Aileron, options: VoiceOptions = {}): VoiceControl {
  const latest = useRef(options);
  latest.current = options;
  const [voice, setVoice] = useState<Voice>();

  const subscribe = useCallback((listener: () => void) => voice?.subscribe(listener) ?? (() => undefined), [voice]);
  const snapshot = useSyncExternalStore(subscribe, () => voice?.snapshot ?? IDLE, () => IDLE);
  useEffect(() => () => void voice?.stop(), [voice]);

  const start = useCallback(() => {
    const next = new Voice(client, latest.current);
    setVoice(next);
    return next.start();
  }, [client]);

  return useMemo(
    () => ({
      ...snapshot,
      start,
      stop: async () => voice?.stop(),
      interrupt: () => voice?.interrupt(),
      write: (text) => void voice?.write(text),
      confirm: (token, approve) => void voice?.confirm(token, approve),
      setMuted: (muted) => voice?.setMuted(muted),
      setDevice: async (deviceId) => voice?.setDevice(deviceId),
      retry: () => voice?.retry(),
    }),
    [snapshot, start, voice],
  );
}
