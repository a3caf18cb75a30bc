import { findPerson } from '../../lib/crm.js';

export async function execute({ args }) {
  const person = findPerson(args.email);
  return { ok: true, data: { person } };
}
