// Voice while connections are lost: to the provider, and to the server.
import { test } from 'vitest';
import { thread } from '../support/converse.ts';
import { heard, says, script } from '../support/script.ts';
import { startIn } from '../support/server.ts';
import { SIMULATOR_ENV } from '../support/simulator.ts';
import { COMMAND } from '../support/speech.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage({
  voice: script(heard(COMMAND.words), says('Yes, I am here.')),
  microphone: [1, COMMAND, 60],
});

test('after a restart of the server the voice session goes on in the same thread', async () => {
  const page = await stage.open('/', { expectedFaults: [/ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/, /WebSocket/, /50[23]/] });
  await page.getByRole('button', { name: 'Talk' }).click();
  await thread(page).getByText('Yes, I am here.').waitFor();
  await page.getByText('Your turn').waitFor();
  const { folder, port } = stage.server;
  await stage.server.stop();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  stage.replaceServer(await startIn(folder, { port, env: SIMULATOR_ENV }));
  await page.getByText('Your turn').waitFor();
  await thread(page).getByText('Yes, I am here.').waitFor();
});
