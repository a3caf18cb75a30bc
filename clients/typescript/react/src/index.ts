// The public interface of `@aileron/react`.

export { type Approvals, useApprovals } from "./use-approvals.js";
export { type AileronChat, useAileronChat } from "./use-aileron-chat.js";
export { useVoice, type VoiceControl } from "./use-voice.js";
