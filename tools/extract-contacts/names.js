// Finds names of people, only where the text marks them as such: a title or label before them,
// a line of their own, or a contact beside them.
import { masked, matches } from './patterns.js';

const PART = String.raw`(?:\p{Lu}\p{L}{0,24}(?:['\u2019-]\p{Lu}?\p{L}{1,24}){0,2}|\p{Lu}\.)`;
const PARTICLE = '(?:al|bin|da|de|del|della|den|der|di|dos|du|la|le|ten|van|von) ';
const NEXT_PART = ` (?:${PARTICLE}){0,2}${PART}`;
const FULL_NAME = `${PART}(?:${NEXT_PART}){1,3}`;

const TITLED = new RegExp(String.raw`\b(?:Mr|Mrs|Ms|Dr|Prof)\.? (?<name>${PART}(?:${NEXT_PART}){0,3})`, 'gu');
const LABELLED = new RegExp(
  String.raw`\b(?:[Nn]ame|[Cc]ontact|[Ff]rom|[Tt]o|[Cc]c|[Aa]ttn): {0,4}"?(?<name>${FULL_NAME})`,
  'gu',
);
const BARE = new RegExp(String.raw`(?<![\p{L}\p{N}])(?<name>${FULL_NAME})(?![\p{L}\p{N}])`, 'gu');

// A character that no text contains stands for a contact, so that "beside" is a look at the next few characters.
const CONTACT = '\u0001';
const REACH = 8;
const MARKS = String.raw`[\s<>()[\],;:"|/\u2013\u2014\u2022-]`;
const CONTACT_AFTER = new RegExp(`^${MARKS}{1,${REACH}}${CONTACT}`);
const CONTACT_BEFORE = new RegExp(`${CONTACT}${MARKS}{1,${REACH}}$`);

const NOT_A_NAME = new Set(
  [
    'ltd inc llc gmbh corp company studio studios university department team office street road avenue',
    'mr mrs ms dr prof lead manager director engineer designer producer head chief officer',
    'dear hello hi hey best kind warm regards thanks thank sincerely cheers yours please',
    'invite ask email mail call phone tel fax mobile meet contact write see with the and our new from to cc',
    'monday tuesday wednesday thursday friday saturday sunday',
    'january february march april june july august september october november december',
  ]
    .join(' ')
    .split(' '),
);

/** `contacts` are the addresses, links and numbers found in the same line. */
export function findNames(line, contacts) {
  const text = masked(line, contacts, CONTACT);
  const marked = [...matches(text, TITLED), ...matches(text, LABELLED)].map(asName);
  const bare = matches(text, BARE)
    .map(asName)
    .map(withoutLeadIn)
    .filter((name) => standsAlone(name, text) || isBesideContact(name, text));
  return withoutOverlap([...marked, ...bare].filter(isName));
}

function asName({ groups, end }) {
  return { kind: 'name', value: groups.name, start: end - groups.name.length, end };
}

/** "Invite Jon Bell" is a verb and a name: words that begin no name are taken off the front. */
function withoutLeadIn(name) {
  const words = name.value.split(' ');
  while (words.length > 0 && NOT_A_NAME.has(words[0].toLowerCase())) words.shift();
  const value = words.length > 1 ? words.join(' ') : '';
  return { ...name, value, start: name.end - value.length };
}

/** Headings in capitals and phrases with an ordinary word in them are no names. */
function isName({ value }) {
  if (!value || (value.length > 4 && value === value.toUpperCase())) return false;
  return !value.split(' ').some((word) => NOT_A_NAME.has(word.toLowerCase()));
}

function standsAlone({ start, end }, text) {
  if (text.length - (end - start) > REACH) return false;
  return /^[\s,;:*\u2022-]*$/.test(text.slice(0, start) + text.slice(end));
}

function isBesideContact({ start, end }, text) {
  const after = text.slice(end, end + REACH + 1);
  const before = text.slice(Math.max(0, start - REACH - 1), start);
  return CONTACT_AFTER.test(after) || CONTACT_BEFORE.test(before);
}

function withoutOverlap(names) {
  let reached = 0;
  return names
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < reached) return false;
      reached = end;
      return true;
    });
}
