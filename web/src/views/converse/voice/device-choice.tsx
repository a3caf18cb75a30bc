// Chooses the microphone among those that the browser reports.
import { useEffect, useState } from 'preact/hooks';
import type { Microphone } from '@aileron/client/voice';
import type { VoiceSession } from '../state/voice-session';

export interface DeviceChoiceProps {
  session: VoiceSession;
  microphone: Microphone;
}

export function DeviceChoice({ session, microphone }: DeviceChoiceProps) {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);

  useEffect(() => {
    const media = navigator.mediaDevices as MediaDevices | undefined;
    const list = async () => {
      const found = await media?.enumerateDevices().catch(() => []);
      setDevices((found ?? []).filter((device) => device.kind === 'audioinput' && device.deviceId !== ''));
    };
    void list();
    media?.addEventListener('devicechange', list);
    return () => media?.removeEventListener('devicechange', list);
  }, [microphone.is]);

  if (devices.length < 2) return null;
  const chosen = 'deviceId' in microphone ? microphone.deviceId : '';
  return (
    <select
      class="select voice-device"
      aria-label="Microphone"
      value={chosen}
      onChange={(event) => void session.setDevice(event.currentTarget.value)}
    >
      {devices.map((device, at) => (
        <option key={device.deviceId} value={device.deviceId}>
          {device.label || `Microphone ${at + 1}`}
        </option>
      ))}
    </select>
  );
}
