// The actions of a person in the view Converse.
import type { Locator, Page } from 'playwright-core';

/** The messages of the conversation. */
export function thread(page: Page): Locator {
  return page.getByRole('region', { name: 'Messages' });
}

/** Writes a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}
