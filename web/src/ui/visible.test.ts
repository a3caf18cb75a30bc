// Characters that hide or reorder text are written out.
import { expect, it } from 'vitest';
import { literal, nameFault, visible } from './visible';

it.each([
  ['plain ü 漢 🙂', 'plain ü 漢 🙂'],
  ['a\tb\nc', 'a\tb\nc'],
  ['a\r\nb', 'a\nb'],
  ['user\u202etxt.exe', 'user‹RLO›txt.exe'],
  ['a\u0000b\u001b[31m', 'a‹U+0000›b‹U+001B›[31m'],
  ['\u2066x\u2069', '‹LRI›x‹PDI›'],
  ['zero\u200bwidth', 'zero‹ZWSP›width'],
  ['שלום', 'שלום'],
])('%j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

it('a JSON literal escapes them', () => {
  expect(literal('a\u202eb"')).toBe('"a\\u202eb\\""');
});

it('a name with hidden characters is refused, and they are named once', () => {
  expect(nameFault('finds Ada')).toBe(undefined);
  expect(nameFault('שלום')).toBe(undefined);
  expect(nameFault('a\u202eb\u202ec\u0000')).toBe('The name has characters that cannot be seen: ‹RLO› ‹U+0000›. Write it without them.');
});
