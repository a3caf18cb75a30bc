// The browser's audio: microphone and playback through the worklet, devices and levels.

import { DEVICE_LOST, type Microphone, microphoneFault, type MicrophoneFault, NOT_SECURE } from "./state.js";

/** The audio of a voice session; tests and other platforms bring their own. */
export interface VoiceAudio {
  /** Opens playback and, unless `deviceId` is `null`, the microphone. Fails with a `MicrophoneFault`. */
  start(listener: AudioListener, deviceId: string | null | undefined): Promise<void>;
  /** Plays PCM16 at 24 kHz after what was given before. */
  play(pcm: ArrayBuffer): void;
  /** No more audio follows for now. */
  complete(): void;
  /** Silences playback at once. */
  clear(): void;
  setMuted(muted: boolean): void;
  setDevice(deviceId: string): Promise<void>;
  setBargeIn(on: boolean): void;
  stop(): Promise<void>;
}

export interface AudioListener {
  /** 20 ms of the microphone as PCM16 at 16 kHz. */
  onFrame(pcm: ArrayBuffer): void;
  /** Speech of the person began or ended; `interrupts` if playback was silenced for it. */
  onSpeech(isSpeech: boolean, interrupts: boolean): void;
  onPlaying(isPlaying: boolean): void;
  onMicrophone(microphone: Microphone): void;
  /** Levels between 0 and 1 for a meter, many times a second. */
  onLevels(levels: AudioLevels): void;
}

export interface AudioLevels {
  input: number;
  output: number;
}

export interface BrowserAudioOptions {
  /** Address of `audio-worklet.js`; the file beside this module if absent. */
  worklet?: string | URL;
}

type CaptureMessage =
  | { type: "frame"; pcm: ArrayBuffer; level: number }
  | { type: "speech"; isSpeech: boolean; interrupts: boolean };
type PlaybackMessage = { type: "playing"; isPlaying: boolean; level: number };

/** A level of -60 dB or less is 0, full scale is 1. */
export const meter = (decibels: number): number => Math.max(0, Math.min(1, 1 + decibels / 60));

/** The microphones. Browsers give their names only after the person has allowed one. */
export async function microphones(): Promise<MediaDeviceInfo[]> {
  const devices = (await globalThis.navigator?.mediaDevices?.enumerateDevices()) ?? [];
  return devices.filter(({ kind, deviceId }) => kind === "audioinput" && deviceId !== "");
}

export class BrowserAudio implements VoiceAudio {
  private listener: AudioListener | undefined;
  private context: AudioContext | undefined;
  private capture: AudioWorkletNode | undefined;
  private playback: AudioWorkletNode | undefined;
  private source: MediaStreamAudioSourceNode | undefined;
  private stream: MediaStream | undefined;
  private isMuted = false;
  private hasFailed = false;
  private readonly levels: AudioLevels = { input: 0, output: 0 };

  constructor(private readonly options: BrowserAudioOptions = {}) {}

  async start(listener: AudioListener, deviceId: string | null | undefined): Promise<void> {
    this.listener = listener;
    const media = globalThis.navigator?.mediaDevices;
    if (deviceId !== null && !media) throw NOT_SECURE;
    const context = new AudioContext({ latencyHint: "interactive" });
    this.context = context;
    try {
      const stream = deviceId === null ? undefined : await openPreferred(deviceId);
      await context.audioWorklet.addModule(this.options.worklet ?? new URL("./audio-worklet.js", import.meta.url));
      if (this.context !== context) return closeAll(context, stream);
      await context.resume();
      this.connectNodes(context);
      if (stream) this.use(stream);
      else listener.onMicrophone({ is: "off" });
      media?.addEventListener("devicechange", this.onDeviceChange);
    } catch (cause) {
      if (this.context === context) await this.stop();
      throw cause;
    }
  }

  play(pcm: ArrayBuffer): void {
    this.playback?.port.postMessage({ type: "audio", pcm }, [pcm]);
  }

  complete(): void {
    this.playback?.port.postMessage({ type: "complete" });
  }

  clear(): void {
    this.playback?.port.postMessage({ type: "clear" });
  }

  setBargeIn(on: boolean): void {
    this.capture?.port.postMessage({ type: "bargeIn", on });
  }

  setMuted(muted: boolean): void {
    this.isMuted = muted;
    for (const track of this.stream?.getAudioTracks() ?? []) track.enabled = !muted;
    if (muted) this.levels.input = 0;
    this.report();
  }

  /** If the device cannot be opened, there is no microphone until another one is chosen or connected. */
  async setDevice(deviceId: string): Promise<void> {
    this.release();
    this.hasFailed = true;
    this.use(await openMicrophone(deviceId));
  }

