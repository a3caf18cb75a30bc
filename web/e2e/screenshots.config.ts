// Pictures of each view for the documentation; `cargo xtask screenshots` runs it.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['screenshots/*.shot.ts'],
    globalSetup: ['support/prepare.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
