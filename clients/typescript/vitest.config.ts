// Runs the tests of all packages; packages see each other's sources, not their builds.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@aileron\/client$/, replacement: source("client/src/index.ts") },
      { find: /^@aileron\/client\/voice$/, replacement: source("client/src/voice/index.ts") },
    ],
  },
  test: {
    include: ["*/test/**/*.test.{ts,tsx}"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
