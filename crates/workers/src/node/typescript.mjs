// Lets Node.js load modules of the toolset with the extension `.ts`. Their types are erased already.

import { readFile } from 'node:fs/promises';

let root;

export function initialize(data) {
  root = data;
}

export async function load(url, context, next) {
  if (!url.startsWith(root) || url.includes('/node_modules/') || !url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await readFile(new URL(url)), shortCircuit: true };
}
