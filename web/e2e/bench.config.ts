// Measurements of the page; `npm run bench` prints a table. Use a release build: AILERON_BIN=../../target/release/aileron.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['bench/*.bench.ts'],
    globalSetup: ['support/prepare.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    disableConsoleIntercept: true,
  },
});
