// A message that was written while the server was gone: it stays marked as not sent until the person sends it again.
import { expect, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { start, startIn } from '../support/server.ts';
import { useStage } from '../support/stage.ts';
import { Visit } from '../support/visit.ts';

const stage = useStage();

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
