// Voice: the session, its states and faults, and the browser's audio.

export {
  type AudioLevels,
  type AudioListener,
  BrowserAudio,
  type BrowserAudioOptions,
  microphones,
  type VoiceAudio,
} from "./audio.js";
export type { ToolPhase, VoiceClientMessage, VoiceErrorCode, VoiceServerMessage } from "./protocol.js";
export type { Microphone, MicrophoneFault, VoiceEnd, VoiceState } from "./state.js";
export { VoiceThread } from "./thread.js";
export { Voice, type VoiceNotice, type VoiceOptions, type VoiceSnapshot } from "./voice.js";
