// How the preview of a confirmation is shown.
import { expect, it } from 'vitest';
import { questionText } from './preview';

it.each([
  ['Create this event: "Meeting", 10:00 to 10:30 (UTC)', 'Create this event?', '"Meeting", 10:00 to 10:30 (UTC)'],
  ['Delete everything', 'Approve wipe?', 'Delete everything'],
  ['"a: b" is sent', 'Approve wipe?', '"a: b" is sent'],
  ['', 'Approve wipe?', ''],
])('%s', (preview, title, body) => {
  expect(questionText(preview, 'wipe')).toEqual({ title, body });
});
