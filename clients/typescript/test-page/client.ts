// A page of another site that loads `@aileron/client`; the tests in Chromium call it through `window.client`.

import * as client from "@aileron/client";

declare global {
  interface Window {
    client: typeof client;
  }
}

window.client = client;
