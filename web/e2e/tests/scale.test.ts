// A lot of data: the page stays quick with thousands of tools and messages.
import { expect, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { lengthen } from '../support/history.ts';
import { longestTask, measureTasks, watchLongTasks } from '../support/long-tasks.ts';
import { startIn } from '../support/server.ts';
import { useStage } from '../support/stage.ts';

/** The longest time for which a page may not answer, in milliseconds. */
const LIMIT = 200;

const TOOLS = 2000;
const MESSAGES = 5000;

const stage = useStage({ files: manyTools() });

/** Small tools in the folder of a project. */
function manyTools(): Record<string, string> {
  const files: Record<string, string> = {};
  for (let at = 0; at < TOOLS; at += 1) {
    const number = String(at).padStart(4, '0');
    const folder = `tools/tool-${number}`;
    files[`${folder}/schema.json`] = JSON.stringify({
      toolId: `tool_${number}`,
      version: '1.0.0',
      description: `Return the number ${number} of a set.`,
      category: 'utility',
      sideEffects: 'none',
      idempotent: true,
      requiresConfirmation: false,
      allowedModes: ['text', 'voice'],
      latencyBudgetMs: 200,
      parameters: {
        type: 'object',
        additionalProperties: false,
        required: ['sides'],
        properties: { sides: { type: 'integer', description: 'Number of sides', minimum: 2, maximum: 100 } },
      },
    });
    files[`${folder}/handler.js`] = 'export async function execute({ args }) {\n  return { ok: true, data: { n: args.sides } };\n}\n';
    files[`${folder}/guide.md`] = `# tool_${number}\nReturns a number. Use it in tests. \`sides\` is a number.\n## Examples\n~~~json\n{ "sides": 6 }\n~~~\n`;
  }
  return files;
}

test('a task that is too long is noticed', async () => {
  const page = await stage.open('/');
  await watchLongTasks(page);
  await page.evaluate(() => {
    setTimeout(() => {
      const until = performance.now() + 300;
      while (performance.now() < until);
    });
  });
  await expect.poll(() => longestTask(page)).toBeGreaterThan(LIMIT);
});

test('two thousand tools are listed, searched and opened without a stutter', async () => {
  const page = await stage.open('/tools');
  await watchLongTasks(page);
  await page.reload();
  await page.getByText('tool_0000').first().waitFor();
  const search = page.getByRole('searchbox').first();
  await search.pressSequentially('tool_1234', { delay: 20 });
  await page.getByText('tool_1234').first().waitFor();
  await expect.poll(() => page.getByText('tool_0000').count()).toBe(0);
  await search.fill('');
  await page.getByText('tool_0000').first().waitFor();
  await page.mouse.move(400, 500);
  for (let step = 0; step < 30; step += 1) await page.mouse.wheel(0, 1500);
  await page.getByRole('link', { name: /tool_/ }).last().click();
  await page.getByText('Number of sides').first().waitFor();
  expect(await longestTask(page)).toBeLessThan(LIMIT);
});

let made: Promise<string> | undefined;

/** A conversation with a long history, the same for all tests. */
function longConversation(): Promise<string> {
  made ??= makeLongConversation();
  return made;
}

async function makeLongConversation(): Promise<string> {
  const id = await stage.server.api().say('Who runs the lighting review?');
  await stage.server.stop('SIGTERM');
  lengthen(stage.server, id, MESSAGES);
  stage.replaceServer(await startIn(stage.server.folder));
  return id;
}

test('a conversation of five thousand messages is opened, scrolled and continued without a stutter', async () => {
  const id = await longConversation();
  const page = await stage.open(`/c/${id}`);
  await watchLongTasks(page);
  await page.reload();
  await thread(page).getByText('Who runs the lighting review?').first().waitFor();
  await thread(page).hover();
  for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, -2500);
  await page.getByRole('button', { name: 'Go to the newest message' }).click();
  await say(page, 'Hello');
  await thread(page).getByText('I am the offline agent').last().waitFor();
  expect(await longestTask(page)).toBeLessThan(LIMIT);
});

test('a link to one of the first turns of a long conversation shows that turn', async () => {
  const id = await longConversation();
  const page = await stage.open('/');
  const longest = await measureTasks(page);
  await page.goto(`/c/${id}/t/3`);
  await expect.poll(() => page.evaluate(isInSight, '.row-model[data-turn="3"]'), { timeout: 15_000, interval: 20 }).toBe(true);
  expect(await longest()).toBeLessThan(LIMIT);
});

function isInSight(selector: string): boolean {
  const { top = -1, bottom = Infinity } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
  return bottom > 0 && top > 0 && top < innerHeight;
}
