// Opens a conversation when the page is shown.

"use client";

import type { AileronError } from "@aileron/client";
import { useEffect, useState } from "react";
import { client } from "./aileron";
import { Conversation } from "./conversation";

export default function Page() {
  const [id, setId] = useState<string>();
  const [error, setError] = useState<AileronError>();
  useEffect(() => {
    client.beginConversation({ mode: "text" }).then(({ id }) => setId(id), setError);
  }, []);
  if (error) return <p role="alert">{error.message}</p>;
  return id === undefined ? <p>Connecting …</p> : <Conversation id={id} />;
}
