// The page by keyboard, and its theme.
import { expect, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage();

test('the command palette opens a tool and a view by keyboard', async () => {
  const page = await stage.open('/');
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  const palette = page.getByRole('dialog');
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  await page.keyboard.type('kb_get');
  await palette.getByText('kb_get').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'kb_get' }).waitFor();
  expect(page.url()).toContain('/tools/kb_get');
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  await page.keyboard.type('audit');
  await palette.getByText('Audit').first().waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('/operate/audit');
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'hidden' });
});

test('a message is written, sent and answered without a mouse', async () => {
  const page = await stage.open('/');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await page.keyboard.type('Hello');
  await page.keyboard.press('Enter');
  await thread(page).getByText('I am the offline agent').first().waitFor();
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const style = getComputedStyle(element);
      const parent = getComputedStyle(element.parentElement ?? element);
      return { name: element.tagName, visible: [style, parent].some((one) => one.outlineStyle !== 'none' || one.boxShadow !== 'none') || element === document.body };
    });
    expect(focus).toMatchObject({ visible: true });
  }
});

test('a chosen theme stays, whatever the system prefers', async () => {
  const page = await stage.open('/', { colorScheme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  const button = page.getByRole('button', { name: /Theme/ });
  for (let press = 0; press < 3 && (await background()) === light; press += 1) await button.click();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await button.waitFor();
  expect(await background()).toBe(dark);
});

test('the page fits a phone: the list opens, and a message is sent', async () => {
  const page = await stage.open('/', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.getByRole('button', { name: 'Conversations' }).tap();
  await page.getByRole('button', { name: 'New conversation', exact: true }).tap();
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.getByRole('button', { name: /Send/ }).tap();
  await thread(page).getByText('I am the offline agent').first().waitFor();
});

test('an answer by keyboard keeps the focus, and Escape closes the Inspector that a key opened', async () => {
  const page = await stage.open('/');
  await say(page, 'Book a meeting with Mira Holt on Friday at 10 for the lighting review');
  await thread(page).getByText('Which one shall I book?').waitFor();
  await say(page, 'the first one');
  const approve = thread(page).getByRole('button', { name: 'Approve' });
  await approve.focus();
  await page.keyboard.press('Enter');
  await thread(page).getByText('Approved').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName)).toContain('Create this event');
  await page.getByRole('link', { name: 'Turn 1: inspect' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Inspector of turn 1' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary').waitFor({ state: 'detached' });
});
