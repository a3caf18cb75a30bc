// Writes a picture of a page as WebP, which is a third of the size of PNG.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { REPOSITORY } from '../support/places.ts';

const FOLDER = join(REPOSITORY, 'docs/images');
const QUALITY = 0.9;

export async function picture(page: Page, name: string): Promise<void> {
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  // An empty tab converts it, because the page itself forbids foreign data.
  const converter = await page.context().newPage();
  const webp = await converter.evaluate(
    async ({ data, quality }) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', quality).split(',')[1] ?? '';
    },
    { data: png.toString('base64'), quality: QUALITY },
  );
  await converter.close();
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(webp, 'base64'));
}
