// A tool author tries a tool: a form from a nested schema, faults at their fields, and a call that becomes a test.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { PROGRAM } from '../support/places.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage();

test('a form of a nested schema shows a fault at its field, and runs once it is mended', async () => {
  const page = await stage.open('/tools/plan_trip');
  const form = page.getByRole('group', { name: 'Arguments' });
  const traveller = form.getByRole('group', { name: 'traveller', exact: true });
  await traveller.getByLabel('name').fill('A');
  await form.getByLabel('to', { exact: true }).fill('Oslo');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('refused by').waitFor();
  await traveller.getByText(/at least 2/).first().waitFor();
  expect(await traveller.getByLabel('name').getAttribute('aria-invalid')).toBe('true');
  await traveller.getByLabel('name').fill('Ada');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await result.getByText('succeeded').waitFor();
  await result.getByText('Ada: Oslo by train').waitFor();
});

test('the form and the JSON beside it stay in step', async () => {
  const page = await stage.open('/tools/plan_trip');
  const json = page.getByLabel('Arguments as JSON');
  await json.fill('{"traveller":{"name":"Grace","seats":2},"legs":[{"to":"Bergen","by":"boat"},{"to":"Oslo"}]}');
  const form = page.getByRole('group', { name: 'Arguments' });
  await expect.poll(() => form.getByLabel('name').inputValue()).toBe('Grace');
  expect(await form.getByLabel('to', { exact: true }).count()).toBe(2);
  await form.getByLabel('to', { exact: true }).first().fill('Tromsø');
  await expect.poll(() => json.inputValue()).toContain('Tromsø');
});

test('a dry run says what would be decided and runs nothing', async () => {
  const page = await stage.open('/tools/write_note');
  await page.getByRole('group', { name: 'Arguments' }).getByLabel('title').fill('A dry note');
  await page.getByRole('button', { name: /dry/i }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('would ask the person').waitFor();
  const { records } = await stage.server.api().get<{ records: unknown[] }>('/v1/audit?tool=write_note');
  expect(records).toEqual([]);
});

test('a call that is saved as a case is run by `aileron test`', async () => {
  const page = await stage.open('/tools/show_text');
  await page.getByRole('group', { name: 'Arguments' }).getByLabel('text').fill('Hello from the page');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Save as case' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('greets from the page');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('cases.json').waitFor();
  const said = execFileSync(PROGRAM, ['test', 'show_text'], { cwd: stage.server.folder, encoding: 'utf8' });
  expect(said).toMatch(/ok +greets from the page/);
});

test('a name of a case with hidden characters is refused, and they are named', async () => {
  const page = await stage.open('/tools/show_text');
  await page.getByRole('group', { name: 'Arguments' }).getByLabel('text').fill('Hello');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Save as case' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('greets \u202Eyldneirf');
  await dialog.getByText('The name has characters that cannot be seen: ‹RLO›. Write it without them.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
});

test('arguments that are nested too deeply are refused with a reason, in an address and in the JSON', async () => {
  const deep = `{"traveller":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  const page = await stage.open(`/tools/plan_trip?args=${'['.repeat(2000)}${']'.repeat(2000)}`);
  const fault = page.getByText('expected at most 64 levels of nesting, found more');
  await fault.waitFor();
  const json = page.getByLabel('Arguments as JSON');
  await json.fill('{"traveller":{"name":"Grace"},"legs":[{"to":"Oslo"}]}');
  await expect.poll(() => page.getByRole('group', { name: 'Arguments' }).getByLabel('name').inputValue()).toBe('Grace');
  await json.fill(deep);
  await fault.waitFor();
  expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
});