  async stop(): Promise<void> {
    globalThis.navigator?.mediaDevices?.removeEventListener("devicechange", this.onDeviceChange);
    this.listener?.onMicrophone({ is: "off" });
    this.listener = undefined;
    this.release();
    const { context } = this;
    this.context = this.capture = this.playback = undefined;
    if (context && context.state !== "closed") await context.close();
  }

  private connectNodes(context: AudioContext): void {
    const capture = new AudioWorkletNode(context, "aileron-capture", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
    const playback = new AudioWorkletNode(context, "aileron-playback", { numberOfInputs: 0, outputChannelCount: [1] });
    capture.port.onmessage = ({ data }: MessageEvent<CaptureMessage>) => this.onCapture(data);
    playback.port.onmessage = ({ data }: MessageEvent<PlaybackMessage>) => this.onPlayback(data);
    playback.connect(context.destination);
    // Systems suspend audio, for example during a phone call.
    context.onstatechange = () => {
      if (context.state === "suspended" && this.context === context) void context.resume().catch(() => undefined);
    };
    this.capture = capture;
    this.playback = playback;
  }

  private onCapture(message: CaptureMessage): void {
    if (message.type === "speech") return this.onSpeech(message.isSpeech, message.interrupts);
    if (this.isMuted) return;
    this.levels.input = meter(message.level);
    this.listener?.onLevels(this.levels);
    this.listener?.onFrame(message.pcm);
  }

  private onSpeech(isSpeech: boolean, interrupts: boolean): void {
    if (!isSpeech || !this.isMuted) this.listener?.onSpeech(isSpeech, interrupts);
    // From here on no audio of the interrupted reply is sent, so that playback may take audio again.
    if (interrupts) this.clear();
  }

  private onPlayback({ isPlaying, level }: PlaybackMessage): void {
    this.levels.output = isPlaying ? meter(level) : 0;
    this.listener?.onLevels(this.levels);
    this.listener?.onPlaying(isPlaying);
  }

  /** Uses the stream in place of the one before. */
  private use(stream: MediaStream): void {
    this.release();
    const { context, capture } = this;
    const track = stream.getAudioTracks()[0];
    if (!context || !capture || !track) {
      for (const unused of stream.getTracks()) unused.stop();
      return;
    }
    this.stream = stream;
    this.hasFailed = false;
    this.source = context.createMediaStreamSource(stream);
    this.source.connect(capture);
    track.enabled = !this.isMuted;
    track.addEventListener("ended", () => void this.reopen(stream));
    this.report();
  }

  private release(): void {
    if (!this.stream) return;
    this.source?.disconnect();
    for (const track of this.stream.getTracks()) track.stop();
    this.source = this.stream = undefined;
    this.levels.input = 0;
    // The end of an utterance is not heard without its microphone.
    this.capture?.port.postMessage({ type: "reset" });
    this.listener?.onSpeech(false, false);
  }

  /** The microphone is gone: continues with another one, if there is any. */
  private async reopen(lost: MediaStream): Promise<void> {
    if (this.stream !== lost) return;
    this.release();
    try {
      this.use(await openMicrophone(undefined));
    } catch (cause) {
      this.hasFailed = true;
      const fault = cause as MicrophoneFault;
      this.listener?.onMicrophone({ is: "failed", fault: fault.code === "no_device" ? DEVICE_LOST : fault });
    }
  }

  /** A device was connected while there was none. */
  private readonly onDeviceChange = (): void => {
    if (!this.hasFailed) return;
    openMicrophone(undefined).then(
      (stream) => this.use(stream),
      () => undefined,
    );
  };

  private report(): void {
    const track = this.stream?.getAudioTracks()[0];
    if (!track) return;
    const device = { deviceId: track.getSettings().deviceId ?? "", label: track.label };
    this.listener?.onMicrophone({ is: this.isMuted ? "muted" : "on", ...device });
  }
}

/** Stopped, or started again, while the microphone was opened. */
async function closeAll(context: AudioContext, stream: MediaStream | undefined): Promise<void> {
  for (const track of stream?.getTracks() ?? []) track.stop();
  if (context.state !== "closed") await context.close();
}

/** A remembered microphone may be gone; the system's choice is better than none. */
async function openPreferred(deviceId: string | undefined): Promise<MediaStream> {
  try {
    return await openMicrophone(deviceId);
  } catch (cause) {
    if (deviceId === undefined || (cause as MicrophoneFault).code !== "no_device") throw cause;
    return openMicrophone(undefined);
  }
}

async function openMicrophone(deviceId: string | undefined): Promise<MediaStream> {
  const audio: MediaTrackConstraints = {
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
    channelCount: 1,
    ...(deviceId && { deviceId: { exact: deviceId } }),
  };
  try {
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (cause) {
    throw microphoneFault(cause);
  }
}
