// Reads contacts out of a text: block by block, line by line, left to right.
import { findNames } from './names.js';
import { findEmails, findPhones, findUrls, masked } from './patterns.js';

export async function execute({ args }) {
  const blocks = args.text.split(/\n\s*\n/).map((block) => findings(block, args));
  const all = blocks.flat();
  const values = (kind) => unique(all.filter((hit) => hit.kind === kind).map((hit) => hit.value));
  return {
    ok: true,
    data: {
      contacts: blocks.flatMap(grouped),
      names: values('name'),
      emails: values('email'),
      phones: phones(all),
      urls: values('url'),
    },
  };
}

function findings(block, args) {
  return block.split(/\r?\n/).flatMap((line, row) => lineFindings(line, args).map((hit) => ({ ...hit, row })));
}

function lineFindings(line, { kinds, default_country_code: countryCode }) {
  const urls = findUrls(line);
  const emails = findEmails(masked(line, urls));
  const numbers = findPhones(masked(line, [...urls, ...emails]), countryCode);
  const contacts = [...urls, ...emails, ...numbers];
  const hits = [...contacts, ...findNames(line, contacts)];
  return hits.filter(({ kind }) => kinds.includes(kind)).sort((a, b) => a.start - b.start);
}

/** A name, or a second value of one kind, begins the next contact. */
function grouped(hits) {
  const contacts = [];
  let row;
  for (const { kind, value, row: hitRow } of hits) {
    const current = contacts[contacts.length - 1];
    if (current && joins(kind, current, hitRow === row)) current[kind] = value;
    else contacts.push({ [kind]: value });
    row = hitRow;
  }
  return contacts;
}

/** A name follows its contact only in the same line, as in "mira@example.com (Mira Holt)". */
function joins(kind, contact, sameRow) {
  return !(kind in contact) && (kind !== 'name' || sameRow);
}

function phones(hits) {
  const found = new Map();
  for (const { kind, value, raw, e164 } of hits) {
    if (kind === 'phone' && !found.has(value)) found.set(value, e164 ? { raw, e164 } : { raw });
  }
  return [...found.values()];
}

function unique(values) {
  return [...new Set(values)];
}
