// Texts of tools, records, people and models are shown and never run.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PAYLOADS } from '../support/payloads.ts';
import { calls, input, says, script } from '../support/script.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage({
  text: script(
    ...PAYLOADS.flatMap((payload, at) => [
      input,
      calls(`call-${String(at).padStart(6, '0')}`, 'show_text', { text: payload }),
      says(`That was number ${at} [doc:payload].\n\n${payload}`),
    ]),
  ),
  settings: '[policies.confirmation]\nmax_pending = 40\n',
});

/** Elements that text must not become. */
const FOREIGN = 'script, iframe, object, embed, form[action], base, meta, style, link, img[src^="http"], a[href^="javascript" i], a[href^="data:"]';

async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate((foreign) => ({
    hacked: 'hacked' in window,
    elements: [...document.querySelectorAll(`body ${foreign.replaceAll(', ', ', body ')}`)].map((element) => element.outerHTML.slice(0, 200)),
    visible: document.body.checkVisibility(),
  }), FOREIGN);
  expect(found).toEqual({ hacked: false, elements: [], visible: true });
}

test('a conversation shows hostile texts of the person, the model and a tool', { timeout: 120_000 }, async () => {
  const api = stage.server.api();
  let id: string | undefined;
  for (const payload of PAYLOADS) id = await api.say(payload, id);
  const page = await stage.open(`/c/${id}`);
  await page.getByText(`That was number ${PAYLOADS.length - 1}`).waitFor();
  await expectHarmless(page);
  for (let at = PAYLOADS.length - 1; at >= 0; at -= 1) {
    const row = page.getByText(`That was number ${at} `, { exact: false }).first();
    await row.scrollIntoViewIfNeeded();
    await expectHarmless(page);
  }
  await page.goto(`/c/${id}/t/2?record=doc:payload`);
  await page.getByRole('complementary').first().waitFor();
  await expectHarmless(page);
});

test('titles, questions and records show hostile texts', { timeout: 120_000 }, async () => {
  const api = stage.server.api();
  const conversation = await api.begin();
  for (const payload of PAYLOADS) {
    await api.post(`/v1/conversations/${conversation}/turns`, { input: 'written', text: payload });
    await api.call(conversation, 'write_note', { title: payload.slice(0, 4000) });
  }
  const views: [path: string, shown: string][] = [
    ['/', 'window.hacked'],
    ['/approvals', 'onerror'],
    ['/operate/audit', 'write_note'],
    ['/operate/audit?record=2', 'Record 2'],
    [`/c/${conversation}/t/3`, 'write_note'],
  ];
  for (const [path, shown] of views) {
    const page = await stage.open(path);
    await page.getByText(shown).first().waitFor();
    await expectHarmless(page);
    await page.close();
  }
});

test('the result of a tool in the workbench shows hostile texts', async () => {
  const page = await stage.open('/tools/show_text');
  const result = page.getByRole('region', { name: 'Result' });
  for (const [at, payload] of PAYLOADS.slice(0, 8).entries()) {
    await page.getByLabel('Arguments as JSON').fill(JSON.stringify({ text: payload }));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await result.getByText(`hacked=${at + 1}`).first().waitFor();
    await expectHarmless(page);
  }
});

test('an address with markup is shown as text', async () => {
  const page = await stage.open('/tools/%3Cimg%20src=x%20onerror=window.hacked=1%3E?against=<script>window.hacked=2</script>', {
    expectedFaults: [/404/],
  });
  await page.getByRole('main').waitFor();
  await expectHarmless(page);
});
