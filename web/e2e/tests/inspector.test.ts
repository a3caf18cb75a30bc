// The trace behind an answer: the calls of a turn, the gate that decided, by which number, and the call as a command.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { thread } from '../support/converse.ts';
import { PROGRAM } from '../support/places.ts';
import { calls, input, says, script } from '../support/script.ts';
import { run, until } from '../support/server.ts';
import { useStage } from '../support/stage.ts';

/** Three searches for the same thing; the third identical call of a turn is refused. */
const stage = useStage({
  text: script(
    input,
    calls('call-000001', 'kb_search', { query: 'lighting review' }),
    calls('call-000002', 'kb_search', { query: 'lighting review' }),
    calls('call-000003', 'kb_search', { query: 'lighting review' }),
    says('I looked three times.'),
  ),
});

test('a refused call shows the gate that decided and its number, and a link opens it again', async () => {
  const id = await stage.server.api().say('Look three times');
  const page = await stage.open(`/c/${id}`, { permissions: ['clipboard-read', 'clipboard-write'] });
  await thread(page).getByText('I looked three times.').waitFor();
  await thread(page).getByRole('link', { name: 'turn 1' }).or(thread(page).getByRole('button', { name: 'turn 1' })).first().click();
  const inspector = page.getByRole('complementary', { name: 'Inspector of turn 1' });
  await inspector.getByText('kb_search').nth(2).click();
  const loops = inspector.getByText('loops', { exact: true });
  await loops.waitFor();
  await inspector.getByText('3 of 3 identical calls').waitFor();
  const address = page.url();
  expect(address).toMatch(/\/t\/1/);
  await page.goto(address);
  await loops.waitFor();
  await inspector.getByText('Copy as command').click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain('aileron call kb_search');
  const answer = execFileSync('sh', ['-c', command.replace('aileron', PROGRAM)], { cwd: stage.server.folder, encoding: 'utf8' });
  expect(answer).toContain('person:mira_holt');
});

test('the conversation is saved as a script that the simulator follows', async () => {
  const id = await stage.server.api().say('Look three times');
  const page = await stage.open(`/c/${id}/t/1`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as script' }).click();
  const path = join(stage.server.folder, 'talk.md');
  writeFileSync(path, readFileSync(await (await downloading).path()));
  const simulator = run(stage.server.folder, ['simulate', 'anthropic', '--script', path, '--port', '0']);
  expect(await until(simulator, 'Ctrl-C ends')).toContain('talk.md');
});
