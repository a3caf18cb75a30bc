// `@aileron/client` in Chromium, on a page of another site: sign-in, chat, confirmations, events and reconnect.
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type { Aileron, Chat, ConnectionState, ServerEvent } from '../../../clients/typescript/client/src/index.ts';
import { ClientPage } from '../support/client-page.ts';
import { UNREACHABLE } from '../support/faults.ts';
import { startIn } from '../support/server.ts';
import { useStage } from '../support/stage.ts';

const ADA = 'ada-0123456789abcdef';

const [site, stranger] = await Promise.all([ClientPage.begin('client'), ClientPage.begin('client')]);
afterAll(() => Promise.all([site.end(), stranger.end()]));

const settings = `[auth]\ntokens_file = "tokens.txt"\n\n[server]\norigins = ["${site.origin}"]\n`;
const stage = useStage({ settings, files: { 'tokens.txt': `ada ${ADA}\n` } });

/** Variables of the page that later steps of a test use. */
interface Scene {
  ada: Aileron;
  chat: Chat;
  events: ServerEvent[];
  states: ConnectionState['is'][];
}

declare global {
  interface Window {
    scene: Scene;
  }
}

/** The page of the other site, with a client of Ada. */
async function open(expectedFaults: RegExp[] = []): Promise<Page> {
  const page = await stage.open('/', { baseURL: site.origin, expectedFaults });
  await page.evaluate(
    ([baseUrl, token]) => {
      const ada = new window.client.Aileron({ baseUrl, token });
      window.scene = { ada, chat: ada.chat(), events: [], states: [] };
    },
    [stage.server.url, ADA] as const,
  );
  return page;
}

/** Asks for a booking, which waits for approval, and answers it. Returns the states of the calls before and after. */
function book(page: Page, approve: boolean): Promise<{ asked: string[]; answered: string[]; error: string | undefined }> {
  return page.evaluate(async (answer) => {
    const { dataOf, isToolPart } = window.client;
    const { chat } = window.scene;
    const last = () => chat.snapshot.messages.at(-1)?.parts ?? [];
    const states = () => last().filter(isToolPart).map(({ type, state }) => `${type} ${state}`);
    await chat.send('Book a meeting with Mira Holt on Friday at 10 for the lighting review');
    await chat.send('the first one');
    const asked = states();
    const token = last().map((part) => dataOf(part, 'confirmation')?.token).find((each) => each !== undefined);
    await chat.answer(token ?? '', answer);
    return { asked, answered: states(), error: chat.snapshot.error?.message };
  }, approve);
}

test('a token signs the person in, and another one does not', async () => {
  const page = await open([/401/]);
  const seen = await page.evaluate(async (baseUrl) => {
    const signedOut: number[] = [];
    const nobody = new window.client.Aileron({ baseUrl, token: 'wrong-0123456789abcdef', onSignedOut: ({ status }) => signedOut.push(status) });
    const refused = await nobody.me().catch(({ code }: { code: string }) => code);
    return { me: await window.scene.ada.me(), refused, signedOut };
  }, stage.server.url);
  expect(seen).toMatchObject({ me: { user: 'ada', role: 'person', signIn: 'token' }, refused: 'UNAUTHENTICATED', signedOut: [401] });
});

test('a page of a site that is not listed gets nothing', async () => {
  const page = await stage.open('/', { baseURL: stranger.origin, expectedFaults: [/CORS|ERR_FAILED|403/] });
  const refused = await page.evaluate(
    ([baseUrl, token]) => new window.client.Aileron({ baseUrl, token }).me().catch(({ code }: { code: string }) => code),
    [stage.server.url, ADA] as const,
  );
  expect(refused).toBe('NETWORK');
});

test('an answer is streamed with its calls and sources', async () => {
  const page = await open();
  const { statuses, lengths, parts, text } = await page.evaluate(async () => {
    const { textOf } = window.client;
    const { chat } = window.scene;
    const [statuses, lengths] = [new Set<string>(), new Set<number>()];
    chat.subscribe(() => {
      const last = chat.snapshot.messages.at(-1);
      statuses.add(chat.snapshot.status);
      if (last?.role === 'assistant') lengths.add(textOf(last).length);
    });
    await chat.send('Who runs the lighting review?');
    const [answer] = chat.snapshot.messages.slice(-1);
    return { statuses: [...statuses], lengths: lengths.size, parts: answer?.parts.map(({ type }) => type), text: answer && textOf(answer) };
  });
  expect(statuses).toEqual(['ready', 'submitted', 'streaming']);
  expect(lengths).toBeGreaterThan(2);
  expect(parts).toEqual(expect.arrayContaining(['tool-kb_search', 'tool-kb_get', 'source-url']));
  expect(text).toContain('Mira Holt');
});

test('a confirmation is approved or declined, and the answer continues', async () => {
  const [approved, declined] = [await book(await open(), true), await book(await open(), false)];
  const asked = ['tool-calendar_create_event approval-requested'];
  expect(approved).toEqual({ asked, answered: ['tool-calendar_create_event output-available'], error: undefined });
  expect(declined).toEqual({ asked, answered: ['tool-calendar_create_event output-denied'], error: undefined });
});

test('events that were missed are delivered when the stream is opened again', async () => {
  const page = await open();
  await page.evaluate(async () => {
    const { ada, chat, events } = window.scene;
    const onEvent = (event: ServerEvent): void => void events.push(event);
    const first = ada.events({ onEvent });
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    first.close();
    await chat.send('Who runs the lighting review?');
    ada.events({ onEvent, lastEventId: first.lastEventId ?? '' });
  });
  const types = () => page.evaluate(() => window.scene.events.map(({ type }) => type));
  await expect.poll(async () => (await types()).at(-1)).toBe('turn_ended');
  expect(await types()).toEqual(expect.arrayContaining(['conversation_began', 'call_answered', 'model_ended']));
  expect(await types()).not.toContain('reset');
});

test('after a restart of the server the stream is open again, and the chat goes on', async () => {
  const page = await open(UNREACHABLE);
  await page.evaluate(async () => {
    const { ada, chat, events, states } = window.scene;
    await chat.send('Hello');
    ada.events({ firstMs: 20, onEvent: (event) => events.push(event), onState: ({ is }) => states.push(is) });
  });
  await expect.poll(() => page.evaluate(() => window.scene.states)).toEqual(['connecting', 'open']);
  const { server } = stage;
  await server.stop();
  await expect.poll(() => page.evaluate(() => window.scene.states)).toContain('waiting');
  stage.replaceServer(await startIn(server.folder, { port: server.port }));
  await expect.poll(() => page.evaluate(() => window.scene.events.map(({ type }) => type))).toContain('reset');
  const after = await page.evaluate(async () => {
    const { chat } = window.scene;
    await chat.send('Who runs the lighting review?');
    return { messages: chat.snapshot.messages.length, error: chat.snapshot.error?.message };
  });
  expect(after).toEqual({ messages: 4, error: undefined });
});
