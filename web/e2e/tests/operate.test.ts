// An operator looks: a chart that moves under load and leads to the calls, the audit log, and blocks.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useStage } from '../support/stage.ts';

const stage = useStage();

/** Makes calls through the pipeline, each in a turn of its own. */
async function load(calls: number): Promise<string> {
  const api = stage.server.api();
  const conversation = await api.begin();
  for (let at = 0; at < calls; at += 1) {
    await api.post(`/v1/conversations/${conversation}/turns`, { input: 'written' });
    await api.call(conversation, 'show_text', { text: `load ${at}` });
  }
  return conversation;
}

/** The pixels of a chart. */
function picture(page: Page, title: string): Promise<string> {
  return page.getByRole('region', { name: title }).locator('canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
}

test('a chart moves under load and a click leads to the calls behind it', async () => {
  await load(5);
  const page = await stage.open('/operate');
  const chart = page.getByRole('region', { name: 'Calls a second' });
  await chart.locator('canvas').waitFor();
  const before = await picture(page, 'Calls a second');
  await load(100);
  await expect.poll(() => picture(page, 'Calls a second'), { timeout: 15_000 }).not.toBe(before);
  await chart.getByRole('application').or(chart.locator('[tabindex="0"]')).first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('/operate/audit');
  await page.goBack();
  const area = await chart.locator('.u-over').boundingBox();
  if (!area) throw new Error('the chart has no area');
  await page.mouse.click(area.x + area.width - 2, area.y + area.height / 2);
  await expect.poll(() => page.url()).toContain('since=');
  await page.getByText('show_text').first().waitFor();
});

test('the audit log is filtered, a record is opened by its link, and the chain is checked', async () => {
  const conversation = await load(3);
  const api = stage.server.api();
  await api.call(await api.begin(), 'write_note', { title: 'for the log' });
  const page = await stage.open('/operate/audit');
  const filters = page.getByRole('search', { name: 'Audit log' });
  await filters.getByRole('textbox', { name: 'Tool' }).fill('write_note');
  const rows = page.getByRole('region', { name: 'Audit records' }).or(page.getByLabel('Audit records'));
  await rows.getByText('write_note').first().waitFor();
  await expect.poll(() => rows.getByText('show_text').count()).toBe(0);
  expect(page.url()).toContain('tool=write_note');
  await filters.getByRole('button', { name: 'Clear filters' }).click();
  await filters.getByRole('textbox', { name: 'Conversation' }).fill(conversation);
  await expect.poll(() => rows.getByText('write_note').count()).toBe(0);
  await rows.getByText('show_text').first().click();
  const record = page.getByRole('complementary', { name: /Record \d+/ });
  await record.getByText('load 2').first().waitFor();
  const address = page.url();
  expect(address).toMatch(/record=\d+/);
  await page.goto(address);
  await record.getByText('load 2').first().waitFor();
  await page.getByRole('button', { name: 'Check the chain' }).click();
  await page.getByText(/unbroken: \d+ records/).waitFor();
});
