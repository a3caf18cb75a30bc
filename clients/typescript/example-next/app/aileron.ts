// The connection to the server, which allows this page's origin in its settings.

import { Aileron } from "@aileron/client";

export const SERVER = process.env.NEXT_PUBLIC_AILERON_URL ?? "http://127.0.0.1:7272";

export const client = new Aileron({ baseUrl: SERVER });
