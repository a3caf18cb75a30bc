// The open confirmations as a hook: loaded once, then kept up to date by the event stream.

import { type Aileron, AileronError, type Confirmation, type ServerEventType } from "@aileron/client";
import { useCallback, useEffect, useRef, useState } from "react";

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

  const requests = useRef({ sent: 0, shown: 0 });

  const load = useCallback(
    async (signal?: AbortSignal) => {
      const { current } = requests;
      const number = (current.sent += 1);
      // A response that was overtaken by a later one is older than what is shown.
      const isOver = (): boolean => signal?.aborted === true || number < current.shown;
      try {
        const query = { state: "open" as const, ...(conversation !== undefined && { conversation }) };
        const found = await client.confirmations(query, signal && { signal });
        if (isOver()) return;
        current.shown = number;
        setConfirmations(found.confirmations);
        setError(undefined);
      } catch (cause) {
        if (!isOver()) setError(AileronError.of(cause));
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
