// Runs once before all tests: unpacks the browser and makes the project that each server copies.
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareBrowser } from './chromium.ts';
import { PROGRAM, REPOSITORY, TEMPLATE } from './places.ts';
import { startIn } from './server.ts';

/** The folders that a project begins with; the tools of the tests are added to its tools. */
const FOLDERS = ['demo', 'prompts', 'tools'];

export default async function prepare(): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing; run \`cargo build\`, or name the program in AILERON_BIN`);
  await prepareBrowser();
  rmSync(TEMPLATE, { recursive: true, force: true });
  mkdirSync(TEMPLATE, { recursive: true });
  for (const folder of FOLDERS) cpSync(join(REPOSITORY, folder), join(TEMPLATE, folder), { recursive: true });
  cpSync(join(REPOSITORY, 'web/e2e/tools'), join(TEMPLATE, 'tools'), { recursive: true });
  // The first start takes the demo records into the knowledge base.
  const server = await startIn(TEMPLATE);
  await server.stop();
  rmSync(join(TEMPLATE, '.aileron/aileron.db'), { force: true });
}
