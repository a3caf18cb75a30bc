// Builds the page again and fails if the committed files differ. `cargo xtask test` runs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildInto, contentsOf, DIST } from './page-files.mjs';

const folder = mkdtempSync(join(tmpdir(), 'aileron-page-'));
try {
  await buildInto(folder);
  const [built, committed] = [contentsOf(folder), contentsOf(DIST)];
  const paths = [...new Set([...built.keys(), ...committed.keys()])].sort();
  const stale = paths.filter((path) => !(built.has(path) && committed.get(path)?.equals(built.get(path))));
  if (stale.length > 0) {
    console.error(`crates/page/dist is stale; run \`cargo xtask page\` and commit the result:\n  ${stale.join('\n  ')}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
