// A chat as a hook, for pages without the `ai` package. With it, `useChat` works as well.

import { type Aileron, type Chat, type ChatOptions, type ChatSnapshot } from "@aileron/client";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";

export interface AileronChat extends ChatSnapshot {
  chat: Chat;
}

/** One chat per `id`; the other options are those of the first render with that id. */
export function useAileronChat(client: Aileron, options: ChatOptions & { id: string }): AileronChat {
  const chat = useMemo(() => client.chat(options), [client, options.id]);
  const subscribe = useCallback((listener: () => void) => chat.subscribe(listener), [chat]);
  const snapshot = useSyncExternalStore(subscribe, () => chat.snapshot, () => chat.snapshot);
  useEffect(() => () => chat.close(), [chat]);
  return { ...snapshot, chat };
}
