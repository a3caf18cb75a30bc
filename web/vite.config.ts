// Build and development settings of the page: hashed files in dist, and a proxy to a running server while developing.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const server = process.env.AILERON_SERVER ?? 'http://127.0.0.1:7272';
const proxied = ['/api', '/v1', '/metrics', '/health', '/openapi.json'];

export default defineConfig({
  base: '/',
  resolve: {
    alias: {
      '@aileron/client/voice': fileURLToPath(new URL('../clients/typescript/client/src/voice/index.ts', import.meta.url)),
      '@aileron/client': fileURLToPath(new URL('../clients/typescript/client/src/index.ts', import.meta.url)),
    },
  },
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(proxied.map((path) => [path, { target: server, ws: path === '/v1', changeOrigin: true }])),
  },
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx'] },
});
