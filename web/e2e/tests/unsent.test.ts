// Messages without an answer, because the server was gone when they were written or ended before it answered: the person can send them again.
import { afterAll, expect, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { heldService } from '../support/held.ts';
import { start, startIn } from '../support/server.ts';
import { SIMULATOR_ENV } from '../support/simulator.ts';
import { useStage } from '../support/stage.ts';
import { Visit } from '../support/visit.ts';

const stage = useStage();

/** A model that never answers. */
const model = await heldService();
afterAll(() => model.close());

test('a message that the server never got is offered again after its restart', async () => {
  const server = await start();
  const visit = await Visit.begin(stage.browser, server.url, { expectedFaults: [/ERR_/] });
  const page = await visit.open('/');
  await say(page, 'Hello');
  await thread(page).getByText('I am the offline agent').waitFor();
  await server.stop();
  await say(page, 'Who runs the lighting review?');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  const restarted = await startIn(server.folder, { port: server.port });
  // Messages that others write meanwhile are loaded, and do not take the way out away.
  await restarted.api().say('What can you do?', new URL(page.url()).pathname.split('/').at(-1));
  await thread(page).getByText('What can you do?').waitFor();
  await again.click();
  await thread(page).getByText('kb_search').first().waitFor();
  expect(await thread(page).getByText('Who runs the lighting review?').count()).toBe(1);
  await visit.end();
  await restarted.remove();
});

test('a message whose answer was lost with the server is answered on request', async () => {
  const settings = `[text]\nprovider = "anthropic"\nmodel = "silent"\nbase_url = "http://${model.address}"\nkey = "SIMULATOR_KEY"\n`;
  const server = await start({ settings, env: SIMULATOR_ENV });
  const visit = await Visit.begin(stage.browser, server.url, { expectedFaults: [/ERR_/] });
  const page = await visit.open('/');
  await say(page, 'Are you there?');
  await expect.poll(() => model.requests).toBe(1);
  await server.stop();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  const restarted = await startIn(server.folder, { port: server.port, env: SIMULATOR_ENV });
  await page.reload();
  await thread(page).getByText('This message was not answered.').waitFor();
  await thread(page).getByRole('button', { name: 'Answer it' }).click();
  await expect.poll(() => model.requests).toBe(2);
  expect(await thread(page).getByText('Are you there?').count()).toBe(1);
  await visit.end();
  await restarted.remove();
});
