// The application's own people, as its other pages use them.
const PEOPLE = new Map([['ada@example.com', { name: 'Ada', tier: 'gold' }]]);

export function findPerson(email) {
  return PEOPLE.get(email) ?? null;
}
