// The open confirmations as a hook: loaded once, then kept up to date by the event stream.

import { type Aileron, AileronError, type Confirmation, type ServerEventType } from "@aileron/client";
import { useCallback, useEffect, useState } from "react";

export interface Approvals {
  /** The open confirmations, oldest first; nothing until they are loaded. */
  confirmations: Confirmation[] | undefined;
  /** Why they could not be loaded or answered. */
  error: AileronError | undefined;
  answer(confirmation: Confirmation, approve: boolean): Promise<void>;
}

/** The events after which the list may have changed. */
const CHANGES: ReadonlySet<ServerEventType> = new Set<ServerEventType>([
  "hello",
  "reset",
  "confirmation_requested",
  "confirmation_closed",
  "conversation_ended",
]);

/** The confirmations of all conversations that the person may see, or of one conversation. */
export function useApprovals(client: Aileron, { conversation }: { conversation?: string } = {}): Approvals {
  const [confirmations, setConfirmations] = useState<Confirmation[]>();
  const [error, setError] = useState<AileronError>();

  const load = useCallback(
    async (signal?: AbortSignal) => {
      try {
        const query = { state: "open" as const, ...(conversation !== undefined && { conversation }) };
        const found = await client.confirmations(query, signal && { signal });
        if (signal?.aborted) return;
        setConfirmations(found.confirmations);
        setError(undefined);
      } catch (cause) {
        if (!signal?.aborted) setError(AileronError.of(cause));
      }
    },
    [client, conversation],
  );

  useEffect(() => {
    const request = new AbortController();
    void load(request.signal);
    const events = client.events({
      onEvent: ({ type }) => {
        if (CHANGES.has(type)) void load(request.signal);
      },
    });
    return () => {
      request.abort();
      events.close();
    };
  }, [client, load]);

  const answer = useCallback(
    async ({ conversationId, token }: Confirmation, approve: boolean) => {
      try {
        if (token !== undefined) await client.answerConfirmation({ conversationId, token }, approve);
      } catch (cause) {
        setError(AileronError.of(cause));
      }
      await load();
    },
    [client, load],
  );

  return { confirmations, error, answer };
}
