// Finds the sensitive subjects an image prompt touches, by the words and names of sensitive-words.js.
// A net of words, coarse on purpose: a hit only means that the person is asked first. It sees through
// common disguises of a word; it does not understand a sentence, another language or an unlisted name.
import { HARMLESS, LEFT_OUT, NAMES, WORDS } from './sensitive-words.js';

const INVISIBLE = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]/g;
const MARKS = /[\u0300-\u036f]/g;
const SPACED = /(?<![a-z])(?:[a-z][ .,_*|-]){2,}[a-z](?![a-z])/g;

// Letters of other scripts, and digits and signs, that pass for a Latin letter.
const ALIKE = Object.fromEntries([...'аaеeоoрpсcхxуyкkіiѕsԁdոnοoαaεeιiκkνvρp'].flatMap((it, at, all) => (at % 2 ? [] : [[it, all[at + 1]]])));
const LEET = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' };

const HARMLESS_PATTERN = pattern(HARMLESS, 'g');
const TOPICS = patterns({ ...WORDS, real_person: [...WORDS.real_person, ...NAMES] });
const OMISSIONS = patterns(LEFT_OUT);

/** The topics found in a prompt, and in what is to be kept out of the picture, in alphabetical order. */
export function sensitiveTopics(prompt, leftOut = '') {
  const found = new Set([...topicsIn(prompt, TOPICS), ...topicsIn(leftOut, OMISSIONS)]);
  return [...found].sort();
}

function topicsIn(text, topics) {
  const readings = readingsOf(text).map((reading) => reading.replace(HARMLESS_PATTERN, ' '));
  return topics.filter(([, words]) => readings.some((reading) => words.test(reading))).map(([topic]) => topic);
}

/** The text as it stands, and with what disguises a word taken away. */
function readingsOf(text) {
  const bare = text.normalize('NFKD').replace(MARKS, '').replace(INVISIBLE, '').toLowerCase();
  const plain = bare.replace(/\s+/g, ' ');
  const latin = [...plain].map((letter) => ALIKE[letter] ?? letter).join('');
  const joined = latin.replace(SPACED, join).replace(/[-_ ]+/g, ' ');
  return [plain, joined, joined.replace(/[a-z0-9@$!]+/g, unleet)];
}

/** Reads spaced letters as a word; the first of them may be an article before it. */
function join(run) {
  const word = run.replace(/[^a-z]/g, '');
  return `${word} ${word.slice(1)}`;
}

/** Reads digits and signs as the letters they look like, inside a word. */
function unleet(word) {
  return /[a-z]/.test(word) ? word.replace(/[013457@$!]/g, (sign) => LEET[sign]) : word;
}

function patterns(topics) {
  return Object.entries(topics).map(([topic, words]) => [topic, pattern(words, '')]);
}

function pattern(words, flags) {
  return new RegExp(`(?<![a-z0-9])(?:${words.join('|')})(?![a-z0-9])`, flags);
}
