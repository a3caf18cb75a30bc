// Audio for tests without devices: records what is played and lets a test speak.

import type { AudioListener, MicrophoneFault, VoiceAudio } from "../src/index.js";

export class FakeAudio implements VoiceAudio {
  listener: AudioListener | undefined;
  played = 0;
  clears = 0;
  completed = 0;
  isOpen = false;
  fault: MicrophoneFault | undefined;

  async start(listener: AudioListener, deviceId: string | null | undefined): Promise<void> {
    if (this.fault) throw this.fault;
    this.listener = listener;
    this.isOpen = true;
    listener.onMicrophone(deviceId === null ? { is: "off" } : { is: "on", deviceId: deviceId ?? "default", label: "Fake" });
  }

  play(pcm: ArrayBuffer): void {
    this.played += pcm.byteLength;
    this.listener?.onPlaying(true);
  }

  complete(): void {
    this.completed += 1;
  }

  clear(): void {
    this.clears += 1;
    this.listener?.onPlaying(false);
  }

  setMuted(muted: boolean): void {
    this.listener?.onMicrophone({ is: muted ? "muted" : "on", deviceId: "default", label: "Fake" });
  }

  async setDevice(deviceId: string): Promise<void> {
    if (this.fault) throw this.fault;
    this.listener?.onMicrophone({ is: "on", deviceId, label: "Fake" });
  }

  setBargeIn(): void {}

  async stop(): Promise<void> {
    this.isOpen = false;
    this.listener?.onMicrophone({ is: "off" });
    this.listener = undefined;
  }
}
