// Finds addresses, links and numbers in a line, each with its position.
// Every repetition in a pattern is bounded, so that a hostile text costs no more than a long one.

const EMAIL = /(?<![\w.%+'-])[A-Za-z0-9._%+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])/g;
const URL = /(?:https?:\/\/|www\.)[^\s<>"'`\]|]{1,2000}/gi;
const PHONE = /(?:\+|\(\+?)?\d[\d ()./\u00A0-]{4,24}\d/g;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})\b/;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const PHONE_LABEL = /\b(?:tel|phone|mobile|mob|cell|fax|call)\b[^\d\n]{0,12}$/i;
const LONGEST_NATIONAL = 11;

export function findEmails(text) {
  return matches(text, EMAIL).map(({ raw, start, end }) => {
    const value = raw.replace(/^['.]+/, '').toLowerCase();
    return { kind: 'email', value, start, end };
  });
}

export function findUrls(text) {
  return matches(text, URL).map(({ raw, start }) => {
    const link = trimLink(raw);
    const value = /^www\./i.test(link) ? `https://${link}` : link;
    return { kind: 'url', value, start, end: start + link.length };
  });
}

export function findPhones(text, countryCode) {
  return matches(text, PHONE)
    .filter((hit) => isPhone(hit, text))
    .map(({ raw, start, end }) => phone(raw, start, end, countryCode));
}

/** Overwrites what was found, keeping every position. */
export function masked(text, hits, mark = ' ') {
  let [rest, done] = ['', 0];
  for (const { start, end } of [...hits].sort((a, b) => a.start - b.start)) {
    rest += text.slice(done, start) + mark.repeat(end - start);
    done = end;
  }
  return rest + text.slice(done);
}

/** All matches of a global pattern. Not `matchAll`, which compiles the pattern anew for each line. */
export function matches(text, pattern) {
  const found = [];
  pattern.lastIndex = 0;
  for (let hit = pattern.exec(text); hit; hit = pattern.exec(text)) {
    found.push({ raw: hit[0], groups: hit.groups, start: hit.index, end: pattern.lastIndex });
  }
  return found;
}

/** Punctuation at the end belongs to the sentence, and so does a bracket that the link did not open. */
function trimLink(raw) {
  let surplus = raw.split(')').length - raw.split('(').length;
  let end = raw.length;
  for (; end > 0; end -= 1) {
    const last = raw[end - 1];
    if (last === ')' && surplus > 0) surplus -= 1;
    else if (!'.,;:!?*'.includes(last)) break;
  }
  return raw.slice(0, end);
}

function isPhone({ raw, start, end }, text) {
  const digits = raw.replace(/\D/g, '').length;
  if (digits < 7 || digits > 15 || DATE.test(raw) || IPV4.test(raw)) return false;
  if (isGlued(text.slice(Math.max(0, start - 2), start), text.slice(end, end + 1))) return false;
  if (/^(?:\(?\+|00)/.test(raw)) return true;
  if (digits > LONGEST_NATIONAL) return false;
  return PHONE_LABEL.test(text.slice(Math.max(0, start - 24), start)) || isGrouped(raw);
}

/** Part of a longer word or number, or a price. */
function isGlued(before, after) {
  return /[\p{L}\p{N}]$|[#$€£] ?$/u.test(before) || /^[\p{L}\p{N}%€]/u.test(after);
}

/** Written in groups, as a number to dial is: an area code in brackets, or two gaps, or one after a zero. */
function isGrouped(raw) {
  const gaps = raw.match(/[ ./\u00A0-]+/g)?.length ?? 0;
  return raw.includes(')') || gaps >= 2 || (gaps === 1 && raw.startsWith('0'));
}

function phone(raw, start, end, countryCode) {
  const e164 = international(raw, countryCode);
  const found = { kind: 'phone', raw, value: e164 ?? raw, start, end };
  return e164 ? { ...found, e164 } : found;
}

function international(raw, countryCode) {
  const digits = raw.replace('(0)', '').replace(/\D/g, '');
  if (/^\(?\+/.test(raw)) return `+${digits}`;
  if (digits.startsWith('00')) return `+${digits.slice(2)}`;
  return countryCode ? countryCode + digits.replace(/^0/, '') : undefined;
}
